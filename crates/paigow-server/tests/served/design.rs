//! House ways that are being written: faults at their line, and the counted edge of a server without tables of worths.

use crate::kit::TestServer;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The text of a built-in house way.
fn built_in(name: &str) -> String {
    let ways = Path::new(env!("CARGO_MANIFEST_DIR")).join("../paigow/rulebooks/house-ways");
    fs::read_to_string(ways.join(format!("{name}.toml"))).unwrap()
}

fn question(toml: &str) -> Value {
    json!({ "book": "washington", "toml": toml })
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_name_the_text_with_line_and_column() {
    let server = TestServer::new(&[("worth_tables", "false")]).await;
    let browser = server.browser();
    let text = built_in("foxwoods");
    let wrong = text.replacen("two pairs", "too pairs", 1);
    let answer = browser.post("/api/design", &question(&wrong)).await;
    assert_eq!(answer.status, 422, "{answer:?}");
    let faults = answer.json()["faults"].clone();
    let line = 1 + wrong[..wrong.find("too pairs").unwrap()].matches('\n').count();
    let at = faults[0]["at"].as_str().unwrap();
    assert!(at.starts_with(&format!("toml:{line}:")), "{faults}");
    assert!(faults[0]["message"].as_str().unwrap().contains("too pairs"), "{faults}");

    // Every part of a question is checked at once.
    let mut all = question("title = 1");
    all["before"] = "=".into();
    all["side"] = "house".into();
    all["against"] = "no-such-way".into();
    let answer = browser.post("/api/design", &all).await.json();
    let codes = answer["faults"].to_string();
    for part in ["toml:", "before:", "side", "against"] {
        assert!(codes.contains(part), "{part}: {codes}");
    }
    let long = browser.post("/api/design", &question(&"#".repeat(29_000))).await;
    assert_eq!(long.problem(), (422, "too_long".to_owned()));
    // An alternative may be repeated, so phrases are limited too.
    let many = text.replacen("set  = ", &format!("set = [{}] # ", "\"best\", ".repeat(600)), 1);
    let many = many.replacen("set = \"", &format!("set = [{}] # ", "\"best\", ".repeat(600)), 1);
    assert_eq!(
        browser.post("/api/design", &question(&many)).await.problem(),
        (422, "too_many_phrases".to_owned())
    );
    let long = browser.post("/api/design", &question(&"#".repeat(66_000))).await;
    assert_eq!(long.status, 413, "{long:?}");
    // A side that the book does not have is refused with those it has.
    let mut banker = question(&text);
    banker["side"] = "banker".into();
    let refused = browser.post("/api/design", &banker).await;
    assert_eq!(refused.problem(), (422, "side_not_in_book".to_owned()));
    assert!(refused.text().contains("player, dealer"), "{refused:?}");
    let books = browser.get("/api/books").await.json();
    let sides = books["books"].as_array().unwrap().iter().map(|book| (&book["id"], &book["sides"]));
    for (id, sides) in sides {
        let expected = match id.as_str().unwrap() {
            "california" => json!(["player", "banker"]),
            "south-beach" => json!(["player", "banker", "dealer"]),
            _ => json!(["player", "dealer"]),
        };
        assert_eq!(*sides, expected, "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn budget_needs_tables_of_worths_and_a_valid_amount() {
    let server = TestServer::new(&[("worth_tables", "false")]).await;
    let browser = server.browser();
    let mut question = question(&built_in("foxwoods"));
    question["budget"] = "0.0001".into();
    let refused = browser.post("/api/design/budget", &question).await;
    assert_eq!(refused.problem(), (422, "no_worth_tables".to_owned()));
    question["budget"] = "a lot".into();
    question["toml"] = "title = 1".into();
    let refused = browser.post("/api/design/budget", &question).await;
    assert_eq!(refused.status, 422, "{refused:?}");
    let faults = refused.json()["faults"].to_string();
    assert!(faults.contains("bad_budget") && faults.contains("toml:"), "{faults}");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_without_tables_counts_the_base_game() {
    let server = TestServer::new(&[("worth_tables", "false")]).await;
    let browser = server.browser();
    let text = built_in("foxwoods");
    // Without the last clause but one, pairs of aces are split.
    let end = text.rfind("[[clauses]]").unwrap();
    let one_pair = text[..end].rfind("[[clauses]]").unwrap();
    let edited = format!("{}{}", &text[..one_pair], &text[end..]);
    let mut question = question(&edited);
    question["before"] = text.into();
    let answer = browser.post("/api/design", &question).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = answer.json();
    assert!(answer["price"].is_null() && answer["best"].is_null(), "{answer}");
    assert_eq!((&answer["side"], &answer["against"]), (&json!("dealer"), &json!("foxwoods")));
    assert_eq!(answer["faults"], json!([]));
    let compared = &answer["compared"];
    let odds = browser.post("/api/odds", &json!({ "book": "washington", "wager": "pai-gow" })).await.json();
    assert_eq!(compared["before"]["edge_exact"], odds["base_game"]["edge_exact"]);
    assert!(compared["edge_change"].as_str().unwrap().starts_with("-0.0"), "{compared}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_need_tables_of_worths() {
    let server = TestServer::new(&[("worth_tables", "false")]).await;
    let refused = server.browser().get("/api/report?book=washington").await;
    assert_eq!(refused.problem(), (422, "no_worth_tables".to_owned()));
}
