//! Rate limits: the number of accepted requests, the wait for the next, and the number of tracked keys.

use governor::clock::FakeRelativeClock;
use paigow_server::{RateLimited, RateLimits, address_key};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

fn rates(per_minute: u32) -> (RateLimits<FakeRelativeClock>, FakeRelativeClock) {
    let clock = FakeRelativeClock::default();
    (RateLimits::with_clock(NonZeroU32::new(per_minute).unwrap(), clock.clone()), clock)
}

#[test]
fn requests_are_limited_per_minute() {
    let (rates, clock) = rates(6);
    for _ in 0..6 {
        rates.check("ann").unwrap();
    }
    assert_eq!(rates.check("ann"), Err(RateLimited { wait: Duration::from_secs(10) }));
    rates.check("bob").unwrap();
    clock.advance(Duration::from_millis(9_500));
    let refused = rates.check("ann").unwrap_err();
    assert_eq!((refused.wait, refused.seconds()), (Duration::from_millis(500), 1));
    assert_eq!(refused.to_string(), "too many requests: try again in 1 s");
    clock.advance(Duration::from_millis(500));
    rates.check("ann").unwrap();
    assert_eq!(rates.check("ann").unwrap_err().seconds(), 10);
    // After the initial burst, an hour allows exactly the rate.
    let mut accepted = 0;
    for _ in 0..3_600 {
        clock.advance(Duration::from_secs(1));
        accepted += u32::from(rates.check("ann").is_ok());
    }
    assert_eq!(accepted, 360);
}

#[test]
fn idle_keys_are_removed() {
    let (rates, clock) = rates(60);
    for key in 0..1_000 {
        rates.check(&key).unwrap();
    }
    for _ in 0..60 {
        rates.check("busy").unwrap();
    }
    assert!((950..=1_001).contains(&rates.tracked_keys()), "{}", rates.tracked_keys());
    clock.advance(Duration::from_secs(5));
    rates.forget_idle();
    assert_eq!(rates.tracked_keys(), 1);
    assert_eq!((0..60).filter(|_| rates.check("busy").is_ok()).count(), 5);
    clock.advance(Duration::from_mins(2));
    rates.forget_idle();
    assert_eq!(rates.tracked_keys(), 0);
}

#[test]
fn number_of_keys_is_bounded() {
    let (rates, _) = rates(1_000_000);
    for key in 0..1_000_000_u32 {
        rates.check(&key).unwrap();
    }
    assert!((200_000..=1 << 18).contains(&rates.tracked_keys()), "{}", rates.tracked_keys());
}

#[test]
fn ipv6_network_has_one_key() {
    let key = |text: &str| address_key(text.parse().unwrap());
    let ip = |text: &str| text.parse::<IpAddr>().unwrap();
    assert_eq!(key("192.0.2.7"), ip("192.0.2.7"));
    assert_eq!(key("::ffff:192.0.2.7"), ip("192.0.2.7"));
    assert_eq!(key("2001:db8:1:2:3:4:5:6"), ip("2001:db8:1:2::"));
    assert_eq!(key("2001:db8:1:2:ffff::"), key("2001:db8:1:2::1"));
    assert_ne!(key("2001:db8:1:3::"), key("2001:db8:1:2::"));
}

#[test]
fn system_clock_is_used_by_default() {
    let rates = RateLimits::per_minute(NonZeroU32::new(2).unwrap());
    assert_eq!([0; 4].map(|_| rates.check("ann").is_ok()), [true, true, false, false]);
    let RateLimited { wait } = rates.check("ann").unwrap_err();
    assert!(wait > Duration::from_secs(25) && wait <= Duration::from_secs(30), "{wait:?}");
}
