//! Archived rounds in SQLite.

use super::super::archived::ARCHIVED_SUMS;
use super::super::encoding::{decode_account, decode_hash, decode_time, parse, signed, unsigned};
use super::super::{
    ArchiveCounts, ArchiveRow, ArchivedBlock, ArchivedSums, BlockEnd, BlockIndex, CheckpointRow, NewArchive,
    SealedBlock, StoreError, StoreVisitor,
};
use super::Sqlite;
use super::blocks::{self, BLOCK};
use super::read::{all, bytes, first, text};
use paigow_table::{Owner, TableId};
use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::{Connection, Row, Rows, Statement, params};

const CHECKPOINT: &str = "SELECT table_id, seq, hash, opened, json, archive FROM checkpoints";

/// Returns the newest checkpoint of a table, or `None` if none of its rounds are archived.
pub(super) fn checkpoint(
    connection: &Connection,
    table: &TableId,
) -> Result<Option<CheckpointRow>, StoreError> {
    let query = format!("{CHECKPOINT} WHERE table_id = ?1 ORDER BY seq DESC LIMIT 1");
    first(&mut connection.prepare_cached(&query)?, [table.as_str()], to_checkpoint)
}

fn to_checkpoint(row: &Row<'_>) -> Result<CheckpointRow, StoreError> {
    Ok(CheckpointRow {
        table: parse("a table", text(row, 0)?)?,
        seq: unsigned(row.get(1)?)?,
        hash: decode_hash(bytes(row, 2)?)?,
        opened: text(row, 3)?.to_owned(),
        json: text(row, 4)?.to_owned(),
        archive: decode_hash(bytes(row, 5)?)?,
    })
}

/// Returns all archives in the order of their numbers.
pub(super) fn archives(connection: &Connection) -> Result<Vec<ArchiveRow>, StoreError> {
    let query = "SELECT number, digest, file, at, older_than, tables, blocks, rounds, events, commands, transfers \
        FROM archives ORDER BY number";
    all(&mut connection.prepare_cached(query)?, (), |row| {
        let mut counts = [0; 6];
        for (index, count) in counts.iter_mut().enumerate() {
            *count = unsigned(row.get(5 + index)?)?;
        }
        Ok(ArchiveRow {
            number: unsigned(row.get(0)?)?,
            digest: decode_hash(bytes(row, 1)?)?,
            file: text(row, 2)?.to_owned(),
            at: decode_time(row.get(3)?)?,
            older_than: decode_time(row.get(4)?)?,
            counts: ArchiveCounts::of_columns(counts),
        })
    })
}

/// Statements that read the index of all archived blocks, in the order of tables and events.
pub(super) struct ArchivedIndex<'c> {
    commands: Statement<'c>,
    accounts: Statement<'c>,
}

/// Rows of an [`ArchivedIndex`]. Sorting once is faster than a search for each block, because the index has no key by block.
pub(super) struct ArchivedIndexRows<'s> {
    commands: Rows<'s>,
    accounts: Rows<'s>,
}

impl<'c> ArchivedIndex<'c> {
    pub(super) fn prepare(connection: &'c Connection) -> Result<ArchivedIndex<'c>, StoreError> {
        let archived =
            "JOIN blocks ON blocks.id = block WHERE archive IS NOT NULL ORDER BY table_id, last_seq";
        let commands = format!("SELECT table_id, last_seq, key FROM block_commands {archived}, key");
        let accounts = format!(
            "SELECT table_id, last_seq, owner, currency, a.first_place, a.last_place, debit_cents, credit_cents \
             FROM block_accounts a {archived}, owner, currency"
        );
        Ok(ArchivedIndex {
            commands: connection.prepare(&commands)?,
            accounts: connection.prepare(&accounts)?,
        })
    }

    pub(super) fn rows(&mut self) -> Result<ArchivedIndexRows<'_>, StoreError> {
        let (mut commands, mut accounts) = (self.commands.query(())?, self.accounts.query(())?);
        commands.advance()?;
        accounts.advance()?;
        Ok(ArchivedIndexRows { commands, accounts })
    }
}

impl ArchivedIndexRows<'_> {
    /// Returns the index of a block, which follows those returned before.
    fn of_block(&mut self, table: &str, last_seq: u64) -> Result<BlockIndex, StoreError> {
        let mut index = BlockIndex::default();
        take(&mut self.commands, (table, last_seq), |row| {
            index.commands.insert(row.get(2)?);
            Ok(())
        })?;
        take(&mut self.accounts, (table, last_seq), |row| {
            let account = decode_account(text(row, 2)?, text(row, 3)?)?;
            index.accounts.insert(account, blocks::to_sums(row, 4)?);
            Ok(())
        })?;
        Ok(index)
    }
}

/// Reads the rows of a block. Skips rows of earlier blocks, whose tables are missing.
fn take(
    rows: &mut Rows<'_>,
    block: (&str, u64),
    mut read: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    while let Some(row) = rows.get() {
        let found = (text(row, 0)?, unsigned(row.get(1)?)?);
        if found > block {
            break;
        }
        if found == block {
            read(row)?;
        }
        rows.advance()?;
    }
    Ok(())
}

/// Passes the archived blocks and the checkpoints of a table to a visitor.
pub(super) fn walk_table<V: StoreVisitor>(
    connection: &Connection,
    table: &TableId,
    index: &mut ArchivedIndexRows<'_>,
    visit: &mut V,
) -> Result<(), StoreError> {
    let query = format!("{BLOCK} WHERE table_id = ?1 AND archive IS NOT NULL ORDER BY last_seq");
    let mut select = connection.prepare_cached(&query)?;
    let mut rows = select.query([table.as_str()])?;
    while let Some(row) = rows.next()? {
        let head = blocks::to_head(row)?;
        let index = index.of_block(table.as_str(), head.last_seq)?;
        let (digest, archive) = (decode_hash(bytes(row, 10)?)?, decode_hash(bytes(row, 12)?)?);
        visit.archived_block(ArchivedBlock { head, digest, archive, index });
    }
    let query = format!("{CHECKPOINT} WHERE table_id = ?1 ORDER BY seq");
    for row in all(&mut connection.prepare_cached(&query)?, [table.as_str()], to_checkpoint)? {
        visit.checkpoint(row);
    }
    Ok(())
}

impl Sqlite {
    /// Returns all archives of the store, in the order of their numbers.
    ///
    /// # Errors
    /// The store failed.
    pub async fn archives(&self) -> Result<Vec<ArchiveRow>, StoreError> {
        self.read(|connection| archives(connection)).await
    }

    /// Returns the sums of an owner's archived transfers, by archive and currency.
    ///
    /// # Errors
    /// The store failed.
    pub async fn archived_sums(&self, owner: &Owner) -> Result<Vec<ArchivedSums>, StoreError> {
        let owner = owner.to_string();
        self.read(move |connection| {
            all(&mut connection.prepare_cached(ARCHIVED_SUMS)?, [owner], |row| {
                Ok(ArchivedSums {
                    file: row.get(0)?,
                    older_than: decode_time(row.get(1)?)?,
                    currency: parse("a currency", text(row, 2)?)?,
                    debit_cents: unsigned(row.get(3)?)?,
                    credit_cents: unsigned(row.get(4)?)?,
                })
            })
        })
        .await
    }

    /// Returns the blocks whose rows are in the store, by table and sequence number.
    pub(crate) async fn block_ends(&self) -> Result<Vec<BlockEnd>, StoreError> {
        self.read(|connection| {
            let query = "SELECT table_id, last_seq, last_at, digest FROM blocks WHERE archive IS NULL \
                ORDER BY table_id, last_seq";
            all(&mut connection.prepare_cached(query)?, (), |row| {
                Ok(BlockEnd {
                    table: parse("a table", text(row, 0)?)?,
                    last_seq: unsigned(row.get(1)?)?,
                    last_at: decode_time(row.get(2)?)?,
                    digest: decode_hash(bytes(row, 3)?)?,
                })
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
        let table = table.clone();
        self.read(move |connection| {
            let query = format!("{BLOCK} WHERE table_id = ?1 AND last_seq = ?2 AND archive IS NULL");
            first(
                &mut connection.prepare_cached(&query)?,
                (table.as_str(), signed(last_seq)),
                blocks::to_sealed,
            )
        })
        .await
    }

    /// Records an archive and deletes the content of its blocks, in one transaction with the entry of the house log.
    ///
    /// # Errors
    /// The store failed, or it does not have these blocks. Nothing has changed.
    pub(crate) async fn keep_archive(&self, archive: NewArchive) -> Result<(), StoreError> {
        self.write_logged(archive.row.at, move |connection| {
            insert(connection, &archive)?;
            Ok(((), vec![archive.record()]))
        })
        .await
    }
}

fn insert(connection: &Connection, archive: &NewArchive) -> Result<(), StoreError> {
    let ArchiveRow { number, digest, file, at, older_than, counts } = &archive.row;
    let last: i64 =
        connection.query_row("SELECT coalesce(max(number), 0) FROM archives", (), |row| row.get(0))?;
    if unsigned(last)? + 1 != *number {
        return Err(StoreError::ArchiveConflict);
    }
    let [tables, blocks, rounds, events, commands, transfers] = counts.columns().map(signed);
    connection.execute(
        "INSERT INTO archives (number, digest, file, at, older_than, tables, blocks, rounds, events, commands, transfers) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            signed(*number),
            digest,
            file,
            signed(at.0),
            signed(older_than.0),
            tables,
            blocks,
            rounds,
            events,
            commands,
            transfers
        ],
    )?;
    let mut update = connection.prepare_cached(
        "UPDATE blocks SET content = NULL, archive = ?1 \
         WHERE table_id = ?2 AND last_seq = ?3 AND digest = ?4 AND archive IS NULL",
    )?;
    for block in &archive.blocks {
        let changed =
            update.execute(params![digest, block.table.as_str(), signed(block.last_seq), block.digest])?;
        if changed != 1 {
            return Err(StoreError::ArchiveConflict);
        }
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO checkpoints (table_id, seq, hash, opened, json, archive) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for row in &archive.checkpoints {
        insert.execute(params![
            row.table.as_str(),
            signed(row.seq),
            row.hash,
            row.opened,
            row.json,
            row.archive
        ])?;
    }
    Ok(())
}
