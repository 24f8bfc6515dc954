//! Tests of a server over HTTP and WebSocket connections. It is started by `serve`, as in the program.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed unwrap fails the test

mod absent;
mod access;
mod accounts;
mod archived;
#[path = "../kit/authenticator.rs"]
mod authenticator;
mod books;
mod bots;
mod cards;
#[path = "../kit/certificates.rs"]
mod certificates;
#[path = "../kit/cluster.rs"]
#[allow(dead_code)] // other tests also stop and restart the cluster
mod cluster;
mod damaged;
mod design;
mod document;
mod kit;
mod limits;
mod misbehaving;
mod money;
mod operators;
mod own_house_way;
mod packaging;
mod practice;
mod readiness;
mod reconnect;
mod repeats;
mod reports;
mod results;
mod rounds;
mod sharing;
mod shutdown;
mod store_rollback;
mod tls;
