//! Heads of chains, kept outside the store and compared with it later.
//!
//! A chain alone cannot show that its end was cut off, or that all of it was written anew. A head that was kept elsewhere does: the chain must still
//! have that hash at that sequence number.

use super::{ChainHead, Finding};
use crate::store::{GENESIS, HeadSigner, HeadVerifier, SignedMessage};
use paigow_table::{Commitment, Signature, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The heads of all chains of a store at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heads {
    /// Version of this file's form: 1.
    pub format: u32,
    /// The last event of every table, by name.
    pub tables: Vec<ChainHead>,
    /// The last entry of the operators' log.
    pub operator_log: Option<LogHead>,
    /// The last entry of the house log.
    pub house_log: Option<LogHead>,
    /// Ed25519 signature of [`Heads::message`]; absent if the exporter had no key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
}

/// The last entry of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogHead {
    /// Its sequence number.
    pub seq: u64,
    /// Its hash.
    pub hash: Commitment,
}

impl Heads {
    /// The version of the form that this program writes and reads.
    pub const FORMAT: u32 = 1;

    /// The message that is signed; `docs/store.md` has its layout.
    pub fn message(&self) -> Vec<u8> {
        let mut message = SignedMessage::new("paigow heads 1").number(self.tables.len() as u64);
        for ChainHead { table, seq, hash } in &self.tables {
            // A hash that is no hash was not exported by this program.
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

/// Kept heads that are looked for while a store is walked.
#[derive(Default)]
pub(super) struct ExpectedHeads {
    tables: BTreeMap<TableId, ChainHead>,
    operator_log: Option<LogHead>,
    house_log: Option<LogHead>,
    /// Whether the house log had the kept entry, and which hash it had.
    house_found: Option<[u8; 32]>,
}

impl ExpectedHeads {
    pub(super) fn new(heads: Heads) -> ExpectedHeads {
        ExpectedHeads {
            tables: heads.tables.into_iter().map(|head| (head.table.clone(), head)).collect(),
            operator_log: heads.operator_log,
            house_log: heads.house_log,
            house_found: None,
        }
    }

    /// Compares a table with its kept head.
    pub(super) fn table(
        &mut self,
        table: &TableId,
        hashes: impl ExactSizeIterator<Item = (u64, [u8; 32])>,
    ) -> Option<Finding> {
        let head = self.tables.remove(table)?;
        let count = hashes.len() as u64;
        let found = hashes.into_iter().find(|(seq, _)| *seq == head.seq).map(|(_, hash)| hash);
        compare(&format!("table {table}"), (head.seq, &head.hash), found, count)
    }

    /// Compares the operators' log with its kept head.
    pub(super) fn operator_log(&self, hashes: &[[u8; 32]]) -> Option<Finding> {
        let head = self.operator_log?;
        let index = head.seq.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let found = index.and_then(|index| hashes.get(index)).copied();
        compare("the operators' log", (head.seq, &head.hash.into()), found, hashes.len() as u64)
    }

    /// Notes an entry of the house log.
    pub(super) fn house_entry(&mut self, seq: u64, hash: [u8; 32]) {
        if self.house_log.is_some_and(|head| head.seq == seq) {
            self.house_found = Some(hash);
        }
    }

    /// Compares the house log, which has so many entries, with its kept head, and names tables that were not there.
    pub(super) fn end(&mut self, count: u64) -> Vec<Finding> {
        let house = self.house_log.and_then(|head| {
            compare("the house log", (head.seq, &head.hash.into()), self.house_found, count)
        });
        let missing = std::mem::take(&mut self.tables).into_values().map(|head| Finding {
            code: "head_missing",
            place: format!("table {}", head.table),
            says: format!("is missing: the kept heads have its event {}", head.seq),
        });
        house.into_iter().chain(missing).collect()
    }
}

fn compare(place: &str, (seq, kept): (u64, &String), found: Option<[u8; 32]>, count: u64) -> Option<Finding> {
    let place = place.to_owned();
    match found {
        Some(hash) if String::from(Commitment(hash)) == *kept => None,
        Some(_) => {
            let says = format!("has another history: the kept heads have another hash at {seq}");
            Some(Finding { code: "head_differs", place, says })
        }
        None => {
            let says = format!("was shortened: it ends with {count}, and the kept heads have {seq}");
            Some(Finding { code: "head_shortened", place, says })
        }
    }
}
