//! Cache of the latest transfers of players with limits.
//!
//! A limit counts the transfers of up to a week for every wager. Most of them are in compressed blocks, which take
//! milliseconds to open. The cache reads only the transfers that are new.

use crate::people::People;
use crate::{JournalRow, Store, StoreError};
use paigow_table::{Account, Time, TransferId};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Number of transfers read at a time.
const PAGE: u32 = 500;
/// Number of transfers in memory. The cache is emptied when it has more.
const ROWS_MAX: usize = 100_000;

/// Latest transfers of accounts.
#[derive(Default)]
pub(super) struct TransferCache(Mutex<HashMap<Account, RecentTransfers>>);

/// Transfers of an account since a time.
pub(super) struct RecentTransfers {
    since: Time,
    /// In the order of the journal.
    rows: Vec<JournalRow>,
    /// Newest transfer of the account, also if it is older than `since`.
    last: Option<(u64, TransferId)>,
}

impl TransferCache {
    /// Returns the transfers of an account since `start`. Transfers before `oldest` are forgotten; `start` must not be
    /// earlier.
    pub(super) async fn read<S: Store + People>(
        &self,
        store: &S,
        account: &Account,
        (start, oldest): (Time, Time),
        visit: impl FnOnce(&RecentTransfers),
    ) -> Result<(), StoreError> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(account);
        let recent = match cached.filter(|cached| cached.since <= start) {
            Some(cached) => cached.updated(store, account, oldest).await?,
            None => None,
        };
        let recent = match recent {
            Some(recent) => recent,
            None => RecentTransfers::load(store, account, start).await?,
        };
        visit(&recent);
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rows: usize = accounts.values().map(|recent| recent.rows.len()).sum();
        if rows + recent.rows.len() > ROWS_MAX {
            accounts.clear();
        }
        accounts.insert(account.clone(), recent);
        Ok(())
    }
}

impl RecentTransfers {
    /// Transfers since a time, the newest first.
    pub(super) fn since(&self, start: Time) -> impl Iterator<Item = &JournalRow> {
        self.rows.iter().rev().filter(move |row| row.at >= start)
    }

    /// Sequence number of the newest transfer, or 0.
    pub(super) fn last(&self) -> u64 {
        self.last.as_ref().map_or(0, |(seq, _)| *seq)
    }

    async fn load<S: Store + People>(
        store: &S,
        account: &Account,
        start: Time,
    ) -> Result<RecentTransfers, StoreError> {
        let mut recent = RecentTransfers { since: start, rows: Vec::new(), last: None };
        let mut before = None;
        loop {
            let rows = store.latest_transfers(account, before, PAGE).await?;
            if before.is_none() {
                recent.last = rows.first().map(|row| (row.seq, row.transfer.id.clone()));
            }
            let next = rows.last().map(|row| (row.seq, row.at));
            let is_full = rows.len() == PAGE as usize;
            recent.rows.extend(rows.into_iter().filter(|row| row.at >= start));
            match next {
                Some((seq, at)) if is_full && at >= start => before = Some(seq),
                _ => break,
            }
        }
        recent.rows.reverse();
        Ok(recent)
    }

    /// Adds the transfers after the newest one. Returns `None` if the store no longer has the newest one: it was archived, or
    /// the store was rolled back.
    async fn updated<S: Store>(
        mut self,
        store: &S,
        account: &Account,
        oldest: Time,
    ) -> Result<Option<RecentTransfers>, StoreError> {
        let mut after = self.last().saturating_sub(1);
        let mut expected = self.last.clone();
        loop {
            let mut rows = store.journal(Some(account), after, PAGE).await?;
            let is_full = rows.len() == PAGE as usize;
            if let Some((seq, id)) = expected.take() {
                if rows.first().is_none_or(|row| row.seq != seq || row.transfer.id != id) {
                    return Ok(None);
                }
                rows.remove(0);
            }
            if let Some(last) = rows.last() {
                self.last = Some((last.seq, last.transfer.id.clone()));
            }
            self.rows.extend(rows);
            if !is_full {
                break;
            }
            after = self.last();
        }
        self.since = self.since.max(oldest);
        self.rows.retain(|row| row.at >= oldest);
        Ok(Some(self))
    }
}
