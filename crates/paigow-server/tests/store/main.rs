//! The tests of stores and of hosts over them: one program, because linking each of them apart took longer than running them.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that expects wrongly has failed

#[path = "../kit/mod.rs"]
mod kit;

mod audit;
mod checked_time;
mod conformance;
mod crash;
mod damage;
#[cfg(unix)]
mod files;
mod fixtures;
mod house_log;
mod people;
mod rules_changed;
mod store_rollback;
