//! Plans the writes of a batch. This part of a transaction is the same for all databases.

use super::chain::{command_digest, event_hash};
use super::{AppendOutcome, Batch, StoredCommand, Tip};
use paigow_table::{
    Account, Hold, Ledger, LedgerRefusal, Owner, PlantedFault, TableId, Transfer, TransferId, TransferKind,
    planted,
};
use std::collections::{BTreeMap, BTreeSet};

/// Rows that must be read before a batch can be planned.
pub(super) struct Needs {
    /// Accounts whose balance must be known, in locking order.
    pub(super) accounts: BTreeSet<Account>,
    /// Holds that the batch spends.
    pub(super) holds: BTreeSet<TransferId>,
    /// Transfers of the batch, which may be stored already.
    pub(super) transfers: BTreeSet<TransferId>,
}

/// Rows that a batch writes.
pub(super) struct Writes<'a> {
    pub(super) digest: [u8; 32],
    /// Sequence number, round, JSON and hash of every event.
    pub(super) events: Vec<(u64, u64, &'a str, [u8; 32])>,
    /// New transfers.
    pub(super) journal: Vec<Transfer>,
    /// Change of each shard of an account in cents, in locking order.
    pub(super) changes: BTreeMap<(Account, String), i64>,
    /// Changed holds, with their new values.
    pub(super) holds: Vec<(TransferId, Hold)>,
}

impl Writes<'_> {
    /// Tip of the batch's table after the batch, or `None` if it appends no events.
    pub(super) fn tip(&self) -> Option<Tip> {
        self.events.last().map(|(seq, _, _, hash)| Tip { seq: *seq, hash: *hash })
    }

    /// Outcome of the batch once it is committed.
    pub(super) fn outcome(&self) -> AppendOutcome {
        AppendOutcome::Appended { hashes: self.events.iter().map(|(_, _, _, hash)| *hash).collect() }
    }
}

impl Batch {
    /// Returns the writes of the batch, or its outcome if it writes nothing.
    ///
    /// Checks the stored answer, then the tip, then the ledger. SQLite passes `None` for `stored` and looks up the
    /// answer only if the batch cannot be appended, with the same outcome. `tip` is the tip of the batch's table.
    /// `last_transfer` is the last one of the account in `follows`, or 0 if it has none. `ledger` has the rows of [`Batch::needs`].
    pub(super) fn check_and_plan<'a>(
        &'a self,
        stored: Option<StoredCommand>,
        tip: Tip,
        last_transfer: Option<u64>,
        ledger: &mut Ledger,
    ) -> Result<Writes<'a>, AppendOutcome> {
        if let Some(stored) = stored.filter(|_| !planted(PlantedFault::ApplyRepeatedCommand)) {
            return Err(stored.outcome(self));
        }
        let is_current = self.table.as_ref().is_none_or(|(_, expected)| *expected == tip);
        if !is_current && !planted(PlantedFault::SkipSequenceCheck) {
            return Err(AppendOutcome::Conflict);
        }
        if self.follows.as_ref().is_some_and(|(_, expected)| last_transfer != Some(*expected)) {
            return Err(AppendOutcome::OtherTransfers);
        }
        self.plan(ledger, tip.hash).map_err(AppendOutcome::Refused)
    }

    pub(super) fn table_id(&self) -> Option<&TableId> {
        self.table.as_ref().map(|(table, _)| table)
    }

    /// Returns the rows that must be read to plan the batch.
    ///
    /// Accounts that may be overdrawn are left out. No transfer is refused because of their balance, so tables need not
    /// wait for each other's locks on them.
    pub(super) fn needs(&self) -> Needs {
        let accounts = self.transfers.iter().flat_map(|transfer| {
            // Accounts that are only credited are left out too, unless they belong to one player or table.
            let debit = Some(&transfer.debit).filter(|account| !account.owner.may_owe());
            let credit = Some(&transfer.credit).filter(|account| !is_shared(&account.owner));
            debit.into_iter().chain(credit)
        });
        // Locks the account until the commit, so that its last transfer stays the last one.
        let accounts = accounts.chain(self.follows.as_ref().map(|(account, _)| account));
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

    /// Plans the writes if the ledger accepts the transfers. `hash` is the hash of the table's last event.
    fn plan(&self, ledger: &mut Ledger, mut hash: [u8; 32]) -> Result<Writes<'_>, LedgerRefusal> {
        let mut journal = ledger.apply(&self.transfers)?;
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
            // The ledger has accepted the amount, so it fits.
            let cents = transfer.cents.cast_signed();
            for (account, change) in [(&transfer.debit, -cents), (&transfer.credit, cents)] {
                let key = (account.clone(), shard(&account.owner, self.table_id()));
                *changes.entry(key).or_default() += change;
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

/// Whether many tables use the account. It is then split into shards, one for each table, so that tables do not wait
/// for each other.
const fn is_shared(owner: &Owner) -> bool {
    !matches!(owner, Owner::Player(_) | Owner::Escrow(_))
}

/// Shard of an account that a table uses. Empty for accounts that are not split.
pub(crate) fn shard(owner: &Owner, table: Option<&TableId>) -> String {
    if is_shared(owner) { table.map_or_else(String::new, ToString::to_string) } else { String::new() }
}
