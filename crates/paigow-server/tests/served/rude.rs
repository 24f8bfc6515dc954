//! Clients that do not behave: they are told, cut off or waited out, and nobody else is the worse for it.

use crate::kit::{Browser, House, Live, Raw, Said, clocks, until};
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

/// A number of the server's own.
async fn metric(browser: &Browser, name: &str) -> i64 {
    let text = browser.get("/metrics").await.text();
    let line = text.lines().find(|line| line.split(' ').next() == Some(name));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).split(' ').nth(1).unwrap().parse().unwrap()
}

/// That a socket was told why, and then closed for it.
async fn assert_closed(live: &mut Live, code: &str, what: &str) {
    let (goodbye, closed) = live.until_closed().await;
    assert_eq!(goodbye, Some(json!({ "type": "goodbye", "code": code, "retry_ms": null })), "{what}");
    assert_eq!(closed, Said::Closed(Some((1008, code.to_owned()))), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_answers_is_set_the_house_way_and_then_sits_out() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &clocks(100, 700, 50, 5)).await;
    let (_, mut live) = house.seated("t1", 1).await.remove(0);
    // On a slow machine the first chance may be missed.
    loop {
        live.until_phase("wagers").await;
        let stake = json!({ "wager": "pai-gow", "cents": 1_000 });
        let said = live.command(json!({ "do": "wagers", "wagers": [stake], "ready": true })).await;
        if said["type"] == "done" {
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
    // Three rounds it wagered nothing in; then there are no more without it.
    assert_eq!(live.round(), played + 3);
    assert_eq!(live.own_seat()["out"], true);
    assert_eq!(live.refused(json!({ "do": "sit_out" })).await, "sitting_out");
    live.done(json!({ "do": "return" })).await;
    live.until_phase("wagers").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_floods_is_cut_off_and_others_are_answered_as_before() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let (ann, mut live) = house.seated("t1", 1).await.remove(0);
    let flooding = Arc::new(AtomicBool::new(true));
    let floods: Vec<_> = (0..4)
        .map(|_| {
            let (watcher, flooding) = (house.browser(), flooding.clone());
            tokio::spawn(async move {
                let mut times = 0;
                while flooding.load(Ordering::Relaxed) {
                    let mut live = Live::open(&watcher, "t1").await;
                    for n in 0..400 {
                        let ping = Message::text(json!({ "type": "ping", "n": n }).to_string());
                        // From some point on nobody listens any more.
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
        live.done(wager).await;
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
    until("their sockets are gone", async || metric(&ann, "paigow_sockets").await == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_talks_rubbish_is_told_so_and_cut_off() {
    // A socket that has said goodbye counts until the other end has heard it.
    let house = House::new(&[("sockets_per_person", "1000")]).await;
    house.table("t1", "ez", &slow()).await;
    let (ann, mut live) = house.seated("t1", 1).await.remove(0);
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
        let mut rude = Live::open(&ann, "t1").await;
        rude.send_text(text.to_owned()).await;
        assert_closed(&mut rude, "rubbish", text).await;
    }
    let mut binary = Live::open(&ann, "t1").await;
    binary.try_send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_closed(&mut binary, "rubbish", "bytes").await;
    // The largest frame that may be is 16 KiB.
    let padded = |bytes: usize| format!("{{\"type\":\"ping\",\"n\":1}}{}", " ".repeat(bytes - 21));
    let mut large = Live::open(&ann, "t1").await;
    large.send_text(padded(16_384)).await;
    assert_eq!(large.next().await, large_pong(&large));
    large.send_text(padded(16_385)).await;
    assert_closed(&mut large, "rubbish", "a frame too large").await;
    live.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    assert_eq!(live.snapshots, 1);
}

fn large_pong(live: &Live) -> Said {
    let said: Value = serde_json::from_str(live.frames.last().unwrap()).unwrap();
    assert_eq!((&said["type"], &said["n"]), (&json!("pong"), &json!(1)));
    Said::Message(said)
}

/// Says that a test is the only one of its process.
const ALONE: &str = "TEST_RUNS_ALONE";

/// Runs a test where nothing else is: what it measures is its own.
fn in_a_process_of_its_own(test: &str) {
    let program = std::env::current_exe().unwrap();
    let run = std::process::Command::new(program)
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, "yes")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    println!("{said}");
    assert!(run.status.success() && said.contains("1 passed"), "{}", String::from_utf8_lossy(&run.stderr));
}

/// What the whole process has in memory, in bytes.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_nothing_is_dropped_and_takes_little_room() {
    if std::env::var_os(ALONE).is_none() {
        return in_a_process_of_its_own("rude::who_reads_nothing_is_dropped_and_takes_little_room");
    }
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let (ann, mut live) = house.seated("t1", 1).await.remove(0);
    live.until_phase("wagers").await;
    let mut deaf = Vec::new();
    for _ in 0..16 {
        deaf.push(Live::narrow(&house.browser(), "t1").await);
    }
    until("all are there", async || metric(&ann, "paigow_sockets").await == 17).await;
    let (before, first) = (resident(), live.seq);
    // The longest notices there are, until nobody who does not read is left.
    let text = "\u{1d11e}".repeat(500);
    let olga = Arc::new(house.operator());
    let (mut told, mut most, start) = (0_u64, 0, Instant::now());
    while metric(&ann, "paigow_sockets").await > 1 {
        assert!(start.elapsed() < Duration::from_secs(40), "after {told} notices the deaf are still there");
        let tasks: Vec<_> = (0..50)
            .map(|number| {
                let (olga, id) = (olga.clone(), format!("n{}", told + number));
                let body = json!({ "id": id, "command": { "do": "notice", "text": text } });
                tokio::spawn(async move { olga.post("/api/operator/tables/t1/commands", &body).await.status })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), 200);
        }
        told += 50;
        most = most.max(resident().saturating_sub(before));
        live.until_seq(first + told).await;
        // What is measured is the server, not what its client remembers.
        (live.frames, live.events) = (Vec::new(), Vec::new());
    }
    println!("{told} notices, {} MB more at the most, dropped after {:?}", most >> 20, start.elapsed());
    assert!(most < 64 << 20, "{most} bytes for 16 sockets");
    live.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    drop(deaf);
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_say_nothing_or_half_of_it_are_hung_up() {
    let house = House::new(&[("header_seconds", "4"), ("idle_seconds", "7")]).await;
    let address = house.process.address;
    let says = async |text: &str| Raw::say(address, text).await.hung_up().await;
    let kept = async || {
        let mut raw = Raw::say(address, &format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n")).await;
        let answer = raw.read_for(Duration::from_millis(500)).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        raw.hung_up().await
    };
    let trickle = async || {
        let mut raw = Raw::say(address, "GET /healthz HTTP/1.1\r\n").await;
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            raw.add("X-More: 1\r\n").await;
        }
        Duration::from_secs(3) + raw.hung_up().await
    };
    let (silent, half, preface, idle, slow) = tokio::join!(
        says(""),
        says("GET /healthz HTTP/1.1\r\nHost: exa"),
        says("PRI * HTTP/2.0\r\n"),
        kept(),
        trickle()
    );
    println!("silent {silent:?}, half {half:?}, preface {preface:?}, idle {idle:?}, slow {slow:?}");
    for took in [silent, half, slow] {
        assert!((3..6).contains(&took.as_secs()), "{took:?}");
    }
    assert!((6..10).contains(&idle.as_secs()), "{idle:?}");
    assert_eq!(house.browser().get("/healthz").await.status, 200);
}

/// Somebody at an address, as a proxy says.
fn from(house: &House, address: &str) -> Browser {
    house.browser().with_header("x-forwarded-for", address)
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_are_limited_by_person_by_address_and_in_all() {
    let limits = [
        ("trusted_proxies", "1"),
        ("sockets", "6"),
        ("sockets_per_person", "2"),
        ("sockets_per_address", "3"),
    ];
    let house = House::new(&limits).await;
    house.table("t1", "ez", &slow()).await;
    let refused = async |browser: &Browser, why: &str| {
        let Err(answer) = Live::try_open(browser, "t1", None).await else { panic!("{why}: let in") };
        assert_eq!(answer.problem(), (429, "too_many_sockets".to_owned()));
        assert_eq!(answer.header("retry-after"), Some("10"));
        assert!(answer.json()["detail"].as_str().unwrap().contains(why), "{answer:?}");
    };
    let ann = house.guest("Ann").await;
    let ann_from = |address: &str| ann.with_header("x-forwarded-for", address);
    let first = Live::open(&ann_from("10.0.0.1"), "t1").await;
    let second = Live::open(&ann_from("10.0.0.2"), "t1").await;
    refused(&ann_from("10.0.0.3"), "this person").await;
    // One subscriber has a whole network of version 6.
    let mut network = Vec::new();
    for host in 1..=3 {
        network.push(Live::open(&from(&house, &format!("2001:db8:1:2::{host}")), "t1").await);
    }
    refused(&from(&house, "2001:db8:1:2:ffff::4"), "this address").await;
    let last = Live::open(&from(&house, "2001:db8:1:3::1"), "t1").await;
    refused(&from(&house, "10.0.0.9"), "this server").await;
    // What was closed makes room.
    drop((first, second, network, last));
    until("room", async || Live::try_open(&ann_from("10.0.0.3"), "t1", None).await.is_ok()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_limited_by_address_and_the_answer_says_until_when() {
    let house = House::new(&[("trusted_proxies", "1"), ("requests_per_address", "6")]).await;
    let rude = from(&house, "10.0.0.1");
    for _ in 0..6 {
        assert_eq!(rude.get("/api/tables").await.status, 200);
    }
    let answer = rude.get("/api/tables").await;
    assert_eq!(answer.problem(), (429, "too_many_requests".to_owned()));
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=10).contains(&seconds), "{seconds}");
    assert_eq!(answer.json()["retry_seconds"], seconds);
    let Err(answer) = Live::try_open(&rude, "ez", None).await else { panic!("a socket all the same") };
    assert_eq!(answer.status, 429);
    assert_eq!(from(&house, "10.0.0.2").get("/api/tables").await.status, 200);
    // What the client wrote itself comes before what the proxy added.
    let sly = from(&house, "10.9.9.9, 10.0.0.1");
    assert_eq!(sly.get("/api/tables").await.status, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_proxies_nobody_can_say_another_address() {
    let house = House::new(&[("requests_per_address", "3")]).await;
    let mut last = 0;
    for number in 0..5 {
        last = from(&house, &format!("10.0.0.{number}")).get("/api/tables").await.status;
    }
    assert_eq!(last, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_limited_by_account_on_sockets_and_without() {
    let house = House::new(&[("requests_per_account", "4")]).await;
    house.table("t1", "ez", &slow()).await;
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let mut live = Live::open(&ann, "t1").await;
    live.done(json!({ "do": "sit", "seat": 1 })).await;
    for number in 0..3 {
        ann.command("t1", &format!("x{number}"), &json!({ "do": "ready" })).await;
    }
    let said = live.command(json!({ "do": "stand" })).await;
    assert_eq!(said["problem"]["code"], "too_many_requests", "{said}");
    assert!(said["problem"]["retry_seconds"].as_u64().unwrap() >= 1);
    let answer = ann.command("t1", "y", &json!({ "do": "stand" })).await;
    assert_eq!(answer.problem(), (429, "too_many_requests".to_owned()));
    assert!(answer.header("retry-after").is_some());
    assert_eq!(bob.command("t1", "y", &json!({ "do": "sit", "seat": 2 })).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_too_large_or_wrong_are_refused_with_what_is_wrong() {
    let house = House::new(&[("body_bytes", "2048")]).await;
    house.table("t1", "ez", &slow()).await;
    let ann = house.guest("Ann").await;
    let path = "/api/tables/t1/commands";
    let large = format!("{{\"id\":\"a\",\"command\":{{\"do\":\"ready\"}}}}{}", " ".repeat(2_048));
    assert_eq!(ann.ask(Method::POST, path, large).await.problem(), (413, "body_too_large".to_owned()));
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
    for (body, status, says) in wrong {
        let answer = ann.ask(Method::POST, path, body).await;
        assert_eq!(answer.problem(), (status, "bad_body".to_owned()), "{body}");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(says), "{body}: {detail}");
    }
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    assert_eq!(ann.ask(Method::POST, path, deep).await.code(), "bad_body");
    let plain = ann.with_header("content-type", "text/plain");
    let sit = "{\"id\":\"a\",\"command\":{\"do\":\"sit\",\"seat\":1}}";
    assert_eq!(plain.ask(Method::POST, path, sit).await.problem(), (415, "bad_body".to_owned()));
    // The length need not be said beforehand.
    let address = house.process.address;
    let cookie = ann.cookie("paigow_session").unwrap();
    let mut chunked = Raw::say(
        address,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nCookie: paigow_session={cookie}\r\n\
             Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n{}\r\n0\r\n\r\n",
            " ".repeat(4096)
        ),
    )
    .await;
    let answer = chunked.read_for(Duration::from_millis(500)).await;
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("body_too_large"), "{answer}");
    let seats = ann.get("/api/tables/t1").await.json()["view"]["seats"].clone();
    assert_eq!(seats, json!([]), "nothing of this was done");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_or_cannot_be_done_there_is_said_in_one_form() {
    let house = House::new(&[]).await;
    let ann = house.guest("Ann").await;
    let asked = [
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
    for (method, path, status, code) in asked {
        let answer = ann.ask(method, path, "").await;
        assert_eq!(answer.problem(), (status, code.to_owned()), "{path}");
    }
    // Somebody who looks gets the page, which says it in its own words.
    let looks = ann.with_header("accept", "text/html,*/*");
    let answer = looks.get("/nothing").await;
    assert_eq!((answer.status, answer.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert_eq!(looks.get("/api/nothing").await.problem(), (404, "no_such_path".to_owned()));
    let Err(answer) = Live::try_open(&ann, "no-such", None).await else { panic!("a socket at no table") };
    assert_eq!(answer.problem(), (404, "no_such_table".to_owned()));
    let books = ["no-such-book", "../../etc/passwd", "/etc/passwd", ""];
    for book in books {
        let answer = ann.post("/api/tables", &json!({ "book": book })).await;
        assert_eq!(answer.problem(), (422, "bad_config".to_owned()), "{book}");
        assert!(!answer.text().contains("root:"), "{answer:?}");
    }
    let many: BTreeMap<String, &str> = (0..65).map(|key| (format!("k{key}"), "1")).collect();
    let long = BTreeMap::from([("base_game.commission".to_owned(), "1 ".repeat(4_096))]);
    for changes in [json!(many), json!(long)] {
        let answer = ann.post("/api/tables", &json!({ "book": "ez", "changes": changes })).await;
        assert_eq!(answer.problem(), (422, "bad_config".to_owned()));
        assert!(answer.text().contains("at most 64 values"), "{answer:?}");
    }
    // Documents are walked by recursion: a path of thousands of keys must not exhaust the stack.
    let deep = |keys: usize| json!({ "book": "ez", "changes": { vec!["a"; keys].join("."): "1" } });
    assert_eq!(ann.post("/api/tables", &deep(4_000)).await.problem(), (422, "bad_config".to_owned()));
    assert_eq!(ann.post("/api/odds", &deep(20_000)).await.status, 422);
    assert_eq!(ann.get("/healthz").await.status, 200);
}

/// Nobody is given chips where the house gives none; they come in all the same.
#[tokio::test(flavor = "multi_thread")]
async fn guests_come_in_where_no_chips_are_given() {
    let house = House::new(&[("guest_chips_cents", "0")]).await;
    let ann = house.guest("Ann").await;
    assert_eq!(ann.cents().await, 0);
}

/// Guests and operators alike open tables by the document: what it fixes is refused, with the value and the passage.
#[tokio::test(flavor = "multi_thread")]
async fn no_table_changes_what_a_document_fixes() {
    let house = House::new(&[]).await;
    let ann = house.guest("Ann").await;
    let rows = "[{ hand = \"flush\", pays = 400, envy = \"5.00\" }]";
    let asked = [
        ("washington", "wagers.fortune.paytables.FPG-08.available", "true", "THIS IS NOT AVAILABLE"),
        ("ez", "base_game.dealer_push", "[]", "step 12"),
        ("south-dakota", "wagers.fortune.paytables.1.pays", rows, "(8)"),
        ("south-dakota", "wagers.fortune.paytables.1.assumed.pays", "a trick", "wagers.fortune.paytables.1"),
        ("california", "banking.pays_from", "guaranteed", "put_up or reserved"),
    ];
    let tables = ann.get("/api/tables").await.json()["tables"].as_array().unwrap().len();
    for (book, key, value, cite) in asked {
        let answer = ann.post("/api/tables", &json!({ "book": book, "changes": { key: value } })).await;
        assert_eq!(answer.problem(), (422, "fixed_by_document".to_owned()), "{book} {key}: {answer:?}");
        let value = key.trim_end_matches(".assumed.pays");
        assert!(answer.text().contains(value) && answer.text().contains(cite), "{answer:?}");
    }
    assert_eq!(ann.get("/api/tables").await.json()["tables"].as_array().unwrap().len(), tables);
    let open =
        json!({ "book": "ez", "changes": { "dealing.spots": "active", "wagers.dynasty.offered": "false" } });
    assert_eq!(ann.post("/api/tables", &open).await.status, 201, "options are open");
    // A question may ask about another game; the answer names the departures.
    let odds = json!({ "book": "washington", "wager": "fortune", "changes": { "wagers.fortune.envy.from": "1.00" } });
    let answer = ann.post("/api/odds", &odds).await;
    assert_eq!(answer.json()["departures"][0]["value"], "wagers.fortune.envy.from", "{answer:?}");
}
