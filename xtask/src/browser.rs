//! `cargo xtask browser`: runs the suite in `browser/tests` in Chromium against the program.

use crate::failure::Failure;
use crate::page::{NODE, install_packages, run};
use crate::test::run_cargo;
use crate::tools::{Install, Tool, has, release_program, target};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const CHROMIUM: Tool = Tool {
    name: "Chromium",
    is_installed: has_chromium,
    packages: &["chromium", "fonts-dejavu-core"],
    remedy: "run `apt-get install chromium` as root, or set PAIGOW_CHROMIUM to its path",
};

/// Builds the release program and runs the suite against it, as its own task.
pub(crate) fn build_and_check(root: &Path) -> Result<(), Failure> {
    run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
    run_suite(root, release_program(root), Install::Missing, Some(target(root).join("browser")))
}

/// Runs the suite against the program that the tests have built. Another build would take minutes.
pub(crate) fn check(root: &Path, install: Install) -> Result<(), Failure> {
    run_suite(root, target(root).join("debug").join("paigow"), install, None)
}

/// Runs the suite. Writes screenshots only to a given folder, because they take long.
fn run_suite(
    root: &Path,
    program: PathBuf,
    install: Install,
    screenshots: Option<PathBuf>,
) -> Result<(), Failure> {
    NODE.ensure(install)?;
    CHROMIUM.ensure(install)?;
    let tools = root.join("browser");
    install_packages(&tools, install)?;
    if !program.is_file() {
        return Err(Failure::Missing {
            tool: "the program",
            remedy: "run `cargo test --workspace --no-run`",
        });
    }
    let mut suite = Command::new("npm");
    suite.args(["run", "--silent", "suite"]).env("PAIGOW_PROGRAM", program).env_remove("PAIGOW_SHOTS");
    suite.envs(screenshots.map(|folder| ("PAIGOW_SHOTS", folder)));
    run(&tools, &mut suite)
}

/// Whether `PAIGOW_CHROMIUM` is set or Chromium is installed under a name that the suite tries.
fn has_chromium() -> bool {
    env::var_os("PAIGOW_CHROMIUM").is_some()
        || ["chromium", "chromium-browser", "google-chrome"].iter().any(|name| has(name))
}
