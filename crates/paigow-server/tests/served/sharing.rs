//! Links that players share: previews, texts without script, and tables with names and invitations.

use crate::kit::{Browser, LiveClient, TestServer, clocks};
use serde_json::{Value, json};

/// Asserts that a response is a PNG picture of the size of previews.
async fn assert_picture(browser: &Browser, path: &str) {
    let response = browser.get(path).await;
    assert_eq!(response.status, 200, "{path}: {response:?}");
    assert_eq!(response.header("content-type"), Some("image/png"), "{path}");
    assert!(response.header("cache-control").unwrap().starts_with("public, max-age="), "{path}");
    let png = &response.body;
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n", "{path}");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (1200, 630), "{path}");
}

/// Returns the content of a property of a document.
fn property<'a>(html: &'a str, name: &str) -> &'a str {
    let start = format!("<meta property=\"{name}\" content=\"");
    html.split_once(&start).and_then(|(_, rest)| rest.split_once('"')).map_or("", |(content, _)| content)
}

/// Returns the path of the picture of a document, and asserts that it is on this server.
fn picture_path(html: &str) -> String {
    let url = property(html, "og:image");
    let (_, rest) = url.split_once("://").unwrap_or_else(|| panic!("{url}"));
    let path = &rest[rest.find('/').unwrap()..];
    path.replace("&amp;", "&")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_shared_link_has_a_picture() {
    let server = TestServer::new(&[]).await;
    server.open_table("shared", "ez", &clocks(600_000, 600_000, 600_000, 600_000)).await;
    let mut players = server.seat_guests("shared", 1).await;
    let live = &mut players[0].1;
    live.until_phase("wagers").await;
    live.wager(1_000).await;
    live.until_phase("settings").await;
    let browser = server.browser();
    // The picture of an open round would show cards.
    assert_eq!(browser.get("/previews/rounds/shared/1").await.problem(), (404, "no_such_round".to_owned()));
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until_phase("between").await;
    for path in [
        "/",
        "/how-to-play",
        "/table/shared",
        "/replay/shared/1",
        "/lab?book=ez&cards=As+Kd+Tc+9h+2s+2d+Jk",
        "/puzzle",
        "/puzzle/2026-01-01",
        "/history",
    ] {
        let html = browser.get(path).await.text();
        assert_ne!(property(&html, "og:title"), "", "{path}");
        assert_ne!(property(&html, "og:description"), "", "{path}");
        assert_picture(&browser, &picture_path(&html)).await;
    }
    assert_eq!(property(&browser.get("/replay/shared/1").await.text(), "og:title"), "Round 1, EZ Pai Gow");
    let hand = browser.get("/lab?cards=As%20Kd%20Tc%209h%202s%202d%20Jk").await.text();
    assert_eq!(property(&hand, "og:title"), "How would you set As Kd Tc 9h 2s 2d Jk?");
    for (path, code) in [
        ("/previews/tables/none", "no_such_table"),
        ("/previews/rounds/shared/99", "no_such_round"),
        ("/previews/puzzles/9999-01-01", "no_such_puzzle"),
    ] {
        assert_eq!(browser.get(path).await.problem(), (404, code.to_owned()), "{path}");
    }
    for (path, code) in [
        ("/previews/puzzles/soon", "bad_day"),
        ("/previews/hand?cards=As", "bad_cards"),
        ("/previews/hand", "bad_cards"),
    ] {
        assert_eq!(browser.get(path).await.problem(), (422, code.to_owned()), "{path}");
    }
    // Links that name nothing still have the preview of the page.
    for path in [
        "/table/none",
        "/replay/shared/x",
        "/replay/shared/0",
        "/replay/shared/2",
        "/lab?cards=As+As",
        "/puzzle/9999-01-01",
        "/puzzle/archive",
    ] {
        assert_eq!(property(&browser.get(path).await.text(), "og:title"), "Paigow", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn front_page_and_how_to_play_can_be_read_without_script() {
    let server = TestServer::new(&[]).await;
    let browser = server.browser();
    let front = browser.get("/").await.text();
    let text = front.split_once("<div id=\"static\">").unwrap().1.split_once("<pg-app>").unwrap().0;
    assert!(text.contains("href=\"/how-to-play\""), "{text}");
    assert!(text.contains("<a href=\"/table/ez\">EZ Pai Gow</a>: 0 of 6 seats taken"), "{text}");
    let how = browser.get("/how-to-play").await.text();
    let text = how.split_once("<div id=\"static\">").unwrap().1.split_once("<pg-app>").unwrap().0;
    for word in ["seven cards", "high hand", "low hand", "joker", "push"] {
        assert!(text.to_lowercase().contains(word), "{word}");
    }
    assert!(!browser.get("/lab").await.text().contains("id=\"static\""));
    let worker = browser.get("/service-worker.js").await;
    assert_eq!(worker.header("content-type"), Some("text/javascript"));
    assert!(!worker.text().contains("/assets/0/"), "the service worker names the version of the page");
    let worker = worker.text();
    let folder = worker.split('"').find(|text| text.starts_with("/assets/")).unwrap();
    let manifest = browser.get(&format!("{folder}manifest.webmanifest")).await;
    assert_eq!(manifest.header("content-type"), Some("application/manifest+json"));
    assert_eq!(manifest.json()["start_url"], "/");
}

async fn open_own(player: &Browser, rules: Value) -> String {
    let response = player.post("/api/tables", &rules).await;
    assert_eq!(response.status, 201, "{response:?}");
    response.json()["table"].as_str().unwrap().to_owned()
}

async fn listed(browser: &Browser, query: &str) -> Vec<String> {
    let tables = browser.get(&format!("/api/tables?limit=500{query}")).await.json();
    let tables = tables["tables"].as_array().unwrap().iter();
    tables.map(|table| table["table"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn private_tables_are_listed_only_for_their_players() {
    let mut server = TestServer::new(&[]).await;
    let (owner, friend, other) =
        (server.guest("Owner").await, server.guest("Friend").await, server.guest("Other").await);
    let private =
        open_own(&owner, json!({ "book": "ez", "name": "  Friday \"night\" <b> ", "private": true })).await;
    let open = open_own(&owner, json!({ "book": "ez", "name": "Open house" })).await;
    assert!(private.len() > open.len(), "the address of a private table has more random digits");
    for browser in [&friend, &other, &server.browser()] {
        let tables = listed(browser, "").await;
        assert!(!tables.contains(&private) && tables.contains(&open), "{tables:?}");
    }
    for query in ["", "&mine=true", "&book=ez"] {
        assert!(listed(&owner, query).await.contains(&private), "{query}");
    }
    // Anyone with the address may sit down, and then sees the table in the lobby.
    let mut live = LiveClient::open(&friend, &private).await;
    assert_eq!(live.view["facts"]["name"], "Friday \"night\" <b>");
    assert_eq!(live.view["facts"]["private"], true);
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    assert!(listed(&friend, "").await.contains(&private));
    assert!(!listed(&other, "").await.contains(&private));
    let entry = owner.get("/api/tables?mine=true").await.json();
    let names: Vec<&Value> = entry["tables"].as_array().unwrap().iter().map(|table| &table["name"]).collect();
    assert!(
        names.contains(&&json!("Friday \"night\" <b>")) && names.contains(&&json!("Open house")),
        "{names:?}"
    );
    // The name cannot leave its place in the document.
    let html = server.browser().get(&format!("/table/{private}")).await.text();
    assert_eq!(property(&html, "og:title"), "Friday &quot;night&quot; &lt;b&gt;");
    assert!(!html.contains("<b>"));
    assert_picture(&server.browser(), &picture_path(&html)).await;
    for name in ["", " ", "a\u{200b}b", &"x".repeat(25)] {
        let refused = owner.post("/api/tables", &json!({ "book": "ez", "name": name })).await;
        assert_eq!(refused.status, 422, "{name:?}: {refused:?}");
    }
    // Names and privacy are part of the table's history.
    server.restart().await;
    let address = server.process.address;
    assert!(listed(&owner.at(address), "").await.contains(&private));
    assert!(!listed(&other.at(address), "").await.contains(&private));
}
