//! Writer thread with group commit.
//!
//! It writes all queued batches in one transaction and replies after the commit, so that it waits for the disk once per
//! group instead of once per batch. If a batch fails, the group is rolled back and each batch gets its own transaction,
//! so that one failure does not affect the others. Other write jobs follow the batches of their group, in one
//! transaction with a savepoint for each job.

use super::super::house::SharedSigner;
use super::super::{AppendOutcome, Batch, StoreError};
use super::checkpointer::Checkpointer;
use super::files::OpenedFiles;
use super::write;
use super::writer_cache::WriterCache;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use tokio::sync::{mpsc, oneshot};

/// Capacity of the request queue. Senders wait while it is full.
const QUEUE_MAX: usize = 1024;
/// Maximum number of batches in a group, which bounds the wait of its first batch.
const GROUP_MAX: usize = 256;

type AppendReply = oneshot::Sender<Result<AppendOutcome, StoreError>>;

/// A write other than a batch. It runs in the transaction, if there is one, and returns the function that replies after
/// the commit.
type WriterJob = Box<dyn FnOnce(Option<&mut Transaction<'_>>) -> Reply + Send>;
type Reply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

#[allow(clippy::large_enum_variant)] // nearly all are batches
enum Request {
    Batch(Batch, AppendReply),
    Job(WriterJob),
}

/// A batch in the queue, with the channel for its outcome.
struct PendingAppend {
    batch: Batch,
    reply: AppendReply,
}

/// Requests that are written next.
#[derive(Default)]
struct AppendGroup {
    batches: Vec<PendingAppend>,
    jobs: Vec<WriterJob>,
}

impl AppendGroup {
    fn add(&mut self, request: Request) {
        match request {
            Request::Batch(batch, reply) => self.batches.push(PendingAppend { batch, reply }),
            Request::Job(job) => self.jobs.push(job),
        }
    }
}

pub(super) struct Writer {
    requests: Option<mpsc::Sender<Request>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    counts: Arc<WriteCounts>,
}

/// Number of batches written, and of commits that wrote them.
#[derive(Default)]
struct WriteCounts {
    batches: AtomicU64,
    commits: AtomicU64,
}

impl Writer {
    pub(super) fn start(
        mut connection: Connection,
        checkpoint_connection: Connection,
        files: Arc<OpenedFiles>,
        signer: SharedSigner,
    ) -> Result<Writer, StoreError> {
        let checkpointer = Checkpointer::start(&mut connection, checkpoint_connection)?;
        let (requests, queue) = mpsc::channel(QUEUE_MAX);
        let counts = Arc::new(WriteCounts::default());
        let shared_counts = counts.clone();
        let task = move || run(connection, queue, &signer, &shared_counts, &checkpointer, &files);
        let thread = thread::Builder::new().name("store writer".to_owned()).spawn(task)?;
        Ok(Writer { requests: Some(requests), thread: Mutex::new(Some(thread)), counts })
    }

    pub(super) fn commits(&self) -> (u64, u64) {
        (self.counts.batches.load(Ordering::Relaxed), self.counts.commits.load(Ordering::Relaxed))
    }

    /// Queues a batch and waits for its outcome. A queued batch is written even if the caller is gone.
    pub(super) async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        let (reply, outcome) = oneshot::channel();
        self.send(Request::Batch(batch, reply)).await?;
        outcome.await.unwrap_or(Err(StoreError::Stopped))
    }

    /// Queues another write and waits for its result. A queued write is made even if the caller is gone.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, outcome) = oneshot::channel();
        let job = move |transaction: Option<&mut Transaction<'_>>| -> Reply {
            let result = in_savepoint(transaction, write);
            // The caller may be gone.
            Box::new(move |committed| drop(reply.send(first_failure(result, committed))))
        };
        self.send(Request::Job(Box::new(job))).await?;
        outcome.await.unwrap_or(Err(StoreError::Stopped))
    }

    async fn send(&self, request: Request) -> Result<(), StoreError> {
        let requests = self.requests.as_ref().ok_or(StoreError::Stopped)?;
        requests.send(request).await.map_err(|_| StoreError::Stopped)
    }
}

impl Drop for Writer {
    /// Waits until the queue is written and the thread has ended.
    fn drop(&mut self) {
        self.requests = None;
        let thread = self.thread.get_mut().ok().and_then(Option::take);
        // The panic hook has reported a panic of the thread already.
        let _ = thread.map(JoinHandle::join);
    }
}

fn run(
    mut connection: Connection,
    mut queue: mpsc::Receiver<Request>,
    signer: &SharedSigner,
    counts: &WriteCounts,
    checkpointer: &Checkpointer,
    files: &OpenedFiles,
) {
    let mut arrived = Vec::with_capacity(GROUP_MAX);
    let mut group = AppendGroup::default();
    let mut cache = WriterCache::default();
    while queue.blocking_recv_many(&mut arrived, GROUP_MAX) > 0 {
        arrived.drain(..).for_each(|request| group.add(request));
        if !group.batches.is_empty() {
            let written = commit(&mut connection, signer, &mut cache, &mut queue, &mut group, files);
            counts.batches.fetch_add(written as u64, Ordering::Relaxed);
            counts.commits.fetch_add(1, Ordering::Relaxed);
        }
        if !group.jobs.is_empty() {
            commit_jobs(&mut connection, std::mem::take(&mut group.jobs), files);
        }
        checkpointer.committed(&connection);
    }
}

/// Writes the batches of a group and replies to all of them after the commit. Returns their number.
fn commit(
    connection: &mut Connection,
    signer: &SharedSigner,
    cache: &mut WriterCache,
    queue: &mut mpsc::Receiver<Request>,
    group: &mut AppendGroup,
    files: &OpenedFiles,
) -> usize {
    let committed = commit_group(connection, signer, cache, queue, group, files);
    if !matches!(committed, Ok(Some(_))) {
        cache.clear();
    }
    let count = group.batches.len();
    let mut outcomes = committed.map(|outcomes| outcomes.into_iter().flatten());
    for PendingAppend { batch, reply } in group.batches.drain(..) {
        let outcome = match &mut outcomes {
            Ok(outcomes) => {
                outcomes.next().map_or_else(|| commit_single(connection, signer, &batch, files), Ok)
            }
            // Without a commit no outcome is valid, not even a refusal: it may depend on batches that were rolled back.
            Err(error) => Err(copy_error(error)),
        };
        // The caller may be gone.
        let _ = reply.send(outcome);
    }
    count
}

/// Writes a group in one transaction. Returns `None` and rolls back if a batch fails.
fn commit_group(
    connection: &mut Connection,
    signer: &SharedSigner,
    cache: &mut WriterCache,
    queue: &mut mpsc::Receiver<Request>,
    group: &mut AppendGroup,
    files: &OpenedFiles,
) -> Result<Option<Vec<AppendOutcome>>, StoreError> {
    files.check()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    cache.begin(&transaction)?;
    let mut outcomes = Vec::with_capacity(group.batches.len());
    // Batches that arrive while the group is being written join it.
    while outcomes.len() < group.batches.len() || extend(queue, group) {
        match write::append(&transaction, signer, cache, &group.batches[outcomes.len()].batch) {
            Ok(outcome) => outcomes.push(outcome),
            Err(_) => return Ok(None),
        }
    }
    transaction.commit()?;
    // Checked again, because a commit into a file that was deleted meanwhile must not be acknowledged.
    files.check()?;
    Ok(Some(outcomes))
}

/// Adds requests from the queue up to the next batch. Returns `false` if no batch is queued or the group is full.
fn extend(queue: &mut mpsc::Receiver<Request>, group: &mut AppendGroup) -> bool {
    let batches = group.batches.len();
    while group.batches.len() == batches && batches < GROUP_MAX {
        let Ok(request) = queue.try_recv() else { return false };
        group.add(request);
    }
    group.batches.len() > batches
}

/// Writes one batch in its own transaction.
fn commit_single(
    connection: &mut Connection,
    signer: &SharedSigner,
    batch: &Batch,
    files: &OpenedFiles,
) -> Result<AppendOutcome, StoreError> {
    files.check()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let outcome = write::append(&transaction, signer, &mut WriterCache::default(), batch)?;
    transaction.commit()?;
    files.check()?;
    Ok(outcome)
}

/// Runs the jobs of a group in one transaction and replies to all of them after the commit.
fn commit_jobs(connection: &mut Connection, jobs: Vec<WriterJob>, files: &OpenedFiles) {
    let mut replies: Vec<Reply> = Vec::with_capacity(jobs.len());
    let mut jobs = jobs.into_iter();
    let committed: Result<(), StoreError> = (|| {
        files.check()?;
        let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for job in jobs.by_ref() {
            replies.push(job(Some(&mut transaction)));
            // A failure such as a full disk rolls back the whole transaction. No job may write outside one.
            if transaction.is_autocommit() {
                break;
            }
        }
        transaction.commit()?;
        files.check()
    })();
    replies.extend(jobs.map(|job| job(None)));
    for reply in replies {
        reply(committed.as_ref().map(|&()| ()).map_err(copy_error));
    }
}

/// Runs a write in a savepoint, so that its failure does not affect other jobs of the transaction.
fn in_savepoint<T>(
    transaction: Option<&mut Transaction<'_>>,
    write: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let savepoint = transaction.ok_or(StoreError::Stopped)?.savepoint()?;
    let result = write(&savepoint)?;
    savepoint.commit()?;
    Ok(result)
}

/// Combines the result of a job with that of the commit. The job's own error has precedence, because the commit only
/// repeats it. A job without a transaction failed because of the commit.
fn first_failure<T>(
    result: Result<T, StoreError>,
    committed: Result<(), StoreError>,
) -> Result<T, StoreError> {
    match (result, committed) {
        (Ok(value), committed) => committed.map(|()| value),
        (Err(StoreError::Stopped), Err(commit)) => Err(commit),
        (Err(own), _) => Err(own),
    }
}

/// Copies an error for another caller. Errors of the database are not `Clone`.
fn copy_error(error: &StoreError) -> StoreError {
    use rusqlite::Error::{SqliteFailure, ToSqlConversionFailure};
    match error {
        StoreError::Replaced { file } => StoreError::Replaced { file: file.clone() },
        StoreError::Sqlite(SqliteFailure(code, text)) => SqliteFailure(*code, text.clone()).into(),
        other => ToSqlConversionFailure(other.to_string().into()).into(),
    }
}
