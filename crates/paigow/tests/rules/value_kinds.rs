//! Every value of a book is fixed by its document, an option of the house, or assumed, and has a citation or a reason.

use paigow::Rulebook;
use paigow::document::{FieldType, Problem, Source, ValueKind, ValueRange};
use paigow::rulebook::{BuiltIn, Departure, KindCounts, RULE_BOOK_SPEC};
use paigow_testkit::{owned_pairs, rulebook};
use std::collections::BTreeSet;

/// Whether a citation names a passage of the document, and not only our own keys such as `SD-5`.
fn names_a_passage(cite: &str) -> bool {
    let is_key = |word: &str| {
        let word = word.trim_matches([',', ';', '.', ':', '(', ')']);
        word.split_once('-').is_some_and(|(book, number)| {
            ["SD", "WA", "CA", "SB", "EZ"].contains(&book) && number.chars().all(|c| c.is_ascii_digit())
        })
    };
    cite.split_whitespace().any(|word| !is_key(word))
}

#[test]
fn every_value_has_a_citation_or_a_reason() {
    for name in BuiltIn::book_names() {
        let book = rulebook(name, &[]);
        for value in book.values() {
            let (path, from) = (&value.path, &value.provenance);
            match from.kind {
                ValueKind::Fixed | ValueKind::Option => {
                    let cite = from.cite.as_deref().unwrap_or_default();
                    assert!(
                        names_a_passage(cite),
                        "{name} {path}: `{cite}` names no passage of the document"
                    );
                }
                ValueKind::Assumed => {
                    let because = from.because.as_deref().unwrap_or_default();
                    assert!(because.split_whitespace().count() >= 3, "{name} {path}: `{because}`");
                }
            }
        }
        for entry in book.glossary.iter().chain(&book.duties).chain(&book.notes) {
            assert!(names_a_passage(&entry.cite), "{name} {}: {}", entry.key, entry.cite);
        }
    }
}

/// The totals that `paigow rules` prints. They change when a value is added or changes its kind.
#[test]
fn value_counts_of_each_kind() {
    let counts = |name: &str| {
        let KindCounts { fixed, options, assumed } = rulebook(name, &[]).kinds();
        (fixed, options, assumed)
    };
    assert_eq!(counts("south-dakota"), (13, 5, 26));
    assert_eq!(counts("washington"), (22, 10, 28));
    assert_eq!(counts("california"), (36, 12, 18));
    assert_eq!(counts("south-beach"), (20, 0, 25));
    assert_eq!(counts("ez"), (27, 9, 32));
}

/// Every sentence shows a known value together with its kind.
#[test]
fn every_sentence_has_the_kind_of_its_value() {
    for name in BuiltIn::book_names() {
        let book = rulebook(name, &[]);
        let known: BTreeSet<String> = book.values().into_iter().map(|value| value.path).collect();
        let wagers = book.wagers.iter().flat_map(|wager| book.wager_sentences(wager));
        for sentence in book.sentences().into_iter().chain(wagers) {
            let listed = known.contains(&sentence.value);
            // An optional value that the file omits has the citation of its table.
            let optional = RULE_BOOK_SPEC.paths().iter().any(|(path, field)| {
                let of_wager =
                    path.strip_prefix("wagers.NAME.").is_some_and(|rest| sentence.value.ends_with(rest));
                // Descriptive fields are not listed among the values but have a kind.
                (!field.required || field.descriptive) && (*path == sentence.value || of_wager)
            });
            assert!(listed || optional, "{name}: {} is about {}", sentence.says, sentence.value);
            let kind = sentence.provenance.kind;
            let provenance = sentence.provenance.to_string();
            let is_assumed = provenance.starts_with("assumed: ");
            assert_eq!(is_assumed, kind == ValueKind::Assumed, "{name}: {provenance}");
        }
    }
}

fn departures(name: &str, key: &str, value: &str) -> Vec<Departure> {
    Rulebook::departures_of(name, &owned_pairs(&[(key, value)]), &BuiltIn).unwrap()
}

#[track_caller]
fn check_fixed(name: &str, key: &str, value: &str, cite: &str) {
    let found = departures(name, key, value);
    let [departure] = &found[..] else { panic!("{key}={value}: {found:?}") };
    let message = departure.to_string();
    assert!(message.contains(key) && message.contains(cite), "{message}");
}

#[test]
fn changes_of_fixed_values_are_reported() {
    check_fixed("washington", "wagers.fortune.paytables.FPG-08.available", "true", "THIS IS NOT AVAILABLE");
    check_fixed("ez", "base_game.dealer_push", "[]", "introduction");
    let rows = "[{ hand = \"flush\", pays = 4, envy = \"5.00\" }]";
    check_fixed("south-dakota", "wagers.fortune.paytables.1.pays", rows, "paragraph (8)");
    check_fixed("california", "banking.rounds_running_max", "3", "Round of Play");
    check_fixed("south-beach", "wagers.fortune.payout_max.amount", "100.00", "20000.00");
}

#[test]
fn changes_of_kinds_and_names_are_reported() {
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
fn options_and_assumptions_may_change_within_their_range() {
    for (name, key, value) in [
        ("ez", "dealing.spots", "active"),
        ("ez", "wagers.dynasty.offered", "false"),
        ("ez", "dealing.dealer_hand", "after_first_seat"),
        ("washington", "wagers.fortune.payout_max.amount", "75.00"),
        ("california", "base_game.limits.max", "77.00"),
        ("california", "base_game.copies", "player"),
        ("california", "banking.pays_from", "reserved"),
        // Setting a value to its current value is not a change.
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
fn book_that_changes_fixed_values_needs_citation_title_and_source() {
    let problems = extension("[base_game]\ndealer_push = []\n").unwrap_err();
    assert!(
        problems.iter().any(|it| it.contains("`dealer_push` is changed without a citation")),
        "{problems:?}"
    );
    assert!(problems.iter().any(|it| it.contains("keeps the title of the book it extends")), "{problems:?}");

    assert!(problems.iter().any(|it| it.contains("keeps the source of the book it extends")), "{problems:?}");

    let own = extension(
        "title = \"House EZ\"\nsource = \"The house\"\n[base_game]\ndealer_push = []\ncite = \"sign 4\"\n",
    );
    let own = own.unwrap();
    assert_eq!(own.title, "House EZ");
    let cite = |path: &[&str]| own.provenance(path).unwrap().to_string();
    assert_eq!(cite(&["base_game", "dealer_push"]), "sign 4");
    assert!(cite(&["base_game", "copies"]).contains("step 12"), "unchanged values keep their citation");

    // A book that removes a fixed value, or makes it an option, must not keep the title.
    for text in [
        "without = [\"base_game.dealer_push\"]\n",
        "[base_game]\noption.dealer_push = \"the house\"\n",
        "title = \"EZ Pai Gow\"\nwithout = [\"base_game.dealer_push\"]\n",
    ] {
        let problems = extension(text).unwrap_err();
        assert!(
            problems.iter().any(|it| it.contains("keeps the title of the book it extends")),
            "{text}: {problems:?}"
        );
    }

    // A changed option needs no citation and stays an option.
    let own = extension("[dealing]\nspots = \"active\"\n").unwrap();
    assert_eq!(own.provenance(&["dealing", "spots"]).unwrap().kind, ValueKind::Option);
    assert_eq!(own.title, "EZ Pai Gow");
}

/// Parses a book that extends another, from its complete text.
fn own(text: &str) -> Result<Rulebook, Vec<String>> {
    Rulebook::parse("own", &Source::new("own.toml", text), &[], &BuiltIn)
        .map_err(|problems| problems.iter().map(Problem::to_string).collect())
}

const HEADING: &str = "title = \"House rules\"\nsource = \"The house\"\nchecked_on = \"2026-11-18\"\n";

#[track_caller]
fn check_refused(text: &str, message: &str) {
    let problems = own(text).map(|_| ()).unwrap_err();
    assert!(problems.iter().any(|problem| problem.contains(message)), "{text}: {problems:?}");
}

#[test]
fn changed_value_must_not_cite_the_extended_book() {
    let change = |cite: &str| {
        format!(
            "extends = \"california\"\n{HEADING}[base_game]\nbonus_wagers_settled = \"seat_by_seat\"\n\
             cite = {{ bonus_wagers_settled = \"{cite}\" }}\n"
        )
    };
    // The original citation, the same in another spelling, and the citation of another value.
    for cite in ["CA-6, Round of Play", "ca-6 round of play.", "CA-10, Glossary: Push"] {
        check_refused(&change(cite), "cites a passage of the extended book");
    }
    let own = own(&change("House memo 7, page 2")).unwrap();
    let from = own.provenance(&["base_game", "bonus_wagers_settled"]).unwrap();
    assert_eq!(from.to_string(), "House memo 7, page 2");
}

#[test]
fn book_that_changes_fixed_values_needs_source_and_date() {
    let rest = "[base_game]\ndealer_push = []\ncite = \"sign 4\"\n";
    check_refused(
        &format!("extends = \"ez\"\ntitle = \"House EZ\"\n{rest}"),
        "the source of the book it extends",
    );
    let heading = "title = \"House EZ\"\nsource = \"The house\"\n";
    check_refused(&format!("extends = \"ez\"\n{heading}{rest}"), "no date of comparison");
    // The effective date of the extended document is not inherited.
    let text = format!(
        "extends = \"south-dakota\"\n{HEADING}[wagers.fortune.envy]\nfrom = \"10.00\"\ncite = \"sign 4\"\n"
    );
    assert_eq!(rulebook("south-dakota", &[]).effective.as_deref(), Some("2012-12-03"));
    assert_eq!(own(&text).unwrap().effective, None);
}

#[test]
fn adding_or_removing_a_side_wager_needs_a_new_title() {
    let added = "[wagers.extra]\ntitle = \"Extra\"\nlooks_at = \"player_hand\"\nsettled_by = \"house\"\ndefault = \"a\"\ncite = \"x\"\n\
        [wagers.extra.limits]\nmin = \"1.00\"\nmax = \"2.00\"\ncite = \"x\"\n\
        [wagers.extra.paytables.a]\npays = [{ hand = \"royal_flush\", pays = 5 }]\ncite = \"x\"\n";
    let title = "keeps the title of the book it extends";
    check_refused(&format!("extends = \"south-dakota\"\n{added}"), title);
    check_refused("extends = \"ez\"\nwithout = [\"wagers.protection\"]\n", title);
    check_refused(
        "extends = \"ez\"\n[wagers.dynasty.payout_max]\namount = \"5.00\"\nper = \"hand\"\ncite = \"x\"\n",
        title,
    );
    let more = own(&format!("extends = \"south-dakota\"\n{HEADING}{added}")).unwrap();
    assert_eq!(more.wagers.len(), 2);
    let fewer = own(&format!("extends = \"ez\"\n{HEADING}without = [\"wagers.protection\"]\n")).unwrap();
    assert!(fewer.duties.iter().all(|duty| duty.key != "EZ-7"), "the duty is about a removed wager");
}

#[test]
fn duties_about_changed_values_are_dropped() {
    let opened = own(&format!(
        "extends = \"washington\"\n{HEADING}[wagers.fortune.paytables.FPG-08]\navailable = true\ncite = {{ available = \"sign 4\" }}\n"
    ));
    let opened = opened.unwrap();
    assert!(!opened.forbids_paytable("fortune", "FPG-08"));
    let keys: Vec<&str> = opened.duties.iter().map(|duty| duty.key.as_str()).collect();
    assert_eq!(keys, ["WA-1", "WA-2", "WA-3", "WA-5", "WA-6"]);
    let values = opened.values();
    let shown: Vec<_> = values.iter().filter(|value| value.path.contains("FPG-08")).collect();
    assert!(!shown.is_empty(), "no value of FPG-08 is listed");
    for value in shown {
        assert!(!value.provenance.to_string().contains("NOT AVAILABLE"), "{value:?}");
    }
    // A duty that the book itself defines stays.
    let restated = own(&format!(
        "extends = \"washington\"\n{HEADING}[wagers.fortune.paytables.FPG-08]\navailable = true\ncite = {{ available = \"sign 4\" }}\n\
         [duties.WA-4]\nsays = \"FPG-08 may be posted.\"\ncite = \"sign 4\"\n"
    ));
    let restated = restated.unwrap();
    assert!(restated.duties.iter().any(|duty| duty.says == "FPG-08 may be posted."));
}

/// The allowed values that `paigow rules` prints are exactly those that a table accepts: all choices, and a whole
/// range.
#[test]
fn shown_allowed_values_are_exactly_the_accepted_values() {
    // A shown choice that another value of the book rules out.
    let ruled_out = [("south-beach", "wagers.fortune.settled_by", "banker")];
    let numbers = ["0", "1", "2", "6", "7", "8", "53", "54", "100", "101"];
    let mut checked = 0;
    for name in BuiltIn::book_names() {
        for value in rulebook(name, &[]).values() {
            let path = value.path.as_str();
            let accepts = |text: &str| {
                let change = [(path.to_owned(), text.to_owned())];
                let list = [(path.to_owned(), format!("[\"{text}\"]"))];
                [change, list].iter().any(|change| {
                    Rulebook::load(name, change, &BuiltIn).is_ok_and(|book| book.departures.is_empty())
                })
            };
            let expected: Vec<(String, bool)> = match (&value.provenance.kind, &value.provenance.range) {
                (ValueKind::Fixed, _) | (_, ValueRange::Any) => continue,
                (_, ValueRange::Choices(choices)) => {
                    assert_eq!(value.may_be.starts_with("only "), choices.len() == 1, "{name} {path}");
                    let key = path.rsplit('.').next().unwrap();
                    let others = RULE_BOOK_SPEC.paths();
                    let others = others.iter().filter(|(path, _)| path.rsplit('.').next() == Some(key));
                    let others = others.flat_map(|(_, field)| match field.field_type {
                        FieldType::Choice(words) | FieldType::Choices(words) => words.to_vec(),
                        FieldType::Bool => vec!["true", "false"],
                        _ => vec!["2", "54", "no such paytable"],
                    });
                    let others = others.map(str::to_owned).filter(|other| !choices.contains(other));
                    let allowed = choices.iter().cloned().map(|choice| (choice, true));
                    allowed.chain(others.map(|other| (other, false))).collect()
                }
                (_, ValueRange::Between(from, to)) => {
                    let [from, to] = [from, to].map(|end| end.as_deref().unwrap().parse::<u32>().unwrap());
                    let within = |number: &str| (from..=to).contains(&number.parse().unwrap());
                    // The time fee needs two values together, so it is skipped while it is not set.
                    let numbers = numbers.iter().filter(|_| value.written != "not set");
                    numbers.map(|number| ((*number).to_owned(), within(number))).collect()
                }
            };
            for (text, accepted) in expected {
                if ruled_out.contains(&(name, path, text.as_str())) {
                    continue;
                }
                assert_eq!(accepts(&text), accepted, "{name} {path} = {text}: may be {}", value.may_be);
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn unset_options_are_listed() {
    let values = rulebook("california", &[]).values();
    let find = |path: &str| values.iter().find(|value| value.path == path).unwrap();
    for path in ["collection.bonus", "collection.time_minutes", "collection.time_fee"] {
        let value = find(path);
        assert_eq!((value.written.as_str(), value.provenance.kind), ("not set", ValueKind::Option), "{path}");
    }
    assert_eq!(find("collection.time_minutes").may_be, "from 1 to 1440");
    assert_eq!(find("base_game.limits.max").shown, "$10,000");
    assert_eq!(find("base_game.copies").may_be, "player/dealer or player");
    assert_eq!(find("base_game.copies").written, "banker");
    let washington = rulebook("washington", &[]).values();
    assert!(washington.iter().any(|value| value.path == "wagers.fortune.payout_max.amount"));
}

/// A sentence shows one value, so the sentence of a fixed value contains no assumed value.
#[test]
fn no_sentence_shows_an_assumed_value_as_fixed() {
    let sentence_and_kind = |name: &str, wager: &str, value: &str| {
        let book = rulebook(name, &[]);
        let sentences = book.wager_sentences(book.wager(wager).unwrap());
        let path = format!("wagers.{wager}.{value}");
        let sentence = sentences.into_iter().find(|sentence| sentence.value == path).unwrap();
        (sentence.says, sentence.provenance.kind)
    };
    let (amount, kind) = sentence_and_kind("south-beach", "fortune", "payout_max.amount");
    assert!(kind == ValueKind::Fixed && !amount.contains("hand"), "{amount}");
    assert_eq!(sentence_and_kind("south-beach", "fortune", "payout_max.per").1, ValueKind::Assumed);
    for (name, wager) in [("south-beach", "fortune"), ("ez", "dynasty")] {
        let (from, kind) = sentence_and_kind(name, wager, "envy.from");
        assert!(kind == ValueKind::Fixed && !from.contains("button"), "{from}");
        let (button, kind) = sentence_and_kind(name, wager, "envy.button");
        assert!(kind == ValueKind::Assumed && button.contains("Envy button"), "{button}");
        assert_eq!(sentence_and_kind(name, wager, "envy.when").1, ValueKind::Assumed);
    }
    assert_eq!(sentence_and_kind("south-dakota", "fortune", "envy.button").1, ValueKind::Fixed);
    assert_eq!(sentence_and_kind("california", "fortune", "banker_wagers").1, ValueKind::Assumed);
}
