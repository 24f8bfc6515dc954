//! Side wagers: paytables, deciding cards, jokers and colors.

use super::kit::{COPIES_BOTH, Cards, FOUL, FULL_HOUSE, KING_HIGH, LOSES, QUEEN_HIGH, RoundBuilder, WINS};

#[test]
fn sd_2_fortune_counts_all_seven_cards_independent_of_the_setting() {
    // The flush is split and the hand is a foul: the seat loses 10.00 and wins 4 times 5.00.
    RoundBuilder::of("south-dakota")
        .dealer(KING_HIGH, "0.00")
        .seat(1, ("Ah Qh 8h 6h 4h Kc 2d", "Ah Kc"), "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +10.00, house -10.00");
}

#[test]
fn sd_6_three_pairs_push_only_under_paytable_1() {
    let hand: Cards = ("Kc Kd Qh Qs 7c 7d 5c", "Qh Qs");
    for (table, expected) in [("1", "seat 1 +9.50, house -9.50"), ("2", "seat 1 +4.50, house -4.50")] {
        RoundBuilder::with("south-dakota", &[], &[("fortune", table)])
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[("fortune", "5.00")])
            .settles(expected);
    }
}

#[test]
fn wa_5_pai_gowd_pays_for_a_beaten_pai_gow_of_the_dealer() {
    // King high pays 5 to 1 under paytable 02. Queen high, a copy and a foul do not beat it.
    let pai_gowd = &[("pai-gowd", "10.00")];
    RoundBuilder::of("washington")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", pai_gowd)
        .seat(2, LOSES, "20.00", pai_gowd)
        .seat(4, COPIES_BOTH, "20.00", pai_gowd)
        .seat(6, FOUL, "20.00", pai_gowd)
        .settles("seat 1 +69.00, seat 2 -30.00, seat 4 -30.00, seat 6 -30.00, house +21.00");
    RoundBuilder::with("washington", &[], &[("pai-gowd", "01")])
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", pai_gowd)
        .settles("seat 1 +79.00, house -79.00");
}

#[test]
fn wa_5_pai_gowd_loses_against_a_dealers_pair() {
    RoundBuilder::of("washington")
        .dealer(WINS, "0.00")
        .seat(1, FULL_HOUSE, "20.00", &[("pai-gowd", "10.00")])
        .settles("seat 1 +9.00, house -9.00");
}

#[test]
fn wa_5_without_player_must_beat_a_foul_wins_pai_gowd() {
    // Only step 3 of the procedure applies: the dealer's king high decides.
    RoundBuilder::with("washington", &[("wagers.pai-gowd.player_must_beat", "false")], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(2, LOSES, "20.00", &[("pai-gowd", "10.00")])
        .seat(6, FOUL, "20.00", &[("pai-gowd", "10.00")])
        .settles("seat 2 +30.00, seat 6 +30.00, house -60.00");
}

#[test]
fn ca_9_a_fully_wild_joker_makes_five_of_a_kind() {
    let eights_and_joker: Cards = ("8c 8d 8h 8s Jk Ac Kc", "Ac Kc");
    let three_nines: Cards = ("9d 9h 9s Ad Qs 6c 4h", "Ad Qs");
    for (table, fives, threes) in [
        (
            "FPG-01",
            "seat 1 +110.00, banker -110.00, house +0.00",
            "seat 1 +25.00, banker -25.00, house +0.00",
        ),
        (
            "FPG-07",
            "seat 1 +1260.00, banker -1260.00, house +0.00",
            "seat 1 +5.00, banker -5.00, house +0.00",
        ),
    ] {
        for (hand, expected) in [(eights_and_joker, fives), (three_nines, threes)] {
            RoundBuilder::with("california", &[], &[("fortune", table)])
                .banks(4, KING_HIGH, Some("1260.00"))
                .seat(1, hand, "10.00", &[("fortune", "5.00")])
                .settles(expected);
        }
    }
}

#[test]
fn ez_4_the_queens_dragon_pays_fifty_to_one() {
    RoundBuilder::of("ez")
        .dealer(QUEEN_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[("queens-dragon", "2.00")])
        .settles("seat 1 +100.00, house -100.00");
    RoundBuilder::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[("queens-dragon", "2.00")])
        .settles("seat 1 +23.00, house -23.00");
}

#[test]
fn ez_5_the_luhn_tao_wheel_pays_120_to_one_and_75_dollars_of_envy() {
    // The wheel wins and the low hand ten-nine loses. Seat 2 loses 10.00 and 5.00.
    RoundBuilder::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, ("As 2s 3s 4s 5s 9d Td", "Td 9d"), "10.00", &[("dynasty", "5.00")])
        .seat(2, ("Qd Tc 8h 6c 4h 3c 2d", "Tc 8h"), "10.00", &[("dynasty", "5.00")])
        .settles("seat 1 +600.00, seat 2 +60.00, house -660.00");
}

#[test]
fn ez_7_protection_pays_for_low_hands_and_the_natural_wheel() {
    // The base wager of 10.00 loses with the queen high, and pushes with the wheels.
    for (hand, seat, house) in [
        (LOSES, "+25.00", "-25.00"),
        (("As 2s 3s 4s 5s 9d Td", "Td 9d"), "+600.00", "-600.00"),
        (("Jk 2s 3s 4s 5s 9d Td", "Td 9d"), "-5.00", "+5.00"),
    ] {
        RoundBuilder::of("ez")
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[("protection", "5.00")])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn ez_8_red_black_pays_by_cards_of_the_color_and_the_joker_has_none() {
    // `LOSES` has four red cards and loses 10.00 on the base game. The other two hands win it.
    let seven_red: Cards = ("Ah Qd Td 8h 6d 4h 2d", "Qd Td");
    let three_each: Cards = ("Jk Qh 8d 6h Ts 4s 2s", "Qh Ts");
    for (hand, wager, seat, house) in [
        (LOSES, "red-black red", "-6.00", "+6.00"),
        (LOSES, "red-black black", "-14.00", "+14.00"),
        (seven_red, "red-black red", "+30.00", "-30.00"),
        (seven_red, "red-black black", "+6.00", "-6.00"),
        (three_each, "red-black red", "+6.00", "-6.00"),
        (three_each, "red-black black", "+6.00", "-6.00"),
    ] {
        RoundBuilder::of("ez")
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[(wager, "4.00")])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}
