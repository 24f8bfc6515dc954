//! Completion of parsed drafts to house ways, and the problem of incomplete drafts.

use paigow::document::{ProblemCode, Source};
use paigow::{Evaluator, HouseWay, HouseWayDraft, Ranking};
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
fn house_way_keeps_the_data_of_its_draft() {
    let draft = draft(&[("any hand", r#""best""#)]);
    let way = draft.clone().complete().unwrap();
    assert_eq!((way.id(), way.title(), way.source()), ("test", "T", "S"));
    assert_eq!(way.ranking(), draft.ranking);
    assert_eq!(way.clauses().len(), way.as_draft().clauses().len());
}
