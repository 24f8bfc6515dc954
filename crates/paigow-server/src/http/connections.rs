//! Open connections, counted for each network address.

use crate::http::address_key;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts connections or requests of each network address, and refuses more than a maximum.
///
/// It holds an entry for each address that has something open, and so no more entries than there are connections.
#[derive(Clone)]
pub(crate) struct PerAddress {
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
    /// 0: no maximum.
    most: usize,
}

/// One of an address's connections. The count goes down when it is dropped.
pub(crate) struct ConnectionGuard {
    of: PerAddress,
    address: IpAddr,
}

impl PerAddress {
    pub(crate) fn new(most: u32) -> PerAddress {
        PerAddress { counts: Arc::default(), most: most as usize }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one more of an address, or returns `None` where it has as many as it may.
    pub(crate) fn take(&self, address: IpAddr) -> Option<ConnectionGuard> {
        let address = address_key(address);
        let mut counts = self.counts();
        let count = counts.entry(address).or_default();
        if self.most > 0 && *count >= self.most {
            return None;
        }
        *count += 1;
        Some(ConnectionGuard { of: self.clone(), address })
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let mut counts = self.of.counts();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> IpAddr {
        text.parse().unwrap_or_else(|_| panic!("no address: {text}"))
    }

    #[test]
    fn an_address_or_a_network_of_version_6_has_so_many_and_gets_them_back() {
        let counts = PerAddress::new(2);
        let first = counts.take(at("2001:db8:1:2::1"));
        let second = counts.take(at("2001:db8:1:2:ffff::2"));
        assert!(first.is_some() && second.is_some());
        assert!(counts.take(at("2001:db8:1:2::3")).is_none());
        let other = counts.take(at("2001:db8:1:3::1"));
        assert!(other.is_some());
        drop(first);
        assert!(counts.take(at("2001:db8:1:2::3")).is_some());
        drop((second, other));
        assert!(counts.counts().is_empty(), "addresses that left are forgotten");
    }

    #[test]
    fn without_a_maximum_none_is_refused() {
        let counts = PerAddress::new(0);
        let held: Vec<_> = (0..1_000).map_while(|_| counts.take(at("10.0.0.1"))).collect();
        assert_eq!(held.len(), 1_000);
    }
}
