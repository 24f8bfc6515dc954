//! The whole file at one moment, table by table, for whoever checks it.

use super::super::{AccountRow, StoreError, TableHead, Visit};
use super::{people, read};
use paigow_table::TableId;
use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::{Connection, Row, Rows};

pub(super) fn walk<V: Visit>(connection: &mut Connection, mut visit: V) -> Result<V, StoreError> {
    // A transaction that only reads sees one moment.
    let connection = connection.transaction()?;
    let mut tables: Vec<Option<TableId>> =
        read::tables(&connection)?.into_iter().map(|TableHead { table, .. }| Some(table)).collect();
    tables.push(None);
    let mut commands = connection.prepare(&format!("{} ORDER BY table_id NULLS LAST", read::COMMAND))?;
    let mut commands = ByTable { rows: commands.query(())?, column: 3, started: false };
    let mut journal =
        connection.prepare(&format!("{} ORDER BY table_id NULLS LAST, place", read::JOURNAL))?;
    let mut journal = ByTable { rows: journal.query(())?, column: 13, started: false };
    for table in tables {
        let located = |error: StoreError| error.within(table.as_ref());
        let name = table.as_ref().map(TableId::as_str);
        let events = match &table {
            Some(table) => read::events(&connection, table, 0).map_err(located)?,
            None => Vec::new(),
        };
        let commands = commands.of(name, read::to_command).map_err(located)?;
        let journal = journal.of(name, read::to_journal).map_err(located)?;
        visit.table(table.as_ref(), events, commands, journal);
    }
    let mut select = connection.prepare_cached("SELECT owner, currency, shard, cents FROM accounts")?;
    let accounts = read::all(&mut select, (), |row| {
        let account = read::to_account_of(row)?;
        Ok(AccountRow { account, shard: read::text(row, 2)?.to_owned(), cents: row.get(3)? })
    })?;
    let mut select = connection.prepare_cached(&format!("{} ORDER BY id", read::HOLD))?;
    let holds = read::all(&mut select, (), read::to_hold)?;
    visit.money(accounts, holds);
    visit.acts(people::acts(&connection, 0, u32::MAX)?);
    Ok(visit)
}

/// Rows in the order of the tables they are about, those about none last.
struct ByTable<'s> {
    rows: Rows<'s>,
    /// The column that says the table.
    column: usize,
    /// Whether a row is waiting to be looked at.
    started: bool,
}

impl ByTable<'_> {
    /// All rows about a table. Those about one that is not there are passed over: the database says of them what is wrong.
    fn of<T>(
        &mut self,
        table: Option<&str>,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        if !self.started {
            self.started = true;
            self.rows.advance()?;
        }
        while let Some(row) = self.rows.get() {
            let about = read::optional(row, self.column)?;
            // None is after every name.
            let is_later = match (about, table) {
                (Some(about), Some(table)) => about > table,
                (about, table) => about.is_none() && table.is_some(),
            };
            if is_later {
                break;
            }
            if about == table {
                found.push(read(row)?);
            }
            self.rows.advance()?;
        }
        Ok(found)
    }
}
