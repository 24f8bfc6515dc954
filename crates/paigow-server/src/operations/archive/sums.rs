//! Money of archived blocks.

use super::format::AccountSum;
use crate::operations::audit::Finding;
use crate::{Block, BlockAccount, BlockIndex};
use paigow_table::{Account, TransferId, TransferKind};
use std::collections::BTreeMap;

/// Adds the sums of a block to those of its table.
pub(super) fn add_sums(sums: &mut BTreeMap<Account, BlockAccount>, index: &BlockIndex) {
    for (account, BlockAccount { debit_cents, credit_cents, .. }) in &index.accounts {
        let sum = sums.entry(account.clone()).or_default();
        sum.debit_cents = sum.debit_cents.saturating_add(*debit_cents);
        sum.credit_cents = sum.credit_cents.saturating_add(*credit_cents);
    }
}

/// Returns the sums as they are written to an archive, by owner and currency.
pub(super) fn account_sums(sums: &BTreeMap<Account, BlockAccount>) -> Vec<AccountSum> {
    let sum = |(account, sums): (&Account, &BlockAccount)| AccountSum {
        owner: account.owner.to_string(),
        currency: account.currency.clone(),
        debit_cents: sums.debit_cents,
        credit_cents: sums.credit_cents,
    };
    let mut sums: Vec<AccountSum> = sums.iter().map(sum).collect();
    sums.sort_by(|one, other| {
        (&one.owner, one.currency.as_str()).cmp(&(&other.owner, other.currency.as_str()))
    });
    sums
}

/// Reports the first hold that is not spent within its block. A block has whole rounds, so none is open at its end.
pub(super) fn open_hold(block: &Block) -> Option<Finding> {
    let mut left: BTreeMap<&TransferId, i128> = BTreeMap::new();
    for row in &block.journal {
        let cents = i128::from(row.transfer.cents);
        match &row.transfer.kind {
            TransferKind::Plain => {}
            TransferKind::Hold => *left.entry(&row.transfer.id).or_default() += cents,
            TransferKind::Post(hold) | TransferKind::Void(hold) => *left.entry(hold).or_default() -= cents,
        }
    }
    let (hold, cents) = left.into_iter().find(|(_, cents)| *cents != 0)?;
    let message = format!("has {cents} cents left at the end of its block");
    Some(Finding::new("hold_open", format!("hold {hold}"), message))
}
