//! Access control: seats, sessions, hidden cards and secrets of other players.

use crate::authenticator::code_of;
use crate::kit::{Browser, LiveClient, PASSWORD, Response, SocketEvent, TestServer, clocks};
use hyper::Method;
use paigow::Card;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

const SESSION: &str = "paigow_session";
const OPERATOR: &str = "paigow_operator";

#[tokio::test(flavor = "multi_thread")]
async fn commands_need_a_session() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let anonymous = server.browser();
    let sit = json!({ "do": "sit", "seat": 1 });
    assert_eq!(anonymous.command("t1", "a", &sit).await.problem(), (401, "no_session".to_owned()));
    let mut watcher = LiveClient::open(&anonymous, "t1").await;
    assert_eq!((&watcher.view["you"], &watcher.view["player"]), (&Value::Null, &Value::Null));
    for command in [sit, json!({ "do": "pause" }), json!({ "do": "tick" })] {
        assert_eq!(watcher.expect_refused(command).await, "no_session");
    }
    for path in ["/api/session", "/api/session/rounds", "/api/session/journal"] {
        assert_eq!(anonymous.get(path).await.problem(), (401, "no_session".to_owned()), "{path}");
    }
    for (method, path) in [
        (Method::DELETE, "/api/session"),
        (Method::PATCH, "/api/session"),
        (Method::POST, "/api/session/chips"),
    ] {
        assert_eq!(anonymous.request(method, path, "{\"name\":\"Eve\"}").await.status, 401, "{path}");
    }
    assert_eq!(anonymous.post("/api/tables", &json!({ "book": "ez" })).await.status, 401);
    let seats = anonymous.get("/api/tables/t1").await.json()["view"]["seats"].clone();
    assert_eq!(seats, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn player_cannot_act_for_another_seat() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (ann, mut a) = server.seat_guests("t1", 1).await.remove(0);
    let eve = server.guest("Eve").await;
    let mut e = LiveClient::open(&eve, "t1").await;
    a.wager(1_000).await;
    a.until_phase("settings").await;
    let before = ann.get("/api/tables/t1").await.json();
    let commands = [
        json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 }),
        json!({ "do": "wagers", "wagers": [], "ready": true }),
        json!({ "do": "clear" }),
        json!({ "do": "ready" }),
        json!({ "do": "set", "front": "As Ks" }),
        json!({ "do": "house_way" }),
        json!({ "do": "stand" }),
        json!({ "do": "sit_out" }),
        json!({ "do": "return" }),
        json!({ "do": "take_bank", "cents": 1_000 }),
        json!({ "do": "pass_bank" }),
        json!({ "do": "give_bank_back" }),
        json!({ "do": "pick_pile", "pile": 1 }),
        json!({ "do": "add_bytes", "bytes": "00" }),
        json!({ "do": "commit", "commitment": "00".repeat(32) }),
        json!({ "do": "reveal", "bytes": "00".repeat(32) }),
    ];
    for (number, command) in commands.into_iter().enumerate() {
        assert_eq!(e.expect_refused(command.clone()).await, "not_seated", "{command}");
        assert_eq!(eve.command("t1", &format!("x{number}"), &command).await.code(), "not_seated");
        // Naming the seat does not help, and a command cannot name a player.
        let mut named = command.clone();
        named["seat"] = json!(1);
        assert_eq!(eve.command("t1", &format!("z{number}"), &named).await.code(), "not_seated", "{named}");
        for other in ["player", "by", "as"] {
            let mut named = command.clone();
            named[other] = json!(1);
            assert_eq!(
                eve.command("t1", "y", &named).await.problem(),
                (422, "bad_body".to_owned()),
                "{named}"
            );
        }
    }
    let operator_commands =
        [json!({ "do": "pause" }), json!({ "do": "close" }), json!({ "do": "void", "reason": "because" })];
    for command in operator_commands {
        assert_eq!(e.expect_refused(command).await, "operators_only");
    }
    assert_eq!(e.expect_refused(json!({ "do": "tick" })).await, "nothing_due");
    assert_eq!(e.expect_refused(json!({ "do": "sit", "seat": 1 })).await, "seat_taken");
    let after = ann.get("/api/tables/t1").await.json();
    assert_eq!((&after["seq"], &after["view"]), (&before["seq"], &before["view"]));
    // Eve cannot read Ann's rounds and journal.
    assert_eq!(eve.get("/api/session/rounds").await.json()["rounds"], json!([]));
    let journal = eve.get("/api/session/journal").await.text();
    assert!(!journal.contains(&ann.player), "{journal}");
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_expired_and_ended_sessions_are_refused() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let good = ann.cookie(SESSION).unwrap();
    let upper = good.to_uppercase();
    let forged = ["0".repeat(64), "f".repeat(63), String::new(), good[..63].to_owned(), format!("{good}0")];
    for forged in &forged {
        let eve = server.browser();
        eve.set_cookie(SESSION, forged);
        assert_eq!(eve.get("/api/session").await.status, 401, "{forged}");
    }
    // The case of the hexadecimal digits does not matter.
    let same = server.browser();
    same.set_cookie(SESSION, &upper);
    assert_eq!(same.get("/api/session").await.status, 200);
    // A player's secret is not valid for an operator, nor an operator's for a player.
    let attacker = server.browser();
    attacker.set_cookie(OPERATOR, &good);
    assert_eq!(attacker.get("/api/operator/acts").await.status, 401);
    attacker.set_cookie(SESSION, &server.secret);
    attacker.set_cookie(OPERATOR, &server.secret);
    assert_eq!(
        (attacker.get("/api/session").await.status, attacker.get("/api/operator/acts").await.status),
        (401, 401)
    );
    // The stored digest is not a valid secret.
    let digest = secret_digest(&good);
    attacker.set_cookie(SESSION, &digest);
    assert_eq!(attacker.get("/api/session").await.status, 401);
    // An expired session is refused.
    let bob = server.guest("Bob").await;
    assert_eq!(bob.get("/api/session").await.status, 200);
    sql(&server, &format!("UPDATE sessions SET until = 1 WHERE who LIKE '%{}%'", bob.player));
    assert_eq!(bob.get("/api/session").await.status, 401);
    assert_eq!(ann.get("/api/session").await.status, 200);
    // The cookie of an ended session is refused.
    let response = ann.delete("/api/session").await;
    assert_eq!(response.status, 204);
    assert!(response.header("set-cookie").unwrap().starts_with("paigow_session=; Path=/; Max-Age=0;"));
    assert_eq!(ann.cookie(SESSION), None);
    ann.set_cookie(SESSION, &good);
    assert_eq!(ann.get("/api/session").await.status, 401);
    assert_eq!(ann.delete("/api/session").await.status, 401);
}

fn secret_digest(hex: &str) -> String {
    use paigow_table::Secret;
    let secret = Secret::try_from(hex.to_owned()).unwrap();
    String::from(Secret(paigow_server::secret_digest(&secret.0)))
}

/// Changes the store without the server.
fn sql(server: &TestServer, statement: &str) {
    let file = rusqlite::Connection::open(server.file()).unwrap();
    file.busy_timeout(Duration::from_secs(5)).unwrap();
    assert!(file.execute(statement, []).unwrap() > 0, "{statement}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_session_closes_only_its_own_sockets() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let (mut first, mut second) = (LiveClient::open(&ann, "t1").await, LiveClient::open(&ann, "ez").await);
    let mut other = LiveClient::open(&bob, "t1").await;
    let mut watcher = LiveClient::open(&server.browser(), "t1").await;
    assert_eq!(ann.delete("/api/session").await.status, 204);
    for live in [&mut first, &mut second] {
        let (goodbye, closed) = live.until_closed().await;
        assert_eq!(goodbye, Some(json!({ "type": "goodbye", "code": "ended", "retry_ms": null })));
        assert_eq!(closed, SocketEvent::Closed(Some((1008, "ended".to_owned()))));
    }
    other.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    watcher.until_event("sat").await;
}

/// The server closes a socket whose session has expired or was ended by another process.
#[tokio::test(flavor = "multi_thread")]
async fn socket_closes_after_its_session_expires_or_ends_elsewhere() {
    let server = TestServer::new(&[]).await;
    let mut second = server.another_process().await;
    let (ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let mut expires = LiveClient::open(&ann, "ez").await;
    let mut elsewhere = LiveClient::open(&bob.at(second.address), "ez").await;
    sql(&server, &format!("UPDATE sessions SET until = 1 WHERE who LIKE '%{}%'", ann.player));
    assert_eq!(bob.delete("/api/session").await.status, 204);
    let goodbye_code = async |live: &mut LiveClient| loop {
        match live.next_within(Duration::from_secs(25)).await {
            Some(SocketEvent::Message(message)) if message["type"] == "goodbye" => {
                return message["code"].clone();
            }
            Some(SocketEvent::Message(_)) => {}
            other => panic!("{other:?}"),
        }
    };
    let (first, other) = tokio::join!(goodbye_code(&mut expires), goodbye_code(&mut elsewhere));
    assert_eq!((first, other), (json!("ended"), json!("ended")));
    second.request_stop();
    second.wait_for_exit().await;
}

/// Returns the cards in a text that are separate words.
fn cards_in(text: &str) -> BTreeSet<String> {
    let deck: BTreeSet<String> = Card::deck().map(|card| card.to_string()).collect();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| deck.contains(*word)).map(str::to_owned).collect()
}

/// Sends every request that could reveal something about the current round.
async fn request_everything(browser: &Browser) {
    let paths = [
        "/api/session",
        "/api/session/rounds",
        "/api/session/journal",
        "/api/tables",
        "/api/tables/t1",
        "/api/tables/t1/people",
        "/api/tables/t1/rounds",
        "/api/tables/t1/rounds/1",
        "/api/operator/trial-balance",
        "/api/operator/rounds",
        "/api/operator/rounds?format=csv",
        "/api/operator/rounds?table=t1",
        "/api/operator/journal",
        "/api/operator/acts",
        "/metrics",
        "/readyz",
    ];
    for path in paths {
        browser.get(path).await;
    }
    for (number, command) in
        [json!({ "do": "set", "front": "As As" }), json!({ "do": "ready" })].iter().enumerate()
    {
        browser.command("t1", &format!("ask-{number}"), command).await;
    }
}

/// Waits until all messages sent so far have arrived.
async fn wait_for_pong(live: &mut LiveClient) {
    live.send(&json!({ "type": "ping", "n": 1 })).await;
    loop {
        let SocketEvent::Message(message) = live.next().await else { panic!("closed") };
        if message["type"] == "pong" {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_cards_and_the_secret_are_not_sent_during_a_round() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "south-beach", &slow()).await;
    let mut players = server.seat_guests("t1", 3).await;
    let left = server.guest("Gone").await;
    let mut gone = LiveClient::open(&left, "t1").await;
    gone.expect_done(json!({ "do": "sit", "seat": 4 })).await;
    gone.expect_done(json!({ "do": "stand" })).await;
    let mut watcher = LiveClient::open(&server.browser(), "t1").await;
    for (_, live) in &mut players {
        live.wager(1_000).await;
    }
    for (_, live) in &mut players {
        live.until_phase("settings").await;
    }
    players[1].1.expect_done(json!({ "do": "house_way" })).await;
    // Every viewer sends every request, reconnects, and resumes.
    let mut viewers: Vec<(Browser, Vec<LiveClient>, Option<usize>)> = Vec::new();
    for (index, (player, live)) in players.into_iter().enumerate() {
        let fresh = LiveClient::open(&player, "t1").await;
        let resumed = LiveClient::try_open(&player, "t1", Some(live.seq - 3)).await.unwrap();
        viewers.push((player, vec![live, fresh, resumed], Some(index)));
    }
    viewers.push((
        server.browser(),
        vec![open_watcher(&server).await, std::mem::replace(&mut watcher, open_watcher(&server).await)],
        None,
    ));
    viewers.push((left, vec![gone], None));
    viewers.push((server.operator(), vec![LiveClient::open(&server.operator(), "t1").await], None));
    for (browser, lives, _) in &mut viewers {
        request_everything(browser).await;
        for live in lives {
            live.send(&json!({ "type": "resume", "from": 2 })).await;
            wait_for_pong(live).await;
        }
    }
    let before: Vec<Vec<String>> = viewers
        .iter_mut()
        .map(|(browser, lives, _)| {
            let frames = lives.iter_mut().flat_map(|live| std::mem::take(&mut live.frames));
            frames.chain(browser.take_responses()).collect()
        })
        .collect();
    for index in [0, 2] {
        let (_, lives, _) = &mut viewers[index];
        lives[0].expect_done(json!({ "do": "house_way" })).await;
    }
    let record = server.browser().get("/api/tables/t1/rounds/1").await.json();
    let play = &record["record"]["play"];
    let secret = play["secret"].as_str().unwrap();
    let hand = |seat: usize| cards_in(record["record"]["seats"][seat]["hand"]["cards"].as_str().unwrap());
    assert_eq!(cards_in(play["dealer"]["cards"].as_str().unwrap()).len(), 7);
    for ((browser, _, own), responses) in viewers.iter().zip(&before) {
        let own = own.map(hand).unwrap_or_default();
        assert!(responses.len() > 20, "{}", responses.len());
        let mut seen = BTreeSet::new();
        for text in responses {
            assert!(!text.contains(secret), "{text}");
            let cards = cards_in(text);
            // The refusal of the test's own command names the card of that command.
            let is_refusal = text.contains("As appears twice");
            assert!(is_refusal || cards.is_subset(&own), "{} received {cards:?}: {text}", browser.player);
            seen.extend(cards.intersection(&own).cloned());
        }
        assert_eq!(seen, own, "the viewer's own cards");
    }
}

async fn open_watcher(server: &TestServer) -> LiveClient {
    LiveClient::open(&server.browser(), "t1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_origins_and_hosts_are_refused() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let own = format!("http://{}", server.process.address);
    let sit = json!({ "do": "sit", "seat": 1 });
    let wrong = [
        ("origin", "https://evil.example"),
        ("origin", "http://127.0.0.1"),
        ("origin", "http://127.0.0.1:1"),
        ("origin", "null"),
        ("origin", ""),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ];
    for (name, value) in wrong {
        let eve = ann.with_header(name, value);
        assert_eq!(eve.command("ez", "a", &sit).await.problem(), (403, "wrong_origin".to_owned()), "{value}");
        assert_eq!(eve.delete("/api/session").await.status, 403, "{value}");
        let Err(response) = LiveClient::try_open(&eve, "ez", None).await else { panic!("{value}: a socket") };
        assert_eq!(response.problem(), (403, "wrong_origin".to_owned()), "{value}");
        // Reads are answered: the browser keeps the response from the other page.
        assert_eq!(eve.get("/api/tables").await.status, 200);
    }
    let right = ann.with_header("origin", &own).with_header("sec-fetch-site", "same-origin");
    assert_eq!(right.command("ez", "a", &sit).await.status, 200);
    assert!(LiveClient::try_open(&right, "ez", None).await.is_ok());
    for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "x"]
    {
        let eve = ann.with_header("host", host);
        assert_eq!(eve.get("/api/tables").await.problem(), (421, "wrong_host".to_owned()), "{host}");
        let Err(response) = LiveClient::try_open(&eve, "ez", None).await else { panic!("{host}: a socket") };
        assert_eq!(response.status, 421);
    }
    assert_eq!(ann.with_header("host", "localhost:1").get("/api/tables").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn cookies_behind_tls_are_secure_and_host_only() {
    let flags = "; HttpOnly; SameSite=Strict";
    let plain = TestServer::new(&[("session_hours", "2")]).await;
    let cookie = |response: &Response| response.header("set-cookie").unwrap().to_owned();
    let begun = plain.browser().post("/api/session", &json!({})).await;
    let set = cookie(&begun);
    assert!(
        set.starts_with("paigow_session=") && set.ends_with(&format!("; Path=/; Max-Age=7200{flags}")),
        "{set}"
    );
    assert_eq!(begun.header("strict-transport-security"), None);
    let tls = TestServer::new(&[("public_origin", "https://table.example"), ("session_hours", "2")]).await;
    let page =
        tls.browser().with_header("host", "table.example").with_header("origin", "https://table.example");
    let begun = page.post("/api/session", &json!({})).await;
    let set = cookie(&begun);
    assert!(set.starts_with("__Host-paigow_session="), "{set}");
    assert!(set.ends_with(&format!("; Path=/; Max-Age=7200{flags}; Secure")), "{set}");
    assert!(!set.contains("Domain"));
    assert_eq!(begun.header("strict-transport-security"), Some("max-age=63072000"));
    // Activity after a while renews the cookie.
    assert_eq!(page.get("/api/session").await.header("set-cookie"), None);
    sql(&tls, "UPDATE sessions SET seen = 1");
    assert_eq!(cookie(&page.get("/api/session").await), set);
    // A cookie without the prefix could have been set over plain HTTP.
    let secret = page.cookie("__Host-paigow_session").unwrap();
    let attacker = tls.browser();
    attacker.set_cookie(SESSION, &secret);
    assert_eq!(attacker.get("/api/session").await.status, 401);
    let code = code_of(&tls.admin.authenticator, 1);
    let operator = json!({ "name": "olga", "password": PASSWORD, "code": code });
    let set = cookie(&page.post("/api/operator/session", &operator).await);
    assert!(
        set.starts_with("__Host-paigow_operator=") && set.ends_with(&format!("{flags}; Secure")),
        "{set}"
    );
    assert!(set.contains("Max-Age=43200"), "an operator's cookie lasts as long as the session: {set}");
    // The plain HTTP origin of the same host is a different origin.
    let other = page.with_header("origin", "http://table.example");
    assert_eq!(other.post("/api/session", &json!({})).await.code(), "wrong_origin");
}

#[tokio::test(flavor = "multi_thread")]
async fn operator_routes_need_an_operator_session() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let bearer = format!("Bearer {}", server.secret);
    let callers = [
        server.browser(),
        ann.clone(),
        // Programs of earlier versions sent the secret with every request.
        server.browser().with_header("authorization", &bearer).with_header("paigow-operator", "olga"),
    ];
    let paths = [
        (Method::POST, "/api/operator/tables"),
        (Method::POST, "/api/operator/tables/ez/commands"),
        (Method::POST, "/api/operator/notices"),
        (Method::POST, "/api/operator/chips"),
        (Method::POST, "/api/operator/drain"),
        (Method::POST, "/api/operator/operators"),
        (Method::POST, "/api/operator/approvals/00"),
        (Method::POST, "/api/operator/audits"),
        (Method::GET, "/api/operator/session"),
        (Method::DELETE, "/api/operator/session"),
        (Method::GET, "/api/operator/trial-balance"),
        (Method::GET, "/api/operator/people"),
        (Method::GET, "/api/operator/rounds"),
        (Method::GET, "/api/operator/journal"),
        (Method::GET, "/api/operator/reports?from=2026-11-01&to=2026-11-01"),
        (Method::GET, "/api/operator/acts"),
    ];
    for caller in &callers {
        for (method, path) in &paths {
            let response = caller.request(method.clone(), path, "{}").await;
            assert_eq!(response.problem(), (401, "no_session".to_owned()), "{path}");
        }
    }
    assert_eq!(server.browser().get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_response_has_the_security_headers() {
    let server = TestServer::new(&[("body_bytes", "1024")]).await;
    let ann = server.guest("Ann").await;
    let long = "x".repeat(2_000);
    let mut responses = vec![
        (200, ann.get("/api/tables").await),
        (200, ann.get("/metrics").await),
        (200, ann.get("/api/openapi.json").await),
        (200, ann.request(Method::HEAD, "/api/tables", "").await),
        (400, ann.request(Method::POST, "/api/tables", "{").await),
        (401, server.browser().get("/api/session").await),
        (403, ann.with_header("origin", "null").delete("/api/session").await),
        (404, ann.get("/nothing").await),
        (405, ann.request(Method::PUT, "/api/session", "").await),
        (413, ann.request(Method::POST, "/api/tables", long).await),
        (421, ann.with_header("host", "evil.example").get("/api/tables").await),
        (422, ann.post("/api/tables", &json!({})).await),
        (426, ann.get("/api/tables/ez/live").await),
        (200, server.operator().get("/api/operator/rounds?format=csv").await),
        (204, ann.delete("/api/session").await),
    ];
    let limited = TestServer::new(&[("requests_per_address", "1")]).await;
    limited.browser().get("/api/tables").await;
    responses.push((429, limited.browser().get("/api/tables").await));
    for (status, response) in responses {
        assert_eq!(response.status, status, "{response:?}");
        let policy = response.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"));
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(response.header("referrer-policy"), Some("same-origin"));
        assert_eq!(response.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(response.header("cross-origin-resource-policy"), Some("same-origin"));
        assert!(response.header("permissions-policy").is_some());
        assert_eq!(response.header("cache-control"), Some("no-store"), "{response:?}");
    }
}

/// Collects the log output.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_and_cards_are_not_logged() {
    let log = Log::default();
    let writer = log.clone();
    // The most verbose log level of the program.
    let filter = Targets::new().with_default(LevelFilter::WARN).with_target("paigow", LevelFilter::TRACE);
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(move || writer.clone());
    tracing_subscriber::registry().with(layer.with_filter(filter)).init();
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(50, 60_000, 50, 50)).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    live.wager(1_000).await;
    let olga = server.browser();
    let wrong = "ab".repeat(32);
    let sign_in = |password: &str, code: &str| json!({ "name": "olga", "password": password, "code": code });
    let code = code_of(&server.admin.authenticator, 1);
    olga.post("/api/operator/session", &sign_in(&wrong, &code)).await;
    olga.post("/api/operator/session", &sign_in(PASSWORD, &wrong)).await;
    olga.post("/api/operator/session", &sign_in(PASSWORD, &code)).await;
    let secret_given = json!({ "name": "eve", "code": server.secret, "password": PASSWORD });
    olga.post("/api/operator/enrolment/options", &secret_given).await;
    ann.request(Method::POST, "/api/tables", format!("{{\"book\":\"{wrong}\"")).await;
    live.until_event("settled").await;
    let added = json!({ "name": "vera", "role": "viewer" });
    let new = olga.post("/api/operator/operators", &added).await.json()["code"].as_str().unwrap().to_owned();
    let secrets = [
        server.secret.clone(),
        server.admin.authenticator.clone(),
        server.admin.recovery_codes[0].clone(),
        PASSWORD.to_owned(),
        new,
        wrong,
        ann.cookie(SESSION).unwrap(),
        olga.cookie(OPERATOR).unwrap(),
        live.view["round"]["secret"].as_str().unwrap().to_owned(),
    ];
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("sign-in of an operator refused") && text.contains("request completed"), "{text}");
    for secret in secrets {
        assert!(secret.len() >= 10, "too short to be searched for");
        assert!(!text.contains(&secret), "the log contains a secret");
    }
    for card in cards_in(live.own_seat()["hand"]["cards"].as_str().unwrap()) {
        assert!(!cards_in(&text).contains(&card), "the log contains a card");
    }
}

/// A table's rules are its book's with the table's overrides, and the joker as the posted paytable requires.
#[tokio::test(flavor = "multi_thread")]
async fn table_shows_the_rules_in_effect() {
    let server = TestServer::new(&[]).await;
    server.open_table("plain", "california", &slow()).await;
    let changes = json!({ "base_game.limits.max": "\"77.00\"" });
    let rules = json!({ "book": "california", "paytables": { "fortune": "FPG-07" }, "changes": changes });
    server.open_table_with("wild", rules).await;
    let visitor = server.browser();
    let plain = visitor.get("/api/tables/plain/rules").await;
    let wild = visitor.get("/api/tables/wild/rules").await;
    assert_eq!((plain.status, wild.status), (200, 200), "{wild:?}");
    assert_eq!(plain.json()["ranking"]["joker"], "semi_wild");
    assert_eq!(wild.json()["ranking"]["joker"], "fully_wild");
    assert_eq!(wild.json()["book"]["ranking"]["joker"], "semi_wild", "the book's own value");
    assert_eq!(plain.json()["rules"], visitor.get("/api/books/california").await.json());
    assert!(!plain.json()["rules"].to_string().contains("$77"));
    assert!(wild.json()["rules"].to_string().contains("$77"));
    assert_eq!(visitor.get("/api/tables/nothing/rules").await.status, 404);
}
