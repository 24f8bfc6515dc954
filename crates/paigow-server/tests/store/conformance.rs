//! Conformance tests, run against every store.

use crate::kit::cluster::Cluster;
use crate::kit::{
    Game, TempStore, account, chips, config, host, name, operator, player, player_account, wager,
};
use paigow::rulebook::BuiltIn;
use paigow_server::{
    AppendOutcome, Batch, EventRow, HostError, JournalRow, LogRow, NewEvent, Postgres, RulesCache, Sqlite,
    Store, StoreError, Tip, audit,
};
use paigow_table::{
    Account, Command, LedgerRefusal, Owner, Purpose, TableId, Time, Transfer, TransferKind, Viewer,
};
use std::future::Future;
use std::sync::Arc;

/// A table and a sequence number; `append_after_tip` fills in the hash.
fn at(table: &str, seq: u64) -> (TableId, Tip) {
    (name(table), Tip { seq, ..Tip::START })
}

/// A batch with one event and no transfers.
fn batch(id: &str, seq: u64) -> Batch {
    Batch {
        by: player("ann"),
        id: name(id),
        at: Time(5),
        body: format!("body of {id}"),
        table: Some(at("t1", seq)),
        events: vec![NewEvent { round: 0, json: format!("\"{id}\"") }],
        round: 0,
        transfers: Vec::new(),
        answer: format!("answer to {id}"),
        follows: None,
    }
}

fn money_batch(id: &str, transfers: Vec<Transfer>) -> Batch {
    Batch { table: None, events: Vec::new(), transfers, ..batch(id, 0) }
}

fn transfer(id: &str, kind: TransferKind, debit: Owner, credit: Owner, cents: u64) -> Transfer {
    let (debit, credit) = (account(debit), account(credit));
    Transfer { id: name(id), kind, debit, credit, cents, purpose: Purpose::Wager }
}

fn issue(id: &str, cents: u64) -> Transfer {
    transfer(id, TransferKind::Plain, Owner::Issue, Owner::Player(name("ann")), cents)
}

fn hold(id: &str, cents: u64) -> Transfer {
    transfer(id, TransferKind::Hold, Owner::Player(name("ann")), Owner::Escrow(name("t1")), cents)
}

async fn balance(store: &impl Store, account: &Account) -> i64 {
    store.balances(std::slice::from_ref(account)).await.unwrap()[account]
}

/// Appends a batch after filling in the hash of the event it follows.
async fn append_after_tip(store: &impl Store, mut batch: Batch) -> Result<AppendOutcome, StoreError> {
    if let Some((table, tip)) = &mut batch.table
        && tip.seq > 0
    {
        let rows = store.log(table, tip.seq - 1, 1).await?;
        tip.hash = rows.first().map_or(tip.hash, |row| row.hash);
    }
    store.append(batch).await
}

fn is_appended(outcome: &AppendOutcome) -> bool {
    matches!(outcome, AppendOutcome::Appended { .. })
}

async fn append_ok(store: &impl Store, batch: Batch) {
    let outcome = append_after_tip(store, batch).await.unwrap();
    assert!(is_appended(&outcome), "{outcome:?}");
}

async fn events_are_read_as_appended(store: impl Store) {
    assert_eq!(store.events(&name("t1"), 0).await.unwrap(), []);
    append_ok(&store, batch("a", 0)).await;
    let two =
        vec![NewEvent { round: 1, json: "{\"é\":1}".to_owned() }, NewEvent { round: 1, json: String::new() }];
    append_ok(&store, Batch { events: two, by: operator(), ..batch("b", 1) }).await;
    let rows = store.events(&name("t1"), 0).await.unwrap();
    let seen: Vec<_> = rows.iter().map(|row| (row.seq, row.round, row.json.as_str(), row.at.0)).collect();
    assert_eq!(seen, [(1, 0, "\"a\"", 5), (2, 1, "{\"é\":1}", 5), (3, 1, "", 5)]);
    assert_eq!((&rows[0].by, &rows[2].by), (&player("ann"), &operator()));
    assert_eq!(rows[2].command, name("b"));
    assert_eq!(store.events(&name("t1"), 1).await.unwrap(), rows[1..]);
    let digests: Vec<[u8; 32]> =
        store.log(&name("t1"), 0, 9).await.unwrap().iter().map(|row| row.command).collect();
    assert!(digests[0] != digests[1] && digests[1] == digests[2], "each event has the digest of its command");
    let log = |rows: &[EventRow]| -> Vec<LogRow> {
        let short = |row: &EventRow| LogRow {
            seq: row.seq,
            at: row.at,
            json: row.json.clone(),
            command: digests[usize::try_from(row.seq - 1).unwrap()],
            hash: row.hash,
        };
        rows.iter().map(short).collect()
    };
    assert_eq!(store.log(&name("t1"), 0, 9).await.unwrap(), log(&rows));
    assert_eq!(store.log(&name("t1"), 1, 2).await.unwrap(), log(&rows[1..]));
    assert_eq!(store.log(&name("t1"), 1, 1).await.unwrap(), log(&rows[1..2]));
    append_ok(&store, Batch { table: Some(at("t2", 0)), ..batch("c", 0) }).await;
    let requests = [(name("t2"), 0), (name("t1"), 1), (name("t3"), 0)];
    let logs = store.logs(&requests, 9).await.unwrap();
    assert_eq!(logs.keys().map(TableId::as_str).collect::<Vec<_>>(), ["t1", "t2"], "t3 has no events");
    assert_eq!((&logs[&name("t1")][..], logs[&name("t2")].len()), (&log(&rows[1..])[..], 1));
    assert_eq!(store.logs(&requests, 1).await.unwrap()[&name("t1")], log(&rows[1..2]));
    assert!(store.logs(&[(name("t1"), 3)], 9).await.unwrap().is_empty());
    assert!(store.logs(&[], 9).await.unwrap().is_empty());
    let closed = vec![NewEvent { round: 0, json: r#"{"event":"closed"}"#.to_owned() }];
    append_ok(&store, Batch { table: Some(at("t2", 1)), events: closed, ..batch("d", 1) }).await;
    let heads = store.tables().await.unwrap();
    assert_eq!(
        heads.iter().map(|head| (head.table.as_str(), head.tip.seq, head.closed)).collect::<Vec<_>>(),
        [("t1", 3, false), ("t2", 2, true)]
    );
    assert_eq!(heads[0].tip.hash, rows[2].hash);
}

/// A store that was restored and written to has other events with the same sequence numbers.
async fn batch_must_follow_the_tip(store: impl Store) {
    let start = Tip { hash: [7; 32], ..Tip::START };
    let early = Batch { table: Some((name("t1"), start)), ..batch("a", 0) };
    assert_eq!(store.append(early).await.unwrap(), AppendOutcome::Conflict);
    let AppendOutcome::Appended { hashes } = store.append(batch("a", 0)).await.unwrap() else {
        panic!("the batch was not appended")
    };
    let two = vec![NewEvent { round: 0, json: "1".to_owned() }, NewEvent { round: 0, json: "2".to_owned() }];
    let after = |seq, hash| Some((name("t1"), Tip { seq, hash }));
    let next = Batch { events: two, ..batch("b", 1) };
    let other = Batch { table: after(1, [7; 32]), ..next.clone() };
    assert_eq!(
        store.append(other).await.unwrap(),
        AppendOutcome::Conflict,
        "the sequence number matches, but the hash does not"
    );
    let outcome = store.append(Batch { table: after(1, hashes[0]), ..next }).await.unwrap();
    let rows = store.events(&name("t1"), 1).await.unwrap();
    assert_eq!(outcome, AppendOutcome::Appended { hashes: rows.iter().map(|row| row.hash).collect() });
    let nothing = Batch { table: after(3, rows[1].hash), events: Vec::new(), ..batch("c", 3) };
    assert_eq!(store.append(nothing).await.unwrap(), AppendOutcome::Appended { hashes: Vec::new() });
}

async fn concurrent_batches_conflict(store: impl Store + Clone + 'static) {
    append_ok(&store, batch("a", 0)).await;
    assert_eq!(append_after_tip(&store, batch("b", 0)).await.unwrap(), AppendOutcome::Conflict);
    assert_eq!(append_after_tip(&store, batch("b", 2)).await.unwrap(), AppendOutcome::Conflict);
    for seq in 1..=20 {
        let race = |who: &str| {
            let (store, batch) = (store.clone(), batch(&format!("{who}{seq}"), seq));
            tokio::spawn(async move { append_after_tip(&store, batch).await.unwrap() })
        };
        let (first, second) = tokio::join!(race("one"), race("other"));
        let mut outcomes = [first.unwrap(), second.unwrap()];
        outcomes.sort_by_key(|outcome| *outcome == AppendOutcome::Conflict);
        assert!(is_appended(&outcomes[0]) && outcomes[1] == AppendOutcome::Conflict, "{outcomes:?}");
    }
    assert_eq!(store.events(&name("t1"), 0).await.unwrap().len(), 21);
}

async fn command_is_applied_once(store: impl Store + Clone + 'static) {
    let pay = || Batch { transfers: vec![issue("i1", 100)], ..batch("a", 0) };
    append_ok(&store, pay()).await;
    let known = AppendOutcome::AlreadyExecuted { answer: "answer to a".to_owned() };
    assert_eq!(append_after_tip(&store, pay()).await.unwrap(), known);
    // Also if the batch is stale.
    assert_eq!(append_after_tip(&store, Batch { table: Some(at("t1", 9)), ..pay() }).await.unwrap(), known);
    let other = Batch { body: "another".to_owned(), ..pay() };
    assert_eq!(append_after_tip(&store, other).await.unwrap(), AppendOutcome::IdReused);
    assert_eq!(
        append_after_tip(&store, Batch { table: Some(at("t2", 0)), ..pay() }).await.unwrap(),
        AppendOutcome::IdReused
    );
    // Another player may use the same id.
    append_ok(&store, Batch { by: player("bob"), ..batch("a", 1) }).await;
    assert_eq!(balance(&store, &player_account("ann")).await, 100);
    assert_eq!(
        store.stored_command(&player("ann"), &name("a")).await.unwrap().unwrap().answer,
        "answer to a"
    );
    assert_eq!(store.stored_command(&player("ann"), &name("b")).await.unwrap(), None);

    // Of concurrent copies one is appended, and all get the same answer.
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let store = store.clone();
            let batch = Batch { transfers: vec![issue("i2", 100)], ..batch("c", 2) };
            tokio::spawn(async move { append_after_tip(&store, batch).await.unwrap() })
        })
        .collect();
    let mut appended = 0;
    for task in tasks {
        match task.await.unwrap() {
            AppendOutcome::Appended { .. } => appended += 1,
            outcome => {
                assert_eq!(outcome, AppendOutcome::AlreadyExecuted { answer: "answer to c".to_owned() });
            }
        }
    }
    assert_eq!(appended, 1);
    assert_eq!(balance(&store, &player_account("ann")).await, 200);
}

async fn refused_batch_leaves_nothing(store: impl Store) {
    append_ok(&store, Batch { transfers: vec![issue("i", 100)], ..batch("a", 0) }).await;
    let refused = Batch { transfers: vec![hold("h1", 60), hold("h2", 60)], ..batch("b", 1) };
    let outcome = append_after_tip(&store, refused).await.unwrap();
    let owner = Owner::Player(name("ann"));
    let refusal = LedgerRefusal::InsufficientFunds { id: name("h2"), owner, needs: 60, has: 40 };
    assert_eq!(refusal.to_string(), "insufficient funds: this needs $0.60, but the player has $0.40");
    assert_eq!(outcome, AppendOutcome::Refused(refusal));
    assert_eq!(balance(&store, &player_account("ann")).await, 100);
    assert_eq!(store.events(&name("t1"), 0).await.unwrap().len(), 1);
    assert_eq!(store.stored_command(&player("ann"), &name("b")).await.unwrap(), None);
    assert_eq!(store.journal(None, 0, 10).await.unwrap().len(), 1);
    // The id is still unused.
    append_ok(&store, Batch { transfers: vec![hold("h1", 60)], ..batch("b", 1) }).await;

    let cases = [
        (issue("h1", 60), "exists_differently"),
        (
            transfer("p", TransferKind::Post(name("h9")), Owner::Escrow(name("t1")), Owner::House, 1),
            "no_such_hold",
        ),
        (
            transfer("p", TransferKind::Post(name("h1")), Owner::Escrow(name("t1")), Owner::House, 61),
            "more_than_held",
        ),
        (transfer("p", TransferKind::Plain, Owner::Commission, Owner::House, 1), "insufficient_funds"),
    ];
    for (transfer, code) in cases {
        let AppendOutcome::Refused(refusal) =
            append_after_tip(&store, money_batch("c", vec![transfer])).await.unwrap()
        else {
            panic!("{code}: the batch was appended")
        };
        assert_eq!(refusal.code(), code);
    }
}

async fn batch_is_atomic(store: impl Store) {
    let (ann, escrow) = (Owner::Player(name("ann")), Owner::Escrow(name("t1")));
    append_ok(&store, money_batch("a", vec![issue("i", 500)])).await;
    append_ok(&store, Batch { transfers: vec![hold("h1", 300), hold("h2", 100)], ..batch("b", 0) }).await;
    assert_eq!(balance(&store, &player_account("ann")).await, 100);
    let settle = vec![
        transfer("s1", TransferKind::Post(name("h1")), escrow.clone(), Owner::House, 300),
        transfer("s2", TransferKind::Void(name("h2")), escrow.clone(), ann.clone(), 100),
        transfer("s3", TransferKind::Plain, Owner::House, ann.clone(), 200),
        transfer("s4", TransferKind::Plain, ann.clone(), Owner::Commission, 10),
    ];
    append_ok(&store, Batch { transfers: settle, round: 7, ..batch("c", 1) }).await;
    // A transfer that is already in the journal is skipped.
    append_ok(&store, money_batch("d", vec![issue("i", 500), issue("j", 1)])).await;
    let balances = store.trial_balance().await.unwrap();
    let expected = [
        (player_account("ann"), 391),
        (account(escrow), 0),
        (account(Owner::House), 100),
        (account(Owner::Commission), 10),
        (account(Owner::Issue), -501),
    ];
    assert_eq!(balances.into_iter().collect::<Vec<_>>(), expected);
    // The house account is one balance over all shards: one table can pay what another won, and commissions can be
    // drawn.
    append_ok(
        &store,
        money_batch("e", vec![transfer("w", TransferKind::Plain, Owner::Commission, Owner::House, 10)]),
    )
    .await;
    assert_eq!(balance(&store, &account(Owner::Commission)).await, 0);
    assert_eq!(balance(&store, &account(Owner::House)).await, 110);

    let journal = store.journal(None, 0, 100).await.unwrap();
    assert_eq!(journal.len(), 9);
    let ids: Vec<&str> = journal.iter().map(|row| row.transfer.id.as_str()).collect();
    assert_eq!(ids, ["i", "h1", "h2", "s1", "s2", "s3", "s4", "j", "w"]);
    assert_eq!((journal[4].number, journal[4].round, journal[4].table.as_ref()), (1, 7, Some(&name("t1"))));
    assert_eq!(store.journal(None, journal[6].seq, 1).await.unwrap(), journal[7..8]);
    for owner in [Owner::Player(name("ann")), Owner::Player(name("bob")), Owner::House] {
        let account = account(owner);
        let moves = |row: &&JournalRow| row.transfer.debit == account || row.transfer.credit == account;
        let whole: Vec<JournalRow> = journal.iter().filter(moves).cloned().collect();
        assert_eq!(store.journal(Some(&account), 0, 100).await.unwrap(), whole, "{account:?}");
        for pair in whole.windows(2) {
            assert_eq!(
                store.journal(Some(&account), pair[0].seq, 1).await.unwrap(),
                pair[1..],
                "{account:?}"
            );
        }
    }
    let own = store.journal(Some(&account(Owner::Commission)), 0, 100).await.unwrap();
    assert_eq!(own.iter().map(|row| row.transfer.id.as_str()).collect::<Vec<_>>(), ["s4", "w"]);
    assert_eq!(store.rounds_of(&name("ann"), None, 10).await.unwrap()[0].table, name("t1"));
}

/// Sixteen concurrent tables, each with its own clock: no table blocks another, and no cent is lost.
async fn concurrent_tables(store: impl Store + Clone + 'static) {
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let host = host(store, number);
                let game = Game::open(&host, &format!("t{number}"), "ez", 3).await;
                for _ in 0..3 {
                    game.play_round().await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let balances = store.trial_balance().await.unwrap();
    assert_eq!(balances.values().sum::<i64>(), 0);
    assert_eq!(balances[&account(Owner::Issue)], -16 * 3 * 1_000_000);
    let tables = store.tables().await.unwrap();
    assert_eq!(tables.len(), 16);
    for head in tables {
        let events = store.events(&head.table, 0).await.unwrap();
        let settled = events.iter().filter(|row| row.json.contains("\"event\":\"settled\"")).count();
        assert_eq!(settled, 3, "{}", head.table);
    }
    assert_eq!(audit(&store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
}

/// Sixteen hosts at one table, like sixteen processes.
async fn concurrent_hosts_at_one_table(store: impl Store + Clone + 'static) {
    let first = host(store.clone(), 1);
    Game::open(&first, "t1", "ez", 6).await;
    let tasks: Vec<_> = (0..16)
        .map(|number: u64| {
            let host = host(store.clone(), number + 2);
            tokio::spawn(async move {
                let seat = number % 6 + 1;
                for count in 0..6 {
                    let by = player(&format!("t1-p{seat}"));
                    let id = name(&format!("w{number}-{count}"));
                    let command = wager(2_500 + 500 * count);
                    let first = host.command(&name("t1"), &by, &id, &command).await.unwrap();
                    let again = host.command(&name("t1"), &by, &id, &command).await.unwrap();
                    assert_eq!(first, again);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let (table, seq) = first.table(&name("t1")).await.unwrap();
    // One event for the opening, six for the seats, two for the start of the round, and 96 wagers.
    assert_eq!(seq, 1 + 6 + 2 + 96);
    let held: u64 = table.open_holds().map(|(_, cents)| cents).sum();
    assert_eq!(balance(&store, &account(Owner::Escrow(name("t1")))).await, held.cast_signed());
    assert_eq!(audit(&store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
    let (replayed, _) = host(store, 99).table(&name("t1")).await.unwrap();
    assert_eq!(replayed.view(&Viewer::Auditor), table.view(&Viewer::Auditor));
}

/// One account at sixteen tables: no chip is spent twice.
async fn one_account_at_many_tables(store: impl Store + Clone + 'static) {
    let host = Arc::new(host(store.clone(), 1));
    host.issue(&operator(), &name("chips"), player_account("ann"), 10_000).await.unwrap();
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let host = host.clone();
            tokio::spawn(async move {
                let table = format!("t{number}");
                host.open(&operator(), &name(&table), config(&table, "ez")).await.unwrap();
                let id = |what: &str| name(&format!("{what}-{number}"));
                host.command(&name(&table), &player("ann"), &id("sit"), &Command::Sit { seat: 1 })
                    .await
                    .unwrap();
                match host.command(&name(&table), &player("ann"), &id("bet"), &wager(2_500)).await {
                    Ok(_) => true,
                    Err(error) => {
                        assert_eq!(error.code(), "insufficient_funds");
                        false
                    }
                }
            })
        })
        .collect();
    let mut placed = 0;
    for task in tasks {
        placed += i64::from(task.await.unwrap());
    }
    assert_eq!(placed, 4);
    assert_eq!(audit(&store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
    assert_eq!(balance(&store, &player_account("ann")).await, 0);
}

/// Concurrent transfers between three accounts in all directions: no deadlock, and the sum does not change.
async fn transfers_in_all_directions(store: impl Store + Clone + 'static) {
    let owner = |number: u64| Owner::Player(name(&format!("p{}", number % 3)));
    for number in 0..3 {
        let chips = transfer(&format!("i{number}"), TransferKind::Plain, Owner::Issue, owner(number), 10_000);
        append_ok(&store, money_batch(&format!("i{number}"), vec![chips])).await;
    }
    let tasks: Vec<_> = (0..16)
        .map(|task: u64| {
            let store = store.clone();
            tokio::spawn(async move {
                for count in 0..12 {
                    let id = format!("x{task}-{count}");
                    let (from, to) = (task + count, task + count + 1 + task % 2);
                    let one = transfer(&format!("{id}-a"), TransferKind::Plain, owner(from), owner(to), 7);
                    let two =
                        transfer(&format!("{id}-b"), TransferKind::Plain, owner(to), Owner::Commission, 1);
                    append_ok(&store, money_batch(&id, vec![one, two])).await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let balances = store.trial_balance().await.unwrap();
    assert_eq!(balances[&account(Owner::Commission)], 16 * 12);
    assert_eq!((0..3).map(|number| balances[&account(owner(number))]).sum::<i64>(), 30_000 - 16 * 12);
}

async fn host_answers_commands(store: impl Store + Clone) {
    let host = host(store.clone(), 1);
    let unknown = host.command(&name("t1"), &player("ann"), &name("a"), &Command::Stand).await;
    assert!(matches!(unknown, Err(HostError::NoSuchTable(_))));
    let game = Game::open(&host, "t1", "california", 3).await;
    let again = host.open(&operator(), &name("open-t1"), config("t1", "california")).await.unwrap();
    assert_eq!(again.seq, 1);
    let twice = host.open(&operator(), &name("open-2"), config("t1", "california")).await;
    assert_eq!(twice.unwrap_err().code(), "table_exists");
    let reused = host.open(&operator(), &name("open-t1"), config("t1", "ez")).await;
    assert_eq!(reused.unwrap_err().code(), "command_reused");
    for _ in 0..6 {
        game.play_round().await;
    }
    // A new command to sit is refused. The repeated first one gets its answer again.
    let (by, sit) = (player("t1-p1"), Command::Sit { seat: 1 });
    let first = host.command(&name("t1"), &by, &name("c-t1-1"), &sit).await.unwrap();
    assert_eq!(first.after, 1);
    let refused = host.command(&name("t1"), &by, &name("new"), &sit).await;
    assert_eq!(refused.unwrap_err().code(), "already_seated");
    let reused = host.command(&name("t1"), &by, &name("c-t1-1"), &Command::Stand).await;
    assert_eq!(reused.unwrap_err().code(), "command_reused");
    // The bank is offered to seat 1. The refusal uses the terms of the table's book.
    let other = player("t1-p2");
    let refused = host.command(&name("t1"), &other, &name("pass"), &Command::PassBank).await.unwrap_err();
    assert_eq!(refused.code(), "bank_not_offered");
    assert_eq!(refused.to_string(), "the player/dealer's position is not offered to this seat");
    assert_eq!(store.rounds_of(&name("t1-p1"), None, 4).await.unwrap().len(), 4);
    assert_eq!(store.trial_balance().await.unwrap().values().sum::<i64>(), 0);
    let other = Account { currency: name("EUR"), owner: Owner::Player(name("t1-p1")) };
    assert_eq!(balance(&store, &other).await, 0);
    assert_ne!(chips(), other.currency);
}

/// Of two wagers that consider the same transfers of a player, one is refused, also if they are at different tables.
async fn batch_must_follow_the_last_transfer(store: impl Store) {
    let ann = account(player_owner());
    append_ok(&store, Batch { transfers: vec![issue("i", 1_000)], ..batch("a", 0) }).await;
    let last = async || store.journal(Some(&ann), 0, 100).await.unwrap().last().map_or(0, |row| row.seq);
    let first = last().await;
    let wager = |id: &str, seq: u64, table: &str, follows: u64| Batch {
        table: Some(at(table, seq)),
        transfers: vec![hold(&format!("h-{id}"), 100)],
        follows: Some((ann.clone(), follows)),
        ..batch(id, seq)
    };
    append_ok(&store, wager("b", 1, "t1", first)).await;
    let late = wager("c", 0, "t2", first);
    assert_eq!(append_after_tip(&store, late.clone()).await.unwrap(), AppendOutcome::OtherTransfers);
    assert_eq!(store.events(&name("t2"), 0).await.unwrap().len(), 0);
    // A retry returns its answer, although the account has later transfers.
    let again = append_after_tip(&store, wager("b", 1, "t1", first)).await.unwrap();
    assert_eq!(again, AppendOutcome::AlreadyExecuted { answer: "answer to b".to_owned() });
    append_ok(&store, Batch { follows: Some((ann.clone(), last().await)), ..late }).await;
    // Of concurrent wagers at different tables, exactly one is appended.
    let follows = last().await;
    let tables: Vec<String> = (3..=9).map(|number| format!("t{number}")).collect();
    let wagers = tables.iter().map(|table| {
        let id = format!("w-{table}");
        let wager = wager(&id, 0, table, follows);
        let store = &store;
        async move { append_after_tip(store, wager).await.unwrap() }
    });
    let outcomes = futures_util::future::join_all(wagers).await;
    let appended =
        outcomes.iter().filter(|outcome| matches!(outcome, AppendOutcome::Appended { .. })).count();
    let refused = outcomes.iter().filter(|outcome| **outcome == AppendOutcome::OtherTransfers).count();
    assert_eq!((appended, refused), (1, tables.len() - 1), "{outcomes:?}");
    assert_eq!(balance(&store, &ann).await, 700);
}

/// Runs the suite on each store: SQLite in a file, PostgreSQL in a new database.
macro_rules! conformance {
    ($($test:ident),*) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    let folder = super::TempStore::new();
                    super::$test(folder.store.clone()).await;
                }
            )*
        }

        /// The simulator's in-memory store must conform as well.
        #[cfg(feature = "simulation")]
        mod memory {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    super::$test(paigow_server::simulation::Memory::default()).await;
                }
            )*
        }

        #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
        async fn postgres() {
            let cluster = Cluster::start();
            $(
                println!("{}", stringify!($test));
                on_postgres(&cluster, $test).await;
            )*
        }
    };
}

async fn on_postgres<F: Future<Output = ()>>(cluster: &Cluster, test: impl FnOnce(Postgres) -> F) {
    test(Postgres::open(&cluster.database().await).await.unwrap()).await;
}

conformance![
    events_are_read_as_appended,
    batch_must_follow_the_tip,
    batch_must_follow_the_last_transfer,
    concurrent_batches_conflict,
    command_is_applied_once,
    refused_batch_leaves_nothing,
    batch_is_atomic,
    concurrent_tables,
    concurrent_hosts_at_one_table,
    one_account_at_many_tables,
    transfers_in_all_directions,
    host_answers_commands
];

#[tokio::test]
async fn newer_and_foreign_files_are_refused() {
    let folder = TempStore::new();
    let path = folder.file();
    append_ok(&folder.store, batch("a", 0)).await;
    drop(folder.store);
    let file = rusqlite::Connection::open(&path).unwrap();
    file.pragma_update(None, "user_version", 99).unwrap();
    let refused = Sqlite::open(&path).err().unwrap();
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
    let other = folder.folder.path().join("other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    assert!(matches!(Sqlite::open(&other), Err(StoreError::Foreign)));
    assert!(Sqlite::open_existing(&folder.folder.path().join("nowhere.db")).is_err());
}

/// A writer's cache is valid only until another connection writes.
#[tokio::test]
async fn two_stores_on_one_file_see_each_others_writes() {
    let folder = TempStore::new();
    let (first, second) = (folder.store.clone(), Sqlite::open(&folder.file()).unwrap());
    append_ok(&first, Batch { transfers: vec![issue("i", 100)], ..batch("a", 0) }).await;
    append_ok(&second, Batch { transfers: vec![hold("h1", 60)], ..batch("b", 1) }).await;
    let late = Batch { transfers: vec![hold("h2", 60)], ..batch("c", 1) };
    assert_eq!(append_after_tip(&first, late).await.unwrap(), AppendOutcome::Conflict);
    let poor = Batch { transfers: vec![hold("h2", 60)], ..batch("c", 2) };
    assert!(
        matches!(append_after_tip(&first, poor).await.unwrap(), AppendOutcome::Refused(_)),
        "the other store has spent it"
    );
    let back = transfer("v", TransferKind::Void(name("h1")), Owner::Escrow(name("t1")), player_owner(), 60);
    append_ok(&first, Batch { transfers: vec![back.clone()], ..batch("d", 2) }).await;
    let twice = Batch { transfers: vec![Transfer { id: name("w"), ..back }], ..batch("e", 3) };
    assert!(
        matches!(append_after_tip(&second, twice).await.unwrap(), AppendOutcome::Refused(_)),
        "the hold was released"
    );
    append_ok(&second, Batch { transfers: vec![hold("h3", 100)], ..batch("f", 3) }).await;
    assert_eq!(balance(&first, &account(player_owner())).await, 0);
    // Also if the tip is unchanged: chips spent at another table are gone, and a failed batch has no effect.
    append_ok(&first, Batch { transfers: vec![issue("j", 50)], ..batch("g", 4) }).await;
    let elsewhere = Batch { table: Some(at("t2", 0)), transfers: vec![hold("h4", 50)], ..batch("k", 0) };
    append_ok(&second, elsewhere).await;
    let poor = Batch { transfers: vec![hold("h5", 50)], ..batch("l", 5) };
    assert!(
        matches!(append_after_tip(&first, poor).await.unwrap(), AppendOutcome::Refused(_)),
        "spent at another table"
    );
    let named_twice = Batch { transfers: vec![issue("m", 10), issue("j", 50)], ..batch("m", 5) };
    assert!(append_after_tip(&first, named_twice).await.is_err());
    append_ok(&first, batch("n", 5)).await;
    assert_eq!(balance(&first, &account(player_owner())).await, 0);
    assert!(first.damage().await.unwrap().is_empty());
}

fn player_owner() -> Owner {
    Owner::Player(name("ann"))
}

/// Checkpoints move the write-ahead log into the database during writes, and the log is reused.
#[tokio::test]
async fn write_ahead_log_is_bounded() {
    let folder = TempStore::new();
    let (batch_bytes, batches) = (400_000, 1_000);
    for seq in 0..batches {
        let events = vec![NewEvent { round: 0, json: "x".repeat(batch_bytes) }];
        append_ok(&folder.store, Batch { events, ..batch(&format!("b{seq}"), seq) }).await;
    }
    let log = folder.file().with_extension("db-wal").metadata().unwrap().len();
    let written = batch_bytes as u64 * batches;
    assert!(log < written / 2, "{log} bytes of {written} are in the log");
    assert_eq!(folder.store.events(&name("t1"), 0).await.unwrap().len() as u64, batches);
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_can_be_taken_during_play() {
    let folder = TempStore::new();
    let host = host(folder.store.clone(), 1);
    let game = Game::open(&host, "t1", "ez", 3).await;
    let copy = folder.folder.path().join("copy.db");
    let ((), backed_up) = tokio::join!(game.play_round(), folder.store.backup(&copy));
    backed_up.unwrap();
    let copied = Sqlite::open_existing(&copy).unwrap();
    let (original, copied_events) =
        (folder.store.events(&name("t1"), 0).await.unwrap(), copied.events(&name("t1"), 0).await.unwrap());
    assert!(copied_events.len() >= 4);
    assert_eq!(copied_events, original[..copied_events.len()]);
    assert!(folder.store.backup(&copy).await.is_err(), "a backup overwrites an existing file");
}

/// PostgreSQL stops several times as in a power cut. Acknowledged commands are stored, and repeated ones apply once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgresql_stop_loses_no_acknowledged_command() {
    let cluster = Cluster::start();
    let store = Postgres::open(&cluster.database().await).await.unwrap();
    let first = host(store.clone(), 1);
    // The number of changes of a player per round is limited, so each player moves between tables.
    let table_name = |cut: u64, number: u64, count: u64| format!("t{cut}-{number}-{}", count % 8);
    for cut in 0..4 {
        for (number, count) in (1..=4).flat_map(|number| (0..8).map(move |count| (number, count))) {
            Game::open(&first, &table_name(cut, number, count), "ez", 1).await;
        }
        let tasks: Vec<_> = (1..=4)
            .map(|number| {
                let host = host(store.clone(), 10 * cut + number);
                tokio::spawn(async move {
                    let mut acknowledged = Vec::new();
                    for count in 0..1_000 {
                        let at = table_name(cut, number, count);
                        let (table, by) = (name(&at), player(&format!("{at}-p1")));
                        let id = name(&format!("cut{cut}-{count}"));
                        match host.command(&table, &by, &id, &wager(500 + 100 * (count % 7))).await {
                            Ok(done) => acknowledged.push((id, count, done)),
                            Err(_) => return (acknowledged, Some((id, count))),
                        }
                    }
                    (acknowledged, None)
                })
            })
            .collect();
        tokio::time::sleep(std::time::Duration::from_millis(100 + 37 * cut)).await;
        assert!(cluster.stop());
        cluster.launch();
        for (number, task) in (1..).zip(tasks) {
            let (acknowledged, broken): (Vec<_>, _) = task.await.unwrap();
            let host = host(store.clone(), 100);
            for (id, count, done) in acknowledged {
                let at = table_name(cut, number, count);
                let (table, by) = (name(&at), player(&format!("{at}-p1")));
                let again = host.command(&table, &by, &id, &wager(500 + 100 * (count % 7))).await.unwrap();
                assert_eq!(again, done);
            }
            let (id, count) = broken.expect("the worker finished before the stop");
            let at = table_name(cut, number, count);
            let (table, by) = (name(&at), player(&format!("{at}-p1")));
            host.command(&table, &by, &id, &wager(500 + 100 * (count % 7))).await.unwrap();
        }
        assert_eq!(audit(&store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
    }
}
