//! Why a chore failed, in a sentence for the person who ran it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// What kept a chore from passing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A program the chore needs is not installed.
    Missing { tool: &'static str, remedy: &'static str },
    /// A program is there but could not be started.
    NotStarted { command: String, cause: io::Error },
    /// A program ran and said no; its own output has the reason.
    Ended { command: String, status: ExitStatus },
    /// A file that is made from another is not what would be made now.
    Drifted { file: &'static str, source: &'static str, remedy: &'static str },
    /// A file of the repository could not be read.
    Unreadable { path: PathBuf, cause: io::Error },
    /// A file or folder that is made once is there already.
    Exists { path: PathBuf },
    /// The repository breaks its own rules, this many times; each was printed.
    Faults(usize),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Missing { tool, remedy } => write!(f, "{tool} is not installed: {remedy}"),
            Failure::NotStarted { command, cause } => write!(f, "`{command}` could not be started: {cause}"),
            Failure::Ended { command, status } => write!(f, "`{command}` ended with {status}"),
            Failure::Drifted { file, source, remedy } => {
                write!(f, "{file} is not what {source} says: {remedy}")
            }
            Failure::Unreadable { path, cause } => {
                write!(f, "{} could not be read: {cause}", path.display())
            }
            Failure::Exists { path } => {
                write!(f, "{} exists: a release keeps the fixture it was made with", path.display())
            }
            Failure::Faults(1) => write!(f, "1 fault"),
            Failure::Faults(count) => write!(f, "{count} faults"),
        }
    }
}
