//! Permissions of roles: every route with every role.

use super::acts;
use crate::kit::TestServer;
use hyper::Method;
use paigow_server::{AuditOptions, RulesCache, audit_with};
use serde_json::{Value, json};

/// Every route that needs a permission, with a body that is accepted.
fn routes(player: &str) -> Vec<(&'static str, Method, String, Value)> {
    let get = |path: &str| ("read", Method::GET, format!("/api/operator/{path}"), Value::Null);
    let command = json!({ "id": "c", "command": { "do": "pause" } });
    let table = json!({ "id": "t", "table": "t1", "rules": { "book": "ez" } });
    let chips = json!({ "id": "i", "player": player, "cents": 100 });
    let post = |may, path: &str, body| (may, Method::POST, format!("/api/operator/{path}"), body);
    vec![
        get("operators"),
        get("tables"),
        get("trial-balance"),
        get("approvals"),
        get("people"),
        get(&format!("people/{player}")),
        get("rounds"),
        get("journal"),
        get("journal?format=csv"),
        get("audits"),
        get("acts"),
        post("read", "audits", json!({})),
        post("tables", "tables", table),
        post("tables", "tables/ez/commands", command),
        post("tables", "notices", json!({ "id": "n", "text": "Hello" })),
        post("chips", "chips", chips),
        post("administer", "operators", json!({ "name": "new", "role": "viewer" })),
        ("administer", Method::PATCH, "/api/operator/operators/new".to_owned(), json!({ "role": "floor" })),
        post("administer", "operators/new/enrolment", json!({})),
        ("administer", Method::PATCH, format!("/api/operator/people/{player}"), json!({ "name": "Anna" })),
        post("administer", &format!("people/{player}/sign-out"), json!({})),
        post("administer", "drain", json!({})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_role_may_use_exactly_its_routes() {
    let server = TestServer::new(&[("drain_seconds", "60")]).await;
    let player = server.guest("Ann").await.player;
    let roles: [(&str, &[&str]); 4] = [
        ("viewer", &["read"]),
        ("floor", &["read", "tables"]),
        ("cashier", &["read", "chips"]),
        ("admin", &["read", "tables", "chips", "administer"]),
    ];
    let mut expected: Vec<(String, bool)> = Vec::new();
    for (role, may) in roles {
        let operator = match role {
            "admin" => server.operator(),
            role => server.add_operator(&format!("op-{role}"), role).await.browser,
        };
        for (permission, method, path, body) in routes(&player) {
            let body = if body.is_null() { String::new() } else { body.to_string() };
            let response = operator.request(method.clone(), &path, body).await;
            let is_allowed = may.contains(&permission);
            expected.push((role.to_owned(), is_allowed));
            if is_allowed {
                assert!(matches!(response.status, 200..=202 | 409), "{role} {method} {path}: {response:?}");
                assert_ne!(response.status, 403);
            } else {
                assert_eq!(response.problem(), (403, "not_allowed".to_owned()), "{role} {method} {path}");
            }
        }
    }
    // The log has every act, refusal and read with its outcome, except the polls of the console.
    let acts = acts(&server).await;
    assert!(acts.iter().all(|(_, _, outcome)| !outcome.is_empty()), "{acts:?}");
    let refused = acts.iter().filter(|(_, _, outcome)| outcome == "not_allowed").count();
    assert_eq!(refused, expected.iter().filter(|(_, is_allowed)| !is_allowed).count());
    let of_viewer: Vec<&str> =
        acts.iter().filter(|(name, ..)| name == "op-viewer").map(|(_, what, _)| what.as_str()).collect();
    let reads =
        ["session.begin", "operators", "trial-balance", "people", "person", "export.rounds", "journal"];
    assert_eq!(of_viewer[..7], reads);
    let store = server.open_store().await;
    let report = audit_with(&store, RulesCache::new(paigow::rulebook::BuiltIn), AuditOptions::default())
        .await
        .unwrap();
    assert_eq!(report.findings, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_listed_shown_renamed_and_signed_out() {
    let server = TestServer::new(&[]).await;
    let (ann, olga) = (server.guest("Ann").await, server.operator());
    server.guest("Bob").await;
    let page = olga.get("/api/operator/people?part=ann").await.json();
    let people = page["people"].as_array().unwrap();
    assert_eq!((people.len(), &people[0]["player"]), (1, &json!(ann.player)));
    assert_eq!((&people[0]["account"], &people[0]["bot"]), (&json!(false), &json!(false)));
    let path = format!("/api/operator/people/{}", ann.player);
    let shown = olga.get(&path).await.json();
    assert_eq!((&shown["cents"]["PRACTICE"], &shown["sessions"]), (&json!(100_000), &json!(1)));
    assert_eq!((&shown["seats"], &shown["limits"]), (&json!([]), &Value::Null));
    assert_eq!(olga.patch(&path, &json!({ "name": "Anna" })).await.json()["name"], "Anna");
    let ended = olga.post(&format!("{path}/sign-out"), &json!({})).await.json();
    assert_eq!(ended, json!({ "ended": 1 }));
    assert_eq!(ann.get("/api/session").await.status, 401);
    assert_eq!(olga.get("/api/operator/people/absent").await.problem(), (404, "no_such_player".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn journal_is_filtered_and_exported() {
    let server = TestServer::new(&[]).await;
    let (ann, bob, olga) = (server.guest("Ann").await, server.guest("Bob").await, server.operator());
    for (id, player, currency) in [("a", &ann, "TOKEN"), ("b", &bob, "TOKEN"), ("c", &bob, "PRACTICE")] {
        let chips = json!({ "id": id, "player": player.player, "currency": currency, "cents": 700 });
        assert_eq!(olga.post("/api/operator/chips", &chips).await.status, 200);
    }
    let count = async |filter: &str| {
        let page = olga.get(&format!("/api/operator/journal?{filter}")).await.json();
        page["transfers"].as_array().unwrap().len()
    };
    assert_eq!(count("").await, 5);
    assert_eq!(count(&format!("player={}", ann.player)).await, 2);
    assert_eq!(count("currency=TOKEN").await, 2);
    assert_eq!(count(&format!("player={}&currency=TOKEN", bob.player)).await, 1);
    assert_eq!((count("purpose=issue").await, count("purpose=redeem").await), (5, 0));
    assert_eq!((count("from=1").await, count("to=1").await), (5, 0));
    assert_eq!(count("table=ez").await, 0);
    let csv = olga.get("/api/operator/journal?format=csv&currency=TOKEN&limit=1").await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(csv.text().lines().count(), 3, "the export has all matching rows");
}

#[tokio::test(flavor = "multi_thread")]
async fn audit_runs_in_the_background() {
    let server = TestServer::new(&[]).await;
    let olga = server.operator();
    assert_eq!(olga.get("/api/operator/audits").await.json(), json!({ "running": false, "last": null }));
    assert_eq!(olga.post("/api/operator/audits", &json!({})).await.status, 202);
    crate::kit::until("the audit ends", async || {
        olga.get("/api/operator/audits").await.json()["running"] == false
    })
    .await;
    let last = olga.get("/api/operator/audits").await.json()["last"].clone();
    assert_eq!((&last["findings"], &last["tables"]), (&json!([]), &json!(5)));
    let chains: Vec<&Value> = last["heads"].as_array().unwrap().iter().map(|head| &head["chain"]).collect();
    assert!(chains.contains(&&json!("operators")) && chains.contains(&&json!("house")), "{chains:?}");
}
