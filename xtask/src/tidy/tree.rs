//! The files of the repository, read once.
//!
//! Git says which they are: those it tracks and those it would offer to track, so that build output
//! and whatever else is ignored is never looked at.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// Paths from the root, with `/` between folders, each with the file's text.
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
            let place = root.join(path);
            // A file that git still tracks but that was deleted is no longer part of the tree.
            if place.is_file() {
                let bytes = fs::read(&place).map_err(|cause| Failure::Unreadable { path: place, cause })?;
                // What is not text has a name but nothing to read.
                texts.insert(path.to_owned(), String::from_utf8(bytes).unwrap_or_default());
            }
        }
        Ok(Tree { texts })
    }

    /// Every file in the order of its path: path and text.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The files whose name ends in one of these extensions.
    pub(crate) fn with_extension(&self, extensions: &[&str]) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| {
            Path::new(path).extension().is_some_and(|own| extensions.iter().any(|wanted| own == *wanted))
        })
    }

    /// The text of one file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Whether there is a file or a folder with this path.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        self.texts.contains_key(path) || self.files().any(|(file, _)| file.starts_with(&inside))
    }
}

#[cfg(test)]
impl Tree {
    /// A tree made by hand.
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
