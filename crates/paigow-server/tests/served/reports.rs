//! Reports of the house: they agree with the journal, with the exact odds, and with the rounds themselves.

use crate::kit::{BOOKS, LiveClient, TestServer, clocks, until};
use crate::results::{exact, play, wagers};
use paigow_answers::puzzle::Day;
use paigow_math::Fraction;
use paigow_testkit::Rng;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

const ROUNDS: u64 = 4;

/// Days around today, so that a run over midnight changes nothing.
fn days() -> (String, String) {
    let today = Day::today();
    (Day(today.0 - 1).to_string(), Day(today.0 + 1).to_string())
}

/// Sums of the journal by table: what the house won, and the stakes held in rounds that were not voided.
async fn journal_sums(server: &TestServer) -> BTreeMap<String, (i64, i64)> {
    let (mut rows, mut after) = (Vec::new(), 0);
    loop {
        let page =
            server.operator().get(&format!("/api/operator/journal?limit=500&after={after}")).await.json();
        rows.extend(page["transfers"].as_array().unwrap().iter().cloned());
        let Some(next) = page["next"].as_u64() else { break };
        after = next;
    }
    rows.retain(|row| !row["round"].is_null());
    let is_house = |owner: &Value| ["house", "commission", "collection"].iter().any(|name| owner == name);
    let round = |row: &Value| (row["table"].to_string(), row["round"].as_u64());
    let voided: Vec<_> = rows.iter().filter(|row| row["purpose"] == "voided").map(round).collect();
    let mut sums = BTreeMap::new();
    for row in &rows {
        let table = row["table"].as_str().unwrap().to_owned();
        let (won, held): &mut (i64, i64) = sums.entry(table).or_default();
        let cents = row["cents"].as_i64().unwrap();
        *won += cents * (i64::from(is_house(&row["to"])) - i64::from(is_house(&row["from"])));
        if row["kind"] == "hold" && row["purpose"] == "wager" && !voided.contains(&round(row)) {
            *held += cents;
        }
    }
    sums
}

/// Edges of `golden/odds.golden` by book, wager and paytable.
fn golden_edge(book: &str, wager: &str, paytable: &str) -> Fraction {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/odds.golden")).unwrap();
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let line = lines.find(|fields| fields[..3] == [book, wager, paytable]).unwrap();
    exact(&json!(line[3]))
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_agree_with_the_journal_and_the_exact_odds() {
    let server = TestServer::new(&[("guest_chips_cents", "100000000")]).await;
    let mut rng = Rng::new(23);
    let guests = [server.guest("Guest 1").await, server.guest("Guest 2").await];
    for book in BOOKS {
        let table = format!("report-{book}");
        server.open_table(&table, book, &clocks(600_000, 600_000, 600_000, 1)).await;
        let mut players = Vec::new();
        for (seat, guest) in [(1, &guests[0]), (2, &guests[1])] {
            let mut live = LiveClient::open(guest, &table).await;
            live.expect_done(json!({ "do": "sit", "seat": seat })).await;
            players.push((guest.clone(), live));
        }
        play(book, ROUNDS, &mut players, &mut rng).await;
        let live = &mut players[0].1;
        // A settled round can be voided until the next one opens.
        live.until("the next round", |live| live.round() > ROUNDS).await;
        if book == "ez" {
            live.until_phase("wagers").await;
            let wagers = wagers(live);
            live.expect_done(json!({ "do": "wagers", "wagers": wagers })).await;
        }
        let void = json!({ "do": "void", "reason": { "code": "machine_fault" } });
        server.operator_command(&table, &format!("close-{book}"), json!({ "do": "close" })).await;
        server.operator_command(&table, &format!("void-{book}"), void).await;
    }
    let (from, to) = days();
    let path = format!("/api/operator/reports?from={from}&to={to}");
    let olga = server.operator();
    let all_ended = async || {
        let ended = olga.get("/api/operator/rounds").await.text();
        ended.lines().filter(|line| line.contains(r#""outcome":"settled""#)).count() as u64
            >= ROUNDS * BOOKS.len() as u64
    };
    until("the end of all rounds", all_ended).await;
    let report = olga.get(&path).await.json();
    assert_eq!(
        (&report["from"], &report["to"], &report["unreadable"]),
        (&json!(from), &json!(to), &json!([]))
    );
    let rows = report["rows"].as_array().unwrap();
    let keys: Vec<_> = rows
        .iter()
        .map(|row| ["day", "table", "wager"].map(|key| row[key].as_str().unwrap().to_owned()))
        .collect();
    assert!(keys.is_sorted(), "{keys:?}");

    let sums = journal_sums(&server).await;
    for book in BOOKS {
        let table = format!("report-{book}");
        let own: Vec<&Value> = rows.iter().filter(|row| row["table"] == table.as_str()).collect();
        let sum = |field: &str| own.iter().map(|row| row[field].as_i64().unwrap()).sum::<i64>();
        let (won, held) = sums[&table];
        assert_eq!(sum("win_cents"), won, "{table}: {own:?}");
        if !["california", "south-beach"].contains(&book) {
            // Every stake has action against the dealer, and no fee is held with it.
            assert_eq!(sum("handle_cents"), held, "{table}: {own:?}");
        }
        let base: Vec<&&Value> = own.iter().filter(|row| row["wager"] == "pai-gow").collect();
        assert!(base.iter().all(|row| row["currency"] == "PRACTICE" && row["title"] == "Pai Gow"));
        let is_banked = book == "california";
        assert!(base.iter().all(|row| row["expected"].is_null() == (is_banked || row["wagers"] == 0)));
    }
    for row in rows.iter().filter(|row| row["wagers"] != 0) {
        let (win, handle) = (row["win_cents"].as_i64().unwrap(), row["handle_cents"].as_i64().unwrap());
        assert_eq!(exact(&row["hold"]), Fraction::new(win, handle));
        assert_eq!(row["expected"].is_null(), row["judged_wagers"] == 0, "{row}");
        assert_eq!(row["expected"].is_null(), row["deviation_cents"].is_null(), "{row}");
        if row["table"] == "report-ez" && row["wager"] == "red-black" {
            let edge = golden_edge("ez", "red-black", "posted");
            assert_eq!(exact(&row["expected"]), edge * Fraction::new(handle, 1));
        }
    }
    let voided = rows.iter().filter(|row| row["table"] == "report-ez" && row["wager"] == "red-black");
    assert_eq!(voided.map(|row| row["voided"].as_u64().unwrap()).sum::<u64>(), 1);

    let csv = olga.get(&format!("{path}&format=csv")).await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let lines: Vec<String> = csv.text().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), rows.len() + 1);
    assert!(lines[0].starts_with("day,table,currency,wager,title,wagers,"), "{}", lines[0]);
    assert!(lines[1].starts_with(&keys[0][..2].join(",")), "{}", lines[1]);

    let earlier = olga.get("/api/operator/reports?from=2020-01-01&to=2020-01-31").await.json();
    assert_eq!(earlier["rows"], json!([]));
    let acts = olga.get("/api/operator/acts?limit=500").await.json();
    let reports = acts["acts"].as_array().unwrap().iter().filter(|act| act["what"] == "report");
    assert_eq!(reports.count(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_days_are_refused_with_every_fault() {
    let server = TestServer::new(&[]).await;
    let olga = server.operator();
    let get = async |query: &str| olga.get(&format!("/api/operator/reports?{query}")).await;
    let response = get("from=today&to=2026-02-30").await;
    assert_eq!(response.problem(), (422, "bad_day".to_owned()));
    let faults = response.json()["faults"].as_array().unwrap().clone();
    assert_eq!(faults.iter().map(|fault| fault["at"].as_str().unwrap()).collect::<Vec<_>>(), ["from", "to"]);
    let late = get("from=2026-03-02&to=2026-03-01").await;
    assert_eq!(late.problem(), (422, "bad_period".to_owned()));
    let long = get("from=2026-03-01&to=2026-04-01").await;
    assert_eq!(long.problem(), (422, "bad_period".to_owned()));
    assert!(long.text().contains("32 days"), "{}", long.text());
    assert_eq!(get("from=2026-03-01&to=2026-03-31").await.status, 200);
    assert_eq!(get("from=2026-03-01").await.problem(), (400, "bad_query".to_owned()));
    let path = "/api/operator/reports?from=2026-03-01&to=2026-03-31";
    assert_eq!(server.browser().get(path).await.problem(), (401, "no_session".to_owned()));
}
