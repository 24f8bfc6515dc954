//! A host that restarts with other rules than its tables were opened with.

use crate::kit::{Game, TempStore, TestEnvironment, name, operator, player, player_account, wager};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_server::{AuditReport, Host, HostError, RulesCache, Sqlite, Store, audit};
use paigow_table::{Command, TableId};

/// The built-in books with another minimum wager.
struct Revised;

impl BookSource for Revised {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        let book = BuiltIn.book(name, from)?;
        let text = book.text.replacen("min = \"5.00\"", "min = \"10.00\"", 1);
        assert_ne!(text, *book.text);
        Some(Source::new(book.name, text))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from)
    }
}

#[tokio::test]
async fn table_with_changed_rules_is_not_played() {
    let TempStore { store, folder } = TempStore::new();
    let host = crate::kit::host(store, 1);
    let game = Game::open(&host, "t1", "ez", 2).await;
    let (who, table): (String, TableId) = (game.players[0].clone(), name("t1"));
    let by = player(&who);
    host.command(&table, &by, &name("w"), &wager(500)).await.unwrap();
    let before = host.store().balances(&[player_account(&who)]).await.unwrap();
    drop(host);

    let store = Sqlite::open(&folder.path().join("paigow.db")).unwrap();
    let host = Host::new(store, TestEnvironment::new(2), RulesCache::new(Revised), crate::kit::keys());
    let refused = |result: Result<_, HostError>| result.unwrap_err().code();
    assert_eq!(refused(host.command(&table, &by, &name("r"), &Command::Ready).await), "rules_changed");
    assert!(host.table(&table).await.unwrap().0.rules_have_changed());
    assert!(host.tick(&table).await.unwrap().is_none(), "a deadline fired");
    // A repeated command still gets its stored answer.
    host.command(&table, &by, &name("w"), &wager(500)).await.unwrap();
    let void = Command::Void { reason: "the rules have changed".into() };
    host.command(&table, &operator(), &name("v"), &void).await.unwrap();
    host.command(&table, &operator(), &name("c"), &Command::Close).await.unwrap();
    let after = host.store().balances(&[player_account(&who)]).await.unwrap();
    assert_eq!(after.values().sum::<i64>() - before.values().sum::<i64>(), 500, "the wager is returned");

    // The audit reports the changed rules, and nothing with the right book.
    let found = |report: AuditReport| report.findings.first().map(|finding| finding.code);
    assert_eq!(found(audit(host.store(), RulesCache::new(Revised)).await.unwrap()), Some("rules_differ"));
    assert_eq!(found(audit(host.store(), RulesCache::new(BuiltIn)).await.unwrap()), None);
}
