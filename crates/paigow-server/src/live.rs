//! Live tables: the events of a table go to every viewer, filtered by what the viewer may see, over sockets that may
//! break at any time.

mod feed;
mod follower;
mod message;
mod presence;
mod resume;
mod socket;
mod sockets;
mod wake_batcher;

#[cfg(feature = "simulation")]
pub(crate) use feed::FeedError;
pub(crate) use feed::{Feed, FeedEvent, Listener};
pub(crate) use follower::Follower;
pub use message::{FromClient, ToClient};
pub(crate) use presence::Presence;
pub use resume::{HashPrefix, HashPrefixFault, ResumePoint};
pub(crate) use socket::{SocketClient, serve_socket};
pub(crate) use sockets::{SocketPermit, Sockets};
