//! `cargo xtask counts`: counts the base game of every line of `golden/base-game.golden`. The tests count the first ones.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let test = "base_game_counts_match_golden_files";
    let cargo = ["test", "--package", "paigow-math", "--test", "math", "--", test];
    run_cargo(root, &cargo, &[("PAIGOW_ALL_COUNTS", "1")])
}
