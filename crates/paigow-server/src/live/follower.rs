//! A viewer's position in a table's feed, and the events after it.

use super::feed::{FeedError, FeedEvent, Listener};
use super::resume::ResumePoint;
use crate::host::Start;
use crate::{Environment, Host, HostError, Store, Tip};
use paigow_table::{TableId, Viewer};
use std::sync::Arc;

/// A viewer's position in a table's feed.
pub(crate) struct Follower {
    listener: Listener,
    /// Sequence number and hash of the last event sent to the viewer.
    seen: Tip,
}

impl Follower {
    /// Subscribes a viewer. Returns the events after `from` if the feed has all of them, or else a snapshot.
    pub(crate) async fn start<S: Store, W: Environment>(
        host: &Host<S, W>,
        table: &TableId,
        viewer: &Viewer,
        from: Option<&ResumePoint>,
    ) -> Result<(Follower, Start), HostError> {
        let (start, listener, seen) = host.watch(table, viewer, from).await?;
        Ok((Follower { listener, seen }, start))
    }

    /// Sequence number of the last event sent to the viewer.
    pub(crate) fn seen(&self) -> u64 {
        self.seen.seq
    }

    /// Waits until there may be new events.
    pub(crate) async fn woken(&mut self) {
        self.listener.woken().await;
    }

    /// Returns the events after the last one sent.
    pub(crate) fn new_events(&mut self) -> Result<Vec<Arc<FeedEvent>>, FeedError> {
        let new_events = self.listener.since(self.seen)?;
        if let Some(last) = new_events.last() {
            self.seen = last.tip;
        }
        Ok(new_events)
    }
}
