//! `cargo xtask load`: measures response times of a server with thousands of players.

use crate::failure::Failure;
use crate::test::run_cargo;
use crate::tools::release_program;
use std::path::Path;

/// Builds the release program and runs the load generator with these options.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), Failure> {
    run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
    let program = release_program(root).display().to_string();
    let cargo = ["run", "--quiet", "--release", "--package", "paigow-load", "--", "--program", &program];
    run_cargo(root, &[&cargo[..], options].concat(), &[])
}
