//! Tables on a store: the only crate with a clock, a disk and a network.
//!
//! A [`Store`] keeps what has happened and where the money is, in one transaction a command. A [`Host`] drives tables over it: it
//! loads, asks the table, appends, and answers only what is committed. [`audit()`] checks all of it again from the start. [`People`] are
//! kept beside the tables: who they are, their sessions, and what operators did.

mod app;
mod environment;
mod files;
mod host;
mod house;
mod http;
mod live;
mod operations;
mod people;
mod serve;
pub mod settings;
#[cfg(feature = "simulation")]
pub mod simulation;
mod store;
mod version;

pub use environment::{CheckedWorld, OperatingSystem, SystemClocks, TimeSource, World};
pub use files::{BookFolder, KeyFileError, master_keys, private_file, read_master_keys};
pub use host::{DamagedTable, Done, Host, HostError, Library, ReplayError, SeenAt, SeenRound};
pub use house::LobbyTable;
pub use http::{Fault, Problem, Rates, TooMany, address_key, openapi};
pub use live::{FromClient, HashPrefix, HashPrefixFault, ResumePoint, ToClient};
pub use operations::{
    AuditOptions, Check, FINDINGS_MAX, Finding, Happening, Head, Heads, JOURNAL_COLUMNS, LINE_COLUMNS,
    LogHead, Movement, Report, RoundRecord, audit, audit_with, csv_row, happenings, journal_fields,
    journal_json, line_fields, logs, records, sentence,
};
pub use people::{
    ActFault, Counts, NewAct, OperatorAct, People, Person, PersonKind, PersonName, PersonNameFault, Session,
    SessionOf, secret_digest,
};
pub use serve::{ServeError, Started, serve};
pub use settings::Settings;
pub use store::{
    AccountRow, AnyStore, Batch, CommandRow, EventRow, HeadSigner, HeadVerifier, HoldRow, HouseEntry,
    HousePart, JournalRow, Kept, LogRow, Misstatement, NewEvent, Outcome, Postgres, Sqlite, Store, StoreEnds,
    StoreError, TableHead, Tip, Visit,
};
pub use version::{COMMIT, PROGRAM, VERSION};
