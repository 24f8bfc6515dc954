//! Every operation of the API's document, asked rightly and wrongly: each answer is one the document describes, and nothing asked makes the
//! server fail.

use crate::kit::{Answer, Browser, House};
use hyper::Method;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// How often each operation is asked, by each of those who may ask.
const TIMES: u64 = 12;

/// Operations that end what the others need; they are asked last and rightly.
const LAST: [&str; 2] = ["/api/operator/secret", "/api/operator/drain"];

/// A small generator of numbers: what fails can be asked again.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// The document, and what follows from it.
struct Document {
    json: Value,
}

impl Document {
    fn new() -> Document {
        Document { json: serde_json::to_value(paigow_server::openapi()).unwrap() }
    }

    fn operations(&self) -> Vec<(String, String, Value)> {
        let paths = self.json["paths"].as_object().unwrap();
        let of = |(path, item): (&String, &Value)| {
            let operations = item.as_object().unwrap().iter();
            let named = operations.map(|(method, it)| (method.to_uppercase(), path.clone(), it.clone()));
            named.collect::<Vec<_>>()
        };
        paths.iter().flat_map(of).collect()
    }

    /// A schema on its own, with all that it refers to.
    fn validator(&self, schema: &Value) -> Validator {
        let mut whole = schema.as_object().unwrap().clone();
        whole.insert("components".to_owned(), self.json["components"].clone());
        jsonschema::draft202012::new(&Value::Object(whole)).unwrap()
    }

    /// What the document says of an answer of this status.
    fn response(operation: &Value, status: u16) -> Option<&Value> {
        let responses = operation["responses"].as_object().unwrap();
        let class = format!("{}XX", status / 100);
        responses.get(&status.to_string()).or_else(|| responses.get(&class))
    }

    fn check(&self, what: &str, operation: &Value, answer: &Answer) {
        assert!(answer.status < 500 || answer.status == 503, "{what}: {answer:?}");
        let described = Document::response(operation, answer.status);
        let described =
            described.unwrap_or_else(|| panic!("{what}: {} is not in the document", answer.status));
        let Some(contents) = described["content"].as_object() else {
            assert!(answer.body.is_empty(), "{what}: {answer:?}");
            return;
        };
        let kind = answer.header("content-type").unwrap_or("").split(';').next().unwrap().to_owned();
        let (named, content) = contents.iter().next().unwrap();
        if kind.ends_with("json") {
            assert_eq!(kind, *named, "{what}");
            let validator = self.validator(&content["schema"]);
            let json = answer.json();
            let faults: Vec<String> = validator
                .iter_errors(&json)
                .map(|fault| format!("{fault} at {}", fault.instance_path()))
                .collect();
            assert!(faults.is_empty(), "{what}: {faults:?} in {json}");
        }
    }

    /// A value that a schema describes, more or less.
    fn value(&self, schema: &Value, chance: &mut Chance, depth: u8) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            return self.value(self.json.pointer(name.trim_start_matches('#')).unwrap(), chance, depth);
        }
        for one_of in ["oneOf", "anyOf"] {
            if let Some(ways) = schema[one_of].as_array() {
                return self.value(chance.pick(ways), chance, depth);
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let mut all = Map::new();
            for part in parts {
                all.extend(self.value(part, chance, depth).as_object().cloned().unwrap_or_default());
            }
            return Value::Object(all);
        }
        if let Some(words) = schema["enum"].as_array() {
            return chance.pick(words).clone();
        }
        let kind = schema["type"].as_str().map(str::to_owned).or_else(|| {
            let kinds = schema["type"].as_array()?;
            chance.pick(kinds).as_str().map(str::to_owned)
        });
        match kind.as_deref() {
            Some("string") => word(chance),
            Some("integer" | "number") => number(chance),
            Some("boolean") => Value::Bool(chance.below(2) == 0),
            Some("array") if depth > 0 => {
                let count = chance.below(4);
                (0..count).map(|_| self.value(&schema["items"], chance, depth - 1)).collect()
            }
            Some("object") if depth > 0 => self.object(schema, chance, depth),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => Value::Null,
        }
    }

    fn object(&self, schema: &Value, chance: &mut Chance, depth: u8) -> Value {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut fields = Map::new();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            if required.contains(&name.as_str()) || chance.below(2) == 0 {
                fields.insert(name.clone(), self.value(schema, chance, depth - 1));
            }
        }
        if let Some(of) = schema.get("additionalProperties").filter(|of| of.is_object()) {
            for _ in 0..chance.below(3) {
                let name = word(chance).as_str().unwrap().to_owned();
                fields.insert(name, self.value(of, chance, depth - 1));
            }
        }
        Value::Object(fields)
    }
}

/// Words that mean something here, and some that mean nothing anywhere.
fn word(chance: &mut Chance) -> Value {
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
    match chance.below(12) {
        0 => Value::from("x".repeat(chance.below(3_000))),
        1 => Value::from(format!("{:016x}", chance.next())),
        _ => Value::from(*chance.pick(&WORDS)),
    }
}

fn number(chance: &mut Chance) -> Value {
    match chance.below(6) {
        0 => json!(chance.next()),
        1 => json!(-i64::try_from(chance.below(1_000_000)).unwrap()),
        2 => json!(1.5),
        _ => json!(chance.below(2_000)),
    }
}

/// A body: as it should be, or with something wrong with it.
fn body(document: &Document, operation: &Value, chance: &mut Chance) -> String {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    if schema.is_null() {
        return String::new();
    }
    let mut value = document.value(schema, chance, 5);
    match chance.below(8) {
        0 => return "[".repeat(chance.below(500)),
        1 => return word(chance).to_string() + "}",
        2 => value = word(chance),
        3 => {
            if let Some(fields) = value.as_object_mut() {
                fields.insert("unknown".to_owned(), json!(1));
            }
        }
        4 => {
            if let Some(fields) = value.as_object_mut() {
                let gone = fields.keys().nth(chance.below(fields.len().max(1))).cloned();
                gone.map(|name| fields.remove(&name));
            }
        }
        _ => {}
    }
    value.to_string()
}

/// An address with its parts filled in.
fn address(path: &str, operation: &Value, chance: &mut Chance) -> String {
    let mut parts: BTreeMap<&str, String> = BTreeMap::new();
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        let text = match (chance.below(3), name) {
            (0, _) => word(chance).as_str().unwrap().to_owned(),
            (_, "round" | "limit" | "after" | "before" | "from") => chance.below(5).to_string(),
            (_, "book") => "washington".to_owned(),
            (_, "house_way") => "foxwoods".to_owned(),
            (_, "format") => chance.pick(&["json", "csv"]).to_string(),
            _ => "practice-1".to_owned(),
        };
        // As a browser writes it.
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
            // An empty part makes another path.
            Some("path") => drop(parts.insert(name, if text.is_empty() { "x".to_owned() } else { text })),
            _ if chance.below(2) == 0 => query.push(format!("{name}={text}")),
            _ => {}
        }
    }
    let path =
        parts.iter().fold(path.to_owned(), |path, (name, text)| path.replace(&format!("{{{name}}}"), text));
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

/// Long work is asked for elsewhere: the base game takes seconds, and all figures minutes.
fn is_long(path: &str, body: &str) -> bool {
    match path {
        "/api/odds" => !body.contains("\"wager\":\"fortune\""),
        "/api/verify" => true,
        _ => false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_to_anything_asked_is_one_the_document_describes() {
    let house = House::new(&[("tables_per_person", "1000"), ("seats_per_person", "1000")]).await;
    house.table("practice-1", "washington", &crate::kit::clocks(1_000, 1_000, 1_000, 1_000)).await;
    let document = Document::new();
    let guest = house.guest("Ann").await;
    let askers: [Browser; 3] = [house.browser(), guest, house.operator()];
    let mut chance = Chance(7);
    let mut asked = BTreeMap::new();
    for (method, path, operation) in document.operations() {
        if LAST.contains(&path.as_str()) || path.ends_with("/live") {
            continue;
        }
        for asker in &askers {
            for _ in 0..TIMES {
                let (address, body) =
                    (address(&path, &operation, &mut chance), body(&document, &operation, &mut chance));
                if is_long(&path, &body) {
                    continue;
                }
                let what = format!("{method} {address} {body}");
                let answer = asker.ask(Method::from_bytes(method.as_bytes()).unwrap(), &address, body).await;
                document.check(&what, &operation, &answer);
                *asked.entry((path.clone(), answer.status)).or_insert(0) += 1;
            }
        }
        // Ending a session ends it for those who ask next.
        if method == "DELETE" {
            let _ = askers[1].post("/api/session", &json!({ "name": "Ann" })).await;
        }
    }
    // Not only refusals were seen.
    let succeeded = asked.keys().filter(|(_, status)| *status < 300).count();
    assert!(succeeded > 20, "{asked:?}");
    for path in LAST {
        let answer = house.operator().post(path, &Value::Null).await;
        let operation = &document.json["paths"][path]["post"];
        document.check(path, operation, &answer);
    }
}
