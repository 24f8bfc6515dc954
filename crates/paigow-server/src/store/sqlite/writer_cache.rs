//! What the writer knows of the file because it has read or written it: where tables end, what accounts have and what is held. It is read
//! once; again only where somebody else has written, or where what was written was not kept.

use super::super::plan::Writes;
use super::super::{Batch, StoreError, Tip};
use super::read;
use paigow_table::{Account, Hold, TableId, TransferId};
use rusqlite::Connection;
use std::collections::HashMap;

/// How much is remembered at most, so that it does not grow for ever: a few megabytes.
const MOST: usize = 40_000;

#[derive(Default)]
pub(super) struct WriterCache {
    /// The database's count of what others have written.
    version: i64,
    tips: HashMap<TableId, Tip>,
    balances: HashMap<Account, i64>,
    /// Holds with something left.
    holds: HashMap<TransferId, Hold>,
}

impl WriterCache {
    /// A transaction has begun: what others may have changed since the last is forgotten.
    pub(super) fn begin(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut version = connection.prepare_cached("PRAGMA data_version")?;
        let version = version.query_row([], |row| row.get(0))?;
        let much = self.tips.len() + self.balances.len() + self.holds.len() > MOST;
        if version != self.version || much {
            *self = WriterCache { version, ..WriterCache::default() };
        }
        Ok(())
    }

    /// What was written is not kept.
    pub(super) fn forget(&mut self) {
        *self = WriterCache::default();
    }

    /// The last event of a table.
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

    /// A batch has been written.
    pub(super) fn wrote(&mut self, batch: &Batch, writes: &Writes<'_>) {
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
