//! The file with the master keys. It lies outside the store: secrets of open rounds follow from it ([`MasterKeys`]).
//!
//! A line is a key, 64 hexadecimal digits; empty lines and lines that begin with `#` are passed over. The first key is used for new rounds. The
//! keys below it are needed for rounds that were opened with them and are not over, and to verify what was signed with them.

use crate::private_file::create_private;
use paigow_table::{MasterKeys, Secret};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why there are no master keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file could not be read or made.
    #[error("the key file {path}: {why}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// A line is not a key.
    #[error("the key file {path}, line {line}: a key is 64 hexadecimal digits")]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
    },
    /// There is no key in it.
    #[error("the key file {path} has no key")]
    Empty {
        /// Which file.
        path: PathBuf,
    },
    /// Other users can read it.
    #[error("the key file {path} can be read by other users: run `chmod 600 {path}`")]
    Readable {
        /// Which file.
        path: PathBuf,
    },
    /// The file is missing, and the store was written with a key.
    #[error(
        "the key file {path} is missing, and the store was written with a master key: restore the file, or name it with `key_file`"
    )]
    Missing {
        /// Which file.
        path: PathBuf,
    },
    /// No key could be drawn.
    #[error("no key can be drawn: {0}")]
    Entropy(#[from] getrandom::Error),
}

/// Reads the master keys. Makes the file with a new key if there is none, unless the store was written with one: with another key its open
/// rounds could not go on, and players would take the server for another house.
///
/// # Errors
/// Why there are none.
pub fn master_keys(path: &Path, store_has_key: bool) -> Result<MasterKeys, KeyFileError> {
    let failed = |why| KeyFileError::Io { path: path.to_owned(), why };
    if store_has_key && !path.try_exists().map_err(failed)? {
        return Err(KeyFileError::Missing { path: path.to_owned() });
    }
    match make(path) {
        Ok(()) => {
            tracing::info!(file = %path.display(), "made a master key: keep a copy of it apart from the store");
        }
        Err(KeyFileError::Io { why, .. }) if why.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    refuse_readable(path)?;
    parse(path, &fs::read_to_string(path).map_err(failed)?)
}

/// Reads the master keys of a file that is there.
///
/// # Errors
/// Why there are none.
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

/// Makes the file with one new key, unless it is there. It is written beside its path and moved there, so that another process that starts
/// at the same time never reads half of it.
fn make(path: &Path) -> Result<(), KeyFileError> {
    let failed = |why| KeyFileError::Io { path: path.to_owned(), why };
    if path.try_exists().map_err(failed)? {
        return Err(failed(ErrorKind::AlreadyExists.into()));
    }
    let (mut key, mut name) = ([0; 32], [0; 8]);
    getrandom::fill(&mut key)?;
    getrandom::fill(&mut name)?;
    let beside = path.with_extension(format!("{:016x}.new", u64::from_be_bytes(name)));
    let mut file = create_private(&beside).map_err(failed)?;
    let text = format!(
        "# Master key of paigow. Keep a copy apart from the store. Its holder can predict the part of the house in every deal.\n{}\n",
        String::from(Secret(key))
    );
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    // Linking fails if another process was quicker; moving would replace its key.
    let linked = written.and_then(|()| fs::hard_link(&beside, path));
    let removed = fs::remove_file(&beside);
    linked.and(removed).and_then(|()| sync_folder(path)).map_err(failed)
}

/// Has the folder of a new file written to disk: after a power cut the key must be there if a round was opened with it.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::File::open(folder)?.sync_all()
}

/// Refuses a file that other users can read.
#[cfg(unix)]
fn refuse_readable(path: &Path) -> Result<(), KeyFileError> {
    use crate::private_file::OTHERS;
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs::metadata(path).map_err(|why| KeyFileError::Io { path: path.to_owned(), why })?;
    if metadata.permissions().mode() & OTHERS == 0 {
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
    fn a_file_is_made_once_and_is_private() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("paigow.key");
        let made = master_keys(&path, false).unwrap();
        assert_eq!(master_keys(&path, false).unwrap().current(), made.current());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // A store that was written with a key gets no other one.
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
    fn the_first_key_is_for_new_rounds_and_bad_lines_are_named() {
        let path = Path::new("paigow.key");
        let (one, other) = ("1".repeat(64), "2".repeat(64));
        let keys = parse(path, &format!("# new\n{one}\n\n{other}\n")).unwrap();
        assert_eq!(keys.public().count(), 2);
        assert_eq!(keys.current(), parse(path, &one).unwrap().current());
        assert!(matches!(parse(path, "\nnone\n"), Err(KeyFileError::Line { line: 2, .. })));
        assert!(matches!(parse(path, "# nothing\n"), Err(KeyFileError::Empty { .. })));
    }
}
