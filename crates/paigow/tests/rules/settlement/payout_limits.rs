//! Maximum payouts of side wagers, for each hand and for a round.

use super::kit::{COPIES_BOTH, FLUSH, FOUR_EIGHTS, FULL_HOUSE, KING_HIGH, RoundBuilder};
use super::tables::{FIVE_CENTS_PER_ROUND, LIMIT_PER_HAND, LIMIT_PER_ROUND};

#[test]
fn sb_8_fortune_pays_at_most_twenty_thousand_dollars_and_envy_is_not_limited() {
    // 8,000 times 5.00 is 40,000.00. The straight flush wins and the low hand five-four loses. Seat 2 loses 10.00 and
    // 5.00.
    RoundBuilder::of("south-beach")
        .dealer(("Ks Jd 9c 7s 5c 3d 2c", "Jd 9c"), "0.00")
        .seat(1, ("4h 5h 6h 7h 8h 9h Th", "5h 4h"), "10.00", &[("fortune", "5.00")])
        .seat(2, ("Qd Td 8s 6c 4c 3s 2s", "Td 8s"), "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +20000.00, seat 2 +4985.00, house -24985.00");
}

#[test]
fn wa_2_a_maximum_per_round_is_shared_and_the_odd_cent_goes_to_the_first() {
    // 5 × 10.00 and 4 × 25.00 are 150.00, and the maximum is 100.00: a third and two thirds of it.
    // Settlement goes counterclockwise. Seat 2 is last when seat 1 starts, and first when seat 2 starts.
    for (first, expected) in [
        (1, "seat 1 +52.34, seat 2 +66.66, house -119.00"),
        (2, "seat 1 +52.33, seat 2 +66.67, house -119.00"),
    ] {
        RoundBuilder::with("washington", &[("wagers.fortune.payout_max", LIMIT_PER_ROUND)], &[])
            .dealer(KING_HIGH, "0.00")
            .seat(1, FULL_HOUSE, "20.00", &[("fortune", "10.00")])
            .seat(2, FLUSH, "20.00", &[("fortune", "25.00")])
            .first(first)
            .settles(expected);
    }
}

#[test]
fn wa_2_a_maximum_per_hand_applies_to_each_hand() {
    // 5 × 10.00 is within 250.01, and 4 × 100.00 is not. Seat 1 also wins 19.00 on the base game.
    RoundBuilder::with("washington", &[("wagers.fortune.payout_max", LIMIT_PER_HAND)], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(1, FULL_HOUSE, "20.00", &[("fortune", "10.00")])
        .seat(2, FLUSH, "20.00", &[("fortune", "100.00")])
        .settles("seat 1 +69.00, seat 2 +250.01, house -319.01");
}

#[test]
fn wa_2_envy_is_not_limited() {
    // Seat 1 wins 9.50 and five cents of 20 × 5.00. Seat 2 loses 15.00 and gets an envy bonus of 5.00.
    RoundBuilder::with("washington", &[("wagers.fortune.payout_max", FIVE_CENTS_PER_ROUND)], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +9.55, seat 2 -10.00, house +0.45");
}
