//! Uniform random numbers derived from a key, and the shuffle made with them.

use super::message::hmac;
use paigow::{Card, Shuffle};

/// Stream of 32-bit words derived from a key.
pub(super) struct Words {
    key: [u8; 32],
    block: u32,
    ready: [u32; 8],
    used: usize,
}

impl Words {
    pub(super) fn new(key: [u8; 32]) -> Words {
        Words { key, block: 0, ready: [0; 8], used: 8 }
    }

    fn next(&mut self) -> u32 {
        if self.used == self.ready.len() {
            let block = hmac(&self.key, &self.block.to_be_bytes());
            let (words, _) = block.as_chunks::<4>();
            self.ready = std::array::from_fn(|i| u32::from_be_bytes(words[i]));
            self.block += 1;
            self.used = 0;
        }
        self.used += 1;
        self.ready[self.used - 1]
    }

    /// Returns a uniform number below `count`.
    pub(super) fn below(&mut self, count: u32) -> u32 {
        below(count, u32::MAX, || self.next())
    }

    /// Returns the cards in the order in which they are dealt.
    ///
    /// # Panics
    /// The shuffled cards are not the deck, which is a bug in this module.
    pub(super) fn shuffle(mut self) -> Shuffle {
        let mut deck = Card::deck();
        let mut cards = [(); 53].map(|()| deck.next().unwrap_or(Card::JOKER));
        shuffle(&mut cards, |count| self.below(count));
        Shuffle::new(cards).unwrap_or_else(|_| panic!("the shuffled cards are not the deck"))
    }
}

/// Shuffles cards (Fisher-Yates). Every order is equally likely if `below` is uniform.
fn shuffle<T>(cards: &mut [T], mut below: impl FnMut(u32) -> u32) {
    for last in (1..cards.len()).rev() {
        cards.swap(last, below(last as u32 + 1) as usize);
    }
}

/// Returns a number below `count`, uniform if the words are uniform from 0 to `last`. Rejects the last few words, which
/// would make some numbers more likely.
fn below(count: u32, last: u32, mut word: impl FnMut() -> u32) -> u32 {
    let rejected = (last % count + 1) % count;
    loop {
        let word = word();
        if word <= last - rejected {
            return word % count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeSet;

    /// Returns the number that a word chooses, or `None` if the word is rejected.
    fn chosen(count: u32, last: u32, word: u32) -> Option<u32> {
        // Zero is never rejected.
        let mut words = [word, 0].into_iter();
        let number = below(count, last, || words.next().unwrap());
        (words.len() == 1).then_some(number)
    }

    #[test]
    fn numbers_are_uniform_and_few_words_rejected() {
        for last in 0..=160 {
            for count in 1..=last + 1 {
                let mut word_counts = vec![0; count as usize];
                let numbers = (0..=last).filter_map(|word| chosen(count, last, word));
                numbers.for_each(|number| word_counts[number as usize] += 1);
                assert!(word_counts.iter().all(|words| *words == (last + 1) / count), "{count} of {last}");
            }
        }
    }

    #[test]
    fn words_from_greatest_multiple_are_rejected() {
        for count in 1..=255 {
            let multiple = (1_u64 << 32) / u64::from(count) * u64::from(count);
            let edge = |word: u64| u32::try_from(word).ok().map(|word| chosen(count, u32::MAX, word));
            assert_eq!(edge(multiple - 1), Some(Some(count - 1)));
            assert_eq!(edge(multiple), (!count.is_power_of_two()).then_some(None));
            assert_eq!(chosen(count, u32::MAX, 0), Some(0));
            assert_eq!(chosen(count, u32::MAX, u32::MAX).is_some(), count.is_power_of_two());
        }
    }

    #[test]
    fn each_order_has_one_sequence_of_choices() {
        let mut sequences = 1;
        for size in 1..=7_usize {
            sequences *= size;
            let mut orders = BTreeSet::new();
            for sequence in 0..sequences {
                let mut left = sequence;
                let mut cards: Vec<usize> = (0..size).collect();
                shuffle(&mut cards, |count| {
                    let choice = left % count as usize;
                    left /= count as usize;
                    choice as u32
                });
                assert_eq!(left, 0);
                orders.insert(cards);
            }
            assert_eq!(orders.len(), sequences);
        }
    }
}
