//! Limits that players set for themselves.

use super::patch;
use crate::cluster::Cluster;
use crate::kit::{Browser, LiveClient, TestServer, clocks};
use crate::store_rollback::restore;
use paigow_server::{
    AnyStore, DocumentKey, DocumentKind, DocumentWrite, Documents, PeopleChange, SealOutcome, SealRule, Store,
};
use paigow_table::{Owner, TableId, Time};
use serde_json::{Value, json};

async fn set(browser: &Browser, loss: Value, minutes: Value) -> Value {
    let response = patch(browser, "/api/account/limits", &json!({ "loss": loss, "minutes": minutes })).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

fn wagers(cents: u64) -> Value {
    json!({ "do": "wagers", "wagers": [{ "wager": "pai-gow", "cents": cents }], "ready": false })
}

/// Changes the stored limits of a player, as if time had passed.
async fn edit(server: &TestServer, player: &str, change: impl Fn(&mut Value)) {
    let store = server.open_store().await;
    let key = DocumentKey { kind: DocumentKind::Limits, id: player.to_owned() };
    let document = store.document(&key).await.unwrap().unwrap();
    let mut limits: Value = serde_json::from_str(&document.json).unwrap();
    change(&mut limits);
    let write = DocumentWrite { key, expected: document.version, json: Some(limits.to_string()) };
    let change = PeopleChange { documents: vec![write], ..PeopleChange::default() };
    assert!(store.change_people(change, Time(1)).await.unwrap());
}

async fn seated(server: &TestServer) -> (Browser, LiveClient) {
    server.open_table("t1", "ez", &clocks(600_000, 600_000, 600_000, 600_000)).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    live.until_phase("wagers").await;
    (ann, live)
}

#[tokio::test(flavor = "multi_thread")]
async fn loss_limit_bounds_what_is_at_stake() {
    let server = TestServer::new(&[]).await;
    let (ann, mut live) = seated(&server).await;
    set(&ann, json!({ "cents": 3_000, "days": 1 }), Value::Null).await;
    assert_eq!(live.expect_refused(wagers(3_500)).await, "loss_limit");
    let refused = ann.command("t1", "over", &wagers(3_500)).await;
    assert_eq!(refused.problem(), (409, "loss_limit".to_owned()));
    assert!(refused.json()["detail"].as_str().unwrap().contains("30.00"), "{refused:?}");
    live.expect_done(wagers(2_000)).await;
    // A replacement counts only the difference, and taking money back is always allowed.
    live.expect_done(wagers(3_000)).await;
    assert_eq!(live.expect_refused(wagers(3_500)).await, "loss_limit");
    let at_seat = json!({ "do": "wager", "wager": "pai-gow", "cents": 3_500, "seat": 1 });
    assert_eq!(live.expect_refused(at_seat).await, "loss_limit");
    let used = ann.get("/api/account").await.json()["limits"]["used"].clone();
    assert_eq!(used["loss_cents"]["PRACTICE"], 3_000);
    live.expect_done(wagers(500)).await;
    live.expect_done(json!({ "do": "clear" })).await;
    let used = ann.get("/api/account").await.json()["limits"]["used"].clone();
    assert_eq!(used["loss_cents"]["PRACTICE"], 0);
    // A retry of a command that was executed returns its result.
    let id = "first";
    assert_eq!(ann.command("t1", id, &wagers(3_000)).await.status, 200);
    assert_eq!(ann.command("t1", id, &wagers(3_000)).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_honours_a_tighter_limit_at_once() {
    let server = TestServer::new(&[]).await;
    let second = server.another_process().await;
    let (ann, mut live) = seated(&server).await;
    live.expect_done(wagers(500)).await;
    set(&ann.at(second.address), json!({ "cents": 1_000, "days": 7 }), Value::Null).await;
    assert_eq!(live.expect_refused(wagers(1_500)).await, "loss_limit");
    live.expect_done(wagers(1_000)).await;
}

/// Wagers of one player in two processes at the same time use what is left only once.
async fn wagers_in_two_processes_share_the_limit(server: TestServer) {
    let second = server.another_process().await;
    for table in ["t1", "t2"] {
        server.open_table(table, "ez", &clocks(600_000, 600_000, 600_000, 600_000)).await;
    }
    for seat in 1..=5 {
        let here = server.guest(&format!("Guest {seat}")).await;
        let there = here.at(second.address);
        for (browser, table) in [(&here, "t1"), (&there, "t2")] {
            let sit = json!({ "do": "sit", "seat": seat });
            let sat = browser.command(table, &format!("sit-{table}"), &sit).await;
            assert_eq!(sat.status, 200, "{sat:?}");
        }
        set(&here, json!({ "cents": 3_000, "days": 1 }), Value::Null).await;
        let wager = wagers(2_000);
        let (one, two) = tokio::join!(here.command("t1", "w1", &wager), there.command("t2", "w2", &wager));
        let mut statuses = [one.status, two.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{one:?} {two:?}");
        let refused = if one.status == 409 { one } else { two };
        assert_eq!(refused.code(), "loss_limit");
        let used = here.get("/api/account").await.json()["limits"]["used"]["loss_cents"]["PRACTICE"].clone();
        assert_eq!(used, 2_000);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limit_holds_for_two_processes_on_one_file() {
    wagers_in_two_processes_share_the_limit(TestServer::new(&[]).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limit_holds_for_two_processes_on_one_database() {
    let cluster = Cluster::start();
    let server = TestServer::in_database(&cluster, &[("allow_unsafe_postgres", "true")]).await;
    wagers_in_two_processes_share_the_limit(server).await;
}

/// Wagers are accepted without limits, with a loss limit and with both limits. Prints their times, which are worth
/// reading with `PAIGOW_MEASURE=1` and `--nocapture`: 40 rounds instead of one.
#[tokio::test(flavor = "multi_thread")]
async fn limits_that_are_not_reached_accept_every_wager() {
    const WAGERS: u32 = 20;
    let rounds: u32 = if std::env::var_os("PAIGOW_MEASURE").is_some() { 40 } else { 1 };
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(600_000, 600_000, 600_000, 1)).await;
    let mut players = server.seat_guests("t1", 3).await;
    set(&players[1].0, json!({ "cents": 90_000_000, "days": 7 }), Value::Null).await;
    set(&players[2].0, json!({ "cents": 90_000_000, "days": 7 }), json!(1_440)).await;
    let mut times = [std::time::Duration::ZERO; 3];
    for round in 1..=rounds {
        for (player, live) in &mut players {
            live.until("wagers", |live| live.round() == u64::from(round) && live.phase() == "wagers").await;
            let id = format!("{}-{round}", player.player);
            let chips = json!({ "id": id, "player": player.player, "cents": 10_000 });
            let issued = server.operator().post("/api/operator/chips", &chips).await;
            assert_eq!(issued.status, 200, "{issued:?}");
        }
        for wager in 0..WAGERS {
            for (index, (player, _)) in players.iter().enumerate() {
                let id = format!("w-{round}-{wager}");
                let start = std::time::Instant::now();
                let done = player.command("t1", &id, &wagers(1_000 + 500 * u64::from(wager % 2))).await;
                times[index] += start.elapsed();
                assert_eq!(done.status, 200, "{done:?}");
            }
        }
        for (_, live) in &mut players {
            live.expect_done(json!({ "do": "ready" })).await;
        }
        for (_, live) in &mut players {
            live.until_phase("settings").await;
            live.expect_done(json!({ "do": "house_way" })).await;
        }
    }
    let count = rounds * WAGERS;
    for (name, time) in ["no limits", "loss limit", "loss and time limit"].iter().zip(times) {
        println!(
            "{name}: {:?} for each of {count} wagers, ratio {:.2}",
            time / count,
            time.as_secs_f64() / times[0].as_secs_f64()
        );
    }
}

async fn lost(server: &TestServer, player: &Browser) -> u64 {
    let account = player.at(server.process.address).get("/api/account").await.json();
    account["limits"]["used"]["loss_cents"]["PRACTICE"].as_u64().unwrap()
}

/// The server keeps the transfers that it has read. They are counted once, from rows, from blocks and after a rollback.
#[tokio::test(flavor = "multi_thread")]
async fn losses_are_the_same_from_rows_and_blocks() {
    const ALL: SealRule = SealRule { before: Time(u64::MAX), rounds_min: 1 };
    let mut server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(600_000, 600_000, 600_000, 1)).await;
    let (ann, mut live) = server.seat_guests("t1", 1).await.remove(0);
    set(&ann, json!({ "cents": 90_000_000, "days": 7 }), Value::Null).await;
    let mut staked = 0;
    let mut won = 0;
    for round in 1..=3 {
        live.until("wagers", |live| live.round() == round && live.phase() == "wagers").await;
        live.expect_done(wagers(1_000)).await;
        staked += 1_000;
        assert_eq!(lost(&server, &ann).await, staked.max(won) - won);
        live.expect_done(json!({ "do": "ready" })).await;
        live.until_phase("settings").await;
        live.expect_done(json!({ "do": "house_way" })).await;
        live.until("the next round", |live| live.round() > round).await;
        let table: TableId = "t1".parse().unwrap();
        let journal = server.open_store().await.round_journal(&table, round).await.unwrap();
        let owner = Owner::Player(ann.player.parse().unwrap());
        won += journal
            .iter()
            .map(|row| &row.transfer)
            .filter(|paid| paid.credit.owner == owner)
            .map(|paid| paid.cents)
            .sum::<u64>();
    }
    let total = staked.max(won) - won;
    assert_eq!(lost(&server, &ann).await, total);

    // The newest transfer of a store is never sealed.
    server.guest("Bea").await;
    let store = server.open_store().await;
    let mut rounds = 0;
    while let SealOutcome::Sealed { rounds: more, .. } =
        store.seal_next(&"t1".parse().unwrap(), ALL).await.unwrap()
    {
        rounds += more;
    }
    assert!(rounds >= 3, "{rounds}");
    assert_eq!(lost(&server, &ann).await, total);
    server.restart().await;
    assert_eq!(lost(&server, &ann).await, total);
    let mut live = LiveClient::open(&ann.at(server.process.address), "t1").await;
    live.until_phase("wagers").await;
    let copy = server.file().with_extension("copy");
    let AnyStore::Sqlite(store) = store else { panic!("not an SQLite store") };
    store.backup(&copy).await.unwrap();
    live.expect_done(wagers(2_000)).await;
    assert_eq!(lost(&server, &ann).await, (staked + 2_000).max(won) - won);
    restore(&server.file(), &copy);
    assert_eq!(lost(&server, &ann).await, total);

    // After a restore, another process repeats the wager with other cents. Its transfer has the same place and id.
    live.expect_done(wagers(2_000)).await;
    assert_eq!(lost(&server, &ann).await, (staked + 2_000).max(won) - won);
    restore(&server.file(), &copy);
    let second = server.another_process().await;
    let repeated = ann.at(second.address).command("t1", "repeated", &wagers(2_500)).await;
    assert_eq!(repeated.status, 200, "{repeated:?}");
    assert_eq!(lost(&server, &ann).await, (staked + 2_500).max(won) - won);
}

#[tokio::test(flavor = "multi_thread")]
async fn loosening_takes_a_day() {
    let server = TestServer::new(&[]).await;
    let (ann, mut live) = seated(&server).await;
    set(&ann, json!({ "cents": 1_000, "days": 1 }), json!(60)).await;
    let limits = set(&ann, json!({ "cents": 5_000, "days": 1 }), json!(30)).await;
    assert_eq!((&limits["loss"]["cents"], &limits["minutes"]), (&json!(1_000), &json!(30)));
    assert_eq!(
        (&limits["pending"]["loss"]["cents"], &limits["pending"]["minutes"]),
        (&json!(5_000), &json!(30))
    );
    let from = limits["pending"]["from"].as_u64().unwrap();
    assert_eq!(live.expect_refused(wagers(2_000)).await, "loss_limit");
    // A day later.
    edit(&server, &ann.player, |limits| limits["pending"]["from"] = json!(from - 24 * 3_600_000)).await;
    live.expect_done(wagers(2_000)).await;
    let limits = ann.get("/api/account").await.json()["limits"].clone();
    assert_eq!((&limits["loss"]["cents"], &limits["pending"]), (&json!(5_000), &Value::Null));
    // Lifting both takes a day as well.
    let limits = set(&ann, Value::Null, Value::Null).await;
    assert_eq!((&limits["loss"]["cents"], &limits["minutes"]), (&json!(5_000), &json!(30)));
    assert_eq!((&limits["pending"]["loss"], &limits["pending"]["minutes"]), (&Value::Null, &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn time_limit_stops_further_wagers() {
    let server = TestServer::new(&[]).await;
    let (ann, mut live) = seated(&server).await;
    set(&ann, Value::Null, json!(1)).await;
    live.expect_done(wagers(1_000)).await;
    // The wager is an hour old. The journal is changed without the server.
    let file = rusqlite::Connection::open(server.file()).unwrap();
    file.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    assert!(file.execute("UPDATE journal SET at = at - 3600000 WHERE round = 1", []).unwrap() > 0);
    let used = ann.get("/api/account").await.json()["limits"]["used"]["minutes"].as_u64().unwrap();
    assert!((60..=61).contains(&used), "{used}");
    assert_eq!(live.expect_refused(wagers(1_500)).await, "time_limit");
    // Less at stake is allowed.
    live.expect_done(wagers(500)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_limits_are_refused_with_every_fault() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    let bad = json!({ "loss": { "cents": 1, "days": 2 }, "minutes": 2_000 });
    let response = patch(&ann, "/api/account/limits", &bad).await;
    assert_eq!(response.problem(), (422, "bad_limits".to_owned()));
    let problem = response.json();
    let codes: Vec<&str> =
        problem["faults"].as_array().unwrap().iter().map(|fault| fault["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["limit_days", "limit_minutes"]);
    // A missing field is no request to lift a limit.
    let missing = patch(&ann, "/api/account/limits", &json!({ "minutes": 30 })).await;
    assert_eq!(missing.problem(), (422, "bad_body".to_owned()));
}
