//! A host that comes back with another rule book than its tables were opened with.

use crate::kit::{Folder, Play, Stage, name, operator, player, purse, wager};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_server::{AuditReport, Host, HostError, RulesCache, Sqlite, Store, audit};
use paigow_table::{Command, TableId};

/// The books as they come, with another least wager.
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
async fn a_table_is_played_by_its_own_rules_or_not_at_all() {
    let Folder { store, folder } = Folder::new();
    let host = crate::kit::host(store, 1);
    let play = Play::open(&host, "t1", "ez", 2).await;
    let (who, table): (String, TableId) = (play.players[0].clone(), name("t1"));
    let by = player(&who);
    host.command(&table, &by, &name("w"), &wager(500)).await.unwrap();
    let before = host.store().balances(&[purse(&who)]).await.unwrap();
    drop(host);

    let store = Sqlite::open(&folder.path().join("paigow.db")).unwrap();
    let host = Host::new(store, Stage::new(2), RulesCache::new(Revised), crate::kit::keys());
    let refused = |given: Result<_, HostError>| given.unwrap_err().code();
    assert_eq!(refused(host.command(&table, &by, &name("r"), &Command::Ready).await), "rules_changed");
    assert!(host.table(&table).await.unwrap().0.rules_have_changed());
    assert!(host.tick(&table).await.unwrap().is_none(), "the clock has nothing to see to");
    // A command that was done before is still known.
    host.command(&table, &by, &name("w"), &wager(500)).await.unwrap();
    let void = Command::Void { reason: "the rules have changed".into() };
    host.command(&table, &operator(), &name("v"), &void).await.unwrap();
    host.command(&table, &operator(), &name("c"), &Command::Close).await.unwrap();
    let after = host.store().balances(&[purse(&who)]).await.unwrap();
    assert_eq!(after.values().sum::<i64>() - before.values().sum::<i64>(), 500, "the wager is back");

    // The audit says so; with the right book there is nothing to say.
    let found = |report: AuditReport| report.findings.first().map(|finding| finding.code);
    assert_eq!(found(audit(host.store(), RulesCache::new(Revised)).await.unwrap()), Some("rules_differ"));
    assert_eq!(found(audit(host.store(), RulesCache::new(BuiltIn)).await.unwrap()), None);
}
