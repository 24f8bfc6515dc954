//! Cache of the latest transfers of players.
//!
//! A limit counts the transfers of up to a week for every wager. Most of them are in compressed blocks, which take
//! milliseconds to open. The cache reads only the newest transfer that it knows, and those after it.

use crate::people::People;
use crate::{JournalRow, Store, StoreError};
use paigow_table::{Account, Time};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of transfers read at a time.
const PAGE: u32 = 500;
/// Number of accounts and transfers in memory. The cache is emptied when it has more.
const SIZE_MAX: usize = 100_000;

/// Latest transfers of accounts.
#[derive(Default)]
pub(super) struct TransferCache(Mutex<CachedAccounts>);

#[derive(Default)]
struct CachedAccounts {
    accounts: HashMap<Account, RecentTransfers>,
    /// Number of accounts and of their transfers.
    size: usize,
}

/// Transfers of an account since a time.
pub(super) struct RecentTransfers {
    since: Time,
    /// In the order of the journal.
    rows: Vec<JournalRow>,
    /// Newest transfer of the account, also if it is older than `since`.
    last: Option<JournalRow>,
}

impl TransferCache {
    /// Passes the transfers of an account since `start` to `visit`. Drops transfers before `oldest`, which must not be after
    /// `start`.
    pub(super) async fn read<S: Store + People>(
        &self,
        store: &S,
        account: &Account,
        (start, oldest): (Time, Time),
        visit: impl FnOnce(&RecentTransfers),
    ) -> Result<(), StoreError> {
        let cached = self.lock().take(account);
        let recent = match cached.filter(|cached| cached.since <= start) {
            Some(cached) => cached.read_newer(store, account, oldest).await?,
            None => None,
        };
        let recent = match recent {
            Some(recent) => recent,
            None => RecentTransfers::load(store, account, start).await?,
        };
        visit(&recent);
        self.lock().insert(account.clone(), recent);
        Ok(())
    }

    pub(super) fn clear(&self) {
        *self.lock() = CachedAccounts::default();
    }

    fn lock(&self) -> MutexGuard<'_, CachedAccounts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedAccounts {
    fn take(&mut self, account: &Account) -> Option<RecentTransfers> {
        let taken = self.accounts.remove(account);
        self.size -= taken.as_ref().map_or(0, RecentTransfers::size);
        taken
    }

    fn insert(&mut self, account: Account, recent: RecentTransfers) {
        // Another request may have inserted the account meanwhile.
        self.take(&account);
        if self.size + recent.size() > SIZE_MAX {
            *self = CachedAccounts::default();
        }
        self.size += recent.size();
        self.accounts.insert(account, recent);
    }
}

impl RecentTransfers {
    /// Transfers since a time, the newest first.
    pub(super) fn since(&self, start: Time) -> impl Iterator<Item = &JournalRow> {
        self.rows.iter().rev().filter(move |row| row.at >= start)
    }

    /// Sequence number of the newest transfer, or 0.
    pub(super) fn last(&self) -> u64 {
        self.last.as_ref().map_or(0, |row| row.seq)
    }

    /// The account and its transfers.
    fn size(&self) -> usize {
        1 + self.rows.len()
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
                recent.last = rows.first().cloned();
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
    /// the store was rolled back. A rolled-back store may have another transfer with the same id.
    async fn read_newer<S: Store>(
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
            if let Some(expected) = expected.take() {
                if rows.first() != Some(&expected) {
                    return Ok(None);
                }
                rows.remove(0);
            }
            self.last = rows.last().cloned().or(self.last);
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
