//! The ledger: double entry, in whole cents, append-only.
//!
//! A transfer debits one account and credits another, so the balances of all accounts always add up to zero. A wager is
//! a hold: its money moves into the table's escrow and is later posted to the winner or voided, possibly in parts. The
//! ledger applies a batch of transfers as a whole or not at all. It skips transfers that it has applied before, so a
//! client that does not know whether a batch arrived may retry it.

use crate::{Account, Owner, PlantedFault, Transfer, TransferId, TransferKind, planted};
use paigow::Amount;
use std::collections::BTreeMap;

/// Reason that a batch is refused: the first violation, in the order of these variants, of the first invalid transfer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LedgerRefusal {
    /// A different transfer has this id.
    #[error("transfer {id} already exists with other contents")]
    IdConflict {
        /// Id of the transfer.
        id: TransferId,
    },
    /// The amount is zero.
    #[error("transfer {id} has an amount of 0")]
    ZeroAmount {
        /// Id of the transfer.
        id: TransferId,
    },
    /// The transfer is from an account to itself.
    #[error("transfer {id} is from an account to itself")]
    SameAccount {
        /// Id of the transfer.
        id: TransferId,
    },
    /// The accounts have different currencies.
    #[error("transfer {id} is between two currencies")]
    CurrencyMismatch {
        /// Id of the transfer.
        id: TransferId,
    },
    /// A hold must credit an escrow and must not debit one, because money in an escrow is already held.
    #[error("transfer {id} is a hold, and must go from another account into an escrow")]
    NotIntoEscrow {
        /// Id of the transfer.
        id: TransferId,
    },
    /// A plain transfer must not debit or credit an escrow, because money in it is held.
    #[error("transfer {id} debits or credits an escrow without a hold")]
    EscrowWithoutHold {
        /// Id of the transfer.
        id: TransferId,
    },
    /// The hold does not exist.
    #[error("transfer {id} refers to hold {hold}, which does not exist")]
    NoSuchHold {
        /// Id of the transfer.
        id: TransferId,
        /// The hold.
        hold: TransferId,
    },
    /// A hold is posted from its escrow to any account that is not an escrow, and voided from its escrow to its holder.
    #[error("transfer {id} has the wrong accounts for hold {hold}")]
    WrongAccounts {
        /// Id of the transfer.
        id: TransferId,
        /// The hold.
        hold: TransferId,
    },
    /// The transfer takes more than is left of the hold.
    #[error("transfer {id} takes {cents} of hold {hold}, of which {left} are left")]
    MoreThanHeld {
        /// Id of the transfer.
        id: TransferId,
        /// The hold.
        hold: TransferId,
        /// Cents that the transfer takes.
        cents: u64,
        /// Cents left of the hold.
        left: u64,
    },
    /// A balance would exceed the maximum.
    #[error("transfer {id} exceeds the maximum balance of an account")]
    BalanceOverflow {
        /// Id of the transfer.
        id: TransferId,
    },
    /// The account has insufficient funds.
    #[error("{}", insufficient_funds(id, owner, *needs, *has))]
    InsufficientFunds {
        /// Id of the transfer.
        id: TransferId,
        /// Owner of the account.
        owner: Owner,
        /// Cents that the transfer takes.
        needs: u64,
        /// Cents left in the account before this transfer of the batch.
        has: u64,
    },
}

/// Returns the message for insufficient funds. A player's message has only the amounts, without ids of accounts and
/// transfers.
fn insufficient_funds(id: &TransferId, owner: &Owner, needs: u64, has: u64) -> String {
    let (needs, has) = (Amount::from_cents(needs), Amount::from_cents(has));
    match owner {
        Owner::Player(_) => format!("insufficient funds: this needs ${needs:#}, but the player has ${has:#}"),
        owner => format!("transfer {id} takes ${needs:#}, but {owner} has ${has:#}"),
    }
}

impl LedgerRefusal {
    /// Stable code of the refusal.
    pub const fn code(&self) -> &'static str {
        match self {
            LedgerRefusal::IdConflict { .. } => "exists_differently",
            LedgerRefusal::ZeroAmount { .. } => "nothing",
            LedgerRefusal::SameAccount { .. } => "same_account",
            LedgerRefusal::CurrencyMismatch { .. } => "currencies",
            LedgerRefusal::NotIntoEscrow { .. } => "not_into_escrow",
            LedgerRefusal::EscrowWithoutHold { .. } => "escrow_without_hold",
            LedgerRefusal::NoSuchHold { .. } => "no_such_hold",
            LedgerRefusal::WrongAccounts { .. } => "wrong_accounts",
            LedgerRefusal::MoreThanHeld { .. } => "more_than_held",
            LedgerRefusal::BalanceOverflow { .. } => "too_much",
            LedgerRefusal::InsufficientFunds { .. } => "insufficient_funds",
        }
    }
}

/// A hold of money.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hold {
    /// Account that the money came from.
    pub holder: Account,
    /// Escrow that has the money.
    pub escrow: Account,
    /// Cents that are neither posted nor voided.
    pub left: u64,
}

/// Balances, holds and transfers: all of them, or the part that a batch needs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    balances: BTreeMap<Account, i64>,
    holds: BTreeMap<TransferId, Hold>,
    applied: BTreeMap<TransferId, Transfer>,
}

/// A transfer that was just applied, and the earlier balances of its accounts. `None` for an account without an entry.
struct Applied<'a> {
    transfer: &'a Transfer,
    debit_before: Option<i64>,
    credit_before: Option<i64>,
}

/// Maximum absolute balance of an account. It is far above real balances, and sums of two such balances cannot
/// overflow.
const BALANCE_MAX: i64 = 1 << 60;

impl Ledger {
    /// Creates the part of a ledger that a batch needs: the transfers of the batch that were applied before, the holds
    /// that it spends, and the balances of its accounts.
    pub fn from_parts(
        balances: BTreeMap<Account, i64>,
        holds: BTreeMap<TransferId, Hold>,
        applied: BTreeMap<TransferId, Transfer>,
    ) -> Ledger {
        Ledger { balances, holds, applied }
    }

    /// Balance of an account in cents. Negative if the account owes money.
    pub fn balance(&self, account: &Account) -> i64 {
        self.balances.get(account).copied().unwrap_or(0)
    }

    /// Balances of all accounts that have had a transfer.
    pub fn balances(&self) -> &BTreeMap<Account, i64> {
        &self.balances
    }

    /// Returns a hold, open or spent.
    pub fn hold(&self, id: &TransferId) -> Option<&Hold> {
        self.holds.get(id)
    }

    /// Holds that are not completely posted or voided.
    pub fn open_holds(&self) -> impl Iterator<Item = (&TransferId, &Hold)> {
        self.holds.iter().filter(|(_, hold)| hold.left > 0)
    }

    /// Applies a whole batch and returns the transfers that were new.
    ///
    /// # Errors
    /// The batch is refused. The ledger is unchanged.
    pub fn apply(&mut self, batch: &[Transfer]) -> Result<Vec<Transfer>, LedgerRefusal> {
        let mut new: Vec<Applied<'_>> = Vec::new();
        for transfer in batch {
            match self.apply_one(transfer) {
                Ok(applied) => new.extend(applied),
                Err(refusal) => {
                    new.into_iter().rev().for_each(|applied| self.roll_back(&applied));
                    return Err(refusal);
                }
            }
        }
        Ok(new.into_iter().map(|applied| applied.transfer.clone()).collect())
    }

    /// Rolls back the transfer applied last.
    fn roll_back(&mut self, applied: &Applied<'_>) {
        let Transfer { id, kind, debit, credit, cents, .. } = applied.transfer;
        for (account, before) in [(debit, applied.debit_before), (credit, applied.credit_before)] {
            match before {
                Some(balance) => self.balances.insert(account.clone(), balance),
                // An account without transfers has no entry, unlike an account with balance zero.
                None => self.balances.remove(account),
            };
        }
        match kind {
            TransferKind::Plain => {}
            TransferKind::Hold => drop(self.holds.remove(id)),
            TransferKind::Post(hold) | TransferKind::Void(hold) => {
                if let Some(hold) = self.holds.get_mut(hold) {
                    hold.left += cents;
                }
            }
        }
        self.applied.remove(id);
    }

    /// Applies one transfer. Returns `None` if it was applied before.
    fn apply_one<'a>(&mut self, transfer: &'a Transfer) -> Result<Option<Applied<'a>>, LedgerRefusal> {
        let Transfer { id, kind, debit, credit, cents, .. } = transfer;
        if let Some(applied) = self.applied.get(id) {
            let same = applied == transfer;
            return if same { Ok(None) } else { Err(LedgerRefusal::IdConflict { id: id.clone() }) };
        }
        if *cents == 0 {
            return Err(LedgerRefusal::ZeroAmount { id: id.clone() });
        }
        if debit == credit {
            return Err(LedgerRefusal::SameAccount { id: id.clone() });
        }
        if debit.currency != credit.currency {
            return Err(LedgerRefusal::CurrencyMismatch { id: id.clone() });
        }
        let hold = self.check_kind(transfer)?;
        let amount = i64::try_from(*cents).ok().filter(|cents| *cents <= BALANCE_MAX);
        let moved = amount.and_then(|cents| {
            let from = self.balance(debit).checked_sub(cents)?;
            let to = self.balance(credit).checked_add(cents)?;
            (from >= -BALANCE_MAX && to <= BALANCE_MAX).then_some((from, to))
        });
        let (from, to) = moved.ok_or_else(|| LedgerRefusal::BalanceOverflow { id: id.clone() })?;
        if from < 0 && !debit.owner.may_owe() && !planted(PlantedFault::OverdrawAccount) {
            let has = self.balance(debit).max(0).cast_unsigned();
            let (id, owner) = (id.clone(), debit.owner.clone());
            return Err(LedgerRefusal::InsufficientFunds { id, owner, needs: *cents, has });
        }

        let debit_before = self.balances.insert(debit.clone(), from);
        let credit_before = self.balances.insert(credit.clone(), to);
        if let Some(hold) = hold.and_then(|hold| self.holds.get_mut(&hold)) {
            hold.left -= cents;
        }
        if *kind == TransferKind::Hold {
            let hold = Hold { holder: debit.clone(), escrow: credit.clone(), left: *cents };
            self.holds.insert(id.clone(), hold);
        }
        self.applied.insert(id.clone(), transfer.clone());
        Ok(Some(Applied { transfer, debit_before, credit_before }))
    }

    /// Checks the accounts of a transfer against its kind. Returns the hold that it spends, if any.
    fn check_kind(&self, transfer: &Transfer) -> Result<Option<TransferId>, LedgerRefusal> {
        let Transfer { id, kind, debit, credit, cents, .. } = transfer;
        let is_escrow = |account: &Account| matches!(account.owner, Owner::Escrow(_));
        let id = || id.clone();
        match kind {
            TransferKind::Plain if is_escrow(debit) || is_escrow(credit) => {
                Err(LedgerRefusal::EscrowWithoutHold { id: id() })
            }
            TransferKind::Hold if is_escrow(debit) || !is_escrow(credit) => {
                Err(LedgerRefusal::NotIntoEscrow { id: id() })
            }
            TransferKind::Plain | TransferKind::Hold => Ok(None),
            TransferKind::Post(hold) | TransferKind::Void(hold) => {
                let Some(held) = self.holds.get(hold) else {
                    return Err(LedgerRefusal::NoSuchHold { id: id(), hold: hold.clone() });
                };
                let back = matches!(kind, TransferKind::Void(_));
                let fits =
                    *debit == held.escrow && if back { *credit == held.holder } else { !is_escrow(credit) };
                if !fits {
                    return Err(LedgerRefusal::WrongAccounts { id: id(), hold: hold.clone() });
                }
                if *cents > held.left {
                    let (cents, left) = (*cents, held.left);
                    return Err(LedgerRefusal::MoreThanHeld { id: id(), hold: hold.clone(), cents, left });
                }
                Ok(Some(hold.clone()))
            }
        }
    }
}

/// Computes balances from a journal, independently of the ledger: every account's credits minus its debits, without
/// checking whether the transfers were allowed.
pub fn balances_of<'a>(journal: impl IntoIterator<Item = &'a Transfer>) -> BTreeMap<Account, i128> {
    let mut sides: BTreeMap<Account, (u128, u128)> = BTreeMap::new();
    for transfer in journal {
        sides.entry(transfer.debit.clone()).or_default().0 += u128::from(transfer.cents);
        sides.entry(transfer.credit.clone()).or_default().1 += u128::from(transfer.cents);
    }
    let balance = |(debits, credits): (u128, u128)| credits.cast_signed() - debits.cast_signed();
    sides.into_iter().map(|(account, sides)| (account, balance(sides))).collect()
}
