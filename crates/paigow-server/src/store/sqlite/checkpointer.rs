//! The thread that brings what was written from the database's log into its file, so that nobody who writes waits for it.
//!
//! It goes on from where it was whenever so much is new. Only a log that was brought over whole begins anew, and while somebody
//! writes all the time this thread never reaches its end: when the log is long, it goes over it once more and the writer does
//! the rest between two groups.

use super::super::StoreError;
use rusqlite::Connection;
use rusqlite::wal::CheckpointMode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// How many new pages in the log are brought over together: 16 MiB. With more of them less is written twice, but whoever writes meanwhile
/// is held up for longer.
const PAGES: u32 = 4_000;
/// From how many pages on the log is to begin anew: 125 MiB.
const LONG: u32 = 32_000;
/// With so many the writer brings them over, whatever keeps this thread from it.
const TOO_LONG: u32 = 2 * LONG;

/// How far the log is.
#[derive(Default)]
struct Log {
    /// How many pages are in it.
    pages: AtomicU32,
    /// How many of them are in the file.
    done: AtomicU32,
    /// It is long, and little of it is left.
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
        if self.log.is_nearly_done.swap(false, Ordering::Relaxed) || pages >= TOO_LONG {
            // What could not be done is done later: it is in the log.
            let _ = bring_over(writer, &self.log);
            return;
        }
        // What was done of a log that has begun anew since is nothing.
        let done = Some(self.log.done.load(Ordering::Relaxed)).filter(|done| *done <= pages).unwrap_or(0);
        if pages - done >= PAGES
            && let Some(wake) = &self.wake
        {
            // Where it has been woken already once is enough.
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
        // Where it fails somebody else does it, or the writer when there is too much.
        let done = bring_over(connection, log);
        if done.is_ok() && log.pages.load(Ordering::Relaxed) >= LONG {
            let _ = bring_over(connection, log);
            log.is_nearly_done.store(true, Ordering::Relaxed);
        }
    }
}

/// Brings over what nobody is still reading past.
fn bring_over(connection: &Connection, log: &Log) -> rusqlite::Result<()> {
    let (_, done) = connection.wal_checkpoint_v2(None::<&str>, CheckpointMode::PASSIVE)?;
    log.done.store(done.unsigned_abs(), Ordering::Relaxed);
    Ok(())
}
