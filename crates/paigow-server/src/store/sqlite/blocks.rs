//! Blocks in SQLite: sealing, and reading the rows of blocks.

use super::super::block::{BlockAccount, BlockIndex, command_key};
use super::super::encoding::{decode_hash, decode_time, encode_actor, parse, signed, unsigned};
use super::super::merge::JournalPage;
use super::super::sealing::{EventPosition, SealOutcome, SealRule, WINDOW};
use super::super::{
    Block, BlockHead, CommandRow, EventRow, GENESIS, JournalRow, SealedBlock, StoreError, StoredCommand, Tip,
};
use super::Sqlite;
use super::read::{self, all, bytes, first, text};
use paigow_table::{Account, Actor, CommandId, TableId, TransferKind};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::HashMap;

pub(super) const BLOCK: &str = "SELECT table_id, first_seq, last_seq, first_round, last_round, first_place, last_place, last_at, \
    before, hash, digest, content, archive, id, (SELECT file FROM archives WHERE archives.digest = archive) FROM blocks";

/// Reads the range of a block.
pub(super) fn to_head(row: &Row<'_>) -> Result<BlockHead, StoreError> {
    let number = |column: usize| unsigned(row.get(column)?);
    Ok(BlockHead {
        table: parse("a table", text(row, 0)?)?,
        first_seq: number(1)?,
        last_seq: number(2)?,
        first_round: number(3)?,
        last_round: number(4)?,
        first_place: number(5)?,
        last_place: number(6)?,
        last_at: decode_time(row.get(7)?)?,
        before: decode_hash(bytes(row, 8)?)?,
        hash: decode_hash(bytes(row, 9)?)?,
    })
}

/// Reads a block.
pub(super) fn to_sealed(row: &Row<'_>) -> Result<SealedBlock, StoreError> {
    let head = to_head(row)?;
    if let Some(archive) = row.get::<_, Option<[u8; 32]>>(12)? {
        let file = row.get::<_, Option<String>>(14)?.unwrap_or_default();
        return Err(StoreError::Archived { head: Box::new(head), archive, file });
    }
    Ok(SealedBlock { head, digest: decode_hash(bytes(row, 10)?)?, content: bytes(row, 11)?.to_owned() })
}

/// Reads and opens a block.
fn to_block(row: &Row<'_>) -> Result<Block, StoreError> {
    to_sealed(row)?.open()
}

/// Opens the blocks of a table with events between two sequence numbers, both excluded, until `visit` returns `false`.
pub(super) fn of_table(
    connection: &Connection,
    table: &TableId,
    (after, until): (u64, u64),
    mut visit: impl FnMut(Block) -> bool,
) -> Result<(), StoreError> {
    let query = format!("{BLOCK} WHERE table_id = ?1 AND last_seq > ?2 AND first_seq < ?3 ORDER BY last_seq");
    let mut select = connection.prepare_cached(&query)?;
    let mut rows = select.query((table.as_str(), signed(after), signed(until)))?;
    while let Some(row) = rows.next()? {
        if !visit(to_block(row)?) {
            break;
        }
    }
    Ok(())
}

/// Opens the block with a round of a table.
pub(super) fn of_round(
    connection: &Connection,
    table: &TableId,
    round: u64,
) -> Result<Option<Block>, StoreError> {
    let query = format!(
        "{BLOCK} WHERE table_id = ?1 AND last_round >= ?2 AND first_round <= ?2 ORDER BY last_round LIMIT 1"
    );
    first(&mut connection.prepare_cached(&query)?, (table.as_str(), signed(round)), to_block)
}

/// Returns a command of a block with its answer.
pub(super) fn command(
    connection: &Connection,
    by: &Actor,
    id: &CommandId,
) -> Result<Option<StoredCommand>, StoreError> {
    let query = format!("{BLOCK} WHERE id IN (SELECT block FROM block_commands WHERE key = ?1)");
    let mut select = connection.prepare_cached(&query)?;
    let mut rows = select.query([command_key(by, id)])?;
    while let Some(row) = rows.next()? {
        if let Some(found) = to_block(row)?.command(by, id) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Adds rows of blocks to a page of the journal. `query` returns the id and the first and last transfer of blocks, in the order of the
/// page.
pub(super) fn fill<T, R: IntoIterator<Item = (u64, T)>>(
    connection: &Connection,
    page: &mut JournalPage<T>,
    (query, values): (&str, impl rusqlite::Params),
    rows_of: impl Fn(Block) -> R,
) -> Result<(), StoreError> {
    let blocks = all(&mut connection.prepare_cached(query)?, values, |row| {
        Ok((row.get::<_, i64>(0)?, (unsigned(row.get(1)?)?, unsigned(row.get(2)?)?)))
    })?;
    let mut select = connection.prepare_cached(&format!("{BLOCK} WHERE id = ?1"))?;
    for (id, places) in blocks {
        if !page.needs(places) {
            break;
        }
        page.add(first(&mut select, [id], to_block)?.into_iter().flat_map(&rows_of));
    }
    Ok(())
}

/// Number of rows that each block has in its index: commands and accounts.
pub(super) struct IndexSizes(HashMap<i64, (u64, u64)>);

impl IndexSizes {
    pub(super) fn read(connection: &Connection) -> Result<IndexSizes, StoreError> {
        let mut sizes: HashMap<i64, (u64, u64)> = HashMap::new();
        let count = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, unsigned(row.get(1)?)?));
        let commands = "SELECT block, count(*) FROM block_commands GROUP BY block";
        for (block, size) in all(&mut connection.prepare_cached(commands)?, (), count)? {
            sizes.entry(block).or_default().0 = size;
        }
        let accounts = "SELECT block, count(*) FROM block_accounts GROUP BY block";
        for (block, size) in all(&mut connection.prepare_cached(accounts)?, (), count)? {
            sizes.entry(block).or_default().1 = size;
        }
        Ok(IndexSizes(sizes))
    }
}

/// Opens all blocks of a table, and compares each with its index. Returns the blocks and the differences.
pub(super) fn check_table(
    connection: &Connection,
    table: &TableId,
    sizes: &IndexSizes,
) -> Result<(Vec<Block>, Vec<String>), StoreError> {
    let (mut blocks, mut differences) = (Vec::new(), Vec::new());
    let query = format!("{BLOCK} WHERE table_id = ?1 AND archive IS NULL ORDER BY last_seq");
    let mut select = connection.prepare_cached(&query)?;
    let mut rows = select.query([table.as_str()])?;
    while let Some(row) = rows.next()? {
        let block = to_block(row)?;
        let id = row.get(13)?;
        differences.extend(index_difference(connection, id, &block, sizes)?);
        blocks.push(block);
    }
    Ok((blocks, differences))
}

/// Returns the first difference between the index of a block and its rows.
fn index_difference(
    connection: &Connection,
    id: i64,
    block: &Block,
    sizes: &IndexSizes,
) -> Result<Option<String>, StoreError> {
    let BlockIndex { commands, accounts } = block.index();
    let differs = |why: &str| Ok(Some(format!("the index of block {id} of table {} {why}", block.table)));
    if sizes.0.get(&id) != Some(&(commands.len() as u64, accounts.len() as u64)) {
        return differs("has another number of rows than its commands and accounts");
    }
    let mut select = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM block_commands WHERE key = ?1 AND block = ?2)")?;
    for key in commands {
        if !select.query_row((key, id), |row| row.get::<_, bool>(0))? {
            return differs("lacks a command");
        }
    }
    let mut select = connection.prepare_cached(
        "SELECT first_place, last_place, debit_cents, credit_cents FROM block_accounts \
         WHERE owner = ?1 AND currency = ?2 AND block = ?3",
    )?;
    for (Account { owner, currency }, expected) in accounts {
        if first(&mut select, (owner.to_string(), currency.as_str(), id), |row| to_sums(row, 0))?
            != Some(expected)
        {
            return differs(&format!("has other sums of account {owner} than its transfers"));
        }
    }
    Ok(None)
}

/// Reads the sums of an account from the four columns after `from`.
pub(super) fn to_sums(row: &Row<'_>, from: usize) -> Result<BlockAccount, StoreError> {
    Ok(BlockAccount {
        first_place: unsigned(row.get(from)?)?,
        last_place: unsigned(row.get(from + 1)?)?,
        debit_cents: unsigned(row.get(from + 2)?)?,
        credit_cents: unsigned(row.get(from + 3)?)?,
    })
}

impl Sqlite {
    /// Seals the oldest rounds of a table that the rule allows, at most one block.
    ///
    /// # Errors
    /// The store failed, or rows do not verify. Nothing has changed.
    pub async fn seal_next(&self, table: &TableId, rule: SealRule) -> Result<SealOutcome, StoreError> {
        let table = table.clone();
        // The block is made on a read connection, so that the writer does not wait for the compression.
        let prepared = self.read(move |connection| {
            let snapshot = connection.transaction()?;
            prepare(&snapshot, &table, rule)
        });
        let prepared = prepared.await?;
        let Some((block, sealed, rounds)) = prepared else { return Ok(SealOutcome::Nothing) };
        let events = block.events.len() as u64;
        let is_sealed = self.write(move |connection| seal(connection, &block, &sealed)).await?;
        Ok(if is_sealed { SealOutcome::Sealed { events, rounds } } else { SealOutcome::Nothing })
    }
}

/// Reads and seals the rows of the next block, with its number of rounds.
fn prepare(
    connection: &Connection,
    table: &TableId,
    rule: SealRule,
) -> Result<Option<(Block, SealedBlock, u64)>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT last_seq, hash FROM blocks WHERE table_id = ?1 ORDER BY last_seq DESC LIMIT 1",
    )?;
    let before = select.query_row([table.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (seq, hash) = before.unwrap_or((0, GENESIS));
    let before = Tip { seq: unsigned(seq)?, hash };
    let mut select = connection.prepare_cached(
        "SELECT seq, round, at, (actor, command) IS DISTINCT FROM (lag(actor) OVER events_before, lag(command) OVER events_before) \
         FROM events WHERE table_id = ?1 AND seq > ?2 WINDOW events_before AS (ORDER BY seq) ORDER BY seq LIMIT ?3",
    )?;
    let positions: Vec<EventPosition> = all(&mut select, (table.as_str(), seq, WINDOW), |row| {
        Ok((unsigned(row.get(0)?)?, unsigned(row.get(1)?)?, decode_time(row.get(2)?)?, row.get(3)?))
    })?;
    let is_closed = match positions.last() {
        Some((last, _, _, _)) => read::closed_at(connection, table, *last)?,
        None => false,
    };
    let Some((last_seq, rounds)) = rule.end(&positions, is_closed) else { return Ok(None) };
    let events = read::event_rows(connection, table, before.seq, last_seq)?;
    let block = read_block(connection, table, before, events)?;
    let sealed = block.seal()?;
    Ok(Some((block, sealed, rounds)))
}

/// Reads the commands and the transfers of events.
fn read_block(
    connection: &Connection,
    table: &TableId,
    before: Tip,
    events: Vec<EventRow>,
) -> Result<Block, StoreError> {
    let mut select = connection.prepare_cached(&format!("{} WHERE actor = ?1 AND id = ?2", read::COMMAND))?;
    let mut commands: Vec<CommandRow> = Vec::new();
    let mut order: HashMap<(String, CommandId), usize> = HashMap::new();
    for event in &events {
        let actor = encode_actor(&event.by);
        let key = (actor, event.command.clone());
        if !order.contains_key(&key) {
            // A missing command fails the verification.
            commands.extend(first(&mut select, (&key.0, key.1.as_str()), read::to_command)?);
            order.insert(key, order.len());
        }
    }
    let rounds = events.first().map_or(0, |event| event.round)..=events.last().map_or(0, |event| event.round);
    let mut journal = Vec::new();
    for round in rounds {
        journal.extend(read::round_rows(connection, table, round)?);
    }
    let number = |row: &JournalRow| order.get(&(encode_actor(&row.by), row.command.clone())).copied();
    journal.retain(|row| number(row).is_some());
    journal.sort_by_key(|row| (number(row), row.number));
    Ok(Block { table: table.clone(), before, events, commands, journal })
}

/// Writes a block and deletes its rows. Returns `false` and changes nothing if they may not be deleted.
fn seal(connection: &Connection, block: &Block, sealed: &SealedBlock) -> Result<bool, StoreError> {
    let head = &sealed.head;
    let table = head.table.as_str();
    let last = "SELECT coalesce(max(last_seq), 0) FROM blocks WHERE table_id = ?1";
    let last: i64 = connection.query_row(last, [table], |row| row.get(0))?;
    if unsigned(last)?.saturating_add(1) != head.first_seq {
        // Another process has sealed the rows.
        return Ok(false);
    }
    // The last event of a table and the newest transfer stay rows: they are the tip and the end of the journal.
    let tip: Option<i64> =
        connection.query_row("SELECT max(seq) FROM events WHERE table_id = ?1", [table], |row| row.get(0))?;
    let end: Option<i64> = connection.query_row("SELECT max(place) FROM journal", [], |row| row.get(0))?;
    if tip <= Some(signed(head.last_seq)) || (head.last_place > 0 && end <= Some(signed(head.last_place))) {
        return Ok(false);
    }
    connection
        .prepare_cached(
            "INSERT INTO blocks (table_id, first_seq, last_seq, first_round, last_round, first_place, last_place, last_at, \
             before, hash, digest, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            table,
            signed(head.first_seq),
            signed(head.last_seq),
            signed(head.first_round),
            signed(head.last_round),
            signed(head.first_place),
            signed(head.last_place),
            signed(head.last_at.0),
            head.before,
            head.hash,
            sealed.digest,
            sealed.content,
        ])?;
    let id = connection.last_insert_rowid();
    write_index(connection, id, &block.index())?;
    if delete_rows(connection, block, head)? {
        Ok(true)
    } else {
        Err(StoreError::SealConflict { table: head.table.clone() })
    }
}

fn write_index(connection: &Connection, id: i64, index: &BlockIndex) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached("INSERT INTO block_commands (key, block) VALUES (?1, ?2)")?;
    for key in &index.commands {
        insert.execute((key, id))?;
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO block_accounts (owner, currency, block, first_place, last_place, debit_cents, credit_cents) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (Account { owner, currency }, sums) in &index.accounts {
        insert.execute(params![
            owner.to_string(),
            currency.as_str(),
            id,
            signed(sums.first_place),
            signed(sums.last_place),
            signed(sums.debit_cents),
            signed(sums.credit_cents),
        ])?;
    }
    Ok(())
}

/// Deletes the rows of a block. Returns whether exactly these rows existed.
fn delete_rows(connection: &Connection, block: &Block, head: &BlockHead) -> Result<bool, StoreError> {
    // The hash of the last event covers all rows of the block, except those of the journal that are not hashed.
    let hash = "DELETE FROM events WHERE table_id = ?1 AND seq = ?2 AND hash = ?3";
    let last =
        connection.prepare_cached(hash)?.execute((head.table.as_str(), signed(head.last_seq), head.hash))?;
    let range = "DELETE FROM events WHERE table_id = ?1 AND seq BETWEEN ?2 AND ?3";
    let range = connection.prepare_cached(range)?.execute((
        head.table.as_str(),
        signed(head.first_seq),
        signed(head.last_seq),
    ))?;
    let mut deleted = last + range;
    let mut delete = connection.prepare_cached("DELETE FROM commands WHERE actor = ?1 AND id = ?2")?;
    for row in &block.commands {
        deleted += delete.execute((encode_actor(&row.by), row.id.as_str()))?;
    }
    let mut delete = connection.prepare_cached("DELETE FROM journal WHERE place = ?1 AND id = ?2")?;
    let mut delete_hold = connection.prepare_cached("DELETE FROM holds WHERE id = ?1 AND cents_left = 0")?;
    for row in &block.journal {
        deleted += delete.execute((signed(row.seq), row.transfer.id.as_str()))?;
        if row.transfer.kind == TransferKind::Hold {
            delete_hold.execute([row.transfer.id.as_str()])?;
        }
    }
    Ok(last == 1 && deleted == block.events.len() + block.commands.len() + block.journal.len())
}
