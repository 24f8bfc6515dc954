//! Limits per address: the server refuses the excess with a problem, and still answers health checks and other clients.

use crate::kit::{Browser, LiveClient, RawConnection, SocketEvent, TIMEOUT, TestServer, clocks, until};
use paigow::rulebook::BuiltIn;
use paigow_server::{Host, RulesCache, Sqlite, SystemEnvironment};
use paigow_table::Actor;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

async fn assert_health_checks_answered(browser: &Browser) {
    for path in ["/healthz", "/readyz", "/metrics"] {
        let start = Instant::now();
        let response = browser.get(path).await;
        assert_eq!(response.status, 200, "{path}: {response:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{path} took {:?}", start.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_do_not_block_health_checks_and_players() {
    let server = TestServer::new(&[("connections_per_address", "8")]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (_, mut live) = server.seat_guests("t1", 1).await.remove(0);
    let mut silent = Vec::new();
    for _ in 0..300 {
        silent.push(RawConnection::open(server.process.address, "").await);
    }
    for _ in 0..10 {
        assert_health_checks_answered(&server.browser()).await;
        live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    }
    // All other requests of the address are refused.
    let response = server.browser().get("/api/tables").await;
    assert_eq!(response.problem(), (429, "too_many_connections".to_owned()));
    assert_eq!(response.header("retry-after"), Some("10"));
    drop(silent);
    until("a free connection", async || server.browser().get("/api/tables").await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_checks_are_answered_when_all_connections_are_in_use() {
    let server = TestServer::new(&[("connections", "4"), ("health_listen", "127.0.0.1:0")]).await;
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(RawConnection::open(server.process.address, "GET /healthz HTTP/1.1\r\nHost: ").await);
    }
    assert_health_checks_answered(&server.browser()).await;
    let response = server.browser().get("/api/tables").await;
    assert_eq!(response.problem(), (503, "too_many_connections".to_owned()));
    assert_eq!(response.header("retry-after"), Some("10"));
    // The separate listener answers health checks with any host header, and nothing else.
    let own = server.browser().at(server.process.health_address.unwrap());
    assert_health_checks_answered(&own.with_header("host", "checks.example")).await;
    assert_eq!(own.get("/api/tables").await.problem(), (404, "no_such_path".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn health_checks_and_requests_have_separate_rates() {
    let limits = [("requests_per_address", "2"), ("health_checks_per_address", "4")];
    let server = TestServer::new(&limits).await;
    let browser = server.browser();
    for _ in 0..4 {
        browser.get("/api/tables").await;
    }
    assert_eq!(browser.get("/api/tables").await.problem(), (429, "too_many_requests".to_owned()));
    for _ in 0..4 {
        assert_eq!(browser.get("/healthz").await.status, 200);
    }
    let response = browser.get("/healthz").await;
    assert_eq!(response.problem(), (429, "too_many_requests".to_owned()));
    assert!(response.header("retry-after").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_are_counted_by_forwarded_address() {
    let server = TestServer::new(&[("trusted_proxies", "1"), ("connections_per_address", "2")]).await;
    let from = |address: &str| server.browser().with_header("x-forwarded-for", address);
    let host = server.process.address;
    let head = format!(
        "POST /api/session HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: 10.0.0.1\r\n\
         Content-Type: application/json\r\nContent-Length: 90\r\n\r\n{{"
    );
    // Sends requests with incomplete bodies until two are open. One may be refused while the probe request is answered.
    let mut open_requests = Vec::new();
    while from("10.0.0.1").get("/api/tables").await.status != 429 {
        assert!(open_requests.len() < 100, "concurrent requests are not counted");
        open_requests.push(RawConnection::open(host, &head).await);
    }
    let response = from("10.0.0.1").get("/api/tables").await;
    assert_eq!(response.problem(), (429, "too_many_connections".to_owned()));
    assert_eq!(from("10.0.0.1").get("/healthz").await.status, 200);
    assert_eq!(from("10.0.0.2").get("/api/tables").await.status, 200);
    drop(open_requests);
    until("a free connection", async || from("10.0.0.1").get("/api/tables").await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pings_and_pongs_count_like_messages() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (_, mut live) = server.seat_guests("t1", 1).await.remove(0);
    let frames = [Message::Ping(vec![7; 100].into()), Message::Pong(vec![7; 100].into())];
    for frame in frames {
        let mut flooding = LiveClient::open(&server.browser(), "t1").await;
        for _ in 0..2_000 {
            // The server eventually stops reading.
            if flooding.feed(frame.clone()).await.is_err() {
                break;
            }
        }
        let (goodbye, closed) = flooding.until_closed().await;
        assert_eq!(goodbye, Some(json!({ "type": "goodbye", "code": "flood", "retry_ms": null })));
        assert_eq!(closed, SocketEvent::Closed(Some((1008, "flood".to_owned()))));
    }
    // A client with a moderate number of pings stays connected.
    let mut moderate = LiveClient::open(&server.browser(), "t1").await;
    for _ in 0..30 {
        moderate.try_send(Message::Ping(vec![].into())).await.unwrap();
    }
    moderate.send(&json!({ "type": "ping", "n": 1 })).await;
    moderate.until("a pong", |live| live.frames.last().is_some_and(|text| text.contains("pong"))).await;
    live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_who_never_played_expire_and_return_their_chips() {
    let mut server = TestServer::new(&[("idle_guest_hours", "1")]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (ann, eve) = (server.guest("Ann").await, server.guest("Eve").await);
    let (gus, mut live) = server.seat_guests("t1", 1).await.remove(0);
    live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    drop(live);
    // All guests are old, and only Eve was active recently.
    let file = rusqlite::Connection::open(server.file()).unwrap();
    file.execute("UPDATE people SET since = 1", ()).unwrap();
    file.execute("UPDATE sessions SET seen = 1 WHERE who <> 'player:' || ?1", [&eve.player]).unwrap();
    drop(file);
    server.restart().await;
    let at = |browser: &Browser| browser.at(server.process.address);
    let (ann, eve, gus) = (at(&ann), at(&eve), at(&gus));
    // The metric is polled, because a request of Ann's would count as activity.
    let expired =
        async || server.browser().get("/metrics").await.text().contains("paigow_guests_expired_total 1");
    until("an expired guest", expired).await;
    assert_eq!(ann.get("/api/session").await.status, 401);
    assert_eq!(eve.cents().await, 100_000);
    assert_eq!(gus.get("/api/session").await.status, 200, "a guest who has wagered stays");
    let balance = server.operator().get("/api/operator/trial-balance").await.json();
    assert_eq!(balance["sums"], json!({ "PRACTICE": 0 }));
    let of_ann = &balance["accounts"]["PRACTICE"][format!("player:{}", ann.player)];
    assert!(of_ann.is_null() || *of_ann == 0, "{balance}");
    // The client can begin a session as a new guest.
    assert_eq!(ann.post("/api/session", &json!({})).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn new_guests_of_one_address_are_limited() {
    let server = TestServer::new(&[("guests_per_address", "3")]).await;
    for _ in 0..3 {
        server.guest("Ann").await;
    }
    let response = server.browser().post("/api/session", &json!({})).await;
    assert_eq!(response.problem(), (429, "too_many_guests".to_owned()));
    assert!(response.header("retry-after").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn lobby_is_paged_with_operator_tables_first() {
    let server = TestServer::new(&[("tables_per_person", "1000")]).await;
    let ann = server.guest("Ann").await;
    let new = json!({ "book": "ez", "clocks": slow() });
    for _ in 0..120 {
        assert_eq!(ann.post("/api/tables", &new).await.status, 201);
    }
    server.seat_guests("washington", 2).await;
    let names = |page: &Value| {
        let tables = page["tables"].as_array().unwrap().iter();
        tables.map(|table| table["table"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let browser = server.browser();
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
    assert_eq!((count, all.len()), (125, 125), "a table is missing or listed twice");
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
async fn invisible_names_and_names_of_bots_or_the_house_are_refused() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
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
        let renamed = ann.request(hyper::Method::PATCH, "/api/session", body.to_string()).await;
        for response in [renamed, server.browser().post("/api/session", &body).await] {
            assert_eq!(response.problem(), (422, "bad_name".to_owned()), "{name:?}");
            assert_eq!(response.json()["faults"][0]["code"], code, "{name:?}");
            assert_eq!(response.json()["faults"][0]["at"], "name");
        }
    }
    assert_eq!(ann.get("/api/session").await.json()["name"], "Ann");
}

#[tokio::test(flavor = "multi_thread")]
async fn table_names_must_be_valid_path_segments() {
    let server = TestServer::new(&[]).await;
    for table in ["a/b", "..", ".", "a:b", "-a", "/"] {
        let body = json!({ "id": "o1", "table": table, "rules": { "book": "ez" } });
        let response = server.operator().post("/api/operator/tables", &body).await;
        assert_eq!(response.problem(), (422, "bad_table_name".to_owned()), "{table}");
    }
    for table in ["a", "A-b_c.9"] {
        server.open_table(table, "ez", &slow()).await;
        let closed =
            server.operator_command(table, &format!("close-{table}"), json!({ "do": "close" })).await;
        assert_eq!(closed.status, 200, "{closed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_table_with_a_name_that_needs_escaping_can_be_shown_and_closed() {
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
    let server = TestServer::over(folder).await;
    let lobby = server.browser().get("/api/tables").await.json();
    assert!(lobby["tables"].as_array().unwrap().iter().any(|table| table["table"] == "a/b"), "{lobby}");
    let shown = server.browser().get("/api/tables/a%2Fb").await;
    assert_eq!(shown.status, 200, "{shown:?}");
    let closed = server.operator_command("a%2Fb", "close", json!({ "do": "close" })).await;
    assert_eq!(closed.status, 200, "{closed:?}");
    let lobby = server.browser().get("/api/tables").await.json();
    assert!(!lobby["tables"].as_array().unwrap().iter().any(|table| table["table"] == "a/b"), "{lobby}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_fill_the_question_queue() {
    let limits = [("trusted_proxies", "1"), ("questions_per_address", "2"), ("questions", "4")];
    let server = TestServer::new(&limits).await;
    let host = server.process.address;
    // Exact odds that are not cached and take longer to count than this test runs.
    let send_question = async |from: &str, stake: u32| {
        let body = json!({ "book": "ez", "wager": "pai-gow", "player_house_way": "trump-plaza",
            "house_way": "claridge", "stake_cents": stake });
        let body = body.to_string();
        let head = format!(
            "POST /api/odds HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: {from}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        RawConnection::open(host, &head).await
    };
    let flooding = "10.0.0.1";
    let from = |address: &str| server.browser().with_header("x-forwarded-for", address);
    let question = json!({ "cards": "As Kd Tc 9h 2s 2d Jk", "book": "ez" });
    let refused = async || {
        let response = from(flooding).post("/api/best", &question).await;
        (response.status == 429).then(|| response.problem())
    };
    // A question may be refused while the probe request is answered. The test then sends another.
    let start = Instant::now();
    let mut open_requests = vec![send_question(flooding, 1_000).await];
    while refused().await.is_none() {
        assert!(start.elapsed() < TIMEOUT, "the questions are not counted");
        open_requests
            .push(send_question(flooding, 1_000 + 100 * u32::try_from(open_requests.len()).unwrap()).await);
    }
    assert_eq!(refused().await, Some((429, "too_many_questions".to_owned())));
    // Another address is answered while the counting continues.
    let start = Instant::now();
    let response = from("10.0.0.2").post("/api/best", &question).await;
    assert_eq!(response.status, 200, "{response:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_health_checks_answered(&from(flooding)).await;
    drop(open_requests);
    until("a cancelled question", async || from(flooding).post("/api/best", &question).await.status == 200)
        .await;
}
