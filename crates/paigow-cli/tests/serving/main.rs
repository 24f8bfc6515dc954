//! Tests of `paigow serve` as a real process: start, stop, kill, suspend and drain, on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed unwrap fails the test

#[path = "../../../paigow-load/src/attack"]
#[allow(dead_code)] // the program `paigow-attack` uses more of it
mod attack {
    pub(crate) mod kinds;
    pub(crate) mod probe;
    pub(crate) mod run;
    pub(crate) mod wire;
}
#[path = "../../../paigow-server/tests/kit/authenticator.rs"]
mod authenticator;
mod database;
mod enrolled;
mod guest;
#[path = "../../../paigow-server/tests/kit/mod.rs"]
mod kit;
mod process;
#[path = "../program/mod.rs"]
mod program;
mod table;

mod archived;
mod attacked;
mod designer;
mod doctor;
mod full_disk;
mod hints;
mod killed;
mod moved;
mod operator;
mod report;
mod roles;
mod single_process;
mod suspended;
mod two_processes;
mod walk;

use kit::{certificates, cluster};
