//! Parts of a server that only the simulator uses: an in-memory store, the scheduler, and viewers that subscribe as
//! sockets do.
//!
//! Built only with the feature `simulation`, which no released program turns on.

pub use crate::store::{Memory, MemorySnapshot};

use crate::host::Start;
use crate::host::scheduler::{Scheduler, SchedulerCounts};
use crate::live::{FeedError, FeedEvent, Follower};
use crate::{Environment, HashPrefix, Host, HostError, ResumePoint, Store, StoreError, ToClient};
use paigow_table::{SeenEvent, TableId, View, Viewer};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Loads all tables, then fires deadlines and polls the store, as a server does, until the future is dropped.
///
/// # Errors
/// The store could not list its tables.
pub async fn run_scheduler<S: Store + 'static, E: Environment + 'static>(
    host: Arc<Host<S, E>>,
) -> Result<(), StoreError> {
    let scheduler = Scheduler::new(host, SchedulerCounts::default(), CancellationToken::new());
    scheduler.load_all().await?;
    tokio::join!(biased; scheduler.clone().run(), scheduler.poll());
    Ok(())
}

/// A viewer's subscription to a table, as a socket serves it.
pub struct Subscription {
    follower: Follower,
    viewer: Viewer,
}

/// A message to a viewer.
pub struct ViewerMessage {
    /// Resume point of a client whose last message this is.
    pub at: ResumePoint,
    /// Content of the message.
    pub update: Update,
    /// JSON text of the message, as sent.
    pub text: String,
}

/// Content of a message.
pub enum Update {
    /// The whole table as the viewer sees it.
    Snapshot(Box<View>),
    /// One event as the viewer sees it.
    Event(Box<SeenEvent>),
}

impl Subscription {
    /// Subscribes a viewer. Returns the first messages: the events after `from` if the feed has them, or else a
    /// snapshot.
    ///
    /// # Errors
    /// The host could not load the table.
    pub async fn start<S: Store, E: Environment>(
        host: &Host<S, E>,
        table: &TableId,
        viewer: Viewer,
        from: Option<&ResumePoint>,
    ) -> Result<(Subscription, Vec<ViewerMessage>), HostError> {
        let (follower, start) = Follower::start(host, table, &viewer, from).await?;
        let subscription = Subscription { follower, viewer };
        let messages = match start {
            Start::Events(events) => subscription.messages(&events),
            Start::Snapshot { tip, view, .. } => {
                let (seq, hash, now) = (tip.seq, HashPrefix::from(tip.hash), host.environment().now());
                let snapshot = ToClient::Snapshot { seq, hash, now, view: view.clone() };
                let text = serde_json::to_string(&snapshot)?;
                vec![ViewerMessage { at: ResumePoint::from(tip), update: Update::Snapshot(view), text }]
            }
        };
        Ok((subscription, messages))
    }

    /// Waits for the next messages. Returns `None` if the viewer must start again with a snapshot.
    pub async fn next(&mut self) -> Option<Vec<ViewerMessage>> {
        self.follower.woken().await;
        match self.follower.new_events() {
            Ok(events) => Some(self.messages(&events)),
            Err(FeedError::Lagged | FeedError::Closed | FeedError::RolledBack) => None,
        }
    }

    fn messages(&self, events: &[Arc<FeedEvent>]) -> Vec<ViewerMessage> {
        let message = |feed_event: &Arc<FeedEvent>| {
            let encoded = feed_event.seen_by(&self.viewer);
            ViewerMessage {
                at: ResumePoint::from(feed_event.tip),
                update: Update::Event(Box::new(encoded.seen.clone())),
                text: encoded.text.to_string(),
            }
        };
        events.iter().map(message).collect()
    }
}
