//! Helpers of the tests of rounds: actions, shuffles, hands and expected refusals.

use paigow::{Action, Card, Color, Refusal, Round, RoundEvent, Showdown, Shuffle, WagerRef};
use paigow_testkit::{Rng, amount, cards, hand, seat, table_rules};
use std::fmt::Write;

/// A hand with several good settings: a pair of aces, or a straight.
pub(super) const CHOICE: &str = "As Ah Kc Qd Jh Ts 2d";
/// A weak dealer's hand: a nine-high pai gow, with low hand 8-7.
pub(super) const WEAK: &str = "9d 8c 7s 5h 4c 3s 2h";

/// A change that makes the banker reserve the highest payout of side wagers and envy bonuses.
pub(super) const RESERVED: &[(&str, &str)] = &[("banking.pays_from", "reserved")];

pub(super) fn round(book: &str) -> Round {
    Round::new(table_rules(book, &[], &[]), None)
}

pub(super) fn round_with(book: &str, changes: &[(&str, &str)]) -> Round {
    Round::new(table_rules(book, changes, &[]), None)
}

pub(super) fn base(number: u8, stake: &str) -> Action {
    Action::Wager { seat: seat(number), wager: WagerRef::PaiGow, amount: amount(stake), color: None }
}

/// A side wager, by its index among the offered ones.
pub(super) fn side(number: u8, index: u8, stake: &str) -> Action {
    Action::Wager { seat: seat(number), wager: WagerRef::Side(index), amount: amount(stake), color: None }
}

pub(super) fn colored(action: Action, chosen: Color) -> Action {
    match action {
        Action::Wager { seat, wager, amount, .. } => {
            Action::Wager { seat, wager, amount, color: Some(chosen) }
        }
        other => other,
    }
}

pub(super) fn bank(number: u8, covers: Option<&str>) -> Action {
    Action::TakeBank { seat: seat(number), covers: covers.map(amount) }
}

pub(super) fn dealer_wager(stake: &str) -> Action {
    Action::DealerWager { amount: amount(stake) }
}

pub(super) fn deal(shuffle: Shuffle, dice: u8, action_pile: Option<u8>) -> Action {
    Action::Deal { shuffle: Box::new(shuffle), dice, action_pile }
}

pub(super) fn set(number: u8, low: &str) -> Action {
    Action::Set { seat: seat(number), low: cards(low) }
}

pub(super) fn house_way(number: u8) -> Action {
    Action::HouseWay { seat: seat(number) }
}

/// The cards in deck order. Packet `i` starts at index `7 * i`.
pub(super) fn unshuffled() -> Shuffle {
    stacked(&[])
}

/// A shuffle whose first packets are these hands.
pub(super) fn stacked(hands: &[&str]) -> Shuffle {
    let wanted: Vec<Card> = hands.iter().flat_map(|text| hand(text).cards().iter()).collect();
    let rest = Card::deck().filter(|card| !wanted.contains(card));
    let all: Vec<Card> = wanted.iter().copied().chain(rest).collect();
    Shuffle::new(all.try_into().expect("53 cards, each once")).expect("53 cards, each once")
}

/// A random shuffle.
pub(super) fn random_shuffle(rng: &mut Rng) -> Shuffle {
    let mut deck: Vec<Card> = Card::deck().collect();
    rng.shuffle(&mut deck);
    Shuffle::new(deck.try_into().expect("53 cards")).expect("each once")
}

/// Applies an action that the rules must allow.
#[track_caller]
pub(super) fn apply(round: &mut Round, action: &Action) -> Vec<RoundEvent> {
    round.apply(action).unwrap_or_else(|refusal| panic!("{action:?}: {refusal}"))
}

#[track_caller]
pub(super) fn apply_all(round: &mut Round, actions: &[Action]) {
    for action in actions {
        apply(round, action);
    }
}

/// Applies an action that the rules must refuse without a change of the round, and returns the refusal.
#[track_caller]
pub(super) fn refused(round: &mut Round, action: &Action) -> Refusal {
    let before = snapshot(round);
    let checked = round.check(action).expect_err("refused by `check`");
    let refusal = round.apply(action).expect_err("refused by `apply`");
    assert_eq!(checked, refusal, "{action:?}");
    assert_eq!(snapshot(round), before, "the refused {action:?} changed the round");
    refusal
}

#[track_caller]
pub(super) fn check_refused(round: &mut Round, action: &Action, code: &str) {
    assert_eq!(refused(round, action).code(), code, "{action:?}");
}

/// The observable state of a round as text: phase, deal, settlement, and the results of `check` for many actions.
///
/// The checks reveal the wagers and the bank before the deal.
pub(super) fn snapshot(round: &Round) -> String {
    let mut text = format!("{:?}\n{:?}\n{:?}\n", round.phase(), round.deal(), round.settlement());
    match round.showdown() {
        Ok(showdown) => writeln!(text, "{}", describe(&showdown)).unwrap(),
        Err(refusals) => writeln!(text, "{refusals:?}").unwrap(),
    }
    let mut probes = vec![dealer_wager("5.00"), Action::Settle, deal(unshuffled(), 1, None)];
    for number in 1..=7 {
        probes.push(base(number, "5.00"));
        probes.extend((0..4).map(|index| side(number, index, "5.00")));
        probes.extend([bank(number, Some("1.00")), house_way(number), set(number, "As Ks")]);
    }
    for probe in &probes {
        writeln!(text, "{:?}", round.check(probe)).unwrap();
    }
    text
}

/// A showdown as text. `Showdown` does not implement `Debug`.
pub(super) fn describe(showdown: &Showdown<'_>) -> String {
    let players: Vec<_> = (1..=7).map(|number| showdown.player(seat(number))).collect();
    format!("{:?} {:?} {players:?} {:?}", showdown.bank(), showdown.first(), showdown.dealer())
}

/// A dealt round of the EZ book with wagers of some seats. Seat 1 gets the first packet, the dealer the second.
pub(super) fn ez_dealt(seats: &[u8], shuffle: Shuffle) -> Round {
    let mut round = round("ez");
    for &number in seats {
        apply(&mut round, &base(number, "25.00"));
    }
    apply(&mut round, &deal(shuffle, 1, None));
    round
}

/// A dealt round in which seat 1 banks and gets the first packet, and seat 6 wagers and gets the third.
pub(super) fn bank_with_foul(changes: &[(&str, &str)]) -> Round {
    let mut round = round_with("south-beach", changes);
    apply_all(&mut round, &[bank(1, None), base(6, "25.00")]);
    let hands = ["As Ah Kc Qd 9h 8s 2d", WEAK, "Ad Ac Kd Qc 9c 8d 3c"];
    apply(&mut round, &deal(stacked(&hands), 1, None));
    round
}
