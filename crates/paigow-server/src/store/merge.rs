//! Merges rows of a store with rows of its blocks.
//!
//! Rows move from the tables into blocks and never back. So a reader that reads the tables first and the blocks after that
//! misses no row, and rows that it finds in both are equal.

use super::{Block, JournalRow, PlayerRound};
use paigow_table::{Account, Owner, PlayerId, TransferKind};
use std::collections::BTreeMap;

/// Returns the sequence number that events of blocks are read up to, exclusive, or `None` if blocks have no events after
/// `after`.
///
/// `first` is the first event after `after` in the rows. The last event of a table is always a row, so without rows there
/// are no events.
pub(super) fn sealed_until(after: u64, first: Option<u64>) -> Option<u64> {
    first.filter(|first| *first > after.saturating_add(1))
}

/// Part of a list in the order of the journal, with a maximum length.
pub(super) struct JournalPage<T> {
    rows: BTreeMap<u64, T>,
    order: Order,
    limit: usize,
}

/// Order of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    OldestFirst,
    NewestFirst,
}

impl<T> JournalPage<T> {
    /// Creates a page with the rows of the tables, each with its sequence number in the journal.
    pub(super) fn new(order: Order, limit: u32, rows: impl IntoIterator<Item = (u64, T)>) -> JournalPage<T> {
        let mut page = JournalPage { rows: BTreeMap::new(), order, limit: limit as usize };
        page.add(rows);
        page
    }

    /// Whether a block may have rows that belong to the page, given the first and last sequence number of its transfers.
    ///
    /// The page needs no further block after the first one that it does not need, if blocks are in the order of the page: by their first
    /// transfer if it starts with the oldest row, and by their last transfer if it starts with the newest.
    pub(super) fn needs(&self, (first, last): (u64, u64)) -> bool {
        let end = match self.order {
            Order::OldestFirst => self.rows.last_key_value(),
            Order::NewestFirst => self.rows.first_key_value(),
        };
        self.rows.len() < self.limit
            || end.is_some_and(|(end, _)| match self.order {
                Order::OldestFirst => first < *end,
                Order::NewestFirst => last > *end,
            })
    }

    pub(super) fn add(&mut self, rows: impl IntoIterator<Item = (u64, T)>) {
        self.rows.extend(rows);
        while self.rows.len() > self.limit {
            match self.order {
                Order::OldestFirst => self.rows.pop_last(),
                Order::NewestFirst => self.rows.pop_first(),
            };
        }
    }

    pub(super) fn finish(self) -> Vec<T> {
        let rows = self.rows.into_values();
        match self.order {
            Order::OldestFirst => rows.collect(),
            Order::NewestFirst => rows.rev().collect(),
        }
    }
}

/// Returns rows of the journal with their sequence numbers.
pub(super) fn numbered(rows: Vec<JournalRow>) -> impl Iterator<Item = (u64, JournalRow)> {
    rows.into_iter().map(|row| (row.seq, row))
}

impl Block {
    /// Returns the transfers of an account, or all, with their sequence numbers.
    pub(super) fn transfers(self, account: Option<&Account>) -> impl Iterator<Item = (u64, JournalRow)> {
        let concerns = move |row: &JournalRow| {
            account.is_none_or(|account| [&row.transfer.debit, &row.transfer.credit].contains(&account))
        };
        numbered(self.journal).filter(move |(_, row)| concerns(row))
    }

    /// Returns the rounds that a player had money in, with the sequence numbers of the player's last wagers.
    pub(super) fn rounds_of(&self, player: &PlayerId) -> impl Iterator<Item = (u64, PlayerRound)> {
        let mut last: BTreeMap<u64, u64> = BTreeMap::new();
        for row in &self.journal {
            let by_player = matches!(&row.transfer.debit.owner, Owner::Player(owner) if owner == player);
            if by_player && row.transfer.kind == TransferKind::Hold {
                let seq = last.entry(row.round).or_default();
                *seq = row.seq.max(*seq);
            }
        }
        last.into_iter().map(|(round, seq)| (seq, PlayerRound { table: self.table.clone(), round, seq }))
    }
}
