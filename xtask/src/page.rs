//! The page's part of the tests: the protocol's types as the server has them, its own types, and what of it needs no browser.

use crate::failure::Failure;
use crate::tools::{Tool, has};
use std::ffi::OsStr;
use std::iter;
use std::path::Path;
use std::process::Command;

/// What runs the page's tests.
pub(crate) const NODE: Tool = Tool {
    name: "Node",
    is_there: has_node,
    packages: &["nodejs", "npm"],
    remedy: "install Node 20 or newer with npm",
};
/// The oldest that will do.
const OLDEST: u32 = 20;

/// Checks the types of the page and runs its tests.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    NODE.have()?;
    let tools = root.join("browser");
    install(&tools)?;
    protocol(&tools)?;
    for folder in ["../web", "."] {
        run(
            &tools,
            Command::new(tools.join("node_modules/.bin/tsc"))
                .args(["-p", &format!("{folder}/jsconfig.json")]),
        )?;
    }
    run(root, Command::new("node").args(["--test", "web/tests/"]))
}

/// Installs what the checks are written with, as the lock file has it.
pub(crate) fn install(tools: &Path) -> Result<(), Failure> {
    run(tools, Command::new("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel", "error"]))
}

/// The page's types of the protocol are made from the document of the API, which a test of the server holds against the code.
fn protocol(tools: &Path) -> Result<(), Failure> {
    let check = run(tools, Command::new("npm").args(["run", "--silent", "protocol", "--", "--check"]));
    check.map_err(|failure| match failure {
        Failure::Ended { .. } => Failure::Drifted {
            file: "web/protocol.d.ts",
            source: "docs/openapi.json",
            remedy: "run `npm run protocol` in browser/",
        },
        other => other,
    })
}

fn has_node() -> bool {
    let said = Command::new("node").arg("--version").output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = said.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    version.is_some_and(|version: u32| version >= OLDEST) && has("npm")
}

/// Runs a program in a folder, its output shown as it comes.
pub(crate) fn run(folder: &Path, command: &mut Command) -> Result<(), Failure> {
    let status = command.current_dir(folder).status();
    let words = iter::once(command.get_program()).chain(command.get_args());
    let command = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Ended { command, status }),
        Err(cause) => Err(Failure::NotStarted { command, cause }),
    }
}
