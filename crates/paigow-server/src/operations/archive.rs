//! Archives: old rounds of a store in signed files, which are audited and replayed without the store.
//!
//! An archive has the blocks of the oldest rounds of tables, each table with the state before its first block and after
//! its last one. The store keeps that last state, the sums of each block by account and the keys of its commands. An entry
//! of the house log has the digest of the file and of everything that the store keeps. `format.rs` documents the file.

mod file_audit;
mod format;
mod read;
mod replay;
mod run;
mod sums;
mod write;

pub use file_audit::{ArchiveReport, ArchivedRange, audit_archive};
pub(super) use file_audit::{FileAuditOptions, audit_file};
pub use format::{AccountSum, ArchiveHeader, TableEnd, TableStart};
pub use read::{ArchivePart, ArchiveReader, InvalidArchive};
pub use replay::{ArchiveReplayError, ArchivedRound, archived_round};
pub use run::{ArchiveError, ArchiveOptions, ArchiveOutcome, archive};
