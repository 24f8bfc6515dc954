//! A batch, written. Rows of one kind go in one statement, and statements that do not wait for each other's answers are sent
//! together: a transaction is four journeys to the database, whatever its size.

use super::super::plan::{Known, Writes};
use super::super::words::{of_actor, of_kind, of_purpose, signed, to_account, to_hash, unsigned};
use super::super::{Batch, HoldRow, Kept, Outcome, StoreError};
use super::read::{self, JOURNAL};
use deadpool_postgres::{Client, Transaction};
use paigow_table::{TableId, TransferId};
use tokio_postgres::types::ToSql;

pub(super) async fn take(client: &mut Client, batch: &Batch) -> Result<Outcome, StoreError> {
    let transaction = client.transaction().await?;
    let (known, kept, seq) = read(&transaction, batch).await?;
    if let Some(kept) = kept {
        return Ok(kept.outcome(batch));
    }
    if batch.table.as_ref().is_some_and(|(_, expected)| *expected != seq) {
        return Ok(Outcome::Behind);
    }
    match batch.plan(known) {
        Ok(writes) => {
            write(&transaction, batch, &writes).await?;
            transaction.commit().await?;
            Ok(Outcome::Appended)
        }
        Err(refusal) => Ok(Outcome::Refused(refusal)),
    }
}

/// Locks accounts and holds, each in one order. What is waited for here is waited for by all in the same order.
const ACCOUNTS: &str = "SELECT owner, currency, cents FROM accounts \
    WHERE (owner, currency) IN (SELECT * FROM unnest($1::text[], $2::text[])) \
    ORDER BY owner, currency, shard FOR UPDATE";
const HOLDS: &str =
    "SELECT id, holder, escrow, currency, cents_left FROM holds WHERE id = ANY($1) ORDER BY id FOR UPDATE";
/// What is kept of the command, how many events the table has, and the hash of the last: in one statement, so that all of it is of
/// one moment.
const PLACE: &str = "SELECT last.seq, last.hash, done.id IS NOT NULL, done.table_id, done.body, done.answer \
    FROM (SELECT) AS one LEFT JOIN commands AS done ON done.actor = $1 AND done.id = $2 \
    LEFT JOIN LATERAL (SELECT seq, hash FROM events WHERE table_id = $3 ORDER BY seq DESC LIMIT 1) AS last ON true";

/// What a batch needs to know, what is kept of its command, and how many events its table has.
///
/// All is asked at once and answered in this order. The place comes last: where it is as expected, nobody has appended to the table
/// since the rest was read, so that what looks refused was not done by somebody else a moment ago.
async fn read(
    transaction: &Transaction<'_>,
    batch: &Batch,
) -> Result<(Known, Option<Kept>, u64), StoreError> {
    let needs = batch.needs();
    let owners: Vec<String> = needs.accounts.iter().map(|account| account.owner.to_string()).collect();
    let currencies: Vec<&str> = needs.accounts.iter().map(|account| account.currency.as_str()).collect();
    let holds: Vec<&str> = needs.holds.iter().map(TransferId::as_str).collect();
    let transfers: Vec<&str> = needs.transfers.iter().map(TransferId::as_str).collect();
    let (by, table) = (of_actor(&batch.by), batch.table_id().map(TableId::as_str));
    let id = batch.id.as_str();

    let accounts_statement = transaction.prepare_cached(ACCOUNTS).await?;
    let holds_statement = transaction.prepare_cached(HOLDS).await?;
    let transfers_statement = transaction.prepare_cached(&format!("{JOURNAL} WHERE id = ANY($1)")).await?;
    let place_statement = transaction.prepare_cached(PLACE).await?;
    let account_values: [&(dyn ToSql + Sync); 2] = [&owners, &currencies];
    let hold_values: [&(dyn ToSql + Sync); 1] = [&holds];
    let transfer_values: [&(dyn ToSql + Sync); 1] = [&transfers];
    let place_values: [&(dyn ToSql + Sync); 3] = [&by, &id, &table];

    let mut known = Known::default();
    let moves = !needs.transfers.is_empty();
    let ask = async |asked: bool, statement, values| {
        if asked { transaction.query(statement, values).await } else { Ok(Vec::new()) }
    };
    let (accounts, holds, transfers, place) = tokio::try_join!(
        biased;
        ask(moves, &accounts_statement, &account_values),
        ask(!holds.is_empty(), &holds_statement, &hold_values),
        ask(moves, &transfers_statement, &transfer_values),
        transaction.query_one(&place_statement, &place_values),
    )?;
    for row in accounts {
        let account = to_account(row.try_get(0)?, row.try_get(1)?)?;
        *known.balances.entry(account).or_default() += row.try_get::<_, i64>(2)?;
    }
    for row in &holds {
        let HoldRow { id, hold } = read::to_hold(row)?;
        known.holds.insert(id, hold);
    }
    for row in &transfers {
        let transfer = read::to_transfer(row)?;
        known.taken.insert(transfer.id.clone(), transfer);
    }
    let kept = if place.try_get(2)? { Some(read::to_kept(&place, 3)?) } else { None };
    let mut seq = 0;
    if let Some(last) = place.try_get::<_, Option<i64>>(0)? {
        seq = unsigned(last)?;
        known.hash = to_hash(place.try_get(1)?)?;
    }
    Ok((known, kept, seq))
}

async fn write(transaction: &Transaction<'_>, batch: &Batch, writes: &Writes<'_>) -> Result<(), StoreError> {
    let (by, id, at) = (of_actor(&batch.by), batch.id.as_str(), signed(batch.at.0));
    let table = batch.table_id().map(TableId::as_str);
    if let Some((table, 0)) = &batch.table {
        // Whether the table is new is for its first event to say.
        let insert = "INSERT INTO tables (id, opened_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        transaction.execute(insert, &[&table.as_str(), &at]).await?;
    }
    let insert = transaction
        .prepare_cached(
            "INSERT INTO commands (actor, id, at, table_id, body, answer, digest) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .await?;
    let digest = &writes.digest[..];
    let values: [&(dyn ToSql + Sync); 7] = [&by, &id, &at, &table, &batch.body, &batch.answer, &digest];
    // Sent in this order, done in this order and asked in this order: where one fails, the others fail because of it, and it is the one
    // that says why.
    let ((), (), (), (), ()) = tokio::try_join!(
        biased;
        async { Ok(transaction.execute(&insert, &values).await.map(drop)?) },
        events(transaction, batch, writes),
        journal(transaction, batch, writes),
        accounts(transaction, writes),
        holds(transaction, writes),
    )?;
    Ok(())
}

async fn events(transaction: &Transaction<'_>, batch: &Batch, writes: &Writes<'_>) -> Result<(), StoreError> {
    let Some(table) = batch.table_id().filter(|_| !writes.events.is_empty()) else { return Ok(()) };
    let (by, id, at) = (of_actor(&batch.by), batch.id.as_str(), signed(batch.at.0));
    let insert = transaction
        .prepare_cached(
            "INSERT INTO events (table_id, seq, round, json, at, actor, command, hash) \
             SELECT $1, seq, round, json, $2, $3, $4, hash \
             FROM unnest($5::bigint[], $6::bigint[], $7::text[], $8::bytea[]) AS new (seq, round, json, hash)",
        )
        .await?;
    let seqs: Vec<i64> = writes.events.iter().map(|event| signed(event.0)).collect();
    let rounds: Vec<i64> = writes.events.iter().map(|event| signed(event.1)).collect();
    let texts: Vec<&str> = writes.events.iter().map(|event| event.2).collect();
    let hashes: Vec<&[u8]> = writes.events.iter().map(|event| &event.3[..]).collect();
    let table = table.as_str();
    transaction.execute(&insert, &[&table, &at, &by, &id, &seqs, &rounds, &texts, &hashes]).await?;
    Ok(())
}

async fn journal(
    transaction: &Transaction<'_>,
    batch: &Batch,
    writes: &Writes<'_>,
) -> Result<(), StoreError> {
    if writes.journal.is_empty() {
        return Ok(());
    }
    let (by, id, at) = (of_actor(&batch.by), batch.id.as_str(), signed(batch.at.0));
    let insert = transaction
        .prepare_cached(
            "INSERT INTO journal \
             (id, kind, hold, debit, credit, currency, cents, purpose, number, at, actor, command, table_id, round) \
             SELECT new.*, $10, $11, $12, $13, $14 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], \
             $5::text[], $6::text[], $7::bigint[], $8::text[], $9::bigint[]) AS new",
        )
        .await?;
    let new = &writes.journal;
    let ids: Vec<&str> = new.iter().map(|transfer| transfer.id.as_str()).collect();
    let (kinds, holds): (Vec<&str>, Vec<Option<&str>>) =
        new.iter().map(|transfer| of_kind(&transfer.kind)).unzip();
    let debits: Vec<String> = new.iter().map(|transfer| transfer.debit.owner.to_string()).collect();
    let credits: Vec<String> = new.iter().map(|transfer| transfer.credit.owner.to_string()).collect();
    let currencies: Vec<&str> = new.iter().map(|transfer| transfer.debit.currency.as_str()).collect();
    let cents: Vec<i64> = new.iter().map(|transfer| signed(transfer.cents)).collect();
    let purposes: Vec<&str> = new.iter().map(|transfer| of_purpose(transfer.purpose)).collect();
    let numbers: Vec<i64> = (0..).take(new.len()).collect();
    let (table, round) = (batch.table_id().map(TableId::as_str), signed(batch.round));
    transaction
        .execute(
            &insert,
            &[
                &ids,
                &kinds,
                &holds,
                &debits,
                &credits,
                &currencies,
                &cents,
                &purposes,
                &numbers,
                &at,
                &by,
                &id,
                &table,
                &round,
            ],
        )
        .await?;
    Ok(())
}

async fn accounts(transaction: &Transaction<'_>, writes: &Writes<'_>) -> Result<(), StoreError> {
    if writes.changes.is_empty() {
        return Ok(());
    }
    let owners: Vec<String> = writes.changes.keys().map(|(account, _)| account.owner.to_string()).collect();
    let currencies: Vec<&str> = writes.changes.keys().map(|(account, _)| account.currency.as_str()).collect();
    let shards: Vec<&str> = writes.changes.keys().map(|(_, shard)| shard.as_str()).collect();
    let cents: Vec<i64> = writes.changes.values().copied().collect();
    // Every row is made first, with nothing in it: the check that nobody's account is below zero also looks at rows that are
    // offered and not kept.
    let make = transaction
        .prepare_cached(
            "INSERT INTO accounts (owner, currency, shard, cents) \
             SELECT owner, currency, shard, 0 FROM unnest($1::text[], $2::text[], $3::text[]) \
             AS new (owner, currency, shard) ORDER BY owner, currency, shard ON CONFLICT DO NOTHING",
        )
        .await?;
    let change = transaction
        .prepare_cached(
            "UPDATE accounts SET cents = accounts.cents + new.cents \
             FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS new (owner, currency, shard, cents) \
             WHERE (accounts.owner, accounts.currency, accounts.shard) = (new.owner, new.currency, new.shard)",
        )
        .await?;
    let parts: [&(dyn ToSql + Sync); 3] = [&owners, &currencies, &shards];
    let changes: [&(dyn ToSql + Sync); 4] = [&owners, &currencies, &shards, &cents];
    tokio::try_join!(biased; transaction.execute(&make, &parts), transaction.execute(&change, &changes))?;
    Ok(())
}

async fn holds(transaction: &Transaction<'_>, writes: &Writes<'_>) -> Result<(), StoreError> {
    if writes.holds.is_empty() {
        return Ok(());
    }
    let keep = transaction
        .prepare_cached(
            "INSERT INTO holds (id, holder, escrow, currency, cents_left) \
             SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]) \
             ON CONFLICT (id) DO UPDATE SET cents_left = excluded.cents_left",
        )
        .await?;
    let ids: Vec<&str> = writes.holds.iter().map(|(id, _)| id.as_str()).collect();
    let holders: Vec<String> = writes.holds.iter().map(|(_, hold)| hold.holder.owner.to_string()).collect();
    let escrows: Vec<String> = writes.holds.iter().map(|(_, hold)| hold.escrow.owner.to_string()).collect();
    let currencies: Vec<&str> = writes.holds.iter().map(|(_, hold)| hold.holder.currency.as_str()).collect();
    let left: Vec<i64> = writes.holds.iter().map(|(_, hold)| signed(hold.left)).collect();
    transaction.execute(&keep, &[&ids, &holders, &escrows, &currencies, &left]).await?;
    Ok(())
}
