//! Sessions: who asks, by a secret that only their browser has.

use paigow_table::{Actor, PlayerId, Time};
use sha2::{Digest, Sha256};

/// Somebody who has come in and need not say again who they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// The digest of the secret in the cookie.
    pub digest: [u8; 32],
    /// Whose it is.
    pub who: SessionOf,
    /// When it began.
    pub since: Time,
    /// When it was last seen.
    pub seen: Time,
    /// From when on it holds no more.
    pub until: Time,
}

/// Whose a session is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SessionOf {
    /// A player.
    Player(PlayerId),
    /// An operator, by the name they gave.
    Operator(PlayerId),
}

impl From<SessionOf> for Actor {
    fn from(who: SessionOf) -> Actor {
        match who {
            SessionOf::Player(player) => Actor::Player(player),
            SessionOf::Operator(operator) => Actor::Operator(operator),
        }
    }
}

/// What is kept of a secret of 32 random bytes, a session's or the operators': who reads the store cannot come in by it.
///
/// A slow hash is for passwords, which can be guessed. 32 random bytes cannot, so the plain one is enough; and who compares digests
/// need not take care to take the same time for each, because nobody can choose a digest byte by byte.
pub fn secret_digest(secret: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(secret).into()
}
