//! Raw writes: the rows of recorded batches, written directly to the database without checks.

use crate::Batches;
use paigow_server::{
    AnyStore, AppendOutcome, BalanceMismatch, Batch, EventRow, JournalRow, LogRow, PlayerRound, Store,
    StoreError, StoreVisitor, StoredCommand, TableHead,
};
use paigow_table::{Account, Actor, CommandId, Owner, PlayerId, TableId, TransferKind};
use rusqlite::params;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A store that records the batches appended to it.
pub(crate) struct Recorder {
    store: AnyStore,
    recording: AtomicBool,
    batches: Mutex<Batches>,
}

impl Recorder {
    pub(crate) fn new(store: AnyStore) -> Recorder {
        Recorder { store, recording: AtomicBool::new(false), batches: Mutex::default() }
    }

    pub(crate) fn record(&self) {
        self.recording.store(true, Ordering::Relaxed);
    }

    pub(crate) fn recorded(&self) -> Batches {
        self.recording.store(false, Ordering::Relaxed);
        std::mem::take(&mut self.batches.lock().unwrap())
    }

    /// Number of group commits so far.
    pub(crate) fn groups(&self) -> u64 {
        let (_, commits) = match &self.store {
            AnyStore::Sqlite(store) => store.commits(),
            AnyStore::Postgres(store) => store.commits(),
        };
        commits
    }
}

impl Store for Recorder {
    async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        if self.recording.load(Ordering::Relaxed) {
            self.batches.lock().unwrap().push(batch.clone());
        }
        self.store.append(batch).await
    }

    async fn stored_command(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        self.store.stored_command(by, id).await
    }

    async fn events(&self, table: &TableId, after: u64) -> Result<Vec<EventRow>, StoreError> {
        self.store.events(table, after).await
    }

    async fn log(&self, table: &TableId, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        self.store.log(table, after, limit).await
    }

    async fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        self.store.tables().await
    }

    async fn balances(&self, accounts: &[Account]) -> Result<BTreeMap<Account, i64>, StoreError> {
        self.store.balances(accounts).await
    }

    async fn mismatched_balances(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        self.store.mismatched_balances(accounts).await
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        self.store.trial_balance().await
    }

    async fn journal(
        &self,
        of: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        self.store.journal(of, after, limit).await
    }

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        self.store.round_journal(table, round).await
    }

    async fn rounds_of(
        &self,
        player: &PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<PlayerRound>, StoreError> {
        self.store.rounds_of(player, before, limit).await
    }

    async fn walk<V: StoreVisitor>(&self, visit: V) -> Result<V, StoreError> {
        self.store.walk(visit).await
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        self.store.damage().await
    }
}

/// Writes the rows of batches and returns how long that took.
pub(crate) async fn write(address: &str, batches: Batches, group: usize) -> Duration {
    // Opening the store creates the tables. The writes then bypass it.
    match AnyStore::open(address).await.unwrap() {
        AnyStore::Sqlite(_) => {
            let path = PathBuf::from(address);
            tokio::task::spawn_blocking(move || sqlite(&path, &batches, group)).await.unwrap()
        }
        AnyStore::Postgres(_) => postgres(address, batches, group).await,
    }
}

/// The rows of a batch. Accounts and holds are updated without being read.
struct Rows<'a> {
    batch: &'a Batch,
    actor: String,
    table: &'a str,
    first: u64,
}

impl Rows<'_> {
    fn of(batch: &Batch) -> Rows<'_> {
        let (table, first) = batch.table.as_ref().map_or(("", 0), |(table, tip)| (table.as_str(), tip.seq));
        let actor = match &batch.by {
            Actor::Player(player) => format!("player:{player}"),
            Actor::Operator(operator) => format!("operator:{operator}"),
            Actor::Clock => "clock".to_owned(),
        };
        Rows { batch, actor, table, first }
    }

    /// Returns the change of each account, by owner, currency and shard.
    fn changes(&self) -> BTreeMap<(String, String, String), i64> {
        let mut changes = BTreeMap::new();
        for transfer in &self.batch.transfers {
            let cents = transfer.cents.cast_signed();
            for (account, change) in [(&transfer.debit, -cents), (&transfer.credit, cents)] {
                let own = matches!(account.owner, Owner::Player(_) | Owner::Escrow(_));
                let shard = if own { String::new() } else { self.table.to_owned() };
                *changes
                    .entry((account.owner.to_string(), account.currency.to_string(), shard))
                    .or_default() += change;
            }
        }
        changes
    }
}

fn kind_and_hold(kind: &TransferKind) -> (&'static str, Option<&str>) {
    match kind {
        TransferKind::Plain => ("plain", None),
        TransferKind::Hold => ("hold", None),
        TransferKind::Post(hold) => ("post", Some(hold.as_str())),
        TransferKind::Void(hold) => ("void", Some(hold.as_str())),
    }
}

/// Number of connections, as in the store.
const CONNECTIONS: usize = 16;

const HASH: [u8; 32] = [7; 32];

fn sqlite(path: &std::path::Path, batches: &[Batch], group: usize) -> Duration {
    let mut connection = rusqlite::Connection::open(path).unwrap();
    connection.pragma_update(None, "synchronous", "FULL").unwrap();
    connection.set_prepared_statement_cache_capacity(32);
    // Rows that exist before the rounds: tables, and accounts with chips.
    for batch in batches {
        let rows = Rows::of(batch);
        connection.execute("INSERT OR IGNORE INTO tables VALUES (?1, 0)", [rows.table]).unwrap();
        for (owner, currency, shard) in rows.changes().into_keys() {
            let values = params![owner, currency, shard, 1_000_000_000];
            connection.execute("INSERT OR IGNORE INTO accounts VALUES (?1, ?2, ?3, ?4)", values).unwrap();
        }
    }
    let start = Instant::now();
    for group in batches.chunks(group) {
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
        for batch in group {
            sqlite_rows(&transaction, &Rows::of(batch));
        }
        transaction.commit().unwrap();
    }
    start.elapsed()
}

fn sqlite_rows(connection: &rusqlite::Connection, rows: &Rows<'_>) {
    let Rows { batch, actor, table, first } = rows;
    let (id, at) = (batch.id.as_str(), batch.at.0.cast_signed());
    let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
        connection.prepare_cached(sql).unwrap().execute(values).unwrap();
    };
    let command = "INSERT INTO commands (actor, id, at, table_id, body, answer, digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    run(command, &[actor, &id, &at, table, &batch.body, &batch.answer, &HASH]);
    for (seq, event) in (first + 1..).zip(&batch.events) {
        let insert = "INSERT INTO events (table_id, seq, round, json, at, actor, command, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        run(
            insert,
            &[table, &seq.cast_signed(), &event.round.cast_signed(), &event.json, &at, actor, &id, &HASH],
        );
    }
    for (number, transfer) in (0i64..).zip(&batch.transfers) {
        let (kind, hold) = kind_and_hold(&transfer.kind);
        let (debit, credit) = (transfer.debit.owner.to_string(), transfer.credit.owner.to_string());
        let (currency, cents) = (transfer.debit.currency.as_str(), transfer.cents.cast_signed());
        let insert = "INSERT INTO journal (id, kind, hold, debit, credit, currency, cents, purpose, at, actor, command, number, table_id, round) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'wager', ?8, ?9, ?10, ?11, ?12, ?13)";
        let values: [&dyn rusqlite::ToSql; 13] = [
            &transfer.id.as_str(),
            &kind,
            &hold,
            &debit,
            &credit,
            &currency,
            &cents,
            &at,
            actor,
            &id,
            &number,
            table,
            &batch.round.cast_signed(),
        ];
        run(insert, &values);
        match hold {
            None if kind == "hold" => {
                run(
                    "INSERT INTO holds VALUES (?1, ?2, ?3, ?4, ?5)",
                    &[&transfer.id.as_str(), &debit, &credit, &currency, &cents],
                );
            }
            None => {}
            Some(hold) => {
                run("UPDATE holds SET cents_left = cents_left - ?2 WHERE id = ?1", &[&hold, &cents]);
            }
        }
    }
    for ((owner, currency, shard), cents) in rows.changes() {
        let update =
            "UPDATE accounts SET cents = cents + ?4 WHERE owner = ?1 AND currency = ?2 AND shard = ?3";
        run(update, &[&owner, &currency, &shard, &cents]);
    }
}

/// Sends each group as one transaction in one round trip.
async fn postgres(address: &str, batches: Batches, group: usize) -> Duration {
    let connect = async || {
        let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    };
    let client = connect().await;
    let mut before = String::new();
    for batch in &batches {
        let rows = Rows::of(batch);
        let _ = writeln!(before, "INSERT INTO tables VALUES ('{}', 0) ON CONFLICT DO NOTHING;", rows.table);
        for (owner, currency, shard) in rows.changes().into_keys() {
            let _ = writeln!(
                before,
                "INSERT INTO accounts VALUES ('{owner}', '{currency}', '{shard}', 1000000000) ON CONFLICT DO NOTHING;"
            );
        }
    }
    client.batch_execute(&before).await.unwrap();
    // The batches of a table must stay in order, so each table is assigned to one connection.
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); CONNECTIONS];
    let mut of_table: BTreeMap<&str, usize> = BTreeMap::new();
    let next = AtomicUsize::new(0);
    for batch in &batches {
        let rows = Rows::of(batch);
        let connection =
            *of_table.entry(rows.table).or_insert_with(|| next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS);
        texts[connection].push(postgres_rows(&rows));
    }
    let mut clients = Vec::new();
    for _ in 0..CONNECTIONS {
        clients.push(connect().await);
    }
    let start = Arc::new(Instant::now());
    let tasks = clients.into_iter().zip(texts).map(|(client, texts)| {
        tokio::spawn(async move {
            for group in texts.chunks(group) {
                client.batch_execute(&format!("BEGIN;{}COMMIT;", group.concat())).await.unwrap();
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    start.elapsed()
}

fn postgres_rows(rows: &Rows<'_>) -> String {
    let Rows { batch, actor, table, first } = rows;
    let (id, at, hash) =
        (&batch.id, batch.at.0, "\\x0707070707070707070707070707070707070707070707070707070707070707");
    let quoted = |text: &str| text.replace('\'', "''");
    let (body, answer) = (quoted(&batch.body), quoted(&batch.answer));
    let mut text = String::new();
    let _ = write!(
        text,
        "INSERT INTO commands (actor, id, at, table_id, body, answer, digest) VALUES ('{actor}', '{id}', {at}, '{table}', '{body}', '{answer}', '{hash}');"
    );
    for (seq, event) in (first + 1..).zip(&batch.events) {
        let json = quoted(&event.json);
        let _ = write!(
            text,
            "INSERT INTO events (table_id, seq, round, json, at, actor, command, hash) VALUES ('{table}', {seq}, {}, '{json}', {at}, '{actor}', '{id}', '{hash}');",
            event.round
        );
    }
    for (number, transfer) in batch.transfers.iter().enumerate() {
        let (kind, hold) = kind_and_hold(&transfer.kind);
        let (debit, credit, currency) =
            (&transfer.debit.owner, &transfer.credit.owner, &transfer.debit.currency);
        let (cents, name, round) = (transfer.cents, &transfer.id, batch.round);
        let spent = hold.map_or("NULL".to_owned(), |hold| format!("'{hold}'"));
        let _ = write!(
            text,
            "INSERT INTO journal (id, kind, hold, debit, credit, currency, cents, purpose, number, at, actor, command, table_id, round) VALUES ('{name}', '{kind}', {spent}, '{debit}', '{credit}', '{currency}', {cents}, 'wager', {number}, {at}, '{actor}', '{id}', '{table}', {round});"
        );
        if kind == "hold" {
            let _ = write!(
                text,
                "INSERT INTO holds VALUES ('{name}', '{debit}', '{credit}', '{currency}', {cents});"
            );
        } else if hold.is_some() {
            let _ = write!(text, "UPDATE holds SET cents_left = cents_left - {cents} WHERE id = {spent};");
        }
    }
    for ((owner, currency, shard), cents) in rows.changes() {
        let _ = write!(
            text,
            "UPDATE accounts SET cents = cents + {cents} WHERE owner = '{owner}' AND currency = '{currency}' AND shard = '{shard}';"
        );
    }
    text
}
