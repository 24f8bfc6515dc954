//! Random rounds, and their results compared with the exact odds.

use crate::question::QuestionContext;
use crate::random::random_words;
use crate::{Decimal, Exact, Fault, Faults, SquareRoot, ValueChanges, Work};
use indexmap::IndexMap;
use paigow::rulebook::BookSource;
use paigow::{HouseWay, Refusal, Rulebook, Seat, TableRules};
use paigow_math::{Comparison, Simulation, TalliedWager};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Question for a simulation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulateQuestion {
    /// Name of a rule book.
    pub book: String,
    /// Number of rounds to play.
    pub rounds: u64,
    /// Number of seats that play, including a banking seat. Default: all seats of the book.
    pub seats: Option<u8>,
    /// Seed of the random numbers. The same seed gives the same rounds on any number of cores.
    pub seed: u64,
    /// Seat that banks. Default: the dealer if the book allows it, else seat 1.
    pub banker: Option<u8>,
    /// Name of the paytable to post for a side wager, by the name of the wager.
    #[serde(default)]
    pub paytables: IndexMap<String, String>,
    /// House way of the dealer. Default: that of the book.
    pub house_way: Option<String>,
    /// House way of the seats. Default: that of the dealer.
    pub player_house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Results of a simulation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SimulateAnswer {
    /// Id of the book.
    pub book: String,
    /// Number of rounds played.
    pub rounds: u64,
    /// Number of seats that played.
    pub seats: u8,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Banker: `dealer`, or a seat such as `seat-2`.
    pub banker: String,
    /// The wagers, each compared with its exact odds.
    pub wagers: Vec<SimulatedWager>,
    /// Number of wagers whose results deviate too far.
    pub flagged: usize,
}

/// Results of a wager, compared with its exact odds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(clippy::struct_excessive_bools)] // independent keys of the JSON
pub struct SimulatedWager {
    /// Name of the wager; `pai-gow` is the base game.
    pub wager: String,
    /// Name of the paytable. `null` for the base game.
    pub paytable: Option<String>,
    /// Whether envy bonuses are included.
    pub envy: bool,
    /// Whether these are the results of the banking seat.
    pub banking: bool,
    /// Whether the commission is included.
    pub commission: bool,
    /// Number of hands.
    pub hands: u64,
    /// Number of hands that won.
    pub win: u64,
    /// Number of hands that pushed.
    pub push: u64,
    /// Number of hands that lost.
    pub lose: u64,
    /// House edge in these rounds.
    pub observed_edge: Decimal,
    /// House edge in these rounds as an exact fraction.
    pub observed_edge_exact: Exact,
    /// Exact house edge. `null` if it is unknown.
    pub exact_edge: Option<Decimal>,
    /// Exact house edge as a fraction. `null` if it is unknown.
    pub exact_edge_exact: Option<Exact>,
    /// Standard error of the observed edge. `null` if it is unknown.
    pub standard_error: Option<SquareRoot>,
    /// Deviation of the observed from the exact edge, in standard errors. `null` if it is unknown.
    pub deviation: Option<String>,
    /// Whether the deviation is too large for chance.
    pub flagged: bool,
}

/// A question with its rules and house ways loaded.
pub struct SimulateRequest {
    /// The rules of the table.
    pub table_rules: TableRules,
    player_way: Arc<HouseWay>,
    seats: Seat,
    banker: Option<Seat>,
    rounds: u64,
    seed: u64,
}

impl SimulateRequest {
    /// Maximum number of rounds.
    pub const ROUNDS_MAX: u64 = 1_000_000_000_000;

    /// Loads the book and the house ways of a question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(question: &SimulateQuestion, book_source: &dyn BookSource) -> Result<SimulateRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let rounds = question.rounds;
        if !(1..=SimulateRequest::ROUNDS_MAX).contains(&rounds) {
            let message = format!("rounds must be from 1 to {}, not {rounds}", SimulateRequest::ROUNDS_MAX);
            context.faults.push(Fault::new("bad_rounds", "rounds", message));
        }
        let book = context.book(&question.book, &question.changes);
        let dealer = context.house_way(question.house_way.as_deref(), "house_way");
        let player = context.house_way(question.player_house_way.as_deref(), "player_house_way");
        let seats = book.as_ref().and_then(|book| {
            context.check_paytables(book, &question.paytables);
            let max = book.seats.players;
            let seats = context.seat("seats", question.seats.unwrap_or(max), max)?;
            let banker = question.banker.map(|number| context.seat("banker", number, seats.number()));
            Some((seats, banker.flatten()))
        });
        let (mut book, (seats, banker)) = context.faults.into_result(book.zip(seats))?;
        if let Some(way) = dealer {
            book.house_way = way;
        }
        let player_way = player.unwrap_or_else(|| book.house_way.clone());
        let paytables: Vec<(String, String)> =
            question.paytables.iter().map(|(wager, name)| (wager.clone(), name.clone())).collect();
        let table_rules =
            TableRules::new(Arc::new(book), &paytables).map_err(|refusals| refused(&refusals))?;
        let request = SimulateRequest { table_rules, player_way, seats, banker, rounds, seed: question.seed };
        request.simulation()?;
        Ok(request)
    }

    /// Number of seats that play.
    pub fn seats(&self) -> u8 {
        self.seats.number()
    }

    fn simulation(&self) -> Result<Simulation<'_>, Faults> {
        let book = self.table_rules.book();
        let simulation =
            Simulation::new(&self.table_rules, &self.player_way, self.seats.number(), self.banker);
        simulation.map_err(|refusals| match &refusals[..] {
            // If the only seat banks, no seat can wager.
            [Refusal::NoWagers] => {
                let message = format!(
                    "seats must be from 2 to {} if a seat is the {}",
                    book.seats.players, book.terms.banker
                );
                Fault::new("bad_seats", "seats", message).into()
            }
            _ => refused(&refusals),
        })
    }

    /// Plays the rounds and compares the results with the exact odds.
    ///
    /// # Errors
    /// The rules refuse the round, which [`SimulateRequest::of`] rules out.
    pub fn answer(&self, work: &Work) -> Result<SimulateAnswer, Faults> {
        let simulation = self.simulation()?;
        let tallies = work.with_progress("playing", self.rounds, |progress| {
            simulation.play(self.rounds, |block| random_words(self.seed, block), progress)
        });
        let comparisons = simulation.compare(&tallies, &|sides| work.base_game(sides));
        let wagers = comparisons.iter().map(|comparison| SimulatedWager::of(comparison, &self.table_rules));
        Ok(SimulateAnswer {
            book: self.table_rules.book().id.clone(),
            rounds: self.rounds,
            seats: self.seats.number(),
            seed: self.seed,
            banker: simulation.banker().map_or("dealer".to_owned(), |seat| format!("seat-{}", seat.number())),
            wagers: wagers.collect(),
            flagged: comparisons.iter().filter(|comparison| comparison.is_flagged()).count(),
        })
    }
}

impl SimulatedWager {
    pub(crate) fn of(comparison: &Comparison, table_rules: &TableRules) -> SimulatedWager {
        let (wager, paytable) = match comparison.wager {
            TalliedWager::PaiGow | TalliedWager::Banking { .. } => ("pai-gow", None),
            TalliedWager::Side(index) | TalliedWager::SideWithEnvy(index) => {
                (table_rules.wager(index).name.as_str(), Some(table_rules.paytable(index).name.clone()))
            }
        };
        SimulatedWager {
            wager: wager.to_owned(),
            paytable,
            envy: matches!(comparison.wager, TalliedWager::SideWithEnvy(_)),
            banking: matches!(comparison.wager, TalliedWager::Banking { .. }),
            commission: !matches!(comparison.wager, TalliedWager::Banking { commission: false }),
            hands: comparison.hands,
            win: comparison.win,
            push: comparison.push,
            lose: comparison.lose,
            observed_edge: Decimal(comparison.observed.clone()),
            observed_edge_exact: Exact(comparison.observed.clone()),
            exact_edge: comparison.exact.clone().map(Decimal),
            exact_edge_exact: comparison.exact.clone().map(Exact),
            standard_error: comparison.error_squared.clone().map(SquareRoot),
            deviation: comparison.deviation(2),
            flagged: comparison.is_flagged(),
        }
    }
}

impl QuestionContext<'_> {
    /// Reports all unknown wagers and paytables.
    fn check_paytables(&mut self, book: &Rulebook, given: &IndexMap<String, String>) {
        for (name, paytable) in given {
            let (code, kind, missing, known): (_, _, _, Vec<&str>) = match book.wager(name) {
                None => {
                    let known = book.wagers.iter().map(|wager| wager.name.as_str()).collect();
                    ("unknown_wager", "wager", name, known)
                }
                Some(wager) if wager.paytable(paytable).is_none() => {
                    let known = wager.paytables.iter().map(|table| table.name.as_str()).collect();
                    ("unknown_paytable", "paytable", paytable, known)
                }
                Some(_) => continue,
            };
            let message = format!("there is no {kind} `{missing}`; there are {}", known.join(", "));
            self.faults.push(Fault::new(code, &format!("paytables.{name}"), message));
        }
    }

    /// Returns the seat with this number. `at` is the key of the question.
    fn seat(&mut self, at: &str, number: u8, max: u8) -> Option<Seat> {
        let seat = Seat::new(number).filter(|seat| seat.number() <= max);
        if seat.is_none() {
            let message = format!("{at} must be from 1 to {max} here, not {number}");
            self.faults.push(Fault::new(if at == "seats" { "bad_seats" } else { "bad_banker" }, at, message));
        }
        seat
    }
}

fn refused(refusals: &[Refusal]) -> Faults {
    let faults = refusals.iter().map(|refusal| Fault::new(refusal.code(), "", refusal.to_string()));
    Faults { faults: faults.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow::rulebook::BuiltIn;

    #[test]
    fn all_faults_of_a_question_are_reported() {
        let paytables = [("dynasty", "9"), ("fortune", "1")];
        let question = SimulateQuestion {
            book: "ez".to_owned(),
            rounds: 0,
            seats: Some(7),
            paytables: paytables.map(|(wager, name)| (wager.to_owned(), name.to_owned())).into(),
            house_way: Some("nowhere".to_owned()),
            ..SimulateQuestion::default()
        };
        let faults = SimulateRequest::of(&question, &BuiltIn).err().unwrap();
        let codes: Vec<&str> = faults.faults.iter().map(|fault| fault.code).collect();
        assert_eq!(codes, ["bad_rounds", "not_found", "unknown_paytable", "unknown_wager", "bad_seats"]);
    }
}
