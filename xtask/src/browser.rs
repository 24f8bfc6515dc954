//! The page in a browser: the whole suite of `browser/tests` against the program as it is released.

use crate::failure::Failure;
use crate::page::{NODE, install, run};
use crate::test::run_cargo;
use crate::tools::{Tool, has, release_program, target};
use std::env;
use std::path::Path;
use std::process::Command;

const CHROMIUM: Tool = Tool {
    name: "Chromium",
    is_there: has_chromium,
    packages: &["chromium", "fonts-dejavu-core"],
    remedy: "run `apt-get install chromium` as root, or name one in PAIGOW_CHROMIUM",
};

/// Builds the program and runs the suite: the chore by itself.
pub(crate) fn build_and_check(root: &Path) -> Result<(), Failure> {
    run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
    check(root)
}

/// Runs the suite against the release program that is there.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    NODE.have()?;
    CHROMIUM.have()?;
    let tools = root.join("browser");
    install(&tools)?;
    let program = release_program(root);
    if !program.is_file() {
        return Err(Failure::Missing { tool: "the release program", remedy: "run `cargo build --release`" });
    }
    let mut suite = Command::new("npm");
    suite
        .args(["run", "--silent", "suite"])
        .env("PAIGOW_PROGRAM", program)
        .env("PAIGOW_SHOTS", target(root).join("browser"));
    run(&tools, &mut suite)
}

/// Whether there is one by a name that the suite looks for.
fn has_chromium() -> bool {
    env::var_os("PAIGOW_CHROMIUM").is_some()
        || ["chromium", "chromium-browser", "google-chrome"].iter().any(|name| has(name))
}
