//! Output files, written completely or not at all.

use crate::Failure;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// An output file that is written completely or not at all.
///
/// The data goes to a temporary file in the same folder, which is renamed at the end. A killed program leaves the
/// temporary file. A path that is not a regular file, such as a pipe, is written directly.
pub(crate) struct OutFile {
    file: File,
    path: PathBuf,
    temporary: Option<TemporaryFile>,
}

/// A file that is removed on drop.
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // After the rename there is no file of this name, and the error is ignored.
        let _ = fs::remove_file(&self.0);
    }
}

impl OutFile {
    pub(crate) fn create(path: &Path) -> Result<OutFile, Failure> {
        let refuse = |error: io::Error| Failure::Refused(format!("{}: {error}", path.display()));
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(Failure::Refused(format!("{}: is a folder", path.display()))),
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(path).map_err(refuse)?;
                Ok(OutFile { file, path: path.to_owned(), temporary: None })
            }
            found => {
                // Resolves a symbolic link, so that the rename replaces its target.
                let path =
                    if found.is_ok() { fs::canonicalize(path).map_err(refuse)? } else { path.to_owned() };
                let mut name = path.as_os_str().to_owned();
                name.push(format!(".{}.part", process::id()));
                let temporary = TemporaryFile(PathBuf::from(name));
                let file =
                    OpenOptions::new().write(true).create_new(true).open(&temporary.0).map_err(refuse)?;
                Ok(OutFile { file, path, temporary: Some(temporary) })
            }
        }
    }

    /// Writes the contents, and puts the file in place.
    pub(crate) fn write(
        self,
        contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let OutFile { file, path, temporary } = self;
        let mut out = BufWriter::new(file);
        let written = contents(&mut out).and_then(|()| out.flush()).and_then(|()| match &temporary {
            Some(temporary) => fs::rename(&temporary.0, &path),
            None => Ok(()),
        });
        written.map_err(|error| Failure::Refused(format!("{}: {error}", path.display())))
    }
}
