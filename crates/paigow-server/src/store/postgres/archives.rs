//! Archived rounds in PostgreSQL.

use super::super::archived::ARCHIVED_SUMS;
use super::super::encoding::{decode_hash, decode_time, parse, signed, unsigned};
use super::super::{
    ArchiveCounts, ArchiveRow, ArchivedBlock, ArchivedSums, BlockEnd, CheckpointRow, NewArchive, SealedBlock,
    StoreError, StoreVisitor,
};
use super::blocks::{self, BLOCK};
use super::read::all;
use super::{Postgres, house};
use deadpool_postgres::{GenericClient, Transaction};
use paigow_table::{Owner, TableId};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

const CHECKPOINT: &str = "SELECT table_id, seq, hash, opened, json, archive FROM checkpoints";

/// Returns the newest checkpoint of a table, or `None` if none of its rounds are archived.
pub(super) async fn checkpoint(
    client: &impl GenericClient,
    table: &TableId,
) -> Result<Option<CheckpointRow>, StoreError> {
    let query = format!("{CHECKPOINT} WHERE table_id = $1 ORDER BY seq DESC LIMIT 1");
    Ok(all(client, &query, &[&table.as_str()], to_checkpoint).await?.pop())
}

fn to_checkpoint(row: &Row) -> Result<CheckpointRow, StoreError> {
    Ok(CheckpointRow {
        table: parse("a table", row.try_get(0)?)?,
        seq: unsigned(row.try_get(1)?)?,
        hash: decode_hash(row.try_get(2)?)?,
        opened: row.try_get(3)?,
        json: row.try_get(4)?,
        archive: decode_hash(row.try_get(5)?)?,
    })
}

/// Returns all archives in the order of their numbers.
pub(super) async fn archives(client: &impl GenericClient) -> Result<Vec<ArchiveRow>, StoreError> {
    let query = "SELECT number, digest, file, at, older_than, tables, blocks, rounds, events, commands, transfers \
        FROM archives ORDER BY number";
    all(client, query, &[], |row| {
        let mut counts = [0; 6];
        for (index, count) in counts.iter_mut().enumerate() {
            *count = unsigned(row.try_get(5 + index)?)?;
        }
        Ok(ArchiveRow {
            number: unsigned(row.try_get(0)?)?,
            digest: decode_hash(row.try_get(1)?)?,
            file: row.try_get(2)?,
            at: decode_time(row.try_get(3)?)?,
            older_than: decode_time(row.try_get(4)?)?,
            counts: ArchiveCounts::of_columns(counts),
        })
    })
    .await
}

/// Passes the archived blocks and the checkpoints of a table to a visitor.
pub(super) async fn walk_table<V: StoreVisitor>(
    client: &impl GenericClient,
    table: &TableId,
    visit: &mut V,
) -> Result<(), StoreError> {
    let query = format!("{BLOCK} WHERE table_id = $1 AND archive IS NOT NULL ORDER BY last_seq");
    let archived = all(client, &query, &[&table.as_str()], |row| {
        let (digest, archive) = (decode_hash(row.try_get(10)?)?, decode_hash(row.try_get(12)?)?);
        Ok((row.try_get::<_, i64>(13)?, blocks::to_head(row)?, digest, archive))
    })
    .await?;
    if !archived.is_empty() {
        let mut stored = blocks::indexes(client, table).await?;
        for (id, head, digest, archive) in archived {
            let index = stored.remove(&id).unwrap_or_default();
            visit.archived_block(ArchivedBlock { head, digest, archive, index });
        }
    }
    let query = format!("{CHECKPOINT} WHERE table_id = $1 ORDER BY seq");
    for row in all(client, &query, &[&table.as_str()], to_checkpoint).await? {
        visit.checkpoint(row);
    }
    Ok(())
}

impl Postgres {
    /// Returns all archives of the store, in the order of their numbers.
    ///
    /// # Errors
    /// The store failed.
    pub async fn archives(&self) -> Result<Vec<ArchiveRow>, StoreError> {
        archives(&self.pool.get().await?).await
    }

    /// Returns the sums of an owner's archived transfers, by archive and currency.
    ///
    /// # Errors
    /// The store failed.
    pub async fn archived_sums(&self, owner: &Owner) -> Result<Vec<ArchivedSums>, StoreError> {
        all(&self.pool.get().await?, ARCHIVED_SUMS, &[&owner.to_string()], |row| {
            Ok(ArchivedSums {
                file: row.try_get(0)?,
                older_than: decode_time(row.try_get(1)?)?,
                currency: parse("a currency", row.try_get(2)?)?,
                debit_cents: unsigned(row.try_get(3)?)?,
                credit_cents: unsigned(row.try_get(4)?)?,
            })
        })
        .await
    }

    /// Returns the blocks whose rows are in the store, by table and sequence number.
    pub(crate) async fn block_ends(&self) -> Result<Vec<BlockEnd>, StoreError> {
        let query = "SELECT table_id, last_seq, last_at, digest FROM blocks WHERE archive IS NULL \
            ORDER BY table_id, last_seq";
        all(&self.pool.get().await?, query, &[], |row| {
            Ok(BlockEnd {
                table: parse("a table", row.try_get(0)?)?,
                last_seq: unsigned(row.try_get(1)?)?,
                last_at: decode_time(row.try_get(2)?)?,
                digest: decode_hash(row.try_get(3)?)?,
            })
        })
        .await
    }

    /// Returns a block of a table by its last event, or `None` if its rows are not in the store.
    pub(crate) async fn sealed_block(
        &self,
        table: &TableId,
        last_seq: u64,
    ) -> Result<Option<SealedBlock>, StoreError> {
        let query = format!("{BLOCK} WHERE table_id = $1 AND last_seq = $2 AND archive IS NULL");
        let values: [&(dyn ToSql + Sync); 2] = [&table.as_str(), &signed(last_seq)];
        Ok(all(&self.pool.get().await?, &query, &values, blocks::to_sealed).await?.pop())
    }

    /// Records an archive and deletes the content of its blocks, in one transaction with the entry of the house log.
    ///
    /// # Errors
    /// The store failed, or it does not have these blocks. Nothing has changed.
    pub(crate) async fn keep_archive(&self, archive: NewArchive) -> Result<(), StoreError> {
        let store = self.clone();
        // In a separate task, so that a cancelled caller does not leave a transaction unfinished.
        let task = tokio::spawn(async move {
            let _guard = store.house_log_lock.lock().await;
            let mut client = store.pool.get().await?;
            let transaction = client.transaction().await?;
            transaction.batch_execute(house::LOCK).await?;
            insert(&transaction, &archive).await?;
            house::append(&transaction, &store.signer, archive.row.at, &[archive.record()]).await?;
            transaction.commit().await?;
            Ok(())
        });
        task.await.unwrap_or(Err(StoreError::Stopped))
    }
}

async fn insert(transaction: &Transaction<'_>, archive: &NewArchive) -> Result<(), StoreError> {
    let ArchiveRow { number, digest, file, at, older_than, counts } = &archive.row;
    // The lock of the house log keeps other archives from being recorded meanwhile.
    let last = transaction.query_one("SELECT coalesce(max(number), 0) FROM archives", &[]).await?;
    if unsigned(last.try_get(0)?)? + 1 != *number {
        return Err(StoreError::ArchiveConflict);
    }
    let [tables, blocks, rounds, events, commands, transfers] = counts.columns().map(signed);
    let values: [&(dyn ToSql + Sync); 11] = [
        &signed(*number),
        &&digest[..],
        file,
        &signed(at.0),
        &signed(older_than.0),
        &tables,
        &blocks,
        &rounds,
        &events,
        &commands,
        &transfers,
    ];
    transaction
        .execute(
            "INSERT INTO archives (number, digest, file, at, older_than, tables, blocks, rounds, events, commands, transfers) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            &values,
        )
        .await?;
    let tables: Vec<&str> = archive.blocks.iter().map(|block| block.table.as_str()).collect();
    let seqs: Vec<i64> = archive.blocks.iter().map(|block| signed(block.last_seq)).collect();
    let digests: Vec<&[u8]> = archive.blocks.iter().map(|block| &block.digest[..]).collect();
    let changed = transaction
        .execute(
            "UPDATE blocks SET content = NULL, archive = $1 \
             FROM unnest($2::text[], $3::bigint[], $4::bytea[]) AS named (table_id, last_seq, digest) \
             WHERE blocks.table_id = named.table_id AND blocks.last_seq = named.last_seq \
             AND blocks.digest = named.digest AND archive IS NULL",
            &[&&digest[..], &tables, &seqs, &digests],
        )
        .await?;
    if changed != archive.blocks.len() as u64 {
        return Err(StoreError::ArchiveConflict);
    }
    let insert = "INSERT INTO checkpoints (table_id, seq, hash, opened, json, archive) VALUES ($1, $2, $3, $4, $5, $6)";
    let insert = transaction.prepare_cached(insert).await?;
    for row in &archive.checkpoints {
        let values: [&(dyn ToSql + Sync); 6] = [
            &row.table.as_str(),
            &signed(row.seq),
            &&row.hash[..],
            &row.opened,
            &row.json,
            &&row.archive[..],
        ];
        transaction.execute(&insert, &values).await?;
    }
    Ok(())
}
