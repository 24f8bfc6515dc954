//! Runs the examples.

#![allow(clippy::unwrap_used)] // an example that fails is a failed test

#[path = "../examples/exact_odds.rs"]
mod exact_odds;

#[test]
fn exact_odds() {
    exact_odds::main().unwrap();
}
