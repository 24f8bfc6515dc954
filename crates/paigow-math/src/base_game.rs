//! The base game, exactly: over all pairs of a player's and a dealer's hand, how the two compare.
//!
//! The two hands must share no card, which makes the pairs depend on each other. It is undone by counting pairs that *may*
//! share cards and correcting: the indicator of P ∩ D = ∅ is the sum over all sets S ⊆ P ∩ D of (−1)^|S|. So the number of
//! disjoint pairs in which P beats D is the sum over sets S of at most seven cards of (−1)^|S| times the number of pairs of
//! hands *containing S* in which the first beats the second, and in those the two hands are independent: it is enough
//! to know how many hands containing S have each pair (H, L) of strengths. One S of each class up to suits will do.
//!
//! `docs/mathematics.md` has the method, its cost and its proof at length.

use crate::SuitClasses;
use crate::deck::Deck;
use crate::dominance::{ALL, Dominance, WIDTH};
use crate::hand_table::HandTable;
use crate::progress::Progress;
use crate::set_hand::{HandSetter, SetHand};
use paigow::rulebook::Copies;
use paigow::{
    Category, Evaluator, HandClass, HandComparison, HighStrength, HouseWay, Outcome, PartialHand, Rank,
    Ranking,
};
use rayon::prelude::*;
use std::ops::{Add, Mul};

#[cfg(test)]
mod small_decks;

/// All pairs of hands: C(53, 7) × C(46, 7).
pub const DEALS: i128 = 8_250_459_031_214_400;
const _: () = assert!(Deck::PAI_GOW.deals() == DEALS);

/// How a player's hand and a dealer's compare, over all deals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BaseGame {
    /// By how the player's five cards compare with the dealer's, and then the two, in the order of [`HandComparison`].
    pub compared: [[i128; 3]; 3],
    /// Deals in which the dealer's hand makes every wager push, whatever the player has; they are in none of the above.
    pub dealer_push: i128,
    /// By the highest of the dealer's five cards where these are less than a pair.
    pub no_pair: [NoPair; Rank::ALL.len()],
}

/// Deals in which the dealer's five cards are less than a pair, those that make wagers push left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoPair {
    /// All of them.
    pub deals: i128,
    /// Those in which the player's five cards are higher.
    pub beaten: i128,
}

/// What becomes of a base wager, over all deals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)] // the names say it
pub struct Outcomes {
    pub win: i128,
    pub push: i128,
    pub lose: i128,
}

/// Who sets how, and what the dealer's hand may bring about.
#[derive(Clone, Copy)]
pub struct Sides<'a> {
    /// How the player sets.
    pub player: &'a HouseWay,
    /// How the dealer sets.
    pub dealer: &'a HouseWay,
    /// How hands rank.
    pub ranking: Ranking,
    /// The dealer's hands that make every base wager push.
    pub dealer_push: &'a [HandClass],
}

impl BaseGame {
    /// How much work [`BaseGame::count`] reports: hands held against the hands that contain the same cards.
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
    /// If the pairs counted are not all pairs: every run checks it.
    pub fn count(sides: &Sides<'_>, progress: Progress<'_>) -> BaseGame {
        let deck = Deck::PAI_GOW;
        let table = |way| {
            let setter = HandSetter::new(way, sides.ranking, sides.dealer_push);
            HandTable::build(deck, |hand: PartialHand| setter.set(hand.complete()).0, progress)
        };
        let dealers = table(sides.dealer);
        let players = (sides.player.rules() != sides.dealer.rules()).then(|| table(sides.player));
        let highest = HighestOf::new(Evaluator::of(sides.ranking));
        BaseGame::sum(deck, players.as_ref().unwrap_or(&dealers), &dealers, &highest, progress)
    }

    /// The alternating sum.
    fn sum(
        deck: Deck,
        players: &HandTable,
        dealers: &HandTable,
        highest: &HighestOf,
        progress: Progress<'_>,
    ) -> BaseGame {
        let tables = HandTables { deck, players, dealers, highest };
        let mut sum = Pairs::default();
        for size in 0..=deck.hand {
            let sign = if size % 2 == 0 { 1 } else { -1 };
            sum = sum + tables.sharing(size, progress) * sign;
        }
        sum.game(deck)
    }

    /// What becomes of the player's wager.
    pub fn outcomes(&self, copies: Copies) -> Outcomes {
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

    /// The same seen from the other side: the dealer's hand as the player's. Only where no hand makes wagers push.
    #[must_use]
    pub fn turned_round(&self) -> BaseGame {
        let compared =
            std::array::from_fn(|high| std::array::from_fn(|low| self.compared[2 - high][2 - low]));
        BaseGame { compared, ..*self }
    }
}

/// The highest card of five cards without a pair, and the strengths it goes with.
struct HighestOf {
    /// By strength, for all strengths below a pair.
    highest: Vec<Rank>,
    /// By rank, the first strength and the one after the last.
    strengths: [(usize, usize); Rank::ALL.len()],
}

impl HighestOf {
    fn new(evaluator: &Evaluator) -> HighestOf {
        let no_pair = HighStrength::all().take_while(|strength| strength.category() == Category::HighCard);
        let highest: Vec<Rank> = no_pair.map(|strength| evaluator.shape(strength).ranks[0]).collect();
        let first = |rank: Rank| highest.partition_point(|other| *other < rank);
        let after = |rank: Rank| highest.partition_point(|other| *other <= rank);
        let strengths = Rank::ALL.map(|rank| (first(rank), after(rank)));
        HighestOf { highest, strengths }
    }
}

/// Pairs of hands that contain a set S, or sums of such counts.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    /// Of a player's hand and a dealer's that makes wagers push.
    pushes: i128,
    /// Of a player's hand and any other of the dealer's, by how the dealer's five cards and its two stand: lower, not higher,
    /// or anyhow.
    within: [[i128; 3]; 3],
    no_pair: [NoPair; Rank::ALL.len()],
}

impl Add for Pairs {
    type Output = Pairs;

    fn add(self, other: Pairs) -> Pairs {
        let no_pair = std::array::from_fn(|rank| NoPair {
            deals: self.no_pair[rank].deals + other.no_pair[rank].deals,
            beaten: self.no_pair[rank].beaten + other.no_pair[rank].beaten,
        });
        let within = std::array::from_fn(|high| {
            std::array::from_fn(|low| self.within[high][low] + other.within[high][low])
        });
        Pairs { pushes: self.pushes + other.pushes, within, no_pair }
    }
}

impl Mul<i128> for Pairs {
    type Output = Pairs;

    fn mul(self, times: i128) -> Pairs {
        let no_pair =
            self.no_pair.map(|pairs| NoPair { deals: pairs.deals * times, beaten: pairs.beaten * times });
        Pairs { pushes: self.pushes * times, within: self.within.map(|row| row.map(|n| n * times)), no_pair }
    }
}

impl Pairs {
    /// So many times one pair of hands.
    fn add_one(&mut self, player: SetHand, dealer: SetHand, weight: u64, highest: &HighestOf) {
        let weight = i128::from(weight);
        if dealer.pushes() {
            self.pushes += weight;
            return;
        }
        let high = [dealer.high() < player.high(), dealer.high() <= player.high(), true];
        let low = [dealer.low() < player.low(), dealer.low() <= player.low(), true];
        for (sums, _) in self.within.iter_mut().zip(high).filter(|(_, high)| *high) {
            for (sum, _) in sums.iter_mut().zip(low).filter(|(_, low)| *low) {
                *sum += weight;
            }
        }
        if let Some(rank) = highest.highest.get(dealer.high()) {
            let pairs = &mut self.no_pair[rank.index()];
            pairs.deals += weight;
            pairs.beaten += if high[0] { weight } else { 0 };
        }
    }

    /// The whole sum as a game.
    fn game(&self, deck: Deck) -> BaseGame {
        let between = |from: [i128; 3], to: [i128; 3]| [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
        let [lower, not_higher, all] = self.within;
        let rows = [lower, between(lower, not_higher), between(not_higher, all)];
        let compared = rows.map(|[lower, not_higher, all]| [lower, not_higher - lower, all - not_higher]);
        let counted = compared.as_flattened().iter().sum::<i128>() + self.pushes;
        assert!(
            counted == deck.deals() && compared.as_flattened().iter().all(|deals| *deals >= 0),
            "the pairs counted are not all pairs: {self:?}"
        );
        BaseGame { compared, dealer_push: self.pushes, no_pair: self.no_pair }
    }
}

/// The settings of all hands on both sides.
struct HandTables<'a> {
    deck: Deck,
    players: &'a HandTable,
    /// The same table where both sides set alike.
    dealers: &'a HandTable,
    highest: &'a HighestOf,
}

impl HandTables<'_> {
    fn alike(&self) -> bool {
        std::ptr::eq(self.players, self.dealers)
    }

    /// Pairs over all sets of so many cards: one of each class, weighted.
    fn sharing(&self, size: usize, progress: Progress<'_>) -> Pairs {
        if size == self.deck.hand {
            return self.same_cards();
        }
        let mut sets: Vec<(PartialHand, u64)> = Vec::new();
        self.deck.classes(size).for_each(|set, weight| sets.push((set, weight)));
        // Up to three cards of seven are in so many hands that it pays to count hands by strengths; more, in few enough to
        // list.
        let many = size + 4 <= self.deck.hand;
        let chunk = if many { 1 } else { 64 };
        sets.par_chunks(chunk)
            .fold(
                || (Side::default(), Side::default(), Dominance::new(), Pairs::default()),
                |(mut players, mut dealers, mut dominance, mut sum), chunk| {
                    progress(0);
                    for (set, weight) in chunk {
                        let set = self.deck.numbers(*set);
                        let pairs = if many {
                            self.by_strengths(&set, &mut players, &mut dealers, &mut dominance)
                        } else {
                            self.listed(&set, &mut players.hands, &mut dealers.hands, &mut dominance)
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

    /// Pairs that share all cards.
    fn same_cards(&self) -> Pairs {
        self.deck.classes(self.deck.hand).fold(
            Pairs::default,
            |sum, hand, weight| {
                let number = self.deck.number_of_hand(hand);
                sum.add_one(
                    SetHand(self.players.get(number)),
                    SetHand(self.dealers.get(number)),
                    weight,
                    self.highest,
                );
            },
            Add::add,
        )
    }

    /// Pairs of hands that contain a set, hands being counted by their strengths first.
    fn by_strengths(
        &self,
        set: &[usize],
        players: &mut Side,
        dealers: &mut Side,
        below: &mut Dominance,
    ) -> Pairs {
        players.count(self.players, set);
        let dealers = if self.alike() { &*players } else { dealers.count(self.dealers, set) };
        below.clear();
        below.add_all(&dealers.counts);
        let pushing = dealers.pushing.iter();
        pushing.for_each(|hand| below.add(*hand, u32::MAX)); // one less
        below.sum_up();

        let mut tally = PairTally::new(below, self.highest, dealers.pushing.len());
        for (high, row) in players.counts.chunks_exact(WIDTH).enumerate() {
            for (low, hands) in row.iter().enumerate().filter(|(_, hands)| **hands > 0) {
                tally.add(high, low, u64::from(*hands));
            }
        }
        tally.pairs()
    }

    /// Pairs of hands that contain a set, hand by hand.
    fn listed(
        &self,
        set: &[usize],
        players: &mut Vec<SetHand>,
        dealers: &mut Vec<SetHand>,
        below: &mut Dominance,
    ) -> Pairs {
        players.clear();
        self.players.for_each_containing(set, |value| players.push(SetHand(value)));
        dealers.clear();
        if self.alike() {
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
        below.sum_up();

        let mut tally = PairTally::new(below, self.highest, all - dealers.len());
        for hand in players {
            tally.add(hand.high(), hand.low(), 1);
        }
        tally.pairs()
    }
}

/// The hands of one side that contain a set.
#[derive(Default)]
struct Side {
    /// How many have each pair of strengths, a row of [`WIDTH`] for each strength of five cards.
    counts: Vec<u32>,
    /// Those that make wagers push.
    pushing: Vec<SetHand>,
    /// All of them, one by one.
    hands: Vec<SetHand>,
}

impl Side {
    fn count(&mut self, table: &HandTable, set: &[usize]) -> &Side {
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

/// Pairs for one set while players' hands are held against the dealer's.
struct PairTally<'a> {
    below: &'a Dominance,
    highest: &'a HighestOf,
    /// How many of the dealer's hands make wagers push.
    pushing: u64,
    /// The players' hands by their fronts.
    fronts: [u64; WIDTH],
    /// Of the dealer's hands with lower five cards, and with five not higher: those with a lower front, a front not higher, all.
    within: [[u64; 3]; 2],
    /// By the highest card of players' five cards without a pair: the players' hands, and the dealer's hands lower than each.
    no_pair: [(u64, u64); Rank::ALL.len()],
}

impl<'a> PairTally<'a> {
    fn new(below: &'a Dominance, highest: &'a HighestOf, pushing: usize) -> PairTally<'a> {
        PairTally {
            below,
            highest,
            pushing: pushing as u64,
            fronts: [0; WIDTH],
            within: [[0; 3]; 2],
            no_pair: [(0, 0); Rank::ALL.len()],
        }
    }

    /// So many players' hands of these strengths.
    fn add(&mut self, high: usize, low: usize, hands: u64) {
        let row = self.below.row(high);
        let lower = self.below.sums(row);
        let not_higher = self.below.sums(row + 1);
        for (sums, dealers) in self.within.iter_mut().zip([lower, not_higher]) {
            sums[0] += hands * u64::from(dealers[low]);
            sums[1] += hands * u64::from(dealers[low + 1]);
            sums[2] += hands * u64::from(dealers[ALL]);
        }
        self.fronts[low] += hands;
        if let Some(highest) = self.highest.highest.get(high) {
            let (players, beaten) = &mut self.no_pair[highest.index()];
            *players += hands;
            *beaten += hands * u64::from(lower[ALL]);
        }
    }

    fn pairs(&self) -> Pairs {
        // Of the players' hands, those higher than any with a card as the highest of five without a pair.
        let players = self.fronts.iter().sum::<u64>();
        let mut higher = players;
        let mut no_pair = [NoPair::default(); Rank::ALL.len()];
        for ((pairs, (same, beaten)), (first, after)) in
            no_pair.iter_mut().zip(self.no_pair).zip(self.highest.strengths)
        {
            higher -= same;
            let lower = u64::from(self.below.below(first, ALL));
            let dealers = u64::from(self.below.below(after, ALL)) - lower;
            pairs.deals = i128::from(players * dealers);
            pairs.beaten = i128::from(higher * dealers + beaten - same * lower);
        }
        let dealers = self.below.totals();
        let mut any = [0, 0, players * u64::from(dealers[ALL])];
        for ((front, hands), lower) in
            self.fronts.iter().enumerate().zip(dealers).filter(|((_, hands), _)| **hands > 0)
        {
            any[0] += hands * u64::from(*lower);
            any[1] += hands * u64::from(dealers[front + 1]);
        }
        let [lower, not_higher] = self.within;
        Pairs {
            pushes: i128::from(players * self.pushing),
            within: [lower, not_higher, any].map(|row| row.map(i128::from)),
            no_pair,
        }
    }
}
