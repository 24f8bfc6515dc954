//! House log in PostgreSQL.
//!
//! A writer locks the log before any row that an entry covers, so that all writers lock in one order. Writes at tables
//! do not lock it.

use super::super::encoding::{decode_actor, decode_hash, decode_time, parse, signed, unsigned};
use super::super::house::{
    HOUSE_START, HouseLogEntry, HouseRecord, HouseTip, SharedSigner, UNCOVERED_COMMANDS, UncoveredRows,
    entries_after,
};
use super::super::{HouseLogPart, StoreError, StoreVisitor};
use super::read::all;
use super::{Postgres, documents, people};
use crate::{Environment, SystemEnvironment};
use deadpool_postgres::{GenericClient, Transaction};
use paigow_table::Time;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// Number of rows read or written at once, because the log may not fit in memory.
const PAGE: u32 = 10_000;

/// Locks the house log until the transaction ends. An advisory lock, because a table lock would wait for vacuum. The
/// number is arbitrary but must differ from that of every other advisory lock.
pub(super) const LOCK: &str = "SELECT pg_advisory_xact_lock(1346455880)";
pub(super) const TIP: &str = "SELECT seq, hash FROM house_log ORDER BY seq DESC LIMIT 1";
pub(super) const INSERT: &str = "INSERT INTO house_log (seq, at, json, hash, signature) \
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[], $5::bytea[])";

/// Owned values of a statement that is executed in a separate task.
pub(super) type Values = Vec<Box<dyn ToSql + Sync + Send>>;

impl Postgres {
    /// Executes one statement and logs `records` of the rows it returns in the same transaction. Returns the rows.
    ///
    /// It runs in a separate task, so that a cancelled caller does not leave a transaction unfinished. Only one runs at
    /// a time, because others of this process would each hold a connection while they wait for the lock.
    pub(super) async fn change_logged(
        &self,
        at: Time,
        statement: &str,
        values: Values,
        records: impl FnOnce(&[Row]) -> Result<Vec<HouseRecord>, StoreError> + Send + 'static,
    ) -> Result<Vec<Row>, StoreError> {
        let (store, statement) = (self.clone(), statement.to_owned());
        let task = tokio::spawn(async move {
            let _guard = store.house_log_lock.lock().await;
            let mut client = store.pool.get().await?;
            let transaction = client.transaction().await?;
            transaction.batch_execute(LOCK).await?;
            let prepared = transaction.prepare_cached(&statement).await?;
            let values: Vec<&(dyn ToSql + Sync)> =
                values.iter().map(|value| value.as_ref() as &(dyn ToSql + Sync)).collect();
            let rows = transaction.query(&prepared, &values).await?;
            append(&transaction, &store.signer, at, &records(&rows)?).await?;
            transaction.commit().await?;
            Ok(rows)
        });
        task.await.unwrap_or(Err(StoreError::Stopped))
    }
}

/// Appends records to the log, in the transaction of the rows they cover. The transaction must have locked the log.
pub(super) async fn append(
    transaction: &Transaction<'_>,
    signer: &SharedSigner,
    at: Time,
    records: &[HouseRecord],
) -> Result<(), StoreError> {
    if records.is_empty() {
        return Ok(());
    }
    let tip = transaction.query_opt(TIP, &[]).await?;
    let tip = tip.as_ref().map_or(Ok(HOUSE_START), to_tip)?;
    let entries = entries_after(tip, records.iter().map(|record| (at, record)), signer);
    for page in entries.chunks(PAGE as usize) {
        let insert = transaction.prepare_cached(INSERT).await?;
        transaction.execute(&insert, &Columns::of(page).values()).await?;
    }
    Ok(())
}

pub(super) fn to_tip(row: &Row) -> Result<HouseTip, StoreError> {
    Ok((unsigned(row.try_get(0)?)?, decode_hash(row.try_get(1)?)?))
}

/// Entries as columns, for `unnest`.
pub(super) struct Columns<'a> {
    seqs: Vec<i64>,
    at: Vec<i64>,
    texts: Vec<&'a str>,
    hashes: Vec<&'a [u8]>,
    signatures: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(entries: &'a [HouseLogEntry]) -> Columns<'a> {
        Columns {
            seqs: entries.iter().map(|entry| signed(entry.seq)).collect(),
            at: entries.iter().map(|entry| signed(entry.at.0)).collect(),
            texts: entries.iter().map(|entry| entry.json.as_str()).collect(),
            hashes: entries.iter().map(|entry| &entry.hash[..]).collect(),
            signatures: entries
                .iter()
                .map(|entry| entry.signature.as_ref().map(|bytes| &bytes[..]))
                .collect(),
        }
    }

    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 5] {
        [&self.seqs, &self.at, &self.texts, &self.hashes, &self.signatures]
    }
}

/// Writes entries for the rows outside tables of a store without a house log.
pub(super) async fn cover(transaction: &Transaction<'_>, from_version: i64) -> Result<(), StoreError> {
    let commands = all(transaction, UNCOVERED_COMMANDS, &[], |row| {
        let id = parse("a command", row.try_get(1)?)?;
        Ok((decode_actor(row.try_get(0)?)?, id, decode_hash(row.try_get(2)?)?))
    });
    let uncovered = UncoveredRows {
        commands: commands.await?,
        people: people::people_after(transaction, "", u32::MAX).await?,
        sessions: people::operators_sessions(transaction).await?,
        secret: people::secret(transaction).await?,
        acts: people::acts(transaction, 0, u32::MAX).await?,
    };
    let records = uncovered.records(unsigned(from_version)?);
    append(transaction, &SharedSigner::default(), SystemEnvironment.now(), &records).await
}

/// Passes the log to a visitor, then the rows it covers.
pub(super) async fn walk<V: StoreVisitor>(
    client: &impl GenericClient,
    visit: &mut V,
) -> Result<(), StoreError> {
    let query = "SELECT seq, at, json, hash, signature FROM house_log WHERE seq > $1 ORDER BY seq LIMIT $2";
    let mut after = 0;
    loop {
        let page = all(client, query, &[&signed(after), &i64::from(PAGE)], to_entry).await?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        visit.house(HouseLogPart::Log(page));
    }
    let mut after = String::new();
    loop {
        let page = people::people_after(client, &after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.id.to_string();
        visit.house(HouseLogPart::People(page));
    }
    let mut after = (String::new(), String::new());
    loop {
        let page = documents::documents_after(client, &after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = (last.key.kind.name().to_owned(), last.key.id.clone());
        visit.house(HouseLogPart::Documents(page));
    }
    let (sessions, secret) = (people::operators_sessions(client).await?, people::secret(client).await?);
    visit.house(HouseLogPart::Operators { sessions, secret });
    Ok(())
}

fn to_entry(row: &Row) -> Result<HouseLogEntry, StoreError> {
    let signature: Option<&[u8]> = row.try_get(4)?;
    let unreadable = |_| StoreError::Unreadable {
        location: "a signature".to_owned(),
        why: "it does not have 64 bytes".to_owned(),
    };
    Ok(HouseLogEntry {
        seq: unsigned(row.try_get(0)?)?,
        at: decode_time(row.try_get(1)?)?,
        json: row.try_get(2)?,
        hash: decode_hash(row.try_get(3)?)?,
        signature: signature.map(<[u8; 64]>::try_from).transpose().map_err(unreadable)?,
    })
}
