//! Events as they are written and read.

use crate::play::{Play, operator};
use crate::random::{NAMES, Rng};
use paigow::rulebook::BuiltIn;
use paigow_table::{Actor, Command, RulesForm, TableEvent};
use std::collections::BTreeMap;

/// How many kinds of events there are. One that cannot be read is not missed: play reads every event as it is stored.
const KINDS: usize = 31;

/// An event of every kind, from play at every book.
fn every_kind() -> BTreeMap<String, TableEvent> {
    let mut kinds = BTreeMap::new();
    for (book, seed) in BuiltIn::book_names().zip(7..) {
        let mut rng = Rng(seed);
        let mut play = Play::open_with(book, &[], 500);
        // One table plays by version 1 of fair deals.
        if seed == 7 {
            play = play.version_1();
        }
        for name in NAMES {
            play.issue(name, 1_000_000);
        }
        for _ in 0..3_000 {
            let (by, command) = crate::random::command(&mut rng, &play);
            let _ = play.try_do(&by, &command);
            if rng.below(10) == 0
                && let Some(due) = play.table.due()
            {
                play.now = due;
                play.done(&Actor::Clock, Command::Tick);
            }
        }
        play.done(&operator(), Command::Notice { text: "good night".to_owned() });
        let _ = play.try_do(&operator(), &Command::Void { reason: "it is late".into() });
        play.done(&operator(), Command::Close);
        if !play.table.is_closed() {
            play.clock();
        }
        for event in play.log {
            let name = serde_json::to_value(&event).unwrap()["event"].as_str().unwrap().to_owned();
            kinds.insert(name, event);
        }
    }
    kinds
}

/// The name, and fields that may be left out: what version 0.0.0 did not write, a color that a wager does not have, and what only one
/// version of fair deals has.
const OPTIONAL: [&str; 8] = ["event", "form", "color", "secret", "derived", "cards", "front", "positions"];

#[test]
fn events_are_read_as_they_are_written_and_not_otherwise() {
    let kinds = every_kind();
    assert_eq!(kinds.len(), KINDS, "{:?}", kinds.keys());
    let refused = |text: &str| {
        let read = serde_json::from_str::<TableEvent>(text);
        assert!(read.is_err(), "{text}: {read:?}");
    };
    for (name, event) in &kinds {
        let text = serde_json::to_string(event).unwrap();
        let head = format!("{{\"event\":\"{name}\"");
        assert!(text.starts_with(&head), "the name comes first: {text}");
        assert_eq!(serde_json::from_str::<TableEvent>(&text).unwrap(), *event);
        // From bytes, from a reader and from a value as well, and with gaps.
        assert_eq!(serde_json::from_slice::<TableEvent>(text.as_bytes()).unwrap(), *event);
        assert_eq!(serde_json::from_reader::<_, TableEvent>(text.as_bytes()).unwrap(), *event);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::from_value::<TableEvent>(value.clone()).unwrap(), *event);
        assert_eq!(serde_json::from_str::<TableEvent>(&format!("{value:#}")).unwrap(), *event);
        // What is not known, what is there twice and what is missing.
        refused(&text.replacen(&head, &format!("{head},\"more\":1"), 1));
        refused(&text.replacen(&head, &format!("{head},\"event\":\"{name}\""), 1));
        refused(&text.replacen(name, &format!("{name}s"), 1));
        refused(&text.replacen(name, "", 1));
        refused(&format!("{text}1"));
        let shown = ["settled", "round_abandoned"].contains(&name.as_str());
        let may_miss = |field: &str| OPTIONAL.contains(&field) && !(shown && field == "secret");
        for field in value.as_object().unwrap().keys().filter(|field| !may_miss(field)) {
            let mut less = value.clone();
            less.as_object_mut().unwrap().shift_remove(field);
            refused(&less.to_string());
        }
    }
}

#[test]
fn a_name_that_is_not_first_is_no_name() {
    for text in
        ["{\"seat\":1,\"event\":\"stood\"}", "{}", "[\"rested\"]", "\"rested\"", "{\"event\":1}", "null"]
    {
        assert!(serde_json::from_str::<TableEvent>(text).is_err(), "{text}");
    }
    // A name may be written in other letters of JSON.
    let escaped = "{\"event\":\"rest\\u0065d\"}";
    assert_eq!(serde_json::from_str::<TableEvent>(escaped).unwrap(), TableEvent::Rested);
}

/// A settled round as version 0.0.0 stored it.
const SENTENCES: &str = r#"{"event":"settled","secret":"0000000000000000000000000000000000000000000000000000000000000000","settlement":[{"who":"seat-1","wager":"pai-gow","stake_cents":500,"outcome":"push","net_cents":0,"fee_cents":0,"against":"house","because":"Words of then.","cite":"WA-1"}],"until":5}"#;

#[test]
fn a_line_of_an_earlier_version_keeps_its_sentence_and_is_compared_without_it() {
    let old: TableEvent = serde_json::from_str(SENTENCES).unwrap();
    assert_eq!(serde_json::to_string(&old).unwrap(), SENTENCES);
    let coded = SENTENCES.replace(
        r#""because":"Words of then.","cite":"WA-1""#,
        r#""reason":{"code":"compared","high":"lower","low":"higher"}"#,
    );
    let new: TableEvent = serde_json::from_str(&coded).unwrap();
    assert_eq!(serde_json::to_string(&new).unwrap(), coded);
    let (sentences, canonical) = (RulesForm::SENTENCES, RulesForm::CANONICAL);
    assert!(new.agrees_with(&old, sentences), "the same money for the same wager");
    assert!(!new.agrees_with(&old, canonical), "a table of today has reasons");
    assert!(new.agrees_with(&new, sentences) && new.agrees_with(&new, canonical));
    for (from, to) in [
        (r#""net_cents":0"#, r#""net_cents":1"#),
        (r#""seat-1""#, r#""seat-2""#),
        (r#""push""#, r#""lose""#),
        (r#""house""#, r#""banker""#),
        (r#""until":5"#, r#""until":6"#),
    ] {
        let other: TableEvent = serde_json::from_str(&coded.replace(from, to)).unwrap();
        assert!(!other.agrees_with(&old, sentences) && !other.agrees_with(&new, sentences), "{to}");
    }
    let other: TableEvent = serde_json::from_str(&coded.replace("lower", "copy")).unwrap();
    assert!(
        other.agrees_with(&old, sentences) && !other.agrees_with(&new, sentences),
        "a reason that is stored is compared"
    );
}
