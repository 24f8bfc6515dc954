//! Published figures, each compared with the exact value.
//!
//! A printed figure that is not the exact value rounded needs an explanation. The data file names a computation
//! (`explanation.rs`) that runs here, and its result must equal the printed figure digit for digit. So both the
//! documents and the explanations are verified. `docs/figures.md` describes the results.

mod explanation;
mod file;
mod measure;
mod odds;
mod printed;

use crate::{BaseGame, DecimalRounding, Fraction, Matchup};
use file::{FigureDocument, FigureTable};
use measure::Cell;
use odds::{BookOdds, Censuses};
use paigow::rulebook::{BuiltIn, Rulebook};
use std::fmt;

pub use printed::PrintedFigure;

/// The published figures of all documents.
#[derive(Clone, Debug)]
pub struct PublishedFigures {
    documents: Vec<FigureDocument>,
}

/// A figure as printed, with its exact value.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Number of the rule, and the name of the figure within it.
    pub id: String,
    /// Key of the document.
    pub source: String,
    /// Location of the figure in the document.
    pub location: String,
    /// The figure as printed.
    pub printed: PrintedFigure,
    /// The exact value.
    pub exact: Fraction,
    /// Relation of the printed figure to the exact value.
    pub status: Status,
    /// Explanation of the status, with the computation that verifies it. `None` for [`Status::Matches`].
    pub note: Option<String>,
}

/// Relation of a printed figure to the exact value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// The exact value, rounded to the printed digits.
    Matches,
    /// The exact value, truncated after the printed digits.
    Truncated,
    /// The value of another figure than the one that the document names.
    Misprint,
    /// The result of a simpler, approximate calculation.
    Approximation,
    /// No known computation gives the figure.
    Unexplained,
}

impl Status {
    /// All statuses.
    pub const ALL: [Status; 5] =
        [Status::Matches, Status::Truncated, Status::Misprint, Status::Approximation, Status::Unexplained];

    /// Name of the status in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Matches => "matches",
            Status::Truncated => "truncated",
            Status::Misprint => "misprint",
            Status::Approximation => "approximation",
            Status::Unexplained => "unexplained",
        }
    }
}

/// An error in the data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FiguresFault(String);

impl fmt::Display for FiguresFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the published figures: {}", self.0)
    }
}

impl std::error::Error for FiguresFault {}

impl PublishedFigures {
    /// Text of the built-in data file.
    pub const TEXT: &'static str = include_str!("../figures.toml");

    /// Parses a data file.
    ///
    /// # Errors
    /// The first violation of the format that the header of the data file describes.
    pub fn parse(text: &str) -> Result<PublishedFigures, FiguresFault> {
        Ok(PublishedFigures { documents: file::read(text)? })
    }

    /// Keys of the documents.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|document| document.key.as_str())
    }

    /// Describes the contents of a document without figures. Returns `None` for a document with figures.
    pub fn contents_without_figures(&self, key: &str) -> Option<&str> {
        self.documents.iter().find(|document| document.key == key)?.none.as_deref()
    }

    /// Verifies every figure of the document with this key, or of all documents if `key` is `None`.
    ///
    /// `game` counts a base game. It is called for figures that depend on two hands.
    ///
    /// # Errors
    /// A figure refers to an unknown book, wager, paytable or hand class.
    pub fn verify(
        &self,
        key: Option<&str>,
        game: &dyn Fn(&Matchup<'_>) -> BaseGame,
    ) -> Result<Vec<Figure>, FiguresFault> {
        let censuses = Censuses::default();
        let mut figures = Vec::new();
        for document in self.documents.iter().filter(|document| key.is_none_or(|key| key == document.key)) {
            let book = Rulebook::load(&document.book, &[], &BuiltIn)
                .map_err(|error| FiguresFault(error.to_string()))?;
            let odds = BookOdds::new(&book, &censuses, game);
            for table in &document.tables {
                for (row, column, printed) in table.cells() {
                    let cell = Cell::new(table, row, column)?;
                    let exact = odds.value(table, &cell)?;
                    let (status, note) = classify(table, &odds, &cell, printed, &exact)?;
                    figures.push(Figure {
                        id: format!("{}/{}", table.id, cell.name()),
                        source: document.key.clone(),
                        location: table.location.clone(),
                        printed: printed.clone(),
                        exact,
                        status,
                        note,
                    });
                }
            }
        }
        Ok(figures)
    }
}

/// Returns the status of a printed figure, with a note unless the figure is the exact value rounded.
///
/// An explanation counts only if its computation gives the printed figure.
fn classify(
    table: &FigureTable,
    odds: &BookOdds<'_>,
    cell: &Cell<'_>,
    printed: &PrintedFigure,
    exact: &Fraction,
) -> Result<(Status, Option<String>), FiguresFault> {
    if printed.matches(exact, DecimalRounding::Rounded) {
        return Ok((Status::Matches, None));
    }
    let rounded = printed.format(exact, DecimalRounding::Rounded);
    let Some(explained) = table.explained.iter().find(|explained| explained.applies_to(cell)) else {
        let note = format!("The exact value rounds to {rounded}. The figure has no explanation.");
        return Ok((Status::Unexplained, Some(note)));
    };
    let (rounding, computed) = (explained.by.rounding(), explained.by.run(table, odds, cell)?);
    let (given, finer) = (printed.format(&computed.value, rounding), printed.format_finer(&computed.value));
    let (says, how) = (&explained.says, &computed.how);
    if !printed.matches(&computed.value, rounding) {
        let note = format!(
            "The explanation does not give this figure. {how}, it is {finer}, which would be printed {given}."
        );
        return Ok((Status::Unexplained, Some(note)));
    }
    let note = match rounding {
        DecimalRounding::Truncated => {
            format!("{says} {how}, it is {finer}: truncated to {given}; rounding gives {rounded}.")
        }
        DecimalRounding::Rounded => {
            let exactly = printed.format_finer(exact);
            format!("{says} {how}, it is {finer}, which rounds to {given}; the exact value is {exactly}.")
        }
    };
    Ok((explained.by.status(), Some(note)))
}
