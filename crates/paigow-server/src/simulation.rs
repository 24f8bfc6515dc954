//! What the simulator needs of a server beyond its public parts: a store in memory, the clock, and viewers that follow a table as sockets do.
//! Built only with the feature `simulation`, which no program that ships turns on.

pub use crate::store::{Memory, MemorySnapshot};

use crate::clock::{Clock, ClockCounts};
use crate::host::Start;
use crate::live::{Follower, Happened, Silence};
use crate::{HashPrefix, Host, HostError, ResumePoint, Store, StoreError, ToClient, World};
use paigow_table::{SeenEvent, TableId, View, Viewer};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Reads all tables, fires deadlines and polls the store, as a server does, until the future is dropped.
///
/// # Errors
/// The store does not say which tables there are.
pub async fn run_clock<S: Store + 'static, W: World + 'static>(
    host: Arc<Host<S, W>>,
) -> Result<(), StoreError> {
    let clock = Clock::new(host, ClockCounts::default(), CancellationToken::new());
    clock.load_all().await?;
    tokio::join!(biased; clock.clone().run(), clock.poll());
    Ok(())
}

/// A viewer at a table, as a socket serves one.
pub struct Watching {
    follower: Follower,
    viewer: Viewer,
}

/// What a viewer is told.
pub struct Told {
    /// The event it is about, or the last one in it, as a client would come back with it.
    pub at: ResumePoint,
    /// What the viewer sees.
    pub sight: Sight,
    /// The message as it goes out.
    pub text: String,
}

/// What a viewer sees.
pub enum Sight {
    /// The whole table.
    Snapshot(Box<View>),
    /// Something that has happened.
    Event(Box<SeenEvent>),
}

impl Watching {
    /// Looks at a table from now on, and gives what is told first.
    ///
    /// # Errors
    /// Why the table cannot be looked at.
    pub async fn start<S: Store, W: World>(
        host: &Host<S, W>,
        table: &TableId,
        viewer: Viewer,
        from: Option<&ResumePoint>,
    ) -> Result<(Watching, Vec<Told>), HostError> {
        let (follower, start) = Follower::start(host, table, &viewer, from).await?;
        let watching = Watching { follower, viewer };
        let told = match start {
            Start::Events(events) => watching.told(&events),
            Start::Snapshot { tip, view } => {
                let (seq, hash, now) = (tip.seq, HashPrefix::from(tip.hash), host.world().now());
                let snapshot = ToClient::Snapshot { seq, hash, now, view: view.clone() };
                let text = serde_json::to_string(&snapshot)?;
                vec![Told { at: ResumePoint::from(tip), sight: Sight::Snapshot(view), text }]
            }
        };
        Ok((watching, told))
    }

    /// What is told next. `None` where the viewer must start afresh.
    pub async fn next(&mut self) -> Option<Vec<Told>> {
        self.follower.woken().await;
        match self.follower.news() {
            Ok(events) => Some(self.told(&events)),
            Err(Silence::Behind | Silence::Over) => None,
        }
    }

    fn told(&self, events: &[Arc<Happened>]) -> Vec<Told> {
        let told = |happened: &Arc<Happened>| {
            let written = happened.seen_by(&self.viewer);
            Told {
                at: ResumePoint::from(happened.tip),
                sight: Sight::Event(Box::new(written.seen.clone())),
                text: written.text.to_string(),
            }
        };
        events.iter().map(told).collect()
    }
}
