//! Passes one snapshot of the whole file to a visitor, table by table.

use super::super::{AccountRow, StoreError, StoreVisitor, TableHead, TableRows};
use super::archives::ArchivedIndex;
use super::blocks::IndexSizes;
use super::{archives, blocks, house, people, read};
use paigow_table::TableId;
use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::{CachedStatement, Connection, Row, Rows};

pub(super) fn walk<V: StoreVisitor>(connection: &mut Connection, mut visit: V) -> Result<V, StoreError> {
    // A read transaction sees one snapshot.
    let connection = connection.transaction()?;
    let mut tables: Vec<Option<TableId>> =
        read::tables(&connection)?.into_iter().map(|TableHead { table, .. }| Some(table)).collect();
    tables.push(None);
    // Only row ids are sorted, because sorting whole rows would need as much disk space again.
    let sorted =
        |rows: &str| format!("SELECT rowid, table_id FROM {rows} ORDER BY table_id NULLS LAST, rowid");
    let mut commands = connection.prepare(&sorted("commands"))?;
    let mut commands = ByTable { rows: commands.query(())?, started: false };
    let mut journal = connection.prepare(&sorted("journal"))?;
    let mut journal = ByTable { rows: journal.query(())?, started: false };
    let mut command = connection.prepare_cached(&format!("{} WHERE rowid = ?1", read::COMMAND))?;
    let mut transfer = connection.prepare_cached(&format!("{} WHERE rowid = ?1", read::JOURNAL))?;
    let sizes = IndexSizes::read(&connection)?;
    let mut archived = ArchivedIndex::prepare(&connection)?;
    let mut archived = archived.rows()?;
    for table in tables {
        let located = |error: StoreError| error.within(table.as_ref());
        let name = table.as_ref().map(TableId::as_str);
        let mut rows = TableRows::default();
        if let Some(table) = &table {
            archives::walk_table(&connection, table, &mut archived, &mut visit).map_err(located)?;
            let (blocks, differences) = blocks::check_table(&connection, table, &sizes).map_err(located)?;
            rows.add_blocks(blocks);
            rows.events.extend(read::event_rows(&connection, table, 0, u64::MAX).map_err(located)?);
            for difference in differences {
                visit.damage(difference);
            }
        }
        rows.commands.extend(commands.read_table(name, &mut command, read::to_command).map_err(located)?);
        rows.journal.extend(journal.read_table(name, &mut transfer, read::to_journal).map_err(located)?);
        visit.table(table.as_ref(), rows);
    }
    let mut select = connection.prepare_cached("SELECT owner, currency, shard, cents FROM accounts")?;
    let accounts = read::all(&mut select, (), |row| {
        let account = read::to_account(row)?;
        Ok(AccountRow { account, shard: read::text(row, 2)?.to_owned(), cents: row.get(3)? })
    })?;
    let mut select = connection.prepare_cached(&format!("{} ORDER BY id", read::HOLD))?;
    let holds = read::all(&mut select, (), read::to_hold)?;
    visit.money(accounts, holds);
    visit.acts(people::acts(&connection, 0, u32::MAX)?);
    visit.archives(archives::archives(&connection)?);
    house::walk(&connection, &mut visit)?;
    Ok(visit)
}

/// Row ids in the order of their tables. Rows without a table come last.
struct ByTable<'s> {
    rows: Rows<'s>,
    /// Whether the first row has been fetched.
    started: bool,
}

impl ByTable<'_> {
    /// Reads all rows of a table. Skips rows of unknown tables, which the foreign key check reports.
    fn read_table<T>(
        &mut self,
        table: Option<&str>,
        select: &mut CachedStatement<'_>,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        if !self.started {
            self.started = true;
            self.rows.advance()?;
        }
        while let Some(row) = self.rows.get() {
            let row_table = read::optional(row, 1)?;
            // `NULL` is sorted last.
            let is_later = match (row_table, table) {
                (Some(row_table), Some(table)) => row_table > table,
                (row_table, table) => row_table.is_none() && table.is_some(),
            };
            if is_later {
                break;
            }
            if row_table == table {
                found.extend(read::first(select, [row.get::<_, i64>(0)?], &read)?);
            }
            self.rows.advance()?;
        }
        Ok(found)
    }
}
