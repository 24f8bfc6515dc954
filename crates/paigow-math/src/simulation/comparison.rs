//! Played rounds beside the exact odds, and how far off chance allows them to be.

use super::tally::{Tallies, Tally};
use super::{Simulation, TalliedWager};
use crate::{BaseGame, BaseOdds, Census, Fraction, Sides, WagerOdds};
use paigow::rulebook::{Fee, Per};
use paigow::{Amount, HandClass, HouseWay, Pays};

/// An account's result beside its exact odds.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Of what.
    pub account: TalliedWager,
    /// How many hands were played.
    pub hands: u64,
    /// How many of them won.
    pub win: u64,
    /// How many pushed.
    pub push: u64,
    /// How many lost.
    pub lose: u64,
    /// The part of the wagers that was lost.
    pub observed: Fraction,
    /// The part that is lost in the long run; nothing where it is not known, because a most for a round bites.
    pub exact: Option<Fraction>,
    /// The square of the standard error of what was observed; nothing where one round does not tell.
    pub error_squared: Option<Fraction>,
}

impl Comparison {
    /// How many standard errors chance is allowed: it goes further once in some sixteen thousand times.
    pub const ERRORS_MAX: u32 = 4;

    /// How far off the result is, in the square of standard errors; nothing where that cannot be said.
    fn off_squared(&self) -> Option<Fraction> {
        let error = self.error_squared.clone().filter(|error| *error > Fraction::zero())?;
        Some((&self.observed - self.exact.as_ref()?).squared() / error)
    }

    /// Whether it is further off than chance allows.
    pub fn flagged(&self) -> bool {
        let most = Fraction::new(Comparison::ERRORS_MAX * Comparison::ERRORS_MAX, 1);
        match (self.off_squared(), &self.exact, &self.error_squared) {
            (Some(off), _, _) => off > most,
            // Where nothing varies there is nothing for chance to do.
            (None, Some(exact), Some(_)) => *exact != self.observed,
            _ => false,
        }
    }

    /// How many standard errors the result is off, above the exact value or below, as a decimal.
    pub fn deviation(&self, digits: u32) -> Option<String> {
        let root = self.off_squared()?.root(digits);
        let below = self.exact.as_ref().is_some_and(|exact| self.observed < *exact);
        let zero = root.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        Some(if below && !zero { format!("-{root}") } else { root })
    }

    /// The standard error as a decimal.
    pub fn standard_error(&self, digits: u32) -> Option<String> {
        Some(self.error_squared.as_ref()?.root(digits))
    }
}

/// What an account should come to, for a wager of one.
struct Expected {
    edge: Fraction,
    /// The variance of what one hand adds to the sum of a round.
    variance: Fraction,
}

impl Simulation<'_> {
    /// Holds results against the exact odds. The base game is counted by whoever asks, who may have counted it before; no game is
    /// asked for twice.
    pub fn compare(&self, tallies: &Tallies, count: &dyn Fn(&Sides<'_>) -> BaseGame) -> Vec<Comparison> {
        let mut games = Games { simulation: self, count, known: Vec::new() };
        let joker = self.table_rules.evaluator().ranking().joker;
        let census = Census::take(joker);
        let comparisons = self.accounts().into_iter().map(|account| {
            let expected = match account {
                TalliedWager::PaiGow => Some(self.base_odds(&mut games)),
                TalliedWager::Banking { commission } => Some(self.bank_odds(commission, &mut games)),
                TalliedWager::Side(place) => self.side_odds(place, 0, &census, &mut games),
                TalliedWager::SideWithEnvy(place) => {
                    self.side_odds(place, self.players().saturating_sub(1), &census, &mut games)
                }
            };
            self.compared(account, tallies, expected)
        });
        comparisons.collect()
    }

    fn compared(&self, account: TalliedWager, tallies: &Tallies, expected: Option<Expected>) -> Comparison {
        let tally = tallies.of(account);
        let (hands, stake) = self.staked(account);
        let rounds = tallies.rounds;
        let staked = u128::from(rounds) * u128::from(hands) * u128::from(stake.cents());
        let variance = expected.as_ref().map(|expected| &expected.variance);
        let a_round = Fraction::new(u128::from(hands) * u128::from(stake.cents()), 1).squared();
        let error_squared = variance_of_round(&tally, rounds, hands, stake, variance)
            .map(|variance| variance / (a_round * Fraction::new(rounds, 1)));
        Comparison {
            account,
            hands: rounds * u64::from(hands),
            win: tally.win,
            push: tally.push,
            lose: tally.lose,
            observed: if staked == 0 { Fraction::zero() } else { Fraction::new(-tally.sum, staked) },
            exact: expected.map(|expected| expected.edge),
            error_squared,
        }
    }

    /// The commission at the stake that is played, rounded as the book says.
    fn commission(&self) -> Fraction {
        let stake = self.base_stake;
        Fraction::new(self.table_rules.book().commission.on(stake).cents(), stake.cents())
    }

    /// The fee for a wager, as a part of it.
    fn fee(&self, wager: Amount, who: fn(&Fee) -> Amount) -> Fraction {
        let collection = self.table_rules.book().collection.as_ref();
        let fee = collection.map_or(Amount::ZERO, |collection| collection.fee(wager, who));
        Fraction::new(fee.cents(), wager.cents())
    }

    /// A seat against the banker.
    fn base_odds(&self, games: &mut Games<'_>) -> Expected {
        let game = match self.banker() {
            None => games.get(Against::DealerWhoPushes),
            Some(_) => games.get(Against::Seat),
        };
        let copies = self.table_rules.book().base_game.copies;
        let odds = BaseOdds::of_player(&game, copies, self.commission());
        Expected {
            edge: odds.edge() + self.fee(self.base_stake, |fee| fee.player),
            variance: odds.variance(),
        }
    }

    /// The seat that banks against the other seats, and the dealer where it plays.
    fn bank_odds(&self, commission: bool, games: &mut Games<'_>) -> Expected {
        let copies = self.table_rules.book().base_game.copies;
        let rate = if commission { self.commission() } else { Fraction::zero() };
        let mut against = |against: Against, hands: u8| {
            let hands = Fraction::new(hands, self.opponents());
            let game = games.get(against);
            let edge = BaseOdds::of_banker(&game, copies, rate.clone()).edge();
            // The commission is not taken hand by hand: it is no part of what a hand adds.
            let variance = BaseOdds::of_banker(&game, copies, Fraction::zero()).variance();
            (edge * hands.clone(), variance * hands)
        };
        let (mut edge, mut variance) = against(Against::Seat, self.players());
        if self.dealer_wager > Amount::ZERO {
            let (dealer_edge, dealer_variance) = against(Against::Dealer, 1);
            edge = edge + dealer_edge;
            variance = variance + dealer_variance;
        }
        let action = self.base_stake.times(self.opponents().into());
        Expected { edge: edge + self.fee(action, |fee| fee.banker), variance }
    }

    /// A side wager, with what it earns so many others in envy bonuses. Nothing where a most for the round bites: then what a
    /// wager is paid depends on the others.
    fn side_odds(
        &self,
        place: usize,
        others: u8,
        census: &Census,
        games: &mut Games<'_>,
    ) -> Option<Expected> {
        let (wager, paytable) = (self.table_rules.wager(place), self.table_rules.paytable(place));
        let stake = self.side_stake(place);
        let dealer_plays = self.table_rules.book().seats.dealer_hand;
        let against = if dealer_plays { Against::Dealer } else { Against::Seat };
        let odds = WagerOdds::of(wager, paytable, census, || games.get(against));
        let times = |pays: Pays| match pays {
            Pays::Push => 0,
            Pays::ToOne(times) => times,
        };
        let times_max = paytable.rows.iter().map(|row| times(row.pays)).max().unwrap_or(0);
        let round_max =
            wager.payout_max.as_ref().filter(|max| max.per == Per::Round).and_then(|max| max.amount);
        let together = stake.times(times_max).times(self.players().into());
        if self.players() > 1 && round_max.is_some_and(|max| max < together) {
            return None;
        }

        let others = i128::from(others);
        let envy = odds.rows.iter().map(|(row, count)| odds.envy_return(row, *count, stake));
        let edge = odds.edge_at(stake) - envy.sum::<Fraction>() * Fraction::new(others, 1);
        let squares = odds.rows.iter().map(|(row, count)| {
            let own = i128::from(wager.payout_alone(times(row.pays), stake).cents());
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

/// The variance of the sum of a round.
///
/// It is estimated from the rounds, which is too little where a hand that is seldom dealt pays much and was not dealt. The
/// variance of one hand is known exactly, though. So the sum over the hands of a round of their variances is taken as it
/// is, and only what hands have to do with one another is taken from the rounds. Where such a hand *was* dealt, the
/// rounds alone say more than that, and rightly: few of them tell little. The greater of the two is used.
fn variance_of_round(
    tally: &Tally,
    rounds: u64,
    hands: u8,
    stake: Amount,
    of_hand: Option<&Fraction>,
) -> Option<Fraction> {
    if rounds < 2 || hands == 0 {
        return None;
    }
    let (rounds, hands) = (i128::from(rounds), i128::from(hands));
    let centered = |squares: i128, sum: i128, of: i128| {
        Fraction::new(squares, 1) - Fraction::new(sum, 1).squared() / Fraction::new(of, 1)
    };
    let sample = centered(tally.squares, tally.sum, rounds) / Fraction::new(rounds - 1, 1);
    let Some(of_hand) = of_hand else { return Some(sample) };
    let of_hands_played =
        centered(tally.hand_squares, tally.hand_sum, rounds * hands) / Fraction::new(rounds, 1);
    let of_hands = of_hand * &Fraction::new(hands * i128::from(stake.cents()) * i128::from(stake.cents()), 1);
    let corrected = &(&sample - &of_hands_played) + &of_hands;
    Some(sample.max(corrected))
}

/// Whom a seat's hand is held against.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Against {
    /// The dealer, whose hand may make every wager push.
    DealerWhoPushes,
    /// The dealer, whose hand is one like any other.
    Dealer,
    /// Another seat.
    Seat,
}

/// The games that were counted.
struct Games<'a> {
    simulation: &'a Simulation<'a>,
    count: &'a dyn Fn(&Sides<'_>) -> BaseGame,
    known: Vec<(*const HouseWay, usize, BaseGame)>,
}

impl Games<'_> {
    fn get(&mut self, against: Against) -> BaseGame {
        let table_rules = self.simulation.table_rules;
        let player = self.simulation.way;
        let dealer: &HouseWay = match against {
            Against::DealerWhoPushes | Against::Dealer => &table_rules.book().house_way,
            Against::Seat => player,
        };
        let dealer_push: &[HandClass] = match against {
            Against::DealerWhoPushes => &table_rules.book().base_game.dealer_push,
            Against::Dealer | Against::Seat => &[],
        };
        let known = |(way, pushes, _): &&(*const HouseWay, usize, BaseGame)| {
            std::ptr::eq(*way, dealer) && *pushes == dealer_push.len()
        };
        if let Some((_, _, game)) = self.known.iter().find(known) {
            return *game;
        }
        let ranking = table_rules.evaluator().ranking();
        let game = (self.count)(&Sides { player, dealer, ranking, dealer_push });
        self.known.push((std::ptr::from_ref(dealer), dealer_push.len(), game));
        game
    }
}
