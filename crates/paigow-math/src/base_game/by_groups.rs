//! Counts the base game by groups of cards that a house way does not tell apart.
//!
//! A house way sets a hand by its ranks alone unless the hand can make a flush. So the hands of a side are R + F:
//!
//! - R has every hand, set by its ranks as if it could not make a flush.
//! - F has the hands that a flush sets differently, with their true setting, minus the same hands set by their ranks.
//!
//! The pairs of a player's and a dealer's hand are R × (R + F) + F × R + F × F. Those without a common card are counted
//! by groups of cards (`shared_cards.rs`):
//!
//! - In R × (R + F) and F × R, the four cards of a rank are a group. The number of hands of R that contain a set S
//!   depends only on the ranks of S. So for the hands of the other side, too, only their ranks matter, although a flush
//!   may set them.
//! - In F × F with flushes in the same suit, each card of this suit is a group, and the three other cards of a rank are a
//!   group.
//! - In F × F with flushes in two suits, each card of these suits is a group, and the two other cards of a rank are a
//!   group.
//!
//! The joker is always a group.

use super::Matchup;
use super::pairs::{HighCards, Pairs};
use super::shared_cards::{Hands, SharedCards, SharedGroup};
use crate::house_way_settings::{FlushSetting, HouseWaySettings, NO_RANK, PatternSetting, SuitedCards};
use crate::pattern::{Pattern, RANKS};
use crate::progress::Progress;
use paigow::{Evaluator, HandClass};

#[cfg(test)]
mod small_decks;

/// Groups of one side's cards. Each group has one bit for each of its cards.
///
/// A hand has either the groups of ranks, or the groups of a flush: each card of its suit, and the other cards of a rank.
mod group {
    use crate::pattern::RANKS;

    pub(super) const JOKER: u64 = 1 << 52;

    /// The cards of a rank.
    pub(super) const fn of_rank(rank: usize) -> u64 {
        0b1111 << (4 * rank)
    }

    /// The card of a rank in the flush suit.
    pub(super) const fn suited(rank: usize) -> u64 {
        1 << rank
    }

    /// The cards of a rank in the suits without a flush.
    pub(super) const fn others(rank: usize) -> u64 {
        0b111 << (RANKS + 3 * rank)
    }
}

/// The cards of a group in a hand that has `count` of them.
const fn cards_of(group: u64, count: u8) -> u64 {
    ((1 << count) - 1) << group.trailing_zeros()
}

/// Units of work that [`pairs`] reports: the groups of its four sums.
pub(super) const WORK: u64 = (2 * (RANKS + 1) + (2 * RANKS + 1) + (3 * RANKS + 1)) as u64;

/// Number of pairs of hands without a common card.
pub(super) fn pairs(matchup: &Matchup<'_>, progress: Progress<'_>) -> Pairs {
    let side = |way, push| GroupedHands::of(&HouseWaySettings::of(way, matchup.ranking, push));
    let players = side(matchup.player, &[]);
    let dealers = side(matchup.dealer, matchup.dealer_push);
    let mut all_dealers = [&dealers.by_ranks[..], &dealers.flushes_by_ranks].concat();
    Hands::sort(&mut all_dealers);

    let high_cards = HighCards::new(Evaluator::of(matchup.ranking));
    let count = |groups: &[SharedGroup], players: &[Hands], dealers: &[Hands]| {
        SharedCards { groups, high_cards: &high_cards, progress }.disjoint_pairs(players, dealers)
    };
    // The flushes are in one of four suits, or in an ordered pair of suits.
    count(&groups_by_ranks(), &players.by_ranks, &all_dealers)
        + count(&groups_by_ranks(), &players.flushes_by_ranks, &dealers.by_ranks)
        + count(&groups_of_one_suit(), &players.flushes, &dealers.flushes) * 4
        + count(&groups_of_two_suits(), &players.flushes, &dealers.flushes) * 12
}

/// Whether a hand class with a flush depends on the suits of the cards outside the flush, which a group does not tell
/// apart.
pub(crate) fn depends_on_other_suits(class: HandClass) -> bool {
    use HandClass::{LuhnTaoWheelAceQueen, RoyalFlushAceQueen, RoyalFlushRoyalMatch};
    matches!(class, RoyalFlushRoyalMatch | RoyalFlushAceQueen | LuhnTaoWheelAceQueen)
}

/// A group that both sides have.
const fn common(group: u64) -> SharedGroup {
    SharedGroup { players: group, dealers: group, cards: group.count_ones() }
}

/// Shared cards if one side is set by ranks.
fn groups_by_ranks() -> Vec<SharedGroup> {
    (0..RANKS).map(group::of_rank).chain([group::JOKER]).map(common).collect()
}

/// Shared cards if both sides have a flush in the same suit.
///
/// Few hands share two cards of other suits. Their groups come first, so that the lists become short early.
fn groups_of_one_suit() -> Vec<SharedGroup> {
    let groups = (0..RANKS).map(group::others).chain((0..RANKS).map(group::suited)).chain([group::JOKER]);
    groups.map(common).collect()
}

/// Shared cards if the sides have flushes in two different suits.
fn groups_of_two_suits() -> Vec<SharedGroup> {
    let remaining_suits = (0..RANKS).map(|rank| SharedGroup { cards: 2, ..common(group::others(rank)) });
    let players_suit = (0..RANKS).map(|rank| SharedGroup {
        players: group::suited(rank),
        dealers: group::others(rank),
        cards: 1,
    });
    let dealers_suit = (0..RANKS).map(|rank| SharedGroup {
        players: group::others(rank),
        dealers: group::suited(rank),
        cards: 1,
    });
    remaining_suits.chain(players_suit).chain(dealers_suit).chain([common(group::JOKER)]).collect()
}

/// The hands of one side.
struct GroupedHands {
    /// R: all hands, set by their ranks.
    by_ranks: Vec<Hands>,
    /// F: the hands that a flush sets differently, grouped by their ranks.
    flushes_by_ranks: Vec<Hands>,
    /// The part of F with a flush in one suit, grouped by this suit.
    flushes: Vec<Hands>,
}

impl GroupedHands {
    fn of(settings: &HouseWaySettings) -> GroupedHands {
        let by_ranks = settings.patterns().iter().map(|PatternSetting { pattern, set }| Hands {
            set: *set,
            count: pattern.ways(&[4; RANKS]).cast_signed(),
            cards: cards_by_ranks(pattern),
        });
        let mut side =
            GroupedHands { by_ranks: by_ranks.collect(), flushes_by_ranks: Vec::new(), flushes: Vec::new() };
        for SuitedCards { ranks, joker, settings } in settings.suited() {
            for setting in settings {
                side.add_flush(*ranks, *joker, setting);
            }
        }
        for hands in [&mut side.by_ranks, &mut side.flushes_by_ranks, &mut side.flushes] {
            Hands::sort(hands);
        }
        side
    }

    fn add_flush(&mut self, ranks: u16, joker: bool, setting: &FlushSetting) {
        let FlushSetting { others, set, by_ranks } = setting;
        let mut of_others = Pattern { counts: [0; RANKS], joker: false };
        for rank in others.iter().filter(|rank| **rank != NO_RANK) {
            of_others.counts[usize::from(*rank)] += 1;
        }
        let count = of_others.ways(&[3; RANKS]).cast_signed();

        let mut pattern = Pattern { joker, ..of_others };
        let mut cards = u64::from(ranks) | if joker { group::JOKER } else { 0 };
        for (rank, (count, other)) in pattern.counts.iter_mut().zip(of_others.counts).enumerate() {
            *count += (ranks >> rank & 1) as u8;
            cards |= cards_of(group::others(rank), other);
        }
        self.flushes.push(Hands { set: *set, count, cards });
        self.flushes.push(Hands { set: *by_ranks, count: -count, cards });
        // The flush may be in any of four suits.
        let cards = cards_by_ranks(&pattern);
        self.flushes_by_ranks.push(Hands { set: *set, count: 4 * count, cards });
        self.flushes_by_ranks.push(Hands { set: *by_ranks, count: -4 * count, cards });
    }
}

/// The cards of a rank pattern, with one group for each rank.
fn cards_by_ranks(pattern: &Pattern) -> u64 {
    let ranks = pattern.counts.iter().enumerate();
    let joker = if pattern.joker { group::JOKER } else { 0 };
    ranks.fold(joker, |cards, (rank, count)| cards | cards_of(group::of_rank(rank), *count))
}
