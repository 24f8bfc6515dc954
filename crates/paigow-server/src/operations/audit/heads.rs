//! Heads of chains, kept outside the store and compared with it later.
//!
//! A chain alone cannot show that its end was removed, or that all of it was rewritten. A head that was kept elsewhere
//! can: the chain must still have that hash at that sequence number.

use super::{ChainHead, Finding};
use crate::store::{GENESIS, HeadSigner, HeadVerifier, SignedMessage};
use paigow_table::{Commitment, Signature, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The heads of all chains of a store at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heads {
    /// Version of the file format: 1.
    pub format: u32,
    /// Last event of every table, sorted by table.
    pub tables: Vec<ChainHead>,
    /// Last entry of the operators' log.
    pub operator_log: Option<LogHead>,
    /// Last entry of the house log.
    pub house_log: Option<LogHead>,
    /// Ed25519 signature of [`Heads::message`]. Absent if the exporter had no key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
}

/// Last entry of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogHead {
    /// Sequence number of the entry.
    pub seq: u64,
    /// Hash of the entry.
    pub hash: Commitment,
}

impl Heads {
    /// Version of the file format that this program writes and reads.
    pub const FORMAT: u32 = 1;

    /// Returns the message that is signed. `docs/store.md` documents its layout.
    pub fn message(&self) -> Vec<u8> {
        let mut message = SignedMessage::new("paigow heads 1").number(self.tables.len() as u64);
        for ChainHead { table, seq, hash } in &self.tables {
            // This program exports only valid hashes.
            let hash = Commitment::try_from(hash.clone()).map_or(GENESIS, |hash| hash.0);
            message = message.text(table.as_str()).number(*seq).hash(&hash);
        }
        for log in [self.operator_log, self.house_log] {
            let (seq, hash) = log.map_or((0, GENESIS), |head| (head.seq, head.hash.0));
            message = message.number(seq).hash(&hash);
        }
        message.bytes()
    }

    /// Signs the heads, if the signer has a key.
    pub fn sign(&mut self, signer: &dyn HeadSigner) {
        self.signature = signer.sign(&self.message()).map(Signature);
    }

    /// Returns whether the heads have a signature that the verifier accepts.
    pub fn is_signed(&self, verifier: &dyn HeadVerifier) -> bool {
        self.signature.as_ref().is_some_and(|signature| verifier.verify(&self.message(), &signature.0))
    }
}

/// Heads that the chains of a store must contain.
#[derive(Default)]
pub(super) struct ExpectedHeads {
    tables: BTreeMap<TableId, ChainHead>,
    /// Heads among archived events.
    archived: BTreeMap<TableId, ChainHead>,
    operator_log: Option<LogHead>,
    house_log: Option<LogHead>,
    /// Hash of the house log at the expected sequence number, once it has been read.
    house_found: Option<[u8; 32]>,
}

impl ExpectedHeads {
    pub(super) fn new(heads: Heads) -> ExpectedHeads {
        ExpectedHeads {
            tables: heads.tables.into_iter().map(|head| (head.table.clone(), head)).collect(),
            archived: BTreeMap::new(),
            operator_log: heads.operator_log,
            house_log: heads.house_log,
            house_found: None,
        }
    }

    /// Compares a table with its expected head. The first events of the table, up to `archived`, are in archives; a head
    /// among them stays for [`ExpectedHeads::archived`].
    pub(super) fn table(
        &mut self,
        table: &TableId,
        archived: u64,
        hashes: impl ExactSizeIterator<Item = (u64, [u8; 32])>,
    ) -> Option<Finding> {
        let head = self.tables.remove(table)?;
        if head.seq <= archived {
            self.archived.insert(table.clone(), head);
            return None;
        }
        let count = archived + hashes.len() as u64;
        let found = hashes.into_iter().find(|(seq, _)| *seq == head.seq).map(|(_, hash)| hash);
        compare(&format!("table {table}"), (head.seq, &head.hash), found, count)
    }

    /// Compares an archived event of a table with the expected head, if it is that one.
    pub(super) fn archived(&mut self, table: &TableId, seq: u64, hash: [u8; 32]) -> Option<Finding> {
        let head = self.archived.get(table).filter(|head| head.seq == seq)?;
        let finding = compare(&format!("table {table}"), (seq, &head.hash), Some(hash), seq);
        self.archived.remove(table);
        finding
    }

    /// Number of heads among archived events that were not compared.
    pub(super) fn not_compared(&self) -> u64 {
        self.archived.len() as u64
    }

    /// Compares the operators' log with its expected head.
    pub(super) fn operator_log(&self, hashes: &[[u8; 32]]) -> Option<Finding> {
        let head = self.operator_log?;
        let index = head.seq.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let found = index.and_then(|index| hashes.get(index)).copied();
        compare("the operators' log", (head.seq, &head.hash.into()), found, hashes.len() as u64)
    }

    /// Records the hash of a house log entry, if it is the expected one.
    pub(super) fn house_entry(&mut self, seq: u64, hash: [u8; 32]) {
        if self.house_log.is_some_and(|head| head.seq == seq) {
            self.house_found = Some(hash);
        }
    }

    /// Compares the house log of `count` entries with its expected head, and reports expected tables that were not
    /// found.
    pub(super) fn finish(&mut self, count: u64) -> Vec<Finding> {
        let house = self.house_log.and_then(|head| {
            compare("the house log", (head.seq, &head.hash.into()), self.house_found, count)
        });
        let missing = std::mem::take(&mut self.tables).into_values().map(|head| {
            let message = format!("is missing: the kept heads have its event {}", head.seq);
            Finding::new("head_missing", format!("table {}", head.table), message)
        });
        house.into_iter().chain(missing).collect()
    }
}

fn compare(
    chain: &str,
    (seq, expected): (u64, &String),
    found: Option<[u8; 32]>,
    count: u64,
) -> Option<Finding> {
    match found {
        Some(hash) if String::from(Commitment(hash)) == *expected => None,
        Some(_) => {
            let message = format!("has another history: its hash at {seq} differs from the kept heads");
            Some(Finding::new("head_differs", chain, message))
        }
        None => {
            let message = format!("was shortened: it ends at {count}, but the kept heads have {seq}");
            Some(Finding::new("head_shortened", chain, message))
        }
    }
}
