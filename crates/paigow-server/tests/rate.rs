//! Rates: how many are let in, when the next is, and what is remembered.

#![allow(clippy::unwrap_used)] // a test that expects wrongly has failed

use governor::clock::FakeRelativeClock;
use paigow_server::{RateLimited, RateLimits, address_key};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

fn rates(most: u32) -> (RateLimits<FakeRelativeClock>, FakeRelativeClock) {
    let clock = FakeRelativeClock::default();
    (RateLimits::with_clock(NonZeroU32::new(most).unwrap(), clock.clone()), clock)
}

#[test]
fn so_many_a_minute_are_let_in() {
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
    // Over an hour it is the rate, and what comes at once at the start.
    let mut let_in = 0;
    for _ in 0..3_600 {
        clock.advance(Duration::from_secs(1));
        let_in += u32::from(rates.check("ann").is_ok());
    }
    assert_eq!(let_in, 360);
}

#[test]
fn idle_keys_are_forgotten_and_busy_ones_are_not() {
    let (rates, clock) = rates(60);
    for key in 0..1_000 {
        rates.check(&key).unwrap();
    }
    for _ in 0..60 {
        rates.check("busy").unwrap();
    }
    assert!((950..=1_001).contains(&rates.remembered()), "{}", rates.remembered());
    clock.advance(Duration::from_secs(5));
    rates.forget_idle();
    assert_eq!(rates.remembered(), 1);
    assert_eq!((0..60).filter(|_| rates.check("busy").is_ok()).count(), 5);
    clock.advance(Duration::from_mins(2));
    rates.forget_idle();
    assert_eq!(rates.remembered(), 0);
}

#[test]
fn the_memory_is_bounded_whoever_asks() {
    let (rates, _) = rates(1_000_000);
    for key in 0..1_000_000_u32 {
        rates.check(&key).unwrap();
    }
    assert!((200_000..=1 << 18).contains(&rates.remembered()), "{}", rates.remembered());
}

#[test]
fn who_has_a_network_has_one_key() {
    let key = |text: &str| address_key(text.parse().unwrap());
    let is = |text: &str| text.parse::<IpAddr>().unwrap();
    assert_eq!(key("192.0.2.7"), is("192.0.2.7"));
    assert_eq!(key("::ffff:192.0.2.7"), is("192.0.2.7"));
    assert_eq!(key("2001:db8:1:2:3:4:5:6"), is("2001:db8:1:2::"));
    assert_eq!(key("2001:db8:1:2:ffff::"), key("2001:db8:1:2::1"));
    assert_ne!(key("2001:db8:1:3::"), key("2001:db8:1:2::"));
}

#[test]
fn the_clock_of_the_machine_works_too() {
    let rates = RateLimits::per_minute(NonZeroU32::new(2).unwrap());
    assert_eq!([0; 4].map(|_| rates.check("ann").is_ok()), [true, true, false, false]);
    let RateLimited { wait } = rates.check("ann").unwrap_err();
    assert!(wait > Duration::from_secs(25) && wait <= Duration::from_secs(30), "{wait:?}");
}
