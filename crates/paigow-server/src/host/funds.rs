//! Balances and transfers for a decision.
//!
//! A decision is not asynchronous, so it cannot read the store. It reports the funds it lacks, the host loads them, and
//! the table decides again.

use paigow_table::{
    Account, Actor, Command, DecisionContext, Effects, Funds, Table, TableId, TableRefusal, Time, Transfer,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Balances and transfers loaded for a decision.
#[derive(Default)]
pub(super) struct LoadedFunds {
    pub(super) balances: BTreeMap<Account, i64>,
    /// Transfers of the table's last round.
    pub(super) round: Option<Vec<Transfer>>,
}

impl LoadedFunds {
    pub(super) fn is_empty(&self) -> bool {
        self.balances.is_empty() && self.round.is_none()
    }
}

/// Balances and transfers that a decision needs and that are not loaded yet.
#[derive(Default)]
pub(super) struct MissingFunds {
    pub(super) accounts: BTreeSet<Account>,
    pub(super) round: Option<u64>,
}

/// Loaded funds for a decision. Records requests for funds that are not loaded.
struct FundsSnapshot<'a> {
    known: &'a LoadedFunds,
    missing: RefCell<MissingFunds>,
}

impl Funds for FundsSnapshot<'_> {
    fn cents(&self, account: &Account) -> i64 {
        self.known.balances.get(account).copied().unwrap_or_else(|| {
            self.missing.borrow_mut().accounts.insert(account.clone());
            0
        })
    }

    fn round_transfers(&self, _: &TableId, round: u64) -> Vec<Transfer> {
        self.known.round.clone().unwrap_or_else(|| {
            self.missing.borrow_mut().round = Some(round);
            Vec::new()
        })
    }
}

/// Decides a command. Also returns the funds that the decision needs and that are not loaded.
pub(super) fn decide(
    table: &Table,
    by: &Actor,
    command: &Command,
    now: Time,
    entropy: [u8; 32],
    known: &LoadedFunds,
) -> (Result<Effects, TableRefusal>, MissingFunds) {
    let funds = FundsSnapshot { known, missing: RefCell::default() };
    let decided = table.decide(by, command, &DecisionContext { now, entropy, funds: &funds });
    (decided, funds.missing.into_inner())
}
