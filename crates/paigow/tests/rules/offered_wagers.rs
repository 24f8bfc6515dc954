//! Tables that offer some or none of a book's side wagers (EZ-9: each at the casino's discretion).

use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{RoundFile, Rulebook, Settlement, TableRules};
use paigow_testkit::table_rules;
use std::fmt::Write as _;
use std::sync::Arc;

const EZ: [&str; 4] = ["queens-dragon", "dynasty", "protection", "red-black"];

/// The rules of a table that offers the wagers of the EZ book except these.
fn ez_without(wagers: &[&str]) -> Arc<TableRules> {
    let keys: Vec<String> = wagers.iter().map(|name| format!("wagers.{name}.offered")).collect();
    let overrides: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "false")).collect();
    table_rules("ez", &overrides, &[])
}

#[test]
fn wager_indices_count_only_offered_wagers() {
    let all = ez_without(&[]);
    assert_eq!((0..all.side_wager_count()).map(|index| &all.wager(index).name[..]).collect::<Vec<_>>(), EZ);
    let some = ez_without(&["queens-dragon", "protection"]);
    assert_eq!(some.side_wager_count(), 2);
    for (index, name) in ["dynasty", "red-black"].into_iter().enumerate() {
        assert_eq!(some.side_wager_index(name), Ok(index));
        assert_eq!(some.wager(index).name, name);
        assert_eq!(some.paytable(index).name, some.wager(index).default);
    }
    for name in ["queens-dragon", "protection"] {
        assert_eq!(some.side_wager_index(name).unwrap_err().code(), "wager_not_offered");
    }
    assert_eq!(some.side_wager_index("fortune").unwrap_err().code(), "unknown_wager");
}

#[test]
fn canonical_form_omits_wagers_that_are_not_offered() {
    let (all, none) = (ez_without(&[]).canonical(), ez_without(&EZ).canonical());
    assert!(all.contains("wagers.4.name = \"red-black\""), "{all}");
    assert!(!none.contains("wagers."), "{none}");
    assert!(!all.contains("offered") && !none.contains("offered"));
    // An explicit default does not change the rules.
    let explicit = [("wagers.dynasty.offered", "true")];
    assert_eq!(table_rules("ez", &explicit, &[]).canonical(), all);
}

/// A book named `some` that extends `ez` and does not offer these wagers.
struct Without(&'static [&'static str]);

impl BookSource for Without {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        if name != "some" {
            return BuiltIn.book(name, from);
        }
        let mut text =
            "title = \"Some\"\nsource = \"a test\"\nchecked_on = \"2026-01-01\"\nextends = \"ez\"\n"
                .to_owned();
        for name in self.0 {
            writeln!(text, "[wagers.{name}]\noffered = false\ncite = \"a test\"").unwrap();
        }
        Some(Source::new("some.toml", text))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from)
    }
}

const ROUND: &str = r#"
book = "some"
dealer = { cards = "Kd Qs 9h 7c 5d 3s 2h" }
[[seats]]
seat = 1
cards = "As Ah Kc 9d 8c 4h 3c"
wagers = { pai-gow = "25.00", red-black = { amount = "5.00", color = "red" } }
"#;

#[test]
fn settlement_is_unchanged_by_wagers_that_are_not_offered() {
    let net_results = |without: &'static [&'static str]| {
        let file = RoundFile::parse(&Source::new("a round", ROUND), &Without(without));
        let file = file.map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>());
        file.map(|file| {
            let settlement = Settlement::of(&file.showdown().unwrap());
            settlement.lines().iter().map(|line| line.net.cents()).collect::<Vec<_>>()
        })
    };
    let all = net_results(&[]).unwrap();
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!(net_results(&["queens-dragon", "dynasty", "protection"]).unwrap(), all);
    let problems = net_results(&EZ).unwrap_err();
    assert!(
        problems.len() == 1 && problems[0].contains("this table does not offer the wager `red-black`"),
        "{problems:?}"
    );
}

#[test]
fn book_may_have_more_than_eight_wagers_if_eight_are_offered() {
    struct Nine(usize);
    impl BookSource for Nine {
        fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
            if name != "nine" {
                return BuiltIn.book(name, from);
            }
            let mut text =
                "title = \"Nine\"\nsource = \"a test\"\nchecked_on = \"2026-01-01\"\nextends = \"ez\"\n"
                    .to_owned();
            for number in 1..=5 {
                writeln!(
                    text,
                    "[wagers.more-{number}]\ntitle = \"More\"\noffered = {}\nlooks_at = \"player_hand\"\nsettled_by = \"house\"\n\
                     default = \"one\"\ncite = \"a test\"\n\
                     [wagers.more-{number}.limits]\nmin = \"1.00\"\nmax = \"5.00\"\ncite = \"a test\"\n\
                     [wagers.more-{number}.paytables.one]\npays = [{{ hand = \"full_house\", pays = 5 }}]\ncite = \"a test\"",
                    number <= self.0
                )
                .unwrap();
            }
            Some(Source::new("nine.toml", text))
        }

        fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
            BuiltIn.house_way(name, from)
        }
    }
    let post = |offered: usize| {
        let book = Rulebook::load("nine", &[], &Nine(offered)).unwrap_or_else(|error| panic!("{error}"));
        TableRules::new(Arc::new(book), &[]).map(|table_rules| table_rules.side_wager_count())
    };
    assert_eq!(post(4), Ok(8));
    assert_eq!(post(5).unwrap_err()[0].code(), "too_many_wagers");
}
