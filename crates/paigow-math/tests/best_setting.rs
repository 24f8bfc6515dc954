//! The worth of settings against a plain loop over every hand the dealer may have.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that expects wrongly has failed

use paigow::rulebook::{BuiltIn, Copies};
use paigow::{
    Card, Evaluator, HandClass, Holdings, HouseWay, Joker, PartialHand, Ranking, SevenCards, Wheel,
};
use paigow_math::{BestSetting, DEALER_HANDS, Opposition};
use rayon::prelude::*;
use std::cmp::Ordering;

/// Win, push and lose of every split of a hand that is legal, by its two cards in front.
type Counts = Vec<(String, [u64; 3])>;

/// Deals the dealer every hand of the cards that are left, one by one.
fn plain_loop(hand: SevenCards, against: &Opposition<'_>) -> Counts {
    let evaluator = Evaluator::of(against.ranking);
    let holdings = Holdings::of(against.ranking.joker);
    let splits: Vec<_> = hand
        .splits()
        .map(|(high, low)| (low, evaluator.high(high), evaluator.low(low)))
        .filter(|(_, high, low)| evaluator.may_stand(*high, *low))
        .collect();
    let left: Vec<Card> = Card::deck().filter(|card| !hand.cards().contains(*card)).collect();
    assert_eq!(left.len(), 46);

    // The first two cards are shared out among the cores; the other five are taken from those after them.
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
                                let dealer = against.dealer.decide(dealt, evaluator).setting;
                                let classes = holdings.classes_of(dealt);
                                let bars = against.dealer_push.iter().any(|class| classes.contains(*class));
                                for (count, (_, high, low)) in counts.iter_mut().zip(&splits) {
                                    let beats = |order: Ordering| {
                                        order == Ordering::Greater
                                            || order == Ordering::Equal && against.copies == Copies::Player
                                    };
                                    let won = [
                                        beats(high.cmp(&dealer.high_strength)),
                                        beats(low.cmp(&dealer.low_strength)),
                                    ];
                                    let outcome = match won {
                                        _ if bars => 1,
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

fn compare(hand: &str, against: &Opposition<'_>) {
    let hand: SevenCards = hand.parse().unwrap();
    let best = BestSetting::of(hand, against);
    let mut counts: Counts = best
        .settings
        .iter()
        .map(|(setting, worth)| {
            (setting.low.to_string(), [u64::from(worth.win), worth.push(), u64::from(worth.lose)])
        })
        .collect();
    counts.sort();
    let looped = plain_loop(hand, against);
    assert!(looped.iter().all(|(_, counts)| counts.iter().sum::<u64>() == DEALER_HANDS));
    assert_eq!(counts, looped, "{hand}");

    // Best first, and the house way's own among them.
    let values: Vec<i64> = best.settings.iter().map(|(_, worth)| worth.value(against.commission)).collect();
    assert!(values.is_sorted_by(|one, other| one >= other), "{values:?}");
    let chosen = against.dealer.decide(hand, Evaluator::of(against.ranking)).setting;
    assert_eq!(best.settings[best.house_way].0, chosen);
}

/// A pair with the joker left to the dealer, at the common game.
#[test]
fn as_a_plain_loop_counts_with_commission() {
    let way = HouseWay::load("foxwoods", &BuiltIn).unwrap();
    let against = Opposition {
        dealer: &way,
        ranking: way.ranking(),
        dealer_push: &[],
        copies: Copies::Banker,
        commission: 500,
    };
    compare("As Kd Tc 9h 7s 2d 2c", &against);
}

/// A flush and the joker, the dealer's queen-high pai gow making wagers push.
#[test]
fn as_a_plain_loop_counts_where_the_dealer_may_push() {
    let way = HouseWay::load("south-beach", &BuiltIn).unwrap();
    let against = Opposition {
        dealer: &way,
        ranking: way.ranking(),
        dealer_push: &[HandClass::QueenHigh],
        copies: Copies::Banker,
        commission: 0,
    };
    compare("Ah Qh 9h 6h 4s 4c Jk", &against);
}

/// A joker that is any card, the wheel lowest, and copies going to the player: all that may differ.
#[test]
fn as_a_plain_loop_counts_under_other_rules() {
    let way = HouseWay::load("mgm-grand", &BuiltIn).unwrap();
    let ranking = Ranking { joker: Joker::FullyWild, wheel: Wheel::Lowest };
    let against =
        Opposition { dealer: &way, ranking, dealer_push: &[], copies: Copies::Player, commission: 500 };
    compare("Kc Kd 8s 7s 6s 5s 2h", &against);
}
