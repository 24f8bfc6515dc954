//! What seven cards hold: the one evaluator of bonus classes.
//!
//! The classes a hand contains come from two sources that do not know of each other: its pattern of ranks
//! (pairs to five of a kind, straights, pai gows) and the cards of its flush suit, if it has one. Each set of
//! classes that can come of it gets a number, a [`Holding`]; finding a hand's holding is a look-up by ranks,
//! and with a flush one more by suit that joins the two. A census then counts holdings, and a paytable is an
//! array over them.

use crate::ranking::{RankPattern, RankTable, boxed};
use crate::{CardSet, ClassSet, HandClass, Joker, Rank, SevenCards, Suit};
use std::sync::OnceLock;

/// The number of a set of classes that seven cards can contain together; [`Holdings::classes`] tells which.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Holding(u16);

impl Holding {
    /// There are fewer holdings than this.
    pub const COUNT_MAX: usize = 1_024;

    /// The place among all holdings, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Finds the holding of seven cards under one use of the joker.
///
/// ```
/// use paigow::{HandClass, Holdings, Joker, SevenCards};
///
/// let hand: SevenCards = "9c 9d 9h 8s 7s 6s 5s".parse()?;
/// let holdings = Holdings::of(Joker::SemiWild);
/// let classes = holdings.classes(holdings.find(hand));
/// assert!(classes.contains(HandClass::Straight) && classes.contains(HandClass::ThreeOfAKind));
/// # Ok::<(), paigow::CardFaults>(())
/// ```
pub struct Holdings {
    by_ranks: RankTable<u8, 131_072>,
    /// By [`CardSet::flush_index`]: the first of the rows of `joined`.
    by_flush: Box<[u8; CardSet::FLUSHES]>,
    /// By row (what the flush suit holds, and beside what) and by the holding of the ranks alone.
    joined: Vec<[u16; RANK_HOLDINGS_MAX]>,
    classes: Vec<ClassSet>,
}

/// How many sets of classes the ranks alone make, at most; a power of two.
const RANK_HOLDINGS_MAX: usize = 64;
const KING_QUEEN: u16 = 0b0_1100_0000_0000;
const ACE_QUEEN: u16 = 0b1_0100_0000_0000;

impl Holdings {
    /// The holdings under a use of the joker.
    pub fn of(joker: Joker) -> &'static Holdings {
        static HOLDINGS: [OnceLock<Holdings>; 2] = [const { OnceLock::new() }; 2];
        HOLDINGS[joker as usize].get_or_init(|| Holdings::build(joker))
    }

    /// The holding of seven cards.
    #[inline]
    pub fn find(&self, hand: SevenCards) -> Holding {
        let by_ranks = self.by_ranks.get(hand.key());
        match hand.key().flush_suit() {
            None => Holding(by_ranks.into()),
            Some(suit) => self.with_flush(hand.cards(), suit, by_ranks),
        }
    }

    fn with_flush(&self, cards: CardSet, suit: Suit, by_ranks: u8) -> Holding {
        let row = self.by_flush[cards.flush_index(suit)] as usize;
        let beside = Beside::of(cards, suit) as usize;
        Holding(self.joined[row + beside][by_ranks as usize & (RANK_HOLDINGS_MAX - 1)])
    }

    /// The classes of a holding.
    pub fn classes(&self, holding: Holding) -> ClassSet {
        self.classes[holding.index()]
    }

    /// The classes seven cards contain.
    pub fn classes_of(&self, hand: SevenCards) -> ClassSet {
        self.classes(self.find(hand))
    }

    /// All holdings with their classes.
    pub fn all(&self) -> impl Iterator<Item = (Holding, ClassSet)> {
        (0..).map(Holding).zip(self.classes.iter().copied())
    }

    fn build(joker: Joker) -> Holdings {
        let mut classes = Vec::new();
        let mut number = |set: ClassSet| {
            let place = classes.iter().position(|&other| other == set).unwrap_or_else(|| {
                classes.push(set);
                classes.len() - 1
            });
            assert!(place < Holding::COUNT_MAX, "{} holdings", classes.len());
            place as u16
        };
        let mut rank_sets = Vec::new();
        let by_ranks = RankTable::build(7, |pattern| {
            let set = rank_classes(pattern, joker);
            let holding = number(set);
            if holding as usize == rank_sets.len() {
                rank_sets.push(set);
            }
            holding as u8
        });
        assert!(rank_sets.len() <= RANK_HOLDINGS_MAX, "{} sets of ranks", rank_sets.len());

        let mut flush_sets: Vec<ClassSet> = Vec::new();
        let mut by_flush: Box<[u8; CardSet::FLUSHES]> = boxed(vec![0; CardSet::FLUSHES]);
        for (index, row) in by_flush.iter_mut().enumerate() {
            let (mask, joker) = CardSet::flush_at(index);
            let set = flush_classes(mask, joker);
            let place = flush_sets.iter().position(|&other| other == set).unwrap_or_else(|| {
                flush_sets.push(set);
                flush_sets.len() - 1
            });
            *row = (place * Beside::COUNT) as u8;
        }

        let mut joined = Vec::new();
        for &flush in &flush_sets {
            for beside in [Beside::Nothing, Beside::KingQueen, Beside::AceQueen] {
                let flush = flush.union(match_classes(flush, beside));
                let mut row = [0; RANK_HOLDINGS_MAX];
                for (slot, &ranks) in row.iter_mut().zip(&rank_sets) {
                    // With a flush, seven ranks are no pai gow.
                    let no_pai_gow = HandClass::PAI_GOWS.into_iter().collect();
                    let ranks = if flush.is_empty() { ranks } else { ranks.difference(no_pai_gow) };
                    *slot = number(ranks.union(flush));
                }
                joined.push(row);
            }
        }
        Holdings { by_ranks, by_flush, joined, classes }
    }
}

/// What stands outside the flush suit: it matters beside a royal flush or a wheel, which leave two cards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    KingQueen,
    AceQueen,
}

impl Beside {
    const COUNT: usize = 3;

    fn of(cards: CardSet, flush_suit: Suit) -> Beside {
        let others = || Suit::ALL.into_iter().filter(|&suit| suit != flush_suit);
        let holds = |ranks: u16| others().any(|suit| cards.suit_mask(suit) & ranks == ranks);
        if holds(KING_QUEEN) {
            Beside::KingQueen
        } else if holds(ACE_QUEEN) {
            Beside::AceQueen
        } else {
            Beside::Nothing
        }
    }
}

/// What the pattern of ranks holds. The joker may be a different card for each class.
fn rank_classes(pattern: &RankPattern, joker: Joker) -> ClassSet {
    let mut classes = ClassSet::EMPTY;
    if straights(pattern.at_least(1), pattern.joker) {
        classes = classes.with(HandClass::Straight);
    }
    if !pattern.joker {
        return classes.union(kinds(pattern, classes.is_empty()));
    }
    let uses: &[Rank] = match joker {
        Joker::SemiWild => &[Rank::Ace],
        Joker::FullyWild => &Rank::ALL,
    };
    let straight = !classes.is_empty();
    for &rank in uses {
        // A fully wild joker makes a pair of something: it never leaves a pai gow.
        let pai_gow = !straight && joker == Joker::SemiWild;
        classes = classes.union(kinds(&pattern.joker_as(rank), pai_gow));
    }
    // Five aces are all a semi-wild joker makes of it, and have a class of their own.
    let none =
        if joker == Joker::SemiWild { ClassSet::EMPTY.with(HandClass::FiveOfAKind) } else { ClassSet::EMPTY };
    classes.difference(none)
}

/// Pairs to five of a kind; and the pai gow, if it may be one and there is no pair.
fn kinds(pattern: &RankPattern, pai_gow: bool) -> ClassSet {
    let pairs = pattern.at_least(2).count_ones();
    let trips = pattern.at_least(3).count_ones();
    let quads = pattern.at_least(4);
    let five = pattern.at_least(5);
    let highest = Rank::highest(pattern.at_least(1));
    let tests = [
        (HandClass::FiveAces, five == Rank::Ace.bit()),
        (HandClass::FiveOfAKind, five != 0),
        (HandClass::FourOfAKind, quads != 0),
        (HandClass::FullHouse, trips >= 1 && pairs >= 2),
        (HandClass::ThreeOfAKind, trips >= 1),
        (HandClass::ThreePair, pairs >= 3),
        (HandClass::TwoPair, pairs >= 2),
        (HandClass::Pair, pairs >= 1),
    ];
    let mut classes: ClassSet = tests.into_iter().filter(|(_, held)| *held).map(|(class, _)| class).collect();
    if pairs == 0 && pai_gow {
        // Seven ranks without a straight reach nine at least; what is lower holds a straight.
        classes = classes.union(highest.and_then(HandClass::of_high_card).into_iter().collect());
    }
    classes
}

/// What the cards of one suit hold, the joker completing them where it is there.
fn flush_classes(mask: u16, joker: bool) -> ClassSet {
    if mask.count_ones() + u32::from(joker) < 5 {
        return ClassSet::EMPTY;
    }
    let royal = (mask & Rank::ROYAL).count_ones() + u32::from(joker) >= 5;
    let seven = runs(7).any(|run| (mask & run).count_ones() + u32::from(joker) >= 7);
    let tests = [
        (HandClass::Natural7CardStraightFlush, seven && !joker),
        (HandClass::Wild7CardStraightFlush, seven && joker),
        (HandClass::RoyalFlush, royal),
        (HandClass::LuhnTaoWheel, mask & Rank::WHEEL == Rank::WHEEL && !joker),
        (HandClass::StraightFlush, straights(mask, joker)),
        (HandClass::Flush, true),
    ];
    tests.into_iter().filter(|(_, held)| *held).map(|(class, _)| class).collect()
}

/// What a king-queen or an ace-queen of another suit makes of a royal flush or a wheel.
fn match_classes(flush: ClassSet, beside: Beside) -> ClassSet {
    let royal = flush.contains(HandClass::RoyalFlush);
    let wheel = flush.contains(HandClass::LuhnTaoWheel);
    let tests = [
        (HandClass::RoyalFlushRoyalMatch, royal && beside == Beside::KingQueen),
        (HandClass::RoyalFlushAceQueen, royal && beside == Beside::AceQueen),
        (HandClass::LuhnTaoWheelAceQueen, wheel && beside == Beside::AceQueen),
    ];
    tests.into_iter().filter(|(_, held)| *held).map(|(class, _)| class).collect()
}

/// The classes that seven cards hold only where the joker beside a natural straight flush counts: the hand is a Luhn Tao wheel all the same, and the
/// joker stands for a card of the two beside it. A paytable's `reading` says where that is not the reading taken.
pub(crate) fn by_other_reading(cards: CardSet) -> ClassSet {
    if !cards.has_joker() {
        return ClassSet::EMPTY;
    }
    let mut classes = ClassSet::EMPTY;
    for suit in Suit::ALL {
        let others = || Suit::ALL.into_iter().filter(|&other| other != suit);
        let beside = |either: u16| others().any(|other| cards.suit_mask(other) & either != 0);
        let holds = |run: u16| cards.suit_mask(suit) & run == run;
        let tests = [
            (HandClass::LuhnTaoWheel, holds(Rank::WHEEL)),
            (HandClass::LuhnTaoWheelAceQueen, holds(Rank::WHEEL) && beside(ACE_QUEEN)),
            (HandClass::RoyalFlushRoyalMatch, holds(Rank::ROYAL) && beside(KING_QUEEN)),
            (HandClass::RoyalFlushAceQueen, holds(Rank::ROYAL) && beside(ACE_QUEEN)),
        ];
        classes =
            classes.union(tests.into_iter().filter(|(_, held)| *held).map(|(class, _)| class).collect());
    }
    classes
}

/// Whether the ranks hold five in a row, one of them perhaps the joker.
fn straights(mask: u16, joker: bool) -> bool {
    runs(5).any(|run| (mask & run).count_ones() + u32::from(joker) >= 5)
}

/// The masks of so many ranks in a row, the ace below the two as well as above the king.
fn runs(length: u32) -> impl Iterator<Item = u16> {
    let low_ace = Rank::Ace.bit() | ((1 << (length - 1)) - 1);
    std::iter::once(low_ace).chain((0..=13 - length).map(move |from| ((1 << length) - 1) << from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(hand: &str, expect: &[HandClass]) {
        let hand: SevenCards = hand.parse().unwrap_or_else(|faults| panic!("{faults}"));
        let other = by_other_reading(hand.cards());
        assert_eq!(other, expect.iter().copied().collect(), "{hand}");
        for joker in [Joker::SemiWild, Joker::FullyWild] {
            let held = Holdings::of(joker).classes_of(hand);
            assert!(expect.iter().all(|class| !held.contains(*class)), "{hand}: {held:?}");
        }
    }

    #[test]
    fn the_other_reading_counts_the_joker_beside_a_natural_straight_flush() {
        use HandClass::{LuhnTaoWheel, LuhnTaoWheelAceQueen, RoyalFlushAceQueen, RoyalFlushRoyalMatch};
        check("As 5s 4s 3s 2s Jk 8c", &[LuhnTaoWheel]);
        check("As 5s 4s 3s 2s Jk Qc", &[LuhnTaoWheel, LuhnTaoWheelAceQueen]);
        check("As 5s 4s 3s 2s Jk Qs", &[LuhnTaoWheel]);
        check("As Ks Qs Js Ts Jk Kh", &[RoyalFlushRoyalMatch]);
        check("As Ks Qs Js Ts Jk Qh", &[RoyalFlushRoyalMatch, RoyalFlushAceQueen]);
        check("As Ks Qs Js Ts Jk 9h", &[]);
        // The joker completes the straight flush, or is not there.
        check("As 5s 4s 3s Jk Qc 8c", &[]);
        check("As 5s 4s 3s 2s Kd 8c", &[]);
    }
}
