//! Programs that the steps lean on, and where things lie.

use crate::failure::Failure;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that a step needs, and the distribution's packages that bring it.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) is_there: fn() -> bool,
    pub(crate) packages: &'static [&'static str],
    pub(crate) remedy: &'static str,
}

impl Tool {
    /// Installs it if it is not there.
    pub(crate) fn have(&self) -> Result<(), Failure> {
        if (self.is_there)() {
            return Ok(());
        }
        let install = [&["install", "--yes", "--no-install-recommends"], self.packages].concat();
        for args in [&["update"][..], &install] {
            // Whether it helped is asked below: a list of packages that is old may do.
            let _ = Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").status();
        }
        if (self.is_there)() {
            Ok(())
        } else {
            Err(Failure::Missing { tool: self.name, remedy: self.remedy })
        }
    }
}

/// Whether a program can be started.
pub(crate) fn has(program: &str) -> bool {
    let probe = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// Where cargo puts what it makes; it takes a folder without a root to lie in the workspace.
pub(crate) fn target(root: &Path) -> PathBuf {
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The program as it is released.
pub(crate) fn release_program(root: &Path) -> PathBuf {
    target(root).join("release").join("paigow")
}
