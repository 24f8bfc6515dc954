//! Tests of the rules. All files are one program, because linking one program for each file takes longer.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a failed expectation fails the test

mod broken;
mod canonical;
mod cases;
mod examples;
mod golden_rounds;
mod hand_properties;
mod house_way;
mod offered_wagers;
mod round;
mod schema;
#[cfg(feature = "serde")]
mod serialization;
mod settlement;
mod steps;
mod value_kinds;
