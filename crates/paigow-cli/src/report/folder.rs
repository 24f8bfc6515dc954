//! Folder of a report, written as a whole or not at all.

use crate::Failure;
use paigow_answers::report::{DIGESTS_FILE, FORMAT, ReportFile};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io, process};

/// A folder that a report may be written to.
///
/// The files go to a temporary folder beside it, which is renamed at the end. An earlier report is renamed before that and
/// deleted after that. A killed program leaves the temporary folder, and at worst the earlier report under its other name.
pub(crate) struct ReportFolder {
    path: PathBuf,
    /// Whether the folder exists: empty, or with an earlier report.
    exists: bool,
}

/// A folder that is removed on drop.
struct TemporaryFolder(PathBuf);

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // After the rename there is no folder of this name, and the error is ignored.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl ReportFolder {
    /// Checks a path: it must not exist, or be an empty folder or an earlier report and nothing else.
    pub(crate) fn at(path: &Path) -> Result<ReportFolder, Failure> {
        let refuse = |reason: String| Err(Failure::Refused(format!("{}: {reason}", path.display())));
        let exists = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                if path.file_name().is_none() || parent.is_some_and(|parent| !parent.is_dir()) {
                    return refuse("the folder that it is in does not exist".to_owned());
                }
                return Ok(ReportFolder { path: path.to_owned(), exists: false });
            }
            Err(error) => return refuse(error.to_string()),
            Ok(found) if !found.is_dir() => return refuse("is not a folder".to_owned()),
            Ok(_) => true,
        };
        // Resolves links and `.`, so that the folder can be renamed.
        let path = &match fs::canonicalize(path) {
            Ok(path) => path,
            Err(error) => return refuse(error.to_string()),
        };
        let names = match names_in(path) {
            Ok(names) => names,
            Err(error) => return refuse(error.to_string()),
        };
        if names.is_empty() {
            return Ok(ReportFolder { path: path.clone(), exists });
        }
        let Some(listed) = listed_files(path) else {
            return refuse("is not empty and not an earlier report; name a new folder".to_owned());
        };
        let others: Vec<String> = names
            .iter()
            .filter(|name| !listed.iter().any(|file| name.as_os_str() == file.as_str()))
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        if !others.is_empty() {
            return refuse(format!(
                "is an earlier report with other files, which would be deleted: {}",
                others.join(", ")
            ));
        }
        Ok(ReportFolder { path: path.clone(), exists })
    }

    /// Writes the files and puts the folder in place.
    pub(crate) fn write(&self, files: &[ReportFile]) -> Result<(), Failure> {
        let put = || -> io::Result<()> {
            let new = TemporaryFolder(self.beside("new"));
            fs::create_dir(&new.0)?;
            for file in files {
                fs::write(new.0.join(file.name), &file.text)?;
            }
            if !self.exists {
                return fs::rename(&new.0, &self.path);
            }
            let old = TemporaryFolder(self.beside("old"));
            fs::rename(&self.path, &old.0)?;
            fs::rename(&new.0, &self.path).inspect_err(|_| {
                // The earlier report stays in its place if the new one cannot take it.
                let _ = fs::rename(&old.0, &self.path);
            })
        };
        put().map_err(|error| Failure::Refused(format!("{}: {error}", self.path.display())))
    }

    /// Path of a temporary folder in the same folder.
    fn beside(&self, purpose: &str) -> PathBuf {
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".{}.{purpose}", process::id()));
        self.path.with_file_name(name)
    }
}

fn names_in(folder: &Path) -> io::Result<Vec<OsString>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
}

/// Names of the files of an earlier report, or `None` if the folder has no report.
fn listed_files(folder: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(folder.join(DIGESTS_FILE)).ok()?;
    let digests: Value = serde_json::from_str(&text).ok()?;
    if digests["report"] != FORMAT {
        return None;
    }
    let names = digests["files"].as_array()?.iter().map(|file| file["file"].as_str().map(str::to_owned));
    names.chain([Some(DIGESTS_FILE.to_owned())]).collect()
}
