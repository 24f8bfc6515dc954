//! Throughput of the seven-card evaluator, compared with the fastest published crates, on one core.
//!
//! The other crates do not support the joker, so all evaluators rank the 133,784,560 hands without it. Each uses its
//! own representation of cards, and each adds a card in an outer loop only once. The others return one of 7,462 ranks,
//! ours the set of bonus classes. The ratios are meaningful, because they come from one run on one machine.
//!
//! `cargo bench -p paigow-math --bench evaluator`

// A benchmark reads the clock and prints seconds and ratios.
#![allow(clippy::disallowed_methods, clippy::float_arithmetic, clippy::cast_precision_loss)]

use paigow::{Card, Holdings, Joker, PartialHand, Rank, Suit};
use paigow_math::Census;
use paigow_testkit::Rng;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// An evaluator that takes cards one by one.
trait SevenCardEvaluator {
    const NAME: &'static str;
    type Card: Copy;
    type Hand: Copy;
    fn card(rank: usize, suit: usize) -> Self::Card;
    fn empty() -> Self::Hand;
    fn add(hand: Self::Hand, card: Self::Card) -> Self::Hand;
    fn value(&self, hand: Self::Hand) -> u64;
}

struct Ours(&'static Holdings);

impl SevenCardEvaluator for Ours {
    const NAME: &'static str = "paigow";
    type Card = Card;
    type Hand = PartialHand;
    fn card(rank: usize, suit: usize) -> Card {
        Card::new(Rank::ALL[rank], Suit::ALL[suit])
    }
    fn empty() -> PartialHand {
        PartialHand::EMPTY
    }
    fn add(hand: PartialHand, card: Card) -> PartialHand {
        hand.with(card)
    }
    fn value(&self, hand: PartialHand) -> u64 {
        self.0.find(hand.complete()).index() as u64
    }
}

struct AyaPoker;

impl SevenCardEvaluator for AyaPoker {
    const NAME: &'static str = "aya_poker";
    type Card = aya_poker::base::Card;
    type Hand = aya_poker::base::Hand;
    fn card(rank: usize, suit: usize) -> Self::Card {
        let name: String = [Rank::ALL[rank].letter(), Suit::ALL[suit].letter()].into_iter().collect();
        name.parse().unwrap_or_else(|_| panic!("{name} is a card"))
    }
    fn empty() -> Self::Hand {
        aya_poker::base::Hand::new()
    }
    fn add(mut hand: Self::Hand, card: Self::Card) -> Self::Hand {
        hand.insert_unchecked(&card);
        hand
    }
    fn value(&self, hand: Self::Hand) -> u64 {
        u64::from(aya_poker::poker_rank(&hand).0)
    }
}

struct RsPoker;

impl SevenCardEvaluator for RsPoker {
    const NAME: &'static str = "rs_poker";
    type Card = rs_poker::core::Card;
    type Hand = rs_poker::core::SevenCardAccum;
    fn card(rank: usize, suit: usize) -> Self::Card {
        use rs_poker::core::{Suit, Value};
        rs_poker::core::Card::new(Value::from_u8(rank as u8), Suit::from_u8(suit as u8))
    }
    fn empty() -> Self::Hand {
        rs_poker::core::SevenCardAccum::new()
    }
    fn add(hand: Self::Hand, card: Self::Card) -> Self::Hand {
        hand + card
    }
    fn value(&self, hand: Self::Hand) -> u64 {
        u64::from(hand.rank().value_bits())
    }
}

/// Time to evaluate every hand without the joker, in order.
fn sequential<E: SevenCardEvaluator>(evaluator: &E) -> Duration {
    let cards: Vec<E::Card> = (0..52).map(|i| E::card(i / 4, i % 4)).collect();
    let start = Instant::now();
    let mut sum = 0u64;
    let mut hands = 0u64;
    for a in 0..46 {
        let one = E::add(E::empty(), cards[a]);
        for b in a + 1..47 {
            let two = E::add(one, cards[b]);
            for c in b + 1..48 {
                let three = E::add(two, cards[c]);
                for d in c + 1..49 {
                    let four = E::add(three, cards[d]);
                    for e in d + 1..50 {
                        let five = E::add(four, cards[e]);
                        for f in e + 1..51 {
                            let six = E::add(five, cards[f]);
                            for &card in &cards[f + 1..] {
                                sum = sum.wrapping_add(evaluator.value(E::add(six, card)));
                                hands += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    black_box(sum);
    assert_eq!(hands, HANDS);
    start.elapsed()
}

/// Number of hands without the joker: C(52, 7).
const HANDS: u64 = 133_784_560;
const SHUFFLED: usize = 1 << 24;

/// Time to evaluate shuffled hands, each built from its seven cards.
fn shuffled<E: SevenCardEvaluator>(evaluator: &E, hands: &[[u8; 7]]) -> Duration {
    let cards: Vec<E::Card> = (0..52).map(|i| E::card(i / 4, i % 4)).collect();
    let start = Instant::now();
    let mut sum = 0u64;
    for hand in hands {
        let hand = hand.iter().fold(E::empty(), |hand, &card| E::add(hand, cards[card as usize]));
        sum = sum.wrapping_add(evaluator.value(hand));
    }
    black_box(sum);
    start.elapsed()
}

/// Hands drawn with a fixed seed, the same in every run.
fn random_hands() -> Vec<[u8; 7]> {
    let mut rng = Rng::new(0x5EED);
    let mut deck: [u8; 52] = std::array::from_fn(|i| i as u8);
    (0..SHUFFLED)
        .map(|_| {
            rng.shuffle_front(&mut deck, 7);
            [deck[0], deck[1], deck[2], deck[3], deck[4], deck[5], deck[6]]
        })
        .collect()
}

/// The shortest of several runs, which other load on the machine disturbs least.
fn best(runs: usize, mut run: impl FnMut() -> Duration) -> Duration {
    (0..runs).map(|_| run()).min().unwrap_or_default()
}

fn print_line(name: &str, hands: u64, time: Duration, ours: Duration) {
    let rate = hands as f64 / time.as_secs_f64() / 1e6;
    let ratio = time.as_secs_f64() / ours.as_secs_f64();
    println!("  {name:<12} {rate:>8.1} M hands/s   {ratio:>5.2} × our time");
}

fn main() {
    // The census runs first, so that the peak memory is its own.
    let census = best(5, || {
        let start = Instant::now();
        black_box(Census::compute(Joker::SemiWild));
        start.elapsed()
    });
    let peak = peak_memory_kib();

    let ours = Ours(Holdings::of(Joker::SemiWild));
    let hands = random_hands();
    let times = [
        (Ours::NAME, best(3, || sequential(&ours)), best(3, || shuffled(&ours, &hands))),
        (AyaPoker::NAME, best(3, || sequential(&AyaPoker)), best(3, || shuffled(&AyaPoker, &hands))),
        (RsPoker::NAME, best(3, || sequential(&RsPoker)), best(3, || shuffled(&RsPoker, &hands))),
    ];
    println!("seven cards in order, {HANDS} hands:");
    for &(name, time, _) in &times {
        print_line(name, HANDS, time, times[0].1);
    }
    println!("seven cards shuffled, {SHUFFLED} hands:");
    for &(name, _, time) in &times {
        print_line(name, SHUFFLED as u64, time, times[0].2);
    }

    let fastest = times[1..].iter().map(|&(_, time, _)| time).min().unwrap_or_default();
    println!("census of all {} hands, every class:", Census::HANDS);
    println!(
        "  {:.1} ms; the fastest other crate needs {:.1} × that to rank its {HANDS}",
        census.as_secs_f64() * 1e3,
        fastest.as_secs_f64() / census.as_secs_f64(),
    );
    if let Some(peak) = peak {
        println!("  {:.1} MiB peak memory", peak as f64 / 1024.0);
    }
}

fn peak_memory_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
