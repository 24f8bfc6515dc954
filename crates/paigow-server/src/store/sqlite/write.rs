//! A batch, written.

use super::super::house::{HouseRecord, SharedSigner};
use super::super::plan::Writes;
use super::super::words::{of_actor, of_kind, of_purpose, signed};
use super::super::{AppendOutcome, Batch, StoreError, Tip};
use super::writer_cache::WriterCache;
use super::{house, read};
use paigow_table::Ledger;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

/// Takes a batch inside a transaction that somebody else commits.
pub(super) fn take(
    connection: &Connection,
    signer: &SharedSigner,
    known: &mut WriterCache,
    batch: &Batch,
) -> Result<AppendOutcome, StoreError> {
    match take_new(connection, signer, known, batch)? {
        appended @ AppendOutcome::Appended { .. } => Ok(appended),
        // That it was answered before comes first, but is seldom so: it is looked for where it could not be taken as new.
        otherwise => {
            let kept = read::kept(connection, &batch.by, &batch.id)?;
            Ok(kept.map_or(otherwise, |kept| kept.outcome(batch)))
        }
    }
}

/// Takes a batch that was not answered before; one that was is not taken.
fn take_new(
    connection: &Connection,
    signer: &SharedSigner,
    known: &mut WriterCache,
    batch: &Batch,
) -> Result<AppendOutcome, StoreError> {
    let tip = match &batch.table {
        Some((table, _)) => known.tip(connection, table)?,
        None => Tip::START,
    };
    let (mut balances, mut holds, mut taken) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let needs = batch.needs();
    for account in needs.accounts {
        let balance = known.balance(connection, &account)?;
        balances.insert(account, balance);
    }
    for id in needs.holds {
        holds.extend(known.hold(connection, &id)?.map(|hold| (id, hold)));
    }
    // What a table moves is named for where it happened, and nothing has happened there yet. A name that is there all the same is
    // refused by its key.
    if batch.table.is_none() {
        for id in needs.transfers {
            taken.extend(read::transfer(connection, &id)?.map(|transfer| (id, transfer)));
        }
    }
    match batch.take(None, tip, &mut Ledger::with(balances, holds, taken)) {
        Ok(writes) => {
            if !write(connection, batch, &writes)? {
                return Ok(AppendOutcome::Reused);
            }
            if batch.table.is_none() {
                house::append(connection, signer, batch.at, &[HouseRecord::of_batch(batch, writes.digest)])?;
            }
            known.wrote(batch, &writes);
            Ok(writes.outcome())
        }
        Err(outcome) => Ok(outcome),
    }
}

/// Writes a batch, unless there is a command of its name.
fn write(connection: &Connection, batch: &Batch, writes: &Writes<'_>) -> Result<bool, StoreError> {
    let Batch { by, id, at, .. } = batch;
    let (by, id, at) = (of_actor(by), id.as_str(), signed(at.0));
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
        let (kind, hold) = of_kind(&transfer.kind);
        insert.execute(params![
            transfer.id.as_str(),
            kind,
            hold,
            transfer.debit.owner.to_string(),
            transfer.credit.owner.to_string(),
            transfer.debit.currency.as_str(),
            signed(transfer.cents),
            of_purpose(transfer.purpose),
            at,
            by,
            id,
            number,
            table,
            signed(batch.round),
        ])?;
    }
    let mut change = connection.prepare_cached(
        "INSERT INTO accounts (owner, currency, shard, cents) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (owner, currency, shard) DO UPDATE SET cents = cents + excluded.cents",
    )?;
    let mut update = connection.prepare_cached(
        "UPDATE accounts SET cents = cents + ?4 WHERE owner = ?1 AND currency = ?2 AND shard = ?3",
    )?;
    for ((account, shard), cents) in &writes.changes {
        // The check that nobody's account is below zero also looks at a row that is not kept: so what is there is changed first.
        let values = params![account.owner.to_string(), account.currency.as_str(), shard, cents];
        if update.execute(values)? == 0 {
            change.execute(values)?;
        }
    }
    let mut keep = connection.prepare_cached(
        "INSERT INTO holds (id, holder, escrow, currency, cents_left) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (id) DO UPDATE SET cents_left = excluded.cents_left",
    )?;
    for (id, hold) in &writes.holds {
        keep.execute(params![
            id.as_str(),
            hold.holder.owner.to_string(),
            hold.escrow.owner.to_string(),
            hold.holder.currency.as_str(),
            signed(hold.left),
        ])?;
    }
    Ok(true)
}
