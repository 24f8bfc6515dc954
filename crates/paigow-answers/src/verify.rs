//! Every figure printed in the documents, compared with the exact value.

use crate::{Exact, Fault, Faults, Work, WrittenNumber};
use indexmap::IndexMap;
use paigow_math::{Figure, FiguresFault, PublishedFigures, Status};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Question for the published figures of one document or of all.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyQuestion {
    /// Key of one document, which is the first part of the ids of its figures. Default: all documents.
    pub source: Option<String>,
}

/// Published figures with their exact values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct VerifyAnswer {
    /// All figures.
    pub figures: Vec<VerifiedFigure>,
    /// Number of figures.
    pub summary: VerifySummary,
    /// Number of figures by status.
    pub by_status: IndexMap<&'static str, usize>,
    /// Documents without figures, and a note on the contents they have instead.
    pub without_figures: IndexMap<String, String>,
}

/// A published figure and its exact value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct VerifiedFigure {
    /// Number of the rule, and the name of the figure within it.
    pub id: String,
    /// Key of the document.
    pub source: String,
    /// Location in the document.
    #[serde(rename = "place")]
    pub location: String,
    /// The figure as printed.
    pub published: String,
    /// Exact value in the printed form, with more digits.
    #[schema(value_type = String, example = "7.7681229674%")]
    pub exact: WrittenNumber,
    /// Exact value as a fraction.
    pub exact_fraction: Exact,
    /// `matches`, `truncated`, `misprint`, `approximation` or `unexplained`.
    pub status: &'static str,
    /// Explanation with the computation that reproduces the printed figure. `null` if it matches.
    #[schema(required)]
    pub note: Option<String>,
}

/// Number of figures, by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct VerifySummary {
    /// Number of all figures.
    pub figures: usize,
    /// Number of figures that equal the rounded exact value.
    pub matches: usize,
    /// Number of figures that differ for a known reason.
    pub explained: usize,
    /// Number of figures that differ without an explanation.
    pub unexplained: usize,
}

/// Compares the figures of a document, or of all documents, with the exact values.
///
/// # Errors
/// `unknown_document`: there is no such document. `bad_figures`: the list of figures is invalid.
pub fn answer(question: &VerifyQuestion, work: &Work) -> Result<VerifyAnswer, Faults> {
    let broken = |fault: FiguresFault| Faults::from(Fault::new("bad_figures", "source", fault.to_string()));
    let published = PublishedFigures::parse(PublishedFigures::TEXT).map_err(broken)?;
    let key = question.source.as_deref().map(|typed| known_key(&published, typed)).transpose()?;
    let figures = published.verify(key, &|matchup| work.base_game(matchup)).map_err(broken)?;

    let count = |status| figures.iter().filter(|figure| figure.status == status).count();
    let (matches, unexplained) = (count(Status::Matches), count(Status::Unexplained));
    let summary = VerifySummary {
        figures: figures.len(),
        matches,
        explained: figures.len() - matches - unexplained,
        unexplained,
    };
    let by_status = Status::ALL.iter().map(|status| (status.name(), count(*status))).collect();
    let without_figures = published
        .keys()
        .filter(|document| key.is_none_or(|key| key == *document))
        .filter_map(|document| {
            Some((document.to_owned(), published.contents_without_figures(document)?.to_owned()))
        })
        .collect();
    let figures = figures.into_iter().map(VerifiedFigure::of).collect();
    Ok(VerifyAnswer { figures, summary, by_status, without_figures })
}

/// Finds the key of a document, ignoring the case of `typed`.
fn known_key<'a>(published: &'a PublishedFigures, typed: &str) -> Result<&'a str, Faults> {
    published.keys().find(|key| key.eq_ignore_ascii_case(typed)).ok_or_else(|| {
        let keys = published.keys().collect::<Vec<_>>().join(", ");
        let message = format!("there is no document `{typed}`; the keys are {keys}");
        Fault::new("unknown_document", "source", message).into()
    })
}

impl VerifiedFigure {
    fn of(figure: Figure) -> VerifiedFigure {
        VerifiedFigure {
            id: figure.id,
            source: figure.source,
            location: figure.location,
            published: figure.printed.to_string(),
            exact: WrittenNumber { printed: figure.printed, value: figure.exact.clone() },
            exact_fraction: Exact(figure.exact),
            status: figure.status.name(),
            note: figure.note,
        }
    }
}
