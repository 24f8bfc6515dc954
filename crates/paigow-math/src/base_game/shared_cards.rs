//! Inclusion-exclusion over the cards that two hands share, by blocks of cards.
//!
//! The number of pairs of hands without a common card is the sum over all sets S of cards of (−1)^|S| times the number
//! of pairs in which both hands contain S. Cards that no setting tells apart form a block. Sets S with the same number
//! of cards of each block give the same number of pairs, so the sum visits these numbers instead of the sets. It starts
//! with the empty set and adds one card at a time, block by block.
//!
//! The lists of hands stay in the order of their settings when hands without the added card are left out. So no list is
//! sorted again.

use super::pairs::{HighCards, Pairs};
use super::sweep;
use crate::progress::Progress;
use crate::set_hand::SetHand;
use rayon::prelude::*;
use std::ops::Add;

/// Hands with the same setting and the same number of cards of each block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hands {
    pub(super) set: SetHand,
    /// Number of hands. Negative if the hands are subtracted.
    ///
    /// In a list for a set S, it is multiplied by the number of ways to choose the cards of S from one hand, one after the
    /// other. Divided by the number of ways to choose them from all cards, it is the number of hands that contain S.
    pub(super) count: i32,
    /// Cards outside S. Each block has one bit for each of its cards, and the lowest bits stand for the cards of the hand.
    /// The cards of S take the lowest bits away.
    pub(super) cards: u64,
}

impl Hands {
    /// Orders hands by their setting, and adds up those that differ only in their number.
    pub(super) fn sort(hands: &mut Vec<Hands>) {
        hands.par_sort_unstable_by_key(|hands| (hands.set, hands.cards));
        hands.dedup_by(|next, hands| {
            let is_same = (next.set, next.cards) == (hands.set, hands.cards);
            if is_same {
                hands.count += next.count;
            }
            is_same
        });
        hands.retain(|hands| hands.count != 0);
    }
}

/// Cards that neither side's settings tell apart.
///
/// The two sides may have different blocks. To a side with a flush in spades, the aces of the other suits are one
/// block. If the other side has a flush in hearts, the ace of hearts is one block of shared cards, and the other two are
/// another.
#[derive(Clone, Copy)]
pub(super) struct SharedBlock {
    /// Block of the player's side that contains the cards.
    pub(super) players: u64,
    /// Block of the dealer's side that contains the cards.
    pub(super) dealers: u64,
    /// Number of cards.
    pub(super) cards: u32,
}

/// Sum over the sets of shared cards.
pub(super) struct SharedCards<'a> {
    pub(super) blocks: &'a [SharedBlock],
    pub(super) high_cards: &'a HighCards,
    pub(super) progress: Progress<'a>,
}

/// Cards are added in parallel to sets with fewer cards than this.
const PARALLEL_CARDS: u32 = 2;

/// Lists of the players' and the dealers' hands that contain S. The next S uses their memory again.
type Lists = [Vec<Hands>; 2];

impl SharedCards<'_> {
    /// Number of pairs without a common card. Both lists are in the order of their settings.
    ///
    /// Reports one unit of work for each block.
    pub(super) fn disjoint_pairs(&self, players: &[Hands], dealers: &[Hands]) -> Pairs {
        let node = Node {
            cards: 0,
            players: SideHands::of(players),
            dealers: SideHands::of(dealers),
            block: 0,
            chosen: 0,
            times: 1,
            divisor: 1,
        };
        self.sum(&node)
    }

    /// Sums over the sets that contain S and further cards of the blocks from `node.block` up.
    fn sum(&self, node: &Node<'_>) -> Pairs {
        let pairs = sweep::pairs(node.players.hands, node.dealers.hands, self.high_cards);
        // The quotient is exact: it is the number of pairs for all sets with as many cards of each block as S.
        let pairs = pairs.map(|count| {
            debug_assert_eq!(count * node.times % node.divisor, 0);
            count * node.times / node.divisor
        });
        let blocks = node.block..self.blocks.len();
        let with_card =
            |lists: &mut Lists, block: usize| Some(self.sum(&node.with_card(block, self.blocks, lists)?));
        if node.cards >= PARALLEL_CARDS {
            let mut lists = Lists::default();
            return blocks.filter_map(|block| with_card(&mut lists, block)).fold(pairs, Add::add);
        }
        let with_card = |lists: &mut Lists, block: usize| {
            (self.progress)(0);
            let sum = with_card(lists, block);
            (self.progress)(u64::from(node.cards == 0));
            sum.unwrap_or_default()
        };
        pairs + blocks.into_par_iter().map_init(Lists::default, with_card).reduce(Pairs::default, Add::add)
    }
}

/// The pairs of hands that contain a set S.
struct Node<'a> {
    /// Number of cards of S.
    cards: u32,
    players: SideHands<'a>,
    dealers: SideHands<'a>,
    /// The last block that has cards in S.
    block: usize,
    /// Number of cards of this block in S.
    chosen: u32,
    /// Sign of S times the number of ways to choose the cards of S from all shared cards, one after the other.
    times: i128,
    /// Number of orders of the cards of S within their blocks, times the number of ways to choose the cards from all
    /// cards of the player's blocks, and of the dealer's blocks, one after the other.
    divisor: i128,
}

impl Node<'_> {
    /// Adds a card of this block to S. Returns `None` if no such pair of hands exists.
    fn with_card<'a>(
        &self,
        block: usize,
        blocks: &[SharedBlock],
        [players, dealers]: &'a mut Lists,
    ) -> Option<Node<'a>> {
        let chosen = if block == self.block { self.chosen } else { 0 };
        let SharedBlock { players: of_players, dealers: of_dealers, cards } = blocks[block];
        let possible = chosen < cards && self.players.holds(of_players) && self.dealers.holds(of_dealers);
        possible.then(|| Node {
            cards: self.cards + 1,
            players: self.players.with_card(of_players, players),
            dealers: self.dealers.with_card(of_dealers, dealers),
            block,
            chosen: chosen + 1,
            times: -self.times * i128::from(cards - chosen),
            divisor: self.divisor
                * i128::from(chosen + 1)
                * i128::from(self.players.free(of_players) * self.dealers.free(of_dealers)),
        })
    }
}

/// The hands of one side that contain S.
struct SideHands<'a> {
    hands: &'a [Hands],
    /// Cards outside S that some hand holds.
    held: u64,
    /// All cards outside S.
    free: u64,
}

impl SideHands<'_> {
    fn of(hands: &[Hands]) -> SideHands<'_> {
        let held = hands.iter().fold(0, |held, hands| held | hands.cards);
        SideHands { hands, held, free: u64::MAX }
    }

    /// Whether a hand holds a card of this block outside S.
    fn holds(&self, block: u64) -> bool {
        self.held & block != 0
    }

    /// Number of cards of this block outside S.
    fn free(&self, block: u64) -> u32 {
        (self.free & block).count_ones()
    }

    /// Adds a card of this block to S. Lists the hands that contain it.
    fn with_card<'a>(&self, block: u64, list: &'a mut Vec<Hands>) -> SideHands<'a> {
        list.clear();
        let mut held = 0;
        let shift = block.trailing_zeros();
        for hands in self.hands {
            let of_block = hands.cards & block;
            if of_block != 0 {
                let cards = hands.cards - lowest(of_block);
                held |= cards;
                let count = hands.count * CARDS[(of_block >> shift & 15) as usize];
                list.push(Hands { count, cards, ..*hands });
            }
        }
        SideHands { hands: list, held, free: self.free - lowest(self.free & block) }
    }
}

/// Number of bits that are set. A block has at most four cards. The lookup is faster than `count_ones` on processors
/// without an instruction for it, for which the program is built.
const CARDS: [i32; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// The lowest bit that is set.
fn lowest(cards: u64) -> u64 {
    cards & cards.wrapping_neg()
}
