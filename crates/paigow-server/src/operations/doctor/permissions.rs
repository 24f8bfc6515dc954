//! Checks of owners and modes of files.

use super::DoctorCheck;
use super::disk::{folder, is_writable};
use crate::settings::{SettingSources, Settings};
use crate::store::has_password;
use paigow_table::Secret;
use std::path::{Path, PathBuf};

const NAME: &str = "permissions";

/// Checks every file of a server. Missing files are checked elsewhere.
pub(super) fn checks(sources: &SettingSources, settings: &Settings) -> Vec<DoctorCheck> {
    let mut private = vec![settings.key_path(), settings.operator_secret_path()];
    let mut checks = Vec::new();
    if let Some(store) = settings.store.file() {
        private.extend(store_files(store));
        checks.extend(store_folder(folder(store)));
    }
    if let Some(file) = sources.file.as_ref().filter(|file| has_secret(&file.text, settings)) {
        private.push(PathBuf::from(&*file.name));
    }
    let faults: Vec<DoctorCheck> = private.iter().filter_map(|path| private_file(path)).collect();
    if faults.is_empty() && checks.is_empty() {
        return vec![DoctorCheck::ok(NAME, "only their owner can read the files of the server")];
    }
    checks.extend(faults);
    checks
}

fn store_files(store: &Path) -> impl Iterator<Item = PathBuf> {
    ["", "-wal", "-shm"].into_iter().map(move |suffix| {
        let mut name = store.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// Whether a settings file contains the password of the database or the operator secret.
fn has_secret(text: &str, settings: &Settings) -> bool {
    let store = settings.store.reveal();
    let has_password = has_password(store) && text.contains(store);
    has_password
        || settings
            .operator_secret
            .reveal()
            .is_some_and(|secret| text.contains(&String::from(Secret(secret))))
}

/// Checks that this process may create files beside the store, and that no other user may replace them.
fn store_folder(folder: &Path) -> Option<DoctorCheck> {
    if let Err(why) = is_writable(folder) {
        let found = format!("{} cannot be written: {why}", folder.display());
        return Some(DoctorCheck::fault(NAME, found, "run the server as the owner of the folder"));
    }
    (mode(folder)? & 0o022 != 0 && mode(folder)? & 0o1000 == 0).then(|| {
        let found = format!("other users can replace files in {}", folder.display());
        DoctorCheck::warning(NAME, found, format!("run `chmod go-w {}`", folder.display()))
    })
}

/// Checks that a file, if it exists, belongs to this process's user and that no other user can read it.
pub(super) fn private_file(path: &Path) -> Option<DoctorCheck> {
    file_without(path, 0o077)
}

/// Checks that a file, if it exists, belongs to this process's user and has none of these permission bits.
pub(super) fn file_without(path: &Path, exposed: u32) -> Option<DoctorCheck> {
    let (mode, shown) = (mode(path)?, path.display());
    if let Err(why) = std::fs::File::open(path) {
        return Some(DoctorCheck::fault(
            NAME,
            format!("{shown}: {why}"),
            "run the server as the owner of the file",
        ));
    }
    if crate::private_file::is_credential(path) {
        return None;
    }
    if mode & exposed != 0 {
        let found = format!("{shown} has mode {:04o}: other users can read it", mode & 0o7777);
        return Some(DoctorCheck::fault(NAME, found, format!("run `chmod 600 {shown}`")));
    }
    (!is_own(path)).then(|| {
        let found = format!("{shown} belongs to another user");
        DoctorCheck::warning(NAME, found, "run the server as the owner of the file, or change the owner")
    })
}

#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).ok().map(|file| file.permissions().mode())
}

#[cfg(not(unix))]
fn mode(path: &Path) -> Option<u32> {
    path.exists().then_some(0o600)
}

#[cfg(unix)]
fn is_own(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).is_ok_and(|file| file.uid() == rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn is_own(_: &Path) -> bool {
    true
}
