//! Sessions, identified by a secret that only the client has.

use paigow_table::{Actor, PlayerId, Time};
use sha2::{Digest, Sha256};

/// Session of a player or an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// Digest of the secret in the cookie.
    pub digest: [u8; 32],
    /// Player or operator that the session belongs to.
    pub who: SessionOwner,
    /// Time it began.
    pub since: Time,
    /// Time it was last seen.
    pub seen: Time,
    /// Time from which it is expired.
    pub until: Time,
    /// Description of the client that began it. Empty for sessions of earlier versions.
    pub client: String,
}

/// Owner of a session.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SessionOwner {
    /// A player.
    Player(PlayerId),
    /// An operator, by the name given at the start of the session.
    Operator(PlayerId),
}

impl From<SessionOwner> for Actor {
    fn from(who: SessionOwner) -> Actor {
        match who {
            SessionOwner::Player(player) => Actor::Player(player),
            SessionOwner::Operator(operator) => Actor::Operator(operator),
        }
    }
}

/// Returns the digest that the store keeps of a secret of 32 random bytes. A reader of the store cannot log in with it.
///
/// A slow password hash is not needed, because 32 random bytes cannot be guessed. Comparing digests need not take
/// constant time, because an attacker cannot choose a digest byte by byte.
pub fn secret_digest(secret: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(secret).into()
}
