//! The canonical form depends on the meaning of the rules, not on their wording and order.

use paigow::HouseWay;
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_testkit::table_rules;
use std::collections::BTreeSet;

fn way(clauses: &[(&str, &str)]) -> String {
    let head = "title = \"T\"\nsource = \"S\"\n[ranking]\njoker = \"semi_wild\"\nwheel = \"lowest\"\ncite = \"X-1\"\n";
    let rows = clauses.iter().map(|(when, set)| {
        format!("[[clauses]]\nwhen = \"{when}\"\nset = {set}\nsays = \"Words.\"\ncite = \"X-1\"\n")
    });
    let text = format!("{head}{}", rows.collect::<String>());
    match HouseWay::parse("test", &Source::new("test", text)) {
        Ok(way) => way.rules(),
        Err(problems) => panic!("{problems:?}"),
    }
}

const END: (&str, &str) = ("any hand", "\"best\"");

#[test]
fn equivalent_phrases_have_the_same_form() {
    let base = way(&[
        (
            "one pair, pair T-K, a single A, a complete hand",
            "[\"pair in the high hand, ace in the low hand\", \"complete hand in the high hand\"]",
        ),
        END,
    ]);
    assert_eq!(
        base,
        "[[\"complete:straight,flush,straight_flush,royal_flush\",\"pair:TJQK\",\"pattern:one_pair\",\"single:A\"],\
         [[\"high_is:flush,royal_flush,straight,straight_flush\"],[\"low_has:ace\",\"low_without:pair\"]]]\n[[],[[]]]\n"
    );
    let when = "a complete hand, a single A, pair T or J or Q or K, one pair";
    let set =
        "[\"straight or flush or straight flush or royal flush behind\", \"ace in front, pair behind\"]";
    assert_eq!(way(&[(when, set), END]), base);
    assert_eq!(
        way(&[("one pair or no pair", "\"best\""), END]),
        way(&[("no pair or one pair", "\"best\""), END])
    );
}

#[test]
fn different_clauses_have_different_forms() {
    let whens = [
        "one pair",
        "two pairs",
        "one pair, pair A",
        "one pair, pair K",
        "one pair, a single A",
        "one pair, no single A",
        "third highest single A",
        "fourth highest single A",
        "pairs sum at most 12",
        "pairs sum at least 12",
        "third and fourth highest singles sum at most 12",
        "third and fifth highest singles sum at most 12",
        "third and fourth highest singles sum at least 12",
        "the joker",
        "no joker",
        "a flush",
        "no flush",
        "a straight flush",
        "two pairs, higher pair A",
        "three of a kind, three A",
        "four of a kind, four A",
    ];
    let sets = [
        "best",
        "pair in the high hand",
        "pair in the low hand",
        "higher pair in the low hand",
        "both pairs in the high hand",
        "group in the high hand",
        "highest pair in the low hand",
        "second and third highest singles in the low hand",
        "second and fourth highest singles in the low hand",
        "two of the three in the high hand",
        "two of the three in the low hand",
        "ace in the low hand",
        "any pair in the low hand",
        "flush in the high hand",
        "straight below ace high in the high hand",
        "low hand at least K",
        "low hand at least KQ",
        "low hand at least TT",
    ];
    let mut forms = BTreeSet::new();
    for when in whens {
        for set in sets {
            assert!(forms.insert(way(&[(when, &format!("\"{set}\"")), END])), "{when} → {set}");
        }
    }
}

/// The older spelling of a phrase about the low or the high hand.
fn older(text: &str) -> String {
    let newer = [
        ("low hand at least", "front at least"),
        (" in the low hand", " in front"),
        (" in the high hand", " behind"),
    ];
    newer.into_iter().fold(text.to_owned(), |text, (newer, older)| text.replace(newer, older))
}

#[test]
fn older_spellings_of_built_in_clauses_have_the_same_rules() {
    let mut respelled = 0;
    for name in BuiltIn::house_way_names() {
        let Some(source) = BuiltIn.house_way(name, None) else { panic!("{name}") };
        let lines = source.text.lines().map(|line| {
            let set = line.starts_with("set ");
            respelled += usize::from(set && older(line) != line);
            if set { older(line) } else { line.to_owned() }
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        assert!(!text.lines().any(|line| line.starts_with("set ") && line.contains("hand\"")), "{name}");
        let rules = |source: &Source| HouseWay::parse(name, source).map(|way| way.rules());
        assert_eq!(rules(&Source::new(name, text)), rules(&source), "{name}");
    }
    assert!(respelled > 200, "{respelled} clauses have a phrase in the newer spelling");
}

/// Canonical form of a book with its default paytables.
fn form(book: &str, changes: &[(&str, &str)]) -> String {
    table_rules(book, changes, &[]).canonical()
}

#[test]
fn lines_are_key_value_pairs_with_unique_keys() {
    for book in BuiltIn::book_names() {
        let form = form(book, &[]);
        let mut lines = form.lines();
        assert_eq!(lines.next(), Some("paigow rules 1"));
        let mut keys = BTreeSet::new();
        for line in lines {
            let Some((key, value)) = line.split_once(" = ") else { panic!("{line}") };
            assert!(keys.insert(key) && !value.is_empty(), "{line}");
        }
        assert!(form.ends_with('\n') && form.is_ascii());
    }
}

#[test]
fn change_affects_only_its_own_line() {
    let base = form("washington", &[]);
    let changed = form("washington", &[("wagers.fortune.limits.max", "400.00")]);
    let differing: Vec<(&str, &str)> =
        base.lines().zip(changed.lines()).filter(|(one, other)| one != other).collect();
    assert_eq!(differing, [("wagers.1.limits.max = 50000", "wagers.1.limits.max = 40000")]);
    // An explicit default does not change the form.
    assert_eq!(form("washington", &[("wagers.fortune.player_must_beat", "false")]), base);
    // The form contains the chosen values, not the allowed ranges.
    let one_choice = "{ cite = \"a test\", choices = [\"semi_wild\"] }";
    assert_eq!(form("california", &[("ranking.option.joker", one_choice)]), form("california", &[]));
}
