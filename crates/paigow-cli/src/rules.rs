//! `paigow rules`: prints the rules of a book as sentences, with citations.

use crate::Failure;
use crate::answer::{Answer, Cell, Sheet};
use crate::args::RulesArgs;
use paigow::document::ValueKind;
use paigow::rulebook::{BookValue, Sentence, SideWager};
use paigow::{Paytable, Rulebook};
use paigow_answers::ChangedValue;
use paigow_answers::files::Files;
use paigow_answers::rules::{self, RulesAnswer, RulesQuestion};

/// Returns the canonical form of the rules, exactly the bytes that are hashed.
pub(crate) fn canonical(args: &RulesArgs) -> Result<String, Failure> {
    Ok(rules::table_rules(&question(args), &Files)?.canonical())
}

fn question(args: &RulesArgs) -> RulesQuestion {
    RulesQuestion { book: args.book.clone(), changes: args.changes.changes() }
}

pub(crate) fn answer(args: &RulesArgs) -> Result<Answer, Failure> {
    let table_rules = rules::table_rules(&question(args), &Files)?;
    let (book, rules) = (table_rules.book(), RulesAnswer::of(&table_rules));
    let sentences = book.sentences();

    let mut sheets: Vec<Sheet> = departures(&rules.departures).into_iter().collect();
    let kinds = book.kinds();
    sheets.push(Sheet {
        title: format!(
            "{}\n{}; {}\n{} values: {} fixed by the document, {} options of the house, {} assumed",
            book.title,
            book.source,
            in_force(book),
            kinds.fixed + kinds.options + kinds.assumed,
            kinds.fixed,
            kinds.options,
            kinds.assumed
        ),
        columns: vec!["rule", "text"],
        rows: book
            .duties
            .iter()
            .map(|duty| vec![duty.key.as_str().into(), duty.says.as_str().into()])
            .collect(),
    });
    sheets.push(sentence_sheet("The table", &sentences));
    for wager in &book.wagers {
        let offered = if wager.offered { "" } else { ", not offered" };
        sheets.push(sentence_sheet(&format!("{}{offered}", wager.title), &book.wager_sentences(wager)));
        sheets.extend(wager.paytables.iter().map(|table| paytable_sheet(book, wager, table)));
    }
    sheets.push(Sheet {
        title: format!("The house way of {} ({})", book.house_way.title(), book.house_way.source()),
        columns: vec!["clause", "text", "cite"],
        rows: (1u64..)
            .zip(book.house_way.clauses())
            .map(|(i, clause)| vec![i.into(), clause.says.as_str().into(), clause.cite.as_str().into()])
            .collect(),
    });
    for (title, columns, entries) in [
        ("Glossary", ["term", "definition", "cite"], &book.glossary),
        ("Other statements of the document", ["subject", "text", "cite"], &book.notes),
    ] {
        if !entries.is_empty() {
            sheets.push(Sheet {
                title: title.to_owned(),
                columns: columns.to_vec(),
                rows: entries
                    .iter()
                    .map(|entry| {
                        vec![
                            entry.key.as_str().into(),
                            entry.says.as_str().into(),
                            entry.cite.as_str().into(),
                        ]
                    })
                    .collect(),
            });
        }
    }
    let values = book.values();
    for kind in ValueKind::ALL {
        sheets.push(value_sheet(kind, &values));
    }
    sheets.push(Sheet {
        title: "Digest".to_owned(),
        columns: vec!["item", "value"],
        rows: vec![
            vec!["digest of the rules".into(), rules.digest.as_str().into()],
            vec!["program".into(), rules.program.into()],
            vec!["descriptive keys, not in the digest".into(), rules.descriptive.join(", ").into()],
        ],
    });
    Ok(Answer::new(&rules, sheets)?)
}

fn in_force(book: &Rulebook) -> String {
    let effective = book.effective.as_deref().map_or("undated".to_owned(), |day| format!("effective {day}"));
    format!("{effective}, compared with the document on {}", book.checked_on)
}

fn sentence_sheet(title: &str, sentences: &[Sentence]) -> Sheet {
    Sheet {
        title: title.to_owned(),
        columns: vec!["subject", "rule", "kind", "cite"],
        rows: sentences
            .iter()
            .map(|sentence| {
                let kind = sentence.provenance.kind.name();
                let cite = sentence.provenance.to_string();
                vec![sentence.topic.into(), sentence.says.as_str().into(), kind.into(), cite.into()]
            })
            .collect(),
    }
}

/// Sheet of the values of one kind, with the values that a house may choose.
fn value_sheet(kind: ValueKind, values: &[BookValue]) -> Sheet {
    let values: Vec<&BookValue> = values.iter().filter(|value| value.provenance.kind == kind).collect();
    let (title, last) = match kind {
        ValueKind::Fixed => ("Fixed by the document", "cite"),
        ValueKind::Option => ("Options of the house", "cite"),
        ValueKind::Assumed => ("Assumed, because the document is silent", "reason"),
    };
    let row = |value: &&BookValue| {
        let from = &value.provenance;
        let from = if kind == ValueKind::Assumed { &from.because } else { &from.cite };
        let mut row =
            vec![value.path.as_str().into(), Cell::shown(value.shown.as_str(), value.written.as_str())];
        if kind != ValueKind::Fixed {
            row.push(Cell::shown(value.may_be.as_str(), value.provenance.range.to_string()));
        }
        row.push(from.as_deref().unwrap_or_default().into());
        row
    };
    let mut columns = vec!["key", "value", "allowed", last];
    if kind == ValueKind::Fixed {
        columns.remove(2);
    }
    Sheet {
        title: format!("{title}: {} values", values.len()),
        columns,
        rows: values.iter().map(row).collect(),
    }
}

/// Sheet of the changed values that the document fixes, if there are any.
pub(crate) fn departures(departures: &[ChangedValue]) -> Option<Sheet> {
    (!departures.is_empty()).then(|| Sheet {
        title: "Not the document's game: the question changes values that the document fixes".to_owned(),
        columns: vec!["key", "changed to", "book value", "cite"],
        rows: departures
            .iter()
            .map(|departure| {
                let (book, cite) = (departure.book.as_deref(), departure.cite.as_deref());
                vec![
                    departure.value.as_str().into(),
                    departure.given.as_str().into(),
                    book.unwrap_or("none").into(),
                    cite.unwrap_or_default().into(),
                ]
            })
            .collect(),
    })
}

/// Returns the printed name of a paytable. A document with only one paytable may not name it.
pub(crate) fn paytable_name(table: &Paytable) -> String {
    table.printed_name().map_or("the paytable".to_owned(), |name| format!("paytable {name}"))
}

fn paytable_sheet(book: &Rulebook, wager: &SideWager, table: &Paytable) -> Sheet {
    let cite = book.provenance(&["wagers", &wager.name, "paytables", &table.name, "pays"]);
    let cite = cite.map(|from| from.to_string()).unwrap_or_default();
    let readings: Vec<Option<&str>> =
        (0..table.rows.len()).map(|row| book.reading(&wager.name, &table.name, row)).collect();
    let has_readings = readings.iter().any(Option::is_some);
    let also = table.also.as_ref().map(|also| format!(", also {also}")).unwrap_or_default();
    let available = if table.available { "" } else { ", not available" };
    let joker = match table.joker {
        paigow::Joker::SemiWild => "",
        paigow::Joker::FullyWild => ", joker fully wild",
    };
    Sheet {
        title: format!("{}, {}{also}{joker}{available} ({})", wager.title, paytable_name(table), cite),
        columns: if has_readings {
            vec!["hand", "pays", "envy", "assumed"]
        } else {
            vec!["hand", "pays", "envy"]
        },
        rows: table
            .rows
            .iter()
            .zip(readings)
            .map(|(row, reading)| {
                let envy = row.envy.map(|amount| format!("${amount:#}")).unwrap_or_default();
                let mut cells =
                    vec![Cell::Text(wager.row_title(row)), row.pays.to_string().into(), envy.into()];
                if has_readings {
                    cells.push(reading.unwrap_or_default().into());
                }
                cells
            })
            .collect(),
    }
}
