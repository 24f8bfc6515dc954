//! The checked-in JSON Schemas for editors match the specifications that the parser uses.
//!
//! `UPDATE_GOLDEN=1 cargo test -p paigow --test rules schema::` rewrites them.

use paigow::HOUSE_WAY_SPEC;
use paigow::document::{FieldType, Spec};
use paigow::rulebook::RULE_BOOK_SPEC;
use serde_json::{Map, Value, json};
use std::path::Path;

#[test]
fn checked_in_schemas_match_the_specifications() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulebooks");
    let schemas = [
        ("schema.json", schema(&RULE_BOOK_SPEC, "A pai gow poker rule book")),
        ("house-ways/schema.json", schema(&HOUSE_WAY_SPEC, "A pai gow poker house way")),
    ];
    for (file, schema) in schemas {
        let path = folder.join(file);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, format!("{schema:#}\n")).expect("the schema is written");
        }
        let text = std::fs::read_to_string(&path).expect("a schema");
        let checked_in: Value = serde_json::from_str(&text).expect("JSON");
        assert!(checked_in == schema, "{} is out of date: run with UPDATE_GOLDEN=1", path.display());
    }
}

/// Returns the JSON Schema of documents. A document with an `extends` key may omit required keys.
fn schema(spec: &Spec, title: &str) -> Value {
    let head = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "title": title });
    let body = if spec.fields.iter().any(|field| field.name == "extends") {
        json!({ "if": { "required": ["extends"] }, "then": object(spec, false), "else": object(spec, true) })
    } else {
        json!({ "allOf": [object(spec, true)] })
    };
    joined(head, body)
}

/// The keys that give the source of values, with their descriptions.
const PROVENANCE: [(&str, &str); 3] = [
    ("cite", "The passages that fix values: text for all, or an entry for each key."),
    ("option", "The passages that leave values to the house: text for all, or an entry for each key."),
    ("assumed", "The reasons for values that no passage decides: text for all, or an entry for each key."),
];

/// Returns the schema of a table. `whole` makes the required keys required.
fn object(spec: &Spec, whole: bool) -> Value {
    let mut properties = Map::new();
    for field in spec.fields {
        let note = if field.descriptive { " (descriptive: not part of the rules' digest)" } else { "" };
        let about = json!({ "description": format!("{}{note}", field.about) });
        let value = match &field.field_type {
            FieldType::Table(spec) => object(spec, whole),
            field_type => joined(about, value(field_type, whole)),
        };
        properties.insert(field.name.to_owned(), value);
    }
    for (key, about) in PROVENANCE.iter().filter(|_| spec.cited) {
        let value =
            json!({ "description": about, "type": ["string", "object"], "minLength": 1, "minProperties": 1 });
        properties.insert((*key).to_owned(), value);
    }
    let required: Vec<&str> =
        spec.fields.iter().filter(|field| whole && field.required).map(|field| field.name).collect();
    json!({
        "description": spec.about,
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties,
    })
}

/// Returns the schema of a value without its description.
fn value(field_type: &FieldType, whole: bool) -> Value {
    match field_type {
        FieldType::Text => json!({ "type": "string", "minLength": 1 }),
        FieldType::Texts => json!({
            "type": ["string", "array"],
            "minLength": 1,
            "minItems": 1,
            "items": { "type": "string", "minLength": 1 },
        }),
        FieldType::Bool => json!({ "type": "boolean" }),
        FieldType::Count(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
        FieldType::Amount => json!({ "type": "string", "pattern": "^[0-9]+([.][0-9]{1,2})?$" }),
        FieldType::Percent => json!({ "type": "string", "pattern": "^[0-9]{1,3}([.][0-9]{1,2})?$" }),
        FieldType::Date => json!({ "type": "string", "format": "date" }),
        FieldType::Choice(choices) => json!({ "enum": choices }),
        FieldType::Choices(choices) => {
            json!({ "type": "array", "minItems": 1, "uniqueItems": true, "items": { "enum": choices } })
        }
        FieldType::ChoicesOrNone(choices) => {
            json!({ "type": "array", "uniqueItems": true, "items": { "enum": choices } })
        }
        FieldType::Pays => {
            json!({ "oneOf": [{ "type": "integer", "minimum": 1, "maximum": 1_000_000 }, { "const": "push" }] })
        }
        FieldType::Open => json!({}),
        FieldType::Table(spec) => object(spec, whole),
        FieldType::Named(spec) => {
            json!({ "type": "object", "minProperties": 1, "additionalProperties": object(spec, whole) })
        }
        FieldType::Rows(spec) => json!({ "type": "array", "minItems": 1, "items": object(spec, whole) }),
    }
}

/// Returns an object with the keys of two.
fn joined(first: Value, second: Value) -> Value {
    let keys = [first, second].into_iter().filter_map(|part| match part {
        Value::Object(keys) => Some(keys),
        _ => None,
    });
    Value::Object(keys.flatten().collect())
}
