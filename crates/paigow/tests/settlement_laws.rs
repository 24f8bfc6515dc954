//! Settlement: agreement with a second statement of the rules, laws that hold for every round, and rounds worked by hand.
//!
//! The rounds come from a small generator with a seed, so that a round that fails fails again. Plain shuffles seldom hold
//! what the rules are about, so hands are often put together: fours of a kind, straight flushes, low hands, copies.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that expects wrongly has failed

mod restated;

use paigow::rulebook::{Banker, BuiltIn, Cover, Limits, LooksAt};
use paigow::{
    Amount, Arrangement, Bank, Card, CardSet, Color, Dealer, Hand, HandClass, Laid, Outcome, Party, Player,
    Posting, Rank, Rulebook, Seat, Setting, Settlement, SevenCards, SideStake, Stakes, Suit, WagerRef,
};
use restated::{Entry, Kind, Restated, Round, Who, restate};
use std::collections::BTreeMap;
use std::sync::Arc;

// Rounds nobody chose.

/// Splitmix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// One of the numbers below this.
    fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(count)) >> 64) as u64
    }

    fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// Once in so many times.
    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }
}

/// A book with what is posted.
fn posting(book: &str, changes: &[(&str, &str)], posted: &[(&str, &str)]) -> Posting {
    let owned = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|&(one, other)| (one.to_owned(), other.to_owned())).collect::<Vec<_>>()
    };
    let loaded = Rulebook::load(book, &owned(changes), &BuiltIn);
    let loaded = loaded.unwrap_or_else(|error| panic!("{book} with {changes:?}: {error}"));
    Posting::new(Arc::new(loaded), &owned(posted)).expect("it can be posted")
}

/// The deck, shuffled, sometimes with something in it. Hand number `i` is the cards from `7 * i` on.
fn shuffled(chance: &mut Chance, hands: usize) -> Vec<Card> {
    let mut deck: Vec<Card> = Card::deck().collect();
    for i in 0..7 * hands {
        let other = i + chance.index(deck.len() - i);
        deck.swap(i, other);
    }
    if chance.once_in(2) {
        for _ in 0..=chance.below(3) {
            let place = chance.index(hands);
            let wanted = interesting(chance);
            put(&mut deck, place, &wanted);
        }
    }
    if chance.once_in(4) {
        let (from, to) = (chance.index(hands), chance.index(hands));
        if from != to {
            copy(&mut deck, from, to);
        }
    }
    deck
}

/// Puts cards into a hand, those it held to where they came from.
fn put(deck: &mut [Card], hand: usize, cards: &[Card]) {
    for (i, card) in cards.iter().enumerate() {
        let from = deck.iter().position(|other| other == card).expect("it is in the deck");
        deck.swap(7 * hand + i, from);
    }
}

/// Gives a hand the ranks of another, as far as there are cards for it.
fn copy(deck: &mut [Card], from: usize, to: usize) {
    for i in 0..7 {
        let Some((rank, suit)) = deck[7 * from + i].rank().zip(deck[7 * from + i].suit()) else { continue };
        let is_free = |at: usize| !(7 * from..7 * from + 7).contains(&at) && !(7 * to..7 * to + i).contains(&at);
        let twin = (1..4).find_map(|step| {
            let card = Card::new(rank, Suit::ALL[(suit.index() + step) % 4]);
            deck.iter().position(|&other| other == card).filter(|&at| is_free(at))
        });
        if let Some(at) = twin {
            deck.swap(7 * to + i, at);
        }
    }
}

/// Cards that paytables or rules speak of.
fn interesting(chance: &mut Chance) -> Vec<Card> {
    let suit = chance.one_of(&Suit::ALL);
    let other = Suit::ALL[(suit.index() + 1 + chance.index(3)) % 4];
    let rank = chance.one_of(&Rank::ALL);
    let of = |suit: Suit, ranks: &[usize]| ranks.iter().map(|&rank| Card::new(Rank::ALL[rank], suit)).collect();
    let four = |rank: Rank| Suit::ALL.map(|suit| Card::new(rank, suit)).to_vec();
    let mut cards: Vec<Card> = match chance.below(11) {
        0 | 1 => four(rank),
        2 => [four(rank), vec![Card::JOKER]].concat(),
        3 => [four(Rank::Ace), vec![Card::JOKER]].concat(),
        4 => {
            let from = chance.index(7);
            of(suit, &[from, from + 1, from + 2, from + 3, from + 4, from + 5, from + 6])
        }
        5 => {
            let from = chance.index(9);
            of(suit, &[from, from + 1, from + 2, from + 3, from + 4])
        }
        6 => of(suit, &[8, 9, 10, 11, 12]),
        7 => of(suit, &[12, 0, 1, 2, 3]),
        8 => {
            // Seven cards of one colour.
            let near = if suit.color() == other.color() { other } else { suit };
            let mut places: Vec<usize> = (0..26).collect();
            (0..7)
                .map(|_| {
                    let place = places.swap_remove(chance.index(places.len()));
                    Card::new(Rank::ALL[place % 13], if place < 13 { suit } else { near })
                })
                .fold(Vec::new(), |mut cards, card| {
                    if !cards.contains(&card) {
                        cards.push(card);
                    }
                    cards
                })
        }
        // Seven ranks with nothing above a nine to an ace.
        _ => {
            let top = 7 + chance.index(6);
            let mut ranks: Vec<usize> = (0..top).collect();
            let mut cards = vec![Card::new(Rank::ALL[top], suit)];
            for _ in 0..6 {
                let rank = ranks.swap_remove(chance.index(ranks.len()));
                cards.push(Card::new(Rank::ALL[rank], chance.one_of(&Suit::ALL)));
            }
            cards
        }
    };
    if cards.len() == 5 && chance.once_in(2) {
        cards.extend(of(other, chance.one_of(&[&[10, 11][..], &[10, 12][..]])).into_iter().take(2) as _);
    }
    if cards.len() >= 5 && !cards.contains(&Card::JOKER) && chance.once_in(3) {
        let place = chance.index(cards.len());
        cards[place] = Card::JOKER;
    }
    cards
}
