//! `cargo xtask rounds`: rounds of every book beside the exact odds, more of them than the tests play.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

/// Plays so many rounds of every book.
pub(crate) fn run(root: &Path, rounds: &str) -> Result<(), Failure> {
    let cargo = ["test", "--package", "paigow-math", "--test", "simulation", "--", "--nocapture", "millions"];
    run_cargo(root, &cargo, &[("PAIGOW_ROUNDS", rounds)])
}
