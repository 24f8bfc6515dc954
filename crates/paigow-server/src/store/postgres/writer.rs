//! Those who write: a few at once, each taking whatever waits as one group. A writer comes when a batch does and goes when none waits,
//! and is a task of its own: whoever asked may go away in the middle, and a transaction must not.
//!
//! Batches at no table wait apart, and one group of them is written at a time: they follow one another in the house log, and tables must not wait for
//! its lock.

use super::super::house::SharedSigner;
use super::super::{AppendOutcome, Batch, StoreError};
use super::{is_passing, write};
use deadpool_postgres::Pool;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// How many batches are committed together at most, so that the first of them does not wait for ever.
const GROUP_MAX: usize = 64;
/// How often a transaction is tried that others are in the way of.
const TRIES_MAX: u32 = 12;

type AppendReply = oneshot::Sender<Result<AppendOutcome, StoreError>>;

pub(super) struct Writers {
    pool: Pool,
    signer: SharedSigner,
    waiting: Mutex<PendingAppend>,
    turns: Arc<Semaphore>,
    batches: AtomicU64,
    commits: AtomicU64,
}

/// Waiting batches, each with the channel for its outcome.
#[derive(Default)]
struct PendingAppend {
    at_tables: VecDeque<(Batch, AppendReply)>,
    outside: VecDeque<(Batch, AppendReply)>,
    /// Whether a group at no table is being written.
    is_outside_busy: bool,
}

/// A group that one writer takes.
struct AppendGroup {
    batches: Vec<Batch>,
    answers: Vec<AppendReply>,
    outside: bool,
}

impl PendingAppend {
    fn push(&mut self, batch: Batch, answer: AppendReply) {
        let queue = if batch.table.is_some() { &mut self.at_tables } else { &mut self.outside };
        queue.push_back((batch, answer));
    }

    /// Whether there is something for a writer to take.
    fn is_any(&self) -> bool {
        !self.at_tables.is_empty() || (!self.is_outside_busy && !self.outside.is_empty())
    }

    fn next(&mut self) -> AppendGroup {
        let outside = !self.is_outside_busy && !self.outside.is_empty();
        let queue = if outside { &mut self.outside } else { &mut self.at_tables };
        let count = queue.len().min(GROUP_MAX);
        let (batches, answers) = queue.drain(..count).unzip();
        self.is_outside_busy |= outside;
        AppendGroup { batches, answers, outside }
    }
}

impl Writers {
    /// How many groups are written at once: while one waits for the disk, others are read and decided.
    pub(super) const MAX: usize = 4;

    pub(super) fn new(pool: Pool, signer: SharedSigner) -> Arc<Writers> {
        let turns = Arc::new(Semaphore::new(Writers::MAX));
        let (waiting, batches, commits) = Default::default();
        Arc::new(Writers { pool, signer, waiting, turns, batches, commits })
    }

    /// How many batches were written, and with how many transactions.
    pub(super) fn commits(&self) -> (u64, u64) {
        (self.batches.load(Ordering::Relaxed), self.commits.load(Ordering::Relaxed))
    }

    /// Has a batch written. It is written also if nobody waits for the answer any more.
    pub(super) async fn append(self: &Arc<Writers>, batch: Batch) -> Result<AppendOutcome, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.waiting().push(batch, answer);
        if let Ok(turn) = self.turns.clone().try_acquire_owned() {
            tokio::spawn(self.clone().work(turn));
        }
        answered.await.unwrap_or(Err(StoreError::Stopped))
    }

    /// Writes until nobody waits.
    async fn work(self: Arc<Writers>, mut turn: OwnedSemaphorePermit) {
        loop {
            let AppendGroup { batches, answers, outside } = self.waiting().next();
            if !batches.is_empty() {
                self.commit(batches, answers).await;
                if outside {
                    self.waiting().is_outside_busy = false;
                }
                continue;
            }
            drop(turn);
            // Who came since we looked, and found all turns taken, is not left waiting.
            let waits = self.waiting().is_any();
            match self.turns.clone().try_acquire_owned() {
                Ok(again) if waits => turn = again,
                _ => return,
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, PendingAppend> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a group and answers all of it, but not before it is committed.
    async fn commit(&self, batches: Vec<Batch>, answers: Vec<AppendReply>) {
        self.batches.fetch_add(batches.len() as u64, Ordering::Relaxed);
        self.commits.fetch_add(1, Ordering::Relaxed);
        let mut outcomes = self.take(&batches).await.map(Vec::into_iter).ok();
        for (batch, answer) in batches.into_iter().zip(answers) {
            let outcome = match outcomes.as_mut().and_then(Iterator::next) {
                Some(outcome) => Ok(outcome),
                // Whatever went wrong may be one batch's: each is tried alone, and so leaves the others alone.
                None => self.alone(batch).await,
            };
            // Whoever asked may be gone.
            let _ = answer.send(outcome);
        }
    }

    async fn take(&self, group: &[Batch]) -> Result<Vec<AppendOutcome>, StoreError> {
        write::take(&self.pool.get().await?, &self.signer, group).await
    }

    async fn alone(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        let group = [batch];
        for tries in 0..TRIES_MAX {
            match self.take(&group).await {
                Err(error) if is_passing(&error) => {
                    tokio::time::sleep(Duration::from_millis(u64::from(tries))).await;
                }
                taken => return taken?.pop().ok_or(StoreError::Stopped),
            }
        }
        Err(StoreError::Contended { tries: TRIES_MAX })
    }
}
