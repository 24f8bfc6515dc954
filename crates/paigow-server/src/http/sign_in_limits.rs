//! Rate limits of sign-ins: by address, by name and address, and by name.
//!
//! The limit by name bounds how often all addresses together guess a password. Alone it would let anyone lock a person
//! out, so an address from which the person has signed in within a month is not subject to it. That address still has the
//! strict limit for the name.

use super::rate_limit::{RateLimited, RateLimits, address_key};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Tries with a name from all addresses together, as a multiple of those from one address.
const ALL_ADDRESSES: NonZeroU32 = NonZeroU32::MIN.saturating_add(4);
/// Time for which an address counts as that of a person who has signed in.
const KNOWN_FOR: Duration = Duration::from_hours(30 * 24);
/// Number of known pairs of name and address, which bounds the memory.
const KNOWN_MAX: usize = 100_000;

/// Rate limits of sign-ins.
pub(crate) struct SignInLimits {
    addresses: RateLimits,
    names_at_address: RateLimits,
    names: RateLimits,
    /// Time of the last sign-in, by the hash of name and address.
    known: Mutex<HashMap<u64, Instant>>,
    hasher: RandomState,
}

impl SignInLimits {
    /// Creates limits per minute: of all sign-ins from an address, and of those with one name from it.
    pub(crate) fn per_minute(by_address: NonZeroU32, by_name: NonZeroU32) -> SignInLimits {
        SignInLimits {
            addresses: RateLimits::per_minute(by_address),
            names_at_address: RateLimits::per_minute(by_name),
            names: RateLimits::per_minute(by_name.saturating_mul(ALL_ADDRESSES)),
            known: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// Counts a sign-in from an address and, for methods that can be guessed, with a name.
    pub(crate) fn check(&self, address: IpAddr, name: Option<&str>) -> Result<(), RateLimited> {
        let address = address_key(address);
        self.addresses.check(&address)?;
        let Some(name) = name else { return Ok(()) };
        self.names_at_address.check(&(name, address))?;
        if self.is_known(address, name) { Ok(()) } else { self.names.check(name) }
    }

    /// Records that a person has signed in from an address.
    pub(crate) fn succeeded(&self, address: IpAddr, name: &str) {
        let pair = self.pair(address_key(address), name);
        let mut known = self.known();
        if known.len() >= KNOWN_MAX && !known.contains_key(&pair) {
            let oldest = known.iter().min_by_key(|(_, at)| **at).map(|(pair, _)| *pair);
            oldest.map(|oldest| known.remove(&oldest));
        }
        known.insert(pair, Instant::now());
    }

    /// Drops the state of idle addresses and names.
    pub(crate) fn forget_idle(&self) {
        self.addresses.forget_idle();
        self.names_at_address.forget_idle();
        self.names.forget_idle();
        self.known().retain(|_, at| at.elapsed() < KNOWN_FOR);
    }

    fn is_known(&self, address: IpAddr, name: &str) -> bool {
        self.known().get(&self.pair(address, name)).is_some_and(|at| at.elapsed() < KNOWN_FOR)
    }

    fn pair(&self, address: IpAddr, name: &str) -> u64 {
        self.hasher.hash_one((name, address))
    }

    fn known(&self) -> MutexGuard<'_, HashMap<u64, Instant>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    /// Tries a name from many addresses, and returns how many tries were admitted.
    fn attack(limits: &SignInLimits, name: &str, addresses: std::ops::Range<u8>) -> usize {
        let tries = addresses.flat_map(|last| (0..20).map(move |_| last));
        tries.filter(|last| limits.check(address(*last), Some(name)).is_ok()).count()
    }

    #[test]
    fn attackers_cannot_lock_out_a_person_at_a_known_address() {
        let limits = SignInLimits::per_minute(NonZeroU32::MAX, NonZeroU32::new(10).unwrap());
        limits.succeeded(address(1), "marina");
        let admitted = attack(&limits, "marina", 100..150);
        assert!((50..60).contains(&admitted), "all addresses together: {admitted}");
        assert!(limits.check(address(2), Some("marina")).is_err(), "an unknown address");
        assert!(limits.check(address(1), Some("marina")).is_ok(), "the known address");
        assert!(limits.check(address(2), Some("nora")).is_ok(), "another name");
        // The known address has the strict limit of its own, and only for the name that signed in.
        let admitted = attack(&limits, "marina", 1..2);
        assert!((9..=11).contains(&admitted), "{admitted}");
        attack(&limits, "nora", 100..150);
        assert!(limits.check(address(1), Some("nora")).is_err());
    }

    #[test]
    fn one_address_has_the_strict_limit() {
        let limits = SignInLimits::per_minute(NonZeroU32::MAX, NonZeroU32::new(10).unwrap());
        let admitted = attack(&limits, "marina", 7..8);
        assert!((10..=11).contains(&admitted), "{admitted}");
        assert!(limits.check(address(8), Some("marina")).is_ok(), "another address is not affected");
    }
}
