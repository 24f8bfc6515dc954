//! Sums of the results of rounds, in whole cents.
//!
//! The hands of a round are not independent: they come from one deck and play against the same banker. So the round is
//! the unit of observation, and the sum of a round is squared. The squares of single hands are kept too, because their
//! expectation is known exactly.

use super::TalliedWager;
use paigow::{Line, Outcome, Party, Reason, Seat, TableRules, WagerRef};
use std::ops::Add;

/// Results of rounds, for every tallied wager.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tallies {
    pub(crate) rounds: u64,
    tallies: [Tally; TALLIES],
}

/// Results of rounds for one tallied wager.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// Sum of the net results of all rounds.
    pub(crate) sum: i128,
    /// Sum of the squared results of rounds.
    pub(crate) squares: i128,
    /// Sum of the results of single hands, without amounts taken on a whole round.
    pub(crate) hand_sum: i128,
    /// Sum of the squared results of single hands.
    pub(crate) hand_squares: i128,
    pub(crate) win: u64,
    pub(crate) push: u64,
    pub(crate) lose: u64,
}

/// Number of tallies: the base game, the bank, and every side wager without and with envy bonuses.
const TALLIES: usize = 2 + 2 * TableRules::SIDE_WAGERS_MAX;
const PAI_GOW: usize = 0;
const BANKING: usize = 1;
/// Number of hands in a round: the seats' hands and the dealer's.
const HANDS: usize = Seat::COUNT_MAX + 1;

/// Index of a side wager's tally without envy bonuses. The tally with them follows it.
const fn side(index: usize) -> usize {
    2 + 2 * index
}

impl Tallies {
    /// Number of rounds played.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    pub(crate) fn of(&self, wager: TalliedWager) -> Tally {
        let tally = match wager {
            TalliedWager::PaiGow => self.tallies[PAI_GOW],
            TalliedWager::Banking { .. } => self.tallies[BANKING],
            TalliedWager::Side(index) => self.tallies[side(index)],
            TalliedWager::SideWithEnvy(index) => self.tallies[side(index) + 1],
        };
        match wager {
            // Envy bonuses do not change the outcome of the hand that earns them.
            TalliedWager::SideWithEnvy(index) => {
                let Tally { win, push, lose, .. } = self.tallies[side(index)];
                Tally { win, push, lose, ..tally }
            }
            _ => tally,
        }
    }

    /// Adds a settled round.
    pub(crate) fn add_round(&mut self, lines: &[Line], side_wagers: usize, banker_commission: bool) {
        let mut hands = [[0; HANDS]; TALLIES];
        let mut taken_on_round = 0;
        let mut envy = false;
        for line in lines {
            let net = line.net.cents();
            let hand = match line.who {
                Party::Seat(seat) => seat.index(),
                Party::Dealer => HANDS - 1,
                // The banker's commission and fee do not belong to a single hand.
                Party::Banker | Party::House => {
                    if line.outcome != Outcome::Commission || banker_commission {
                        taken_on_round += net;
                    }
                    continue;
                }
            };
            match (line.wager, line.reason) {
                // An envy bonus is credited to the hand that earned it. Each hand then has its own part in the sum of
                // the round, and the variance of that part is known exactly.
                (WagerRef::Side(index), Reason::Envy { of, .. }) => {
                    hands[side(index.into()) + 1][of.index()] += net;
                    envy = true;
                }
                (WagerRef::Side(index), _) => {
                    let tally = side(index.into());
                    hands[tally][hand] += net;
                    self.tallies[tally].count(line.outcome);
                }
                (WagerRef::PaiGow, _) => {
                    if line.who != Party::Dealer {
                        hands[PAI_GOW][hand] += net;
                        self.tallies[PAI_GOW].count(line.outcome);
                    }
                    if line.against == Party::Banker {
                        hands[BANKING][hand] -= net + line.fee.cents().cast_signed();
                        self.tallies[BANKING].count(banker_outcome(line.outcome));
                    }
                }
            }
        }
        self.rounds += 1;
        self.tallies[PAI_GOW].add_round(&Results::of(&hands[PAI_GOW], 0));
        self.tallies[BANKING].add_round(&Results::of(&hands[BANKING], taken_on_round));
        for tally in (0..side_wagers).map(side) {
            let own = Results::of(&hands[tally], 0);
            self.tallies[tally].add_round(&own);
            // Few rounds have a bonus. In the others both tallies have the same results.
            let with_envy = envy.then(|| {
                let together = std::array::from_fn(|hand| hands[tally][hand] + hands[tally + 1][hand]);
                Results::of(&together, 0)
            });
            self.tallies[tally + 1].add_round(&with_envy.unwrap_or(own));
        }
    }
}

/// Outcome from the banker's point of view.
fn banker_outcome(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win => Outcome::Lose,
        Outcome::Lose | Outcome::Foul => Outcome::Win,
        other => other,
    }
}

impl Tally {
    fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.win += 1,
            Outcome::Push => self.push += 1,
            Outcome::Lose | Outcome::Foul => self.lose += 1,
            Outcome::NoAction | Outcome::Envy | Outcome::Collection | Outcome::Commission => {}
        }
    }

    fn add_round(&mut self, round: &Results) {
        self.sum += i128::from(round.sum);
        self.squares += i128::from(round.sum) * i128::from(round.sum);
        self.hand_sum += i128::from(round.hand_sum);
        self.hand_squares += round.hand_squares;
    }
}

/// Results of one round for one tallied wager.
struct Results {
    sum: i64,
    hand_sum: i64,
    hand_squares: i128,
}

impl Results {
    fn of(hands: &[i64; HANDS], taken_on_round: i64) -> Results {
        let hand_sum = hands.iter().sum::<i64>();
        let squares = hands.iter().map(|&hand| i128::from(hand) * i128::from(hand));
        Results { sum: hand_sum + taken_on_round, hand_sum, hand_squares: squares.sum() }
    }
}

impl Add for Tallies {
    type Output = Tallies;

    fn add(self, other: Tallies) -> Tallies {
        let tallies = std::array::from_fn(|i| self.tallies[i] + other.tallies[i]);
        Tallies { rounds: self.rounds + other.rounds, tallies }
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
            hand_sum: self.hand_sum + other.hand_sum,
            hand_squares: self.hand_squares + other.hand_squares,
            win: self.win + other.win,
            push: self.push + other.push,
            lose: self.lose + other.lose,
        }
    }
}
