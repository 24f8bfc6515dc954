//! The base game, exactly: of all pairs of a player's and a dealer's hand, how many the player wins, pushes and loses.
//!
//! The two hands must share no card, which makes the pairs depend on each other. It is undone by counting pairs that *may*
//! share cards and correcting: the indicator of P ∩ D = ∅ is the sum over all sets S ⊆ P ∩ D of (−1)^|S|. So the number of
//! disjoint pairs in which P beats D is the sum over sets S of at most seven cards of (−1)^|S| times the number of pairs of
//! hands *containing S* in which the first beats the second, and in those the two hands are independent: it is enough
//! to know how many hands containing S have each pair (H, L) of strengths. One S of each class up to suits will do.
//!
//! `docs/mathematics.md` has the method, its cost and its proof at length.

use crate::SuitClasses;
use crate::hand_table::{HandTable, card_number};
use paigow::{Evaluator, HandClass, HighStrength, Holdings, HouseWay, LowStrength, Partial, Ranking};
use rayon::prelude::*;

/// All pairs of hands: C(53, 7) × C(46, 7).
pub const DEALS: i128 = 8_250_459_031_214_400;

/// What becomes of a player's hand against a dealer's, over all deals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BaseGame {
    /// Both hands higher than the dealer's.
    pub win: i128,
    /// Neither higher.
    pub lose: i128,
    /// One of each.
    pub push: i128,
    /// Deals in which the dealer's hand makes every wager push, whatever the player has; they are in none of the above.
    pub dealer_push: i128,
}

/// A house way's setting of a hand in one number: the five cards' strength, the two cards', and whether the hand makes every
/// base wager push.
const LOW_BITS: u32 = 7;
const FLAG: u32 = 1 << 31;
const _: () = assert!(LowStrength::COUNT <= 1 << LOW_BITS);

fn high_of(value: u32) -> usize {
    ((value & !FLAG) >> LOW_BITS) as usize
}

fn low_of(value: u32) -> usize {
    (value & ((1 << LOW_BITS) - 1)) as usize
}

impl BaseGame {
    /// Counts all deals, both hands set by one house way.
    ///
    /// # Panics
    /// If the pairs counted are not all pairs: every run checks it.
    pub fn count(way: &HouseWay, ranking: Ranking, dealer_push: &[HandClass]) -> BaseGame {
        let evaluator = Evaluator::of(ranking);
        let holdings = Holdings::of(ranking.joker);
        let table = HandTable::build(|hand| {
            // A house way that was read decides every hand.
            let setting = way.decide(hand, evaluator).map(|decision| decision.setting);
            let strengths =
                setting.map_or(0, |s| (s.high_strength.index() << LOW_BITS | s.low_strength.index()) as u32);
            let pushes = !dealer_push.is_empty() && {
                let classes = holdings.classes_of(hand);
                dealer_push.iter().any(|class| classes.contains(*class))
            };
            strengths | if pushes { FLAG } else { 0 }
        });
        let mut sum = Pairs::default();
        for size in 0..=7 {
            let sign = if size % 2 == 0 { 1 } else { -1 };
            sum = sum.plus(&Pairs::sharing(&table, size), sign);
        }
        let game = BaseGame {
            win: sum.win,
            lose: sum.lose,
            push: sum.all - sum.win - sum.lose,
            dealer_push: DEALS - sum.all,
        };
        assert!(
            sum.all + sum.flagged == DEALS && game.push >= 0 && game.win > 0,
            "the pairs counted are not all pairs: {sum:?}"
        );
        game
    }
}

/// Pairs of hands that contain a set S, or sums of such counts.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    /// Of a hand and a dealer's that does not make wagers push.
    all: i128,
    /// Of those, the first higher both ways.
    win: i128,
    /// Of those, the first higher in neither.
    lose: i128,
    /// Of a hand and a dealer's that makes wagers push.
    flagged: i128,
}

impl Pairs {
    fn plus(self, other: &Pairs, times: i128) -> Pairs {
        Pairs {
            all: self.all + times * other.all,
            win: self.win + times * other.win,
            lose: self.lose + times * other.lose,
            flagged: self.flagged + times * other.flagged,
        }
    }

    /// Over all sets of so many cards: one of each class, weighted.
    fn sharing(table: &HandTable, size: usize) -> Pairs {
        let mut sets: Vec<(Partial, u64)> = Vec::new();
        SuitClasses::of(size).for_each(|set, weight| sets.push((set, weight)));
        let add = |one: Pairs, other: Pairs| one.plus(&other, 1);
        // Up to three cards are in so many hands that it pays to count by strengths; more, in few enough to sort.
        if size <= 3 {
            let fold = |(grid, sum): (Grid, Pairs), (set, weight): &(Partial, u64)| {
                let mut grid = grid;
                let pairs = grid.pairs(table, &numbers(*set));
                let sum = sum.plus(&pairs, i128::from(*weight));
                (grid, sum)
            };
            return sets
                .par_iter()
                .fold(|| (Grid::new(), Pairs::default()), fold)
                .map(|(_, sum)| sum)
                .reduce(Pairs::default, add);
        }
        sets.par_chunks(64)
            .fold(
                || (Sweep::new(), Pairs::default()),
                |(mut sweep, mut sum), chunk| {
                    for (set, weight) in chunk {
                        let pairs = sweep.pairs(table, &numbers(*set));
                        sum = sum.plus(&pairs, i128::from(*weight));
                    }
                    (sweep, sum)
                },
            )
            .map(|(_, sum)| sum)
            .reduce(Pairs::default, add)
    }
}

/// The numbers of the cards of a set, from the lowest up.
fn numbers(set: Partial) -> Numbers {
    let mut numbers = Numbers { numbers: [0; 7], count: 0 };
    for card in set.cards().iter() {
        numbers.numbers[numbers.count] = card_number(card);
        numbers.count += 1;
    }
    numbers.numbers[..numbers.count].sort_unstable();
    numbers
}

/// The numbers of at most seven cards.
struct Numbers {
    numbers: [usize; 7],
    count: usize,
}

impl std::ops::Deref for Numbers {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.numbers[..self.count]
    }
}

/// Counts pairs for a set with many hands: how many have each pair of strengths, and running sums over that.
struct Grid {
    /// All hands.
    hands: Vec<u32>,
    /// Those that make wagers push where they are the dealer's.
    flagged: Vec<u32>,
}

const WIDTH: usize = 96;

impl Grid {
    fn new() -> Grid {
        let cells = HighStrength::COUNT * WIDTH;
        Grid { hands: vec![0; cells], flagged: vec![0; cells] }
    }

    fn pairs(&mut self, table: &HandTable, set: &[usize]) -> Pairs {
        self.hands.fill(0);
        self.flagged.fill(0);
        table.for_each_containing(set, |value| {
            let cell = high_of(value) * WIDTH + low_of(value);
            self.hands[cell] += 1;
            if value & FLAG != 0 {
                self.flagged[cell] += 1;
            }
        });
        let rows = || self.hands.chunks_exact(WIDTH).zip(self.flagged.chunks_exact(WIDTH));

        // The dealer's hands with each front, and then those with a front no lower than each.
        let mut no_lower = [0u64; WIDTH];
        let mut players = 0;
        for (hands, flagged) in rows() {
            for ((count, hands), flagged) in no_lower.iter_mut().zip(hands).zip(flagged) {
                *count += u64::from(hands - flagged);
                players += u64::from(*hands);
            }
        }
        let mut dealers = 0;
        for count in no_lower.iter_mut().rev() {
            dealers += *count;
            *count = dealers;
        }

        // Row by row: the dealer's hands with lower backs, by their fronts.
        let mut passed = [0u64; WIDTH];
        let mut passed_all = 0u64;
        let (mut win, mut lose) = (0i128, 0i128);
        for (hands, flagged) in rows() {
            let mut lower_both = 0u64;
            for low in 0..WIDTH {
                if hands[low] > 0 {
                    let count = i128::from(hands[low]);
                    win += count * i128::from(lower_both);
                    lose += count * i128::from(no_lower[low] - (passed_all - lower_both));
                }
                lower_both += passed[low];
            }
            for ((passed, hands), flagged) in passed.iter_mut().zip(hands).zip(flagged) {
                *passed += u64::from(hands - flagged);
                passed_all += u64::from(hands - flagged);
            }
        }
        Pairs {
            all: i128::from(players) * i128::from(dealers),
            win,
            lose,
            flagged: i128::from(players) * i128::from(players - dealers),
        }
    }
}

/// Counts pairs for a set with few hands: the hands in the order of their backs, and how many of those passed have each lower
/// front.
struct Sweep {
    hands: Vec<u32>,
    sorted: Vec<u32>,
    /// How many dealer's hands passed have a front below each: at most C(49, 3) = 18,424 contain four cards.
    below: [u16; WIDTH],
    /// What passing a hand with a front adds to `below`.
    steps: Vec<[u16; WIDTH]>,
}

impl Sweep {
    fn new() -> Sweep {
        let steps = (0..WIDTH).map(|low| std::array::from_fn(|i| u16::from(i > low))).collect();
        Sweep { hands: Vec::new(), sorted: Vec::new(), below: [0; WIDTH], steps }
    }

    fn pairs(&mut self, table: &HandTable, set: &[usize]) -> Pairs {
        self.hands.clear();
        let hands = &mut self.hands;
        table.for_each_containing(set, |value| hands.push(value));
        if self.hands.len() <= FEW {
            return every_pair(&self.hands);
        }
        let mut columns = [0u32; WIDTH];
        for value in self.hands.iter().filter(|value| *value & FLAG == 0) {
            columns[low_of(*value)] += 1;
        }
        let mut no_lower = [0u32; WIDTH];
        let mut from_here = 0;
        for low in (0..WIDTH).rev() {
            from_here += columns[low];
            no_lower[low] = from_here;
        }
        let dealers = from_here;
        self.sort();

        self.below = [0; WIDTH];
        let mut seen = 0u32;
        let (mut win, mut lose) = (0u64, 0u64);
        let mut start = 0;
        while start < self.hands.len() {
            let high = high_of(self.hands[start]);
            let end = self.hands[start..]
                .iter()
                .position(|value| high_of(*value) != high)
                .map_or(self.hands.len(), |n| start + n);
            let group = &self.hands[start..end];
            for value in group {
                let low = low_of(*value);
                let lower_both = u32::from(self.below[low]);
                win += u64::from(lower_both);
                lose += u64::from(no_lower[low] - (seen - lower_both));
            }
            for value in group.iter().filter(|value| *value & FLAG == 0) {
                let step = &self.steps[low_of(*value)];
                self.below.iter_mut().zip(step).for_each(|(count, step)| *count += step);
                seen += 1;
            }
            start = end;
        }
        let players = i128::from(self.hands.len() as u64);
        Pairs {
            all: players * i128::from(dealers),
            win: i128::from(win),
            lose: i128::from(lose),
            flagged: players * (players - i128::from(dealers)),
        }
    }

    /// Puts the hands in the order of their backs, by counting: their lower seven bits first, then the upper six. Within a
    /// group of equal backs the order is all one.
    fn sort(&mut self) {
        self.sorted.resize(self.hands.len(), 0);
        count_sort(&self.hands, &mut self.sorted, |value| high_of(value) & 0x7F);
        count_sort(&self.sorted, &mut self.hands, |value| high_of(value) >> 7);
    }
}

/// So few hands are compared pair by pair sooner than they are sorted.
const FEW: usize = 16;

fn every_pair(hands: &[u32]) -> Pairs {
    let mut pairs = Pairs::default();
    for player in hands {
        for dealer in hands {
            if dealer & FLAG != 0 {
                pairs.flagged += 1;
                continue;
            }
            let higher = [high_of(*player) > high_of(*dealer), low_of(*player) > low_of(*dealer)];
            pairs.all += 1;
            pairs.win += i128::from(higher == [true; 2]);
            pairs.lose += i128::from(higher == [false; 2]);
        }
    }
    pairs
}

/// Copies values in the order of a key below 128, those with equal keys in their old order.
fn count_sort(from: &[u32], to: &mut [u32], key: impl Fn(u32) -> usize) {
    let mut starts = [0u32; 128];
    for value in from {
        starts[key(*value)] += 1;
    }
    let mut start = 0;
    for count in &mut starts {
        start += std::mem::replace(count, start);
    }
    for value in from {
        let place = &mut starts[key(*value)];
        to[*place as usize] = *value;
        *place += 1;
    }
}
