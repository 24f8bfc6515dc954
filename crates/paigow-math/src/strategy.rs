//! The exact best setting of every hand, computed for all hands at once.
//!
//! The method is the inclusion-exclusion sum of the base game with the loops exchanged. The number of dealer's hands
//! that share no card with a hand P and lose to its setting (h, l) is the sum over S ⊆ P of (−1)^|S| times the number
//! of losing hands among those that contain S. So for every set S, the dealer's hands containing S are counted by
//! strengths once. Then every hand P that contains S queries this table for each of its candidate settings, and adds
//! the wins and losses to the sums of that setting. Sets and hands are taken up to suits. A class accumulates the sums
//! of all its hands, which are finally divided by the number of hands.
//!
//! Intermediate sums can exceed the final ones. They are kept modulo 2⁶⁴, the wins in the lower half and the losses in
//! the upper half. The result is exact because both final sums are below 2³² (at most 24 · 53,524,680).

mod summary;

use crate::deck::Deck;
use crate::dominance::{Dominance, WIDTH};
use crate::hand_table::HandTable;
use crate::set_hand::{HandSetter, SetHand};
use crate::supersets::Supersets;
use crate::{BaseGame, DEALER_HANDS, DEALS, Opposition, Progress, SuitClasses, Worth};
use paigow::{Arrangement, CardSet, Evaluator, HighStrength, HouseWay, PartialHand, Setting, SevenCards};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
pub use summary::{CostlyHand, HouseWaySummary, StrategySummary};

/// The worth of the candidate settings of every hand.
pub struct Strategy {
    evaluator: &'static Evaluator,
    commission: u32,
    /// One hand of every suit class, with the number of hands in the class.
    hands: Vec<(CardSet, u8)>,
    /// Index of each hand's first setting, followed by the number of settings.
    first: Vec<u32>,
    settings: Vec<SetHand>,
    worths: Vec<Worth>,
    /// For each house way and hand, the offset of the chosen setting among the hand's settings.
    choices: Vec<Vec<u8>>,
    ways: Vec<HouseWay>,
}

/// A class of hands with the worth of its settings.
#[derive(Clone, Copy)]
pub struct HandWorth<'a> {
    strategy: &'a Strategy,
    index: usize,
}

impl Strategy {
    /// Total work that [`Strategy::of`] reports.
    pub const WORK: u64 = BaseGame::WORK_BY_SETS;

    /// Values the candidate settings of every hand, including those that the house ways choose.
    ///
    /// # Panics
    /// If the hands visited or the pairs counted are not complete, or if a house way sets a hand illegally.
    pub fn of(opposition: &Opposition<'_>, ways: &[&HouseWay], progress: Progress<'_>) -> Strategy {
        let deck = Deck::PAI_GOW;
        let evaluator = Evaluator::of(opposition.ranking);
        let mut hands: Vec<(CardSet, u8)> = Vec::with_capacity(SuitClasses::COUNTS[7] as usize);
        deck.classes(deck.hand).for_each(|hand, weight| hands.push((hand.cards(), weight as u8)));
        assert_eq!(
            hands.len() as u64,
            SuitClasses::COUNTS[7],
            "the classes of hands visited are not all classes"
        );
        let Candidates { first, settings, choices } = Candidates::of(&hands, evaluator, ways, progress);
        assert_eq!(first.len(), hands.len() + 1, "not every hand has candidate settings");
        for choices in &choices {
            assert_eq!(choices.len(), hands.len(), "a house way has not set every hand exactly once");
        }

        let dealer = HandSetter::new(opposition.dealer, opposition.ranking, opposition.dealer_push);
        let dealers = HandTable::build(deck, |hand| dealer.set(hand.complete()).0, progress);
        let first_settings = HandTable::new(deck);
        hands.par_iter().zip(&first).for_each(|((hand, _), first)| first_settings.put(*hand, *first));
        let sums = Sums {
            deck,
            opposition,
            dealers,
            first_settings,
            supersets: Supersets::new(deck),
            setting_sums: SettingSum::list(&first, &settings),
        };
        let pairs: i128 = (0..=deck.hand).map(|size| sums.add(size, progress)).sum();
        let setting_sums = sums.setting_sums;

        let mut worths = Vec::with_capacity(settings.len());
        let mut pushes = 0;
        for (index, (hand, weight)) in hands.iter().enumerate() {
            for setting in &setting_sums[first[index] as usize..first[index + 1] as usize] {
                let sum = setting.sum.load(Ordering::Relaxed);
                let (win, lose) = (sum as u32 / u32::from(*weight), (sum >> 32) as u32 / u32::from(*weight));
                worths.push(Worth { win, lose });
            }
            if dealer.set(PartialHand::of(*hand).complete()).pushes() {
                pushes += i128::from(*weight) * i128::from(DEALER_HANDS);
            }
        }
        assert_eq!(pairs + pushes, DEALS, "the counted pairs are not all pairs");
        assert_eq!(worths.len(), settings.len(), "not every candidate setting was valued");
        let ways = ways.iter().map(|way| (*way).clone()).collect();
        let commission = opposition.commission;
        Strategy { evaluator, commission, hands, first, settings, worths, choices, ways }
    }

    /// Number of suit classes of hands.
    #[allow(clippy::len_without_is_empty)] // there are always hands
    pub fn len(&self) -> usize {
        self.hands.len()
    }

    /// Number of candidate settings over all classes.
    pub fn settings(&self) -> usize {
        self.settings.len()
    }

    /// Returns the class of hands with this index.
    pub fn hand(&self, index: usize) -> HandWorth<'_> {
        HandWorth { strategy: self, index }
    }

    /// Sums up the best strategy and compares the house ways with it.
    pub fn summary(&self) -> StrategySummary {
        StrategySummary::of(self)
    }
}

impl HandWorth<'_> {
    /// A representative hand of the class.
    pub fn hand(&self) -> SevenCards {
        PartialHand::of(self.strategy.hands[self.index].0).complete()
    }

    /// Number of hands in the class.
    pub fn weight(&self) -> u64 {
        u64::from(self.strategy.hands[self.index].1)
    }

    fn settings(&self) -> std::ops::Range<usize> {
        self.strategy.first[self.index] as usize..self.strategy.first[self.index + 1] as usize
    }

    fn best(&self) -> (SetHand, Worth) {
        let Strategy { commission, settings, worths, .. } = self.strategy;
        // Ties go to the setting with the higher low hand, as in `BestSetting`.
        let order = |index: &usize| {
            (worths[*index].value(*commission), settings[*index].low(), settings[*index].high())
        };
        let Some(best) = self.settings().max_by_key(order) else {
            panic!("no setting of {} was valued", self.hand())
        };
        (settings[best], worths[best])
    }

    fn chosen(&self, way: usize) -> (SetHand, Worth) {
        let setting = self.settings().start + usize::from(self.strategy.choices[way][self.index]);
        (self.strategy.settings[setting], self.strategy.worths[setting])
    }

    /// Returns the best setting and its worth.
    ///
    /// # Panics
    /// If no legal setting of the hand has the strengths that were valued, because the tables are inconsistent.
    pub fn best_setting(&self) -> (Setting, Worth) {
        let (setting, worth) = self.best();
        (setting_with_strengths(self.hand(), setting, self.strategy.evaluator), worth)
    }

    /// Returns a house way's setting and its worth.
    ///
    /// # Panics
    /// If the setting is not the one that was valued, because the tables are inconsistent.
    pub fn setting_of(&self, way: usize) -> (Setting, Worth) {
        let (chosen, worth) = self.chosen(way);
        let setting = self.strategy.ways[way].decide(self.hand(), self.strategy.evaluator).setting;
        assert_eq!(SetHand::of(&setting), chosen, "another setting was valued for {}", self.hand());
        (setting, worth)
    }

    /// Cost of a house way's setting against the best, in ten-thousandths of a wager, summed over all dealer's hands.
    pub fn cost(&self, way: usize) -> i64 {
        let value = |(_, worth): (SetHand, Worth)| worth.value(self.strategy.commission);
        value(self.best()) - value(self.chosen(way))
    }
}

/// Returns the setting of a hand with these strengths.
///
/// Several settings may differ only in suits, or in the joker for an ace. The choice is the same as in `BestSetting`.
///
/// # Panics
/// If no legal setting of the hand has these strengths.
pub(crate) fn setting_with_strengths(hand: SevenCards, set: SetHand, evaluator: &Evaluator) -> Setting {
    let matching = legal_settings(hand, evaluator).filter(|setting| SetHand::of(setting) == set);
    let Some(setting) = matching.max_by_key(|setting| setting.low.cards()) else {
        panic!("no legal setting of {hand} has the strengths that were valued")
    };
    setting
}

pub(crate) fn legal_settings(hand: SevenCards, evaluator: &Evaluator) -> impl Iterator<Item = Setting> {
    hand.splits().filter_map(|(high, low)| Arrangement { high, low }.set(evaluator).ok())
}

/// The candidate settings of every hand: those that may be best, and those that a house way chooses.
struct Candidates {
    first: Vec<u32>,
    settings: Vec<SetHand>,
    choices: Vec<Vec<u8>>,
}

impl Candidates {
    fn of(
        hands: &[(CardSet, u8)],
        evaluator: &'static Evaluator,
        ways: &[&HouseWay],
        progress: Progress<'_>,
    ) -> Candidates {
        let parts: Vec<Candidates> = hands
            .par_chunks(1 << 16)
            .map(|chunk| {
                progress(0);
                let mut part = Candidates::none(ways.len());
                for (hand, _) in chunk {
                    part.add(PartialHand::of(*hand).complete(), evaluator, ways);
                }
                part
            })
            .collect();
        let mut all = Candidates::none(ways.len());
        for part in parts {
            let before = all.settings.len() as u32;
            all.first.extend(part.first.iter().map(|first| before + first));
            all.settings.extend(part.settings);
            all.choices.iter_mut().zip(&part.choices).for_each(|(all, part)| all.extend_from_slice(part));
        }
        all.first.push(all.settings.len() as u32);
        all
    }

    fn none(ways: usize) -> Candidates {
        Candidates { first: Vec::new(), settings: Vec::new(), choices: vec![Vec::new(); ways] }
    }

    /// Adds the candidates of one hand: the settings that no other setting dominates, then the house ways' settings.
    fn add(&mut self, hand: SevenCards, evaluator: &Evaluator, ways: &[&HouseWay]) {
        let start = self.settings.len();
        self.first.push(start as u32);
        let mut legal = [SetHand(0); 21];
        let mut count = 0;
        for setting in legal_settings(hand, evaluator) {
            legal[count] = SetHand::of(&setting);
            count += 1;
        }
        // In descending order of high hands, a setting is a candidate if its low hand is higher than all before it.
        let legal = &mut legal[..count];
        legal.sort_unstable_by_key(|set| std::cmp::Reverse((set.high(), set.low())));
        let mut highest_low = None;
        for set in &*legal {
            if highest_low.is_none_or(|low| set.low() > low) {
                highest_low = Some(set.low());
                self.settings.push(*set);
            }
        }
        for (way, choices) in ways.iter().zip(&mut self.choices) {
            let chosen = SetHand::of(&way.decide(hand, evaluator).setting);
            assert!(legal.contains(&chosen), "the house way `{}` sets {hand} illegally", way.id());
            let known = self.settings[start..].iter().position(|set| *set == chosen);
            choices.push(known.unwrap_or_else(|| {
                self.settings.push(chosen);
                self.settings.len() - 1 - start
            }) as u8);
        }
    }
}

/// Accumulates the sums of all settings over the sets.
struct Sums<'a> {
    deck: Deck,
    opposition: &'a Opposition<'a>,
    dealers: HandTable,
    /// Index of each hand's first setting.
    first_settings: HandTable,
    supersets: Supersets,
    setting_sums: Vec<SettingSum>,
}

/// A setting with its sums of wins (lower half) and losses (upper half), adjacent in memory.
struct SettingSum {
    setting: SetHand,
    sum: AtomicU64,
}

impl SettingSum {
    fn list(first: &[u32], settings: &[SetHand]) -> Vec<SettingSum> {
        let mut sums: Vec<SettingSum> = settings
            .iter()
            .map(|setting| SettingSum { setting: setting.with_next(), sum: AtomicU64::new(0) })
            .collect();
        for after in &first[1..] {
            let last = *after as usize - 1;
            sums[last].setting = settings[last];
        }
        sums
    }
}

impl Sums<'_> {
    /// Adds the contribution of all sets of `size` cards, and returns their signed number of pairs of hands.
    fn add(&self, size: usize, progress: Progress<'_>) -> i128 {
        let mut sets: Vec<(PartialHand, u64)> = Vec::new();
        self.deck.classes(size).for_each(|set, weight| sets.push((set, weight)));
        let chunk = if size <= 3 { 1 } else { 64 };
        sets.par_chunks(chunk)
            .fold(
                || (Worker::default(), 0),
                |(mut worker, mut pairs), chunk| {
                    // A cancelled computation skips the chunks that are left.
                    progress(0);
                    for (set, weight) in chunk {
                        pairs += self.add_set(*set, *weight, &mut worker);
                    }
                    if size < self.deck.hand {
                        progress(chunk.len() as u64 * self.deck.hands_containing(size));
                    }
                    (worker, pairs)
                },
            )
            .map(|(_, pairs)| pairs)
            .sum()
    }

    fn add_set(&self, set: PartialHand, weight: u64, worker: &mut Worker) -> i128 {
        let Worker { dominance, hands, counts } = worker;
        let cards = set.cards().len();
        let indices = self.deck.card_indices(set);
        if cards <= 3 {
            counts.clear();
            counts.resize(HighStrength::COUNT * WIDTH, 0);
            self.dealers.for_each_containing(&indices, |value| {
                let hand = SetHand(value);
                if !hand.pushes() {
                    counts[hand.high() * WIDTH + hand.low()] += 1;
                }
            });
            dominance.clear();
            dominance.add_all(counts);
        } else {
            hands.clear();
            self.dealers.for_each_containing(&indices, |value| hands.push(SetHand(value)));
            hands.retain(|hand| !hand.pushes());
            dominance.clear_for(hands.iter().copied());
            for hand in &*hands {
                dominance.add(*hand, 1);
            }
        }
        dominance.compute_sums();

        let sign = if cards.is_multiple_of(2) { weight } else { weight.wrapping_neg() };
        if cards <= 3 {
            self.supersets.for_each(set.cards(), |index, hands| {
                let first = self.first_settings.get(index);
                self.add_hand(dominance, first, sign.wrapping_mul(u64::from(hands)));
            });
        } else {
            self.first_settings.for_each_containing(&indices, |first| self.add_hand(dominance, first, sign));
        }
        let pairs = i128::from(dominance.total()) * i128::from(self.deck.hands_containing(cards));
        pairs * i128::from(sign.cast_signed())
    }

    /// Adds the wins and losses of one hand's settings `times` times. `first` is the index of its first setting.
    fn add_hand(&self, dominance: &Dominance, first: u32, times: u64) {
        for SettingSum { setting, sum } in &self.setting_sums[first as usize..] {
            let counts = dominance.wins_and_losses(*setting, self.opposition.copies);
            let both = u64::from(counts.win) + (u64::from(counts.lose) << 32);
            sum.fetch_add(both.wrapping_mul(times), Ordering::Relaxed);
            if !setting.has_next() {
                return;
            }
        }
    }
}

/// Buffers of one worker thread.
struct Worker {
    dominance: Dominance,
    hands: Vec<SetHand>,
    counts: Vec<u32>,
}

impl Default for Worker {
    fn default() -> Worker {
        Worker { dominance: Dominance::new(), hands: Vec::new(), counts: Vec::new() }
    }
}
