//! What happens at a table, for whoever looks: written once for all who may see the same.

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

/// How far somebody may fall behind before they start afresh, and how far back somebody who was away can go on from: a round or two. Kept for
/// every table, as it goes out.
const RECENT_MAX: usize = 40;

/// An event as it goes out.
pub(crate) struct Happened {
    pub(crate) tip: Tip,
    /// Hash of the event before it.
    follows: [u8; 32],
    public: EncodedEvent,
    /// For those who see more than others do.
    private: Vec<(PlayerId, EncodedEvent)>,
}

/// An event encoded for a viewer.
pub(crate) struct EncodedEvent {
    pub(crate) text: Utf8Bytes,
    /// The same event as a value, to apply to a view.
    #[cfg(feature = "simulation")]
    pub(crate) seen: SeenEvent,
}

impl Happened {
    /// An event that has just happened at a table, which is as it was right after.
    fn new(table: &Table, follows: [u8; 32], tip: Tip, at: Time, event: &TableEvent) -> Happened {
        let (seq, hash) = (tip.seq, HashPrefix::from(tip.hash));
        let encode = |viewer: &Viewer| {
            let event = Box::new(table.seen(event, viewer));
            #[cfg(feature = "simulation")]
            let seen = SeenEvent::clone(&event);
            // What is seen is plain words and numbers: it can be written.
            let text = serde_json::to_string(&ToClient::Event { seq, hash, at, event }).unwrap_or_default();
            EncodedEvent {
                text: Utf8Bytes::from(text),
                #[cfg(feature = "simulation")]
                seen,
            }
        };
        let public = encode(&Viewer::Watcher);
        let more = table.see_more(event);
        // A player may have several of these seats, and sees one event.
        let players: BTreeSet<&PlayerId> =
            table.players().filter(|(seat, _)| more.contains(seat)).map(|(_, player)| player).collect();
        let private =
            players.into_iter().map(|player| (player.clone(), encode(&Viewer::Player(player.clone()))));
        let private = private.collect();
        Happened { tip, follows, public, private }
    }

    /// The event as a viewer sees it.
    pub(crate) fn seen_by(&self, viewer: &Viewer) -> &EncodedEvent {
        let is_own =
            |(player, _): &&(PlayerId, EncodedEvent)| matches!(viewer, Viewer::Player(own) if own == player);
        self.private.iter().find(is_own).map_or(&self.public, |(_, encoded)| encoded)
    }
}

/// What a seat does for itself, and nobody else's turn hangs on.
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

/// Where those who look at a table hear of it. They are woken when something has happened that somebody waits for; what can wait lies
/// there until then, for half a second at most: half of what a busy server does is writing sockets, and six people who put
/// chips down within a second need not be told of in six packets each.
pub(crate) struct Feed {
    recent: Arc<RecentEvents>,
    wake_batcher: WakeBatcher,
    /// The store went back to an earlier state. Listeners ask when the feed is gone.
    rolled_back: Arc<AtomicBool>,
}

/// The last few events, and whoever waits for more.
struct RecentEvents {
    events: Mutex<VecDeque<Arc<Happened>>>,
    wake: watch::Sender<()>,
}

impl Default for Feed {
    fn default() -> Feed {
        let recent = RecentEvents { events: Mutex::default(), wake: watch::Sender::new(()) };
        Feed { recent: Arc::new(recent), wake_batcher: WakeBatcher::default(), rolled_back: Arc::default() }
    }
}

impl Feed {
    /// Tells everybody who looks. With nobody there it costs nothing.
    pub(crate) fn tell(&mut self, table: &Table, follows: [u8; 32], tip: Tip, at: Time, event: &TableEvent) {
        if matches!(event, TableEvent::Ready { .. }) && planted(PlantedFault::SkipInFeed) {
            return;
        }
        if !self.is_heard() {
            *self.recent.events() = VecDeque::new();
            return;
        }
        let happened = Happened::new(table, follows, tip, at, event);
        let mut events = self.recent.events();
        if events.len() == RECENT_MAX {
            events.pop_front();
        }
        events.push_back(Arc::new(happened));
        drop(events);
        match self.wake_batcher.of(can_wait(event), Instant::now()) {
            Wake::Now => self.recent.wake.send_replace(()),
            Wake::Already => {}
            Wake::At(time) => {
                let recent = Arc::downgrade(&self.recent);
                tokio::spawn(async move {
                    tokio::time::sleep_until(time).await;
                    // A table that was let go of has told so.
                    if let Some(recent) = recent.upgrade() {
                        recent.wake.send_replace(());
                    }
                });
            }
        }
    }

    /// Says why the feed is about to end: the store went back to an earlier state.
    pub(crate) fn mark_rolled_back(&self) {
        self.rolled_back.store(true, Ordering::Release);
    }

    /// Whether somebody looks.
    pub(crate) fn is_heard(&self) -> bool {
        self.recent.wake.receiver_count() > 0
    }

    /// Listens from now on.
    pub(crate) fn listen(&self) -> Listener {
        Listener {
            woken: self.recent.wake.subscribe(),
            recent: Arc::downgrade(&self.recent),
            rolled_back: self.rolled_back.clone(),
        }
    }

    /// Events after `from`, if the feed still has all of them and `from` is in the table's history.
    pub(crate) fn since(&self, from: &ResumePoint, now: Tip) -> Option<Vec<Arc<Happened>>> {
        if from.seq == now.seq {
            return from.fits(&now.hash).then(Vec::new);
        }
        self.recent.since(from)
    }
}

impl RecentEvents {
    fn events(&self) -> MutexGuard<'_, VecDeque<Arc<Happened>>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Events after `from`, if the feed still has all of them and they follow `from`. `from` is not the last event.
    fn since(&self, from: &ResumePoint) -> Option<Vec<Arc<Happened>>> {
        let events = self.events();
        let next = events.iter().position(|happened| happened.tip.seq == from.seq.saturating_add(1))?;
        from.fits(&events[next].follows).then(|| events.range(next..).cloned().collect())
    }
}

/// Somebody who listens.
pub(crate) struct Listener {
    woken: watch::Receiver<()>,
    recent: Weak<RecentEvents>,
    rolled_back: Arc<AtomicBool>,
}

/// Why there is nothing to hear.
pub(crate) enum FeedError {
    /// More has happened than is kept: they start afresh.
    Lagged,
    /// The host dropped or reloaded the table: the viewer gets a snapshot.
    Closed,
    /// The store went back to an earlier state: the viewer gets an explanation and a snapshot.
    RolledBack,
}

impl Listener {
    /// Waits until there is something to hear.
    pub(crate) async fn woken(&mut self) {
        // That nobody will wake us any more is heard next.
        let _ = self.woken.changed().await;
    }

    /// Events after `seen`, which this feed or its snapshot sent.
    pub(crate) fn since(&mut self, seen: Tip) -> Result<Vec<Arc<Happened>>, FeedError> {
        self.woken.mark_unchanged();
        let over = || {
            if self.rolled_back.load(Ordering::Acquire) { FeedError::RolledBack } else { FeedError::Closed }
        };
        let recent = self.recent.upgrade().ok_or_else(over)?;
        let last = recent.events().back().map_or(seen.seq, |last| last.tip.seq);
        if last <= seen.seq {
            return Ok(Vec::new());
        }
        recent.since(&ResumePoint::from(seen)).ok_or(FeedError::Lagged)
    }
}
