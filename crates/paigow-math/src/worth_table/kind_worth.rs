//! Worth of a hand or a setting, averaged over the hands of its kind.

use super::{WinsAndLossesSum, WorthTable};
use crate::rank_pattern::RankPattern;
use crate::set_hand::SetHand;
use paigow::{Setting, SevenCards};

/// Wins and losses summed over the hands of a kind and all hands of the other side.
///
/// Divided by [`KindWorth::hands`] they are an average: the wins of the hands of a kind differ slightly, because the
/// suits of a hand determine which flushes the other side can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindWorth {
    /// Number of hands of the kind.
    pub hands: u32,
    /// Number of pairs of hands that the valued side wins.
    pub win: u64,
    /// Number of pairs of hands that the valued side loses.
    pub lose: u64,
}

impl WorthTable {
    /// Returns the worth of a setting of a hand, for the kind of the hand. `setting` must be one of the hand's legal
    /// settings under the ranking of the table; else the result is `None`.
    pub fn setting_worth(&self, hand: SevenCards, setting: &Setting) -> Option<KindWorth> {
        let kind = self.kind_of(hand);
        let range = self.kinds.settings(kind);
        let settings = &self.settings[range];
        let index = settings.binary_search_by_key(&SetHand::of(setting), |worth| worth.setting).ok()?;
        Some(self.kind_worth(kind, settings[index].sums))
    }

    /// Returns the worth of a hand if every hand of its kind is set in the best way.
    pub fn best_worth(&self, hand: SevenCards) -> KindWorth {
        let kind = self.kind_of(hand);
        self.kind_worth(kind, self.best[kind])
    }

    fn kind_of(&self, hand: SevenCards) -> usize {
        self.kinds.find(RankPattern::of(hand.cards()).index(), hand.cards())
    }

    fn kind_worth(&self, kind: usize, sums: WinsAndLossesSum) -> KindWorth {
        let hands = self.kinds.kinds[kind].hands;
        KindWorth { hands, win: sums.win, lose: sums.lose }
    }
}
