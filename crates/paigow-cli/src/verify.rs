//! `paigow verify`: compares every figure printed in the documents with the exact value.

use crate::answer::{Answer, Format, Sheet};
use crate::args::VerifyArgs;
use crate::{Failure, bar, print};
use paigow_answers::verify::{self, VerifyAnswer, VerifyQuestion};
use std::io::Write;

pub(crate) fn run(args: &VerifyArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let work = bar::work(&args.work);
    let verified = verify::answer(&VerifyQuestion { source: args.source.clone() }, &work)?;
    print(&Answer::new(&verified, sheets(&verified))?, format, out)?;
    // The answer lists the unexplained figures. The exit status reports that there are any.
    if verified.summary.unexplained > 0 { Err(Failure::Reported) } else { Ok(()) }
}

fn sheets(verified: &VerifyAnswer) -> Vec<Sheet> {
    let VerifyAnswer { figures, summary, without_figures, .. } = verified;
    let mut sheets = Vec::new();
    if !figures.is_empty() {
        sheets.push(Sheet {
            title: format!(
                "{} figures: {} match, {} explained, {} unexplained",
                summary.figures, summary.matches, summary.explained, summary.unexplained
            ),
            columns: vec!["figure", "printed", "exact", "status"],
            rows: figures
                .iter()
                .map(|figure| {
                    vec![
                        figure.id.as_str().into(),
                        figure.published.as_str().into(),
                        figure.exact.printed.format_finer(&figure.exact.value).into(),
                        figure.status.into(),
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
        let title = "Figures that differ from the rounded exact value".to_owned();
        sheets.push(Sheet { title, columns: vec!["figure", "explanation"], rows: notes });
    }
    if !without_figures.is_empty() {
        sheets.push(Sheet {
            title: "Documents without figures".to_owned(),
            columns: vec!["document", "note"],
            rows: without_figures
                .iter()
                .map(|(key, says)| vec![key.as_str().into(), says.as_str().into()])
                .collect(),
        });
    }
    sheets
}
