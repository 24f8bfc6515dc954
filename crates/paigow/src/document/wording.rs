//! Hook for all display sentences of rules and settlements.
//!
//! Stored or hashed data must not depend on a sentence. With the feature `reword`, a test can change the wording of all
//! sentences at run time and check that stores and digests stay the same. Without it, sentences are not changed.

#[cfg(feature = "reword")]
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "reword")]
static REWORDED: AtomicBool = AtomicBool::new(false);

/// Changes the wording of every later sentence in this process, for tests.
#[cfg(feature = "reword")]
pub fn reword() {
    REWORDED.store(true, Ordering::SeqCst);
}

#[cfg(feature = "reword")]
pub(crate) fn apply_wording(sentence: String) -> String {
    if REWORDED.load(Ordering::SeqCst) {
        sentence.split(' ').rev().collect::<Vec<_>>().join(" ~ ")
    } else {
        sentence
    }
}

#[cfg(not(feature = "reword"))]
pub(crate) fn apply_wording(sentence: String) -> String {
    sentence
}
