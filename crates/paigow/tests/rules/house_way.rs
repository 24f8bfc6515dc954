//! Completion of parsed drafts to house ways, and the problem of incomplete drafts.

use paigow::document::{ProblemCode, Source};
use paigow::rulebook::{BuiltIn, LoadError};
use paigow::{Evaluator, HouseWay, HouseWayDraft, Ranking, Rulebook};
use paigow_testkit::hand;

const ONE_PAIR: &str = "Ah Ac Ks Qd 9h 8s 2d";
const TWO_PAIRS: &str = "Ah Ac Ks Kd 9h 8s 2d";

/// The text of a house way with these clauses.
fn text(clauses: &[(&str, &str)]) -> String {
    let head = "title = \"T\"\nsource = \"S\"\nranking = { joker = \"semi_wild\", wheel = \"lowest\", cite = \"c\" }\n";
    let clauses = clauses.iter().map(|(when, set)| {
        format!("[[clauses]]\nwhen = \"{when}\"\nset = {set}\nsays = \"…\"\ncite = \"c\"\n")
    });
    head.to_owned() + &clauses.collect::<String>()
}

fn draft(clauses: &[(&str, &str)]) -> HouseWayDraft {
    HouseWayDraft::parse("test", &Source::new("test.toml", text(clauses))).unwrap()
}

#[test]
fn draft_without_a_final_catch_all_clause_is_rejected() {
    let incomplete: [&[(&str, &str)]; 4] = [
        &[("one pair", r#""pair behind""#)],
        // The clause that fits every hand is not the last.
        &[("any hand", r#""best""#), ("one pair", r#""pair behind""#)],
        // The last clause fits every hand but does not allow every setting.
        &[("any hand", r#""ace in front""#)],
        &[("any hand, no joker", r#""best""#)],
    ];
    for clauses in incomplete {
        let text = text(clauses);
        let problem = draft(clauses).complete().unwrap_err();
        assert_eq!(problem.message, "the last clause must fit every hand and allow every setting");
        assert_eq!(problem.help.as_deref(), Some("end with `when = \"any hand\"`, `set = \"best\"`"));
        assert_eq!(problem.code, ProblemCode::BadText);
        // The span is the end of the text.
        assert_eq!((problem.span.start, problem.span.end), (text.len() - 1, text.len()));
        assert_eq!(problem.span.line_and_column().0, text.lines().count());
        let problems = HouseWay::parse("test", &Source::new("test.toml", text)).map(|_| ()).unwrap_err();
        assert_eq!(problems, [problem]);
    }
}

#[test]
fn draft_with_a_final_catch_all_clause_is_complete() {
    for last in [r#""best""#, r#"["ace in front", "best"]"#] {
        let way = draft(&[("one pair", r#""pair behind""#), ("any hand", last)]).complete().unwrap();
        for ranking in Ranking::ALL {
            let evaluator = Evaluator::of(ranking);
            assert_eq!(way.decide(hand(ONE_PAIR), evaluator).clause, 0);
            assert_eq!(way.decide(hand(TWO_PAIRS), evaluator).clause, 1);
        }
    }
}

#[test]
fn draft_decides_only_hands_that_fit_a_clause() {
    let draft = draft(&[("one pair", r#""pair behind""#)]);
    let evaluator = Evaluator::of(draft.ranking);
    assert_eq!(draft.decide(hand(ONE_PAIR), evaluator).unwrap().setting.low.to_string(), "Ks Qd");
    assert_eq!(draft.decide(hand(TWO_PAIRS), evaluator), None);
}

#[test]
fn trial_names_the_phrases_that_do_not_hold_and_the_setting_of_the_clause() {
    let both = r#""both pairs in the high hand, low hand at least AQ""#;
    let draft = draft(&[
        ("two pairs, higher pair 2-Q, pairs sum at most 19", both),
        ("pairs sum at least 20, no pair or two pairs", both),
        ("three of a kind, no joker", r#""three in the high hand""#),
    ]);
    let evaluator = Evaluator::of(draft.ranking);
    let trial = |clause: usize, cards: &str| draft.try_clause(clause, hand(cards), evaluator);
    let low = |setting: Option<paigow::Setting>| setting.map(|setting| setting.low.to_string());

    let first = trial(0, TWO_PAIRS);
    assert_eq!(first.unmet, ["higher pair 2-Q", "pairs sum at most 19"]);
    assert_eq!((low(first.setting), low(first.without_minimum)), (None, Some("9h 8s".to_owned())));
    let second = trial(1, TWO_PAIRS);
    assert!(second.unmet.is_empty() && second.setting.is_none());
    assert_eq!(low(second.without_minimum).unwrap(), "9h 8s");
    let fitting = trial(0, "7h 7c 4s 4d Ah Qs 2d");
    assert!(fitting.unmet.is_empty());
    assert_eq!(low(fitting.setting).unwrap(), "Ah Qs");
    assert_eq!(fitting.setting, fitting.without_minimum);
    let third = trial(2, TWO_PAIRS);
    assert_eq!((third.unmet, third.setting), (vec!["three of a kind".to_owned()], None));
    assert!(first.same_pattern && second.same_pattern && !third.same_pattern);
}

/// A hand fits a clause if and only if no phrase of its condition is unmet, and the clause then sets it as it decides.
#[test]
fn trials_agree_with_decisions() {
    for name in BuiltIn::house_way_names().chain(BuiltIn::card_names()) {
        let way = HouseWay::built_in(name).unwrap();
        let (draft, evaluator) = (way.as_draft(), Evaluator::of(way.ranking()));
        for cards in
            [ONE_PAIR, TWO_PAIRS, "Ah Kh Qh Jh Th 9h Jk", "7s 7d 7c 4h 4s 2d Jk", "Ks Qd Th 9s 7c 5d 3h"]
        {
            for clause in 0..way.clauses().len() {
                let trial = draft.try_clause(clause, hand(cards), evaluator);
                assert_eq!(
                    trial.unmet.is_empty(),
                    draft.fits(clause, hand(cards), evaluator),
                    "{name} {clause}"
                );
                let decided = draft.decide_by(clause, hand(cards), evaluator);
                assert_eq!(trial.setting.filter(|_| trial.unmet.is_empty()), decided, "{name} {clause}");
            }
        }
    }
}

/// A card is a house way wherever one is named, but not in a book: a later release may have another card of the name.
#[test]
fn cards_are_found_by_name_but_not_by_books() {
    let published: Vec<&str> = BuiltIn::house_way_names().collect();
    let book = BuiltIn::book_names().next().unwrap();
    for name in BuiltIn::card_names() {
        assert!(!published.contains(&name));
        let card = HouseWay::built_in(name).unwrap();
        assert_eq!(card.id(), name);
        let change = ("house_way.way".to_owned(), name.to_owned());
        let LoadError::Problems(problems) = Rulebook::load(book, &[change], &BuiltIn).unwrap_err() else {
            panic!("the card is found")
        };
        assert_eq!(problems[0].message, format!("there is no house way `{name}`"));
        assert!(problems[0].help.as_deref().unwrap().contains("copy of its file"));
    }
    assert!(BuiltIn::card_names().count() > 0);
}

#[test]
fn house_way_keeps_the_data_of_its_draft() {
    let draft = draft(&[("any hand", r#""best""#)]);
    let way = draft.clone().complete().unwrap();
    assert_eq!((way.id(), way.title(), way.source()), ("test", "T", "S"));
    assert_eq!(way.ranking(), draft.ranking);
    assert_eq!(way.clauses().len(), way.as_draft().clauses().len());
}

/// Checks that a condition holds for exactly the hands in `fitting`, out of both lists.
fn check_condition(when: &str, fitting: &[&str], others: &[&str]) {
    let draft = draft(&[(when, "\"best\"")]);
    let evaluator = Evaluator::of(draft.ranking);
    for (hands, fits) in [(fitting, true), (others, false)] {
        for hand in hands {
            assert_eq!(draft.fits(0, hand.parse().unwrap(), evaluator), fits, "{when}: {hand}");
        }
    }
}

#[test]
fn nth_highest_single_counts_singles_from_the_highest() {
    let no_pair = "As Kd Tc 9h 6s 4d 2c";
    check_condition("third highest single T", &[no_pair], &["As Kd Jc 9h 6s 4d 2c"]);
    check_condition("highest single A, second highest single K, seventh highest single 2", &[no_pair], &[]);
    // The joker is a single ace, so every other card is one lower.
    check_condition("highest single A, third highest single T", &["Jk Kd Tc 9h 6s 4d 2c"], &[]);
    // Cards of a pair are not singles.
    check_condition("second highest single 9", &["As Ad Tc 9h 6s 4d 2c"], &["As Kd Tc 9h 6s 4d 2c"]);
    check_condition("fifth highest single 2-A", &["As Ad Tc 9h 6s 4d 2c"], &["As Ad Tc Th 6s 4d 2c"]);
    check_condition("fourth highest single 2-A", &[], &["As Ad Tc Th 6s 4d 2c"]);
}

#[test]
fn sum_of_pairs_counts_exactly_two_pairs() {
    let [aces_and_tens, two_low] = ["As Ad Tc Th 6s 4d 2c", "3s 3d 2c 2h 9s 7d 5c"];
    check_condition("pairs sum at least 24", &[aces_and_tens], &[two_low, "Ks Kd Tc Th 6s 4d 2c"]);
    check_condition("pairs sum at most 5", &[two_low], &[aces_and_tens, "4s 4d 2c 2h 9s 7d 5c"]);
    // One pair and three pairs have no sum.
    check_condition(
        "pairs sum at most 27",
        &[aces_and_tens, two_low],
        &["As Ad Kc Th 6s 4d 2c", "As Ad Tc Th 6s 6d 2c"],
    );
    // The joker pairs the ace.
    check_condition("pairs sum at least 24", &["As Jk Tc Th 6s 4d 2c"], &[]);
}

#[test]
fn sum_of_singles_counts_two_singles_from_the_highest() {
    let no_pair = "As Kd Tc 9h 6s 4d 2c";
    let sum = "third and fourth highest singles sum";
    check_condition(&format!("{sum} at most 19"), &[no_pair], &["As Kd Jc 9h 6s 4d 2c"]);
    check_condition(&format!("{sum} at least 19"), &[no_pair], &["As Kd Tc 8h 6s 4d 2c"]);
    check_condition(
        "first and second highest singles sum at least 27",
        &[no_pair],
        &["As Qd Tc 9h 6s 4d 2c"],
    );
    // The joker is a single ace.
    check_condition("first and seventh highest singles sum at most 16", &["Jk Kd Tc 9h 6s 4d 2c"], &[]);
    // Cards of a pair are not singles, and a hand with fewer singles has no sum.
    check_condition(&format!("{sum} at most 10"), &["As Ad Tc 9h 6s 4d 2c"], &[no_pair]);
    check_condition(&format!("{sum} at most 27"), &[no_pair], &["As Ad Tc Th 6s 4d 2c"]);
}

#[test]
fn singles_and_the_group_are_placed() {
    let set = |set: &str, hand: &str| {
        let draft = draft(&[("any hand", &format!("\"{set}\""))]);
        let evaluator = Evaluator::of(draft.ranking);
        draft.decide(hand.parse().unwrap(), evaluator).map(|decision| decision.setting.low.to_string())
    };
    let no_pair = "As Kd Tc 9h 6s 4d 2c";
    assert_eq!(set("second and fifth highest singles in the low hand", no_pair).as_deref(), Some("Kd 6s"));
    assert_eq!(set("second and third highest singles in the low hand", no_pair).as_deref(), Some("Kd Tc"));
    // The highest card of a hand without a pair must stay in the high hand.
    assert_eq!(set("first and second highest singles in the low hand", no_pair), None);
    // With a pair in the high hand, the two highest singles may be in the low hand.
    let pair = "As Kd Tc 9h 9s 4d 2c";
    assert_eq!(set("first and second highest singles in the low hand", pair).as_deref(), Some("As Kd"));
    assert_eq!(set("sixth and seventh highest singles in the low hand", pair), None);
    assert_eq!(set("group in the high hand", pair).as_deref(), Some("As Kd"));
    assert_eq!(set("group in the high hand", "As Kd 9c 9h 9s 4d 2c").as_deref(), Some("As Kd"));
    for (hand, low) in [
        ("As Kd Kc Kh 9s 9d 2c", "9s 9d"),
        ("As Kd Kc 9h 9s 4d 4c", "Kd Kc"),
        ("Kd Kc Kh 9s 9d 4s 4c", "9s 9d"),
        ("As Ad Ac Ah 9s 9d 2c", "9s 9d"),
    ] {
        assert_eq!(set("highest pair in the low hand", hand).as_deref(), Some(low), "{hand}");
    }
    assert_eq!(set("highest pair in the low hand", no_pair), None);
    assert_eq!(set("group in the high hand", no_pair), None);
    assert_eq!(set("group in the high hand", "As Kd Kc 9h 9s 4d 2c"), None);
}

#[test]
fn wrong_orders_and_sums_are_unknown_phrases() {
    for (when, set) in [
        ("eighth highest single A", "best"),
        ("pairs sum at most 28", "best"),
        ("pairs sum at least 4", "best"),
        ("pairs sum at least x", "best"),
        ("pairs sum 12", "best"),
        ("third and fourth highest singles sum at most 28", "best"),
        ("fourth and third highest singles sum at most 18", "best"),
        ("third highest singles sum at most 18", "best"),
        ("any hand", "fifth and second highest singles in the low hand"),
        ("any hand", "second and second highest singles in the low hand"),
        ("any hand", "second highest singles in the low hand"),
        ("any hand", "group in the low hand"),
    ] {
        let problems =
            HouseWayDraft::parse("test", &Source::new("test", text(&[(when, &format!("\"{set}\""))])))
                .unwrap_err();
        assert!(problems[0].message.starts_with("unknown phrase"), "{when}, {set}: {problems:?}");
    }
}
