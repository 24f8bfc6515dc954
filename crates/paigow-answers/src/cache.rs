//! Cache of results on disk, by a digest of the rules they follow from.
//!
//! A result is written to a temporary file and then renamed, so an interruption leaves the old file or the new one. A
//! file with the wrong key or digest is ignored.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs, io, process};

/// Version of the computations, part of every key. Change it when results for the same rules may differ from before.
const METHOD: &str = "paigow counts 2";

/// Maximum number of files of bytes, each a table of worths of 106 MB.
pub(crate) const BYTES_FILES_MAX: usize = 12;

/// A folder with cached results.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Opens the cache in `PAIGOW_CACHE`, or in the user's cache folder. Returns `None` if neither is set.
    pub fn open() -> Option<Cache> {
        let var = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let user = || {
            let cache = var("XDG_CACHE_HOME").or_else(|| var("LOCALAPPDATA"));
            cache.or_else(|| var("HOME").map(|home| home.join(".cache"))).map(|cache| cache.join("paigow"))
        };
        var("PAIGOW_CACHE").or_else(user).map(|folder| Cache { folder })
    }

    /// Opens the cache in this folder. The folder is created with the first result.
    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// Folder of the cache, which may not exist yet.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the cached value of a key, or `None` if there is no valid file for it.
    pub(crate) fn get(&self, key: &CacheKey) -> Option<Value> {
        let text = fs::read_to_string(self.path(key)).ok()?;
        let entry: Value = serde_json::from_str(&text).ok()?;
        // The key detects a renamed file, the digest a changed one.
        let value = &entry["value"];
        (entry["key"] == key.0 && entry["sha256"] == digest(&[&value.to_string()])).then(|| value.clone())
    }

    /// Stores a value. A failure to write is ignored: the next request computes the value again.
    pub(crate) fn put(&self, key: &CacheKey, value: &Value) {
        let digest = digest(&[&value.to_string()]);
        let text = serde_json::json!({ "key": key.0, "sha256": digest, "value": value }).to_string();
        let _ = create_folder(&self.folder).and_then(|()| write_atomically(&self.path(key), &text));
    }

    /// Returns the cached bytes of a key, or `None` if there is no valid file for it.
    pub(crate) fn get_bytes(&self, key: &CacheKey) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.bytes_path(key)).ok()?;
        let contents = bytes.split_off(bytes.len().min(DIGEST_BYTES));
        (bytes == bytes_digest(key, &contents)).then_some(contents)
    }

    /// Records that the bytes of a key are used now, as the modification time of their file. A failure is ignored: a folder
    /// may be read-only.
    pub(crate) fn touch_bytes(&self, key: &CacheKey) {
        let file = fs::File::options().append(true).open(self.bytes_path(key));
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }

    /// Stores bytes after a digest of the key and the bytes. A failure to write is ignored.
    ///
    /// Clients can ask for ever new bytes, so the number of files is limited. The files that were not used for the longest
    /// time are removed, those whose key `is_common` last.
    pub(crate) fn put_bytes(&self, key: &CacheKey, bytes: &[u8], is_common: impl Fn(&str) -> bool) {
        let file = [&bytes_digest(key, bytes)[..], bytes].concat();
        let written =
            create_folder(&self.folder).and_then(|()| write_atomically(&self.bytes_path(key), &file));
        if written.is_ok() {
            self.remove_unused_bytes(key, is_common);
        }
    }

    /// Removes surplus files of bytes, except that of a key. A failure is ignored.
    fn remove_unused_bytes(&self, written: &CacheKey, is_common: impl Fn(&str) -> bool) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut files: Vec<_> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
            .filter_map(|path| Some((fs::metadata(&path).and_then(|found| found.modified()).ok()?, path)))
            .collect();
        let surplus = files.len().saturating_sub(BYTES_FILES_MAX);
        if surplus == 0 {
            return;
        }
        let is_common = |path: &Path| path.file_stem().is_some_and(|name| is_common(&name.to_string_lossy()));
        files.retain(|(_, path)| *path != self.bytes_path(written));
        files.sort_by_cached_key(|(used, path)| (is_common(path), *used));
        for (_, path) in files.iter().take(surplus) {
            let _ = fs::remove_file(path);
        }
    }

    fn path(&self, key: &CacheKey) -> PathBuf {
        self.folder.join(format!("{}.json", key.0))
    }

    fn bytes_path(&self, key: &CacheKey) -> PathBuf {
        self.folder.join(format!("{}.bin", key.0))
    }
}

/// Creates a folder and its missing parents, accessible only to their owner.
fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn write_atomically(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let temporary = path.with_extension(format!("{}.part", process::id()));
    let written = fs::write(&temporary, contents).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(temporary);
    }
    written
}

/// Key of a cached result: its kind and a digest of all its inputs.
pub struct CacheKey(String);

impl CacheKey {
    /// Returns the file name without its extension.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// Creates the key for a kind of result and all inputs that it depends on.
    pub fn of(kind: &str, inputs: &[&str]) -> CacheKey {
        let parts: Vec<&str> = [METHOD, kind].iter().chain(inputs).copied().collect();
        CacheKey(format!("{kind}-{}", digest(&parts)))
    }
}

/// Length of a SHA-256 digest in bytes.
const DIGEST_BYTES: usize = 32;

/// SHA-256 digest of a key and bytes.
fn bytes_digest(key: &CacheKey, bytes: &[u8]) -> [u8; DIGEST_BYTES] {
    let digest = Sha256::new().chain_update((key.0.len() as u64).to_le_bytes()).chain_update(&key.0);
    digest.chain_update(bytes).finalize().into()
}

/// SHA-256 digest of a list of texts. Each text is preceded by its length, so that boundaries count.
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
    #![allow(clippy::unwrap_used)] // a panic fails the test

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("paigow-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn value_is_found_only_under_its_own_key_and_digest() {
        let cache = Cache { folder: folder("cache") };
        let (key, other) = (CacheKey::of("kind", &["a", "bc"]), CacheKey::of("kind", &["ab", "c"]));
        cache.put(&key, &"kept".into());
        assert_eq!(cache.get(&key), Some("kept".into()));
        assert_eq!(cache.get(&other), None);
        // A renamed file is ignored.
        let _ = fs::rename(cache.path(&key), cache.path(&other));
        assert_eq!(cache.get(&other), None);
        // A changed file is ignored.
        cache.put(&key, &"kept".into());
        let changed = fs::read_to_string(cache.path(&key)).unwrap_or_default().replace("kept", "cept");
        assert!(fs::write(cache.path(&key), changed).is_ok());
        assert_eq!(cache.get(&key), None);
        let _ = fs::remove_file(cache.path(&key));
        let left = fs::read_dir(&cache.folder).map_or(0, Iterator::count);
        assert_eq!(left, 1, "a temporary file is left");
        let _ = fs::remove_dir_all(&cache.folder);
    }

    #[test]
    fn bytes_are_found_only_under_their_own_key_and_digest() {
        let cache = Cache { folder: folder("cache-bytes") };
        let (key, other) = (CacheKey::of("kind", &["a"]), CacheKey::of("kind", &["b"]));
        assert_eq!(cache.get_bytes(&key), None);
        cache.put_bytes(&key, b"kept", |_| false);
        assert_eq!(cache.get_bytes(&key).as_deref(), Some(&b"kept"[..]));
        let file = fs::read(cache.bytes_path(&key)).unwrap_or_default();
        // A renamed, a changed and a truncated file are ignored.
        assert!(fs::write(cache.bytes_path(&other), &file).is_ok());
        assert_eq!(cache.get_bytes(&other), None);
        for wrong in [&file[..file.len() - 1], &file[..3], &[], &[&file[..], b"!"].concat()] {
            assert!(fs::write(cache.bytes_path(&key), wrong).is_ok());
            assert_eq!(cache.get_bytes(&key), None);
        }
        let _ = fs::remove_dir_all(&cache.folder);
    }

    #[test]
    fn bytes_not_used_for_the_longest_time_are_removed_and_common_ones_last() {
        let cache = Cache { folder: folder("cache-surplus") };
        let keys: Vec<CacheKey> =
            (0..4 * BYTES_FILES_MAX).map(|number| CacheKey::of("kind", &[&number.to_string()])).collect();
        // The file systems of some machines store times in seconds, so the times are set.
        let hours_ago = |key: &CacheKey, hours: u64| {
            let file = fs::File::options().append(true).open(cache.bytes_path(key)).unwrap();
            file.set_modified(SystemTime::now() - std::time::Duration::from_secs(3_600 * hours)).unwrap();
        };
        let common: Vec<&str> = keys[..2].iter().map(CacheKey::name).collect();
        let put = |key: &CacheKey| cache.put_bytes(key, b"kept", |name| common.contains(&name));
        for (number, key) in keys[..BYTES_FILES_MAX].iter().enumerate() {
            put(key);
            hours_ago(key, 1_000 - number as u64);
        }
        // The third was written before the others, and is used now.
        cache.touch_bytes(&keys[2]);
        let has = |index: usize| cache.get_bytes(&keys[index]).is_some();
        put(&keys[BYTES_FILES_MAX]);
        assert_eq!([0, 1, 2, 3, 4, BYTES_FILES_MAX].map(has), [true, true, true, false, true, true]);
        for key in &keys[BYTES_FILES_MAX..] {
            put(key);
        }
        assert_eq!([0, 1, 2, keys.len() - 1].map(has), [true, true, false, true]);
        assert_eq!(fs::read_dir(&cache.folder).map_or(0, Iterator::count), BYTES_FILES_MAX);
        // A file that was just written stays, even if all others are common.
        let last = CacheKey::of("kind", &["last"]);
        cache.put_bytes(&last, b"kept", |name| name != last.name());
        assert!(cache.get_bytes(&last).is_some());
        // Bytes that do not exist are not touched.
        cache.touch_bytes(&CacheKey::of("kind", &["none"]));
        let _ = fs::remove_dir_all(&cache.folder);
    }

    #[test]
    fn folder_that_cannot_be_created_is_ignored() {
        let file = folder("cache-file");
        assert!(fs::write(&file, "not a folder").is_ok());
        let cache = Cache { folder: file.clone() };
        let key = CacheKey::of("kind", &[]);
        cache.put(&key, &"kept".into());
        assert_eq!(cache.get(&key), None);
        let _ = fs::remove_file(file);
    }
}
