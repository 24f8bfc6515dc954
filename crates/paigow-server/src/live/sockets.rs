//! Counts and limits open sockets, and closes those of ended sessions.

use crate::http::address_key;
use crate::settings::Settings;
use paigow_table::PlayerId;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// Counts of all open sockets.
#[derive(Clone)]
pub(crate) struct Sockets {
    counts: Arc<Mutex<SocketCounts>>,
    limits: SocketLimits,
    /// Cancelled when the server stops, which closes all sockets.
    stop: CancellationToken,
}

/// Maximum numbers of open sockets.
#[derive(Clone, Copy)]
pub(crate) struct SocketLimits {
    pub(crate) total: usize,
    pub(crate) per_person: usize,
    pub(crate) per_address: usize,
}

#[derive(Default)]
struct SocketCounts {
    total: usize,
    people: HashMap<PlayerId, usize>,
    addresses: HashMap<IpAddr, usize>,
    sessions: HashMap<[u8; 32], (usize, CancellationToken)>,
}

/// Limit that refuses a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum TooManySockets {
    #[error("the server has reached its maximum number of sockets")]
    Total,
    #[error("too many sockets of this player")]
    PerPerson,
    #[error("too many sockets from this address")]
    PerAddress,
}

/// Permit for one socket. Dropping it decrements the counts.
pub(crate) struct SocketPermit {
    sockets: Sockets,
    person: Option<(PlayerId, [u8; 32])>,
    address: IpAddr,
    /// Cancelled when the session has ended or the server stops.
    pub(crate) ended: CancellationToken,
}

impl Sockets {
    pub(crate) fn new(settings: &Settings, stop: CancellationToken) -> Sockets {
        let limits = SocketLimits {
            total: settings.sockets as usize,
            per_person: settings.sockets_per_person as usize,
            per_address: settings.sockets_per_address as usize,
        };
        Sockets { counts: Arc::default(), limits, stop }
    }

    fn counts(&self) -> MutexGuard<'_, SocketCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits one more socket of a person and an address.
    pub(crate) fn admit(
        &self,
        person: Option<(PlayerId, [u8; 32])>,
        address: IpAddr,
    ) -> Result<SocketPermit, TooManySockets> {
        let address = address_key(address);
        let mut counts = self.counts();
        let count = |count: Option<&usize>| count.copied().unwrap_or(0);
        if counts.total >= self.limits.total {
            return Err(TooManySockets::Total);
        }
        if count(counts.addresses.get(&address)) >= self.limits.per_address {
            return Err(TooManySockets::PerAddress);
        }
        let mut ended = self.stop.child_token();
        if let Some((player, digest)) = &person {
            if count(counts.people.get(player)) >= self.limits.per_person {
                return Err(TooManySockets::PerPerson);
            }
            *counts.people.entry(player.clone()).or_default() += 1;
            let session = counts.sessions.entry(*digest).or_insert_with(|| (0, ended.clone()));
            session.0 += 1;
            ended = session.1.clone();
        }
        *counts.addresses.entry(address).or_default() += 1;
        counts.total += 1;
        Ok(SocketPermit { sockets: self.clone(), person, address, ended })
    }

    /// Closes the sockets of a session.
    pub(crate) fn end(&self, digest: &[u8; 32]) {
        if let Some((_, ended)) = self.counts().sessions.get(digest) {
            ended.cancel();
        }
    }
}

impl Drop for SocketPermit {
    fn drop(&mut self) {
        let mut counts = self.sockets.counts();
        counts.total -= 1;
        decrement(&mut counts.addresses, &self.address);
        if let Some((player, digest)) = &self.person {
            decrement(&mut counts.people, player);
            if let Some(session) = counts.sessions.get_mut(digest) {
                session.0 -= 1;
                if session.0 == 0 {
                    counts.sessions.remove(digest);
                }
            }
        }
    }
}

/// Decrements a count and removes it at zero, so that the map does not grow.
fn decrement<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn sockets() -> Sockets {
        let limits = SocketLimits { total: 3, per_person: 2, per_address: 2 };
        Sockets { counts: Arc::default(), limits, stop: CancellationToken::new() }
    }

    fn ip(last: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, last).into()
    }

    fn ann() -> Option<(PlayerId, [u8; 32])> {
        "ann".parse().ok().map(|player| (player, [1; 32]))
    }

    #[test]
    fn sockets_are_limited_in_total_per_person_and_per_address() {
        let sockets = sockets();
        let first = sockets.admit(ann(), ip(1));
        let second = sockets.admit(ann(), ip(2));
        assert_eq!(sockets.admit(ann(), ip(3)).err(), Some(TooManySockets::PerPerson));
        drop(second);
        let other = sockets.admit(None, ip(1));
        assert_eq!(sockets.admit(None, ip(1)).err(), Some(TooManySockets::PerAddress));
        let third = sockets.admit(ann(), ip(3));
        assert!(first.is_ok() && other.is_ok() && third.is_ok());
        assert_eq!(sockets.admit(None, ip(9)).err(), Some(TooManySockets::Total));
        drop((first, other, third));
        let counts = sockets.counts();
        assert_eq!(counts.total, 0);
        assert!(counts.people.is_empty() && counts.addresses.is_empty() && counts.sessions.is_empty());
    }

    #[test]
    fn ending_a_session_closes_only_its_sockets() {
        let sockets = sockets();
        let (Ok(own), Ok(other)) = (sockets.admit(ann(), ip(1)), sockets.admit(None, ip(2))) else {
            panic!("no limit is reached")
        };
        sockets.end(&[1; 32]);
        assert!(own.ended.is_cancelled());
        assert!(!other.ended.is_cancelled());
        sockets.stop.cancel();
        assert!(other.ended.is_cancelled());
    }
}
