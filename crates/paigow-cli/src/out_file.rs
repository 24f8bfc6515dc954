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
        self.stage(contents)?.put_in_place()
    }

    /// Writes the contents to the temporary file.
    fn stage(
        self,
        contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<StagedFile, Failure> {
        let OutFile { file, path, temporary } = self;
        let mut out = BufWriter::new(file);
        match contents(&mut out).and_then(|()| out.flush()) {
            Ok(()) => Ok(StagedFile { path, temporary }),
            Err(error) => Err(Failure::Refused(format!("{}: {error}", path.display()))),
        }
    }
}

/// A file whose contents are written and not yet in place.
struct StagedFile {
    path: PathBuf,
    temporary: Option<TemporaryFile>,
}

impl StagedFile {
    fn put_in_place(self) -> Result<(), Failure> {
        let StagedFile { path, temporary } = self;
        temporary
            .map_or(Ok(()), |temporary| fs::rename(&temporary.0, &path))
            .map_err(|error| Failure::Refused(format!("{}: {error}", path.display())))
    }
}

/// Writes several files. All contents are written before the first file is put in place.
///
/// # Errors
/// Every path that cannot be written. No file is changed then.
pub(crate) fn write_together(files: &[(PathBuf, &[u8])]) -> Result<(), Failure> {
    let mut staged = Vec::new();
    let mut refusals = Vec::new();
    for (path, contents) in files {
        match OutFile::create(path).and_then(|file| file.stage(|out| out.write_all(contents))) {
            Ok(file) => staged.push(file),
            Err(Failure::Refused(reason)) => refusals.push(reason),
            Err(other) => return Err(other),
        }
    }
    if !refusals.is_empty() {
        return Err(Failure::Refused(refusals.join("\npaigow: ")));
    }
    staged.into_iter().try_for_each(StagedFile::put_in_place)
}
