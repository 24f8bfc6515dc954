//! The files of the repository, read once into memory.
//!
//! Git lists them: tracked files, and untracked files that are not ignored. Build output is therefore excluded.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// Texts of all files by their path from the root, with `/` between folders.
pub(crate) struct Tree {
    texts: BTreeMap<String, String>,
}

impl Tree {
    /// Reads the repository at this folder.
    pub(crate) fn load(root: &Path) -> Result<Tree, Failure> {
        let args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let command = format!("git {}", args.join(" "));
        let listing = match Command::new("git").args(args).current_dir(root).output() {
            Ok(output) if output.status.success() => output.stdout,
            Ok(output) => {
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                return Err(Failure::Ended { command, status: output.status });
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return Err(Failure::Missing { tool: "git", remedy: "install it from your distribution" });
            }
            Err(cause) => return Err(Failure::NotStarted { command, cause }),
        };
        let mut texts = BTreeMap::new();
        for path in String::from_utf8_lossy(&listing).split_terminator('\0') {
            let full = root.join(path);
            // Skips files that git still tracks but that have been deleted.
            if full.is_file() {
                let bytes = fs::read(&full).map_err(|cause| Failure::Unreadable { path: full, cause })?;
                // A binary file is listed with an empty text.
                texts.insert(path.to_owned(), String::from_utf8(bytes).unwrap_or_default());
            }
        }
        Ok(Tree { texts })
    }

    /// Iterates over path and text of all files, in the order of their paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Iterates over the files with one of these extensions.
    pub(crate) fn with_extension(&self, extensions: &[&str]) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| {
            Path::new(path).extension().is_some_and(|own| extensions.iter().any(|wanted| own == *wanted))
        })
    }

    /// Returns the text of a file, or `None` if there is no such file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Whether a file or a folder with this path exists.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        self.texts.contains_key(path) || self.files().any(|(file, _)| file.starts_with(&inside))
    }
}

#[cfg(test)]
impl Tree {
    /// Builds a tree from paths and texts.
    pub(crate) fn of(files: &[(&str, &str)]) -> Tree {
        let texts = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
        Tree { texts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_and_folders_by_whole_names() {
        let tree = Tree::of(&[("a/b.rs", ""), ("c.md", "")]);
        assert!(tree.contains("a") && tree.contains("a/b.rs") && tree.contains("c.md"));
        assert!(!tree.contains("a/b") && !tree.contains("c") && !tree.contains("b.rs"));
        assert_eq!(tree.with_extension(&["rs", "toml"]).collect::<Vec<_>>(), [("a/b.rs", "")]);
    }
}
