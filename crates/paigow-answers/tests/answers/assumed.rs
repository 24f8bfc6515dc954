//! Tests that rules with an assumed value have `assumed: true` next to their citation.

use paigow::rulebook::BuiltIn;
use paigow_answers::rules::{self, RulesQuestion};
use serde_json::Value;

/// Collects citation and `assumed` of all objects with a citation, at any depth of an answer.
fn collect_citations<'a>(answer: &'a Value, found: &mut Vec<(&'a str, bool)>) {
    match answer {
        Value::Object(fields) => {
            // Entries of `values` have a kind instead.
            if let (Some(cite), None) = (fields.get("cite"), fields.get("is")) {
                found.push((cite.as_str().unwrap(), fields["assumed"].as_bool().unwrap()));
            }
            fields.values().for_each(|value| collect_citations(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_citations(item, found)),
        _ => {}
    }
}

#[test]
fn assumed_flag_matches_the_citation() {
    let (mut assumed, mut documented) = (0, 0);
    for book in BuiltIn::book_names() {
        let question = RulesQuestion { book: book.to_owned(), ..RulesQuestion::default() };
        let answer = serde_json::to_value(rules::answer(&question, &BuiltIn).unwrap()).unwrap();
        let mut found = Vec::new();
        collect_citations(&answer, &mut found);
        for (cite, is_assumed) in found {
            assert_eq!(is_assumed, cite.to_lowercase().starts_with("assumed:"), "{book}: {cite}");
            *if is_assumed { &mut assumed } else { &mut documented } += 1;
        }
    }
    assert!(assumed > 20 && documented > 200, "{assumed} assumed, {documented} documented");
}
