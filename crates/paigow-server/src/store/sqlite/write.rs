//! Appends a batch in SQLite.

use super::super::encoding::{encode_actor, encode_kind, encode_purpose, signed};
use super::super::house::{HouseRecord, SharedSigner};
use super::super::plan::Writes;
use super::super::{AppendOutcome, Batch, StoreError, Tip};
use super::writer_cache::WriterCache;
use super::{blocks, house, read};
use paigow_table::Ledger;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

/// Appends a batch in a transaction that the caller commits.
pub(super) fn append(
    connection: &Connection,
    signer: &SharedSigner,
    cache: &mut WriterCache,
    batch: &Batch,
) -> Result<AppendOutcome, StoreError> {
    match append_new(connection, signer, cache, batch)? {
        appended @ AppendOutcome::Appended { .. } => Ok(appended),
        // The outcome of a stored command has precedence, but retries are rare. So the command is looked up only if the
        // append fails.
        outcome => {
            let stored = read::stored_command(connection, &batch.by, &batch.id)?;
            Ok(stored.map_or(outcome, |stored| stored.outcome(batch)))
        }
    }
}

/// Appends a batch whose command is new. Returns `Reused` if it is not.
fn append_new(
    connection: &Connection,
    signer: &SharedSigner,
    cache: &mut WriterCache,
    batch: &Batch,
) -> Result<AppendOutcome, StoreError> {
    let tip = match &batch.table {
        Some((table, _)) => cache.tip(connection, table)?,
        None => Tip::START,
    };
    let (mut balances, mut holds, mut transfers) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let needs = batch.needs();
    for account in needs.accounts {
        let balance = cache.balance(connection, &account)?;
        balances.insert(account, balance);
    }
    for id in needs.holds {
        holds.extend(cache.hold(connection, &id)?.map(|hold| (id, hold)));
    }
    // The id of a table's transfer contains the round and a number within it, so it is new after the current tip. If it
    // exists after all, the unique key refuses it.
    if batch.table.is_none() {
        for id in needs.transfers {
            transfers.extend(read::transfer(connection, &id)?.map(|transfer| (id, transfer)));
        }
    }
    let last = match &batch.follows {
        Some((account, _)) => Some(read::last_transfer(connection, account)?),
        None => None,
    };
    match batch.check_and_plan(None, tip, last, &mut Ledger::from_parts(balances, holds, transfers)) {
        Ok(writes) => {
            if blocks::command(connection, &batch.by, &batch.id)?.is_some()
                || !write(connection, batch, &writes)?
            {
                return Ok(AppendOutcome::IdReused);
            }
            if batch.table.is_none() {
                house::append(connection, signer, batch.at, &[HouseRecord::of_batch(batch, writes.digest)])?;
            }
            cache.update(batch, &writes);
            Ok(writes.outcome())
        }
        Err(outcome) => Ok(outcome),
    }
}

/// Writes the rows of a batch. Returns `false` and writes nothing if a command with its id exists.
fn write(connection: &Connection, batch: &Batch, writes: &Writes<'_>) -> Result<bool, StoreError> {
    let Batch { by, id, at, .. } = batch;
    let (by, id, at) = (encode_actor(by), id.as_str(), signed(at.0));
    let table = batch.table_id().map(paigow_table::TableId::as_str);
    let new = connection
        .prepare_cached(
            "INSERT INTO commands (actor, id, at, table_id, body, answer, digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![by, id, at, table, batch.body, batch.answer, writes.digest])?;
    if new == 0 {
        return Ok(false);
    }
    if let Some((table, Tip { seq: 0, .. })) = &batch.table {
        connection
            .prepare_cached("INSERT INTO tables (id, opened_at) VALUES (?1, ?2)")?
            .execute(params![table.as_str(), at])?;
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO events (table_id, seq, round, json, at, actor, command, hash) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (seq, round, json, hash) in &writes.events {
        insert.execute(params![table, signed(*seq), signed(*round), json, at, by, id, hash])?;
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO journal \
         (id, kind, hold, debit, credit, currency, cents, purpose, at, actor, command, number, table_id, round) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    for (number, transfer) in (0i64..).zip(&writes.journal) {
        let (kind, hold) = encode_kind(&transfer.kind);
        insert.execute(params![
            transfer.id.as_str(),
            kind,
            hold,
            transfer.debit.owner.to_string(),
            transfer.credit.owner.to_string(),
            transfer.debit.currency.as_str(),
            signed(transfer.cents),
            encode_purpose(transfer.purpose),
            at,
            by,
            id,
            number,
            table,
            signed(batch.round),
        ])?;
    }
    let mut upsert = connection.prepare_cached(
        "INSERT INTO accounts (owner, currency, shard, cents) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (owner, currency, shard) DO UPDATE SET cents = cents + excluded.cents",
    )?;
    let mut update = connection.prepare_cached(
        "UPDATE accounts SET cents = cents + ?4 WHERE owner = ?1 AND currency = ?2 AND shard = ?3",
    )?;
    for ((account, shard), cents) in &writes.changes {
        // Update first: an upsert also checks the inserted row, so that the constraint on negative balances would
        // refuse a debit.
        let values = params![account.owner.to_string(), account.currency.as_str(), shard, cents];
        if update.execute(values)? == 0 {
            upsert.execute(values)?;
        }
    }
    let mut upsert = connection.prepare_cached(
        "INSERT INTO holds (id, holder, escrow, currency, cents_left) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (id) DO UPDATE SET cents_left = excluded.cents_left",
    )?;
    for (id, hold) in &writes.holds {
        upsert.execute(params![
            id.as_str(),
            hold.holder.owner.to_string(),
            hold.escrow.owner.to_string(),
            hold.holder.currency.as_str(),
            signed(hold.left),
        ])?;
    }
    Ok(true)
}
