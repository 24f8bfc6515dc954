//! What every store must do, asked of each of them.

use crate::kit::cluster::Cluster;
use crate::kit::{Folder, Play, account, chips, config, host, name, operator, player, purse, wager};
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

/// A table and a sequence number; `offer` fills in the hash.
fn at(table: &str, seq: u64) -> (TableId, Tip) {
    (name(table), Tip { seq, ..Tip::START })
}

/// A batch of one event and no money.
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
    }
}

fn money(id: &str, transfers: Vec<Transfer>) -> Batch {
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

async fn balance(store: &impl Store, of: &Account) -> i64 {
    store.balances(std::slice::from_ref(of)).await.unwrap()[of]
}

/// Appends a batch after filling in the hash of the event it follows.
async fn offer(store: &impl Store, mut batch: Batch) -> Result<AppendOutcome, StoreError> {
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

async fn taken(store: &impl Store, batch: Batch) {
    let outcome = offer(store, batch).await.unwrap();
    assert!(is_appended(&outcome), "{outcome:?}");
}

async fn events_come_back_as_they_were_appended(store: impl Store) {
    assert_eq!(store.events(&name("t1"), 0).await.unwrap(), []);
    taken(&store, batch("a", 0)).await;
    let two =
        vec![NewEvent { round: 1, json: "{\"é\":1}".to_owned() }, NewEvent { round: 1, json: String::new() }];
    taken(&store, Batch { events: two, by: operator(), ..batch("b", 1) }).await;
    let rows = store.events(&name("t1"), 0).await.unwrap();
    let seen: Vec<_> = rows.iter().map(|row| (row.seq, row.round, row.json.as_str(), row.at.0)).collect();
    assert_eq!(seen, [(1, 0, "\"a\"", 5), (2, 1, "{\"é\":1}", 5), (3, 1, "", 5)]);
    assert_eq!((&rows[0].by, &rows[2].by), (&player("ann"), &operator()));
    assert_eq!(rows[2].command, name("b"));
    assert_eq!(store.events(&name("t1"), 1).await.unwrap(), rows[1..]);
    let digests: Vec<[u8; 32]> =
        store.log(&name("t1"), 0, 9).await.unwrap().iter().map(|row| row.command).collect();
    assert!(digests[0] != digests[1] && digests[1] == digests[2], "each event has its command's digest");
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
    taken(&store, Batch { table: Some(at("t2", 0)), ..batch("c", 0) }).await;
    let asked = [(name("t2"), 0), (name("t1"), 1), (name("t3"), 0)];
    let logs = store.logs(&asked, 9).await.unwrap();
    assert_eq!(logs.keys().map(TableId::as_str).collect::<Vec<_>>(), ["t1", "t2"], "t3 has nothing");
    assert_eq!((&logs[&name("t1")][..], logs[&name("t2")].len()), (&log(&rows[1..])[..], 1));
    assert_eq!(store.logs(&asked, 1).await.unwrap()[&name("t1")], log(&rows[1..2]));
    assert!(store.logs(&[(name("t1"), 3)], 9).await.unwrap().is_empty());
    assert!(store.logs(&[], 9).await.unwrap().is_empty());
    let closed = vec![NewEvent { round: 0, json: r#"{"event":"closed"}"#.to_owned() }];
    taken(&store, Batch { table: Some(at("t2", 1)), events: closed, ..batch("d", 1) }).await;
    let heads = store.tables().await.unwrap();
    assert_eq!(
        heads.iter().map(|head| (head.table.as_str(), head.tip.seq, head.closed)).collect::<Vec<_>>(),
        [("t1", 3, false), ("t2", 2, true)]
    );
    assert_eq!(heads[0].tip.hash, rows[2].hash);
}

/// A store that went back to an earlier state and moved on has other events under the same numbers.
async fn a_batch_follows_one_event_and_no_other(store: impl Store) {
    let start = Tip { hash: [7; 32], ..Tip::START };
    let early = Batch { table: Some((name("t1"), start)), ..batch("a", 0) };
    assert_eq!(store.append(early).await.unwrap(), AppendOutcome::Behind);
    let AppendOutcome::Appended { hashes } = store.append(batch("a", 0)).await.unwrap() else {
        panic!("not taken")
    };
    let two = vec![NewEvent { round: 0, json: "1".to_owned() }, NewEvent { round: 0, json: "2".to_owned() }];
    let after = |seq, hash| Some((name("t1"), Tip { seq, hash }));
    let next = Batch { events: two, ..batch("b", 1) };
    let other = Batch { table: after(1, [7; 32]), ..next.clone() };
    assert_eq!(
        store.append(other).await.unwrap(),
        AppendOutcome::Behind,
        "the number is right, the event is not"
    );
    let outcome = store.append(Batch { table: after(1, hashes[0]), ..next }).await.unwrap();
    let rows = store.events(&name("t1"), 1).await.unwrap();
    assert_eq!(outcome, AppendOutcome::Appended { hashes: rows.iter().map(|row| row.hash).collect() });
    let nothing = Batch { table: after(3, rows[1].hash), events: Vec::new(), ..batch("c", 3) };
    assert_eq!(store.append(nothing).await.unwrap(), AppendOutcome::Appended { hashes: Vec::new() });
}

async fn one_of_two_at_the_same_place_is_behind(store: impl Store + Clone + 'static) {
    taken(&store, batch("a", 0)).await;
    assert_eq!(offer(&store, batch("b", 0)).await.unwrap(), AppendOutcome::Behind);
    assert_eq!(offer(&store, batch("b", 2)).await.unwrap(), AppendOutcome::Behind);
    for seq in 1..=20 {
        let race = |who: &str| {
            let (store, batch) = (store.clone(), batch(&format!("{who}{seq}"), seq));
            tokio::spawn(async move { offer(&store, batch).await.unwrap() })
        };
        let (one, other) = tokio::join!(race("one"), race("other"));
        let mut outcomes = [one.unwrap(), other.unwrap()];
        outcomes.sort_by_key(|outcome| *outcome == AppendOutcome::Behind);
        assert!(is_appended(&outcomes[0]) && outcomes[1] == AppendOutcome::Behind, "{outcomes:?}");
    }
    assert_eq!(store.events(&name("t1"), 0).await.unwrap().len(), 21);
}

async fn a_command_is_done_once(store: impl Store + Clone + 'static) {
    let pay = || Batch { transfers: vec![issue("i1", 100)], ..batch("a", 0) };
    taken(&store, pay()).await;
    let known = AppendOutcome::Known { answer: "answer to a".to_owned() };
    assert_eq!(offer(&store, pay()).await.unwrap(), known);
    // Also where it would come too late, or be refused by now.
    assert_eq!(offer(&store, Batch { table: Some(at("t1", 9)), ..pay() }).await.unwrap(), known);
    let other = Batch { body: "another".to_owned(), ..pay() };
    assert_eq!(offer(&store, other).await.unwrap(), AppendOutcome::Reused);
    assert_eq!(
        offer(&store, Batch { table: Some(at("t2", 0)), ..pay() }).await.unwrap(),
        AppendOutcome::Reused
    );
    // Somebody else may use the same name.
    taken(&store, Batch { by: player("bob"), ..batch("a", 1) }).await;
    assert_eq!(balance(&store, &purse("ann")).await, 100);
    assert_eq!(store.kept(&player("ann"), &name("a")).await.unwrap().unwrap().answer, "answer to a");
    assert_eq!(store.kept(&player("ann"), &name("b")).await.unwrap(), None);

    // Many at once: one does it, and all hear the same.
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let store = store.clone();
            let batch = Batch { transfers: vec![issue("i2", 100)], ..batch("c", 2) };
            tokio::spawn(async move { offer(&store, batch).await.unwrap() })
        })
        .collect();
    let mut appended = 0;
    for task in tasks {
        match task.await.unwrap() {
            AppendOutcome::Appended { .. } => appended += 1,
            outcome => assert_eq!(outcome, AppendOutcome::Known { answer: "answer to c".to_owned() }),
        }
    }
    assert_eq!(appended, 1);
    assert_eq!(balance(&store, &purse("ann")).await, 200);
}

async fn what_the_ledger_refuses_leaves_nothing(store: impl Store) {
    taken(&store, Batch { transfers: vec![issue("i", 100)], ..batch("a", 0) }).await;
    let refused = Batch { transfers: vec![hold("h1", 60), hold("h2", 60)], ..batch("b", 1) };
    let outcome = offer(&store, refused).await.unwrap();
    let owner = Owner::Player(name("ann"));
    let why = LedgerRefusal::InsufficientFunds { id: name("h2"), owner, needs: 60, has: 40 };
    assert_eq!(why.to_string(), "this needs $0.60, and the player has $0.40");
    assert_eq!(outcome, AppendOutcome::Refused(why));
    assert_eq!(balance(&store, &purse("ann")).await, 100);
    assert_eq!(store.events(&name("t1"), 0).await.unwrap().len(), 1);
    assert_eq!(store.kept(&player("ann"), &name("b")).await.unwrap(), None);
    assert_eq!(store.journal(None, 0, 10).await.unwrap().len(), 1);
    // The name is still free.
    taken(&store, Batch { transfers: vec![hold("h1", 60)], ..batch("b", 1) }).await;

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
        let AppendOutcome::Refused(refusal) = offer(&store, money("c", vec![transfer])).await.unwrap() else {
            panic!("{code}: taken")
        };
        assert_eq!(refusal.code(), code);
    }
}

async fn a_batch_is_taken_whole(store: impl Store) {
    let (ann, escrow) = (Owner::Player(name("ann")), Owner::Escrow(name("t1")));
    taken(&store, money("a", vec![issue("i", 500)])).await;
    taken(&store, Batch { transfers: vec![hold("h1", 300), hold("h2", 100)], ..batch("b", 0) }).await;
    assert_eq!(balance(&store, &purse("ann")).await, 100);
    let settle = vec![
        transfer("s1", TransferKind::Post(name("h1")), escrow.clone(), Owner::House, 300),
        transfer("s2", TransferKind::Void(name("h2")), escrow.clone(), ann.clone(), 100),
        transfer("s3", TransferKind::Plain, Owner::House, ann.clone(), 200),
        transfer("s4", TransferKind::Plain, ann.clone(), Owner::Commission, 10),
    ];
    taken(&store, Batch { transfers: settle, round: 7, ..batch("c", 1) }).await;
    // A transfer that was taken before is passed over.
    taken(&store, money("d", vec![issue("i", 500), issue("j", 1)])).await;
    let balances = store.trial_balance().await.unwrap();
    let expected = [
        (purse("ann"), 391),
        (account(escrow), 0),
        (account(Owner::House), 100),
        (account(Owner::Commission), 10),
        (account(Owner::Issue), -501),
    ];
    assert_eq!(balances.into_iter().collect::<Vec<_>>(), expected);
    // The house's money is whole however it is kept: what one table won, another may pay, and commissions can be drawn.
    taken(&store, money("e", vec![transfer("w", TransferKind::Plain, Owner::Commission, Owner::House, 10)]))
        .await;
    assert_eq!(balance(&store, &account(Owner::Commission)).await, 0);
    assert_eq!(balance(&store, &account(Owner::House)).await, 110);

    let journal = store.journal(None, 0, 100).await.unwrap();
    assert_eq!(journal.len(), 9);
    let ids: Vec<&str> = journal.iter().map(|row| row.transfer.id.as_str()).collect();
    assert_eq!(ids, ["i", "h1", "h2", "s1", "s2", "s3", "s4", "j", "w"]);
    assert_eq!((journal[4].number, journal[4].round, journal[4].table.as_ref()), (1, 7, Some(&name("t1"))));
    assert_eq!(store.journal(None, journal[6].place, 1).await.unwrap(), journal[7..8]);
    for owner in [Owner::Player(name("ann")), Owner::Player(name("bob")), Owner::House] {
        let of = account(owner);
        let moves = |row: &&JournalRow| row.transfer.debit == of || row.transfer.credit == of;
        let whole: Vec<JournalRow> = journal.iter().filter(moves).cloned().collect();
        assert_eq!(store.journal(Some(&of), 0, 100).await.unwrap(), whole, "{of:?}");
        for pair in whole.windows(2) {
            assert_eq!(store.journal(Some(&of), pair[0].place, 1).await.unwrap(), pair[1..], "{of:?}");
        }
    }
    let own = store.journal(Some(&account(Owner::Commission)), 0, 100).await.unwrap();
    assert_eq!(own.iter().map(|row| row.transfer.id.as_str()).collect::<Vec<_>>(), ["s4", "w"]);
    assert_eq!(store.rounds_of(&name("ann"), 10).await.unwrap(), [(name("t1"), 0)]);
}

/// Sixteen tables at once, each with a time of its own: no table waits for another's mistakes, and no cent is lost.
async fn many_tables_at_once(store: impl Store + Clone + 'static) {
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let host = host(store, number);
                let play = Play::open(&host, &format!("t{number}"), "ez", 3).await;
                for _ in 0..3 {
                    play.round().await;
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

/// Sixteen hosts fight over one table: as sixteen processes would.
async fn many_hosts_at_one_table(store: impl Store + Clone + 'static) {
    let first = host(store.clone(), 1);
    Play::open(&first, "t1", "ez", 6).await;
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
    // Opened, six sat, the first round began with two events, and 96 wagers.
    assert_eq!(seq, 1 + 6 + 2 + 96);
    let held: u64 = table.open_holds().map(|(_, cents)| cents).sum();
    assert_eq!(balance(&store, &account(Owner::Escrow(name("t1")))).await, held.cast_signed());
    assert_eq!(audit(&store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
    let (replayed, _) = host(store, 99).table(&name("t1")).await.unwrap();
    assert_eq!(replayed.view(&Viewer::Auditor), table.view(&Viewer::Auditor));
}

/// One purse at sixteen tables: it is never spent twice.
async fn one_purse_at_many_tables(store: impl Store + Clone + 'static) {
    let host = Arc::new(host(store.clone(), 1));
    host.issue(&operator(), &name("chips"), purse("ann"), 10_000).await.unwrap();
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
    assert_eq!(balance(&store, &purse("ann")).await, 0);
}

/// Chips go round between three purses in all directions at once: nobody waits for ever, and none appear or vanish.
async fn purses_in_all_directions(store: impl Store + Clone + 'static) {
    let owner = |number: u64| Owner::Player(name(&format!("p{}", number % 3)));
    for number in 0..3 {
        let chips = transfer(&format!("i{number}"), TransferKind::Plain, Owner::Issue, owner(number), 10_000);
        taken(&store, money(&format!("i{number}"), vec![chips])).await;
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
                    taken(&store, money(&id, vec![one, two])).await;
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

async fn a_host_answers_what_it_was_asked(store: impl Store + Clone) {
    let host = host(store.clone(), 1);
    let unknown = host.command(&name("t1"), &player("ann"), &name("a"), &Command::Stand).await;
    assert!(matches!(unknown, Err(HostError::NoSuchTable(_))));
    let play = Play::open(&host, "t1", "california", 3).await;
    let again = host.open(&operator(), &name("open-t1"), config("t1", "california")).await.unwrap();
    assert_eq!(again.seq, 1);
    let twice = host.open(&operator(), &name("open-2"), config("t1", "california")).await;
    assert_eq!(twice.unwrap_err().code(), "table_exists");
    let reused = host.open(&operator(), &name("open-t1"), config("t1", "ez")).await;
    assert_eq!(reused.unwrap_err().code(), "command_reused");
    for _ in 0..6 {
        play.round().await;
    }
    // Sitting down again is refused, and the first time's answer is given all the same.
    let (by, sit) = (player("t1-p1"), Command::Sit { seat: 1 });
    let first = host.command(&name("t1"), &by, &name("c-t1-1"), &sit).await.unwrap();
    assert_eq!(first.after, 1);
    let refused = host.command(&name("t1"), &by, &name("new"), &sit).await;
    assert_eq!(refused.unwrap_err().code(), "already_seated");
    let reused = host.command(&name("t1"), &by, &name("c-t1-1"), &Command::Stand).await;
    assert_eq!(reused.unwrap_err().code(), "command_reused");
    // The position is offered to seat 1, and a refusal has the words of the table's book.
    let other = player("t1-p2");
    let refused = host.command(&name("t1"), &other, &name("pass"), &Command::PassBank).await.unwrap_err();
    assert_eq!(refused.code(), "bank_not_offered");
    assert_eq!(refused.to_string(), "the player/dealer's position is not offered to this seat");
    assert_eq!(store.rounds_of(&name("t1-p1"), 4).await.unwrap().len(), 4);
    assert_eq!(store.trial_balance().await.unwrap().values().sum::<i64>(), 0);
    let other = Account { currency: name("EUR"), owner: Owner::Player(name("t1-p1")) };
    assert_eq!(balance(&store, &other).await, 0);
    assert_ne!(chips(), other.currency);
}

/// The suite on each store: the embedded one in a file, the other in a database of its own.
macro_rules! conformance {
    ($($test:ident),*) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    let folder = super::Folder::new();
                    super::$test(folder.store.clone()).await;
                }
            )*
        }

        /// With the simulator in the workspace, its store answers as the others do.
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
    events_come_back_as_they_were_appended,
    a_batch_follows_one_event_and_no_other,
    one_of_two_at_the_same_place_is_behind,
    a_command_is_done_once,
    what_the_ledger_refuses_leaves_nothing,
    a_batch_is_taken_whole,
    many_tables_at_once,
    many_hosts_at_one_table,
    one_purse_at_many_tables,
    purses_in_all_directions,
    a_host_answers_what_it_was_asked
];

#[tokio::test]
async fn a_newer_file_and_somebody_elses_are_refused() {
    let folder = Folder::new();
    let path = folder.file();
    taken(&folder.store, batch("a", 0)).await;
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

/// A writer remembers what it wrote, and not longer than nobody else has written.
#[tokio::test]
async fn two_stores_on_one_file_know_what_the_other_has_written() {
    let folder = Folder::new();
    let (one, other) = (folder.store.clone(), Sqlite::open(&folder.file()).unwrap());
    taken(&one, Batch { transfers: vec![issue("i", 100)], ..batch("a", 0) }).await;
    taken(&other, Batch { transfers: vec![hold("h1", 60)], ..batch("b", 1) }).await;
    let late = Batch { transfers: vec![hold("h2", 60)], ..batch("c", 1) };
    assert_eq!(offer(&one, late).await.unwrap(), AppendOutcome::Behind);
    let poor = Batch { transfers: vec![hold("h2", 60)], ..batch("c", 2) };
    assert!(matches!(offer(&one, poor).await.unwrap(), AppendOutcome::Refused(_)), "the other has spent it");
    let back = transfer("v", TransferKind::Void(name("h1")), Owner::Escrow(name("t1")), player_owner(), 60);
    taken(&one, Batch { transfers: vec![back.clone()], ..batch("d", 2) }).await;
    let twice = Batch { transfers: vec![Transfer { id: name("w"), ..back }], ..batch("e", 3) };
    assert!(matches!(offer(&other, twice).await.unwrap(), AppendOutcome::Refused(_)), "it was given back");
    taken(&other, Batch { transfers: vec![hold("h3", 100)], ..batch("f", 3) }).await;
    assert_eq!(balance(&one, &account(player_owner())).await, 0);
    // Also where the place is as it was: what was spent elsewhere is gone, and what failed has not happened.
    taken(&one, Batch { transfers: vec![issue("j", 50)], ..batch("g", 4) }).await;
    let elsewhere = Batch { table: Some(at("t2", 0)), transfers: vec![hold("h4", 50)], ..batch("k", 0) };
    taken(&other, elsewhere).await;
    let poor = Batch { transfers: vec![hold("h5", 50)], ..batch("l", 5) };
    assert!(matches!(offer(&one, poor).await.unwrap(), AppendOutcome::Refused(_)), "spent at another table");
    let named_twice = Batch { transfers: vec![issue("m", 10), issue("j", 50)], ..batch("m", 5) };
    assert!(offer(&one, named_twice).await.is_err());
    taken(&one, batch("n", 5)).await;
    assert_eq!(balance(&one, &account(player_owner())).await, 0);
    assert!(one.damage().await.unwrap().is_empty());
}

fn player_owner() -> Owner {
    Owner::Player(name("ann"))
}

/// What is written goes through a log, which is brought into the file beside the writing, and begins anew.
#[tokio::test]
async fn the_log_does_not_grow_for_ever() {
    let folder = Folder::new();
    let (each, all) = (400_000, 1_000);
    for seq in 0..all {
        let events = vec![NewEvent { round: 0, json: "x".repeat(each) }];
        taken(&folder.store, Batch { events, ..batch(&format!("b{seq}"), seq) }).await;
    }
    let log = folder.file().with_extension("db-wal").metadata().unwrap().len();
    let written = each as u64 * all;
    assert!(log < written / 2, "{log} bytes of {written} are in the log");
    assert_eq!(folder.store.events(&name("t1"), 0).await.unwrap().len() as u64, all);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_taken_while_play_goes_on() {
    let folder = Folder::new();
    let host = host(folder.store.clone(), 1);
    let play = Play::open(&host, "t1", "ez", 3).await;
    let copy = folder.folder.path().join("copy.db");
    let ((), backed_up) = tokio::join!(play.round(), folder.store.backup(&copy));
    backed_up.unwrap();
    let copied = Sqlite::open_existing(&copy).unwrap();
    let (all, some) =
        (folder.store.events(&name("t1"), 0).await.unwrap(), copied.events(&name("t1"), 0).await.unwrap());
    assert!(some.len() >= 4);
    assert_eq!(some, all[..some.len()]);
    assert!(folder.store.backup(&copy).await.is_err(), "a copy is not written over");
}

/// The power goes while wagers are made, several times: what was acknowledged is there, and giving everything again does it once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgresql_stops_in_the_middle() {
    let cluster = Cluster::start();
    let store = Postgres::open(&cluster.database().await).await.unwrap();
    let first = host(store.clone(), 1);
    // A player may change only so much in a round: each goes from table to table.
    let place = |cut: u64, number: u64, count: u64| format!("t{cut}-{number}-{}", count % 8);
    for cut in 0..4 {
        for (number, count) in (1..=4).flat_map(|number| (0..8).map(move |count| (number, count))) {
            Play::open(&first, &place(cut, number, count), "ez", 1).await;
        }
        let tasks: Vec<_> = (1..=4)
            .map(|number| {
                let host = host(store.clone(), 10 * cut + number);
                tokio::spawn(async move {
                    let mut acknowledged = Vec::new();
                    for count in 0..1_000 {
                        let at = place(cut, number, count);
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
                let at = place(cut, number, count);
                let (table, by) = (name(&at), player(&format!("{at}-p1")));
                let again = host.command(&table, &by, &id, &wager(500 + 100 * (count % 7))).await.unwrap();
                assert_eq!(again, done);
            }
            let (id, count) = broken.expect("it was still playing");
            let at = place(cut, number, count);
            let (table, by) = (name(&at), player(&format!("{at}-p1")));
            host.command(&table, &by, &id, &wager(500 + 100 * (count % 7))).await.unwrap();
        }
        assert_eq!(audit(&store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
    }
}
