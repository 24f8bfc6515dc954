//! Tests of answers. They are one binary, because linking one binary for each file took longer than running the tests.

#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

mod assumed;
mod cards;
mod edited;
mod faults;
mod house_ways;
mod lab;
mod puzzle;
mod schema;
