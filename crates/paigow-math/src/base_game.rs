//! The exact base game: how a player's and a dealer's hand compare, over all pairs of hands.
//!
//! The two hands must share no card, so they are not independent. Inclusion-exclusion removes the dependence: the
//! indicator of P ∩ D = ∅ is the sum over all sets S ⊆ P ∩ D of (−1)^|S|. So the number of disjoint pairs in which P
//! beats D is the sum, over sets S of at most seven cards, of (−1)^|S| times the number of pairs of hands *containing
//! S* in which the first beats the second. In these pairs the two hands are independent. It is enough to know how many
//! hands containing S have each pair (H, L) of strengths.
//!
//! Two methods compute this sum. `by_blocks.rs` joins the cards that a house way does not tell apart to blocks, and visits
//! the sets S by the number of cards of each block. `by_sets.rs` visits one set S of each suit class, and lists the hands
//! that contain it. It is slower, and checks the other method.
//!
//! `docs/mathematics.md` describes both methods, their cost and their proof in detail.

mod by_blocks;
mod by_sets;
mod pairs;
mod shared_cards;
mod sweep;

pub(crate) use by_blocks::depends_on_other_suits;

use crate::deck::Deck;
use crate::progress::Progress;
use paigow::rulebook::CopyWinner;
use paigow::{HandClass, HandComparison, HouseWay, Outcome, Rank, Ranking};

/// Number of pairs of hands: C(53, 7) × C(46, 7).
pub const DEALS: i128 = 8_250_459_031_214_400;
const _: () = assert!(Deck::PAI_GOW.deals() == DEALS);

/// Counts of all deals by how the player's hand compares with the dealer's.
///
/// # Examples
///
/// ```no_run
/// use paigow::HouseWay;
/// use paigow::rulebook::{BuiltIn, CopyWinner};
/// use paigow_math::{BaseGame, Matchup, QUIET};
///
/// let name = BuiltIn::house_way_names().next().expect("house ways are built in");
/// let way = HouseWay::built_in(name)?;
/// let matchup = Matchup { player: &way, dealer: &way, ranking: way.ranking(), dealer_push: &[] };
/// // Counting takes seconds.
/// let game = BaseGame::count(&matchup, QUIET);
/// println!("{} deals win", game.outcomes(CopyWinner::Banker).win);
/// # Ok::<(), paigow::rulebook::LoadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BaseGame {
    /// Deals by the comparison of the high hands, then of the low hands, in the order of [`HandComparison`].
    pub compared: [[i128; 3]; 3],
    /// Deals in which the dealer's hand makes every wager push. They are not in `compared`.
    pub dealer_push: i128,
    /// Deals in which the dealer's high hand is less than a pair, by the rank of its highest card.
    pub no_pair: [NoPair; Rank::ALL.len()],
}

/// Deals in which the dealer's high hand is less than a pair, without those that make wagers push.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoPair {
    /// Number of such deals.
    pub deals: i128,
    /// Number of these deals in which the player's high hand is higher.
    pub beaten: i128,
}

/// Number of deals in which a base wager wins, pushes and loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)] // the fields are self-explanatory
pub struct Outcomes {
    pub win: i128,
    pub push: i128,
    pub lose: i128,
}

impl Outcomes {
    /// Returns the outcomes as the other side has them.
    #[must_use]
    pub fn exchanged(self) -> Outcomes {
        Outcomes { win: self.lose, push: self.push, lose: self.win }
    }
}

/// House ways of both sides and the rules that a base game is counted under.
#[derive(Clone, Copy)]
pub struct Matchup<'a> {
    /// House way of the player.
    pub player: &'a HouseWay,
    /// House way of the dealer.
    pub dealer: &'a HouseWay,
    /// Ranking of hands.
    pub ranking: Ranking,
    /// Hand classes of the dealer that make every base wager push.
    pub dealer_push: &'a [HandClass],
}

impl BaseGame {
    /// Total work that [`BaseGame::count`] reports.
    pub const WORK: u64 = by_blocks::WORK;

    /// Counts all deals.
    ///
    /// # Panics
    /// If the counts do not add up to [`DEALS`].
    pub fn count(matchup: &Matchup<'_>, progress: Progress<'_>) -> BaseGame {
        if matchup.dealer_push.iter().copied().any(depends_on_other_suits) {
            // No rule book has such a rule. The slower method counts it.
            let game = BaseGame::count_by_sets(matchup, &|_| progress(0));
            progress(BaseGame::WORK);
            return game;
        }
        by_blocks::pairs(matchup, progress).game(Deck::PAI_GOW)
    }

    /// Total work that [`BaseGame::count_by_sets`] reports: for one set of each suit class of fewer than seven cards,
    /// the hands that contain it.
    pub const WORK_BY_SETS: u64 = by_sets::WORK;

    /// Counts all deals by an independent, slower method, which checks [`BaseGame::count`].
    ///
    /// It assumes nothing about how hands are set, except that suits may be relabeled. It needs 617 MB of memory, or
    /// twice that if the two sides set differently.
    ///
    /// # Panics
    /// If the counts do not add up to [`DEALS`].
    pub fn count_by_sets(matchup: &Matchup<'_>, progress: Progress<'_>) -> BaseGame {
        by_sets::pairs(matchup, progress).game(Deck::PAI_GOW)
    }

    /// Number of deals in which the player's wager wins, pushes and loses.
    pub fn outcomes(&self, copies: CopyWinner) -> Outcomes {
        let mut outcomes = Outcomes { win: 0, push: self.dealer_push, lose: 0 };
        for (high, row) in HandComparison::ALL.into_iter().zip(self.compared) {
            for (low, deals) in HandComparison::ALL.into_iter().zip(row) {
                match copies.outcome(high, low) {
                    Outcome::Win => outcomes.win += deals,
                    Outcome::Lose => outcomes.lose += deals,
                    _ => outcomes.push += deals,
                }
            }
        }
        outcomes
    }

    /// Returns the comparison with the two sides exchanged. Meaningful only if no hand makes wagers push.
    #[must_use]
    pub fn swapped(&self) -> BaseGame {
        let compared =
            std::array::from_fn(|high| std::array::from_fn(|low| self.compared[2 - high][2 - low]));
        BaseGame { compared, ..*self }
    }
}
