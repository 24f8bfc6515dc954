//! Tests of stores and hosts, in one binary because linking them separately took longer than running them.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed unwrap fails the test

#[path = "../kit/mod.rs"]
mod kit;

mod archives;
mod audit;
mod blocks;
mod both_stores;
mod checked_time;
mod conformance;
mod crash;
mod damage;
mod documents;
#[cfg(unix)]
mod files;
mod fixtures;
mod house_log;
mod own_house_way;
mod people;
mod postgres_tls;
mod rules_changed;
mod size;
mod store_move;
mod store_rollback;
