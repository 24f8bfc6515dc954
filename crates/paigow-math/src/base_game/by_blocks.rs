//! Counts the base game by blocks: sets of cards that a house way does not tell apart.
//!
//! A house way sets a hand by its ranks alone unless the hand can make a flush. So the hands of a side are R + F:
//!
//! - R has every hand, set by its ranks as if it could not make a flush.
//! - F has the hands that a flush sets differently, with their true setting, minus the same hands set by their ranks.
//!
//! The pairs of a player's and a dealer's hand are R × (R + F) + F × R + F × F. Those without a common card are counted
//! by blocks of cards (`shared_cards.rs`):
//!
//! - In R × (R + F) and F × R, the four cards of a rank are a block. The number of hands of R that contain a set S
//!   depends only on the ranks of S. So for the hands of the other side, too, only their ranks matter, although a flush
//!   may set them.
//! - In F × F with flushes in the same suit, each card of this suit is a block, and the three other cards of a rank are a
//!   block.
//! - In F × F with flushes in two suits, each card of these suits is a block, and the two other cards of a rank are a
//!   block.
//!
//! The joker is always a block.

use super::Matchup;
use super::pairs::{HighCards, Pairs};
use super::shared_cards::{Hands, SharedBlock, SharedCards};
use crate::house_way_settings::{FlushSetting, HouseWaySettings, NO_RANK, PatternSetting, SuitedCards};
use crate::progress::Progress;
use crate::rank_pattern::{RANKS, RankPattern};
use paigow::{Evaluator, HandClass};

#[cfg(test)]
mod small_decks;

/// Blocks of one side's cards. Each block has one bit for each of its cards.
///
/// A hand has either the blocks of ranks, or the blocks of a flush: each card of its suit, and the other cards of a rank.
mod block {
    use crate::rank_pattern::RANKS;

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

/// The cards of a block in a hand that has `count` of them.
const fn cards_of(block: u64, count: u8) -> u64 {
    ((1 << count) - 1) << block.trailing_zeros()
}

/// Units of work that [`pairs`] reports: the blocks of its four sums.
pub(super) const WORK: u64 = (2 * (RANKS + 1) + (2 * RANKS + 1) + (3 * RANKS + 1)) as u64;

/// Number of pairs of hands without a common card.
pub(super) fn pairs(matchup: &Matchup<'_>, progress: Progress<'_>) -> Pairs {
    let side = |way, push| HandsInBlocks::of(&HouseWaySettings::of(way, matchup.ranking, push));
    let players = side(matchup.player, &[]);
    let dealers = side(matchup.dealer, matchup.dealer_push);
    let mut all_dealers = [&dealers.by_ranks[..], &dealers.flushes_by_ranks].concat();
    Hands::sort(&mut all_dealers);

    let high_cards = HighCards::new(Evaluator::of(matchup.ranking));
    let count = |blocks: &[SharedBlock], players: &[Hands], dealers: &[Hands]| {
        SharedCards { blocks, high_cards: &high_cards, progress }.disjoint_pairs(players, dealers)
    };
    // The flushes are in one of four suits, or in an ordered pair of suits.
    count(&blocks_by_ranks(), &players.by_ranks, &all_dealers)
        + count(&blocks_by_ranks(), &players.flushes_by_ranks, &dealers.by_ranks)
        + count(&blocks_of_one_suit(), &players.flushes, &dealers.flushes) * 4
        + count(&blocks_of_two_suits(), &players.flushes, &dealers.flushes) * 12
}

/// Whether a hand class with a flush depends on the suits of the cards outside the flush, which a block does not tell
/// apart.
pub(crate) fn depends_on_other_suits(class: HandClass) -> bool {
    use HandClass::{LuhnTaoWheelAceQueen, RoyalFlushAceQueen, RoyalFlushRoyalMatch};
    matches!(class, RoyalFlushRoyalMatch | RoyalFlushAceQueen | LuhnTaoWheelAceQueen)
}

/// A block that both sides have.
const fn common(block: u64) -> SharedBlock {
    SharedBlock { players: block, dealers: block, cards: block.count_ones() }
}

/// Shared cards if one side is set by ranks.
fn blocks_by_ranks() -> Vec<SharedBlock> {
    (0..RANKS).map(block::of_rank).chain([block::JOKER]).map(common).collect()
}

/// Shared cards if both sides have a flush in the same suit.
///
/// Few hands share two cards of other suits. Their blocks come first, so that the lists become short early.
fn blocks_of_one_suit() -> Vec<SharedBlock> {
    let blocks = (0..RANKS).map(block::others).chain((0..RANKS).map(block::suited)).chain([block::JOKER]);
    blocks.map(common).collect()
}

/// Shared cards if the sides have flushes in two different suits.
fn blocks_of_two_suits() -> Vec<SharedBlock> {
    let remaining_suits = (0..RANKS).map(|rank| SharedBlock { cards: 2, ..common(block::others(rank)) });
    let players_suit = (0..RANKS).map(|rank| SharedBlock {
        players: block::suited(rank),
        dealers: block::others(rank),
        cards: 1,
    });
    let dealers_suit = (0..RANKS).map(|rank| SharedBlock {
        players: block::others(rank),
        dealers: block::suited(rank),
        cards: 1,
    });
    remaining_suits.chain(players_suit).chain(dealers_suit).chain([common(block::JOKER)]).collect()
}

/// The hands of one side.
struct HandsInBlocks {
    /// R: all hands, set by their ranks.
    by_ranks: Vec<Hands>,
    /// F: the hands that a flush sets differently, in the blocks of ranks.
    flushes_by_ranks: Vec<Hands>,
    /// The part of F with a flush in one suit, in the blocks of this suit.
    flushes: Vec<Hands>,
}

impl HandsInBlocks {
    fn of(settings: &HouseWaySettings) -> HandsInBlocks {
        let by_ranks = settings.patterns().iter().map(|PatternSetting { pattern, set }| Hands {
            set: *set,
            count: pattern.ways(&[4; RANKS]).cast_signed(),
            cards: cards_by_ranks(pattern),
        });
        let mut side =
            HandsInBlocks { by_ranks: by_ranks.collect(), flushes_by_ranks: Vec::new(), flushes: Vec::new() };
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
        let mut of_others = RankPattern { counts: [0; RANKS], joker: false };
        for rank in others.iter().filter(|rank| **rank != NO_RANK) {
            of_others.counts[usize::from(*rank)] += 1;
        }
        let count = of_others.ways(&[3; RANKS]).cast_signed();

        let mut pattern = RankPattern { joker, ..of_others };
        let mut cards = u64::from(ranks) | if joker { block::JOKER } else { 0 };
        for (rank, (count, other)) in pattern.counts.iter_mut().zip(of_others.counts).enumerate() {
            *count += (ranks >> rank & 1) as u8;
            cards |= cards_of(block::others(rank), other);
        }
        self.flushes.push(Hands { set: *set, count, cards });
        self.flushes.push(Hands { set: *by_ranks, count: -count, cards });
        // The flush may be in any of four suits.
        let cards = cards_by_ranks(&pattern);
        self.flushes_by_ranks.push(Hands { set: *set, count: 4 * count, cards });
        self.flushes_by_ranks.push(Hands { set: *by_ranks, count: -4 * count, cards });
    }
}

/// The cards of a rank pattern, with one block for each rank.
fn cards_by_ranks(pattern: &RankPattern) -> u64 {
    let ranks = pattern.counts.iter().enumerate();
    let joker = if pattern.joker { block::JOKER } else { 0 };
    ranks.fold(joker, |cards, (rank, count)| cards | cards_of(block::of_rank(rank), *count))
}
