//! Failures of tasks, with the messages that are printed for them.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Reason why a task failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A program that the task needs is not installed.
    Missing { tool: &'static str, remedy: &'static str },
    /// A program is installed but could not be started.
    NotStarted { command: String, cause: io::Error },
    /// A program exited with an error. Its own output has the reason.
    Ended { command: String, status: ExitStatus },
    /// A generated file differs from the one that its source would generate now.
    Drifted { file: &'static str, source: &'static str, remedy: &'static str },
    /// A file of the repository could not be read.
    Unreadable { path: PathBuf, cause: io::Error },
    /// A file or folder that must never be replaced exists already.
    Exists { path: PathBuf },
    /// A file or the output of a command has unexpected contents.
    Invalid(String, String),
    /// The repository breaks its own rules this many times. Each fault has been printed.
    Faults(usize),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Missing { tool, remedy } => write!(f, "{tool} is not installed: {remedy}"),
            Failure::NotStarted { command, cause } => write!(f, "`{command}` could not be started: {cause}"),
            Failure::Ended { command, status } => write!(f, "`{command}` ended with {status}"),
            Failure::Drifted { file, source, remedy } => {
                write!(f, "{file} is out of date with {source}: {remedy}")
            }
            Failure::Unreadable { path, cause } => {
                write!(f, "{} could not be read: {cause}", path.display())
            }
            Failure::Exists { path } => {
                write!(f, "{} already exists: the fixture of a release is never replaced", path.display())
            }
            Failure::Invalid(name, reason) => write!(f, "{name} has unexpected contents: {reason}"),
            Failure::Faults(1) => write!(f, "1 fault"),
            Failure::Faults(count) => write!(f, "{count} faults"),
        }
    }
}
