//! The file with the master keys. It is kept outside the store, because secrets of open rounds are derived from it
//! ([`MasterKeys`]).
//!
//! Each line is a key of 64 hexadecimal digits. Empty lines and lines that start with `#` are ignored. The first key is
//! used for new rounds. The keys below it are needed for unfinished rounds that were opened with them, and to verify
//! signatures made with them.

use crate::private_file::create_private;
use paigow_table::{MasterKeys, Secret};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why the master keys could not be read.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file could not be read or created.
    #[error("key file {path}: {why}")]
    Io {
        /// Path of the key file.
        path: PathBuf,
        /// Error of the operating system.
        why: io::Error,
    },
    /// A line is not a key.
    #[error("key file {path}, line {line}: a key is 64 hexadecimal digits")]
    Line {
        /// Path of the key file.
        path: PathBuf,
        /// Line number, counted from 1.
        line: usize,
    },
    /// The file contains no key.
    #[error("key file {path} contains no key")]
    Empty {
        /// Path of the key file.
        path: PathBuf,
    },
    /// Other users can read the file.
    #[error("key file {path} can be read by other users: run `chmod 600 {path}`")]
    Readable {
        /// Path of the key file.
        path: PathBuf,
    },
    /// The file is missing, and the store was written with a key.
    #[error(
        "key file {path} is missing, and the store was written with a master key: restore the file, or set its path with `key_file`"
    )]
    Missing {
        /// Path of the key file.
        path: PathBuf,
    },
    /// The operating system provides no random bytes.
    #[error("cannot generate a key: {0}")]
    Entropy(#[from] getrandom::Error),
}

/// Reads the master keys. Creates the file with a new key if it does not exist.
///
/// If the store was written with a key (`store_has_key`), a missing file is an error. With a new key its open rounds
/// could not continue, and players could not recognize the house by its signatures.
///
/// # Errors
/// The file is missing, invalid or readable by other users, or could not be created.
pub fn master_keys(path: &Path, store_has_key: bool) -> Result<MasterKeys, KeyFileError> {
    let failed = |why| KeyFileError::Io { path: path.to_owned(), why };
    if store_has_key && !path.try_exists().map_err(failed)? {
        return Err(KeyFileError::Missing { path: path.to_owned() });
    }
    match create(path) {
        Ok(()) => {
            tracing::info!(file = %path.display(), "created a master key: keep a copy of it apart from the store");
        }
        Err(KeyFileError::Io { why, .. }) if why.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    refuse_readable(path)?;
    parse(path, &fs::read_to_string(path).map_err(failed)?)
}

/// Reads the master keys of an existing file.
///
/// # Errors
/// The file is missing, invalid or readable by other users.
pub fn read_master_keys(path: &Path) -> Result<MasterKeys, KeyFileError> {
    refuse_readable(path)?;
    let text = fs::read_to_string(path);
    parse(path, &text.map_err(|why| KeyFileError::Io { path: path.to_owned(), why })?)
}

fn parse(path: &Path, text: &str) -> Result<MasterKeys, KeyFileError> {
    let mut keys = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let Ok(Secret(key)) = Secret::try_from(text.to_owned()) else {
            return Err(KeyFileError::Line { path: path.to_owned(), line });
        };
        keys.push(key);
    }
    MasterKeys::new(&keys).ok_or_else(|| KeyFileError::Empty { path: path.to_owned() })
}

/// Creates the file with one new key, or fails with `AlreadyExists`.
///
/// The key is written to a temporary file first and linked to its path, so that a process that starts at the same time
/// never reads half of it.
fn create(path: &Path) -> Result<(), KeyFileError> {
    let failed = |why| KeyFileError::Io { path: path.to_owned(), why };
    if path.try_exists().map_err(failed)? {
        return Err(failed(ErrorKind::AlreadyExists.into()));
    }
    let (mut key, mut name) = ([0; 32], [0; 8]);
    getrandom::fill(&mut key)?;
    getrandom::fill(&mut name)?;
    let temporary = path.with_extension(format!("{:016x}.new", u64::from_be_bytes(name)));
    let mut file = create_private(&temporary).map_err(failed)?;
    let text = format!(
        "# Master key of paigow. Keep a copy apart from the store. Its holder can predict the part of the house in every deal.\n{}\n",
        String::from(Secret(key))
    );
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    // Linking fails if another process created the file first. Renaming would replace that process's key.
    let linked = written.and_then(|()| fs::hard_link(&temporary, path));
    let removed = fs::remove_file(&temporary);
    linked.and(removed).and_then(|()| sync_folder(path)).map_err(failed)
}

/// Syncs the folder of a new file to disk. After a power cut the key must exist if a round was opened with it.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::File::open(folder)?.sync_all()
}

/// Returns an error if other users can read the file.
#[cfg(unix)]
fn refuse_readable(path: &Path) -> Result<(), KeyFileError> {
    use crate::private_file::{OTHERS, is_credential};
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs::metadata(path).map_err(|why| KeyFileError::Io { path: path.to_owned(), why })?;
    if metadata.permissions().mode() & OTHERS == 0 || is_credential(path) {
        Ok(())
    } else {
        Err(KeyFileError::Readable { path: path.to_owned() })
    }
}

#[cfg(not(unix))]
fn refuse_readable(_: &Path) -> Result<(), KeyFileError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn key_file_is_created_once_and_private() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("paigow.key");
        let created = master_keys(&path, false).unwrap();
        assert_eq!(master_keys(&path, false).unwrap().current(), created.current());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // No new key is created for a store that was written with one.
        let elsewhere = folder.path().join("elsewhere.key");
        assert!(matches!(master_keys(&elsewhere, true), Err(KeyFileError::Missing { .. })));
        assert!(!elsewhere.exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            assert!(matches!(master_keys(&path, true), Err(KeyFileError::Readable { .. })));
        }
    }

    #[test]
    fn first_key_is_current_and_invalid_lines_are_errors() {
        let path = Path::new("paigow.key");
        let (one, other) = ("1".repeat(64), "2".repeat(64));
        let keys = parse(path, &format!("# new\n{one}\n\n{other}\n")).unwrap();
        assert_eq!(keys.public().count(), 2);
        assert_eq!(keys.current(), parse(path, &one).unwrap().current());
        assert!(matches!(parse(path, "\nnone\n"), Err(KeyFileError::Line { line: 2, .. })));
        assert!(matches!(parse(path, "# nothing\n"), Err(KeyFileError::Empty { .. })));
    }
}
