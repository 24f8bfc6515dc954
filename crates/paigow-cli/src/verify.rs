//! `paigow verify`: every figure printed in the documents, beside the exact one.

use crate::answer::{Answer, Format, Sheet};
use crate::args::VerifyArgs;
use crate::numbers::DIGITS;
use crate::work::Work;
use crate::{Failure, print};
use paigow_math::{Figure, FiguresFault, Published, Status};
use serde_json::{Map, Value, json};
use std::io::Write;

impl From<FiguresFault> for Failure {
    fn from(fault: FiguresFault) -> Failure {
        Failure::Refused(fault.to_string())
    }
}

pub(crate) fn run(args: &VerifyArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let published = Published::parse(Published::TEXT)?;
    let work = Work::new(&args.work);
    let key = args.source.as_deref().map(|key| known_key(&published, key)).transpose()?;
    let figures = published.verify(key, &|sides| work.base_game(sides))?;
    print(&answer(&published, key, &figures), format, out)?;
    // The answer says which; the exit status says that there are some.
    let is_unexplained = |figure: &Figure| figure.status == Status::Unexplained;
    if figures.iter().any(is_unexplained) { Err(Failure::Reported) } else { Ok(()) }
}

/// The key as the documents have it, however it was typed.
fn known_key<'a>(published: &'a Published, typed: &str) -> Result<&'a str, Failure> {
    published.keys().find(|key| key.eq_ignore_ascii_case(typed)).ok_or_else(|| {
        let keys = published.keys().collect::<Vec<_>>().join(", ");
        Failure::Refused(format!("there is no document `{typed}`; the keys are {keys}"))
    })
}

fn answer(published: &Published, key: Option<&str>, figures: &[Figure]) -> Answer {
    let of = |status| figures.iter().filter(|figure| figure.status == status).count();
    let (matches, unexplained) = (of(Status::Matches), of(Status::Unexplained));
    let explained = figures.len() - matches - unexplained;
    let asked = |document: &&str| key.is_none_or(|key| key == *document);
    let none: Vec<(&str, &str)> = published
        .keys()
        .filter(asked)
        .filter_map(|document| Some((document, published.prints_none(document)?)))
        .collect();

    let json = json!({
        "figures": figures.iter().map(json_of).collect::<Vec<_>>(),
        "summary": {
            "figures": figures.len(),
            "matches": matches,
            "explained": explained,
            "unexplained": unexplained,
        },
        "by_status": Status::ALL.iter().map(|status| (status.name().to_owned(), of(*status).into())).collect::<Map<_, _>>(),
        "without_figures": none.iter().map(|(key, says)| ((*key).to_owned(), (*says).into())).collect::<Map<_, _>>(),
    });

    let mut sheets = Vec::new();
    if !figures.is_empty() {
        sheets.push(Sheet {
            title: format!(
                "{} figures: {matches} match, {explained} are explained, {unexplained} are not",
                figures.len()
            ),
            columns: vec!["figure", "printed", "exact", "status"],
            rows: figures
                .iter()
                .map(|figure| {
                    vec![
                        figure.id.as_str().into(),
                        figure.printed.to_string().into(),
                        figure.printed.write_finer(&figure.exact).into(),
                        figure.status.name().into(),
                    ]
                })
                .collect(),
        });
    }
    let notes: Vec<_> = figures
        .iter()
        .filter_map(|figure| Some(vec![figure.id.as_str().into(), figure.note.as_deref()?.into()]))
        .collect();
    if !notes.is_empty() {
        let title = "What is printed where it is not the exact value rounded".to_owned();
        sheets.push(Sheet { title, columns: vec!["figure", "what it is"], rows: notes });
    }
    if !none.is_empty() {
        sheets.push(Sheet {
            title: "Documents without such figures".to_owned(),
            columns: vec!["document", "because"],
            rows: none.iter().map(|(key, says)| vec![(*key).into(), (*says).into()]).collect(),
        });
    }
    Answer { json, sheets }
}

fn json_of(figure: &Figure) -> Value {
    json!({
        "id": figure.id,
        "source": figure.source,
        "place": figure.place,
        "published": figure.printed.to_string(),
        "exact": figure.printed.write_to(&figure.exact, DIGITS),
        "exact_fraction": figure.exact.to_string(),
        "status": figure.status.name(),
        "note": figure.note,
    })
}
