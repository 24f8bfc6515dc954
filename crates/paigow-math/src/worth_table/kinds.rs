//! Kinds of hands: hands that no house way can tell apart.

use crate::Census;
use crate::hand_table::choose;
use crate::rank_pattern::{RANKS, RankPattern};
use crate::set_hand::SetHand;
use crate::strategy::legal_settings;
use paigow::{CardSet, Evaluator, SevenCards};
use rayon::prelude::*;
use std::sync::LazyLock;

/// All kinds of hands, grouped by rank pattern.
pub(crate) struct Kinds {
    pub(super) patterns: Vec<RankPattern>,
    /// Index of each pattern's first kind, followed by the number of kinds.
    first_kind: Vec<u32>,
    pub(crate) kinds: Vec<Kind>,
}

/// The hands of a rank pattern that hold these cards of one suit, or that cannot make a flush.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// Index of the pattern.
    pub(super) pattern: u32,
    /// Ranks of the natural cards of the flush suit, or 0 if no flush is possible.
    pub(super) flush_ranks: u16,
    /// Number of hands.
    pub(crate) hands: u32,
    /// Index of the first setting of this kind among the settings of all kinds.
    pub(super) first_setting: u32,
    /// Number of settings.
    pub(super) settings_count: u8,
}

impl Kind {
    /// Indices of the settings.
    pub(super) fn settings(&self) -> std::ops::Range<usize> {
        let first = self.first_setting as usize;
        first..first + usize::from(self.settings_count)
    }
}

impl Kinds {
    /// Returns all kinds, without their settings. They are listed at the first call.
    pub(crate) fn without_settings() -> &'static Kinds {
        static KINDS: LazyLock<Kinds> = LazyLock::new(|| Kinds::of(list_kinds()));
        &KINDS
    }

    /// Lists all kinds, and the legal settings of each. Settings with equal strengths are listed once.
    pub(super) fn list(evaluator: &'static Evaluator) -> (Kinds, Vec<SetHand>) {
        let mut kinds = Kinds::of(list_kinds());
        let of_kind = |kind: usize| {
            let mut settings: Vec<SetHand> =
                legal_settings(kinds.hand(kind), evaluator).map(|setting| SetHand::of(&setting)).collect();
            settings.sort_unstable();
            settings.dedup();
            settings
        };
        let listed: Vec<Vec<SetHand>> = (0..kinds.kinds.len()).into_par_iter().map(of_kind).collect();
        let mut settings = Vec::new();
        for (kind, of_kind) in kinds.kinds.iter_mut().zip(listed) {
            (kind.first_setting, kind.settings_count) = (settings.len() as u32, of_kind.len() as u8);
            settings.extend(of_kind);
        }
        (kinds, settings)
    }

    /// Groups kinds by their pattern.
    pub(super) fn of(kinds: Vec<Kind>) -> Kinds {
        let starts = kinds.iter().enumerate().filter(|(_, kind)| kind.flush_ranks == 0);
        let mut first_kind: Vec<u32> = starts.map(|(index, _)| index as u32).collect();
        first_kind.push(kinds.len() as u32);
        Kinds { patterns: RankPattern::all(7), first_kind, kinds }
    }

    /// Indices of the kinds of a pattern. The first is the kind without a flush.
    pub(super) fn of_pattern(&self, pattern: usize) -> std::ops::Range<usize> {
        self.first_kind[pattern] as usize..self.first_kind[pattern + 1] as usize
    }

    /// Index of the kind of a hand with this pattern.
    pub(super) fn find(&self, pattern: usize, cards: CardSet) -> usize {
        let range = self.of_pattern(pattern);
        let flush = cards.suit_masks().into_iter().find(|suit| can_flush(*suit, cards.has_joker()));
        let flush = flush.unwrap_or(0);
        let found = range.clone().find(|kind| self.kinds[*kind].flush_ranks == flush);
        found.unwrap_or_else(|| panic!("no kind of hands holds {cards}"))
    }

    /// Indices of the settings of a kind.
    pub(super) fn settings(&self, kind: usize) -> std::ops::Range<usize> {
        self.kinds[kind].settings()
    }

    /// A representative hand of a kind.
    pub(crate) fn hand(&self, kind: usize) -> SevenCards {
        let Kind { pattern, flush_ranks, .. } = self.kinds[kind];
        self.patterns[pattern as usize].hand(flush_ranks)
    }
}

/// Returns the kinds of a pattern: the ranks of the flush suit, and the number of hands. The first is the kind without a
/// flush.
pub(crate) fn kinds_of(pattern: &RankPattern) -> Vec<(u16, u32)> {
    let mut kinds = vec![(0, pattern.ways(&[4; RANKS]))];
    for flush_ranks in flush_ranks(pattern) {
        let others = pattern
            .counts
            .iter()
            .enumerate()
            .map(|(rank, count)| choose(3, usize::from(*count) - usize::from(flush_ranks >> rank & 1)));
        let hands = 4 * others.product::<u32>();
        kinds[0].1 -= hands;
        kinds.push((flush_ranks, hands));
    }
    kinds
}

/// Lists all kinds without their settings, by the index of their pattern.
///
/// # Panics
/// If the kinds do not hold every hand exactly once.
fn list_kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for (index, pattern) in RankPattern::all(7).iter().enumerate() {
        kinds.extend(kinds_of(pattern).into_iter().map(|(flush_ranks, hands)| Kind {
            pattern: index as u32,
            flush_ranks,
            hands,
            first_setting: 0,
            settings_count: 0,
        }));
    }
    let hands: u64 = kinds.iter().map(|kind| u64::from(kind.hands)).sum();
    assert_eq!(hands, Census::HANDS, "the kinds do not hold every hand exactly once");
    kinds
}

/// Whether these cards of one suit make a flush, together with the joker if the hand has it.
pub(crate) fn can_flush(suit: u16, joker: bool) -> bool {
    suit.count_ones() + u32::from(joker) >= 5
}

/// Cards of one suit with which hands of a pattern can make a flush.
fn flush_ranks(pattern: &RankPattern) -> impl Iterator<Item = u16> + use<> {
    let (ranks, joker) = (pattern.ranks(), pattern.joker);
    // Every subset, in ascending order.
    let subsets = std::iter::successors(Some(0u16), move |subset| {
        let next = subset.wrapping_sub(ranks) & ranks;
        (next != 0).then_some(next)
    });
    subsets.filter(move |subset| can_flush(*subset, joker))
}
