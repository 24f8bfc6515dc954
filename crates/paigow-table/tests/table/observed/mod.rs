//! Observable behavior of a book at a table: refusals, deals, settlements, offers of the bank and facts, for fixed
//! shuffles. Sentences, citations and titles are excluded.

#![allow(clippy::unwrap_used)] // a failed expectation fails the test

use crate::play::{Play, account, player};
use paigow::rulebook::{Banker, BuiltIn, DecidingCards, LoadError};
use paigow::{
    Action, Amount, Card, CardSet, Color, Refusal, Round, Rulebook, Seat, Shuffle, TableRules, WagerRef,
};
use paigow_table::{Command, Owner, TableEvent};
use paigow_testkit::{owned_pairs, seat};
use std::fmt::Write as _;
use std::sync::Arc;

/// Number of shuffles: enough for copies, fouls, dealer pushes and the common rows of every paytable.
const SHUFFLES: u64 = 400;

pub(crate) type Changes<'a> = &'a [(&'a str, &'a str)];

/// Observed behavior of a book with changed values.
#[derive(PartialEq, Eq)]
pub(crate) struct Observed {
    pub(crate) digest: String,
    /// Refusals, deals, settlements and offers of the bank.
    pub(crate) played: String,
    /// Facts of the table. They repeat values of the book, so they prove nothing about play.
    pub(crate) shown: String,
}

/// Plays by a book with changed values. Fails if the book is refused.
pub(crate) fn observe(book: &str, changes: Changes<'_>) -> Result<Observed, String> {
    let table_rules = table_rules(book, changes)?;
    let mut seen = String::new();
    choices(book, changes, &mut seen);
    limits(&table_rules, &mut seen);
    for seed in 0..SHUFFLES {
        for bank in [None, Some(Amount::from_cents(30_000)), Some(Amount::from_cents(600_000))] {
            round(&table_rules, seed, bank, &mut seen);
        }
    }
    let shown = offers(book, changes, &mut seen);
    Ok(Observed { digest: table_rules.digest(), played: seen, shown })
}

fn table_rules(book: &str, changes: Changes<'_>) -> Result<Arc<TableRules>, String> {
    let book = Rulebook::load(book, &owned_pairs(changes), &BuiltIn).map_err(|error| match error {
        LoadError::Problems(problems) => format!("{} problems", problems.len()),
        other => panic!("{other}"),
    })?;
    let posted = TableRules::new(Arc::new(book), &[]);
    posted.map(Arc::new).map_err(|refusals| format!("{:?}", codes(&refusals)))
}

fn codes(refusals: &[Refusal]) -> Vec<&'static str> {
    refusals.iter().map(Refusal::code).collect()
}

/// Records which choices of the house are refused.
fn choices(book: &str, changes: Changes<'_>, seen: &mut String) {
    for (key, value) in [
        ("ranking.joker", "semi_wild"),
        ("ranking.joker", "fully_wild"),
        ("dealing.spots", "every"),
        ("dealing.spots", "active"),
    ] {
        let chosen = table_rules(book, &[changes, &[(key, value)]].concat());
        writeln!(seen, "{key}={value} {}", chosen.is_ok()).unwrap();
    }
}

/// Records which amounts are refused.
fn limits(table_rules: &Arc<TableRules>, seen: &mut String) {
    let seat = Seat::FIRST;
    let amounts = [1, 99, 100, 101, 499, 500, 501, 1_000, 10_000, 49_999, 50_000, 50_001, 999_999, 1_000_000];
    for cents in amounts.into_iter().chain([1_000_001, 5_000_000]).map(Amount::from_cents) {
        for wager in wagers(table_rules) {
            let mut round = Round::new(table_rules.clone(), None);
            let base = if wager == WagerRef::PaiGow { cents } else { Amount::from_cents(1_000) };
            let mut done = round.apply(&stake(table_rules, seat, WagerRef::PaiGow, base)).map(drop);
            if wager != WagerRef::PaiGow {
                done = round.apply(&stake(table_rules, seat, wager, cents)).map(drop);
            }
            writeln!(seen, "{wager:?} {cents} {:?}", done.map_err(|refusal| refusal.code())).unwrap();
        }
    }
}

fn wagers(table_rules: &TableRules) -> impl Iterator<Item = WagerRef> {
    let sides = (0..table_rules.side_wager_count()).map(|index| WagerRef::Side(u8::try_from(index).unwrap()));
    std::iter::once(WagerRef::PaiGow).chain(sides)
}

fn stake(table_rules: &TableRules, seat: Seat, wager: WagerRef, amount: Amount) -> Action {
    let color = match wager {
        WagerRef::Side(index) if table_rules.wager(usize::from(index)).looks_at == DecidingCards::Color => {
            Some(if seat.number().is_multiple_of(2) { Color::Red } else { Color::Black })
        }
        _ => None,
    };
    Action::Wager { seat, wager, amount, color }
}

/// Records a round in which every seat except the last places every wager. With `bank`, seat 2 takes the bank and also
/// tries to wager.
fn round(table_rules: &Arc<TableRules>, seed: u64, bank: Option<Amount>, seen: &mut String) {
    let seats = table_rules.book().seats.players;
    let mut round = Round::new(table_rules.clone(), None);
    let banker = seat(2);
    if bank.is_some() {
        let taken = round.apply(&Action::TakeBank { seat: banker, covers: bank });
        writeln!(seen, "bank {:?}", taken.as_ref().map(drop).map_err(Refusal::code)).unwrap();
        if taken.is_err() {
            return;
        }
        let wagered = round.apply(&Action::DealerWager { amount: Amount::from_cents(2_500) });
        writeln!(seen, "dealer {:?}", wagered.map(drop).map_err(|refusal| refusal.code())).unwrap();
    } else if !table_rules.book().banking.bankers.contains(&Banker::Dealer) {
        return;
    }
    for seat in Seat::up_to(seats.saturating_sub(1)) {
        for wager in wagers(table_rules) {
            let cents = if wager == WagerRef::PaiGow {
                10_033 + 1_500 * u64::from(seat.number())
            } else {
                300 + 100 * u64::from(seat.number())
            };
            let placed = round.apply(&stake(table_rules, seat, wager, Amount::from_cents(cents)));
            writeln!(seen, "{seat:?} {wager:?} {:?}", placed.map(drop).map_err(|refusal| refusal.code()))
                .unwrap();
        }
    }
    let spots = seats + u8::from(table_rules.book().seats.dealer_hand);
    let dice = 1 + u8::try_from(seed % u64::from(spots)).unwrap();
    let pile = table_rules.book().dealing.action_pile.then_some(2);
    let dealt = round.apply(&Action::Deal { shuffle: Box::new(shuffle(seed)), dice, action_pile: pile });
    writeln!(seen, "{:?}", dealt.map(|_| ()).map_err(|refusal| refusal.code())).unwrap();
    let Some(deal) = round.deal().copied() else { return };
    writeln!(seen, "{:?} {:?} {:?}", deal.hands, deal.dealer, deal.first).unwrap();
    // Seat 1 and the banker try to set a foul hand. The other hands are set by the house way.
    for seat in [Seat::FIRST, banker] {
        if let Some(hand) = deal.hands[seat.index()] {
            let mut cards: Vec<Card> = hand.cards().iter().collect();
            cards.sort_by_key(|card| card.rank());
            let low: CardSet = cards.into_iter().rev().take(2).collect();
            let set = round.apply(&Action::Set { seat, low });
            writeln!(seen, "foul {:?}", set.map(drop).map_err(|refusal| refusal.code())).unwrap();
        }
    }
    let settled = round.apply(&Action::Settle);
    writeln!(seen, "{:?}", settled.map(drop).map_err(|refusal| refusal.code())).unwrap();
    writeln!(seen, "{:?}", round.dealer_setting().map(|setting| setting.low)).unwrap();
    for line in round.settlement().map(|settlement| settlement.lines().to_vec()).unwrap_or_default() {
        writeln!(seen, "{line:?}").unwrap();
    }
}

fn shuffle(seed: u64) -> Shuffle {
    let mut cards: Vec<Card> = Card::deck().collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for last in (1..cards.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        cards.swap(last, usize::try_from((state >> 33) % (last as u64 + 1)).unwrap());
    }
    Shuffle::new(cards.try_into().unwrap()).unwrap()
}

/// Records the offers of the bank over some rounds. Returns the facts of the table.
fn offers(book: &str, changes: Changes<'_>, seen: &mut String) -> String {
    let mut play = Play::open_with(book, changes, 0);
    let mut facts = serde_json::to_value(play.table.facts()).unwrap();
    // Titles and terms only describe, and `changes` repeats the input.
    facts["changes"].take();
    facts["terms"].take();
    for wager in facts["wagers"].as_array_mut().unwrap() {
        wager["title"].take();
        wager["envy_button"].take();
    }
    let names = ["ann", "bob", "cyd"];
    for (seat, name) in (1..).zip(names) {
        play.issue(name, 10_000_000);
        let sat = play.try_run(&player(name), &Command::Sit { seat });
        writeln!(seen, "{:?}", sat.map(drop).map_err(|refusal| refusal.code())).unwrap();
    }
    for step in 0..40 {
        let offered = play.table.view(&paigow_table::Viewer::Watcher).offered;
        if let Some(seat) = offered {
            let command = if step % 4 == 0 { Command::PassBank } else { Command::TakeBank { cents: 50_000 } };
            let _ = play.try_run(&player(names[usize::from(seat) - 1]), &command);
        }
        for name in names {
            let _ = play.try_run(&player(name), &crate::play::wager(1_000));
        }
        if play.table.due().is_some() {
            play.clock();
        }
    }
    let banks = play.log.iter().filter_map(|event| match event {
        TableEvent::BankOffered { seat, .. } => Some(*seat),
        _ => None,
    });
    writeln!(seen, "{:?}", banks.collect::<Vec<u8>>()).unwrap();
    writeln!(seen, "fees {}", play.ledger.balance(&account(Owner::Collection))).unwrap();
    let second = play.try_run(&player("ann"), &Command::Sit { seat: 5 });
    writeln!(seen, "second seat {:?}", second.map(drop).map_err(|refusal| refusal.code())).unwrap();
    facts.to_string()
}
