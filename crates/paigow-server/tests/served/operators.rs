//! Operator routes, and the log of operator actions.

mod approvals;
mod roles;
mod sign_in;

use crate::kit::{BOOKS, Browser, LiveClient, TestServer, clocks, until};
use paigow::rulebook::BuiltIn;
use paigow_server::{
    AccountRow, HoldRow, HouseLogPart, LINE_COLUMNS, OperatorAct, People, RulesCache, Store, StoreVisitor,
    TableRows, csv_row, journal_json, line_fields, records,
};
use paigow_table::TableId;
use serde_json::{Value, json};
use std::time::Duration;

fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

/// A new store has one practice table per built-in book.
const PRACTICE_TABLES: usize = BOOKS.len();

/// Returns the entries of the operators' log: operator, action and outcome. An outcome in an entry of its own is joined
/// with the action.
async fn acts(server: &TestServer) -> Vec<(String, String, String)> {
    let store = server.open_store().await;
    let mut entries: Vec<(u64, (String, String, String))> = Vec::new();
    for act in store.acts(0, 10_000).await.unwrap() {
        let detail: Value = serde_json::from_str(&act.detail).unwrap();
        let outcome = detail["outcome"].as_str().unwrap_or_default().to_owned();
        if act.what == "outcome" {
            let entry = entries.iter_mut().find(|(place, _)| *place == detail["of"]).unwrap();
            assert_eq!(entry.1.2, "", "one outcome per act");
            entry.1.2 = outcome;
        } else {
            entries.push((act.place, (act.operator.to_string(), act.what, outcome)));
        }
    }
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Counts the deletions of documents in the house log.
#[derive(Default)]
struct Deletions(usize);

impl StoreVisitor for Deletions {
    fn table(&mut self, _: Option<&TableId>, _: TableRows) {}

    fn damage(&mut self, message: String) {
        panic!("{message}");
    }

    fn money(&mut self, _: Vec<AccountRow>, _: Vec<HoldRow>) {}

    fn acts(&mut self, _: Vec<OperatorAct>) {}

    fn house(&mut self, part: HouseLogPart) {
        if let HouseLogPart::Log(entries) = part {
            self.0 += entries.iter().filter(|entry| entry.json.contains("document_deleted")).count();
        }
    }
}

/// The log outlives the people in it, so it has no name of a person.
#[tokio::test(flavor = "multi_thread")]
async fn log_has_no_names_of_people() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Wilhelmina").await;
    let olga = server.operator();
    let path = format!("/api/operator/people/{}", ann.player);
    assert_eq!(olga.get("/api/operator/people?part=Wilhelm").await.status, 200);
    assert_eq!(olga.patch(&path, &json!({ "name": "Theodora" })).await.status, 200);
    assert_eq!(olga.patch(&path, &json!({ "name": "The House" })).await.status, 422);
    let store = server.open_store().await;
    let acts = store.acts(0, 1_000).await.unwrap();
    assert!(acts.iter().any(|act| act.what == "people" && act.detail.contains("\"searched\":true")));
    assert!(acts.iter().any(|act| act.what == "person.rename" && act.detail.contains(&ann.player)));
    for part in ["Wilhelm", "Theodora", "The House"] {
        assert!(acts.iter().all(|act| !act.detail.contains(part)), "{part}");
    }
}

/// Activity extends an operator session, at most once a minute and to twelve hours from then.
#[tokio::test(flavor = "multi_thread")]
async fn operator_session_is_extended_to_twelve_hours() {
    let server = TestServer::new(&[]).await;
    let file = rusqlite::Connection::open(server.file()).unwrap();
    file.busy_timeout(Duration::from_secs(5)).unwrap();
    file.execute("UPDATE sessions SET seen = seen - 120000, until = until - 120000", []).unwrap();
    assert_eq!(server.operator().get("/api/operator/acts").await.status, 200);
    let lifetime: i64 = file.query_row("SELECT until - seen FROM sessions", [], |row| row.get(0)).unwrap();
    // The clock is read once for each column.
    assert!((12 * 3_600_000..12 * 3_600_000 + 1_000).contains(&lifetime), "{lifetime}");
}

#[tokio::test(flavor = "multi_thread")]
async fn table_is_paused_resumed_and_closed() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(100, 60_000, 60_000, 30)).await;
    let (_, mut live) = server.seat_guests("t1", 1).await.remove(0);
    let operate = async |id: &str, what: &str| server.operator_command("t1", id, json!({ "do": what })).await;
    // The current round is played to its end.
    assert_eq!(operate("p", "pause").await.status, 200);
    assert_eq!(operate("p2", "pause").await.problem(), (409, "already_paused".to_owned()));
    live.until_event("paused").await;
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until_phase("waiting").await;
    assert_eq!((live.round(), live.view["paused"].clone()), (1, json!(true)));
    assert_eq!(operate("r", "resume").await.status, 200);
    assert_eq!(operate("r2", "resume").await.problem(), (409, "not_paused".to_owned()));
    live.until("the next round", |live| live.round() == 2 && live.phase() == "wagers").await;
    assert_eq!(operate("c", "close").await.status, 200);
    assert_eq!(operate("c2", "close").await.problem(), (409, "already_closing".to_owned()));
    let eve = server.guest("Eve").await;
    let sit = json!({ "do": "sit", "seat": 2 });
    assert_eq!(eve.command("t1", "s", &sit).await.problem(), (409, "already_closing".to_owned()));
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until_event("closed").await;
    assert_eq!((&live.view["closed"], &live.view["seats"]), (&json!(true), &json!([])));
    let lobby = server.browser().get("/api/tables").await.text();
    assert!(!lobby.contains("\"t1\""), "{lobby}");
    assert_eq!(operate("c3", "resume").await.problem(), (409, "table_closed".to_owned()));
    // A closed table stays in memory while it has viewers. Its rounds remain readable afterwards.
    let in_memory = async || {
        let metrics = server.browser().get("/metrics").await.text();
        metrics.lines().find_map(|line| line.strip_prefix("paigow_tables ")?.parse::<usize>().ok()).unwrap()
    };
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(in_memory().await, PRACTICE_TABLES + 1);
    drop(live);
    until("the table is unloaded", async || in_memory().await == PRACTICE_TABLES).await;
    assert_eq!(
        server.browser().get("/api/tables/t1/rounds").await.json()["rounds"].as_array().unwrap().len(),
        2
    );
    assert_eq!(in_memory().await, PRACTICE_TABLES + 1);
    until("the table is unloaded again", async || in_memory().await == PRACTICE_TABLES).await;
    assert_eq!(operate("c4", "resume").await.problem(), (409, "table_closed".to_owned()));
    let acts = acts(&server).await;
    let commands = acts.iter().filter(|(_, what, _)| what == "table.command");
    let outcomes: Vec<&str> = commands.map(|(_, _, outcome)| outcome.as_str()).collect();
    let expected = [
        "done",
        "already_paused",
        "done",
        "not_paused",
        "done",
        "already_closing",
        "table_closed",
        "table_closed",
    ];
    assert_eq!(outcomes, expected, "refused commands are logged as well");
}

#[tokio::test(flavor = "multi_thread")]
async fn void_round_returns_all_wagers_and_names_the_reason() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "california", &slow()).await;
    let mut players = server.seat_guests("t1", 2).await;
    let void = |reason: &str| json!({ "do": "void", "reason": reason });
    players[0].1.expect_done(json!({ "do": "take_bank", "cents": 30_000 })).await;
    players[1].1.until_phase("wagers").await;
    players[1].1.wager(2_000).await;
    players[1].1.until_phase("settings").await;
    assert_eq!((players[0].0.cents().await, players[1].0.cents().await), (70_000, 98_000));
    for (number, bad) in ["", "a\nb", &"x".repeat(501)].iter().enumerate() {
        let response = server.operator_command("t1", &format!("bad{number}"), void(bad)).await;
        assert_eq!(response.problem(), (409, "bad_text".to_owned()));
    }
    assert_eq!(server.operator_command("t1", "v", void("a card was seen")).await.status, 200);
    let mut voided = Value::Null;
    for (player, live) in &mut players {
        voided = live.until_event("round_voided").await;
        assert_eq!(voided["reason"], json!({ "code": "other", "text": "a card was seen" }));
        assert_eq!(player.cents().await, 100_000);
    }
    assert_eq!(
        server.operator_command("t1", "v2", void("again")).await.problem(),
        (409, "no_round".to_owned())
    );
    let record = server.browser().get("/api/tables/t1/rounds/1").await.json()["record"].clone();
    assert_eq!((&record["outcome"], &record["reason"]), (&json!("voided"), &voided["reason"]));
    assert!(record["play"]["secret"].is_string(), "a void round reveals its secret");
    let detail = server.operator().get("/api/operator/acts").await.text();
    assert!(detail.contains("a card was seen"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn settled_round_can_be_voided_before_the_next_opens() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "south-beach", &slow()).await;
    let mut players = server.seat_guests("t1", 2).await;
    for (_, live) in &mut players {
        live.until_phase("wagers").await;
        live.wager(2_000).await;
    }
    for (_, live) in &mut players {
        live.until_phase("settings").await;
        live.expect_done(json!({ "do": "house_way" })).await;
    }
    players[0].1.until_phase("between").await;
    let before = server.browser().get("/api/tables/t1/rounds/1").await.json();
    assert_eq!(before["record"]["outcome"], "settled");
    let void = |reason: Value| json!({ "do": "void", "reason": reason });
    for (id, wrong, problem) in [
        ("w1", json!("rules_changed"), (422, "void_reason_reserved")),
        ("w2", json!({ "code": "rules_changed" }), (422, "void_reason_reserved")),
        ("w3", json!({ "code": "other" }), (422, "bad_body")),
        ("w4", json!({ "code": "other", "text": "" }), (409, "bad_text")),
    ] {
        let response = server.operator_command("t1", id, void(wrong.clone())).await;
        assert_eq!(response.problem(), (problem.0, problem.1.to_owned()), "{wrong}");
    }
    server.void_settled("t1", "v", json!("exposed_card")).await;
    let reason = json!({ "code": "exposed_card" });
    for (player, live) in &mut players {
        let voided = live.until_event("round_voided").await;
        assert_eq!((&voided["reason"], &voided["last_bank"]), (&reason, &Value::Null));
        assert_eq!(player.cents().await, 100_000);
    }
    assert_eq!(
        server.operator_command("t1", "v2", void(json!("wrong_count"))).await.problem(),
        (409, "no_round".to_owned())
    );
    let seen = server.browser().get("/api/tables/t1/rounds/1").await.json();
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
    let csv = server.operator().get("/api/operator/rounds?format=csv&table=t1").await.text();
    let row = csv.lines().last().unwrap();
    assert!(row.contains(",voided,south-beach,") && row.contains("a card was exposed"), "{csv}");
    assert!(row.ends_with("\"{\"\"code\"\":\"\"exposed_card\"\"}\""), "{csv}");
}

#[tokio::test(flavor = "multi_thread")]
async fn table_offers_the_side_wagers_of_its_config() {
    let server = TestServer::new(&[]).await;
    server.open_table_with("none", json!({ "book": "ez", "offer": [] })).await;
    server
        .open_table_with("some", json!({ "book": "ez", "offer": ["red-black", "dynasty"], "clocks": slow() }))
        .await;
    let tables = server.browser().get("/api/tables").await.json();
    let offered = |name: &str| -> Vec<String> {
        let table = tables["tables"].as_array().unwrap().iter().find(|table| table["table"] == name).unwrap();
        table["wagers"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(
        (offered("none"), offered("some")),
        (vec![], vec!["dynasty".to_owned(), "red-black".to_owned()])
    );
    let rules = server.browser().get("/api/tables/some/rules").await.json();
    let wagers = rules["rules"]["wagers"].as_array().unwrap();
    let actual: Vec<(&str, bool)> = wagers
        .iter()
        .map(|wager| (wager["wager"].as_str().unwrap(), wager["offered"].as_bool().unwrap()))
        .collect();
    let expected = [("queens-dragon", false), ("dynasty", true), ("protection", false), ("red-black", true)];
    assert_eq!(actual, expected);
    let mut players = server.seat_guests("some", 1).await;
    let live = &mut players[0].1;
    live.until_phase("wagers").await;
    live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    live.expect_done(json!({ "do": "wager", "wager": "dynasty", "cents": 500 })).await;
    let refused = json!({ "do": "wager", "wager": "protection", "cents": 500 });
    assert_eq!(live.expect_refused(refused).await, "wager_not_offered");
    let unknown = json!({ "book": "ez", "offer": ["fortune"] });
    assert_eq!(
        server.guest("Gus").await.post("/api/tables", &unknown).await.problem(),
        (422, "bad_config".to_owned())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn house_wagers_against_a_bank_by_default() {
    let server = TestServer::new(&[]).await;
    server.open_table_with("zero", json!({ "book": "south-beach", "dealer_wager_cents": 0 })).await;
    server.open_table_with("usual", json!({ "book": "south-beach" })).await;
    let cents = async |table: &str| {
        let table = server.browser().get(&format!("/api/tables/{table}")).await.json();
        table["view"]["facts"]["banking"]["dealer_wager_cents"].as_u64().unwrap()
    };
    assert_eq!((cents("zero").await, cents("usual").await), (0, 500));
    assert_eq!(cents("south-beach").await, 500, "the practice table");
}

#[tokio::test(flavor = "multi_thread")]
async fn notices_reach_one_table_or_all_tables() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let watcher = server.browser();
    let (mut first, mut second) =
        (LiveClient::open(&watcher, "t1").await, LiveClient::open(&watcher, "washington").await);
    let notice = |text: &str| json!({ "do": "notice", "text": text });
    assert_eq!(server.operator_command("t1", "n1", notice("Only here <b>")).await.status, 200);
    let sent = server.operator().post("/api/operator/notices", &json!({ "id": "n", "text": "To all" })).await;
    assert_eq!(sent.json(), json!({ "told": 6, "refused": {} }));
    assert_eq!(first.until_event("noticed").await["text"], "Only here <b>");
    assert_eq!(first.until_event("noticed").await["text"], "To all");
    let all = second.until_event("noticed").await;
    assert_eq!(all, json!({ "event": "noticed", "text": "To all", "by": { "operator": "olga" } }));
    let bad = server.operator().post("/api/operator/notices", &json!({ "id": "m", "text": "" })).await.json();
    assert_eq!((&bad["told"], bad["refused"].as_object().unwrap().len()), (&json!(0), 6));
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_are_issued_and_redeemed_and_accounts_sum_to_zero() {
    let server = TestServer::new(&[]).await;
    let (ann, olga) = (server.guest("Ann").await, server.operator());
    let chips = async |id: &str, cents: i64, more: Value| {
        let mut body = json!({ "id": id, "player": ann.player, "cents": cents });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        olga.post("/api/operator/chips", &body).await
    };
    assert_eq!(chips("a", 5_000, json!({})).await.status, 200);
    assert_eq!(chips("b", 25_000, json!({ "redeem": true })).await.status, 200);
    assert_eq!(ann.cents().await, 80_000);
    let response = chips("c", 80_001, json!({ "redeem": true })).await;
    assert_eq!(response.problem(), (409, "insufficient_funds".to_owned()));
    assert_eq!(chips("d", 700, json!({ "currency": "TOKEN" })).await.status, 200);
    assert!((400..500).contains(&chips("e", 0, json!({})).await.status));
    assert!((400..500).contains(&chips("f", -1, json!({})).await.status));
    assert_eq!(
        chips("g", 1, json!({ "player": "absent" })).await.problem(),
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

/// Plays a settled round and a void round, and opens a third.
async fn play_rounds(server: &TestServer, table: &str) -> Browser {
    server.open_table(table, "ez", &clocks(50, 60_000, 60_000, 20)).await;
    let (player, mut live) = server.seat_guests(table, 1).await.remove(0);
    live.wager(1_000).await;
    live.until_phase("settings").await;
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until("another round", |live| live.round() == 2 && live.phase() == "wagers").await;
    live.wager(2_000).await;
    server
        .operator_command(
            table,
            &format!("void-{table}"),
            json!({ "do": "void", "reason": "a \"test\", no more" }),
        )
        .await;
    live.until("another round", |live| live.round() == 3 && live.phase() == "wagers").await;
    player
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_match_the_store() {
    let server = TestServer::new(&[]).await;
    for table in ["t1", "t2"] {
        play_rounds(&server, table).await;
    }
    let store = server.open_store().await;
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
    let olga = server.operator();
    let response = olga.get("/api/operator/rounds").await;
    assert_eq!(
        (response.header("content-type"), response.text()),
        (Some("application/jsonl"), lines.clone())
    );
    assert_eq!(lines.lines().count(), 4);
    let response = olga.get("/api/operator/rounds?format=csv").await;
    assert_eq!((response.header("content-type"), response.text()), (Some("text/csv; charset=utf-8"), csv));
    assert_eq!(olga.get("/api/operator/rounds?table=t2").await.text(), of_t2);
    assert_eq!(olga.get("/api/operator/rounds?table=t9").await.problem(), (404, "no_such_table".to_owned()));
    // The pages of the journal.
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
    // The log of operator actions.
    let logged = store.acts(0, 1_000).await.unwrap();
    let shown = olga.get("/api/operator/acts?limit=500").await.json();
    assert_eq!(shown["acts"], serde_json::to_value(&logged).unwrap());
    let what: Vec<&str> = logged.iter().map(|act| act.what.as_str()).collect();
    let opened = ["session.begin", "table.open", "outcome", "table.command", "outcome", "table.open"];
    assert_eq!(what[..6], opened);
    let of = |name: &str| what.iter().filter(|what| **what == name).count();
    assert_eq!((of("export.rounds"), of("journal")), (4, pages));
}

#[tokio::test(flavor = "multi_thread")]
async fn draining_process_refuses_new_clients_and_exits() {
    let mut server = TestServer::new(&[("drain_seconds", "1")]).await;
    let ann = server.guest("Ann").await;
    let mut live = LiveClient::open(&ann, "ez").await;
    assert_eq!(server.browser().get("/readyz").await.status, 200);
    assert_eq!(server.operator().post("/api/operator/drain", &json!({})).await.status, 202);
    let response = server.browser().get("/readyz").await;
    assert_eq!(response.problem(), (503, "draining".to_owned()));
    let health = server.browser().get("/healthz").await.json();
    let program = (paigow_server::VERSION, paigow_server::COMMIT);
    assert_eq!((health["version"].as_str(), health["commit"].as_str()), (Some(program.0), Some(program.1)));
    let Err(response) = LiveClient::try_open(&ann, "ez", None).await else {
        panic!("a draining process accepts a socket")
    };
    assert_eq!(response.problem(), (503, "unavailable".to_owned()));
    assert_eq!(ann.post("/api/tables", &json!({ "book": "ez" })).await.status, 503);
    // Connected clients play on until the server exits.
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    let (goodbye, _) = live.until_closed().await;
    assert_eq!(goodbye.unwrap()["code"], "restarting");
    let took = server.process.wait_for_exit().await;
    assert!(took < Duration::from_secs(3), "{took:?}");
    let store = server.open_store().await;
    let acts = store.acts(0, 10).await.unwrap();
    let what: Vec<&str> = acts.iter().map(|act| act.what.as_str()).collect();
    assert_eq!(what, ["session.begin", "drain", "outcome"]);
}

/// Players may open a limited number of tables, with clocks of at least a second.
#[tokio::test(flavor = "multi_thread")]
async fn guests_open_tables_within_limits() {
    let server = TestServer::new(&[("tables_per_person", "2")]).await;
    let ann = server.guest("Ann").await;
    let open = async |rules: Value| ann.post("/api/tables", &rules).await;
    let fast = json!({ "book": "ez", "clocks": clocks(1_000, 999, 1_000, 1_000) });
    assert_eq!(open(fast).await.problem(), (422, "bad_config".to_owned()));
    let first = open(json!({ "book": "ez", "paytables": {}, "bots": 2 })).await;
    assert_eq!(first.status, 201);
    let table = first.json()["table"].as_str().unwrap().to_owned();
    assert_eq!(open(json!({ "book": "california" })).await.status, 201);
    assert_eq!(open(json!({ "book": "ez" })).await.problem(), (409, "too_many_tables".to_owned()));
    let lobby = server.browser().get("/api/tables").await.json();
    let own = lobby["tables"].as_array().unwrap().iter().find(|shown| shown["table"] == table.as_str());
    assert_eq!(own.unwrap()["currency"], "PRACTICE");
    assert_eq!(own.unwrap()["opened_by_player"], true);
    // Only operators may close the table.
    assert_eq!(ann.command(&table, "c", &json!({ "do": "close" })).await.code(), "operators_only");
    assert_eq!(server.operator_command(&table, "c", json!({ "do": "close" })).await.status, 200);
    assert_eq!(open(json!({ "book": "ez" })).await.status, 201, "the closed table still counts");
}
