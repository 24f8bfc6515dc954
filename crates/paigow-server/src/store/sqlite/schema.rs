//! Schema and migrations of the SQLite store.

use super::super::encoding::signed;
use super::super::{OpenMode, StoreError};
use super::{copy, house};
use crate::{Environment, PROGRAM, SystemEnvironment};
use rusqlite::{Connection, TransactionBehavior};

/// Migrations in order. The version of a file is the number of migrations applied.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/sqlite/0001.sql"),
    include_str!("../../../migrations/sqlite/0002.sql"),
    include_str!("../../../migrations/sqlite/0003.sql"),
    include_str!("../../../migrations/sqlite/0004.sql"),
    include_str!("../../../migrations/sqlite/0005.sql"),
    include_str!("../../../migrations/sqlite/0006.sql"),
    include_str!("../../../migrations/sqlite/0007.sql"),
    include_str!("../../../migrations/sqlite/0008.sql"),
    include_str!("../../../migrations/sqlite/0009.sql"),
];

/// First version with a house log.
pub(super) const HOUSE_LOG_SINCE: i64 = 5;

/// SQLite application id of a paigow store: `PAIG` in ASCII.
const APPLICATION_ID: i64 = 0x5041_4947;

/// Newest version that this program supports.
pub(super) fn known() -> i64 {
    signed(MIGRATIONS.len() as u64)
}

/// Migrates a file to the current version. Refuses files of newer versions and of other programs, empty files unless the
/// store is to be created, and targets of unfinished moves.
pub(super) fn prepare(connection: &mut Connection, mode: OpenMode) -> Result<(), StoreError> {
    let known = known();
    // Checked before any write, so that not even the journal mode of a foreign file changes.
    if check(connection, known)? == 0 && !mode.creates() {
        return Err(StoreError::Foreign);
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = check(&transaction, known)?;
    for migration in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        transaction.execute_batch(migration)?;
    }
    if version < HOUSE_LOG_SINCE {
        house::cover(&transaction, version)?;
    }
    if version < known {
        transaction.pragma_update(None, "user_version", known)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    mode.check(copy::move_marker(&transaction)?)?;
    // A move copies the programs of its source.
    if mode != OpenMode::MoveTarget {
        transaction.execute(
            "INSERT INTO programs (program, since) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            (PROGRAM, signed(SystemEnvironment.now().0)),
        )?;
    }
    transaction.commit()?;
    Ok(())
}

/// Rewrites the version number in a transaction of its own. This writes one page and changes no value.
pub(super) fn rewrite_version(connection: &Connection) -> Result<(), StoreError> {
    let known = known();
    // A store of another version may have been restored since. This program must not write to it.
    if check(connection, known)? != known {
        return Err(StoreError::Foreign);
    }
    Ok(connection.pragma_update(None, "user_version", known)?)
}

/// Returns the version of a paigow store or 0 of an empty file, or else an error.
pub(super) fn check(connection: &Connection, known: i64) -> Result<i64, StoreError> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let is_empty = application == 0 && version == 0 && tables == 0;
    if application != APPLICATION_ID && !is_empty {
        return Err(StoreError::Foreign);
    }
    if version > known {
        return Err(StoreError::Newer { found: version, known });
    }
    Ok(version)
}
