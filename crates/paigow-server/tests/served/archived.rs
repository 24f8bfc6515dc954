//! Archived rounds over HTTP: they are refused by the name of their archive, and the table plays on from its checkpoint.

use crate::kit::{LiveClient, TestServer, clocks};
use crate::results::{play, wagers};
use paigow::rulebook::BuiltIn;
use paigow_answers::puzzle::Day;
use paigow_server::settings::StoreLocation;
use paigow_server::{
    ArchiveOptions, Environment, RulesCache, SystemEnvironment, archive, audit, read_master_keys,
};
use paigow_testkit::Rng;
use serde_json::{Value, json};
use std::sync::Arc;

const BOOK: &str = "washington";
const MONTH_MS: u64 = 30 * 86_400_000;

#[tokio::test(flavor = "multi_thread")]
async fn archived_rounds_are_refused_with_the_name_of_their_archive() {
    let mut server = TestServer::new(&[("guest_chips_cents", "100000000")]).await;
    server.open_table("old", BOOK, &clocks(600_000, 600_000, 600_000, 1)).await;
    let mut players = Vec::new();
    for seat in 1..=2 {
        let guest = server.guest(&format!("Guest {seat}")).await;
        let mut live = LiveClient::open(&guest, "old").await;
        live.expect_done(json!({ "do": "sit", "seat": seat })).await;
        players.push((guest, live));
    }
    play(BOOK, 3, &mut players, &mut Rng::new(5)).await;
    // The last round of an open table is sealed once the next one has opened.
    for (_, live) in &mut players {
        live.until("the next round", |live| live.round() > 3).await;
    }
    let ann = players[0].0.clone();
    let before = ann.get("/api/session/results?limit=10").await.json();
    assert_eq!(before["results"].as_array().unwrap().len(), 3);
    let transferred = |data: &Value| -> (Vec<Value>, i64) {
        let journal = data["journal"]["PRACTICE"].as_array().unwrap();
        let cents = |transfer: &Value, side: &str| {
            let is_own = transfer[side] == json!(format!("player:{}", ann.player));
            if is_own { transfer["cents"].as_i64().unwrap() } else { 0 }
        };
        let sum = journal.iter().map(|transfer| cents(transfer, "to") - cents(transfer, "from")).sum();
        (data["archived"].as_array().unwrap().clone(), sum)
    };
    let (none, balance) = transferred(&ann.get("/api/account/data").await.json());
    assert_eq!(none, [Value::Null; 0]);
    // The newest transfer of a store is never sealed.
    server.guest("Guest 3").await;

    let out = server.file().with_file_name("old.paigow");
    let (store, file) = (StoreLocation::from(server.store.clone()), out.clone());
    let keys = Arc::new(read_master_keys(&server.file().with_extension("key")).unwrap());
    let work = move || {
        let progress = |_: &str, _: u64| -> Box<dyn Fn(u64) + Send + Sync> { Box::new(|_| {}) };
        archive(&ArchiveOptions {
            store: &store,
            out: &file,
            days: 7,
            now: SystemEnvironment.now().plus(MONTH_MS),
            rules: RulesCache::new(BuiltIn),
            keys,
            progress: &progress,
        })
    };
    let outcome = tokio::task::spawn_blocking(work).await.unwrap().unwrap();
    let archived = outcome.report.tables.iter().find(|range| range.table.as_str() == "old").unwrap();
    assert!(archived.last_round >= 3);

    // The running process refuses archived rounds, and so does one that loads the table from its checkpoint.
    for restarted in [false, true] {
        if restarted {
            server.restart().await;
        }
        let ann = ann.at(server.process.address);
        for path in
            ["/api/tables/old/rounds/1", "/api/tables/old/rounds/3/receipt", "/api/session/results/old/2"]
        {
            let refused = ann.get(path).await;
            assert_eq!(refused.problem(), (410, "archived".to_owned()), "{path}");
            let detail = refused.json()["detail"].as_str().unwrap().to_owned();
            assert!(detail.contains("old.paigow"), "{path}: {detail}");
        }
        assert_eq!(ann.get("/api/tables/old/rounds/99").await.status, 404);
        // What left the store and what is in it add up to the balance.
        let (sums, left) = transferred(&ann.get("/api/account/data").await.json());
        let [sum] = &sums[..] else { panic!("{sums:?}") };
        assert_eq!((&sum["file"], &sum["currency"]), (&json!("old.paigow"), &json!("PRACTICE")));
        let moved = sum["credit_cents"].as_i64().unwrap() - sum["debit_cents"].as_i64().unwrap();
        assert!(moved != 0 || sum["debit_cents"] != 0);
        assert_eq!(left + moved, balance);
        assert_eq!(ann.get("/api/session/results?limit=10").await.json()["results"], json!([]));
        let today = Day::today();
        let report = format!("/api/operator/reports?from={today}&to={today}");
        let refused = server.operator().get(&report).await;
        assert_eq!(refused.problem(), (410, "archived".to_owned()));
    }

    // The table plays on.
    let round = archived.last_round + 1;
    for (guest, live) in &mut players {
        *live = LiveClient::open(&guest.at(server.process.address), "old").await;
    }
    for (_, live) in &mut players {
        live.until("wagers", |live| live.round() == round && live.phase() == "wagers").await;
        let wagers = wagers(live);
        live.expect_done(json!({ "do": "wagers", "wagers": wagers, "ready": true })).await;
    }
    for (_, live) in &mut players {
        live.until_phase("settings").await;
        live.expect_done(json!({ "do": "house_way" })).await;
    }
    for (_, live) in &mut players {
        live.until("the result", |live| live.round() > round || live.phase() == "between").await;
    }
    let played = ann.at(server.process.address).get(&format!("/api/tables/old/rounds/{round}")).await;
    assert_eq!(played.status, 200, "{played:?}");
    let report = audit(&server.open_store().await, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
    assert!(report.archived_rounds >= 3);
}
