//! `paigow archive`: moves old rounds of a store into a signed file.

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::args::ArchiveArgs;
use crate::bar::start_bar;
use crate::store::{refused, rules_cache};
use crate::{Failure, print, print_error};
use paigow_server::{
    ArchiveError, ArchiveOptions, ArchiveOutcome, ArchiveReport, COMMIT, Environment, SystemEnvironment,
    VERSION, archive, read_master_keys,
};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(args: &ArchiveArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let quiet = args.quiet;
    let progress = move |step: &str, parts| start_bar(step, parts, quiet);
    let options = ArchiveOptions {
        store: &args.store.store,
        out: &args.out,
        days: args.older_than,
        now: SystemEnvironment.now(),
        rules: rules_cache(&args.books)?,
        keys: Arc::new(read_master_keys(&args.key_file).map_err(refused)?),
        progress: &progress,
    };
    let ArchiveOutcome { resumed, recorded_before, report } = match archive(&options) {
        Ok(outcome) => outcome,
        // Nothing to do is no failure of a job that runs every month.
        Err(nothing @ ArchiveError::Nothing { .. }) => {
            let json =
                json!({ "store": args.store.store.to_string(), "file": null, "counts": { "rounds": 0 } });
            print(&Answer { json, sheets: Vec::new() }, format, out)?;
            out.flush()?;
            print_error(&nothing.to_string());
            return Ok(());
        }
        Err(error) => return Err(refused(error)),
    };
    let mut json = json!({
        "store": args.store.store.to_string(),
        "resumed": resumed,
        "recorded_before": recorded_before,
        "version": VERSION,
        "commit": COMMIT,
    });
    extend(&mut json, &args.out, &report);
    let title = if recorded_before { "Archived before" } else { "Archived" };
    let answer = Answer { json, sheets: sheets(title, &args.out, &report) };
    print(&answer, format, out)?;
    out.flush()?;
    print_error(&format!(
        "the rounds are now only in {}: keep copies of it, and of the key file. `paigow audit --archive` audits it.",
        args.out.display()
    ));
    Ok(())
}

/// Adds the report of an archive to a JSON object.
pub(crate) fn extend(json: &mut Value, file: &Path, report: &ArchiveReport) {
    if let (Some(all), Ok(Value::Object(rest))) = (json.as_object_mut(), serde_json::to_value(report)) {
        all.insert("file".to_owned(), file.display().to_string().into());
        all.extend(rest);
    }
}

/// Lists the contents of an archive.
pub(crate) fn sheets(title: &str, file: &Path, report: &ArchiveReport) -> Vec<Sheet> {
    let ArchiveReport { counts, header, .. } = report;
    let signed = match report.signed {
        Some(true) => "by a given key",
        Some(false) => "by another key",
        None => "not compared with a key",
    };
    let texts = [
        ("digest", String::from(report.digest)),
        ("number", header.number.to_string()),
        ("written by", format!("paigow {}", header.program)),
        ("public key of the signature", String::from(header.key)),
        ("signed", signed.to_owned()),
    ];
    let counts = [
        ("tables", counts.tables),
        ("blocks", counts.blocks),
        ("rounds", counts.rounds),
        ("events", counts.events),
        ("commands", counts.commands),
        ("transfers", counts.transfers),
        ("findings", report.findings.len() as u64),
    ];
    let texts = texts.into_iter().map(|(name, text)| vec![Cell::from(name), text.into()]);
    let counts = counts.into_iter().map(|(name, count)| vec![Cell::from(name), count.into()]);
    let ranges = report.tables.iter().map(|range| {
        vec![
            range.table.to_string().into(),
            range.first_round.into(),
            range.last_round.into(),
            range.seq.into(),
            String::from(range.hash).into(),
        ]
    });
    vec![
        Sheet {
            title: format!("{title}: {}", file.display()),
            columns: vec!["archive", "value"],
            rows: texts.chain(counts).collect(),
        },
        Sheet {
            title: "Tables in the archive".to_owned(),
            columns: vec!["table", "first round", "last round", "last event", "hash"],
            rows: ranges.collect(),
        },
    ]
}
