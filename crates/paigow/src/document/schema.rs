//! Export of a [`Spec`] as JSON Schema, for completion and validation in editors.

use super::spec::{FieldType, Spec};

/// Returns the JSON Schema of documents with this spec.
///
/// A document with an `extends` key may omit required keys.
pub fn json_schema(spec: &Spec, title: &str) -> String {
    let head = format!(
        "{{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": {},\n",
        quoted(title)
    );
    let whole = object(spec, 2, true);
    if !spec.fields.iter().any(|field| field.name == "extends") {
        return format!("{head}  \"allOf\": [{whole}]\n}}\n");
    }
    let part = object(spec, 2, false);
    format!(
        "{head}  \"if\": {{ \"required\": [\"extends\"] }},\n  \"then\": {part},\n  \"else\": {whole}\n}}\n"
    )
}

fn object(spec: &Spec, depth: usize, whole: bool) -> String {
    let pad = "  ".repeat(depth);
    let mut properties: Vec<String> = spec
        .fields
        .iter()
        .map(|field| {
            let descriptive =
                if field.descriptive { " (descriptive: not part of the rules' digest)" } else { "" };
            let about = format!("{}{descriptive}", field.about);
            format!("{pad}  {}: {}", quoted(field.name), value(&field.kind, &about, depth + 1, whole))
        })
        .collect();
    let mut required: Vec<String> =
        spec.fields.iter().filter(|field| field.required).map(|field| quoted(field.name)).collect();
    if spec.cited {
        let words = [
            ("cite", "The passages that fix values: text for all, or an entry for each key."),
            (
                "option",
                "The passages that leave values to the house: text for all, or an entry for each key.",
            ),
            (
                "assumed",
                "The reasons for values that no passage decides: text for all, or an entry for each key.",
            ),
        ];
        for (word, about) in words {
            properties.push(format!(
                "{pad}  \"{word}\": {{ \"description\": \"{about}\", \"type\": [\"string\", \"object\"], \"minLength\": 1, \"minProperties\": 1 }}"
            ));
        }
    }
    if !whole {
        required.clear();
    }
    format!(
        "{{\n{pad}\"description\": {},\n{pad}\"type\": \"object\",\n{pad}\"additionalProperties\": false,\n{pad}\"required\": [{}],\n{pad}\"properties\": {{\n{}\n{pad}}}\n{}}}",
        quoted(spec.about),
        required.join(", "),
        properties.join(",\n"),
        "  ".repeat(depth - 1),
    )
}

fn value(kind: &FieldType, about: &str, depth: usize, whole: bool) -> String {
    let described = |rest: &str| format!("{{ \"description\": {}, {rest} }}", quoted(about));
    let words = |words: &[&str]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ");
    match kind {
        FieldType::Text => described("\"type\": \"string\", \"minLength\": 1"),
        FieldType::Texts => described(
            "\"type\": [\"string\", \"array\"], \"minLength\": 1, \"minItems\": 1, \"items\": { \"type\": \"string\", \"minLength\": 1 }",
        ),
        FieldType::Bool => described("\"type\": \"boolean\""),
        FieldType::Count(min, max) => {
            described(&format!("\"type\": \"integer\", \"minimum\": {min}, \"maximum\": {max}"))
        }
        FieldType::Amount => described("\"type\": \"string\", \"pattern\": \"^[0-9]+([.][0-9]{1,2})?$\""),
        FieldType::Percent => {
            described("\"type\": \"string\", \"pattern\": \"^[0-9]{1,3}([.][0-9]{1,2})?$\"")
        }
        FieldType::Date => described("\"type\": \"string\", \"format\": \"date\""),
        FieldType::Choice(choices) => described(&format!("\"enum\": [{}]", words(choices))),
        FieldType::Choices(choices) => described(&format!(
            "\"type\": \"array\", \"minItems\": 1, \"uniqueItems\": true, \"items\": {{ \"enum\": [{}] }}",
            words(choices)
        )),
        FieldType::ChoicesOrNone(choices) => described(&format!(
            "\"type\": \"array\", \"uniqueItems\": true, \"items\": {{ \"enum\": [{}] }}",
            words(choices)
        )),
        FieldType::Pays => described(
            "\"oneOf\": [{ \"type\": \"integer\", \"minimum\": 1, \"maximum\": 1000000 }, { \"const\": \"push\" }]",
        ),
        FieldType::Open => format!("{{ \"description\": {} }}", quoted(about)),
        FieldType::Table(spec) => object(spec, depth + 1, whole),
        FieldType::Named(spec) => described(&format!(
            "\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": {}",
            object(spec, depth + 1, whole)
        )),
        FieldType::Rows(spec) => described(&format!(
            "\"type\": \"array\", \"minItems\": 1, \"items\": {}",
            object(spec, depth + 1, whole)
        )),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
