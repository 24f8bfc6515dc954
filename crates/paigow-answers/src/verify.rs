//! Every figure printed in the documents, beside the exact one.

use crate::{Exact, Fault, Faults, Work, WrittenNumber};
use indexmap::IndexMap;
use paigow_math::{Figure, FiguresFault, Published, Status};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which figures.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyQuestion {
    /// The key of one document, the first part of its figures' ids; all documents if it is left out.
    pub source: Option<String>,
}

/// The figures, and how they fare.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct VerifyAnswer {
    /// Every figure.
    pub figures: Vec<VerifiedFigure>,
    /// How many there are.
    pub summary: VerifySummary,
    /// How many there are of each status.
    pub by_status: IndexMap<&'static str, usize>,
    /// Documents without figures, and what they print instead.
    pub without_figures: IndexMap<String, String>,
}

/// A figure as printed, and what is true.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct VerifiedFigure {
    /// The number of the rule, and which figure of it.
    pub id: String,
    /// The key of the document.
    pub source: String,
    /// Where in the document it stands.
    pub place: String,
    /// As printed.
    pub published: String,
    /// What it should be.
    #[schema(value_type = String, example = "7.7681229674%")]
    pub exact: WrittenNumber,
    /// The same exactly.
    pub exact_fraction: Exact,
    /// `matches`, `truncated`, `misprint`, `approximation` or `unexplained`.
    pub status: &'static str,
    /// What it is in words, with the computation that shows it; none where it is as it should be.
    #[schema(required)]
    pub note: Option<String>,
}

/// How many figures there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct VerifySummary {
    /// All of them.
    pub figures: usize,
    /// Those that are the exact value, rounded.
    pub matches: usize,
    /// Those that are something else that is known.
    pub explained: usize,
    /// Those that nothing explains.
    pub unexplained: usize,
}

/// Every figure of a document, or of all, beside the exact one.
///
/// # Errors
/// There is no such document.
pub fn answer(question: &VerifyQuestion, work: &Work) -> Result<VerifyAnswer, Faults> {
    let broken = |fault: FiguresFault| Faults::from(Fault::new("bad_figures", "source", fault.to_string()));
    let published = Published::parse(Published::TEXT).map_err(broken)?;
    let key = question.source.as_deref().map(|typed| known_key(&published, typed)).transpose()?;
    let figures = published.verify(key, &|sides| work.base_game(sides)).map_err(broken)?;

    let of = |status| figures.iter().filter(|figure| figure.status == status).count();
    let (matches, unexplained) = (of(Status::Matches), of(Status::Unexplained));
    let summary = VerifySummary {
        figures: figures.len(),
        matches,
        explained: figures.len() - matches - unexplained,
        unexplained,
    };
    let by_status = Status::ALL.iter().map(|status| (status.name(), of(*status))).collect();
    let without_figures = published
        .keys()
        .filter(|document| key.is_none_or(|key| key == *document))
        .filter_map(|document| Some((document.to_owned(), published.prints_none(document)?.to_owned())))
        .collect();
    let figures = figures.into_iter().map(VerifiedFigure::of).collect();
    Ok(VerifyAnswer { figures, summary, by_status, without_figures })
}

/// The key as the documents have it, however it was typed.
fn known_key<'a>(published: &'a Published, typed: &str) -> Result<&'a str, Faults> {
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
            place: figure.place,
            published: figure.printed.to_string(),
            exact: WrittenNumber { printed: figure.printed, value: figure.exact.clone() },
            exact_fraction: Exact(figure.exact),
            status: figure.status.name(),
            note: figure.note,
        }
    }
}
