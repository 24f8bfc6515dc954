//! What happens at a table, for whoever looks: written once for all who may see the same.

use super::ToClient;
use super::linger::{Linger, Wake};
use axum::extract::ws::Utf8Bytes;
use paigow_table::{Event, PlayerId, Table, Time, Viewer};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::watch;
use tokio::time::Instant;

/// How far somebody may fall behind before they start afresh, and how far back somebody who was away can go on from: a round or two. Kept for
/// every table, as it goes out.
const RECENT_MAX: usize = 40;

/// An event as it goes out.
pub(crate) struct Happened {
    pub(crate) seq: u64,
    public: Utf8Bytes,
    /// For those who see more than others do.
    private: Vec<(PlayerId, Utf8Bytes)>,
}

impl Happened {
    /// An event that has just happened at a table, which is as it was right after.
    fn new(table: &Table, seq: u64, at: Time, event: &Event) -> Happened {
        let written = |viewer: &Viewer| {
            let event = Box::new(table.seen(event, viewer));
            // What is seen is plain words and numbers: it can be written.
            Utf8Bytes::from(serde_json::to_string(&ToClient::Event { seq, at, event }).unwrap_or_default())
        };
        let public = written(&Viewer::Watcher);
        let mut private = Vec::new();
        for seat in table.see_more(event) {
            if let Some((_, player)) = table.players().find(|(other, _)| *other == seat) {
                private.push((player.clone(), written(&Viewer::Player(player.clone()))));
            }
        }
        Happened { seq, public, private }
    }

    /// The event as a viewer sees it.
    pub(crate) fn seen_by(&self, viewer: &Viewer) -> Utf8Bytes {
        let own = |(player, text): &(PlayerId, Utf8Bytes)| match viewer {
            Viewer::Player(viewer) if viewer == player => Some(text.clone()),
            _ => None,
        };
        self.private.iter().find_map(own).unwrap_or_else(|| self.public.clone())
    }
}

/// What a seat does for itself, and nobody else's turn hangs on.
const fn can_wait(event: &Event) -> bool {
    matches!(
        event,
        Event::Wagered { .. }
            | Event::Cleared { .. }
            | Event::BytesAdded { .. }
            | Event::Ready { .. }
            | Event::HandSet { .. }
    )
}

/// Where those who look at a table hear of it. They are woken when something has happened that somebody waits for; what can wait lies
/// there until then, for half a second at most: half of what a busy server does is writing sockets, and six people who put
/// chips down within a second need not be told of in six packets each.
pub(crate) struct Feed {
    recent: Arc<Recent>,
    linger: Linger,
}

/// The last few events, and whoever waits for more.
struct Recent {
    events: Mutex<VecDeque<Arc<Happened>>>,
    wake: watch::Sender<()>,
}

impl Default for Feed {
    fn default() -> Feed {
        let recent = Recent { events: Mutex::default(), wake: watch::Sender::new(()) };
        Feed { recent: Arc::new(recent), linger: Linger::default() }
    }
}

impl Feed {
    /// Tells everybody who looks. With nobody there it costs nothing.
    pub(crate) fn tell(&mut self, table: &Table, seq: u64, at: Time, event: &Event) {
        if !self.is_heard() {
            *self.recent.events() = VecDeque::new();
            return;
        }
        let happened = Happened::new(table, seq, at, event);
        let mut events = self.recent.events();
        if events.len() == RECENT_MAX {
            events.pop_front();
        }
        events.push_back(Arc::new(happened));
        drop(events);
        match self.linger.of(can_wait(event), Instant::now()) {
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

    /// Whether somebody looks.
    pub(crate) fn is_heard(&self) -> bool {
        self.recent.wake.receiver_count() > 0
    }

    /// Listens from now on.
    pub(crate) fn listen(&self) -> Listener {
        Listener { woken: self.recent.wake.subscribe(), recent: Arc::downgrade(&self.recent) }
    }

    /// The events after one, if all of them are still at hand.
    pub(crate) fn since(&self, from: u64, now: u64) -> Option<Vec<Arc<Happened>>> {
        if from > now { None } else { self.recent.since(from, now) }
    }
}

impl Recent {
    fn events(&self) -> MutexGuard<'_, VecDeque<Arc<Happened>>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The events after one up to another, if all of them are still at hand.
    fn since(&self, from: u64, now: u64) -> Option<Vec<Arc<Happened>>> {
        if from >= now {
            return Some(Vec::new());
        }
        let events = self.events();
        (events.front()?.seq <= from + 1)
            .then(|| events.iter().filter(|happened| happened.seq > from).cloned().collect())
    }
}

/// Somebody who listens.
pub(crate) struct Listener {
    woken: watch::Receiver<()>,
    recent: Weak<Recent>,
}

/// Why there is nothing to hear.
pub(crate) enum Silence {
    /// More has happened than is kept: they start afresh.
    Behind,
    /// The table was let go of.
    Over,
}

impl Listener {
    /// Waits until there is something to hear.
    pub(crate) async fn woken(&mut self) {
        // That nobody will wake us any more is heard next.
        let _ = self.woken.changed().await;
    }

    /// What has happened after an event.
    pub(crate) fn since(&mut self, from: u64) -> Result<Vec<Arc<Happened>>, Silence> {
        self.woken.mark_unchanged();
        let recent = self.recent.upgrade().ok_or(Silence::Over)?;
        let now = recent.events().back().map_or(from, |last| last.seq);
        recent.since(from, now).ok_or(Silence::Behind)
    }
}
