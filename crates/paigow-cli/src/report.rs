//! `paigow report`: writes the game report of a book to a folder, or compares two reports.

mod folder;

use crate::answer::{Answer, Cell, Sheet};
use crate::args::ReportArgs;
use crate::numbers::percent;
use crate::{Failure, bar};
use folder::ReportFolder;
use paigow_answers::Faults;
use paigow_answers::files::Files;
use paigow_answers::report::{
    self, ChangedFigure, ChangedRule, GameReport, ReportComparison, ReportProgram, ReportQuestion,
    ReportRequest, StoredReport,
};
use serde_json::json;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

pub(crate) fn answer(args: &ReportArgs) -> Result<Answer, Failure> {
    if let [before, after] = &args.compare[..] {
        return compare(before, after);
    }
    // The command line requires both unless two reports are compared.
    let (Some(book), Some(out)) = (&args.book, &args.out) else {
        return Err(Failure::Refused("a report needs a book and --out FOLDER".to_owned()));
    };
    let question = ReportQuestion {
        book: book.clone(),
        house_way: args.house_way.clone(),
        changes: args.changes.changes(),
        rounds: Some(args.rounds),
        seed: Some(args.seed),
        ..ReportQuestion::default()
    };
    let request = ReportRequest::of(&question, program(), &Files)?;
    // Checking the folder first reports an error before the long computation.
    let folder = ReportFolder::at(out)?;
    let report = request.answer(&bar::work(&args.work));
    let files = report.files();
    folder.write(&files)?;
    Ok(summary(&report, &files))
}

/// The program as reports name it.
fn program() -> ReportProgram {
    ReportProgram { version: paigow_server::VERSION.to_owned(), commit: paigow_server::COMMIT.to_owned() }
}

fn summary(report: &GameReport, files: &[report::ReportFile]) -> Answer {
    let plays = report.base_game.plays.iter().map(|play| {
        let name = format!("pai-gow, {}, {}", play.side, play.play.replace('_', " "));
        vec![name.into(), "".into(), percent(&play.edge.0, 6).into(), play.edge_exact.0.to_string().into()]
    });
    let wagers = report.wagers.iter().map(|wager| {
        let odds = &wager.odds;
        vec![
            odds.wager.as_str().into(),
            odds.paytable.as_str().into(),
            percent(&odds.edge.0, 6).into(),
            odds.edge_exact.0.to_string().into(),
        ]
    });
    let figures = Sheet {
        title: format!("Game report of {}, {} figures", report.title, report.figures.len()),
        columns: vec!["wager", "paytable", "edge", "exact"],
        rows: plays.chain(wagers).collect(),
    };
    let written = Sheet {
        title: "Files of the report".to_owned(),
        columns: vec!["file", "bytes"],
        rows: files.iter().map(|file| vec![file.name.into(), (file.text.len() as u64).into()]).collect(),
    };
    let digests = files.last().and_then(|file| serde_json::from_str(&file.text).ok());
    Answer {
        json: json!({ "book": report.book, "figures": report.figures.len(), "digests": digests.unwrap_or(json!(null)) }),
        sheets: vec![figures, written],
    }
}

/// Maximum length of a file of a report. Reports of the built-in books have a few megabytes.
const BYTES_MAX: u64 = 64_000_000;

fn compare(before: &Path, after: &Path) -> Result<Answer, Failure> {
    let read = |folder: &PathBuf| {
        StoredReport::read(&folder.display().to_string(), |name| {
            let file = File::open(folder.join(name)).map_err(|error| error.to_string())?;
            let mut bytes = Vec::new();
            file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
            if bytes.len() as u64 > BYTES_MAX {
                return Err(format!("longer than {BYTES_MAX} bytes"));
            }
            Ok(bytes)
        })
    };
    let (before, after) = match (read(&before.to_owned()), read(&after.to_owned())) {
        (Ok(before), Ok(after)) => (before, after),
        (one, other) => {
            let faults = [one, other].into_iter().filter_map(Result::err).flat_map(|faults| faults.faults);
            return Err(Failure::Faults(Faults { faults: faults.collect() }));
        }
    };
    let comparison = report::compare(&before, &after);
    let mut sheets = vec![heads(&comparison)];
    if !comparison.rules.is_empty() {
        sheets.push(rules("Changed rules", &comparison.rules));
    }
    if !comparison.citations.is_empty() {
        sheets.push(rules("Rules whose citation alone changed", &comparison.citations));
    }
    if !comparison.figures.is_empty() {
        sheets.push(figures(&comparison.figures));
    }
    Ok(Answer::new(&comparison, sheets)?)
}

fn heads(comparison: &ReportComparison) -> Sheet {
    let result = if comparison.equal {
        format!("The reports are equal: the same rules and {} equal figures", comparison.equal_figures)
    } else {
        format!(
            "Changed rules: {}, changed figures: {}, equal figures: {}",
            comparison.rules.len(),
            comparison.figures.len(),
            comparison.equal_figures
        )
    };
    let row = |name: &str, report: &report::ComparedReport| {
        vec![
            name.into(),
            report.title.as_str().into(),
            report.program.as_str().into(),
            report.digest.as_str().into(),
        ]
    };
    Sheet {
        title: result,
        columns: vec!["report", "book", "program", "digest of all rule values"],
        rows: vec![row("A", &comparison.before), row("B", &comparison.after)],
    }
}

fn or_none(text: Option<&String>) -> Cell {
    Cell::shown(text.map_or("–", String::as_str), text.map_or("", String::as_str))
}

fn rules(title: &str, changed: &[ChangedRule]) -> Sheet {
    let row = |rule: &ChangedRule| {
        let cite = rule.cite_after.as_ref().or(rule.cite_before.as_ref());
        vec![
            rule.path.as_str().into(),
            or_none(rule.before.as_ref()),
            or_none(rule.after.as_ref()),
            or_none(cite),
        ]
    };
    Sheet {
        title: title.to_owned(),
        columns: vec!["value", "A", "B", "cite"],
        rows: changed.iter().map(row).collect(),
    }
}

fn figures(changed: &[ChangedFigure]) -> Sheet {
    let row = |figure: &ChangedFigure| {
        vec![
            figure.figure.as_str().into(),
            or_none(figure.before.as_ref()),
            or_none(figure.after.as_ref()),
            or_none(figure.difference.as_ref()),
            or_none(figure.difference_exact.as_ref()),
        ]
    };
    Sheet {
        title: "Changed figures".to_owned(),
        columns: vec!["figure", "A", "B", "difference", "exact difference"],
        rows: changed.iter().map(row).collect(),
    }
}
