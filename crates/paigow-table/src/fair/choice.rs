//! Numbers chosen by a key, all equally likely, and what they shuffle.

use super::message::hmac;
use paigow::{Card, Shuffle};

/// The words of a key, one after the other.
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

    /// A number below this one, all equally likely.
    pub(super) fn below(&mut self, count: u32) -> u32 {
        below(count, u32::MAX, || self.next())
    }

    /// The cards in the order they are dealt.
    ///
    /// # Panics
    /// If the exchanged cards are no longer the deck: then we are wrong.
    pub(super) fn shuffle(mut self) -> Shuffle {
        let mut deck = Card::deck();
        let mut cards = [(); 53].map(|()| deck.next().unwrap_or(Card::JOKER));
        exchange(&mut cards, |count| self.below(count));
        Shuffle::new(cards).unwrap_or_else(|_| panic!("cards appeared or vanished"))
    }
}

/// Exchanges cards so that every order is equally likely, if every number below the one asked for is.
fn exchange<T>(cards: &mut [T], mut below: impl FnMut(u32) -> u32) {
    for last in (1..cards.len()).rev() {
        cards.swap(last, below(last as u32 + 1) as usize);
    }
}

/// A number below `count`, all equally likely if all words from 0 to `last` are: the last few, which would make some likelier, are
/// passed over.
fn below(count: u32, last: u32, mut word: impl FnMut() -> u32) -> u32 {
    let uneven = (last % count + 1) % count;
    loop {
        let word = word();
        if word <= last - uneven {
            return word % count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeSet;

    /// What a word chooses, unless it is passed over.
    fn chosen(count: u32, last: u32, word: u32) -> Option<u32> {
        // Zero is never passed over.
        let mut words = [word, 0].into_iter();
        let number = below(count, last, || words.next().unwrap());
        (words.len() == 1).then_some(number)
    }

    #[test]
    fn every_number_is_chosen_by_as_many_words_and_no_more_are_passed_over_than_must_be() {
        for last in 0..=160 {
            for count in 1..=last + 1 {
                let mut words_of = vec![0; count as usize];
                let numbers = (0..=last).filter_map(|word| chosen(count, last, word));
                numbers.for_each(|number| words_of[number as usize] += 1);
                assert!(words_of.iter().all(|words| *words == (last + 1) / count), "{count} of {last}");
            }
        }
    }

    #[test]
    fn words_of_32_bits_are_passed_over_from_the_greatest_multiple_on() {
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
    fn every_order_of_a_small_deck_comes_from_one_sequence_of_choices() {
        let mut sequences = 1;
        for size in 1..=7_usize {
            sequences *= size;
            let mut orders = BTreeSet::new();
            for sequence in 0..sequences {
                let mut left = sequence;
                let mut cards: Vec<usize> = (0..size).collect();
                exchange(&mut cards, |count| {
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
