//! Writes the rows of a group of batches, with one statement for each table of the database.

use super::super::encoding::{encode_actor, encode_kind, encode_purpose, signed};
use super::super::house::HouseLogEntry;
use super::super::plan::Writes;
use super::super::{Batch, StoreError, Tip};
use super::house::{self, Columns};
use deadpool_postgres::Client;
use paigow_table::{Hold, TableId, TransferId};
use std::collections::BTreeMap;
use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

/// Batches with their planned writes.
type PlannedBatches<'a> = [(&'a Batch, Writes<'a>)];

/// A conflict is ignored here, because the key of the table's first event detects it.
const TABLES: &str = "INSERT INTO tables (id, opened_at) SELECT * FROM unnest($1::text[], $2::bigint[]) \
    ON CONFLICT DO NOTHING";
const COMMANDS: &str = "INSERT INTO commands (actor, id, at, table_id, body, answer, digest) \
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bytea[])";
const EVENTS: &str = "INSERT INTO events (table_id, seq, round, json, at, actor, command, hash) \
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], \
    $8::bytea[])";
const JOURNAL: &str = "INSERT INTO journal \
    (id, kind, hold, debit, credit, currency, cents, purpose, number, at, actor, command, table_id, round) \
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], \
    $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::bigint[])";
/// Missing rows are created with a balance of 0 first. An upsert also checks the inserted row, so that the constraint
/// on negative balances would refuse a debit.
const CREATE_ACCOUNTS: &str = "INSERT INTO accounts (owner, currency, shard, cents) \
    SELECT owner, currency, shard, 0 FROM unnest($1::text[], $2::text[], $3::text[]) AS new (owner, currency, shard) \
    ON CONFLICT DO NOTHING";
const CHANGE_ACCOUNTS: &str = "UPDATE accounts SET cents = accounts.cents + new.cents \
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS new (owner, currency, shard, cents) \
    WHERE (accounts.owner, accounts.currency, accounts.shard) = (new.owner, new.currency, new.shard)";
const HOLDS: &str = "INSERT INTO holds (id, holder, escrow, currency, cents_left) \
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]) \
    ON CONFLICT (id) DO UPDATE SET cents_left = excluded.cents_left";

/// Writes the planned rows and commits.
///
/// All statements are pipelined: sent, executed and polled in this order. If one fails, the later ones fail because of
/// it, its error is returned, and the commit rolls back. For this, all statements are prepared before the first is
/// sent.
pub(super) async fn write(
    client: &Client,
    planned: &PlannedBatches<'_>,
    logged: &[HouseLogEntry],
) -> Result<(), StoreError> {
    let mut statements = Vec::with_capacity(8);
    for text in [TABLES, COMMANDS, EVENTS, JOURNAL, CREATE_ACCOUNTS, CHANGE_ACCOUNTS, HOLDS, house::INSERT] {
        statements.push(client.prepare_cached(text).await?);
    }
    let [tables_, commands_, events_, journal_, create, change, holds_, log] = &statements[..] else {
        return Err(StoreError::Stopped);
    };
    let house_log = Columns::of(logged);
    let house_log = house_log.values();
    tokio::try_join!(
        biased;
        tables(client, tables_, planned),
        commands(client, commands_, planned),
        events(client, events_, planned),
        journal(client, journal_, planned),
        accounts(client, [create, change], planned),
        holds(client, holds_, planned),
        run(client, log, logged.len(), &house_log),
        client.batch_execute("COMMIT"),
    )?;
    Ok(())
}

type RowResult = Result<(), tokio_postgres::Error>;

async fn run(
    client: &Client,
    statement: &Statement,
    rows: usize,
    values: &[&(dyn ToSql + Sync)],
) -> RowResult {
    if rows > 0 {
        client.execute(statement, values).await?;
    }
    Ok(())
}

async fn tables(client: &Client, insert: &Statement, planned: &PlannedBatches<'_>) -> RowResult {
    let new = planned.iter().filter_map(|(batch, _)| match &batch.table {
        Some((table, Tip { seq: 0, .. })) => Some((table.as_str(), signed(batch.at.0))),
        _ => None,
    });
    let (ids, at): (Vec<&str>, Vec<i64>) = new.unzip();
    run(client, insert, ids.len(), &[&ids, &at]).await
}

async fn commands(client: &Client, insert: &Statement, planned: &PlannedBatches<'_>) -> RowResult {
    let mut rows = Commands::default();
    let (mut bodies, mut answers, mut digests) = (Vec::new(), Vec::new(), Vec::new());
    for (batch, writes) in planned {
        rows.push(batch);
        bodies.push(batch.body.as_str());
        answers.push(batch.answer.as_str());
        digests.push(&writes.digest[..]);
    }
    let Commands { actors, ids, at, tables } = &rows;
    run(client, insert, ids.len(), &[actors, ids, at, tables, &bodies, &answers, &digests]).await
}

/// Columns that identify the command of a row.
#[derive(Default)]
struct Commands<'a> {
    actors: Vec<String>,
    ids: Vec<&'a str>,
    at: Vec<i64>,
    tables: Vec<Option<&'a str>>,
}

impl<'a> Commands<'a> {
    fn push(&mut self, batch: &'a Batch) {
        self.actors.push(encode_actor(&batch.by));
        self.ids.push(batch.id.as_str());
        self.at.push(signed(batch.at.0));
        self.tables.push(batch.table_id().map(TableId::as_str));
    }
}

async fn events(client: &Client, insert: &Statement, planned: &PlannedBatches<'_>) -> RowResult {
    let mut rows = Commands::default();
    let (mut seqs, mut rounds, mut texts, mut hashes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (batch, writes) in planned {
        for (seq, round, json, hash) in &writes.events {
            rows.push(batch);
            seqs.push(signed(*seq));
            rounds.push(signed(*round));
            texts.push(*json);
            hashes.push(&hash[..]);
        }
    }
    let Commands { actors, ids, at, tables } = &rows;
    run(client, insert, seqs.len(), &[tables, &seqs, &rounds, &texts, at, actors, ids, &hashes]).await
}

async fn journal(client: &Client, insert: &Statement, planned: &PlannedBatches<'_>) -> RowResult {
    let mut rows = Commands::default();
    let (mut names, mut kinds, mut holds) = (Vec::new(), Vec::new(), Vec::new());
    let (mut debits, mut credits, mut currencies) = (Vec::new(), Vec::new(), Vec::new());
    let (mut cents, mut purposes, mut numbers, mut rounds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (batch, writes) in planned {
        for (number, transfer) in (0i64..).zip(&writes.journal) {
            let (kind, hold) = encode_kind(&transfer.kind);
            rows.push(batch);
            names.push(transfer.id.as_str());
            kinds.push(kind);
            holds.push(hold);
            debits.push(transfer.debit.owner.to_string());
            credits.push(transfer.credit.owner.to_string());
            currencies.push(transfer.debit.currency.as_str());
            cents.push(signed(transfer.cents));
            purposes.push(encode_purpose(transfer.purpose));
            numbers.push(number);
            rounds.push(signed(batch.round));
        }
    }
    let Commands { actors, ids, at, tables } = &rows;
    let values: [&(dyn ToSql + Sync); 14] = [
        &names,
        &kinds,
        &holds,
        &debits,
        &credits,
        &currencies,
        &cents,
        &purposes,
        &numbers,
        at,
        actors,
        ids,
        tables,
        &rounds,
    ];
    run(client, insert, names.len(), &values).await
}

async fn accounts(
    client: &Client,
    [create, change]: [&Statement; 2],
    planned: &PlannedBatches<'_>,
) -> RowResult {
    let mut sums: BTreeMap<(String, &str, &str), i64> = BTreeMap::new();
    for (_, writes) in planned {
        for ((account, shard), cents) in &writes.changes {
            let key = (account.owner.to_string(), account.currency.as_str(), shard.as_str());
            *sums.entry(key).or_default() += cents;
        }
    }
    let owners: Vec<&str> = sums.keys().map(|(owner, _, _)| owner.as_str()).collect();
    let currencies: Vec<&str> = sums.keys().map(|(_, currency, _)| *currency).collect();
    let shards: Vec<&str> = sums.keys().map(|(_, _, shard)| *shard).collect();
    let cents: Vec<i64> = sums.values().copied().collect();
    let keys: [&(dyn ToSql + Sync); 3] = [&owners, &currencies, &shards];
    let changes: [&(dyn ToSql + Sync); 4] = [&owners, &currencies, &shards, &cents];
    let count = cents.len();
    tokio::try_join!(biased; run(client, create, count, &keys), run(client, change, count, &changes))?;
    Ok(())
}

async fn holds(client: &Client, upsert: &Statement, planned: &PlannedBatches<'_>) -> RowResult {
    // If several batches change a hold, the last value is written.
    let held: BTreeMap<&TransferId, &Hold> =
        planned.iter().flat_map(|(_, writes)| &writes.holds).map(|(id, hold)| (id, hold)).collect();
    let ids: Vec<&str> = held.keys().map(|id| id.as_str()).collect();
    let holders: Vec<String> = held.values().map(|hold| hold.holder.owner.to_string()).collect();
    let escrows: Vec<String> = held.values().map(|hold| hold.escrow.owner.to_string()).collect();
    let currencies: Vec<&str> = held.values().map(|hold| hold.holder.currency.as_str()).collect();
    let left: Vec<i64> = held.values().map(|hold| signed(hold.left)).collect();
    run(client, upsert, ids.len(), &[&ids, &holders, &escrows, &currencies, &left]).await
}
