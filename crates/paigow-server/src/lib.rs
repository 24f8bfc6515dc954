//! Tables on a store: the only crate with a clock, a disk and a network.
//!
//! A [`Store`] keeps what has happened and where the money is, in one transaction a command. A [`Host`] drives tables over it: it
//! loads, asks the table, appends, and answers only what is committed. [`audit()`] checks all of it again from the start. [`People`] are
//! kept beside the tables: who they are, their sessions, and what operators did.

mod app;
mod audit;
mod book_folder;
mod bots;
mod checked_world;
mod clock;
mod deadlines;
mod export;
mod guests;
mod hints;
mod host;
mod house;
mod http;
mod key_file;
mod library;
mod live;
mod lobby;
pub mod logs;
mod metrics;
mod open;
mod people;
mod practice;
pub mod private_file;
mod rate;
mod readiness;
mod record;
mod replay;
mod serve;
pub mod settings;
mod shown;
#[cfg(feature = "simulation")]
pub mod simulation;
mod store;
mod version;
mod went_back;
mod world;

pub use audit::{AuditOptions, FINDINGS_MAX, Finding, Head, Heads, LogHead, Report, audit, audit_with};
pub use book_folder::BookFolder;
pub use checked_world::{CheckedWorld, SystemClocks, TimeSource};
pub use export::{
    JOURNAL_COLUMNS, LINE_COLUMNS, Movement, csv_row, journal_fields, journal_json, line_fields,
};
pub use host::{DamagedTable, Done, Host, HostError, SeenAt, SeenRound};
pub use http::{Fault, Problem, openapi};
pub use key_file::{KeyFileError, master_keys, read_master_keys};
pub use library::Library;
pub use live::{FromClient, HashPrefix, HashPrefixFault, ResumePoint, ToClient};
pub use lobby::LobbyTable;
pub use open::AnyStore;
pub use people::{
    ActFault, Counts, NewAct, OperatorAct, People, Person, PersonKind, PersonName, PersonNameFault, Session,
    SessionOf, secret_digest,
};
pub use rate::{Rates, TooMany, address_key};
pub use readiness::Check;
pub use record::{Happening, RoundRecord, happenings, records, sentence};
pub use replay::ReplayError;
pub use serve::{ServeError, Started, serve};
pub use settings::Settings;
pub use store::{
    AccountRow, Batch, CommandRow, EventRow, HeadSigner, HeadVerifier, HoldRow, HouseEntry, HousePart,
    JournalRow, Kept, LogRow, Misstatement, NewEvent, Outcome, Postgres, Sqlite, Store, StoreEnds,
    StoreError, TableHead, Tip, Visit,
};
pub use version::{COMMIT, PROGRAM, VERSION};
pub use world::{OperatingSystem, World};
