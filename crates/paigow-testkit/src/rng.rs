//! Reproducible random numbers.

use paigow::{Card, Hand, SevenCards};

/// Random number generator with a seed (splitmix64; Steele, Lea and Flood 2014).
///
/// The same seed gives the same numbers in every run, so failures can be repeated.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator with a seed.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// Returns the next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `count`. The modulo bias is negligible for tests.
    pub const fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    /// Returns an index below `count`.
    pub const fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }

    /// Returns a number from `min` to `max`, both included.
    pub const fn between(&mut self, min: u64, max: u64) -> u64 {
        min + self.below(max - min + 1)
    }

    /// Returns true with probability `1 / times`.
    pub const fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Returns true with probability `per_mille / 1000`.
    pub const fn chance(&mut self, per_mille: u64) -> bool {
        self.chance_in(per_mille, 1000)
    }

    /// Returns true with probability `times / among`.
    pub const fn chance_in(&mut self, times: u64, among: u64) -> bool {
        self.below(among) < times
    }

    /// Returns a random item.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// Removes and returns a random item.
    pub fn take<T>(&mut self, items: &mut Vec<T>) -> T {
        items.swap_remove(self.index(items.len()))
    }

    /// Moves a random selection of `count` items to the front, in random order.
    pub fn shuffle_front<T>(&mut self, items: &mut [T], count: usize) {
        for i in 0..count {
            let from = i + self.index(items.len() - i);
            items.swap(i, from);
        }
    }

    /// Shuffles all items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.shuffle_front(items, items.len());
    }

    /// Returns a random hand from a deck.
    pub fn hand(&mut self, deck: &mut [Card]) -> SevenCards {
        self.shuffle_front(deck, 7);
        Hand::new(deck[..7].iter().copied().collect()).expect("seven cards")
    }

    /// Returns 32 random bytes.
    pub fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes());
        }
        bytes
    }
}
