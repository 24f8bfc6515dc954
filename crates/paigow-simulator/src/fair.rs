//! Second derivation of deals, written from `docs/fairness.md` without code of `paigow_table`'s `fair`.

use paigow::Card;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A seat's contribution to a deal: its commitment, and the bytes if it revealed them.
pub(crate) type SeatContribution = ([u8; 32], Option<Vec<u8>>);

fn text(bytes: &[u8]) -> Vec<u8> {
    let mut all = vec![bytes.len() as u8];
    all.extend(bytes);
    all
}

/// Identifies a round by its table, its number and the digest of the rules.
#[derive(Clone, Copy)]
pub(crate) struct RoundName<'a> {
    pub(crate) table: &'a str,
    pub(crate) round: u64,
    pub(crate) rules: &'a str,
}

impl RoundName<'_> {
    fn message(&self, label: &[u8]) -> Vec<u8> {
        [&text(label)[..], &text(self.table.as_bytes()), &self.round.to_be_bytes()].concat()
    }

    pub(crate) fn commitment(&self, secret: &[u8; 32]) -> [u8; 32] {
        let message = self.message(b"paigow commitment 2");
        Sha256::digest([&message[..], &text(self.rules.as_bytes()), secret].concat()).into()
    }

    pub(crate) fn seat_commitment(&self, seat: u8, bytes: &[u8]) -> [u8; 32] {
        Sha256::digest([&self.message(b"paigow seat 2")[..], &[seat], bytes].concat()).into()
    }

    /// Returns the cards in dealing order, as text, and the position that the dice choose.
    pub(crate) fn deal(
        &self,
        secret: &[u8; 32],
        seats: &BTreeMap<u8, SeatContribution>,
        positions: u8,
    ) -> (String, u8) {
        let mut message = self.message(b"paigow deal 2");
        message.extend(text(self.rules.as_bytes()));
        message.extend(text(b""));
        message.push(seats.len() as u8);
        for (seat, (commitment, bytes)) in seats {
            message.push(*seat);
            message.extend(commitment);
            message.push(u8::from(bytes.is_some()));
            message.extend(bytes.iter().flatten());
        }
        let key = hmac(secret, &message);
        let mut cards: Vec<Card> = Card::deck().collect();
        let mut stream = words(hmac(&key, &text(b"paigow shuffle 2")));
        for last in (1..cards.len()).rev() {
            cards.swap(last, below(&mut stream, last as u64 + 1) as usize);
        }
        let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
        let dice = below(&mut words(hmac(&key, &text(b"paigow dice 2"))), u64::from(positions));
        (cards.join(" "), dice as u8 + 1)
    }
}

/// HMAC as defined in RFC 2104, for 32-byte keys.
fn hmac(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    let padded = |pad: u8| {
        let mut block = [pad; 64];
        block.iter_mut().zip(key).for_each(|(to, from)| *to ^= from);
        block
    };
    let inner = Sha256::digest([&padded(0x36)[..], message].concat());
    Sha256::digest([&padded(0x5c)[..], &inner].concat()).into()
}

fn words(key: [u8; 32]) -> impl Iterator<Item = u32> {
    (0_u32..).flat_map(move |block| {
        let block = hmac(&key, &block.to_be_bytes());
        (0..8).map(move |i| {
            u32::from_be_bytes([block[4 * i], block[4 * i + 1], block[4 * i + 2], block[4 * i + 3]])
        })
    })
}

fn below(words: &mut impl Iterator<Item = u32>, count: u64) -> u64 {
    // Largest multiple of `count` up to 2^32. Words from there on would favor small numbers.
    let limit = (1 << 32) / count * count;
    words.map(u64::from).find(|word| *word < limit).map_or(0, |word| word % count)
}

/// Splits cards in dealing order into piles of seven.
pub(crate) fn piles(cards: &str) -> Vec<BTreeSet<String>> {
    let cards: Vec<String> = cards.split(' ').map(ToOwned::to_owned).collect();
    cards.chunks_exact(7).map(|pile| pile.iter().cloned().collect()).collect()
}
