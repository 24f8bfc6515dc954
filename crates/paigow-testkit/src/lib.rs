//! Helpers for the tests and benches of the other crates: random numbers, hands and table rules.
//!
//! Every helper panics on bad input, which fails the test that gave it.

#![allow(clippy::expect_used, clippy::missing_panics_doc)] // a failed expectation fails the test

mod rng;
mod rules;

pub use rng::Rng;
pub use rules::{amount, cards, hand, owned_pairs, rulebook, seat, table_rules};
