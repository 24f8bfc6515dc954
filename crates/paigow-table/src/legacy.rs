//! Digests of rules that version 0.0.0 stored in another form.
//!
//! That version hashed the English sentences and citations of a table's rules, which later releases reword. This module
//! lists its digests for the built-in books, each with the canonical digest of the same rules.

/// One line for each rule book and choice of posted paytables: the digest of version 0.0.0, the canonical digest, the
/// book and the paytables.
const DIGESTS: &str = include_str!("legacy_digests.txt");

/// Version stored in the tables that it opened.
pub(crate) const VERSION: &str = "0.0.0";

/// Returns the canonical digest for a digest of version 0.0.0, or `None` if that version had no such built-in book.
pub(crate) fn canonical_digest(sentences: &str, book: &str) -> Option<&'static str> {
    let line = DIGESTS.lines().find(|line| line.starts_with(sentences))?;
    let mut words = line.split(' ').skip(1);
    words.next().filter(|_| words.next() == Some(book))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn digests_are_unique_pairs() {
        let is_digest = |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
        for line in DIGESTS.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(words.len() >= 3 && is_digest(words[0]) && is_digest(words[1]), "{line}");
            assert!(old.insert(words[0]) && new.insert(words[1]), "{line}");
            assert_eq!(canonical_digest(words[0], words[2]), Some(words[1]));
            assert_eq!(canonical_digest(words[0], "./washington.toml"), None);
        }
        assert_eq!(old.len(), 44, "combinations of book and paytables in version 0.0.0");
        assert_eq!(canonical_digest(&"0".repeat(64), "ez"), None);
    }
}
