//! Faults of questions: all of them are reported, no question panics, and no question reads a file.

use paigow::rulebook::BuiltIn;
use paigow_answers::best::{self, BestQuestion};
use paigow_answers::exercises::{self, ExerciseRequest};
use paigow_answers::hand::{self, HandQuestion};
use paigow_answers::lab::{self, LabQuestion};
use paigow_answers::odds::{self, HouseWaysQuestion, OddsQuestion};
use paigow_answers::rules::{self, RulesQuestion};
use paigow_answers::set::{self, CompareQuestion, SetQuestion};
use paigow_answers::settle::{self, SettleQuestion};
use paigow_answers::verify::{self, VerifyQuestion};
use paigow_answers::{Faults, Work};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Asserts codes and locations of the faults of a question.
#[track_caller]
fn check<T>(answer: Result<T, Faults>, expect: &[(&str, &str)]) {
    let Err(faults) = answer else { panic!("expected faults, got an answer") };
    let found: Vec<(&str, &str)> =
        faults.faults.iter().map(|fault| (fault.code, fault.at.as_deref().unwrap_or_default())).collect();
    assert_eq!(found, expect, "{faults}");
}

fn question<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).unwrap()
}

#[test]
fn all_faults_of_a_question_are_reported_at_once() {
    let bad = json!({ "cards": "As As", "book": "unknown-book", "house_way": "unknown-way" });
    let all = [("bad_cards", "cards"), ("not_found", "book"), ("not_found", "house_way")];
    check(set::answer(&question(bad.clone()), &BuiltIn), &all);
    check(best::answer(&question(bad), &BuiltIn), &all);
    check(
        set::answer(&question(json!({ "cards": "", "changes": { "a": "b" } })), &BuiltIn),
        &[("bad_cards", "cards"), ("changes_of_no_book", "changes"), ("nothing_to_set_by", "book")],
    );
    let bad_changes =
        json!({ "cards": "Xx", "book": "ez", "changes": { "ranking.wheel": "up", "no.key": "1" } });
    check(
        lab::answer(&question(bad_changes), &BuiltIn),
        &[("bad_cards", "cards"), ("bad_text", "changes.no.key"), ("bad_text", "changes.ranking.wheel")],
    );
    check(
        hand::answer(&HandQuestion { cards: "As".to_owned(), ..HandQuestion::default() }),
        &[("bad_cards", "cards")],
    );
    check(
        verify::answer(&VerifyQuestion { source: Some("XX".to_owned()) }, &Work::without_progress(None)),
        &[("unknown_document", "source")],
    );
    let bad = json!({
        "book": "ez", "wager": "fortune", "paytable": "9", "players": 9, "stake_cents": 0,
        "house_way": "unknown-way", "player_house_way": "unknown-way",
    });
    let all = [
        ("not_found", "house_way"),
        ("not_found", "player_house_way"),
        ("unknown_wager", "wager"),
        ("unknown_paytable", "paytable"),
        ("bad_players", "players"),
        ("bad_stake", "stake_cents"),
    ];
    check(odds::OddsRequest::of(&question(bad), &BuiltIn), &all);
    let no_wager = json!({ "book": "ez", "stake_cents": u64::MAX, "rows": [], "payout_max_cents": 1 });
    check(
        odds::OddsRequest::of(&question(no_wager), &BuiltIn),
        &[("no_wager_to_edit", "rows"), ("bad_stake", "stake_cents")],
    );
}

#[test]
fn all_faults_of_an_edited_paytable_are_reported_at_their_rows() {
    let edited = |rows: Value, wager: &str| {
        question::<OddsQuestion>(
            json!({ "book": "ez", "wager": wager, "rows": rows, "payout_max_cents": u64::MAX }),
        )
    };
    let rows = json!([
        { "hand": "full_hose", "pays": 5 },
        { "hand": "flush", "pays": -1 },
        { "hand": "straight", "pays": 2, "envy_cents": u64::MAX },
        { "hand": "straight", "pays": 3 },
        { "cards": 4, "pays": 3 },
        { "hand": "four_of_a_kind", "pays": 1 },
        { "hand": "five_of_a_kind", "pays": 1_000_001 },
    ]);
    let all = [
        ("bad_text", "rows.0.hand"),
        ("bad_text", "rows.1.pays"),
        ("bad_text", "rows.2.envy_cents"),
        ("bad_text", "rows.3"),
        ("bad_text", "rows.4"),
        ("bad_text", "rows.5.pays"),
        ("bad_text", "rows.6.pays"),
        ("bad_text", "payout_max_cents"),
    ];
    let answer = odds::OddsRequest::of(&edited(rows, "dynasty"), &BuiltIn);
    let found = answer.as_ref().err().map(|faults| faults.faults.clone()).unwrap_or_default();
    for (code, at) in all {
        let reported = found.iter().any(|fault| (fault.code, fault.at.as_deref()) == (code, Some(at)));
        assert!(reported, "{code} at {at} is not among {found:#?}");
    }
    let rows = json!([{ "hand": "flush", "pays": 5 }, { "cards": 8, "pays": 3 }]);
    let answer = odds::OddsRequest::of(&edited(rows, "red-black"), &BuiltIn);
    check(answer, &[("bad_text", "payout_max_cents"), ("bad_text", "rows.0"), ("bad_text", "rows.1.cards")]);
    check(
        odds::OddsRequest::of(&edited(json!([]), "red-black"), &BuiltIn),
        &[("bad_text", "payout_max_cents"), ("bad_text", "rows")],
    );
}

#[test]
fn all_faults_of_a_round_are_reported_at_their_paths() {
    let round = json!({
        "book": "ez",
        "first": 9,
        "dealer": { "cards": "As Kd" },
        "seats": [
            { "seat": 1, "cards": "As Kd Tc 9h 2s 2d Jk", "wagers": { "pai-gow": "2.00", "fortune": "5.00" } },
            { "seat": 2, "cards": "As Kd Tc 9h 2s 2d Jk", "extra": true },
        ],
    });
    let answer = settle::answer(&question(json!({ "round": round })), &BuiltIn);
    let faults = answer.unwrap_err().faults;
    let reported = |code: &str, at: &str| {
        faults
            .iter()
            .any(|fault| fault.code == code && fault.at.as_deref() == Some(at) && fault.line.is_some())
    };
    for (code, at) in [
        ("bad_text", "first"),
        ("bad_text", "dealer.cards"),
        ("unknown_wager", "seats.0.wagers.fortune"),
        ("below_minimum", "seats.0"),
        ("bad_text", "seats.1.extra"),
        ("card_twice", "seats.1.cards"),
    ] {
        assert!(reported(code, at), "{code} at {at}: {faults:#?}");
    }
    let not_toml = json!({ "round": { "book": null, "first": 1.5, "seats": [null] } });
    check(
        settle::answer(&question(not_toml), &BuiltIn),
        &[("bad_round", "round.book"), ("bad_round", "round.first"), ("bad_round", "round.seats.0")],
    );
    for bad in [json!({}), json!({ "toml": "", "round": {} }), json!({ "round": 7 })] {
        check(settle::answer(&question(bad), &BuiltIn), &[("bad_round", "round")]);
    }
}

/// Paths of books, and of files that are not books.
const PATHS: [&str; 6] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../paigow/rulebooks/ez.toml"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../paigow/rulebooks/house-ways/foxwoods.toml"),
    "../paigow/rulebooks/ez.toml",
    "Cargo.toml",
    "/etc/hostname",
    "",
];

#[test]
fn built_in_source_reads_no_paths() {
    let cards = "As Kd Tc 9h 2s 2d Jk";
    for path in PATHS {
        let not_found = |at| [("not_found", at)];
        let book = path.to_owned();
        check(
            rules::answer(&RulesQuestion { book, ..RulesQuestion::default() }, &BuiltIn),
            &not_found("book"),
        );
        let by_path = json!({ "cards": cards, "house_way": path });
        check(set::answer(&question(by_path), &BuiltIn), &not_found("house_way"));
        let by_path = json!({ "cards": cards, "book": path });
        check(set::compare(&question::<CompareQuestion>(by_path.clone()), &BuiltIn), &not_found("book"));
        check(lab::answer(&question::<LabQuestion>(by_path.clone()), &BuiltIn), &not_found("book"));
        check(best::answer(&question::<BestQuestion>(by_path), &BuiltIn), &not_found("book"));
        let by_path = json!({ "book": path, "wager": "fortune", "rows": [] });
        check(odds::OddsRequest::of(&question::<OddsQuestion>(by_path), &BuiltIn), &not_found("book"));
        let by_path = json!({ "book": "ez", "player_house_way": path });
        let request = question::<HouseWaysQuestion>(by_path).request(&BuiltIn);
        check(request, &not_found("player_house_way"));
        let changed = json!({ "book": "ez", "changes": { "house_way.way": path } });
        assert!(rules::answer(&question::<RulesQuestion>(changed), &BuiltIn).is_err());
        let extended = json!({ "book": "ez", "changes": { "extends": path } });
        check(rules::answer(&question(extended), &BuiltIn), &[("bad_text", "changes.extends")]);
        let round =
            settle::answer(&question(json!({ "toml": format!("book = {path:?}\nseats = []") })), &BuiltIn);
        assert!(round.is_err());
    }
}

#[test]
fn message_of_built_in_source_does_not_mention_paths() {
    let faults =
        rules::answer(&question::<RulesQuestion>(json!({ "book": "nowhere" })), &BuiltIn).unwrap_err();
    let json = serde_json::to_value(&faults).unwrap();
    let message = "there is no rule book `nowhere`; available: \
                   california, ez, south-beach, south-dakota, washington";
    assert_eq!(json, json!({ "faults": [{ "code": "not_found", "message": message, "at": "book" }] }));
}

#[test]
fn unknown_keys_are_rejected() {
    let unknown = json!({ "cards": "", "book": "ez", "bok": 1 });
    assert!(serde_json::from_value::<BestQuestion>(unknown.clone()).is_err());
    assert!(serde_json::from_value::<SetQuestion>(unknown.clone()).is_err());
    assert!(serde_json::from_value::<LabQuestion>(unknown.clone()).is_err());
    assert!(serde_json::from_value::<RulesQuestion>(unknown).is_err());
    assert!(serde_json::from_value::<OddsQuestion>(json!({ "book": "ez", "rows": [{ "pay": 1 }] })).is_err());
}

/// Generates arbitrary strings and strings that are valid in questions.
fn text() -> impl Strategy<Value = String> {
    let words = vec![
        "ez",
        "washington",
        "foxwoods",
        "dynasty",
        "red-black",
        "1",
        "full_house",
        "As Kd Tc 9h 2s 2d Jk",
        "ranking.wheel",
        "lowest",
        "wagers.dynasty.paytables.1.pays",
        "[{hand='flush',pays=1}]",
        "book = \"ez\"\nseats = [1]",
        "--set",
        "",
    ];
    prop_oneof![prop::sample::select(words).prop_map(str::to_owned), any::<String>()]
}

/// Generates arbitrary JSON values, some with keys of questions.
fn value() -> impl Strategy<Value = Value> {
    let keys = vec![
        "book",
        "cards",
        "wagers",
        "seats",
        "seat",
        "hand",
        "pays",
        "envy_cents",
        "banker",
        "dealer",
        "first",
        "paytables",
        "low",
        "intended",
    ];
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..9i64).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let key = prop_oneof![prop::sample::select(keys.clone()).prop_map(str::to_owned), any::<String>()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|entries| entries.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// Generates objects with these keys. Each key is optional.
fn object(keys: &'static [&'static str]) -> impl Strategy<Value = Value> {
    prop::collection::vec(prop::option::of(value()), keys.len()).prop_map(move |values| {
        let entries = keys.iter().zip(values).filter_map(|(key, value)| Some(((*key).to_owned(), value?)));
        entries.collect::<serde_json::Map<_, _>>().into()
    })
}

/// Asserts that an answer, if it is a refusal, has faults.
fn check_refusal<T>(answer: Result<T, Faults>) {
    assert!(
        answer.is_ok() || answer.is_err_and(|faults| !faults.faults.is_empty()),
        "a refusal without faults"
    );
}

proptest! {
    #[test]
    fn arbitrary_strings_are_answered_or_refused(cards in text(), book in text(), way in text(), key in text(), changed in text()) {
        let changes = json!({ key.clone(): changed });
        let fields = json!({ "cards": cards, "book": book, "changes": changes });
        check_refusal(set::answer(&question(json!({ "cards": cards, "book": book, "house_way": way, "changes": changes })), &BuiltIn));
        check_refusal(set::compare(&question(fields.clone()), &BuiltIn));
        check_refusal(best::BestRequest::of(&question(fields), &BuiltIn));
        check_refusal(rules::answer(&question(json!({ "book": book, "changes": changes })), &BuiltIn));
        check_refusal(hand::answer(&question(json!({ "cards": cards }))));
        check_refusal(settle::answer(&question(json!({ "toml": changed })), &BuiltIn));
        let fields = json!({ "book": book, "wager": way, "paytable": key, "changes": changes, "stake_cents": 1 });
        check_refusal(odds::OddsRequest::of(&question(fields), &BuiltIn));
        check_refusal(ExerciseRequest::of(&question(json!({ "card": way, "book": book })), &BuiltIn));
    }

    #[test]
    fn arbitrary_exercises_are_answered_or_refused(
        card in prop::sample::select(BuiltIn::card_names().collect::<Vec<_>>()),
        seed in any::<u32>(),
        numbers in prop::array::uniform3(prop::option::of(0..40usize)),
        contested in any::<Option<bool>>(),
    ) {
        let [count, line, lines] = numbers;
        let fields = json!({ "card": card, "seed": seed, "count": count.map(|count| count % 4), "line": line, "lines": lines, "contested": contested });
        check_refusal(exercises::answer(&question(fields), &BuiltIn, &Work::without_progress(None)));
    }

    #[test]
    fn arbitrary_rows_are_answered_or_refused(
        rows in prop::collection::vec((text(), any::<i64>(), prop::option::of(any::<u64>())), 0..5),
        cents in any::<u64>(),
        wager in prop::sample::select(&["dynasty", "red-black", "queens-dragon"][..]),
    ) {
        let rows: Vec<Value> =
            rows.iter().map(|(hand, pays, envy)| json!({ "hand": hand, "pays": pays, "envy_cents": envy })).collect();
        let fields = json!({ "book": "ez", "wager": wager, "rows": rows, "payout_max_cents": cents, "stake_cents": 100 });
        check_refusal(odds::answer(&question(fields), &BuiltIn, &Work::without_progress(None)));
    }

    #[test]
    fn arbitrary_objects_are_answered_or_refused(
        round in value(),
        odds in object(&["book", "wager", "paytable", "players", "house_way", "changes", "stake_cents", "rows"]),
        set in object(&["cards", "book", "house_way", "changes"]),
    ) {
        check_refusal(settle::answer(&SettleQuestion { toml: None, round: Some(round) }, &BuiltIn));
        if let Ok(question) = serde_json::from_value::<OddsQuestion>(odds) {
            check_refusal(odds::OddsRequest::of(&question, &BuiltIn));
        }
        if let Ok(question) = serde_json::from_value::<SetQuestion>(set) {
            check_refusal(set::answer(&question, &BuiltIn));
        }
    }
}
