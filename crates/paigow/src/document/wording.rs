//! The point through which the sentences of rules and settlements pass on their way to a reader.
//!
//! Nothing that is stored or hashed may depend on a sentence. With the feature `reword` a test can swap the words of all of them while the
//! program runs, and show that stores and digests stay the same. Without it a sentence passes as it is.

#[cfg(feature = "reword")]
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "reword")]
static REWORDED: AtomicBool = AtomicBool::new(false);

/// Swaps the words of every sentence from now on, in the whole process.
#[cfg(feature = "reword")]
pub fn reword() {
    REWORDED.store(true, Ordering::SeqCst);
}

#[cfg(feature = "reword")]
pub(crate) fn worded(sentence: String) -> String {
    if REWORDED.load(Ordering::SeqCst) {
        sentence.split(' ').rev().collect::<Vec<_>>().join(" ~ ")
    } else {
        sentence
    }
}

#[cfg(not(feature = "reword"))]
pub(crate) fn worded(sentence: String) -> String {
    sentence
}
