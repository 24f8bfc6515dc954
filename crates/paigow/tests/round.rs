//! A round from the first wager to the settlement, through its public interface.
//!
//! The tests cover dealing, the actions allowed in each phase, the agreement of `check` and `apply`, the replay of
//! events, and the round file. `settlement_laws.rs` tests the payments.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a failed expectation fails the test

use paigow::document::Source;
use paigow::rulebook::{Banker, BuiltIn, LooksAt};
use paigow::{
    Action, Amount, Arrangement, Bank, BankHistory, Card, CardSet, Color, Deal, Dealer, Foul, Net, Outcome,
    Owners, Party, PlayedHand, Player, Refusal, Round, RoundEvent, RoundFile, RoundPhase, Rulebook, Seat,
    Settlement, SevenCards, Showdown, Shuffle, Stakes, TableRules, WagerRef,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

// Helpers.

fn table_rules_with(book: &str, changes: &[(&str, &str)]) -> Arc<TableRules> {
    let changes: Vec<_> = changes.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    let loaded = Rulebook::load(book, &changes, &BuiltIn).unwrap_or_else(|error| panic!("{book}: {error}"));
    Arc::new(TableRules::new(Arc::new(loaded), &[]).expect("the default paytables of a book are valid"))
}

fn table_rules(book: &str) -> Arc<TableRules> {
    table_rules_with(book, &[])
}

fn round(book: &str) -> Round {
    Round::new(table_rules(book), None)
}

fn round_with(book: &str, changes: &[(&str, &str)]) -> Round {
    Round::new(table_rules_with(book, changes), None)
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat's number")
}

fn amount(text: &str) -> Amount {
    text.parse().expect("an amount")
}

fn cards(text: &str) -> CardSet {
    paigow::parse_cards(text, None).expect("cards")
}

fn hand(text: &str) -> SevenCards {
    text.parse().expect("seven cards")
}

fn base(number: u8, stake: &str) -> Action {
    Action::Wager { seat: seat(number), wager: WagerRef::PaiGow, amount: amount(stake), color: None }
}

/// A side wager, by its index among the offered ones.
fn side(number: u8, index: u8, stake: &str) -> Action {
    Action::Wager { seat: seat(number), wager: WagerRef::Side(index), amount: amount(stake), color: None }
}

fn colored(action: Action, chosen: Color) -> Action {
    match action {
        Action::Wager { seat, wager, amount, .. } => {
            Action::Wager { seat, wager, amount, color: Some(chosen) }
        }
        other => other,
    }
}

fn bank(number: u8, covers: Option<&str>) -> Action {
    Action::TakeBank { seat: seat(number), covers: covers.map(amount) }
}

fn dealer_wager(stake: &str) -> Action {
    Action::DealerWager { amount: amount(stake) }
}

fn deal(shuffle: Shuffle, dice: u8, action_pile: Option<u8>) -> Action {
    Action::Deal { shuffle: Box::new(shuffle), dice, action_pile }
}

fn set(number: u8, low: &str) -> Action {
    Action::Set { seat: seat(number), front: cards(low) }
}

fn house_way(number: u8) -> Action {
    Action::HouseWay { seat: seat(number) }
}

/// The cards in deck order. Packet `i` starts at index `7 * i`.
fn unshuffled() -> Shuffle {
    stacked(&[])
}

/// A shuffle whose first packets are these hands.
fn stacked(hands: &[&str]) -> Shuffle {
    let wanted: Vec<Card> = hands.iter().flat_map(|text| hand(text).cards().iter()).collect();
    let rest = Card::deck().filter(|card| !wanted.contains(card));
    let all: Vec<Card> = wanted.iter().copied().chain(rest).collect();
    Shuffle::new(all.try_into().expect("53 cards, each once")).expect("53 cards, each once")
}

/// Applies an action that the rules must allow.
#[track_caller]
fn apply(round: &mut Round, action: &Action) -> Vec<RoundEvent> {
    round.apply(action).unwrap_or_else(|refusal| panic!("{action:?}: {refusal}"))
}

#[track_caller]
fn apply_all(round: &mut Round, actions: &[Action]) {
    for action in actions {
        apply(round, action);
    }
}

/// Applies an action that the rules must refuse without a change of the round, and returns the refusal.
#[track_caller]
fn refused(round: &mut Round, action: &Action) -> Refusal {
    let before = snapshot(round);
    let checked = round.check(action).expect_err("refused by `check`");
    let refusal = round.apply(action).expect_err("refused by `apply`");
    assert_eq!(checked, refusal, "{action:?}");
    assert_eq!(snapshot(round), before, "the refused {action:?} changed the round");
    refusal
}

#[track_caller]
fn check_refused(round: &mut Round, action: &Action, code: &str) {
    assert_eq!(refused(round, action).code(), code, "{action:?}");
}

/// The observable state of a round as text: phase, deal, settlement, and the results of `check` for many actions.
///
/// The checks reveal the wagers and the bank before the deal.
fn snapshot(round: &Round) -> String {
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
fn describe(showdown: &Showdown<'_>) -> String {
    let players: Vec<_> = (1..=7).map(|number| showdown.player(seat(number))).collect();
    format!("{:?} {:?} {players:?} {:?}", showdown.bank(), showdown.first(), showdown.dealer())
}

/// A dealt round of the EZ book with wagers of some seats. Seat 1 gets the first packet, the dealer the second.
fn ez_dealt(seats: &[u8], shuffle: Shuffle) -> Round {
    let mut round = round("ez");
    for &number in seats {
        apply(&mut round, &base(number, "25.00"));
    }
    apply(&mut round, &deal(shuffle, 1, None));
    round
}

/// Random number generator with a seed (splitmix64), so that failures are reproducible.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn shuffle(&mut self) -> Shuffle {
        let mut all: Vec<Card> = Card::deck().collect();
        for i in 0..52 {
            let from = i + self.below(53 - i);
            all.swap(i, from);
        }
        Shuffle::new(all.try_into().expect("53 cards")).expect("each once")
    }

    /// Two random cards of a hand.
    fn low_hand(&mut self, dealt: SevenCards) -> CardSet {
        let seven: Vec<Card> = dealt.cards().iter().collect();
        let one = self.below(7);
        let other = (one + 1 + self.below(6)) % 7;
        [seven[one], seven[other]].into_iter().collect()
    }
}

// Wagers.

#[test]
fn sd_1_a_side_wager_needs_a_pai_gow_wager() {
    for book in BuiltIn::book_names() {
        let mut round = round(book);
        check_refused(&mut round, &side(2, 0, "5.00"), "no_pai_gow_wager");
        apply(&mut round, &base(2, "25.00"));
        check_refused(&mut round, &side(3, 0, "5.00"), "no_pai_gow_wager");
        apply(&mut round, &side(2, 0, "5.00"));
    }
}

#[test]
fn wagers_outside_the_limits_are_refused() {
    let cases = [
        ("0.00", "below_minimum"),
        ("4.99", "below_minimum"),
        ("5.00", "ok"),
        ("10000.00", "ok"),
        ("10000.01", "above_maximum"),
    ];
    for (stake, expect) in cases {
        let checked = round("ez").check(&base(1, stake));
        assert_eq!(checked.map_or_else(|refusal| refusal.code(), |()| "ok"), expect, "pai-gow {stake}");
    }
    let cases = [
        ("0.00", "below_minimum"),
        ("0.99", "below_minimum"),
        ("1.00", "ok"),
        ("500.00", "ok"),
        ("500.01", "above_maximum"),
    ];
    let mut round = round("ez");
    apply(&mut round, &base(1, "25.00"));
    for index in 0..3 {
        for (stake, expect) in cases {
            let checked = round.check(&side(1, index, stake));
            assert_eq!(checked.map_or_else(|refusal| refusal.code(), |()| "ok"), expect, "{index}: {stake}");
        }
    }
}

#[test]
fn limits_come_from_the_book() {
    let mut round =
        round_with("ez", &[("base_game.limits.min", "100.00"), ("wagers.dynasty.limits.max", "5.00")]);
    check_refused(&mut round, &base(1, "99.99"), "below_minimum");
    apply(&mut round, &base(1, "100.00"));
    check_refused(&mut round, &side(1, 1, "5.01"), "above_maximum");
    apply(&mut round, &side(1, 1, "5.00"));
}

#[test]
fn a_seat_has_one_wager_of_each_kind() {
    let mut round = round("ez");
    apply_all(&mut round, &[base(1, "25.00"), side(1, 0, "5.00")]);
    check_refused(&mut round, &base(1, "25.00"), "wager_twice");
    check_refused(&mut round, &side(1, 0, "5.00"), "wager_twice");
    apply_all(&mut round, &[side(1, 1, "5.00"), base(2, "25.00"), side(2, 0, "5.00")]);
    let Refusal::WagerTwice { seat: refused_seat, wager } = refused(&mut round, &side(1, 1, "1.00")) else {
        panic!("not refused as a second wager")
    };
    assert_eq!((refused_seat, &wager[..]), (seat(1), "dynasty"));
}

#[test]
fn ez_9_no_wager_is_placed_after_the_deal() {
    let mut round = ez_dealt(&[1], unshuffled());
    check_refused(&mut round, &base(2, "25.00"), "wrong_phase");
    check_refused(&mut round, &side(1, 0, "5.00"), "wrong_phase");
    apply(&mut round, &Action::Settle);
    check_refused(&mut round, &base(2, "25.00"), "wrong_phase");
}

#[test]
fn sd_3_an_envy_button_comes_with_five_dollars() {
    let button = |book: &str, index: u8, stake: &str| {
        let mut round = round(book);
        assert!(matches!(
            apply(&mut round, &base(3, "25.00"))[..],
            [RoundEvent::Wagered { wager: WagerRef::PaiGow, envy_button: false, .. }]
        ));
        match apply(&mut round, &side(3, index, stake))[..] {
            [RoundEvent::Wagered { seat: wagering, wager, stake: placed, envy_button }] => {
                assert_eq!((wagering, wager, placed.amount), (seat(3), WagerRef::Side(index), amount(stake)));
                envy_button
            }
            ref events => panic!("{events:?}"),
        }
    };
    for book in ["south-dakota", "washington", "california", "south-beach"] {
        assert!(!button(book, 0, "4.99"), "{book}");
        assert!(button(book, 0, "5.00"), "{book}");
        assert!(button(book, 0, "500.00"), "{book}");
    }
    // In the EZ book only the Dynasty Bonus has an envy bonus (EZ-6).
    assert_eq!([0, 1, 2].map(|index| button("ez", index, "5.00")), [false, true, false]);
    assert!(!button("ez", 1, "4.99"));
}

#[test]
fn ez_8_red_black_needs_a_color_and_no_other_wager_has_one() {
    let mut round = round("ez");
    check_refused(&mut round, &colored(base(1, "25.00"), Color::Red), "color_unexpected");
    apply(&mut round, &base(1, "25.00"));
    check_refused(&mut round, &side(1, 3, "5.00"), "color_missing");
    for index in 0..3 {
        check_refused(&mut round, &colored(side(1, index, "5.00"), Color::Black), "color_unexpected");
    }
    match apply(&mut round, &colored(side(1, 3, "5.00"), Color::Black))[..] {
        [RoundEvent::Wagered { stake, .. }] => assert_eq!(stake.color, Some(Color::Black)),
        ref events => panic!("{events:?}"),
    }
}

#[test]
fn unknown_wagers_and_seats_are_refused() {
    let offered = [("ez", 4, 6), ("washington", 2, 6), ("south-dakota", 1, 6), ("california", 1, 7)];
    for (book, wagers, seats) in offered {
        let mut round = round(book);
        apply(&mut round, &base(1, "25.00"));
        for index in [wagers, wagers + 1, 7, 8, 255] {
            check_refused(&mut round, &side(1, index, "5.00"), "unknown_wager");
        }
        apply(&mut round, &base(seats, "25.00"));
        if seats < 7 {
            check_refused(&mut round, &base(seats + 1, "25.00"), "seat_out_of_range");
            check_refused(&mut round, &bank(seats + 1, Some("1000.00")), "seat_out_of_range");
        }
    }
}

#[test]
fn deal_without_wagers_is_refused() {
    check_refused(&mut round("ez"), &deal(unshuffled(), 1, None), "no_wagers");
    let mut round = round("california");
    apply(&mut round, &bank(1, Some("100.00")));
    check_refused(&mut round, &deal(unshuffled(), 1, None), "no_wagers");
}

// Dealing.

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
    for shuffle in [unshuffled(), Random(u64::from(dice)).shuffle()] {
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
    let ez = table_rules("ez");
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
    let second = table_rules_with("ez", &[("dealing.dealer_hand", "after_first_seat")]);
    let all_seats = [1, 2, 3, 4, 5, 6];
    check_dealt(&second, &all_seats, 1, None, "1 D 6 5 4 3 2 from 1, 4 discarded");
    check_dealt(&second, &all_seats, 6, None, "6 D 5 4 3 2 1 from 6, 4 discarded");
    check_dealt(&second, &all_seats, 7, None, "D 6 5 4 3 2 1 from 6, 4 discarded");
    let active = [("dealing.dealer_hand", "after_first_seat"), ("dealing.spots", "active")];
    check_dealt(&table_rules_with("ez", &active), &[3, 5], 6, None, "5 D 3 - - - - from 5, 32 discarded");
}

#[test]
fn ez_10_every_spot_gets_a_hand_and_hands_without_a_wager_are_discarded() {
    let ez = table_rules("ez");
    check_dealt(&ez, &[3, 5], 3, None, "3 - - D - 5 - from 3, 32 discarded");
    check_dealt(&ez, &[3, 5], 4, None, "- 3 - - D - 5 from 3, 32 discarded");
    check_dealt(&ez, &[3, 5], 7, None, "D - 5 - 3 - - from 5, 32 discarded");
    check_dealt(&ez, &[2], 1, None, "- D - - - - 2 from 2, 39 discarded");
}

#[test]
fn ez_10_8b_only_spots_with_a_wager_get_a_hand() {
    let active = table_rules_with("ez", &[("dealing.spots", "active")]);
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
    let last = table_rules_with("ez", &[("dealing.dealer_hand", "last")]);
    check_dealt(&last, &[1, 2, 3, 4, 5, 6], 3, None, "3 2 1 6 5 4 D from 3, 4 discarded");
    check_dealt(&last, &[1, 2, 3, 4, 5, 6], 7, None, "D 6 5 4 3 2 1 from 6, 4 discarded");
    let clockwise = table_rules_with("ez", &[("dealing.order", "clockwise")]);
    check_dealt(&clockwise, &[1, 2, 3, 4, 5, 6], 3, None, "3 4 5 6 D 1 2 from 3, 4 discarded");
    check_dealt(&clockwise, &[1, 2, 3, 4, 5, 6], 7, None, "D 1 2 3 4 5 6 from 1, 4 discarded");
}

#[test]
fn dealing_may_start_with_the_banker() {
    let banker = table_rules_with("south-beach", &[("dealing.first", "banker")]);
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
    let california = table_rules("california");
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
        let seats = table_rules(book).book().seats.players;
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
    let active = table_rules_with("california", &[("dealing.spots", "active")]);
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
        assert_eq!(refusal, Refusal::DiceOutOfRange { number: dice, places: 7 });
    }
    check_refused(&mut ez, &deal(unshuffled(), 1, Some(1)), "bad_action_pile");

    let mut california = round("california");
    apply_all(&mut california, &[bank(2, Some("100.00")), base(1, "25.00")]);
    for dice in [0, 8, 255] {
        let refusal = refused(&mut california, &deal(unshuffled(), dice, Some(1)));
        assert_eq!(refusal, Refusal::DiceOutOfRange { number: dice, places: 7 });
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
    let mut random = Random(10);
    for book in BuiltIn::book_names() {
        for spots in ["every", "active"] {
            let table_rules = table_rules_with(book, &[("dealing.spots", spots)]);
            let rules = table_rules.book();
            let positions = rules.seats.players + u8::from(rules.seats.dealer_hand);
            for _ in 0..500 {
                let banks = !rules.banking.bankers.contains(&Banker::Dealer);
                let banker = banks.then(|| seat(1 + random.below(rules.seats.players.into()) as u8));
                let mut plays = [false; 7];
                for (index, plays) in plays.iter_mut().enumerate() {
                    let exists = index < usize::from(rules.seats.players);
                    *plays =
                        exists && (random.once_in(2) || banker.is_some_and(|seat| seat.index() == index));
                }
                let dice = 1 + random.below(positions.into()) as u8;
                let shuffle = random.shuffle();
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

// Setting.

/// A hand with several good settings: a pair of aces, or a straight.
const CHOICE: &str = "As Ah Kc Qd Jh Ts 2d";
/// A weak dealer's hand: a nine-high pai gow, with low hand 8-7.
const WEAK: &str = "9d 8c 7s 5h 4c 3s 2h";

#[test]
fn player_chooses_the_setting() {
    let mut round = ez_dealt(&[1], stacked(&[CHOICE, WEAK]));
    let by_house = table_rules("ez").house_way_setting(hand(CHOICE));
    let own = "Kc Qd";
    assert_ne!(by_house.low.cards(), cards(own), "the test needs a setting other than the house way's");
    match apply(&mut round, &set(1, own))[..] {
        [
            RoundEvent::HandSet {
                seat: setting_seat,
                played: PlayedHand::Set(setting),
                by_house_way: false,
                reset: None,
            },
        ] => {
            assert_eq!((setting_seat, setting.low.cards()), (seat(1), cards(own)));
            assert_eq!(setting.high.cards(), cards("As Ah Jh Ts 2d"));
        }
        ref events => panic!("{events:?}"),
    }
    apply(&mut round, &Action::Settle);
    let showdown = round.showdown().expect("settled");
    let player = showdown.player(seat(1)).expect("plays");
    assert!(matches!(player.played, PlayedHand::Set(setting) if setting.low.cards() == cards(own)));
}

#[test]
fn sb_4_a_players_foul_loses() {
    for (low, outcome, net) in [("Kc Qd", Outcome::Win, 2_500), ("As Ah", Outcome::Foul, -2_500)] {
        let mut round = ez_dealt(&[1], stacked(&["As Ah Kc Qd 9h 8s 2d", WEAK]));
        let events = apply(&mut round, &set(1, low));
        let fouled = matches!(
            events[..],
            [RoundEvent::HandSet { played: PlayedHand::Foul(_), by_house_way: false, .. }]
        );
        assert_eq!(fouled, outcome == Outcome::Foul, "{low}");
        apply(&mut round, &Action::Settle);
        let lines = round.settlement().expect("settled").lines();
        assert_eq!((lines[0].outcome, lines[0].net), (outcome, Net::from_cents(net)), "{low}");
    }
}

#[test]
fn players_foul_is_set_the_house_way_if_the_book_says_so() {
    let mut round = round_with("ez", &[("setting.player_foul", "house_way")]);
    let dealt = "As Ah Kc Qd 9h 8s 2d";
    apply_all(
        &mut round,
        &[base(1, "25.00"), deal(stacked(&[dealt, WEAK]), 1, None), set(1, "As Ah"), Action::Settle],
    );
    let by_house = table_rules("ez").house_way_setting(hand(dealt));
    let showdown = round.showdown().expect("settled");
    assert_eq!(showdown.player(seat(1)).map(|player| player.played), Some(PlayedHand::Set(by_house)));
}

#[test]
fn a_hand_is_set_the_house_way_on_request() {
    let mut round = ez_dealt(&[1, 6], stacked(&[CHOICE, WEAK]));
    let by_house = table_rules("ez").house_way_setting(hand(CHOICE));
    let events = apply(&mut round, &house_way(1));
    let set = RoundEvent::HandSet {
        seat: seat(1),
        played: PlayedHand::Set(by_house),
        by_house_way: true,
        reset: None,
    };
    assert_eq!(events, [set]);
    // The hands of the other seats and the dealer are not set yet.
    assert_eq!(round.phase(), RoundPhase::Settings);
    apply(&mut round, &house_way(6));
}

#[test]
fn unset_hands_are_set_the_house_way_at_settlement() {
    let mut round = ez_dealt(&[1, 4, 6], stacked(&[CHOICE, WEAK]));
    let dealt = *round.deal().expect("dealt");
    apply(&mut round, &set(1, "Kc Qd"));
    let ez = table_rules("ez");
    let by_house = |hand: Option<SevenCards>| ez.house_way_setting(hand.expect("dealt"));
    let default = |number: u8| RoundEvent::HandSet {
        seat: seat(number),
        played: PlayedHand::Set(by_house(dealt.hands[seat(number).index()])),
        by_house_way: true,
        reset: None,
    };
    let events = apply(&mut round, &Action::Settle);
    let [four, six, dealer, RoundEvent::Settled { settlement }] = &events[..] else { panic!("{events:?}") };
    assert_eq!([four, six], [&default(4), &default(6)], "seat 1 has set its own hand");
    assert_eq!(dealer, &RoundEvent::DealerSet { setting: by_house(dealt.dealer) });
    assert_eq!(round.settlement(), Some(settlement));
    assert_eq!(round.phase(), RoundPhase::Settled);
}

#[test]
fn hand_cannot_be_set_twice() {
    let mut round = ez_dealt(&[1, 6], stacked(&[CHOICE, WEAK]));
    apply(&mut round, &set(1, "Kc Qd"));
    check_refused(&mut round, &set(1, "Kc Jh"), "already_set");
    check_refused(&mut round, &set(1, "Kc Qd"), "already_set");
    check_refused(&mut round, &house_way(1), "already_set");
    apply(&mut round, &house_way(6));
    check_refused(&mut round, &house_way(6), "already_set");
}

#[test]
fn low_hand_must_be_two_cards_of_the_hand() {
    let mut round = ez_dealt(&[1], stacked(&[CHOICE, WEAK]));
    for low in ["Ks Kd", "As Kd", "9d 8c", "As", "As Ah Kc", "As Ah Kc Qd Jh Ts 2d"] {
        check_refused(&mut round, &set(1, low), "not_their_cards");
    }
    check_refused(&mut round, &Action::Set { seat: seat(1), front: CardSet::EMPTY }, "not_their_cards");
    apply(&mut round, &set(1, "Kc Qd"));
}

#[test]
fn seat_without_a_wager_has_no_hand() {
    let mut round = ez_dealt(&[1], unshuffled());
    for number in 2..=7 {
        check_refused(&mut round, &set(number, "As Ks"), "no_hand");
        check_refused(&mut round, &house_way(number), "no_hand");
    }
}

/// A dealt round in which seat 1 banks and gets the first packet, and seat 6 wagers and gets the third.
fn bank_with_foul(changes: &[(&str, &str)]) -> Round {
    let mut round = round_with("south-beach", changes);
    apply_all(&mut round, &[bank(1, None), base(6, "25.00")]);
    let hands = ["As Ah Kc Qd 9h 8s 2d", WEAK, "Ad Ac Kd Qc 9c 8d 3c"];
    apply(&mut round, &deal(stacked(&hands), 1, None));
    round
}

#[test]
fn sb_4_a_bankers_foul_is_set_the_house_way() {
    let mut round = bank_with_foul(&[]);
    let by_house = table_rules("south-beach").house_way_setting(hand("As Ah Kc Qd 9h 8s 2d"));
    let events = apply(&mut round, &set(1, "As Ah"));
    let reset = Arrangement::new(hand("As Ah Kc Qd 9h 8s 2d"), cards("As Ah")).map(Foul);
    let played = PlayedHand::Set(by_house);
    assert_eq!(events, [RoundEvent::HandSet { seat: seat(1), played, by_house_way: true, reset }]);
    check_refused(&mut round, &set(1, "Kc Qd"), "already_set");
    apply(&mut round, &Action::Settle);
    // The settlement line explains the reset and names the rule.
    let showdown = round.showdown().expect("settled");
    let settlement = round.settlement().expect("settled");
    let line = settlement.lines().first().expect("a line");
    assert!(line.because(&showdown).starts_with("The banker's hand was foul and is set the house way."));
    let values: Vec<String> = line.sources(&showdown).into_iter().map(|source| source.value).collect();
    assert!(values.iter().any(|value| value == "setting.banker_foul"), "{values:?}");
    // A legal setting of the banker is accepted.
    let mut round = bank_with_foul(&[]);
    match apply(&mut round, &set(1, "9h 8s"))[..] {
        [RoundEvent::HandSet { played: PlayedHand::Set(setting), by_house_way: false, .. }] => {
            assert_eq!(setting.low.cards(), cards("9h 8s"));
        }
        ref events => panic!("{events:?}"),
    }
}

#[test]
fn bankers_foul_must_be_set_again_if_the_book_says_so() {
    let mut round = bank_with_foul(&[("setting.banker_foul", "set_again")]);
    check_refused(&mut round, &set(1, "As Ah"), "set_again");
    // A player's foul still loses.
    let events = apply(&mut round, &set(6, "Ad Ac"));
    assert!(matches!(events[..], [RoundEvent::HandSet { played: PlayedHand::Foul(_), .. }]), "{events:?}");
    apply(&mut round, &set(1, "Kc Qd"));
    apply(&mut round, &Action::Settle);
}

// Banking.

#[test]
fn sb_7_a_seat_takes_the_bank_and_places_no_base_wager() {
    let mut round = round("south-beach");
    let events = apply(&mut round, &bank(2, Some("100.00")));
    assert_eq!(events, [RoundEvent::BankTaken { seat: seat(2), covers: Some(amount("100.00")) }]);
    check_refused(&mut round, &base(2, "25.00"), "banker_wagers");
    // The brochure does not forbid the banking player a Fortune wager.
    apply(&mut round, &side(2, 0, "5.00"));
    apply(&mut round, &base(1, "25.00"));
    check_refused(&mut round, &bank(1, Some("100.00")), "banker_wagers");
    apply_all(&mut round, &[deal(unshuffled(), 1, None), Action::Settle]);
    let showdown = round.showdown().expect("settled");
    assert_eq!(showdown.banking_seat(), Some(seat(2)));
    assert_eq!(showdown.player(seat(2)).map(|player| player.stakes.pai_gow), Some(Amount::ZERO));
    let against: Vec<Party> =
        round.settlement().expect("settled").lines().iter().map(|line| line.against).collect();
    assert_eq!(against[0], Party::Banker);
}

#[test]
fn sb_7_the_bank_covers_every_wager_and_the_dealers() {
    let wagered = |covers: Option<&str>| {
        let mut round = round("south-beach");
        apply(&mut round, &bank(2, covers));
        apply_all(
            &mut round,
            &[base(1, "25.00"), base(3, "75.00"), side(3, 0, "5.00"), dealer_wager("50.00")],
        );
        round
    };
    let refusal = refused(&mut wagered(Some("149.99")), &deal(unshuffled(), 1, None));
    assert_eq!(refusal, Refusal::CoverShort { needed: amount("150.00"), covers: amount("149.99") });
    for covers in [Some("150.00"), Some("1000.00"), None] {
        let mut round = wagered(covers);
        apply_all(&mut round, &[deal(unshuffled(), 1, None), Action::Settle]);
    }
}

#[test]
fn sb_7_the_dealer_wagers_only_against_a_banking_seat() {
    let mut round = round("south-beach");
    check_refused(&mut round, &dealer_wager("25.00"), "dealer_wager_unexpected");
    apply(&mut round, &bank(1, None));
    assert_eq!(
        apply(&mut round, &dealer_wager("25.00")),
        [RoundEvent::DealerWagered { amount: amount("25.00") }]
    );
    apply_all(&mut round, &[base(3, "25.00"), deal(stacked(&[CHOICE, WEAK]), 1, None), Action::Settle]);
    let lines = round.settlement().expect("settled").lines();
    let dealer = lines.iter().find(|line| line.who == Party::Dealer).expect("the dealer's wager is settled");
    assert_eq!(
        (dealer.stake, dealer.outcome, dealer.net),
        (amount("25.00"), Outcome::Lose, Net::from_cents(-2_500))
    );
    assert_eq!(dealer.against, Party::Banker);

    let mut without = round_with("south-beach", &[("banking.plays_dealer", "false")]);
    apply(&mut without, &bank(1, None));
    check_refused(&mut without, &dealer_wager("25.00"), "dealer_wager_unexpected");
}

#[test]
fn no_seat_banks_if_only_the_dealer_may() {
    for book in ["ez", "south-dakota", "washington"] {
        check_refused(&mut round(book), &bank(1, Some("1000.00")), "banker_not_allowed");
        check_refused(&mut round(book), &bank(1, None), "banker_not_allowed");
        check_refused(&mut round(book), &dealer_wager("5.00"), "dealer_wager_unexpected");
    }
}

#[test]
fn ca_4_a_player_dealer_states_its_cover() {
    let mut round = round("california");
    for covers in [None, Some("0.00")] {
        assert_eq!(refused(&mut round, &bank(4, covers)), Refusal::CoverMissing { seat: seat(4) });
    }
    apply_all(&mut round, &[bank(4, Some("30.00")), base(1, "25.00"), base(7, "25.00")]);
    check_refused(&mut round, &dealer_wager("5.00"), "dealer_wager_unexpected");
    // A cover of a part of the action is enough.
    apply_all(&mut round, &[deal(unshuffled(), 7, Some(2)), Action::Settle]);
}

#[test]
fn ca_4_the_cardrooms_dealer_does_not_bank() {
    let mut round = round("california");
    apply(&mut round, &base(1, "25.00"));
    check_refused(&mut round, &deal(unshuffled(), 1, Some(1)), "banker_not_allowed");
    apply(&mut round, &bank(2, Some("25.00")));
    apply(&mut round, &deal(unshuffled(), 1, Some(1)));
}

#[test]
fn ca_7_no_seat_banks_more_than_two_consecutive_rounds() {
    let after = |rounds: u8| {
        let before = BankHistory { seat: seat(3), rounds };
        Round::new(table_rules("california"), Some(before))
    };
    apply(&mut after(1), &bank(3, Some("100.00")));
    for rounds in [2, 3] {
        let refusal = refused(&mut after(rounds), &bank(3, Some("100.00")));
        assert_eq!(refusal, Refusal::BankedTooLong { seat: seat(3), rounds });
        apply(&mut after(rounds), &bank(4, Some("100.00")));
    }
    // South Beach has no such rule.
    let mut round = Round::new(table_rules("south-beach"), Some(BankHistory { seat: seat(3), rounds: 9 }));
    apply(&mut round, &bank(3, None));
}

// Phases.

#[test]
fn actions_in_the_wrong_phase_are_refused() {
    let actions = [
        (RoundPhase::Wagers, bank(2, Some("1000.00"))),
        (RoundPhase::Wagers, base(5, "25.00")),
        (RoundPhase::Wagers, side(1, 0, "5.00")),
        (RoundPhase::Wagers, dealer_wager("25.00")),
        (RoundPhase::Wagers, deal(unshuffled(), 1, None)),
        (RoundPhase::Settings, set(1, "2c 3c")),
        (RoundPhase::Settings, house_way(1)),
        (RoundPhase::Settings, Action::Settle),
    ];
    let steps =
        [vec![], vec![deal(unshuffled(), 1, None)], vec![deal(unshuffled(), 1, None), Action::Settle]];
    for steps in steps {
        let mut round = round("south-beach");
        apply_all(&mut round, &[bank(2, Some("1000.00")), base(1, "25.00")]);
        apply_all(&mut round, &steps);
        for (phase, action) in &actions {
            if *phase == round.phase() {
                assert_eq!(round.check(action), Ok(()), "{action:?}");
            } else {
                check_refused(&mut round, action, "wrong_phase");
            }
        }
    }
}

#[test]
fn phases_of_a_round() {
    let mut round = round("ez");
    assert_eq!(
        (round.phase(), round.deal().is_some(), round.settlement().is_some()),
        (RoundPhase::Wagers, false, false)
    );
    assert_eq!(round.showdown().map(|_| ()).map_err(|all| all[0].code()), Err("wrong_phase"));
    apply_all(&mut round, &[base(1, "25.00"), deal(unshuffled(), 1, None)]);
    assert_eq!(
        (round.phase(), round.deal().is_some(), round.settlement().is_some()),
        (RoundPhase::Settings, true, false)
    );
    apply(&mut round, &Action::Settle);
    assert_eq!(
        (round.phase(), round.deal().is_some(), round.settlement().is_some()),
        (RoundPhase::Settled, true, true)
    );
    let showdown = round.showdown().expect("settled");
    assert_eq!(round.settlement(), Some(&Settlement::of(&showdown)));
}

// Properties.

/// A random action, allowed or not.
fn any_action(random: &mut Random, round: &Round) -> Action {
    let number = 1 + random.below(7) as u8;
    match random.below(16) {
        0 => Action::TakeBank {
            seat: seat(number),
            covers: random.one_of(&[
                None,
                Some(amount("10.00")),
                Some(amount("500.00")),
                Some(amount("50000.00")),
            ]),
        },
        1 => Action::DealerWager { amount: amount(random.one_of(&["5.00", "100.00"])) },
        2 | 3 if round.phase() != RoundPhase::Wagers || random.once_in(4) => {
            let dice = random.below(10) as u8;
            let pile = if random.once_in(2) { None } else { Some(random.below(9) as u8) };
            deal(random.shuffle(), dice, pile)
        }
        4 | 5 => house_way(number),
        6..=8 => {
            let dealt = round.deal().and_then(|deal| deal.hands[seat(number).index()]);
            match dealt.filter(|_| !random.once_in(8)) {
                Some(dealt) => Action::Set { seat: seat(number), front: random.low_hand(dealt) },
                None => set(number, random.one_of(&["As Ks", "2c", "Jk Ah", "9h 8h 7h"])),
            }
        }
        9 if round.phase() != RoundPhase::Settings || random.once_in(4) => Action::Settle,
        _ => {
            let index = random.below(6) as u8;
            let color = random.one_of(&[None, None, Some(Color::Red), Some(Color::Black)]);
            Action::Wager {
                seat: seat(number),
                wager: if random.once_in(2) { WagerRef::PaiGow } else { WagerRef::Side(index) },
                amount: amount(
                    random.one_of(&["0.00", "0.50", "1.00", "4.99", "5.00", "25.00", "500.00", "10000.01"]),
                ),
                color: color.filter(|_| index >= 3 || random.once_in(4)),
            }
        }
    }
}

#[test]
fn check_agrees_with_apply() {
    let mut results: BTreeMap<&str, u32> = BTreeMap::new();
    for (number, book) in (0..).zip(BuiltIn::book_names()) {
        let mut random = Random(number);
        let banked = Some(BankHistory { seat: seat(3), rounds: 2 });
        let table_rules = table_rules_with(book, &[("setting.banker_foul", "set_again")]);
        let mut round = Round::new(table_rules.clone(), banked);
        for _ in 0..6_000 {
            if round.phase() == RoundPhase::Settled && random.once_in(8) {
                round = Round::new(table_rules.clone(), banked);
            }
            let action = any_action(&mut random, &round);
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
fn play_round(random: &mut Random, table_rules: &Arc<TableRules>) -> (Vec<RoundEvent>, Round) {
    let rules = table_rules.book().clone();
    let seats = usize::from(rules.seats.players);
    let mut round = Round::new(table_rules.clone(), None);
    let mut events = Vec::new();
    let mut act = |round: &mut Round, action: Action| events.extend(apply(round, &action));

    let dealer_may = rules.banking.bankers.contains(&Banker::Dealer);
    let seat_may = rules.banking.bankers.iter().any(|banker| *banker != Banker::Dealer);
    let banker =
        (seat_may && (!dealer_may || random.once_in(2))).then(|| seat(1 + random.below(seats) as u8));
    if let Some(seat) = banker {
        let enough = amount("200000.00");
        let covers = if dealer_may {
            random.one_of(&[None, Some(enough)])
        } else {
            Some(Amount::from_cents(100 + random.below(50_000) as u64))
        };
        act(&mut round, Action::TakeBank { seat, covers });
        if rules.banking.plays_dealer && random.once_in(2) {
            act(&mut round, dealer_wager("35.00"));
        }
    }
    // At least this seat wagers.
    let wagering = (banker.map_or(0, Seat::index) + 1 + random.below(seats - 1)) % seats;
    for seat in Seat::first(rules.seats.players).filter(|seat| banker != Some(*seat)) {
        if seat.index() != wagering && random.once_in(3) {
            continue;
        }
        let cents = 500 + random.below(20_000) as u64;
        act(
            &mut round,
            Action::Wager { seat, wager: WagerRef::PaiGow, amount: Amount::from_cents(cents), color: None },
        );
        for index in 0..table_rules.side_wagers() {
            if random.once_in(3) {
                continue;
            }
            let is_color = table_rules.wager(index).looks_at == LooksAt::Color;
            let color = is_color.then(|| random.one_of(&[Color::Red, Color::Black]));
            let cents = 100 + random.below(1_000) as u64;
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
    let dice = 1 + random.below(positions) as u8;
    let pile = rules.dealing.action_pile.then(|| 1 + random.below(seats) as u8);
    act(&mut round, deal(random.shuffle(), dice, pile));
    for (index, hand) in round.deal().expect("dealt").hands.into_iter().enumerate() {
        let (Some(hand), seat) = (hand, seat(index as u8 + 1)) else { continue };
        match random.below(3) {
            0 => act(&mut round, Action::Set { seat, front: random.low_hand(hand) }),
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
        let table_rules = table_rules(book);
        let mut random = Random(100 + number);
        for _ in 0..3_000 {
            let (_, round) = play_round(&mut random, &table_rules);
            let settlement = round.settlement().expect("settled");
            let nets = settlement.nets();
            let seats: i64 = nets.seats.iter().map(|net| net.cents()).sum();
            assert_eq!(seats + nets.banker.cents() + nets.house.cents(), 0, "{settlement:?}");

            // The settled and the returned part of every wager add up to its stake.
            let showdown = round.showdown().expect("settled");
            for seat in Seat::first(7) {
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
        let table_rules = table_rules(book);
        let mut random = Random(200 + number);
        for _ in 0..500 {
            let (events, round) = play_round(&mut random, &table_rules);
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
        let table_rules = table_rules(book);
        let mut random = Random(300 + number);
        for _ in 0..2_000 {
            let (_, round) = play_round(&mut random, &table_rules);
            let showdown = round.showdown().expect("settled");
            let text = RoundFile::of(&showdown, &table_rules).print();
            let record = RoundFile::parse(&Source::new("a round", &text[..]), &BuiltIn)
                .unwrap_or_else(|problems| panic!("{}\n{text}", problems[0]));
            let parsed = record.showdown().expect("a parsed round file can be settled");
            assert_eq!(describe(&parsed), describe(&showdown), "{text}");
            assert_eq!(Some(&Settlement::of(&parsed)), round.settlement(), "{text}");
            assert_eq!(record.print(), text, "printing is idempotent");
        }
    }
}

// Refusals.

/// The stable code of each refusal. The match is exhaustive, so a new refusal needs a line here.
const fn known_code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::UnknownWager { .. } => "unknown_wager",
        Refusal::WagerNotOffered { .. } => "wager_not_offered",
        Refusal::UnknownPaytable { .. } => "unknown_paytable",
        Refusal::PaytableUnavailable { .. } => "paytable_unavailable",
        Refusal::JokersDisagree => "jokers_disagree",
        Refusal::TooManyWagers => "too_many_wagers",
        Refusal::SeatOutOfRange { .. } => "seat_out_of_range",
        Refusal::SeatTwice { .. } => "seat_twice",
        Refusal::CardTwice { .. } => "card_twice",
        Refusal::BelowMinimum { .. } => "below_minimum",
        Refusal::AboveMaximum { .. } => "above_maximum",
        Refusal::NoPaiGowWager { .. } => "no_pai_gow_wager",
        Refusal::WagerTwice { .. } => "wager_twice",
        Refusal::ColorMissing { .. } => "color_missing",
        Refusal::ColorUnexpected { .. } => "color_unexpected",
        Refusal::BankerNotAllowed { .. } => "banker_not_allowed",
        Refusal::BankerWithoutHand { .. } => "banker_without_hand",
        Refusal::BankerWagers { .. } => "banker_wagers",
        Refusal::OwnBank { .. } => "own_bank",
        Refusal::TooManyHands { .. } => "too_many_hands",
        Refusal::BankTaken { .. } => "bank_taken",
        Refusal::DealerWagerOutOfLimits { .. } => "dealer_wager_out_of_limits",
        Refusal::NotSet { .. } => "not_set",
        Refusal::CoverShort { .. } => "cover_short",
        Refusal::CoverMissing { .. } => "cover_missing",
        Refusal::ReserveExceeded { .. } => "reserve_exceeded",
        Refusal::BankedTooLong { .. } => "banked_too_long",
        Refusal::DealerHandMissing => "dealer_hand_missing",
        Refusal::DealerHandUnexpected => "dealer_hand_unexpected",
        Refusal::DealerWagerUnexpected => "dealer_wager_unexpected",
        Refusal::NoWagers => "no_wagers",
        Refusal::NotTheirCards { .. } => "not_their_cards",
        Refusal::NoHand { .. } => "no_hand",
        Refusal::AlreadySet { .. } => "already_set",
        Refusal::SetAgain { .. } => "set_again",
        Refusal::WrongPhase { .. } => "wrong_phase",
        Refusal::BadShuffle => "bad_shuffle",
        Refusal::DiceOutOfRange { .. } => "dice_out_of_range",
        Refusal::BadActionPile { .. } => "bad_action_pile",
    }
}

/// An example of every refusal of a round, with its message.
fn refusals_of_a_round() -> Vec<(Refusal, &'static str)> {
    let ez = |actions: &[Action], last: &Action| {
        let mut round = round("ez");
        apply_all(&mut round, actions);
        refused(&mut round, last)
    };
    let dealt = |last: &Action| {
        let mut round = ez_dealt(&[1], stacked(&[CHOICE, WEAK]));
        apply(&mut round, &set(1, "Kc Qd"));
        refused(&mut round, last)
    };
    let one = base(1, "25.00");
    let south_beach = |actions: &[Action], last: &Action| {
        let mut round = round("south-beach");
        apply_all(&mut round, actions);
        refused(&mut round, last)
    };
    let too_long = Round::new(table_rules("california"), Some(BankHistory { seat: seat(2), rounds: 2 }));
    let bare = std::slice::from_ref(&one);
    let one_player = |actions: &[Action], last: &Action| {
        let owners = Owners::by_name(|_| Some("Ann"));
        let mut round = round("south-beach").with_owners(owners);
        apply_all(&mut round, actions);
        refused(&mut round, last)
    };
    let mut reserved = round_with("california", RESERVED);
    apply_all(&mut reserved, &[bank(2, Some("25024.99")), one.clone()]);
    vec![
        (
            one_player(&[bank(2, None)], &one),
            "seat 1 and seat 2 are seats of the same player, who cannot wager against themselves",
        ),
        (
            one_player(bare, &bank(3, None)),
            "seat 1 and seat 3 are seats of the same player, who cannot wager against themselves",
        ),
        (ez(bare, &side(1, 4, "5.00")), "the book offers no wager `number 5`"),
        (ez(&[], &base(7, "25.00")), "there is no seat 7: the table has seats 1 to 6"),
        (ez(&[], &base(1, "4.99")), "seat 1: pai-gow of $4.99 is below the minimum of $5"),
        (ez(bare, &side(1, 1, "500.01")), "seat 1: dynasty of $500.01 is above the maximum of $500"),
        (ez(&[], &side(1, 1, "5.00")), "seat 1: dynasty requires a Pai Gow wager"),
        (ez(bare, &one), "seat 1 already has a pai-gow wager"),
        (ez(bare, &side(1, 3, "5.00")), "seat 1: red-black needs a color, red or black"),
        (ez(bare, &colored(side(1, 1, "5.00"), Color::Red)), "seat 1: dynasty takes no color"),
        (ez(&[], &bank(1, None)), "seat 1 may not be the banker in this book"),
        (south_beach(&[bank(1, None)], &one), "seat 1 is the banker and places no wagers"),
        (
            south_beach(&[bank(2, Some("24.99")), one.clone()], &deal(unshuffled(), 1, None)),
            "the banker covers $24.99 of $25, and must cover all",
        ),
        (
            refused(&mut round("california"), &bank(2, None)),
            "seat 2 is the banker and must state the amount covered",
        ),
        (
            refused(&mut reserved, &side(1, 0, "5.00")),
            "side wagers and envy bonuses could cost $25,000 in addition to base wagers of $25, but only $25,024.99 is put up",
        ),
        (
            refused(&mut too_long.clone(), &bank(2, Some("5.00"))),
            "seat 2 has been the banker for 2 rounds in a row, which is the maximum",
        ),
        (ez(&[], &dealer_wager("5.00")), "the dealer wagers only against a player who is the banker"),
        (south_beach(&[bank(2, None)], &bank(3, None)), "seat 2 is already the banker"),
        (
            south_beach(&[bank(2, None)], &dealer_wager("10000.01")),
            "the dealer's wager of $10,000.01 is outside the limits of $5 to $10,000",
        ),
        (
            south_beach(&[bank(2, None), dealer_wager("5.00")], &dealer_wager("5.00")),
            "the dealer wagers only against a player who is the banker",
        ),
        (
            ez_dealt(&[1], unshuffled()).showdown().map(|_| ()).expect_err("refused").swap_remove(0),
            "seat 1 has not set its hand",
        ),
        (ez(&[], &deal(unshuffled(), 1, None)), "no wager has been placed"),
        (
            refused(&mut ez_dealt(&[1], unshuffled()), &set(1, "As Ks")),
            "seat 1: the low hand is not two of the hand's seven cards",
        ),
        (dealt(&house_way(2)), "seat 2 has no hand"),
        (dealt(&house_way(1)), "seat 1 has already set its hand"),
        (
            refused(&mut bank_with_foul(&[("setting.banker_foul", "set_again")]), &set(1, "As Ah")),
            "seat 1: the low hand is higher than the high hand; set it again",
        ),
        (dealt(&one), "wagering is not allowed after the deal"),
        (ez(bare, &deal(unshuffled(), 8, None)), "the dice show 8, but the positions are 1 to 7"),
        (ez(bare, &deal(unshuffled(), 1, Some(2))), "there is no pile 2 to pick"),
    ]
}

/// An example of every refusal of table rules, shuffles and showdowns, with its message.
fn refusals_outside_a_round() -> Vec<(Refusal, &'static str)> {
    let post = |book: &str, changes: &[(&str, &str)], wager: &str, paytable: &str| {
        let posted = [(wager.to_owned(), paytable.to_owned())];
        let refusals = TableRules::new(table_rules_with(book, changes).book().clone(), &posted).map(|_| ());
        refusals.expect_err("refused").swap_remove(0)
    };
    let ez = table_rules("ez");
    let california = table_rules("california");
    let show = |table_rules: &TableRules, banker: Bank, seats: &[(u8, &str)], dealer: Option<&str>| {
        let mut players = [None; 7];
        for &(number, cards) in seats {
            let hand = hand(cards);
            let played = PlayedHand::Set(table_rules.house_way_setting(hand));
            let stakes = Stakes { pai_gow: amount("25.00"), ..Stakes::default() };
            players[seat(number).index()] = Some(Player { hand, played, stakes });
        }
        let dealer = dealer.map(hand).map(|hand| Dealer {
            hand,
            setting: table_rules.house_way_setting(hand),
            wager: Amount::ZERO,
        });
        let owners = Owners::by_name(|seat| (seat.number() > 4).then_some("Ann"));
        let showdown = Showdown::with_owners(table_rules, banker, seat(1), players, dealer, owners);
        let refusals = showdown.map(|_| ());
        refusals.expect_err("refused").swap_remove(0)
    };
    let banks = Bank::Seat { seat: seat(2), covers: Some(amount("100.00")) };
    vec![
        (post("ez", &[], "fortune", "1"), "the book offers no wager `fortune`"),
        (
            post("ez", &[("wagers.dynasty.offered", "false")], "dynasty", "1"),
            "this table does not offer the wager `dynasty`",
        ),
        (post("ez", &[], "dynasty", "8"), "dynasty has no paytable `8`"),
        (post("washington", &[], "fortune", "FPG-08"), "paytable `FPG-08` of fortune is not available"),
        (
            show(&ez, Bank::Dealer, &[(1, CHOICE)], Some("As 9d 8c 7s 5h 4c 3s")),
            "As appears in more than one hand: seat 1 and the dealer's hand",
        ),
        (show(&ez, Bank::Dealer, &[(1, CHOICE)], None), "the dealer's hand is missing"),
        (show(&california, banks, &[(1, CHOICE)], Some(WEAK)), "the dealer has no hand in this book"),
        (show(&california, banks, &[(1, CHOICE)], None), "seat 2 is the banker and has no hand"),
        (
            show(&ez, Bank::Dealer, &[(5, CHOICE), (6, WEAK)], Some("Kd Td 9c 8h 6s 5c 3d")),
            "seat 6: the player would have more hands than the maximum of 1",
        ),
        (
            Shuffle::new([Card::JOKER; 53]).expect_err("refused"),
            "a shuffle must contain each of the 53 cards once",
        ),
        (
            post("washington", &[("wagers.pai-gowd.paytables.01.joker", "fully_wild")], "pai-gowd", "01"),
            "the posted paytables require different jokers",
        ),
        // No built-in book can cause these refusals.
        (Refusal::TooManyWagers, "a table may offer at most eight side wagers"),
        (Refusal::SeatTwice { seat: seat(3) }, "seat 3 appears twice"),
    ]
}

#[test]
fn refusal_codes_and_messages_are_stable() {
    let all = [refusals_of_a_round(), refusals_outside_a_round()].concat();
    for (refusal, message) in &all {
        assert_eq!(refusal.code(), known_code(refusal));
        assert_eq!(refusal.to_string(), *message);
    }
    let codes: BTreeSet<&str> = all.iter().map(|(refusal, _)| refusal.code()).collect();
    assert_eq!(codes.len(), 39, "codes are unique and complete: {codes:?}");
}

#[test]
fn refusals_about_a_seat_name_it() {
    let exceptions: BTreeSet<&str> = [refusals_of_a_round(), refusals_outside_a_round()]
        .concat()
        .into_iter()
        .filter(|(refusal, message)| refusal.seat().is_some() != message.contains("seat "))
        .map(|(refusal, _)| refusal.code())
        .collect();
    // These refusals name their location as text: a banker, a low hand, and the two hands with the same card.
    assert_eq!(exceptions, BTreeSet::from(["banker_not_allowed", "card_twice", "not_their_cards"]));
}

/// A change that makes the banker reserve the highest payout of side wagers and envy bonuses.
const RESERVED: &[(&str, &str)] = &[("banking.pays_from", "reserved")];

/// FPG-01 pays at most 5,000 to 1, and an envy bonus of $1,000.
#[test]
fn ca_4_wagers_beyond_the_reserve_are_refused() {
    // Base wagers without side wagers may exceed the cover.
    let mut round = round_with("california", RESERVED);
    apply_all(&mut round, &[bank(2, Some("30.00")), base(1, "25.00"), base(3, "25.00")]);
    check_refused(&mut round, &side(1, 0, "1.00"), "reserve_exceeded");

    // $50 of base wagers and 5,000 × $4, without an envy button.
    let mut round = round_with("california", RESERVED);
    apply_all(&mut round, &[bank(2, Some("20050.00")), base(1, "25.00"), base(3, "25.00")]);
    check_refused(&mut round, &side(1, 0, "4.01"), "reserve_exceeded");
    apply(&mut round, &side(1, 0, "4.00"));
    check_refused(&mut round, &bank(2, Some("20049.99")), "reserve_exceeded");
    check_refused(&mut round, &base(4, "5.00"), "reserve_exceeded");

    // An envy button adds $1,000 for every other player.
    let mut round = round_with("california", RESERVED);
    apply_all(&mut round, &[bank(2, Some("26050.00")), base(1, "25.00"), base(3, "25.00")]);
    apply(&mut round, &side(1, 0, "5.00"));

    // The bank may be taken after the wagers.
    let mut round = round_with("california", RESERVED);
    apply_all(&mut round, &[base(1, "25.00"), side(1, 0, "1.00")]);
    check_refused(&mut round, &bank(2, Some("5024.99")), "reserve_exceeded");
    apply(&mut round, &bank(2, Some("5025.00")));
}

#[test]
fn showdown_beyond_the_reserve_is_refused() {
    let table_rules = table_rules_with("california", RESERVED);
    let [one, other] = [CHOICE, WEAK].map(hand);
    let played = |hand| PlayedHand::Set(table_rules.house_way_setting(hand));
    let show = |covers: &str| {
        let mut players = [None; 7];
        let mut stakes = Stakes { pai_gow: amount("25.00"), ..Stakes::default() };
        stakes.sides[0] = Some(paigow::SideStake { amount: amount("5.00"), color: None });
        players[0] = Some(Player { hand: one, played: played(one), stakes });
        players[1] = Some(Player { hand: other, played: played(other), stakes: Stakes::default() });
        let bank = Bank::Seat { seat: seat(2), covers: Some(amount(covers)) };
        let refusals = Showdown::new(&table_rules, bank, seat(1), players, None).map(|_| ());
        refusals.map_err(|refusals| refusals.iter().map(Refusal::code).collect::<Vec<_>>())
    };
    assert_eq!(show("25024.99"), Err(vec!["reserve_exceeded"]));
    assert_eq!(show("25025.00"), Ok(()));
}

#[test]
fn sb_8_a_banking_player_may_wager_on_fortune_if_the_book_says_so() {
    let mut round = round_with("south-beach", &[("wagers.fortune.banker_wagers", "true")]);
    apply_all(&mut round, &[bank(1, None), side(1, 0, "5.00")]);
    check_refused(&mut round, &base(1, "25.00"), "banker_wagers");
    check_refused(&mut round, &side(1, 0, "5.00"), "wager_twice");
    check_refused(&mut round, &side(2, 0, "5.00"), "no_pai_gow_wager");
    apply(&mut round, &base(2, "25.00"));
    // A seat with a base wager cannot take the bank.
    check_refused(&mut round, &bank(2, None), "banker_wagers");
    let mut round = round_with("south-beach", &[("wagers.fortune.banker_wagers", "false")]);
    apply(&mut round, &bank(1, None));
    check_refused(&mut round, &side(1, 0, "5.00"), "banker_wagers");
}

#[test]
fn invalid_showdowns_are_refused() {
    let south_beach = table_rules("south-beach");
    let (seven, dealer) = (hand(CHOICE), hand(WEAK));
    let setting = south_beach.house_way_setting(dealer);
    let played = PlayedHand::Set(south_beach.house_way_setting(seven));
    let show = |played: PlayedHand, index: usize, bank: Bank| {
        let mut stakes = Stakes { pai_gow: amount("25.00"), ..Stakes::default() };
        stakes.sides[index] = Some(paigow::SideStake { amount: amount("5.00"), color: None });
        let mut players = [None; 7];
        players[0] = Some(Player { hand: seven, played, stakes });
        let dealer = Dealer { hand: dealer, setting, wager: Amount::ZERO };
        let refusals = Showdown::new(&south_beach, bank, seat(1), players, Some(dealer)).map(|_| ());
        refusals.expect_err("refused").iter().map(Refusal::code).collect::<Vec<_>>()
    };
    assert_eq!(show(played, 5, Bank::Dealer), ["unknown_wager"]);
    let foul =
        Arrangement::new(seven, seven.splits().next().expect("a split").1.cards()).expect("two of the seven");
    let banker = Bank::Seat { seat: seat(1), covers: None };
    let codes = show(PlayedHand::Foul(Foul(foul)), 0, banker);
    assert!(codes.contains(&"set_again"), "{codes:?}");
}
