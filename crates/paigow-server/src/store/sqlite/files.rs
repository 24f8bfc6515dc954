//! Files of an open database: the database, its write-ahead log and its shared-memory index.
//!
//! They are private. They must stay the files that were opened, because commits into a deleted or replaced file are
//! lost at the next start.

use super::super::StoreError;
use crate::private_file;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Suffixes that SQLite appends to the name of the database for its write-ahead log and its index.
const SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// Makes the files of the database private. Creates the database file if it is missing and `create` is set.
///
/// Returns the path of the database without symbolic links, because SQLite keeps the other files next to the resolved
/// path.
pub(super) fn prepare(path: &Path, create: bool) -> Result<PathBuf, StoreError> {
    if create {
        match private_file::create_private(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {}
        }
    }
    // If the path does not exist, opening it with SQLite returns the error.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    for file in std::iter::once(path.clone()).chain(companions(&path)) {
        match private_file::tighten(&file) {
            Ok(true) => {
                tracing::warn!(file = %file.display(), "other users could read the file; its mode is now 0600");
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(file = %file.display(), %error, "cannot change the mode of the file to 0600");
            }
            _ => {}
        }
    }
    Ok(path)
}

/// Paths of the write-ahead log and the index.
pub(super) fn companions(path: &Path) -> impl Iterator<Item = PathBuf> {
    SUFFIXES.iter().map(|suffix| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// Identities of the files when the database was opened.
pub(super) struct OpenedFiles {
    files: Vec<(PathBuf, Identity)>,
    /// File that was found deleted or replaced. Writes then stop until the process is restarted.
    replaced: OnceLock<PathBuf>,
}

impl OpenedFiles {
    /// Records the files of a database that a connection has opened and written to, so that all of them exist.
    pub(super) fn new(path: &Path) -> Result<OpenedFiles, StoreError> {
        let files = std::iter::once(path.to_owned()).chain(companions(path));
        let files = files.map(|file| {
            let identity = Identity::of(&file)?;
            Ok((file, identity))
        });
        Ok(OpenedFiles { files: files.collect::<io::Result<_>>()?, replaced: OnceLock::new() })
    }

    /// Returns an error if a file is no longer the one that was opened.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.replaced.get().is_none() {
            let is_changed =
                |(file, identity): &&(PathBuf, Identity)| Identity::of(file).ok() != Some(*identity);
            let Some((file, _)) = self.files.iter().find(is_changed) else { return Ok(()) };
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

/// Existence of a file. Systems other than Unix do not allow an open file to be deleted or replaced.
#[cfg(not(unix))]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity;

#[cfg(not(unix))]
impl Identity {
    fn of(file: &Path) -> io::Result<Identity> {
        std::fs::metadata(file).map(|_| Identity)
    }
}
