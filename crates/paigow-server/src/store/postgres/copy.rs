//! Rows of whole tables, for copies between stores.

use super::super::encoding::{decode_hash, unsigned};
use super::super::layout::{
    ColumnType, ORIGIN, STORED_TABLES, StoredColumn, StoredRow, StoredTable, StoredValue,
};
use super::super::{GENESIS, MoveMarker, OpenMode, StoreError};
use super::Postgres;
use super::read::all;
use deadpool_postgres::{Client, GenericClient, HookError, Pool, PoolError};
use std::time::Duration;
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;

/// Key of the advisory lock on the use of a database. Every connection of a store holds it shared; a move holds it
/// alone. The number is arbitrary but must differ from that of every other advisory lock.
const USE_LOCK: i64 = 0x5041_4955;
/// Number of attempts of a move to get the lock, and the time between them. PostgreSQL notices the end of a killed
/// process when its statement ends.
const LOCK_ATTEMPTS: u32 = 20;
const LOCK_INTERVAL: Duration = Duration::from_millis(250);

/// Values of a column, for `unnest`.
type Values<'r> = Box<dyn ToSql + Sync + Send + 'r>;

impl Postgres {
    /// Returns up to `limit` rows of a table after a key, in the order of the key.
    pub(crate) async fn copy_page(
        &self,
        table: &'static StoredTable,
        after: Option<StoredRow>,
        limit: usize,
    ) -> Result<Vec<StoredRow>, StoreError> {
        let query = table.page_query(after.is_none(), limit, " COLLATE \"C\"");
        let key: Vec<&(dyn ToSql + Sync)> = after.iter().flatten().map(parameter).collect();
        all(&self.pool.get().await?, &query, &key, |row| to_row(table, row)).await
    }

    /// Inserts rows with one statement.
    pub(crate) async fn copy_rows(
        &self,
        table: &'static StoredTable,
        rows: Vec<StoredRow>,
    ) -> Result<(), StoreError> {
        let arrays = (1..).zip(table.columns).map(|(number, column)| {
            let array = match column.kind {
                ColumnType::Text => "text[]",
                ColumnType::Integer => "bigint[]",
                ColumnType::Bytes => "bytea[]",
            };
            format!("${number}::{array}")
        });
        let insert = format!(
            "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest({})",
            table.name,
            table.column_names(),
            arrays.collect::<Vec<_>>().join(", ")
        );
        let values: Vec<Values<'_>> =
            table.columns.iter().enumerate().map(|(index, column)| values(&rows, index, column)).collect();
        let values: Vec<&(dyn ToSql + Sync)> =
            values.iter().map(|values| values.as_ref() as &(dyn ToSql + Sync)).collect();
        let client = self.pool.get().await?;
        client.execute(&client.prepare_cached(&insert).await?, &values).await?;
        Ok(())
    }

    /// Counts the rows of a table.
    pub(crate) async fn count_rows(&self, table: &'static StoredTable) -> Result<u64, StoreError> {
        let count = format!("SELECT count(*) FROM {}", table.name);
        unsigned(self.pool.get().await?.query_one(&count, &[]).await?.try_get(0)?)
    }

    /// Returns the hash of the first entry of the house log.
    pub(crate) async fn origin(&self) -> Result<[u8; 32], StoreError> {
        let first = self.pool.get().await?.query_opt(ORIGIN, &[]).await?;
        first.map_or(Ok(GENESIS), |row| decode_hash(row.try_get(0)?))
    }

    /// Returns the marker of an unfinished move.
    pub(crate) async fn move_marker(&self) -> Result<Option<MoveMarker>, StoreError> {
        move_marker(&self.pool.get().await?).await
    }

    /// Deletes the rows of all tables and sets the marker.
    pub(crate) async fn begin_move(&self, marker: MoveMarker) -> Result<(), StoreError> {
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        let tables: Vec<&str> = STORED_TABLES.iter().map(|table| table.name).collect();
        transaction.batch_execute(&format!("TRUNCATE unfinished_move, {}", tables.join(", "))).await?;
        let insert = "INSERT INTO unfinished_move (one, source, origin) VALUES (1, $1, $2)";
        transaction.execute(insert, &[&marker.source, &&marker.origin[..]]).await?;
        Ok(transaction.commit().await?)
    }

    /// Sets the sequences of generated columns to the last value and removes the marker.
    pub(crate) async fn finish_move(&self) -> Result<(), StoreError> {
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        for StoredTable { name, columns, .. } in STORED_TABLES {
            for StoredColumn { name: column, .. } in columns.iter().filter(|column| column.is_generated) {
                // Without rows, the next value is 1.
                let set = format!(
                    "SELECT setval(pg_get_serial_sequence('{name}', '{column}'), coalesce(max({column}), 1), \
                     count(*) > 0) FROM {name}"
                );
                transaction.batch_execute(&set).await?;
            }
        }
        // Without statistics of the new rows, the first queries of a server would have bad plans.
        let tables: Vec<&str> = STORED_TABLES.iter().map(|table| table.name).collect();
        transaction.batch_execute(&format!("ANALYZE {}", tables.join(", "))).await?;
        transaction.execute("DELETE FROM unfinished_move", &[]).await?;
        Ok(transaction.commit().await?)
    }
}

/// Statement that takes the lock on the use of the database for a connection, or fails with `lock_not_available`.
pub(super) fn use_lock(mode: OpenMode) -> String {
    let (lock, refusal) = if mode.is_move() {
        ("pg_try_advisory_lock", "the store is in use")
    } else {
        ("pg_try_advisory_lock_shared", "a move of this store is in progress")
    };
    format!(
        "DO $$ BEGIN IF NOT {lock}({USE_LOCK}) THEN RAISE lock_not_available USING MESSAGE = '{refusal}'; \
         END IF; END $$"
    )
}

/// Returns the only connection of a move, which holds the lock on the use of the database.
///
/// All statements of a move run on it, so that the lock of a killed process lasts until its last statement has ended.
pub(super) async fn connect_alone(pool: &Pool) -> Result<Client, StoreError> {
    for _ in 0..LOCK_ATTEMPTS {
        match pool.get().await {
            Err(PoolError::PostCreateHook(HookError::Backend(error)))
                if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {}
            connected => return Ok(connected?),
        }
        tokio::time::sleep(LOCK_INTERVAL).await;
    }
    Err(StoreError::InUse)
}

/// Reads the marker of an unfinished move.
pub(super) async fn move_marker(client: &impl GenericClient) -> Result<Option<MoveMarker>, StoreError> {
    let marker = all(client, "SELECT source, origin FROM unfinished_move", &[], |row| {
        Ok(MoveMarker { source: row.try_get(0)?, origin: decode_hash(row.try_get(1)?)? })
    });
    Ok(marker.await?.pop())
}

fn to_row(table: &StoredTable, row: &Row) -> Result<StoredRow, StoreError> {
    let value = |(index, column): (usize, &StoredColumn)| {
        let value = match column.kind {
            ColumnType::Text => row.try_get::<_, Option<String>>(index)?.map(StoredValue::Text),
            ColumnType::Integer => row.try_get::<_, Option<i64>>(index)?.map(StoredValue::Integer),
            ColumnType::Bytes => row.try_get::<_, Option<Vec<u8>>>(index)?.map(StoredValue::Bytes),
        };
        Ok(value.unwrap_or(StoredValue::Null))
    };
    table.columns.iter().enumerate().map(value).collect()
}

/// Value of a primary key as a parameter. No column of a primary key is nullable.
fn parameter(value: &StoredValue) -> &(dyn ToSql + Sync) {
    match value {
        StoredValue::Null => &None::<i64>,
        StoredValue::Text(text) => text,
        StoredValue::Integer(number) => number,
        StoredValue::Bytes(bytes) => bytes,
    }
}

/// Values of one column of all rows.
fn values<'r>(rows: &'r [StoredRow], index: usize, column: &StoredColumn) -> Values<'r> {
    let values = rows.iter().map(move |row| row.get(index));
    match column.kind {
        ColumnType::Text => Box::new(
            values
                .map(|value| match value {
                    Some(StoredValue::Text(text)) => Some(text.as_str()),
                    _ => None,
                })
                .collect::<Vec<_>>(),
        ),
        ColumnType::Integer => Box::new(
            values
                .map(|value| match value {
                    Some(StoredValue::Integer(number)) => Some(*number),
                    _ => None,
                })
                .collect::<Vec<_>>(),
        ),
        ColumnType::Bytes => Box::new(
            values
                .map(|value| match value {
                    Some(StoredValue::Bytes(bytes)) => Some(bytes.as_slice()),
                    _ => None,
                })
                .collect::<Vec<_>>(),
        ),
    }
}
