//! Tests of the program's commands. They are one binary, because linking one binary for each file took longer than
//! running most of them, and because they share counts of the base game.
//!
//! The tests of `paigow serve` are another binary: they measure latencies, which long counts would distort.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a failed unwrap fails the test

mod answers;
mod golden_rounds;
mod input;
mod long_work;
mod manual;
mod new_book;
mod packaged;
mod price;
#[path = "../program/mod.rs"]
mod program;
mod report;
mod rules_digest;
mod settle_input;
mod simulate;
mod stored;
mod transcripts;
