//! The page's part of the tests: the protocol's types as the server has them, its own types, and what of it needs no browser.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::iter;
use std::path::Path;
use std::process::{Command, Stdio};

/// The oldest Node that will do.
const NODE: &str = "run `apt-get install nodejs npm` as root; version 20 or newer";

/// Checks the types of the page and runs its tests.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    have_node()?;
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

/// Installs Node if it is not there.
pub(crate) fn have_node() -> Result<(), Failure> {
    if has("node") && has("npm") {
        return Ok(());
    }
    for args in [&["update"][..], &["install", "--yes", "--no-install-recommends", "nodejs", "npm"]] {
        // Whether it helped is asked below.
        let _ = Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").status();
    }
    if has("node") && has("npm") { Ok(()) } else { Err(Failure::Missing { tool: "Node", remedy: NODE }) }
}

pub(crate) fn has(program: &str) -> bool {
    let probe = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
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
