//! Rule books and house ways from files, in addition to the built-in ones.

use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Source of books for programs of a user, who may read these files.
///
/// A name of a built-in text means that text. Any other name is a path, relative to the file that contains it.
#[derive(Clone, Copy, Debug)]
pub struct Files;

impl BookSource for Files {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.book(name, from).or_else(|| source(&path(name, from)).ok())
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from).or_else(|| source(&path(name, from)).ok())
    }

    fn accepts_paths(&self) -> bool {
        true
    }

    fn unreadable_reason(&self, name: &str, from: Option<&Source>) -> Option<String> {
        let path = path(name, from);
        let meant_as_path = name.contains(['/', '\\', '.']) || path.exists();
        source(&path).err().filter(|_| meant_as_path).map(|error| error.to_string())
    }
}

fn path(name: &str, from: Option<&Source>) -> PathBuf {
    let folder = from.and_then(|from| Path::new(&*from.name).parent().map(Path::to_owned));
    folder.unwrap_or_default().join(name)
}

/// Reason why a file could not be read as text.
#[derive(Debug)]
pub enum TextFileError {
    /// Reading failed.
    Io(io::Error),
    /// The file is longer than [`BYTES_MAX`].
    TooLong,
    /// The byte at this position, counted from 1, is not UTF-8.
    NotText(usize),
}

impl fmt::Display for TextFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextFileError::Io(error) => write!(f, "{error}"),
            TextFileError::TooLong => write!(f, "longer than {BYTES_MAX} bytes"),
            TextFileError::NotText(byte) => write!(f, "byte {byte} is not UTF-8 text"),
        }
    }
}

/// Maximum length of a text, far above that of any rule book or round.
pub const BYTES_MAX: u64 = 1_000_000;

/// Reads a file as text.
///
/// # Errors
/// The file cannot be read, is too long or is not UTF-8.
pub fn source(path: &Path) -> Result<Source, TextFileError> {
    text(&path.to_string_lossy(), File::open(path).map_err(TextFileError::Io)?)
}

/// Reads all input as text.
///
/// # Errors
/// The input cannot be read, is too long or is not UTF-8.
pub fn text(name: &str, from: impl Read) -> Result<Source, TextFileError> {
    let mut bytes = Vec::new();
    from.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(TextFileError::Io)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(TextFileError::TooLong);
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| TextFileError::NotText(error.utf8_error().valid_up_to() + 1))?;
    Ok(Source::new(name, text))
}
