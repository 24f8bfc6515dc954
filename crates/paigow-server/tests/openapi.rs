//! The document of the API, as it is checked in, beside what the program makes of its routes.

#![allow(clippy::unwrap_used)] // a test that cannot read the document has failed

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn made() -> Value {
    serde_json::to_value(paigow_server::openapi()).unwrap()
}

#[test]
fn the_document_that_is_checked_in_is_the_one_the_program_makes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let text = serde_json::to_string_pretty(&made()).unwrap() + "\n";
    if std::env::var_os("PAIGOW_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == text,
        "docs/openapi.json is not what the routes say: run this test with PAIGOW_WRITE=1 set"
    );
}

#[test]
fn every_operation_is_described_and_named_once() {
    let document = made();
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let at = format!("{method} {path}");
            let said = operation["summary"].as_str().or(operation["description"].as_str());
            assert!(said.is_some_and(|said| !said.is_empty()), "{at} is not described");
            assert!(names.insert(operation["operationId"].to_string() + path), "{at} is named twice");
            let responses = operation["responses"].as_object().unwrap();
            let good = |status: &String| status.starts_with('1') || status.starts_with('2');
            assert!(responses.keys().any(good), "{at} never succeeds");
        }
    }
    assert!(names.len() > 30, "{names:?}");
}

#[test]
fn everything_the_document_refers_to_is_in_it() {
    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let document = made();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference} is not there");
    }
}
