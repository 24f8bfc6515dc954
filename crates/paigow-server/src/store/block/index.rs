//! Index of a block: the values by which its rows are found without opening it.

use super::Block;
use crate::store::encoding::encode_actor;
use paigow_table::{Account, Actor, CommandId};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Values by which the rows of a block are found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlockIndex {
    /// Keys of the commands: the first eight bytes of the SHA-256 of actor and id.
    pub commands: BTreeSet<i64>,
    /// Sums of the transfers of each account.
    pub accounts: BTreeMap<Account, BlockAccount>,
}

/// Transfers of an account in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BlockAccount {
    /// Sequence number of the first transfer in the journal.
    pub first_place: u64,
    /// Sequence number of the last transfer in the journal.
    pub last_place: u64,
    /// Sum of the transfers from the account, in cents.
    pub debit_cents: u64,
    /// Sum of the transfers to the account, in cents.
    pub credit_cents: u64,
}

impl BlockAccount {
    fn add(&mut self, place: u64, debit: u64, credit: u64) {
        self.first_place = if self.last_place == 0 { place } else { self.first_place.min(place) };
        self.last_place = self.last_place.max(place);
        self.debit_cents += debit;
        self.credit_cents += credit;
    }
}

impl Block {
    /// Computes the index of the block.
    pub fn index(&self) -> BlockIndex {
        let mut index = BlockIndex {
            commands: self.commands.iter().map(|row| command_key(&row.by, &row.id)).collect(),
            ..BlockIndex::default()
        };
        for row in &self.journal {
            let cents = row.transfer.cents;
            index.accounts.entry(row.transfer.debit.clone()).or_default().add(row.seq, cents, 0);
            index.accounts.entry(row.transfer.credit.clone()).or_default().add(row.seq, 0, cents);
        }
        index
    }
}

/// Key of a command in the index of blocks. Two commands may have the same key; the rows of the block decide.
pub(in crate::store) fn command_key(by: &Actor, id: &CommandId) -> i64 {
    let mut digest = Sha256::new();
    for text in [encode_actor(by).as_str(), id.as_str()] {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text);
    }
    let digest: [u8; 32] = digest.finalize().into();
    digest.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes))
}
