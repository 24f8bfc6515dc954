//! What version 0.0.0 stored in another form.
//!
//! That version took the digest of a table's rules over English sentences and citations, which later releases reword. The sentences are gone,
//! so the digests it made for the built-in books are listed here, each with the canonical digest of the same rules.

/// One line for each rule book and choice of posted paytables: the digest of version 0.0.0 and the canonical one.
const DIGESTS: &str = include_str!("legacy_digests.txt");

/// The canonical digest of the rules that version 0.0.0 had another digest for; `None` for a book that did not come with it, or one with changed values.
pub(crate) fn canonical_digest(sentences: &str) -> Option<&'static str> {
    DIGESTS
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(old, _)| *old == sentences)
        .map(|(_, new)| new)
}
