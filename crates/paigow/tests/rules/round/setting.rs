//! Setting of hands: by the player, the house way, and fouls.

use super::kit::{
    CHOICE, WEAK, apply, apply_all, bank_with_foul, base, check_refused, deal, ez_dealt, house_way,
    round_with, set, stacked, unshuffled,
};
use paigow::{
    Action, Arrangement, CardSet, Foul, Net, Outcome, PlayedHand, RoundEvent, RoundPhase, SevenCards,
};
use paigow_testkit::{cards, hand, seat, table_rules};

#[test]
fn player_chooses_the_setting() {
    let mut round = ez_dealt(&[1], stacked(&[CHOICE, WEAK]));
    let by_house = table_rules("ez", &[], &[]).house_way_setting(hand(CHOICE));
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
    let by_house = table_rules("ez", &[], &[]).house_way_setting(hand(dealt));
    let showdown = round.showdown().expect("settled");
    assert_eq!(showdown.player(seat(1)).map(|player| player.played), Some(PlayedHand::Set(by_house)));
}

#[test]
fn a_hand_is_set_the_house_way_on_request() {
    let mut round = ez_dealt(&[1, 6], stacked(&[CHOICE, WEAK]));
    let by_house = table_rules("ez", &[], &[]).house_way_setting(hand(CHOICE));
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
    let ez = table_rules("ez", &[], &[]);
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
    check_refused(&mut round, &Action::Set { seat: seat(1), low: CardSet::EMPTY }, "not_their_cards");
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

#[test]
fn sb_4_a_bankers_foul_is_set_the_house_way() {
    let mut round = bank_with_foul(&[]);
    let by_house = table_rules("south-beach", &[], &[]).house_way_setting(hand("As Ah Kc Qd 9h 8s 2d"));
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
