//! Odds of edited paytables: unchanged rows keep the odds, changed rows change them.

use paigow::rulebook::BuiltIn;
use paigow_answers::odds::{self, EditedRow, OddsAnswer, OddsQuestion};
use paigow_answers::{Work, books};
use paigow_math::Fraction;

fn question(book: &str, wager: &str, paytable: &str) -> OddsQuestion {
    OddsQuestion {
        book: book.to_owned(),
        wager: Some(wager.to_owned()),
        paytable: Some(paytable.to_owned()),
        stake_cents: Some(500),
        ..OddsQuestion::default()
    }
}

fn answer(question: &OddsQuestion) -> OddsAnswer {
    odds::answer(question, &BuiltIn, &Work::without_progress(None)).unwrap()
}

/// Returns the rows of a paytable in the form of a question.
fn rows(book: &str, wager: &str, paytable: &str) -> Vec<EditedRow> {
    let books = books::answer().unwrap().books;
    let wagers = &books.iter().find(|found| found.id == book).unwrap().wagers;
    let tables = &wagers.iter().find(|found| found.wager == wager).unwrap().paytables;
    let rows = &tables.iter().find(|found| found.paytable == paytable).unwrap().rows;
    let row = |row: &books::PaytableRow| EditedRow {
        hand: row.hand.map(|class| class.0.name().to_owned()),
        cards: row.cards.map(i64::from),
        pays: row.pays.into(),
        envy_cents: row.envy_cents,
        intended: true,
    };
    rows.iter().map(row).collect()
}

#[test]
fn unchanged_rows_of_every_paytable_give_its_odds() {
    let mut tables = 0;
    for book in books::answer().unwrap().books {
        for wager in book.wagers.iter().filter(|wager| wager.looks_at != "dealer_five_cards") {
            for table in &wager.paytables {
                let question = question(&book.id, &wager.wager, &table.paytable);
                let edited = OddsQuestion {
                    rows: Some(rows(&book.id, &wager.wager, &table.paytable)),
                    payout_max_cents: wager.payout_max.as_ref().and_then(|max| max.amount_cents),
                    ..question.clone()
                };
                assert_eq!(
                    answer(&edited),
                    answer(&question),
                    "{} {} {}",
                    book.id,
                    wager.wager,
                    table.paytable
                );
                tables += 1;
            }
        }
    }
    assert!(tables > 30, "{tables} tables");
}

#[test]
fn one_unit_more_for_a_row_reduces_the_edge_by_its_probability() {
    let question = question("ez", "dynasty", "1");
    let before = answer(&question);
    let mut rows = rows("ez", "dynasty", "1");
    let index = rows.iter().position(|row| row.hand.as_deref() == Some("full_house")).unwrap();
    rows[index].pays += 1;
    let after = answer(&OddsQuestion { rows: Some(rows), ..question });
    let (before, after) = (&before.wagers[0], &after.wagers[0]);
    let probability = Fraction::new(before.rows[index].combinations, before.hands.unwrap());
    assert_eq!(after.edge.0, &before.edge.0 - &probability);
    assert_eq!(after.rows[index].pays, before.rows[index].pays + 1);
}

#[test]
fn payout_maximum_of_zero_raises_the_edge() {
    let question = OddsQuestion { payout_max_cents: Some(0), ..question("ez", "dynasty", "1") };
    let odds = answer(&question);
    let at_stake = odds.wagers[0].at_stake.as_ref().unwrap();
    assert_eq!(at_stake.payout_max_cents, Some(0));
    assert!(at_stake.at_stake.edge.0 > odds.wagers[0].edge.0);
}

#[test]
fn rows_apply_to_the_default_paytable_if_none_is_named() {
    let named = question("ez", "red-black", "posted");
    let rows = rows("ez", "red-black", "posted");
    let unnamed = OddsQuestion { paytable: None, rows: Some(rows), ..named.clone() };
    assert_eq!(answer(&unnamed), answer(&named));
}

#[test]
fn changed_row_is_reported_with_the_payout_of_the_document() {
    let mut rows = rows("south-dakota", "fortune", "1");
    let full_house = rows.iter_mut().find(|row| row.hand.as_deref() == Some("full_house")).unwrap();
    full_house.pays += 1;
    let [departure] = &answer(&OddsQuestion { rows: Some(rows), ..question("south-dakota", "fortune", "1") })
        .departures[..]
    else {
        panic!("expected one departure");
    };
    assert_eq!(departure.value, "wagers.fortune.paytables.1.pays");
    assert_eq!(departure.book.as_deref(), Some("full_house 5 to 1"));
    assert_eq!(departure.given, "full_house 6 to 1");
    assert!(departure.says.contains("SD-6"), "{}", departure.says);
}
