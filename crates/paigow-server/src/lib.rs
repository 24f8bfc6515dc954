//! Live tables over a store, with a clock, a disk and a network.
//!
//! A [`Store`] keeps events and money, one transaction per command. A [`Host`] runs tables over a store: it loads a
//! table, lets the table decide, appends the result, and acknowledges it only after the commit. [`audit()`] verifies
//! the whole store from its first event. [`People`] keeps players, sessions and the operators' log in the same store.

mod app;
mod environment;
mod files;
mod host;
mod house;
mod http;
mod live;
mod operations;
pub mod operator_secret;
mod people;
mod serve;
pub mod settings;
#[cfg(feature = "simulation")]
pub mod simulation;
mod store;
mod tls;
mod version;

pub use environment::{CheckedEnvironment, Environment, SystemClocks, SystemEnvironment, TimeSource};
pub use files::{BookFolder, KeyFileError, master_keys, private_file, read_master_keys};
pub use host::{
    CommandResult, DamagedTable, Host, HostError, ReplayError, RulesCache, SeenAt, SeenRound, StakeMax,
};
pub use house::LobbyTable;
pub use http::{ApiFault, ApiProblem, RateLimited, RateLimits, address_key, openapi};
pub use live::{FromClient, HashPrefix, HashPrefixFault, ResumePoint, ToClient};
pub use operations::{
    AccountSum, ArchiveError, ArchiveHeader, ArchiveOptions, ArchiveOutcome, ArchivePart, ArchiveReader,
    ArchiveReplayError, ArchiveReport, ArchivedRange, ArchivedRound, AuditOptions, AuditReport, ChainHead,
    CheckLevel, CompactReport, CopiedTable, CurrencyTotal, DoctorCheck, FINDINGS_MAX, Finding, Heads,
    InvalidArchive, JOURNAL_COLUMNS, JournalTransfer, LINE_COLUMNS, LogHead, MoveError, MoveOptions,
    MoveReport, REPORT_COLUMNS, ReadinessCheck, ReportRow, ReportTally, RoundEntry, RoundRecord, SealCounts,
    TableEnd, TableStart, archive, archived_round, audit, audit_archive, audit_with, compact, csv_row,
    described_events, examine, journal_fields, journal_json, line_fields, logs, move_store, records,
    records_after, sentence,
};
pub use people::{
    ActFault, DocumentKey, DocumentKind, DocumentWrite, Documents, EndSessions, NewAct, OperatorAct, People,
    PeopleChange, Person, PersonKind, PersonName, PersonNameFault, Session, SessionOwner, StoreCounts,
    StoredDocument, secret_digest,
};
pub use serve::{ServeError, ServerInfo, StartedCallback, serve, serve_until_signal};
pub use settings::Settings;
pub use store::{
    AccountRow, AnyStore, AppendOutcome, ArchiveCounts, ArchiveDigests, ArchiveRow, ArchivedBlock,
    ArchivedSums, BalanceMismatch, Batch, Block, BlockAccount, BlockHead, BlockIndex, BlockingStore,
    CheckpointRow, ColumnType, CommandRow, EventRow, HeadSigner, HeadVerifier, HoldRow, HouseLogEntry,
    HouseLogPart, JournalRow, LogRow, NewEvent, NotSealable, PlayerRound, Postgres, STORED_TABLES,
    SealOutcome, SealRule, SealedBlock, Sqlite, Store, StoreEnds, StoreError, StoreVisitor, StoredColumn,
    StoredCommand, StoredTable, TableHead, TableRows, Tip,
};
pub use tls::TlsFileFault;
pub use version::{COMMIT, COMMIT_SECONDS, PROGRAM, VERSION};
