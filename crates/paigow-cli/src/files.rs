//! Rule books and house ways from files, beside those that come with the program.

use crate::Failure;
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn, LoadError};
use paigow::{HouseWay, Rulebook};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The shelf of the command line: what comes with the program by its name, and anything else as a path, seen from the
/// file it is written in.
pub(crate) struct Files;

impl BookSource for Files {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.book(name, from).or_else(|| source(&path(name, from)).ok())
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from).or_else(|| source(&path(name, from)).ok())
    }

    fn takes_paths(&self) -> bool {
        true
    }

    fn why_not(&self, name: &str, from: Option<&Source>) -> Option<String> {
        let path = path(name, from);
        let meant_as_path = name.contains(['/', '\\', '.']) || path.exists();
        source(&path).err().filter(|_| meant_as_path).map(|error| error.to_string())
    }
}

fn path(name: &str, from: Option<&Source>) -> PathBuf {
    let folder = from.and_then(|from| Path::new(&*from.name).parent().map(Path::to_owned));
    folder.unwrap_or_default().join(name)
}

/// Why a file is no text.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// It cannot be read.
    Io(io::Error),
    /// It is longer than any text of ours.
    TooLong,
    /// A byte, counted from 1, is not UTF-8.
    NotText(usize),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Io(error) => write!(f, "{error}"),
            Unreadable::TooLong => write!(f, "it is longer than {BYTES_MAX} bytes"),
            Unreadable::NotText(byte) => write!(f, "byte {byte} is not UTF-8 text"),
        }
    }
}

/// More than any text of rules or rounds has; what is longer is not read to its end.
const BYTES_MAX: u64 = 1_000_000;

/// The text of a file.
///
/// # Errors
/// Why there is none.
pub(crate) fn source(path: &Path) -> Result<Source, Unreadable> {
    text(&path.to_string_lossy(), File::open(path).map_err(Unreadable::Io)?)
}

/// What can be read from somewhere, as text.
///
/// # Errors
/// Why it is none.
pub(crate) fn text(name: &str, from: impl Read) -> Result<Source, Unreadable> {
    let mut bytes = Vec::new();
    from.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(Unreadable::Io)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(Unreadable::TooLong);
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| Unreadable::NotText(error.utf8_error().valid_up_to() + 1))?;
    Ok(Source::new(name, text))
}

/// The rule book of a name or a path, with `--set` applied.
///
/// # Errors
/// There is none, or its problems.
pub(crate) fn book(name: &str, changes: &[(String, String)]) -> Result<Rulebook, Failure> {
    Rulebook::load(name, changes, &Files).map_err(failure)
}

/// The house way of a name or a path.
///
/// # Errors
/// There is none, or its problems.
pub(crate) fn house_way(name: &str) -> Result<HouseWay, Failure> {
    HouseWay::load(name, &Files).map_err(failure)
}

fn failure(error: LoadError) -> Failure {
    match error {
        LoadError::NotFound { .. } | LoadError::Unreadable { .. } => Failure::Refused(error.to_string()),
        LoadError::Problems(problems) => Failure::Problems(problems),
    }
}
