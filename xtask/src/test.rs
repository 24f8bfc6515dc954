//! `cargo xtask test`: everything that must hold before a change is taken.
//!
//! The steps are one list; a new one is one more entry. All of them run whatever happened before, so
//! that one run shows everything that is wrong, and none is left out silently: a tool that is not
//! there is a failed step.

use crate::failure::Failure;
use crate::tools::Tool;
use crate::{browser, page, tidy};
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// One thing to do, given the workspace's folder.
struct Step {
    name: &'static str,
    run: fn(&Path) -> Result<(), Failure>,
}

/// Ordered so that the quickest answers come first.
const STEPS: &[Step] = &[
    Step {
        name: "formatting",
        run: |root| {
            need("fmt", "rustfmt", "run `rustup component add rustfmt`")?;
            run_cargo(root, &["fmt", "--all", "--check"], &[])
        },
    },
    Step { name: "tidy", run: tidy::run },
    Step {
        name: "clippy",
        run: |root| {
            need("clippy", "clippy", "run `rustup component add clippy`")?;
            run_cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
        },
    },
    Step { name: "page", run: page::check },
    Step { name: "PostgreSQL", run: |_| POSTGRESQL.have() },
    // Doc tests included.
    Step { name: "tests", run: |root| run_cargo(root, &["test", "--workspace", "--no-fail-fast"], &[]) },
    Step {
        name: "docs",
        run: |root| {
            let args = &["doc", "--workspace", "--no-deps", "--document-private-items"];
            run_cargo(root, args, &[("RUSTDOCFLAGS", "-D warnings")])
        },
    },
    Step { name: "browser", run: browser::check },
];

/// Runs every step; true if all passed.
pub(crate) fn run(root: &Path) -> bool {
    let failed = failures(STEPS, root);
    for (name, failure) in &failed {
        println!("failed: {name}: {failure}");
    }
    println!("steps: {} passed, {} failed", STEPS.len() - failed.len(), failed.len());
    failed.is_empty()
}

/// Runs the steps in order, on after a failure, and returns those that failed.
fn failures(steps: &[Step], root: &Path) -> Vec<(&'static str, Failure)> {
    let mut failed = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        println!("== {}/{} {}", place + 1, steps.len(), step.name);
        let start = Instant::now();
        let outcome = (step.run)(root);
        let word = if outcome.is_ok() { "passed" } else { "failed" };
        println!("== {} {word} after {:.1?}\n", step.name, start.elapsed());
        failed.extend(outcome.err().map(|failure| (step.name, failure)));
    }
    failed
}

/// Runs cargo with these variables set, its output shown as it comes.
pub(crate) fn run_cargo(root: &Path, args: &[&str], vars: &[(&str, &str)]) -> Result<(), Failure> {
    let command = format!("cargo {}", args.join(" "));
    match cargo().args(args).envs(vars.iter().copied()).current_dir(root).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Ended { command, status }),
        Err(cause) => Err(Failure::NotStarted { command, cause }),
    }
}

/// Refuses with the remedy if cargo lacks a subcommand that comes as a component of its own.
fn need(subcommand: &str, tool: &'static str, remedy: &'static str) -> Result<(), Failure> {
    let probe = cargo().args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if probe.is_ok_and(|status| status.success()) { Ok(()) } else { Err(Failure::Missing { tool, remedy }) }
}

/// Tests start a throw-away server of their own.
pub(crate) const POSTGRESQL: Tool = Tool {
    name: "PostgreSQL",
    is_there: has_postgresql,
    packages: &["postgresql"],
    remedy: "run `apt-get install postgresql` as root",
};

/// Whether a server could be started. The distribution keeps its programs off the path.
fn has_postgresql() -> bool {
    let has = |folder: &Path| folder.join("initdb").exists();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let asked = Command::new("pg_config").arg("--bindir").output();
    let asked = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    versions.map(|version| version.path().join("bin")).any(|folder| has(&folder))
        || asked.is_ok_and(|folder| has(Path::new(&folder)))
}

/// The cargo that runs this program.
fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_on_after_a_failure_and_lists_every_one() {
        let steps = [
            Step { name: "first", run: |_| Err(Failure::Faults(1)) },
            Step { name: "second", run: |_| Ok(()) },
            Step { name: "third", run: |_| Err(Failure::Faults(2)) },
        ];
        let failed: Vec<_> = failures(&steps, Path::new(".")).into_iter().map(|(name, _)| name).collect();
        assert_eq!(failed, ["first", "third"]);
    }

    #[test]
    fn a_missing_tool_comes_with_its_remedy() {
        let failure = need("no-such-subcommand", "shine", "polish it").unwrap_err();
        assert_eq!(failure.to_string(), "shine is not installed: polish it");
        assert!(need("--list", "cargo", "").is_ok());
    }
}
