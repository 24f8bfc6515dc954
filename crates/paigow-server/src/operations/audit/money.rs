//! Computes every balance and every hold from the journal alone, and compares them with the stored ones.

use super::Finding;
use crate::store::shard;
use crate::{AccountRow, BlockAccount, HoldRow, JournalRow};
use paigow_table::{Account, Currency, Owner, TableId, Transfer, TransferId, TransferKind, balances_of};
use std::collections::{BTreeMap, BTreeSet};

/// Sums of the journal so far.
#[derive(Default)]
pub(super) struct Money {
    /// Balances by account and shard.
    balances: BTreeMap<(Account, String), i128>,
    /// Holder, escrow and remaining cents of each hold.
    holds: BTreeMap<TransferId, (Account, Account, i128)>,
    /// Posted and voided cents of each hold. The hold itself may be added later.
    spent: BTreeMap<TransferId, i128>,
    /// Holds whose transfers are in blocks. Sealing deletes those with nothing left.
    sealed: BTreeSet<TransferId>,
    /// Open holds of every table that could be replayed.
    open: Vec<(TableId, BTreeMap<TransferId, u64>)>,
}

impl Money {
    pub(super) fn add(
        &mut self,
        table: Option<&TableId>,
        open: Option<BTreeMap<TransferId, u64>>,
        journal: Vec<JournalRow>,
        sealed: usize,
    ) {
        let holds = journal.iter().take(sealed).filter(|row| row.transfer.kind == TransferKind::Hold);
        self.sealed.extend(holds.map(|row| row.transfer.id.clone()));
        let journal: Vec<Transfer> = journal.into_iter().map(|row| row.transfer).collect();
        for (account, cents) in balances_of(&journal) {
            let shard = shard(&account.owner, table);
            *self.balances.entry((account, shard)).or_default() += cents;
        }
        for transfer in journal {
            let cents = i128::from(transfer.cents);
            match transfer.kind {
                TransferKind::Plain => {}
                TransferKind::Hold => {
                    drop(self.holds.insert(transfer.id, (transfer.debit, transfer.credit, cents)));
                }
                TransferKind::Post(hold) | TransferKind::Void(hold) => {
                    *self.spent.entry(hold).or_default() += cents;
                }
            }
        }
        self.open.extend(table.cloned().zip(open));
    }

    /// Adds the sums of an archived block. Its holds have nothing left, because it has whole rounds.
    pub(super) fn add_archived(&mut self, table: &TableId, sums: &BTreeMap<Account, BlockAccount>) {
        for (account, BlockAccount { debit_cents, credit_cents, .. }) in sums {
            let key = (account.clone(), shard(&account.owner, Some(table)));
            *self.balances.entry(key).or_default() += i128::from(*credit_cents) - i128::from(*debit_cents);
        }
    }

    pub(super) fn check(&mut self, accounts: &[AccountRow], holds: &[HoldRow]) -> Vec<Finding> {
        for (id, spent) in std::mem::take(&mut self.spent) {
            if let Some((_, _, left)) = self.holds.get_mut(&id) {
                *left -= spent;
            }
        }
        let mut findings = Vec::new();
        self.check_accounts(accounts, &mut findings);
        self.check_holds(holds, &mut findings);
        self.check_escrows(accounts, holds, &mut findings);
        findings
    }

    fn check_accounts(&self, accounts: &[AccountRow], findings: &mut Vec<Finding>) {
        let mut add = |code, account: &Account, shard: &str, message: String| {
            let shard = if shard.is_empty() { String::new() } else { format!(" (table {shard})") };
            let location = format!("account {} in {}{shard}", account.owner, account.currency);
            findings.push(Finding::new(code, location, message));
        };
        let stored: BTreeMap<(Account, String), i128> = accounts
            .iter()
            .map(|row| ((row.account.clone(), row.shard.clone()), i128::from(row.cents)))
            .collect();
        for ((account, shard), expected) in &self.balances {
            let balance = stored.get(&(account.clone(), shard.clone())).copied().unwrap_or(0);
            if balance != *expected {
                let message = format!("has {balance} cents, but its transfers sum to {expected}");
                add("balance_differs", account, shard, message);
            }
        }
        let mut sums: BTreeMap<&Currency, i128> = BTreeMap::new();
        for ((account, shard), balance) in &stored {
            *sums.entry(&account.currency).or_default() += balance;
            if !self.balances.contains_key(&(account.clone(), shard.clone())) && *balance != 0 {
                add("balance_differs", account, shard, format!("has {balance} cents, but no transfers"));
            }
            let must_be_covered = matches!(account.owner, Owner::Player(_) | Owner::Escrow(_));
            if *balance < 0 && must_be_covered {
                add("below_zero", account, shard, format!("has a negative balance of {balance} cents"));
            }
        }
        for (currency, sum) in sums.into_iter().filter(|(_, sum)| *sum != 0) {
            let message = format!("sum to {sum} cents, but must sum to zero");
            findings.push(Finding::new("unbalanced", format!("all accounts in {currency}"), message));
        }
    }

    fn check_holds(&self, holds: &[HoldRow], findings: &mut Vec<Finding>) {
        let mut add = |id: &TransferId, message: String| {
            findings.push(Finding::new("hold_differs", format!("hold {id}"), message));
        };
        let stored: BTreeMap<&TransferId, &HoldRow> = holds.iter().map(|row| (&row.id, row)).collect();
        for (id, (holder, escrow, left)) in &self.holds {
            match stored.get(id) {
                None if *left == 0 && self.sealed.contains(id) => {}
                None => add(id, "is in the journal, but not among the holds".to_owned()),
                Some(HoldRow { hold, .. }) => {
                    if i128::from(hold.left) != *left {
                        add(id, format!("has {} cents left, but its transfers leave {left}", hold.left));
                    } else if (&hold.holder, &hold.escrow) != (holder, escrow) {
                        let message = format!(
                            "belongs to {}, but in the journal to {}",
                            hold.holder.owner, holder.owner
                        );
                        add(id, message);
                    }
                }
            }
        }
        for id in stored.into_keys().filter(|id| !self.holds.contains_key(*id)) {
            add(id, "is among the holds, but not in the journal".to_owned());
        }
    }

    /// Checks that every escrow equals the sum of its holds, and that the open holds are those that the tables know.
    ///
    /// The second check also shows that the holds of finished rounds are closed.
    fn check_escrows(&self, accounts: &[AccountRow], holds: &[HoldRow], findings: &mut Vec<Finding>) {
        let mut held: BTreeMap<&Account, i128> = BTreeMap::new();
        for HoldRow { hold, .. } in holds {
            *held.entry(&hold.escrow).or_default() += i128::from(hold.left);
        }
        for row in accounts.iter().filter(|row| matches!(row.account.owner, Owner::Escrow(_))) {
            let expected = held.get(&row.account).copied().unwrap_or(0);
            if expected != i128::from(row.cents) {
                let message = format!("has {} cents, but its holds sum to {expected}", row.cents);
                let location = format!("account {} in {}", row.account.owner, row.account.currency);
                findings.push(Finding::new("escrow_differs", location, message));
            }
        }
        let mut open_by_table: BTreeMap<&TableId, BTreeMap<&TransferId, u64>> = BTreeMap::new();
        for HoldRow { id, hold } in holds.iter().filter(|row| row.hold.left > 0) {
            if let Owner::Escrow(table) = &hold.escrow.owner {
                open_by_table.entry(table).or_default().insert(id, hold.left);
            }
        }
        for (table, expected) in &self.open {
            let stored = open_by_table.remove(table).unwrap_or_default();
            let expected: BTreeMap<&TransferId, u64> =
                expected.iter().map(|(id, cents)| (id, *cents)).collect();
            let differing = expected.iter().find(|(id, cents)| stored.get(*id) != Some(*cents));
            let differing = differing.or_else(|| stored.iter().find(|(id, _)| !expected.contains_key(*id)));
            if let Some((id, _)) = differing {
                let cents = |holds: &BTreeMap<&TransferId, u64>| holds.get(id).copied().unwrap_or(0);
                let message =
                    format!("has {} cents, but {} at table {table}", cents(&stored), cents(&expected));
                findings.push(Finding::new("hold_open", format!("hold {id}"), message));
            }
        }
    }
}
