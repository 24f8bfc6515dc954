//! Rate limits: a number of requests per minute for each key, such as a network address or an account.
//!
//! The state of an idle key equals that of a new key and is dropped. Keys are hashed into a fixed number of bins, so
//! memory is bounded even against an attacker with any number of keys. The hash is seeded at random, so an attacker
//! cannot choose the bin. Keys in the same bin share its rate, which is rare with few keys.

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

/// Number of bins: some megabytes if all are in use.
const BINS: u64 = 1 << 18;

/// Rate limiter with a separate rate for each key.
pub struct RateLimits<C: Clock = DefaultClock> {
    limiter: RateLimiter<u32, DashMapStateStore<u32>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
    hasher: RandomState,
}

/// The key has exceeded its rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too many requests: try again in {} s", self.seconds())]
pub struct RateLimited {
    /// Time until the next request is admitted.
    pub wait: Duration,
}

impl RateLimited {
    /// The wait in whole seconds, rounded up and at least one, for `Retry-After`.
    pub fn seconds(&self) -> u64 {
        self.wait.as_secs() + u64::from(self.wait.subsec_nanos() > 0).max(u64::from(self.wait.is_zero()))
    }
}

impl RateLimits {
    /// Creates limits of `max` requests per minute and key. All of them may arrive in one burst.
    pub fn per_minute(max: NonZeroU32) -> RateLimits {
        RateLimits::with_clock(max, DefaultClock::default())
    }
}

impl<C: Clock + Clone> RateLimits<C> {
    /// Creates limits of `max` requests per minute and key with the given clock.
    pub fn with_clock(max: NonZeroU32, clock: C) -> RateLimits<C> {
        let limiter = RateLimiter::dashmap_with_clock(Quota::per_minute(max), clock.clone());
        RateLimits { limiter, clock, hasher: RandomState::new() }
    }

    /// Counts a request of this key.
    ///
    /// # Errors
    /// The key has exceeded its rate.
    pub fn check(&self, key: &(impl Hash + ?Sized)) -> Result<(), RateLimited> {
        let bin = (self.hasher.hash_one(key) % BINS) as u32;
        let refused = |until: governor::NotUntil<C::Instant>| RateLimited {
            wait: until.wait_time_from(self.clock.now()),
        };
        self.limiter.check_key(&bin).map_err(refused)
    }

    /// Drops the state of idle keys. Call it about once a minute.
    pub fn forget_idle(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }

    /// Number of keys with state.
    pub fn tracked_keys(&self) -> usize {
        self.limiter.len()
    }
}

/// Returns the key of a network address. For IPv6 it is the /64 network, because one subscriber has all of its
/// addresses.
pub fn address_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        address @ IpAddr::V4(_) => address,
    }
}
