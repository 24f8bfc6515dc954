//! Archives: rounds leave a store for a signed file, nothing is lost, and every change to either is found.

use crate::fixtures::fixtures;
use crate::kit::cluster::Cluster;
use crate::kit::{
    Game, TempStore, TestEnvironment, host, keys, name, operator, player, player_account, wager,
};
use paigow::rulebook::BuiltIn;
use paigow_server::settings::StoreLocation;
use paigow_server::{
    AnyStore, AppendOutcome, ArchiveError, ArchiveOptions, ArchiveOutcome, ArchiveReport, AuditOptions,
    AuditReport, Batch, Host, InvalidArchive, MoveOptions, People, RulesCache, Store, StoreError, archive,
    archived_round, audit_archive, audit_with, move_store,
};
use paigow_table::{Account, Command, MasterKeys, Owner, Purpose, Time, Transfer, TransferKind, Viewer};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

const DAY_MS: u64 = 86_400_000;
/// Time of the first archive: all rounds of the first part of the play are older than 7 days.
const FIRST: u64 = 20 * DAY_MS;

fn rules() -> RulesCache {
    RulesCache::new(BuiltIn)
}

async fn archived_as(
    store: &str,
    out: &Path,
    days: u64,
    now: u64,
    keys: Arc<MasterKeys>,
) -> Result<ArchiveOutcome, ArchiveError> {
    let (store, out) = (StoreLocation::from(store.to_owned()), out.to_owned());
    let work = move || {
        let progress = |_: &str, _: u64| -> Box<dyn Fn(u64) + Send + Sync> { Box::new(|_| {}) };
        archive(&ArchiveOptions {
            store: &store,
            out: &out,
            days,
            now: Time(now),
            rules: rules(),
            keys,
            progress: &progress,
        })
    };
    tokio::task::spawn_blocking(work).await.unwrap()
}

async fn archived(store: &str, out: &Path, days: u64, now: u64) -> Result<ArchiveOutcome, ArchiveError> {
    archived_as(store, out, days, now, keys()).await
}

async fn audited(store: &AnyStore, archives: &[PathBuf]) -> AuditReport {
    let options = AuditOptions { keys: Some(keys()), archives: archives.to_vec(), ..AuditOptions::default() };
    audit_with(store, rules(), options).await.unwrap()
}

async fn balances(store: &AnyStore) -> BTreeMap<Account, i64> {
    store.trial_balance().await.unwrap()
}

async fn moved(from: &str, to: &str) {
    let (from, to) = (StoreLocation::from(from.to_owned()), StoreLocation::from(to.to_owned()));
    let work = move || {
        let progress = |_: &str, _: u64| -> Box<dyn Fn(u64) + Send + Sync> { Box::new(|_| {}) };
        let (rules, keys) = (rules(), Some(keys()));
        move_store(MoveOptions { from: &from, to: &to, rules, keys, progress: &progress }).unwrap()
    };
    tokio::task::spawn_blocking(work).await.unwrap();
}

/// Plays at three tables, each with a clock of its own, because a deadline of one must not pass those of the others. A player
/// leaves after each deal, so that a command frees a seat and opens a round. The third table is closed.
async fn play(store: &AnyStore, rounds: usize) {
    let hosts = [1, 2, 3].map(|seed| host(store.clone(), seed));
    let dealer = Game::open(&hosts[0], "t1", "washington", 4).await;
    let banked = Game::open(&hosts[1], "t2", "california", 4).await;
    let closed = Game::open(&hosts[2], "t3", "ez", 2).await;
    for _ in 0..rounds {
        for game in [&dealer, &banked, &closed] {
            game.play_round().await;
        }
        for player in &dealer.players {
            dealer.expect_done(player, wager(2_500)).await;
        }
        dealer.fire_deadline().await;
        dealer.expect_done("t1-p3", Command::Stand).await;
        dealer.fire_deadline().await;
        let opened = dealer.fire_deadline().await;
        assert!(opened.seq - opened.after > 2, "the command frees a seat and opens a round");
        dealer.expect_done("t1-p3", Command::Sit { seat: 3 }).await;
    }
    closed.host.command(&closed.table, &operator(), &name("close-t3"), &Command::Close).await.unwrap();
    while !closed.host.table(&closed.table).await.unwrap().0.is_closed() {
        closed.fire_deadline().await;
    }
}

/// Opens the store of an address, signs its house log, and plays.
async fn played(address: &str, rounds: usize) -> AnyStore {
    let store = AnyStore::open(address).await.unwrap();
    store.sign_heads(keys());
    Box::pin(play(&store, rounds)).await;
    issue_last(&store, "last-issue").await;
    store
}

/// Issues chips, because the newest transfer of a store is never sealed.
async fn issue_last(store: &AnyStore, id: &str) {
    let issued = host(store.clone(), 4);
    issued.issue(&operator(), &name(id), player_account("zoe"), 500).await.unwrap();
}

/// Ends the round that a table was left in, at a later time, and plays some more.
async fn continue_at<S: Store>(host: &Host<S, TestEnvironment>, table: &str, now: u64, rounds: usize) {
    host.environment().now.store(now, Ordering::Relaxed);
    let game = Game::new(host, table, 4).numbered_from(now);
    let before = host.table(&game.table).await.unwrap().0.round_number();
    while host.table(&game.table).await.unwrap().0.round_number() == before {
        game.fire_deadline().await;
    }
    for _ in 0..rounds {
        game.play_round().await;
    }
}

/// Continues the play of the open tables at a later time, in new processes.
async fn continue_play(store: &AnyStore, now: u64, rounds: usize) {
    for table in ["t1", "t2"] {
        continue_at(&host(store.clone(), now), table, now, rounds).await;
    }
    issue_last(store, &format!("issue-{now}")).await;
    let closed = host(store.clone(), now).table(&name("t3")).await.unwrap().0;
    assert!(closed.is_closed() && closed.view(&Viewer::Watcher).seats.is_empty());
}

/// Archives twice with play between, and moves the store to another database.
async fn archives_follow_each_other(address: &str, other: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.paigow"), folder.path().join("second.paigow"));
    let store = played(address, 6).await;
    let before = audited(&store, &[]).await;
    assert_eq!(before.findings, []);
    let sums = balances(&store).await;
    // A server uses the store meanwhile: its table in memory goes on.
    let server = host(store.clone(), 5);
    server.table(&name("t1")).await.unwrap();

    let ArchiveOutcome { resumed, recorded_before, report } =
        archived(address, &first, 7, FIRST).await.unwrap();
    assert!(!resumed && !recorded_before);
    assert_eq!(report.findings, []);
    assert_eq!((report.header.number, report.header.previous, report.signed), (1, None, Some(true)));
    assert_eq!(report.counts.tables, 3);
    assert!(report.counts.rounds >= 20, "{:?}", report.counts);
    assert!(!folder.path().join("first.paigow.partial").exists());

    assert_eq!(balances(&store).await, sums);
    let after = audited(&store, std::slice::from_ref(&first)).await;
    assert_eq!(after.findings, []);
    assert_eq!((after.archives, after.archives_compared), (1, 1));
    assert_eq!(after.heads, before.heads);
    assert_eq!(after.rounds + after.archived_rounds, before.rounds);
    assert_eq!(after.archived_rounds, report.counts.rounds);
    assert_eq!(after.events + report.counts.events, before.events);
    assert_eq!(after.transfers + report.counts.transfers, before.transfers);

    // Archived rounds are refused, and an archived command is never executed again.
    let refused = store.round_journal(&name("t1"), 1).await.unwrap_err();
    let StoreError::Archived { file, archive, .. } = refused else { panic!("{refused}") };
    assert_eq!((file.as_str(), archive), ("first.paigow", report.digest.0));
    let fresh = host(store.clone(), 3);
    for id in ["c-t1-1", "c-t1-8"] {
        for command in [Command::Sit { seat: 1 }, wager(2_500), Command::Ready] {
            let again = fresh.command(&name("t1"), &player("t1-p1"), &name(id), &command).await.unwrap_err();
            assert_eq!(again.code(), "archived", "{id}: {again}");
            assert!(again.to_string().contains("first.paigow"), "{again}");
        }
    }
    assert_eq!(balances(&store).await, sums);

    // The same command again changes nothing. No later round is old enough.
    let again = archived(address, &first, 7, FIRST).await.unwrap();
    assert!(again.resumed && again.recorded_before);
    let nothing = archived(address, &second, 7, FIRST).await.unwrap_err();
    assert!(matches!(nothing, ArchiveError::Nothing { days: 7 }), "{nothing}");
    assert!(!second.exists());

    // Play goes on in both processes, from memory and from the checkpoint.
    continue_at(&server, "t1", FIRST, 1).await;
    continue_play(&store, FIRST + DAY_MS, 3).await;
    assert_eq!(audited(&store, std::slice::from_ref(&first)).await.findings, []);

    // Days below 7 do not archive what a loss limit needs.
    let early = archived(address, &second, 0, FIRST + 6 * DAY_MS).await.unwrap_err();
    assert!(matches!(early, ArchiveError::Nothing { days: 7 }), "{early}");
    let outcome = archived(address, &second, 7, FIRST + 30 * DAY_MS).await.unwrap();
    assert_eq!(outcome.report.header.number, 2);
    assert_eq!(outcome.report.header.previous, Some(report.digest));
    assert_eq!(outcome.report.counts.tables, 2, "the closed table has no more rounds");
    for range in &outcome.report.tables {
        let earlier = report.tables.iter().find(|earlier| earlier.table == range.table).unwrap();
        assert_eq!((range.after, range.before), (earlier.seq, earlier.hash));
        assert_eq!(range.first_round, earlier.last_round + 1);
    }
    continue_play(&store, FIRST + 31 * DAY_MS, 2).await;
    let files = [first.clone(), second.clone()];
    let last = audited(&store, &files).await;
    assert_eq!(last.findings, []);
    assert_eq!((last.archives, last.archives_compared), (2, 2));

    // Every archived round replays from its file alone.
    for (file, report) in [(&first, &report), (&second, &outcome.report)] {
        for range in &report.tables {
            for round in range.first_round..=range.last_round {
                let replayed = archived_round(file, &range.table, round, &rules()).unwrap();
                assert_eq!((replayed.record.round, &replayed.record.table), (round, &range.table));
                assert!(replayed.record.ended_at.is_some() && !replayed.events.is_empty());
            }
            let missing = archived_round(file, &range.table, range.last_round + 1, &rules()).unwrap_err();
            assert!(missing.to_string().contains("does not have round"), "{missing}");
        }
    }

    // The store moves with what it keeps of its archives.
    let sums = balances(&store).await;
    drop((server, fresh, store));
    moved(address, other).await;
    let target = AnyStore::open_existing(other).await.unwrap();
    target.sign_heads(keys());
    let there = audited(&target, &files).await;
    assert_eq!(there.findings, []);
    assert_eq!((there.archives_compared, &there.heads), (2, &last.heads));
    assert_eq!(balances(&target).await, sums);
    continue_play(&target, FIRST + 40 * DAY_MS, 1).await;
    let third = folder.path().join("third.paigow");
    let outcome = archived(other, &third, 7, FIRST + 60 * DAY_MS).await.unwrap();
    assert_eq!(outcome.report.header.number, 3);
    assert_eq!(audited(&target, &[first, second, third]).await.findings, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archives_of_both_stores_follow_each_other() {
    let cluster = Cluster::start();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    Box::pin(archives_follow_each_other(&file("a.db"), &cluster.database().await)).await;
    Box::pin(archives_follow_each_other(&cluster.database().await, &file("b.db"))).await;
}

/// A store with an archive, for hostile changes.
struct Original {
    folder: tempfile::TempDir,
    report: ArchiveReport,
}

impl Original {
    async fn create() -> Original {
        let TempStore { store, folder } = TempStore::new();
        drop(store);
        let path = folder.path().join("paigow.db");
        let store = played(path.to_str().unwrap(), 2).await;
        let file = folder.path().join("old.paigow");
        let report = archived(path.to_str().unwrap(), &file, 7, FIRST).await.unwrap().report;
        drop(store);
        Original { folder, report }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("old.paigow")
    }

    /// Audits a copy of the store after a change.
    async fn codes_after(&self, change: &str) -> Vec<&'static str> {
        let copy = self.folder.path().join("copy.db");
        for path in [copy.clone(), copy.with_extension("db-wal"), copy.with_extension("db-shm")] {
            let _ = fs::remove_file(path);
        }
        let original = Connection::open(self.folder.path().join("paigow.db")).unwrap();
        original.execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
        drop(original);
        let connection = Connection::open(&copy).unwrap();
        connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;").unwrap();
        connection.execute_batch(change).unwrap();
        drop(connection);
        let store = AnyStore::open_existing(copy.to_str().unwrap()).await.unwrap();
        let report = audited(&store, &[]).await;
        report.findings.iter().map(|finding| finding.code).collect()
    }
}

/// Every row that the store keeps of an archive is covered by the signed house log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_to_kept_rows_are_found() {
    let original = Original::create().await;
    assert_eq!(original.codes_after("SELECT 1").await, [""; 0]);
    let money = "UPDATE block_accounts SET credit_cents = credit_cents + 100 WHERE owner = 'player:t1-p1' \
        AND block = (SELECT min(id) FROM blocks WHERE table_id = 't1'); ";
    let paid = "UPDATE accounts SET cents = cents + 100 WHERE owner = 'player:t1-p1'; \
        UPDATE accounts SET cents = cents - 100 WHERE owner = 'issue' AND shard = ''; ";
    for (change, code) in [
        (format!("{money}{paid}"), "archive_changed"),
        (money.to_owned(), "balance_differs"),
        ("DELETE FROM block_commands WHERE key = (SELECT min(key) FROM block_commands)".into(), "archive_changed"),
        ("UPDATE block_commands SET key = key + 1 WHERE key = (SELECT max(key) FROM block_commands)".into(), "archive_changed"),
        ("DELETE FROM block_accounts WHERE owner = 'player:t1-p1'".into(), "archive_changed"),
        ("UPDATE blocks SET last_at = last_at + 1 WHERE table_id = 't1'".into(), "archive_changed"),
        ("UPDATE blocks SET digest = zeroblob(32) WHERE table_id = 't2'".into(), "archive_changed"),
        ("UPDATE blocks SET last_place = 0 WHERE table_id = 't2'".into(), "archive_changed"),
        ("DELETE FROM blocks WHERE table_id = 't1'".into(), "archive_changed"),
        ("UPDATE checkpoints SET json = replace(json, '\"holds\":', '\"holds\":1') WHERE table_id = 't1'".into(), "archive_changed"),
        ("UPDATE checkpoints SET json = 'x' WHERE table_id = 't1'".into(), "checkpoint_invalid"),
        ("UPDATE checkpoints SET opened = replace(opened, 'washington', 'ez') WHERE table_id = 't1'".into(), "rules_differ"),
        ("UPDATE checkpoints SET seq = seq - 1 WHERE table_id = 't1'".into(), "checkpoint_missing"),
        ("UPDATE checkpoints SET hash = zeroblob(32) WHERE table_id = 't1'".into(), "checkpoint_missing"),
        ("DELETE FROM checkpoints WHERE table_id = 't2'".into(), "checkpoint_missing"),
        ("DELETE FROM archives".into(), "archive_missing"),
        ("UPDATE archives SET file = 'other'".into(), "archive_changed"),
        ("UPDATE archives SET older_than = older_than + 1".into(), "archive_changed"),
        ("UPDATE archives SET rounds = rounds - 1".into(), "archive_changed"),
        ("INSERT INTO archives SELECT 2, zeroblob(32), file, at, older_than, tables, blocks, rounds, events, commands, transfers FROM archives".into(), "archive_unlogged"),
        ("UPDATE house_log SET json = replace(json, 'old.paigow', 'new.paigow') WHERE json LIKE '%archived%'".into(), "house_log_broken"),
        ("DELETE FROM house_log WHERE json LIKE '%archived%'".into(), "archive_unlogged"),
        ("UPDATE house_log SET signature = zeroblob(64) WHERE json LIKE '%archived%'".into(), "signature_differs"),
    ] {
        let codes = original.codes_after(&change).await;
        assert!(codes.contains(&code), "{change}: {codes:?}");
    }
}

fn codes(file: &Path) -> Vec<&'static str> {
    match audit_archive(file, &rules(), Some(&keys()), None) {
        Ok(report) => report.findings.iter().map(|finding| finding.code).collect(),
        Err(InvalidArchive::Io(error)) => panic!("{error}"),
        Err(_) => vec!["refused"],
    }
}

/// A file with any changed, missing, added or moved byte fails its audit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_to_the_file_are_found() {
    let original = Original::create().await;
    let bytes = fs::read(original.file()).unwrap();
    assert_eq!(codes(&original.file()), [""; 0]);
    let changed = original.folder.path().join("changed.paigow");
    let found = |bytes: &[u8]| {
        fs::write(&changed, bytes).unwrap();
        codes(&changed)
    };
    // Every byte of the first and the last record, and every 97th of the others.
    let positions = (0..bytes.len()).filter(|at| *at < 500 || bytes.len() - at < 200 || at % 97 == 0);
    for at in positions {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        let codes = found(&bytes);
        assert!(codes.contains(&"archive_changed") || codes == ["refused"], "byte {at}: {codes:?}");
    }
    for length in [0, 1, 15, 16, 17, 100, bytes.len() / 2, bytes.len() - 73, bytes.len() - 1] {
        assert!(!found(&bytes[..length]).is_empty(), "{length} bytes");
    }
    for added in [&[0][..], &bytes[bytes.len() - 73..]] {
        assert!(!found(&[&bytes, added].concat()).is_empty());
    }
    let middle = bytes.len() / 2;
    let swapped =
        [&bytes[..middle], &bytes[middle + 1..=middle + 1], &bytes[middle..=middle], &bytes[middle + 2..]];
    assert!(bytes[middle] == bytes[middle + 1] || !found(&swapped.concat()).is_empty());
    // Another key makes a valid file, but not one that the house has signed.
    let other = Arc::new(MasterKeys::new(&[[8; 32]]).unwrap());
    let report = audit_archive(&original.file(), &rules(), Some(&other), None).unwrap();
    assert_eq!(report.signed, Some(false));
    assert!(
        report.findings.iter().any(|finding| finding.code == "signature_differs"),
        "{:?}",
        report.findings
    );
    assert_eq!(audit_archive(&original.file(), &rules(), None, None).unwrap().signed, None);
    // A file beside the store must be one of its archives.
    let stranger = TempStore::new();
    let path = stranger.file().to_str().unwrap().to_owned();
    // Another first entry of the house log makes another store.
    stranger.store.sign_heads(keys());
    let first = host(stranger.store.clone(), 9);
    first.issue(&operator(), &name("first-issue"), player_account("yan"), 500).await.unwrap();
    let store = played(&path, 1).await;
    let report = audited(&store, &[original.file()]).await;
    assert_eq!(report.findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["archive_differs"]);
    let refused = archived(&path, &original.file(), 7, FIRST).await.unwrap_err();
    assert!(matches!(refused, ArchiveError::OtherStore(_)), "{refused}");
    let text = stranger.folder.path().join("text");
    fs::write(&text, "no archive").unwrap();
    let refused = archived(&path, &text, 7, FIRST).await.unwrap_err();
    assert!(refused.to_string().contains("not an archive of paigow"), "{refused}");
    drop(original.report);
}

/// A file that is complete but not recorded is recorded by the next run. Nothing is archived twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interrupted_archive_is_continued() {
    let temporary = TempStore::new();
    let path = temporary.file().to_str().unwrap().to_owned();
    let store = played(&path, 2).await;
    let file = temporary.folder.path().join("old.paigow");
    let stop =
        "CREATE TRIGGER stop BEFORE INSERT ON archives BEGIN SELECT raise(ABORT, 'stopped by the test'); END";
    Connection::open(temporary.file()).unwrap().execute_batch(stop).unwrap();
    let error = archived(&path, &file, 7, FIRST).await.unwrap_err().to_string();
    assert!(error.contains("stopped by the test"), "{error}");
    assert!(file.exists());
    assert_eq!(audited(&store, &[]).await.findings, []);
    assert_eq!(store.archives().await.unwrap(), []);
    // An archive into another file takes the same rounds, so the first one no longer follows.
    Connection::open(temporary.file()).unwrap().execute_batch("DROP TRIGGER stop").unwrap();
    continue_play(&store, FIRST + DAY_MS, 1).await;
    let outcome = archived(&path, &file, 7, FIRST + DAY_MS).await.unwrap();
    assert!(outcome.resumed && !outcome.recorded_before);
    assert_eq!(audited(&store, std::slice::from_ref(&file)).await.findings, []);
    let copy = temporary.folder.path().join("copy.paigow");
    fs::copy(&file, &copy).unwrap();
    assert!(archived(&path, &copy, 7, FIRST).await.unwrap().recorded_before);
}

/// Stores of every release can be archived: whole tables, also those whose rules cannot be compared.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stores_of_releases_are_archived() {
    let copies = tempfile::tempdir().unwrap();
    for folder in fixtures() {
        let release = folder.file_name().unwrap().to_str().unwrap();
        let path = copies.path().join(release);
        fs::copy(folder.join("store.db"), &path).unwrap();
        let path = path.to_str().unwrap();
        let store = AnyStore::open_existing(path).await.unwrap();
        let before = audit_with(&store, rules(), AuditOptions::default()).await.unwrap();
        let newest = store.newest().await.unwrap().unwrap().0;
        let file = copies.path().join(format!("{release}.paigow"));
        let report = archived(path, &file, 7, newest + 8 * DAY_MS).await.unwrap().report;
        assert!(report.counts.rounds > 5, "{release}: {:?}", report.counts);
        let options = AuditOptions { archives: vec![file], ..AuditOptions::default() };
        let after = audit_with(&store, rules(), options).await.unwrap();
        assert_eq!(after.findings, [], "{release}");
        assert_eq!((&after.heads, after.rounds + after.archived_rounds), (&before.heads, before.rounds));
        assert_eq!(after.rules_unverified, before.rules_unverified, "{release}");
    }
}

/// Releases without archives.
const WITHOUT_ARCHIVES: [&str; 4] = ["0.0.0", "0.1.0", "0.2.0", "0.3.0"];

/// The archive of every later release is audited and replayed, and its store plays on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archives_of_releases_are_readable() {
    for folder in fixtures() {
        let release = folder.file_name().unwrap().to_str().unwrap();
        if WITHOUT_ARCHIVES.contains(&release) {
            continue;
        }
        let copies = tempfile::tempdir().unwrap();
        let path = copies.path().join("paigow.db");
        fs::copy(folder.join("archived.db"), &path).unwrap();
        let store = AnyStore::open_existing(path.to_str().unwrap()).await.unwrap();
        let file = folder.join("rounds.paigow");
        let report = audited(&store, std::slice::from_ref(&file)).await;
        assert_eq!((&report.findings[..], report.archives_compared), (&[][..], 1), "{release}");
        let expected: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
        assert_eq!(report.rounds + report.archived_rounds, expected["rounds"], "{release}");
        for range in audit_archive(&file, &rules(), Some(&keys()), None).unwrap().tables {
            for round in range.first_round..=range.last_round {
                archived_round(&file, &range.table, round, &rules()).unwrap();
            }
        }
        Box::pin(crate::fixtures::continue_play(store)).await;
    }
}

/// A wager of a player with a loss limit names the last transfer that the limit was computed from.
async fn batches_follow_the_last_transfer_that_is_not_archived(address: &str, folder: &Path) {
    let store = played(address, 2).await;
    let account = player_account("t3-p1");
    archived(address, &folder.join("limits.paigow"), 7, FIRST).await.unwrap();
    let last = store.latest_transfers(&account, None, 1).await.unwrap().first().map_or(0, |row| row.seq);
    let issue = Transfer {
        id: name("issue/after-archive"),
        kind: TransferKind::Plain,
        debit: Account { owner: Owner::Issue, currency: account.currency.clone() },
        credit: account.clone(),
        cents: 5,
        purpose: Purpose::Issue,
    };
    let batch = |id: &str, follows: u64| Batch {
        by: operator(),
        id: name(id),
        at: Time(FIRST),
        body: "{}".to_owned(),
        table: None,
        events: Vec::new(),
        round: 0,
        transfers: vec![issue.clone()],
        answer: "{}".to_owned(),
        follows: Some((account.clone(), follows)),
    };
    assert_eq!(store.append(batch("stale", last + 1)).await.unwrap(), AppendOutcome::OtherTransfers);
    let outcome = store.append(batch("current", last)).await.unwrap();
    assert!(matches!(outcome, AppendOutcome::Appended { .. }), "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_follow_the_last_transfer_that_is_not_archived() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("paigow.db").display().to_string();
    Box::pin(batches_follow_the_last_transfer_that_is_not_archived(&file, folder.path())).await;
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let other = tempfile::tempdir().unwrap();
    Box::pin(batches_follow_the_last_transfer_that_is_not_archived(&address, other.path())).await;
}
