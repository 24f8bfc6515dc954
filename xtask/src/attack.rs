//! `cargo xtask attack`: attacks a server in several ways and measures the effect on other clients.

use crate::failure::Failure;
use crate::test::run_cargo;
use crate::tools::release_program;
use std::path::Path;

/// Runs the attacks with these options, against a release build unless `--program` names another.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), Failure> {
    let cargo = ["run", "--quiet", "--release", "--package", "paigow-load", "--bin", "paigow-attack", "--"];
    if options.contains(&"--program") {
        return run_cargo(root, &[&cargo[..], options].concat(), &[]);
    }
    run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
    let program = release_program(root).display().to_string();
    run_cargo(root, &[&cargo[..], &["--program", &program], options].concat(), &[])
}
