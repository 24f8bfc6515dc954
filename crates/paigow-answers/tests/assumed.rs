//! What no document says is marked as assumed in a field, beside its citation.

#![allow(clippy::unwrap_used)] // a question that cannot be asked is a failed test

use paigow::rulebook::BuiltIn;
use paigow_answers::rules::{self, RulesQuestion};
use serde_json::Value;

/// Every object with a citation, wherever it stands in an answer.
fn cited<'a>(answer: &'a Value, found: &mut Vec<(&'a str, bool)>) {
    match answer {
        Value::Object(fields) => {
            // Values have their kind instead.
            if let (Some(cite), None) = (fields.get("cite"), fields.get("is")) {
                found.push((cite.as_str().unwrap(), fields["assumed"].as_bool().unwrap()));
            }
            fields.values().for_each(|value| cited(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| cited(item, found)),
        _ => {}
    }
}

#[test]
fn a_rule_is_assumed_where_its_citation_says_so() {
    let (mut assumed, mut documented) = (0, 0);
    for book in BuiltIn::book_names() {
        let question = RulesQuestion { book: book.to_owned(), ..RulesQuestion::default() };
        let answer = serde_json::to_value(rules::answer(&question, &BuiltIn).unwrap()).unwrap();
        let mut found = Vec::new();
        cited(&answer, &mut found);
        for (cite, is_assumed) in found {
            assert_eq!(is_assumed, cite.to_lowercase().starts_with("assumed:"), "{book}: {cite}");
            *if is_assumed { &mut assumed } else { &mut documented } += 1;
        }
    }
    assert!(assumed > 20 && documented > 200, "{assumed} assumed, {documented} of documents");
}
