//! Base game: wins, pushes, losses, copies, fouls, and the pushes of EZ.

use super::kit::{
    COPIES_BOTH, COPIES_LOW, Cards, FOUL, KING_HIGH, LOSES, ONE_EACH, QUEEN_HIGH, RoundBuilder, WINS,
};

#[test]
fn sb_3_win_push_lose_and_copies_go_to_the_banker() {
    // $20.00 less 5 % is $19.00. With a copy of the low hand, only the high hand wins. Two copies lose both hands.
    RoundBuilder::of("south-beach")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", &[])
        .seat(2, LOSES, "20.00", &[])
        .seat(3, COPIES_LOW, "20.00", &[])
        .seat(4, COPIES_BOTH, "20.00", &[])
        .seat(5, ONE_EACH, "20.00", &[])
        .settles("seat 1 +19.00, seat 2 -20.00, seat 3 +0.00, seat 4 -20.00, seat 5 +0.00, house +21.00");
}

#[test]
fn sb_3_copies_go_to_the_player_if_the_house_says_so() {
    RoundBuilder::with("south-beach", &[("base_game.copies", "player")], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(3, COPIES_LOW, "20.00", &[])
        .seat(4, COPIES_BOTH, "20.00", &[])
        .settles("seat 3 +19.00, seat 4 +19.00, house -38.00");
}

#[test]
fn sb_4_a_foul_loses() {
    RoundBuilder::of("south-beach")
        .dealer(KING_HIGH, "0.00")
        .seat(6, FOUL, "20.00", &[])
        .settles("seat 6 -20.00, house +20.00");
}

#[test]
fn ez_1_the_queens_dragon_makes_every_base_wager_push() {
    let foul: Cards = ("Kd Kc 9s 7c 5d 3h 2d", "Kd Kc");
    RoundBuilder::of("ez")
        .dealer(QUEEN_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[])
        .seat(2, ("Jd Th 9d 7s 6c 3c 2s", "Th 9d"), "25.00", &[])
        .seat(3, foul, "25.00", &[])
        .settles("seat 1 +0.00, seat 2 +0.00, seat 3 +0.00, house +0.00");
}

#[test]
fn ez_1_no_commission_and_ez_11_copies_go_to_the_banker() {
    RoundBuilder::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[])
        .seat(4, COPIES_BOTH, "10.00", &[])
        .settles("seat 1 +25.00, seat 4 -10.00, house -15.00");
}
