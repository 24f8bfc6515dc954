//! The exact base game: how a player's and a dealer's hand compare, over all pairs of hands.
//!
//! The two hands must share no card, so they are not independent. Inclusion-exclusion removes the dependence: the
//! indicator of P ∩ D = ∅ is the sum over all sets S ⊆ P ∩ D of (−1)^|S|. So the number of disjoint pairs in which P
//! beats D is the sum, over sets S of at most seven cards, of (−1)^|S| times the number of pairs of hands *containing
//! S* in which the first beats the second. In these pairs the two hands are independent. It is enough to know how many
//! hands containing S have each pair (H, L) of strengths, and to do so for one S of each suit class.
//!
//! `docs/mathematics.md` describes the method, its cost and its proof in detail.

use crate::SuitClasses;
use crate::deck::Deck;
use crate::dominance::{ANY_LOW, Dominance, WIDTH};
use crate::hand_table::HandTable;
use crate::progress::Progress;
use crate::set_hand::{HandSetter, SetHand};
use paigow::rulebook::CopyWinner;
use paigow::{
    Category, Evaluator, HandClass, HandComparison, HighStrength, HouseWay, Outcome, PartialHand, Rank,
    Ranking,
};
use rayon::prelude::*;
use std::ops::{Add, Mul};

#[cfg(test)]
mod small_decks;

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
/// // Counting takes minutes.
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
    /// Total work that [`BaseGame::count`] reports: for one set of each suit class of fewer than seven cards, the hands
    /// that contain it.
    pub const WORK: u64 = {
        let mut work = 0;
        let mut size = 0;
        while size < Deck::PAI_GOW.hand {
            work += SuitClasses::COUNTS[size] * Deck::PAI_GOW.hands_containing(size);
            size += 1;
        }
        work
    };

    /// Counts all deals.
    ///
    /// # Panics
    /// If the counts do not add up to [`DEALS`].
    pub fn count(matchup: &Matchup<'_>, progress: Progress<'_>) -> BaseGame {
        let deck = Deck::PAI_GOW;
        let table = |way| {
            let setter = HandSetter::new(way, matchup.ranking, matchup.dealer_push);
            HandTable::build(deck, |hand: PartialHand| setter.set(hand.complete()).0, progress)
        };
        let dealers = table(matchup.dealer);
        let players = (matchup.player.rules() != matchup.dealer.rules()).then(|| table(matchup.player));
        let high_cards = HighCards::new(Evaluator::of(matchup.ranking));
        BaseGame::sum(deck, players.as_ref().unwrap_or(&dealers), &dealers, &high_cards, progress)
    }

    /// Computes the inclusion-exclusion sum.
    fn sum(
        deck: Deck,
        players: &HandTable,
        dealers: &HandTable,
        high_cards: &HighCards,
        progress: Progress<'_>,
    ) -> BaseGame {
        let tables = HandTables { deck, players, dealers, high_cards };
        let mut sum = Pairs::default();
        for size in 0..=deck.hand {
            let sign = if size % 2 == 0 { 1 } else { -1 };
            sum = sum + tables.sum_over_sets(size, progress) * sign;
        }
        sum.game(deck)
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

/// The highest card of five cards without a pair, by strength.
struct HighCards {
    /// Highest rank of each strength below a pair.
    ranks: Vec<Rank>,
    /// For each rank, its range of strengths: the first, and the one after the last.
    strengths: [(usize, usize); Rank::ALL.len()],
}

impl HighCards {
    fn new(evaluator: &Evaluator) -> HighCards {
        let no_pair = HighStrength::all().take_while(|strength| strength.category() == Category::HighCard);
        let ranks: Vec<Rank> = no_pair.map(|strength| evaluator.shape(strength).ranks[0]).collect();
        let first = |rank: Rank| ranks.partition_point(|other| *other < rank);
        let after = |rank: Rank| ranks.partition_point(|other| *other <= rank);
        let strengths = Rank::ALL.map(|rank| (first(rank), after(rank)));
        HighCards { ranks, strengths }
    }
}

/// Counts of pairs of hands that contain a set S, or sums of such counts.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    /// Pairs in which the dealer's hand makes wagers push.
    pushes: i128,
    /// Other pairs, by the dealer's high hand and then its low hand, relative to the player's: lower, not higher, any.
    cumulative: [[i128; 3]; 3],
    no_pair: [NoPair; Rank::ALL.len()],
}

impl Add for Pairs {
    type Output = Pairs;

    fn add(self, other: Pairs) -> Pairs {
        let no_pair = std::array::from_fn(|rank| NoPair {
            deals: self.no_pair[rank].deals + other.no_pair[rank].deals,
            beaten: self.no_pair[rank].beaten + other.no_pair[rank].beaten,
        });
        let cumulative = std::array::from_fn(|high| {
            std::array::from_fn(|low| self.cumulative[high][low] + other.cumulative[high][low])
        });
        Pairs { pushes: self.pushes + other.pushes, cumulative, no_pair }
    }
}

impl Mul<i128> for Pairs {
    type Output = Pairs;

    fn mul(self, times: i128) -> Pairs {
        let no_pair =
            self.no_pair.map(|pairs| NoPair { deals: pairs.deals * times, beaten: pairs.beaten * times });
        Pairs {
            pushes: self.pushes * times,
            cumulative: self.cumulative.map(|row| row.map(|n| n * times)),
            no_pair,
        }
    }
}

impl Pairs {
    /// Adds one pair of hands `weight` times.
    fn add_one(&mut self, player: SetHand, dealer: SetHand, weight: u64, high_cards: &HighCards) {
        let weight = i128::from(weight);
        if dealer.pushes() {
            self.pushes += weight;
            return;
        }
        let high = [dealer.high() < player.high(), dealer.high() <= player.high(), true];
        let low = [dealer.low() < player.low(), dealer.low() <= player.low(), true];
        for (sums, _) in self.cumulative.iter_mut().zip(high).filter(|(_, high)| *high) {
            for (sum, _) in sums.iter_mut().zip(low).filter(|(_, low)| *low) {
                *sum += weight;
            }
        }
        if let Some(rank) = high_cards.ranks.get(dealer.high()) {
            let pairs = &mut self.no_pair[rank.index()];
            pairs.deals += weight;
            pairs.beaten += if high[0] { weight } else { 0 };
        }
    }

    /// Converts the complete sum into a game.
    fn game(&self, deck: Deck) -> BaseGame {
        let between = |from: [i128; 3], to: [i128; 3]| [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
        let [lower, not_higher, all] = self.cumulative;
        let rows = [lower, between(lower, not_higher), between(not_higher, all)];
        let compared = rows.map(|[lower, not_higher, all]| [lower, not_higher - lower, all - not_higher]);
        let counted = compared.as_flattened().iter().sum::<i128>() + self.pushes;
        assert!(
            counted == deck.deals() && compared.as_flattened().iter().all(|deals| *deals >= 0),
            "the counted pairs are not all pairs: {self:?}"
        );
        BaseGame { compared, dealer_push: self.pushes, no_pair: self.no_pair }
    }
}

/// The settings of all hands on both sides.
struct HandTables<'a> {
    deck: Deck,
    players: &'a HandTable,
    /// The same table as `players` if both sides use the same house way.
    dealers: &'a HandTable,
    high_cards: &'a HighCards,
}

impl HandTables<'_> {
    fn is_shared(&self) -> bool {
        std::ptr::eq(self.players, self.dealers)
    }

    /// Sums the pairs over all sets of `size` cards: one set of each suit class, weighted.
    fn sum_over_sets(&self, size: usize, progress: Progress<'_>) -> Pairs {
        if size == self.deck.hand {
            return self.pairs_of_equal_hands();
        }
        let mut sets: Vec<(PartialHand, u64)> = Vec::new();
        self.deck.classes(size).for_each(|set, weight| sets.push((set, weight)));
        // Sets of up to three of seven cards are in so many hands that counting by strengths is faster. Larger sets are
        // in few enough hands to list them.
        let many = size + 4 <= self.deck.hand;
        let chunk = if many { 1 } else { 64 };
        sets.par_chunks(chunk)
            .fold(
                || (HandsOfSide::default(), HandsOfSide::default(), Dominance::new(), Pairs::default()),
                |(mut players, mut dealers, mut dominance, mut sum), chunk| {
                    progress(0);
                    for (set, weight) in chunk {
                        let set = self.deck.card_indices(*set);
                        let pairs = if many {
                            self.pairs_by_strength(&set, &mut players, &mut dealers, &mut dominance)
                        } else {
                            self.pairs_by_hand(&set, &mut players.hands, &mut dealers.hands, &mut dominance)
                        };
                        sum = sum + pairs * i128::from(*weight);
                    }
                    progress(chunk.len() as u64 * self.deck.hands_containing(size));
                    (players, dealers, dominance, sum)
                },
            )
            .map(|(_, _, _, sum)| sum)
            .reduce(Pairs::default, Add::add)
    }

    /// Pairs of two hands with the same cards.
    fn pairs_of_equal_hands(&self) -> Pairs {
        self.deck.classes(self.deck.hand).fold(
            Pairs::default,
            |sum, hand, weight| {
                let index = self.deck.hand_index(hand);
                sum.add_one(
                    SetHand(self.players.get(index)),
                    SetHand(self.dealers.get(index)),
                    weight,
                    self.high_cards,
                );
            },
            Add::add,
        )
    }

    /// Pairs of hands that contain a set, counted by strengths.
    fn pairs_by_strength(
        &self,
        set: &[usize],
        players: &mut HandsOfSide,
        dealers: &mut HandsOfSide,
        below: &mut Dominance,
    ) -> Pairs {
        players.count(self.players, set);
        let dealers = if self.is_shared() { &*players } else { dealers.count(self.dealers, set) };
        below.clear();
        below.add_all(&dealers.counts);
        let pushing = dealers.pushing.iter();
        pushing.for_each(|hand| below.add(*hand, u32::MAX)); // removes one hand
        below.compute_sums();

        let mut tally = PairTally::new(below, self.high_cards, dealers.pushing.len());
        for (high, row) in players.counts.chunks_exact(WIDTH).enumerate() {
            for (low, hands) in row.iter().enumerate().filter(|(_, hands)| **hands > 0) {
                tally.add(high, low, u64::from(*hands));
            }
        }
        tally.pairs()
    }

    /// Pairs of hands that contain a set, counted hand by hand.
    fn pairs_by_hand(
        &self,
        set: &[usize],
        players: &mut Vec<SetHand>,
        dealers: &mut Vec<SetHand>,
        below: &mut Dominance,
    ) -> Pairs {
        players.clear();
        self.players.for_each_containing(set, |value| players.push(SetHand(value)));
        dealers.clear();
        if self.is_shared() {
            dealers.extend_from_slice(players);
        } else {
            self.dealers.for_each_containing(set, |value| dealers.push(SetHand(value)));
        }
        let all = dealers.len();
        dealers.retain(|hand| !hand.pushes());
        below.clear_for(players.iter().chain(&*dealers).copied());
        for hand in &*dealers {
            below.add(*hand, 1);
        }
        below.compute_sums();

        let mut tally = PairTally::new(below, self.high_cards, all - dealers.len());
        for hand in players {
            tally.add(hand.high(), hand.low(), 1);
        }
        tally.pairs()
    }
}

/// The hands of one side that contain a set.
#[derive(Default)]
struct HandsOfSide {
    /// Number of hands with each pair of strengths, a row of [`WIDTH`] counts for each high-hand strength.
    counts: Vec<u32>,
    /// Hands that make wagers push.
    pushing: Vec<SetHand>,
    /// All hands, for the count hand by hand.
    hands: Vec<SetHand>,
}

impl HandsOfSide {
    fn count(&mut self, table: &HandTable, set: &[usize]) -> &HandsOfSide {
        self.counts.clear();
        self.counts.resize(HighStrength::COUNT * WIDTH, 0);
        self.pushing.clear();
        table.for_each_containing(set, |value| {
            let hand = SetHand(value);
            self.counts[hand.high() * WIDTH + hand.low()] += 1;
            if hand.pushes() {
                self.pushing.push(hand);
            }
        });
        self
    }
}

/// Running counts of the pairs for one set, while players' hands are compared with the dealer's hands.
struct PairTally<'a> {
    /// The dealer's hands.
    below: &'a Dominance,
    high_cards: &'a HighCards,
    /// Number of dealer's hands that make wagers push.
    pushing: u64,
    /// Players' hands by low-hand strength.
    low_counts: [u64; WIDTH],
    /// Pairs in which the dealer's high hand is lower, or not higher. For each: its low hand is lower, not higher, any.
    cumulative: [[u64; 3]; 2],
    /// By the highest card of a player's high hand without a pair: the players' hands, and the pairs in which the
    /// dealer's high hand is lower.
    no_pair: [(u64, u64); Rank::ALL.len()],
}

impl<'a> PairTally<'a> {
    fn new(below: &'a Dominance, high_cards: &'a HighCards, pushing: usize) -> PairTally<'a> {
        PairTally {
            below,
            high_cards,
            pushing: pushing as u64,
            low_counts: [0; WIDTH],
            cumulative: [[0; 3]; 2],
            no_pair: [(0, 0); Rank::ALL.len()],
        }
    }

    /// Adds `hands` players' hands of these strengths.
    fn add(&mut self, high: usize, low: usize, hands: u64) {
        let row = self.below.row(high);
        let lower = self.below.sums(row);
        let not_higher = self.below.sums(row + 1);
        for (sums, dealers) in self.cumulative.iter_mut().zip([lower, not_higher]) {
            sums[0] += hands * u64::from(dealers[low]);
            sums[1] += hands * u64::from(dealers[low + 1]);
            sums[2] += hands * u64::from(dealers[ANY_LOW]);
        }
        self.low_counts[low] += hands;
        if let Some(rank) = self.high_cards.ranks.get(high) {
            let (players, beaten) = &mut self.no_pair[rank.index()];
            *players += hands;
            *beaten += hands * u64::from(lower[ANY_LOW]);
        }
    }

    fn pairs(&self) -> Pairs {
        let players = self.low_counts.iter().sum::<u64>();
        // Players' hands that are higher than every hand without a pair of the current highest card.
        let mut higher = players;
        let mut no_pair = [NoPair::default(); Rank::ALL.len()];
        for ((pairs, (same, beaten)), (first, after)) in
            no_pair.iter_mut().zip(self.no_pair).zip(self.high_cards.strengths)
        {
            higher -= same;
            let lower = u64::from(self.below.below(first, ANY_LOW));
            let dealers = u64::from(self.below.below(after, ANY_LOW)) - lower;
            pairs.deals = i128::from(players * dealers);
            pairs.beaten = i128::from(higher * dealers + beaten - same * lower);
        }
        let dealers = self.below.totals();
        let mut any = [0, 0, players * u64::from(dealers[ANY_LOW])];
        for ((low, hands), lower) in
            self.low_counts.iter().enumerate().zip(dealers).filter(|((_, hands), _)| **hands > 0)
        {
            any[0] += hands * u64::from(*lower);
            any[1] += hands * u64::from(dealers[low + 1]);
        }
        let [lower, not_higher] = self.cumulative;
        Pairs {
            pushes: i128::from(players * self.pushing),
            cumulative: [lower, not_higher, any].map(|row| row.map(i128::from)),
            no_pair,
        }
    }
}
