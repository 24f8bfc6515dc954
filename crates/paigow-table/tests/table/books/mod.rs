//! Ledger histories as text. A page is the history of a ledger. Each line is a transfer, and after the transfers of a
//! batch follows its expected outcome. The books are audited after every batch.

#![allow(clippy::unwrap_used, clippy::expect_used)] // an invalid page fails the test

use paigow_table::{
    Account, Ledger, LedgerRefusal, Owner, Purpose, Transfer, TransferId, TransferKind, balances_of,
};
use std::collections::BTreeMap;

/// Documented maximum of an account's absolute balance.
pub(crate) const LIMIT: u64 = 1 << 60;

pub(crate) fn id(text: &str) -> TransferId {
    text.parse().unwrap()
}

/// Parses an account. `ann` and `bob` are players, `t1` and `t2` escrows of tables. A slash precedes the currency,
/// which defaults to chips.
pub(crate) fn account(text: &str) -> Account {
    let (owner, currency) = text.split_once('/').unwrap_or((text, "chips"));
    let owner = match owner {
        "house" => Owner::House,
        "bank" => Owner::Guarantee,
        "commission" => Owner::Commission,
        "collection" => Owner::Collection,
        "issue" => Owner::Issue,
        table if table.starts_with('t') => Owner::Escrow(table.parse().unwrap()),
        player => Owner::Player(player.parse().unwrap()),
    };
    Account { owner, currency: currency.parse().unwrap() }
}

/// Parses a transfer from a line of id, kind, debit, credit and cents.
pub(crate) fn transfer(line: &str) -> Transfer {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [name, kind, debit, credit, cents] = fields[..] else { panic!("not a transfer: {line}") };
    let kind = match kind.split_once(':') {
        Some(("post", hold)) => TransferKind::Post(id(hold)),
        Some(("void", hold)) => TransferKind::Void(id(hold)),
        _ if kind == "hold" => TransferKind::Hold,
        _ => {
            assert_eq!(kind, "plain", "{line}");
            TransferKind::Plain
        }
    };
    let cents = match cents {
        "limit" => LIMIT,
        "limit+1" => LIMIT + 1,
        "signed+1" => i64::MAX as u64 + 1,
        "max" => u64::MAX,
        cents => cents.parse().unwrap(),
    };
    let (debit, credit) = (account(debit), account(credit));
    Transfer { id: id(name), kind, debit, credit, cents, purpose: Purpose::Wager }
}

pub(crate) fn transfers(text: &str) -> Vec<Transfer> {
    text.lines().filter(|line| !line.trim().is_empty()).map(transfer).collect()
}

/// A ledger and all transfers that it has applied.
#[derive(Clone, Default)]
pub(crate) struct Books {
    pub(crate) ledger: Ledger,
    pub(crate) journal: Vec<Transfer>,
}

impl Books {
    /// Applies a batch and audits the books.
    pub(crate) fn apply(&mut self, batch: &[Transfer]) -> Result<Vec<Transfer>, LedgerRefusal> {
        let before = self.ledger.clone();
        let outcome = self.ledger.apply(batch);
        match &outcome {
            Ok(new) => self.journal.extend(new.iter().cloned()),
            Err(_) => assert!(self.ledger == before, "a refused batch changed the ledger: {batch:?}"),
        }
        self.audit();
        outcome
    }

    fn audit(&self) {
        let balances = self.ledger.balances();
        let by_journal = balances_of(&self.journal);
        let widened: BTreeMap<Account, i128> =
            balances.iter().map(|(account, cents)| (account.clone(), i128::from(*cents))).collect();
        assert_eq!(widened, by_journal, "balances of the journal and of the ledger");

        let mut sums: BTreeMap<&str, i128> = BTreeMap::new();
        for (account, cents) in &widened {
            *sums.entry(account.currency.as_str()).or_default() += cents;
            let may_owe = matches!(account.owner, Owner::House | Owner::Guarantee | Owner::Issue);
            assert!(may_owe || *cents >= 0, "{} owes {cents}", account.owner);
            assert!(cents.unsigned_abs() <= u128::from(LIMIT), "{} has {cents}", account.owner);
        }
        assert!(sums.values().all(|sum| *sum == 0), "balances must add up to zero: {sums:?}");

        let mut held: BTreeMap<&Account, i128> = BTreeMap::new();
        for (_, hold) in self.ledger.open_holds() {
            assert!(hold.left > 0);
            *held.entry(&hold.escrow).or_default() += i128::from(hold.left);
        }
        let escrows = widened
            .iter()
            .filter(|(account, cents)| matches!(account.owner, Owner::Escrow(_)) && **cents != 0);
        let escrows: BTreeMap<&Account, i128> = escrows.map(|(account, cents)| (account, *cents)).collect();
        assert_eq!(escrows, held, "balances of escrows and their holds");
    }
}

/// Applies the batches of a page and compares the outcomes.
///
/// `= taken a b` names the transfers that are new, and `= code id` the refusal. `? ann 5` is a balance, and `? hold 5`
/// the rest of a hold.
#[track_caller]
pub(crate) fn page(text: &str) -> Books {
    let mut books = Books::default();
    let mut batch = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(expected) = line.strip_prefix("= ") {
            let outcome = match books.apply(&batch) {
                Ok(new) => {
                    new.iter().fold("taken".to_owned(), |text, transfer| format!("{text} {}", transfer.id))
                }
                Err(refusal) => format!("{} {}", refusal.code(), refused_transfer(&refusal)),
            };
            assert_eq!(outcome, expected, "after {batch:?}");
            batch.clear();
        } else if let Some(expected) = line.strip_prefix("? ") {
            let (name, cents) = expected.split_once(' ').unwrap();
            let found = match books.ledger.hold(&id(name)) {
                Some(hold) => i128::from(hold.left),
                None => i128::from(books.ledger.balance(&account(name))),
            };
            assert_eq!(found.to_string(), cents.trim(), "{name}");
        } else {
            batch.push(transfer(line));
        }
    }
    assert!(batch.is_empty(), "a page must end with an outcome");
    books
}

/// Returns the id of the refused transfer.
pub(crate) fn refused_transfer(refusal: &LedgerRefusal) -> &TransferId {
    match refusal {
        LedgerRefusal::IdConflict { id }
        | LedgerRefusal::ZeroAmount { id }
        | LedgerRefusal::SameAccount { id }
        | LedgerRefusal::CurrencyMismatch { id }
        | LedgerRefusal::NotIntoEscrow { id }
        | LedgerRefusal::EscrowWithoutHold { id }
        | LedgerRefusal::NoSuchHold { id, .. }
        | LedgerRefusal::WrongAccounts { id, .. }
        | LedgerRefusal::MoreThanHeld { id, .. }
        | LedgerRefusal::BalanceOverflow { id }
        | LedgerRefusal::InsufficientFunds { id, .. } => id,
    }
}

/// Ann and Bob have 1000 chips each, and Ann has 300 of them on table 1.
pub(crate) const OPENING: &str = "
    i1  plain  issue       ann       1000
    i2  plain  issue       bob       1000
    w1  hold   ann         t1         300
    = taken i1 i2 w1
";

/// Checks that a transfer alone, after the opening, is refused with this code.
#[track_caller]
pub(crate) fn check_refused(line: &str, code: &str) {
    let mut books = page(OPENING);
    let refusal = books.apply(&[transfer(line)]).expect_err(line);
    assert_eq!((refusal.code(), refused_transfer(&refusal)), (code, &transfer(line).id), "{line}");
}

/// Every kind of transfer, with new accounts and currencies, and a hold that is placed and spent.
pub(crate) const GOOD: &str = "
    g1  plain    issue       cleo       500
    g2  plain    issue/euro  cleo/euro  500
    g3  hold     cleo        t2         100
    g4  post:g3  t2          dan         30
    g5  void:g3  t2          cleo        70
    g6  post:w1  t1          commission 100
    g7  void:w1  t1          ann        150
    g8  hold     cleo/euro   t2/euro    500
";
