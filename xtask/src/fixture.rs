//! `cargo xtask fixture`: keeps a store as this version of the program writes it, for the tests of all later versions.

use crate::failure::Failure;
use crate::test::{POSTGRESQL, run_cargo};
use std::path::Path;

/// Makes the fixture of the workspace's version. An existing one is never replaced: it is what that version wrote.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let path = root.join("crates/paigow-server/tests/fixtures").join(env!("CARGO_PKG_VERSION"));
    if path.exists() {
        return Err(Failure::Exists { path });
    }
    POSTGRESQL.have()?;
    let folder = path.display().to_string();
    // The profile of the tests, whose builds are there.
    let cargo = ["run", "--quiet", "--profile", "test", "--package", "paigow-server", "--example", "history"];
    run_cargo(root, &[&cargo[..], &["--", "--fixture", &folder]].concat(), &[])?;
    println!("{folder}: commit it with the release");
    Ok(())
}
