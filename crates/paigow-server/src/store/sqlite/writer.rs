//! The one thread that writes. It takes whatever waits, commits once, and answers all: the disk is waited for once a group and not once a
//! batch. Where a batch of a group fails, none of it is kept, and each is tried alone: so it leaves the others alone. What is no batch is
//! written after the batches it came with, together, each in a savepoint of its own.

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

/// How many batches may wait. Whoever comes later waits to be let in.
const WAITING_MAX: usize = 1024;
/// How many batches are committed together at most, so that the first of them does not wait for ever.
const GROUP_MAX: usize = 256;

type AppendReply = oneshot::Sender<Result<AppendOutcome, StoreError>>;

/// Work that is no batch: done, if there is a transaction to do it in, it leaves behind how it is answered once it is known whether
/// that was committed.
type WriterJob = Box<dyn FnOnce(Option<&mut Transaction<'_>>) -> Reply + Send>;
type Reply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

#[allow(clippy::large_enum_variant)] // nearly all are batches
enum Request {
    Batch(Batch, AppendReply),
    Other(WriterJob),
}

/// A batch that waits.
struct PendingAppend {
    batch: Batch,
    answer: AppendReply,
}

/// What is written next.
#[derive(Default)]
struct AppendGroup {
    batches: Vec<PendingAppend>,
    others: Vec<WriterJob>,
}

impl AppendGroup {
    fn add(&mut self, request: Request) {
        match request {
            Request::Batch(batch, answer) => self.batches.push(PendingAppend { batch, answer }),
            Request::Other(work) => self.others.push(work),
        }
    }
}

pub(super) struct Writer {
    requests: Option<mpsc::Sender<Request>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    counts: Arc<WriteCounts>,
}

/// How many batches were written, and with how many commits.
#[derive(Default)]
struct WriteCounts {
    batches: AtomicU64,
    commits: AtomicU64,
}

impl Writer {
    pub(super) fn start(
        mut connection: Connection,
        for_log: Connection,
        files: Arc<OpenedFiles>,
        signer: SharedSigner,
    ) -> Result<Writer, StoreError> {
        let checkpointer = Checkpointer::start(&mut connection, for_log)?;
        let (requests, waiting) = mpsc::channel(WAITING_MAX);
        let counts = Arc::new(WriteCounts::default());
        let counted = counts.clone();
        let run = move || work(connection, waiting, &signer, &counted, &checkpointer, &files);
        let thread = thread::Builder::new().name("store writer".to_owned()).spawn(run)?;
        Ok(Writer { requests: Some(requests), thread: Mutex::new(Some(thread)), counts })
    }

    pub(super) fn commits(&self) -> (u64, u64) {
        (self.counts.batches.load(Ordering::Relaxed), self.counts.commits.load(Ordering::Relaxed))
    }

    /// Has a batch written. It is written also if nobody waits for the answer any more.
    pub(super) async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.send(Request::Batch(batch, answer)).await?;
        answered.await.unwrap_or(Err(StoreError::Stopped))
    }

    /// Has something else written, as a batch is.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let work = move |transaction: Option<&mut Transaction<'_>>| -> Reply {
            let done = apart(transaction, write);
            // Whoever asked may be gone.
            Box::new(move |committed| drop(answer.send(first_failure(done, committed))))
        };
        self.send(Request::Other(Box::new(work))).await?;
        answered.await.unwrap_or(Err(StoreError::Stopped))
    }

    async fn send(&self, request: Request) -> Result<(), StoreError> {
        let requests = self.requests.as_ref().ok_or(StoreError::Stopped)?;
        requests.send(request).await.map_err(|_| StoreError::Stopped)
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

fn work(
    mut connection: Connection,
    mut waiting: mpsc::Receiver<Request>,
    signer: &SharedSigner,
    counts: &WriteCounts,
    checkpointer: &Checkpointer,
    files: &OpenedFiles,
) {
    let mut arrived = Vec::with_capacity(GROUP_MAX);
    let mut group = AppendGroup::default();
    let mut known = WriterCache::default();
    while waiting.blocking_recv_many(&mut arrived, GROUP_MAX) > 0 {
        arrived.drain(..).for_each(|request| group.add(request));
        if !group.batches.is_empty() {
            let written = commit(&mut connection, signer, &mut known, &mut waiting, &mut group, files);
            counts.batches.fetch_add(written as u64, Ordering::Relaxed);
            counts.commits.fetch_add(1, Ordering::Relaxed);
        }
        if !group.others.is_empty() {
            commit_others(&mut connection, std::mem::take(&mut group.others), files);
        }
        checkpointer.committed(&connection);
    }
}

/// Writes a group's batches and answers all of them, but not before they are on the disk. Gives how many there were.
fn commit(
    connection: &mut Connection,
    signer: &SharedSigner,
    known: &mut WriterCache,
    waiting: &mut mpsc::Receiver<Request>,
    group: &mut AppendGroup,
    files: &OpenedFiles,
) -> usize {
    let together = together(connection, signer, known, waiting, group, files);
    if !matches!(together, Ok(Some(_))) {
        known.forget();
    }
    let count = group.batches.len();
    let mut outcomes = together.map(|outcomes| outcomes.into_iter().flatten());
    for PendingAppend { batch, answer } in group.batches.drain(..) {
        let outcome = match &mut outcomes {
            Ok(outcomes) => outcomes.next().map_or_else(|| alone(connection, signer, &batch, files), Ok),
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
    signer: &SharedSigner,
    known: &mut WriterCache,
    waiting: &mut mpsc::Receiver<Request>,
    group: &mut AppendGroup,
    files: &OpenedFiles,
) -> Result<Option<Vec<AppendOutcome>>, StoreError> {
    files.check()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    known.begin(&transaction)?;
    let mut outcomes = Vec::with_capacity(group.batches.len());
    // Who comes while the group is being written still joins it.
    while outcomes.len() < group.batches.len() || join(waiting, group) {
        match write::take(&transaction, signer, known, &group.batches[outcomes.len()].batch) {
            Ok(outcome) => outcomes.push(outcome),
            Err(_) => return Ok(None),
        }
    }
    transaction.commit()?;
    // Asked again: what was committed into a file that was deleted meanwhile is not acknowledged.
    files.check()?;
    Ok(Some(outcomes))
}

/// Lets one more batch into a group, if one waits and there is room.
fn join(waiting: &mut mpsc::Receiver<Request>, group: &mut AppendGroup) -> bool {
    let batches = group.batches.len();
    while group.batches.len() == batches && batches < GROUP_MAX {
        let Ok(request) = waiting.try_recv() else { return false };
        group.add(request);
    }
    group.batches.len() > batches
}

/// Takes one batch in a transaction of its own.
fn alone(
    connection: &mut Connection,
    signer: &SharedSigner,
    batch: &Batch,
    files: &OpenedFiles,
) -> Result<AppendOutcome, StoreError> {
    files.check()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let outcome = write::take(&transaction, signer, &mut WriterCache::default(), batch)?;
    transaction.commit()?;
    files.check()?;
    Ok(outcome)
}

/// Writes what is no batch, and answers it.
fn commit_others(connection: &mut Connection, others: Vec<WriterJob>, files: &OpenedFiles) {
    let mut replies: Vec<Reply> = Vec::with_capacity(others.len());
    let mut others = others.into_iter();
    let written: Result<(), StoreError> = (|| {
        files.check()?;
        let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for work in others.by_ref() {
            replies.push(work(Some(&mut transaction)));
            // A failure such as a full disk ends the whole transaction; nothing may be written outside one.
            if transaction.is_autocommit() {
                break;
            }
        }
        transaction.commit()?;
        files.check()
    })();
    replies.extend(others.map(|work| work(None)));
    for reply in replies {
        reply(written.as_ref().map(|&()| ()).map_err(repeat));
    }
}

/// Does one thing of a group in a savepoint; what fails in it leaves the others alone.
fn apart<T>(
    transaction: Option<&mut Transaction<'_>>,
    write: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let savepoint = transaction.ok_or(StoreError::Stopped)?.savepoint()?;
    let done = write(&savepoint)?;
    savepoint.commit()?;
    Ok(done)
}

/// How one thing of a group ended. Its own failure comes first: the commit only repeats it. What had no transaction to be done in failed
/// because of the commit.
fn first_failure<T>(done: Result<T, StoreError>, committed: Result<(), StoreError>) -> Result<T, StoreError> {
    match (done, committed) {
        (Ok(done), committed) => committed.map(|()| done),
        (Err(StoreError::Stopped), Err(commit)) => Err(commit),
        (Err(own), _) => Err(own),
    }
}

/// The same failure for another of those who wait.
fn repeat(error: &StoreError) -> StoreError {
    use rusqlite::Error::{SqliteFailure, ToSqlConversionFailure};
    match error {
        StoreError::Replaced { file } => StoreError::Replaced { file: file.clone() },
        StoreError::Sqlite(SqliteFailure(code, text)) => SqliteFailure(*code, text.clone()).into(),
        other => ToSqlConversionFailure(other.to_string().into()).into(),
    }
}
