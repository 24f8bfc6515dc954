//! The exact base game against counts kept in `golden/base-game.golden` and `golden/no-pair.golden`, against the census, and
//! against what was published elsewhere.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that expects wrongly has failed

use paigow::rulebook::{BuiltIn, Copies};
use paigow::{HandClass, HouseWay, Joker, Rank, SevenCards};
use paigow_math::{BaseGame, Census, DEALS, NoPair, Sides};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The hands that one hand leaves to the other: C(46, 7).
const HANDS_LEFT: i128 = 53_524_680;

/// The lines of a golden file that say something, in words.
fn golden(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

fn numbers(words: &[String]) -> Vec<i128> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}

#[test]
fn every_pair_of_hands_is_counted_and_the_counts_are_the_golden_ones() {
    let census = Census::take(Joker::SemiWild);
    let mut unbarred: Option<BaseGame> = None;
    let lines = golden("base-game.golden");
    for line in &lines {
        let [player, dealer, push, counts @ ..] = &line[..] else { panic!("{line:?}") };
        let load = |name: &str| HouseWay::load(name, &BuiltIn).expect("a house way");
        let dealers = load(dealer);
        let other = (player != dealer).then(|| load(player));
        let players = other.as_ref().unwrap_or(&dealers);
        let class = HandClass::from_name(push);
        let push: Vec<HandClass> = class.into_iter().collect();
        let sides =
            Sides { player: players, dealer: &dealers, ranking: dealers.ranking(), dealer_push: &push };
        let done = AtomicU64::new(0);
        let report = |work| _ = done.fetch_add(work, Ordering::Relaxed);
        let game = BaseGame::count(&sides, &report);
        assert_eq!(done.into_inner(), BaseGame::WORK, "as much work as was announced");
        let outcomes = game.outcomes(Copies::Banker);
        let counted = [outcomes.win, outcomes.push - game.dealer_push, outcomes.lose, game.dealer_push];
        assert_eq!(counted[..], numbers(counts), "{line:?}");
        assert_eq!(counted.iter().sum::<i128>(), DEALS);

        if push.is_empty() && player == dealer {
            assert_eq!(
                game.turned_round().compared,
                game.compared,
                "{line:?}: who is who makes no difference"
            );
        }
        for (rank, no_pair) in Rank::ALL.into_iter().zip(game.no_pair) {
            let pai_gow = HandClass::of_high_card(rank).filter(|class| !push.contains(class));
            let hands = pai_gow.map_or(0, |class| census.in_play(class));
            assert_eq!(
                no_pair.deals,
                i128::from(hands) * HANDS_LEFT,
                "{line:?}: dealer's highest is {rank:?}"
            );
            assert!((0..=no_pair.deals).contains(&no_pair.beaten));
        }
        assert_eq!(game.dealer_push, i128::from(class.map_or(0, |class| census.in_play(class))) * HANDS_LEFT);

        if dealer == "foxwoods" && player == dealer {
            match (class, unbarred) {
                (None, _) => check_no_pair(dealer, &game),
                (Some(class), Some(unbarred)) => check_barred(class, &game, &unbarred),
                (Some(_), None) => panic!("the line without a push comes first"),
            }
            unbarred = unbarred.or(Some(game));
        }
    }
    assert_eq!(lines.len(), 11);
}

/// The deals in which the dealer's five cards are less than a pair, as kept.
fn check_no_pair(way: &str, game: &BaseGame) {
    let lines = golden("no-pair.golden");
    let kept: Vec<_> = lines.iter().filter(|line| line[0] == way).collect();
    assert_eq!(kept.len(), HandClass::PAI_GOWS.len());
    for line in kept {
        let class = HandClass::from_name(&line[1]).expect("a class");
        let is_it = |rank: &Rank| HandClass::of_high_card(*rank) == Some(class);
        let NoPair { deals, beaten } =
            game.no_pair[Rank::ALL.into_iter().position(|rank| is_it(&rank)).unwrap()];
        assert_eq!(numbers(&line[2..]), [deals, beaten], "{class}");
    }
}

/// Hands that make wagers push are taken out of what there was, and change nothing else.
fn check_barred(class: HandClass, game: &BaseGame, unbarred: &BaseGame) {
    for ((rank, barred), before) in Rank::ALL.into_iter().zip(game.no_pair).zip(unbarred.no_pair) {
        let expected = if HandClass::of_high_card(rank) == Some(class) { NoPair::default() } else { before };
        assert_eq!(barred, expected, "{rank:?}");
    }
    let beaten = |game: &BaseGame| -> i128 { game.compared[0].iter().sum() };
    let taken = Rank::ALL.into_iter().zip(unbarred.no_pair);
    let taken = taken.filter(|(rank, _)| HandClass::of_high_card(*rank) == Some(class));
    let taken = taken.map(|(_, no_pair)| no_pair.beaten).sum::<i128>();
    assert_eq!(beaten(unbarred) - beaten(game), taken, "the dealer's five cards were beaten as often");
}

/// A part of a thousand million of all deals, rounded.
fn billionths(count: i128) -> i128 {
    (count * 2_000_000_000 / DEALS + 1) / 2
}

/// Foxwoods, 5 % commission: published as exact, 2.72 %, after months of computing (Wizard of Odds, 31 December 2013).
/// Of the dealer's hands a queen-high pai gow is one in 56.7: the census says how many.
#[test]
fn the_golden_counts_give_the_published_edge() {
    let lines = golden("base-game.golden");
    let counts = |start: &str| {
        let is_it = |line: &&Vec<String>| line[..3].join(" ") == start;
        numbers(&lines.iter().find(is_it).expect("a golden line")[3..])
    };
    let plain = counts("foxwoods foxwoods none");
    let edge = plain[2] - plain[0] + plain[0] * 5 / 100;
    assert_eq!((billionths(edge) + 50_000) / 100_000, 272, "hundredths of a percent");
    let dragon = counts("foxwoods foxwoods queen_high");
    // One dealer's hand with each of the hands it leaves to the player.
    assert_eq!(dragon[3], 2_719_500 * HANDS_LEFT);
}

/// The table by hand number holds what it was asked to, whatever the suits: one hand in three spellings.
#[test]
fn hands_alike_up_to_suits_are_set_alike() {
    let way = HouseWay::load("foxwoods", &BuiltIn).expect("a house way");
    let evaluator = paigow::Evaluator::of(way.ranking());
    let strengths = ["As Kd Tc 9h 2s 2d Jk", "Ah Kc Td 9s 2h 2c Jk", "Ad Ks Th 9c 2d 2s Jk"].map(|text| {
        let hand: SevenCards = text.parse().unwrap();
        let setting = way.decide(hand, evaluator).setting;
        (setting.high_strength, setting.low_strength)
    });
    assert_eq!(strengths[0], strengths[1]);
    assert_eq!(strengths[0], strengths[2]);
}
