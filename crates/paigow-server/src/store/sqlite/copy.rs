//! Rows of whole tables, for copies between stores.

use super::super::encoding::unsigned;
use super::super::layout::{
    ORIGIN, PROGRAMS, STORED_TABLES, StoredColumn, StoredRow, StoredTable, StoredValue, parameters,
};
use super::super::{GENESIS, MoveMarker, StoreError};
use super::{BUSY_TIMEOUT, Sqlite, connect};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, ToSql, params_from_iter};
use std::path::Path;

impl Sqlite {
    /// Returns up to `limit` rows of a table after a key, in the order of the key.
    pub(crate) async fn copy_page(
        &self,
        table: &'static StoredTable,
        after: Option<StoredRow>,
        limit: usize,
    ) -> Result<Vec<StoredRow>, StoreError> {
        self.read(move |connection| {
            let query = table.page_query(after.is_none(), limit, "");
            let mut select = connection.prepare_cached(&query)?;
            let mut rows = select.query(params_from_iter(after.into_iter().flatten()))?;
            let mut page = Vec::new();
            while let Some(row) = rows.next()? {
                page.push(to_row(table, row)?);
            }
            Ok(page)
        })
        .await
    }

    /// Inserts rows in one transaction.
    pub(crate) async fn copy_rows(
        &self,
        table: &'static StoredTable,
        rows: Vec<StoredRow>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let (names, values) = (table.column_names(), parameters(table.columns.len()));
            let insert = format!("INSERT INTO {} ({names}) VALUES ({values})", table.name);
            let mut insert = connection.prepare_cached(&insert)?;
            for row in rows {
                insert.execute(params_from_iter(row))?;
            }
            Ok(())
        })
        .await
    }

    /// Counts the rows of a table.
    pub(crate) async fn count_rows(&self, table: &'static StoredTable) -> Result<u64, StoreError> {
        self.read(|connection| {
            let count = format!("SELECT count(*) FROM {}", table.name);
            unsigned(connection.query_row(&count, (), |row| row.get(0))?)
        })
        .await
    }

    /// Returns the hash of the first entry of the house log.
    pub(crate) async fn origin(&self) -> Result<[u8; 32], StoreError> {
        self.read(|connection| {
            let first = connection.query_row(ORIGIN, (), |row| row.get(0)).optional()?;
            Ok(first.unwrap_or(GENESIS))
        })
        .await
    }

    /// Returns the marker of an unfinished move.
    pub(crate) async fn move_marker(&self) -> Result<Option<MoveMarker>, StoreError> {
        self.read(|connection| move_marker(connection)).await
    }

    /// Deletes the rows of all tables and sets the marker. Without a marker, fails if a table has rows: another program
    /// has begun to use the file since it was found empty.
    pub(crate) async fn begin_move(&self, marker: MoveMarker) -> Result<(), StoreError> {
        self.write(move |connection| {
            let has_rows = |name: &str| -> Result<bool, StoreError> {
                let query = format!("SELECT EXISTS (SELECT 1 FROM {name})");
                Ok(connection.query_row(&query, (), |row| row.get(0))?)
            };
            if !has_rows("unfinished_move")? {
                for table in STORED_TABLES.iter().filter(|table| table.name != PROGRAMS) {
                    if has_rows(table.name)? {
                        return Err(StoreError::InUse);
                    }
                }
            }
            for table in STORED_TABLES.iter().rev() {
                connection.execute(&format!("DELETE FROM {}", table.name), ())?;
            }
            connection.execute("DELETE FROM unfinished_move", ())?;
            let insert = "INSERT INTO unfinished_move (one, source, origin) VALUES (1, ?1, ?2)";
            connection.execute(insert, (marker.source, marker.origin))?;
            Ok(())
        })
        .await
    }

    /// Removes the marker.
    pub(crate) async fn finish_move(&self) -> Result<(), StoreError> {
        self.write(|connection| {
            connection.execute("DELETE FROM unfinished_move", ())?;
            Ok(())
        })
        .await
    }

    /// Keeps all processes from writing to the file until the returned connection is dropped.
    pub(crate) fn hold_writes(&self) -> Result<Connection, StoreError> {
        let connection = connect(&self.inner.path, OpenFlags::empty())?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(connection)
    }
}

/// Returns an error if another connection has the file open, of this process or of another.
///
/// A connection to a file in WAL mode holds a shared lock on it until it closes.
pub(super) fn check_unused(path: &Path) -> Result<(), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT / 10)?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    let locked = connection.execute_batch("BEGIN EXCLUSIVE; ROLLBACK");
    match locked {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Err(StoreError::InUse),
        // Opening the store reports a file that is not a database.
        _ => Ok(()),
    }
}

/// Reads the marker of an unfinished move.
pub(super) fn move_marker(connection: &Connection) -> Result<Option<MoveMarker>, StoreError> {
    let mut select = connection.prepare_cached("SELECT source, origin FROM unfinished_move")?;
    let marker = select.query_row((), |row| Ok(MoveMarker { source: row.get(0)?, origin: row.get(1)? }));
    Ok(marker.optional()?)
}

fn to_row(table: &StoredTable, row: &Row<'_>) -> Result<StoredRow, StoreError> {
    let value = |(index, column): (usize, &StoredColumn)| {
        let unreadable =
            |why: String| StoreError::Unreadable { location: format!("{}.{}", table.name, column.name), why };
        match row.get_ref(index)? {
            ValueRef::Null => Ok(StoredValue::Null),
            ValueRef::Integer(number) => Ok(StoredValue::Integer(number)),
            ValueRef::Text(text) => match std::str::from_utf8(text) {
                Ok(text) => Ok(StoredValue::Text(text.to_owned())),
                Err(error) => Err(unreadable(error.to_string())),
            },
            ValueRef::Blob(bytes) => Ok(StoredValue::Bytes(bytes.to_owned())),
            ValueRef::Real(_) => Err(unreadable("it is not an integer".to_owned())),
        }
    };
    table.columns.iter().enumerate().map(value).collect()
}

impl ToSql for StoredValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            StoredValue::Null => ValueRef::Null,
            StoredValue::Integer(number) => ValueRef::Integer(*number),
            StoredValue::Text(text) => ValueRef::Text(text.as_bytes()),
            StoredValue::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
