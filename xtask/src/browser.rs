//! The page in a browser: the whole suite of `browser/tests` against the program.

use crate::failure::Failure;
use crate::page::{NODE, install, run};
use crate::test::run_cargo;
use crate::tools::{Tool, has, release_program, target};
use std::env;
use std::path::{Path, PathBuf};
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
    play(root, release_program(root))
}

/// Runs the suite against the program as the tests have built it: another build would take minutes.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    play(root, target(root).join("debug").join("paigow"))
}

fn play(root: &Path, program: PathBuf) -> Result<(), Failure> {
    NODE.have()?;
    CHROMIUM.have()?;
    let tools = root.join("browser");
    install(&tools)?;
    if !program.is_file() {
        return Err(Failure::Missing {
            tool: "the program",
            remedy: "run `cargo test --workspace --no-run`",
        });
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
