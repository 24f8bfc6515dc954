//! The evaluators against the oracle, on every hand.

use crate::oracle;
use paigow::{
    Card, CardSet, Category, Evaluator, FiveCards, Hand, HandClass, HighStrength, Holdings, Joker,
    LowStrength, Ranking,
};
use paigow_math::SuitClasses;
use std::collections::BTreeMap;
use std::sync::OnceLock;

fn array<const N: usize>(cards: CardSet) -> [Card; N] {
    let cards: Vec<Card> = cards.iter().collect();
    cards.try_into().expect("as many cards as the hand has")
}

/// Visits every set of `N` cards once.
fn every_hand<const N: usize>(mut visit: impl FnMut(Hand<N>)) {
    fn add<const N: usize>(deck: &[Card], hand: CardSet, visit: &mut impl FnMut(Hand<N>)) {
        if hand.len() == N {
            return visit(Hand::new(hand).expect("N cards"));
        }
        for (i, &card) in deck.iter().enumerate() {
            add(&deck[i + 1..], hand.with(card), visit);
        }
    }
    add(&Card::deck().collect::<Vec<_>>(), CardSet::EMPTY, &mut visit);
}

/// The five-card hands under a ranking, with the values of the oracle.
pub(crate) struct HighHands {
    /// Value and one hand of each strength.
    by_strength: BTreeMap<HighStrength, (oracle::Value, FiveCards)>,
    /// Number of hands in each category, the weakest first.
    pub(crate) frequencies: [u32; 11],
    /// The same for the hands without the joker.
    pub(crate) natural_frequencies: [u32; 11],
}

/// Evaluates every five-card hand by the oracle. Asserts that all hands of a strength have the same value.
pub(crate) fn high_hands(ranking: Ranking) -> &'static HighHands {
    static HIGH_HANDS: [OnceLock<HighHands>; 4] = [const { OnceLock::new() }; 4];
    let index = Ranking::ALL.iter().position(|other| *other == ranking).expect("a ranking");
    HIGH_HANDS[index].get_or_init(|| {
        let evaluator = Evaluator::of(ranking);
        let mut by_strength = BTreeMap::new();
        let (mut frequencies, mut natural_frequencies) = ([0_u32; 11], [0_u32; 11]);
        every_hand::<5>(|hand| {
            let strength = evaluator.high(hand);
            let value = oracle::high(&array(hand.cards()), ranking);
            let (same, _) = by_strength.entry(strength).or_insert((value, hand));
            assert_eq!(*same, value, "{hand} under {ranking}");
            frequencies[value.category as usize] += 1;
            natural_frequencies[value.category as usize] += u32::from(!hand.cards().has_joker());
        });
        assert_eq!(frequencies.iter().sum::<u32>(), 2_869_685);
        HighHands { by_strength, frequencies, natural_frequencies }
    })
}

/// Checks that the values increase strictly with the strengths.
fn check_order(values: impl Iterator<Item = oracle::Value>) {
    let values: Vec<oracle::Value> = values.collect();
    assert!(
        values.is_sorted_by(|weaker, stronger| weaker < stronger),
        "values in the order of the strengths"
    );
}

#[test]
fn high_hands_rank_like_the_oracle() {
    for (ranking, strengths) in Ranking::ALL.into_iter().zip([7_463, 7_463, 7_475, 7_475]) {
        let evaluator = Evaluator::of(ranking);
        let hands = &high_hands(ranking).by_strength;
        check_order(hands.values().map(|(value, _)| *value));
        assert_eq!(hands.len(), strengths, "{ranking}");
        for (strength, (value, hand)) in hands {
            assert_eq!(strength.category(), value.category, "{hand} under {ranking}");
            assert_eq!(evaluator.shape(*strength).category, value.category, "{hand} under {ranking}");
        }
    }
}

#[test]
fn low_hands_rank_like_the_oracle() {
    for ranking in Ranking::ALL {
        let evaluator = Evaluator::of(ranking);
        let mut values: BTreeMap<LowStrength, oracle::Value> = BTreeMap::new();
        let mut hands = 0;
        every_hand::<2>(|hand| {
            hands += 1;
            let value = oracle::low(&array(hand.cards()), ranking.joker);
            let strength = evaluator.low(hand);
            assert_eq!(*values.entry(strength).or_insert(value), value, "{hand} under {ranking}");
            assert_eq!(strength.category(), value.category, "{hand} under {ranking}");
        });
        assert_eq!(hands, 1_378);
        check_order(values.values().copied());
        assert_eq!(values.len(), 91, "{ranking}");
    }
}

/// Legality depends only on strengths, so one pair of hands for each pair of strengths is enough.
#[test]
fn legality_of_settings_matches_the_oracle() {
    for ranking in Ranking::ALL {
        let evaluator = Evaluator::of(ranking);
        let mut lows = BTreeMap::new();
        every_hand::<2>(|hand| {
            lows.entry(evaluator.low(hand)).or_insert(hand);
        });
        for (&high, (_, five)) in &high_hands(ranking).by_strength {
            for (&low, two) in &lows {
                let expected = oracle::is_legal(&array(five.cards()), &array(two.cards()), ranking);
                assert_eq!(evaluator.is_legal(high, low), expected, "{five} over {two} under {ranking}");
            }
        }
    }
}

#[test]
fn classes_of_seven_cards_match_the_oracle() {
    let classes = SuitClasses::of(7);
    for joker in Joker::ALL {
        let holdings = Holdings::of(joker);
        let hands = classes.fold(
            || 0,
            |hands, hand, weight| {
                let found = holdings.classes_of(hand.complete());
                let expected = oracle::classes(&array(hand.cards()), joker);
                assert_eq!(found, expected, "{} with the joker {}", hand.cards(), joker.name());
                *hands += weight;
            },
            |one, other| one + other,
        );
        assert_eq!(hands, 154_143_080);
    }
}

/// Different tables give the bonus classes and the ranking of high hands. They must agree on the best five cards.
#[test]
fn best_five_cards_match_the_class_in_play() {
    let category = |class| match class {
        HandClass::FiveAces | HandClass::FiveOfAKind => Category::FiveOfAKind,
        HandClass::RoyalFlush => Category::RoyalFlush,
        HandClass::StraightFlush => Category::StraightFlush,
        HandClass::FourOfAKind => Category::FourOfAKind,
        HandClass::FullHouse => Category::FullHouse,
        HandClass::Flush => Category::Flush,
        HandClass::Straight => Category::Straight,
        HandClass::ThreeOfAKind => Category::ThreeOfAKind,
        HandClass::TwoPair => Category::TwoPair,
        HandClass::Pair => Category::Pair,
        _ => Category::HighCard,
    };
    // The classes in play that consist of five cards.
    let five: Vec<HandClass> = HandClass::IN_PLAY
        .into_iter()
        .filter(|class| category(*class) != Category::HighCard || HandClass::PAI_GOWS.contains(class))
        .collect();
    let classes = SuitClasses::of(7);
    for ranking in Ranking::ALL {
        let (evaluator, holdings) = (Evaluator::of(ranking), Holdings::of(ranking.joker));
        let hands = classes.fold(
            || 0,
            |hands, hand, weight| {
                let seven = hand.complete();
                let best = seven.splits().map(|(high, _)| evaluator.high(high)).max().expect("21 splits");
                let class = holdings.classes_of(seven).first_of(&five);
                assert_eq!(best.category(), category(class), "{seven} under {ranking}");
                *hands += weight;
            },
            |one, other| one + other,
        );
        assert_eq!(hands, 154_143_080);
    }
}
