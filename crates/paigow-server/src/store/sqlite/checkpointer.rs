//! Thread that checkpoints the write-ahead log into the database file, so that the writer does not wait for it.
//!
//! It runs a checkpoint whenever the log has enough new pages. SQLite restarts the log only after a complete
//! checkpoint, and under constant writes this thread never reaches the end of the log. When the log is long, the thread
//! runs a second checkpoint and lets the writer do the rest between two groups.

use super::super::StoreError;
use rusqlite::Connection;
use rusqlite::wal::CheckpointMode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Number of new pages in the log that starts a checkpoint: 16 MiB. With a higher number fewer pages are written twice,
/// but a checkpoint delays concurrent writes for longer.
const CHECKPOINT_PAGES: u32 = 4_000;
/// Length of the log in pages from which it should be restarted: 125 MiB.
const RESTART_PAGES: u32 = 32_000;
/// Length of the log in pages from which the writer runs the checkpoint, if this thread cannot.
const FORCE_PAGES: u32 = 2 * RESTART_PAGES;

/// State of the write-ahead log.
#[derive(Default)]
struct WalState {
    /// Number of pages in the log.
    pages: AtomicU32,
    /// Number of those pages that are checkpointed.
    checkpointed: AtomicU32,
    /// Whether the log is long and its checkpoint nearly complete, so that the writer should complete it.
    is_nearly_complete: AtomicBool,
}

pub(super) struct Checkpointer {
    wal: Arc<WalState>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts the thread for the log that `writer` writes, with a second connection for the checkpoints.
    pub(super) fn start(writer: &mut Connection, connection: Connection) -> Result<Checkpointer, StoreError> {
        let wal = Arc::new(WalState::default());
        let (written, shared) = (wal.clone(), wal.clone());
        // Replaces SQLite's own hook, which runs checkpoints in the committing thread.
        writer.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages: i32| {
            written.pages.store(pages.unsigned_abs(), Ordering::Relaxed);
            Ok(())
        }))?;
        let (wake, woken) = sync_channel(1);
        let task = move || run(&connection, &woken, &shared);
        let thread = thread::Builder::new().name("store log".to_owned()).spawn(task)?;
        Ok(Checkpointer { wal, wake: Some(wake), thread: Some(thread) })
    }

    /// Called by the writer after each commit. Wakes the thread, or runs a checkpoint itself.
    pub(super) fn committed(&self, writer: &Connection) {
        let pages = self.wal.pages.load(Ordering::Relaxed);
        if self.wal.is_nearly_complete.swap(false, Ordering::Relaxed) || pages >= FORCE_PAGES {
            // A failed checkpoint is retried later. The pages stay in the log.
            let _ = checkpoint(writer, &self.wal);
            return;
        }
        // A count above the length of the log belongs to the log before a restart.
        let checkpointed = Some(self.wal.checkpointed.load(Ordering::Relaxed));
        let checkpointed = checkpointed.filter(|count| *count <= pages).unwrap_or(0);
        if pages - checkpointed >= CHECKPOINT_PAGES
            && let Some(wake) = &self.wake
        {
            // A full channel means that the thread is already woken.
            let _ = wake.try_send(());
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.wake = None;
        // The panic hook has reported a panic of the thread already.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn run(connection: &Connection, woken: &Receiver<()>, wal: &WalState) {
    while woken.recv().is_ok() {
        // If a checkpoint fails, another process runs it, or the writer once the log is too long.
        let result = checkpoint(connection, wal);
        if result.is_ok() && wal.pages.load(Ordering::Relaxed) >= RESTART_PAGES {
            let _ = checkpoint(connection, wal);
            wal.is_nearly_complete.store(true, Ordering::Relaxed);
        }
    }
}

/// Checkpoints the pages that no reader still needs in the log.
fn checkpoint(connection: &Connection, wal: &WalState) -> rusqlite::Result<()> {
    let (_, checkpointed) = connection.wal_checkpoint_v2(None::<&str>, CheckpointMode::PASSIVE)?;
    wal.checkpointed.store(checkpointed.unsigned_abs(), Ordering::Relaxed);
    Ok(())
}
