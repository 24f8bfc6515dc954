//! What happens at a table, for whoever looks: written once for all who may see the same.

use super::ToClient;
use axum::extract::ws::Utf8Bytes;
use paigow_table::{Event, PlayerId, Table, Time, Viewer};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::broadcast;

/// How far somebody may fall behind before they start afresh, and how far back somebody who was away can go on from.
const RECENT_MAX: usize = 64;

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

/// Where those who look at a table hear of it.
pub(crate) struct Feed {
    listeners: broadcast::Sender<Arc<Happened>>,
    /// The last few events, while somebody looks.
    recent: VecDeque<Arc<Happened>>,
}

impl Default for Feed {
    fn default() -> Feed {
        Feed { listeners: broadcast::Sender::new(RECENT_MAX), recent: VecDeque::new() }
    }
}

impl Feed {
    /// Tells everybody who looks. With nobody there it costs nothing.
    pub(crate) fn tell(&mut self, table: &Table, seq: u64, at: Time, event: &Event) {
        if self.listeners.receiver_count() == 0 {
            self.recent = VecDeque::new();
            return;
        }
        let happened = Arc::new(Happened::new(table, seq, at, event));
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(happened.clone());
        // That the last of them has just gone is no failure.
        let _ = self.listeners.send(happened);
    }

    /// Listens from now on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<Arc<Happened>> {
        self.listeners.subscribe()
    }

    /// The events after one, if all of them are still at hand.
    pub(crate) fn since(&self, from: u64, now: u64) -> Option<Vec<Arc<Happened>>> {
        if from == now {
            return Some(Vec::new());
        }
        let first = self.recent.front()?.seq;
        (from < now && first <= from + 1)
            .then(|| self.recent.iter().filter(|happened| happened.seq > from).cloned().collect())
    }
}
