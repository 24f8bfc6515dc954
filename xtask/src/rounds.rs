//! `cargo xtask rounds`: plays more rounds of every book than the tests do and compares them with the exact odds.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

/// Plays this number of rounds of every book.
pub(crate) fn run(root: &Path, rounds: &str) -> Result<(), Failure> {
    let test = "simulation_of_every_book_matches_exact_odds";
    let cargo = ["test", "--package", "paigow-math", "--test", "math", "--", "--nocapture", test];
    run_cargo(root, &cargo, &[("PAIGOW_ROUNDS", rounds)])
}
