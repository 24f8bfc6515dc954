//! The figures that documents print, each beside the exact one.
//!
//! A printed figure that is not the exact value rounded is not taken for wrong until it is known what it is: the data file names
//! a computation (`explanation.rs`), it is run, and its result must be what is printed, digit for digit. So nothing here is
//! believed, neither the documents nor our own account of them. `docs/figures.md` tells what was found.

mod explanation;
mod file;
mod measure;
mod odds;
mod printed;

use crate::{BaseGame, DecimalRounding, Fraction, Sides};
use file::{FigureDocument, FigureTable};
use measure::Cell;
use odds::{BookOdds, Censuses};
use paigow::rulebook::{BuiltIn, Rulebook};
use std::fmt;

pub use printed::PrintedFigure;

/// All figures of all documents.
#[derive(Clone, Debug)]
pub struct Published {
    documents: Vec<FigureDocument>,
}

/// A figure as printed, and what is true.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The number of the rule, and which figure of it.
    pub id: String,
    /// The key of the document.
    pub source: String,
    /// Where in the document it stands.
    pub place: String,
    /// As printed.
    pub printed: PrintedFigure,
    /// What it should be.
    pub exact: Fraction,
    /// What it is.
    pub status: Status,
    /// What it is in words, with the computation that shows it; none where it is as it should be.
    pub note: Option<String>,
}

/// What a printed figure turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// The exact value, rounded to the printed digits.
    Matches,
    /// The exact value, cut off after the printed digits.
    Truncated,
    /// The value of something else than what the place says.
    Misprint,
    /// The value that a simpler calculation gives.
    Approximation,
    /// Nothing we know of.
    Unexplained,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 5] =
        [Status::Matches, Status::Truncated, Status::Misprint, Status::Approximation, Status::Unexplained];

    /// The word for it in answers.
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

/// Why the data file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FiguresFault(String);

impl fmt::Display for FiguresFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the published figures: {}", self.0)
    }
}

impl std::error::Error for FiguresFault {}

impl Published {
    /// The figures that come with the program.
    pub const TEXT: &'static str = include_str!("../figures.toml");

    /// Reads figures.
    ///
    /// # Errors
    /// The first thing in the text that is not as its own header says.
    pub fn parse(text: &str) -> Result<Published, FiguresFault> {
        Ok(Published { documents: file::read(text)? })
    }

    /// The keys of the documents.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|document| document.key.as_str())
    }

    /// What a document prints in place of figures, where it prints none.
    pub fn prints_none(&self, key: &str) -> Option<&str> {
        self.documents.iter().find(|document| document.key == key)?.none.as_deref()
    }

    /// Every figure of the document with this key, or of all, beside the exact one. The counter is asked where a figure is about
    /// two hands.
    ///
    /// # Errors
    /// A figure is about a book, a wager, a paytable or a hand that there is none of.
    pub fn verify(
        &self,
        key: Option<&str>,
        game: &dyn Fn(&Sides<'_>) -> BaseGame,
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
                    let (status, note) = judge(table, &odds, &cell, printed, &exact)?;
                    figures.push(Figure {
                        id: format!("{}/{}", table.id, cell.name()),
                        source: document.key.clone(),
                        place: table.place.clone(),
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

/// What a figure is, and in words where it is not the exact value rounded: then the explanation it has is run, and must give
/// what is printed.
fn judge(
    table: &FigureTable,
    odds: &BookOdds<'_>,
    cell: &Cell<'_>,
    printed: &PrintedFigure,
    exact: &Fraction,
) -> Result<(Status, Option<String>), FiguresFault> {
    if printed.is(exact, DecimalRounding::Rounded) {
        return Ok((Status::Matches, None));
    }
    let rounded = printed.write(exact, DecimalRounding::Rounded);
    let Some(explained) = table.explained.iter().find(|explained| explained.is_about(cell)) else {
        return Ok((Status::Unexplained, Some(format!("Rounded it is {rounded}; nothing explains it."))));
    };
    let (cut, computed) = (explained.by.cut(), explained.by.run(table, odds, cell)?);
    let (given, finer) = (printed.write(&computed.value, cut), printed.write_finer(&computed.value));
    let (says, how) = (&explained.says, &computed.how);
    if !printed.is(&computed.value, cut) {
        let note =
            format!("It is not what was thought. {how}, it is {finer}, which would be printed {given}.");
        return Ok((Status::Unexplained, Some(note)));
    }
    let note = match cut {
        DecimalRounding::Truncated => {
            format!("{says} {how}, it is {finer}: cut off {given}, rounded {rounded}.")
        }
        DecimalRounding::Rounded => {
            let exactly = printed.write_finer(exact);
            format!("{says} {how}, it is {finer}, rounded {given}; exactly, it is {exactly}.")
        }
    };
    Ok((explained.by.status(), Some(note)))
}
