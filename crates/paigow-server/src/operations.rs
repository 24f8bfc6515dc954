//! Operation of a server: audit, examination, export, logs, metrics, readiness, records of rounds and the report of the house.

mod audit;
mod doctor;
mod export;
pub mod logs;
pub(crate) mod metrics;
pub(crate) mod money;
pub(crate) mod readiness;
mod report;
mod round_record;
mod store_move;

pub use audit::{
    AuditOptions, AuditReport, ChainHead, FINDINGS_MAX, Finding, Heads, LogHead, audit, audit_with,
};
pub use doctor::{CheckLevel, DoctorCheck, examine};
pub use export::{
    JOURNAL_COLUMNS, JournalTransfer, LINE_COLUMNS, csv_row, journal_fields, journal_json, line_fields,
};
pub use readiness::ReadinessCheck;
pub use report::{REPORT_COLUMNS, ReportRow, ReportTally};
pub(crate) use round_record::Recorder;
pub use round_record::{RoundEntry, RoundRecord, described_events, records, sentence};
pub use store_move::{CopiedTable, CurrencyTotal, MoveError, MoveOptions, MoveReport, move_store};
