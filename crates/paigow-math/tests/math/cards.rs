//! The strategy cards that ship: their names, their proofs, and their prices by two methods.
//!
//! `UPDATE_GOLDEN=1 PAIGOW_ALL_COUNTS=1 cargo test -p paigow-math --test math shipped_prices_are_exact` writes the prices
//! again. `cargo xtask cards --write` runs it after the search.

use crate::base_game::all_counts;
use crate::counts::{base_game, golden};
use crate::worth_table::{PLAYER, Valued, edited};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{HouseWay, Rulebook};
use paigow_math::{
    BaseOdds, CardName, CardPrice, DecidedHands, Fraction, Matchup, Outcomes, Proof, TableSide, WorthTable,
};
use paigow_testkit::rulebook;
use std::fmt::Write as _;
use std::path::Path;

const HEAD: &str = "\
# Exact prices of the strategy cards in crates/paigow/rulebooks/cards, written by `cargo xtask cards --write`.
#
# `outcomes`: of all 8,250,459,031,214,400 deals, those that the side wins, pushes and loses if it plays by the card.
# `best`: the same if it sets every hand in the best way. `hands_set_worse`: hands that have a better setting, out of
# 154,143,080. `lines`: the hands that each line decides, and how many of them the card sets differently without the line.
";

fn cards() -> Vec<(&'static str, CardName<'static>, HouseWay)> {
    let card = |name| {
        let parts = CardName::parse(name).unwrap_or_else(|| panic!("{name} is not BOOK-SIDE-LINES"));
        (name, parts, HouseWay::built_in(name).unwrap_or_else(|error| panic!("{name}: {error}")))
    };
    BuiltIn::card_names().map(card).collect()
}

#[test]
fn names_state_the_book_the_side_and_the_number_of_lines() {
    for (name, CardName { book, lines, .. }, way) in cards() {
        assert!(BuiltIn::book_names().any(|known| known == book), "{name}: there is no book {book}");
        assert_eq!(way.clauses().len(), lines, "{name}");
        assert_eq!(way.ranking(), rulebook(book, &[]).ranking, "{name}");
    }
    let parts = CardName { book: "south-dakota", side: TableSide::Banker, lines: 8 };
    assert_eq!(CardName::parse("south-dakota-banker-8"), Some(parts));
    for wrong in
        ["", "12", "player-12", "-player-12", "ez-player", "ez-player-x", "ez-seat-12", "ez-player-0"]
    {
        assert_eq!(CardName::parse(wrong), None, "{wrong}");
    }
}

/// The count of the base game and the table of worths, two methods, give the prices in the file: for the cards of
/// [`PLAYER`], and with `PAIGOW_ALL_COUNTS` set, as by `cargo xtask cards`, for all cards, because each needs a count and each
/// book and side a table. The hands that each line decides are counted for all cards.
#[test]
fn shipped_prices_are_exact() {
    let mut text = HEAD.to_owned();
    let mut other: Option<((String, TableSide), Valued)> = None;
    let stored = CardPrice::all().unwrap();
    for (name, CardName { book, side, .. }, way) in cards() {
        let proof = Proof::of(way.as_draft(), way.ranking());
        assert!(proof.faults.is_empty(), "{name}: {:?}", proof.faults);
        let decided = DecidedHands::of(&way, way.ranking());
        // Cards of one book and side follow each other, and share a table.
        let is_players = (book, side) == (PLAYER.book.id.as_str(), TableSide::Player);
        let key = (book.to_owned(), side);
        if !is_players && all_counts() && other.as_ref().is_none_or(|(known, _)| *known != key) {
            other = Some((key, Valued::of(book, side)));
        }
        let valued = if is_players { Some(&*PLAYER) } else { other.as_ref().map(|(_, valued)| valued) };
        let price = match valued {
            Some(valued) => price_by_table(name, valued, side, &way, &decided),
            None => stored.iter().find(|price| price.name == name).expect("the card has a price").clone(),
        };
        if valued.is_some() {
            assert_eq!(counted(&rulebook(book, &[]), side, &way), price.outcomes, "{name}");
        }
        assert_eq!(decided.clauses(), price.lines, "{name}");
        write_price(&mut text, &price);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cards.toml");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert!(stored == text, "{} is out of date: run with UPDATE_GOLDEN=1\n{text}", path.display());
}

/// Prices a card by a table of worths, and compares the hands that each line decides.
fn price_by_table(
    name: &str,
    valued: &Valued,
    side: TableSide,
    way: &HouseWay,
    decided: &DecidedHands,
) -> CardPrice {
    let (decisions, price) = valued.price(way);
    let table: &WorthTable = &valued.table;
    for (line, count) in decided.clauses().iter().enumerate() {
        assert_eq!(count.hands, price.clauses[line].hands, "{name}, line {}", line + 1);
        // The last line must stay.
        let removed = (line + 1 < way.clauses().len()).then(|| {
            let without = edited(name, |lines| _ = lines.remove(line));
            table.changes(&decisions, &table.decide_again(&without, &decisions, line), 0).hands
        });
        assert_eq!(count.contested, removed.unwrap_or(0), "{name}, line {}", line + 1);
    }
    CardPrice {
        name: name.to_owned(),
        book: valued.book.id.clone(),
        side,
        against: valued.book.house_way.id().to_owned(),
        outcomes: price.outcomes,
        best: price.best,
        hands_set_worse: price.hands_set_worse,
        lines: decided.clauses().to_vec(),
    }
}

/// Outcomes of a side that plays by a card, by the count of the base game.
fn counted(book: &Rulebook, side: TableSide, way: &HouseWay) -> Outcomes {
    let push = &book.base_game.dealer_push[..];
    let game = |player, dealer, dealer_push| {
        let matchup = Matchup { player, dealer, ranking: book.ranking, dealer_push };
        base_game(&matchup).outcomes(book.base_game.copies)
    };
    match side {
        TableSide::Player => game(way, &book.house_way, push),
        TableSide::Banker => game(&book.house_way, way, &[]).exchanged(),
        TableSide::Dealer => game(&book.house_way, way, push).exchanged(),
    }
}

fn write_price(text: &mut String, price: &CardPrice) {
    let CardPrice { name, book, side, against, outcomes, best, hands_set_worse, lines } = price;
    let side = side.name();
    let written =
        |Outcomes { win, push, lose }: &Outcomes| format!("{{ win = {win}, push = {push}, lose = {lose} }}");
    writeln!(text, "\n[[cards]]\nname = \"{name}\"\nbook = \"{book}\"").unwrap();
    writeln!(text, "side = \"{side}\"\nagainst = \"{against}\"").unwrap();
    writeln!(text, "outcomes = {}\nbest = {}", written(outcomes), written(best)).unwrap();
    writeln!(text, "hands_set_worse = {hands_set_worse}\nlines = [").unwrap();
    for count in lines {
        writeln!(text, "    {{ hands = {}, contested = {} }},", count.hands, count.contested).unwrap();
    }
    writeln!(text, "]").unwrap();
}

/// House edge or loss of a side with these outcomes.
fn edge(book: &Rulebook, outcomes: Outcomes) -> Fraction {
    let commission = Fraction::new(book.commission.basis_points, 10_000);
    BaseOdds { outcomes, commission }.edge()
}

/// Value that a player who sets by a card gives away, by the prices that [`shipped_prices_are_exact`] checks.
fn given_away(name: &str) -> Fraction {
    let price = CardPrice::all().unwrap().into_iter().find(|price| price.name == name).expect("a card");
    let book = rulebook(&price.book, &[]);
    edge(&book, price.outcomes) - edge(&book, price.best)
}

/// The targets of the cards, in ten-thousandths of a percent of the wager.
#[test]
fn cards_meet_their_targets() {
    for (lines, target) in [(12, 500), (20, 200), (30, 120)] {
        let cost = given_away(&format!("washington-player-{lines}"));
        assert!(cost > Fraction::zero() && cost <= Fraction::new(target, 1_000_000), "{lines} lines: {cost}");
    }
}

/// No sum of a card can be replaced by a multiple of five at the same price, unless it is one already.
#[test]
fn rounder_sums_cost_more() {
    for name in ["washington-player-12", "washington-player-20", "washington-player-30"] {
        let cost = PLAYER.price(&HouseWay::built_in(name).unwrap()).1.cost;
        let source = BuiltIn.house_way(name, None).expect("a card");
        // Hands that a line cannot set go on to the next line, as in the search.
        let text =
            source.text.replace("if_possible = true\n", "").replace("\nsays", "\nif_possible = true\nsays");
        let last = text.rfind("if_possible = true\n").expect("a last line");
        let text = text[..last].to_owned() + text[last..].trim_start_matches("if_possible = true\n");
        let mut compared = 0;
        for (start, words) in text.match_indices("sum at least ").chain(text.match_indices("sum at most ")) {
            let (before, after) = text.split_at(start + words.len());
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            if after[..digits].parse::<u32>().unwrap() % 5 == 0 {
                continue;
            }
            for rounder in [5, 10, 15, 20, 25] {
                let text = format!("{before}{rounder}{}", &after[digits..]);
                let way = HouseWay::parse(name, &Source::new(name, text)).expect("a house way");
                let rounder_cost = PLAYER.price(&way).1.cost;
                assert!(rounder_cost > cost, "{name}: {words}{}: {rounder}", &after[..digits]);
                compared += 1;
            }
        }
        assert!(compared > 0, "{name} has only round sums");
    }
}

/// The price of the card of 12 lines is the difference between the edge of a player who sets by it, by the count of the
/// base game, and the edge of best play by `paigow strategy`, which values the settings of single hands. The manual has
/// the same fraction.
#[test]
fn price_is_the_difference_of_odds_and_strategy() {
    let (name, book) = ("washington-player-12", rulebook("washington", &[]));
    let by_card = counted(&book, TableSide::Player, &HouseWay::built_in(name).unwrap());
    let best = golden("strategy.golden").into_iter().find(|line| line[0] == "best").expect("a line");
    let [win, push, lose] = [1, 2, 3].map(|column| best[column].parse().unwrap());
    let difference = edge(&book, by_card) - edge(&book, Outcomes { win, push, lose });
    assert_eq!(difference, given_away(name));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/strategy.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(&format!("or exactly {difference} of the wager")), "{difference}");
}

/// The program reads what the file says, and its cards are those that ship.
#[test]
fn prices_are_read() {
    let prices = CardPrice::all().unwrap();
    let names: Vec<&str> = prices.iter().map(|price| price.name.as_str()).collect();
    assert_eq!(names, BuiltIn::card_names().collect::<Vec<_>>());
    for price in &prices {
        let CardName { book, side, lines } = CardName::parse(&price.name).unwrap();
        assert_eq!((price.book.as_str(), price.side, price.lines.len()), (book, side, lines));
        assert_eq!(price.against, rulebook(book, &[]).house_way.id(), "{}", price.name);
        assert_eq!(price.lines.iter().map(|line| line.hands).sum::<u64>(), 154_143_080);
        for Outcomes { win, push, lose } in [price.outcomes, price.best] {
            assert_eq!(win + push + lose, paigow_math::DEALS);
        }
    }
    for wrong in ["", "cards = 1", "cards = [1]", "cards = [{ name = \"a\" }]", "["] {
        assert!(CardPrice::read(wrong).is_err(), "{wrong}");
    }
    let fault = CardPrice::read("[[cards]]\nlines = []\nname = 7").unwrap_err();
    assert_eq!(fault.to_string(), "prices of cards: card 1: `name` is missing or wrong");
}
