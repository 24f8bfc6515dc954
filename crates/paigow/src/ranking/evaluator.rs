//! The one evaluator of five and of two cards.
//!
//! There is a table for each [`Ranking`], built from the definitions in `strength.rs` when it is first asked
//! for (a few milliseconds) and kept. A five-card hand is either a look-up by its ranks or, when its cards
//! are of one suit, a look-up by the mask of that suit's ranks.

use super::lookup::{RankPattern, RankTable, boxed};
use super::strength::Shape;
use crate::{Card, CardSet, Category, FiveCards, HighStrength, Joker, LowStrength, Rank, Ranking, TwoCards};
use std::sync::OnceLock;

/// Ranks five-card and two-card hands under one [`Ranking`].
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
    /// By [`CardSet::flush_index`].
    by_flush: Box<[u16; CardSet::FLUSHES]>,
    /// By [`Card::rank_number`] of both.
    lows: [[LowStrength; 14]; 14],
    /// The weakest high hand that may stand with each low hand.
    floors: [HighStrength; LowStrength::COUNT],
    shapes: Vec<Shape>,
}

impl Evaluator {
    /// The evaluator for a ranking.
    pub fn of(ranking: Ranking) -> &'static Evaluator {
        static EVALUATORS: [OnceLock<Evaluator>; 4] = [const { OnceLock::new() }; 4];
        let index = 2 * ranking.joker as usize + ranking.wheel as usize;
        EVALUATORS[index].get_or_init(|| Evaluator::build(ranking))
    }

    /// The ranking it was made for.
    pub fn ranking(&self) -> Ranking {
        self.ranking
    }

    /// The strength of five cards.
    #[inline]
    pub fn high(&self, hand: FiveCards) -> HighStrength {
        HighStrength(match hand.key().flush_suit() {
            None => self.by_ranks.get(hand.key()),
            Some(suit) => self.by_flush[hand.cards().flush_index(suit)],
        })
    }

    /// The strength of two cards, given one by one.
    #[inline]
    pub(crate) fn low_of(&self, one: Card, other: Card) -> LowStrength {
        self.lows[one.rank_number()][other.rank_number()]
    }

    /// The strength of two cards.
    pub fn low(&self, hand: TwoCards) -> LowStrength {
        let mut cards = hand.cards().unordered();
        let (one, other) = (cards.next(), cards.next());
        self.low_of(one.unwrap_or(Card::JOKER), other.unwrap_or(Card::JOKER))
    }

    /// Whether a high hand of this strength may stand with a low hand of that: it may unless the low hand is
    /// higher. With equal pairs, or equal leading cards, the five are the higher (SB-4, EZ-11).
    #[inline]
    pub fn may_stand(&self, high: HighStrength, low: LowStrength) -> bool {
        high >= self.floors[low.index()]
    }

    /// What a strength means.
    pub fn shape(&self, strength: HighStrength) -> Shape {
        self.shapes[strength.index()]
    }

    fn build(ranking: Ranking) -> Evaluator {
        let shapes = all_shapes(ranking);
        let number = |shape: Shape| {
            let order = shape.order(ranking.wheel);
            let place = shapes.partition_point(|other| other.order(ranking.wheel) < order);
            debug_assert_eq!(shapes[place], shape);
            place as u16
        };
        let best = |shapes: &mut dyn Iterator<Item = Shape>| shapes.map(number).max().unwrap_or(0);

        let by_ranks = RankTable::build(5, |pattern| {
            best(&mut joker_uses(pattern, ranking.joker).map(|pattern| Shape::of_counts(&pattern.counts)))
        });
        let mut by_flush: Box<[u16; CardSet::FLUSHES]> = boxed(vec![0; CardSet::FLUSHES]);
        for (index, slot) in by_flush.iter_mut().enumerate() {
            let (mask, joker) = CardSet::flush_at(index);
            *slot = match (mask.count_ones(), joker) {
                (5, false) => number(Shape::of_mask(mask, true)),
                // The joker is the best card of the suit that the hand does not hold.
                (4, true) => best(
                    &mut Rank::ALL
                        .into_iter()
                        .filter(|rank| mask & rank.bit() == 0)
                        .map(|rank| Shape::of_mask(mask | rank.bit(), true)),
                ),
                _ => 0,
            };
        }
        let floors = std::array::from_fn(|low| floor(LowStrength(low as u8), &shapes));
        let lows = std::array::from_fn(|one| std::array::from_fn(|other| low(one, other, ranking.joker)));
        Evaluator { ranking, by_ranks, by_flush, lows, floors, shapes }
    }
}

/// Every shape five cards can have, weakest first.
fn all_shapes(ranking: Ranking) -> Vec<Shape> {
    let mut shapes = Vec::with_capacity(HighStrength::COUNT);
    let mut counts = [0u8; 13];
    // Five ranks in descending order, not necessarily different, are every way to fill the counts.
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

/// The patterns a pattern may stand for, by what the joker may be in it, flushes aside.
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

/// The strength of two cards by their rank numbers.
fn low(one: usize, other: usize, joker: Joker) -> LowStrength {
    match (Rank::ALL.get(one), Rank::ALL.get(other), joker) {
        (Some(one), Some(other), _) => LowStrength::of(*one, *other),
        (Some(rank), None, Joker::SemiWild) | (None, Some(rank), Joker::SemiWild) => {
            LowStrength::of(*rank, Rank::Ace)
        }
        (Some(rank), None, Joker::FullyWild) | (None, Some(rank), Joker::FullyWild) => {
            LowStrength::of(*rank, *rank)
        }
        // There is one joker; the table has room for two.
        (None, None, _) => LowStrength::of(Rank::Ace, Rank::Ace),
    }
}

/// The weakest five cards that are not lower than the two.
fn floor(low: LowStrength, shapes: &[Shape]) -> HighStrength {
    let [first, second] = low.ranks();
    let place = shapes.partition_point(|shape| match (shape.category, low.category()) {
        (Category::HighCard, Category::HighCard) => [shape.ranks[0], shape.ranks[1]] < [first, second],
        (Category::HighCard, _) => true,
        (Category::Pair, Category::Pair) => shape.ranks[0] < first,
        _ => false,
    });
    HighStrength(place as u16)
}
