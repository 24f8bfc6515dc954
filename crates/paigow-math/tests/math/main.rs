//! Tests of the exact odds. They are one binary, because several of them need the same long counts (`counts.rs`).

#![allow(clippy::expect_used, clippy::unwrap_used)] // a failed expectation fails the test

mod base_game;
mod base_odds;
mod best_setting;
mod card_search;
mod cards;
mod census;
mod counts;
mod decided_hands;
mod examples;
mod exhaustive;
mod golden_odds;
mod house_ways;
mod moments;
mod oracle;
mod oracle_examples;
mod published;
mod simulation;
mod wager_odds;
mod worth_table;
