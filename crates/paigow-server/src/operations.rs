//! Operation of a server: archives, audit, examination, export, logs, metrics, readiness, records of rounds and the report of the house.

mod archive;
mod audit;
mod compact;
mod doctor;
mod export;
pub mod logs;
pub(crate) mod metrics;
pub(crate) mod money;
pub(crate) mod readiness;
mod report;
mod round_record;
mod store_move;

pub use archive::{
    AccountSum, ArchiveError, ArchiveHeader, ArchiveOptions, ArchiveOutcome, ArchivePart, ArchiveReader,
    ArchiveReplayError, ArchiveReport, ArchivedRange, ArchivedRound, InvalidArchive, TableEnd, TableStart,
    archive, archived_round, audit_archive,
};
pub use audit::{
    AuditOptions, AuditReport, ChainHead, FINDINGS_MAX, Finding, Heads, LogHead, audit, audit_with,
};
pub(crate) use compact::seal_tables;
pub use compact::{CompactReport, SealCounts, compact};
pub use doctor::{CheckLevel, DoctorCheck, examine};
pub use export::{
    JOURNAL_COLUMNS, JournalTransfer, LINE_COLUMNS, csv_row, journal_fields, journal_json, line_fields,
};
pub use readiness::ReadinessCheck;
pub use report::{REPORT_COLUMNS, ReportRow, ReportTally};
pub(crate) use round_record::Recorder;
pub use round_record::{RoundEntry, RoundRecord, described_events, records, records_after, sentence};
pub use store_move::{CopiedTable, CurrencyTotal, MoveError, MoveOptions, MoveReport, move_store};
