//! Valid and invalid requests for every operation of the `OpenAPI` document: the document describes every response, and
//! no request makes the server fail.

use crate::kit::{Browser, Response, TestServer};
use hyper::Method;
use jsonschema::Validator;
use paigow_testkit::Rng;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Number of requests for each operation by each client.
const REQUESTS: u64 = 12;

/// Operations that would break the other requests. They are requested last, with valid input.
const LAST: [&str; 1] = ["/api/operator/drain"];

/// The `OpenAPI` document.
struct Document {
    json: Value,
}

impl Document {
    fn new() -> Document {
        Document { json: serde_json::to_value(paigow_server::openapi()).unwrap() }
    }

    fn operations(&self) -> Vec<(String, String, Value)> {
        let paths = self.json["paths"].as_object().unwrap();
        let of_path = |(path, item): (&String, &Value)| {
            let operations = item.as_object().unwrap().iter();
            let named = operations.map(|(method, it)| (method.to_uppercase(), path.clone(), it.clone()));
            named.collect::<Vec<_>>()
        };
        paths.iter().flat_map(of_path).collect()
    }

    /// Returns a validator for a schema and the components that it refers to.
    fn validator(&self, schema: &Value) -> Validator {
        let mut whole = schema.as_object().unwrap().clone();
        whole.insert("components".to_owned(), self.json["components"].clone());
        jsonschema::draft202012::new(&Value::Object(whole)).unwrap()
    }

    /// Returns the documented response for a status.
    fn response(operation: &Value, status: u16) -> Option<&Value> {
        let responses = operation["responses"].as_object().unwrap();
        let class = format!("{}XX", status / 100);
        responses.get(&status.to_string()).or_else(|| responses.get(&class))
    }

    fn check(&self, what: &str, operation: &Value, response: &Response) {
        assert!(response.status < 500 || response.status == 503, "{what}: {response:?}");
        let described = Document::response(operation, response.status);
        let described =
            described.unwrap_or_else(|| panic!("{what}: {} is not in the document", response.status));
        let Some(contents) = described["content"].as_object() else {
            assert!(response.body.is_empty(), "{what}: {response:?}");
            return;
        };
        let kind = response.header("content-type").unwrap_or("").split(';').next().unwrap().to_owned();
        let (named, content) = contents.iter().next().unwrap();
        if kind.ends_with("json") {
            assert_eq!(kind, *named, "{what}");
            let validator = self.validator(&content["schema"]);
            let json = response.json();
            let errors: Vec<String> = validator
                .iter_errors(&json)
                .map(|error| format!("{error} at {}", error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{what}: {errors:?} in {json}");
        }
    }

    /// Returns a random value that roughly matches a schema.
    fn value(&self, schema: &Value, rng: &mut Rng, depth: u8) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            return self.value(self.json.pointer(name.trim_start_matches('#')).unwrap(), rng, depth);
        }
        for one_of in ["oneOf", "anyOf"] {
            if let Some(variants) = schema[one_of].as_array() {
                return self.value(rng.pick(variants), rng, depth);
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let mut all = Map::new();
            for part in parts {
                all.extend(self.value(part, rng, depth).as_object().cloned().unwrap_or_default());
            }
            return Value::Object(all);
        }
        if let Some(words) = schema["enum"].as_array() {
            return rng.pick(words).clone();
        }
        let kind = schema["type"].as_str().map(str::to_owned).or_else(|| {
            let kinds = schema["type"].as_array()?;
            rng.pick(kinds).as_str().map(str::to_owned)
        });
        match kind.as_deref() {
            Some("string") => word(rng),
            Some("integer" | "number") => number(rng),
            Some("boolean") => Value::Bool(rng.below(2) == 0),
            Some("array") if depth > 0 => {
                let count = rng.below(4);
                (0..count).map(|_| self.value(&schema["items"], rng, depth - 1)).collect()
            }
            Some("object") if depth > 0 => self.object(schema, rng, depth),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => Value::Null,
        }
    }

    fn object(&self, schema: &Value, rng: &mut Rng, depth: u8) -> Value {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut fields = Map::new();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            if required.contains(&name.as_str()) || rng.below(2) == 0 {
                fields.insert(name.clone(), self.value(schema, rng, depth - 1));
            }
        }
        if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
            for _ in 0..rng.below(3) {
                let name = word(rng).as_str().unwrap().to_owned();
                fields.insert(name, self.value(values, rng, depth - 1));
            }
        }
        Value::Object(fields)
    }
}

/// Returns a random word, valid or invalid.
fn word(rng: &mut Rng) -> Value {
    const WORDS: [&str; 24] = [
        "washington",
        "ez",
        "california",
        "fortune",
        "pai-gow",
        "red-black",
        "FPG-01",
        "posted",
        "PRACTICE",
        "open",
        "practice-1",
        "As Kd Tc 9h 2s 2d Jk",
        "2c 2d",
        "foxwoods",
        "limits.min",
        "",
        " ",
        "../../etc/passwd",
        "\u{0}",
        "x'; DROP TABLE events; --",
        "ÄÖ∀\u{202e}",
        "0",
        "-1",
        "00ff",
    ];
    match rng.below(12) {
        0 => Value::from("x".repeat(rng.index(3_000))),
        1 => Value::from(format!("{:016x}", rng.next())),
        _ => Value::from(*rng.pick(&WORDS)),
    }
}

fn number(rng: &mut Rng) -> Value {
    match rng.below(6) {
        0 => json!(rng.next()),
        1 => json!(-i64::try_from(rng.below(1_000_000)).unwrap()),
        2 => json!(1.5),
        _ => json!(rng.below(2_000)),
    }
}

/// Returns a random body, valid or invalid.
fn body(document: &Document, operation: &Value, rng: &mut Rng) -> String {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    if schema.is_null() {
        return String::new();
    }
    let mut value = document.value(schema, rng, 5);
    match rng.below(8) {
        0 => return "[".repeat(rng.index(500)),
        1 => return word(rng).to_string() + "}",
        2 => value = word(rng),
        3 => {
            if let Some(fields) = value.as_object_mut() {
                fields.insert("unknown".to_owned(), json!(1));
            }
        }
        4 => {
            if let Some(fields) = value.as_object_mut() {
                let gone = fields.keys().nth(rng.index(fields.len().max(1))).cloned();
                gone.map(|name| fields.remove(&name));
            }
        }
        _ => {}
    }
    value.to_string()
}

/// Returns the path and query of an operation with random parameters.
fn address(path: &str, operation: &Value, rng: &mut Rng) -> String {
    let mut parts: BTreeMap<&str, String> = BTreeMap::new();
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        let text = match (rng.below(3), name) {
            (0, _) => word(rng).as_str().unwrap().to_owned(),
            (_, "round" | "limit" | "after" | "before" | "from") => rng.below(5).to_string(),
            (_, "book") => "washington".to_owned(),
            (_, "house_way") => "foxwoods".to_owned(),
            (_, "format") => rng.pick(&["json", "csv"]).to_string(),
            _ => "practice-1".to_owned(),
        };
        // Percent-encoded as in a browser.
        let text: String = text
            .bytes()
            .map(|byte| {
                if byte.is_ascii_alphanumeric() || byte == b'-' {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            })
            .collect();
        match parameter["in"].as_str() {
            // An empty segment would give another path.
            Some("path") => drop(parts.insert(name, if text.is_empty() { "x".to_owned() } else { text })),
            _ if rng.below(2) == 0 => query.push(format!("{name}={text}")),
            _ => {}
        }
    }
    let path =
        parts.iter().fold(path.to_owned(), |path, (name, text)| path.replace(&format!("{{{name}}}"), text));
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

/// Whether a request takes long: the base game takes seconds, and all figures longer. Other tests cover these.
fn is_long(path: &str, body: &str) -> bool {
    match path {
        "/api/odds" => !body.contains("\"wager\":\"fortune\""),
        "/api/verify" => true,
        _ => false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_response_is_described_by_the_document() {
    let server = TestServer::new(&[("tables_per_person", "1000"), ("seats_per_person", "1000")]).await;
    server.open_table("practice-1", "washington", &crate::kit::clocks(1_000, 1_000, 1_000, 1_000)).await;
    let document = Document::new();
    let guest = server.guest("Ann").await;
    let clients: [Browser; 3] = [server.browser(), guest, server.operator()];
    let mut rng = Rng::new(7);
    let mut counts = BTreeMap::new();
    for (method, path, operation) in document.operations() {
        if LAST.contains(&path.as_str()) || path.ends_with("/live") {
            continue;
        }
        for client in &clients {
            for _ in 0..REQUESTS {
                let (address, body) =
                    (address(&path, &operation, &mut rng), body(&document, &operation, &mut rng));
                if is_long(&path, &body) {
                    continue;
                }
                let what = format!("{method} {address} {body}");
                let response =
                    client.request(Method::from_bytes(method.as_bytes()).unwrap(), &address, body).await;
                document.check(&what, &operation, &response);
                *counts.entry((path.clone(), response.status)).or_insert(0) += 1;
            }
        }
        // The guest's next requests need a new session.
        if method == "DELETE" {
            let _ = clients[1].post("/api/session", &json!({ "name": "Ann" })).await;
        }
    }
    // Not all responses are refusals.
    let succeeded = counts.keys().filter(|(_, status)| *status < 300).count();
    assert!(succeeded > 20, "{counts:?}");
    for path in LAST {
        let response = server.operator().post(path, &Value::Null).await;
        let operation = &document.json["paths"][path]["post"];
        document.check(path, operation, &response);
    }
}
