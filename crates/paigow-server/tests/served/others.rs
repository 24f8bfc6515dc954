//! What is another's stays another's: seats, sessions, cards, secrets.

use crate::kit::{Answer, Browser, House, Live, Said, clocks};
use hyper::Method;
use paigow::Card;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

const SESSION: &str = "paigow_session";
const OPERATOR: &str = "paigow_operator";

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_session_gives_no_commands() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let nobody = house.browser();
    let sit = json!({ "do": "sit", "seat": 1 });
    assert_eq!(nobody.command("t1", "a", &sit).await.problem(), (401, "no_session".to_owned()));
    let mut watcher = Live::open(&nobody, "t1").await;
    assert_eq!((&watcher.view["you"], &watcher.view["player"]), (&Value::Null, &Value::Null));
    for command in [sit, json!({ "do": "pause" }), json!({ "do": "tick" })] {
        assert_eq!(watcher.refused(command).await, "no_session");
    }
    for path in ["/api/session", "/api/session/rounds", "/api/session/journal"] {
        assert_eq!(nobody.get(path).await.problem(), (401, "no_session".to_owned()), "{path}");
    }
    for (method, path) in [
        (Method::DELETE, "/api/session"),
        (Method::PATCH, "/api/session"),
        (Method::POST, "/api/session/chips"),
    ] {
        assert_eq!(nobody.ask(method, path, "{\"name\":\"Eve\"}").await.status, 401, "{path}");
    }
    assert_eq!(nobody.post("/api/tables", &json!({ "book": "ez" })).await.status, 401);
    let seats = nobody.get("/api/tables/t1").await.json()["view"]["seats"].clone();
    assert_eq!(seats, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_acts_for_a_seat_that_is_not_theirs() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let (ann, mut a) = house.seated("t1", 1).await.remove(0);
    let eve = house.guest("Eve").await;
    let mut e = Live::open(&eve, "t1").await;
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
        assert_eq!(e.refused(command.clone()).await, "not_seated", "{command}");
        assert_eq!(eve.command("t1", &format!("x{number}"), &command).await.code(), "not_seated");
        // A seat may be named, and is not theirs all the same; a player cannot be named.
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
    let houses =
        [json!({ "do": "pause" }), json!({ "do": "close" }), json!({ "do": "void", "reason": "because" })];
    for command in houses {
        assert_eq!(e.refused(command).await, "operators_only");
    }
    assert_eq!(e.refused(json!({ "do": "tick" })).await, "nothing_due");
    assert_eq!(e.refused(json!({ "do": "sit", "seat": 1 })).await, "seat_taken");
    let after = ann.get("/api/tables/t1").await.json();
    assert_eq!((&after["seq"], &after["view"]), (&before["seq"], &before["view"]));
    // What is Ann's alone is not had by asking as Eve.
    assert_eq!(eve.get("/api/session/rounds").await.json()["rounds"], json!([]));
    let journal = eve.get("/api/session/journal").await.text();
    assert!(!journal.contains(&ann.player), "{journal}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_forged_expired_or_ended_is_none() {
    let house = House::new(&[]).await;
    let ann = house.guest("Ann").await;
    let good = ann.cookie(SESSION).unwrap();
    let upper = good.to_uppercase();
    let forged = ["0".repeat(64), "f".repeat(63), String::new(), good[..63].to_owned(), format!("{good}0")];
    for forged in &forged {
        let eve = house.browser();
        eve.set_cookie(SESSION, forged);
        assert_eq!(eve.get("/api/session").await.status, 401, "{forged}");
    }
    // The secret is bytes: how its digits are written makes no difference.
    let same = house.browser();
    same.set_cookie(SESSION, &upper);
    assert_eq!(same.get("/api/session").await.status, 200);
    // A player's secret opens no door of the house, nor the other way round.
    let sly = house.browser();
    sly.set_cookie(OPERATOR, &good);
    assert_eq!(sly.get("/api/operator/acts").await.status, 401);
    sly.set_cookie(SESSION, &house.secret);
    sly.set_cookie(OPERATOR, &house.secret);
    assert_eq!(
        (sly.get("/api/session").await.status, sly.get("/api/operator/acts").await.status),
        (401, 401)
    );
    // The digest that is stored is no way in.
    let digest = sha(&good);
    sly.set_cookie(SESSION, &digest);
    assert_eq!(sly.get("/api/session").await.status, 401);
    // Whoever is out of time is out.
    let bob = house.guest("Bob").await;
    assert_eq!(bob.get("/api/session").await.status, 200);
    sql(&house, &format!("UPDATE sessions SET until = 1 WHERE who LIKE '%{}%'", bob.player));
    assert_eq!(bob.get("/api/session").await.status, 401);
    assert_eq!(ann.get("/api/session").await.status, 200);
    // Whoever has gone cannot come back by the old cookie.
    let answer = ann.delete("/api/session").await;
    assert_eq!(answer.status, 204);
    assert!(answer.header("set-cookie").unwrap().starts_with("paigow_session=; Path=/; Max-Age=0;"));
    assert_eq!(ann.cookie(SESSION), None);
    ann.set_cookie(SESSION, &good);
    assert_eq!(ann.get("/api/session").await.status, 401);
    assert_eq!(ann.delete("/api/session").await.status, 401);
}

fn sha(hex: &str) -> String {
    use paigow_table::Secret;
    let secret = Secret::try_from(hex.to_owned()).unwrap();
    String::from(Secret(paigow_server::secret_digest(&secret.0)))
}

/// Changes the store behind the server's back.
fn sql(house: &House, statement: &str) {
    let file = rusqlite::Connection::open(house.file()).unwrap();
    file.busy_timeout(Duration::from_secs(5)).unwrap();
    assert!(file.execute(statement, []).unwrap() > 0, "{statement}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_closes_its_sockets_and_no_others() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let (mut one, mut two) = (Live::open(&ann, "t1").await, Live::open(&ann, "ez").await);
    let mut other = Live::open(&bob, "t1").await;
    let mut watcher = Live::open(&house.browser(), "t1").await;
    assert_eq!(ann.delete("/api/session").await.status, 204);
    for live in [&mut one, &mut two] {
        let (goodbye, closed) = live.until_closed().await;
        assert_eq!(goodbye, Some(json!({ "type": "goodbye", "code": "ended", "retry_ms": null })));
        assert_eq!(closed, Said::Closed(Some((1008, "ended".to_owned()))));
    }
    other.done(json!({ "do": "sit", "seat": 1 })).await;
    watcher.until_event("sat").await;
}

/// A socket does not outlive a session that time or another process has ended.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_ends_soon_after_its_session_wherever_that_ended() {
    let house = House::new(&[]).await;
    let mut second = house.second().await;
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let mut expires = Live::open(&ann, "ez").await;
    let mut elsewhere = Live::open(&bob.at(second.address), "ez").await;
    sql(&house, &format!("UPDATE sessions SET until = 1 WHERE who LIKE '%{}%'", ann.player));
    assert_eq!(bob.delete("/api/session").await.status, 204);
    let ends = async |live: &mut Live| loop {
        match live.next_within(Duration::from_secs(25)).await {
            Some(Said::Message(said)) if said["type"] == "goodbye" => return said["code"].clone(),
            Some(Said::Message(_)) => {}
            other => panic!("{other:?}"),
        }
    };
    let (one, other) = tokio::join!(ends(&mut expires), ends(&mut elsewhere));
    assert_eq!((one, other), (json!("ended"), json!("ended")));
    second.ask_to_stop();
    second.ended().await;
}

/// The names of cards in a text, each a word of its own.
fn cards_in(text: &str) -> BTreeSet<String> {
    let deck: BTreeSet<String> = Card::deck().map(|card| card.to_string()).collect();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| deck.contains(*word)).map(str::to_owned).collect()
}

/// Everything anybody can ask about a table that is not over.
async fn ask_everything(browser: &Browser) {
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

/// Waits until all that was said so far has come.
async fn settle_down(live: &mut Live) {
    live.send(&json!({ "type": "ping", "n": 1 })).await;
    loop {
        let Said::Message(said) = live.next().await else { panic!("closed") };
        if said["type"] == "pong" {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_byte_of_a_hidden_card_or_the_secret_is_sent_before_its_time() {
    let house = House::new(&[]).await;
    house.table("t1", "south-beach", &slow()).await;
    let mut players = house.seated("t1", 3).await;
    let left = house.guest("Gone").await;
    let mut gone = Live::open(&left, "t1").await;
    gone.done(json!({ "do": "sit", "seat": 4 })).await;
    gone.done(json!({ "do": "stand" })).await;
    let mut watcher = Live::open(&house.browser(), "t1").await;
    for (_, live) in &mut players {
        live.wager(1_000).await;
    }
    for (_, live) in &mut players {
        live.until_phase("settings").await;
    }
    players[1].1.done(json!({ "do": "house_way" })).await;
    // Everybody looks at all there is, comes back, and looks again.
    let mut viewers: Vec<(Browser, Vec<Live>, Option<usize>)> = Vec::new();
    for (index, (player, live)) in players.into_iter().enumerate() {
        let fresh = Live::open(&player, "t1").await;
        let resumed = Live::try_open(&player, "t1", Some(live.seq - 3)).await.unwrap();
        viewers.push((player, vec![live, fresh, resumed], Some(index)));
    }
    viewers.push((
        house.browser(),
        vec![watcher_of(&house).await, std::mem::replace(&mut watcher, watcher_of(&house).await)],
        None,
    ));
    viewers.push((left, vec![gone], None));
    viewers.push((house.operator(), vec![Live::open(&house.operator(), "t1").await], None));
    for (browser, lives, _) in &mut viewers {
        ask_everything(browser).await;
        for live in lives {
            live.send(&json!({ "type": "resume", "from": 2 })).await;
            settle_down(live).await;
        }
    }
    let before: Vec<Vec<String>> = viewers
        .iter_mut()
        .map(|(browser, lives, _)| {
            let frames = lives.iter_mut().flat_map(|live| std::mem::take(&mut live.frames));
            frames.chain(browser.take_heard()).collect()
        })
        .collect();
    for index in [0, 2] {
        let (_, lives, _) = &mut viewers[index];
        lives[0].done(json!({ "do": "house_way" })).await;
    }
    let record = house.browser().get("/api/tables/t1/rounds/1").await.json();
    let play = &record["record"]["play"];
    let secret = play["secret"].as_str().unwrap();
    let hand = |seat: usize| cards_in(record["record"]["seats"][seat]["hand"]["cards"].as_str().unwrap());
    assert_eq!(cards_in(play["dealer"]["cards"].as_str().unwrap()).len(), 7);
    for ((browser, _, own), heard) in viewers.iter().zip(&before) {
        let own = own.map(hand).unwrap_or_default();
        assert!(heard.len() > 20, "{}", heard.len());
        let mut seen = BTreeSet::new();
        for text in heard {
            assert!(!text.contains(secret), "{text}");
            let cards = cards_in(text);
            // The command that was refused names no cards but the one it was given.
            let asked = text.contains("As is there twice");
            assert!(asked || cards.is_subset(&own), "{} was told {cards:?}: {text}", browser.player);
            seen.extend(cards.intersection(&own).cloned());
        }
        assert_eq!(seen, own, "one's own cards are seen");
    }
}

async fn watcher_of(house: &House) -> Live {
    Live::open(&house.browser(), "t1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_others_and_other_names_are_refused() {
    let house = House::new(&[]).await;
    let ann = house.guest("Ann").await;
    let own = format!("http://{}", house.process.address);
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
        let Err(answer) = Live::try_open(&eve, "ez", None).await else { panic!("{value}: a socket") };
        assert_eq!(answer.problem(), (403, "wrong_origin".to_owned()), "{value}");
        // What is read is read: the browser keeps it from the other page.
        assert_eq!(eve.get("/api/tables").await.status, 200);
    }
    let right = ann.with_header("origin", &own).with_header("sec-fetch-site", "same-origin");
    assert_eq!(right.command("ez", "a", &sit).await.status, 200);
    assert!(Live::try_open(&right, "ez", None).await.is_ok());
    for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "x"]
    {
        let eve = ann.with_header("host", host);
        assert_eq!(eve.get("/api/tables").await.problem(), (421, "wrong_host".to_owned()), "{host}");
        let Err(answer) = Live::try_open(&eve, "ez", None).await else { panic!("{host}: a socket") };
        assert_eq!(answer.status, 421);
    }
    assert_eq!(ann.with_header("host", "localhost:1").get("/api/tables").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_tls_cookies_are_for_tls_and_this_host_only() {
    let flags = "; HttpOnly; SameSite=Strict";
    let plain = House::new(&[("session_hours", "2")]).await;
    let cookie = |answer: &Answer| answer.header("set-cookie").unwrap().to_owned();
    let begun = plain.browser().post("/api/session", &json!({})).await;
    let set = cookie(&begun);
    assert!(
        set.starts_with("paigow_session=") && set.ends_with(&format!("; Path=/; Max-Age=7200{flags}")),
        "{set}"
    );
    assert_eq!(begun.header("strict-transport-security"), None);
    let tls = House::new(&[("public_origin", "https://table.example"), ("session_hours", "2")]).await;
    let page =
        tls.browser().with_header("host", "table.example").with_header("origin", "https://table.example");
    let begun = page.post("/api/session", &json!({})).await;
    let set = cookie(&begun);
    assert!(set.starts_with("__Host-paigow_session="), "{set}");
    assert!(set.ends_with(&format!("; Path=/; Max-Age=7200{flags}; Secure")), "{set}");
    assert!(!set.contains("Domain"));
    assert_eq!(begun.header("strict-transport-security"), Some("max-age=63072000"));
    // Whoever is seen after a while keeps it longer.
    assert_eq!(page.get("/api/session").await.header("set-cookie"), None);
    sql(&tls, "UPDATE sessions SET seen = 1");
    assert_eq!(cookie(&page.get("/api/session").await), set);
    // A cookie of the plain name could have been set by anybody on the way.
    let secret = page.cookie("__Host-paigow_session").unwrap();
    let sly = tls.browser();
    sly.set_cookie(SESSION, &secret);
    assert_eq!(sly.get("/api/session").await.status, 401);
    let operator = json!({ "name": "olga", "secret": tls.secret });
    let set = cookie(&page.post("/api/operator/session", &operator).await);
    assert!(
        set.starts_with("__Host-paigow_operator=") && set.ends_with(&format!("{flags}; Secure")),
        "{set}"
    );
    assert!(set.contains("Max-Age=43200"), "an operator's cookie holds as long as the session: {set}");
    // The plain origin of the same name is another page.
    let other = page.with_header("origin", "http://table.example");
    assert_eq!(other.post("/api/session", &json!({})).await.code(), "wrong_origin");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_for_operators_is_for_operators() {
    let house = House::new(&[]).await;
    let ann = house.guest("Ann").await;
    let wrong = "0".repeat(64);
    let callers = [
        house.browser(),
        ann.clone(),
        house
            .browser()
            .with_header("authorization", &format!("Bearer {wrong}"))
            .with_header("paigow-operator", "eve"),
        house.browser().with_header("authorization", "Bearer").with_header("paigow-operator", "eve"),
        house.browser().with_header("authorization", &format!("Basic {}", house.secret)),
        house.browser().with_header("authorization", &format!("Bearer {}", house.secret)),
        house.operator().with_header("paigow-operator", "no name"),
    ];
    let paths = [
        (Method::POST, "/api/operator/tables"),
        (Method::POST, "/api/operator/tables/ez/commands"),
        (Method::POST, "/api/operator/notices"),
        (Method::POST, "/api/operator/chips"),
        (Method::POST, "/api/operator/drain"),
        (Method::POST, "/api/operator/secret"),
        (Method::DELETE, "/api/operator/session"),
        (Method::GET, "/api/operator/trial-balance"),
        (Method::GET, "/api/operator/rounds"),
        (Method::GET, "/api/operator/journal"),
        (Method::GET, "/api/operator/acts"),
    ];
    for caller in &callers {
        for (method, path) in &paths {
            let answer = caller.ask(method.clone(), path, "{}").await;
            assert_eq!(answer.problem(), (401, "no_session".to_owned()), "{path}");
        }
    }
    for secret in [wrong.as_str(), "", "x"] {
        let body = json!({ "name": "eve", "secret": secret });
        assert_eq!(house.browser().post("/api/operator/session", &body).await.status, 401);
    }
    let acts = house.operator().get("/api/operator/acts").await.json();
    assert_eq!(acts["acts"], json!([]), "who was refused did nothing");
    assert_eq!(house.browser().get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_answer_has_the_headers_that_keep_browsers_safe() {
    let house = House::new(&[("body_bytes", "1024")]).await;
    let ann = house.guest("Ann").await;
    let long = "x".repeat(2_000);
    let mut answers = vec![
        (200, ann.get("/api/tables").await),
        (200, ann.get("/metrics").await),
        (200, ann.get("/api/openapi.json").await),
        (200, ann.ask(Method::HEAD, "/api/tables", "").await),
        (400, ann.ask(Method::POST, "/api/tables", "{").await),
        (401, house.browser().get("/api/session").await),
        (403, ann.with_header("origin", "null").delete("/api/session").await),
        (404, ann.get("/nothing").await),
        (405, ann.ask(Method::PUT, "/api/session", "").await),
        (413, ann.ask(Method::POST, "/api/tables", long).await),
        (421, ann.with_header("host", "evil.example").get("/api/tables").await),
        (422, ann.post("/api/tables", &json!({})).await),
        (426, ann.get("/api/tables/ez/live").await),
        (200, house.operator().get("/api/operator/rounds?format=csv").await),
        (204, ann.delete("/api/session").await),
    ];
    let limited = House::new(&[("requests_per_address", "1")]).await;
    limited.browser().get("/api/tables").await;
    answers.push((429, limited.browser().get("/api/tables").await));
    for (status, answer) in answers {
        assert_eq!(answer.status, status, "{answer:?}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        assert!(answer.header("permissions-policy").is_some());
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer:?}");
    }
}

/// Where all that is logged goes.
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
async fn no_secret_is_ever_logged() {
    let log = Log::default();
    let writer = log.clone();
    // As the program logs where it says most.
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new("warn,paigow_server=trace,paigow=trace"))
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    let house = House::new(&[]).await;
    house.table("t1", "ez", &clocks(50, 60_000, 50, 50)).await;
    let (ann, mut live) = house.seated("t1", 1).await.remove(0);
    live.wager(1_000).await;
    let olga = house.browser();
    let wrong = "ab".repeat(32);
    olga.post("/api/operator/session", &json!({ "name": "olga", "secret": wrong })).await;
    olga.post("/api/operator/session", &json!({ "name": "olga", "secret": house.secret })).await;
    let bad = house.browser().with_header("authorization", &format!("Bearer {wrong}"));
    bad.get("/api/operator/acts").await;
    ann.ask(Method::POST, "/api/tables", format!("{{\"book\":\"{wrong}\"")).await;
    live.until_event("settled").await;
    let new =
        olga.post("/api/operator/secret", &json!({})).await.json()["secret"].as_str().unwrap().to_owned();
    let secrets = [
        house.secret.clone(),
        new,
        wrong,
        ann.cookie(SESSION).unwrap(),
        olga.cookie(OPERATOR).unwrap(),
        live.view["round"]["secret"].as_str().unwrap().to_owned(),
    ];
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("a wrong secret was given") && text.contains("answered"), "{text}");
    for secret in secrets {
        assert_eq!(secret.len(), 64);
        assert!(!text.contains(&secret), "a secret is in the log");
    }
    for card in cards_in(live.own_seat()["hand"]["cards"].as_str().unwrap()) {
        assert!(!cards_in(&text).contains(&card), "a card is in the log");
    }
}

/// A table's rules are its book's, with what is otherwise there, and the joker as the posted paytable wants it.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_shows_the_rules_it_plays_by() {
    let house = House::new(&[]).await;
    house.table("plain", "california", &slow()).await;
    let changes = json!({ "base_game.limits.max": "\"77.00\"" });
    let rules = json!({ "book": "california", "paytables": { "fortune": "FPG-07" }, "changes": changes });
    house.table_with("wild", rules).await;
    let anybody = house.browser();
    let plain = anybody.get("/api/tables/plain/rules").await;
    let wild = anybody.get("/api/tables/wild/rules").await;
    assert_eq!((plain.status, wild.status), (200, 200), "{wild:?}");
    assert_eq!(plain.json()["ranking"]["joker"], "semi_wild");
    assert_eq!(wild.json()["ranking"]["joker"], "fully_wild");
    assert_eq!(wild.json()["book"]["ranking"]["joker"], "semi_wild", "as the book has it");
    assert_eq!(plain.json()["rules"], anybody.get("/api/books/california").await.json());
    assert!(!plain.json()["rules"].to_string().contains("$77"));
    assert!(wild.json()["rules"].to_string().contains("$77"));
    assert_eq!(anybody.get("/api/tables/nothing/rules").await.status, 404);
}
