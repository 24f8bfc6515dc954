//! Values of a book with their source, as answers show them.

use paigow::document::{Provenance, ValueKind, ValueRange};
use paigow::rulebook::{BookValue, Departure, Rulebook};
use paigow::{LineSource, citation};
use serde::Serialize;
use utoipa::ToSchema;

/// A value of the book and its source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SourcedValue {
    /// Path of the value in the file.
    pub value: String,
    /// The value as written in the file. For a paytable or a schedule, the number of its rows.
    pub is: String,
    /// `fixed` by the document, an `option` of the house, or `assumed` because the document is silent.
    pub kind: &'static str,
    /// Passage of the document. For an assumed value, the nearest passage if there is one.
    #[schema(required)]
    pub cite: Option<String>,
    /// Reason for an assumed value.
    #[schema(required)]
    pub because: Option<String>,
    /// Values that a house may choose, if they are limited.
    #[schema(required)]
    pub allowed: Option<String>,
}

/// Number of values of each kind in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Kinds {
    /// Values that the document fixes.
    pub fixed: usize,
    /// Values that the document leaves to the house.
    pub options: usize,
    /// Values assumed because the document is silent.
    pub assumed: usize,
}

/// A value that decided a line of a settlement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct UsedValue {
    /// Path of the value in the file.
    pub value: String,
    /// `fixed`, `option` or `assumed`.
    pub kind: &'static str,
    /// Citation, or `assumed:` and the reason.
    pub cite: String,
}

/// A changed value that the document fixes, or that is outside the range it allows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ChangedValue {
    /// Path of the value in the file.
    pub value: String,
    /// New value, from the question.
    pub given: String,
    /// Value in the book. `null` if the book has none.
    #[schema(required)]
    pub book: Option<String>,
    /// Passage that fixes the value.
    #[schema(required)]
    pub cite: Option<String>,
    /// The change as a sentence.
    pub says: String,
}

/// Describes the values a house may choose. Returns `None` if the value is fixed or any value is allowed.
pub(crate) fn allowed(provenance: &Provenance) -> Option<String> {
    match (provenance.kind, &provenance.range) {
        (ValueKind::Fixed, _) | (_, ValueRange::Any) => None,
        (_, range) => Some(range.to_string()),
    }
}

impl SourcedValue {
    /// Returns all values of a book, in the order of its file.
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
    /// Counts the values of a book by kind.
    pub fn of(book: &Rulebook) -> Kinds {
        let counts = book.kinds();
        Kinds { fixed: counts.fixed, options: counts.options, assumed: counts.assumed }
    }
}

impl UsedValue {
    /// Returns the values that decided a line.
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
    /// Returns the departures of a book from its document.
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

/// Returns the citations of a line as one text, and whether any of its values is assumed.
pub(crate) fn citation_and_assumed(sources: &[LineSource]) -> (String, bool) {
    let assumed = sources.iter().any(|source| source.provenance.kind == ValueKind::Assumed);
    (citation(sources), assumed)
}
