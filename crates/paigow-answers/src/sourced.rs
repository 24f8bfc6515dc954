//! Values of a book with where they come from, as answers show them.

use paigow::document::{Provenance, ValueKind, ValueRange};
use paigow::rulebook::{BookValue, Departure, Rulebook};
use paigow::{LineSource, citation};
use serde::Serialize;
use utoipa::ToSchema;

/// A value of the book and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SourcedValue {
    /// Its path in the file.
    pub value: String,
    /// What it is, as it is written in the file; of a paytable or schedule, how many rows it has.
    pub is: String,
    /// `fixed` by the document, an `option` it leaves to the house, or `assumed` because it is silent.
    pub kind: &'static str,
    /// The passage of the document; of an assumed value the nearest one, if there is any.
    #[schema(required)]
    pub cite: Option<String>,
    /// Why an assumed value is what it is.
    #[schema(required)]
    pub because: Option<String>,
    /// What a house may set it to, where that is limited.
    #[schema(required)]
    pub allowed: Option<String>,
}

/// How many values of each kind a book has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Kinds {
    /// Fixed by the document.
    pub fixed: usize,
    /// Left to the house.
    pub options: usize,
    /// Assumed because the document is silent.
    pub assumed: usize,
}

/// A value that decided a line of a settlement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct UsedValue {
    /// Its path in the file.
    pub value: String,
    /// `fixed`, `option` or `assumed`.
    pub kind: &'static str,
    /// The citation, or `assumed:` and the reason.
    pub cite: String,
}

/// A value that the question changed although the document fixes it, or beyond what it allows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ChangedValue {
    /// Its path in the file.
    pub value: String,
    /// What the question made it.
    pub given: String,
    /// What the book says.
    #[schema(required)]
    pub book: Option<String>,
    /// The passage that fixes it.
    #[schema(required)]
    pub cite: Option<String>,
    /// All of it in a sentence.
    pub says: String,
}

/// What a house may set a value to, in words; nothing where it may not, or may set it to anything.
pub(crate) fn allowed(provenance: &Provenance) -> Option<String> {
    match (provenance.kind, &provenance.range) {
        (ValueKind::Fixed, _) | (_, ValueRange::Any) => None,
        (_, range) => Some(range.to_string()),
    }
}

impl SourcedValue {
    /// Every value of a book, in the order of its file.
    pub fn all_of(book: &Rulebook) -> Vec<SourcedValue> {
        let value = |BookValue { path, written, provenance, .. }| SourcedValue {
            value: path,
            is: written,
            kind: provenance.kind.name(),
            allowed: allowed(&provenance),
            cite: provenance.cite,
            because: provenance.because,
        };
        book.values().into_iter().map(value).collect()
    }
}

impl Kinds {
    /// How many values of each kind a book has.
    pub fn of(book: &Rulebook) -> Kinds {
        let counts = book.kinds();
        Kinds { fixed: counts.fixed, options: counts.options, assumed: counts.assumed }
    }
}

impl UsedValue {
    /// The values that decided a line.
    pub fn all_of(sources: &[LineSource]) -> Vec<UsedValue> {
        let used = |source: &LineSource| UsedValue {
            value: source.value.clone(),
            kind: source.provenance.kind.name(),
            cite: source.provenance.to_string(),
        };
        sources.iter().map(used).collect()
    }
}

impl ChangedValue {
    /// How a book departs from its document.
    pub fn all_of(departures: &[Departure]) -> Vec<ChangedValue> {
        let changed = |departure: &Departure| ChangedValue {
            value: departure.value.clone(),
            given: departure.given.clone(),
            book: departure.book.clone(),
            cite: departure.provenance.as_ref().and_then(|from| from.cite.clone()),
            says: departure.to_string(),
        };
        departures.iter().map(changed).collect()
    }
}

/// A citation as one text, and whether any of it is assumed.
pub(crate) fn cited(sources: &[LineSource]) -> (String, bool) {
    let assumed = sources.iter().any(|source| source.provenance.kind == ValueKind::Assumed);
    (citation(sources), assumed)
}
