//! Comparison of simulated results with the exact odds, in standard errors.

use super::tally::{Tallies, Tally};
use super::{Simulation, TalliedWager};
use crate::{BaseGame, BaseOdds, Census, Fraction, Matchup, WagerOdds, standard_deviations};
use paigow::rulebook::{Fee, PayoutScope};
use paigow::{Amount, HandClass, HouseWay, Pays};

/// Simulated result of a wager and its exact odds.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The wager compared.
    pub wager: TalliedWager,
    /// Number of hands played.
    pub hands: u64,
    /// Number of hands that won.
    pub win: u64,
    /// Number of hands that pushed.
    pub push: u64,
    /// Number of hands that lost.
    pub lose: u64,
    /// Observed house edge, as a part of the wagers.
    pub observed: Fraction,
    /// Exact house edge, or `None` if a maximum payout per round makes wagers depend on one another.
    pub exact: Option<Fraction>,
    /// Square of the standard error of `observed`, or `None` with fewer than two rounds.
    pub error_squared: Option<Fraction>,
}

impl Comparison {
    /// Largest deviation, in standard errors, that is not flagged. Chance exceeds it about once in sixteen thousand.
    pub const ERRORS_MAX: u32 = 4;

    /// Square of the deviation in standard errors. `None` if the exact edge is unknown, or the error is unknown or
    /// zero.
    fn deviation_squared(&self) -> Option<Fraction> {
        let error = self.error_squared.clone().filter(|error| *error > Fraction::zero())?;
        Some((&self.observed - self.exact.as_ref()?).squared() / error)
    }

    /// Whether the deviation exceeds [`Comparison::ERRORS_MAX`] standard errors.
    pub fn is_flagged(&self) -> bool {
        let max = Fraction::new(Comparison::ERRORS_MAX * Comparison::ERRORS_MAX, 1);
        match (self.deviation_squared(), &self.exact, &self.error_squared) {
            (Some(deviation), _, _) => deviation > max,
            // Without variance, the observed edge must equal the exact edge.
            (None, Some(exact), Some(_)) => *exact != self.observed,
            _ => false,
        }
    }

    /// Signed deviation of the observed from the exact edge, in standard errors, as a decimal.
    pub fn deviation(&self, digits: u32) -> Option<String> {
        standard_deviations(&self.observed, self.exact.as_ref()?, self.error_squared.as_ref()?, digits)
    }
}

/// Exact edge and variance of a tallied wager, per unit wagered.
struct Expected {
    edge: Fraction,
    /// Variance of one hand's contribution to the sum of a round.
    variance: Fraction,
}

impl Simulation<'_> {
    /// Compares tallies with the exact odds.
    ///
    /// `count` counts a base game. The caller can answer from a cache. It is called at most once per game.
    pub fn compare(&self, tallies: &Tallies, count: &dyn Fn(&Matchup<'_>) -> BaseGame) -> Vec<Comparison> {
        let mut games = Games { simulation: self, count, known: Vec::new() };
        let joker = self.table_rules.evaluator().ranking().joker;
        let census = Census::compute(joker);
        let comparisons = self.tallied_wagers().into_iter().map(|wager| {
            let expected = match wager {
                TalliedWager::PaiGow => Some(self.base_odds(&mut games)),
                TalliedWager::Banking { commission } => Some(self.bank_odds(commission, &mut games)),
                TalliedWager::Side(index) => self.side_odds(index, 0, &census, &mut games),
                TalliedWager::SideWithEnvy(index) => {
                    self.side_odds(index, self.players().saturating_sub(1), &census, &mut games)
                }
            };
            self.compare_wager(wager, tallies, expected)
        });
        comparisons.collect()
    }

    fn compare_wager(
        &self,
        wager: TalliedWager,
        tallies: &Tallies,
        expected: Option<Expected>,
    ) -> Comparison {
        let tally = tallies.of(wager);
        let (hands, stake) = self.hands_and_stake(wager);
        let rounds = tallies.rounds;
        let staked = u128::from(rounds) * u128::from(hands) * u128::from(stake.cents());
        let variance = expected.as_ref().map(|expected| &expected.variance);
        let round_stake_squared = Fraction::new(u128::from(hands) * u128::from(stake.cents()), 1).squared();
        let error_squared = variance_of_round(&tally, rounds, hands, stake, variance)
            .map(|variance| variance / (round_stake_squared * Fraction::new(rounds, 1)));
        Comparison {
            wager,
            hands: rounds * u64::from(hands),
            win: tally.win,
            push: tally.push,
            lose: tally.lose,
            observed: if staked == 0 { Fraction::zero() } else { Fraction::new(-tally.sum, staked) },
            exact: expected.map(|expected| expected.edge),
            error_squared,
        }
    }

    /// Commission on the base stake, as a part of it, with the book's rounding.
    fn commission(&self) -> Fraction {
        let stake = self.base_stake;
        Fraction::new(self.table_rules.book().commission.amount_on(stake).cents(), stake.cents())
    }

    /// Collection fee for a wager, as a part of it. `payer` selects the player's or the banker's fee.
    fn fee(&self, wager: Amount, payer: fn(&Fee) -> Amount) -> Fraction {
        let collection = self.table_rules.book().collection.as_ref();
        let fee = collection.map_or(Amount::ZERO, |collection| collection.fee(wager, payer));
        Fraction::new(fee.cents(), wager.cents())
    }

    /// Exact odds of a seat against the banker.
    fn base_odds(&self, games: &mut Games<'_>) -> Expected {
        let game = match self.banker() {
            None => games.get(Opponent::DealerWithPushes),
            Some(_) => games.get(Opponent::Seat),
        };
        let copies = self.table_rules.book().base_game.copies;
        let odds = BaseOdds::of_player(&game, copies, self.commission());
        Expected {
            edge: odds.edge() + self.fee(self.base_stake, |fee| fee.player),
            variance: odds.variance(),
        }
    }

    /// Exact odds of the banking seat against the other seats and, if it plays, the dealer.
    fn bank_odds(&self, commission: bool, games: &mut Games<'_>) -> Expected {
        let copies = self.table_rules.book().base_game.copies;
        let rate = if commission { self.commission() } else { Fraction::zero() };
        let mut odds_against = |opponent: Opponent, hands: u8| {
            let hands = Fraction::new(hands, self.opponents());
            let game = games.get(opponent);
            let edge = BaseOdds::of_banker(&game, copies, rate.clone()).edge();
            // The commission is not taken per hand, so it does not contribute to the variance of a hand.
            let variance = BaseOdds::of_banker(&game, copies, Fraction::zero()).variance();
            (edge * hands.clone(), variance * hands)
        };
        let (mut edge, mut variance) = odds_against(Opponent::Seat, self.players());
        if self.dealer_wager > Amount::ZERO {
            let (dealer_edge, dealer_variance) = odds_against(Opponent::Dealer, 1);
            edge = edge + dealer_edge;
            variance = variance + dealer_variance;
        }
        let action = self.base_stake.times(self.opponents().into());
        Expected { edge: edge + self.fee(action, |fee| fee.banker), variance }
    }

    /// Exact odds of a side wager, including the envy bonuses that its hand earns for `others` other seats.
    ///
    /// Returns `None` if a maximum payout per round can apply, because payouts then depend on the other wagers.
    fn side_odds(
        &self,
        index: usize,
        others: u8,
        census: &Census,
        games: &mut Games<'_>,
    ) -> Option<Expected> {
        let stake = self.side_stake(index);
        let (wager, paytable) = (self.table_rules.wager(index), self.table_rules.paytable(index));
        let dealer_plays = self.table_rules.book().seats.dealer_hand;
        let opponent = if dealer_plays { Opponent::Dealer } else { Opponent::Seat };
        let odds = WagerOdds::of(wager, paytable, census, || games.get(opponent));
        let times = |pays: Pays| match pays {
            Pays::Push => 0,
            Pays::ToOne(times) => times,
        };
        let times_max = paytable.rows.iter().map(|row| times(row.pays)).max().unwrap_or(0);
        let round_max =
            wager.payout_max.as_ref().filter(|max| max.per == PayoutScope::Round).and_then(|max| max.amount);
        let together = stake.times(times_max).times(self.players().into());
        if self.players() > 1 && round_max.is_some_and(|max| max < together) {
            return None;
        }

        let others = i128::from(others);
        let envy = odds.rows.iter().map(|(row, count)| odds.envy_return(row, *count, stake));
        let edge = odds.edge_at(stake) - envy.sum::<Fraction>() * Fraction::new(others, 1);
        let squares = odds.rows.iter().map(|(row, count)| {
            let own = i128::from(wager.single_payout(times(row.pays), stake).cents());
            let to_others = others * i128::from(row.envy.unwrap_or(Amount::ZERO).cents());
            count * (own + to_others) * (own + to_others)
        });
        let cents = i128::from(stake.cents());
        let squares = Fraction::new(squares.sum::<i128>(), cents * cents);
        let mean_square = (squares + Fraction::new(odds.losing(), 1)) / Fraction::new(odds.of.all(), 1);
        let variance = mean_square - edge.squared();
        Some(Expected { edge, variance })
    }
}

/// Estimates the variance of the sum of a round.
///
/// The sample variance is too small if a rare hand with a high payout was not dealt. The variance of one hand is known
/// exactly, however. So the second estimate takes the variances of the hands from the exact odds and only their
/// covariances from the sample. If the rare hand *was* dealt, the sample variance is larger, and rightly so, because a
/// few such rounds carry little information. The function returns the greater of the two estimates, or `None` with
/// fewer than two rounds.
fn variance_of_round(
    tally: &Tally,
    rounds: u64,
    hands: u8,
    stake: Amount,
    hand_variance: Option<&Fraction>,
) -> Option<Fraction> {
    if rounds < 2 || hands == 0 {
        return None;
    }
    let (rounds, hands) = (i128::from(rounds), i128::from(hands));
    let centered = |squares: i128, sum: i128, count: i128| {
        Fraction::new(squares, 1) - Fraction::new(sum, 1).squared() / Fraction::new(count, 1)
    };
    let sample = centered(tally.squares, tally.sum, rounds) / Fraction::new(rounds - 1, 1);
    let Some(hand_variance) = hand_variance else { return Some(sample) };
    let sample_of_hands =
        centered(tally.hand_squares, tally.hand_sum, rounds * hands) / Fraction::new(rounds, 1);
    let stake_squared = i128::from(stake.cents()) * i128::from(stake.cents());
    let exact_of_hands = hand_variance * &Fraction::new(hands * stake_squared, 1);
    let corrected = &(&sample - &sample_of_hands) + &exact_of_hands;
    Some(sample.max(corrected))
}

/// The hand that a seat's hand is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opponent {
    /// The dealer, with the hands that make every wager push.
    DealerWithPushes,
    /// The dealer, without such hands.
    Dealer,
    /// Another seat.
    Seat,
}

/// Cache of the base games that were counted.
struct Games<'a> {
    simulation: &'a Simulation<'a>,
    count: &'a dyn Fn(&Matchup<'_>) -> BaseGame,
    known: Vec<(*const HouseWay, usize, BaseGame)>,
}

impl Games<'_> {
    fn get(&mut self, opponent: Opponent) -> BaseGame {
        let table_rules = self.simulation.table_rules;
        let player = self.simulation.way;
        let dealer: &HouseWay = match opponent {
            Opponent::DealerWithPushes | Opponent::Dealer => &table_rules.book().house_way,
            Opponent::Seat => player,
        };
        let dealer_push: &[HandClass] = match opponent {
            Opponent::DealerWithPushes => &table_rules.book().base_game.dealer_push,
            Opponent::Dealer | Opponent::Seat => &[],
        };
        let known = |(way, pushes, _): &&(*const HouseWay, usize, BaseGame)| {
            std::ptr::eq(*way, dealer) && *pushes == dealer_push.len()
        };
        if let Some((_, _, game)) = self.known.iter().find(known) {
            return *game;
        }
        let ranking = table_rules.evaluator().ranking();
        let game = (self.count)(&Matchup { player, dealer, ranking, dealer_push });
        self.known.push((std::ptr::from_ref(dealer), dealer_push.len(), game));
        game
    }
}
