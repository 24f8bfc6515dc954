//! Settlement of a round, line by line, each with its reason and its rule.

use crate::fault_paths::FaultPaths;
use crate::sourced::citation_and_assumed;
use crate::{Fault, Faults, UsedValue};
use indexmap::IndexMap;
use paigow::document::Source;
use paigow::rulebook::BookSource;
use paigow::{
    Bank, ExpectedSettlement, Line, Nets, Party, Refusal, RoundFile, Seat, Settlement, SettlementStep,
    Showdown, WagerRef,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A round to settle, either as TOML or as an object.
#[derive(Clone, PartialEq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettleQuestion {
    /// The round as TOML.
    pub toml: Option<String>,
    /// The round as an object with the same keys.
    #[schema(value_type = Option<Object>)]
    pub round: Option<serde_json::Value>,
}

/// A settlement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SettleAnswer {
    /// Id of the book.
    pub book: String,
    /// Banker of the round: `dealer`, or a seat such as `seat-2`.
    pub banker: String,
    /// The lines, in order.
    pub lines: Vec<SettledLine>,
    /// The lines grouped into a dealer's steps.
    pub steps: Vec<SettledStep>,
    /// Net result of every party of the round.
    pub net_cents: IndexMap<String, i64>,
    /// Sum of all net results, always 0.
    pub sum_cents: i64,
}

/// A line of a settlement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SettledLine {
    /// Number of the seat. `null` if the line is not about a seat.
    #[schema(required)]
    pub seat: Option<u8>,
    /// Party that the line is about, such as `seat 2`.
    pub who: String,
    /// Name of the wager.
    pub wager: String,
    /// Amount that was wagered.
    pub stake_cents: u64,
    /// `win`, `lose`, `push`, `foul`, `no_action`, `envy`, `collection` or `commission`.
    pub outcome: &'static str,
    /// Net result for the party.
    pub net_cents: i64,
    /// Commission included in the net result.
    pub commission_cents: u64,
    /// Party that pays or is paid.
    pub against: String,
    /// Reason, as a sentence.
    pub because: String,
    /// Citation of the rule.
    pub cite: String,
    /// Whether a value that decided the line is assumed.
    pub assumed: bool,
    /// Values of the book that decided the line.
    pub values: Vec<UsedValue>,
}

/// A step of a settlement, and the state of the table after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SettledStep {
    /// `collection`, `base`, `bonus`, `commission` or `envy`.
    pub part: &'static str,
    /// Owner of the wagers, fees or bonuses: `seat-3`, `dealer` or `banker`.
    pub who: String,
    /// Index of the step's first line, from 0.
    pub first_line: usize,
    /// Number of lines in the step.
    pub lines: usize,
    /// Envy buttons on the table after the step.
    pub buttons: Vec<StepWager>,
    /// Wagers that are not reconciled after the step.
    pub unreconciled: Vec<StepWager>,
    /// Net result of every party after the step.
    pub net_cents: IndexMap<String, i64>,
}

/// A wager and its owner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct StepWager {
    /// `seat-3` or `dealer`.
    pub who: String,
    /// Name of the wager.
    pub wager: String,
}

/// Settles a round.
///
/// # Errors
/// All faults of the text, all rules that the round breaks, or all differences from the settlement that the text
/// expects.
pub fn answer(question: &SettleQuestion, book_source: &dyn BookSource) -> Result<SettleAnswer, Faults> {
    let (source, expected) = split(&source(question)?);
    let round = read(&source, book_source)?;
    let showdown = round.showdown().map_err(|refusals| refusal_faults(&refusals))?;
    let settlement = Settlement::of(&showdown);
    let settled = SettleAnswer::of(&showdown, &settlement);
    differences(expected.as_ref(), &showdown, &settlement).into_result(Some(settled))
}

/// Splits a text into the round and the expected settlement after a line `---`, if there is one.
pub fn split(source: &Source) -> (Source, Option<ExpectedSettlement>) {
    let (round, expected) = ExpectedSettlement::split(&source.text);
    (Source { text: round.into(), ..source.clone() }, expected)
}

/// Returns the differences between a settlement and the expected one, as faults.
pub fn differences(
    expected: Option<&ExpectedSettlement>,
    showdown: &Showdown<'_>,
    settlement: &Settlement,
) -> Faults {
    let differences = expected.map(|expected| expected.differences(showdown, settlement));
    let faults = differences.into_iter().flatten().map(|difference| Fault {
        line: difference.line(),
        ..Fault::new("settlement_differs", "toml", difference.to_string())
    });
    Faults { faults: faults.collect() }
}

/// Reads a round from its text.
///
/// # Errors
/// All faults of the text, and all rules that the round breaks.
pub fn read(source: &Source, book_source: &dyn BookSource) -> Result<RoundFile, Faults> {
    RoundFile::parse(source, book_source).map_err(|problems| {
        let paths = FaultPaths::of(source);
        let faults = problems.into_iter().map(|problem| {
            let Some(path) = paths.path(&problem.span) else { return Fault::of_problem(problem, None) };
            let (line, column) = problem.span.line_and_column();
            let at = Some(path.join("."));
            Fault { line: Some(line), column: Some(column), ..Fault::of_problem(problem, at) }
        });
        Faults { faults: faults.collect() }
    })
}

/// Converts refusals of a round to faults. [`read`] rejects such a round.
pub fn refusal_faults(refusals: &[Refusal]) -> Faults {
    let faults = refusals.iter().map(|refusal| Fault::new(refusal.code(), "", refusal.to_string()));
    Faults { faults: faults.collect() }
}

fn source(question: &SettleQuestion) -> Result<Source, Faults> {
    match (&question.toml, &question.round) {
        (Some(text), None) => Ok(Source::new("the round", text.as_str())),
        (None, Some(round)) => {
            let mut faults = Faults::default();
            let round = toml_of(round, "round", &mut faults);
            match faults.into_result(round)? {
                toml::Value::Table(round) => Ok(Source::new("the round", round.to_string())),
                _ => Err(Fault::new("bad_round", "round", "the round must be an object").into()),
            }
        }
        _ => Err(Fault::new("bad_round", "round", "give the round as `toml` or as `round`").into()),
    }
}

/// Converts a JSON value to TOML. Adds a fault for `null` and for numbers that TOML cannot represent.
fn toml_of(json: &serde_json::Value, at: &str, faults: &mut Faults) -> Option<toml::Value> {
    use serde_json::Value as Json;
    use toml::Value as Toml;
    Some(match json {
        Json::Null => {
            faults.push(Fault::new("bad_round", at, "null is not allowed: leave out the key"));
            return None;
        }
        Json::Bool(truth) => Toml::Boolean(*truth),
        Json::Number(number) => {
            let Some(integer) = number.as_i64() else {
                faults.push(Fault::new("bad_round", at, format!("{number} is not a signed 64-bit integer")));
                return None;
            };
            Toml::Integer(integer)
        }
        Json::String(text) => Toml::String(text.clone()),
        Json::Array(items) => {
            let items = (0..)
                .zip(items)
                .map(|(index, item): (usize, _)| toml_of(item, &format!("{at}.{index}"), faults));
            Toml::Array(items.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?)
        }
        Json::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| Some((key.clone(), toml_of(value, &format!("{at}.{key}"), faults)?)));
            Toml::Table(entries.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?)
        }
    })
}

impl SettleAnswer {
    /// Creates the answer for a settlement.
    pub fn of(showdown: &Showdown<'_>, settlement: &Settlement) -> SettleAnswer {
        let steps = settlement.steps(showdown);
        let steps = steps.iter().map(|step| SettledStep::of(step, showdown));
        SettleAnswer {
            book: showdown.table_rules().book().id.clone(),
            banker: match showdown.bank() {
                Bank::Dealer => "dealer".to_owned(),
                Bank::Seat { seat, .. } => party_code(Party::Seat(seat)),
            },
            lines: settlement.lines().iter().map(|line| SettledLine::of(line, showdown)).collect(),
            steps: steps.collect(),
            net_cents: net_cents(showdown, settlement.nets()),
            sum_cents: settlement.nets().sum(),
        }
    }
}

impl SettledLine {
    fn of(line: &Line, showdown: &Showdown<'_>) -> SettledLine {
        let sources = line.sources(showdown);
        let (cite, assumed) = citation_and_assumed(&sources);
        SettledLine {
            seat: match line.who {
                Party::Seat(seat) => Some(seat.number()),
                Party::Banker => showdown.banking_seat().map(Seat::number),
                Party::Dealer | Party::House => None,
            },
            who: party_name(line.who),
            wager: wager_name(line.wager, showdown),
            stake_cents: line.stake.cents(),
            outcome: line.outcome.name(),
            net_cents: line.net.cents(),
            commission_cents: line.fee.cents(),
            against: party_name(line.against),
            because: line.because(showdown),
            cite,
            assumed,
            values: UsedValue::all_of(&sources),
        }
    }
}

impl SettledStep {
    fn of(step: &SettlementStep, showdown: &Showdown<'_>) -> SettledStep {
        let wager = |who: Party, wager: WagerRef| StepWager {
            who: party_code(who),
            wager: wager_name(wager, showdown),
        };
        let buttons = step.buttons.iter().map(|button| wager(Party::Seat(button.seat), button.wager));
        SettledStep {
            part: step.part.name(),
            who: party_code(step.who),
            first_line: step.lines.start,
            lines: step.lines.len(),
            buttons: buttons.collect(),
            unreconciled: step.unreconciled.iter().map(|(who, name)| wager(*who, *name)).collect(),
            net_cents: net_cents(showdown, &step.nets),
        }
    }
}

/// Returns the net result of each party of the round, by its code.
fn net_cents(showdown: &Showdown<'_>, nets: &Nets) -> IndexMap<String, i64> {
    let seats = Seat::up_to(Seat::COUNT_MAX as u8).filter(|seat| showdown.player(*seat).is_some());
    let seats = seats.map(|seat| (party_code(Party::Seat(seat)), nets.seats[seat.index()].cents()));
    let others = [("banker".to_owned(), nets.banker.cents()), ("house".to_owned(), nets.house.cents())];
    seats.chain(others).collect()
}

fn wager_name(wager: WagerRef, showdown: &Showdown<'_>) -> String {
    match wager {
        WagerRef::PaiGow => "pai-gow".to_owned(),
        WagerRef::Side(index) => showdown.table_rules().wager(index.into()).name.clone(),
    }
}

/// Returns the code of a party, such as `seat-3`.
fn party_code(party: Party) -> String {
    match party {
        Party::Seat(seat) => format!("seat-{}", seat.number()),
        _ => party_name(party),
    }
}

/// Returns the name of a party for sentences, such as `seat 3`.
fn party_name(party: Party) -> String {
    match party {
        Party::Seat(seat) => seat.to_string(),
        Party::Dealer => "dealer".to_owned(),
        Party::Banker => "banker".to_owned(),
        Party::House => "house".to_owned(),
    }
}
