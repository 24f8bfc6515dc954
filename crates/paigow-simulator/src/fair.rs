//! Deals derived a second time, from the description of `paigow_table`'s `fair` and none of its code.

use paigow::Card;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

fn text(bytes: &[u8]) -> Vec<u8> {
    let mut all = vec![bytes.len() as u8];
    all.extend(bytes);
    all
}

pub(crate) fn commitment(table: &str, round: u64, secret: &[u8; 32]) -> [u8; 32] {
    let parts = [&text(b"paigow commitment 1")[..], &text(table.as_bytes()), &round.to_be_bytes(), secret];
    Sha256::digest(parts.concat()).into()
}

/// HMAC by its definition (RFC 2104), for keys of 32 bytes.
fn hmac(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    let padded = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(key).for_each(|(to, from)| *to ^= from);
        block
    };
    let inner = Sha256::digest([&padded(0x36)[..], message].concat());
    Sha256::digest([&padded(0x5c)[..], &inner].concat()).into()
}

fn words(
    label: &[u8],
    table: &str,
    round: u64,
    secret: &[u8; 32],
    bytes: &BTreeMap<u8, Vec<u8>>,
) -> impl Iterator<Item = u32> {
    let mut message = [&text(label)[..], &text(table.as_bytes()), &round.to_be_bytes()].concat();
    for (seat, bytes) in bytes {
        message.push(*seat);
        message.extend(text(bytes));
    }
    let key = hmac(secret, &message);
    (0_u32..).flat_map(move |block| {
        let block = hmac(&key, &block.to_be_bytes());
        (0..8).map(move |i| {
            u32::from_be_bytes([block[4 * i], block[4 * i + 1], block[4 * i + 2], block[4 * i + 3]])
        })
    })
}

fn below(words: &mut impl Iterator<Item = u32>, count: u64) -> u64 {
    // The largest multiple of the count that words reach: those from there on would favour small numbers.
    let fair = (1 << 32) / count * count;
    words.map(u64::from).find(|word| *word < fair).map_or(0, |word| word % count)
}

/// The cards in the order they are dealt, as text, and the place the dice choose.
pub(crate) fn deal(
    table: &str,
    round: u64,
    secret: &[u8; 32],
    bytes: &BTreeMap<u8, Vec<u8>>,
    places: u8,
) -> (String, u8) {
    let mut cards: Vec<Card> = Card::deck().collect();
    let mut stream = words(b"paigow shuffle 1", table, round, secret, bytes);
    for last in (1..cards.len()).rev() {
        cards.swap(last, below(&mut stream, last as u64 + 1) as usize);
    }
    let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
    let dice = below(&mut words(b"paigow dice 1", table, round, secret, bytes), u64::from(places));
    (cards.join(" "), dice as u8 + 1)
}

/// The piles of seven that cards in order make.
pub(crate) fn piles(cards: &str) -> Vec<BTreeSet<String>> {
    let cards: Vec<String> = cards.split(' ').map(ToOwned::to_owned).collect();
    cards.chunks_exact(7).map(|pile| pile.iter().cloned().collect()).collect()
}
