//! Throughput of a house way's clauses, compared with the same house way written in Rust, on one core.
//!
//! The Rust function implements the South Beach brochure independently of the clauses. It is optimized for speed: it
//! works on masks of ranks, and tries splits only for a straight or a flush. Before the timing, both must agree on
//! every suit class and on random hands.
//!
//! `cargo bench -p paigow-math --bench house_way`

// A benchmark reads the clock and prints seconds and ratios.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]

use paigow::rulebook::BuiltIn;
use paigow::{Arrangement, Card, CardSet, Evaluator, FiveCards, HighStrength, HouseWay, Joker, PartialHand};
use paigow::{Rank, Ranking, Setting, SevenCards, Wheel};
use paigow_math::SuitClasses;
use paigow_testkit::Rng;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Number of random hands on which both must agree, half of them with the joker.
const COMPARED: usize = 1 << 21;
/// Number of timed hands.
const TIMED: usize = 1 << 22;

const ACE: u16 = Rank::Ace.bit();
const KING: u16 = Rank::King.bit();
const TWO_TO_SIX: u16 = 0b0_0000_0001_1111;
const SEVEN_TO_TEN: u16 = 0b0_0001_1110_0000;
const TEN_TO_KING: u16 = 0b0_1111_0000_0000;
const JACK_TO_KING: u16 = 0b0_1110_0000_0000;

/// The South Beach house way, written in Rust.
struct HandWritten {
    evaluator: &'static Evaluator,
    /// The weakest straight. Hands compared with it cannot be a full house, so those at least as strong are straights
    /// or flushes.
    straight: HighStrength,
}

/// Masks of the ranks with at least one to five cards. The joker counts as an ace.
struct RankMasks {
    one: u16,
    two: u16,
    three: u16,
    four: u16,
    five: u16,
}

impl RankMasks {
    #[inline]
    fn of(cards: CardSet) -> RankMasks {
        let [clubs, diamonds, hearts, spades] = cards.suit_masks();
        let (black_or, black_and) = (clubs | spades, clubs & spades);
        let (red_or, red_and) = (diamonds | hearts, diamonds & hearts);
        let one = black_or | red_or;
        let two = black_and | red_and | black_or & red_or;
        let three = black_and & red_or | red_and & black_or;
        let four = black_and & red_and;
        let ace = if cards.has_joker() { ACE } else { 0 };
        RankMasks {
            one: one | ace,
            two: two | one & ace,
            three: three | two & ace,
            four: four | three & ace,
            five: four & ace,
        }
    }
}

impl HandWritten {
    fn new(evaluator: &'static Evaluator) -> HandWritten {
        let wheel: FiveCards = "5c 4d 3h 2s Ac".parse().unwrap_or_else(|fault| panic!("{fault}"));
        HandWritten { evaluator, straight: evaluator.high(wheel) }
    }

    fn set(&self, hand: SevenCards) -> Setting {
        let low = self.low(hand);
        let Some(arrangement) = Arrangement::new(hand, low) else {
            panic!("{low} are not two cards of {hand}")
        };
        arrangement.set(self.evaluator).unwrap_or_else(|foul| panic!("{foul}"))
    }

    fn low(&self, hand: SevenCards) -> CardSet {
        let cards = hand.cards();
        let held = RankMasks::of(cards);
        if held.three != 0 {
            return self.three_or_more(hand, &held);
        }
        let singles = held.one ^ held.two;
        match held.two.count_ones() {
            0 if has_straight_or_flush(cards) => self.best_low_with_straight_or_flush(hand, CardSet::EMPTY),
            // "Use second and third highest ranked cards for the low hand."
            0 => of_ranks(cards, highest_two(singles ^ highest(singles))),
            1 if has_straight_or_flush(cards) => self.pair_and_straight_or_flush(hand, held.two, singles),
            // "Always use the pair as the high hand and use the highest ranking cards for the low hand."
            1 => of_ranks(cards, highest_two(singles)),
            // With a straight or a flush "use the two pair rule", too.
            2 if keeps_two_pair(held.two, singles) => of_ranks(cards, highest_two(singles)),
            2 => of_ranks(cards, held.two ^ highest(held.two)),
            // "Always play the highest pair in the low hand."
            _ => of_ranks(cards, highest(held.two)),
        }
    }

    fn pair_and_straight_or_flush(&self, hand: SevenCards, pair: u16, singles: u16) -> CardSet {
        let cards = hand.cards();
        // "Play pair in low hand only if Straight, Flush, Straight Flush, Royal Flush can be preserved."
        let low_pair = of_ranks(cards, pair);
        if has_straight_or_flush(cards.difference(low_pair)) {
            return low_pair;
        }
        // "When the high hand contains an Ace or Joker, and a pair of 10's through Kings, play the Ace or Joker in the
        // low hand and the pair in the high hand. Play the pair in the high hand only if the low hand can be improved":
        // if the ace can be in the low hand beside a straight or flush, the pair improves nothing.
        if pair & TEN_TO_KING != 0 && singles & ACE != 0 {
            let low = self.best_low_with_straight_or_flush(hand, of_ranks(cards, ACE));
            return if low.is_empty() { of_ranks(cards, highest_two(singles)) } else { low };
        }
        self.best_low_with_straight_or_flush(hand, CardSet::EMPTY)
    }

    fn three_or_more(&self, hand: SevenCards, held: &RankMasks) -> CardSet {
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
        if has_straight_or_flush(cards) {
            // "With two aces and a joker, always maintain the straight, flush, straight flush or royal flush."
            if held.three == ACE && cards.has_joker() {
                return self.best_low_with_straight_or_flush(hand, CardSet::EMPTY);
            }
            return self.best_pair(hand, held.three);
        }
        // "Always keep in high hand. Exception: If Aces, play one of the aces for the low hand."
        if held.three == ACE {
            return of_ranks(cards, highest(others)).union(any(1, of_ranks(cards, ACE)));
        }
        of_ranks(cards, highest_two(others))
    }

    /// The best low hand that contains `needed` and leaves a straight or flush, or the empty set if there is none.
    ///
    /// Ties go to the better high hand.
    fn best_low_with_straight_or_flush(&self, hand: SevenCards, needed: CardSet) -> CardSet {
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

    /// The two cards of a rank that leave the best high hand.
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

/// Whether the cards contain a straight or a flush.
#[inline]
fn has_straight_or_flush(cards: CardSet) -> bool {
    let joker = cards.has_joker();
    let suits = cards.suit_masks();
    if suits.iter().any(|suit| suit.count_ones() + u32::from(joker) >= 5) {
        return true;
    }
    // The ace also counts below the two.
    let ranks = cards.rank_mask() << 1 | cards.rank_mask() >> 12;
    let runs_of_two = ranks & ranks >> 1;
    let runs_of_four = runs_of_two & runs_of_two >> 2;
    if !joker {
        return runs_of_four & ranks >> 4 != 0;
    }
    // The joker at either end, or as the second, third or fourth card.
    let runs_of_three = runs_of_two & ranks >> 2;
    runs_of_four | ranks & runs_of_three >> 2 | runs_of_two & runs_of_two >> 3 | runs_of_three & ranks >> 4
        != 0
}

/// The cards of these ranks. The joker counts as an ace.
#[inline]
fn of_ranks(cards: CardSet, ranks: u16) -> CardSet {
    cards.intersection(CardSet::from_masks([ranks; 4], ranks & ACE != 0))
}

/// Any `count` of the cards, which are equivalent.
fn any(count: usize, cards: CardSet) -> CardSet {
    cards.iter().take(count).collect()
}

/// The highest rank of a mask, which must not be empty.
#[inline]
fn highest(ranks: u16) -> u16 {
    1 << ranks.ilog2()
}

/// The two highest ranks of a mask, which must have at least two.
#[inline]
fn highest_two(ranks: u16) -> u16 {
    let first = highest(ranks);
    first | highest(ranks ^ first)
}

/// Draws hands with a fixed seed, the same in every run.
struct Deck {
    cards: Vec<Card>,
    rng: Rng,
}

impl Deck {
    fn new() -> Deck {
        Deck { cards: Card::deck().collect(), rng: Rng::new(0x5EED) }
    }

    fn deal(&mut self, joker: bool) -> SevenCards {
        let mut from = 0;
        if joker {
            let joker = self.cards.iter().position(|card| card.is_joker()).unwrap_or_default();
            self.cards.swap(0, joker);
            from = 1;
        }
        self.rng.shuffle_front(&mut self.cards[from..], 7 - from);
        self.cards[..7].iter().fold(PartialHand::EMPTY, |hand, &card| hand.with(card)).complete()
    }
}

/// Panics if the two set a hand with different strengths. The choice among equivalent cards is free.
fn compare(hand: SevenCards, clauses: &HouseWay, hand_written: &HandWritten) {
    let expected = hand_written.set(hand);
    let decision = clauses.decide(hand, hand_written.evaluator);
    let strengths = |setting: Setting| (setting.high_strength, setting.low_strength);
    assert!(
        strengths(decision.setting) == strengths(expected),
        "{hand}: {} by the clause \"{}\", {expected} by the hand-written function",
        decision.setting,
        clauses.clauses()[decision.clause].says,
    );
}

/// Time to set the hands.
fn timed(hands: &[SevenCards], set: impl Fn(SevenCards) -> Setting) -> Duration {
    let start = Instant::now();
    for &hand in hands {
        black_box(set(hand));
    }
    start.elapsed()
}

/// The shortest of several runs, which other load on the machine disturbs least.
fn best(runs: usize, mut run: impl FnMut() -> Duration) -> Duration {
    (0..runs).map(|_| run()).min().unwrap_or_default()
}

fn main() {
    let clauses = HouseWay::load("south-beach", &BuiltIn).unwrap_or_else(|error| panic!("{error}"));
    let evaluator = Evaluator::of(Ranking { joker: Joker::SemiWild, wheel: Wheel::Lowest });
    let hand_written = HandWritten::new(evaluator);

    let mut classes = 0u64;
    SuitClasses::of(7).for_each(|hand, _| {
        compare(hand.complete(), &clauses, &hand_written);
        classes += 1;
    });
    let mut deck = Deck::new();
    for i in 0..COMPARED {
        compare(deck.deal(i % 2 == 0), &clauses, &hand_written);
    }
    println!("clauses and hand-written function agree on {classes} classes and {COMPARED} random hands");

    let hands: Vec<SevenCards> = (0..TIMED).map(|_| deck.deal(false)).collect();
    let clauses_time = best(3, || timed(&hands, |hand| clauses.decide(hand, evaluator).setting));
    let hand_written_time = best(3, || timed(&hands, |hand| hand_written.set(hand)));
    println!("seven cards set, {TIMED} shuffled hands, one core:");
    for (name, time) in [("clauses", clauses_time), ("hand-written", hand_written_time)] {
        println!("  {name:<12} {:>6.2} M settings/s", TIMED as f64 / time.as_secs_f64() / 1e6);
    }
    let ratio = clauses_time.as_secs_f64() / hand_written_time.as_secs_f64();
    println!("clauses need {ratio:.2} × the time of the hand-written function");
}
