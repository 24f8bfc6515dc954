//! A server as the world sees it: started as the program starts it, asked over real connections only.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that expects wrongly has failed

mod books;
mod bots;
#[path = "../kit/cluster.rs"]
#[allow(dead_code)] // other tests stop it and start it again
mod cluster;
mod damaged;
mod document;
mod kit;
mod limits;
mod operators;
mod others;
mod practice;
mod readiness;
mod reconnect;
mod repeats;
mod rounds;
mod rude;
mod shutdown;
mod store_rollback;
