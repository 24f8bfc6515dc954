//! The page's part of the tests: the protocol's types as the server has them, its own types, and what of it needs no browser.

use crate::failure::Failure;
use std::path::Path;
use std::process::{Command, Stdio};

/// The oldest Node that will do.
const NODE: &str = "run `apt-get install nodejs npm` as root; version 20 or newer";

/// Checks the types of the page and runs its tests.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    have_node()?;
    let tools = root.join("browser");
    run(&tools, "npm", &["ci", "--no-audit", "--no-fund", "--loglevel", "error"])?;
    protocol(&tools)?;
    run(&tools, "node_modules/.bin/tsc", &["-p", "../web/jsconfig.json"])?;
    run(root, "node", &["--test", "web/tests/"])
}

/// The page's types of the protocol are made from the document of the API, which a test of the server holds against the code.
fn protocol(tools: &Path) -> Result<(), Failure> {
    run(tools, "npm", &["run", "--silent", "protocol", "--", "--check"]).map_err(|failure| match failure {
        Failure::Ended { .. } => Failure::Drifted {
            file: "web/protocol.d.ts",
            source: "docs/openapi.json",
            remedy: "run `npm run protocol` in browser/",
        },
        other => other,
    })
}

/// Installs Node if it is not there.
fn have_node() -> Result<(), Failure> {
    if has("node") && has("npm") {
        return Ok(());
    }
    for args in [&["update"][..], &["install", "--yes", "--no-install-recommends", "nodejs", "npm"]] {
        // Whether it helped is asked below.
        let _ = Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").status();
    }
    if has("node") && has("npm") { Ok(()) } else { Err(Failure::Missing { tool: "Node", remedy: NODE }) }
}

fn has(program: &str) -> bool {
    let probe = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// Runs a program in a folder, its output shown as it comes.
fn run(folder: &Path, program: &str, args: &[&str]) -> Result<(), Failure> {
    let command = format!("{program} {}", args.join(" "));
    // A program given by its path is one of the folder's.
    let path = if program.contains('/') { folder.join(program) } else { program.into() };
    match Command::new(path).args(args).current_dir(folder).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Ended { command, status }),
        Err(cause) => Err(Failure::NotStarted { command, cause }),
    }
}
