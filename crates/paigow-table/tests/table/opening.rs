//! Defaults of a new table's configuration that depend on the book.

use crate::play::{Play, player, side, wager};
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_table::{Command, Config, ConfigFault, Opening, TableBooks};

fn opening(book: &str, offer: Option<&[&str]>, dealer_wager_cents: Option<u64>) -> Opening {
    let offer = offer.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
    let config = Play::open("ez").table.config().clone();
    Opening { config: Config { book: book.to_owned(), ..config }, offer, dealer_wager_cents }
}

fn changes(opening: Opening) -> Vec<(String, String)> {
    opening.config(&BuiltIn).unwrap().changes.into_iter().collect()
}

#[test]
fn offered_wagers_become_overrides() {
    let off = |name: &str| (format!("wagers.{name}.offered"), "false".to_owned());
    assert_eq!(changes(opening("ez", None, None)), []);
    let two = opening("ez", Some(&["protection", "dynasty"]), None);
    assert_eq!(changes(two), [off("queens-dragon"), off("red-black")]);
    let none = opening("washington", Some(&[]), None);
    assert_eq!(changes(none), [off("fortune"), off("pai-gowd")]);
    // `offer` and overrides cannot both choose the side wagers.
    let mut both = opening("ez", Some(&["dynasty"]), None);
    both.config.changes.extend([off("dynasty"), off("protection")]);
    let twice = both.config(&BuiltIn).unwrap_err();
    let wanted = "the side wagers are given by `offer`: leave wagers.dynasty.offered, wagers.protection.offered out of the changes";
    assert_eq!(twice.to_string(), wanted);
    let unknown = opening("ez", Some(&["fortune", "dynasty"]), None).config(&BuiltIn).unwrap_err();
    assert!(matches!(&unknown, ConfigFault::TableRules(refusals) if refusals.len() == 1), "{unknown}");
    assert_eq!(unknown.to_string(), "the book offers no wager `fortune`");
}

#[test]
fn dealer_wager_defaults_to_table_minimum() {
    let cents = |book, requested| opening(book, None, requested).config(&BuiltIn).unwrap().dealer_wager_cents;
    assert_eq!(cents("south-beach", None), 500);
    assert_eq!(cents("south-beach", Some(0)), 0);
    assert_eq!(cents("south-beach", Some(2_500)), 2_500);
    for book in ["california", "ez", "south-dakota", "washington"] {
        assert_eq!(cents(book, None), 0, "{book}");
        assert_eq!(cents(book, Some(0)), 0, "{book}");
        let unused = opening(book, None, Some(500)).config(&BuiltIn).unwrap_err();
        assert!(matches!(unused, ConfigFault::NoDealerWager), "{book}: {unused}");
    }
    // The default is the overridden minimum.
    let mut changed = opening("south-beach", None, None);
    changed.config.changes.insert("base_game.limits.min".to_owned(), "25.00".to_owned());
    assert_eq!(changed.config(&BuiltIn).unwrap().dealer_wager_cents, 2_500);
    // The document fixes that players may bank, so a table cannot override it.
    let mut dealer = opening("south-beach", None, None);
    dealer.config.changes.insert("banking.bankers".to_owned(), "[\"dealer\"]".to_owned());
    assert_eq!(dealer.config(&BuiltIn).unwrap_err().code(), "fixed_by_document");
}

#[test]
fn barred_paytable_is_refused() {
    let mut barred = opening("washington", None, None);
    barred.config.paytables.insert("fortune".to_owned(), "FPG-08".to_owned());
    let fault = barred.clone().config(&BuiltIn).unwrap_err();
    assert_eq!(fault.code(), "fixed_by_document");
    let message = fault.to_string();
    let wanted =
        "wagers.fortune.paytables.FPG-08.available is fixed by the document as false, not true (WA-4";
    assert!(message.starts_with(wanted), "{message}");
    barred.config.paytables.insert("fortune".to_owned(), "FPG-07".to_owned());
    assert!(barred.config(&BuiltIn).is_ok());
}

#[test]
fn table_without_side_wagers_is_played() {
    let off: Vec<(String, String)> = changes(opening("ez", Some(&[]), None));
    let off: Vec<(&str, &str)> = off.iter().map(|(key, value)| (&key[..], &value[..])).collect();
    let mut play = Play::open_with("ez", &off, 0);
    let ann = player("ann");
    play.issue("ann", 100_000);
    play.run(&ann, Command::Sit { seat: 1 });
    play.run(&ann, wager(1_000));
    for name in ["queens-dragon", "dynasty", "protection", "red-black"] {
        assert_eq!(play.refused(&ann, side(name, 500)), "wager_not_offered");
    }
    assert_eq!(play.refused(&ann, side("fortune", 500)), "unknown_wager");
    play.run(&ann, Command::Ready);
    play.run(&ann, Command::HouseWay);
    let facts = play.table.facts();
    assert_eq!(facts.wagers.iter().map(|wager| &wager.wager[..]).collect::<Vec<_>>(), ["pai-gow"]);
    let round = play.table.view(&paigow_table::Viewer::Watcher).round.unwrap();
    assert_eq!(round.lines.map(|lines| lines.len()), Some(1));
}

/// The built-in house way without its second clause.
fn shortened(name: &str) -> String {
    let text = BuiltIn.house_way(name, None).unwrap().text.to_string();
    let mut parts: Vec<&str> = text.split("[[clauses]]").collect();
    parts.remove(2);
    parts.join("[[clauses]]")
}

#[test]
fn table_with_its_own_house_way_has_the_rules_of_the_book_with_it() {
    for (book, is_prescribed) in [("washington", false), ("ez", false), ("south-beach", true)] {
        let of_book = opening(book, None, None).config(&BuiltIn).unwrap();
        let rules = of_book.new_table_rules(&BuiltIn).unwrap();
        let way = shortened(rules.book().house_way.id());
        let own = Config { house_way_toml: Some(way), ..of_book };
        let own_rules = own.new_table_rules(&BuiltIn).unwrap();
        let house_way = &own_rules.book().house_way;
        assert_eq!(house_way.id(), "table:t1");
        assert_eq!(house_way.clauses().len() + 1, rules.book().house_way.clauses().len());
        assert_ne!(own_rules.digest(), rules.digest(), "{book}");
        assert!(own_rules.book().is_overridden(&["house_way", "way"]));
        let departures: Vec<&str> =
            own_rules.book().departures.iter().map(|departure| departure.value.as_str()).collect();
        assert_eq!(departures, if is_prescribed { vec!["house_way.way"] } else { vec![] }, "{book}");
        // With the text of the book's own house way, the digest is that of the book.
        let text = BuiltIn.house_way(rules.book().house_way.id(), None).unwrap().text.to_string();
        let same = Config { house_way_toml: Some(text), ..own };
        assert_eq!(same.new_table_rules(&BuiltIn).unwrap().digest(), rules.digest(), "{book}");
    }
}

#[test]
fn house_way_of_a_table_has_its_name() {
    let own = Config { house_way_toml: Some("text".to_owned()), ..opening("ez", None, None).config };
    let source = own.own_house_way().unwrap();
    assert_eq!((&*source.name, &*source.text), ("table:t1", "text"));
    assert_eq!(TableBooks::table_of("table:t1"), Some("t1".parse().unwrap()));
    for other in ["t1", "table:", "foxwoods", "table: t1"] {
        assert_eq!(TableBooks::table_of(other), None, "{other}");
    }
    let books = TableBooks { book_source: BuiltIn, house_ways: vec![source] };
    assert_eq!(&*books.house_way("table:t1", None).unwrap().text, "text");
    assert!(books.house_way("table:t2", None).is_none() && books.house_way("foxwoods", None).is_some());
    assert!(books.book("ez", None).is_some());
}

#[test]
fn invalid_house_way_of_a_table_is_refused() {
    let with =
        |text: &str| Config { house_way_toml: Some(text.to_owned()), ..opening("ez", None, None).config };
    let fault = with("title = 1").new_table_rules(&BuiltIn).map(|_| ()).unwrap_err();
    assert!(matches!(&fault, ConfigFault::Book(why) if why.contains("table:t1")), "{fault}");
    let mut twice = with(&shortened("foxwoods"));
    twice.changes.insert("house_way.way".to_owned(), "ballys".to_owned());
    let fault = twice.new_table_rules(&BuiltIn).map(|_| ()).unwrap_err();
    assert!(matches!(fault, ConfigFault::HouseWayTwice), "{fault}");
    assert_eq!(fault.code(), "bad_config");
}

/// A configuration without a house way is written as releases without house ways of tables did.
#[test]
fn configuration_without_a_house_way_has_no_key_for_it() {
    let config = opening("ez", None, None).config;
    let json = serde_json::to_string(&config).unwrap();
    assert!(!json.contains("house_way"), "{json}");
    assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), config);
}
