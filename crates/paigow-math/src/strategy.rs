//! The best setting of every hand at once, exactly.
//!
//! It is the alternating sum of the base game turned round. A setting (h, l) of a hand P beats, of the dealer's hands that share no
//! card with P, the sum over S ⊆ P of (−1)^|S| times those it beats among the hands that contain S. So for every set S the dealer's
//! hands containing it are counted by strengths once, and then asked by every hand P that contains it, for each setting of P worth
//! considering: what it beats and what it loses to is added to that setting's sums. Sets and hands are taken up to suits, so
//! that a class of hands gets each of its hands' sums; they are divided by the number of hands in the end.
//!
//! Sums go up and down, beyond what they come to; they are kept modulo 2⁶⁴, the wins in the lower half and the losses in the
//! upper, and that is exact because in the end both are below 2³² (24 · 53,524,680 at most).

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

/// The worth of every setting worth considering, of every hand.
pub struct Strategy {
    evaluator: &'static Evaluator,
    commission: u32,
    hands: Vec<(CardSet, u8)>,
    /// Where the settings of each hand begin, and in the end their number.
    first: Vec<u32>,
    settings: Vec<SetHand>,
    worths: Vec<Worth>,
    /// For each house way, which of a hand's settings it chooses.
    choices: Vec<Vec<u8>>,
    ways: Vec<HouseWay>,
}

/// A class of hands with what its settings are worth.
#[derive(Clone, Copy)]
pub struct HandWorth<'a> {
    strategy: &'a Strategy,
    place: usize,
}

impl Strategy {
    /// How much work [`Strategy::of`] reports.
    pub const WORK: u64 = BaseGame::WORK;

    /// Values the settings of every hand; those the house ways choose are among them.
    ///
    /// # Panics
    /// If the hands visited or the pairs counted are not all there are, or a house way sets a hand illegally: every run checks it.
    pub fn of(against: &Opposition<'_>, ways: &[&HouseWay], progress: Progress<'_>) -> Strategy {
        let deck = Deck::PAI_GOW;
        let evaluator = Evaluator::of(against.ranking);
        let mut hands: Vec<(CardSet, u8)> = Vec::with_capacity(SuitClasses::COUNTS[7] as usize);
        deck.classes(deck.hand).for_each(|hand, weight| hands.push((hand.cards(), weight as u8)));
        assert_eq!(
            hands.len() as u64,
            SuitClasses::COUNTS[7],
            "the classes of hands visited are not all there are"
        );
        let Candidates { first, settings, choices } = Candidates::of(&hands, evaluator, ways);
        assert_eq!(first.len(), hands.len() + 1, "the settings are not those of the hands");
        for choices in &choices {
            assert_eq!(choices.len(), hands.len(), "a house way has not chosen once for every hand");
        }

        let dealer = HandSetter::new(against.dealer, against.ranking, against.dealer_push);
        let dealers = HandTable::build(deck, |hand| dealer.set(hand.complete()).0, progress);
        let places = HandTable::new(deck);
        hands.par_iter().zip(&first).for_each(|((hand, _), first)| places.put(*hand, *first));
        let sums = Sums {
            deck,
            against,
            dealers,
            places,
            supersets: Supersets::new(deck),
            asking: Asking::of(&first, &settings),
        };
        let pairs: i128 = (0..=deck.hand).map(|size| sums.add(size, progress)).sum();
        let asking = sums.asking;

        let mut worths = Vec::with_capacity(settings.len());
        let mut pushes = 0;
        for (place, (hand, weight)) in hands.iter().enumerate() {
            for setting in &asking[first[place] as usize..first[place + 1] as usize] {
                let sum = setting.sum.load(Ordering::Relaxed);
                let (win, lose) = (sum as u32 / u32::from(*weight), (sum >> 32) as u32 / u32::from(*weight));
                worths.push(Worth { win, lose });
            }
            if dealer.set(PartialHand::of(*hand).complete()).pushes() {
                pushes += i128::from(*weight) * i128::from(DEALER_HANDS);
            }
        }
        assert_eq!(pairs + pushes, DEALS, "the pairs counted are not all pairs");
        assert_eq!(worths.len(), settings.len(), "the settings valued are not those considered");
        let ways = ways.iter().map(|way| (*way).clone()).collect();
        Strategy { evaluator, commission: against.commission, hands, first, settings, worths, choices, ways }
    }

    /// How many classes of hands there are.
    #[allow(clippy::len_without_is_empty)] // there are always hands
    pub fn len(&self) -> usize {
        self.hands.len()
    }

    /// How many settings were worth considering, of all classes together.
    pub fn settings(&self) -> usize {
        self.settings.len()
    }

    /// A class of hands by its place.
    pub fn hand(&self, place: usize) -> HandWorth<'_> {
        HandWorth { strategy: self, place }
    }

    /// What it comes to, and the house ways beside it.
    pub fn summary(&self) -> StrategySummary {
        StrategySummary::of(self)
    }
}

impl HandWorth<'_> {
    /// One of the hands.
    pub fn hand(&self) -> SevenCards {
        PartialHand::of(self.strategy.hands[self.place].0).complete()
    }

    /// How many hands are like it.
    pub fn weight(&self) -> u64 {
        u64::from(self.strategy.hands[self.place].1)
    }

    fn settings(&self) -> std::ops::Range<usize> {
        self.strategy.first[self.place] as usize..self.strategy.first[self.place + 1] as usize
    }

    fn best(&self) -> (SetHand, Worth) {
        let Strategy { commission, settings, worths, .. } = self.strategy;
        // Of settings worth the same, the one with the higher front, as where one hand is looked at alone.
        let order = |place: &usize| {
            (worths[*place].value(*commission), settings[*place].low(), settings[*place].high())
        };
        let Some(best) = self.settings().max_by_key(order) else {
            panic!("no setting of {} was valued", self.hand())
        };
        (settings[best], worths[best])
    }

    fn chosen(&self, way: usize) -> (SetHand, Worth) {
        let place = self.settings().start + usize::from(self.strategy.choices[way][self.place]);
        (self.strategy.settings[place], self.strategy.worths[place])
    }

    /// The best setting, and what it is worth.
    ///
    /// # Panics
    /// If no legal setting of the hand is as strong as the one that was valued: then the tables are out of step.
    pub fn best_setting(&self) -> (Setting, Worth) {
        let (setting, worth) = self.best();
        (self.with_strengths(setting), worth)
    }

    /// A house way's setting, and what it is worth.
    ///
    /// # Panics
    /// If the setting is not the one that was valued: then the tables are out of step.
    pub fn setting_of(&self, way: usize) -> (Setting, Worth) {
        let (chosen, worth) = self.chosen(way);
        let setting = self.strategy.ways[way].decide(self.hand(), self.strategy.evaluator).setting;
        assert_eq!(SetHand::of(&setting), chosen, "the setting valued for {} is another", self.hand());
        (setting, worth)
    }

    /// What a house way gives away with this hand: in ten thousandths of a wager, summed over all dealer's hands.
    pub fn cost(&self, way: usize) -> i64 {
        let value = |(_, worth): (SetHand, Worth)| worth.value(self.strategy.commission);
        value(self.best()) - value(self.chosen(way))
    }

    /// A setting of these strengths. There may be several, with other suits or the joker for an ace; the same is taken as where
    /// one hand is looked at alone.
    fn with_strengths(&self, set: SetHand) -> Setting {
        let alike = legal_settings(self.hand(), self.strategy.evaluator).filter(|it| SetHand::of(it) == set);
        let Some(setting) = alike.max_by_key(|setting| setting.low.cards()) else {
            panic!("no legal setting of {} has the strengths that were valued for it", self.hand())
        };
        setting
    }
}

fn legal_settings(hand: SevenCards, evaluator: &Evaluator) -> impl Iterator<Item = Setting> {
    hand.splits().filter_map(|(high, low)| Arrangement { high, low }.set(evaluator).ok())
}

/// The settings of every hand that may be best or that a house way chooses.
struct Candidates {
    first: Vec<u32>,
    settings: Vec<SetHand>,
    choices: Vec<Vec<u8>>,
}

impl Candidates {
    fn of(hands: &[(CardSet, u8)], evaluator: &'static Evaluator, ways: &[&HouseWay]) -> Candidates {
        let parts: Vec<Candidates> = hands
            .par_chunks(1 << 16)
            .map(|chunk| {
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

    /// Those of one more hand: settings of which none other is at least as high in both hands, and then
    /// what house ways choose.
    fn add(&mut self, hand: SevenCards, evaluator: &Evaluator, ways: &[&HouseWay]) {
        let start = self.settings.len();
        self.first.push(start as u32);
        let mut legal = [SetHand(0); 21];
        let mut count = 0;
        for setting in legal_settings(hand, evaluator) {
            legal[count] = SetHand::of(&setting);
            count += 1;
        }
        // From the highest five cards down, a setting is worth considering if its front is higher than all before.
        let legal = &mut legal[..count];
        legal.sort_unstable_by_key(|set| std::cmp::Reverse((set.high(), set.low())));
        let mut front = None;
        for set in &*legal {
            if front.is_none_or(|front| set.low() > front) {
                front = Some(set.low());
                self.settings.push(*set);
            }
        }
        for (way, choices) in ways.iter().zip(&mut self.choices) {
            let chosen = SetHand::of(&way.decide(hand, evaluator).setting);
            assert!(legal.contains(&chosen), "the house way `{}` sets {hand} in no legal way", way.id());
            let known = self.settings[start..].iter().position(|set| *set == chosen);
            choices.push(known.unwrap_or_else(|| {
                self.settings.push(chosen);
                self.settings.len() - 1 - start
            }) as u8);
        }
    }
}

/// The sums of all settings while sets are gone through.
struct Sums<'a> {
    deck: Deck,
    against: &'a Opposition<'a>,
    dealers: HandTable,
    /// Where the settings of each hand begin.
    places: HandTable,
    supersets: Supersets,
    asking: Vec<Asking>,
}

/// A setting and its sums, side by side.
struct Asking {
    setting: SetHand,
    sum: AtomicU64,
}

impl Asking {
    fn of(first: &[u32], settings: &[SetHand]) -> Vec<Asking> {
        let mut asking: Vec<Asking> = settings
            .iter()
            .map(|setting| Asking { setting: setting.with_more(), sum: AtomicU64::new(0) })
            .collect();
        for after in &first[1..] {
            let last = *after as usize - 1;
            asking[last].setting = settings[last];
        }
        asking
    }
}

impl Sums<'_> {
    /// Adds what all sets of so many cards contribute, and gives the pairs of hands there were.
    fn add(&self, size: usize, progress: Progress<'_>) -> i128 {
        let mut sets: Vec<(PartialHand, u64)> = Vec::new();
        self.deck.classes(size).for_each(|set, weight| sets.push((set, weight)));
        let chunk = if size <= 3 { 1 } else { 64 };
        sets.par_chunks(chunk)
            .fold(
                || (Worker::default(), 0),
                |(mut worker, mut pairs), chunk| {
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
        let numbers = self.deck.numbers(set);
        if cards <= 3 {
            counts.clear();
            counts.resize(HighStrength::COUNT * WIDTH, 0);
            self.dealers.for_each_containing(&numbers, |value| {
                let hand = SetHand(value);
                if !hand.pushes() {
                    counts[hand.high() * WIDTH + hand.low()] += 1;
                }
            });
            dominance.clear();
            dominance.add_all(counts);
        } else {
            hands.clear();
            self.dealers.for_each_containing(&numbers, |value| hands.push(SetHand(value)));
            hands.retain(|hand| !hand.pushes());
            dominance.clear_for(hands.iter().copied());
            for hand in &*hands {
                dominance.add(*hand, 1);
            }
        }
        dominance.sum_up();

        let sign = if cards.is_multiple_of(2) { weight } else { weight.wrapping_neg() };
        if cards <= 3 {
            self.supersets.for_each(set.cards(), |number, alike| {
                self.ask(dominance, self.places.get(number), sign.wrapping_mul(u64::from(alike)));
            });
        } else {
            self.places.for_each_containing(&numbers, |place| self.ask(dominance, place, sign));
        }
        let pairs = i128::from(dominance.total()) * i128::from(self.deck.hands_containing(cards));
        pairs * i128::from(sign.cast_signed())
    }

    /// Adds so many times what the settings of the hand at a place beat and lose to.
    fn ask(&self, dominance: &Dominance, place: u32, times: u64) {
        for Asking { setting, sum } in &self.asking[place as usize..] {
            let against = dominance.against(*setting, self.against.copies);
            let both = u64::from(against.win) + (u64::from(against.lose) << 32);
            sum.fetch_add(both.wrapping_mul(times), Ordering::Relaxed);
            if !setting.has_more() {
                return;
            }
        }
    }
}

/// What a core works with.
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
