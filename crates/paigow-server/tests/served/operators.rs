//! What the house does, and that it is written down.

use crate::kit::{BOOKS, Browser, House, Live, clocks, until};
use paigow::rulebook::BuiltIn;
use paigow_server::{LINE_COLUMNS, People, RulesCache, Store, csv_row, journal_json, line_fields, records};
use serde_json::{Value, json};
use std::time::Duration;

fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

/// The house opens one of every book.
const PRACTICE_TABLES: usize = BOOKS.len();

/// What operators did, in words.
async fn acts(house: &House) -> Vec<String> {
    let acts = house.operator().get("/api/operator/acts?limit=500").await.json();
    let acts = acts["acts"].as_array().unwrap();
    acts.iter()
        .map(|act| format!("{} {}", act["operator"].as_str().unwrap(), act["what"].as_str().unwrap()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_comes_in_by_the_secret_and_is_out_again_when_the_session_ends() {
    let house = House::new(&[]).await;
    let olga = house.browser();
    let come_in = json!({ "name": "olga", "secret": house.secret });
    assert_eq!(olga.post("/api/operator/session", &come_in).await.status, 204);
    assert_eq!(olga.get("/api/operator/acts").await.status, 200);
    let cookie = olga.cookie("paigow_operator").unwrap();
    assert_eq!(olga.delete("/api/operator/session").await.status, 204);
    assert_eq!(olga.cookie("paigow_operator"), None);
    olga.set_cookie("paigow_operator", &cookie);
    assert_eq!(olga.get("/api/operator/acts").await.status, 401);
    // A program says the secret and a name with every question.
    assert_eq!(house.operator().get("/api/operator/acts").await.status, 200);
    assert_eq!(acts(&house).await, ["olga session.begin", "olga session.end"]);
}

/// An operator's session is seen every minute, and still holds no longer than half a day from then.
#[tokio::test(flavor = "multi_thread")]
async fn an_operators_session_holds_half_a_day_however_often_it_is_seen() {
    let house = House::new(&[]).await;
    let olga = house.browser();
    olga.post("/api/operator/session", &json!({ "name": "olga", "secret": house.secret })).await;
    let file = rusqlite::Connection::open(house.file()).unwrap();
    file.busy_timeout(Duration::from_secs(5)).unwrap();
    file.execute("UPDATE sessions SET seen = seen - 120000, until = until - 120000", []).unwrap();
    assert_eq!(olga.get("/api/operator/acts").await.status, 200);
    let holds: i64 = file.query_row("SELECT until - seen FROM sessions", [], |row| row.get(0)).unwrap();
    // The clock is read for each of the two.
    assert!((12 * 3_600_000..12 * 3_600_000 + 1_000).contains(&holds), "{holds}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_paused_resumed_and_closed() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &clocks(100, 60_000, 60_000, 30)).await;
    let (_, mut live) = house.seated("t1", 1).await.remove(0);
    let operate = async |id: &str, what: &str| house.operate("t1", id, json!({ "do": what })).await;
    // The round that goes on is played to its end.
    assert_eq!(operate("p", "pause").await.status, 200);
    assert_eq!(operate("p2", "pause").await.problem(), (409, "already_paused".to_owned()));
    live.until_event("paused").await;
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.done(json!({ "do": "house_way" })).await;
    live.until_phase("waiting").await;
    assert_eq!((live.round(), live.view["paused"].clone()), (1, json!(true)));
    assert_eq!(operate("r", "resume").await.status, 200);
    assert_eq!(operate("r2", "resume").await.problem(), (409, "not_paused".to_owned()));
    live.until("the next round", |live| live.round() == 2 && live.phase() == "wagers").await;
    assert_eq!(operate("c", "close").await.status, 200);
    assert_eq!(operate("c2", "close").await.problem(), (409, "already_closing".to_owned()));
    let eve = house.guest("Eve").await;
    let sit = json!({ "do": "sit", "seat": 2 });
    assert_eq!(eve.command("t1", "s", &sit).await.problem(), (409, "already_closing".to_owned()));
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.done(json!({ "do": "house_way" })).await;
    live.until_event("closed").await;
    assert_eq!((&live.view["closed"], &live.view["seats"]), (&json!(true), &json!([])));
    let lobby = house.browser().get("/api/tables").await.text();
    assert!(!lobby.contains("\"t1\""), "{lobby}");
    assert_eq!(operate("c3", "resume").await.problem(), (409, "table_closed".to_owned()));
    // It is kept in mind while somebody looks, and no longer. Its rounds are still to be had then.
    let in_memory = async || {
        let metrics = house.browser().get("/metrics").await.text();
        metrics.lines().find_map(|line| line.strip_prefix("paigow_tables ")?.parse::<usize>().ok()).unwrap()
    };
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(in_memory().await, PRACTICE_TABLES + 1);
    drop(live);
    until("it is forgotten", async || in_memory().await == PRACTICE_TABLES).await;
    assert_eq!(
        house.browser().get("/api/tables/t1/rounds").await.json()["rounds"].as_array().unwrap().len(),
        2
    );
    assert_eq!(in_memory().await, PRACTICE_TABLES + 1);
    until("it is forgotten again", async || in_memory().await == PRACTICE_TABLES).await;
    assert_eq!(operate("c4", "resume").await.problem(), (409, "table_closed".to_owned()));
    assert_eq!(acts(&house).await.len(), 9, "what was refused was asked for all the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_round_gives_everything_back_and_says_why() {
    let house = House::new(&[]).await;
    house.table("t1", "california", &slow()).await;
    let mut players = house.seated("t1", 2).await;
    let void = |reason: &str| json!({ "do": "void", "reason": reason });
    players[0].1.done(json!({ "do": "take_bank", "cents": 30_000 })).await;
    players[1].1.until_phase("wagers").await;
    players[1].1.wager(2_000).await;
    players[1].1.until_phase("settings").await;
    assert_eq!((players[0].0.cents().await, players[1].0.cents().await), (70_000, 98_000));
    for (number, bad) in ["", "a\nb", &"x".repeat(501)].iter().enumerate() {
        let answer = house.operate("t1", &format!("bad{number}"), void(bad)).await;
        assert_eq!(answer.problem(), (409, "bad_text".to_owned()));
    }
    assert_eq!(house.operate("t1", "v", void("a card was seen")).await.status, 200);
    let mut voided = Value::Null;
    for (player, live) in &mut players {
        voided = live.until_event("round_voided").await;
        assert_eq!(voided["reason"], json!({ "code": "other", "text": "a card was seen" }));
        assert_eq!(player.cents().await, 100_000);
    }
    assert_eq!(house.operate("t1", "v2", void("again")).await.problem(), (409, "no_round".to_owned()));
    let record = house.browser().get("/api/tables/t1/rounds/1").await.json()["record"].clone();
    assert_eq!((&record["outcome"], &record["reason"]), (&json!("voided"), &voided["reason"]));
    assert!(record["play"]["secret"].is_string(), "a void round is opened too");
    let detail = house.operator().get("/api/operator/acts").await.text();
    assert!(detail.contains("a card was seen"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_settled_round_is_voided_until_the_next_one_opens() {
    let house = House::new(&[]).await;
    house.table("t1", "south-beach", &slow()).await;
    let mut players = house.seated("t1", 2).await;
    for (_, live) in &mut players {
        live.until_phase("wagers").await;
        live.wager(2_000).await;
    }
    for (_, live) in &mut players {
        live.until_phase("settings").await;
        live.done(json!({ "do": "house_way" })).await;
    }
    players[0].1.until_phase("between").await;
    let before = house.browser().get("/api/tables/t1/rounds/1").await.json();
    assert_eq!(before["record"]["outcome"], "settled");
    let void = |reason: Value| json!({ "do": "void", "reason": reason });
    for (id, wrong, problem) in [
        ("w1", json!("rules_changed"), (422, "void_reason_reserved")),
        ("w2", json!({ "code": "rules_changed" }), (422, "void_reason_reserved")),
        ("w3", json!({ "code": "other" }), (422, "bad_body")),
        ("w4", json!({ "code": "other", "text": "" }), (409, "bad_text")),
    ] {
        let answer = house.operate("t1", id, void(wrong.clone())).await;
        assert_eq!(answer.problem(), (problem.0, problem.1.to_owned()), "{wrong}");
    }
    assert_eq!(house.operate("t1", "v", void(json!("exposed_card"))).await.status, 200);
    let reason = json!({ "code": "exposed_card" });
    for (player, live) in &mut players {
        let voided = live.until_event("round_voided").await;
        assert_eq!((&voided["reason"], &voided["last_bank"]), (&reason, &Value::Null));
        assert_eq!(player.cents().await, 100_000);
    }
    assert_eq!(
        house.operate("t1", "v2", void(json!("wrong_count"))).await.problem(),
        (409, "no_round".to_owned())
    );
    let seen = house.browser().get("/api/tables/t1/rounds/1").await.json();
    let record = &seen["record"];
    assert_eq!(
        (&record["outcome"], &record["reason"], &record["lines"]),
        (&json!("voided"), &reason, &json!([]))
    );
    assert_eq!(record["play"]["voided"], reason);
    let events: Vec<&str> = seen["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["event"]["event"].as_str().unwrap())
        .collect();
    assert_eq!(events[events.len() - 2..], ["settled", "round_voided"]);
    let csv = house.operator().get("/api/operator/rounds?format=csv&table=t1").await.text();
    let row = csv.lines().last().unwrap();
    assert!(row.contains(",voided,south-beach,") && row.contains("a card was exposed"), "{csv}");
    assert!(row.ends_with("\"{\"\"code\"\":\"\"exposed_card\"\"}\""), "{csv}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_offers_the_side_wagers_it_was_opened_with() {
    let house = House::new(&[]).await;
    house.table_with("none", json!({ "book": "ez", "offer": [] })).await;
    house
        .table_with("some", json!({ "book": "ez", "offer": ["red-black", "dynasty"], "clocks": slow() }))
        .await;
    let tables = house.browser().get("/api/tables").await.json();
    let offered = |name: &str| -> Vec<String> {
        let table = tables["tables"].as_array().unwrap().iter().find(|table| table["table"] == name).unwrap();
        table["wagers"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(
        (offered("none"), offered("some")),
        (vec![], vec!["dynasty".to_owned(), "red-black".to_owned()])
    );
    let rules = house.browser().get("/api/tables/some/rules").await.json();
    let wagers = rules["rules"]["wagers"].as_array().unwrap();
    let said: Vec<(&str, bool)> = wagers
        .iter()
        .map(|wager| (wager["wager"].as_str().unwrap(), wager["offered"].as_bool().unwrap()))
        .collect();
    let right = [("queens-dragon", false), ("dynasty", true), ("protection", false), ("red-black", true)];
    assert_eq!(said, right);
    let mut players = house.seated("some", 1).await;
    let live = &mut players[0].1;
    live.until_phase("wagers").await;
    live.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    live.done(json!({ "do": "wager", "wager": "dynasty", "cents": 500 })).await;
    let refused = json!({ "do": "wager", "wager": "protection", "cents": 500 });
    assert_eq!(live.refused(refused).await, "wager_not_offered");
    let unknown = json!({ "book": "ez", "offer": ["fortune"] });
    assert_eq!(
        house.guest("Gus").await.post("/api/tables", &unknown).await.problem(),
        (422, "bad_config".to_owned())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_house_wagers_against_a_bank_unless_told_otherwise() {
    let house = House::new(&[]).await;
    house.table_with("zero", json!({ "book": "south-beach", "dealer_wager_cents": 0 })).await;
    house.table_with("usual", json!({ "book": "south-beach" })).await;
    let cents = async |table: &str| {
        let table = house.browser().get(&format!("/api/tables/{table}")).await.json();
        table["view"]["facts"]["banking"]["dealer_wager_cents"].as_u64().unwrap()
    };
    assert_eq!((cents("zero").await, cents("usual").await), (0, 500));
    assert_eq!(cents("south-beach").await, 500, "the practice table");
}

#[tokio::test(flavor = "multi_thread")]
async fn notices_reach_one_table_or_all() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let watcher = house.browser();
    let (mut one, mut other) = (Live::open(&watcher, "t1").await, Live::open(&watcher, "washington").await);
    let notice = |text: &str| json!({ "do": "notice", "text": text });
    assert_eq!(house.operate("t1", "n1", notice("Only here <b>")).await.status, 200);
    let told = house.operator().post("/api/operator/notices", &json!({ "id": "n", "text": "To all" })).await;
    assert_eq!(told.json(), json!({ "told": 6, "refused": {} }));
    assert_eq!(one.until_event("noticed").await["text"], "Only here <b>");
    assert_eq!(one.until_event("noticed").await["text"], "To all");
    let all = other.until_event("noticed").await;
    assert_eq!(all, json!({ "event": "noticed", "text": "To all", "by": { "operator": "olga" } }));
    let bad = house.operator().post("/api/operator/notices", &json!({ "id": "m", "text": "" })).await.json();
    assert_eq!((&bad["told"], bad["refused"].as_object().unwrap().len()), (&json!(0), 6));
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_are_issued_and_taken_back_and_all_accounts_come_to_nothing() {
    let house = House::new(&[]).await;
    let (ann, olga) = (house.guest("Ann").await, house.operator());
    let chips = async |id: &str, cents: i64, more: Value| {
        let mut body = json!({ "id": id, "player": ann.player, "cents": cents });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        olga.post("/api/operator/chips", &body).await
    };
    assert_eq!(chips("a", 5_000, json!({})).await.status, 200);
    assert_eq!(chips("b", 25_000, json!({ "redeem": true })).await.status, 200);
    assert_eq!(ann.cents().await, 80_000);
    let answer = chips("c", 80_001, json!({ "redeem": true })).await;
    assert_eq!(answer.problem(), (409, "insufficient_funds".to_owned()));
    assert_eq!(chips("d", 700, json!({ "currency": "TOKEN" })).await.status, 200);
    assert!((400..500).contains(&chips("e", 0, json!({})).await.status));
    assert!((400..500).contains(&chips("f", -1, json!({})).await.status));
    assert_eq!(
        chips("g", 1, json!({ "player": "nobody" })).await.problem(),
        (404, "no_such_player".to_owned())
    );
    let balance = olga.get("/api/operator/trial-balance").await.json();
    assert_eq!(balance["sums"], json!({ "PRACTICE": 0, "TOKEN": 0 }));
    let account = format!("player:{}", ann.player);
    assert_eq!(balance["accounts"]["PRACTICE"][&account], 80_000);
    assert_eq!(balance["accounts"]["TOKEN"][&account], 700);
    let of_ann = ann.get("/api/session/journal").await.json();
    let purposes: Vec<&Value> =
        of_ann["transfers"].as_array().unwrap().iter().map(|row| &row["purpose"]).collect();
    assert_eq!(purposes, ["issue", "issue", "redeem"]);
}

/// Some rounds of which one is settled, one void and one abandoned.
async fn play_some(house: &House, table: &str) -> Browser {
    house.table(table, "ez", &clocks(50, 60_000, 60_000, 20)).await;
    let (player, mut live) = house.seated(table, 1).await.remove(0);
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.done(json!({ "do": "house_way" })).await;
    live.until("another round", |live| live.round() == 2 && live.phase() == "wagers").await;
    live.wager(2_000).await;
    house
        .operate(table, &format!("void-{table}"), json!({ "do": "void", "reason": "a \"test\", no more" }))
        .await;
    live.until("another round", |live| live.round() == 3 && live.phase() == "wagers").await;
    player
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_are_what_the_store_has() {
    let house = House::new(&[]).await;
    for table in ["t1", "t2"] {
        play_some(&house, table).await;
    }
    let store = house.open_store().await;
    let library = RulesCache::new(BuiltIn);
    let (mut lines, mut csv) = (String::new(), csv_row(LINE_COLUMNS) + "\r\n");
    let mut of_t2 = String::new();
    for head in store.tables().await.unwrap() {
        let rows = store.events(&head.table, 0).await.unwrap();
        for record in records(&head.table, &rows, &library).unwrap() {
            if record.ended_at.is_none() {
                continue;
            }
            let line = serde_json::to_string(&record).unwrap() + "\n";
            if head.table.as_str() == "t2" {
                of_t2 += &line;
            }
            lines += &line;
            for fields in line_fields(&record) {
                csv += &(csv_row(fields.iter().map(String::as_str)) + "\r\n");
            }
        }
    }
    let olga = house.operator();
    let answer = olga.get("/api/operator/rounds").await;
    assert_eq!((answer.header("content-type"), answer.text()), (Some("application/jsonl"), lines.clone()));
    assert_eq!(lines.lines().count(), 4);
    let answer = olga.get("/api/operator/rounds?format=csv").await;
    assert_eq!((answer.header("content-type"), answer.text()), (Some("text/csv; charset=utf-8"), csv));
    assert_eq!(olga.get("/api/operator/rounds?table=t2").await.text(), of_t2);
    assert_eq!(olga.get("/api/operator/rounds?table=t9").await.problem(), (404, "no_such_table".to_owned()));
    // The journal, page by page.
    let (mut after, mut pages, mut read) = (0, 0, Vec::new());
    loop {
        let page = olga.get(&format!("/api/operator/journal?limit=3&after={after}")).await.json();
        read.extend(page["transfers"].as_array().unwrap().clone());
        pages += 1;
        match page["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    let kept = store.journal(None, 0, 1_000).await.unwrap();
    assert_eq!(read, kept.iter().map(journal_json).collect::<Vec<_>>());
    assert!(pages > 2, "{pages}");
    // The log too.
    let logged = store.acts(0, 1_000).await.unwrap();
    let shown = olga.get("/api/operator/acts?limit=500").await.json();
    assert_eq!(shown["acts"], serde_json::to_value(&logged).unwrap());
    let what: Vec<&str> = logged.iter().map(|act| act.what.as_str()).collect();
    assert_eq!(what[..4], ["table.open", "table.command", "table.open", "table.command"]);
    assert!(what[4..].iter().all(|what| *what == "export.rounds") && what.len() == 8, "{what:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drained_process_lets_nobody_in_and_ends() {
    let mut house = House::new(&[("drain_seconds", "1")]).await;
    let ann = house.guest("Ann").await;
    let mut live = Live::open(&ann, "ez").await;
    assert_eq!(house.browser().get("/readyz").await.status, 200);
    assert_eq!(house.operator().post("/api/operator/drain", &json!({})).await.status, 202);
    let answer = house.browser().get("/readyz").await;
    assert_eq!(answer.problem(), (503, "draining".to_owned()));
    let health = house.browser().get("/healthz").await.json();
    let program = (paigow_server::VERSION, paigow_server::COMMIT);
    assert_eq!((health["version"].as_str(), health["commit"].as_str()), (Some(program.0), Some(program.1)));
    let Err(answer) = Live::try_open(&ann, "ez", None).await else { panic!("a new socket") };
    assert_eq!(answer.problem(), (503, "unavailable".to_owned()));
    assert_eq!(ann.post("/api/tables", &json!({ "book": "ez" })).await.status, 503);
    // Those who are there play on until the end.
    live.done(json!({ "do": "sit", "seat": 1 })).await;
    let (goodbye, _) = live.until_closed().await;
    assert_eq!(goodbye.unwrap()["code"], "restarting");
    let took = house.process.ended().await;
    assert!(took < Duration::from_secs(3), "{took:?}");
    let store = house.open_store().await;
    let acts = store.acts(0, 10).await.unwrap();
    assert_eq!(acts.last().unwrap().what, "drain");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_secret_puts_everybody_out_who_came_in_by_the_old_one() {
    let mut house = House::new(&[]).await;
    let olga = house.browser();
    olga.post("/api/operator/session", &json!({ "name": "olga", "secret": house.secret })).await;
    let answer = olga.post("/api/operator/secret", &json!({})).await;
    assert_eq!(answer.status, 200);
    assert_eq!(olga.get("/api/operator/acts").await.status, 401);
    assert_eq!(house.operator().get("/api/operator/acts").await.status, 401);
    house.secret = answer.json()["secret"].as_str().unwrap().to_owned();
    assert_eq!(acts(&house).await, ["olga session.begin", "olga secret.replace"]);
    // A start after that tells no secret.
    house.restart().await;
    assert_eq!(house.process.secret, None);
    until("the new one holds", async || house.operator().get("/api/operator/acts").await.status == 200).await;
}

/// A table of somebody's own: as many as one may have, with clocks that people can follow.
#[tokio::test(flavor = "multi_thread")]
async fn guests_open_tables_within_limits() {
    let house = House::new(&[("tables_per_person", "2")]).await;
    let ann = house.guest("Ann").await;
    let open = async |rules: Value| ann.post("/api/tables", &rules).await;
    let fast = json!({ "book": "ez", "clocks": clocks(1_000, 999, 1_000, 1_000) });
    assert_eq!(open(fast).await.problem(), (422, "bad_config".to_owned()));
    let first = open(json!({ "book": "ez", "paytables": {}, "bots": 2 })).await;
    assert_eq!(first.status, 201);
    let table = first.json()["table"].as_str().unwrap().to_owned();
    assert_eq!(open(json!({ "book": "california" })).await.status, 201);
    assert_eq!(open(json!({ "book": "ez" })).await.problem(), (409, "too_many_tables".to_owned()));
    let lobby = house.browser().get("/api/tables").await.json();
    let own = lobby["tables"].as_array().unwrap().iter().find(|shown| shown["table"] == table.as_str());
    assert_eq!(own.unwrap()["currency"], "PRACTICE");
    assert_eq!(own.unwrap()["opened_by_player"], true);
    // Closing it is the house's business.
    assert_eq!(ann.command(&table, "c", &json!({ "do": "close" })).await.code(), "operators_only");
    assert_eq!(house.operate(&table, "c", json!({ "do": "close" })).await.status, 200);
    assert_eq!(open(json!({ "book": "ez" })).await.status, 201, "there is room again");
}
