//! The ledger: double entry, in whole cents, append-only.
//!
//! A transfer debits one account and credits another, so all accounts together are zero, always. A wager is a hold: it moves into
//! the table's escrow and is later posted to whoever wins it or voided, in parts if need be. Transfers come in batches that
//! are taken whole or not at all. A transfer that has been taken before is passed over, so that whoever does not know whether
//! a batch arrived may send it again.

use crate::{Account, Owner, PlantedFault, Transfer, TransferId, TransferKind, planted};
use paigow::Amount;
use std::collections::BTreeMap;

/// Why a batch is refused. The first transfer that is wrong decides, and the first of these that is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LedgerRefusal {
    /// Another transfer has this name.
    #[error("transfer {id} exists, and is another")]
    ExistsDifferently {
        /// The name.
        id: TransferId,
    },
    /// Nothing moves.
    #[error("transfer {id} moves nothing")]
    Nothing {
        /// Which.
        id: TransferId,
    },
    /// From an account to itself.
    #[error("transfer {id} is between one account and itself")]
    SameAccount {
        /// Which.
        id: TransferId,
    },
    /// Currencies are kept apart.
    #[error("transfer {id} is between two currencies")]
    Currencies {
        /// Which.
        id: TransferId,
    },
    /// A hold goes into an escrow, and not out of one: what lies in an escrow is held already.
    #[error("transfer {id} is a hold that does not go from another account into an escrow")]
    NotIntoEscrow {
        /// Which.
        id: TransferId,
    },
    /// No plain transfer touches an escrow: what is in it is held.
    #[error("transfer {id} takes from an escrow or adds to one without a hold")]
    EscrowWithoutHold {
        /// Which.
        id: TransferId,
    },
    /// There is no such hold.
    #[error("transfer {id} is about hold {hold}, which does not exist")]
    NoSuchHold {
        /// Which.
        id: TransferId,
        /// The hold.
        hold: TransferId,
    },
    /// A hold is posted from where it lies to any account that is no escrow, and voided from there to where it came from.
    #[error("transfer {id} does not fit hold {hold}")]
    WrongAccounts {
        /// Which.
        id: TransferId,
        /// The hold.
        hold: TransferId,
    },
    /// A hold is spent once.
    #[error("transfer {id} takes {cents} of hold {hold}, of which {left} are left")]
    MoreThanHeld {
        /// Which.
        id: TransferId,
        /// The hold.
        hold: TransferId,
        /// How much it would take.
        cents: u64,
        /// How much there is.
        left: u64,
    },
    /// More than can be counted.
    #[error("transfer {id} is more than an account can have")]
    TooMuch {
        /// Which.
        id: TransferId,
    },
    /// The account does not have it.
    #[error("{}", short_of(id, owner, *needs, *has))]
    InsufficientFunds {
        /// Which.
        id: TransferId,
        /// Whose account.
        owner: Owner,
        /// How much the transfer takes, in cents.
        needs: u64,
        /// How much the account has left at this transfer of the batch, in cents.
        has: u64,
    },
}

/// The message of an account that is short. For a player it has the amounts, without the names of accounts and transfers.
fn short_of(id: &TransferId, owner: &Owner, needs: u64, has: u64) -> String {
    let (needs, has) = (Amount::from_cents(needs), Amount::from_cents(has));
    match owner {
        Owner::Player(_) => format!("this needs ${needs:#}, and the player has ${has:#}"),
        owner => format!("transfer {id} takes ${needs:#}, and {owner} has ${has:#}"),
    }
}

impl LedgerRefusal {
    /// The code for programs. It does not change.
    pub const fn code(&self) -> &'static str {
        match self {
            LedgerRefusal::ExistsDifferently { .. } => "exists_differently",
            LedgerRefusal::Nothing { .. } => "nothing",
            LedgerRefusal::SameAccount { .. } => "same_account",
            LedgerRefusal::Currencies { .. } => "currencies",
            LedgerRefusal::NotIntoEscrow { .. } => "not_into_escrow",
            LedgerRefusal::EscrowWithoutHold { .. } => "escrow_without_hold",
            LedgerRefusal::NoSuchHold { .. } => "no_such_hold",
            LedgerRefusal::WrongAccounts { .. } => "wrong_accounts",
            LedgerRefusal::MoreThanHeld { .. } => "more_than_held",
            LedgerRefusal::TooMuch { .. } => "too_much",
            LedgerRefusal::InsufficientFunds { .. } => "insufficient_funds",
        }
    }
}

/// Money that is held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hold {
    /// Whose it is until it is posted.
    pub holder: Account,
    /// Where it lies.
    pub escrow: Account,
    /// How much is neither posted nor voided.
    pub left: u64,
}

/// All accounts, or as many as a batch needs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    balances: BTreeMap<Account, i64>,
    holds: BTreeMap<TransferId, Hold>,
    taken: BTreeMap<TransferId, Transfer>,
}

/// A transfer that was taken, and what its accounts had before if they were ever moved.
struct Taken<'a> {
    transfer: &'a Transfer,
    debit_before: Option<i64>,
    credit_before: Option<i64>,
}

/// The most an account has, or owes: far above any, and far below where sums overflow.
const BALANCE_MAX: i64 = 1 << 60;

impl Ledger {
    /// A ledger in which some of what was written before is known: enough for a batch about it. That is every transfer of the batch
    /// that was taken before, every hold it spends, and the balance of every account it moves.
    pub fn with(
        balances: BTreeMap<Account, i64>,
        holds: BTreeMap<TransferId, Hold>,
        taken: BTreeMap<TransferId, Transfer>,
    ) -> Ledger {
        Ledger { balances, holds, taken }
    }

    /// What an account has; negative where it owes.
    pub fn balance(&self, account: &Account) -> i64 {
        self.balances.get(account).copied().unwrap_or(0)
    }

    /// All accounts that were ever moved.
    pub fn balances(&self) -> &BTreeMap<Account, i64> {
        &self.balances
    }

    /// A hold, spent or not.
    pub fn hold(&self, id: &TransferId) -> Option<&Hold> {
        self.holds.get(id)
    }

    /// The holds of which something is left.
    pub fn open_holds(&self) -> impl Iterator<Item = (&TransferId, &Hold)> {
        self.holds.iter().filter(|(_, hold)| hold.left > 0)
    }

    /// Takes a batch, whole, and gives the transfers that were new.
    ///
    /// # Errors
    /// Why it is not taken. Nothing has changed then.
    pub fn take(&mut self, batch: &[Transfer]) -> Result<Vec<Transfer>, LedgerRefusal> {
        let mut new: Vec<Taken<'_>> = Vec::new();
        for transfer in batch {
            match self.take_one(transfer) {
                Ok(taken) => new.extend(taken),
                Err(refusal) => {
                    new.into_iter().rev().for_each(|taken| self.give_back(&taken));
                    return Err(refusal);
                }
            }
        }
        Ok(new.into_iter().map(|taken| taken.transfer.clone()).collect())
    }

    /// Undoes the transfer taken last.
    fn give_back(&mut self, taken: &Taken<'_>) {
        let Transfer { id, kind, debit, credit, cents, .. } = taken.transfer;
        for (account, before) in [(debit, taken.debit_before), (credit, taken.credit_before)] {
            match before {
                Some(balance) => self.balances.insert(account.clone(), balance),
                // An account that was never moved is not one of balance zero.
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
        self.taken.remove(id);
    }

    /// Takes one transfer, unless it was taken before.
    fn take_one<'a>(&mut self, transfer: &'a Transfer) -> Result<Option<Taken<'a>>, LedgerRefusal> {
        let Transfer { id, kind, debit, credit, cents, .. } = transfer;
        if let Some(taken) = self.taken.get(id) {
            let same = taken == transfer;
            return if same { Ok(None) } else { Err(LedgerRefusal::ExistsDifferently { id: id.clone() }) };
        }
        if *cents == 0 {
            return Err(LedgerRefusal::Nothing { id: id.clone() });
        }
        if debit == credit {
            return Err(LedgerRefusal::SameAccount { id: id.clone() });
        }
        if debit.currency != credit.currency {
            return Err(LedgerRefusal::Currencies { id: id.clone() });
        }
        let hold = self.check_kind(transfer)?;
        let amount = i64::try_from(*cents).ok().filter(|cents| *cents <= BALANCE_MAX);
        let moved = amount.and_then(|cents| {
            let from = self.balance(debit).checked_sub(cents)?;
            let to = self.balance(credit).checked_add(cents)?;
            (from >= -BALANCE_MAX && to <= BALANCE_MAX).then_some((from, to))
        });
        let (from, to) = moved.ok_or_else(|| LedgerRefusal::TooMuch { id: id.clone() })?;
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
        self.taken.insert(id.clone(), transfer.clone());
        Ok(Some(Taken { transfer, debit_before, credit_before }))
    }

    /// Whether a transfer may be what it says it is; the hold it spends, if it spends one.
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

/// The balances that a journal comes to, by another route than the ledger's: every account's credits less its debits, with
/// no regard to what was allowed.
pub fn balances_of<'a>(journal: impl IntoIterator<Item = &'a Transfer>) -> BTreeMap<Account, i128> {
    let mut sides: BTreeMap<Account, (u128, u128)> = BTreeMap::new();
    for transfer in journal {
        sides.entry(transfer.debit.clone()).or_default().0 += u128::from(transfer.cents);
        sides.entry(transfer.credit.clone()).or_default().1 += u128::from(transfer.cents);
    }
    let balance = |(debits, credits): (u128, u128)| credits.cast_signed() - debits.cast_signed();
    sides.into_iter().map(|(account, sides)| (account, balance(sides))).collect()
}
