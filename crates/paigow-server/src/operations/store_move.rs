//! Moves a whole store to another database.
//!
//! The target is marked as unfinished before the first row and until the last check. A move that ends early is continued
//! by the next one: it compares the copied rows with the source and goes on after them. If they differ, the source was
//! written since, and the copy starts again. The source is migrated to the current version, and
//! only read after that.

mod copy;

use crate::settings::StoreLocation;
use crate::store::{MoveMarker, OpenMode, PROGRAMS, STORED_TABLES};
use crate::{AnyStore, AuditOptions, AuditReport, Finding, Heads, RulesCache, Store, StoreError, audit_with};
use paigow_answers::ProgressWatcher;
use paigow_table::{Account, Currency, MasterKeys};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Source, target and checks of a move.
pub struct MoveOptions<'a> {
    /// Store to move.
    pub from: &'a StoreLocation,
    /// New file, empty database, or target of an unfinished move from the same store.
    pub to: &'a StoreLocation,
    /// Rules of the tables, for the audits.
    pub rules: RulesCache,
    /// Master keys. With them the audits also check signatures and deals that are not revealed yet.
    pub keys: Option<Arc<MasterKeys>>,
    /// Creates a progress display for each step, given its name and its number of parts.
    pub progress: &'a ProgressWatcher,
}

/// Result of a complete move. Every value is that of both stores.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveReport {
    /// Whether the move continued an earlier one.
    pub resumed: bool,
    /// Rows of each table.
    pub tables: Vec<CopiedTable>,
    /// Trial balance of each currency.
    pub balances: Vec<CurrencyTotal>,
    /// Heads of all chains.
    pub heads: Heads,
}

/// Rows of a table of the database.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CopiedTable {
    /// Name of the table.
    pub table: &'static str,
    /// Number of rows in each store.
    pub rows: u64,
    /// Number of rows that this move inserted. An earlier one inserted the others.
    pub inserted: u64,
}

/// Trial balance of a currency.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CurrencyTotal {
    /// The currency.
    pub currency: Currency,
    /// Number of accounts.
    pub accounts: u64,
    /// Sum of the balances above zero, in cents. The others sum to the same amount below zero.
    pub cents: i64,
}

/// Reason why a move was refused or is not complete.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// A store could not be opened, read or written.
    #[error("{location}: {error}")]
    Store {
        /// Location of the store.
        location: StoreLocation,
        /// Failure of the store.
        error: StoreError,
    },
    /// The source is the target.
    #[error("{0}: the source and the target are the same store")]
    SameStore(StoreLocation),
    /// The source has no rows.
    #[error("{0}: the store is empty; there is nothing to move")]
    EmptySource(StoreLocation),
    /// The target has rows and is not the target of an unfinished move.
    #[error(
        "{location}: the target is not empty (it has rows in {tables}): use a new file or an empty database"
    )]
    TargetNotEmpty {
        /// Location of the target.
        location: StoreLocation,
        /// Names of the tables with rows.
        tables: String,
    },
    /// The target belongs to an unfinished move from another store.
    #[error(
        "{location}: the target belongs to an unfinished move from another store, {origin}: finish that move, or use a new file or an empty database"
    )]
    OtherMove {
        /// Location of the target.
        location: StoreLocation,
        /// Source of the other move.
        origin: String,
    },
    /// The audit of a store has findings.
    #[error("{location}: the audit has {count} findings, first {first}; `paigow audit` lists all")]
    Findings {
        /// Location of the store.
        location: StoreLocation,
        /// Number of findings.
        count: usize,
        /// The first finding.
        first: Finding,
    },
    /// The stores differ after the copy.
    #[error(
        "the source was written during the move: {0} differ from the target; the target stays unfinished: stop every server of the source and run the command again"
    )]
    Differ(String),
    /// The runtime could not be created.
    #[error("cannot start the runtime: {0}")]
    Runtime(std::io::Error),
}

/// Copies everything in a store to another database, and checks that both are equal.
///
/// Blocks until the move is complete. A move that ends early leaves the source unchanged and the target unfinished.
///
/// # Errors
/// The move is refused, or it is not complete.
pub fn move_store(options: MoveOptions<'_>) -> Result<MoveReport, MoveError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(MoveError::Runtime)?.block_on(run(options))
}

/// A store and its location, which errors name.
struct Side<'a> {
    location: &'a StoreLocation,
    store: AnyStore,
}

impl<'a> Side<'a> {
    async fn open(location: &'a StoreLocation, mode: OpenMode) -> Result<Side<'a>, MoveError> {
        let opened = AnyStore::open_as(location.reveal(), mode).await;
        let store = opened.map_err(|error| MoveError::Store { location: location.clone(), error })?;
        Ok(Side { location, store })
    }

    /// Adds the location of the store to an error.
    fn located<T>(&self, result: Result<T, StoreError>) -> Result<T, MoveError> {
        result.map_err(|error| MoveError::Store { location: self.location.clone(), error })
    }

    /// Names of the tables with rows, and the number of all rows. Opening a store adds a program, which does not count.
    async fn contents(&self) -> Result<(Vec<&'static str>, u64), MoveError> {
        let (mut names, mut rows) = (Vec::new(), 0);
        for table in STORED_TABLES {
            let count = self.located(self.store.count_rows(table).await)?;
            rows += count;
            if count > 0 && table.name != PROGRAMS {
                names.push(table.name);
            }
        }
        Ok((names, rows))
    }

    /// Audits the store. Findings end the move.
    async fn audit(&self, step: &str, options: &MoveOptions<'_>) -> Result<AuditReport, MoveError> {
        let done = (options.progress)(step, 1);
        let checks = AuditOptions { keys: options.keys.clone(), ..AuditOptions::default() };
        let report = self.located(audit_with(&self.store, options.rules.clone(), checks).await)?;
        done(1);
        match report.findings.first() {
            Some(first) => Err(MoveError::Findings {
                location: self.location.clone(),
                count: report.findings.len(),
                first: first.clone(),
            }),
            None => Ok(report),
        }
    }
}

async fn run(options: MoveOptions<'_>) -> Result<MoveReport, MoveError> {
    if is_same(options.from, options.to) {
        return Err(MoveError::SameStore(options.to.clone()));
    }
    let source = Side::open(options.from, OpenMode::MoveSource).await?;
    let _write_lock = source.located(source.store.hold_writes())?;
    let (tables, rows) = source.contents().await?;
    if tables.is_empty() {
        return Err(MoveError::EmptySource(options.from.clone()));
    }
    let marker =
        MoveMarker { source: absolute(options.from), origin: source.located(source.store.origin().await)? };
    // A target that exists is checked before the audit, which takes longer. A refused move creates no file.
    let is_missing = options.to.file().is_some_and(|file| !file.exists());
    let existing = if is_missing { None } else { Some(open_target(options.to, &marker).await?) };
    let audited = source.audit("audit of the source", &options).await?;
    let (target, resumed) = match existing {
        Some(existing) => existing,
        None => open_target(options.to, &marker).await?,
    };
    if !resumed {
        target.located(target.store.begin_move(marker.clone()).await)?;
    }
    let inserted = copy::copy_rows(&source, &target, marker, (options.progress)("copy", rows)).await?;
    let found = target.audit("audit of the target", &options).await?;
    let mut different = Vec::new();
    if audited.exported_heads() != found.exported_heads() {
        different.push("the heads of chains".to_owned());
    }
    let balances = source.located(source.store.trial_balance().await)?;
    if balances != target.located(target.store.trial_balance().await)? {
        different.push("the balances".to_owned());
    }
    // The comparison is the last step, so that it also finds what was written during the audit.
    let counts = copy::compare_rows(&source, &target, (options.progress)("comparison", rows)).await?;
    different.extend(
        counts.iter().filter(|(_, rows)| rows.is_none()).map(|(name, _)| format!("rows of `{name}`")),
    );
    if !different.is_empty() {
        return Err(MoveError::Differ(different.join(", ")));
    }
    target.located(target.store.finish_move().await)?;
    let tables = counts.into_iter().zip(inserted).map(|((table, rows), inserted)| CopiedTable {
        table,
        rows: rows.unwrap_or_default(),
        inserted,
    });
    Ok(MoveReport {
        resumed,
        tables: tables.collect(),
        balances: totals(&balances),
        heads: audited.exported_heads(),
    })
}

/// Opens the target. Returns whether it belongs to an unfinished move from the source with this marker.
async fn open_target<'a>(
    location: &'a StoreLocation,
    expected: &MoveMarker,
) -> Result<(Side<'a>, bool), MoveError> {
    let target = Side::open(location, OpenMode::MoveTarget).await?;
    match target.located(target.store.move_marker().await)? {
        Some(marker) if marker.origin == expected.origin => Ok((target, true)),
        Some(marker) => Err(MoveError::OtherMove { location: location.clone(), origin: marker.source }),
        None => match target.contents().await?.0 {
            tables if tables.is_empty() => Ok((target, false)),
            tables => {
                Err(MoveError::TargetNotEmpty { location: location.clone(), tables: tables.join(", ") })
            }
        },
    }
}

/// Whether two locations are the same text or the same file.
fn is_same(from: &StoreLocation, to: &StoreLocation) -> bool {
    let path = |location: &StoreLocation| location.file().and_then(|file| file.canonicalize().ok());
    from.reveal() == to.reveal() || path(from).is_some_and(|from| path(to) == Some(from))
}

/// Location of a store in every working directory, without a password.
fn absolute(location: &StoreLocation) -> String {
    let path = location.file().and_then(|file| std::path::absolute(file).ok());
    path.as_deref().map(Path::display).map_or_else(|| location.to_string(), |path| path.to_string())
}

fn totals(balances: &BTreeMap<Account, i64>) -> Vec<CurrencyTotal> {
    let mut totals: BTreeMap<&Currency, CurrencyTotal> = BTreeMap::new();
    for (Account { currency, .. }, cents) in balances {
        let total = totals.entry(currency).or_insert_with(|| CurrencyTotal {
            currency: currency.clone(),
            accounts: 0,
            cents: 0,
        });
        total.accounts += 1;
        total.cents += (*cents).max(0);
    }
    totals.into_values().collect()
}
