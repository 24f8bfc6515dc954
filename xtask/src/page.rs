//! The step `page`: generated protocol types, type checks, and the page's tests that need no browser.

use crate::failure::Failure;
use crate::tools::{Install, Tool, has};
use std::ffi::OsStr;
use std::fs;
use std::iter;
use std::path::Path;
use std::process::{Command, Stdio};

/// Node and npm, which run the page's tests.
pub(crate) const NODE: Tool = Tool {
    name: "Node",
    is_installed: has_node,
    packages: &["nodejs", "npm"],
    remedy: "install Node 20 or newer with npm",
};
/// Oldest major version of Node that works.
const NODE_MIN: u32 = 20;

/// Checks the types of the page and runs its tests.
pub(crate) fn check(root: &Path, install: Install) -> Result<(), Failure> {
    NODE.ensure(install)?;
    let tools = root.join("browser");
    install_packages(&tools, install)?;
    check_protocol_types(&tools)?;
    for folder in ["../web", "."] {
        run(
            &tools,
            Command::new(tools.join("node_modules/.bin/tsc"))
                .args(["-p", &format!("{folder}/jsconfig.json")]),
        )?;
    }
    run(root, Command::new("node").args(["--test", "web/tests/"]))
}

/// Installs the packages of the checks at the versions in the lock file.
pub(crate) fn install_packages(tools: &Path, install: Install) -> Result<(), Failure> {
    // npm writes this file last and lists the installed packages in it.
    let installed = fs::read_to_string(tools.join("node_modules/.package-lock.json")).unwrap_or_default();
    match install {
        Install::Missing => {
            let args = ["ci", "--no-audit", "--no-fund", "--loglevel", "error"];
            println!("Installing the packages of browser/package-lock.json. Running: npm {}", args.join(" "));
            run(tools, Command::new("npm").args(args))
        }
        Install::Never if installed.is_empty() => Err(Failure::Missing {
            tool: "packages of the page's checks",
            remedy: "run `npm ci` in browser/",
        }),
        Install::Never => Ok(()),
    }
}

/// Checks that the page's protocol types match the API document they are generated from.
///
/// A test of the server compares that document with the routes.
fn check_protocol_types(tools: &Path) -> Result<(), Failure> {
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
    let output = Command::new("node").arg("--version").output();
    let version =
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    major.is_some_and(|major: u32| major >= NODE_MIN) && has("npm")
}

/// Runs a program in a folder. The program inherits the terminal for its output.
pub(crate) fn run(folder: &Path, command: &mut Command) -> Result<(), Failure> {
    let status = command.current_dir(folder).stdin(Stdio::null()).status();
    let words = iter::once(command.get_program()).chain(command.get_args());
    let command = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Ended { command, status }),
        Err(cause) => Err(Failure::NotStarted { command, cause }),
    }
}
