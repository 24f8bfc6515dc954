//! Random histories of a ledger, compared with a model that keeps only the list of applied transfers and scans it for
//! every question.

use crate::books::{Books, LIMIT, refused_transfer, transfer};
use paigow_table::{Account, Owner, Transfer, TransferId, TransferKind};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;

/// The simplest ledger: the list of applied transfers.
#[derive(Clone, Default)]
struct Model(Vec<Transfer>);

impl Model {
    fn balance(&self, account: &Account) -> i128 {
        let mut balance = 0;
        for transfer in &self.0 {
            if transfer.debit == *account {
                balance -= i128::from(transfer.cents);
            }
            if transfer.credit == *account {
                balance += i128::from(transfer.cents);
            }
        }
        balance
    }

    fn hold(&self, id: &TransferId) -> Option<&Transfer> {
        self.0.iter().find(|transfer| transfer.id == *id && transfer.kind == TransferKind::Hold)
    }

    fn left(&self, hold: &TransferId) -> i128 {
        let spends = |transfer: &&Transfer| matches!(&transfer.kind, TransferKind::Post(spent) | TransferKind::Void(spent) if spent == hold);
        let spent: i128 = self.0.iter().filter(spends).map(|transfer| i128::from(transfer.cents)).sum();
        self.hold(hold).map_or(0, |hold| i128::from(hold.cents)) - spent
    }

    /// Returns all violations of a transfer, in the order of the refusals.
    fn faults(&self, transfer: &Transfer) -> Vec<&'static str> {
        let Transfer { id, kind, debit, credit, cents, .. } = transfer;
        let escrow = |account: &Account| matches!(account.owner, Owner::Escrow(_));
        let spent = match kind {
            TransferKind::Post(hold) | TransferKind::Void(hold) => Some(hold),
            TransferKind::Plain | TransferKind::Hold => None,
        };
        let hold = spent.and_then(|spent| self.hold(spent));
        let wrong_accounts = hold.is_some_and(|hold| {
            let to = match kind {
                TransferKind::Void(_) => *credit == hold.debit,
                _ => !escrow(credit),
            };
            *debit != hold.credit || !to
        });
        let cents = i128::from(*cents);
        let (from, to) = (self.balance(debit) - cents, self.balance(credit) + cents);
        let limit = i128::from(LIMIT);
        let may_owe = matches!(debit.owner, Owner::House | Owner::Guarantee | Owner::Issue);
        [
            ("exists_differently", self.0.iter().any(|applied| applied.id == *id && applied != transfer)),
            ("nothing", cents == 0),
            ("same_account", debit == credit),
            ("currencies", debit.currency != credit.currency),
            ("not_into_escrow", *kind == TransferKind::Hold && (escrow(debit) || !escrow(credit))),
            ("escrow_without_hold", *kind == TransferKind::Plain && (escrow(debit) || escrow(credit))),
            ("no_such_hold", spent.is_some() && hold.is_none()),
            ("wrong_accounts", wrong_accounts),
            ("more_than_held", spent.is_some_and(|spent| hold.is_some() && cents > self.left(spent))),
            ("too_much", cents > limit || from < -limit || to > limit),
            ("insufficient_funds", from < 0 && !may_owe),
        ]
        .into_iter()
        .filter_map(|(code, holds)| holds.then_some(code))
        .collect()
    }

    /// Applies a batch and returns its new transfers, or the first violation and its transfer.
    fn apply(&mut self, batch: &[Transfer]) -> Result<Vec<Transfer>, (&'static str, TransferId)> {
        let mut after = self.clone();
        let mut new = Vec::new();
        for transfer in batch {
            if after.0.contains(transfer) {
                continue;
            }
            if let Some(code) = after.faults(transfer).first() {
                return Err((code, transfer.id.clone()));
            }
            after.0.push(transfer.clone());
            new.push(transfer.clone());
        }
        *self = after;
        Ok(new)
    }
}

const OWNERS: [&str; 9] = ["ann", "bob", "t1", "t2", "house", "bank", "commission", "collection", "issue"];

fn line(name: &str, kind: &str, debit: &str, credit: &str, cents: &str) -> Transfer {
    transfer(&format!("{name} {kind} {debit} {credit} {cents}"))
}

/// Transfers that are mostly valid: players are issued chips and hold them at tables. Few ids, so that some repeat.
fn sensible() -> impl Strategy<Value = Transfer> {
    let cents = prop::sample::select(vec!["1", "2", "3", "5", "8", "8", "8", "20"]);
    (0..6_usize, 0..8_usize, 0..10_u8, cents).prop_map(|(hold, spend, kind, cents)| {
        let (player, table) = (["ann", "bob"][hold % 2], ["t1", "t2"][hold / 2 % 2]);
        match kind {
            0 | 1 => line(&format!("i{spend}"), "plain", "issue", player, "20"),
            2..=4 => line(&format!("h{hold}"), "hold", player, table, cents),
            5 | 6 => line(&format!("p{spend}"), &format!("post:h{hold}"), table, OWNERS[spend], cents),
            7 | 8 => line(&format!("v{spend}"), &format!("void:h{hold}"), table, player, cents),
            _ => line(&format!("m{spend}"), "plain", player, OWNERS[spend], cents),
        }
    })
}

/// Transfers of any kind between any accounts.
fn any_transfer() -> impl Strategy<Value = Transfer> {
    let names = prop::sample::select(vec!["i1", "h1", "h2", "p1", "v1", "x1", "x2", "x3", "x4", "x5"]);
    let kinds =
        vec!["plain", "plain", "hold", "post:h0", "post:h1", "void:h0", "void:h1", "post:i1", "void:x1"];
    let owners = || prop::sample::select(OWNERS.to_vec());
    let currencies =
        prop::sample::select(vec![("", ""), ("", ""), ("", ""), ("/euro", "/euro"), ("", "/euro")]);
    let cents = vec!["0", "1", "2", "5", "8", "50", "limit", "limit+1", "signed+1", "max"];
    (names, prop::sample::select(kinds), owners(), owners(), currencies, prop::sample::select(cents))
        .prop_map(|(name, kind, debit, credit, (from, to), cents)| {
            line(name, kind, &format!("{debit}{from}"), &format!("{credit}{to}"), cents)
        })
}

fn history() -> impl Strategy<Value = Vec<Vec<Transfer>>> {
    let transfer = prop_oneof![6 => sensible(), 1 => any_transfer()];
    prop::collection::vec(prop::collection::vec(transfer, 1..6), 1..24)
}

/// Applies a history to the ledger and to the model. Returns the outcomes of its batches.
fn compare(history: &[Vec<Transfer>]) -> Vec<&'static str> {
    let (mut books, mut model) = (Books::default(), Model::default());
    let mut outcomes = Vec::new();
    for batch in history {
        let expected = model.apply(batch);
        let outcome = books.apply(batch);
        let outcome = outcome.map_err(|refusal| (refusal.code(), refused_transfer(&refusal).clone()));
        assert_eq!(outcome, expected, "{batch:?}");
        outcomes.push(match &expected {
            Ok(new) if new.is_empty() => "skipped",
            Ok(_) => "taken",
            Err((code, _)) => code,
        });
        assert_eq!(books.journal, model.0);
        for account in books.ledger.balances().keys() {
            assert_eq!(i128::from(books.ledger.balance(account)), model.balance(account));
        }
        for applied in &model.0 {
            let hold = books.ledger.hold(&applied.id);
            assert_eq!(hold.is_some(), applied.kind == TransferKind::Hold);
            if let Some(hold) = hold {
                assert_eq!((&hold.holder, &hold.escrow), (&applied.debit, &applied.credit));
                assert_eq!(i128::from(hold.left), model.left(&applied.id));
            }
        }
    }
    // The whole journal may be retried in any batches.
    let before = books.ledger.clone();
    for piece in books.journal.clone().chunks(3) {
        assert_eq!(books.apply(piece), Ok(vec![]));
    }
    assert!(books.ledger == before);
    outcomes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ledger_equals_model(history in history()) {
        compare(&history);
    }
}

#[test]
fn random_histories_cover_every_outcome() {
    let mut runner = TestRunner::deterministic();
    let mut seen = BTreeSet::new();
    for _ in 0..1000 {
        seen.extend(compare(&history().new_tree(&mut runner).unwrap().current()));
    }
    let all = [
        "currencies",
        "escrow_without_hold",
        "exists_differently",
        "insufficient_funds",
        "more_than_held",
        "no_such_hold",
        "not_into_escrow",
        "nothing",
        "same_account",
        "skipped",
        "taken",
        "too_much",
        "wrong_accounts",
    ];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), all);
}
