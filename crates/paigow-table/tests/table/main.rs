//! Tests of tables. They are one binary, because linking one binary for each file took longer than running the tests.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed expectation fails the test

mod bank_changes;
mod banking;
mod books;
mod checkpoint;
mod clocks;
mod events;
mod fair;
mod fair_2;
mod fuzz;
mod hands;
mod ledger;
mod ledger_model;
mod ledger_refusals;
mod limits;
mod observed;
mod opening;
mod piles;
mod play;
mod put_up;
mod random;
mod refusals;
mod rounds;
mod rule_keys;
mod rules_changed;
mod seen;
mod steps;
mod time_fee;
mod views;
mod voids;
mod wagers;
