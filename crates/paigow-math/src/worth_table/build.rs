//! Computation of a table of worths.

use super::by_suit::SuitSums;
use super::kinds::Kinds;
use super::{SettingWorth, Stakes, Valuation, WinsAndLossesSum, WorthTable, by_ranks, by_suit};
use crate::base_game::depends_on_other_suits;
use crate::dominance::WinsAndLosses;
use crate::house_way_settings::HouseWaySettings;
use crate::progress::Progress;
use crate::rank_pattern::RankPattern;
use crate::set_hand::{HandSetter, SetHand};
use crate::{DEALS, Outcomes, SuitClasses, Worth};
use paigow::{CardSet, Evaluator, HandClass, PartialHand};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The settings that are valued for each rank pattern: those of all its kinds.
pub(super) struct Queries {
    /// Index of each pattern's first setting, followed by the number of settings.
    first: Vec<u32>,
    pub(super) settings: Vec<SetHand>,
}

impl Queries {
    /// Lists the settings of each pattern. Also returns, for each setting of a kind, its offset in its pattern's list.
    fn of(kinds: &Kinds, kind_settings: &[SetHand]) -> (Queries, Vec<u8>) {
        let (mut first, mut settings, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
        for pattern in 0..kinds.patterns.len() {
            first.push(settings.len() as u32);
            let of_kinds = kinds.of_pattern(pattern).map(|kind| &kinds.kinds[kind]);
            let of_kinds = of_kinds.flat_map(|kind| &kind_settings[kind.settings()]);
            let mut listed: Vec<SetHand> = of_kinds.clone().copied().collect();
            listed.sort_unstable();
            listed.dedup();
            for setting in of_kinds {
                offsets.push(listed.partition_point(|other| other < setting) as u8);
            }
            settings.extend(listed);
        }
        first.push(settings.len() as u32);
        (Queries { first, settings }, offsets)
    }

    /// Indices of the settings of a pattern.
    pub(super) fn of_pattern(&self, pattern: usize) -> std::ops::Range<usize> {
        self.first[pattern] as usize..self.first[pattern + 1] as usize
    }
}

/// Wins and losses as one integer. Both may be negative.
pub(super) fn signed_sum(counts: WinsAndLosses) -> i64 {
    let signed = |count: u32| i64::from(count.cast_signed());
    signed(counts.win).wrapping_add(signed(counts.lose) << 32)
}

/// Sums of the settings of all kinds, while the hands are visited.
struct KindSums {
    settings: Vec<(AtomicU64, AtomicU64, AtomicU32)>,
    best: Vec<(AtomicU64, AtomicU64)>,
}

impl WorthTable {
    /// Work that [`WorthTable::build`] reports: the classes of hands, and the sums before them in units of a class.
    pub const WORK: u64 = by_ranks::WORK + by_suit::WORK + SuitClasses::COUNTS[7];

    /// Whether a table can be built if the dealer's hands of these classes make wagers push. Hands of a few classes
    /// differ from others of their kind, because the class depends on the suits of two further cards.
    pub fn supports(dealer_push: &[HandClass]) -> bool {
        !dealer_push.iter().copied().any(depends_on_other_suits)
    }

    /// Values every setting of every kind of hand.
    ///
    /// # Panics
    /// If the hands visited are not all hands, or if [`WorthTable::supports`] does not hold for the dealer's classes.
    pub fn build(valuation: &Valuation<'_>, progress: Progress<'_>) -> WorthTable {
        assert!(WorthTable::supports(valuation.dealer_push), "a class that pushes depends on further suits");
        let evaluator = Evaluator::of(valuation.ranking);
        let (kinds, kind_settings) = Kinds::list(evaluator);
        let (queries, offsets) = Queries::of(&kinds, &kind_settings);
        let opponent = HouseWaySettings::of(valuation.opponent, valuation.ranking, valuation.opponent_push());
        let copies = valuation.copies_of_side();
        let by_ranks = by_ranks::sums(&queries, &opponent.pattern_settings(), copies, progress);
        let by_suit = SuitSums::of(&queries, &kinds.patterns, opponent.suited(), copies, progress);

        let pushing = HandSetter::new(valuation.opponent, valuation.ranking, valuation.own_push());
        let stakes = valuation.stakes();
        let visitor = Visitor {
            kinds: &kinds,
            queries: &queries,
            kind_settings: &kind_settings,
            offsets: &offsets,
            by_ranks: &by_ranks,
            by_suit: &by_suit,
            stakes,
            pushing,
        };
        let sums = KindSums {
            settings: kind_settings.iter().map(|_| Default::default()).collect(),
            best: kinds.kinds.iter().map(|_| Default::default()).collect(),
        };
        let classes = SuitClasses::of(7).fold_with_progress(
            || 0,
            |classes: &mut u64, hand: PartialHand, weight| {
                visitor.visit(hand.cards(), weight, &sums);
                *classes += 1;
                if classes.is_multiple_of(1 << 12) {
                    progress(1 << 12);
                }
            },
            |one, other| one + other,
            progress,
        );
        assert_eq!(classes, SuitClasses::COUNTS[7], "the classes of hands visited are not all classes");
        let settings = kind_settings.iter().zip(sums.settings).map(|(setting, (win, lose, worse))| {
            let sums = WinsAndLossesSum { win: win.into_inner(), lose: lose.into_inner() };
            SettingWorth { setting: *setting, worse: worse.into_inner(), sums }
        });
        let settings = settings.collect();
        let best: Vec<WinsAndLossesSum> = sums
            .best
            .into_iter()
            .map(|(win, lose)| WinsAndLossesSum { win: win.into_inner(), lose: lose.into_inner() })
            .collect();
        let best_outcomes = outcomes(best.iter().copied());
        WorthTable { evaluator, stakes, kinds, settings, best, best_outcomes }
    }
}

/// Outcomes of all deals, from sums over the kinds.
pub(super) fn outcomes(sums: impl Iterator<Item = WinsAndLossesSum>) -> Outcomes {
    let (win, lose) =
        sums.fold((0, 0), |(win, lose), sums| (win + i128::from(sums.win), lose + i128::from(sums.lose)));
    Outcomes { win, push: DEALS - win - lose, lose }
}

/// Values the settings of the hands of all classes.
struct Visitor<'a> {
    kinds: &'a Kinds,
    queries: &'a Queries,
    kind_settings: &'a [SetHand],
    offsets: &'a [u8],
    by_ranks: &'a [u64],
    by_suit: &'a SuitSums,
    stakes: Stakes,
    /// Flags the hands that make wagers push.
    pushing: HandSetter<'a>,
}

impl Visitor<'_> {
    /// Adds the hands of a class to the sums of their kind.
    fn visit(&self, hand: CardSet, weight: u64, sums: &KindSums) {
        if self.pushing.pushes(PartialHand::of(hand).complete()) {
            return;
        }
        let pattern = RankPattern::of(hand);
        let index = pattern.index();
        let kind_index = self.kinds.find(index, hand);
        let kind = &self.kinds.kinds[kind_index];
        let ranks = pattern.ranks();
        let by_suit = hand.suit_masks().map(|held| self.by_suit.get(self.queries, index, ranks, held));
        let by_ranks = &self.by_ranks[self.queries.of_pattern(index)];
        let range = kind.settings();

        let mut values = [0; 21];
        // The order of `Strategy`: the value, then the higher low hand, then the higher high hand.
        let mut best = (i64::MIN, 0, 0, Worth { win: 0, lose: 0 });
        for (value, setting_index) in values.iter_mut().zip(range.clone()) {
            let offset = usize::from(self.offsets[setting_index]);
            let sum = by_suit
                .iter()
                .fold(by_ranks[offset], |sum, suit| sum.wrapping_add(suit[offset].load(Ordering::Relaxed)));
            let worth = Worth { win: sum as u32, lose: (sum >> 32) as u32 };
            let (win, lose, _) = &sums.settings[setting_index];
            win.fetch_add(weight * u64::from(worth.win), Ordering::Relaxed);
            lose.fetch_add(weight * u64::from(worth.lose), Ordering::Relaxed);
            *value = self.stakes.value_of(worth);
            let setting = self.kind_settings[setting_index];
            if (*value, setting.low(), setting.high()) > (best.0, best.1, best.2) {
                best = (*value, setting.low(), setting.high(), worth);
            }
        }
        let (win, lose) = &sums.best[kind_index];
        win.fetch_add(weight * u64::from(best.3.win), Ordering::Relaxed);
        lose.fetch_add(weight * u64::from(best.3.lose), Ordering::Relaxed);
        for (value, setting_index) in values.into_iter().zip(range) {
            if value < best.0 {
                sums.settings[setting_index].2.fetch_add(weight as u32, Ordering::Relaxed);
            }
        }
    }
}
