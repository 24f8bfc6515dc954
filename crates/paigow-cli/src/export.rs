//! `paigow export`: prints stored rounds or transfers for other programs.

use crate::answer::{Answer, Format, Sheet};
use crate::args::{ExportArg, ExportArgs};
use crate::replay::archived_rounds;
use crate::store::{open_store, refused, rules_cache};
use crate::{Failure, print, print_error};
use paigow_server::{
    ArchiveRow, BlockingStore, JOURNAL_COLUMNS, LINE_COLUMNS, RulesCache, csv_row, journal_fields,
    journal_json, line_fields, records_after,
};
use paigow_table::TableId;
use serde_json::{Value, json};
use std::io::Write;

/// Number of transfers read per query.
const PAGE: u32 = 1_000;

pub(crate) fn run(args: &ExportArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let only: Option<TableId> =
        args.table.as_ref().map(|table| table.parse().map_err(refused)).transpose()?;
    let columns: &[&'static str] = match args.what {
        ExportArg::Rounds => &LINE_COLUMNS,
        ExportArg::Journal => &JOURNAL_COLUMNS,
    };
    let mut sink = Sink { format, out, rows: Vec::new() };
    if format == Format::Csv {
        sink.csv(columns)?;
    }
    let rules = rules_cache(&args.books)?;
    let store = open_store(&args.store.store)?;
    let archived = match args.what {
        ExportArg::Rounds => rounds(&store, &rules, only.as_ref(), &mut sink)?,
        ExportArg::Journal => {
            journal(&store, only.as_ref(), &mut sink)?;
            let archives = store.archives().map_err(refused)?;
            let count = |row: &ArchiveRow| {
                format!("{} transfers of {} rounds", row.counts.transfers, row.counts.rounds)
            };
            archives.iter().map(count).collect()
        }
    };
    sink.out.flush()?;
    if !archived.is_empty() {
        let files: Vec<String> = store.archives().map_err(refused)?.into_iter().map(|row| row.file).collect();
        print_error(&format!("not exported: {}, archived in {}", archived.join(", "), files.join(", ")));
    }
    if matches!(format, Format::Json | Format::Csv) {
        return Ok(());
    }
    let rows = sink.rows.into_iter().map(|row| row.into_iter().map(Into::into).collect()).collect();
    let title = match args.what {
        ExportArg::Rounds => "Rounds",
        ExportArg::Journal => "Journal",
    };
    let sheet = Sheet { title: title.to_owned(), columns: columns.to_vec(), rows };
    print(&Answer { json: json!(null), sheets: vec![sheet] }, format, sink.out)
}

/// Output of records. JSON and CSV are streamed; tables and Markdown are printed at the end.
struct Sink<'o, W> {
    format: Format,
    out: &'o mut W,
    rows: Vec<Vec<String>>,
}

impl<W: Write> Sink<'_, W> {
    fn add(
        &mut self,
        json: impl FnOnce() -> Value,
        rows: impl FnOnce() -> Vec<Vec<String>>,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Json => writeln!(self.out, "{}", json())?,
            Format::Csv => {
                for row in rows() {
                    self.csv(&row)?;
                }
            }
            Format::Table | Format::Markdown => self.rows.extend(rows()),
        }
        Ok(())
    }

    fn csv(&mut self, fields: &[impl AsRef<str>]) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{}", csv_row(fields))?)
    }
}

/// Exports the rounds of the store. Returns the archived rounds, which are not in it.
fn rounds(
    store: &BlockingStore,
    rules: &RulesCache,
    only: Option<&TableId>,
    sink: &mut Sink<'_, impl Write>,
) -> Result<Vec<String>, Failure> {
    let mut archived = Vec::new();
    for head in store.tables().map_err(refused)? {
        if only.is_some_and(|only| *only != head.table) {
            continue;
        }
        let (start, rows) = store.events(&head.table).map_err(refused)?;
        if let Some(last) = archived_rounds(start.as_ref()) {
            archived.push(format!("rounds 1 to {last} of table {}", head.table));
        }
        for record in records_after(&head.table, start.as_ref(), &rows, rules).map_err(refused)? {
            sink.add(|| json!(record), || line_fields(&record))?;
        }
    }
    Ok(archived)
}

fn journal(
    store: &BlockingStore,
    only: Option<&TableId>,
    sink: &mut Sink<'_, impl Write>,
) -> Result<(), Failure> {
    let mut after = 0;
    loop {
        let page = store.journal(after, PAGE).map_err(refused)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.seq;
        for row in page.iter().filter(|row| only.is_none() || row.table.as_ref() == only) {
            sink.add(|| journal_json(row), || vec![journal_fields(row)])?;
        }
    }
}
