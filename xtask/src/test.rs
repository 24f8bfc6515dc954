//! `cargo xtask test`: all checks that a change must pass.
//!
//! The steps are one list. Every step runs even if an earlier one failed, so that one run reports all failures.
//! A step whose tool is missing fails instead of being skipped.

use crate::failure::Failure;
use crate::tools::{Install, Tool, has};
use crate::{browser, deny, page, python, test_programs, tidy};
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// One check. `run` takes the root folder of the workspace.
struct Step {
    name: &'static str,
    run: fn(&Path, Install) -> Result<(), Failure>,
}

/// All steps, the fastest first.
const STEPS: &[Step] = &[
    Step {
        name: "formatting",
        run: |root, _| {
            require("fmt", "rustfmt", "run `rustup component add rustfmt`")?;
            run_cargo(root, &["fmt", "--all", "--check"], &[])
        },
    },
    Step { name: "tidy", run: |root, _| tidy::run(root) },
    Step { name: "dependencies", run: |root, _| deny::run(root) },
    Step {
        name: "clippy",
        run: |root, _| {
            require("clippy", "clippy", "run `rustup component add clippy`")?;
            run_cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
        },
    },
    Step { name: "page", run: page::check },
    Step { name: "PostgreSQL", run: |_, install| POSTGRESQL.ensure(install) },
    Step { name: "openssl and curl", run: |_, install| OPENSSL_AND_CURL.ensure(install) },
    Step { name: "tests", run: |root, _| test_programs::run(root) },
    Step {
        name: "docs",
        run: |root, _| {
            let args = &["doc", "--workspace", "--no-deps", "--document-private-items"];
            run_cargo(root, args, &[("RUSTDOCFLAGS", "-D warnings")])
        },
    },
    Step { name: "Python", run: python::check },
    Step { name: "browser", run: browser::check },
];

/// Runs every step and returns whether all passed.
pub(crate) fn run(root: &Path, install: Install) -> bool {
    let failed = failures(STEPS, root, install);
    for (name, failure) in &failed {
        println!("failed: {name}: {failure}");
    }
    println!("steps: {} passed, {} failed", STEPS.len() - failed.len(), failed.len());
    failed.is_empty()
}

/// Runs all steps in order, even after a failure, and returns the steps that failed.
fn failures(steps: &[Step], root: &Path, install: Install) -> Vec<(&'static str, Failure)> {
    let mut failed = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        println!("== {}/{} {}", index + 1, steps.len(), step.name);
        let start = Instant::now();
        let outcome = (step.run)(root, install);
        let word = if outcome.is_ok() { "passed" } else { "failed" };
        println!("== {} {word} after {:.1?}\n", step.name, start.elapsed());
        failed.extend(outcome.err().map(|failure| (step.name, failure)));
    }
    failed
}

/// Runs cargo with these environment variables. Cargo inherits the terminal for its output.
pub(crate) fn run_cargo(root: &Path, args: &[&str], vars: &[(&str, &str)]) -> Result<(), Failure> {
    let command = format!("cargo {}", args.join(" "));
    match cargo().args(args).envs(vars.iter().copied()).current_dir(root).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Ended { command, status }),
        Err(cause) => Err(Failure::NotStarted { command, cause }),
    }
}

/// Fails with the remedy if cargo lacks a subcommand that is a separate component.
fn require(subcommand: &str, tool: &'static str, remedy: &'static str) -> Result<(), Failure> {
    let probe = cargo().args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if probe.is_ok_and(|status| status.success()) { Ok(()) } else { Err(Failure::Missing { tool, remedy }) }
}

/// PostgreSQL. The tests start temporary servers of their own.
pub(crate) const POSTGRESQL: Tool = Tool {
    name: "PostgreSQL",
    is_installed: has_postgresql,
    packages: &["postgresql"],
    remedy: "run `apt-get install postgresql` as root",
};

/// Programs that the commands of `docs/operating.md` use.
const OPENSSL_AND_CURL: Tool = Tool {
    name: "openssl or curl",
    is_installed: || has_openssl() && has("curl"),
    packages: &["openssl", "curl"],
    remedy: "run `apt-get install openssl curl` as root",
};

/// Whether openssl runs. It knows no `--version`.
fn has_openssl() -> bool {
    Command::new("openssl").arg("version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Whether the server programs are installed. Debian keeps them outside `PATH`.
fn has_postgresql() -> bool {
    let has = |folder: &Path| folder.join("initdb").exists();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let output = Command::new("pg_config").arg("--bindir").output();
    let configured = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    versions.map(|version| version.path().join("bin")).any(|folder| has(&folder))
        || configured.is_ok_and(|folder| has(Path::new(&folder)))
}

/// Returns a command for the cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_steps_run_and_every_failure_is_listed() {
        let steps = [
            Step { name: "first", run: |_, _| Err(Failure::Faults(1)) },
            Step { name: "second", run: |_, _| Ok(()) },
            Step { name: "third", run: |_, _| Err(Failure::Faults(2)) },
        ];
        let failed: Vec<_> =
            failures(&steps, Path::new("."), Install::Never).into_iter().map(|(name, _)| name).collect();
        assert_eq!(failed, ["first", "third"]);
    }

    #[test]
    fn missing_tool_is_reported_with_remedy() {
        let failure = require("no-such-subcommand", "example", "install it").unwrap_err();
        assert_eq!(failure.to_string(), "example is not installed: install it");
        assert!(require("--list", "cargo", "").is_ok());
    }
}
