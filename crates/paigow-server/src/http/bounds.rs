//! Maximum lengths of texts and lists in requests. The API document and the check of every body use the same list.

use super::problem::{ApiFault, ApiProblem};
use axum::http::StatusCode;
use paigow_answers::written_way;
use serde_json::Value;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, Object, Schema, SchemaType, Type};
use utoipa::openapi::{OpenApi, RefOr};

/// Maximum number of characters of a text, by the name of its field or parameter. Texts in a list or map use the name
/// of the list or map.
const TEXTS: [(&str, usize); 35] = [
    ("against", 64),
    ("before", written_way::TEXT_MAX),
    ("book", 64),
    ("budget", 16),
    ("card", 64),
    ("cards", 200),
    ("ceremony", 64),
    ("changes", 8_192),
    ("code", 64),
    ("currency", 16),
    ("current", 512),
    ("day", 10),
    ("from", 10),
    ("front", 64),
    ("hand", 64),
    ("house_way", 64),
    ("house_way_toml", written_way::TEXT_MAX),
    ("id", 2_048),
    ("label", 40),
    ("name", 24),
    ("offer", 64),
    ("password", 512),
    ("paytable", 64),
    ("paytables", 64),
    ("player", 64),
    ("player_house_way", 64),
    ("rows", 8_192),
    ("secret", 64),
    ("side", 16),
    ("source", 64),
    ("table", 40),
    ("text", 500),
    ("to", 10),
    ("toml", 65_536),
    ("wager", 64),
];

/// Fields that other code checks: `name` without the surrounding spaces, `table` by its type, `text` by the table, and
/// `changes` all together.
const CHECKED_ELSEWHERE: [&str; 4] = ["changes", "name", "table", "text"];

/// Maximum number of elements of a list and of entries of a map.
const ITEMS_MAX: usize = 64;

/// Schemas of request bodies and of their parts.
const REQUESTS: [&str; 42] = [
    "Acceptance",
    "ApprovalDecision",
    "BestQuestion",
    "BudgetQuestion",
    "Command",
    "Deletion",
    "DesignQuestion",
    "EditedRow",
    "ExerciseQuestion",
    "FinishedEnrolment",
    "HouseTable",
    "InvitationRequest",
    "LabQuestion",
    "LimitsRequest",
    "LossLimit",
    "NewCredentials",
    "NewEnrolment",
    "NewGuest",
    "NewName",
    "NewOperator",
    "NewPasskey",
    "NewTable",
    "NoFields",
    "Notice",
    "OddsQuestion",
    "OperatorChange",
    "OperatorName",
    "OperatorPasskey",
    "OperatorSignIn",
    "PasskeyRequest",
    "PasskeyResponse",
    "PasskeySignIn",
    "PasswordChange",
    "PasswordSignIn",
    "PersonRename",
    "RecoverySignIn",
    "SeatAccess",
    "SetQuestion",
    "SettleQuestion",
    "Stake",
    "ValueChanges",
    "VoidReason",
];

/// Patterns of ids and hexadecimal texts, by schema.
const PATTERNS: [(&str, &str); 7] = [
    ("TableId", NAME),
    ("PlayerId", NAME),
    ("CommandId", NAME),
    ("Currency", NAME),
    ("TransferId", NAME),
    ("SeatBytes", "^([0-9a-fA-F]{2}){0,32}$"),
    ("Commitment", "^[0-9a-fA-F]{64}$"),
];
const NAME: &str = "^[A-Za-z0-9._:/-]+$";

fn max_chars(name: &str) -> Option<usize> {
    TEXTS.iter().find(|(known, _)| *known == name).map(|(_, max)| *max)
}

/// Checks the lengths of the texts and lists in a body.
///
/// # Errors
/// Every text and list that is too long, with its path.
pub(super) fn check(body: &Value) -> Result<(), ApiProblem> {
    let mut faults = Vec::new();
    check_value("", "", body, &mut faults);
    let Some(first) = faults.first() else { return Ok(()) };
    let detail = first.message.clone();
    Err(ApiProblem { faults, ..ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "too_long", detail) })
}

fn check_value(path: &str, name: &str, value: &Value, faults: &mut Vec<ApiFault>) {
    if CHECKED_ELSEWHERE.contains(&name) {
        return;
    }
    let mut fault = |message: String| {
        faults.push(ApiFault { code: "too_long".to_owned(), at: Some(path.to_owned()), message });
    };
    let child = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::String(text) => {
            let (max, found) = (max_chars(name).unwrap_or(usize::MAX), text.chars().count());
            if found > max {
                fault(format!("`{path}` has {found} characters; the maximum is {max}"));
            }
        }
        Value::Array(items) if items.len() > ITEMS_MAX => {
            fault(format!("`{path}` has {} elements; the maximum is {ITEMS_MAX}", items.len()));
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| check_value(&child(&index.to_string()), name, item, faults));
        }
        Value::Object(fields) if fields.len() > ITEMS_MAX => {
            fault(format!("`{path}` has {} entries; the maximum is {ITEMS_MAX}", fields.len()));
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                // Texts in a map use the name of the map.
                let name = if name == "paytables" { name } else { key };
                check_value(&child(key), name, value, faults);
            }
        }
        _ => {}
    }
}

/// Writes the bounds into the API document.
pub(super) fn describe(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            for parameter in operation.parameters.iter_mut().flatten() {
                let RefOr::T(parameter) = parameter else { continue };
                let name = parameter.name.clone();
                if let Some(schema) = &mut parameter.schema {
                    bound(schema, &name);
                }
            }
        }
    }
    let Some(components) = &mut document.components else { return };
    for (name, schema) in &mut components.schemas {
        if REQUESTS.contains(&name.as_str()) {
            bound(schema, if name == "ValueChanges" { "changes" } else { "" });
        }
        let pattern = PATTERNS.iter().find(|(known, _)| known == name);
        if let (Some((_, pattern)), RefOr::T(Schema::Object(object))) = (pattern, schema) {
            object.pattern = Some((*pattern).to_owned());
        }
    }
}

/// Adds the bounds to the schema of the field `name`.
fn bound(schema: &mut RefOr<Schema>, name: &str) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => bound_object(object, name),
        Schema::Array(array) => {
            array.max_items.get_or_insert(ITEMS_MAX);
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                bound(items, name);
            }
        }
        Schema::OneOf(of) => of.items.iter_mut().for_each(|schema| bound(schema, name)),
        Schema::AllOf(of) => of.items.iter_mut().for_each(|schema| bound(schema, name)),
        Schema::AnyOf(of) => of.items.iter_mut().for_each(|schema| bound(schema, name)),
        _ => {}
    }
}

fn bound_object(object: &mut Object, name: &str) {
    let is_text = match &object.schema_type {
        SchemaType::Type(kind) => *kind == Type::String,
        SchemaType::Array(kinds) => kinds.contains(&Type::String),
        SchemaType::AnyValue => false,
    };
    if is_text && object.enum_values.is_none() && object.max_length.is_none() {
        object.max_length = max_chars(name);
    }
    for (name, schema) in &mut object.properties {
        bound(schema, name);
    }
    if let Some(AdditionalProperties::RefOr(schema)) = object.additional_properties.as_deref_mut() {
        object.max_properties.get_or_insert(ITEMS_MAX);
        bound(schema, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn check_reports_the_path_of_every_long_text_and_list() {
        let long = "x".repeat(65);
        let body = json!({
            "rules": { "book": long, "offer": ["a", long], "paytables": { "fortune": long }, "bots": 3 },
            "rows": vec![0; 65],
            "unknown": "x".repeat(10_000),
        });
        let problem = check(&body).unwrap_err();
        assert_eq!((problem.status, problem.code.as_str()), (422, "too_long"));
        let mut paths: Vec<_> = problem.faults.iter().filter_map(|fault| fault.at.as_deref()).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["rows", "rules.book", "rules.offer.1", "rules.paytables.fortune"]);
        assert!(check(&json!({ "book": "x".repeat(64), "rows": vec![0; 64] })).is_ok());
    }
}
