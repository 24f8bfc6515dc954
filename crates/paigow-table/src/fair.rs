//! Deals that can be checked by anybody afterwards.
//!
//! Before wagers are made the table draws a secret of 32 bytes and shows its commitment. Seats may add bytes of their own. Once wagers are
//! closed, secret and bytes together decide every card: nobody at the table could know them, and the table could no longer choose
//! them. After the round the secret is shown; who has it derives the same deal again.
//!
//! - commitment = SHA-256(text("paigow commitment 1") ‖ text(table) ‖ round ‖ secret)
//! - key = HMAC-SHA-256(secret, text(label) ‖ text(table) ‖ round ‖ seats)
//! - block j = HMAC-SHA-256(key, j), for j = 0, 1, 2 and so on
//!
//! Here text(x) is one byte, the length of x, and then x, in ASCII; the round is eight bytes and j four, big-endian; the secret is its
//! 32 bytes with nothing before them. The seats are those that have added bytes, the lowest number first: each is one byte,
//! its number, then one byte, how many it has added, then these. A seat that has added nothing is not there; one that has added no
//! bytes is, with a length of zero.
//!
//! Every block is eight words of 32 bits, big-endian, and the words of all blocks are used one after the other. A number below n is
//! chosen by the first of them that is less than the greatest multiple of n up to 2³², and is what remains of that word divided by
//! n; words that are not less are passed over, so that all numbers are equally likely.
//!
//! With the label "paigow shuffle 1" they shuffle. The cards start in the order of [`Card::deck`]: clubs, diamonds, hearts and spades,
//! each from the two up to the ace, then the joker. For i from 53 down to 2 a number k below i is chosen, and the i-th card
//! is exchanged with the (k + 1)-th, which may be itself. The first card is dealt first.
//!
//! With the label "paigow dice 1" they throw the dice for n places: a number k below n is chosen, and the place is k + 1.
//!
//! `golden/deals.golden` has examples.

use crate::TableId;
use hmac::{Hmac, Mac};
use paigow::{Card, Shuffle};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use utoipa::ToSchema;

/// Bytes written in hexadecimal digits.
macro_rules! hex_bytes {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(value_type = String)]
        pub struct $name(pub [u8; 32]);

        impl TryFrom<String> for $name {
            type Error = HexFault;

            fn try_from(text: String) -> Result<$name, HexFault> {
                from_hex(&text)?.try_into().map($name).map_err(|_| HexFault)
            }
        }

        impl From<$name> for String {
            fn from(bytes: $name) -> String {
                to_hex(&bytes.0)
            }
        }
    )*};
}

hex_bytes! {
    /// What decides a deal. It is shown when the round is over.
    Secret;
    /// What is shown of the secret beforehand.
    Commitment;
}

/// Secrets are not to be found in logs.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commitment({})", to_hex(&self.0))
    }
}

/// A text that is no bytes in hexadecimal digits, or not as many as there must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("these are not as many pairs of hexadecimal digits as there must be")]
pub struct HexFault;

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub(crate) fn from_hex(text: &str) -> Result<Vec<u8>, HexFault> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8).ok_or(HexFault);
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return Err(HexFault) };
    pairs.iter().map(|[high, low]| Ok(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// What a seat adds to a deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct SeatBytes(Vec<u8>);

impl SeatBytes {
    /// The most bytes a seat may add.
    pub const LENGTH_MAX: usize = 32;

    /// These bytes, if they are not too many.
    pub fn new(bytes: Vec<u8>) -> Option<SeatBytes> {
        (bytes.len() <= SeatBytes::LENGTH_MAX).then_some(SeatBytes(bytes))
    }
}

impl TryFrom<String> for SeatBytes {
    type Error = HexFault;

    fn try_from(text: String) -> Result<SeatBytes, HexFault> {
        SeatBytes::new(from_hex(&text)?).ok_or(HexFault)
    }
}

impl From<SeatBytes> for String {
    fn from(bytes: SeatBytes) -> String {
        to_hex(&bytes.0)
    }
}

impl Secret {
    /// What is shown of it beforehand.
    pub fn commitment(&self, table: &TableId, round: u64) -> Commitment {
        let mut digest = Sha256::new();
        digest.update(length_first(b"paigow commitment 1"));
        digest.update(length_first(table.as_str().as_bytes()));
        digest.update(round.to_be_bytes());
        digest.update(self.0);
        Commitment(digest.finalize().into())
    }
}

// A length is one byte.
const _: () = assert!(TableId::LENGTH_MAX <= 255 && SeatBytes::LENGTH_MAX <= 255);

/// A text or bytes after its length. All of them are short.
fn length_first(bytes: &[u8]) -> Vec<u8> {
    let length = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
    [&[length][..], &bytes[..usize::from(length)]].concat()
}

/// All that decides a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairDeal<'a> {
    /// The table's secret.
    pub secret: Secret,
    /// At which table.
    pub table: &'a TableId,
    /// In which round.
    pub round: u64,
    /// What seats have added, by their numbers.
    pub bytes: &'a BTreeMap<u8, SeatBytes>,
}

impl FairDeal<'_> {
    /// The cards in the order they are dealt.
    ///
    /// # Panics
    /// If the exchanged cards are no longer the deck: then we are wrong.
    pub fn shuffle(&self) -> Shuffle {
        let mut words = self.words(b"paigow shuffle 1");
        let mut deck = Card::deck();
        let mut cards = [(); 53].map(|()| deck.next().unwrap_or(Card::JOKER));
        exchange(&mut cards, |count| words.below(count));
        Shuffle::new(cards).unwrap_or_else(|_| panic!("cards appeared or vanished"))
    }

    /// The place the dice choose, of so many; the first if there are none.
    pub fn dice(&self, places: u8) -> u8 {
        self.words(b"paigow dice 1").below(u32::from(places.max(1))) as u8 + 1
    }

    fn words(&self, label: &[u8]) -> Words {
        let mut text = length_first(label);
        text.extend(length_first(self.table.as_str().as_bytes()));
        text.extend(self.round.to_be_bytes());
        for (seat, bytes) in self.bytes {
            text.push(*seat);
            text.extend(length_first(&bytes.0));
        }
        Words { key: hmac(&self.secret.0, &text), block: 0, ready: [0; 8], used: 8 }
    }
}

/// Exchanges cards so that every order is equally likely, if every number below the one asked for is.
fn exchange<T>(cards: &mut [T], mut below: impl FnMut(u32) -> u32) {
    for last in (1..cards.len()).rev() {
        cards.swap(last, below(last as u32 + 1) as usize);
    }
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("a key of any length will do")
    };
    mac.update(text);
    mac.finalize().into_bytes().into()
}

/// The words that choose.
struct Words {
    key: [u8; 32],
    block: u32,
    ready: [u32; 8],
    used: usize,
}

impl Words {
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
    fn below(&mut self, count: u32) -> u32 {
        below(count, u32::MAX, || self.next())
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
