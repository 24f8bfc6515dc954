//! External programs that the steps need, and paths of build output.

use crate::failure::Failure;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that a step needs, and the Debian packages that provide it.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) is_installed: fn() -> bool,
    pub(crate) packages: &'static [&'static str],
    pub(crate) remedy: &'static str,
}

/// Whether a missing program is installed or fails its step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Install {
    Missing,
    Never,
}

impl Tool {
    /// Installs the program if it is missing and installing is allowed.
    pub(crate) fn ensure(&self, install: Install) -> Result<(), Failure> {
        if (self.is_installed)() {
            return Ok(());
        }
        let args = [&["install", "--yes", "--no-install-recommends"], self.packages].concat();
        let commands = [&["update"][..], &args];
        for args in commands.into_iter().filter(|_| install == Install::Missing) {
            println!("{} is missing. Running: apt-get {}", self.name, args.join(" "));
            // The check below decides. A failed update does not matter if the old package list suffices.
            let _ = Command::new("apt-get")
                .args(args)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .stdin(Stdio::null())
                .status();
        }
        if (self.is_installed)() {
            Ok(())
        } else {
            Err(Failure::Missing { tool: self.name, remedy: self.remedy })
        }
    }
}

/// Whether the program runs with `--version` and succeeds.
pub(crate) fn has(program: &str) -> bool {
    let probe = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// Returns cargo's target folder. A relative `CARGO_TARGET_DIR` is relative to the workspace, where cargo runs.
pub(crate) fn target(root: &Path) -> PathBuf {
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Returns the path of the release build of the program.
pub(crate) fn release_program(root: &Path) -> PathBuf {
    target(root).join("release").join("paigow")
}
