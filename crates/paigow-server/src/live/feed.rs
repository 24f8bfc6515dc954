//! Feed of a table's events to its viewers. Each event is encoded once for all viewers who may see the same.

use super::ToClient;
use super::resume::{HashPrefix, ResumePoint};
use super::wake_batcher::{Wake, WakeBatcher};
use crate::Tip;
use axum::extract::ws::Utf8Bytes;
#[cfg(feature = "simulation")]
use paigow_table::SeenEvent;
use paigow_table::{PlantedFault, PlayerId, Table, TableEvent, Time, Viewer, planted};
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::watch;
use tokio::time::Instant;

/// Number of recent events that the feed of a table keeps in encoded form: one or two rounds.
///
/// A viewer who falls further behind, or reconnects later, gets a snapshot.
const RECENT_MAX: usize = 40;

/// An event, encoded for its viewers.
pub(crate) struct FeedEvent {
    pub(crate) tip: Tip,
    /// Hash of the previous event.
    previous: [u8; 32],
    public: EncodedEvent,
    /// Encodings for players who see more than the public.
    private: Vec<(PlayerId, EncodedEvent)>,
}

/// An event encoded for a viewer.
pub(crate) struct EncodedEvent {
    pub(crate) text: Utf8Bytes,
    /// The same event as a value, to apply to a view.
    #[cfg(feature = "simulation")]
    pub(crate) seen: SeenEvent,
}

impl FeedEvent {
    /// Encodes an event. `table` is the state right after it.
    fn new(table: &Table, previous: [u8; 32], tip: Tip, at: Time, event: &TableEvent) -> FeedEvent {
        let (seq, hash) = (tip.seq, HashPrefix::from(tip.hash));
        let encode = |viewer: &Viewer| {
            let event = Box::new(table.seen(event, viewer));
            #[cfg(feature = "simulation")]
            let seen = SeenEvent::clone(&event);
            // An event has only strings and numbers, which always serialize.
            let text = serde_json::to_string(&ToClient::Event { seq, hash, at, event }).unwrap_or_default();
            EncodedEvent {
                text: Utf8Bytes::from(text),
                #[cfg(feature = "simulation")]
                seen,
            }
        };
        let public = encode(&Viewer::Watcher);
        let private_seats = table.seats_with_private_view(event);
        // A player with several of these seats sees one event.
        let players: BTreeSet<&PlayerId> = table
            .players()
            .filter(|(seat, _)| private_seats.contains(seat))
            .map(|(_, player)| player)
            .collect();
        let private =
            players.into_iter().map(|player| (player.clone(), encode(&Viewer::Player(player.clone()))));
        let private = private.collect();
        FeedEvent { tip, previous, public, private }
    }

    /// Returns the event as the viewer sees it.
    pub(crate) fn seen_by(&self, viewer: &Viewer) -> &EncodedEvent {
        let is_own =
            |(player, _): &&(PlayerId, EncodedEvent)| matches!(viewer, Viewer::Player(own) if own == player);
        self.private.iter().find(is_own).map_or(&self.public, |(_, encoded)| encoded)
    }
}

/// Whether the event may reach viewers later. Such an event concerns one seat, and no other seat waits for it.
const fn can_wait(event: &TableEvent) -> bool {
    matches!(
        event,
        TableEvent::Wagered { .. }
            | TableEvent::Cleared { .. }
            | TableEvent::BytesAdded { .. }
            | TableEvent::Committed { .. }
            | TableEvent::Revealed { .. }
            | TableEvent::Ready { .. }
            | TableEvent::HandSet { .. }
    )
}

/// Feed of a table's events to its listeners.
///
/// An event that a viewer waits for wakes the listeners at once. Other events wait for the next wake-up, for half a
/// second at most. Half of the work of a busy server is writing to sockets, and six wagers within a second need not
/// cost every viewer six packets.
pub(crate) struct Feed {
    recent: Arc<RecentEvents>,
    wake_batcher: WakeBatcher,
    /// Whether the store went back to an earlier state. Listeners read it when the feed is gone.
    rolled_back: Arc<AtomicBool>,
}

/// The most recent events, and the channel that wakes listeners.
struct RecentEvents {
    events: Mutex<VecDeque<Arc<FeedEvent>>>,
    wake: watch::Sender<()>,
}

impl Default for Feed {
    fn default() -> Feed {
        let recent = RecentEvents { events: Mutex::default(), wake: watch::Sender::new(()) };
        Feed { recent: Arc::new(recent), wake_batcher: WakeBatcher::default(), rolled_back: Arc::default() }
    }
}

impl Feed {
    /// Publishes an event to all listeners. Without listeners it encodes nothing.
    pub(crate) fn publish(
        &mut self,
        table: &Table,
        previous: [u8; 32],
        tip: Tip,
        at: Time,
        event: &TableEvent,
    ) {
        if matches!(event, TableEvent::Ready { .. }) && planted(PlantedFault::SkipInFeed) {
            return;
        }
        if !self.has_listeners() {
            *self.recent.events() = VecDeque::new();
            return;
        }
        let feed_event = FeedEvent::new(table, previous, tip, at, event);
        let mut events = self.recent.events();
        if events.len() == RECENT_MAX {
            events.pop_front();
        }
        events.push_back(Arc::new(feed_event));
        drop(events);
        match self.wake_batcher.schedule(can_wait(event), Instant::now()) {
            Wake::Now => self.recent.wake.send_replace(()),
            Wake::Already => {}
            Wake::At(time) => {
                let recent = Arc::downgrade(&self.recent);
                tokio::spawn(async move {
                    tokio::time::sleep_until(time).await;
                    // If the table was dropped, its listeners have been woken.
                    if let Some(recent) = recent.upgrade() {
                        recent.wake.send_replace(());
                    }
                });
            }
        }
    }

    /// Records that the feed is about to end because the store went back to an earlier state.
    pub(crate) fn mark_rolled_back(&self) {
        self.rolled_back.store(true, Ordering::Release);
    }

    /// Whether the feed has listeners.
    pub(crate) fn has_listeners(&self) -> bool {
        self.listeners() > 0
    }

    /// Number of listeners.
    pub(crate) fn listeners(&self) -> usize {
        self.recent.wake.receiver_count()
    }

    /// Subscribes a listener to events from now on.
    pub(crate) fn listen(&self) -> Listener {
        Listener {
            woken: self.recent.wake.subscribe(),
            recent: Arc::downgrade(&self.recent),
            rolled_back: self.rolled_back.clone(),
        }
    }

    /// Returns the events after `from`, if the feed still has all of them and `from` is in the table's history.
    pub(crate) fn since(&self, from: &ResumePoint, now: Tip) -> Option<Vec<Arc<FeedEvent>>> {
        if from.seq == now.seq {
            return from.fits(&now.hash).then(Vec::new);
        }
        self.recent.since(from)
    }
}

impl RecentEvents {
    fn events(&self) -> MutexGuard<'_, VecDeque<Arc<FeedEvent>>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the events after `from`, if the feed still has all of them and they follow `from`. `from` is not the
    /// last event.
    fn since(&self, from: &ResumePoint) -> Option<Vec<Arc<FeedEvent>>> {
        let events = self.events();
        let next = events.iter().position(|feed_event| feed_event.tip.seq == from.seq.saturating_add(1))?;
        from.fits(&events[next].previous).then(|| events.range(next..).cloned().collect())
    }
}

/// A subscription to a feed.
pub(crate) struct Listener {
    woken: watch::Receiver<()>,
    recent: Weak<RecentEvents>,
    rolled_back: Arc<AtomicBool>,
}

/// Why a feed cannot return events.
pub(crate) enum FeedError {
    /// The feed no longer has all missed events. The viewer gets a snapshot.
    Lagged,
    /// The host dropped or reloaded the table. The viewer gets a snapshot.
    Closed,
    /// The store went back to an earlier state. The viewer gets an explanation and a snapshot.
    RolledBack,
}

impl Listener {
    /// Waits until there may be new events.
    pub(crate) async fn woken(&mut self) {
        // A closed channel is reported by the next call to `since`.
        let _ = self.woken.changed().await;
    }

    /// Returns the events after `seen`, which this feed or its snapshot sent.
    pub(crate) fn since(&mut self, seen: Tip) -> Result<Vec<Arc<FeedEvent>>, FeedError> {
        self.woken.mark_unchanged();
        let closed = || {
            if self.rolled_back.load(Ordering::Acquire) { FeedError::RolledBack } else { FeedError::Closed }
        };
        let recent = self.recent.upgrade().ok_or_else(closed)?;
        let last = recent.events().back().map_or(seen.seq, |last| last.tip.seq);
        if last <= seen.seq {
            return Ok(Vec::new());
        }
        recent.since(&ResumePoint::from(seen)).ok_or(FeedError::Lagged)
    }
}
