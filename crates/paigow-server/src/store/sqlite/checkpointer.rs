//! The thread that brings what was written from the database's log into its file, so that nobody who writes waits for it. Pages that change
//! often lie in the log many times and are brought over once: the log is let grow before.
//!
//! While somebody writes all the time this thread never reaches the end, and only a log that was brought over whole begins anew. So it goes
//! over it until little is left, and the writer does the rest between two groups.

use super::super::StoreError;
use rusqlite::Connection;
use rusqlite::wal::CheckpointMode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// From how many pages in the log on it is brought over: 16 MiB. With more of them less is written twice, but
/// whoever writes meanwhile is held up for longer.
const PAGES: u32 = 4_000;
/// So few pages are little.
const REST: u32 = 256;
/// How often the log is gone over before that is left to the writer.
const PASSES_MAX: u32 = 8;
/// With so many pages the writer brings them over, whatever keeps this thread from it.
const PAGES_MAX: u32 = 4 * PAGES;

/// How far the log is.
#[derive(Default)]
struct Log {
    /// How many pages are in it.
    pages: AtomicU32,
    /// Little is left of it.
    is_nearly_done: AtomicBool,
}

pub(super) struct Checkpointer {
    log: Arc<Log>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// For what `writer` writes; with a connection of its own.
    pub(super) fn start(writer: &mut Connection, own: Connection) -> Result<Checkpointer, StoreError> {
        let log = Arc::new(Log::default());
        let (counted, gone_over) = (log.clone(), log.clone());
        // In place of the database's own, which would have whoever commits do it all.
        writer.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages: i32| {
            counted.pages.store(pages.unsigned_abs(), Ordering::Relaxed);
            Ok(())
        }))?;
        let (wake, woken) = sync_channel(1);
        let run = move || work(&own, &woken, &gone_over);
        let thread = thread::Builder::new().name("store log".to_owned()).spawn(run)?;
        Ok(Checkpointer { log, wake: Some(wake), thread: Some(thread) })
    }

    /// The writer has committed, and waits for nobody.
    pub(super) fn committed(&self, writer: &Connection) {
        let pages = self.log.pages.load(Ordering::Relaxed);
        if pages < PAGES {
            return;
        }
        if self.log.is_nearly_done.swap(false, Ordering::Relaxed) || pages >= PAGES_MAX {
            // What could not be done is done later: it is in the log.
            let _ = bring_over(writer);
        } else if let Some(wake) = &self.wake {
            // One that is awake need not be woken.
            let _ = wake.try_send(());
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.wake = None;
        // A thread that panicked has said so already.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn work(connection: &Connection, woken: &Receiver<()>, log: &Log) {
    while woken.recv().is_ok() {
        for _ in 0..PASSES_MAX {
            // Where it fails somebody else does it, or the writer when there is too much.
            let Ok(done) = bring_over(connection) else { break };
            if log.pages.load(Ordering::Relaxed).saturating_sub(done) <= REST {
                break;
            }
        }
        log.is_nearly_done.store(true, Ordering::Relaxed);
    }
}

/// Brings over what nobody is still reading past; gives how many pages of the log are in the file now.
fn bring_over(connection: &Connection) -> rusqlite::Result<u32> {
    let (_, done) = connection.wal_checkpoint_v2(None::<&str>, CheckpointMode::PASSIVE)?;
    Ok(done.unsigned_abs())
}
