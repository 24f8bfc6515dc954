//! Settings of all hands by a house way, computed once and then counted for any cards that are taken.
//!
//! A house way's setting depends only on ranks unless the hand can make a flush, because conditions and strengths use
//! suits in no other way. So there are two lists:
//!
//! 1. The hands by their ranks, set as if no hand could make a flush. The number of hands with a pattern of ranks is a
//!    product over the ranks of the ways to choose that many of the remaining cards.
//! 2. The hands that can make a flush, with their true setting. They have at least five cards of one suit, where the
//!    joker belongs to any suit, so at most two cards of other suits. A count subtracts them and adds them again.

use crate::dominance::{Dominance, WIDTH};
use crate::rank_pattern::RankPattern;
use crate::set_hand::{HandSetter, SetHand};
use paigow::{
    Card, CardSet, HandClass, HighStrength, HouseWay, PartialHand, Rank, Ranking, SevenCards, Suit,
};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of house ways in memory, about 4 MB each.
const CACHED_MAX: usize = 12;

/// Settings of all hands by a house way.
pub(crate) struct HouseWaySettings {
    patterns: Vec<PatternSetting>,
    suited: Vec<SuitedCards>,
}

/// The setting of all hands with a pattern of ranks, none of which makes a flush.
pub(crate) struct PatternSetting {
    pub(crate) pattern: RankPattern,
    pub(crate) set: SetHand,
}

/// The hands with exactly these cards of one suit. Their settings are the same for every suit.
pub(crate) struct SuitedCards {
    pub(crate) ranks: u16,
    pub(crate) joker: bool,
    pub(crate) settings: Vec<FlushSetting>,
}

/// The settings of the hands that have two, one or no cards of other suits.
pub(crate) struct FlushSetting {
    /// Ranks of the other cards, in ascending order; [`NO_RANK`] for none.
    pub(crate) others: [u8; 2],
    /// The true setting.
    pub(crate) set: SetHand,
    /// The setting by ranks, as if the hand could not make a flush.
    pub(crate) by_ranks: SetHand,
}

/// Stands for a card that a hand does not have.
pub(crate) const NO_RANK: u8 = 13;

/// What the settings depend on: canonical form of the house way, ranking, and classes that push.
type Key = (String, Ranking, Vec<HandClass>);

/// Settings of the house ways that were used last, the latest last.
static CACHE: Mutex<Vec<(Key, Arc<HouseWaySettings>)>> = Mutex::new(Vec::new());

impl HouseWaySettings {
    /// Returns the settings of a house way, from memory if it was used lately. Hands of the classes in `push` are flagged
    /// to make every base wager push.
    pub(crate) fn of(way: &HouseWay, ranking: Ranking, push: &[HandClass]) -> Arc<HouseWaySettings> {
        let key = (way.rules(), ranking, push.to_vec());
        let lock = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut cache = lock();
        if let Some(index) = cache.iter().position(|(other, _)| *other == key) {
            let found = cache.remove(index);
            cache.push(found);
            return cache[cache.len() - 1].1.clone();
        }
        // Other threads need not wait. Two that compute the same settings both succeed.
        drop(cache);
        let settings = Arc::new(HouseWaySettings::compute(&HandSetter::new(way, ranking, push)));
        let mut cache = lock();
        cache.retain(|(other, _)| *other != key);
        if cache.len() >= CACHED_MAX {
            cache.remove(0);
        }
        cache.push((key, settings.clone()));
        settings
    }

    fn compute(setter: &HandSetter<'_>) -> HouseWaySettings {
        let set = |pattern: RankPattern| PatternSetting { set: setter.set(pattern.hand(0)), pattern };
        let patterns = RankPattern::all(7).into_par_iter().map(set).collect();
        let masks: Vec<(u16, bool)> = (0..1 << 13)
            .flat_map(|ranks: u16| [(ranks, false), (ranks, true)])
            .filter(|(ranks, joker)| (5..=7).contains(&(ranks.count_ones() + u32::from(*joker))))
            .collect();
        let suited = masks.into_par_iter().map(|(ranks, joker)| SuitedCards::of(ranks, joker, setter));
        HouseWaySettings { patterns, suited: suited.collect() }
    }

    /// Settings of all rank patterns, as if no hand could make a flush.
    pub(crate) fn patterns(&self) -> &[PatternSetting] {
        &self.patterns
    }

    /// Settings of the hands of each rank pattern, as if none could make a flush.
    pub(crate) fn pattern_settings(&self) -> Vec<SetHand> {
        self.patterns.iter().map(|pattern| pattern.set).collect()
    }

    /// Settings of the hands that can make a flush, and that the flush sets differently.
    pub(crate) fn suited(&self) -> &[SuitedCards] {
        &self.suited
    }

    /// Counts the dealer's hands that contain none of the `taken` cards. Returns the counts, and the number of hands
    /// that make every base wager push.
    pub(crate) fn count(&self, taken: CardSet) -> (Dominance, u32) {
        let left = CardSet::DECK.difference(taken);
        let ranks_left = Rank::ALL.map(|rank| left.count(rank));
        let mut hands = DealerHands::new();
        for PatternSetting { pattern, set } in &self.patterns {
            if !pattern.joker || left.has_joker() {
                hands.add(*set, pattern.ways(&ranks_left));
            }
        }
        for suit in left.suit_masks() {
            // Remaining cards of each rank in the other suits.
            let free: [u32; 13] =
                std::array::from_fn(|rank| ranks_left[rank] as u32 - u32::from(suit >> rank & 1));
            let possible = self
                .suited
                .iter()
                .filter(|suited| suited.ranks & !suit == 0 && (!suited.joker || left.has_joker()));
            for FlushSetting { others, set, by_ranks } in possible.flat_map(|suited| &suited.settings) {
                let ways = match others.map(usize::from) {
                    [NONE, _] => 1,
                    [one, NONE] => free[one],
                    [one, other] if one == other => free[one] * free[one].saturating_sub(1) / 2,
                    [one, other] => free[one] * free[other],
                };
                hands.add(*set, ways);
                hands.add(*by_ranks, ways.wrapping_neg());
            }
        }
        let mut dominance = Dominance::new();
        dominance.clear();
        dominance.add_all(&hands.counts);
        dominance.compute_sums();
        (dominance, hands.pushing)
    }
}

/// [`NO_RANK`] as an index.
const NONE: usize = NO_RANK as usize;

impl SuitedCards {
    fn of(ranks: u16, joker: bool, setter: &HandSetter<'_>) -> SuitedCards {
        let mut suited = PartialHand::of_suit(Suit::Clubs, ranks);
        if joker {
            suited = suited.with(Card::JOKER);
        }
        // The setting does not depend on which of the other suits a card has.
        let other = |rank: u8, suit| Card::new(Rank::ALL[usize::from(rank)], suit);
        let hands: Vec<([u8; 2], PartialHand)> = match 7 - suited.cards().len() {
            0 => vec![([NO_RANK; 2], suited)],
            1 => (0..13).map(|one| ([one, NO_RANK], suited.with(other(one, Suit::Diamonds)))).collect(),
            _ => {
                let pairs = (0..13).flat_map(|one| (one..13).map(move |two| [one, two]));
                let hand = |[one, two]: [u8; 2]| {
                    suited.with(other(one, Suit::Diamonds)).with(other(two, Suit::Hearts))
                };
                pairs.map(|others| (others, hand(others))).collect()
            }
        };
        let settings = hands.into_iter().map(|(others, hand)| {
            let hand: SevenCards = hand.complete();
            let by_ranks = setter.set(RankPattern::of(hand.cards()).hand(0));
            FlushSetting { others, set: setter.set(hand), by_ranks }
        });
        // A flush that the house way does not play changes nothing.
        SuitedCards {
            ranks,
            joker,
            settings: settings.filter(|setting| setting.set != setting.by_ranks).collect(),
        }
    }
}

/// Dealer's hands, counted by their strengths.
struct DealerHands {
    /// A row of [`WIDTH`] counts for each high-hand strength. Counts wrap while hands are subtracted before they are
    /// added.
    counts: Vec<u32>,
    /// Number of hands that make every base wager push.
    pushing: u32,
}

impl DealerHands {
    fn new() -> DealerHands {
        DealerHands { counts: vec![0; HighStrength::COUNT * WIDTH], pushing: 0 }
    }

    fn add(&mut self, hand: SetHand, hands: u32) {
        let count = if hand.pushes() {
            &mut self.pushing
        } else {
            &mut self.counts[hand.high() * WIDTH + hand.low()]
        };
        *count = count.wrapping_add(hands);
    }
}
