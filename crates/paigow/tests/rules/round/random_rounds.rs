//! Properties of random actions and random valid rounds of every book.

use super::kit::{apply, deal, dealer_wager, describe, house_way, random_shuffle, set, snapshot};
use paigow::document::Source;
use paigow::rulebook::{Banker, BuiltIn, DecidingCards};
use paigow::{
    Action, Amount, BankHistory, Card, CardSet, Color, Outcome, Party, Round, RoundEvent, RoundFile,
    RoundPhase, Seat, Settlement, SevenCards, Stakes, TableRules, WagerRef,
};
use paigow_testkit::{Rng, amount, seat, table_rules};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Two random cards of a hand.
fn low_hand(rng: &mut Rng, dealt: SevenCards) -> CardSet {
    let mut cards: Vec<Card> = dealt.cards().iter().collect();
    rng.shuffle_front(&mut cards, 2);
    cards[..2].iter().copied().collect()
}

/// A random action, allowed or not.
fn any_action(rng: &mut Rng, round: &Round) -> Action {
    let number = 1 + rng.below(7) as u8;
    match rng.below(16) {
        0 => Action::TakeBank {
            seat: seat(number),
            covers: *rng.pick(&[
                None,
                Some(amount("10.00")),
                Some(amount("500.00")),
                Some(amount("50000.00")),
            ]),
        },
        1 => {
            let stake = *rng.pick(&["5.00", "100.00"]);
            dealer_wager(stake)
        }
        2 | 3 if round.phase() != RoundPhase::Wagers || rng.once_in(4) => {
            let dice = rng.below(10) as u8;
            let pile = if rng.once_in(2) { None } else { Some(rng.below(9) as u8) };
            deal(random_shuffle(rng), dice, pile)
        }
        4 | 5 => house_way(number),
        6..=8 => {
            let dealt = round.deal().and_then(|deal| deal.hands[seat(number).index()]);
            match dealt.filter(|_| !rng.once_in(8)) {
                Some(dealt) => Action::Set { seat: seat(number), low: low_hand(rng, dealt) },
                None => set(number, rng.pick::<&str>(&["As Ks", "2c", "Jk Ah", "9h 8h 7h"])),
            }
        }
        9 if round.phase() != RoundPhase::Settings || rng.once_in(4) => Action::Settle,
        _ => {
            let index = rng.below(6) as u8;
            let stake = *rng.pick(&["0.00", "0.50", "1.00", "4.99", "5.00", "25.00", "500.00", "10000.01"]);
            let color = *rng.pick(&[None, None, Some(Color::Red), Some(Color::Black)]);
            Action::Wager {
                seat: seat(number),
                wager: if rng.once_in(2) { WagerRef::PaiGow } else { WagerRef::Side(index) },
                amount: amount(stake),
                color: color.filter(|_| index >= 3 || rng.once_in(4)),
            }
        }
    }
}

#[test]
fn check_agrees_with_apply() {
    let mut results: BTreeMap<&str, u32> = BTreeMap::new();
    for (number, book) in (0..).zip(BuiltIn::book_names()) {
        let mut rng = Rng::new(number);
        let banked = Some(BankHistory { seat: seat(3), rounds: 2 });
        let table_rules = table_rules(book, &[("setting.banker_foul", "set_again")], &[]);
        let mut round = Round::new(table_rules.clone(), banked);
        for _ in 0..6_000 {
            if round.phase() == RoundPhase::Settled && rng.once_in(8) {
                round = Round::new(table_rules.clone(), banked);
            }
            let action = any_action(&mut rng, &round);
            let before = round.clone();
            let checked = round.check(&action);
            match round.apply(&action) {
                Ok(events) => {
                    assert_eq!(checked, Ok(()), "{action:?}");
                    assert!(!events.is_empty(), "{action:?} was applied without an event");
                    let mut replayed = before;
                    for event in &events {
                        replayed.apply_event(event);
                    }
                    assert_eq!(
                        snapshot(&replayed),
                        snapshot(&round),
                        "the events of {action:?} are incomplete"
                    );
                    *results.entry("done").or_default() += 1;
                }
                Err(refusal) => {
                    assert_eq!(checked, Err(refusal.clone()), "{action:?}");
                    assert_eq!(
                        snapshot(&before),
                        snapshot(&round),
                        "the refused {action:?} changed the round"
                    );
                    *results.entry(refusal.code()).or_default() += 1;
                }
            }
        }
    }
    // The random actions must cover all of these results.
    let required = "above_maximum already_set bad_action_pile banked_too_long banker_not_allowed banker_wagers \
                 below_minimum color_missing color_unexpected cover_missing cover_short dealer_wager_unexpected \
                 dice_out_of_range done no_hand no_pai_gow_wager no_wagers not_their_cards seat_out_of_range set_again \
                 unknown_wager wager_twice wrong_phase";
    let missing: Vec<&str> = required.split(' ').filter(|code| !results.contains_key(code)).collect();
    assert!(missing.is_empty(), "{missing:?} of {results:?}");
}

/// Plays a random valid round, and returns its events and the round.
fn play_round(rng: &mut Rng, table_rules: &Arc<TableRules>) -> (Vec<RoundEvent>, Round) {
    let rules = table_rules.book().clone();
    let seats = usize::from(rules.seats.players);
    let mut round = Round::new(table_rules.clone(), None);
    let mut events = Vec::new();
    let mut act = |round: &mut Round, action: Action| events.extend(apply(round, &action));

    let dealer_may = rules.banking.bankers.contains(&Banker::Dealer);
    let seat_may = rules.banking.bankers.iter().any(|banker| *banker != Banker::Dealer);
    let banker = (seat_may && (!dealer_may || rng.once_in(2))).then(|| seat(1 + rng.index(seats) as u8));
    if let Some(seat) = banker {
        let enough = amount("200000.00");
        let covers = if dealer_may {
            *rng.pick(&[None, Some(enough)])
        } else {
            Some(Amount::from_cents(100 + rng.below(50_000)))
        };
        act(&mut round, Action::TakeBank { seat, covers });
        if rules.banking.plays_dealer && rng.once_in(2) {
            act(&mut round, dealer_wager("35.00"));
        }
    }
    // At least this seat wagers.
    let wagering = (banker.map_or(0, Seat::index) + 1 + rng.index(seats - 1)) % seats;
    for seat in Seat::up_to(rules.seats.players).filter(|seat| banker != Some(*seat)) {
        if seat.index() != wagering && rng.once_in(3) {
            continue;
        }
        let cents = 500 + rng.below(20_000);
        act(
            &mut round,
            Action::Wager { seat, wager: WagerRef::PaiGow, amount: Amount::from_cents(cents), color: None },
        );
        for index in 0..table_rules.side_wager_count() {
            if rng.once_in(3) {
                continue;
            }
            let is_color = table_rules.wager(index).looks_at == DecidingCards::Color;
            let color = is_color.then(|| *rng.pick(&[Color::Red, Color::Black]));
            let cents = 100 + rng.below(1_000);
            act(
                &mut round,
                Action::Wager {
                    seat,
                    wager: WagerRef::Side(index as u8),
                    amount: Amount::from_cents(cents),
                    color,
                },
            );
        }
    }
    let positions = seats + usize::from(rules.seats.dealer_hand);
    let dice = 1 + rng.index(positions) as u8;
    let pile = rules.dealing.action_pile.then(|| 1 + rng.index(seats) as u8);
    act(&mut round, deal(random_shuffle(rng), dice, pile));
    for (index, hand) in round.deal().expect("dealt").hands.into_iter().enumerate() {
        let (Some(hand), seat) = (hand, seat(index as u8 + 1)) else { continue };
        match rng.below(3) {
            0 => act(&mut round, Action::Set { seat, low: low_hand(rng, hand) }),
            1 => act(&mut round, Action::HouseWay { seat }),
            _ => {}
        }
    }
    act(&mut round, Action::Settle);
    (events, round)
}

#[test]
fn settlements_sum_to_zero_and_account_for_every_stake() {
    for (number, book) in (0..).zip(BuiltIn::book_names()) {
        let table_rules = table_rules(book, &[], &[]);
        let mut rng = Rng::new(100 + number);
        for _ in 0..3_000 {
            let (_, round) = play_round(&mut rng, &table_rules);
            let settlement = round.settlement().expect("settled");
            let nets = settlement.nets();
            let seats: i64 = nets.seats.iter().map(|net| net.cents()).sum();
            assert_eq!(seats + nets.banker.cents() + nets.house.cents(), 0, "{settlement:?}");

            // The settled and the returned part of every wager add up to its stake.
            let showdown = round.showdown().expect("settled");
            for seat in Seat::up_to(7) {
                let stakes = showdown.player(seat).map_or(Stakes::default(), |player| player.stakes);
                let settled = |wager: WagerRef| -> u64 {
                    let mine = settlement
                        .lines()
                        .iter()
                        .filter(|line| line.who == Party::Seat(seat) && line.wager == wager);
                    let of_wager =
                        mine.filter(|line| !matches!(line.outcome, Outcome::Envy | Outcome::Collection));
                    of_wager.map(|line| line.stake.cents()).sum()
                };
                assert_eq!(settled(WagerRef::PaiGow), stakes.pai_gow.cents(), "{book}, {seat}");
                for (index, stake) in stakes.sides.iter().enumerate() {
                    let cents = stake.map_or(0, |stake| stake.amount.cents());
                    assert_eq!(settled(WagerRef::Side(index as u8)), cents, "{book}, {seat}, {index}");
                }
            }
        }
    }
}

#[test]
fn events_replay_to_the_same_settlement() {
    for (number, book) in (0..).zip(BuiltIn::book_names()) {
        let table_rules = table_rules(book, &[], &[]);
        let mut rng = Rng::new(200 + number);
        for _ in 0..500 {
            let (events, round) = play_round(&mut rng, &table_rules);
            let mut replayed = Round::new(table_rules.clone(), None);
            for event in &events {
                assert_ne!(replayed.phase(), RoundPhase::Settled, "an event follows the settlement");
                replayed.apply_event(event);
            }
            assert_eq!(replayed.settlement(), round.settlement());
            assert_eq!(snapshot(&replayed), snapshot(&round));
            // The events before the settlement determine it.
            let mut unsettled = Round::new(table_rules.clone(), None);
            for event in &events[..events.len() - 1] {
                unsettled.apply_event(event);
            }
            assert_eq!(unsettled.phase(), RoundPhase::Settings);
            apply(&mut unsettled, &Action::Settle);
            assert_eq!(unsettled.settlement(), round.settlement());
        }
    }
}

#[test]
fn round_file_settles_like_the_round() {
    for (number, book) in (0..).zip(BuiltIn::book_names()) {
        let table_rules = table_rules(book, &[], &[]);
        let mut rng = Rng::new(300 + number);
        for _ in 0..2_000 {
            let (_, round) = play_round(&mut rng, &table_rules);
            let showdown = round.showdown().expect("settled");
            let text = RoundFile::of(&showdown, &table_rules).print();
            let file = RoundFile::parse(&Source::new("a round", &text[..]), &BuiltIn)
                .unwrap_or_else(|problems| panic!("{}\n{text}", problems[0]));
            let parsed = file.showdown().expect("a parsed round file can be settled");
            assert_eq!(describe(&parsed), describe(&showdown), "{text}");
            assert_eq!(Some(&Settlement::of(&parsed)), round.settlement(), "{text}");
            assert_eq!(file.print(), text, "printing is idempotent");
        }
    }
}
