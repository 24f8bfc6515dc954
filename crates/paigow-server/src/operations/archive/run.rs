//! Moves the oldest rounds of a store into an archive.
//!
//! The store changes in one transaction, the last step, after the file is complete, durable, read again and audited. A run
//! that ends earlier leaves the store as it was. The next run with the same file continues: if the file is complete, it is
//! checked and recorded; if not, it is written again.

use super::file_audit::{ArchiveReport, audit_archive};
use super::format::{ArchiveHeader, FORMAT, TableEnd, TableStart};
use super::read::{ArchivePart, ArchiveReader, InvalidArchive};
use super::sums::{account_sums, add_sums};
use super::write::ArchiveWriter;
use crate::operations::audit::{AuditStart, Finding, TableAuditor};
use crate::people::{DAY_MS, LossLimit};
use crate::settings::StoreLocation;
use crate::store::{BlockEnd, NewArchive};
use crate::{
    AnyStore, ArchiveCounts, ArchiveRow, CheckpointRow, PROGRAM, RulesCache, SealOutcome, SealRule, Store,
    StoreError, Tip,
};
use paigow_answers::ProgressWatcher;
use paigow_table::{Commitment, MasterKeys, Table, TableId, Time};
use serde::Serialize;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Store, file and age of an archive.
pub struct ArchiveOptions<'a> {
    /// Store to archive rounds of.
    pub store: &'a StoreLocation,
    /// New file, or the file of an archive that is not recorded yet.
    pub out: &'a Path,
    /// Minimum age of the rounds in days. Rounds that a loss limit may need stay in any case.
    pub days: u64,
    /// Current time.
    pub now: Time,
    /// Rules of the tables, for the audits.
    pub rules: RulesCache,
    /// Master keys, which sign the archive and the house log.
    pub keys: Arc<MasterKeys>,
    /// Creates a progress display for each step, given its name and its number of parts.
    pub progress: &'a ProgressWatcher,
}

/// Result of an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ArchiveOutcome {
    /// Whether the file was written by an earlier run.
    pub resumed: bool,
    /// Whether an earlier run had recorded the archive already. Nothing has changed then.
    pub recorded_before: bool,
    /// Audit of the file, without findings.
    pub report: ArchiveReport,
}

/// Reason why rounds were not archived. The store has not changed.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The store could not be opened, read or written.
    #[error("{location}: {error}")]
    Store {
        /// Location of the store.
        location: StoreLocation,
        /// Failure of the store.
        error: StoreError,
    },
    /// The file could not be written or read.
    #[error("{}: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Failure.
        error: io::Error,
    },
    /// The file exists and is not a valid archive.
    #[error("{}: {error}", .file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
        /// Reason.
        error: InvalidArchive,
    },
    /// Another process writes the same archive.
    #[error("{}: another process writes this archive", .0.display())]
    Busy(PathBuf),
    /// The file is an archive of another store.
    #[error("{}: the file is an archive of another store: use another file", .0.display())]
    OtherStore(PathBuf),
    /// The rounds of the file are not those of the store, or are in another archive.
    #[error(
        "{}: the rounds of the file are not the oldest ones of the store, or are in another archive: use another file",
        .0.display()
    )]
    OtherRounds(PathBuf),
    /// No round is old enough.
    #[error("no rounds are older than {days} days: nothing to archive")]
    Nothing {
        /// Minimum age in days, at least the longest period of a loss limit.
        days: u64,
    },
    /// An audit of the rounds or of the file has findings.
    #[error("{location}: the audit has {count} findings, first {first}; nothing was archived")]
    Findings {
        /// The store or the file.
        location: String,
        /// Number of findings.
        count: usize,
        /// The first finding.
        first: Box<Finding>,
    },
    /// The runtime could not be created.
    #[error("cannot start the runtime: {0}")]
    Runtime(io::Error),
}

/// Moves the oldest rounds of a store into a signed file. Servers may use the store meanwhile.
///
/// # Errors
/// Nothing was archived.
pub fn archive(options: &ArchiveOptions<'_>) -> Result<ArchiveOutcome, ArchiveError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(ArchiveError::Runtime)?.block_on(run(options))
}

async fn run(options: &ArchiveOptions<'_>) -> Result<ArchiveOutcome, ArchiveError> {
    let opened = AnyStore::open_existing(options.store.reveal()).await;
    let store = opened.map_err(|error| store_error(options, error))?;
    store.sign_heads(options.keys.clone());
    let partial = PartialFile::lock(options.out)?;
    let resumed = options.out.exists();
    if !resumed {
        write(&store, options, &partial).await?;
    }
    let done = (options.progress)("audit of the archive", 1);
    let audited = audit_archive(options.out, &options.rules, Some(&options.keys), None);
    let report = audited.map_err(|error| ArchiveError::Invalid { file: options.out.to_owned(), error })?;
    check(&options.out.display().to_string(), &report.findings)?;
    done(1);
    let recorded_before = record(&store, options, &report).await?;
    Ok(ArchiveOutcome { resumed, recorded_before, report })
}

fn store_error(options: &ArchiveOptions<'_>, error: StoreError) -> ArchiveError {
    ArchiveError::Store { location: options.store.clone(), error }
}

fn check(location: &str, findings: &[Finding]) -> Result<(), ArchiveError> {
    findings.first().map_or(Ok(()), |first| {
        Err(ArchiveError::Findings {
            location: location.to_owned(),
            count: findings.len(),
            first: Box::new(first.clone()),
        })
    })
}

/// File that an archive is written to until it is complete. Its lock keeps two processes from writing the same archive.
struct PartialFile {
    path: PathBuf,
    file: File,
    is_renamed: Cell<bool>,
}

impl PartialFile {
    fn lock(out: &Path) -> Result<PartialFile, ArchiveError> {
        let mut name = out.as_os_str().to_owned();
        name.push(".partial");
        let path = PathBuf::from(name);
        let failed = |error: io::Error| ArchiveError::File { file: path.clone(), error };
        let file = crate::private_file::open_private(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(PartialFile { path, file, is_renamed: Cell::new(false) }),
            Err(TryLockError::WouldBlock) => Err(ArchiveError::Busy(out.to_owned())),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_renamed.get() {
            // An incomplete file is not needed. If it stays, the next run writes it again.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Seals old rounds, and writes the archive of all blocks that are old enough.
async fn write(
    store: &AnyStore,
    options: &ArchiveOptions<'_>,
    partial: &PartialFile,
) -> Result<(), ArchiveError> {
    let failed = |error| store_error(options, error);
    let days = options.days.max(LossLimit::DAYS_MAX);
    let older_than = options.now.minus(days.saturating_mul(DAY_MS));
    seal(store, options, older_than).await?;
    let blocks = store.block_ends().await.map_err(failed)?;
    let mut tables: BTreeMap<TableId, Vec<BlockEnd>> = BTreeMap::new();
    for block in blocks {
        tables.entry(block.table.clone()).or_default().push(block);
    }
    for blocks in tables.values_mut() {
        let old = blocks.iter().take_while(|block| block.last_at < older_than).count();
        blocks.truncate(old);
    }
    tables.retain(|_, blocks| !blocks.is_empty());
    if tables.is_empty() {
        return Err(ArchiveError::Nothing { days });
    }
    let last = store.archives().await.map_err(failed)?.pop();
    let (_, key) = options.keys.public().next().ok_or(ArchiveError::Nothing { days })?;
    let header = ArchiveHeader {
        format: FORMAT,
        origin: Commitment(store.origin().await.map_err(failed)?),
        number: last.as_ref().map_or(0, |last| last.number) + 1,
        previous: last.map(|last| Commitment(last.digest)),
        at: options.now,
        older_than,
        program: PROGRAM.to_owned(),
        key,
    };
    let unwritten = |error: io::Error| ArchiveError::File { file: partial.path.clone(), error };
    partial.file.set_len(0).map_err(unwritten)?;
    let out = BufWriter::new(&partial.file);
    let mut out = ArchiveWriter::begin(out, &header).map_err(unwritten)?;
    let count = tables.values().map(|blocks| blocks.len() as u64).sum();
    let done = (options.progress)("archive", count);
    let mut written = 0;
    for (table, blocks) in &tables {
        write_table(store, options, (table, blocks), &mut out, unwritten, &mut || {
            written += 1;
            done(written);
        })
        .await?;
    }
    let out = out.finish(&*options.keys).map_err(unwritten)?;
    out.into_inner().map_err(io::IntoInnerError::into_error).and_then(File::sync_all).map_err(unwritten)?;
    fs::rename(&partial.path, options.out).map_err(unwritten)?;
    partial.is_renamed.set(true);
    sync_folder(options.out).map_err(unwritten)
}

/// Makes the new name of a file durable.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all())
}

/// Seals all rounds that are old enough.
async fn seal(store: &AnyStore, options: &ArchiveOptions<'_>, before: Time) -> Result<(), ArchiveError> {
    let tables = store.tables().await.map_err(|error| store_error(options, error))?;
    let done = (options.progress)("sealing", tables.len() as u64);
    for (number, head) in (1..).zip(tables) {
        let rule = SealRule { before, rounds_min: 1 };
        while let SealOutcome::Sealed { .. } =
            store.seal_next(&head.table, rule).await.map_err(|error| store_error(options, error))?
        {}
        done(number);
    }
    Ok(())
}

/// Writes the blocks of a table. Every command is decided again, so that the checkpoint follows from them.
async fn write_table<W: Write>(
    store: &AnyStore,
    options: &ArchiveOptions<'_>,
    (id, blocks): (&TableId, &[BlockEnd]),
    out: &mut ArchiveWriter<W>,
    unwritten: impl Fn(io::Error) -> ArchiveError,
    done: &mut impl FnMut(),
) -> Result<(), ArchiveError> {
    let failed = |error| store_error(options, error);
    let found = |finding: Finding| check(&options.store.to_string(), &[finding]);
    let checkpoint = store.checkpoint(id).await.map_err(failed)?;
    let mut state = match &checkpoint {
        None => AuditStart::first(),
        Some(row) => match AuditStart::restored(id, row.tip(), (&row.opened, &row.json), &options.rules) {
            Ok(state) => state,
            Err(finding) => return found(finding),
        },
    };
    let mut counts = ArchiveCounts { tables: 1, ..ArchiveCounts::default() };
    let mut sums = BTreeMap::new();
    let mut opened = checkpoint.as_ref().map(|row| row.opened.clone());
    let mut started = false;
    for end in blocks {
        let sealed = store.sealed_block(id, end.last_seq).await.map_err(failed)?;
        let sealed = sealed.ok_or_else(|| failed(StoreError::ArchiveConflict))?;
        let block = sealed.open().map_err(failed)?;
        if !started {
            started = true;
            let first = block.events.first().map(|row| row.json.clone()).unwrap_or_default();
            let Tip { seq, hash } = state.tip;
            let start = TableStart {
                table: id.clone(),
                opened: opened.get_or_insert(first).clone(),
                seq,
                hash: Commitment(hash),
                checkpoint: checkpoint.as_ref().map(|row| row.json.clone()),
            };
            out.table(&start).map_err(&unwritten)?;
        }
        let auditor = TableAuditor::new(Some(id), &block.commands, &block.journal);
        let audited = auditor.run(&block.events, state, &options.rules, Some(&options.keys));
        check(&options.store.to_string(), &audited.findings)?;
        let Some(next) = audited.end else { return Err(failed(StoreError::ArchiveConflict)) };
        state = next;
        let index = block.index();
        add_sums(&mut sums, &index);
        counts.add(&ArchiveCounts {
            tables: 0,
            blocks: 1,
            rounds: audited.rounds,
            events: block.events.len() as u64,
            commands: block.commands.len() as u64,
            transfers: block.journal.len() as u64,
        });
        out.block(&sealed, &index).map_err(&unwritten)?;
        done();
    }
    let Some(reached) = state.table().and_then(Table::checkpoint) else {
        let location = format!("event {} of table {id}", state.tip.seq);
        return found(Finding::new("event_misfit", location, "is not between two rounds"));
    };
    let Tip { seq, hash } = state.tip;
    let row = CheckpointRow {
        table: id.clone(),
        seq,
        hash,
        opened: opened.unwrap_or_default(),
        json: reached.to_json(),
        archive: [0; 32],
    };
    let end = TableEnd {
        seq,
        hash: Commitment(hash),
        checkpoint: row.json.clone(),
        counts,
        accounts: account_sums(&sums),
    };
    out.end_table(&row, &end).map_err(unwritten)
}

/// Records a complete archive in the store. Returns whether it was recorded before.
async fn record(
    store: &AnyStore,
    options: &ArchiveOptions<'_>,
    report: &ArchiveReport,
) -> Result<bool, ArchiveError> {
    let failed = |error| store_error(options, error);
    if report.header.origin.0 != store.origin().await.map_err(failed)? {
        return Err(ArchiveError::OtherStore(options.out.to_owned()));
    }
    let archives = store.archives().await.map_err(failed)?;
    if archives.iter().any(|row| row.digest == report.digest.0) {
        return Ok(true);
    }
    // A restored store may have another last archive than the one that the file follows.
    if report.header.previous.map(|previous| previous.0) != archives.last().map(|row| row.digest) {
        return Err(ArchiveError::OtherRounds(options.out.to_owned()));
    }
    let file = options.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ArchiveHeader { number, older_than, .. } = report.header;
    let row = ArchiveRow {
        number,
        digest: report.digest.0,
        file,
        at: options.now,
        older_than,
        counts: report.counts,
    };
    let (checkpoints, blocks) = contents(options.out, report.digest.0)
        .map_err(|error| ArchiveError::Invalid { file: options.out.to_owned(), error })?;
    let done = (options.progress)("record", 1);
    let new = NewArchive { row, digests: report.kept, checkpoints, blocks };
    store.keep_archive(new).await.map_err(|error| match error {
        StoreError::ArchiveConflict => ArchiveError::OtherRounds(options.out.to_owned()),
        other => failed(other),
    })?;
    done(1);
    Ok(false)
}

/// Returns the checkpoints and the blocks of a file.
fn contents(file: &Path, archive: [u8; 32]) -> Result<(Vec<CheckpointRow>, Vec<BlockEnd>), InvalidArchive> {
    let mut reader = ArchiveReader::open(file)?;
    let (mut checkpoints, mut blocks) = (Vec::new(), Vec::new());
    let mut table = None;
    while let Some(part) = reader.next_part()? {
        match part {
            ArchivePart::TableStart(start) => table = Some(start),
            ArchivePart::Block(block) => blocks.push(BlockEnd {
                table: block.head.table,
                last_seq: block.head.last_seq,
                last_at: block.head.last_at,
                digest: block.digest,
            }),
            ArchivePart::TableEnd(end) => {
                let Some(start) = table.take() else { continue };
                checkpoints.push(CheckpointRow {
                    table: start.table,
                    seq: end.seq,
                    hash: end.hash.0,
                    opened: start.opened,
                    json: end.checkpoint,
                    archive,
                });
            }
        }
    }
    // The file was audited a moment ago. It must not have been replaced since.
    if reader.digest() != archive {
        return Err(InvalidArchive::Damaged {
            why: "the file has changed since it was read".to_owned(),
            at: 0,
        });
    }
    Ok((checkpoints, blocks))
}
