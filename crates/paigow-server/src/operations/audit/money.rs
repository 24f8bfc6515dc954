//! The money: every balance and every hold added up from the journal alone.

use super::Finding;
use crate::store::shard;
use crate::{AccountRow, HoldRow, JournalRow};
use paigow_table::{Account, Currency, Owner, TableId, Transfer, TransferId, TransferKind, balances_of};
use std::collections::BTreeMap;

/// What has been added up so far.
#[derive(Default)]
pub(super) struct Money {
    /// By account and the table whose part it is.
    balances: BTreeMap<(Account, String), i128>,
    /// Holder, escrow and what is left, by the hold's name.
    holds: BTreeMap<TransferId, (Account, Account, i128)>,
    /// What is spent of holds not seen yet.
    spent: BTreeMap<TransferId, i128>,
    /// The holds every table has open, where it could be replayed.
    open: Vec<(TableId, BTreeMap<TransferId, u64>)>,
}

impl Money {
    pub(super) fn add(
        &mut self,
        table: Option<&TableId>,
        open: Option<BTreeMap<TransferId, u64>>,
        journal: Vec<JournalRow>,
    ) {
        let journal: Vec<Transfer> = journal.into_iter().map(|row| row.transfer).collect();
        for (account, cents) in balances_of(&journal) {
            let part = shard(&account.owner, table);
            *self.balances.entry((account, part)).or_default() += cents;
        }
        for transfer in journal {
            let cents = i128::from(transfer.cents);
            match transfer.kind {
                TransferKind::Plain => {}
                TransferKind::Hold => {
                    drop(self.holds.insert(transfer.id, (transfer.debit, transfer.credit, cents)))
                }
                TransferKind::Post(hold) | TransferKind::Void(hold) => {
                    *self.spent.entry(hold).or_default() += cents
                }
            }
        }
        self.open.extend(table.cloned().zip(open));
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
        let mut add = |code, account: &Account, part: &str, says: String| {
            let part = if part.is_empty() { String::new() } else { format!(" (table {part})") };
            let place = format!("account {} in {}{part}", account.owner, account.currency);
            findings.push(Finding { code, place, says });
        };
        let stored: BTreeMap<(Account, String), i128> = accounts
            .iter()
            .map(|row| ((row.account.clone(), row.shard.clone()), i128::from(row.cents)))
            .collect();
        for ((account, part), right) in &self.balances {
            let has = stored.get(&(account.clone(), part.clone())).copied().unwrap_or(0);
            if has != *right {
                add(
                    "balance_differs",
                    account,
                    part,
                    format!("has {has} cents, and its journal comes to {right}"),
                );
            }
        }
        let mut sums: BTreeMap<&Currency, i128> = BTreeMap::new();
        for ((account, part), has) in &stored {
            *sums.entry(&account.currency).or_default() += has;
            if !self.balances.contains_key(&(account.clone(), part.clone())) && *has != 0 {
                add("balance_differs", account, part, format!("has {has} cents, and no transfer moved it"));
            }
            let own = matches!(account.owner, Owner::Player(_) | Owner::Escrow(_));
            if *has < 0 && own {
                add("below_zero", account, part, format!("owes {} cents, and may not owe", -has));
            }
        }
        for (currency, sum) in sums.into_iter().filter(|(_, sum)| *sum != 0) {
            let says = format!("come to {sum} cents, and must come to nothing");
            findings.push(Finding { code: "unbalanced", place: format!("all accounts in {currency}"), says });
        }
    }

    fn check_holds(&self, holds: &[HoldRow], findings: &mut Vec<Finding>) {
        let mut add = |id: &TransferId, says: String| {
            findings.push(Finding { code: "hold_differs", place: format!("hold {id}"), says });
        };
        let stored: BTreeMap<&TransferId, &HoldRow> = holds.iter().map(|row| (&row.id, row)).collect();
        for (id, (holder, escrow, left)) in &self.holds {
            match stored.get(id) {
                None => add(id, "is in the journal and not among the holds".to_owned()),
                Some(HoldRow { hold, .. }) => {
                    if i128::from(hold.left) != *left {
                        add(id, format!("has {} cents left, and its journal leaves {left}", hold.left));
                    } else if (&hold.holder, &hold.escrow) != (holder, escrow) {
                        add(id, format!("is {}'s, and the journal says {}", hold.holder.owner, holder.owner));
                    }
                }
            }
        }
        for id in stored.into_keys().filter(|id| !self.holds.contains_key(*id)) {
            add(id, "is among the holds and not in the journal".to_owned());
        }
    }

    /// An escrow has what is held in it, and a table knows every hold that is open: those of rounds that are over are closed.
    fn check_escrows(&self, accounts: &[AccountRow], holds: &[HoldRow], findings: &mut Vec<Finding>) {
        let mut held: BTreeMap<&Account, i128> = BTreeMap::new();
        for HoldRow { hold, .. } in holds {
            *held.entry(&hold.escrow).or_default() += i128::from(hold.left);
        }
        for row in accounts.iter().filter(|row| matches!(row.account.owner, Owner::Escrow(_))) {
            let right = held.get(&row.account).copied().unwrap_or(0);
            if right != i128::from(row.cents) {
                let says = format!("has {} cents, and its holds come to {right}", row.cents);
                let place = format!("account {} in {}", row.account.owner, row.account.currency);
                findings.push(Finding { code: "escrow_differs", place, says });
            }
        }
        let mut open_by_table: BTreeMap<&TableId, BTreeMap<&TransferId, u64>> = BTreeMap::new();
        for HoldRow { id, hold } in holds.iter().filter(|row| row.hold.left > 0) {
            if let Owner::Escrow(table) = &hold.escrow.owner {
                open_by_table.entry(table).or_default().insert(id, hold.left);
            }
        }
        for (table, right) in &self.open {
            let stored = open_by_table.remove(table).unwrap_or_default();
            let right: BTreeMap<&TransferId, u64> = right.iter().map(|(id, cents)| (id, *cents)).collect();
            let differing = right.iter().find(|(id, cents)| stored.get(*id) != Some(*cents));
            let differing = differing.or_else(|| stored.iter().find(|(id, _)| !right.contains_key(*id)));
            if let Some((id, _)) = differing {
                let cents = |holds: &BTreeMap<&TransferId, u64>| holds.get(id).copied().unwrap_or(0);
                let says =
                    format!("holds {} cents, and table {table} knows of {}", cents(&stored), cents(&right));
                findings.push(Finding { code: "hold_open", place: format!("hold {id}"), says });
            }
        }
    }
}
