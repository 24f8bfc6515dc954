//! The game report: rules, assumptions, exact figures, bands for tests of a game, and a simulation beside them.
//!
//! A [`GameReport`] follows from a book, its changes, a seed and the program alone, so that a report can be made again and
//! compared byte for byte. [`GameReport::files`] writes it as HTML for printing, JSON and CSV, with a list of digests.
//! [`compare()`] reads two such folders again and lists the changed rules and figures.

mod base_game;
mod compare;
mod detection;
mod figures;
mod files;
mod house_way;
mod html;
mod moments;
mod rule_values;
mod simulated;
mod wagers;

use crate::odds::{EditedRow, OddsQuestion, OddsRequest};
use crate::rules::RulesAnswer;
use crate::{ChangedValue, Fault, Faults, PricedGame, RankingNames, ValueChanges, Work};
use paigow::rulebook::{BookSource, stem};
use paigow::{Refusal, Rulebook, TableRules};
use paigow_math::{TableSide, WorthTable};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use utoipa::ToSchema;

pub use base_game::{BaseGamePlay, ReportedBaseGame};
pub use compare::{ChangedFigure, ChangedRule, ComparedReport, ReportComparison, StoredReport, compare};
pub use detection::{Band, DetectionFigures, ReportedHits, RoundsToDetect};
pub use figures::ReportFigure;
pub use files::{DIGESTS_FILE, HTML_FILE, JSON_FILE, ReportFile};
pub use house_way::{ReportedClause, ReportedHouseWay};
pub use html::STYLE;
pub use moments::MomentFigures;
pub use rule_values::RuleValue;
pub use simulated::SimulationRun;
pub use wagers::{ExposureFigures, ReportedWager};

/// Name and version of the format of `report.json`.
pub const FORMAT: &str = "paigow game report 1";

/// Number of simulated rounds of each run, unless the question gives another.
pub const ROUNDS_DEFAULT: u64 = 1_000_000;

/// Maximum number of simulated rounds of each run.
pub const ROUNDS_MAX: u64 = 1_000_000_000;

/// Seed of the simulation, unless the question gives another.
pub const SEED_DEFAULT: u64 = 1;

/// Question for the report of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportQuestion {
    /// Name of a rule book.
    pub book: String,
    /// House way of the dealer. Default: that of the book.
    pub house_way: Option<String>,
    /// Values of the book replaced for this report.
    #[serde(default)]
    pub changes: ValueChanges,
    /// Side wager whose paytable is edited.
    pub wager: Option<String>,
    /// Paytable that is edited. Default: the default one of the wager.
    pub paytable: Option<String>,
    /// Rows that replace those of the paytable. They are checked like the rows of a file.
    pub rows: Option<Vec<EditedRow>>,
    /// Maximum payout that replaces that of the wager.
    pub payout_max_cents: Option<u64>,
    /// Number of simulated rounds of each run. Default: 1,000,000.
    pub rounds: Option<u64>,
    /// Seed of the simulation. Default: 1.
    pub seed: Option<u64>,
}

/// Version and commit of the program that makes a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportProgram {
    /// Version of the program.
    pub version: String,
    /// Commit that the program was built from.
    pub commit: String,
}

/// The report of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameReport {
    /// Name and version of the format.
    pub report: &'static str,
    /// The program that made the report.
    pub program: ReportProgram,
    /// Id of the book.
    pub book: String,
    /// Title of the book.
    pub title: String,
    /// Choices from which the report follows.
    pub choices: ReportChoices,
    /// Digests of the rules and of the house way, in hexadecimal.
    pub digests: RuleDigests,
    /// Ranking of hands.
    pub ranking: RankingNames,
    /// Number of players at a full table, without a seat that must bank.
    pub players: u8,
    /// Changed values that the document fixes. With any of them, this is not the game of the document.
    pub departures: Vec<ChangedValue>,
    /// The rules as sentences with citations, and all values of the book.
    pub rules: RulesAnswer,
    /// Every value of the rules with its path, also the rows of paytables and the clauses of the house way.
    pub rule_values: Vec<RuleValue>,
    /// Number of hands in each class, by rank in play.
    pub census: Vec<(String, u64)>,
    /// The house way with the hands that each clause decides.
    pub house_way: ReportedHouseWay,
    /// The base game.
    pub base_game: ReportedBaseGame,
    /// The side wagers, with every paytable.
    pub wagers: Vec<ReportedWager>,
    /// Simulated rounds beside the exact figures.
    pub simulation: Vec<SimulationRun>,
    /// Every figure of the report with its path.
    pub figures: Vec<ReportFigure>,
    #[serde(skip)]
    canonical: String,
}

/// Choices from which a report follows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportChoices {
    /// Changes of the book's values.
    pub changes: ValueChanges,
    /// House way that replaces that of the book. `null` if none does.
    pub house_way: Option<String>,
    /// Wager and paytable that were edited. `null` if none was.
    pub edited: Option<EditedPaytable>,
    /// Number of simulated rounds of each run.
    pub rounds: u64,
    /// Seed of the simulation.
    pub seed: u64,
}

/// The edited paytable of a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EditedPaytable {
    /// Name of the wager.
    pub wager: String,
    /// Name of the paytable. `null` for the default one.
    pub paytable: Option<String>,
}

/// Digests of the rules that a report is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RuleDigests {
    /// SHA-256 of the canonical form of the rules in force with the default paytables, as in `paigow rules`.
    pub rules: String,
    /// SHA-256 of the canonical form of the house way's clauses.
    pub house_way: String,
    /// SHA-256 of every value of the rules, with all paytables: one line of path and value for each.
    pub rule_values: String,
}

/// A question with its book loaded.
pub struct ReportRequest {
    odds: OddsRequest,
    table_rules: TableRules,
    choices: ReportChoices,
    program: ReportProgram,
}

impl ReportRequest {
    /// Loads the book of a question. `program` is printed in the report.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(
        question: &ReportQuestion,
        program: ReportProgram,
        book_source: &dyn BookSource,
    ) -> Result<ReportRequest, Faults> {
        let loaded = OddsRequest::of(
            &OddsQuestion {
                book: question.book.clone(),
                wager: question.wager.clone(),
                paytable: question.paytable.clone(),
                house_way: question.house_way.clone(),
                changes: question.changes.clone(),
                rows: question.rows.clone(),
                payout_max_cents: question.payout_max_cents,
                ..OddsQuestion::default()
            },
            book_source,
        );
        let mut faults = Faults::default();
        let book = loaded.map_err(|found| faults = found).ok().map(|odds| odds.book);
        let rounds = question.rounds.unwrap_or(ROUNDS_DEFAULT);
        if !(2..=ROUNDS_MAX).contains(&rounds) {
            let message = format!("{rounds} rounds: from 2 to {ROUNDS_MAX} are allowed");
            faults.push(Fault::new("bad_rounds", "rounds", message));
        }
        let edits = question.rows.is_some() || question.payout_max_cents.is_some();
        if question.wager.is_some() && !edits {
            let message = "a report has all wagers: name one only with rows or a payout maximum";
            faults.push(Fault::new("no_edit", "wager", message));
        }
        let mut book = faults.into_result(book)?;
        without_paths(&mut book);
        let table_rules = TableRules::new(Arc::new(book.clone()), &[]).map_err(|refusals| {
            let fault = |refusal: &Refusal| Fault::new(refusal.code(), "book", refusal.to_string());
            Faults { faults: refusals.iter().map(fault).collect() }
        })?;
        // The posted paytables decide the use of the joker.
        book.ranking = table_rules.evaluator().ranking();
        let mut changes = question.changes.clone();
        if let Some(way) = changes.0.get_mut("house_way.way") {
            book.house_way.id().clone_into(way);
        }
        let choices = ReportChoices {
            changes,
            house_way: question.house_way.as_deref().map(|name| stem(name).to_owned()),
            edited: question
                .wager
                .clone()
                .map(|wager| EditedPaytable { wager, paytable: question.paytable.clone() }),
            rounds,
            seed: question.seed.unwrap_or(SEED_DEFAULT),
        };
        Ok(ReportRequest { odds: OddsRequest::of_book(book), table_rules, choices, program })
    }

    /// The games whose tables of worths the report needs. Empty if the book has a rule that no table accounts for.
    pub fn games(&self) -> Vec<PricedGame> {
        let book = &self.odds.book;
        if !WorthTable::supports(&book.base_game.dealer_push) {
            return Vec::new();
        }
        let sides = TableSide::of_book(book).into_iter().filter(|side| *side != TableSide::Dealer);
        let game = |side| PricedGame { book: book.clone(), side, against: book.house_way.clone() };
        sides.map(game).collect()
    }

    /// Makes the report.
    pub fn answer(&self, work: &Work) -> GameReport {
        let book = &self.odds.book;
        // Slow computations come first: a handle that returns only cached results stops here.
        let base_game = ReportedBaseGame::of(&self.odds, &self.games(), work);
        let wagers = ReportedWager::all_of(&self.odds, work);
        let simulation = simulated::runs(&self.table_rules, &self.choices, work);
        let house_way = ReportedHouseWay::of(book);
        let mut rules = RulesAnswer::of(&self.table_rules);
        if self.choices.house_way.is_some() {
            rules.house_way.changed = true;
            rules.house_way.cite.clear();
            rules.house_way.assumed = false;
        }
        for value in &mut rules.values {
            if value.value == "house_way.way" {
                book.house_way.id().clone_into(&mut value.is);
            }
        }
        let rule_values = rule_values::all_of(book, &rules);
        let mut report = GameReport {
            report: FORMAT,
            program: self.program.clone(),
            book: book.id.clone(),
            title: book.title.clone(),
            choices: self.choices.clone(),
            digests: RuleDigests {
                rules: rules.digest.clone(),
                house_way: sha256(book.house_way.rules().as_bytes()),
                rule_values: sha256(rule_values::text(&rule_values).as_bytes()),
            },
            ranking: book.ranking.into(),
            players: self.odds.players,
            departures: ChangedValue::all_of(&book.departures),
            rules,
            rule_values,
            census: house_way::census(book.ranking.joker),
            house_way,
            base_game,
            wagers,
            simulation,
            figures: Vec::new(),
            canonical: self.table_rules.canonical(),
        };
        report.figures = figures::all_of(&report);
        report
    }
}

/// Replaces paths of files by the names of the files. A report does not depend on the folder of its book.
fn without_paths(book: &mut Rulebook) {
    let way = book.house_way.id().to_owned();
    for departure in &mut book.departures {
        if departure.value == "house_way.way" {
            departure.given.clone_from(&way);
        }
    }
}

/// SHA-256 in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a `String` never fails.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
