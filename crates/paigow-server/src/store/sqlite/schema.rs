//! The tables of the file, and how an older file becomes a newer one.

use super::super::StoreError;
use super::super::words::signed;
use super::house;
use crate::{Environment, PROGRAM, SystemEnvironment};
use rusqlite::{Connection, TransactionBehavior};

/// The steps from one version to the next; the version is how many were taken.
const STEPS: &[&str] = &[
    include_str!("../../../migrations/sqlite/0001.sql"),
    include_str!("../../../migrations/sqlite/0002.sql"),
    include_str!("../../../migrations/sqlite/0003.sql"),
    include_str!("../../../migrations/sqlite/0004.sql"),
    include_str!("../../../migrations/sqlite/0005.sql"),
];

/// The first version with a house log.
const HOUSE_LOG_SINCE: i64 = 5;

/// What says that a file is ours: `PAIG` in letters.
const APPLICATION: i64 = 0x5041_4947;

/// Brings a file up to date, or makes it of an empty one. One of a newer version is left alone, and so is somebody else's.
pub(super) fn prepare(connection: &mut Connection, make: bool) -> Result<(), StoreError> {
    let known = signed(STEPS.len() as u64);
    // Asked before anything is written: another's file must not even change its mode.
    if check(connection, known)? == 0 && !make {
        return Err(StoreError::Foreign);
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = check(&transaction, known)?;
    for step in STEPS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    if version < HOUSE_LOG_SINCE {
        house::cover(&transaction, version)?;
    }
    if version < known {
        transaction.pragma_update(None, "user_version", known)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
    }
    transaction.execute(
        "INSERT INTO programs (program, since) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        (PROGRAM, signed(SystemEnvironment.now().0)),
    )?;
    transaction.commit()?;
    Ok(())
}

/// Writes the version again: one page that goes to the disk with a commit of its own, and changes nothing.
pub(super) fn rewrite_version(connection: &Connection) -> Result<(), StoreError> {
    let known = signed(STEPS.len() as u64);
    // A store of another version may have been restored since: that one is not ours to write to.
    if check(connection, known)? != known {
        return Err(StoreError::Foreign);
    }
    Ok(connection.pragma_update(None, "user_version", known)?)
}

/// The file's version, if it is ours or empty.
fn check(connection: &Connection, known: i64) -> Result<i64, StoreError> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let empty = application == 0 && version == 0 && tables == 0;
    if application != APPLICATION && !empty {
        return Err(StoreError::Foreign);
    }
    if version > known {
        return Err(StoreError::Newer { found: version, known });
    }
    Ok(version)
}
