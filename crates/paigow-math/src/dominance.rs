//! Dominance counts: how many of a collection of set hands are lower than given strengths in both hands.
//!
//! A two-dimensional table of prefix sums answers each query with one lookup. It has a column for each low-hand
//! strength and a row for each high-hand strength that occurs. The row of a strength is the number of occurring
//! strengths below it.

use crate::set_hand::SetHand;
use paigow::rulebook::CopyWinner;
use paigow::{HighStrength, LowStrength};

/// Prefix sums of set hands by both strengths.
pub(crate) struct Dominance {
    /// Bit set of the high-hand strengths that occur, 64 to a word.
    words: [u64; WORDS],
    /// For each word, the number of strengths that occur in earlier words.
    before: [u16; WORDS],
    /// Row of each strength that occurs. Entries of other strengths are stale.
    row_of: Vec<u16>,
    /// Number of rows after the first, which is always zero.
    rows: usize,
    /// Row by row, the number of hands in earlier rows with a lower low hand than the column's. While hands are being
    /// added, each cell holds the count of the previous row and the previous column.
    sums: Vec<u32>,
}

/// A query may use one strength above the highest, to count hands that are lower or equal.
const WORDS: usize = HighStrength::COUNT / 64 + 1;
const _: () = assert!(HighStrength::COUNT < WORDS * 64);

/// Number of columns: every low-hand strength and one above, padded to a round number for alignment.
pub(crate) const WIDTH: usize = 96;
const _: () = assert!(LowStrength::COUNT < WIDTH);

/// Column in which every low hand is lower.
pub(crate) const ANY_LOW: usize = WIDTH - 1;

impl Dominance {
    pub(crate) fn new() -> Dominance {
        Dominance {
            words: [0; WORDS],
            before: [0; WORDS],
            row_of: vec![0; WORDS * 64],
            rows: 0,
            sums: Vec::new(),
        }
    }

    /// Clears the table, for hands of any strength.
    pub(crate) fn clear(&mut self) {
        self.words = [u64::MAX; WORDS];
        self.words[WORDS - 1] = (1 << (HighStrength::COUNT % 64)) - 1;
        self.make_rows();
    }

    /// Clears the table, for hands with the high-hand strengths of `hands`.
    pub(crate) fn clear_for(&mut self, hands: impl Iterator<Item = SetHand>) {
        self.words = [0; WORDS];
        for hand in hands {
            self.words[hand.high() / 64] |= 1 << (hand.high() % 64);
        }
        self.make_rows();
    }

    fn make_rows(&mut self) {
        self.rows = 0;
        for (i, (word, before)) in self.words.iter().zip(&mut self.before).enumerate() {
            *before = self.rows as u16;
            let mut left = *word;
            while left != 0 {
                self.row_of[64 * i + left.trailing_zeros() as usize] = self.rows as u16;
                self.rows += 1;
                left &= left - 1;
            }
        }
        self.sums.clear();
        self.sums.resize((self.rows + 1) * WIDTH, 0);
    }

    /// Adds `hands` hands with the strengths of `hand`. `u32::MAX` removes one hand.
    pub(crate) fn add(&mut self, hand: SetHand, hands: u32) {
        let cell = (self.row(hand.high()) + 1) * WIDTH + hand.low() + 1;
        // Wrapping arithmetic allows hands to be removed.
        self.sums[cell] = self.sums[cell].wrapping_add(hands);
    }

    /// Adds hands counted by their strengths, a row of [`WIDTH`] counts for each high-hand strength.
    pub(crate) fn add_all(&mut self, counts: &[u32]) {
        // A low hand is counted in the column after its own. The last columns are empty.
        self.sums[WIDTH + 1..].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }

    /// Computes the prefix sums. Call it after the last hand was added and before the first query.
    pub(crate) fn compute_sums(&mut self) {
        let mut column_sums = [0u32; WIDTH];
        for row in self.sums.chunks_exact_mut(WIDTH) {
            let mut row_sum = 0u32;
            for (sum, column_sum) in row.iter_mut().zip(&mut column_sums) {
                row_sum = sum.wrapping_add(row_sum);
                *column_sum = column_sum.wrapping_add(row_sum);
                *sum = *column_sum;
            }
        }
    }

    /// Row of a high-hand strength that occurs. The next row belongs to the next strength that occurs.
    pub(crate) fn row(&self, high: usize) -> usize {
        debug_assert!(
            self.words[high / 64] >> (high % 64) & 1 == 1,
            "the table was not cleared for high-hand strength {high}"
        );
        usize::from(self.row_of[high])
    }

    /// Number of occurring strengths below this one.
    fn rows_below(&self, high: usize) -> usize {
        let word = self.words[high / 64] & ((1 << (high % 64)) - 1);
        usize::from(self.before[high / 64]) + word.count_ones() as usize
    }

    /// Sums of a row: for each low-hand strength, the number of hands that are lower in both hands.
    pub(crate) fn sums(&self, row: usize) -> &[u32; WIDTH] {
        let (rows, _) = self.sums.as_chunks::<WIDTH>();
        &rows[row]
    }

    /// Sums over all rows: for each low-hand strength, the number of hands with a lower low hand.
    pub(crate) fn totals(&self) -> &[u32; WIDTH] {
        self.sums(self.rows)
    }

    /// Number of hands that are lower in both hands.
    pub(crate) fn below(&self, high: usize, low: usize) -> u32 {
        self.sums(self.rows_below(high))[low]
    }

    /// Number of hands in the table.
    pub(crate) fn total(&self) -> u32 {
        self.totals()[ANY_LOW]
    }

    /// Counts the wins and losses of a player's hand against the hands in the table.
    pub(crate) fn wins_and_losses(&self, player: SetHand, copies: CopyWinner) -> WinsAndLosses {
        // If copies go to the player, an equal hand counts as a lower one.
        let equal = usize::from(copies == CopyWinner::Player);
        let (high, low) = (player.high() + equal, player.low() + equal);
        let lower_highs = self.sums(self.rows_below(high));
        let win = lower_highs[low];
        // Counts are modulo 2³², because signed numbers of hands may be added.
        let lower_low = self.totals()[low].wrapping_sub(win);
        let lose = self.total().wrapping_sub(lower_highs[ANY_LOW]).wrapping_sub(lower_low);
        WinsAndLosses { win, lose }
    }
}

/// Number of hands that a hand beats and loses to. It pushes against the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WinsAndLosses {
    pub(crate) win: u32,
    pub(crate) lose: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Strengths of a hand. Most come from a narrow range, so that ties are frequent, or from the edges of words.
    fn strengths() -> impl Strategy<Value = (usize, usize)> {
        let high = prop_oneof![
            0..HighStrength::COUNT,
            100..110_usize,
            prop::sample::select(vec![0, 63, 64, 127, 128, HighStrength::COUNT - 1]),
        ];
        let low = prop_oneof![0..LowStrength::COUNT, 40..43_usize];
        (high, low)
    }

    fn plain_count(hands: &[(usize, usize)], high: usize, low: usize) -> u32 {
        hands.iter().filter(|hand| hand.0 < high && hand.1 < low).count() as u32
    }

    /// Checks every query against a plain loop over the hands.
    fn check(dominance: &Dominance, hands: &[(usize, usize)], queries: &[(usize, usize)], occur: &[usize]) {
        for &(high, low) in queries {
            // A query one above counts hands that are lower or equal.
            for (high, low) in [(high, low), (high + 1, low), (high, low + 1), (high + 1, low + 1)] {
                assert_eq!(dominance.below(high, low), plain_count(hands, high, low), "below {high}, {low}");
                assert_eq!(
                    dominance.totals()[low],
                    plain_count(hands, usize::MAX, low),
                    "low hand below {low}"
                );
            }
            assert_eq!(dominance.below(high, WIDTH - 1), plain_count(hands, high, usize::MAX));
        }
        for &high in occur {
            let row = dominance.row(high);
            for low in 0..=LowStrength::COUNT {
                assert_eq!(dominance.sums(row)[low], plain_count(hands, high, low), "row of {high}, {low}");
                assert_eq!(
                    dominance.sums(row + 1)[low],
                    plain_count(hands, high + 1, low),
                    "after {high}, {low}"
                );
            }
        }
        assert_eq!(dominance.totals()[WIDTH - 1], hands.len() as u32);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn single_hands_match_plain_loop(
            hands in prop::collection::vec(strengths(), 0..40),
            others in prop::collection::vec(strengths(), 0..10),
            before in prop::collection::vec(strengths(), 0..10),
        ) {
            let set = |hands: &[(usize, usize)]| -> Vec<SetHand> {
                hands.iter().map(|&(high, low)| SetHand::new(high, low, false)).collect()
            };
            let mut dominance = Dominance::new();
            // `clear_for` discards earlier counts and strengths.
            dominance.clear_for(set(&before).into_iter());
            for hand in set(&before) {
                dominance.add(hand, 3);
            }
            dominance.compute_sums();

            dominance.clear_for(set(&hands).into_iter().chain(set(&others)));
            for hand in set(&hands) {
                dominance.add(hand, 1);
            }
            dominance.compute_sums();
            let occur: Vec<usize> = hands.iter().chain(&others).map(|hand| hand.0).collect();
            let queries: Vec<_> = hands.iter().chain(&others).chain(&before).copied().collect();
            check(&dominance, &hands, &queries, &occur);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn counted_hands_match_plain_loop(
            hands in prop::collection::vec(strengths(), 0..40),
            removed in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
            queries in prop::collection::vec(strengths(), 1..10),
        ) {
            let mut counts = vec![0; HighStrength::COUNT * WIDTH];
            for (high, low) in &hands {
                counts[high * WIDTH + low] += 1;
            }
            let mut dominance = Dominance::new();
            dominance.clear();
            dominance.add_all(&counts);
            // Some hands are removed one by one, as hands that push are.
            let mut left = hands.clone();
            for index in removed {
                if !left.is_empty() {
                    let (high, low) = left.swap_remove(index.index(left.len()));
                    dominance.add(SetHand::new(high, low, true), u32::MAX);
                }
            }
            dominance.compute_sums();
            let occur: Vec<usize> = queries.iter().map(|hand| hand.0).collect();
            check(&dominance, &left, &queries, &occur);
        }
    }
}
