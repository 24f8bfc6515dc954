//! The oracle: a slow and simple evaluator of pai gow poker hands, written directly from the definitions.
//!
//! Tests compare the fast evaluator with the oracle on every hand. So the two share nothing but the names of the cards,
//! categories and classes. The oracle tries the joker as every card it can represent, looks for five-card classes in
//! every five of the seven cards, and counts ranks one by one. `oracle_examples.rs` checks it against hands evaluated
//! manually.

#![allow(clippy::trivially_copy_pass_by_ref)] // hands of two, five and seven cards are passed in the same way

use paigow::{Card, Category, ClassSet, HandClass, Joker, Ranking, Suit, Wheel};

/// Value of a hand. A greater value is a stronger hand.
///
/// `ranks` holds the ranks that decide within the category, the most important first, padded with 0. A straight has one
/// rank, its height (see [`straight_height`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Value {
    pub category: Category,
    pub ranks: [u8; 5],
}

/// A natural card, with its rank as a number: 2 to 10, then [`JACK`] and up.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Face {
    rank: u8,
    suit: Suit,
}

/// Cards of a hand. `None` is the joker, which has no face.
type Hand<const N: usize> = [Option<Face>; N];

const TWO: u8 = 2;
const FIVE: u8 = 5;
const JACK: u8 = 11;
const QUEEN: u8 = 12;
const KING: u8 = 13;
const ACE: u8 = 14;

// ---------------------------------------------------------------------------------------------
// Two and five cards

/// Value of a five-card hand, with the best permitted use of the joker.
pub(crate) fn high(cards: &[Card; 5], ranking: Ranking) -> Value {
    let hand = cards.map(face);
    if let Some(five) = natural(hand) {
        return value_of_five(five, ranking.wheel);
    }
    let best = stand_ins(hand)
        .filter_map(|stand_in| value_with_joker_as(hand, stand_in, ranking))
        .chain(five_of_a_kind(hand, ranking.joker))
        .max();
    let Some(best) = best else {
        panic!("the joker makes five of a kind with four aces, and may be an ace with fewer: {cards:?}")
    };
    best
}

/// Value of a two-card hand, which is a pair or a high card.
pub(crate) fn low(cards: &[Card; 2], joker: Joker) -> Value {
    let hand = cards.map(face);
    if let Some(two) = natural(hand) {
        return value_of_two(two);
    }
    // Two cards are never a straight or a flush, so a semi-wild joker is an ace.
    let best = stand_ins(hand)
        .filter(|stand_in| joker == Joker::FullyWild || stand_in.rank == ACE)
        .map(|stand_in| value_of_two(with_joker_as(hand, stand_in)))
        .max();
    let Some(best) = best else { panic!("the joker may always be an ace beside one other card: {cards:?}") };
    best
}

/// Whether a setting is legal: the low hand must not be higher than the high hand.
pub(crate) fn is_legal(high: &[Card; 5], low: &[Card; 2], ranking: Ranking) -> bool {
    let five = self::high(high, ranking);
    let two = self::low(low, ranking.joker);
    if five.category != two.category {
        return five.category > two.category;
    }
    // Ranks are compared only as far as both hands have them. If these are equal, the high hand has more cards and is
    // the higher.
    for (in_five, in_two) in five.ranks.into_iter().zip(two.ranks) {
        if in_two != 0 && in_five != in_two {
            return in_five > in_two;
        }
    }
    true
}

/// Value of a five-card hand whose joker represents this card, or `None` if the joker may not.
fn value_with_joker_as(hand: Hand<5>, stand_in: Face, ranking: Ranking) -> Option<Value> {
    let value = value_of_five(with_joker_as(hand, stand_in), ranking.wheel);
    let completes = matches!(
        value.category,
        Category::Straight | Category::Flush | Category::StraightFlush | Category::RoyalFlush
    );
    let permitted = match ranking.joker {
        Joker::SemiWild => stand_in.rank == ACE || completes,
        Joker::FullyWild => true,
    };
    permitted.then_some(value)
}

/// Value of four cards of a rank and the joker. Here the joker represents no card of the deck, which has no fifth one.
fn five_of_a_kind(hand: Hand<5>, joker: Joker) -> Option<Value> {
    let rank = hand.into_iter().flatten().next()?.rank;
    let all_of_it = hand.into_iter().flatten().all(|face| face.rank == rank);
    let permitted = joker == Joker::FullyWild || rank == ACE;
    (all_of_it && permitted).then_some(Value { category: Category::FiveOfAKind, ranks: [rank, 0, 0, 0, 0] })
}

/// Value of five natural cards.
fn value_of_five(five: [Face; 5], wheel: Wheel) -> Value {
    let (groups, ranks) = groups(five.map(|face| face.rank));
    let straight = consecutive(five.map(|face| face.rank));
    let flush = one_suit(five);
    let category = match (groups, straight, flush) {
        ([4, ..], _, _) => Category::FourOfAKind,
        ([3, 2, ..], _, _) => Category::FullHouse,
        ([3, ..], _, _) => Category::ThreeOfAKind,
        ([2, 2, ..], _, _) => Category::TwoPair,
        ([2, ..], _, _) => Category::Pair,
        (_, true, true) if is_royal(five) => Category::RoyalFlush,
        (_, true, true) => Category::StraightFlush,
        (_, true, false) => Category::Straight,
        (_, false, true) => Category::Flush,
        (_, false, false) => Category::HighCard,
    };
    let ranks = if straight { [straight_height(five, wheel), 0, 0, 0, 0] } else { ranks };
    Value { category, ranks }
}

/// Value of two natural cards.
fn value_of_two(two: [Face; 2]) -> Value {
    let [first, second] = two.map(|face| face.rank);
    if first == second {
        return Value { category: Category::Pair, ranks: [first, 0, 0, 0, 0] };
    }
    Value { category: Category::HighCard, ranks: [first.max(second), first.min(second), 0, 0, 0] }
}

/// Counts and ranks of the distinct ranks of five cards, in descending order of count and then of rank.
///
/// K 7 K 2 7 gives `([2, 2, 1, 0, 0], [13, 7, 2, 0, 0])`.
fn groups(five: [u8; 5]) -> ([u8; 5], [u8; 5]) {
    let mut held = [0_u8; ACE as usize + 1];
    for rank in five {
        held[rank as usize] += 1;
    }
    let mut counts = [0; 5];
    let mut ranks = [0; 5];
    let mut filled = 0;
    for count in (1..=4).rev() {
        for rank in (TWO..=ACE).rev() {
            if held[rank as usize] == count {
                counts[filled] = count;
                ranks[filled] = rank;
                filled += 1;
            }
        }
    }
    (counts, ranks)
}

/// Height of a straight: its highest card, but 15 for the ace-high straight.
///
/// The wheel can then have height 14, between the king-high and the ace-high straight.
fn straight_height(straight: [Face; 5], wheel: Wheel) -> u8 {
    if !is_wheel(straight) {
        let highest = straight.iter().map(|face| face.rank).fold(0, u8::max);
        return if highest == ACE { 15 } else { highest };
    }
    match wheel {
        Wheel::Lowest => FIVE,
        Wheel::SecondHighest => 14,
    }
}

// ---------------------------------------------------------------------------------------------
// Seven cards

/// Returns every class that the seven cards contain.
pub(crate) fn classes(cards: &[Card; 7], joker: Joker) -> ClassSet {
    let hand = cards.map(face);
    let found = classes_of_ranks(hand, joker).union(classes_of_runs_and_suits(hand));
    match pai_gow(hand, found) {
        Some(class) => found.with(class),
        None => found,
    }
}

/// Classes that need several cards of a rank.
fn classes_of_ranks(hand: Hand<7>, joker: Joker) -> ClassSet {
    let mut held = [0_u8; ACE as usize + 1];
    for face in hand.into_iter().flatten() {
        held[face.rank as usize] += 1;
    }
    if !has_joker(hand) {
        return classes_of_counts(&held, joker);
    }
    let may_be = match joker {
        Joker::SemiWild => ACE..=ACE,
        Joker::FullyWild => TWO..=ACE,
    };
    let mut found = ClassSet::EMPTY;
    for rank in may_be {
        held[rank as usize] += 1;
        found = found.union(classes_of_counts(&held, joker));
        held[rank as usize] -= 1;
    }
    found
}

/// Classes made by these numbers of cards of each rank, with the joker counted as its rank.
fn classes_of_counts(held: &[u8; ACE as usize + 1], joker: Joker) -> ClassSet {
    let ranks_with = |least: u8| held.iter().filter(|&&count| count >= least).count();
    let (pairs, trips) = (ranks_with(2), ranks_with(3));
    let of_a_kind = held.iter().copied().fold(0, u8::max);
    let contained = [
        (HandClass::FiveAces, held[ACE as usize] == 5),
        // Only a fully wild joker makes five of a kind as a class. A semi-wild joker makes five aces only.
        (HandClass::FiveOfAKind, of_a_kind == 5 && joker == Joker::FullyWild),
        (HandClass::FourOfAKind, of_a_kind >= 4),
        // `pairs` includes the rank of the three, so a full house needs a second rank.
        (HandClass::FullHouse, trips >= 1 && pairs >= 2),
        (HandClass::ThreeOfAKind, of_a_kind >= 3),
        (HandClass::ThreePair, pairs >= 3),
        (HandClass::TwoPair, pairs >= 2),
        (HandClass::Pair, of_a_kind >= 2),
    ];
    only(&contained)
}

/// Classes that need consecutive ranks or one suit. Both uses of the joker allow it to complete them.
fn classes_of_runs_and_suits(hand: Hand<7>) -> ClassSet {
    let of_five = SPLITS.iter().map(|split| classes_of_split(hand, split));
    of_five.fold(classes_of_all_seven(hand), ClassSet::union)
}

/// Indices into seven cards: five cards and the other two.
struct Split {
    five: [usize; 5],
    two: [usize; 2],
}

const SPLITS: [Split; 21] = splits();

/// The 21 ways to split seven cards into five and two.
const fn splits() -> [Split; 21] {
    let mut splits = [const { Split { five: [0; 5], two: [0; 2] } }; 21];
    let mut made = 0;
    let mut first = 0;
    while first < 7 {
        let mut second = first + 1;
        while second < 7 {
            splits[made] = Split { five: indices_without(first, second), two: [first, second] };
            made += 1;
            second += 1;
        }
        first += 1;
    }
    assert!(made == 21, "seven cards have 21 pairs");
    splits
}

const fn indices_without(first: usize, second: usize) -> [usize; 5] {
    let mut left = [0; 5];
    let mut filled = 0;
    let mut index = 0;
    while index < 7 {
        if index != first && index != second {
            left[filled] = index;
            filled += 1;
        }
        index += 1;
    }
    left
}

/// Classes made by five of the seven cards, alone and with the other two.
fn classes_of_split(hand: Hand<7>, split: &Split) -> ClassSet {
    let five = split.five.map(|index| hand[index]);
    let two = split.two.map(|index| hand[index]);
    let classes = |five| classes_of_five(five, two, has_joker(hand));
    match natural(five) {
        Some(five) => classes(five),
        None => stand_ins(five)
            .map(|stand_in| classes(with_joker_as(five, stand_in)))
            .fold(ClassSet::EMPTY, ClassSet::union),
    }
}

/// Classes made by five cards, alone and with the other two, in a hand with or without the joker.
#[inline] // without it, `classes` takes nearly twice as long for a hand with the joker
fn classes_of_five(five: [Face; 5], two: Hand<2>, has_joker: bool) -> ClassSet {
    let straight = consecutive(five.map(|face| face.rank));
    let flush = one_suit(five);
    let found = only(&[(HandClass::Straight, straight), (HandClass::Flush, flush)]);
    if !(straight && flush) {
        return found;
    }
    let royal = is_royal(five);
    // The joker must not be in the hand at all, not even among the other two cards.
    let luhn_tao = is_wheel(five) && !has_joker;
    let king_queen = are_suited(two, KING, QUEEN);
    let ace_queen = are_suited(two, ACE, QUEEN);
    let more = only(&[
        (HandClass::RoyalFlush, royal),
        (HandClass::RoyalFlushRoyalMatch, royal && king_queen),
        (HandClass::RoyalFlushAceQueen, royal && ace_queen),
        (HandClass::LuhnTaoWheel, luhn_tao),
        (HandClass::LuhnTaoWheelAceQueen, luhn_tao && ace_queen),
    ]);
    found.with(HandClass::StraightFlush).union(more)
}

/// Classes that need all seven cards.
fn classes_of_all_seven(hand: Hand<7>) -> ClassSet {
    let straight_flush = |seven: [Face; 7]| one_suit(seven) && consecutive(seven.map(|face| face.rank));
    let wild = || stand_ins(hand).any(|stand_in| straight_flush(with_joker_as(hand, stand_in)));
    match natural(hand) {
        Some(seven) => only(&[(HandClass::Natural7CardStraightFlush, straight_flush(seven))]),
        None => only(&[(HandClass::Wild7CardStraightFlush, wild())]),
    }
}

/// Returns the pai gow class of the cards, or `None` if they are no pai gow. `found` are the other classes.
fn pai_gow(hand: Hand<7>, found: ClassSet) -> Option<HandClass> {
    // Seven cards without a pair have seven ranks.
    let better = [HandClass::Pair, HandClass::Straight, HandClass::Flush];
    if better.into_iter().any(|class| found.contains(class)) {
        return None;
    }
    // A fully wild joker always makes a pair, so a joker in a pai gow is semi-wild and counts as an ace.
    let ranks = hand.map(|face| face.map_or(ACE, |face| face.rank));
    match ranks.into_iter().fold(0, u8::max) {
        ACE => Some(HandClass::AceHigh),
        KING => Some(HandClass::KingHigh),
        QUEEN => Some(HandClass::QueenHigh),
        JACK => Some(HandClass::JackHigh),
        10 => Some(HandClass::TenHigh),
        9 => Some(HandClass::NineHigh),
        _ => panic!("seven distinct ranks up to eight are consecutive: {ranks:?}"),
    }
}

// ---------------------------------------------------------------------------------------------
// Cards

/// Rank and suit of a card, or `None` for the joker.
fn face(card: Card) -> Option<Face> {
    let rank = card.rank()? as u8 + TWO; // `Rank` counts from the deuce
    Some(Face { rank, suit: card.suit()? })
}

fn has_joker<const N: usize>(hand: Hand<N>) -> bool {
    hand.contains(&None)
}

/// Faces of a hand without the joker, or `None` if the hand contains it.
fn natural<const N: usize>(hand: Hand<N>) -> Option<[Face; N]> {
    let mut faces = [hand[0]?; N];
    for (face, held) in faces.iter_mut().zip(hand) {
        *face = held?;
    }
    Some(faces)
}

/// Cards that the joker can represent: every card that is not in the hand.
fn stand_ins<const N: usize>(hand: Hand<N>) -> impl Iterator<Item = Face> {
    Suit::ALL
        .into_iter()
        .flat_map(|suit| (TWO..=ACE).map(move |rank| Face { rank, suit }))
        .filter(move |&face| !hand.contains(&Some(face)))
}

/// Faces of a hand whose joker represents this card.
fn with_joker_as<const N: usize>(hand: Hand<N>, stand_in: Face) -> [Face; N] {
    hand.map(|face| face.unwrap_or(stand_in))
}

fn one_suit<const N: usize>(faces: [Face; N]) -> bool {
    faces.iter().all(|face| face.suit == faces[0].suit)
}

/// Whether the ranks are consecutive, with the ace above the king or below the deuce.
#[inline] // without it, `classes` takes nearly twice as long for a hand with the joker
fn consecutive<const N: usize>(ranks: [u8; N]) -> bool {
    let ace_low = ranks.map(|rank| if rank == ACE { 1 } else { rank });
    consecutive_numbers(ranks) || consecutive_numbers(ace_low)
}

/// Whether the numbers are distinct and fill the range from the lowest to the highest.
fn consecutive_numbers<const N: usize>(ranks: [u8; N]) -> bool {
    let lowest = ranks.iter().copied().fold(u8::MAX, u8::min);
    let highest = ranks.iter().copied().fold(0, u8::max);
    usize::from(highest - lowest) + 1 == N && all_differ(&ranks)
}

fn all_differ(ranks: &[u8]) -> bool {
    ranks.iter().enumerate().all(|(index, rank)| !ranks[..index].contains(rank))
}

/// Whether a straight is ace-high, the only straight with a king and an ace.
fn is_royal(straight: [Face; 5]) -> bool {
    holds(straight, KING) && holds(straight, ACE)
}

/// Whether a straight is the wheel, the only straight with an ace and a deuce.
fn is_wheel(straight: [Face; 5]) -> bool {
    holds(straight, ACE) && holds(straight, TWO)
}

fn holds<const N: usize>(faces: [Face; N], rank: u8) -> bool {
    faces.iter().any(|face| face.rank == rank)
}

/// Whether two natural cards have these two ranks and the same suit.
fn are_suited(two: Hand<2>, one: u8, other: u8) -> bool {
    natural(two).is_some_and(|two| one_suit(two) && holds(two, one) && holds(two, other))
}

/// The set of the classes whose condition holds.
fn only(conditions: &[(HandClass, bool)]) -> ClassSet {
    conditions.iter().filter(|(_, holds)| *holds).map(|(class, _)| *class).collect()
}
