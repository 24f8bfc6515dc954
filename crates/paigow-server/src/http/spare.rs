//! Slots for connections beyond the limits, which receive only health checks and refusals.
//!
//! The server cannot distinguish a health check from other requests before it has read the header. A connection beyond
//! the limits therefore holds a slot while it sends its header. When all slots are in use, a new connection evicts the
//! one that has been silent the longest. A health check sends its header at once, and a client that fills the slots
//! with silent connections evicts its own.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// Slots for connections beyond the limits.
pub(super) struct SpareSlots {
    /// Slots in use, the oldest first.
    entries: Mutex<VecDeque<Entry>>,
    max: usize,
    next_id: AtomicU64,
}

struct Entry {
    id: u64,
    has_request: Arc<AtomicBool>,
    evicted: CancellationToken,
}

/// A slot in use. Dropping it frees the slot.
pub(super) struct SpareSlot {
    spare: Arc<SpareSlots>,
    id: u64,
    /// Set when the request header has arrived. The connection is not evicted after that.
    pub(super) has_request: Arc<AtomicBool>,
    /// Cancelled when another connection takes the slot.
    pub(super) evicted: CancellationToken,
}

impl SpareSlots {
    pub(super) fn new(max: usize) -> Arc<SpareSlots> {
        Arc::new(SpareSlots { entries: Mutex::default(), max, next_id: AtomicU64::new(0) })
    }

    fn entries(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a slot. If all are in use, evicts the connection that has been silent the longest.
    ///
    /// Returns `None` if all slots are in use and every connection has sent its header.
    pub(super) fn take(self: &Arc<SpareSlots>) -> Option<SpareSlot> {
        let mut entries = self.entries();
        if entries.len() >= self.max {
            let silent = entries.iter().position(|entry| !entry.has_request.load(Ordering::Relaxed))?;
            if let Some(entry) = entries.remove(silent) {
                entry.evicted.cancel();
            }
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let (has_request, evicted) = (Arc::<AtomicBool>::default(), CancellationToken::new());
        entries.push_back(Entry { id, has_request: has_request.clone(), evicted: evicted.clone() });
        Some(SpareSlot { spare: self.clone(), id, has_request, evicted })
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
    fn oldest_silent_connection_is_evicted() {
        let spare = SpareSlots::new(2);
        let (Some(active), Some(silent)) = (spare.take(), spare.take()) else { panic!("two slots are free") };
        active.has_request.store(true, Ordering::Relaxed);
        let Some(next) = spare.take() else { panic!("a silent connection is evicted") };
        assert!(silent.evicted.is_cancelled());
        assert!(!active.evicted.is_cancelled() && !next.evicted.is_cancelled());
        next.has_request.store(true, Ordering::Relaxed);
        assert!(spare.take().is_none());
        drop(active);
        assert!(spare.take().is_some());
        drop((silent, next));
        assert!(spare.entries().is_empty());
    }
}
