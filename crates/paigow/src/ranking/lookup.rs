//! An additive key for sets of cards, and a dense table indexed by it.
//!
//! Apart from flushes, the value of a hand depends only on its pattern: the number of cards of each rank. Seven cards
//! have 67,600 patterns, with the joker as a fourteenth rank.
//!
//! A [`PatternKey`] encodes the pattern as two numbers in base five, with one digit for each rank. The low part covers
//! the seven ranks from two to eight. The high part covers the other six ranks and the joker. Each card adds its own
//! power of five, so keys are added to join sets and subtracted to remove cards. The key also has four counters, one
//! for each suit. The joker counts in all four because it can complete a flush in any suit.
//!
//! A [`RankTable`] numbers the patterns without gaps. The high part maps to the number of patterns with a smaller high
//! part. The low part maps to its index among the low parts with the same number of cards. The sum of the two is the
//! index of the pattern. A lookup is two independent reads, followed by one read from a compact table.

use crate::{Card, Rank, Suit};
use std::ops::{Add, Sub};
use std::sync::OnceLock;

/// Number of ranks in the low part. The others are in the high part.
const LOW_RANKS: usize = 7;
/// Bit offset of the high part in the key.
const HIGH_SHIFT: u32 = 20;
/// Value that the joker adds to the high part.
const HIGH_JOKER: u32 = 1 << 14;
/// Number of table entries for the low part: a power of two above 5⁷.
const LOWS: usize = 1 << 17;
/// Number of table entries for the high part: 2¹⁴, a power of two above 5⁶, doubled for the joker.
const HIGHS: usize = 1 << 15;
const _: () = assert!(5usize.pow(7) <= LOWS && 5u32.pow(6) <= HIGH_JOKER && LOWS <= 1 << HIGH_SHIFT);

/// Returns the bit offset of a suit's counter. Counters have four bits, start at three and reach at most ten.
const fn counter_shift(suit: usize) -> u32 {
    HIGH_SHIFT + 16 + 4 * suit as u32
}
const COUNTERS_ONE: u64 =
    1 << counter_shift(0) | 1 << counter_shift(1) | 1 << counter_shift(2) | 1 << counter_shift(3);

/// Returns the value that a card of this rank adds to the key.
const fn rank_addend(rank: usize) -> u64 {
    if rank < LOW_RANKS { 5u64.pow(rank as u32) } else { 5u64.pow((rank - LOW_RANKS) as u32) << HIGH_SHIFT }
}

/// Value that each card adds to the key, indexed by [`Card::bit_index`].
const ADDENDS: [u64; 64] = {
    let mut addends = [0; 64];
    let mut suit = 0;
    while suit < 4 {
        let mut rank = 0;
        while rank < 13 {
            addends[suit * 16 + rank] = rank_addend(rank) | 1 << counter_shift(suit);
            rank += 1;
        }
        suit += 1;
    }
    addends[63] = (HIGH_JOKER as u64) << HIGH_SHIFT | COUNTERS_ONE;
    addends
};

/// Key of a set of at most seven cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PatternKey(u64);

impl PatternKey {
    /// Key of the empty set. The counters start at three, so a fifth card of a suit sets the counter's fourth bit.
    pub(crate) const EMPTY: PatternKey = PatternKey(3 * COUNTERS_ONE);

    /// Returns the value that a card adds to a key.
    pub(crate) const fn of(card: Card) -> PatternKey {
        PatternKey(ADDENDS[card.bit_index() as usize & 63])
    }

    /// Returns the suit with five or more cards, including the joker. Seven cards have at most one such suit.
    pub(crate) const fn flush_suit(self) -> Option<Suit> {
        let full = self.0 & (8 * COUNTERS_ONE);
        if full == 0 {
            return None;
        }
        Some(Suit::ALL[((full.trailing_zeros() - counter_shift(0)) / 4) as usize & 3])
    }

    const fn low(self) -> usize {
        self.0 as usize & (LOWS - 1)
    }

    const fn high(self) -> usize {
        (self.0 >> HIGH_SHIFT) as usize & (HIGHS - 1)
    }
}

impl Add for PatternKey {
    type Output = PatternKey;
    fn add(self, other: PatternKey) -> PatternKey {
        PatternKey(self.0 + other.0)
    }
}

impl Sub for PatternKey {
    type Output = PatternKey;
    fn sub(self, other: PatternKey) -> PatternKey {
        PatternKey(self.0 - other.0)
    }
}

/// Index of the low parts of at most seven cards.
struct Lows {
    /// Index of each part among the parts with the same number of cards.
    indices: Box<[u16; LOWS]>,
    /// Parts by number of cards, in the order of `indices`.
    by_count: [Vec<usize>; 8],
}

impl Lows {
    fn get() -> &'static Lows {
        static LOW_PARTS: OnceLock<Lows> = OnceLock::new();
        LOW_PARTS.get_or_init(|| {
            let mut indices: Box<[u16; LOWS]> = boxed(vec![0; LOWS]);
            let mut by_count = [const { Vec::new() }; 8];
            for part in 0..5usize.pow(LOW_RANKS as u32) {
                let cards: usize = digits(part).map(usize::from).sum();
                if let Some(parts) = by_count.get_mut(cards) {
                    indices[part] = parts.len() as u16;
                    parts.push(part);
                }
            }
            Lows { indices, by_count }
        })
    }
}

/// Returns the base-five digits of a part, lowest rank first.
fn digits(part: usize) -> impl Iterator<Item = u8> {
    (0..LOW_RANKS as u32).map(move |exponent| (part / 5usize.pow(exponent) % 5) as u8)
}

/// Converts a vector of exactly `N` values to a boxed array.
pub(crate) fn boxed<T, const N: usize>(values: Vec<T>) -> Box<[T; N]> {
    let Ok(array) = values.into_boxed_slice().try_into() else {
        unreachable!("the vector must have {N} values")
    };
    array
}

/// Table with a value for every rank pattern of a given number of cards.
///
/// `N` is a power of two that is at least the number of patterns.
pub(crate) struct RankTable<T, const N: usize> {
    low_indices: &'static [u16; LOWS],
    /// Number of patterns before the first with each high part.
    high_starts: Box<[u32; HIGHS]>,
    values: Box<[T; N]>,
}

impl<T: Copy + Default, const N: usize> RankTable<T, N> {
    /// Builds the table by calling `value` for every pattern of `cards` cards.
    pub(crate) fn build(cards: usize, mut value: impl FnMut(&RankPattern) -> T) -> Self {
        const { assert!(N.is_power_of_two()) };
        let lows = Lows::get();
        let mut high_starts: Box<[u32; HIGHS]> = boxed(vec![0; HIGHS]);
        let mut values = Vec::with_capacity(N);
        for (high, start) in high_starts.iter_mut().enumerate() {
            let (joker, high) = (high >= HIGH_JOKER as usize, high % HIGH_JOKER as usize);
            let high_cards = usize::from(joker) + digits(high).map(usize::from).sum::<usize>();
            let too_many = high >= 5usize.pow(13 - LOW_RANKS as u32) || high_cards > cards;
            if too_many {
                continue;
            }
            *start = values.len() as u32;
            for &low in &lows.by_count[cards - high_cards] {
                let mut counts = [0; 13];
                let both = digits(low).chain(digits(high));
                counts.iter_mut().zip(both).for_each(|(count, digit)| *count = digit);
                values.push(value(&RankPattern { counts, joker }));
            }
        }
        assert!(values.len() <= N, "{} patterns in a table of {N}", values.len());
        values.resize(N, T::default());
        RankTable { low_indices: &lows.indices, high_starts, values: boxed(values) }
    }

    #[inline]
    pub(crate) fn get(&self, key: PatternKey) -> T {
        let index = self.high_starts[key.high()] + u32::from(self.low_indices[key.low()]);
        // The index is always in bounds. The mask lets the compiler omit the bounds check.
        self.values[index as usize & (N - 1)]
    }
}

/// Number of cards of each rank, and the presence of the joker.
#[derive(Clone, Copy)]
pub(crate) struct RankPattern {
    pub(crate) counts: [u8; 13],
    pub(crate) joker: bool,
}

impl RankPattern {
    /// Returns the ranks with at least this many cards, as a mask.
    pub(crate) fn at_least(&self, count: u8) -> u16 {
        Rank::ALL
            .into_iter()
            .filter(|rank| self.counts[rank.index()] >= count)
            .fold(0, |mask, rank| mask | rank.bit())
    }

    /// Returns the pattern with the joker replaced by a card of this rank.
    pub(crate) fn joker_as(&self, rank: Rank) -> RankPattern {
        let mut pattern = RankPattern { joker: false, ..*self };
        pattern.counts[rank.index()] += 1;
        pattern
    }
}
