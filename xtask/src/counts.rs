//! `cargo xtask counts`: the counts that take too long for the tests. The base game of every line of
//! `golden/base-game.golden` by both methods, and the best setting of every hand, which `golden/strategy.golden` sums up.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let all = [("PAIGOW_ALL_COUNTS", "1")];
    run_cargo(root, &["test", "--package", "paigow-math", "--test", "math", "--", "base_game::"], &all)?;
    let test = "strategy_matches_golden_file";
    run_cargo(root, &["test", "--package", "paigow-cli", "--test", "commands", "--", test], &all)
}
