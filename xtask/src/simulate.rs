//! `cargo xtask simulate`: runs tables and clients with injected faults.
//!
//! The simulator is a separate program, so that the other tasks do not wait for its build.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

/// Runs the simulator with these options.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), Failure> {
    // The test profile is optimized and keeps assertions enabled.
    let cargo = ["run", "--quiet", "--profile", "test", "--package", "paigow-simulator", "--"];
    run_cargo(root, &[&cargo[..], options].concat(), &[])
}
