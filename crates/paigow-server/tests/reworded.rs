//! Rewording the sentences about rules and settlements and all texts of the books changes no stored byte and no digest.
//! Other sentences (refusals, problems, findings) cannot matter: a store contains no text but codes, names, cards, and
//! text entered by operators.
//!
//! This binary has a single test, because the rewording applies to the whole process.

#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

#[path = "../examples/history/coverage.rs"]
mod coverage;
#[path = "../examples/history/dealer_banks.rs"]
mod dealer_banks;
#[path = "../examples/history/documents.rs"]
mod documents;
#[path = "../examples/history/environment.rs"]
mod environment;
#[path = "../examples/history/operators.rs"]
mod operators;
#[path = "../examples/history/people.rs"]
mod people;
#[path = "../examples/history/play.rs"]
mod play;
#[path = "../examples/history/run.rs"]
mod run;
#[path = "../examples/history/seats_bank.rs"]
mod seats_bank;
#[path = "../examples/history/step.rs"]
mod step;
#[path = "../examples/history/summary.rs"]
mod summary;

use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{Rulebook, TableRules, parse_cards};
use paigow_server::{
    AccountRow, HoldRow, HouseLogPart, OperatorAct, PROGRAM, RulesCache, Sqlite, Store, StoreVisitor,
    TableRows, audit, records,
};
use paigow_table::TableId;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// Error of the history.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The built-in books and house ways with every descriptive text replaced.
#[derive(Clone, Copy)]
struct Reworded;

impl BookSource for Reworded {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.book(name, from).map(|book| reworded(&book))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from).map(|way| reworded(&way))
    }
}

/// Keys of books and house ways whose values are sentences, citations and titles.
const TEXTS: [&str; 9] =
    ["title", "source", "cite", "says", "means", "button", "because", "reading", "assumed"];

fn reworded(source: &Source) -> Source {
    let mut replaced = 0;
    let mut listed = false;
    let mut text = String::new();
    for line in source.text.lines() {
        if line.starts_with('[') {
            listed = line.ends_with(".option]") || line.ends_with(".assumed]");
        }
        text += &reworded_line(line, listed, &mut replaced);
        text.push('\n');
    }
    assert!(replaced > 20, "{}: only {replaced} texts", source.name);
    Source::new(source.name.clone(), text)
}

/// Returns a line with its texts replaced: strings after one of the keys, or listed in `cite`, `option` or `assumed`,
/// on the line or in a section.
fn reworded_line(line: &str, in_section: bool, replaced: &mut usize) -> String {
    let (mut output, mut rest) = (String::new(), line);
    let listed = line.starts_with("cite = {");
    let words = ["assumed.", "option.", "assumed =", "option ="];
    let entry = in_section || words.iter().any(|word| line.starts_with(word));
    while let Some((before, after)) = rest.split_once('"') {
        let mut escaped = false;
        let end = after.find(|letter| {
            let ends = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        });
        let end = end.unwrap_or(after.len());
        let key = before.strip_suffix(" = ").and_then(|key| key.rsplit([' ', '{', ',']).next());
        let whole = entry && output.is_empty() && !before.contains('{');
        output.push_str(before);
        if listed || whole || key.is_some_and(|key| TEXTS.contains(&key)) {
            *replaced += 1;
            output.extend(["\"other words, number ", &replaced.to_string(), "\""]);
        } else {
            output.extend(["\"", &after[..end], "\""]);
        }
        rest = after.get(end + 1..).unwrap_or_default();
    }
    output + rest
}

fn all_table_rules(book_source: &dyn BookSource) -> Vec<TableRules> {
    let book = |name| Rulebook::load(name, &[], book_source).unwrap();
    BuiltIn::book_names().map(|name| TableRules::new(Arc::new(book(name)), &[]).unwrap()).collect()
}

/// Returns every sentence about rules and side wagers, and every reason and citation of a settled line.
async fn sentences(
    store: &impl Store,
    book_source: impl BookSource + Copy + Send + Sync + 'static,
) -> Vec<String> {
    let mut sentences = Vec::new();
    for table_rules in all_table_rules(&book_source) {
        let book = table_rules.book();
        let book_sentences = book
            .sentences()
            .into_iter()
            .chain(book.wagers.iter().flat_map(|wager| book.wager_sentences(wager)));
        sentences
            .extend(book_sentences.flat_map(|sentence| [sentence.says, sentence.provenance.to_string()]));
    }
    for head in store.tables().await.unwrap() {
        let rows = store.events(&head.table, 0).await.unwrap();
        for round in records(&head.table, &rows, &RulesCache::new(book_source)).unwrap() {
            sentences.extend(round.lines.into_iter().flat_map(|line| [line.because, line.cite]));
        }
    }
    sentences
}

/// Whether a text is a code, a name, a list of cards or the program version.
fn is_code(text: &str) -> bool {
    let is_word =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/".contains(&byte));
    is_word(text) || text == PROGRAM || parse_cards(text, None).is_ok()
}

/// Collects the texts in a stored value that are not codes, with their keys.
fn texts(key: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) if !is_code(text) => found.push((key.to_owned(), text.clone())),
        Value::Array(items) => items.iter().for_each(|item| texts(key, item, found)),
        // The overrides of a table are values in the syntax of its book.
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(key, _)| *key != "changes");
            fields.for_each(|(key, value)| texts(key, value, found));
        }
        _ => {}
    }
}

/// All texts in events, commands and answers that are not codes.
#[derive(Default)]
struct Texts(Vec<(String, String)>);

impl StoreVisitor for Texts {
    fn damage(&mut self, message: String) {
        panic!("{message}");
    }

    fn table(&mut self, _: Option<&TableId>, rows: TableRows) {
        let events = rows.events.into_iter().map(|row| row.json);
        let commands = rows.commands.into_iter().flat_map(|row| [row.stored.body, row.stored.answer]);
        for json in events.chain(commands) {
            texts("", &serde_json::from_str(&json).unwrap(), &mut self.0);
        }
    }

    fn money(&mut self, _: Vec<AccountRow>, _: Vec<HoldRow>) {}

    fn acts(&mut self, _: Vec<OperatorAct>) {}

    fn house(&mut self, part: HouseLogPart) {
        let HouseLogPart::Log(entries) = part else { return };
        for entry in entries {
            texts("", &serde_json::from_str(&entry.json).unwrap(), &mut self.0);
        }
    }
}

async fn findings(store: &Sqlite, library: RulesCache) -> Vec<String> {
    let report = audit(store, library).await.unwrap();
    report.findings.iter().map(ToString::to_string).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rewording_changes_no_stored_byte_and_no_digest() {
    let folder = TempDir::new().unwrap();
    let store = |name: &str| Sqlite::open(&folder.path().join(name)).unwrap();
    let plain = store("plain.db");
    let expected = run::play_history(plain.clone()).await.unwrap();
    let digests: Vec<String> = all_table_rules(&BuiltIn).iter().map(TableRules::digest).collect();
    let before = sentences(&plain, BuiltIn).await;
    assert!(before.len() > 100 && before.iter().all(|sentence| !sentence.is_empty()));

    paigow::reword();
    let after = sentences(&plain, Reworded).await;
    let unchanged = before.iter().zip(&after).filter(|(before, after)| before == after);
    assert_eq!(unchanged.count(), 0, "some sentences are unchanged");
    assert_eq!(before.len(), after.len());
    assert_eq!(all_table_rules(&Reworded).iter().map(TableRules::digest).collect::<Vec<_>>(), digests);

    // The store contains no sentences except those that operators and players entered.
    let found = plain.walk(Texts::default()).await.unwrap().0;
    let is_entered = |key: &str| ["house_way_toml", "reason", "text"].contains(&key);
    assert!(found.iter().all(|(key, _)| is_entered(key)) && !found.is_empty(), "{found:?}");

    // The store written before the rewording, and that of version 0.0.0.
    assert_eq!(findings(&plain, RulesCache::new(Reworded)).await, [""; 0]);
    let old = folder.path().join("old.db");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/0.0.0/store.db"), &old).unwrap();
    assert_eq!(findings(&Sqlite::open(&old).unwrap(), RulesCache::new(Reworded)).await, [""; 0]);

    // The same history again. Every hash covers everything before it.
    let other = run::play_history(store("reworded.db")).await.unwrap();
    assert!(other == expected, "the reworded program stores different bytes");
}
