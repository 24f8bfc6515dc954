//! Settings a second: the clauses of a house way beside the same house way written in Rust, on one core.
//!
//! The Rust function is a second reading of the South Beach brochure, made from the brochure and not from the clauses. It is
//! written for speed: masks of ranks tell what a hand holds, and only a straight or a flush makes it try splits. Before
//! anything is timed the two must agree, on every class of hands and on random ones.
//!
//! `cargo bench -p paigow-math --bench house_way`

// A bench reads the clock, and prints seconds and ratios.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]

use paigow::rulebook::BuiltIn;
use paigow::{Arrangement, Card, CardSet, Evaluator, FiveCards, HighStrength, HouseWay, Joker, PartialHand};
use paigow::{Rank, Ranking, Setting, SevenCards, Wheel};
use paigow_math::SuitClasses;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How many random hands the two must agree on, half of them with the joker.
const COMPARED: usize = 1 << 21;
/// How many hands are timed.
const TIMED: usize = 1 << 22;

const ACE: u16 = Rank::Ace.bit();
const KING: u16 = Rank::King.bit();
const TWO_TO_SIX: u16 = 0b0_0000_0001_1111;
const SEVEN_TO_TEN: u16 = 0b0_0001_1110_0000;
const TEN_TO_KING: u16 = 0b0_1111_0000_0000;
const JACK_TO_KING: u16 = 0b0_1110_0000_0000;

/// The South Beach house way, by hand.
struct ByHand {
    evaluator: &'static Evaluator,
    /// The weakest straight. Where it is asked for, the hand has no pair beside its pair or three, so that what is as
    /// strong is a straight or a flush and not a full house.
    straight: HighStrength,
}

/// The ranks there are at least so many cards of, the joker an ace, as masks.
struct Held {
    one: u16,
    two: u16,
    three: u16,
    four: u16,
    five: u16,
}

impl Held {
    #[inline]
    fn of(cards: CardSet) -> Held {
        let [clubs, diamonds, hearts, spades] = cards.suit_masks();
        let (black_or, black_and) = (clubs | spades, clubs & spades);
        let (red_or, red_and) = (diamonds | hearts, diamonds & hearts);
        let one = black_or | red_or;
        let two = black_and | red_and | black_or & red_or;
        let three = black_and & red_or | red_and & black_or;
        let four = black_and & red_and;
        let ace = if cards.has_joker() { ACE } else { 0 };
        Held {
            one: one | ace,
            two: two | one & ace,
            three: three | two & ace,
            four: four | three & ace,
            five: four & ace,
        }
    }
}

impl ByHand {
    fn new(evaluator: &'static Evaluator) -> ByHand {
        let wheel: FiveCards = "5c 4d 3h 2s Ac".parse().unwrap_or_else(|fault| panic!("{fault}"));
        ByHand { evaluator, straight: evaluator.high(wheel) }
    }

    fn set(&self, hand: SevenCards) -> Setting {
        let front = self.front(hand);
        let Some(arrangement) = Arrangement::new(hand, front) else {
            panic!("{front} are not two of {hand}")
        };
        arrangement.set(self.evaluator).unwrap_or_else(|foul| panic!("{foul}"))
    }

    fn front(&self, hand: SevenCards) -> CardSet {
        let cards = hand.cards();
        let held = Held::of(cards);
        if held.three != 0 {
            return self.three_or_more(hand, &held);
        }
        let singles = held.one ^ held.two;
        match held.two.count_ones() {
            0 if is_complete(cards) => self.best_before_complete(hand, CardSet::EMPTY),
            // "Use second and third highest ranked cards for the low hand."
            0 => of_ranks(cards, highest_two(singles ^ highest(singles))),
            1 if is_complete(cards) => self.pair_and_complete(hand, held.two, singles),
            // "Always use the pair as the high hand and use the highest ranking cards for the low hand."
            1 => of_ranks(cards, highest_two(singles)),
            // With a straight or a flush "use the two pair rule", too.
            2 if keeps_two_pair(held.two, singles) => of_ranks(cards, highest_two(singles)),
            2 => of_ranks(cards, held.two ^ highest(held.two)),
            // "Always play the highest pair in the low hand."
            _ => of_ranks(cards, highest(held.two)),
        }
    }

    fn pair_and_complete(&self, hand: SevenCards, pair: u16, singles: u16) -> CardSet {
        let cards = hand.cards();
        // "Play pair in low hand only if Straight, Flush, Straight Flush, Royal Flush can be preserved."
        let in_front = of_ranks(cards, pair);
        if is_complete(cards.difference(in_front)) {
            return in_front;
        }
        // "When the high hand contains an Ace or Joker, and a pair of 10's through Kings, play the Ace or Joker in the low
        // hand and the pair in the high hand. Play the pair in the high hand only if the low hand can be improved": if the
        // ace can stand in front of a complete hand, the pair improves nothing.
        if pair & TEN_TO_KING != 0 && singles & ACE != 0 {
            let front = self.best_before_complete(hand, of_ranks(cards, ACE));
            return if front.is_empty() { of_ranks(cards, highest_two(singles)) } else { front };
        }
        self.best_before_complete(hand, CardSet::EMPTY)
    }

    fn three_or_more(&self, hand: SevenCards, held: &Held) -> CardSet {
        let cards = hand.cards();
        let others = held.one ^ held.three;
        let pairs = held.two ^ held.three;
        if held.five != 0 {
            // "Always split and play two Aces in the low hand. The only exception is if you also have a pair of kings."
            return if pairs == KING { of_ranks(cards, KING) } else { any(2, of_ranks(cards, ACE)) };
        }
        // "Face Cards and Aces: Always split"; beside a pair or three, too, "always split four Aces".
        if held.four == ACE {
            return self.best_pair(hand, ACE);
        }
        if held.four != 0 {
            // "Play pair (or pair of the Three-of-a-Kind) in low hand": four and three, or four and two.
            let beside = held.two ^ held.four;
            if beside != 0 {
                return any(2, of_ranks(cards, beside));
            }
            let keeps = held.four & TWO_TO_SIX != 0 || held.four & SEVEN_TO_TEN != 0 && others & ACE != 0;
            return if keeps {
                of_ranks(cards, highest_two(others))
            } else {
                any(2, of_ranks(cards, held.four))
            };
        }
        // "Play highest three-of-a-kind as pair in the low hand."
        if held.three.count_ones() == 2 {
            return any(2, of_ranks(cards, highest(held.three)));
        }
        // "Always split and play pair in low hand"; "play highest of pairs in the low hand".
        if pairs != 0 {
            return of_ranks(cards, highest(pairs));
        }
        if is_complete(cards) {
            // "With two aces and a joker, always maintain the straight, flush, straight flush or royal flush."
            if held.three == ACE && cards.has_joker() {
                return self.best_before_complete(hand, CardSet::EMPTY);
            }
            return self.best_pair(hand, held.three);
        }
        // "Always keep in high hand. Exception: If Aces, play one of the aces for the low hand."
        if held.three == ACE {
            return of_ranks(cards, highest(others)).union(any(1, of_ranks(cards, ACE)));
        }
        of_ranks(cards, highest_two(others))
    }

    /// The best front that has these cards in it and leaves a straight or a flush behind, the best of those if the front
    /// leaves the choice; nothing if there is no such front.
    fn best_before_complete(&self, hand: SevenCards, needed: CardSet) -> CardSet {
        let mut best = (CardSet::EMPTY, None);
        for (high, low) in hand.splits() {
            if !needed.difference(low.cards()).is_empty() {
                continue;
            }
            let low_strength = self.evaluator.low(low);
            if best.1.is_some_and(|(best_low, _)| low_strength < best_low) {
                continue;
            }
            let high_strength = self.evaluator.high(high);
            let strengths = Some((low_strength, high_strength));
            if high_strength >= self.straight && strengths > best.1 {
                best = (low.cards(), strengths);
            }
        }
        best.0
    }

    /// The two cards of a rank that leave the best five behind.
    fn best_pair(&self, hand: SevenCards, rank: u16) -> CardSet {
        let of_rank = of_ranks(hand.cards(), rank);
        let splits = hand.splits().filter(|(_, low)| low.cards().difference(of_rank).is_empty());
        let best = splits.max_by_key(|&(high, _)| self.evaluator.high(high));
        best.map_or(CardSet::EMPTY, |(_, low)| low.cards())
    }
}

/// "Split unless holding King, Ace or Joker", "Split unless holding Ace or Joker", "split all other pairs".
fn keeps_two_pair(pairs: u16, singles: u16) -> bool {
    let low = (pairs & TWO_TO_SIX).count_ones();
    let medium = (pairs & SEVEN_TO_TEN).count_ones();
    let high = (pairs & JACK_TO_KING).count_ones();
    match (low, medium, high) {
        (2, 0, 0) | (1, 1, 0) => singles & (KING | ACE) != 0,
        (1, 0, 1) | (0, 2, 0) => singles & ACE != 0,
        _ => false,
    }
}

/// Whether there is a straight or a flush among the cards.
#[inline]
fn is_complete(cards: CardSet) -> bool {
    let joker = cards.has_joker();
    let suits = cards.suit_masks();
    if suits.iter().any(|suit| suit.count_ones() + u32::from(joker) >= 5) {
        return true;
    }
    // The ace stands below the two as well.
    let ranks = cards.rank_mask() << 1 | cards.rank_mask() >> 12;
    let runs_of_two = ranks & ranks >> 1;
    let runs_of_four = runs_of_two & runs_of_two >> 2;
    if !joker {
        return runs_of_four & ranks >> 4 != 0;
    }
    // The joker at either end, in second, third or fourth place.
    let runs_of_three = runs_of_two & ranks >> 2;
    runs_of_four | ranks & runs_of_three >> 2 | runs_of_two & runs_of_two >> 3 | runs_of_three & ranks >> 4
        != 0
}

/// The cards of these ranks, the joker an ace.
#[inline]
fn of_ranks(cards: CardSet, ranks: u16) -> CardSet {
    cards.intersection(CardSet::from_masks([ranks; 4], ranks & ACE != 0))
}

/// So many of the cards, where it makes no difference which.
fn any(count: usize, cards: CardSet) -> CardSet {
    cards.iter().take(count).collect()
}

/// The highest rank of a mask that has one.
#[inline]
fn highest(ranks: u16) -> u16 {
    1 << ranks.ilog2()
}

/// The two highest ranks of a mask that has two.
#[inline]
fn highest_two(ranks: u16) -> u16 {
    let first = highest(ranks);
    first | highest(ranks ^ first)
}

/// Draws hands by a fixed generator (splitmix64), so that every run has the same.
struct Deck {
    cards: Vec<Card>,
    state: u64,
}

impl Deck {
    fn new() -> Deck {
        Deck { cards: Card::deck().collect(), state: 0x5EED }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn deal(&mut self, joker: bool) -> SevenCards {
        let mut from = 0;
        if joker {
            let place = self.cards.iter().position(|card| card.is_joker()).unwrap_or_default();
            self.cards.swap(0, place);
            from = 1;
        }
        for i in from..7 {
            let place = i + (self.next() % (self.cards.len() - i) as u64) as usize;
            self.cards.swap(i, place);
        }
        self.cards[..7].iter().fold(PartialHand::EMPTY, |hand, &card| hand.with(card)).complete()
    }
}

/// Stops with the hand if the two set it differently. Which of equal cards go in front is free: the strengths count.
fn compare(hand: SevenCards, clauses: &HouseWay, by_hand: &ByHand) {
    let expected = by_hand.set(hand);
    let decision = clauses.decide(hand, by_hand.evaluator);
    let strengths = |setting: Setting| (setting.high_strength, setting.low_strength);
    assert!(
        strengths(decision.setting) == strengths(expected),
        "{hand}: {} by the clause \"{}\", {expected} by hand",
        decision.setting,
        clauses.clauses()[decision.clause].says,
    );
}

/// The time to set the hands.
fn timed(hands: &[SevenCards], set: impl Fn(SevenCards) -> Setting) -> Duration {
    let start = Instant::now();
    for &hand in hands {
        black_box(set(hand));
    }
    start.elapsed()
}

/// The best of several tries: what the machine can do when nothing else is in the way.
fn best(tries: usize, mut run: impl FnMut() -> Duration) -> Duration {
    (0..tries).map(|_| run()).min().unwrap_or_default()
}

fn main() {
    let clauses = HouseWay::load("south-beach", &BuiltIn).unwrap_or_else(|error| panic!("{error}"));
    let evaluator = Evaluator::of(Ranking { joker: Joker::SemiWild, wheel: Wheel::Lowest });
    let by_hand = ByHand::new(evaluator);

    let mut classes = 0u64;
    SuitClasses::of(7).for_each(|hand, _| {
        compare(hand.complete(), &clauses, &by_hand);
        classes += 1;
    });
    let mut deck = Deck::new();
    for i in 0..COMPARED {
        compare(deck.deal(i % 2 == 0), &clauses, &by_hand);
    }
    println!("clauses and hand-written function agree on {classes} classes and {COMPARED} random hands");

    let hands: Vec<SevenCards> = (0..TIMED).map(|_| deck.deal(false)).collect();
    let clauses_time = best(3, || timed(&hands, |hand| clauses.decide(hand, evaluator).setting));
    let by_hand_time = best(3, || timed(&hands, |hand| by_hand.set(hand)));
    println!("seven cards set, {TIMED} shuffled hands, one core:");
    for (name, time) in [("clauses", clauses_time), ("hand-written", by_hand_time)] {
        println!("  {name:<12} {:>6.2} M settings/s", TIMED as f64 / time.as_secs_f64() / 1e6);
    }
    let ratio = clauses_time.as_secs_f64() / by_hand_time.as_secs_f64();
    println!("clauses need {ratio:.2} × the time of the hand-written function");
}
