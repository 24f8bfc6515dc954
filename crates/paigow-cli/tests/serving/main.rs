//! The real program as a server: how it starts and ends, alone on a file and as one of two on a database, killed, put to sleep, drained.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that expects wrongly has failed

#[path = "../../../paigow-load/src/attack"]
#[allow(dead_code)] // the program that attacks prints more of what it measures
mod attack {
    pub(crate) mod kinds;
    pub(crate) mod probe;
    pub(crate) mod run;
    pub(crate) mod wire;
}
#[path = "../../../paigow-server/tests/kit/cluster.rs"]
#[allow(dead_code)] // a part of the kit of the server's tests
mod cluster;
mod database;
mod guest;
mod process;
#[path = "../program/mod.rs"]
mod program;
mod table;

mod alone;
mod asleep;
mod attacked;
mod full;
mod hints;
mod killed;
mod operating;
mod together;
