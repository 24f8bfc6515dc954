//! Tests that the hand lab agrees with the other answers.

use paigow::rulebook::{Banker, BuiltIn};
use paigow::{CardSet, Rulebook, SevenCards};
use paigow_answers::best::{self, BestQuestion};
use paigow_answers::house_ways;
use paigow_answers::lab::{self, LabAnswer, LabPaytable, LabQuestion};
use paigow_answers::set::{self, CompareQuestion};
use paigow_answers::settle::{self, SettleQuestion};
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::{Map, Value, json};

fn lab(cards: SevenCards, book: &str) -> LabAnswer {
    let question = LabQuestion { cards: cards.to_string(), book: book.to_owned(), ..LabQuestion::default() };
    lab::answer(&question, &BuiltIn).unwrap()
}

#[test]
fn settings_and_house_ways_match_best_and_compare() {
    let cards = "Ks Kd Qs Qd Js Jd Jk";
    for book in BuiltIn::book_names() {
        let lab = lab(cards.parse().unwrap(), book);
        let question =
            BestQuestion { cards: cards.to_owned(), book: book.to_owned(), ..BestQuestion::default() };
        let best = best::answer(&question, &BuiltIn).unwrap();
        let worths: Vec<_> = lab.settings.iter().map(|setting| setting.worth.clone()).collect();
        assert_eq!(worths, best.settings);
        let question = CompareQuestion {
            cards: cards.to_owned(),
            book: Some(book.to_owned()),
            ..CompareQuestion::default()
        };
        let sets: Vec<_> = lab.house_ways.iter().map(|way| way.set.clone()).collect();
        assert_eq!(sets, set::compare(&question, &BuiltIn).unwrap().settings);
        for way in &lab.house_ways {
            let chosen = &lab.settings[way.setting_index].worth;
            assert_eq!((chosen.low, chosen.high), (way.set.low, way.set.high));
            let text = house_ways::answer(&way.set.house_way, &BuiltIn).unwrap();
            let clause = &text.clauses[way.clause_number - 1];
            assert_eq!((&clause.when, &clause.says), (&way.set.clause, &way.set.says));
        }
        let own = lab.house_ways.iter().find(|way| way.set.house_way == lab.house_way).unwrap();
        assert!(lab.settings[own.setting_index].worth.house_way);
        assert_eq!(lab.paytables[0].book, book, "the book's own paytables come first");
    }
}

#[test]
fn every_paytable_of_every_book_is_listed() {
    let all: usize = BuiltIn::book_names()
        .map(|name| Rulebook::load(name, &[], &BuiltIn).unwrap())
        .map(|book| book.wagers.iter().map(|wager| wager.paytables.len()).sum::<usize>())
        .sum();
    for book in BuiltIn::book_names() {
        assert_eq!(lab("As Kd Tc 9h 2s 2d Jk".parse().unwrap(), book).paytables.len(), all);
    }
}

/// Returns the payout to 1 of a side wager's default paytable, or `None` if it loses.
fn payout(tables: &[LabPaytable], wager: &str, color: Option<&str>) -> Option<i64> {
    let table = tables.iter().find(|table| table.wager == wager && table.default).unwrap();
    table.pays.iter().find(|row| row.color == color).map(|row| i64::from(row.row.pays))
}

proptest! {
    /// Settles rounds with all side wagers of a book and compares each with the lab's rows for the player's or dealer's
    /// hand.
    #[test]
    fn paytables_pay_what_settlement_pays(
        dealt in subsequence(CardSet::DECK.iter().collect::<Vec<_>>(), 14).prop_shuffle(),
        red in any::<bool>(),
    ) {
        let hand = |cards: &[paigow::Card]| SevenCards::new(cards.iter().copied().collect()).unwrap();
        let (player, dealer) = (hand(&dealt[..7]), hand(&dealt[7..]));
        for name in BuiltIn::book_names() {
            let book = Rulebook::load(name, &[], &BuiltIn).unwrap();
            if !book.banking.bankers.contains(&Banker::Dealer) {
                continue;
            }
            let labs = [player, dealer].map(|hand| LabPaytable::all_of(&book, hand));
            let mut wagers = Map::from_iter([("pai-gow".to_owned(), Value::from(book.base_game.limits.min.to_string()))]);
            for wager in &book.wagers {
                let stake = wager.limits.min.to_string();
                let color = if red { "red" } else { "black" };
                let colored = json!({ "amount": stake, "color": color });
                let stake = if wager.looks_at.name() == "color" { colored } else { stake.into() };
                wagers.insert(wager.name.clone(), stake);
            }
            let round = json!({
                "book": name,
                "dealer": { "cards": dealer.to_string() },
                "seats": [{ "seat": 1, "cards": player.to_string(), "wagers": wagers }],
            });
            let settled = settle::answer(&SettleQuestion { toml: None, round: Some(round) }, &BuiltIn).unwrap();
            for wager in &book.wagers {
                let line = settled.lines.iter().find(|line| line.wager == wager.name).unwrap();
                let stake = line.stake_cents.cast_signed();
                let looks_at = wager.looks_at.name();
                let tables = &labs[usize::from(looks_at.starts_with("dealer"))];
                let color = (looks_at == "color").then_some(if red { "red" } else { "black" });
                let expect = payout(tables, &wager.name, color).map_or(-stake, |times| times * stake);
                let dealer_not_beaten = wager.player_must_beat && line.outcome == "lose";
                prop_assert!(dealer_not_beaten || line.net_cents == expect, "{name} {}: {line:?}, {expect}", wager.name);
            }
        }
    }
}
