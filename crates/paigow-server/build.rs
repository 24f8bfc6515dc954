//! Determines the commit the program is built from: `PAIGOW_COMMIT`, else git, else `unknown` (a source archive without
//! git).

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=PAIGOW_COMMIT");
    let given = env::var("PAIGOW_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(from_git).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=PAIGOW_COMMIT={commit}");
}

/// Returns the checked-out commit. Cargo reruns this script when it changes.
fn from_git() -> Option<String> {
    for path in ["HEAD", "packed-refs"] {
        println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", path])?);
    }
    if let Some(branch) = git(&["symbolic-ref", "--quiet", "HEAD"]) {
        println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", &branch])?);
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}
