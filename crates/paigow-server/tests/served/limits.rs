//! One address against the limits: the server refuses it in words, and answers health checks and other clients meanwhile.

use crate::kit::{Browser, House, Live, PATIENCE, Raw, Said, clocks, until};
use paigow::rulebook::BuiltIn;
use paigow_server::{Host, RulesCache, Sqlite, SystemEnvironment};
use paigow_table::Actor;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

async fn all_answered(browser: &Browser) {
    for path in ["/healthz", "/readyz", "/metrics"] {
        let start = Instant::now();
        let answer = browser.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{path} took {:?}", start.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_of_one_address_leave_room_for_health_checks_and_players() {
    let house = House::new(&[("connections_per_address", "8")]).await;
    house.table("t1", "ez", &slow()).await;
    let (_, mut live) = house.seated("t1", 1).await.remove(0);
    let mut silent = Vec::new();
    for _ in 0..300 {
        silent.push(Raw::say(house.process.address, "").await);
    }
    for _ in 0..10 {
        all_answered(&house.browser()).await;
        live.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    }
    // All other requests of the address are refused in words.
    let answer = house.browser().get("/api/tables").await;
    assert_eq!(answer.problem(), (429, "too_many_connections".to_owned()));
    assert_eq!(answer.header("retry-after"), Some("10"));
    drop(silent);
    until("room", async || house.browser().get("/api/tables").await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_checks_are_answered_when_all_connections_are_taken() {
    let house = House::new(&[("connections", "4"), ("health_listen", "127.0.0.1:0")]).await;
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(Raw::say(house.process.address, "GET /healthz HTTP/1.1\r\nHost: ").await);
    }
    all_answered(&house.browser()).await;
    let answer = house.browser().get("/api/tables").await;
    assert_eq!(answer.problem(), (503, "too_many_connections".to_owned()));
    assert_eq!(answer.header("retry-after"), Some("10"));
    // The listener of their own answers them under any name, and nothing else.
    let own = house.browser().at(house.process.health_address.unwrap());
    all_answered(&own.with_header("host", "checks.example")).await;
    assert_eq!(own.get("/api/tables").await.problem(), (404, "no_such_path".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn health_checks_and_requests_have_rates_of_their_own() {
    let limits = [("requests_per_address", "2"), ("health_checks_per_address", "4")];
    let house = House::new(&limits).await;
    let browser = house.browser();
    for _ in 0..4 {
        browser.get("/api/tables").await;
    }
    assert_eq!(browser.get("/api/tables").await.problem(), (429, "too_many_requests".to_owned()));
    for _ in 0..4 {
        assert_eq!(browser.get("/healthz").await.status, 200);
    }
    let answer = browser.get("/healthz").await;
    assert_eq!(answer.problem(), (429, "too_many_requests".to_owned()));
    assert!(answer.header("retry-after").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_proxies_requests_at_once_are_counted_by_the_address_they_name() {
    let house = House::new(&[("trusted_proxies", "1"), ("connections_per_address", "2")]).await;
    let from = |address: &str| house.browser().with_header("x-forwarded-for", address);
    let host = house.process.address;
    let head = format!(
        "POST /api/session HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: 10.0.0.1\r\n\
         Content-Type: application/json\r\nContent-Length: 90\r\n\r\n{{"
    );
    // Requests whose bodies do not arrive, until two are held: one that comes while a question is answered may be refused.
    let mut held = Vec::new();
    while from("10.0.0.1").get("/api/tables").await.status != 429 {
        assert!(held.len() < 100, "requests at once are not counted");
        held.push(Raw::say(host, &head).await);
    }
    let answer = from("10.0.0.1").get("/api/tables").await;
    assert_eq!(answer.problem(), (429, "too_many_connections".to_owned()));
    assert_eq!(from("10.0.0.1").get("/healthz").await.status, 200);
    assert_eq!(from("10.0.0.2").get("/api/tables").await.status, 200);
    drop(held);
    until("room", async || from("10.0.0.1").get("/api/tables").await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pings_and_pongs_count_like_messages() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let (_, mut live) = house.seated("t1", 1).await.remove(0);
    let frames = [Message::Ping(vec![7; 100].into()), Message::Pong(vec![7; 100].into())];
    for frame in frames {
        let mut rude = Live::open(&house.browser(), "t1").await;
        for _ in 0..2_000 {
            // The server stops reading at some point.
            if rude.feed(frame.clone()).await.is_err() {
                break;
            }
        }
        let (goodbye, closed) = rude.until_closed().await;
        assert_eq!(goodbye, Some(json!({ "type": "goodbye", "code": "flood", "retry_ms": null })));
        assert_eq!(closed, Said::Closed(Some((1008, "flood".to_owned()))));
    }
    // A client that pings now and then stays.
    let mut calm = Live::open(&house.browser(), "t1").await;
    for _ in 0..30 {
        calm.try_send(Message::Ping(vec![].into())).await.unwrap();
    }
    calm.send(&json!({ "type": "ping", "n": 1 })).await;
    calm.until("an answer", |live| live.frames.last().is_some_and(|text| text.contains("pong"))).await;
    live.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_who_never_played_expire_and_their_chips_go_back() {
    let mut house = House::new(&[("idle_guest_hours", "1")]).await;
    house.table("t1", "ez", &slow()).await;
    let (ann, eve) = (house.guest("Ann").await, house.guest("Eve").await);
    let (gus, mut live) = house.seated("t1", 1).await.remove(0);
    live.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    drop(live);
    // All came long ago, and only Eve was seen since.
    let file = rusqlite::Connection::open(house.file()).unwrap();
    file.execute("UPDATE people SET since = 1", ()).unwrap();
    file.execute("UPDATE sessions SET seen = 1 WHERE who <> 'player:' || ?1", [&eve.player]).unwrap();
    drop(file);
    house.restart().await;
    let at = |browser: &Browser| browser.at(house.process.address);
    let (ann, eve, gus) = (at(&ann), at(&eve), at(&gus));
    // Not by asking for Ann: that would be seen.
    let expired =
        async || house.browser().get("/metrics").await.text().contains("paigow_guests_expired_total 1");
    until("a guest has expired", expired).await;
    assert_eq!(ann.get("/api/session").await.status, 401);
    assert_eq!(eve.cents().await, 100_000);
    assert_eq!(gus.get("/api/session").await.status, 200, "a guest who has wagered stays");
    let balance = house.operator().get("/api/operator/trial-balance").await.json();
    assert_eq!(balance["sums"], json!({ "PRACTICE": 0 }));
    let of_ann = &balance["accounts"]["PRACTICE"][format!("player:{}", ann.player)];
    assert!(of_ann.is_null() || *of_ann == 0, "{balance}");
    // The address may come again as another guest.
    assert_eq!(ann.post("/api/session", &json!({})).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn new_guests_of_one_address_are_limited() {
    let house = House::new(&[("guests_per_address", "3")]).await;
    for _ in 0..3 {
        house.guest("Ann").await;
    }
    let answer = house.browser().post("/api/session", &json!({})).await;
    assert_eq!(answer.problem(), (429, "too_many_guests".to_owned()));
    assert!(answer.header("retry-after").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_comes_a_page_at_a_time_and_the_houses_tables_first() {
    let house = House::new(&[("tables_per_person", "1000")]).await;
    let ann = house.guest("Ann").await;
    let new = json!({ "book": "ez", "clocks": slow() });
    for _ in 0..120 {
        assert_eq!(ann.post("/api/tables", &new).await.status, 201);
    }
    house.seated("washington", 2).await;
    let names = |page: &Value| {
        let tables = page["tables"].as_array().unwrap().iter();
        tables.map(|table| table["table"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let browser = house.browser();
    let first = browser.get("/api/tables").await.json();
    assert_eq!(names(&first).len(), 100);
    assert_eq!(names(&first)[..5], ["california", "ez", "south-beach", "south-dakota", "washington"]);
    let mut all = names(&first);
    let mut page = first;
    while let Some(next) = page["next"].as_str() {
        page = browser.get(&format!("/api/tables?limit=7&after={next}")).await.json();
        assert!(names(&page).len() <= 7);
        all.extend(names(&page));
    }
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!((count, all.len()), (125, 125), "each table once");
    let list = async |query: &str| names(&browser.get(&format!("/api/tables?{query}")).await.json());
    assert_eq!(list("book=washington").await, ["washington"]);
    assert_eq!(list("name=SOUTH").await, ["south-beach", "south-dakota"]);
    assert_eq!(list("open_seats=6&name=ez").await, ["ez"]);
    assert_eq!(list("open_seats=6&book=washington").await, [""; 0], "two of its seats are taken");
    assert_eq!(names(&ann.get("/api/tables?mine=true&limit=500").await.json()).len(), 120);
    assert_eq!(browser.get("/api/tables?mine=true").await.status, 401);
    for query in ["limit=0", "limit=501", "limit=-1", "after=a%20b", "wrong=1"] {
        assert_eq!(
            browser.get(&format!("/api/tables?{query}")).await.problem(),
            (400, "bad_query".to_owned())
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_cannot_be_seen_or_claim_to_be_a_bot_or_the_house_are_refused() {
    let house = House::new(&[]).await;
    let ann = house.guest("Ann").await;
    for (name, code) in [
        ("\u{3164}", "name_invisible"),
        ("a\u{202e}b", "name_invisible"),
        ("\u{301}", "name_blank"),
        ("Ada (bot)", "name_claims_bot"),
        ("ada \u{ff08}B\u{43e}T\u{ff09}", "name_claims_bot"),
        ("The House", "name_claims_house"),
        ("Ann (dealer)", "name_claims_house"),
        ("", "name_length"),
    ] {
        let body = json!({ "name": name });
        let renamed = ann.ask(hyper::Method::PATCH, "/api/session", body.to_string()).await;
        for answer in [renamed, house.browser().post("/api/session", &body).await] {
            assert_eq!(answer.problem(), (422, "bad_name".to_owned()), "{name:?}");
            assert_eq!(answer.json()["faults"][0]["code"], code, "{name:?}");
            assert_eq!(answer.json()["faults"][0]["at"], "name");
        }
    }
    assert_eq!(ann.get("/api/session").await.json()["name"], "Ann");
}

#[tokio::test(flavor = "multi_thread")]
async fn new_tables_have_names_that_fit_in_a_path_and_old_ones_can_be_closed() {
    let house = House::new(&[]).await;
    for table in ["a/b", "..", ".", "a:b", "-a", "/"] {
        let body = json!({ "id": "o1", "table": table, "rules": { "book": "ez" } });
        let answer = house.operator().post("/api/operator/tables", &body).await;
        assert_eq!(answer.problem(), (422, "bad_table_name".to_owned()), "{table}");
    }
    for table in ["a", "A-b_c.9"] {
        house.table(table, "ez", &slow()).await;
        let closed = house.operate(table, &format!("close-{table}"), json!({ "do": "close" })).await;
        assert_eq!(closed.status, 200, "{closed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_an_earlier_version_whose_name_needs_escaping_is_shown_and_can_be_closed() {
    let folder = tempfile::TempDir::new().unwrap();
    {
        let store = Sqlite::open(&folder.path().join("paigow.db")).unwrap();
        let host = Host::new(
            store,
            SystemEnvironment,
            RulesCache::new(BuiltIn),
            std::sync::Arc::new(paigow_table::MasterKeys::new(&[[7; 32]]).unwrap()),
        );
        let config = json!({ "table": "a/b", "book": "ez", "currency": "PRACTICE" });
        let olga = Actor::Operator("olga".parse().unwrap());
        host.open(&olga, &"open".parse().unwrap(), serde_json::from_value(config).unwrap()).await.unwrap();
    }
    let house = House::over(folder).await;
    let lobby = house.browser().get("/api/tables").await.json();
    assert!(lobby["tables"].as_array().unwrap().iter().any(|table| table["table"] == "a/b"), "{lobby}");
    let shown = house.browser().get("/api/tables/a%2Fb").await;
    assert_eq!(shown.status, 200, "{shown:?}");
    let closed = house.operate("a%2Fb", "close", json!({ "do": "close" })).await;
    assert_eq!(closed.status, 200, "{closed:?}");
    let lobby = house.browser().get("/api/tables").await.json();
    assert!(!lobby["tables"].as_array().unwrap().iter().any(|table| table["table"] == "a/b"), "{lobby}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_fill_the_queue_of_questions_and_its_work_ends_when_it_leaves() {
    let limits = [("trusted_proxies", "1"), ("questions_per_address", "2"), ("questions", "4")];
    let house = House::new(&limits).await;
    let host = house.process.address;
    // Exact odds that were never counted, and take longer than this test.
    let ask = async |from: &str, stake: u32| {
        let body = json!({ "book": "ez", "wager": "pai-gow", "player_house_way": "trump-plaza",
            "house_way": "claridge", "stake_cents": stake });
        let body = body.to_string();
        let head = format!(
            "POST /api/odds HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: {from}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        Raw::say(host, &head).await
    };
    let rude = "10.0.0.1";
    let from = |address: &str| house.browser().with_header("x-forwarded-for", address);
    let question = json!({ "cards": "As Kd Tc 9h 2s 2d Jk", "book": "ez" });
    let refused = async || {
        let answer = from(rude).post("/api/best", &question).await;
        (answer.status == 429).then(|| answer.problem())
    };
    // A question that came while this test asked was refused: another takes its place.
    let start = Instant::now();
    let mut held = vec![ask(rude, 1_000).await];
    while refused().await.is_none() {
        assert!(start.elapsed() < PATIENCE, "its questions are not there");
        held.push(ask(rude, 1_000 + 100 * u32::try_from(held.len()).unwrap()).await);
    }
    assert_eq!(refused().await, Some((429, "too_many_questions".to_owned())));
    // Another address is answered at once, though a count goes on.
    let start = Instant::now();
    let answer = from("10.0.0.2").post("/api/best", &question).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    all_answered(&from(rude)).await;
    drop(held);
    until("its places are free", async || from(rude).post("/api/best", &question).await.status == 200).await;
}
