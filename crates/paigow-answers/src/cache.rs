//! Results kept on disk, by a digest of the rules they follow from, so that a question asked before is answered at once.
//!
//! A result is written beside its place and then moved there: whoever interrupts leaves the old one or the new one. A file that
//! does not hold what it should is as good as none.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// Changes whenever results of the same rules may differ from those of earlier versions of the program.
const METHOD: &str = "paigow counts 2";

/// Where results are kept.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The folder the environment names, or the user's own; none where there is neither.
    pub fn open() -> Option<Cache> {
        let of = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let user = || {
            let cache = of("XDG_CACHE_HOME").or_else(|| of("LOCALAPPDATA"));
            cache.or_else(|| of("HOME").map(|home| home.join(".cache"))).map(|cache| cache.join("paigow"))
        };
        of("PAIGOW_CACHE").or_else(user).map(|folder| Cache { folder })
    }

    /// A folder, made when something is kept.
    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// What is kept under a key, if it is there and whole.
    pub(crate) fn get(&self, key: &CacheKey) -> Option<Value> {
        let text = fs::read_to_string(self.path(key)).ok()?;
        let kept: Value = serde_json::from_str(&text).ok()?;
        // A file may have been renamed, or changed: then it is not what was kept.
        let value = &kept["value"];
        (kept["key"] == key.0 && kept["sha256"] == digest(&[&value.to_string()])).then(|| value.clone())
    }

    /// Keeps a value. That it cannot be kept is no reason not to answer: the next question takes its time again.
    pub(crate) fn put(&self, key: &CacheKey, value: &Value) {
        let digest = digest(&[&value.to_string()]);
        let text = serde_json::json!({ "key": key.0, "sha256": digest, "value": value }).to_string();
        let _ = create_folder(&self.folder).and_then(|()| replace(&self.path(key), &text));
    }

    fn path(&self, key: &CacheKey) -> PathBuf {
        self.folder.join(format!("{}.json", key.0))
    }
}

/// Creates a folder that only its owner may use, and those above it that are missing.
fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.part", process::id()));
    let moved = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        let _ = fs::remove_file(beside);
    }
    moved
}

/// What a result follows from, digested.
pub struct CacheKey(String);

impl CacheKey {
    /// The name of the file.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// The digest of a kind of result and all it follows from.
    pub fn of(kind: &str, from: &[&str]) -> CacheKey {
        let parts: Vec<&str> = [METHOD, kind].iter().chain(from).copied().collect();
        CacheKey(format!("{kind}-{}", digest(&parts)))
    }
}

/// A digest of texts. Lengths keep apart what together reads the same.
fn digest(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    let mut text = String::new();
    for byte in digest.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("paigow-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_is_kept_is_found_under_its_own_key_alone() {
        let cache = Cache { folder: folder("cache") };
        let (key, other) = (CacheKey::of("kind", &["a", "bc"]), CacheKey::of("kind", &["ab", "c"]));
        cache.put(&key, &"kept".into());
        assert_eq!(cache.get(&key), Some("kept".into()));
        assert_eq!(cache.get(&other), None);
        // Under another's name it is not taken for the other's.
        let _ = fs::rename(cache.path(&key), cache.path(&other));
        assert_eq!(cache.get(&other), None);
        // Changed it is not what was kept.
        cache.put(&key, &"kept".into());
        let changed = fs::read_to_string(cache.path(&key)).unwrap_or_default().replace("kept", "cept");
        assert!(fs::write(cache.path(&key), changed).is_ok());
        assert_eq!(cache.get(&key), None);
        let _ = fs::remove_file(cache.path(&key));
        let left = fs::read_dir(&cache.folder).map_or(0, Iterator::count);
        assert_eq!(left, 1, "nothing half-done is left");
        let _ = fs::remove_dir_all(&cache.folder);
    }

    #[test]
    fn a_folder_that_cannot_be_is_no_failure() {
        let file = folder("cache-file");
        assert!(fs::write(&file, "not a folder").is_ok());
        let cache = Cache { folder: file.clone() };
        let key = CacheKey::of("kind", &[]);
        cache.put(&key, &"kept".into());
        assert_eq!(cache.get(&key), None);
        let _ = fs::remove_file(file);
    }
}
