//! Refusals: their codes, their messages, and an example of each.

use super::kit::{
    CHOICE, RESERVED, WEAK, apply, apply_all, bank, bank_with_foul, base, colored, deal, dealer_wager,
    ez_dealt, house_way, refused, round, round_with, set, side, stacked, unshuffled,
};
use paigow::{
    Action, Amount, Arrangement, Bank, BankHistory, Card, Color, Dealer, Foul, Owners, PlayedHand, Player,
    Refusal, Round, Showdown, Shuffle, SideStake, Stakes, TableRules,
};
use paigow_testkit::{amount, hand, owned_pairs, rulebook, seat, table_rules};
use std::collections::BTreeSet;

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
    let too_long =
        Round::new(table_rules("california", &[], &[]), Some(BankHistory { seat: seat(2), rounds: 2 }));
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
        (south_beach(&[bank(1, None)], &one), "seat 1 is the banker and may not place this wager"),
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
        (ez(bare, &deal(unshuffled(), 8, None)), "the dice show 8, but the spots are 1 to 7"),
        (ez(bare, &deal(unshuffled(), 1, Some(2))), "there is no pile 2 to pick"),
    ]
}

/// An example of every refusal of table rules, shuffles and showdowns, with its message.
fn refusals_outside_a_round() -> Vec<(Refusal, &'static str)> {
    let post = |book: &str, changes: &[(&str, &str)], wager: &str, paytable: &str| {
        let refusals =
            TableRules::new(rulebook(book, changes), &owned_pairs(&[(wager, paytable)])).map(|_| ());
        refusals.expect_err("refused").swap_remove(0)
    };
    let ez = table_rules("ez", &[], &[]);
    let california = table_rules("california", &[], &[]);
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
            "the posted paytables require different uses of the joker",
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

#[test]
fn invalid_showdowns_are_refused() {
    let south_beach = table_rules("south-beach", &[], &[]);
    let (seven, dealer) = (hand(CHOICE), hand(WEAK));
    let setting = south_beach.house_way_setting(dealer);
    let played = PlayedHand::Set(south_beach.house_way_setting(seven));
    let show = |played: PlayedHand, index: usize, bank: Bank| {
        let mut stakes = Stakes { pai_gow: amount("25.00"), ..Stakes::default() };
        stakes.sides[index] = Some(SideStake { amount: amount("5.00"), color: None });
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
