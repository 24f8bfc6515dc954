//! Rule books and house ways from files, beside those that come with the program.

use crate::Failure;
use paigow::document::Source;
use paigow::rulebook::{BuiltIn, LoadError, Shelf};
use paigow::{HouseWay, Rulebook};
use std::path::Path;

/// The shelf of the command line: names are looked up among what comes with the program; anything with a slash or a
/// `.toml` ending is a path, seen from the file it is written in.
pub(crate) struct Files;

impl Shelf for Files {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        if is_path(name) { read(name, from) } else { BuiltIn.book(name, from) }
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        if is_path(name) { read(name, from) } else { BuiltIn.house_way(name, from) }
    }
}

fn is_path(name: &str) -> bool {
    let ending = Path::new(name).extension().is_some_and(|ending| ending == "toml");
    ending || name.contains(['/', '\\'])
}

fn read(name: &str, from: Option<&Source>) -> Option<Source> {
    let folder = from.and_then(|from| Path::new(&*from.name).parent().map(Path::to_owned));
    let path = folder.unwrap_or_default().join(name);
    source(&path).ok()
}

/// The text of a file.
///
/// # Errors
/// Why it cannot be read, or that it is not text.
pub(crate) fn source(path: &Path) -> Result<Source, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    text(&path.to_string_lossy(), bytes)
}

/// Bytes as text.
///
/// # Errors
/// That they are not.
pub(crate) fn text(name: &str, bytes: Vec<u8>) -> Result<Source, String> {
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("byte {} is not UTF-8 text", error.utf8_error().valid_up_to() + 1))?;
    Ok(Source::new(name, text))
}

/// The rule book of a name or a path, with `--set` applied.
///
/// # Errors
/// There is none, or its problems.
pub(crate) fn book(name: &str, changes: &[(String, String)]) -> Result<Rulebook, Failure> {
    readable(name)?;
    Rulebook::load(name, changes, &Files).map_err(failure)
}

/// The house way of a name or a path.
///
/// # Errors
/// There is none, or its problems.
pub(crate) fn house_way(name: &str) -> Result<HouseWay, Failure> {
    readable(name)?;
    HouseWay::load(name, &Files).map_err(failure)
}

/// A file that cannot be read is better known by why than as one that is not there.
fn readable(name: &str) -> Result<(), Failure> {
    if !is_path(name) {
        return Ok(());
    }
    source(Path::new(name)).map(|_| ()).map_err(|reason| Failure::Refused(format!("{name}: {reason}")))
}

fn failure(error: LoadError) -> Failure {
    match error {
        LoadError::NotFound { .. } => Failure::Refused(error.to_string()),
        LoadError::Problems(problems) => Failure::Problems(problems),
    }
}
