//! Writer tasks with group commit.
//!
//! A few tasks run concurrently, each writing the queued batches as one group. A task starts when a batch arrives and
//! ends when the queue is empty. It is separate from the callers, so that a cancelled caller does not leave a
//! transaction unfinished.
//!
//! Batches outside tables have their own queue, and only one group of them is written at a time. They follow one
//! another in the house log, and batches at tables must not wait for its lock.

use super::super::house::SharedSigner;
use super::super::{AppendOutcome, Batch, StoreError};
use super::{is_retryable, write};
use deadpool_postgres::Pool;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Maximum number of batches in a group, which bounds the wait of its first batch.
const GROUP_MAX: usize = 64;
/// Number of attempts at a transaction that conflicts with others.
const ATTEMPTS_MAX: u32 = 12;

type AppendReply = oneshot::Sender<Result<AppendOutcome, StoreError>>;

pub(super) struct Writers {
    pool: Pool,
    signer: SharedSigner,
    pending: Mutex<PendingAppend>,
    permits: Arc<Semaphore>,
    batches: AtomicU64,
    commits: AtomicU64,
}

/// Queued batches, each with the channel for its outcome.
#[derive(Default)]
struct PendingAppend {
    at_tables: VecDeque<(Batch, AppendReply)>,
    outside: VecDeque<(Batch, AppendReply)>,
    /// Whether a group outside tables is being written.
    is_outside_busy: bool,
}

/// Group of batches for one transaction.
struct AppendGroup {
    batches: Vec<Batch>,
    replies: Vec<AppendReply>,
    is_outside: bool,
}

impl PendingAppend {
    fn push(&mut self, batch: Batch, reply: AppendReply) {
        let queue = if batch.table.is_some() { &mut self.at_tables } else { &mut self.outside };
        queue.push_back((batch, reply));
    }

    /// Whether a batch can be written now.
    fn has_next(&self) -> bool {
        !self.at_tables.is_empty() || (!self.is_outside_busy && !self.outside.is_empty())
    }

    /// Removes and returns the next group, which is empty if no batch can be written now.
    fn next(&mut self) -> AppendGroup {
        let is_outside = !self.is_outside_busy && !self.outside.is_empty();
        let queue = if is_outside { &mut self.outside } else { &mut self.at_tables };
        let count = queue.len().min(GROUP_MAX);
        let (batches, replies) = queue.drain(..count).unzip();
        self.is_outside_busy |= is_outside;
        AppendGroup { batches, replies, is_outside }
    }
}

impl Writers {
    /// Maximum number of concurrent groups. While one waits for the disk, others read and plan.
    pub(super) const MAX: usize = 4;

    pub(super) fn new(pool: Pool, signer: SharedSigner) -> Arc<Writers> {
        let permits = Arc::new(Semaphore::new(Writers::MAX));
        let (pending, batches, commits) = Default::default();
        Arc::new(Writers { pool, signer, pending, permits, batches, commits })
    }

    /// Number of batches written, and of transactions that wrote them.
    pub(super) fn commits(&self) -> (u64, u64) {
        (self.batches.load(Ordering::Relaxed), self.commits.load(Ordering::Relaxed))
    }

    /// Queues a batch and waits for its outcome. A queued batch is written even if the caller is gone.
    pub(super) async fn append(self: &Arc<Writers>, batch: Batch) -> Result<AppendOutcome, StoreError> {
        let (reply, outcome) = oneshot::channel();
        self.pending().push(batch, reply);
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            tokio::spawn(self.clone().run(permit));
        }
        outcome.await.unwrap_or(Err(StoreError::Stopped))
    }

    /// Writes groups until no batch can be written.
    async fn run(self: Arc<Writers>, mut permit: OwnedSemaphorePermit) {
        loop {
            let AppendGroup { batches, replies, is_outside } = self.pending().next();
            if !batches.is_empty() {
                self.commit(batches, replies).await;
                if is_outside {
                    self.pending().is_outside_busy = false;
                }
                continue;
            }
            drop(permit);
            // A batch may have arrived after `next` and found no free permit, so the queue is checked once more.
            let has_next = self.pending().has_next();
            match self.permits.clone().try_acquire_owned() {
                Ok(next) if has_next => permit = next,
                _ => return,
            }
        }
    }

    fn pending(&self) -> MutexGuard<'_, PendingAppend> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a group and replies to all of its batches after the commit.
    async fn commit(&self, batches: Vec<Batch>, replies: Vec<AppendReply>) {
        self.batches.fetch_add(batches.len() as u64, Ordering::Relaxed);
        self.commits.fetch_add(1, Ordering::Relaxed);
        let mut outcomes = self.append_group(&batches).await.map(Vec::into_iter).ok();
        for (batch, reply) in batches.into_iter().zip(replies) {
            let outcome = match outcomes.as_mut().and_then(Iterator::next) {
                Some(outcome) => Ok(outcome),
                // One batch may have caused the failure. Each gets its own transaction, so that it does not affect the
                // others.
                None => self.append_single(batch).await,
            };
            // The caller may be gone.
            let _ = reply.send(outcome);
        }
    }

    async fn append_group(&self, group: &[Batch]) -> Result<Vec<AppendOutcome>, StoreError> {
        write::append(&self.pool.get().await?, &self.signer, group).await
    }

    /// Appends one batch in its own transaction, with retries after conflicts.
    async fn append_single(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        let group = [batch];
        for attempt in 0..ATTEMPTS_MAX {
            match self.append_group(&group).await {
                Err(error) if is_retryable(&error) => {
                    tokio::time::sleep(Duration::from_millis(u64::from(attempt))).await;
                }
                outcomes => return outcomes?.pop().ok_or(StoreError::Stopped),
            }
        }
        Err(StoreError::Contended { attempts: ATTEMPTS_MAX })
    }
}
