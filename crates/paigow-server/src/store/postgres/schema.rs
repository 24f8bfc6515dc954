//! Schema and migrations of the PostgreSQL store.

use super::super::encoding::signed;
use super::super::{OpenMode, StoreError};
use super::{copy, house};
use crate::{Environment, PROGRAM, SystemEnvironment};
use deadpool_postgres::Client;

/// Migrations in order. The version of a database is the number of migrations applied.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/postgres/0001.sql"),
    include_str!("../../../migrations/postgres/0002.sql"),
    include_str!("../../../migrations/postgres/0003.sql"),
    include_str!("../../../migrations/postgres/0004.sql"),
    include_str!("../../../migrations/postgres/0005.sql"),
    include_str!("../../../migrations/postgres/0006.sql"),
    include_str!("../../../migrations/postgres/0007.sql"),
    include_str!("../../../migrations/postgres/0008.sql"),
    include_str!("../../../migrations/postgres/0009.sql"),
];

/// First version with a house log.
pub(super) const HOUSE_LOG_SINCE: i64 = 5;

/// Advisory lock for migrations. If several processes start at once, exactly one migrates the database. The number is
/// arbitrary but must differ from that of every other advisory lock.
const LOCK: i64 = 0x5041_4947;

/// Newest version that this program supports.
pub(super) fn known() -> i64 {
    signed(MIGRATIONS.len() as u64)
}

/// Creates or migrates the tables. Refuses databases of newer versions and of other programs, and targets of unfinished
/// moves.
pub(super) async fn prepare(client: &mut Client, mode: OpenMode) -> Result<(), StoreError> {
    let known = known();
    let transaction = client.transaction().await?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    let versioned = transaction.query_one("SELECT to_regclass('paigow_version') IS NOT NULL", &[]).await?;
    if !versioned.get::<_, bool>(0) {
        if transaction.query_one("SELECT to_regclass('tables') IS NOT NULL", &[]).await?.get(0) {
            return Err(StoreError::Foreign);
        }
        transaction
            .batch_execute(
                "CREATE TABLE paigow_version (version BIGINT NOT NULL); INSERT INTO paigow_version VALUES (0)",
            )
            .await?;
    }
    let version: i64 = transaction.query_one("SELECT version FROM paigow_version", &[]).await?.get(0);
    if version > known {
        return Err(StoreError::Newer { found: version, known });
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        transaction.batch_execute(migration).await?;
    }
    if version < HOUSE_LOG_SINCE {
        house::cover(&transaction, version).await?;
    }
    transaction.execute("UPDATE paigow_version SET version = $1", &[&known]).await?;
    mode.check(copy::move_marker(&transaction).await?)?;
    // A move copies the programs of its source.
    if mode != OpenMode::MoveTarget {
        let insert = "INSERT INTO programs (program, since) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        transaction.execute(insert, &[&PROGRAM, &signed(SystemEnvironment.now().0)]).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Rewrites the row of this program in a transaction of its own. This writes a new row version and changes no value.
pub(super) async fn test_write(client: &Client) -> Result<(), StoreError> {
    let write = "INSERT INTO programs (program, since) SELECT $1, $2 FROM paigow_version WHERE version = $3 \
        ON CONFLICT (program) DO UPDATE SET since = programs.since";
    let write = client.prepare_cached(write).await?;
    let (now, known) = (signed(SystemEnvironment.now().0), known());
    // A store of another version may have been restored since. This program must not write to it.
    if client.execute(&write, &[&PROGRAM, &now, &known]).await? == 1 {
        Ok(())
    } else {
        Err(StoreError::Foreign)
    }
}
