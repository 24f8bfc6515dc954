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
