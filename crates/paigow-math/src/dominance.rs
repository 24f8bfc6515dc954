//! Of some set hands, how many are lower than given strengths, both ways.
//!
//! A table of running sums answers each question with one look: a column for each strength of two cards, and a row for each
//! strength of five that occurs. Which row a strength belongs to is found by counting the strengths that occur below it.

use crate::set_hand::SetHand;
use paigow::rulebook::Copies;
use paigow::{HighStrength, LowStrength};

/// Set hands counted by both strengths.
pub(crate) struct Dominance {
    /// Which strengths of five cards occur, 64 to a word, and how many occur in the words before.
    words: [u64; WORDS],
    before: [u16; WORDS],
    /// The row of each strength that occurs; for others, what was there before.
    row_of: Vec<u16>,
    /// How many rows there are above the first, which is empty.
    rows: usize,
    /// Row by row, the hands in rows before that have a lower front than the column's; while hands are
    /// added, the hands of the row before and the column before.
    sums: Vec<u32>,
}

/// A strength may be one above the highest, to ask for hands that are lower or equal.
const WORDS: usize = HighStrength::COUNT / 64 + 1;
const _: () = assert!(HighStrength::COUNT < WORDS * 64);

/// Room for every front and one above, and then to a round number for the machine's sake.
pub(crate) const WIDTH: usize = 96;
const _: () = assert!(LowStrength::COUNT < WIDTH);

/// The column in which all fronts are lower.
pub(crate) const ALL: usize = WIDTH - 1;

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

    /// Starts again, for hands of any strength.
    pub(crate) fn clear(&mut self) {
        self.words = [u64::MAX; WORDS];
        self.words[WORDS - 1] = (1 << (HighStrength::COUNT % 64)) - 1;
        self.make_rows();
    }

    /// Starts again, for hands of the strengths of these.
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

    /// Counts so many hands of these strengths.
    pub(crate) fn add(&mut self, hand: SetHand, hands: u32) {
        let cell = (self.row(hand.high()) + 1) * WIDTH + hand.low() + 1;
        // Negative numbers of hands take back what was added before.
        self.sums[cell] = self.sums[cell].wrapping_add(hands);
    }

    /// Takes in hands counted by their strengths, a row of [`WIDTH`] for each strength of five cards.
    pub(crate) fn add_all(&mut self, counts: &[u32]) {
        // A front is counted in the column after its own; the last columns are empty.
        self.sums[WIDTH + 1..].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }

    /// After the last hand was added: makes the sums.
    pub(crate) fn sum_up(&mut self) {
        let mut above = [0u32; WIDTH];
        for row in self.sums.chunks_exact_mut(WIDTH) {
            let mut so_far = 0;
            for (sum, above) in row.iter_mut().zip(&mut above) {
                so_far += *sum;
                *above += so_far;
                *sum = *above;
            }
        }
    }

    /// The row of a strength of five cards that occurs; the next row is that of the next strength.
    pub(crate) fn row(&self, high: usize) -> usize {
        debug_assert!(
            self.words[high / 64] >> (high % 64) & 1 == 1,
            "no hand of strength {high} was announced"
        );
        usize::from(self.row_of[high])
    }

    /// How many strengths that occur are lower than this one.
    fn rows_below(&self, high: usize) -> usize {
        let word = self.words[high / 64] & ((1 << (high % 64)) - 1);
        usize::from(self.before[high / 64]) + word.count_ones() as usize
    }

    /// The sums of a row: for each front, how many hands are lower both ways.
    pub(crate) fn sums(&self, row: usize) -> &[u32; WIDTH] {
        let (rows, _) = self.sums.as_chunks::<WIDTH>();
        &rows[row]
    }

    /// The sums over all hands: for each front, how many hands have a lower one.
    pub(crate) fn totals(&self) -> &[u32; WIDTH] {
        self.sums(self.rows)
    }

    /// How many hands are lower both ways.
    pub(crate) fn below(&self, high: usize, low: usize) -> u32 {
        self.sums(self.rows_below(high))[low]
    }

    /// How many hands there are.
    pub(crate) fn total(&self) -> u32 {
        self.totals()[ALL]
    }

    /// What becomes of a hand of these strengths against these hands.
    pub(crate) fn against(&self, player: SetHand, copies: Copies) -> Against {
        // Where copies go to the player, equal hands are beaten like lower ones.
        let equal = usize::from(copies == Copies::Player);
        let (high, low) = (player.high() + equal, player.low() + equal);
        let lower_backs = self.sums(self.rows_below(high));
        let win = lower_backs[low];
        Against { win, lose: self.total() - lower_backs[ALL] - (self.totals()[low] - win) }
    }
}

/// What becomes of a hand against many; the rest push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Against {
    pub(crate) win: u32,
    pub(crate) lose: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Strengths of a hand: mostly few, so that hands are often equal one way or both, and those at the edges of words.
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

    /// Every question that can be asked of the sums has the answer of a plain loop.
    fn check(dominance: &Dominance, hands: &[(usize, usize)], asked: &[(usize, usize)], occur: &[usize]) {
        for &(high, low) in asked {
            // One above is asked for hands that are lower or equal.
            for (high, low) in [(high, low), (high + 1, low), (high, low + 1), (high + 1, low + 1)] {
                assert_eq!(dominance.below(high, low), plain_count(hands, high, low), "below {high}, {low}");
                assert_eq!(dominance.totals()[low], plain_count(hands, usize::MAX, low), "front below {low}");
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
        fn hands_one_by_one_are_counted_as_by_a_plain_loop(
            hands in prop::collection::vec(strengths(), 0..40),
            others in prop::collection::vec(strengths(), 0..10),
            before in prop::collection::vec(strengths(), 0..10),
        ) {
            let set = |hands: &[(usize, usize)]| -> Vec<SetHand> {
                hands.iter().map(|&(high, low)| SetHand::new(high, low, false)).collect()
            };
            let mut dominance = Dominance::new();
            // What was counted before is forgotten, and so is what was announced.
            dominance.clear_for(set(&before).into_iter());
            for hand in set(&before) {
                dominance.add(hand, 3);
            }
            dominance.sum_up();

            dominance.clear_for(set(&hands).into_iter().chain(set(&others)));
            for hand in set(&hands) {
                dominance.add(hand, 1);
            }
            dominance.sum_up();
            let occur: Vec<usize> = hands.iter().chain(&others).map(|hand| hand.0).collect();
            let asked: Vec<_> = hands.iter().chain(&others).chain(&before).copied().collect();
            check(&dominance, &hands, &asked, &occur);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn hands_counted_first_are_counted_as_by_a_plain_loop(
            hands in prop::collection::vec(strengths(), 0..40),
            back in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
            asked in prop::collection::vec(strengths(), 1..10),
        ) {
            let mut counts = vec![0; HighStrength::COUNT * WIDTH];
            for (high, low) in &hands {
                counts[high * WIDTH + low] += 1;
            }
            let mut dominance = Dominance::new();
            dominance.clear();
            dominance.add_all(&counts);
            // Some are taken back one by one, as hands that push are.
            let mut left = hands.clone();
            for index in back {
                if !left.is_empty() {
                    let (high, low) = left.swap_remove(index.index(left.len()));
                    dominance.add(SetHand::new(high, low, true), u32::MAX);
                }
            }
            dominance.sum_up();
            let occur: Vec<usize> = asked.iter().map(|hand| hand.0).collect();
            check(&dominance, &left, &asked, &occur);
        }
    }
}
