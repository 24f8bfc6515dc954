//! Cache of the writer: tips of tables, balances and holds.
//!
//! It is valid until another connection writes to the file or a transaction of the writer is rolled back.

use super::super::plan::Writes;
use super::super::{Batch, StoreError, Tip};
use super::read;
use paigow_table::{Account, Hold, TableId, TransferId};
use rusqlite::Connection;
use std::collections::HashMap;

/// Maximum number of entries: a few megabytes.
const ENTRIES_MAX: usize = 40_000;

#[derive(Default)]
pub(super) struct WriterCache {
    /// SQLite's `data_version`, which changes when another connection writes.
    version: i64,
    tips: HashMap<TableId, Tip>,
    balances: HashMap<Account, i64>,
    /// Open holds.
    holds: HashMap<TransferId, Hold>,
}

impl WriterCache {
    /// Called at the start of a transaction. Clears the cache if another connection has written, or if it is full.
    pub(super) fn begin(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut version = connection.prepare_cached("PRAGMA data_version")?;
        let version = version.query_row([], |row| row.get(0))?;
        let is_full = self.tips.len() + self.balances.len() + self.holds.len() > ENTRIES_MAX;
        if version != self.version || is_full {
            *self = WriterCache { version, ..WriterCache::default() };
        }
        Ok(())
    }

    /// Clears the cache, after a rollback.
    pub(super) fn clear(&mut self) {
        *self = WriterCache::default();
    }

    /// Returns the tip of a table.
    pub(super) fn tip(&mut self, connection: &Connection, table: &TableId) -> Result<Tip, StoreError> {
        if let Some(tip) = self.tips.get(table) {
            return Ok(*tip);
        }
        let tip = read::tip(connection, table)?.unwrap_or(Tip::START);
        self.tips.insert(table.clone(), tip);
        Ok(tip)
    }

    pub(super) fn balance(&mut self, connection: &Connection, account: &Account) -> Result<i64, StoreError> {
        if let Some(balance) = self.balances.get(account) {
            return Ok(*balance);
        }
        let balance = read::balance(connection, account)?;
        self.balances.insert(account.clone(), balance);
        Ok(balance)
    }

    pub(super) fn hold(
        &mut self,
        connection: &Connection,
        id: &TransferId,
    ) -> Result<Option<Hold>, StoreError> {
        match self.holds.get(id) {
            Some(hold) => Ok(Some(hold.clone())),
            None => read::hold(connection, id),
        }
    }

    /// Applies the writes of a batch to the cache.
    pub(super) fn update(&mut self, batch: &Batch, writes: &Writes<'_>) {
        if let (Some(table), Some(tip)) = (batch.table_id(), writes.tip()) {
            self.tips.insert(table.clone(), tip);
        }
        for ((account, _), cents) in &writes.changes {
            if let Some(balance) = self.balances.get_mut(account) {
                *balance += cents;
            }
        }
        for (id, hold) in &writes.holds {
            if hold.left > 0 {
                self.holds.insert(id.clone(), hold.clone());
            } else {
                self.holds.remove(id);
            }
        }
    }
}
