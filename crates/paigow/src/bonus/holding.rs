//! Evaluator of bonus classes: finds the classes that seven cards contain.
//!
//! The classes of a hand have two independent sources. One is its rank pattern: pairs to five of a kind, straights,
//! pai gows. The other is the cards of its flush suit, if it has one. Each set of classes that can occur has a number,
//! its [`Holding`]. Finding the holding of a hand is one lookup by ranks, and a second by suit if the hand has a flush.
//! A census can then count holdings, and a paytable can be evaluated as an array over holdings.

use crate::ranking::{RankPattern, RankTable, boxed};
use crate::{CardSet, ClassSet, HandClass, Joker, Rank, SevenCards, Suit};
use std::sync::OnceLock;

/// Index of a set of classes that seven cards can contain together.
///
/// [`Holdings::classes`] returns the classes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Holding(u16);

impl Holding {
    /// Upper bound on the number of holdings.
    pub const COUNT_MAX: usize = 1_024;

    /// Returns the index among all holdings.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Finds the bonus classes of seven cards under one use of the joker.
///
/// # Examples
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
    /// First row of `joined`, indexed by [`CardSet::flush_index`].
    by_flush: Box<[u8; CardSet::FLUSHES]>,
    /// Holdings of hands with a flush. The row is given by the flush suit's classes and the [`SuitedMatch`], the
    /// column by the holding of the ranks alone.
    joined: Vec<[u16; RANK_HOLDINGS_MAX]>,
    /// Indexed by [`Holding::index`].
    classes: Vec<ClassSet>,
}

/// Upper bound on the number of class sets that the ranks alone produce. A power of two.
const RANK_HOLDINGS_MAX: usize = 64;
const KING_QUEEN: u16 = 0b0_1100_0000_0000;
const ACE_QUEEN: u16 = 0b1_0100_0000_0000;

impl Holdings {
    /// Returns the holdings for a use of the joker, building them on first use.
    pub fn of(joker: Joker) -> &'static Holdings {
        static HOLDINGS: [OnceLock<Holdings>; 2] = [const { OnceLock::new() }; 2];
        HOLDINGS[joker as usize].get_or_init(|| Holdings::build(joker))
    }

    /// Returns the holding of seven cards.
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
        let suited_match = SuitedMatch::of(cards, suit) as usize;
        Holding(self.joined[row + suited_match][by_ranks as usize & (RANK_HOLDINGS_MAX - 1)])
    }

    /// Returns the classes of a holding.
    pub fn classes(&self, holding: Holding) -> ClassSet {
        self.classes[holding.index()]
    }

    /// Returns the classes that seven cards contain.
    pub fn classes_of(&self, hand: SevenCards) -> ClassSet {
        self.classes(self.find(hand))
    }

    /// Returns all holdings with their classes.
    pub fn all(&self) -> impl Iterator<Item = (Holding, ClassSet)> {
        (0..).map(Holding).zip(self.classes.iter().copied())
    }

    fn build(joker: Joker) -> Holdings {
        let mut classes = Vec::new();
        let mut intern = |set: ClassSet| {
            let index = classes.iter().position(|&other| other == set).unwrap_or_else(|| {
                classes.push(set);
                classes.len() - 1
            });
            assert!(index < Holding::COUNT_MAX, "{} holdings", classes.len());
            index as u16
        };
        let mut rank_sets = Vec::new();
        let by_ranks = RankTable::build(7, |pattern| {
            let set = rank_classes(pattern, joker);
            let holding = intern(set);
            if holding as usize == rank_sets.len() {
                rank_sets.push(set);
            }
            holding as u8
        });
        assert!(rank_sets.len() <= RANK_HOLDINGS_MAX, "{} class sets from ranks", rank_sets.len());

        let mut flush_sets: Vec<ClassSet> = Vec::new();
        let mut by_flush: Box<[u8; CardSet::FLUSHES]> = boxed(vec![0; CardSet::FLUSHES]);
        for (index, row) in by_flush.iter_mut().enumerate() {
            let (mask, joker) = CardSet::decode_flush_index(index);
            let set = flush_classes(mask, joker);
            let set_index = flush_sets.iter().position(|&other| other == set).unwrap_or_else(|| {
                flush_sets.push(set);
                flush_sets.len() - 1
            });
            *row = (set_index * SuitedMatch::COUNT) as u8;
        }

        let mut joined = Vec::new();
        for &flush in &flush_sets {
            for suited_match in [SuitedMatch::None, SuitedMatch::KingQueen, SuitedMatch::AceQueen] {
                let flush = flush.union(match_classes(flush, suited_match));
                let mut row = [0; RANK_HOLDINGS_MAX];
                for (slot, &ranks) in row.iter_mut().zip(&rank_sets) {
                    // A hand with a flush is not a pai gow.
                    let pai_gows = HandClass::PAI_GOWS.into_iter().collect();
                    let ranks = if flush.is_empty() { ranks } else { ranks.difference(pai_gows) };
                    *slot = intern(ranks.union(flush));
                }
                joined.push(row);
            }
        }
        Holdings { by_ranks, by_flush, joined, classes }
    }
}

/// Two suited cards outside the flush suit that some classes require beside a royal flush or a Luhn Tao wheel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SuitedMatch {
    None,
    KingQueen,
    AceQueen,
}

impl SuitedMatch {
    const COUNT: usize = 3;

    fn of(cards: CardSet, flush_suit: Suit) -> SuitedMatch {
        let others = || Suit::ALL.into_iter().filter(|&suit| suit != flush_suit);
        let holds = |ranks: u16| others().any(|suit| cards.suit_mask(suit) & ranks == ranks);
        if holds(KING_QUEEN) {
            SuitedMatch::KingQueen
        } else if holds(ACE_QUEEN) {
            SuitedMatch::AceQueen
        } else {
            SuitedMatch::None
        }
    }
}

/// Returns the classes of a rank pattern. The joker may represent a different card for each class.
fn rank_classes(pattern: &RankPattern, joker: Joker) -> ClassSet {
    let mut classes = ClassSet::EMPTY;
    if has_straight(pattern.at_least(1), pattern.joker) {
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
        // A fully wild joker always makes at least a pair, so the hand is never a pai gow.
        let pai_gow = !straight && joker == Joker::SemiWild;
        classes = classes.union(kinds(&pattern.joker_as(rank), pai_gow));
    }
    // The only five of a kind that a semi-wild joker can make is five aces, which is a separate class.
    let excluded =
        if joker == Joker::SemiWild { ClassSet::EMPTY.with(HandClass::FiveOfAKind) } else { ClassSet::EMPTY };
    classes.difference(excluded)
}

/// Returns the classes from pair to five of a kind, or the pai gow class if `pai_gow` is set and there is no pair.
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
        // Seven ranks below nine always contain a straight, so the highest card is at least a nine.
        classes = classes.union(highest.and_then(HandClass::of_high_card).into_iter().collect());
    }
    classes
}

/// Returns the classes of the cards of one suit, completed by the joker if the hand has it.
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
        (HandClass::StraightFlush, has_straight(mask, joker)),
        (HandClass::Flush, true),
    ];
    tests.into_iter().filter(|(_, held)| *held).map(|(class, _)| class).collect()
}

/// Returns the classes that a suited match adds to a royal flush or a Luhn Tao wheel.
fn match_classes(flush: ClassSet, suited_match: SuitedMatch) -> ClassSet {
    let royal = flush.contains(HandClass::RoyalFlush);
    let wheel = flush.contains(HandClass::LuhnTaoWheel);
    let tests = [
        (HandClass::RoyalFlushRoyalMatch, royal && suited_match == SuitedMatch::KingQueen),
        (HandClass::RoyalFlushAceQueen, royal && suited_match == SuitedMatch::AceQueen),
        (HandClass::LuhnTaoWheelAceQueen, wheel && suited_match == SuitedMatch::AceQueen),
    ];
    tests.into_iter().filter(|(_, held)| *held).map(|(class, _)| class).collect()
}

/// Returns the classes that seven cards contain only under the other reading of the joker rules.
///
/// Under that reading, a joker beside a natural straight flush counts. The hand is still a Luhn Tao wheel, and the
/// joker may represent one of the two matching cards. A paytable's `reading` states which reading the book uses.
pub(crate) fn other_reading_classes(cards: CardSet) -> ClassSet {
    if !cards.has_joker() {
        return ClassSet::EMPTY;
    }
    let mut classes = ClassSet::EMPTY;
    for suit in Suit::ALL {
        let others = || Suit::ALL.into_iter().filter(|&other| other != suit);
        let holds_either = |either: u16| others().any(|other| cards.suit_mask(other) & either != 0);
        let holds = |run: u16| cards.suit_mask(suit) & run == run;
        let tests = [
            (HandClass::LuhnTaoWheel, holds(Rank::WHEEL)),
            (HandClass::LuhnTaoWheelAceQueen, holds(Rank::WHEEL) && holds_either(ACE_QUEEN)),
            (HandClass::RoyalFlushRoyalMatch, holds(Rank::ROYAL) && holds_either(KING_QUEEN)),
            (HandClass::RoyalFlushAceQueen, holds(Rank::ROYAL) && holds_either(ACE_QUEEN)),
        ];
        classes =
            classes.union(tests.into_iter().filter(|(_, held)| *held).map(|(class, _)| class).collect());
    }
    classes
}

/// Returns `true` if the ranks contain five consecutive ranks, one of which may be the joker.
fn has_straight(mask: u16, joker: bool) -> bool {
    runs(5).any(|run| (mask & run).count_ones() + u32::from(joker) >= 5)
}

/// Returns the masks of `length` consecutive ranks. The ace is both below the two and above the king.
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
        let other = other_reading_classes(hand.cards());
        assert_eq!(other, expect.iter().copied().collect(), "{hand}");
        for joker in [Joker::SemiWild, Joker::FullyWild] {
            let held = Holdings::of(joker).classes_of(hand);
            assert!(expect.iter().all(|class| !held.contains(*class)), "{hand}: {held:?}");
        }
    }

    #[test]
    fn other_reading_counts_joker_beside_natural_straight_flush() {
        use HandClass::{LuhnTaoWheel, LuhnTaoWheelAceQueen, RoyalFlushAceQueen, RoyalFlushRoyalMatch};
        check("As 5s 4s 3s 2s Jk 8c", &[LuhnTaoWheel]);
        check("As 5s 4s 3s 2s Jk Qc", &[LuhnTaoWheel, LuhnTaoWheelAceQueen]);
        check("As 5s 4s 3s 2s Jk Qs", &[LuhnTaoWheel]);
        check("As Ks Qs Js Ts Jk Kh", &[RoyalFlushRoyalMatch]);
        check("As Ks Qs Js Ts Jk Qh", &[RoyalFlushRoyalMatch, RoyalFlushAceQueen]);
        check("As Ks Qs Js Ts Jk 9h", &[]);
        // The joker completes the straight flush, or the hand has no joker.
        check("As 5s 4s 3s Jk Qc 8c", &[]);
        check("As 5s 4s 3s 2s Kd 8c", &[]);
    }
}
