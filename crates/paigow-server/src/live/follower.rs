//! A viewer that follows a table: how far it has been told, and what it is told next.

use super::feed::{Happened, Listener, Silence};
use super::resume::ResumePoint;
use crate::host::Start;
use crate::{Host, HostError, Store, Tip, World};
use paigow_table::{TableId, Viewer};
use std::sync::Arc;

/// A viewer at a table.
pub(crate) struct Follower {
    listener: Listener,
    /// The last event it was told of.
    seen: Tip,
}

impl Follower {
    /// Begins with what a viewer has missed since an event, or else with the whole table.
    pub(crate) async fn start<S: Store, W: World>(
        host: &Host<S, W>,
        table: &TableId,
        viewer: &Viewer,
        from: Option<&ResumePoint>,
    ) -> Result<(Follower, Start), HostError> {
        let (start, listener, seen) = host.watch(table, viewer, from).await?;
        Ok((Follower { listener, seen }, start))
    }

    /// Waits until there may be something to tell.
    pub(crate) async fn woken(&mut self) {
        self.listener.woken().await;
    }

    /// What has happened since the viewer was told last.
    pub(crate) fn news(&mut self) -> Result<Vec<Arc<Happened>>, Silence> {
        let news = self.listener.since(self.seen)?;
        if let Some(last) = news.last() {
            self.seen = last.tip;
        }
        Ok(news)
    }
}
