//! The ledger as its documentation has it.
//!
//! A page is a ledger's history as text: a transfer a line, and after the transfers of a batch what must come of it. After every batch of every page the books are audited. Random histories are then compared with a model
//! that keeps nothing but a list of what was taken, and goes through all of it for every question.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a page that cannot be read has failed

use paigow_table::{
    Account, Hold, Kind, Ledger, LedgerRefusal, Owner, Purpose, Transfer, TransferId, balances_of,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};

/// As the documentation has it: the most an account has, or owes.
const LIMIT: u64 = 1 << 60;

fn id(text: &str) -> TransferId {
    text.parse().unwrap()
}

/// `ann` and `bob` are players, `t1` and `t2` tables' escrows; after a slash comes the currency, chips if there is none.
fn account(text: &str) -> Account {
    let (owner, currency) = text.split_once('/').unwrap_or((text, "chips"));
    let owner = match owner {
        "house" => Owner::House,
        "bank" => Owner::Bank,
        "commission" => Owner::Commission,
        "collection" => Owner::Collection,
        "issue" => Owner::Issue,
        table if table.starts_with('t') => Owner::Escrow(table.parse().unwrap()),
        player => Owner::Player(player.parse().unwrap()),
    };
    Account { owner, currency: currency.parse().unwrap() }
}

/// A line: name, kind, debit, credit, cents.
fn transfer(line: &str) -> Transfer {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [name, kind, debit, credit, cents] = fields[..] else { panic!("no transfer: {line}") };
    let kind = match kind.split_once(':') {
        Some(("post", hold)) => Kind::Post(id(hold)),
        Some(("void", hold)) => Kind::Void(id(hold)),
        _ if kind == "hold" => Kind::Hold,
        _ => {
            assert_eq!(kind, "plain", "{line}");
            Kind::Plain
        }
    };
    let cents = match cents {
        "limit" => LIMIT,
        "limit+1" => LIMIT + 1,
        "signed+1" => i64::MAX as u64 + 1,
        "most" => u64::MAX,
        cents => cents.parse().unwrap(),
    };
    let (debit, credit) = (account(debit), account(credit));
    Transfer { id: id(name), kind, debit, credit, cents, purpose: Purpose::Wager }
}

fn transfers(text: &str) -> Vec<Transfer> {
    text.lines().filter(|line| !line.trim().is_empty()).map(transfer).collect()
}

/// A ledger and all it has ever taken.
#[derive(Clone, Default)]
struct Books {
    ledger: Ledger,
    journal: Vec<Transfer>,
}

impl Books {
    /// Takes a batch and audits what has become of the books.
    fn take(&mut self, batch: &[Transfer]) -> Result<Vec<Transfer>, LedgerRefusal> {
        let before = self.ledger.clone();
        let outcome = self.ledger.take(batch);
        match &outcome {
            Ok(new) => self.journal.extend(new.iter().cloned()),
            Err(_) => assert!(self.ledger == before, "a refused batch has changed the ledger: {batch:?}"),
        }
        self.audit();
        outcome
    }

    fn audit(&self) {
        let balances = self.ledger.balances();
        let by_journal = balances_of(&self.journal);
        let widened: BTreeMap<Account, i128> =
            balances.iter().map(|(account, cents)| (account.clone(), i128::from(*cents))).collect();
        assert_eq!(widened, by_journal, "the journal comes to other balances");

        let mut sums: BTreeMap<&str, i128> = BTreeMap::new();
        for (account, cents) in &widened {
            *sums.entry(account.currency.as_str()).or_default() += cents;
            let may_owe = matches!(account.owner, Owner::House | Owner::Bank | Owner::Issue);
            assert!(may_owe || *cents >= 0, "{} owes {cents}", account.owner);
            assert!(cents.unsigned_abs() <= u128::from(LIMIT), "{} has {cents}", account.owner);
        }
        assert!(sums.values().all(|sum| *sum == 0), "money has come from nowhere: {sums:?}");

        let mut held: BTreeMap<&Account, i128> = BTreeMap::new();
        for (_, hold) in self.ledger.open_holds() {
            assert!(hold.left > 0);
            *held.entry(&hold.escrow).or_default() += i128::from(hold.left);
        }
        let escrows = widened
            .iter()
            .filter(|(account, cents)| matches!(account.owner, Owner::Escrow(_)) && **cents != 0);
        let escrows: BTreeMap<&Account, i128> = escrows.map(|(account, cents)| (account, *cents)).collect();
        assert_eq!(escrows, held, "escrows are not what is held in them");
    }
}

/// Reads a page: takes its batches, and holds what comes of them against what is written.
///
/// `= taken a b` names the transfers that are new, `= code name` the refusal; `? ann 5` is a balance, `? hold 5` what is left of one.
#[track_caller]
fn page(text: &str) -> Books {
    let mut books = Books::default();
    let mut batch = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(expected) = line.strip_prefix("= ") {
            let outcome = match books.take(&batch) {
                Ok(new) => {
                    new.iter().fold("taken".to_owned(), |text, transfer| format!("{text} {}", transfer.id))
                }
                Err(refusal) => format!("{} {}", refusal.code(), about(&refusal)),
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
    assert!(batch.is_empty(), "a page ends with an outcome");
    books
}

/// The transfer a refusal is about.
fn about(refusal: &LedgerRefusal) -> &TransferId {
    match refusal {
        LedgerRefusal::ExistsDifferently { id }
        | LedgerRefusal::Nothing { id }
        | LedgerRefusal::SameAccount { id }
        | LedgerRefusal::Currencies { id }
        | LedgerRefusal::NotIntoEscrow { id }
        | LedgerRefusal::EscrowWithoutHold { id }
        | LedgerRefusal::NoSuchHold { id, .. }
        | LedgerRefusal::WrongAccounts { id, .. }
        | LedgerRefusal::MoreThanHeld { id, .. }
        | LedgerRefusal::TooMuch { id }
        | LedgerRefusal::InsufficientFunds { id, .. } => id,
    }
}

/// Ann and Bob have 1000 chips each, and Ann has 300 of them on table 1.
const OPENING: &str = "
    i1  plain  issue       ann       1000
    i2  plain  issue       bob       1000
    w1  hold   ann         t1         300
    = taken i1 i2 w1
";

/// The transfer, offered alone after the opening, is refused with this code.
#[track_caller]
fn check_refused(line: &str, code: &str) {
    let mut books = page(OPENING);
    let refusal = books.take(&[transfer(line)]).expect_err(line);
    assert_eq!((refusal.code(), about(&refusal)), (code, &transfer(line).id), "{line}");
}

#[test]
fn money_is_issued_moved_and_redeemed() {
    page(
        "
        i1  plain  issue  ann         1000
        = taken i1
        ? ann    1000
        ? issue -1000

        m1  plain  ann    house        400
        m2  plain  house  commission   500
        m3  plain  ann    collection     1
        m4  plain  bank   bob           50
        = taken m1 m2 m3 m4
        ? ann           599
        ? house        -100
        ? commission    500
        ? collection      1
        ? bank          -50
        ? bob            50

        r1  plain  ann    issue        599
        = taken r1
        ? ann       0
        ? issue  -401
        ",
    );
}

#[test]
fn a_hold_leaves_its_holder_and_is_posted_and_voided_in_parts() {
    page(&format!(
        "{OPENING}
        ? ann  700
        ? t1   300
        ? w1   300

        p1  post:w1  t1  house       100
        p2  post:w1  t1  commission    5
        = taken p1 p2
        ? w1   195
        ? t1   195
        ? ann  700

        v1  void:w1  t1  ann         150
        p3  post:w1  t1  ann          20
        = taken v1 p3
        ? w1    25
        ? ann  870

        p4  post:w1  t1  bob          26
        = more_than_held p4

        p5  post:w1  t1  bob          25
        = taken p5
        ? w1     0
        ? t1     0
        ? bob 1025

        v2  void:w1  t1  ann           1
        = more_than_held v2
        "
    ));
}

#[test]
fn a_hold_may_be_made_and_spent_in_one_batch() {
    let books = page(&format!(
        "{OPENING}
        w2  hold     bob  t1   10
        p2  post:w2  t1   ann   4
        v2  void:w2  t1   bob   6
        = taken w2 p2 v2
        ? w2     0
        ? t1   300
        ? bob  996
        "
    ));
    assert_eq!(books.ledger.open_holds().map(|(hold, _)| hold.as_str()).collect::<Vec<_>>(), ["w1"]);
    let spent = books.ledger.hold(&id("w2")).expect("a hold that is spent is still known");
    assert_eq!(spent, &Hold { holder: account("bob"), escrow: account("t1"), left: 0 });
}

#[test]
fn a_hold_is_spent_after_it_is_made_in_one_batch_too() {
    page(&format!(
        "{OPENING}
        p2  post:w2  t1   ann   4
        w2  hold     bob  t1   10
        = no_such_hold p2
        "
    ));
}

#[test]
fn holds_in_one_escrow_are_apart() {
    page(&format!(
        "{OPENING}
        w2  hold     ann  t1     50
        w3  hold     bob  t1     60
        w4  hold     ann  t2     70
        = taken w2 w3 w4
        ? t1  410
        ? t2   70

        p2  post:w2  t1   house  51
        = more_than_held p2

        p3  post:w4  t1   house  50
        = wrong_accounts p3

        v3  void:w3  t1   ann    60
        = wrong_accounts v3

        p2  post:w2  t1   house  50
        = taken p2
        ? w1  300
        ? w2    0
        ? w3   60
        ? w4   70
        ? t1  360
        "
    ));
}

#[test]
fn those_that_may_owe_may_hold_what_they_do_not_have() {
    page(
        "
        c1  hold     house  t1   500
        c2  hold     bank   t1   200
        = taken c1 c2
        ? house  -500
        ? bank   -200
        ? t1      700

        v1  void:c1  t1     house  500
        p2  post:c2  t1     ann    200
        = taken v1 p2
        ? house     0
        ? ann     200
        ",
    );
}

#[test]
fn currencies_are_apart() {
    page(
        "
        i1  plain  issue       ann        100
        i2  plain  issue/euro  ann/euro    50
        w1  hold   ann/euro    t1/euro     20
        = taken i1 i2 w1
        ? ann         100
        ? ann/euro     30
        ? t1            0
        ? t1/euro      20
        ? issue      -100
        ? issue/euro  -50

        m1  plain  ann/euro    bob/euro    31
        = insufficient_funds m1

        p1  post:w1  t1        bob          5
        = wrong_accounts p1

        p1  post:w1  t1/euro   bob          5
        = currencies p1

        v1  void:w1  t1/euro   ann/euro    20
        = taken v1
        ",
    );
}

#[test]
fn nobody_but_house_bank_and_issue_goes_below_zero() {
    for owner in ["house", "bank", "issue"] {
        let mut books = Books::default();
        let debt = transfer(&format!("x plain {owner} ann 1"));
        books.take(&[debt]).unwrap();
        assert_eq!(books.ledger.balance(&account(owner)), -1);
    }
    for owner in ["ann", "commission", "collection"] {
        for line in [format!("x plain {owner} house 1"), format!("x hold {owner} t1 1")] {
            let refusal = Books::default().take(&[transfer(&line)]).unwrap_err();
            let owner = account(owner).owner;
            assert_eq!(refusal, LedgerRefusal::InsufficientFunds { id: id("x"), owner }, "{line}");
        }
    }
    check_refused("x plain ann house 701", "insufficient_funds");
    check_refused("x hold ann t1 701", "insufficient_funds");
    let mut books = page(OPENING);
    assert!(books.take(&[transfer("x plain ann house 700")]).is_ok());
}

#[test]
fn each_refusal_alone() {
    for changed in [
        "i1 hold   issue  t1   1000",
        "i1 plain  house  ann  1000",
        "i1 plain  issue  bob  1000",
        "i1 plain  issue  ann  1001",
        "w1 hold   ann    t2    300",
        "w1 plain  ann    bob   300",
    ] {
        check_refused(changed, "exists_differently");
    }
    check_refused("x plain    ann     bob       0", "nothing");
    check_refused("x hold     ann     t1        0", "nothing");
    check_refused("x post:w1  t1      bob       0", "nothing");
    check_refused("x plain    ann     ann       1", "same_account");
    check_refused("x plain    house   house     1", "same_account");
    check_refused("x plain    ann     bob/euro  1", "currencies");
    check_refused("x plain    ann     ann/euro  1", "currencies");
    check_refused("x hold     ann     t1/euro   1", "currencies");
    check_refused("x hold     ann     bob       1", "not_into_escrow");
    check_refused("x hold     ann     house     1", "not_into_escrow");
    check_refused("x hold     t1      t2        1", "not_into_escrow");
    check_refused("x hold     t1      ann       1", "not_into_escrow");
    check_refused("x plain    ann     t1        1", "escrow_without_hold");
    check_refused("x plain    t1      ann       1", "escrow_without_hold");
    check_refused("x plain    t1      t2        1", "escrow_without_hold");
    check_refused("x post:w9  t1      bob       1", "no_such_hold");
    check_refused("x void:w9  t1      ann       1", "no_such_hold");
    check_refused("x post:i1  t1      bob       1", "no_such_hold");
    check_refused("x post:x   t1      bob       1", "no_such_hold");
    check_refused("x post:w1  t2      bob       1", "wrong_accounts");
    check_refused("x post:w1  ann     bob       1", "wrong_accounts");
    check_refused("x post:w1  t1      t2        1", "wrong_accounts");
    check_refused("x void:w1  t1      bob       1", "wrong_accounts");
    check_refused("x void:w1  t2      ann       1", "wrong_accounts");
    check_refused("x void:w1  bob     ann       1", "wrong_accounts");
    check_refused("x post:w1  t1      bob     301", "more_than_held");
    check_refused("x void:w1  t1      ann     301", "more_than_held");
    check_refused("x plain    house   ann   limit", "too_much");
    check_refused("x plain    ann     bob     701", "insufficient_funds");
}

#[test]
fn another_purpose_is_another_transfer() {
    let mut books = page(OPENING);
    let mut again = transfer("i1 plain issue ann 1000");
    assert_eq!(books.take(&[again.clone()]), Ok(vec![]));
    again.purpose = Purpose::Issue;
    assert_eq!(books.take(&[again]), Err(LedgerRefusal::ExistsDifferently { id: id("i1") }));
}

#[test]
fn of_two_faults_the_first_in_the_order_of_the_list_is_named() {
    for (line, code) in [
        ("i1 plain    ann    ann       0", "exists_differently"),
        ("i1 plain    ann    bob/euro  1", "exists_differently"),
        ("i1 hold     ann    bob       1", "exists_differently"),
        ("i1 plain    ann    t1        1", "exists_differently"),
        ("i1 post:w9  t1     bob       1", "exists_differently"),
        ("i1 post:w1  t2     bob       1", "exists_differently"),
        ("i1 post:w1  t1     bob     301", "exists_differently"),
        ("i1 plain    issue  ann    most", "exists_differently"),
        ("i1 plain    ann    bob     701", "exists_differently"),
        ("x  plain    ann    ann       0", "nothing"),
        ("x  plain    ann    bob/euro  0", "nothing"),
        ("x  hold     ann    bob       0", "nothing"),
        ("x  plain    ann    t1        0", "nothing"),
        ("x  post:w9  t1     bob       0", "nothing"),
        ("x  post:w1  t2     bob       0", "nothing"),
        ("x  hold     ann    ann       1", "same_account"),
        ("x  plain    t1     t1        1", "same_account"),
        ("x  post:w9  t1     t1        1", "same_account"),
        ("x  post:w1  t1     t1        1", "same_account"),
        ("x  void:w1  t1     t1      301", "same_account"),
        ("x  plain    ann    ann    most", "same_account"),
        ("x  plain    ann    ann     701", "same_account"),
        ("x  hold     ann    bob/euro  1", "currencies"),
        ("x  plain    ann    t1/euro   1", "currencies"),
        ("x  post:w9  t1     bob/euro  1", "currencies"),
        ("x  post:w1  t2     bob/euro  1", "currencies"),
        ("x  post:w1  t1     bob/euro 301", "currencies"),
        ("x  plain    ann    bob/euro most", "currencies"),
        ("x  plain    ann    bob/euro 701", "currencies"),
        ("x  hold     ann    bob    most", "not_into_escrow"),
        ("x  hold     ann    bob     701", "not_into_escrow"),
        ("x  plain    ann    t1     most", "escrow_without_hold"),
        ("x  plain    t1     ann     301", "escrow_without_hold"),
        ("x  post:w9  t1     bob    most", "no_such_hold"),
        ("x  post:w9  t2     bob       1", "no_such_hold"),
        ("x  post:w1  t2     bob     301", "wrong_accounts"),
        ("x  post:w1  ann    bob    most", "wrong_accounts"),
        ("x  post:w1  t2     bob       1", "wrong_accounts"),
        ("x  post:w1  t1     bob    most", "more_than_held"),
        ("x  post:w1  t1     bob     301", "more_than_held"),
        ("x  plain    ann    bob limit+1", "too_much"),
        ("x  hold     ann    t1     most", "too_much"),
    ] {
        check_refused(line, code);
    }
}

#[test]
fn the_first_transfer_that_is_wrong_decides() {
    page(&format!(
        "{OPENING}
        m1  plain  ann  bob    1
        x   plain  ann  bob  999
        y   plain  ann  bob    0
        = insufficient_funds x

        y   plain  ann  bob    0
        x   plain  ann  bob  999
        = nothing y
        "
    ));
}

#[test]
fn a_refusal_says_what_it_is_about() {
    let refused = |line: &str| page(OPENING).take(&[transfer(line)]).unwrap_err();
    assert_eq!(
        refused("x post:w1 t1 bob 301"),
        LedgerRefusal::MoreThanHeld { id: id("x"), hold: id("w1"), cents: 301, left: 300 }
    );
    assert_eq!(
        refused("x post:w1 t1 bob 301").to_string(),
        "transfer x takes 301 of hold w1, of which 300 are left"
    );
    assert_eq!(refused("x void:w9 t1 ann 1"), LedgerRefusal::NoSuchHold { id: id("x"), hold: id("w9") });
    assert_eq!(refused("x void:w1 t1 bob 1"), LedgerRefusal::WrongAccounts { id: id("x"), hold: id("w1") });
    let insufficient = refused("x plain ann bob 701");
    assert_eq!(insufficient.to_string(), "player:ann does not have what transfer x takes");
}

#[test]
fn a_batch_taken_before_is_passed_over_whole_or_in_part() {
    page(&format!(
        "{OPENING}
        i1  plain  issue       ann       1000
        i2  plain  issue       bob       1000
        w1  hold   ann         t1         300
        = taken
        ? ann  700
        ? t1   300

        w1  hold   ann         t1         300
        = taken

        w1  hold     ann       t1         300
        p1  post:w1  t1        house      300
        i1  plain    issue     ann       1000
        = taken p1

        p1  post:w1  t1        house      300
        = taken
        ? w1     0
        ? house 300

        = taken
        "
    ));
}

#[test]
fn a_transfer_may_be_there_twice_in_a_batch_but_not_changed() {
    page(
        "
        i1  plain  issue  ann  10
        i1  plain  issue  ann  10
        = taken i1
        ? ann 10

        i2  plain  issue  ann  10
        i2  plain  issue  ann  11
        = exists_differently i2
        ? ann 10

        i2  plain  issue  ann  11
        = taken i2
        ",
    );
}

#[test]
fn a_name_that_was_refused_is_free() {
    page(
        "
        x  plain  ann    bob  5
        = insufficient_funds x

        x  plain  issue  bob  7
        = taken x
        ? bob 7
        ",
    );
}

/// Every kind of transfer, new accounts and currencies among them, and a hold that is made and spent.
const GOOD: &str = "
    g1  plain    issue       cleo       500
    g2  plain    issue/euro  cleo/euro  500
    g3  hold     cleo        t2         100
    g4  post:g3  t2          dan         30
    g5  void:g3  t2          cleo        70
    g6  post:w1  t1          commission 100
    g7  void:w1  t1          ann        150
    g8  hold     cleo/euro   t2/euro    500
";

#[test]
fn a_refused_batch_leaves_no_trace_wherever_its_fault_is() {
    let good = transfers(GOOD);
    for bad in [
        "i1  plain    issue  ann        1",
        "x   plain    ann    bob        0",
        "x   plain    bob    bob        1",
        "x   plain    bob    bob/euro   1",
        "x   hold     bob    eve        1",
        "x   plain    bob    t1         1",
        "x   post:w9  t1     bob        1",
        "x   void:w1  t1     bob        1",
        "x   post:w1  t1     bob      301",
        "x   plain    house  eve  limit+1",
        "x   plain    bob    eve     1001",
    ] {
        for place in 0..=good.len() {
            let mut batch = good.clone();
            batch.insert(place, transfer(bad));
            let mut books = page(OPENING);
            let before = books.ledger.clone();
            let refusal = books.take(&batch).expect_err(bad);
            assert_eq!(about(&refusal), &transfer(bad).id);
            assert!(books.ledger == before, "{bad} in place {place}");
            // And nothing stands in the way of the batch once its fault is gone.
            assert_eq!(books.take(&good).as_ref(), Ok(&good));
        }
    }
}

#[test]
fn accounts_of_a_refused_batch_are_not_among_those_that_were_moved() {
    let mut books = page(OPENING);
    books.take(&transfers("a plain issue zoe 5\nb plain zoe yan 6")).unwrap_err();
    let owners: Vec<String> =
        books.ledger.balances().keys().map(|account| account.owner.to_string()).collect();
    assert_eq!(owners, ["player:ann", "player:bob", "escrow:t1", "issue"]);
}

#[test]
fn an_account_has_and_owes_so_much_and_no_more() {
    for cents in ["limit+1", "signed+1", "most"] {
        for line in [format!("x plain issue ann {cents}"), format!("x hold house t1 {cents}")] {
            let refusal = Books::default().take(&[transfer(&line)]).unwrap_err();
            assert_eq!(refusal, LedgerRefusal::TooMuch { id: id("x") }, "{line}");
        }
    }
    page(
        "
        i1  plain    issue  ann    limit
        = taken i1

        i2  plain    house  ann        1
        = too_much i2

        i2  plain    issue  bob        1
        = too_much i2

        w1  hold     ann    t1     limit
        = taken w1

        w2  hold     house  t1         1
        = too_much w2

        p1  post:w1  t1     bob    limit
        = taken p1

        i3  plain    house  ann    limit
        i4  plain    bank   cleo   limit
        = taken i3 i4

        i5  plain    house  ann        1
        = too_much i5

        r1  plain    bob    issue  limit
        = taken r1
        ? issue 0
        ",
    );
}

#[test]
fn balances_beyond_all_limits_are_refused_and_do_not_overflow() {
    for (balance, line) in [
        (i64::MIN, "x plain house ann 1"),
        (i64::MIN, "x plain house ann limit"),
        (i64::MAX, "x plain ann house 1"),
    ] {
        let known = BTreeMap::from([(account("house"), balance)]);
        let mut ledger = Ledger::with(known, BTreeMap::new(), BTreeMap::new());
        assert_eq!(ledger.take(&[transfer(line)]), Err(LedgerRefusal::TooMuch { id: id("x") }), "{line}");
    }
}

#[test]
fn a_journal_of_the_greatest_amounts_is_added_up() {
    let most = transfer("x plain issue ann most");
    let balances = balances_of(vec![&most; 1000]);
    let sum = 1000 * i128::from(u64::MAX);
    assert_eq!(balances, BTreeMap::from([(account("issue"), -sum), (account("ann"), sum)]));
    assert_eq!(balances_of([]), BTreeMap::new());
}

#[test]
fn a_ledger_that_knows_what_a_batch_is_about_does_as_one_that_knows_all() {
    let whole = page(&format!(
        "{OPENING}
        w2  hold  bob  t1  40
        w3  hold  bob  t2  50
        = taken w2 w3
        "
    ));
    let accounts = ["t1", "ann", "house"].map(account);
    let balances = accounts.clone().map(|account| (account.clone(), whole.ledger.balance(&account)));
    let holds = [(id("w1"), whole.ledger.hold(&id("w1")).unwrap().clone())];
    let taken = [(id("w1"), transfer("w1 hold ann t1 300"))];
    let part = Ledger::with(balances.into(), holds.into(), taken.into());
    for batch in [
        "w1 hold ann t1 300\np1 post:w1 t1 house 100\nv1 void:w1 t1 ann 200",
        "w1 hold ann t1 301",
        "p1 post:w1 t1 house 301",
        "m1 plain ann house 701",
    ] {
        let batch = transfers(batch);
        let (mut part, mut whole) = (part.clone(), whole.ledger.clone());
        assert_eq!(part.take(&batch), whole.take(&batch));
        assert!(accounts.iter().all(|account| part.balance(account) == whole.balance(account)));
        assert_eq!(part.hold(&id("w1")), whole.hold(&id("w1")));
    }
}

#[test]
fn transfers_are_written_and_read_back() {
    for transfer in transfers(&format!("{GOOD}\nx plain house collection most")) {
        let text = serde_json::to_string(&transfer).unwrap();
        assert_eq!(serde_json::from_str::<Transfer>(&text).unwrap(), transfer);
    }
    let text = serde_json::to_string(&transfer("p1 post:w1 t1/euro ann/euro 5")).unwrap();
    assert_eq!(
        text,
        r#"{"id":"p1","kind":{"post":"w1"},"debit":{"owner":{"escrow":"t1"},"currency":"euro"},"credit":{"owner":{"player":"ann"},"currency":"euro"},"cents":5,"purpose":"wager"}"#
    );
}

/// The ledger again, as slow and as plain as can be: a list of what was taken.
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
        self.0.iter().find(|transfer| transfer.id == *id && transfer.kind == Kind::Hold)
    }

    fn left(&self, hold: &TransferId) -> i128 {
        let spends = |transfer: &&Transfer| matches!(&transfer.kind, Kind::Post(spent) | Kind::Void(spent) if spent == hold);
        let spent: i128 = self.0.iter().filter(spends).map(|transfer| i128::from(transfer.cents)).sum();
        self.hold(hold).map_or(0, |hold| i128::from(hold.cents)) - spent
    }

    /// Everything that is wrong with a transfer, in the order of the list of refusals.
    fn faults(&self, transfer: &Transfer) -> Vec<&'static str> {
        let Transfer { id, kind, debit, credit, cents, .. } = transfer;
        let escrow = |account: &Account| matches!(account.owner, Owner::Escrow(_));
        let spent = match kind {
            Kind::Post(hold) | Kind::Void(hold) => Some(hold),
            Kind::Plain | Kind::Hold => None,
        };
        let hold = spent.and_then(|spent| self.hold(spent));
        let wrong_accounts = hold.is_some_and(|hold| {
            let to = match kind {
                Kind::Void(_) => *credit == hold.debit,
                _ => !escrow(credit),
            };
            *debit != hold.credit || !to
        });
        let cents = i128::from(*cents);
        let (from, to) = (self.balance(debit) - cents, self.balance(credit) + cents);
        let limit = i128::from(LIMIT);
        let may_owe = matches!(debit.owner, Owner::House | Owner::Bank | Owner::Issue);
        [
            ("exists_differently", self.0.iter().any(|taken| taken.id == *id && taken != transfer)),
            ("nothing", cents == 0),
            ("same_account", debit == credit),
            ("currencies", debit.currency != credit.currency),
            ("not_into_escrow", *kind == Kind::Hold && (escrow(debit) || !escrow(credit))),
            ("escrow_without_hold", *kind == Kind::Plain && (escrow(debit) || escrow(credit))),
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

    /// The transfers of a batch that are new, or the first fault and whose it is.
    fn take(&mut self, batch: &[Transfer]) -> Result<Vec<Transfer>, (&'static str, TransferId)> {
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

/// Transfers that are mostly right: players are issued chips, and hold them at tables under a few names that come again.
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
    let cents = vec!["0", "1", "2", "5", "8", "50", "limit", "limit+1", "signed+1", "most"];
    (names, prop::sample::select(kinds), owners(), owners(), currencies, prop::sample::select(cents))
        .prop_map(|(name, kind, debit, credit, (from, to), cents)| {
            line(name, kind, &format!("{debit}{from}"), &format!("{credit}{to}"), cents)
        })
}

fn history() -> impl Strategy<Value = Vec<Vec<Transfer>>> {
    let transfer = prop_oneof![6 => sensible(), 1 => any_transfer()];
    prop::collection::vec(prop::collection::vec(transfer, 1..6), 1..24)
}

/// Plays a history on the ledger and on the model, and gives what came of its batches.
fn compare(history: &[Vec<Transfer>]) -> Vec<&'static str> {
    let (mut books, mut model) = (Books::default(), Model::default());
    let mut outcomes = Vec::new();
    for batch in history {
        let expected = model.take(batch);
        let outcome = books.take(batch);
        let named = outcome.map_err(|refusal| (refusal.code(), about(&refusal).clone()));
        assert_eq!(named, expected, "{batch:?}");
        outcomes.push(match &expected {
            Ok(new) if new.is_empty() => "passed over",
            Ok(_) => "taken",
            Err((code, _)) => code,
        });
        assert_eq!(books.journal, model.0);
        for account in books.ledger.balances().keys() {
            assert_eq!(i128::from(books.ledger.balance(account)), model.balance(account));
        }
        for taken in &model.0 {
            let hold = books.ledger.hold(&taken.id);
            assert_eq!(hold.is_some(), taken.kind == Kind::Hold);
            if let Some(hold) = hold {
                assert_eq!((&hold.holder, &hold.escrow), (&taken.debit, &taken.credit));
                assert_eq!(i128::from(hold.left), model.left(&taken.id));
            }
        }
    }
    // All of it may come again, in any pieces.
    let before = books.ledger.clone();
    for piece in books.journal.clone().chunks(3) {
        assert_eq!(books.take(piece), Ok(vec![]));
    }
    assert!(books.ledger == before);
    outcomes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_ledger_does_as_the_model(history in history()) {
        compare(&history);
    }
}

#[test]
fn random_histories_come_to_every_outcome() {
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
        "passed over",
        "same_account",
        "taken",
        "too_much",
        "wrong_accounts",
    ];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), all);
}
