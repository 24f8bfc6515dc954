//! Dealing: the receivers of the packets, the order of settlement, and invalid deals.

use super::kit::{
    apply, apply_all, bank, base, check_refused, deal, random_shuffle, refused, round, unshuffled,
};
use paigow::rulebook::{Banker, BuiltIn};
use paigow::{Action, Card, CardSet, Deal, Party, Refusal, Round, RoundEvent, Shuffle, TableRules};
use paigow_testkit::{Rng, seat, table_rules};
use std::fmt::Write;
use std::sync::Arc;

/// Receivers of the packets in order: the number of a seat, `D` for the dealer, `-` for the discards. The seat that is
/// settled first and the number of discarded cards follow.
fn describe_deal(dealt: &Deal, shuffle: &Shuffle) -> String {
    let mut text = String::new();
    let mut given = CardSet::EMPTY;
    for packet in shuffle.cards()[..49].chunks(7) {
        let packet: CardSet = packet.iter().copied().collect();
        let of_seat = dealt.hands.iter().position(|hand| hand.is_some_and(|hand| hand.cards() == packet));
        let of_dealer = dealt.dealer.is_some_and(|hand| hand.cards() == packet);
        match (of_seat, of_dealer) {
            (Some(index), false) => write!(text, "{} ", index + 1).unwrap(),
            (None, true) => text.push_str("D "),
            (None, false) => text.push_str("- "),
            (Some(_), true) => panic!("a seat and the dealer have the same packet"),
        }
        if of_seat.is_some() || of_dealer {
            given = given.union(packet);
        }
    }
    let hands = dealt.hands.iter().flatten().chain(&dealt.dealer);
    assert_eq!(hands.fold(0, |count, hand| count + hand.cards().len()), given.len(), "hands are packets");
    assert!(given.intersection(dealt.discards).is_empty(), "a card was both dealt and discarded");
    assert_eq!(given.union(dealt.discards), CardSet::DECK, "a card was neither dealt nor discarded");
    format!("{text}from {}, {} discarded", dealt.first.number(), dealt.discards.len())
}

#[track_caller]
fn check_dealt(table_rules: &Arc<TableRules>, seats: &[u8], dice: u8, pile: Option<u8>, expect: &str) {
    // Once in deck order, and once shuffled.
    for shuffle in [unshuffled(), random_shuffle(&mut Rng::new(dice.into()))] {
        let mut round = Round::new(table_rules.clone(), None);
        if !table_rules.book().banking.bankers.contains(&Banker::Dealer) {
            apply(&mut round, &bank(2, Some("1000.00")));
        }
        for &number in seats {
            apply(&mut round, &base(number, "25.00"));
        }
        let events = apply(&mut round, &deal(shuffle.clone(), dice, pile));
        let [RoundEvent::Dealt { deal }] = &events[..] else { panic!("{events:?}") };
        assert_eq!(round.deal(), Some(&**deal));
        assert_eq!(describe_deal(deal, &shuffle), expect, "seats {seats:?}, dice {dice}, pile {pile:?}");
    }
}

#[test]
fn ez_10_the_dice_choose_the_first_position_and_dealing_is_counterclockwise() {
    let ez = table_rules("ez", &[], &[]);
    let all_seats = [1, 2, 3, 4, 5, 6];
    check_dealt(&ez, &all_seats, 1, None, "1 D 6 5 4 3 2 from 1, 4 discarded");
    check_dealt(&ez, &all_seats, 2, None, "2 1 D 6 5 4 3 from 2, 4 discarded");
    check_dealt(&ez, &all_seats, 3, None, "3 2 1 D 6 5 4 from 3, 4 discarded");
    check_dealt(&ez, &all_seats, 4, None, "4 3 2 1 D 6 5 from 4, 4 discarded");
    check_dealt(&ez, &all_seats, 5, None, "5 4 3 2 1 D 6 from 5, 4 discarded");
    check_dealt(&ez, &all_seats, 6, None, "6 5 4 3 2 1 D from 6, 4 discarded");
    // "… unless the dealer was selected to receive their cards first, then the first seat would be last."
    check_dealt(&ez, &all_seats, 7, None, "D 6 5 4 3 2 1 from 6, 4 discarded");
}

#[test]
fn ez_10_dealer_hand_after_first_seat() {
    let second = table_rules("ez", &[("dealing.dealer_hand", "after_first_seat")], &[]);
    let all_seats = [1, 2, 3, 4, 5, 6];
    check_dealt(&second, &all_seats, 1, None, "1 D 6 5 4 3 2 from 1, 4 discarded");
    check_dealt(&second, &all_seats, 6, None, "6 D 5 4 3 2 1 from 6, 4 discarded");
    check_dealt(&second, &all_seats, 7, None, "D 6 5 4 3 2 1 from 6, 4 discarded");
    let active = [("dealing.dealer_hand", "after_first_seat"), ("dealing.spots", "active")];
    check_dealt(&table_rules("ez", &active, &[]), &[3, 5], 6, None, "5 D 3 - - - - from 5, 32 discarded");
}

#[test]
fn ez_10_every_spot_gets_a_hand_and_hands_without_a_wager_are_discarded() {
    let ez = table_rules("ez", &[], &[]);
    check_dealt(&ez, &[3, 5], 3, None, "3 - - D - 5 - from 3, 32 discarded");
    check_dealt(&ez, &[3, 5], 4, None, "- 3 - - D - 5 from 3, 32 discarded");
    check_dealt(&ez, &[3, 5], 7, None, "D - 5 - 3 - - from 5, 32 discarded");
    check_dealt(&ez, &[2], 1, None, "- D - - - - 2 from 2, 39 discarded");
}

#[test]
fn ez_10_8b_only_spots_with_a_wager_get_a_hand() {
    let active = table_rules("ez", &[("dealing.spots", "active")], &[]);
    check_dealt(&active, &[1, 2, 3, 4, 5, 6], 3, None, "3 2 1 D 6 5 4 from 3, 4 discarded");
    check_dealt(&active, &[3, 5], 3, None, "3 D 5 - - - - from 3, 32 discarded");
    // "… then the next active seating position with a wager will receive the first card packet of the deal."
    check_dealt(&active, &[3, 5], 4, None, "3 D 5 - - - - from 3, 32 discarded");
    check_dealt(&active, &[3, 5], 6, None, "5 3 D - - - - from 5, 32 discarded");
    check_dealt(&active, &[3, 5], 1, None, "5 3 D - - - - from 5, 32 discarded");
    check_dealt(&active, &[3, 5], 7, None, "D 5 3 - - - - from 5, 32 discarded");
    check_dealt(&active, &[2], 1, None, "2 D - - - - - from 2, 39 discarded");
}

#[test]
fn dealing_order_follows_the_book() {
    let last = table_rules("ez", &[("dealing.dealer_hand", "last")], &[]);
    check_dealt(&last, &[1, 2, 3, 4, 5, 6], 3, None, "3 2 1 6 5 4 D from 3, 4 discarded");
    check_dealt(&last, &[1, 2, 3, 4, 5, 6], 7, None, "D 6 5 4 3 2 1 from 6, 4 discarded");
    let clockwise = table_rules("ez", &[("dealing.order", "clockwise")], &[]);
    check_dealt(&clockwise, &[1, 2, 3, 4, 5, 6], 3, None, "3 4 5 6 D 1 2 from 3, 4 discarded");
    check_dealt(&clockwise, &[1, 2, 3, 4, 5, 6], 7, None, "D 1 2 3 4 5 6 from 1, 4 discarded");
}

#[test]
fn dealing_may_start_with_the_banker() {
    let banker = table_rules("south-beach", &[("dealing.first", "banker")], &[]);
    check_dealt(&banker, &[1, 2, 3, 4, 5, 6], 3, None, "D 6 5 4 3 2 1 from 6, 4 discarded");
    let mut round = Round::new(banker, None);
    apply_all(&mut round, &[bank(4, None), base(1, "25.00"), base(2, "25.00")]);
    apply(&mut round, &deal(unshuffled(), 1, None));
    let text = describe_deal(round.deal().expect("dealt"), &unshuffled());
    assert_eq!(text, "4 - 2 1 D - - from 4, 25 discarded");
}

#[test]
fn ca_5_the_action_pile_goes_to_the_seat_the_dice_choose() {
    // Seat 2 is the player/dealer and is dealt a hand without a wager. The cardroom's dealer gets no hand (CA-3).
    let california = table_rules("california", &[], &[]);
    let others = [1, 3, 4, 5, 6, 7];
    check_dealt(&california, &others, 5, None, "5 4 3 2 1 7 6 from 5, 4 discarded");
    check_dealt(&california, &others, 5, Some(1), "5 4 3 2 1 7 6 from 5, 4 discarded");
    check_dealt(&california, &others, 5, Some(3), "7 6 5 4 3 2 1 from 5, 4 discarded");
    check_dealt(&california, &others, 5, Some(7), "4 3 2 1 7 6 5 from 5, 4 discarded");
    check_dealt(&california, &others, 1, Some(1), "1 7 6 5 4 3 2 from 1, 4 discarded");
    check_dealt(&california, &others, 2, Some(2), "3 2 1 7 6 5 4 from 2, 4 discarded");
    check_dealt(&california, &[7], 5, Some(3), "7 - - - - 2 - from 2, 39 discarded");
}

#[test]
fn ca_4_settlement_follows_the_order_of_dealing() {
    let order = |book: &str, banker: Option<u8>, dice: u8| {
        let mut round = round(book);
        if let Some(number) = banker {
            apply(&mut round, &bank(number, Some("100000.00")));
        }
        let seats = table_rules(book, &[], &[]).book().seats.players;
        for number in (1..=seats).filter(|number| Some(*number) != banker) {
            apply(&mut round, &base(number, "25.00"));
        }
        apply_all(&mut round, &[deal(unshuffled(), dice, None), Action::Settle]);
        let lines = round.settlement().expect("settled").lines();
        let seats = lines.iter().filter_map(|line| match line.who {
            Party::Seat(seat) => Some(seat.number()),
            _ => None,
        });
        seats.collect::<Vec<_>>()
    };
    assert_eq!(order("ez", None, 4), [4, 3, 2, 1, 6, 5]);
    assert_eq!(order("ez", None, 7), [6, 5, 4, 3, 2, 1]);
    assert_eq!(order("california", Some(2), 4), [4, 3, 1, 7, 6, 5]);
    assert_eq!(order("california", Some(2), 2), [1, 7, 6, 5, 4, 3]);
}

#[test]
fn action_pile_is_one_of_the_dealt_packets() {
    let active = table_rules("california", &[("dealing.spots", "active")], &[]);
    check_dealt(&active, &[1, 7], 5, Some(3), "1 7 2 - - - - from 2, 32 discarded");
    let mut round = Round::new(active, None);
    apply_all(&mut round, &[bank(2, Some("100.00")), base(1, "25.00"), base(7, "25.00")]);
    check_refused(&mut round, &deal(unshuffled(), 5, Some(4)), "bad_action_pile");
}

#[test]
fn invalid_dice_piles_and_shuffles_are_refused() {
    let mut ez = round("ez");
    apply(&mut ez, &base(1, "25.00"));
    for dice in [0, 8, 255] {
        let refusal = refused(&mut ez, &deal(unshuffled(), dice, None));
        assert_eq!(refusal, Refusal::DiceOutOfRange { number: dice, spots: 7 });
    }
    check_refused(&mut ez, &deal(unshuffled(), 1, Some(1)), "bad_action_pile");

    let mut california = round("california");
    apply_all(&mut california, &[bank(2, Some("100.00")), base(1, "25.00")]);
    for dice in [0, 8, 255] {
        let refusal = refused(&mut california, &deal(unshuffled(), dice, Some(1)));
        assert_eq!(refusal, Refusal::DiceOutOfRange { number: dice, spots: 7 });
    }
    for pile in [0, 8, 255] {
        let refusal = refused(&mut california, &deal(unshuffled(), 1, Some(pile)));
        assert_eq!(refusal, Refusal::BadActionPile { pile });
    }

    let mut twice: Vec<Card> = Card::deck().collect();
    twice[52] = twice[0];
    assert_eq!(Shuffle::new(twice.try_into().expect("53 cards")), Err(Refusal::BadShuffle));
    assert_eq!(Shuffle::new([Card::JOKER; 53]), Err(Refusal::BadShuffle));
}

/// Properties of dealing for every book, with random seats and dice.
#[test]
fn ez_10_every_card_is_dealt_or_discarded() {
    let mut rng = Rng::new(10);
    for book in BuiltIn::book_names() {
        for spots in ["every", "active"] {
            let table_rules = table_rules(book, &[("dealing.spots", spots)], &[]);
            let rules = table_rules.book();
            let positions = rules.seats.players + u8::from(rules.seats.dealer_hand);
            for _ in 0..500 {
                let banks = !rules.banking.bankers.contains(&Banker::Dealer);
                let banker = banks.then(|| seat(1 + rng.below(rules.seats.players.into()) as u8));
                let mut plays = [false; 7];
                for (index, plays) in plays.iter_mut().enumerate() {
                    let exists = index < usize::from(rules.seats.players);
                    *plays = exists && (rng.once_in(2) || banker.is_some_and(|seat| seat.index() == index));
                }
                let dice = 1 + rng.below(positions.into()) as u8;
                let shuffle = random_shuffle(&mut rng);
                let dealt = Deal::new(rules, &shuffle, dice, None, plays, banker);
                let Ok(dealt) = dealt else {
                    assert_eq!((dealt, plays), (Err(Refusal::NoWagers), [false; 7]));
                    continue;
                };
                describe_deal(&dealt, &shuffle);
                assert_eq!(dealt.hands.map(|hand| hand.is_some()), plays);
                assert_eq!(dealt.dealer.is_some(), rules.seats.dealer_hand);
                assert!(plays[dealt.first.index()]);
                let hands =
                    plays.iter().filter(|plays| **plays).count() + usize::from(rules.seats.dealer_hand);
                assert_eq!(dealt.discards.len(), 53 - 7 * hands);
            }
        }
    }
}
