//! Practice tables with a house way of their own: the dealer, the rules, the coach and the lab follow it.

use crate::kit::{Browser, LiveClient, TestServer, clocks};
use paigow::document::Source;
use paigow::rulebook::BuiltIn;
use paigow::{Evaluator, HouseWay, Rulebook};
use paigow_server::{RulesCache, audit};
use paigow_testkit::hand;
use serde_json::{Value, json};

/// Title of the house way.
const TITLE: &str = "Low hand first";

/// A house way with one clause, which the proof accepts.
fn way() -> String {
    format!(
        r#"
title = "{TITLE}"
source = "a test"
ranking = {{ joker = "semi_wild", wheel = "lowest", assumed = "a test" }}

[[clauses]]
when = "any hand"
set = "best"
says = "The best low hand."
assumed = "a test"
"#
    )
}

/// The house way with another clause before its clause.
fn with_clause(when: &str, set: &str) -> String {
    let clause =
        format!("[[clauses]]\nwhen = \"{when}\"\nset = \"{set}\"\nsays = \"s\"\nassumed = \"a test\"\n\n");
    way().replacen("[[clauses]]", &format!("{clause}[[clauses]]"), 1)
}

fn rules(toml: &str) -> Value {
    json!({ "book": "ez", "offer": [], "private": true, "clocks": clocks(10_000, 60_000, 60_000, 2_000),
        "house_way_toml": toml })
}

/// Plays a round and returns the dealer's hand.
async fn dealer_of_a_round(live: &mut LiveClient) -> Value {
    live.until_phase("wagers").await;
    let wagers = json!([{ "wager": "pai-gow", "cents": 1_000 }]);
    live.expect_done(json!({ "do": "wagers", "wagers": wagers, "ready": true })).await;
    live.until_phase("settings").await;
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until_phase("between").await;
    live.view["round"]["dealer"].clone()
}

/// A hand of the guest that the two house ways set differently, with its low hands.
fn different_hand() -> (&'static str, String, String) {
    let book = Rulebook::built_in("ez").unwrap();
    let own = HouseWay::parse("own", &Source::new("own", way())).unwrap();
    let cards = "As Ah Kd Qc 9h 5s 2d";
    let low = |way: &HouseWay| way.decide(hand(cards), Evaluator::of(book.ranking)).setting.low.to_string();
    let (of_own, of_book) = (low(&own), low(&book.house_way));
    assert_ne!(of_own, of_book);
    (cards, of_own, of_book)
}

#[tokio::test(flavor = "multi_thread")]
async fn dealer_rules_coach_and_lab_follow_the_house_way_of_the_table() {
    let mut server = TestServer::new(&[("worth_tables", "false")]).await;
    let mut guest = server.guest("Gus").await;
    let opened = guest.post("/api/tables", &rules(&way())).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    let table = opened.json()["table"].as_str().unwrap().to_owned();
    let name = format!("table:{table}");

    let view = guest.get(&format!("/api/tables/{table}")).await;
    assert!(!view.text().contains(TITLE), "the view has the text of the house way");
    assert_eq!(view.json()["view"]["facts"]["own_house_way"], true);
    let lobby = guest.get("/api/tables?mine=true").await.json();
    assert_eq!(lobby["tables"][0]["own_house_way"], true);
    let of_book = guest.get("/api/books/ez").await.json();
    let answer = guest.get(&format!("/api/tables/{table}/rules")).await.json();
    let of_table = &answer["rules"];
    assert_ne!(of_table["digest"], of_book["digest"]);
    assert_eq!(of_table["digest"], view.json()["view"]["facts"]["rules"]);
    let house_way = &of_table["house_way"];
    assert_eq!((&house_way["id"], &house_way["title"]), (&json!(name), &json!(TITLE)));
    assert_eq!((&house_way["changed"], &of_book["house_way"]["changed"]), (&json!(true), &json!(false)));
    assert_eq!(house_way["clauses"].as_array().unwrap().len(), 1);
    assert_eq!(answer["book"]["house_way"], json!(name));

    // The text is visible by its name, and questions set by it.
    let text = guest.get(&format!("/api/house-ways/{name}")).await.json();
    assert_eq!((&text["title"], text["toml"].as_str()), (&json!(TITLE), Some(&way()[..])));
    let (cards, low, of_book) = different_hand();
    let changes = json!({ "house_way.way": name });
    let question = json!({ "cards": cards, "book": "ez", "changes": changes.clone() });
    assert_eq!(guest.post("/api/set", &question).await.json()["low"], json!(low));
    let plain = json!({ "cards": cards, "book": "ez" });
    assert_eq!(guest.post("/api/set", &plain).await.json()["low"], json!(of_book));
    for path in ["/api/best", "/api/lab"] {
        let answer = guest.post(path, &question).await.json();
        assert_eq!(answer["house_way"], json!(name), "{path}");
        let settings = answer["settings"].as_array().unwrap();
        let chosen: Vec<&Value> = settings.iter().filter(|setting| setting["house_way"] == true).collect();
        assert_eq!(chosen.iter().map(|setting| &setting["low"]).collect::<Vec<_>>(), [&json!(low)], "{path}");
    }
    // The designer accepts it as the opponent and as the change.
    for (key, value) in [("against", json!(name)), ("changes", changes)] {
        let mut question = json!({ "book": "ez", "toml": way() });
        question[key] = value;
        let answer = guest.post("/api/design", &question).await;
        assert_eq!(answer.status, 200, "{key}: {answer:?}");
        assert_eq!(answer.json()["against"], json!(name), "{key}");
        let none = json!({ "book": "ez", "toml": way(), "against": "table:no-such-table" });
        assert_eq!(guest.post("/api/design", &none).await.problem(), (404, "not_found".to_owned()));
    }
    let lab = guest.post("/api/lab", &question).await.json();
    assert_eq!(
        (&lab["house_ways"][0]["house_way"], &lab["house_ways"][0]["title"]),
        (&json!(name), &json!(TITLE))
    );
    let unknown = json!({ "cards": cards, "book": "ez", "house_way": "table:no-such-table" });
    assert_eq!(guest.post("/api/set", &unknown).await.problem(), (404, "not_found".to_owned()));

    // Before and after a restart, the dealer and the player's hand are set by the house way of the table.
    let evaluator = Evaluator::of(Rulebook::built_in("ez").unwrap().ranking);
    let own = HouseWay::parse("own", &Source::new("own", way())).unwrap();
    let by_own = |cards: &str| own.decide(hand(cards), evaluator).setting.low.to_string();
    let mut live = LiveClient::open(&guest, &table).await;
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    for restarts in [true, false] {
        let dealer = dealer_of_a_round(&mut live).await;
        assert_eq!(dealer["low"], json!(by_own(dealer["cards"].as_str().unwrap())));
        let seat = live.own_seat()["hand"].clone();
        assert_eq!(seat["low"], json!(by_own(seat["cards"].as_str().unwrap())));
        let round = live.round();
        let receipt = guest.get(&format!("/api/tables/{table}/rounds/{round}/receipt")).await.json();
        assert!(receipt.to_string().contains(of_table["digest"].as_str().unwrap()), "{receipt}");
        // The coach of the history judges by the house way of the table.
        let result = guest.get(&format!("/api/session/results/{table}/{round}")).await;
        assert_eq!(result.status, 200, "{result:?}");
        if restarts {
            server.restart().await;
            guest = guest.at(server.process.address);
            live = LiveClient::open(&guest, &table).await;
        }
    }
    let report = audit(&server.open_store().await, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
}

/// Refusal of a table: its status, and the codes and places of its faults.
async fn refusal(browser: &Browser, body: &Value) -> (u16, Vec<(String, String)>) {
    let answer = browser.post("/api/tables", body).await;
    let faults = answer.json()["faults"].as_array().cloned().unwrap_or_default();
    let text = |fault: &Value, key: &str| fault[key].as_str().unwrap_or_default().to_owned();
    (answer.status, faults.iter().map(|fault| (text(fault, "code"), text(fault, "at"))).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn faulty_house_ways_are_refused_with_every_fault() {
    let server = TestServer::new(&[]).await;
    let guest = server.guest("Gus").await;
    let at = |code: &str, at: &str| (code.to_owned(), at.to_owned());
    let field = "house_way_toml";
    // Phrases that do not exist, each with its line and column.
    let (status, faults) = refusal(&guest, &rules(&with_clause("won pair", "pear behind"))).await;
    assert_eq!((status, faults.len()), (422, 2), "{faults:?}");
    assert!(faults.iter().all(|(_, at)| at.starts_with("house_way_toml:")), "{faults:?}");
    // A clause that decides no hand and one without a legal setting, both found by the proof.
    let dead = with_clause("one pair, higher pair A", "best");
    assert_eq!(refusal(&guest, &rules(&dead)).await, (422, vec![at("dead", field)]));
    let both = dead.replacen(
        "[[clauses]]",
        "[[clauses]]\nwhen = \"one pair\"\nset = \"pair in the low hand\"\nsays = \"s\"\nassumed = \"a\"\n\n[[clauses]]",
        1,
    );
    let (status, faults) = refusal(&guest, &rules(&both)).await;
    assert_eq!((status, faults), (422, vec![at("impossible", field), at("dead", field)]));
    // Without a last clause that fits every hand, it is not complete.
    let (status, faults) = refusal(&guest, &rules(&way().replace("any hand", "one pair"))).await;
    assert_eq!((status, faults.len()), (422, 1), "{faults:?}");
    // The limits are those of the designer.
    let long = way() + &"#".repeat(28_000);
    assert_eq!(refusal(&guest, &rules(&long)).await, (422, vec![at("too_long", field)]));
    let many = with_clause("one pair", "pair in the high hand");
    let clause = &many[many.find("[[clauses]]").unwrap()..many.rfind("[[clauses]]").unwrap()];
    let many = way().replacen("[[clauses]]", &(clause.repeat(100) + "[[clauses]]"), 1);
    assert_eq!(refusal(&guest, &rules(&many)).await, (422, vec![at("too_many_clauses", field)]));
    // The sentences are shown to other players.
    let hidden = way().replace(TITLE, "\\u202Etsrif dnah woL");
    assert_eq!(refusal(&guest, &rules(&hidden)).await, (422, vec![at("invisible_character", field)]));
    let mut other_book = rules(&way());
    other_book["book"] = json!("no-such-book");
    assert_eq!(guest.post("/api/tables", &other_book).await.problem(), (422, "bad_config".to_owned()));
    let mut twice = rules(&way());
    twice["changes"] = json!({ "house_way.way": "ballys" });
    assert_eq!(guest.post("/api/tables", &twice).await.problem(), (422, "bad_config".to_owned()));
    let open = guest.get("/api/tables?mine=true").await.json();
    assert_eq!(open["tables"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_practice_tables_have_a_house_way_of_their_own() {
    let server = TestServer::new(&[]).await;
    let operator = server.operator();
    let mut body = json!({ "id": "open-club", "table": "club", "currency": "EUR", "rules": rules(&way()) });
    let refused = operator.post("/api/operator/tables", &body).await;
    assert_eq!(refused.problem(), (422, "practice_only".to_owned()));
    assert_eq!(operator.get("/api/tables/club").await.status, 404);
    body["currency"] = json!("PRACTICE");
    body["rules"] = rules(&with_clause("one pair, higher pair A", "best"));
    assert_eq!(operator.post("/api/operator/tables", &body).await.problem(), (422, "dead".to_owned()));
    body["rules"] = rules(&way());
    assert_eq!(operator.post("/api/operator/tables", &body).await.status, 201);
    let facts = operator.get("/api/tables/club").await.json()["view"]["facts"].clone();
    assert_eq!(facts["own_house_way"], true);
}
