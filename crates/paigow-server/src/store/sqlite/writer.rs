//! The one thread that writes. It takes whatever waits, commits once, and answers all: the disk is waited for once a group and not once a
//! batch. Where a batch of a group fails, none of it is kept, and each is tried alone: so it leaves the others alone.

use super::super::{Batch, Outcome, StoreError};
use super::write;
use rusqlite::{Connection, TransactionBehavior};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use tokio::sync::{mpsc, oneshot};

/// How many batches may wait. Whoever comes later waits to be let in.
const WAITING_MAX: usize = 1024;
/// How many batches are committed together at most, so that the first of them does not wait for ever.
const GROUP_MAX: usize = 256;

type Answer = oneshot::Sender<Result<Outcome, StoreError>>;

struct Request {
    batch: Batch,
    answer: Answer,
}

pub(super) struct Writer {
    requests: Option<mpsc::Sender<Request>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    counts: Arc<Counts>,
}

/// How many batches were written, and with how many commits.
#[derive(Default)]
struct Counts {
    batches: AtomicU64,
    commits: AtomicU64,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Result<Writer, StoreError> {
        let (requests, waiting) = mpsc::channel(WAITING_MAX);
        let counts = Arc::new(Counts::default());
        let counted = counts.clone();
        let run = move || work(connection, waiting, &counted);
        let thread = thread::Builder::new().name("store writer".to_owned()).spawn(run)?;
        Ok(Writer { requests: Some(requests), thread: Mutex::new(Some(thread)), counts })
    }

    pub(super) fn commits(&self) -> (u64, u64) {
        (self.counts.batches.load(Ordering::Relaxed), self.counts.commits.load(Ordering::Relaxed))
    }

    /// Has a batch written. It is written also if nobody waits for the answer any more.
    pub(super) async fn append(&self, batch: Batch) -> Result<Outcome, StoreError> {
        let (answer, answered) = oneshot::channel();
        let requests = self.requests.as_ref().ok_or(StoreError::Stopped)?;
        requests.send(Request { batch, answer }).await.map_err(|_| StoreError::Stopped)?;
        answered.await.unwrap_or(Err(StoreError::Stopped))
    }
}

impl Drop for Writer {
    /// What waits is written before the file is let go.
    fn drop(&mut self) {
        self.requests = None;
        let thread = self.thread.get_mut().ok().and_then(Option::take);
        // A thread that panicked has said so already.
        let _ = thread.map(JoinHandle::join);
    }
}

fn work(mut connection: Connection, mut waiting: mpsc::Receiver<Request>, counts: &Counts) {
    let mut group = Vec::with_capacity(GROUP_MAX);
    while waiting.blocking_recv_many(&mut group, GROUP_MAX) > 0 {
        let written = commit(&mut connection, &mut waiting, &mut group);
        counts.batches.fetch_add(written as u64, Ordering::Relaxed);
        counts.commits.fetch_add(1, Ordering::Relaxed);
    }
}

/// Writes a group and answers all of it, but not before it is on the disk. Gives how many there were.
fn commit(
    connection: &mut Connection,
    waiting: &mut mpsc::Receiver<Request>,
    group: &mut Vec<Request>,
) -> usize {
    let together = together(connection, waiting, group);
    let count = group.len();
    let mut outcomes = together.map(|outcomes| outcomes.into_iter().flatten());
    for Request { batch, answer } in group.drain(..) {
        let outcome = match &mut outcomes {
            Ok(outcomes) => outcomes.next().map_or_else(|| alone(connection, &batch), Ok),
            // Without a commit nothing has happened: also a refusal may rest on what is not there now.
            Err(error) => Err(repeat(error)),
        };
        // Whoever asked may be gone.
        let _ = answer.send(outcome);
    }
    count
}

/// Takes a group in one transaction; nothing if one of them fails.
fn together(
    connection: &mut Connection,
    waiting: &mut mpsc::Receiver<Request>,
    group: &mut Vec<Request>,
) -> Result<Option<Vec<Outcome>>, rusqlite::Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut outcomes = Vec::with_capacity(group.len());
    // Who comes while the group is being written still joins it.
    while outcomes.len() < group.len() || join(waiting, group) {
        match write::take(&transaction, &group[outcomes.len()].batch) {
            Ok(outcome) => outcomes.push(outcome),
            Err(_) => return Ok(None),
        }
    }
    transaction.commit()?;
    Ok(Some(outcomes))
}

/// Lets one more into a group, if it waits and there is room.
fn join(waiting: &mut mpsc::Receiver<Request>, group: &mut Vec<Request>) -> bool {
    let next = if group.len() < GROUP_MAX { waiting.try_recv().ok() } else { None };
    let joins = next.is_some();
    group.extend(next);
    joins
}

/// Takes one batch in a transaction of its own.
fn alone(connection: &mut Connection, batch: &Batch) -> Result<Outcome, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let outcome = write::take(&transaction, batch)?;
    transaction.commit()?;
    Ok(outcome)
}

/// The same failure for another of those who wait.
fn repeat(error: &rusqlite::Error) -> StoreError {
    let again = match error {
        rusqlite::Error::SqliteFailure(code, text) => rusqlite::Error::SqliteFailure(*code, text.clone()),
        other => rusqlite::Error::ToSqlConversionFailure(other.to_string().into()),
    };
    StoreError::Sqlite(again)
}
