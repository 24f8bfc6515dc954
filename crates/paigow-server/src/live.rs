//! Live tables: what has happened goes to everybody who looks, to each what they may see, over sockets that may break at any time.

mod feed;
mod follower;
mod message;
mod resume;
mod socket;
mod sockets;
mod wake_batcher;

#[cfg(feature = "simulation")]
pub(crate) use feed::FeedError;
pub(crate) use feed::{Feed, Happened, Listener};
pub(crate) use follower::Follower;
pub use message::{FromClient, ToClient};
pub use resume::{HashPrefix, HashPrefixFault, ResumePoint};
pub(crate) use socket::{Caller, talk};
pub(crate) use sockets::{Sockets, Ticket};
