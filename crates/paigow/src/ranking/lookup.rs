//! A sum that stands for a set of cards, and a table that is looked up by it.
//!
//! We want to write `table[hand]` and be done. What a hand is worth depends, flushes aside, on how many
//! cards of each rank it has: its pattern. Seven cards have 67,600 patterns, the joker as a fourteenth rank.
//!
//! A [`PatternKey`] writes the pattern down as two numbers in base five, a digit a rank: one for the seven low ranks
//! (two to eight), one for the six high ranks and the joker. A card adds its own power of five, so a key is
//! built by adding and taken apart by subtracting. Beside them, four counters say how many cards each suit
//! has; the joker counts in all four, because it may complete a flush in any.
//!
//! A [`RankTable`] numbers the patterns without a gap. The high part gets the number of patterns whose high
//! part comes before it; the low part gets its place among the low parts of as many cards, which is what the
//! high part leaves room for. The sum of the two is the number of the pattern: two reads that do not wait
//! for one another, and then one from a table that is no larger than it must be.

use crate::{Card, Rank, Suit};
use std::ops::{Add, Sub};
use std::sync::OnceLock;

/// How many ranks are in the low part; the others are in the high part.
const LOW_RANKS: usize = 7;
/// Where the high part starts, and the joker in it.
const HIGH_AT: u32 = 20;
const HIGH_JOKER: u32 = 1 << 14;
/// How many values the two parts have room for: powers of two above 5⁷, and above 5⁶ twice over.
const LOWS: usize = 1 << 17;
const HIGHS: usize = 1 << 15;
const _: () = assert!(5usize.pow(7) <= LOWS && 5u32.pow(6) <= HIGH_JOKER && LOWS <= 1 << HIGH_AT);

/// Where a suit's counter stands. Four bits each: they start at three, and seven cards make it ten.
const fn counter(suit: usize) -> u32 {
    HIGH_AT + 16 + 4 * suit as u32
}
const COUNTERS_ONE: u64 = 1 << counter(0) | 1 << counter(1) | 1 << counter(2) | 1 << counter(3);

/// What a rank adds to the sum.
const fn rank_addend(rank: usize) -> u64 {
    if rank < LOW_RANKS { 5u64.pow(rank as u32) } else { 5u64.pow((rank - LOW_RANKS) as u32) << HIGH_AT }
}

/// What the card at each place of a set adds to the sum.
const ADDENDS: [u64; 64] = {
    let mut addends = [0; 64];
    let mut suit = 0;
    while suit < 4 {
        let mut rank = 0;
        while rank < 13 {
            addends[suit * 16 + rank] = rank_addend(rank) | 1 << counter(suit);
            rank += 1;
        }
        suit += 1;
    }
    addends[63] = (HIGH_JOKER as u64) << HIGH_AT | COUNTERS_ONE;
    addends
};

/// The sum for a set of at most seven cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PatternKey(u64);

impl PatternKey {
    /// The sum for no card. The counters start at three: a fifth card then reaches their fourth bit.
    pub(crate) const EMPTY: PatternKey = PatternKey(3 * COUNTERS_ONE);

    /// What a card adds to a sum.
    pub(crate) const fn of(card: Card) -> PatternKey {
        PatternKey(ADDENDS[card.place() as usize & 63])
    }

    /// The suit of five or more cards, the joker counted, if there is one. Seven cards have room for one.
    pub(crate) const fn flush_suit(self) -> Option<Suit> {
        let full = self.0 & (8 * COUNTERS_ONE);
        if full == 0 {
            return None;
        }
        Some(Suit::ALL[((full.trailing_zeros() - counter(0)) / 4) as usize & 3])
    }

    const fn low(self) -> usize {
        self.0 as usize & (LOWS - 1)
    }

    const fn high(self) -> usize {
        (self.0 >> HIGH_AT) as usize & (HIGHS - 1)
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

/// The low parts of at most seven cards.
struct Lows {
    /// The place of each part among those of as many cards.
    places: Box<[u16; LOWS]>,
    /// The parts of each number of cards, in the order of their places.
    by_count: [Vec<usize>; 8],
}

impl Lows {
    fn get() -> &'static Lows {
        static LOW_PARTS: OnceLock<Lows> = OnceLock::new();
        LOW_PARTS.get_or_init(|| {
            let mut places: Box<[u16; LOWS]> = boxed(vec![0; LOWS]);
            let mut by_count = [const { Vec::new() }; 8];
            for part in 0..5usize.pow(LOW_RANKS as u32) {
                let cards: usize = digits(part).map(usize::from).sum();
                if let Some(parts) = by_count.get_mut(cards) {
                    places[part] = parts.len() as u16;
                    parts.push(part);
                }
            }
            Lows { places, by_count }
        })
    }
}

/// The digits of a part in base five, the lowest rank first.
fn digits(part: usize) -> impl Iterator<Item = u8> {
    (0..LOW_RANKS as u32).map(move |place| (part / 5usize.pow(place) % 5) as u8)
}

/// A vector of `N` values as an array.
pub(crate) fn boxed<T, const N: usize>(values: Vec<T>) -> Box<[T; N]> {
    let Ok(array) = values.into_boxed_slice().try_into() else { unreachable!("{N} values were made") };
    array
}

/// A value for every pattern of ranks of a given number of cards; `N` is a power of two with room for them.
pub(crate) struct RankTable<T, const N: usize> {
    low_places: &'static [u16; LOWS],
    /// How many patterns come before the first with each high part.
    high_starts: Box<[u32; HIGHS]>,
    values: Box<[T; N]>,
}

impl<T: Copy + Default, const N: usize> RankTable<T, N> {
    /// The table of `value` for every pattern of `cards` cards.
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
        RankTable { low_places: &lows.places, high_starts, values: boxed(values) }
    }

    #[inline]
    pub(crate) fn get(&self, key: PatternKey) -> T {
        let place = self.high_starts[key.high()] + u32::from(self.low_places[key.low()]);
        // The mask changes nothing; it lets the compiler see that the index is in bounds.
        self.values[place as usize & (N - 1)]
    }
}

/// How many cards of each rank, and whether the joker is there.
#[derive(Clone, Copy)]
pub(crate) struct RankPattern {
    pub(crate) counts: [u8; 13],
    pub(crate) joker: bool,
}

impl RankPattern {
    /// The ranks there are at least so many cards of, as a mask.
    pub(crate) fn at_least(&self, least: u8) -> u16 {
        Rank::ALL
            .into_iter()
            .filter(|rank| self.counts[rank.index()] >= least)
            .fold(0, |mask, rank| mask | rank.bit())
    }

    /// The pattern with the joker turned into a card of a rank.
    pub(crate) fn joker_as(&self, rank: Rank) -> RankPattern {
        let mut pattern = RankPattern { joker: false, ..*self };
        pattern.counts[rank.index()] += 1;
        pattern
    }
}
