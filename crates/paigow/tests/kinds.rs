//! Every value of a book is fixed by its document, an option of the house or assumed, and says where it comes from.

#![allow(clippy::unwrap_used)] // a book that cannot be read has failed

use paigow::Rulebook;
use paigow::document::{Problem, Source, ValueKind};
use paigow::rulebook::{BuiltIn, Departure, KindCounts, LoadError, RULE_BOOK_SPEC};
use std::collections::BTreeSet;

fn book(name: &str, changes: &[(&str, &str)]) -> Rulebook {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    match Rulebook::load(name, &changes, &BuiltIn) {
        Ok(book) => book,
        Err(LoadError::Problems(problems)) => {
            panic!("{}", problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))
        }
        Err(error) => panic!("{error}"),
    }
}

/// A citation names a place of the document itself beside our own keys, such as `SD-5`.
fn names_a_place(cite: &str) -> bool {
    let is_key = |word: &str| {
        let word = word.trim_matches([',', ';', '.', ':', '(', ')']);
        word.split_once('-').is_some_and(|(book, number)| {
            ["SD", "WA", "CA", "SB", "EZ"].contains(&book) && number.chars().all(|c| c.is_ascii_digit())
        })
    };
    cite.split_whitespace().any(|word| !is_key(word))
}

#[test]
fn every_value_says_where_it_comes_from() {
    for name in BuiltIn::book_names() {
        let book = book(name, &[]);
        for value in book.values() {
            let (path, from) = (&value.path, &value.provenance);
            match from.kind {
                ValueKind::Fixed | ValueKind::Option => {
                    let cite = from.cite.as_deref().unwrap_or_default();
                    assert!(names_a_place(cite), "{name} {path}: `{cite}` names no place of the document");
                }
                ValueKind::Assumed => {
                    let because = from.because.as_deref().unwrap_or_default();
                    assert!(because.split_whitespace().count() >= 3, "{name} {path}: `{because}`");
                }
            }
        }
        for entry in book.glossary.iter().chain(&book.duties).chain(&book.notes) {
            assert!(names_a_place(&entry.cite), "{name} {}: {}", entry.key, entry.cite);
        }
    }
}

/// The totals that `paigow rules` prints. A value that is added or changes its kind changes them.
#[test]
fn the_books_have_so_many_values_of_each_kind() {
    let counts = |name: &str| {
        let KindCounts { fixed, options, assumed } = book(name, &[]).kinds();
        (fixed, options, assumed)
    };
    assert_eq!(counts("south-dakota"), (12, 5, 26));
    assert_eq!(counts("washington"), (21, 9, 28));
    assert_eq!(counts("california"), (35, 9, 17));
    assert_eq!(counts("south-beach"), (20, 0, 24));
    assert_eq!(counts("ez"), (27, 9, 31));
}

/// No sentence and no line can show a value without its kind.
#[test]
fn every_sentence_has_the_kind_of_its_value() {
    for name in BuiltIn::book_names() {
        let book = book(name, &[]);
        let known: BTreeSet<String> = book.values().into_iter().map(|value| value.path).collect();
        let wagers = book.wagers.iter().flat_map(|wager| book.wager_sentences(wager));
        for sentence in book.sentences().into_iter().chain(wagers) {
            let listed = known.contains(&sentence.value);
            // A value that the file leaves out has the citation of its table.
            let optional = RULE_BOOK_SPEC.paths().iter().any(|(path, field)| {
                let of_wager =
                    path.strip_prefix("wagers.NAME.").is_some_and(|rest| sentence.value.ends_with(rest));
                !field.required && (*path == sentence.value || of_wager)
            });
            assert!(listed || optional, "{name}: {} is about {}", sentence.says, sentence.value);
            let kind = sentence.provenance.kind;
            let said = sentence.provenance.to_string();
            assert_eq!(said.starts_with("assumed: "), kind == ValueKind::Assumed, "{name}: {said}");
        }
    }
}

fn departures(name: &str, key: &str, value: &str) -> Vec<Departure> {
    Rulebook::departures_of(name, &[(key.to_owned(), value.to_owned())], &BuiltIn).unwrap()
}

#[track_caller]
fn check_fixed(name: &str, key: &str, value: &str, cite: &str) {
    let found = departures(name, key, value);
    let [departure] = &found[..] else { panic!("{key}={value}: {found:?}") };
    let says = departure.to_string();
    assert!(says.contains(key) && says.contains(cite), "{says}");
}

#[test]
fn what_a_document_fixes_is_named_when_it_is_changed() {
    check_fixed("washington", "wagers.fortune.paytables.FPG-08.available", "true", "THIS IS NOT AVAILABLE");
    check_fixed("ez", "base_game.dealer_push", "[]", "introduction");
    let rows = "[{ hand = \"flush\", pays = 4, envy = \"5.00\" }]";
    check_fixed("south-dakota", "wagers.fortune.paytables.1.pays", rows, "paragraph (8)");
    check_fixed("california", "banking.rounds_running_max", "3", "Round of Play");
    check_fixed("south-beach", "wagers.fortune.payout_max.amount", "100.00", "20000.00");
}

#[test]
fn kinds_and_names_cannot_be_changed_either() {
    for (key, value) in [
        ("wagers.fortune.paytables.1.assumed.pays", "a trick"),
        ("wagers.fortune.envy.assumed.from", "a trick"),
        (
            "wagers.fortune.paytables.9",
            "{ pays = [{ hand = \"flush\", pays = 9, envy = \"5.00\" }], cite = \"x\" }",
        ),
        ("title", "Another game"),
        ("terms.banker", "house"),
    ] {
        assert!(!departures("south-dakota", key, value).is_empty(), "{key}");
    }
}

#[test]
fn options_and_assumptions_are_open_within_their_range() {
    for (name, key, value) in [
        ("ez", "dealing.spots", "active"),
        ("ez", "wagers.dynasty.offered", "false"),
        ("ez", "dealing.dealer_hand", "after_first_seat"),
        ("washington", "wagers.fortune.payout_max.amount", "75.00"),
        ("california", "base_game.limits.max", "77.00"),
        ("california", "base_game.copies", "player"),
        ("california", "banking.pays_from", "reserved"),
        // What the book says already is no change.
        ("south-dakota", "wagers.fortune.envy.from", "5.00"),
    ] {
        assert_eq!(departures(name, key, value), [], "{name} {key}");
    }
    let out_of_range = departures("ez", "seats.players", "5");
    assert_eq!(out_of_range, [], "from 1 to 6");
    check_fixed("california", "banking.pays_from", "guaranteed", "put_up or reserved");
    check_fixed("south-dakota", "ranking.joker", "fully_wild", "semi_wild");
}

fn extension(text: &str) -> Result<Rulebook, Vec<String>> {
    let source = Source::new("own.toml", format!("extends = \"ez\"\nchecked_on = \"2026-11-16\"\n{text}"));
    Rulebook::parse("own", &source, &[], &BuiltIn)
        .map_err(|problems| problems.iter().map(Problem::to_string).collect())
}

#[test]
fn a_book_that_changes_what_is_fixed_cites_it_and_has_its_own_title() {
    let problems = extension("[base_game]\ndealer_push = []\n").unwrap_err();
    assert!(problems.iter().any(|it| it.contains("`dealer_push` and does not say where")), "{problems:?}");
    assert!(problems.iter().any(|it| it.contains("has the title of the book it extends")), "{problems:?}");

    let own = extension(
        "title = \"House EZ\"\nsource = \"The house\"\n[base_game]\ndealer_push = []\ncite = \"sign 4\"\n",
    );
    let own = own.unwrap();
    assert_eq!(own.title, "House EZ");
    let cite = |path: &[&str]| own.provenance(path).unwrap().to_string();
    assert_eq!(cite(&["base_game", "dealer_push"]), "sign 4");
    assert!(cite(&["base_game", "copies"]).contains("step 12"), "what stays keeps its citation");

    // Neither what is left out, nor what is opened, keeps the title of the document's game.
    for text in [
        "without = [\"base_game.dealer_push\"]\n",
        "[base_game]\noption.dealer_push = \"the house\"\n",
        "title = \"EZ Pai Gow\"\nwithout = [\"base_game.dealer_push\"]\n",
    ] {
        let problems = extension(text).unwrap_err();
        assert!(
            problems.iter().any(|it| it.contains("has the title of the book it extends")),
            "{text}: {problems:?}"
        );
    }

    // An option needs no citation of its own, and stays an option.
    let own = extension("[dealing]\nspots = \"active\"\n").unwrap();
    assert_eq!(own.provenance(&["dealing", "spots"]).unwrap().kind, ValueKind::Option);
    assert_eq!(own.title, "EZ Pai Gow");
}
