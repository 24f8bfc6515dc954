//! A server over damaged records: it starts, names the table, and serves the others.

use crate::kit::{House, until};
use rusqlite::Connection;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_table_is_named_and_the_others_are_served() {
    let mut house = House::new(&[]).await;
    let ready = house.browser().get("/readyz").await.json();
    assert_eq!((&ready["status"], &ready["damaged_tables"]), (&json!("ok"), &json!([])));
    house.process.ask_to_stop();
    house.process.ended().await;
    let file = Connection::open(house.file()).unwrap();
    let damaged = file.execute("UPDATE events SET hash = zeroblob(32) WHERE table_id = 'ez'", []).unwrap();
    assert!(damaged > 0, "the table for practice is there");
    drop(file);
    house.process = house.second().await;

    let browser = house.browser();
    let named = || async { browser.get("/readyz").await.json()["damaged_tables"].clone() };
    until("the table to be found", || async { named().await != json!([]) }).await;
    assert_eq!(named().await, json!(["ez"]));
    assert_eq!(house.browser().get("/readyz").await.status, 200, "the others go on");
    let metrics = house.browser().get("/metrics").await.text();
    assert!(metrics.contains("paigow_damaged_tables 1"), "{metrics}");

    let ann = house.guest("Ann").await;
    let sit = json!({ "do": "sit", "seat": 1 });
    let refused = ann.command("ez", "sit", &sit).await;
    assert_eq!(refused.problem(), (500, "damaged".to_owned()));
    assert_eq!(refused.json()["detail"], "table ez is closed to play: its records are damaged");
    let lobby = house.browser().get("/api/tables").await.json();
    let others: Vec<&str> =
        lobby["tables"].as_array().unwrap().iter().map(|table| table["table"].as_str().unwrap()).collect();
    assert!(!others.is_empty() && !others.contains(&"ez"), "{others:?}");
    let answer = ann.command(others[0], "sit", &sit).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}
