//! `cargo xtask simulate`: tables and clients under faults, in a program of its own so that no other chore waits for it to be built.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

/// Runs the simulator with these options.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), Failure> {
    // The profile of the tests: fast, and every assertion is on.
    let cargo = ["run", "--quiet", "--profile", "test", "--package", "paigow-simulator", "--"];
    run_cargo(root, &[&cargo[..], options].concat(), &[])
}
