//! Documented behavior of the ledger: money, holds, currencies and limits.

use crate::books::{Books, GOOD, OPENING, account, check_refused, id, page, transfer, transfers};
use paigow_table::{Hold, Ledger, LedgerRefusal, Transfer, balances_of};
use std::collections::BTreeMap;

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
fn hold_is_posted_and_voided_in_parts() {
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
fn hold_is_placed_and_spent_in_one_batch() {
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
    let spent = books.ledger.hold(&id("w2")).expect("a spent hold is kept");
    assert_eq!(spent, &Hold { holder: account("bob"), escrow: account("t1"), left: 0 });
}

#[test]
fn hold_cannot_be_spent_before_it_is_placed() {
    page(&format!(
        "{OPENING}
        p2  post:w2  t1   ann   4
        w2  hold     bob  t1   10
        = no_such_hold p2
        "
    ));
}

#[test]
fn holds_in_one_escrow_are_separate() {
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
fn house_and_bank_may_hold_on_credit() {
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
fn currencies_are_separate() {
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
fn only_house_bank_and_issue_may_be_negative() {
    for owner in ["house", "bank", "issue"] {
        let mut books = Books::default();
        let debt = transfer(&format!("x plain {owner} ann 1"));
        books.apply(&[debt]).unwrap();
        assert_eq!(books.ledger.balance(&account(owner)), -1);
    }
    for owner in ["ann", "commission", "collection"] {
        for line in [format!("x plain {owner} house 1"), format!("x hold {owner} t1 1")] {
            let refusal = Books::default().apply(&[transfer(&line)]).unwrap_err();
            let owner = account(owner).owner;
            let expected = LedgerRefusal::InsufficientFunds { id: id("x"), owner, needs: 1, has: 0 };
            assert_eq!(refusal, expected, "{line}");
        }
    }
    check_refused("x plain ann house 701", "insufficient_funds");
    check_refused("x hold ann t1 701", "insufficient_funds");
    let mut books = page(OPENING);
    assert!(books.apply(&[transfer("x plain ann house 700")]).is_ok());
}

#[test]
fn balances_are_limited() {
    for cents in ["limit+1", "signed+1", "max"] {
        for line in [format!("x plain issue ann {cents}"), format!("x hold house t1 {cents}")] {
            let refusal = Books::default().apply(&[transfer(&line)]).unwrap_err();
            assert_eq!(refusal, LedgerRefusal::BalanceOverflow { id: id("x") }, "{line}");
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
fn balances_beyond_limits_do_not_overflow() {
    for (balance, line) in [
        (i64::MIN, "x plain house ann 1"),
        (i64::MIN, "x plain house ann limit"),
        (i64::MAX, "x plain ann house 1"),
    ] {
        let known = BTreeMap::from([(account("house"), balance)]);
        let mut ledger = Ledger::from_parts(known, BTreeMap::new(), BTreeMap::new());
        assert_eq!(
            ledger.apply(&[transfer(line)]),
            Err(LedgerRefusal::BalanceOverflow { id: id("x") }),
            "{line}"
        );
    }
}

#[test]
fn balances_of_maximum_amounts_do_not_overflow() {
    let largest = transfer("x plain issue ann max");
    let balances = balances_of(vec![&largest; 1000]);
    let sum = 1000 * i128::from(u64::MAX);
    assert_eq!(balances, BTreeMap::from([(account("issue"), -sum), (account("ann"), sum)]));
    assert_eq!(balances_of([]), BTreeMap::new());
}

#[test]
fn partial_ledger_equals_whole_ledger() {
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
    let applied = [(id("w1"), transfer("w1 hold ann t1 300"))];
    let part = Ledger::from_parts(balances.into(), holds.into(), applied.into());
    for batch in [
        "w1 hold ann t1 300\np1 post:w1 t1 house 100\nv1 void:w1 t1 ann 200",
        "w1 hold ann t1 301",
        "p1 post:w1 t1 house 301",
        "m1 plain ann house 701",
    ] {
        let batch = transfers(batch);
        let (mut part, mut whole) = (part.clone(), whole.ledger.clone());
        assert_eq!(part.apply(&batch), whole.apply(&batch));
        assert!(accounts.iter().all(|account| part.balance(account) == whole.balance(account)));
        assert_eq!(part.hold(&id("w1")), whole.hold(&id("w1")));
    }
}

#[test]
fn transfers_round_trip_as_json() {
    for transfer in transfers(&format!("{GOOD}\nx plain house collection max")) {
        let text = serde_json::to_string(&transfer).unwrap();
        assert_eq!(serde_json::from_str::<Transfer>(&text).unwrap(), transfer);
    }
    let text = serde_json::to_string(&transfer("p1 post:w1 t1/euro ann/euro 5")).unwrap();
    assert_eq!(
        text,
        r#"{"id":"p1","kind":{"post":"w1"},"debit":{"owner":{"escrow":"t1"},"currency":"euro"},"credit":{"owner":{"player":"ann"},"currency":"euro"},"cents":5,"purpose":"wager"}"#
    );
}
