//! Deals that can be checked by anybody afterwards.
//!
//! Before wagers are made the table draws a secret of 32 bytes and shows its commitment. Seats may add bytes of their own. Once wagers are
//! closed, secret and bytes together decide every card: nobody at the table could know them, and the table could no longer choose
//! them. After the round the secret is shown; who has it derives the same deal again.
//!
//! - commitment = SHA-256("paigow commitment 1" ‖ table ‖ round ‖ secret)
//! - key = HMAC-SHA-256(secret, label ‖ table ‖ round ‖ every seat's number and bytes), label being "paigow shuffle 1" or "paigow dice 1"
//! - block j = HMAC-SHA-256(key, j), read as eight big-endian words of 32 bits
//!
//! Texts and bytes are preceded by their length, a byte; the round is eight bytes, big-endian, and j four. The cards start in the order
//! of [`Card::deck`] and are exchanged from the last down, the i-th with one of the first i, the words choosing with
//! rejection so that all are equally likely.

use crate::TableId;
use hmac::{Hmac, Mac};
use paigow::{Card, Shuffle};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Bytes written in hexadecimal digits.
macro_rules! hex_bytes {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
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

/// A text that is no bytes in hexadecimal digits, or not as many as there must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bytes are written in pairs of hexadecimal digits, and these are not as many as there must be")]
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
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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
        for last in (1..cards.len()).rev() {
            cards.swap(last, words.below(last as u32 + 1) as usize);
        }
        Shuffle::new(cards).unwrap_or_else(|_| panic!("cards appeared or vanished"))
    }

    /// The place the dice choose, of so many.
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

    /// A number below this one, all equally likely: words that would make some likelier are passed over.
    fn below(&mut self, count: u32) -> u32 {
        let uneven = (u32::MAX % count + 1) % count;
        loop {
            let word = self.next();
            if word <= u32::MAX - uneven {
                return word % count;
            }
        }
    }
}
