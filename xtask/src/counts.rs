//! `cargo xtask counts`: the counts that take too long for the tests. The base game of every line of
//! `golden/base-game.golden` by both methods, and the best setting of every hand, which `golden/strategy.golden` sums up.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let cargo = ["test", "--package", "paigow-math", "--test", "math", "--", "base_game::"];
    run_cargo(root, &cargo, &[("PAIGOW_ALL_COUNTS", "1")])?;
    let test = "strategy_file_matches_the_answer_and_single_hands_and_is_cached";
    run_cargo(root, &["test", "--package", "paigow-cli", "--test", "commands", "--", "--ignored", test], &[])
}
