//! Kinds of hands: hands that no house way can tell apart.

use crate::Census;
use crate::hand_table::choose;
use crate::pattern::{Pattern, RANKS};
use crate::set_hand::SetHand;
use crate::strategy::legal_settings;
use paigow::{CardSet, Evaluator, SevenCards};
use rayon::prelude::*;

/// All kinds of hands, grouped by rank pattern.
pub(crate) struct Kinds {
    pub(super) patterns: Vec<Pattern>,
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
    /// Lists all kinds, and the legal settings of each. Settings with equal strengths are listed once.
    ///
    /// # Panics
    /// If the kinds do not hold every hand exactly once.
    pub(super) fn list(evaluator: &'static Evaluator) -> (Kinds, Vec<SetHand>) {
        let patterns = Pattern::all(7);
        let of_pattern = |(index, pattern): (usize, &Pattern)| {
            let mut listed = Vec::new();
            let mut without_flush = pattern.ways(&[4; RANKS]);
            let mut add = |flush_ranks: u16, hands: u32| {
                let hand = pattern.hand(flush_ranks);
                let mut settings: Vec<SetHand> =
                    legal_settings(hand, evaluator).map(|setting| SetHand::of(&setting)).collect();
                settings.sort_unstable();
                settings.dedup();
                let settings_count = settings.len() as u8;
                let pattern = index as u32;
                let kind = Kind { pattern, flush_ranks, hands, first_setting: 0, settings_count };
                listed.push((kind, settings));
            };
            for flush_ranks in flush_ranks(pattern) {
                let others = pattern.counts.iter().enumerate().map(|(rank, count)| {
                    choose(3, usize::from(*count) - usize::from(flush_ranks >> rank & 1))
                });
                let hands = 4 * others.product::<u32>();
                without_flush -= hands;
                add(flush_ranks, hands);
            }
            add(0, without_flush);
            listed
        };
        let listed: Vec<Vec<(Kind, Vec<SetHand>)>> =
            patterns.par_iter().enumerate().map(|(index, pattern)| of_pattern((index, pattern))).collect();

        let (mut kinds, mut settings) = (Vec::new(), Vec::new());
        for (kind, of_kind) in listed.into_iter().flat_map(|mut of_pattern| {
            // The kind without a flush is the first of its pattern.
            of_pattern.rotate_right(1);
            of_pattern
        }) {
            kinds.push(Kind { first_setting: settings.len() as u32, ..kind });
            settings.extend(of_kind);
        }
        let hands: u64 = kinds.iter().map(|kind: &Kind| u64::from(kind.hands)).sum();
        assert_eq!(hands, Census::HANDS, "the kinds do not hold every hand exactly once");
        (Kinds::of(kinds), settings)
    }

    /// Groups kinds by their pattern.
    pub(super) fn of(kinds: Vec<Kind>) -> Kinds {
        let starts = kinds.iter().enumerate().filter(|(_, kind)| kind.flush_ranks == 0);
        let mut first_kind: Vec<u32> = starts.map(|(index, _)| index as u32).collect();
        first_kind.push(kinds.len() as u32);
        Kinds { patterns: Pattern::all(7), first_kind, kinds }
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

/// Whether these cards of one suit make a flush, together with the joker if the hand has it.
fn can_flush(suit: u16, joker: bool) -> bool {
    suit.count_ones() + u32::from(joker) >= 5
}

/// Cards of one suit with which hands of a pattern can make a flush.
fn flush_ranks(pattern: &Pattern) -> impl Iterator<Item = u16> + use<> {
    let (ranks, joker) = (pattern.ranks(), pattern.joker);
    // Every subset, in ascending order.
    let subsets = std::iter::successors(Some(0u16), move |subset| {
        let next = subset.wrapping_sub(ranks) & ranks;
        (next != 0).then_some(next)
    });
    subsets.filter(move |subset| can_flush(*subset, joker))
}
