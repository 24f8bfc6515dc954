//! How often somebody may ask: so many requests a minute for each key, be it a network address or an account.
//!
//! A key that did not ask for a while is as good as new and is forgotten. The memory is bounded even against somebody who has any number of
//! keys: keys are put into a fixed number of bins by a hash that nobody outside can guess. Two that share a bin share its rate, which
//! with few keys hardly ever happens.

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

/// How many bins there are: some megabytes when all are full.
const BINS: u64 = 1 << 18;

/// A rate for each key.
pub struct RateLimits<C: Clock = DefaultClock> {
    limiter: RateLimiter<u32, DashMapStateStore<u32>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
    hasher: RandomState,
}

/// Somebody asks too often.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too many requests: try again in {} s", self.seconds())]
pub struct RateLimited {
    /// How long until the next is let in.
    pub wait: Duration,
}

impl RateLimited {
    /// The same in whole seconds, at least one, as a header says it.
    pub fn seconds(&self) -> u64 {
        self.wait.as_secs() + u64::from(self.wait.subsec_nanos() > 0).max(u64::from(self.wait.is_zero()))
    }
}

impl RateLimits {
    /// So many a minute for each key, of which all may come at once.
    pub fn per_minute(most: NonZeroU32) -> RateLimits {
        RateLimits::with_clock(most, DefaultClock::default())
    }
}

impl<C: Clock + Clone> RateLimits<C> {
    /// The same by another clock.
    pub fn with_clock(most: NonZeroU32, clock: C) -> RateLimits<C> {
        let limiter = RateLimiter::dashmap_with_clock(Quota::per_minute(most), clock.clone());
        RateLimits { limiter, clock, hasher: RandomState::new() }
    }

    /// Lets a request of this key in, or not.
    ///
    /// # Errors
    /// There were too many.
    pub fn check(&self, key: &(impl Hash + ?Sized)) -> Result<(), RateLimited> {
        let bin = (self.hasher.hash_one(key) % BINS) as u32;
        let refused = |until: governor::NotUntil<C::Instant>| RateLimited {
            wait: until.wait_time_from(self.clock.now()),
        };
        self.limiter.check_key(&bin).map_err(refused)
    }

    /// Forgets the keys that may ask as often as new ones. Once a minute is often enough.
    pub fn forget_idle(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }

    /// How many keys are remembered.
    pub fn remembered(&self) -> usize {
        self.limiter.len()
    }
}

/// The key of a network address: of IPv6 the network, because one subscriber has all addresses of it.
pub fn address_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        address @ IpAddr::V4(_) => address,
    }
}
