//! Tables for random rounds: every book, with overrides and posted paytables.

use paigow::TableRules;
use paigow::rulebook::BuiltIn;
use paigow_testkit::table_rules;
use std::sync::Arc;

/// Maximum payouts for wagers without one.
pub(super) const LIMIT_PER_HAND: &str = r#"{ amount = "250.01", per = "hand", cite = "assumed: a test" }"#;
pub(super) const LIMIT_PER_ROUND: &str = r#"{ amount = "100.00", per = "round", cite = "assumed: a test" }"#;
pub(super) const FIVE_CENTS_PER_ROUND: &str =
    r#"{ amount = "0.05", per = "round", cite = "assumed: a test" }"#;
/// Collection fees by the size of the base wager.
const FEES: &str = r#"[
    { wager_from = "0.00", player = "1.00", banker = "2.00" },
    { wager_from = "50.00", player = "1.50", banker = "3.00" },
    { wager_from = "1000.00", player = "4.00", banker = "25.25" },
]"#;

/// Collection fees on side wagers.
const BONUS_FEES: &str = r#"[
    { wager_from = "0.00", player = "0.25", banker = "0.50" },
    { wager_from = "25.00", player = "0.50", banker = "2.00" },
]"#;

/// Tables: a book, changed values (`key = value`) and posted paytables (`wager: paytable`).
pub(super) const TABLES: [&str; 50] = [
    "south-beach",
    "south-beach, commission.rounding = up, commission.unit = 0.25, commission.percent = 2.5",
    "south-beach, commission.rounding = down, commission.unit = 0.25",
    "south-beach, commission.rounding = nearest, commission.unit = 0.10, commission.percent = 2.5",
    "south-beach, base_game.copies = player",
    "south-beach, commission.banker = each_win, commission.rounding = up, commission.unit = 0.05",
    "south-beach, banking.cover = some_or_all",
    "south-beach, banking.cover = some_or_all, banking.cover_use = losses_only, commission.banker = each_win",
    "south-beach, banking.cover = some_or_all, commission.rounding = up, commission.unit = 0.25",
    "south-beach, wagers.fortune.settled_by = banker, wagers.fortune.banker_wagers = false, wagers.fortune.payout_max.amount = 150.00",
    "south-beach, wagers.fortune.payout_max.amount = 33.33, wagers.fortune.payout_max.per = round",
    "south-beach, collection.schedule = FEES, collection.cite = a test, setting.player_foul = house_way",
    "south-beach, ranking.joker = fully_wild",
    "south-dakota",
    "south-dakota, fortune: 2, dealing.order = clockwise",
    "south-dakota, fortune: 3, base_game.copies = player",
    "south-dakota, fortune: 4, wagers.fortune.envy.from = 7.77",
    "south-dakota, fortune: 6",
    "south-dakota, fortune: 7",
    "south-beach, wagers.fortune.banker_wagers = true, wagers.fortune.envy.banker_hand = true",
    "washington",
    "washington, fortune: FPG-04, pai-gowd: 01, wagers.fortune.payout_max = LIMIT_PER_ROUND",
    "washington, fortune: Washington, wagers.fortune.payout_max = FIVE_CENTS_PER_ROUND, dealing.order = clockwise",
    "washington, pai-gowd: 03, wagers.fortune.payout_max = LIMIT_PER_HAND",
    "washington, fortune: FPG-07, wagers.pai-gowd.player_must_beat = false, setting.player_foul = house_way",
    "washington, banking.bankers = OR_SEAT, banking.plays_dealer = true, wagers.pai-gowd.settled_by = banker",
    "washington, fortune: FPG-03, banking.bankers = OR_PLAYER_DEALER, banking.cover = some_or_all",
    "california",
    "california, fortune: FPG-02, banking.cover_use = losses_only",
    "california, fortune: FPG-01, banking.cover_use = once_in_all",
    "california, fortune: FPG-03, banking.cover_use = once_in_all, banking.pays_from = reserved",
    "california, fortune: FPG-07, collection.schedule = FEES",
    "california, fortune: FPG-08, banking.cover = all",
    "california, fortune: FPG-02, collection.schedule = FEES, collection.bonus = BONUS_FEES",
    "california, fortune: FPG-03, banking.cover_use = losses_only, base_game.bonus_wagers_settled = seat_by_seat",
    "california, fortune: FPG-04, banking.pays_from = reserved, wagers.fortune.payout_max = LIMIT_PER_HAND",
    "california, fortune: FPG-01, banking.pays_from = guaranteed, collection.schedule = FEES, collection.taken = last, base_game.bonus_wagers_settled = seat_by_seat",
    "california, fortune: FPG-09, wagers.fortune.payout_max = LIMIT_PER_ROUND, dealing.order = clockwise",
    "california, fortune: FPG-05, commission.percent = 5, base_game.copies = player",
    "california, fortune: FPG-06, commission.percent = 3.33, commission.banker = net_win",
    "california, fortune: FPG-04, wagers.fortune.settled_by = house, banking.cover_use = losses_only",
    "ez",
    "ez, dynasty: 2, ranking.joker = fully_wild",
    "ez, dynasty: 3, base_game.dealer_push = LOW_HANDS",
    "ez, dynasty: 3, base_game.dealer_push = LOW_HANDS, base_game.dealer_push_fouls = false",
    "ez, dynasty: 4, banking.bankers = OR_SEAT, commission.percent = 5, wagers.dynasty.settled_by = banker",
    "ez, dynasty: 5, banking.bankers = OR_SEAT, wagers.queens-dragon.settled_by = banker",
    "ez, dynasty: 6, wagers.red-black.payout_max = LIMIT_PER_ROUND",
    "ez, dynasty: 7, wagers.protection.payout_max = LIMIT_PER_ROUND, dealing.order = clockwise",
    "ez, base_game.copies = player, seats.players = 4",
];

/// Parses an entry of [`TABLES`].
pub(super) fn table(text: &'static str) -> Arc<TableRules> {
    let (mut changes, mut posted) = (Vec::new(), Vec::new());
    let mut parts = text.split(", ");
    let book = parts.next().expect("a book");
    for part in parts {
        match (part.split_once(" = "), part.split_once(": ")) {
            (Some((key, value)), _) => changes.push((key, value_of(value))),
            (_, Some(post)) => posted.push(post),
            _ => panic!("{part}"),
        }
    }
    table_rules(book, &changes, &posted)
}

/// Replaces an abbreviated value of [`TABLES`] by its full text.
fn value_of(name: &'static str) -> &'static str {
    match name {
        "FEES" => FEES,
        "BONUS_FEES" => BONUS_FEES,
        "LIMIT_PER_HAND" => LIMIT_PER_HAND,
        "LIMIT_PER_ROUND" => LIMIT_PER_ROUND,
        "FIVE_CENTS_PER_ROUND" => FIVE_CENTS_PER_ROUND,
        "OR_SEAT" => r#"["dealer", "seat"]"#,
        "OR_PLAYER_DEALER" => r#"["dealer", "player_dealer"]"#,
        "LOW_HANDS" => r#"["queen_high", "king_high", "pair"]"#,
        value => value,
    }
}

#[test]
fn every_book_is_among_the_tables() {
    for name in BuiltIn::book_names() {
        assert!(TABLES.contains(&name), "{name}");
    }
}
