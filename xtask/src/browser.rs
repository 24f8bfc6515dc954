//! The page in a browser: the whole suite of `browser/tests` against the program as it is released.

use crate::failure::Failure;
use crate::page::{has, have_node, install, run};
use crate::test::run_cargo;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const REMEDY: &str = "run `apt-get install chromium` as root, or name one in PAIGOW_CHROMIUM";

/// Builds the program and runs the suite: the chore by itself.
pub(crate) fn build_and_check(root: &Path) -> Result<(), Failure> {
    run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
    check(root)
}

/// Runs the suite against the release program that is there.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    have_node()?;
    have_chromium()?;
    let tools = root.join("browser");
    install(&tools)?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = target.join("release").join("paigow");
    if !program.is_file() {
        return Err(Failure::Missing { tool: "the release program", remedy: "run `cargo build --release`" });
    }
    let mut suite = Command::new("npm");
    suite
        .args(["run", "--silent", "suite"])
        .env("PAIGOW_PROGRAM", program)
        .env("PAIGOW_SHOTS", target.join("browser"));
    run(&tools, &mut suite)
}

/// Installs the distribution's Chromium if there is none.
fn have_chromium() -> Result<(), Failure> {
    if env::var_os("PAIGOW_CHROMIUM").is_some() || has_chromium() {
        return Ok(());
    }
    for args in
        [&["update"][..], &["install", "--yes", "--no-install-recommends", "chromium", "fonts-dejavu-core"]]
    {
        // Whether it helped is asked below.
        let _ = Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").status();
    }
    if has_chromium() { Ok(()) } else { Err(Failure::Missing { tool: "Chromium", remedy: REMEDY }) }
}

/// Whether there is one by a name that the suite looks for.
fn has_chromium() -> bool {
    ["chromium", "chromium-browser", "google-chrome"].iter().any(|name| has(name))
}
