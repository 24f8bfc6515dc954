//! The exact base game against `golden/base-game.golden`, `golden/no-pair.golden`, the census and a published edge.

use crate::counts::{base_game, census, golden};
use paigow::rulebook::{BuiltIn, CopyWinner};
use paigow::{HandClass, HouseWay, Joker, Rank, SevenCards};
use paigow_math::{BaseGame, DEALS, Matchup, NoPair};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of hands that share no card with a given hand: C(46, 7).
const HANDS_LEFT: i128 = 53_524_680;

/// A line of `golden/base-game.golden`.
struct GoldenGame {
    player: HouseWay,
    dealer: HouseWay,
    /// Class of the dealer's hand that pushes.
    push: Option<HandClass>,
    /// Deals that the player wins, pushes and loses, and those that the dealer's hand makes push.
    counts: Vec<i128>,
}

impl GoldenGame {
    fn list() -> Vec<GoldenGame> {
        let load = |name: &str| HouseWay::load(name, &BuiltIn).expect("a house way");
        let game = |line: Vec<String>| {
            let [player, dealer, push, counts @ ..] = &line[..] else { panic!("{line:?}") };
            let push = HandClass::from_name(push);
            GoldenGame { player: load(player), dealer: load(dealer), push, counts: numbers(counts) }
        };
        golden("base-game.golden").into_iter().map(game).collect()
    }

    fn matchup(&self) -> Matchup<'_> {
        let (player, dealer) = (&self.player, &self.dealer);
        Matchup { player, dealer, ranking: dealer.ranking(), dealer_push: self.push.as_slice() }
    }

    fn name(&self) -> String {
        format!("{} against {}, push {:?}", self.player.id(), self.dealer.id(), self.push)
    }
}

fn numbers(words: &[String]) -> Vec<i128> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}

#[test]
fn base_game_counts_match_golden_files() {
    let census = census(Joker::SemiWild);
    let mut without_push: Option<BaseGame> = None;
    let golden_games = GoldenGame::list();
    for golden_game in &golden_games {
        let GoldenGame { player, dealer, push, counts } = golden_game;
        let (name, sets_alike) = (golden_game.name(), player.id() == dealer.id());
        let game = base_game(&golden_game.matchup());
        let outcomes = game.outcomes(CopyWinner::Banker);
        let counted = [outcomes.win, outcomes.push - game.dealer_push, outcomes.lose, game.dealer_push];
        assert_eq!(counted[..], counts[..], "{name}");
        assert_eq!(counted.iter().sum::<i128>(), DEALS);

        if push.is_none() && sets_alike {
            assert_eq!(
                game.swapped().compared,
                game.compared,
                "{name}: the game is symmetric if both sides set alike"
            );
        }
        for (rank, no_pair) in Rank::ALL.into_iter().zip(game.no_pair) {
            let pai_gow = HandClass::of_high_card(rank).filter(|class| *push != Some(*class));
            let hands = pai_gow.map_or(0, |class| census.in_play(class));
            assert_eq!(no_pair.deals, i128::from(hands) * HANDS_LEFT, "{name}: dealer's highest is {rank:?}");
            assert!((0..=no_pair.deals).contains(&no_pair.beaten));
        }
        assert_eq!(game.dealer_push, i128::from(push.map_or(0, |class| census.in_play(class))) * HANDS_LEFT);

        if dealer.id() == "foxwoods" && sets_alike {
            match (push, without_push) {
                (None, _) => check_no_pair(dealer.id(), &game),
                (Some(class), Some(without_push)) => check_dealer_push(*class, &game, &without_push),
                (Some(_), None) => panic!("the line without a push comes first"),
            }
            without_push = without_push.or(Some(game));
        }
    }
    assert_eq!(golden_games.len(), 11);
}

/// Whether the counts that take longer are made too, as by `cargo xtask counts`.
pub(crate) fn all_counts() -> bool {
    std::env::var_os("PAIGOW_ALL_COUNTS").is_some()
}

/// Compares the count by blocks with the count by sets: for sides that set differently and a dealer's hand that pushes,
/// and with `PAIGOW_ALL_COUNTS` set, for every golden line.
#[test]
fn counts_by_blocks_and_by_sets_agree() {
    let way = |name: &str| HouseWay::load(name, &BuiltIn).expect("a house way");
    let push = Some(HandClass::QueenHigh);
    let different = GoldenGame { player: way("south-beach"), dealer: way("foxwoods"), push, counts: vec![] };
    let mut games = vec![different];
    if all_counts() {
        games.extend(GoldenGame::list());
    }
    for game in games {
        let done = AtomicU64::new(0);
        let report = |work| _ = done.fetch_add(work, Ordering::Relaxed);
        let by_sets = BaseGame::count_by_sets(&game.matchup(), &report);
        assert_eq!(base_game(&game.matchup()), by_sets, "{}", game.name());
        assert_eq!(done.into_inner(), BaseGame::WORK_BY_SETS, "the reported work adds up");
    }
}

/// A class that needs two cards of one other suit beside the flush is counted by sets. Runs only with
/// `PAIGOW_ALL_COUNTS` set, because the count takes long and no rule book has such a rule.
#[test]
fn dealer_push_that_depends_on_other_suits_is_counted() {
    if !all_counts() {
        return;
    }
    let way = HouseWay::load("foxwoods", &BuiltIn).expect("a house way");
    let class = HandClass::RoyalFlushRoyalMatch;
    let matchup = Matchup { player: &way, dealer: &way, ranking: way.ranking(), dealer_push: &[class] };
    let hands = census(Joker::SemiWild).in_play(class);
    assert_eq!(base_game(&matchup).dealer_push, i128::from(hands) * HANDS_LEFT);
}

/// Compares the deals in which the dealer's high hand is less than a pair with the golden file.
fn check_no_pair(way: &str, game: &BaseGame) {
    let lines = golden("no-pair.golden");
    let expected: Vec<_> = lines.iter().filter(|line| line[0] == way).collect();
    assert_eq!(expected.len(), HandClass::PAI_GOWS.len());
    for line in expected {
        let class = HandClass::from_name(&line[1]).expect("a class");
        let is_class = |rank: &Rank| HandClass::of_high_card(*rank) == Some(class);
        let NoPair { deals, beaten } =
            game.no_pair[Rank::ALL.into_iter().position(|rank| is_class(&rank)).unwrap()];
        assert_eq!(numbers(&line[2..]), [deals, beaten], "{class}");
    }
}

/// Hands that make wagers push leave the counts without a pair, and change no other count.
fn check_dealer_push(class: HandClass, game: &BaseGame, without_push: &BaseGame) {
    for ((rank, counted), before) in Rank::ALL.into_iter().zip(game.no_pair).zip(without_push.no_pair) {
        let expected = if HandClass::of_high_card(rank) == Some(class) { NoPair::default() } else { before };
        assert_eq!(counted, expected, "{rank:?}");
    }
    let beaten = |game: &BaseGame| -> i128 { game.compared[0].iter().sum() };
    let removed = Rank::ALL.into_iter().zip(without_push.no_pair);
    let removed = removed.filter(|(rank, _)| HandClass::of_high_card(*rank) == Some(class));
    let removed = removed.map(|(_, no_pair)| no_pair.beaten).sum::<i128>();
    assert_eq!(
        beaten(without_push) - beaten(game),
        removed,
        "deals in which the dealer's high hand is beaten"
    );
}

/// A count in billionths of all deals, rounded.
fn billionths(count: i128) -> i128 {
    (count * 2_000_000_000 / DEALS + 1) / 2
}

/// Foxwoods, 5 % commission: the published exact edge is 2.72 %, after months of computing (Wizard of Odds,
/// 31 December 2013). One in 56.7 of the dealer's hands is a queen-high pai gow. The census gives the number.
#[test]
fn golden_counts_give_the_published_edge() {
    let lines = golden("base-game.golden");
    let counts = |start: &str| {
        let starts_with = |line: &&Vec<String>| line[..3].join(" ") == start;
        numbers(&lines.iter().find(starts_with).expect("a golden line")[3..])
    };
    let plain = counts("foxwoods foxwoods none");
    let edge = plain[2] - plain[0] + plain[0] * 5 / 100;
    assert_eq!((billionths(edge) + 50_000) / 100_000, 272, "hundredths of a percent");
    let dragon = counts("foxwoods foxwoods queen_high");
    // Each such dealer's hand leaves C(46, 7) hands to the player.
    assert_eq!(dragon[3], 2_719_500 * HANDS_LEFT);
}

/// Three hands of one suit class have the same strengths when set.
#[test]
fn hands_of_a_suit_class_are_set_alike() {
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
