//! Refusals of the ledger, their order and their roll back, and repeated transfers.

use crate::books::{GOOD, OPENING, check_refused, id, page, refused_transfer, transfer, transfers};
use paigow_table::{LedgerRefusal, Purpose};

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
fn different_purpose_is_a_different_transfer() {
    let mut books = page(OPENING);
    let mut again = transfer("i1 plain issue ann 1000");
    assert_eq!(books.apply(&[again.clone()]), Ok(vec![]));
    again.purpose = Purpose::Issue;
    assert_eq!(books.apply(&[again]), Err(LedgerRefusal::IdConflict { id: id("i1") }));
}

#[test]
fn first_violation_in_order_is_reported() {
    for (line, code) in [
        ("i1 plain    ann    ann       0", "exists_differently"),
        ("i1 plain    ann    bob/euro  1", "exists_differently"),
        ("i1 hold     ann    bob       1", "exists_differently"),
        ("i1 plain    ann    t1        1", "exists_differently"),
        ("i1 post:w9  t1     bob       1", "exists_differently"),
        ("i1 post:w1  t2     bob       1", "exists_differently"),
        ("i1 post:w1  t1     bob     301", "exists_differently"),
        ("i1 plain    issue  ann     max", "exists_differently"),
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
        ("x  plain    ann    ann     max", "same_account"),
        ("x  plain    ann    ann     701", "same_account"),
        ("x  hold     ann    bob/euro  1", "currencies"),
        ("x  plain    ann    t1/euro   1", "currencies"),
        ("x  post:w9  t1     bob/euro  1", "currencies"),
        ("x  post:w1  t2     bob/euro  1", "currencies"),
        ("x  post:w1  t1     bob/euro 301", "currencies"),
        ("x  plain    ann    bob/euro max", "currencies"),
        ("x  plain    ann    bob/euro 701", "currencies"),
        ("x  hold     ann    bob     max", "not_into_escrow"),
        ("x  hold     ann    bob     701", "not_into_escrow"),
        ("x  plain    ann    t1      max", "escrow_without_hold"),
        ("x  plain    t1     ann     301", "escrow_without_hold"),
        ("x  post:w9  t1     bob     max", "no_such_hold"),
        ("x  post:w9  t2     bob       1", "no_such_hold"),
        ("x  post:w1  t2     bob     301", "wrong_accounts"),
        ("x  post:w1  ann    bob     max", "wrong_accounts"),
        ("x  post:w1  t2     bob       1", "wrong_accounts"),
        ("x  post:w1  t1     bob     max", "more_than_held"),
        ("x  post:w1  t1     bob     301", "more_than_held"),
        ("x  plain    ann    bob limit+1", "too_much"),
        ("x  hold     ann    t1      max", "too_much"),
    ] {
        check_refused(line, code);
    }
}

#[test]
fn first_invalid_transfer_is_reported() {
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
fn refusal_has_details_and_message() {
    let refused = |line: &str| page(OPENING).apply(&[transfer(line)]).unwrap_err();
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
    assert_eq!(insufficient.to_string(), "insufficient funds: this needs $7.01, but the player has $7");
}

#[test]
fn repeated_transfers_are_skipped() {
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
fn batch_may_repeat_a_transfer_unchanged() {
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
fn id_of_refused_transfer_may_be_reused() {
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

#[test]
fn refused_batch_changes_nothing() {
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
        for index in 0..=good.len() {
            let mut batch = good.clone();
            batch.insert(index, transfer(bad));
            let mut books = page(OPENING);
            let before = books.ledger.clone();
            let refusal = books.apply(&batch).expect_err(bad);
            assert_eq!(refused_transfer(&refusal), &transfer(bad).id);
            assert!(books.ledger == before, "{bad} at index {index}");
            // Without the invalid transfer the batch is accepted.
            assert_eq!(books.apply(&good).as_ref(), Ok(&good));
        }
    }
}

#[test]
fn refused_batch_creates_no_accounts() {
    let mut books = page(OPENING);
    books.apply(&transfers("a plain issue zoe 5\nb plain zoe yan 6")).unwrap_err();
    let owners: Vec<String> =
        books.ledger.balances().keys().map(|account| account.owner.to_string()).collect();
    assert_eq!(owners, ["player:ann", "player:bob", "escrow:t1", "issue"]);
}
