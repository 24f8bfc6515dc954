//! Digests of everything that a store keeps of an archive.
//!
//! They are computed from the rows of the store and from the file, and are equal. The entry of the house log has them, so
//! that the rows cannot be changed unnoticed. Each is a SHA-256 in the form of the hashes of `chain.rs`, over all blocks
//! or tables of the archive, by table and sequence number:
//!
//! - blocks = `paigow archived blocks 1` ‖ (table ‖ first seq ‖ last seq ‖ first round ‖ last round ‖ first place ‖ last
//!   place ‖ last time ‖ hash before ‖ hash ‖ digest) of each block
//! - commands = `paigow archived commands 1` ‖ (table ‖ last seq ‖ number of keys ‖ keys in ascending order) of each block
//! - accounts = `paigow archived accounts 1` ‖ (table ‖ last seq ‖ number of accounts ‖ (owner ‖ currency ‖ first place ‖
//!   last place ‖ debit cents ‖ credit cents) by owner and currency) of each block
//! - checkpoints = `paigow archived checkpoints 1` ‖ (table ‖ seq ‖ hash ‖ first event ‖ checkpoint) of each table

use super::CheckpointRow;
use crate::store::{BlockHead, BlockIndex};
use paigow_table::Commitment;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Digests of everything that a store keeps of an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchiveDigests {
    /// Digest of the ranges of the blocks.
    pub blocks: Commitment,
    /// Digest of the keys of commands.
    pub commands: Commitment,
    /// Digest of the sums by account.
    pub accounts: Commitment,
    /// Digest of the checkpoints.
    pub checkpoints: Commitment,
}

impl ArchiveDigests {
    /// Digests with their names, for comparisons.
    pub(crate) fn named(&self) -> [(&'static str, Commitment); 4] {
        [
            ("blocks", self.blocks),
            ("commands", self.commands),
            ("accounts", self.accounts),
            ("checkpoints", self.checkpoints),
        ]
    }
}

/// Computes [`ArchiveDigests`].
#[derive(Clone)]
pub(crate) struct DigestBuilder {
    blocks: Sha256,
    commands: Sha256,
    accounts: Sha256,
    checkpoints: Sha256,
}

fn text(digest: &mut Sha256, text: &str) {
    number(digest, text.len() as u64);
    digest.update(text);
}

fn number(digest: &mut Sha256, number: u64) {
    digest.update(number.to_be_bytes());
}

impl Default for DigestBuilder {
    fn default() -> DigestBuilder {
        let started = |name: &str| {
            let mut digest = Sha256::new();
            text(&mut digest, name);
            digest
        };
        DigestBuilder {
            blocks: started("paigow archived blocks 1"),
            commands: started("paigow archived commands 1"),
            accounts: started("paigow archived accounts 1"),
            checkpoints: started("paigow archived checkpoints 1"),
        }
    }
}

impl DigestBuilder {
    /// Adds a block. Blocks must be added by table and sequence number.
    pub(crate) fn block(&mut self, head: &BlockHead, content_digest: &[u8; 32], index: &BlockIndex) {
        let table = head.table.as_str();
        text(&mut self.blocks, table);
        for value in [
            head.first_seq,
            head.last_seq,
            head.first_round,
            head.last_round,
            head.first_place,
            head.last_place,
            head.last_at.0,
        ] {
            number(&mut self.blocks, value);
        }
        for hash in [&head.before, &head.hash, content_digest] {
            self.blocks.update(hash);
        }
        text(&mut self.commands, table);
        number(&mut self.commands, head.last_seq);
        number(&mut self.commands, index.commands.len() as u64);
        for key in &index.commands {
            self.commands.update(key.to_be_bytes());
        }
        text(&mut self.accounts, table);
        number(&mut self.accounts, head.last_seq);
        number(&mut self.accounts, index.accounts.len() as u64);
        let mut accounts: Vec<_> = index
            .accounts
            .iter()
            .map(|(account, sums)| (account.owner.to_string(), account.currency.as_str(), sums))
            .collect();
        accounts.sort_by(|(one, first, _), (other, second, _)| (one, first).cmp(&(other, second)));
        for (owner, currency, sums) in accounts {
            text(&mut self.accounts, &owner);
            text(&mut self.accounts, currency);
            for value in [sums.first_place, sums.last_place, sums.debit_cents, sums.credit_cents] {
                number(&mut self.accounts, value);
            }
        }
    }

    /// Adds the checkpoint of a table. Checkpoints must be added by table.
    pub(crate) fn checkpoint(&mut self, row: &CheckpointRow) {
        let digest = &mut self.checkpoints;
        text(digest, row.table.as_str());
        number(digest, row.seq);
        digest.update(row.hash);
        text(digest, &row.opened);
        text(digest, &row.json);
    }

    pub(crate) fn finish(self) -> ArchiveDigests {
        let end = |digest: Sha256| Commitment(digest.finalize().into());
        ArchiveDigests {
            blocks: end(self.blocks),
            commands: end(self.commands),
            accounts: end(self.accounts),
            checkpoints: end(self.checkpoints),
        }
    }
}
