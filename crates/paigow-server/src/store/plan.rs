//! What a batch needs to know, and what it writes: the part of a transaction that is the same whatever the database.

use super::chain::{command_digest, event_hash};
use super::{AppendOutcome, Batch, StoredCommand, Tip};
use paigow_table::{
    Account, Hold, Ledger, LedgerRefusal, Owner, PlantedFault, TableId, Transfer, TransferId, TransferKind,
    planted,
};
use std::collections::{BTreeMap, BTreeSet};

/// What must be read before a batch can be taken.
pub(super) struct Needs {
    /// Accounts whose balance decides, in the order in which they are locked.
    pub(super) accounts: BTreeSet<Account>,
    /// Holds that are spent.
    pub(super) holds: BTreeSet<TransferId>,
    /// Transfers that may have been taken before.
    pub(super) transfers: BTreeSet<TransferId>,
}

/// What is to be written.
pub(super) struct Writes<'a> {
    pub(super) digest: [u8; 32],
    /// Sequence, round, text and hash of every event.
    pub(super) events: Vec<(u64, u64, &'a str, [u8; 32])>,
    /// Every transfer that is new.
    pub(super) journal: Vec<Transfer>,
    /// By how much each part of an account changes, in the order in which they are locked.
    pub(super) changes: BTreeMap<(Account, String), i64>,
    /// Every hold as it is then.
    pub(super) holds: Vec<(TransferId, Hold)>,
}

impl Writes<'_> {
    /// The tip of the batch's table afterwards, if it appends to one.
    pub(super) fn tip(&self) -> Option<Tip> {
        self.events.last().map(|(seq, _, _, hash)| Tip { seq: *seq, hash: *hash })
    }

    /// Outcome of a batch that is written.
    pub(super) fn outcome(&self) -> AppendOutcome {
        AppendOutcome::Appended { hashes: self.events.iter().map(|(_, _, _, hash)| *hash).collect() }
    }
}

impl Batch {
    /// Returns what the batch writes, or its outcome if it writes nothing.
    ///
    /// Checks the stored answer, then the tip, then the ledger. SQLite passes `None` for `kept` and looks the answer up only when the batch is
    /// not taken; the outcome is the same. `tip` is the tip of the batch's table; `ledger` has the accounts and holds that the batch needs.
    pub(super) fn take<'a>(
        &'a self,
        kept: Option<StoredCommand>,
        tip: Tip,
        ledger: &mut Ledger,
    ) -> Result<Writes<'a>, AppendOutcome> {
        if let Some(kept) = kept.filter(|_| !planted(PlantedFault::ApplyRepeatedCommand)) {
            return Err(kept.outcome(self));
        }
        let follows = self.table.as_ref().is_none_or(|(_, expected)| *expected == tip);
        if !follows && !planted(PlantedFault::SkipSequenceCheck) {
            return Err(AppendOutcome::Behind);
        }
        self.plan(ledger, tip.hash).map_err(AppendOutcome::Refused)
    }

    pub(super) fn table_id(&self) -> Option<&TableId> {
        self.table.as_ref().map(|(table, _)| table)
    }

    /// What must be read. Of accounts that may owe nothing is asked: nothing is refused for their sake, so nobody waits for
    /// anybody else's table.
    pub(super) fn needs(&self) -> Needs {
        let accounts = self.transfers.iter().flat_map(|transfer| {
            // What is only credited need not be known either, unless it is somebody's own.
            let debit = Some(&transfer.debit).filter(|account| !account.owner.may_owe());
            let credit = Some(&transfer.credit).filter(|account| !is_shared(&account.owner));
            debit.into_iter().chain(credit)
        });
        let holds = self.transfers.iter().filter_map(|transfer| match &transfer.kind {
            TransferKind::Post(hold) | TransferKind::Void(hold) => Some(hold),
            TransferKind::Plain | TransferKind::Hold => None,
        });
        Needs {
            accounts: accounts.cloned().collect(),
            holds: holds.cloned().collect(),
            transfers: self.transfers.iter().map(|transfer| transfer.id.clone()).collect(),
        }
    }

    /// What is to be written, if the ledger agrees; it knows what the batch needs. The hash is that of the table's last event.
    fn plan(&self, ledger: &mut Ledger, mut hash: [u8; 32]) -> Result<Writes<'_>, LedgerRefusal> {
        let mut journal = ledger.take(&self.transfers)?;
        if self.table.is_some() && planted(PlantedFault::LoseTransfers) {
            journal.clear();
        }
        let answered = (self.body.as_str(), self.answer.as_str());
        let digest = command_digest((&self.by, &self.id), self.at, self.table_id(), answered, &journal);
        let mut events = Vec::with_capacity(self.events.len());
        if let Some((table, before)) = &self.table {
            for (seq, event) in (before.seq + 1..).zip(&self.events) {
                hash = event_hash(&hash, table, seq, &digest, &event.json);
                events.push((seq, event.round, event.json.as_str(), hash));
            }
        }
        let mut changes: BTreeMap<(Account, String), i64> = BTreeMap::new();
        let mut touched: BTreeSet<&TransferId> = BTreeSet::new();
        for transfer in &journal {
            // The ledger has counted it, so it can be counted.
            let cents = transfer.cents.cast_signed();
            for (account, change) in [(&transfer.debit, -cents), (&transfer.credit, cents)] {
                let part = (account.clone(), shard(&account.owner, self.table_id()));
                *changes.entry(part).or_default() += change;
            }
            match &transfer.kind {
                TransferKind::Plain => {}
                TransferKind::Hold => drop(touched.insert(&transfer.id)),
                TransferKind::Post(hold) | TransferKind::Void(hold) => drop(touched.insert(hold)),
            }
        }
        if planted(PlantedFault::LoseHold) {
            touched.pop_last();
        }
        let holds =
            touched.into_iter().filter_map(|id| Some((id.clone(), ledger.hold(id)?.clone()))).collect();
        Ok(Writes { digest, events, journal, changes, holds })
    }
}

/// Whether many tables move the account: then it is kept in parts, one for each table, so that they do not wait for each other.
const fn is_shared(owner: &Owner) -> bool {
    !matches!(owner, Owner::Player(_) | Owner::Escrow(_))
}

/// The part of an account that a table moves.
pub(crate) fn shard(owner: &Owner, table: Option<&TableId>) -> String {
    if is_shared(owner) { table.map_or_else(String::new, ToString::to_string) } else { String::new() }
}
