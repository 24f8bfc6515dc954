//! Practice tables after a restart with changed rules.

use crate::kit::{TestServer, until};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_server::{Host, RulesCache, Sqlite, Store, SystemEnvironment};
use paigow_table::{Account, Actor, Clocks, Command, Config, MasterKeys, Owner, TableId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use tempfile::TempDir;

/// The built-in books with another minimum wager, as an earlier version may have had them.
struct EarlierBooks;

impl BookSource for EarlierBooks {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        let book = BuiltIn.book(name, from)?;
        let text = book.text.replacen("min = \"5.00\"", "min = \"10.00\"", 1);
        Some(Source::new(book.name, text))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from)
    }
}

fn config(table: &str, currency: &str) -> Config {
    Config {
        table: table.parse().unwrap(),
        book: "ez".to_owned(),
        paytables: BTreeMap::new(),
        changes: BTreeMap::new(),
        currency: currency.parse().unwrap(),
        clocks: Clocks::default(),
        dealer_wager_cents: 0,
        bots: 0,
        name: None,
        private: false,
        house_way_toml: None,
    }
}

async fn lobby(server: &TestServer) -> Vec<Value> {
    server.browser().get("/api/tables").await.json()["tables"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_table_with_changed_rules_is_replaced_and_refunded() {
    let folder = TempDir::new().unwrap();
    let olga: Actor = Actor::Operator("olga".parse().unwrap());
    let ann = Actor::Player("ann".parse().unwrap());
    let account =
        Account { owner: Owner::Player("ann".parse().unwrap()), currency: "PRACTICE".parse().unwrap() };
    {
        let store = Sqlite::open(&folder.path().join("paigow.db")).unwrap();
        let host = Host::new(
            store,
            SystemEnvironment,
            RulesCache::new(EarlierBooks),
            Arc::new(MasterKeys::new(&[[7; 32]]).unwrap()),
        );
        for (table, currency) in
            [("ez", "PRACTICE"), ("ez-2", "EUR"), ("other", "PRACTICE"), ("own-ann-1", "PRACTICE")]
        {
            host.open(&olga, &table.parse().unwrap(), config(table, currency)).await.unwrap();
        }
        host.issue(&olga, &"chips".parse().unwrap(), account.clone(), 100_000).await.unwrap();
        let ez: TableId = "ez".parse().unwrap();
        let wagers = serde_json::from_value(json!([{ "wager": "pai-gow", "cents": 1_000 }])).unwrap();
        for (id, command) in [
            ("sit", Command::Sit { seat: 1 }),
            ("wager", Command::Wagers { wagers, ready: false, commitment: None }),
        ] {
            host.command(&ez, &ann, &id.parse().unwrap(), &command).await.unwrap();
        }
        assert_eq!(host.store().balances(std::slice::from_ref(&account)).await.unwrap()[&account], 99_000);
    }
    let mut server = TestServer::over(folder).await;
    let names = |tables: &[Value]| -> Vec<String> {
        tables.iter().map(|table| table["table"].as_str().unwrap().to_owned()).collect()
    };
    // The practice table and the table that a player opened are closed. Tables in other currencies and tables of
    // operators stay open.
    until("the closed tables", async || names(&lobby(&server).await) == ["ez-2", "ez-3", "other"]).await;
    let store = server.open_store().await;
    assert_eq!(store.balances(std::slice::from_ref(&account)).await.unwrap()[&account], 100_000);
    let changed: Vec<bool> =
        lobby(&server).await.iter().map(|table| table["rules_changed"].as_bool().unwrap()).collect();
    assert_eq!(changed, [true, false, true]);
    let (_, live) = server.seat_guests("ez-3", 1).await.remove(0);
    drop(live);
    // The next restart changes nothing.
    server.restart().await;
    assert_eq!(names(&lobby(&server).await), ["ez-2", "ez-3", "other"]);
}
