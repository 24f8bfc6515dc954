//! Strategy cards: their list, exercises with them, and the document of their page.

use crate::kit::TestServer;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn cards_are_listed_and_exercised() {
    let server = TestServer::new(&[]).await;
    let browser = server.browser();
    let list = browser.get("/api/cards").await.json();
    let card = &list["cards"][0];
    let id = card["id"].as_str().unwrap();
    for key in ["title", "book", "side", "against", "edge", "cost", "cost_exact", "hands_set_worse"] {
        assert!(!card[key].is_null(), "{key}");
    }
    for key in ["says", "when", "set", "if_possible", "hands"] {
        assert!(!card["lines"][0][key].is_null(), "{key}");
    }
    // The page writes the text of a card from its clauses, as it does for house ways.
    let way = browser.get(&format!("/api/house-ways/{id}")).await.json();
    assert_eq!(way["clauses"].as_array().unwrap().len(), card["lines"].as_array().unwrap().len());
    let ways = browser.get("/api/house-ways").await.json();
    assert!(ways["house_ways"].as_array().unwrap().iter().all(|way| way["id"] != id));

    let question = json!({ "card": id, "book": card["book"], "seed": 4, "count": 3, "line": 1 });
    let exercises = browser.post("/api/exercises", &question).await.json();
    assert_eq!(exercises, browser.post("/api/exercises", &question).await.json());
    for exercise in exercises["hands"].as_array().unwrap() {
        assert_eq!(exercise["line"], 1);
        assert_eq!(exercise["settings"][0]["best"], true);
        assert_eq!(exercise["lines"][0]["unmet"], json!([]));
    }
    // Nothing comes after the last line.
    let last = card["lines"].as_array().unwrap().len();
    let none = json!({ "card": id, "line": last, "contested": true });
    assert_eq!(browser.post("/api/exercises", &none).await.problem(), (422, "no_such_hands".to_owned()));
    let wrong = json!({ "card": id, "line": last + 1, "count": 1000 });
    let refused = browser.post("/api/exercises", &wrong).await;
    assert_eq!(refused.problem(), (422, "bad_line".to_owned()));
    assert_eq!(refused.json()["faults"][1]["code"], "bad_count");
    let unknown = json!({ "card": "nowhere" });
    assert_eq!(browser.post("/api/exercises", &unknown).await.problem(), (404, "not_found".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn page_of_a_card_has_its_title() {
    let server = TestServer::new(&[]).await;
    let browser = server.browser();
    let card = browser.get("/api/cards").await.json()["cards"][0].clone();
    let page = browser.get(&format!("/cards/{}", card["id"].as_str().unwrap())).await;
    assert!(page.text().contains(&format!("<title>{}</title>", card["title"].as_str().unwrap())));
    assert!(browser.get("/cards").await.text().contains("<title>Strategy cards for pai gow poker</title>"));
    assert_eq!(browser.get("/cards/nowhere").await.status, 200, "the page shows its own message");
}
