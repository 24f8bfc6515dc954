//! `cargo xtask fixture`: writes a store with this version of the program, for the tests of later versions.

use crate::failure::Failure;
use crate::test::{POSTGRESQL, run_cargo};
use crate::tools::Install;
use std::path::Path;

/// Writes the fixture of the workspace's version.
///
/// An existing fixture is never replaced, because it must stay as the released version wrote it.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let path = root.join("crates/paigow-server/tests/fixtures").join(env!("CARGO_PKG_VERSION"));
    if path.exists() {
        return Err(Failure::Exists { path });
    }
    POSTGRESQL.ensure(Install::Missing)?;
    let folder = path.display().to_string();
    // The test profile reuses the builds of the tests.
    let cargo = ["run", "--quiet", "--profile", "test", "--package", "paigow-server", "--example", "history"];
    run_cargo(root, &[&cargo[..], &["--", "--fixture", &folder]].concat(), &[])?;
    println!("{folder}: commit it with the release");
    Ok(())
}
