//! The worth of settings against a plain loop over every possible dealer's hand.

use paigow::rulebook::{BuiltIn, CopyWinner};
use paigow::{
    Card, Evaluator, HandClass, Holdings, HouseWay, Joker, PartialHand, Ranking, SevenCards, Wheel,
};
use paigow_math::{BestSetting, DEALER_HANDS, Opposition};
use rayon::prelude::*;
use std::cmp::Ordering;

/// Wins, pushes and losses of every legal setting of a hand, by its low hand.
type Counts = Vec<(String, [u64; 3])>;

/// Counts the outcomes against every dealer's hand of the remaining cards, one by one.
fn plain_loop(hand: SevenCards, opposition: &Opposition<'_>) -> Counts {
    let evaluator = Evaluator::of(opposition.ranking);
    let holdings = Holdings::of(opposition.ranking.joker);
    let splits: Vec<_> = hand
        .splits()
        .map(|(high, low)| (low, evaluator.high(high), evaluator.low(low)))
        .filter(|(_, high, low)| evaluator.is_legal(*high, *low))
        .collect();
    let left: Vec<Card> = Card::deck().filter(|card| !hand.cards().contains(*card)).collect();
    assert_eq!(left.len(), 46);

    // The pairs of the first two cards are distributed over the threads. The other five cards follow in deck order.
    let starts: Vec<(usize, usize)> = (0..46).flat_map(|a| (a + 1..46).map(move |b| (a, b))).collect();
    let none = || vec![[0u64; 3]; splits.len()];
    let counts = starts
        .par_iter()
        .map(|&(a, b)| {
            let mut counts = none();
            let two = PartialHand::EMPTY.with(left[a]).with(left[b]);
            for c in b + 1..46 {
                let three = two.with(left[c]);
                for d in c + 1..46 {
                    let four = three.with(left[d]);
                    for e in d + 1..46 {
                        let five = four.with(left[e]);
                        for f in e + 1..46 {
                            let six = five.with(left[f]);
                            for last in &left[f + 1..] {
                                let dealt: SevenCards = six.with(*last).hand().unwrap();
                                let dealer = opposition.dealer.decide(dealt, evaluator).setting;
                                let classes = holdings.classes_of(dealt);
                                let pushes =
                                    opposition.dealer_push.iter().any(|class| classes.contains(*class));
                                for (count, (_, high, low)) in counts.iter_mut().zip(&splits) {
                                    let beats = |order: Ordering| {
                                        order == Ordering::Greater
                                            || order == Ordering::Equal
                                                && opposition.copies == CopyWinner::Player
                                    };
                                    let won = [
                                        beats(high.cmp(&dealer.high_strength)),
                                        beats(low.cmp(&dealer.low_strength)),
                                    ];
                                    let outcome = match won {
                                        _ if pushes => 1,
                                        [true, true] => 0,
                                        [false, false] => 2,
                                        _ => 1,
                                    };
                                    count[outcome] += 1;
                                }
                            }
                        }
                    }
                }
            }
            counts
        })
        .reduce(none, |mut one, other| {
            one.iter_mut().flatten().zip(other.iter().flatten()).for_each(|(one, other)| *one += other);
            one
        });
    let mut counts: Counts =
        splits.iter().zip(counts).map(|((low, _, _), counts)| (low.to_string(), counts)).collect();
    counts.sort();
    counts
}

fn compare(hand: &str, opposition: &Opposition<'_>) {
    let hand: SevenCards = hand.parse().unwrap();
    let best = BestSetting::of(hand, opposition);
    let mut counts: Counts = best
        .settings
        .iter()
        .map(|(setting, worth)| {
            (setting.low.to_string(), [u64::from(worth.win), worth.push(), u64::from(worth.lose)])
        })
        .collect();
    counts.sort();
    let looped = plain_loop(hand, opposition);
    assert!(looped.iter().all(|(_, counts)| counts.iter().sum::<u64>() == DEALER_HANDS));
    assert_eq!(counts, looped, "{hand}");

    // The best setting comes first, and `house_way` is the index of the house-way setting.
    let values: Vec<i64> =
        best.settings.iter().map(|(_, worth)| worth.value(opposition.commission)).collect();
    assert!(values.is_sorted_by(|one, other| one >= other), "{values:?}");
    let chosen = opposition.dealer.decide(hand, Evaluator::of(opposition.ranking)).setting;
    assert_eq!(best.settings[best.house_way].0, chosen);
}

/// A pair under the usual rules. The joker is among the remaining cards.
#[test]
fn matches_plain_loop_with_commission() {
    let way = HouseWay::load("foxwoods", &BuiltIn).unwrap();
    let opposition = Opposition {
        dealer: &way,
        ranking: way.ranking(),
        dealer_push: &[],
        copies: CopyWinner::Banker,
        commission: 500,
    };
    compare("As Kd Tc 9h 7s 2d 2c", &opposition);
}

/// A flush with the joker. The dealer's queen-high pai gow makes wagers push.
#[test]
fn matches_plain_loop_with_dealer_push() {
    let way = HouseWay::load("south-beach", &BuiltIn).unwrap();
    let opposition = Opposition {
        dealer: &way,
        ranking: way.ranking(),
        dealer_push: &[HandClass::QueenHigh],
        copies: CopyWinner::Banker,
        commission: 0,
    };
    compare("Ah Qh 9h 6h 4s 4c Jk", &opposition);
}

/// The less common rules: a fully wild joker, the wheel lowest, and copies to the player.
#[test]
fn matches_plain_loop_under_other_rules() {
    let way = HouseWay::load("mgm-grand", &BuiltIn).unwrap();
    let ranking = Ranking { joker: Joker::FullyWild, wheel: Wheel::Lowest };
    let opposition =
        Opposition { dealer: &way, ranking, dealer_push: &[], copies: CopyWinner::Player, commission: 500 };
    compare("Kc Kd 8s 7s 6s 5s 2h", &opposition);
}
