//! `cargo xtask load`: thousands of players at a server, and how long it takes to answer them.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::env;
use std::path::{Path, PathBuf};

/// Builds the server for release, and runs the players with these options.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), Failure> {
    run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = target.join("release").join("paigow").display().to_string();
    let cargo = ["run", "--quiet", "--release", "--package", "paigow-load", "--", "--program", &program];
    run_cargo(root, &[&cargo[..], options].concat(), &[])
}
