//! Tests of the library without a store and without a server.

#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

mod openapi;
mod rate;
mod report;
mod settings;
