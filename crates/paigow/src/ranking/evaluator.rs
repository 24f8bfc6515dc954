//! Evaluator of five-card and two-card hands.
//!
//! There is one evaluator for each [`Ranking`]. The first call of [`Evaluator::of`] builds it from the definitions in
//! `strength.rs`, which takes a few milliseconds. Later calls return the same evaluator. A five-card hand is looked up
//! by its ranks or, if its cards are of one suit, by the rank mask of that suit.

use super::lookup::{RankPattern, RankTable, boxed};
use super::strength::Shape;
use crate::{Card, CardSet, Category, FiveCards, HighStrength, Joker, LowStrength, Rank, Ranking, TwoCards};
use std::sync::OnceLock;

/// Computes the strength of five-card and two-card hands under one [`Ranking`].
///
/// # Examples
///
/// ```
/// use paigow::{Category, Evaluator, FiveCards, Joker, Ranking, Wheel};
///
/// let ranking = Ranking { joker: Joker::SemiWild, wheel: Wheel::Lowest };
/// let evaluator = Evaluator::of(ranking);
/// let hand: FiveCards = "Ks Qs Js Ts Jk".parse()?;
/// assert_eq!(evaluator.high(hand).category(), Category::RoyalFlush);
/// # Ok::<(), paigow::CardFaults>(())
/// ```
pub struct Evaluator {
    ranking: Ranking,
    by_ranks: RankTable<u16, 8_192>,
    /// Indexed by [`CardSet::flush_index`].
    by_flush: Box<[u16; CardSet::FLUSHES]>,
    /// Indexed by [`Card::rank_index`] of both cards.
    lows: [[LowStrength; 14]; 14],
    /// Weakest legal high hand for each low hand, indexed by [`LowStrength::index`].
    min_highs: [HighStrength; LowStrength::COUNT],
    /// Indexed by [`HighStrength::index`].
    shapes: Vec<Shape>,
}

impl Evaluator {
    /// Returns the evaluator for a ranking, building it on first use.
    pub fn of(ranking: Ranking) -> &'static Evaluator {
        static EVALUATORS: [OnceLock<Evaluator>; 4] = [const { OnceLock::new() }; 4];
        let index = 2 * ranking.joker as usize + ranking.wheel as usize;
        EVALUATORS[index].get_or_init(|| Evaluator::build(ranking))
    }

    /// Returns the ranking of this evaluator.
    pub fn ranking(&self) -> Ranking {
        self.ranking
    }

    /// Returns the strength of a high hand.
    #[inline]
    pub fn high(&self, hand: FiveCards) -> HighStrength {
        HighStrength(match hand.key().flush_suit() {
            None => self.by_ranks.get(hand.key()),
            Some(suit) => self.by_flush[hand.cards().flush_index(suit)],
        })
    }

    /// Returns the strength of the low hand with these two cards.
    #[inline]
    pub(crate) fn low_of_cards(&self, one: Card, other: Card) -> LowStrength {
        self.lows[one.rank_index()][other.rank_index()]
    }

    /// Returns the strength of a low hand.
    pub fn low(&self, hand: TwoCards) -> LowStrength {
        let mut cards = hand.cards().unordered();
        let (one, other) = (cards.next(), cards.next());
        self.low_of_cards(one.unwrap_or(Card::JOKER), other.unwrap_or(Card::JOKER))
    }

    /// Returns `true` if a setting with these strengths is legal, that is, if the low hand is not higher.
    ///
    /// With equal pairs or equal leading cards, the high hand is the higher (SB-4, EZ-11).
    #[inline]
    pub fn is_legal(&self, high: HighStrength, low: LowStrength) -> bool {
        high >= self.min_highs[low.index()]
    }

    /// Returns the category and ranks of a strength.
    pub fn shape(&self, strength: HighStrength) -> Shape {
        self.shapes[strength.index()]
    }

    fn build(ranking: Ranking) -> Evaluator {
        let shapes = all_shapes(ranking);
        let strength = |shape: Shape| {
            let order = shape.order(ranking.wheel);
            let index = shapes.partition_point(|other| other.order(ranking.wheel) < order);
            debug_assert_eq!(shapes[index], shape);
            index as u16
        };
        let best = |shapes: &mut dyn Iterator<Item = Shape>| shapes.map(strength).max().unwrap_or(0);

        let by_ranks = RankTable::build(5, |pattern| {
            best(&mut joker_uses(pattern, ranking.joker).map(|pattern| Shape::of_counts(&pattern.counts)))
        });
        let mut by_flush: Box<[u16; CardSet::FLUSHES]> = boxed(vec![0; CardSet::FLUSHES]);
        for (index, slot) in by_flush.iter_mut().enumerate() {
            let (mask, joker) = CardSet::decode_flush_index(index);
            *slot = match (mask.count_ones(), joker) {
                (5, false) => strength(Shape::of_mask(mask, true)),
                // The joker represents the best card of the suit that is not in the hand.
                (4, true) => best(
                    &mut Rank::ALL
                        .into_iter()
                        .filter(|rank| mask & rank.bit() == 0)
                        .map(|rank| Shape::of_mask(mask | rank.bit(), true)),
                ),
                _ => 0,
            };
        }
        let min_highs = std::array::from_fn(|low| min_high(LowStrength(low as u8), &shapes));
        let lows =
            std::array::from_fn(|one| std::array::from_fn(|other| low_strength(one, other, ranking.joker)));
        Evaluator { ranking, by_ranks, by_flush, lows, min_highs, shapes }
    }
}

/// Returns every shape of five cards, weakest first.
fn all_shapes(ranking: Ranking) -> Vec<Shape> {
    let mut shapes = Vec::with_capacity(HighStrength::COUNT);
    let mut counts = [0u8; 13];
    // Five ranks in descending order, with repetition, enumerate every way to fill the counts.
    for a in 0..13 {
        for b in 0..=a {
            for c in 0..=b {
                for d in 0..=c {
                    for e in 0..=d {
                        for rank in [a, b, c, d, e] {
                            counts[rank] += 1;
                        }
                        let shape = Shape::of_counts(&counts);
                        shapes.push(shape);
                        if counts.iter().all(|&count| count < 2) {
                            let mask = shape.ranks.iter().fold(0, |mask, rank| mask | rank.bit());
                            shapes.push(Shape::of_mask(mask, true));
                        }
                        counts = [0; 13];
                    }
                }
            }
        }
    }
    shapes.sort_by_key(|shape| shape.order(ranking.wheel));
    assert_eq!(shapes.len(), HighStrength::COUNT);
    shapes
}

/// Returns the patterns without a joker that a pattern may represent. Flushes are handled elsewhere.
fn joker_uses(pattern: &RankPattern, joker: Joker) -> impl Iterator<Item = RankPattern> {
    let natural = (!pattern.joker).then_some(*pattern);
    let wild = pattern.joker.then_some(*pattern).into_iter().flat_map(move |pattern| {
        Rank::ALL.into_iter().map(move |rank| (rank, pattern.joker_as(rank))).filter(move |(rank, used)| {
            joker == Joker::FullyWild
                || *rank == Rank::Ace
                || Shape::of_counts(&used.counts).category == Category::Straight
        })
    });
    natural.into_iter().chain(wild.map(|(_, used)| used))
}

/// Returns the strength of two cards, given by [`Card::rank_index`].
fn low_strength(one: usize, other: usize, joker: Joker) -> LowStrength {
    match (Rank::ALL.get(one), Rank::ALL.get(other), joker) {
        (Some(one), Some(other), _) => LowStrength::of(*one, *other),
        (Some(rank), None, Joker::SemiWild) | (None, Some(rank), Joker::SemiWild) => {
            LowStrength::of(*rank, Rank::Ace)
        }
        (Some(rank), None, Joker::FullyWild) | (None, Some(rank), Joker::FullyWild) => {
            LowStrength::of(*rank, *rank)
        }
        // Unreachable: the deck has one joker, but the table has an entry for two.
        (None, None, _) => LowStrength::of(Rank::Ace, Rank::Ace),
    }
}

/// Returns the weakest high hand that is not lower than the low hand.
fn min_high(low: LowStrength, shapes: &[Shape]) -> HighStrength {
    let [first, second] = low.ranks();
    let index = shapes.partition_point(|shape| match (shape.category, low.category()) {
        (Category::HighCard, Category::HighCard) => [shape.ranks[0], shape.ranks[1]] < [first, second],
        (Category::HighCard, _) => true,
        (Category::Pair, Category::Pair) => shape.ranks[0] < first,
        _ => false,
    });
    HighStrength(index as u16)
}
