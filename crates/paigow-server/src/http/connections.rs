//! Counts open connections per network address.

use crate::http::address_key;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts connections or requests per network address and refuses those beyond a maximum.
///
/// It has an entry only for addresses with an open connection or request, so it has at most as many entries as there
/// are open connections and requests.
#[derive(Clone)]
pub(crate) struct PerAddress {
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
    /// Maximum per address. 0: no maximum.
    max: usize,
}

/// A counted connection or request. Dropping it decrements the count.
pub(crate) struct ConnectionGuard {
    counter: PerAddress,
    address: IpAddr,
}

impl PerAddress {
    pub(crate) fn new(max: u32) -> PerAddress {
        PerAddress { counts: Arc::default(), max: max as usize }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Increments the count of an address. Returns `None` if the address has reached the maximum.
    pub(crate) fn take(&self, address: IpAddr) -> Option<ConnectionGuard> {
        let address = address_key(address);
        let mut counts = self.counts();
        let count = counts.entry(address).or_default();
        if self.max > 0 && *count >= self.max {
            return None;
        }
        *count += 1;
        Some(ConnectionGuard { counter: self.clone(), address })
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let mut counts = self.counter.counts();
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

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap_or_else(|_| panic!("invalid address: {text}"))
    }

    #[test]
    fn limit_applies_per_ipv6_network_and_drop_frees_it() {
        let counts = PerAddress::new(2);
        let first = counts.take(ip("2001:db8:1:2::1"));
        let second = counts.take(ip("2001:db8:1:2:ffff::2"));
        assert!(first.is_some() && second.is_some());
        assert!(counts.take(ip("2001:db8:1:2::3")).is_none());
        let other = counts.take(ip("2001:db8:1:3::1"));
        assert!(other.is_some());
        drop(first);
        assert!(counts.take(ip("2001:db8:1:2::3")).is_some());
        drop((second, other));
        assert!(counts.counts().is_empty(), "unused addresses are removed");
    }

    #[test]
    fn zero_maximum_refuses_nothing() {
        let counts = PerAddress::new(0);
        let held: Vec<_> = (0..1_000).map_while(|_| counts.take(ip("10.0.0.1"))).collect();
        assert_eq!(held.len(), 1_000);
    }
}
