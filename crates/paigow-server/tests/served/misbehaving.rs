//! Misbehaving clients: the server refuses, closes or times them out, and other clients are not affected.

use crate::kit::{Browser, LiveClient, RawConnection, SocketEvent, TestServer, clocks, until};
use hyper::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

/// Returns the value of a metric.
async fn metric(browser: &Browser, name: &str) -> i64 {
    let text = browser.get("/metrics").await.text();
    let line = text.lines().find(|line| line.split(' ').next() == Some(name));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).split(' ').nth(1).unwrap().parse().unwrap()
}

/// Asserts that the server sends a goodbye with this code and closes the socket.
async fn assert_closed(live: &mut LiveClient, code: &str, what: &str) {
    let (goodbye, closed) = live.until_closed().await;
    assert_eq!(goodbye, Some(json!({ "type": "goodbye", "code": code, "retry_ms": null })), "{what}");
    assert_eq!(closed, SocketEvent::Closed(Some((1008, code.to_owned()))), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn inactive_player_is_set_the_house_way_and_sits_out() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(100, 700, 50, 5)).await;
    let (_, mut live) = server.seat_guests("t1", 1).await.remove(0);
    // On a slow machine the first wagering phase may be missed.
    loop {
        live.until_phase("wagers").await;
        let stake = json!({ "wager": "pai-gow", "cents": 1_000 });
        let reply = live.command(json!({ "do": "wagers", "wagers": [stake], "ready": true })).await;
        if reply["type"] == "done" {
            break;
        }
        live.until_phase("between").await;
    }
    let played = live.round();
    live.until_event("settled").await;
    assert_eq!(live.own_seat()["hand"]["by"], "clock");
    let out = live.until_event("sat_out").await;
    assert_eq!(out, json!({ "event": "sat_out", "seat": 1, "by": "clock" }));
    live.until_phase("waiting").await;
    // Three rounds without a wager, and then no more rounds.
    assert_eq!(live.round(), played + 3);
    assert_eq!(live.own_seat()["out"], true);
    assert_eq!(live.expect_refused(json!({ "do": "sit_out" })).await, "sitting_out");
    live.expect_done(json!({ "do": "return" })).await;
    live.until_phase("wagers").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn flooding_client_is_closed_and_others_are_answered() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    let flooding = Arc::new(AtomicBool::new(true));
    let floods: Vec<_> = (0..4)
        .map(|_| {
            let (watcher, flooding) = (server.browser(), flooding.clone());
            tokio::spawn(async move {
                let mut times = 0;
                while flooding.load(Ordering::Relaxed) {
                    let mut live = LiveClient::open(&watcher, "t1").await;
                    for n in 0..400 {
                        let ping = Message::text(json!({ "type": "ping", "n": n }).to_string());
                        // The server eventually stops reading.
                        if live.feed(ping).await.is_err() {
                            break;
                        }
                    }
                    assert_closed(&mut live, "flood", "400 messages at once").await;
                    times += 1;
                }
                times
            })
        })
        .collect();
    let mut took = Vec::new();
    for number in 0..40_u64 {
        let start = Instant::now();
        let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 + 100 * (number % 7) });
        live.expect_done(wager).await;
        took.push(start.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    flooding.store(false, Ordering::Relaxed);
    let mut times = 0;
    for flood in floods {
        times += flood.await.unwrap();
    }
    took.sort();
    println!("{times} floods; others: median {:?}, worst of {} {:?}", took[20], took.len(), took[39]);
    assert!(times >= 4);
    assert!(took[39] < Duration::from_secs(2), "{took:?}");
    assert_eq!(live.gaps, 0);
    assert!(ann.get("/metrics").await.text().contains("paigow_limited_total{by=\"socket\"}"));
    until("the closed sockets", async || metric(&ann, "paigow_sockets").await == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_message_closes_the_socket() {
    // A closing socket counts until the client has received the goodbye.
    let server = TestServer::new(&[("sockets_per_person", "1000")]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    let deep = format!("{}{}", "[".repeat(2_000), "]".repeat(2_000));
    let deep_inside = format!("{{\"type\":\"ping\",\"n\":{}1{}}}", "[".repeat(500), "]".repeat(500));
    let texts = [
        "",
        "hello",
        "{",
        "[]",
        "{}",
        "null",
        "{\"type\":\"dance\"}",
        "{\"type\":\"ping\"}",
        "{\"type\":\"ping\",\"n\":-1}",
        "{\"type\":\"ping\",\"n\":1,\"more\":2}",
        "{\"type\":\"resume\",\"from\":\"1\"}",
        "{\"type\":\"command\",\"id\":\"a\",\"command\":{\"do\":\"dance\"}}",
        "{\"type\":\"command\",\"id\":\"a b\",\"command\":{\"do\":\"ready\"}}",
        "{\"type\":\"command\",\"id\":\"a\",\"command\":{\"do\":\"ready\",\"chair\":2}}",
        "{\"type\":\"command\",\"id\":\"a\",\"command\":{\"do\":\"sit\",\"seat\":256}}",
        "{\"type\":\"command\",\"command\":{\"do\":\"ready\"}}",
        &deep,
        &deep_inside,
    ];
    for text in texts {
        let mut client = LiveClient::open(&ann, "t1").await;
        client.send_text(text.to_owned()).await;
        assert_closed(&mut client, "rubbish", text).await;
    }
    let mut binary = LiveClient::open(&ann, "t1").await;
    binary.try_send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_closed(&mut binary, "rubbish", "bytes").await;
    // The largest allowed frame has 16 KiB.
    let padded = |bytes: usize| format!("{{\"type\":\"ping\",\"n\":1}}{}", " ".repeat(bytes - 21));
    let mut large = LiveClient::open(&ann, "t1").await;
    large.send_text(padded(16_384)).await;
    assert_eq!(large.next().await, large_pong(&large));
    large.send_text(padded(16_385)).await;
    assert_closed(&mut large, "rubbish", "a frame too large").await;
    live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    assert_eq!(live.snapshots, 1);
}

fn large_pong(live: &LiveClient) -> SocketEvent {
    let reply: Value = serde_json::from_str(live.frames.last().unwrap()).unwrap();
    assert_eq!((&reply["type"], &reply["n"]), (&json!("pong"), &json!(1)));
    SocketEvent::Message(reply)
}

/// Set in the environment of a process that runs a single test.
const ALONE: &str = "TEST_RUNS_ALONE";

/// Runs a test in a separate process, so that it measures only itself.
fn run_in_own_process(test: &str) {
    let program = std::env::current_exe().unwrap();
    let run = std::process::Command::new(program)
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, "yes")
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&run.stdout);
    println!("{output}");
    assert!(run.status.success() && output.contains("1 passed"), "{}", String::from_utf8_lossy(&run.stderr));
}

/// Returns the resident memory of the process, in bytes.
fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_reads_is_dropped_and_uses_little_memory() {
    if std::env::var_os(ALONE).is_none() {
        return run_in_own_process("misbehaving::client_that_never_reads_is_dropped_and_uses_little_memory");
    }
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    live.until_phase("wagers").await;
    let mut unread = Vec::new();
    for _ in 0..16 {
        unread.push(LiveClient::open_with_small_buffer(&server.browser(), "t1").await);
    }
    until("all sockets", async || metric(&ann, "paigow_sockets").await == 17).await;
    let (before, first) = (resident_bytes(), live.seq);
    // Sends notices of the maximum length until the server has dropped every client that does not read.
    let text = "\u{1d11e}".repeat(500);
    let olga = Arc::new(server.operator());
    let (mut sent, mut peak, start) = (0_u64, 0, Instant::now());
    while metric(&ann, "paigow_sockets").await > 1 {
        assert!(
            start.elapsed() < Duration::from_secs(40),
            "after {sent} notices the unread sockets are still open"
        );
        let tasks: Vec<_> = (0..50)
            .map(|number| {
                let (olga, id) = (olga.clone(), format!("n{}", sent + number));
                let body = json!({ "id": id, "command": { "do": "notice", "text": text } });
                tokio::spawn(async move { olga.post("/api/operator/tables/t1/commands", &body).await.status })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), 200);
        }
        sent += 50;
        peak = peak.max(resident_bytes().saturating_sub(before));
        live.until_seq(first + sent).await;
        // The test measures the server, not its client's buffers.
        (live.frames, live.events) = (Vec::new(), Vec::new());
    }
    println!("{sent} notices, {} MB at the peak, dropped after {:?}", peak >> 20, start.elapsed());
    assert!(peak < 64 << 20, "{peak} bytes for 16 sockets");
    live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    drop(unread);
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_and_incomplete_connections_are_closed() {
    let server = TestServer::new(&[("header_seconds", "4"), ("idle_seconds", "7")]).await;
    let address = server.process.address;
    let connect_with = async |text: &str| RawConnection::open(address, text).await.wait_for_close().await;
    let kept = async || {
        let mut raw =
            RawConnection::open(address, &format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n")).await;
        let response = raw.read_for(Duration::from_millis(500)).await;
        assert!(response.starts_with("HTTP/1.1 200"), "{response}");
        raw.wait_for_close().await
    };
    let trickle = async || {
        let mut raw = RawConnection::open(address, "GET /healthz HTTP/1.1\r\n").await;
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            raw.send("X-More: 1\r\n").await;
        }
        Duration::from_secs(3) + raw.wait_for_close().await
    };
    let (silent, half, preface, idle, slow) = tokio::join!(
        connect_with(""),
        connect_with("GET /healthz HTTP/1.1\r\nHost: exa"),
        connect_with("PRI * HTTP/2.0\r\n"),
        kept(),
        trickle()
    );
    println!("silent {silent:?}, half {half:?}, preface {preface:?}, idle {idle:?}, slow {slow:?}");
    for took in [silent, half, slow] {
        assert!((3..6).contains(&took.as_secs()), "{took:?}");
    }
    assert!((6..10).contains(&idle.as_secs()), "{idle:?}");
    assert_eq!(server.browser().get("/healthz").await.status, 200);
}

/// Returns a client whose address is given by a proxy.
fn from(server: &TestServer, address: &str) -> Browser {
    server.browser().with_header("x-forwarded-for", address)
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_are_limited_per_person_per_address_and_in_total() {
    let limits = [
        ("trusted_proxies", "1"),
        ("sockets", "6"),
        ("sockets_per_person", "2"),
        ("sockets_per_address", "3"),
    ];
    let server = TestServer::new(&limits).await;
    server.open_table("t1", "ez", &slow()).await;
    let refused = async |browser: &Browser, limit: &str| {
        let Err(response) = LiveClient::try_open(browser, "t1", None).await else {
            panic!("{limit}: the socket is accepted")
        };
        assert_eq!(response.problem(), (429, "too_many_sockets".to_owned()));
        assert_eq!(response.header("retry-after"), Some("10"));
        assert!(response.json()["detail"].as_str().unwrap().contains(limit), "{response:?}");
    };
    let ann = server.guest("Ann").await;
    let ann_from = |address: &str| ann.with_header("x-forwarded-for", address);
    let first = LiveClient::open(&ann_from("10.0.0.1"), "t1").await;
    let second = LiveClient::open(&ann_from("10.0.0.2"), "t1").await;
    refused(&ann_from("10.0.0.3"), "this player").await;
    // An IPv6 /64 network counts as one address.
    let mut network = Vec::new();
    for host in 1..=3 {
        network.push(LiveClient::open(&from(&server, &format!("2001:db8:1:2::{host}")), "t1").await);
    }
    refused(&from(&server, "2001:db8:1:2:ffff::4"), "this address").await;
    let last = LiveClient::open(&from(&server, "2001:db8:1:3::1"), "t1").await;
    refused(&from(&server, "10.0.0.9"), "the server").await;
    // Closed sockets no longer count.
    drop((first, second, network, last));
    until("a free socket", async || LiveClient::try_open(&ann_from("10.0.0.3"), "t1", None).await.is_ok())
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_limited_per_address_with_retry_after() {
    let server = TestServer::new(&[("trusted_proxies", "1"), ("requests_per_address", "6")]).await;
    let client = from(&server, "10.0.0.1");
    for _ in 0..6 {
        assert_eq!(client.get("/api/tables").await.status, 200);
    }
    let response = client.get("/api/tables").await;
    assert_eq!(response.problem(), (429, "too_many_requests".to_owned()));
    let seconds: u64 = response.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=10).contains(&seconds), "{seconds}");
    assert_eq!(response.json()["retry_seconds"], seconds);
    let Err(response) = LiveClient::try_open(&client, "ez", None).await else {
        panic!("the socket is accepted")
    };
    assert_eq!(response.status, 429);
    assert_eq!(from(&server, "10.0.0.2").get("/api/tables").await.status, 200);
    // Addresses that the client wrote come before the one that the proxy added.
    let spoofed = from(&server, "10.9.9.9, 10.0.0.1");
    assert_eq!(spoofed.get("/api/tables").await.status, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn forwarded_address_is_ignored_without_proxies() {
    let server = TestServer::new(&[("requests_per_address", "3")]).await;
    let mut last = 0;
    for number in 0..5 {
        last = from(&server, &format!("10.0.0.{number}")).get("/api/tables").await.status;
    }
    assert_eq!(last, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_limited_per_account_on_sockets_and_http() {
    let server = TestServer::new(&[("requests_per_account", "4")]).await;
    server.open_table("t1", "ez", &slow()).await;
    let (ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let mut live = LiveClient::open(&ann, "t1").await;
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    for number in 0..3 {
        ann.command("t1", &format!("x{number}"), &json!({ "do": "ready" })).await;
    }
    let reply = live.command(json!({ "do": "stand" })).await;
    assert_eq!(reply["problem"]["code"], "too_many_requests", "{reply}");
    assert!(reply["problem"]["retry_seconds"].as_u64().unwrap() >= 1);
    let response = ann.command("t1", "y", &json!({ "do": "stand" })).await;
    assert_eq!(response.problem(), (429, "too_many_requests".to_owned()));
    assert!(response.header("retry-after").is_some());
    assert_eq!(bob.command("t1", "y", &json!({ "do": "sit", "seat": 2 })).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_and_oversized_bodies_are_refused_with_the_reason() {
    let server = TestServer::new(&[("body_bytes", "2048")]).await;
    server.open_table("t1", "ez", &slow()).await;
    let ann = server.guest("Ann").await;
    let path = "/api/tables/t1/commands";
    let large = format!("{{\"id\":\"a\",\"command\":{{\"do\":\"ready\"}}}}{}", " ".repeat(2_048));
    assert_eq!(ann.request(Method::POST, path, large).await.problem(), (413, "body_too_large".to_owned()));
    let wrong = [
        ("", 400, "EOF"),
        ("{", 400, "EOF"),
        ("\u{0}", 400, "expected value"),
        ("[]", 422, "length 0"),
        ("{}", 422, "missing field `id`"),
        ("{\"id\":\"a\"}", 422, "missing field `command`"),
        ("{\"id\":\"a b\",\"command\":{\"do\":\"ready\"}}", 422, "letters, digits"),
        ("{\"id\":\"a\",\"command\":{\"do\":\"dance\"}}", 422, "unknown variant `dance`"),
        ("{\"id\":\"a\",\"command\":{\"do\":\"sit\"}}", 422, "missing field `seat`"),
        ("{\"id\":\"a\",\"command\":{\"do\":\"ready\"},\"as\":\"bob\"}", 422, "unknown field `as`"),
        ("{\"id\":\"a\",\"command\":{\"do\":\"wager\",\"wager\":\"x\",\"cents\":-1}}", 422, "-1"),
    ];
    for (body, status, expected) in wrong {
        let response = ann.request(Method::POST, path, body).await;
        assert_eq!(response.problem(), (status, "bad_body".to_owned()), "{body}");
        let detail = response.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(expected), "{body}: {detail}");
    }
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    assert_eq!(ann.request(Method::POST, path, deep).await.code(), "bad_body");
    let plain = ann.with_header("content-type", "text/plain");
    let sit = "{\"id\":\"a\",\"command\":{\"do\":\"sit\",\"seat\":1}}";
    assert_eq!(plain.request(Method::POST, path, sit).await.problem(), (415, "bad_body".to_owned()));
    // A chunked body has no length header.
    let address = server.process.address;
    let cookie = ann.cookie("paigow_session").unwrap();
    let mut chunked = RawConnection::open(
        address,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nCookie: paigow_session={cookie}\r\n\
             Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n{}\r\n0\r\n\r\n",
            " ".repeat(4096)
        ),
    )
    .await;
    let response = chunked.read_for(Duration::from_millis(500)).await;
    assert!(response.starts_with("HTTP/1.1 413") && response.contains("body_too_large"), "{response}");
    let seats = ann.get("/api/tables/t1").await.json()["view"]["seats"].clone();
    assert_eq!(seats, json!([]), "a refused command was applied");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_paths_methods_and_ids_are_problems() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let cases = [
        (Method::GET, "/nothing", 404, "no_such_path"),
        (Method::GET, "/api/../../etc/passwd", 404, "no_such_path"),
        (Method::PUT, "/api/session", 405, "no_such_method"),
        (Method::GET, "/api/tables/no-such", 404, "no_such_table"),
        (Method::GET, "/api/tables/no%20name", 404, "no_such_thing"),
        (Method::GET, "/api/tables/no-such/people", 404, "no_such_table"),
        (Method::GET, "/api/tables/no-such/rounds", 404, "no_such_table"),
        (Method::GET, "/api/tables/no-such/rounds/1", 404, "no_such_table"),
        (Method::GET, "/api/tables/ez/rounds/1", 404, "no_such_round"),
        (Method::GET, "/api/tables/ez/rounds/x", 404, "no_such_thing"),
        (Method::GET, "/api/tables/ez/rounds?limit=x", 400, "bad_query"),
        (Method::GET, "/api/tables/ez/rounds?more=1", 400, "bad_query"),
        (Method::GET, "/api/session/journal?after=-1", 400, "bad_query"),
        (Method::GET, "/api/tables/ez/live", 426, "no_websocket"),
    ];
    for (method, path, status, code) in cases {
        let response = ann.request(method, path, "").await;
        assert_eq!(response.problem(), (status, code.to_owned()), "{path}");
    }
    // A browser gets the HTML page.
    let page = ann.with_header("accept", "text/html,*/*");
    let response = page.get("/nothing").await;
    assert_eq!((response.status, response.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert_eq!(page.get("/api/nothing").await.problem(), (404, "no_such_path".to_owned()));
    let Err(response) = LiveClient::try_open(&ann, "no-such", None).await else {
        panic!("a socket at an unknown table")
    };
    assert_eq!(response.problem(), (404, "no_such_table".to_owned()));
    let books = ["no-such-book", "../../etc/passwd", "/etc/passwd", ""];
    for book in books {
        let response = ann.post("/api/tables", &json!({ "book": book })).await;
        assert_eq!(response.problem(), (422, "bad_config".to_owned()), "{book}");
        assert!(!response.text().contains("root:"), "{response:?}");
    }
    let many: BTreeMap<String, &str> = (0..65).map(|key| (format!("k{key}"), "1")).collect();
    let long = BTreeMap::from([("base_game.commission".to_owned(), "1 ".repeat(4_096))]);
    for changes in [json!(many), json!(long)] {
        let response = ann.post("/api/tables", &json!({ "book": "ez", "changes": changes })).await;
        assert_eq!(response.problem(), (422, "bad_config".to_owned()));
        assert!(response.text().contains("at most 64 values"), "{response:?}");
    }
    // Documents are walked by recursion: a path of thousands of keys must not exhaust the stack.
    let deep = |keys: usize| json!({ "book": "ez", "changes": { vec!["a"; keys].join("."): "1" } });
    assert_eq!(ann.post("/api/tables", &deep(4_000)).await.problem(), (422, "bad_config".to_owned()));
    assert_eq!(ann.post("/api/odds", &deep(20_000)).await.status, 422);
    assert_eq!(ann.get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_can_start_a_session_without_chips() {
    let server = TestServer::new(&[("guest_chips_cents", "0")]).await;
    let ann = server.guest("Ann").await;
    assert_eq!(ann.cents().await, 0);
}

/// A table cannot override a value that the source document fixes. The refusal names the value and the passage.
#[tokio::test(flavor = "multi_thread")]
async fn fixed_values_cannot_be_overridden() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let rows = "[{ hand = \"flush\", pays = 400, envy = \"5.00\" }]";
    let cases = [
        ("washington", "wagers.fortune.paytables.FPG-08.available", "true", "THIS IS NOT AVAILABLE"),
        ("ez", "base_game.dealer_push", "[]", "step 12"),
        ("south-dakota", "wagers.fortune.paytables.1.pays", rows, "(8)"),
        ("south-dakota", "wagers.fortune.paytables.1.assumed.pays", "a trick", "wagers.fortune.paytables.1"),
        ("california", "banking.pays_from", "guaranteed", "put_up or reserved"),
    ];
    let tables = ann.get("/api/tables").await.json()["tables"].as_array().unwrap().len();
    for (book, key, value, cite) in cases {
        let response = ann.post("/api/tables", &json!({ "book": book, "changes": { key: value } })).await;
        assert_eq!(response.problem(), (422, "fixed_by_document".to_owned()), "{book} {key}: {response:?}");
        let value = key.trim_end_matches(".assumed.pays");
        assert!(response.text().contains(value) && response.text().contains(cite), "{response:?}");
    }
    assert_eq!(ann.get("/api/tables").await.json()["tables"].as_array().unwrap().len(), tables);
    let open =
        json!({ "book": "ez", "changes": { "dealing.spots": "active", "wagers.dynasty.offered": "false" } });
    assert_eq!(ann.post("/api/tables", &open).await.status, 201, "options may be overridden");
    // A question may override fixed values. The answer lists the departures.
    let odds = json!({ "book": "washington", "wager": "fortune", "changes": { "wagers.fortune.envy.from": "1.00" } });
    let response = ann.post("/api/odds", &odds).await;
    assert_eq!(response.json()["departures"][0]["value"], "wagers.fortune.envy.from", "{response:?}");
}
