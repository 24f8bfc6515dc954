//! Files and folders that only their owner may read: 0600 and 0700 on Unix. On other systems they inherit the rights of
//! the parent folder.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Mode of a private file: read and write for its owner.
#[cfg(unix)]
const FILE_MODE: u32 = 0o600;
/// Mode of a private folder.
#[cfg(unix)]
const FOLDER_MODE: u32 = 0o700;
/// Permission bits of the group and of all other users.
#[cfg(unix)]
pub(crate) const OTHERS: u32 = 0o077;

/// Creates an empty private file and opens it for writing.
///
/// # Errors
/// The file exists (`AlreadyExists`) or cannot be created.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE_MODE);
    options.open(path)
}

/// Opens a private file for writing, which is created if it is missing and keeps its content.
///
/// # Errors
/// The file cannot be created or opened.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE_MODE);
    options.open(path)
}

/// Creates a private folder and its missing parents, also private. An existing folder keeps its mode.
///
/// # Errors
/// A folder cannot be created.
pub fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, FOLDER_MODE);
    builder.create(path)
}

/// Whether a file is a credential that systemd gives the service, or a secret that a container engine gives the container.
///
/// systemd grants the service's user the access with an access control list, whose mask is shown as the permissions of
/// the group. Its folder cannot be entered by other users. A secret of a container keeps the mode that it has outside,
/// where the folder of the secrets protects it; the container has no other users.
pub(crate) fn is_credential(path: &Path) -> bool {
    std::env::var_os("CREDENTIALS_DIRECTORY").is_some_and(|folder| is_credential_in(path, Path::new(&folder)))
        || is_container_secret(path, Path::new("/"))
}

/// Whether a file is a secret of the container with this root folder. Docker and Podman mark their containers.
fn is_container_secret(path: &Path, root: &Path) -> bool {
    let is_container = [".dockerenv", "run/.containerenv"].iter().any(|mark| root.join(mark).exists());
    is_container && is_credential_in(path, &root.join("run/secrets"))
}

/// Whether a file is directly in the folder of credentials.
fn is_credential_in(path: &Path, credentials: &Path) -> bool {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    credentials.is_absolute() && folder.is_some() && folder == credentials.canonicalize().ok()
}

/// Removes the permissions of the group and of other users from a file. Returns whether it had any.
///
/// # Errors
/// The file does not exist, or its mode cannot be changed.
#[cfg(unix)]
pub fn tighten(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path)?.permissions().mode();
    if mode & OTHERS == 0 {
        return Ok(false);
    }
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode & 0o7777 & !OTHERS))?;
    Ok(true)
}

/// Does nothing and returns `false`, because this system has no Unix permissions.
///
/// # Errors
/// The file does not exist.
#[cfg(not(unix))]
pub fn tighten(path: &Path) -> io::Result<bool> {
    std::fs::metadata(path).map(|_| false)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)] // a panic fails the test

    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn credentials_are_the_files_of_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (credentials, other) = (folder.path().join("credentials"), folder.path().join("other"));
        private_folder(&credentials).unwrap();
        private_folder(&other).unwrap();
        assert!(is_credential_in(&credentials.join("key"), &credentials));
        assert!(!is_credential_in(&other.join("key"), &credentials));
        assert!(!is_credential_in(&credentials.join("../other/key"), &credentials));
        assert!(!is_credential_in(Path::new("key"), Path::new("")));
    }

    #[test]
    fn secrets_of_containers_are_credentials() {
        let root = tempfile::tempdir().unwrap();
        let secrets = root.path().join("run/secrets");
        private_folder(&secrets).unwrap();
        let secret = secrets.join("paigow_settings");
        assert!(!is_container_secret(&secret, root.path()), "not a container");
        for mark in [".dockerenv", "run/.containerenv"] {
            let mark = root.path().join(mark);
            create_private(&mark).unwrap();
            assert!(is_container_secret(&secret, root.path()), "{}", mark.display());
            assert!(!is_container_secret(&root.path().join("run/paigow.toml"), root.path()));
            std::fs::remove_file(mark).unwrap();
        }
    }

    #[test]
    fn new_files_and_folders_are_private_and_tighten_removes_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        private_folder(&inner).unwrap();
        private_folder(&inner).unwrap();
        assert_eq!((mode(&inner), mode(&folder.path().join("a"))), (0o700, 0o700));
        let file = inner.join("key");
        create_private(&file).unwrap();
        assert_eq!(mode(&file), 0o600);
        assert_eq!(create_private(&file).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert!(!tighten(&file).unwrap());
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
        assert!(tighten(&file).unwrap());
        assert_eq!(mode(&file), 0o600);
        assert!(tighten(&inner.join("missing")).is_err());
    }
}
