//! A round settled line by line, each with its reason and its rule.

use crate::fault_paths::FaultPaths;
use crate::sourced::cited;
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

/// Which round: its text, or the same as an object.
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
    /// The book.
    pub book: String,
    /// Who banked: `dealer`, or `seat-2`.
    pub banker: String,
    /// The lines in order.
    pub lines: Vec<SettledLine>,
    /// The lines in steps, as a dealer goes through them.
    pub steps: Vec<SettledStep>,
    /// Net result of every party of the round.
    pub net_cents: IndexMap<String, i64>,
    /// All of it together: zero.
    pub sum_cents: i64,
}

/// A line of a settlement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SettledLine {
    /// The seat it is about, if it is about one.
    #[schema(required)]
    pub seat: Option<u8>,
    /// Who it is about, in words.
    pub who: String,
    /// The wager.
    pub wager: String,
    /// How much was wagered.
    pub stake_cents: u64,
    /// `win`, `lose`, `push`, `foul`, `no_action`, `envy`, `collection` or `commission`.
    pub outcome: &'static str,
    /// What it is worth to them.
    pub net_cents: i64,
    /// The commission in that.
    pub commission_cents: u64,
    /// Who pays or is paid, in words.
    pub against: String,
    /// Why, in a sentence.
    pub because: String,
    /// The rule.
    pub cite: String,
    /// Whether a value that decided it is assumed because no document says it.
    pub assumed: bool,
    /// The values of the book that decided it.
    pub values: Vec<UsedValue>,
}

/// A step of a settlement, and the table after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SettledStep {
    /// `collection`, `base`, `bonus`, `commission` or `envy`.
    pub part: &'static str,
    /// Whose wagers, fees or bonuses: `seat-3`, `dealer` or `banker`.
    pub who: String,
    /// Position of the step's first line.
    pub first_line: usize,
    /// How many lines the step has.
    pub lines: usize,
    /// The Envy buttons on the table after the step.
    pub buttons: Vec<StepWager>,
    /// The wagers that are not reconciled after the step.
    pub unreconciled: Vec<StepWager>,
    /// Net result of every party after this step.
    pub net_cents: IndexMap<String, i64>,
}

/// A wager and whose it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct StepWager {
    /// `seat-3` or `dealer`.
    pub who: String,
    /// The wager.
    pub wager: String,
}

/// A round settled.
///
/// # Errors
/// Everything that is wrong with the text, everything the rules have against the round, or every difference from the settlement
/// that the text expects.
pub fn answer(question: &SettleQuestion, book_source: &dyn BookSource) -> Result<SettleAnswer, Faults> {
    let (source, expected) = split(&source(question)?);
    let record = read(&source, book_source)?;
    let showdown = record.showdown().map_err(|refusals| refused(&refusals))?;
    let settlement = Settlement::of(&showdown);
    let settled = SettleAnswer::of(&showdown, &settlement);
    differences(expected.as_ref(), &showdown, &settlement).or(Some(settled))
}

/// The round of a text, and the settlement that the text expects after a line `---`, if it does.
pub fn split(source: &Source) -> (Source, Option<ExpectedSettlement>) {
    let (round, expected) = ExpectedSettlement::split(&source.text);
    (Source { text: round.into(), ..source.clone() }, expected)
}

/// How a settlement differs from the one its text expects.
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

/// A round from its text.
///
/// # Errors
/// Everything that is wrong with the text, and everything the rules have against the round.
pub fn read(source: &Source, book_source: &dyn BookSource) -> Result<RoundFile, Faults> {
    RoundFile::parse(source, book_source).map_err(|problems| {
        let places = FaultPaths::of(source);
        let faults = problems.into_iter().map(|problem| {
            let Some(path) = places.path(&problem.span) else { return Fault::of_problem(problem, None) };
            let (line, column) = problem.span.line_and_column();
            let at = Some(path.join("."));
            Fault { line: Some(line), column: Some(column), ..Fault::of_problem(problem, at) }
        });
        Faults { faults: faults.collect() }
    })
}

/// What the rules have against a round; one that was read has nothing against it.
pub fn refused(refusals: &[Refusal]) -> Faults {
    let faults = refusals.iter().map(|refusal| Fault::new(refusal.code(), "", refusal.to_string()));
    Faults { faults: faults.collect() }
}

fn source(question: &SettleQuestion) -> Result<Source, Faults> {
    match (&question.toml, &question.round) {
        (Some(text), None) => Ok(Source::new("the round", text.as_str())),
        (None, Some(round)) => {
            let mut faults = Faults::default();
            let round = toml_of(round, "round", &mut faults);
            match faults.or(round)? {
                toml::Value::Table(round) => Ok(Source::new("the round", round.to_string())),
                _ => Err(Fault::new("bad_round", "round", "a round is an object").into()),
            }
        }
        _ => Err(Fault::new("bad_round", "round", "give the round as `toml` or as `round`").into()),
    }
}

/// A value of JSON as one of TOML. What TOML cannot say is named.
fn toml_of(json: &serde_json::Value, at: &str, faults: &mut Faults) -> Option<toml::Value> {
    use serde_json::Value as Json;
    use toml::Value as Toml;
    Some(match json {
        Json::Null => {
            faults.push(Fault::new("bad_round", at, "nothing is here: leave out the key"));
            return None;
        }
        Json::Bool(truth) => Toml::Boolean(*truth),
        Json::Number(number) => {
            let Some(integer) = number.as_i64() else {
                faults.push(Fault::new(
                    "bad_round",
                    at,
                    format!("{number} is no whole number a round may have"),
                ));
                return None;
            };
            Toml::Integer(integer)
        }
        Json::String(text) => Toml::String(text.clone()),
        Json::Array(items) => {
            let items = (0..)
                .zip(items)
                .map(|(place, item): (usize, _)| toml_of(item, &format!("{at}.{place}"), faults));
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
    /// A settlement as an answer.
    pub fn of(showdown: &Showdown<'_>, settlement: &Settlement) -> SettleAnswer {
        let steps = settlement.steps(showdown);
        let steps = steps.iter().map(|step| SettledStep::of(step, showdown));
        SettleAnswer {
            book: showdown.table_rules().book().id.clone(),
            banker: match showdown.bank() {
                Bank::Dealer => "dealer".to_owned(),
                Bank::Seat { seat, .. } => code(Party::Seat(seat)),
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
        let (cite, assumed) = cited(&sources);
        SettledLine {
            seat: match line.who {
                Party::Seat(seat) => Some(seat.number()),
                Party::Banker => showdown.banking_seat().map(Seat::number),
                Party::Dealer | Party::House => None,
            },
            who: in_words(line.who),
            wager: wager_name(line.wager, showdown),
            stake_cents: line.stake.cents(),
            outcome: line.outcome.name(),
            net_cents: line.net.cents(),
            commission_cents: line.fee.cents(),
            against: in_words(line.against),
            because: line.because(showdown),
            cite,
            assumed,
            values: UsedValue::all_of(&sources),
        }
    }
}

impl SettledStep {
    fn of(step: &SettlementStep, showdown: &Showdown<'_>) -> SettledStep {
        let wager =
            |who: Party, wager: WagerRef| StepWager { who: code(who), wager: wager_name(wager, showdown) };
        let buttons = step.buttons.iter().map(|button| wager(Party::Seat(button.seat), button.wager));
        SettledStep {
            part: step.part.name(),
            who: code(step.who),
            first_line: step.lines.start,
            lines: step.lines.len(),
            buttons: buttons.collect(),
            unreconciled: step.unreconciled.iter().map(|(who, name)| wager(*who, *name)).collect(),
            net_cents: net_cents(showdown, &step.nets),
        }
    }
}

/// What each party with a part in the round has won or lost.
fn net_cents(showdown: &Showdown<'_>, nets: &Nets) -> IndexMap<String, i64> {
    let seats = Seat::first(Seat::COUNT_MAX as u8).filter(|seat| showdown.player(*seat).is_some());
    let seats = seats.map(|seat| (code(Party::Seat(seat)), nets.seats[seat.index()].cents()));
    let others = [("banker".to_owned(), nets.banker.cents()), ("house".to_owned(), nets.house.cents())];
    seats.chain(others).collect()
}

fn wager_name(wager: WagerRef, showdown: &Showdown<'_>) -> String {
    match wager {
        WagerRef::PaiGow => "pai-gow".to_owned(),
        WagerRef::Side(place) => showdown.table_rules().wager(place.into()).name.clone(),
    }
}

/// A party as codes have it.
fn code(party: Party) -> String {
    match party {
        Party::Seat(seat) => format!("seat-{}", seat.number()),
        _ => in_words(party),
    }
}

fn in_words(party: Party) -> String {
    match party {
        Party::Seat(seat) => seat.to_string(),
        Party::Dealer => "dealer".to_owned(),
        Party::Banker => "banker".to_owned(),
        Party::House => "house".to_owned(),
    }
}
