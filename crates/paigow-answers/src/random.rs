//! Random numbers of simulations.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// Generates the random numbers of a block of rounds. Each block has its own stream under the same key.
pub(crate) fn random_words(seed: u64, block: u64) -> impl FnMut() -> u64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(block);
    move || random.next_u64()
}

#[cfg(test)]
mod tests {
    use super::random_words;

    #[test]
    fn every_block_has_its_own_stream() {
        let first = |seed, block| random_words(seed, block)();
        assert_eq!(first(1, 0), first(1, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
    }
}
