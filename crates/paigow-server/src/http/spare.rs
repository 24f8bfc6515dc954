//! Connections beyond the limits: a few at a time, answered health checks and refusals only.
//!
//! A health check that arrives while all connections are taken cannot be told from other clients before it has sent its header. So a
//! connection beyond the limits waits here for its header. When the slots run out, the connection that has been silent for longest
//! gives way: a health check sends its header at once, and a client that fills the slots with silent connections displaces its own.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// The slots for connections beyond the limits.
pub(super) struct Spare {
    /// The oldest first.
    entries: Mutex<VecDeque<Entry>>,
    most: usize,
    next: AtomicU64,
}

struct Entry {
    id: u64,
    has_asked: Arc<AtomicBool>,
    evicted: CancellationToken,
}

/// A slot, free again when it is dropped.
pub(super) struct SpareSlot {
    spare: Arc<Spare>,
    id: u64,
    /// Set when the header has arrived: from then on the connection is not displaced.
    pub(super) has_asked: Arc<AtomicBool>,
    /// The slot went to another connection.
    pub(super) evicted: CancellationToken,
}

impl Spare {
    pub(super) fn new(most: usize) -> Arc<Spare> {
        Arc::new(Spare { entries: Mutex::default(), most, next: AtomicU64::new(0) })
    }

    fn entries(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot, if need be that of the connection that has been silent for longest; `None` where every connection has asked.
    pub(super) fn take(self: &Arc<Spare>) -> Option<SpareSlot> {
        let mut entries = self.entries();
        if entries.len() >= self.most {
            let silent = entries.iter().position(|entry| !entry.has_asked.load(Ordering::Relaxed))?;
            if let Some(entry) = entries.remove(silent) {
                entry.evicted.cancel();
            }
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (has_asked, evicted) = (Arc::<AtomicBool>::default(), CancellationToken::new());
        entries.push_back(Entry { id, has_asked: has_asked.clone(), evicted: evicted.clone() });
        Some(SpareSlot { spare: self.clone(), id, has_asked, evicted })
    }
}

impl Drop for SpareSlot {
    fn drop(&mut self) {
        self.spare.entries().retain(|entry| entry.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_has_been_silent_for_longest_gives_way_and_none_that_has_asked() {
        let spare = Spare::new(2);
        let (Some(asked), Some(silent)) = (spare.take(), spare.take()) else { panic!("there is room") };
        asked.has_asked.store(true, Ordering::Relaxed);
        let Some(next) = spare.take() else { panic!("a silent connection gives way") };
        assert!(silent.evicted.is_cancelled());
        assert!(!asked.evicted.is_cancelled() && !next.evicted.is_cancelled());
        next.has_asked.store(true, Ordering::Relaxed);
        assert!(spare.take().is_none());
        drop(asked);
        assert!(spare.take().is_some());
        drop((silent, next));
        assert!(spare.entries().is_empty());
    }
}
