//! The odds of every side wager against the fractions in `golden/odds.golden` and against integer arithmetic on their
//! rows.
//!
//! `UPDATE_GOLDEN=1 cargo test -p paigow-math --test math golden_odds::` rewrites the file.

use crate::counts::{census, golden, golden_path};
use paigow::rulebook::{BuiltIn, SideWager};
use paigow::{Amount, HandClass, Pays, Paytable, Rank, Rulebook};
use paigow_math::{BaseGame, CountBasis, WagerOdds};
use paigow_testkit::rulebook;
use std::fmt::Write;

const HEAD: &str = "\
# Every side wager of every book: the part of a wager that the house keeps, with one player and no maximum, how often it wins,
# and what each other player's hand gives back in envy bonuses of a wager that is just enough for them. Exact, in lowest terms.
";

/// A game with the deals without a pair from `golden/no-pair.golden`. All its other counts are zero.
fn game(way: &str) -> BaseGame {
    let mut game = BaseGame::default();
    let mut seen = 0;
    for line in golden("no-pair.golden") {
        let [name, class, deals, beaten] = &line[..] else { panic!("{line:?}") };
        if name == way {
            let class = HandClass::from_name(class).expect("a class");
            let is_class = |rank: &Rank| HandClass::of_high_card(*rank) == Some(class);
            let rank = Rank::ALL.iter().position(is_class).expect("its high card");
            game.no_pair[rank].deals = deals.parse().unwrap();
            game.no_pair[rank].beaten = beaten.parse().unwrap();
            seen += 1;
        }
    }
    assert_eq!(seen, HandClass::PAI_GOWS.len(), "{way}");
    game
}

fn odds<'a>(book: &Rulebook, wager: &'a SideWager, paytable: &Paytable) -> WagerOdds<'a> {
    WagerOdds::of(wager, paytable, census(paytable.joker), || {
        // The golden counts are under the house way's own ranking.
        assert_eq!(book.house_way.ranking(), book.ranking);
        assert_eq!(paytable.joker, book.ranking.joker);
        game(book.house_way.id())
    })
}

/// Formats a fraction in lowest terms, by Euclid's algorithm.
fn lowest_terms(num: i128, den: i128) -> String {
    let (mut one, mut other) = (num.abs(), den);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    format!("{}/{}", num / one, den / one)
}

/// Edge, hit frequency and envy value from the rows, in integer arithmetic.
fn edge_hits_and_envy(wager: &SideWager, odds: &WagerOdds<'_>) -> [String; 3] {
    let all = match odds.of {
        CountBasis::Hands => 154_143_080,
        CountBasis::Deals => 8_250_459_031_214_400,
    };
    let (mut kept, mut hits, mut envy) = (all, 0, 0);
    for (row, count) in &odds.rows {
        let returned = match row.pays {
            Pays::Push => 1,
            Pays::ToOne(times) => {
                hits += count;
                1 + i128::from(times)
            }
        };
        kept -= returned * count;
        envy += i128::from(row.envy.map_or(0, Amount::cents)) * count;
    }
    let from = wager.envy.as_ref().map_or(1, |envy| i128::from(envy.from.cents()));
    [lowest_terms(kept, all), lowest_terms(hits, all), lowest_terms(envy, from * all)]
}

#[test]
fn side_wager_odds_match_golden_file() {
    let mut text = HEAD.to_owned();
    let [book, wager, paytable, edge, hits, envy] =
        ["# book", "wager", "paytable", "edge", "hit frequency", "envy"];
    writeln!(text, "{book:<14} {wager:<14} {paytable:<11} {edge:<36} {hits:<36} {envy}").unwrap();
    for name in BuiltIn::book_names() {
        let book = rulebook(name, &[]);
        for wager in &book.wagers {
            for paytable in &wager.paytables {
                let odds = odds(&book, wager, paytable);
                let [edge, hits, envy] =
                    [odds.edge(), odds.hit_frequency(), odds.envy()].map(|part| part.to_string());
                let label = format!("{name:<14} {:<14} {:<11}", wager.name, paytable.name);
                assert_eq!([&edge, &hits, &envy], edge_hits_and_envy(wager, &odds).each_ref(), "{label}");
                writeln!(text, "{label} {edge:<36} {hits:<36} {envy}").unwrap();
            }
        }
    }
    let path = golden_path("odds.golden");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).expect("the odds are written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    for (counted, kept) in text.lines().zip(kept.lines()) {
        assert_eq!(counted, kept);
    }
    assert!(text == kept, "{} differs: run with UPDATE_GOLDEN=1", path.display());
}
