//! Banking seats: the wagers that they settle, and the limits of their cover.

use super::kit::{
    COPIES_BOTH, FOUR_EIGHTS, KING_HIGH, LOSES, ONE_EACH, QUEEN_HIGH, RoundBuilder, WINS, describe,
    differences, settle,
};
use super::random_rounds::{deal, every_round, full_cover};
use super::reference::{LineAmounts, LineKind, LineParty, Round};
use paigow::rulebook::{Cover, CoverUse};
use paigow::{Amount, Bank, Outcome, Party, Seat, Settlement};
use paigow_testkit::{Rng, table_rules};

#[test]
fn sb_7_the_banker_plays_all_seats_and_the_dealer() {
    // The bank loses 25.00 and wins 100.00 and 50.00: 125.00, less 6.25. The house loses 50.00 and gets 1.25 and 6.25.
    RoundBuilder::of("south-beach")
        .banks(2, KING_HIGH, Some("175.00"))
        .seat(1, WINS, "25.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +23.75, seat 3 -100.00, banker +118.75, house -42.50");
}

#[test]
fn ca_6_the_player_dealer_settles_fortune_and_pays_envy() {
    // Seat 1 wins 10.00 and 20 × 5.00. Seat 2 loses 10.00 and 5.00, and gets an envy bonus of 5.00.
    RoundBuilder::of("california")
        .banks(4, KING_HIGH, Some("115.00"))
        .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +110.00, seat 2 -10.00, banker -100.00, house +0.00");
}

#[test]
fn ca_4_the_cover_is_used_from_the_action_button_on() {
    // Seat 3 uses 100.00 of the cover of 150.00. Seat 2 has 50.00 of its 80.00 in action. Nothing is left for seat 1.
    let round = |first: u8| {
        RoundBuilder::of("california")
            .banks(4, KING_HIGH, Some("150.00"))
            .seat(1, COPIES_BOTH, "100.00", &[])
            .seat(2, WINS, "80.00", &[])
            .seat(3, LOSES, "100.00", &[])
            .first(first)
    };
    round(3).settles("seat 1 +0.00, seat 2 +50.00, seat 3 -100.00, banker +50.00, house +0.00");
    // From seat 1 the order continues with seats 7, 6, 5, 4 and 3.
    round(1).settles("seat 1 -100.00, seat 2 +0.00, seat 3 -50.00, banker +150.00, house +0.00");
}

#[test]
fn ca_4_a_push_uses_no_cover() {
    // Seat 3 pushes, seat 2 wins 80.00, and 70.00 of cover is left for seat 1.
    RoundBuilder::of("california")
        .banks(4, KING_HIGH, Some("150.00"))
        .seat(1, COPIES_BOTH, "100.00", &[])
        .seat(2, WINS, "80.00", &[])
        .seat(3, ONE_EACH, "100.00", &[])
        .first(3)
        .settles("seat 1 -70.00, seat 2 +80.00, seat 3 +0.00, banker -10.00, house +0.00");
}

#[test]
fn ca_4_under_losses_only_only_payouts_use_cover() {
    // The loss of seat 3 leaves a cover of 150.00. The 80.00 paid to seat 2 leave 70.00, which is all that seat 1 can
    // lose.
    RoundBuilder::with("california", &[("banking.cover_use", "losses_only")], &[])
        .banks(4, KING_HIGH, Some("150.00"))
        .seat(1, COPIES_BOTH, "100.00", &[])
        .seat(2, WINS, "80.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .first(3)
        .settles("seat 1 -70.00, seat 2 +80.00, seat 3 -100.00, banker +90.00, house +0.00");
}

#[test]
fn ca_4_funds_pay_base_wagers_then_fortune_then_envy() {
    let round = |put_up: &'static str| {
        RoundBuilder::of("california")
            .banks(4, KING_HIGH, Some(put_up))
            .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
            .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
    };
    // Seat 1 gets 10.00 and 20 × 5.00. 4.99 is left, so seat 2 loses 4.99 of its 5.00 and gets 4.99 of the envy bonus
    // of 5.00.
    round("114.99").settles("seat 1 +110.00, seat 2 -10.00, banker -100.00, house +0.00");
    // One cent short of the Fortune payout: 99.99 pays for 4.99, and seat 2 loses and gets the remaining 0.19.
    round("109.99").settles("seat 1 +109.80, seat 2 -10.00, banker -99.80, house +0.00");
    // The cover of 20.00 is used up, and half of it is paid out. The other 10.00 pays for 0.50 of Fortune. Nothing is
    // left for seat 2's 5.00, which is returned.
    round("20.00").settles("seat 1 +20.00, seat 2 -10.00, banker -10.00, house +0.00");
    // 10.00 covers only seat 1. All other stakes are returned.
    round("10.00").settles("seat 1 +10.00, seat 2 +0.00, banker -10.00, house +0.00");
}

#[test]
fn some_or_all_with_full_cover_settles_like_all() {
    let mut compared = 0;
    for cover_use in ["each_dollar_once", "losses_only", "once_in_all"] {
        for (book, bankers) in
            [("california", r#"["player_dealer"]"#), ("south-beach", r#"["dealer", "seat"]"#)]
        {
            let changes = |cover: &'static str| {
                [("banking.bankers", bankers), ("banking.cover", cover), ("banking.cover_use", cover_use)]
            };
            let some = table_rules(book, &changes("some_or_all"), &[]);
            let all = table_rules(book, &changes("all"), &[]);
            let mut rng = Rng::new(5);
            for _ in 0..5_000 {
                let mut round = deal(&mut rng, &some);
                let Bank::Seat { seat, .. } = round.bank else { continue };
                let covers = Amount::from_cents(full_cover(&round) + rng.below(2));
                round.bank = Bank::Seat { seat, covers: Some(covers) };
                let banked =
                    Round { table_rules: &all, bank: Bank::Seat { seat, covers: None }, ..round.clone() };
                let (covered, banked) = (settle(&round), settle(&banked));
                assert!(covered == banked, "{}\n{}", differences(&covered, &banked), describe(&round));
                compared += 1;
            }
        }
    }
    assert!(compared > 15_000, "only {compared} rounds have a banking seat");
}

#[test]
fn uncovered_stakes_are_returned_and_the_cover_is_never_exceeded() {
    let mut uncovered = 0;
    every_round(
        |book| book.banking.cover == Cover::SomeOrAll,
        2_000,
        |_, round| {
            let Bank::Seat { covers: Some(covers), .. } = round.bank else { return };
            let covers = covers.cents().cast_signed();
            let settled = settle(&round);
            let amounts = |party: LineParty, kind: LineKind| settled.lines.get(&(party, None, kind)).copied();
            let stake =
                |party: LineParty, kind: LineKind| amounts(party, kind).map_or(0, |amounts| amounts.stake);
            let wagers = Seat::up_to(7).filter_map(|seat| {
                Some((LineParty::Seat(seat.number()), round.players[seat.index()]?.stakes.pai_gow))
            });
            let wagers: Vec<(LineParty, Amount)> =
                wagers.chain(round.dealer.map(|dealer| (LineParty::Dealer, dealer.wager))).collect();
            let (mut decided, mut paid) = (0, 0);
            for (party, wager) in wagers {
                let (played, returned) = (stake(party, LineKind::Played), stake(party, LineKind::Returned));
                assert_eq!(played + returned, wager.cents().cast_signed(), "{party:?}\n{}", describe(&round));
                let net = amounts(party, LineKind::Returned).map_or(0, |amounts| amounts.net);
                assert_eq!(net, 0, "{}", describe(&round));
                uncovered += u32::from(returned > 0);
                if let Some(LineAmounts { outcome, net, fee, .. }) = amounts(party, LineKind::Played) {
                    let expected = match outcome {
                        Some(Outcome::Win) => played - fee,
                        Some(Outcome::Lose | Outcome::Foul) => -played,
                        _ => 0,
                    };
                    assert_eq!(net, expected, "{party:?}\n{}", describe(&round));
                    decided += if outcome == Some(Outcome::Push) { 0 } else { played };
                    paid += (net + fee).max(0);
                }
            }
            let used = match round.table_rules.book().banking.cover_use {
                CoverUse::EachDollarOnce | CoverUse::OnceInAll => decided,
                CoverUse::LossesOnly => paid,
            };
            assert!(used <= covers, "{used} of {covers} is used\n{}", describe(&round));
        },
    );
    assert!(uncovered > 1_000, "only {uncovered} wagers were not fully covered");
}

/// Under `once_in_all`, the wins and losses of a banking seat together never exceed its funds, without fees and
/// commission.
#[test]
fn once_in_all_cover_limits_wins_and_losses() {
    let (mut limit_won, mut limit_lost) = (0, 0);
    every_round(
        |book| book.banking.cover_use == CoverUse::OnceInAll,
        4_000,
        |_, round| {
            let Bank::Seat { covers: Some(covers), .. } = round.bank else { return };
            let covers = covers.cents().cast_signed();
            let showdown = round.showdown().expect("a round the rules accept");
            let settlement = Settlement::of(&showdown);
            let against = settlement.lines().iter().filter(|line| line.against == Party::Banker);
            let (mut won, mut lost) = (0, 0);
            for line in against {
                let net = line.net.cents() + line.fee.cents().cast_signed();
                won += (-net).max(0);
                lost += net.max(0);
            }
            assert!(won + lost <= covers, "{won} and {lost} of {covers}\n{}", describe(&round));
            limit_won += i32::from(won == covers);
            limit_lost += i32::from(lost == covers);
        },
    );
    assert!(limit_won > 10 && limit_lost > 10, "the limit was rarely reached: {limit_won}, {limit_lost}");
}
