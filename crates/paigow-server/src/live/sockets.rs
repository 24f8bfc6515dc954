//! The sockets that are open: how many, whose, and how to close those of a session that has ended.

use crate::http::address_key;
use crate::settings::Settings;
use paigow_table::PlayerId;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// All open sockets, counted.
#[derive(Clone)]
pub(crate) struct Sockets {
    counts: Arc<Mutex<SocketCounts>>,
    most: SocketLimits,
    /// The server stops, and all of them with it.
    stop: CancellationToken,
}

/// How many there may be.
#[derive(Clone, Copy)]
pub(crate) struct SocketLimits {
    pub(crate) in_all: usize,
    pub(crate) of_person: usize,
    pub(crate) of_address: usize,
}

#[derive(Default)]
struct SocketCounts {
    all: usize,
    people: HashMap<PlayerId, usize>,
    addresses: HashMap<IpAddr, usize>,
    sessions: HashMap<[u8; 32], (usize, CancellationToken)>,
}

/// Why no more sockets are opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum TooManySockets {
    #[error("there are as many sockets as this server takes")]
    InAll,
    #[error("this person has as many sockets open as one may have")]
    OfPerson,
    #[error("this address has as many sockets open as one may have")]
    OfAddress,
}

/// The right to one socket; it goes back when dropped.
pub(crate) struct Ticket {
    sockets: Sockets,
    person: Option<(PlayerId, [u8; 32])>,
    address: IpAddr,
    /// The session has ended, or the server stops.
    pub(crate) ended: CancellationToken,
}

impl Sockets {
    pub(crate) fn new(settings: &Settings, stop: CancellationToken) -> Sockets {
        let most = SocketLimits {
            in_all: settings.sockets as usize,
            of_person: settings.sockets_per_person as usize,
            of_address: settings.sockets_per_address as usize,
        };
        Sockets { counts: Arc::default(), most, stop }
    }

    fn counts(&self) -> MutexGuard<'_, SocketCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets somebody open one more.
    pub(crate) fn admit(
        &self,
        person: Option<(PlayerId, [u8; 32])>,
        address: IpAddr,
    ) -> Result<Ticket, TooManySockets> {
        let address = address_key(address);
        let mut counts = self.counts();
        let count = |of: Option<&usize>| of.copied().unwrap_or(0);
        if counts.all >= self.most.in_all {
            return Err(TooManySockets::InAll);
        }
        if count(counts.addresses.get(&address)) >= self.most.of_address {
            return Err(TooManySockets::OfAddress);
        }
        let mut ended = self.stop.child_token();
        if let Some((player, digest)) = &person {
            if count(counts.people.get(player)) >= self.most.of_person {
                return Err(TooManySockets::OfPerson);
            }
            *counts.people.entry(player.clone()).or_default() += 1;
            let session = counts.sessions.entry(*digest).or_insert_with(|| (0, ended.clone()));
            session.0 += 1;
            ended = session.1.clone();
        }
        *counts.addresses.entry(address).or_default() += 1;
        counts.all += 1;
        Ok(Ticket { sockets: self.clone(), person, address, ended })
    }

    /// Closes the sockets of a session.
    pub(crate) fn end(&self, digest: &[u8; 32]) {
        if let Some((_, ended)) = self.counts().sessions.get(digest) {
            ended.cancel();
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut counts = self.sockets.counts();
        counts.all -= 1;
        one_less(&mut counts.addresses, &self.address);
        if let Some((player, digest)) = &self.person {
            one_less(&mut counts.people, player);
            if let Some(session) = counts.sessions.get_mut(digest) {
                session.0 -= 1;
                if session.0 == 0 {
                    counts.sessions.remove(digest);
                }
            }
        }
    }
}

/// Counts one down, and forgets what is none: addresses come and go.
fn one_less<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
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
        let most = SocketLimits { in_all: 3, of_person: 2, of_address: 2 };
        Sockets { counts: Arc::default(), most, stop: CancellationToken::new() }
    }

    fn at(last: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, last).into()
    }

    fn ann() -> Option<(PlayerId, [u8; 32])> {
        "ann".parse().ok().map(|player| (player, [1; 32]))
    }

    #[test]
    fn sockets_are_limited_in_all_by_person_and_by_address_and_come_back() {
        let sockets = sockets();
        let first = sockets.admit(ann(), at(1));
        let second = sockets.admit(ann(), at(2));
        assert_eq!(sockets.admit(ann(), at(3)).err(), Some(TooManySockets::OfPerson));
        drop(second);
        let other = sockets.admit(None, at(1));
        assert_eq!(sockets.admit(None, at(1)).err(), Some(TooManySockets::OfAddress));
        let third = sockets.admit(ann(), at(3));
        assert!(first.is_ok() && other.is_ok() && third.is_ok());
        assert_eq!(sockets.admit(None, at(9)).err(), Some(TooManySockets::InAll));
        drop((first, other, third));
        let counts = sockets.counts();
        assert_eq!(counts.all, 0);
        assert!(counts.people.is_empty() && counts.addresses.is_empty() && counts.sessions.is_empty());
    }

    #[test]
    fn ending_a_session_ends_its_sockets_and_no_others() {
        let sockets = sockets();
        let (Ok(own), Ok(other)) = (sockets.admit(ann(), at(1)), sockets.admit(None, at(2))) else {
            panic!("there is room")
        };
        sockets.end(&[1; 32]);
        assert!(own.ended.is_cancelled());
        assert!(!other.ended.is_cancelled());
        sockets.stop.cancel();
        assert!(other.ended.is_cancelled());
    }
}
