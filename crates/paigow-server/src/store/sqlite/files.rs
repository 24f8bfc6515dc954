//! The files of an open database: the database itself, its log and its index. They are private, and they must stay the files that were
//! opened: what is committed into an unlinked or replaced file is lost at the next start.

use super::super::StoreError;
use crate::private_file;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What SQLite appends to the name of the database for its log and its index.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// Creates the database if it is missing, and makes it and the files beside it private. Returns its path without symbolic links: SQLite
/// keeps the other files beside that one.
pub(super) fn prepare(path: &Path, make: bool) -> Result<PathBuf, StoreError> {
    if make {
        match private_file::create_private(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {}
        }
    }
    // SQLite names what is wrong with a path that leads nowhere.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    for file in std::iter::once(path.clone()).chain(beside(&path)) {
        match private_file::tighten(&file) {
            Ok(true) => {
                tracing::warn!(file = %file.display(), "other users could read the file; its mode is now 0600");
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(file = %file.display(), %error, "the mode of the file cannot be changed to 0600");
            }
            _ => {}
        }
    }
    Ok(path)
}

fn beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    BESIDE.iter().map(|suffix| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// The files as they were when the database was opened.
pub(super) struct OpenedFiles {
    files: Vec<(PathBuf, Identity)>,
    /// The file that was found to be another. It never becomes right again: writes stop until the process is restarted.
    replaced: OnceLock<PathBuf>,
}

impl OpenedFiles {
    /// The files of a database that a connection has open and has written to.
    pub(super) fn new(path: &Path) -> Result<OpenedFiles, StoreError> {
        let files = std::iter::once(path.to_owned()).chain(beside(path));
        let files = files.map(|file| {
            let identity = Identity::of(&file)?;
            Ok((file, identity))
        });
        Ok(OpenedFiles { files: files.collect::<io::Result<_>>()?, replaced: OnceLock::new() })
    }

    /// Checks that every file is still the one that was opened.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.replaced.get().is_none() {
            let is_other =
                |(file, identity): &&(PathBuf, Identity)| Identity::of(file).ok() != Some(*identity);
            let Some((file, _)) = self.files.iter().find(is_other) else { return Ok(()) };
            if self.replaced.set(file.clone()).is_ok() {
                tracing::error!(
                    file = %file.display(),
                    "the file is no longer the one that was opened: it was deleted or replaced; nothing is written until a restart"
                );
            }
        }
        let file = self.replaced.get().cloned().unwrap_or_default();
        Err(StoreError::Replaced { file })
    }
}

/// Device and inode of a file.
#[cfg(unix)]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity(u64, u64);

#[cfg(unix)]
impl Identity {
    fn of(file: &Path) -> io::Result<Identity> {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(file).map(|file| Identity(file.dev(), file.ino()))
    }
}

/// That there is a file: systems other than Unix do not let an open one be deleted or replaced.
#[cfg(not(unix))]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity;

#[cfg(not(unix))]
impl Identity {
    fn of(file: &Path) -> io::Result<Identity> {
        std::fs::metadata(file).map(|_| Identity)
    }
}
