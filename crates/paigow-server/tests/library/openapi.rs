//! The `OpenAPI` document in `docs/openapi.json`, compared with the one generated from the routes.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn generated() -> Value {
    serde_json::to_value(paigow_server::openapi()).unwrap()
}

#[test]
fn checked_in_document_matches_the_routes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let text = serde_json::to_string_pretty(&generated()).unwrap() + "\n";
    if std::env::var_os("PAIGOW_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "docs/openapi.json does not match the routes: run this test with PAIGOW_WRITE=1");
}

#[test]
fn every_operation_has_a_description_and_a_unique_id() {
    let document = generated();
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let at = format!("{method} {path}");
            let text = operation["summary"].as_str().or(operation["description"].as_str());
            assert!(text.is_some_and(|text| !text.is_empty()), "{at} has no description");
            assert!(names.insert(operation["operationId"].to_string() + path), "{at} has a duplicate id");
            let responses = operation["responses"].as_object().unwrap();
            let good = |status: &String| status.starts_with('1') || status.starts_with('2');
            assert!(responses.keys().any(good), "{at} has no success response");
        }
    }
    assert!(names.len() > 30, "{names:?}");
}

#[test]
fn every_reference_resolves() {
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
    let document = generated();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        assert!(
            document.pointer(reference.trim_start_matches('#')).is_some(),
            "{reference} does not resolve"
        );
    }
}

/// Returns every schema of a request with its path in the document.
fn request_schemas(document: &Value) -> Vec<(String, Value)> {
    fn parts(
        at: &str,
        schema: &Value,
        document: &Value,
        seen: &mut BTreeSet<String>,
        found: &mut Vec<(String, Value)>,
    ) {
        if let Some(name) = schema["$ref"].as_str() {
            if seen.insert(name.to_owned()) {
                let target = document.pointer(name.trim_start_matches('#')).unwrap();
                parts(name, target, document, seen, found);
            }
            return;
        }
        found.push((at.to_owned(), schema.clone()));
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            parts(&format!("{at}.{name}"), schema, document, seen, found);
        }
        for key in ["items", "additionalProperties"] {
            if schema[key].is_object() {
                parts(&format!("{at}.{key}"), &schema[key], document, seen, found);
            }
        }
        for key in ["oneOf", "anyOf", "allOf"] {
            for schema in schema[key].as_array().into_iter().flatten() {
                parts(at, schema, document, seen, found);
            }
        }
    }
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let at = format!("{method} {path} {}", parameter["name"]);
                parts(&at, &parameter["schema"], document, &mut seen, &mut found);
            }
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            parts(&format!("{method} {path}"), body, document, &mut seen, &mut found);
        }
    }
    found
}

#[test]
fn request_strings_numbers_and_lists_are_bounded() {
    let has = |schema: &Value, keys: &[&str]| keys.iter().any(|key| !schema[*key].is_null());
    let mut texts = 0;
    for (at, schema) in request_schemas(&generated()) {
        let kinds = match &schema["type"] {
            Value::Array(kinds) => kinds.clone(),
            kind => vec![kind.clone()],
        };
        let is = |kind: &str| kinds.iter().any(|known| known == kind);
        if is("string") {
            texts += 1;
            assert!(has(&schema, &["pattern", "enum", "format", "maxLength", "const"]), "{at}: {schema}");
        }
        assert!(!is("integer") || has(&schema, &["format", "maximum"]), "{at}: {schema}");
        assert!(!is("array") || has(&schema, &["maxItems"]), "{at}: {schema}");
    }
    assert!(texts > 40, "{texts}");
}

#[test]
fn responses_have_content_types_and_refusals_are_problems() {
    for (path, item) in generated()["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let kinds: Vec<&String> =
                    response["content"].as_object().into_iter().flatten().map(|(kind, _)| kind).collect();
                let at = format!("{method} {path} {status}");
                match status.as_str() {
                    "101" | "204" => assert!(kinds.is_empty(), "{at}: {kinds:?}"),
                    "202" => assert!(kinds.is_empty() || kinds == ["application/json"], "{at}: {kinds:?}"),
                    "200" | "201" => assert!(!kinds.is_empty(), "{at}"),
                    _ => assert_eq!(kinds, ["application/problem+json"], "{at}"),
                }
            }
        }
    }
}
