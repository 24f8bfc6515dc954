//! Live tables: what has happened goes to everybody who looks, to each what they may see, over sockets that may break at any time.

mod feed;
mod linger;
mod message;
mod socket;
mod sockets;

pub(crate) use feed::{Feed, Happened, Listener};
pub use message::{FromClient, ToClient};
pub(crate) use socket::{Caller, talk};
pub(crate) use sockets::{Sockets, Ticket};
