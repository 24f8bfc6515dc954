//! A server with damaged records: it starts, reports the damaged table, and serves the others.

use crate::kit::{TestServer, until};
use rusqlite::Connection;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn damaged_table_is_reported_and_the_others_are_served() {
    let mut server = TestServer::new(&[]).await;
    let ready = server.browser().get("/readyz").await.json();
    assert_eq!((&ready["status"], &ready["damaged_tables"]), (&json!("ok"), &json!([])));
    server.process.request_stop();
    server.process.wait_for_exit().await;
    let file = Connection::open(server.file()).unwrap();
    let damaged = file.execute("UPDATE events SET hash = zeroblob(32) WHERE table_id = 'ez'", []).unwrap();
    assert!(damaged > 0, "the practice table has no events");
    drop(file);
    server.process = server.another_process().await;

    let browser = server.browser();
    let damaged_tables = || async { browser.get("/readyz").await.json()["damaged_tables"].clone() };
    until("the damaged table", || async { damaged_tables().await != json!([]) }).await;
    assert_eq!(damaged_tables().await, json!(["ez"]));
    assert_eq!(server.browser().get("/readyz").await.status, 200, "the other tables are served");
    let metrics = server.browser().get("/metrics").await.text();
    assert!(metrics.contains("paigow_damaged_tables 1"), "{metrics}");

    let ann = server.guest("Ann").await;
    let sit = json!({ "do": "sit", "seat": 1 });
    let refused = ann.command("ez", "sit", &sit).await;
    assert_eq!(refused.problem(), (500, "damaged".to_owned()));
    assert_eq!(refused.json()["detail"], "table ez is closed to play: its records are damaged");
    let lobby = server.browser().get("/api/tables").await.json();
    let others: Vec<&str> =
        lobby["tables"].as_array().unwrap().iter().map(|table| table["table"].as_str().unwrap()).collect();
    assert!(!others.is_empty() && !others.contains(&"ez"), "{others:?}");
    let response = ann.command(others[0], "sit", &sit).await;
    assert_eq!(response.status, 200, "{response:?}");
}
