//! Banking: the seats that may bank, their cover and reserve, and the wagers of bankers and dealers.

use super::kit::{
    CHOICE, RESERVED, WEAK, apply, apply_all, bank, base, check_refused, deal, dealer_wager, refused, round,
    round_with, side, stacked, unshuffled,
};
use paigow::{
    Action, Amount, Bank, BankHistory, Net, Outcome, Party, PlayedHand, Player, Refusal, Round, RoundEvent,
    Showdown, SideStake, Stakes,
};
use paigow_testkit::{amount, hand, seat, table_rules};

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
        Round::new(table_rules("california", &[], &[]), Some(before))
    };
    apply(&mut after(1), &bank(3, Some("100.00")));
    for rounds in [2, 3] {
        let refusal = refused(&mut after(rounds), &bank(3, Some("100.00")));
        assert_eq!(refusal, Refusal::BankedTooLong { seat: seat(3), rounds });
        apply(&mut after(rounds), &bank(4, Some("100.00")));
    }
    // South Beach has no such rule.
    let mut round =
        Round::new(table_rules("south-beach", &[], &[]), Some(BankHistory { seat: seat(3), rounds: 9 }));
    apply(&mut round, &bank(3, None));
}

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
    let table_rules = table_rules("california", RESERVED, &[]);
    let [one, other] = [CHOICE, WEAK].map(hand);
    let played = |hand| PlayedHand::Set(table_rules.house_way_setting(hand));
    let show = |covers: &str| {
        let mut players = [None; 7];
        let mut stakes = Stakes { pai_gow: amount("25.00"), ..Stakes::default() };
        stakes.sides[0] = Some(SideStake { amount: amount("5.00"), color: None });
        players[0] = Some(Player { hand: one, played: played(one), stakes });
        players[1] = Some(Player { hand: other, played: played(other), stakes: Stakes::default() });
        let bank = Bank::Seat { seat: seat(2), covers: Some(amount(covers)) };
        let refusals = Showdown::new(&table_rules, bank, seat(1), players, None).map(|_| ());
        refusals.map_err(|refusals| refusals.iter().map(Refusal::code).collect::<Vec<_>>())
    };
    assert_eq!(show("25024.99"), Err(vec!["reserve_exceeded"]));
    assert_eq!(show("25025.00"), Ok(()));
}
