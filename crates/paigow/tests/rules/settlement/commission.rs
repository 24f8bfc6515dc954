//! Commission and collection fees.

use super::kit::{KING_HIGH, LOSES, QUEEN_HIGH, RoundBuilder, WINS};

#[test]
fn sb_5_a_win_pays_even_money_less_five_percent() {
    // 5 % of $25.00 is $1.25. 5 % of $5.10 is 25.5 cents, and a half is rounded up. 5 % of $5.09 is 25.45 cents.
    for (stake, seat, house) in
        [("25.00", "+23.75", "-23.75"), ("5.10", "+4.84", "-4.84"), ("5.09", "+4.84", "-4.84")]
    {
        RoundBuilder::of("south-beach")
            .dealer(KING_HIGH, "0.00")
            .seat(1, WINS, stake, &[])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn sb_5_commission_may_be_rounded_to_quarters() {
    // 5 % of $27.00 is $1.35.
    for (rounding, seat, house) in
        [("nearest", "+25.75", "-25.75"), ("up", "+25.50", "-25.50"), ("down", "+25.75", "-25.75")]
    {
        RoundBuilder::with(
            "south-beach",
            &[("commission.unit", "0.25"), ("commission.rounding", rounding)],
            &[],
        )
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "27.00", &[])
        .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn sb_7_a_banker_with_a_net_loss_pays_no_commission() {
    // The bank loses 200.00 and wins 150.00. The house loses 50.00 and gets 10.00 from seat 1.
    RoundBuilder::of("south-beach")
        .banks(2, KING_HIGH, None)
        .seat(1, WINS, "200.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +190.00, seat 3 -100.00, banker -50.00, house -40.00");
}

#[test]
fn sb_7_commission_on_each_win_applies_to_a_net_loss_too() {
    // The banker pays 5.00 and 2.50 on its two wins.
    RoundBuilder::with("south-beach", &[("commission.banker", "each_win")], &[])
        .banks(2, KING_HIGH, None)
        .seat(1, WINS, "200.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +190.00, seat 3 -100.00, banker -57.50, house -32.50");
}

#[test]
fn sb_7_the_dealers_hand_pays_no_commission() {
    // The bank wins 100.00 and loses 50.00 to the dealer: 50.00, less 2.50.
    RoundBuilder::of("south-beach")
        .banks(2, KING_HIGH, None)
        .seat(3, LOSES, "100.00", &[])
        .dealer(WINS, "50.00")
        .settles("seat 3 -100.00, banker +47.50, house +52.50");
}

#[test]
fn ca_8_fees_follow_the_cardrooms_schedule() {
    // Seat 1 pays 1.00, seat 2 pays 2.00, and the player/dealer pays 5.00 on an action of 199.99.
    let schedule = r#"[{ wager_from = "0.00", player = "1.00", banker = "2.00" }, { wager_from = "100.00", player = "2.00", banker = "5.00" }]"#;
    RoundBuilder::with("california", &[("collection.schedule", schedule)], &[])
        .banks(4, KING_HIGH, Some("199.99"))
        .seat(1, WINS, "99.99", &[])
        .seat(2, LOSES, "100.00", &[])
        .settles("seat 1 +98.99, seat 2 -102.00, banker -4.99, house +8.00");
}
