//! Sealed blocks: every answer of a store is the same before and after sealing, and every change to a block is found.

use crate::kit::cluster::Cluster;
use crate::kit::{Game, TempStore, TestEnvironment, host, name, operator, player, player_account, wager};
use paigow::rulebook::BuiltIn;
use paigow_server::{
    AnyStore, Block, CommandRow, Environment, Host, People, RulesCache, SealOutcome, SealRule, SealedBlock,
    Store, StoreError, TableRows, audit,
};
use paigow_table::{Command, TableId, Time};
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Seals everything that may be sealed.
const ALL: SealRule = SealRule { before: Time(u64::MAX), rounds_min: 1 };
/// Seals blocks of three rounds or more.
const LARGE: SealRule = SealRule { before: Time(u64::MAX), rounds_min: 3 };

const TABLES: [(&str, &str, u8); 3] = [("t1", "washington", 3), ("t2", "california", 4), ("t3", "ez", 2)];

type TestHost<S> = Host<S, TestEnvironment>;

/// Processes with a clock each, because a deadline of one table must not pass those of the others.
fn hosts<S: Store + Clone>(store: &S) -> Vec<TestHost<S>> {
    (1..).take(TABLES.len()).map(|seed| host(store.clone(), seed)).collect()
}

/// Plays rounds of three tables in turn, so that their transfers alternate in the journal.
async fn play<S: Store>(hosts: &[TestHost<S>], rounds: usize) -> Vec<Game<'_, S>> {
    let mut games = Vec::new();
    for (host, (table, book, seats)) in hosts.iter().zip(TABLES) {
        games.push(Game::open(host, table, book, seats).await);
    }
    for _ in 0..rounds {
        for game in &games {
            game.play_round().await;
        }
    }
    games
}

async fn seal(store: &AnyStore, rule: SealRule) -> u64 {
    let mut rounds = 0;
    for head in store.tables().await.unwrap() {
        while let SealOutcome::Sealed { rounds: more, .. } = store.seal_next(&head.table, rule).await.unwrap()
        {
            rounds += more;
        }
    }
    rounds
}

/// Every answer of a store, as text.
async fn answers(store: &AnyStore) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |what: String, answer: String| found.push(format!("{what}: {answer}"));
    let heads = store.tables().await.unwrap();
    add("tables".to_owned(), format!("{heads:?}"));
    add("ends".to_owned(), format!("{:?} {:?}", store.ends().await.unwrap(), store.newest().await.unwrap()));
    let balances = store.trial_balance().await.unwrap();
    let accounts: Vec<_> = balances.keys().cloned().collect();
    add("balances".to_owned(), format!("{balances:?}"));
    add("mismatched".to_owned(), format!("{:?}", store.mismatched_balances(&accounts).await.unwrap()));
    for head in &heads {
        let events = store.events(&head.table, 0).await.unwrap();
        for event in &events {
            let command = store.stored_command(&event.by, &event.command).await.unwrap();
            assert!(command.is_some(), "command {} of {}", event.command, event.by);
            add(format!("command {}", event.command), format!("{command:?}"));
        }
        for after in (0..=head.tip.seq).step_by(7) {
            add(format!("events {after}"), format!("{:?}", store.events(&head.table, after).await.unwrap()));
            for limit in [1, 5, 10_000] {
                let log = store.log(&head.table, after, limit).await.unwrap();
                add(format!("log {after} {limit}"), format!("{log:?}"));
            }
            let logs = store.logs(&[(head.table.clone(), after)], 3).await.unwrap();
            add(format!("logs {after}"), format!("{logs:?}"));
        }
        for round in 0..=events.last().unwrap().round + 1 {
            let journal = store.round_journal(&head.table, round).await.unwrap();
            add(format!("round {} {round}", head.table), format!("{journal:?}"));
        }
    }
    for limit in [1, 4, 10_000] {
        for account in accounts.iter().map(Some).chain([None]) {
            for after in [0, 10, 33, 100] {
                let journal = store.journal(account, after, limit).await.unwrap();
                assert!(journal.is_sorted_by_key(|row| row.seq) && journal.len() <= limit as usize);
                add(format!("journal {account:?} {after} {limit}"), format!("{journal:?}"));
            }
        }
        for player in ["t1-p1", "t2-p1", "t2-p4", "t3-p2", "unknown"] {
            for before in [None, Some(20), Some(90)] {
                let latest = store.latest_transfers(&player_account(player), before, limit).await.unwrap();
                add(format!("latest {player} {before:?} {limit}"), format!("{latest:?}"));
                let rounds = store.rounds_of(&name(player), before, limit).await.unwrap();
                add(format!("rounds {player} {before:?} {limit}"), format!("{rounds:?}"));
            }
        }
    }
    found
}

async fn assert_unchanged(store: &AnyStore, before: &[String]) {
    let after = answers(store).await;
    assert_eq!(after.len(), before.len());
    for (after, before) in after.iter().zip(before) {
        assert_eq!(after, before);
    }
    let report = audit(store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
}

async fn answers_are_the_same_after_sealing(store: AnyStore) {
    let hosts = hosts(&store);
    let host = &hosts[0];
    let games = play(&hosts, 8).await;
    hosts[2].command(&name("t3"), &operator(), &name("close"), &Command::Close).await.unwrap();
    let played = answers(&store).await;
    let rule = SealRule { before: Time(0), ..ALL };
    assert_eq!(seal(&store, rule).await, 0, "nothing is old enough");
    let rounds = seal(&store, LARGE).await;
    assert!(rounds > 0);
    assert_unchanged(&store, &played).await;
    seal(&store, ALL).await;
    assert_unchanged(&store, &played).await;
    assert_eq!(seal(&store, ALL).await, 0, "everything is sealed");

    // A repeated command gets its answer and another one with its id is refused, by a process that knows nothing.
    let fresh = self::host(store.clone(), 2);
    let id = name("c-t1-3");
    let repeated = fresh.command(&name("t1"), &player("t1-p2"), &id, &Command::Sit { seat: 2 }).await;
    let first = host.command(&name("t1"), &player("t1-p2"), &id, &Command::Sit { seat: 2 }).await;
    assert_eq!(repeated.unwrap(), first.unwrap());
    let reused = fresh.command(&name("t1"), &player("t1-p2"), &id, &Command::Stand).await;
    assert!(reused.is_err(), "{reused:?}");
    assert_unchanged(&store, &played).await;

    // Play goes on, in a process that has the tables in memory and in one that reads the blocks.
    for game in &games[..2] {
        game.play_round().await;
    }
    let fresh = self::host(store.clone(), 3);
    fresh.environment().now.store(host.environment().now().0, Ordering::Relaxed);
    let game = Game::new(&fresh, "t1", 3);
    assert!(fresh.command(&name("t1"), &player("t1-p1"), &name("fresh"), &wager(2_500)).await.is_ok());
    game.fire_deadline().await;
    let played = answers(&store).await;
    seal(&store, ALL).await;
    assert_unchanged(&store, &played).await;
    let events = store.events(&name("t2"), 0).await.unwrap();
    let records = paigow_server::records(&name("t2"), &events, &RulesCache::new(BuiltIn)).unwrap();
    assert_eq!(
        records.iter().filter(|record| !record.lines.is_empty()).count(),
        9,
        "nine rounds are settled"
    );
}

async fn two_processes_seal_each_row_once(store: AnyStore) {
    play(&hosts(&store), 6).await;
    let played = answers(&store).await;
    let sealers = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { seal(&store, ALL).await })
    });
    let mut rounds = 0;
    for sealer in sealers.collect::<Vec<_>>() {
        rounds += sealer.await.unwrap();
    }
    assert!(rounds >= 12, "{rounds}");
    assert_unchanged(&store, &played).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite() {
    let folder = TempStore::new();
    Box::pin(answers_are_the_same_after_sealing(AnyStore::Sqlite(folder.store.clone()))).await;
    let folder = TempStore::new();
    two_processes_seal_each_row_once(AnyStore::Sqlite(folder.store.clone())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres() {
    let cluster = Cluster::start();
    Box::pin(crate::both_stores::on_postgres(&cluster, answers_are_the_same_after_sealing)).await;
    crate::both_stores::on_postgres(&cluster, two_processes_seal_each_row_once).await;
}

/// Returns a sealed store in a file.
async fn sealed_file() -> (TempStore, std::path::PathBuf) {
    let folder = TempStore::new();
    play(&hosts(&folder.store), 4).await;
    seal(&AnyStore::Sqlite(folder.store.clone()), ALL).await;
    let file = folder.file();
    (folder, file)
}

/// Applies a change to a copy of a store and returns the codes of the audit's findings.
async fn codes_after(file: &Path, change: &str) -> Vec<&'static str> {
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy.db");
    Connection::open(file).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    Connection::open(&copy).unwrap().execute_batch(&format!("PRAGMA foreign_keys = OFF; {change}")).unwrap();
    let store = AnyStore::open_existing(copy.to_str().unwrap()).await.unwrap();
    let report = audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    report.findings.iter().map(|finding| finding.code).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_blocks_are_found() {
    let (_folder, file) = sealed_file().await;
    assert_eq!(codes_after(&file, "").await, Vec::<&str>::new());
    let block = "WHERE table_id = 't1' AND first_seq = 1";
    let other = "(SELECT content FROM blocks WHERE table_id = 't2' ORDER BY last_seq LIMIT 1)";
    for (change, code) in [
        (format!("UPDATE blocks SET content = {other} {block}"), "unreadable"),
        (format!("UPDATE blocks SET digest = zeroblob(32) {block}"), "unreadable"),
        (format!("UPDATE blocks SET hash = zeroblob(32) {block}"), "unreadable"),
        (format!("UPDATE blocks SET before = x'{}' {block}", "01".repeat(32)), "unreadable"),
        (format!("UPDATE blocks SET last_round = last_round + 1 {block}"), "unreadable"),
        (format!("UPDATE blocks SET last_place = last_place + 1 {block}"), "unreadable"),
        (format!("UPDATE blocks SET last_at = last_at - 1 {block}"), "unreadable"),
        (format!("UPDATE blocks SET table_id = 't2' {block}"), "unreadable"),
        (
            format!(
                "DELETE FROM block_commands WHERE block = (SELECT id FROM blocks {block}); \
                 DELETE FROM block_accounts WHERE block = (SELECT id FROM blocks {block}); DELETE FROM blocks {block}"
            ),
            "event_missing",
        ),
        ("DELETE FROM block_commands WHERE key = (SELECT min(key) FROM block_commands)".to_owned(), "block_damaged"),
        ("UPDATE block_commands SET key = key + 1 WHERE key = (SELECT min(key) FROM block_commands)".to_owned(), "block_damaged"),
        ("UPDATE block_accounts SET credit_cents = credit_cents + 1 WHERE owner = 'player:t1-p1'".to_owned(), "block_damaged"),
        ("UPDATE block_accounts SET last_place = last_place + 1 WHERE owner = 'player:t1-p1'".to_owned(), "block_damaged"),
        ("INSERT INTO block_accounts SELECT 'player:eve', currency, block, first_place, last_place, 0, 100 FROM block_accounts LIMIT 1".to_owned(), "block_damaged"),
        ("INSERT INTO block_accounts VALUES ('player:eve', 'PRACTICE', 999, 1, 1, 0, 100)".to_owned(), "file_damaged"),
        ("UPDATE accounts SET cents = cents + 1 WHERE owner = 'player:t1-p1'".to_owned(), "balance_differs"),
    ] {
        let codes = codes_after(&file, &change).await;
        assert!(codes.contains(&code), "{change}: {codes:?}");
    }
}

/// Collects the rows of a table.
struct Rows(TableId, TableRows);

impl paigow_server::StoreVisitor for Rows {
    fn table(&mut self, table: Option<&TableId>, rows: TableRows) {
        if table == Some(&self.0) {
            self.1 = rows;
        }
    }

    fn damage(&mut self, message: String) {
        panic!("{message}");
    }

    fn money(&mut self, _: Vec<paigow_server::AccountRow>, _: Vec<paigow_server::HoldRow>) {}

    fn acts(&mut self, _: Vec<paigow_server::OperatorAct>) {}

    fn house(&mut self, _: paigow_server::HouseLogPart) {}
}

/// Returns all rows of a table as one block.
async fn whole_table(store: &AnyStore, table: &str) -> Block {
    let Rows(table, rows) = store.walk(Rows(name(table), TableRows::default())).await.unwrap();
    let TableRows { events, mut commands, journal, .. } = rows;
    let first_event =
        |row: &CommandRow| events.iter().position(|event| event.by == row.by && event.command == row.id);
    commands.retain(|row| first_event(row).is_some());
    commands.sort_by_key(|row| first_event(row));
    Block { table, before: paigow_server::Tip::START, events, commands, journal }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_changed_byte_of_a_block_is_found() {
    let folder = TempStore::new();
    let store = AnyStore::Sqlite(folder.store.clone());
    play(&hosts(&store), 2).await;
    let block = whole_table(&store, "t2").await;
    let sealed = block.seal().unwrap();
    assert_eq!(sealed.open().unwrap(), block);
    let is_damaged = |changed: SealedBlock, what: &str| {
        let opened = changed.open();
        assert!(matches!(opened, Err(StoreError::Unreadable { .. })), "{what}");
    };
    for (index, _) in sealed.content.iter().enumerate() {
        let mut changed = sealed.clone();
        changed.content[index] ^= 1 << (index % 8);
        is_damaged(changed, &format!("byte {index}"));
    }
    is_damaged(SealedBlock { content: Vec::new(), ..sealed.clone() }, "no content");
    let mut longer = sealed.clone();
    longer.content.push(0);
    is_damaged(longer, "one more byte");
    // A writer who computes the digest again is found by the hashes.
    for index in 0..sealed.content.len() {
        let mut changed = sealed.clone();
        changed.content[index] ^= 1 << (index % 8);
        changed.digest = Sha256::digest(&changed.content).into();
        match changed.open() {
            Err(StoreError::Unreadable { .. }) => {}
            // Sequence numbers in the journal and rounds are not hashed. An audit compares them with the events.
            Ok(opened) => {
                let digests = |block: &Block| block.commands.iter().map(|row| row.digest).collect::<Vec<_>>();
                let texts =
                    |block: &Block| block.events.iter().map(|row| row.json.clone()).collect::<Vec<_>>();
                assert_eq!(
                    (digests(&opened), texts(&opened)),
                    (digests(&block), texts(&block)),
                    "byte {index}"
                );
            }
            Err(other) => panic!("byte {index}: {other}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_do_not_verify_are_not_sealed() {
    for change in [
        "UPDATE events SET json = replace(json, '2500', '2501') WHERE table_id = 't1'",
        "UPDATE events SET hash = zeroblob(32) WHERE table_id = 't1' AND seq = 3",
        "UPDATE events SET at = at + 1 WHERE table_id = 't1' AND seq = 3",
        "DELETE FROM events WHERE table_id = 't1' AND seq = 4",
        "DELETE FROM commands WHERE id = 'c-t1-3'",
        "UPDATE commands SET answer = '{}' WHERE id = 'c-t1-3'",
        "UPDATE journal SET cents = cents + 1 WHERE id = 't1/1/h1'",
        "UPDATE journal SET number = number + 1 WHERE id = 't1/1/h1'",
        "UPDATE journal SET at = at + 1 WHERE id = 't1/1/h1'",
        "DELETE FROM journal WHERE id = 't1/1/h1'",
    ] {
        let folder = TempStore::new();
        play(&hosts(&folder.store), 3).await;
        let connection = Connection::open(folder.file()).unwrap();
        connection.execute_batch(&format!("PRAGMA foreign_keys = OFF; {change}")).unwrap();
        let events = || -> (i64, i64) {
            let count = "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM blocks)";
            connection.query_row(count, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
        };
        let before = events();
        let outcome = folder.store.seal_next(&name("t1"), ALL).await;
        assert!(matches!(outcome, Err(StoreError::NotSealable(_))), "{change}: {outcome:?}");
        assert_eq!(events(), before, "{change}");
    }
}
