//! `paigow rules`: a book in plain words, with citations.

use crate::Failure;
use crate::answer::{Answer, Cell, Sheet};
use crate::args::RulesArgs;
use crate::files::Files;
use paigow::rulebook::{Sentence, SideWager};
use paigow::{Paytable, Rulebook};
use paigow_answers::rules::{self, Rules, RulesQuestion};

/// The canonical form of the rules, byte for byte as it is hashed.
pub(crate) fn canonical(args: &RulesArgs) -> Result<String, Failure> {
    Ok(rules::posted(&question(args), &Files)?.canonical())
}

fn question(args: &RulesArgs) -> RulesQuestion {
    RulesQuestion { book: args.book.clone(), changes: args.changes.changes() }
}

pub(crate) fn answer(args: &RulesArgs) -> Result<Answer, Failure> {
    let posting = rules::posted(&question(args), &Files)?;
    let (book, rules) = (posting.book(), Rules::of(&posting));
    let sentences = book.sentences();

    let mut sheets = vec![Sheet {
        title: format!("{}\n{}; {}", book.title, book.source, in_force(book)),
        columns: vec!["rule", "says"],
        rows: book
            .duties
            .iter()
            .map(|duty| vec![duty.key.as_str().into(), duty.says.as_str().into()])
            .collect(),
    }];
    sheets.push(sentence_sheet("The table", &sentences));
    for wager in &book.wagers {
        let offered = if wager.offered { "" } else { ", not offered" };
        sheets.push(sentence_sheet(&format!("{}{offered}", wager.title), &wager.sentences()));
        sheets.extend(wager.paytables.iter().map(|table| paytable_sheet(wager, table)));
    }
    sheets.push(Sheet {
        title: format!("The house way of {} ({})", book.house_way.title(), book.house_way.source()),
        columns: vec!["clause", "says", "cite"],
        rows: (1u64..)
            .zip(book.house_way.clauses())
            .map(|(i, clause)| vec![i.into(), clause.says.as_str().into(), clause.cite.as_str().into()])
            .collect(),
    });
    if !book.glossary.is_empty() {
        sheets.push(Sheet {
            title: "Words".to_owned(),
            columns: vec!["word", "means", "cite"],
            rows: book
                .glossary
                .iter()
                .map(|entry| {
                    vec![entry.key.as_str().into(), entry.says.as_str().into(), entry.cite.as_str().into()]
                })
                .collect(),
        });
    }
    sheets.push(Sheet {
        title: format!("Assumed, because no document says it: {} values", book.assumptions.len()),
        columns: vec!["value", "because"],
        rows: book
            .assumptions
            .iter()
            .map(|(path, reason)| vec![path.as_str().into(), reason.as_str().into()])
            .collect(),
    });
    sheets.push(Sheet {
        title: "What a table is opened with".to_owned(),
        columns: vec!["what", "is"],
        rows: vec![
            vec!["digest of the rules".into(), rules.digest.as_str().into()],
            vec!["program".into(), rules.program.into()],
            vec!["descriptive, outside the digest".into(), rules.descriptive.join(", ").into()],
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
        columns: vec!["about", "says", "cite"],
        rows: sentences
            .iter()
            .map(|s| vec![s.topic.into(), s.says.as_str().into(), s.cite.as_str().into()])
            .collect(),
    }
}

fn paytable_sheet(wager: &SideWager, table: &Paytable) -> Sheet {
    let also = table.also.as_ref().map(|also| format!(", also {also}")).unwrap_or_default();
    let not = if table.available { "" } else { ", not available" };
    let joker = match table.joker {
        paigow::Joker::SemiWild => "",
        paigow::Joker::FullyWild => ", joker fully wild",
    };
    Sheet {
        title: format!("{}, paytable {}{also}{joker}{not} ({})", wager.title, table.name, table.cite),
        columns: vec!["hand", "pays", "envy"],
        rows: table
            .rows
            .iter()
            .map(|row| {
                let envy = row.envy.map(|amount| format!("${amount:#}")).unwrap_or_default();
                vec![Cell::Text(wager.row_title(row)), row.pays.to_string().into(), envy.into()]
            })
            .collect(),
    }
}
