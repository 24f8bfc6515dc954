//! `cargo xtask attack`: a server under one attack after the other, and what others notice.

use crate::failure::Failure;
use crate::test::run_cargo;
use crate::tools::release_program;
use std::path::Path;

/// Runs the attacks with these options, against the server built for release unless they name a program.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), Failure> {
    let cargo = ["run", "--quiet", "--release", "--package", "paigow-load", "--bin", "paigow-attack", "--"];
    if options.contains(&"--program") {
        return run_cargo(root, &[&cargo[..], options].concat(), &[]);
    }
    run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
    let program = release_program(root).display().to_string();
    run_cargo(root, &[&cargo[..], &["--program", &program], options].concat(), &[])
}
