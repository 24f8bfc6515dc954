//! Blocks in PostgreSQL: sealing, and reading the rows of blocks.

use super::super::block::{BlockAccount, BlockIndex, command_key};
use super::super::encoding::{
    CLOSED, decode_account, decode_hash, decode_time, encode_actor, parse, signed, unsigned,
};
use super::super::merge::JournalPage;
use super::super::sealing::{EventPosition, SealOutcome, SealRule, WINDOW};
use super::super::{
    Block, BlockHead, CommandRow, EventRow, GENESIS, JournalRow, SealedBlock, StoreError, StoredCommand, Tip,
};
use super::read::{self, all};
use super::{Postgres, is_retryable};
use deadpool_postgres::GenericClient;
use paigow_table::{Account, Actor, CommandId, TableId, TransferKind};
use std::collections::{BTreeMap, HashMap};
use tokio_postgres::types::ToSql;
use tokio_postgres::{IsolationLevel, Row};

pub(super) const BLOCK: &str = "SELECT table_id, first_seq, last_seq, first_round, last_round, first_place, last_place, last_at, \
    before, hash, digest, content, archive, id, (SELECT file FROM archives WHERE archives.digest = archive) FROM blocks";

/// Reads the range of a block.
pub(super) fn to_head(row: &Row) -> Result<BlockHead, StoreError> {
    let number = |column: usize| unsigned(row.try_get(column)?);
    Ok(BlockHead {
        table: parse("a table", row.try_get(0)?)?,
        first_seq: number(1)?,
        last_seq: number(2)?,
        first_round: number(3)?,
        last_round: number(4)?,
        first_place: number(5)?,
        last_place: number(6)?,
        last_at: decode_time(row.try_get(7)?)?,
        before: decode_hash(row.try_get(8)?)?,
        hash: decode_hash(row.try_get(9)?)?,
    })
}

/// Reads a block.
pub(super) fn to_sealed(row: &Row) -> Result<SealedBlock, StoreError> {
    let head = to_head(row)?;
    if let Some(archive) = row.try_get::<_, Option<&[u8]>>(12)? {
        let (archive, file) =
            (decode_hash(archive)?, row.try_get::<_, Option<String>>(14)?.unwrap_or_default());
        return Err(StoreError::Archived { head: Box::new(head), archive, file });
    }
    Ok(SealedBlock { head, digest: decode_hash(row.try_get(10)?)?, content: row.try_get(11)? })
}

/// Reads and opens blocks, in the order of the query, each with its id.
async fn read_blocks(
    client: &impl GenericClient,
    query: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<(i64, Block)>, StoreError> {
    let sealed = all(client, query, values, |row| Ok((row.try_get(13)?, to_sealed(row)?))).await?;
    if sealed.is_empty() {
        return Ok(Vec::new());
    }
    // Opening a block takes milliseconds, during which the runtime must not wait.
    let open = |(id, sealed): (i64, SealedBlock)| Ok((id, sealed.open()?));
    let opening = tokio::task::spawn_blocking(move || sealed.into_iter().map(open).collect());
    opening.await.map_err(|_| StoreError::Stopped)?
}

/// Opens the first block of a table with events between two sequence numbers, both excluded.
pub(super) async fn next_of_table(
    client: &impl GenericClient,
    table: &TableId,
    (after, until): (u64, u64),
) -> Result<Option<Block>, StoreError> {
    let query =
        format!("{BLOCK} WHERE table_id = $1 AND last_seq > $2 AND first_seq < $3 ORDER BY last_seq LIMIT 1");
    let values: [&(dyn ToSql + Sync); 3] = [&table.as_str(), &signed(after), &signed(until)];
    Ok(read_blocks(client, &query, &values).await?.pop().map(|(_, block)| block))
}

/// Opens the block with a round of a table.
pub(super) async fn of_round(
    client: &impl GenericClient,
    table: &TableId,
    round: u64,
) -> Result<Option<Block>, StoreError> {
    let query = format!(
        "{BLOCK} WHERE table_id = $1 AND last_round >= $2 AND first_round <= $2 ORDER BY last_round LIMIT 1"
    );
    Ok(read_blocks(client, &query, &[&table.as_str(), &signed(round)]).await?.pop().map(|(_, block)| block))
}

/// Returns a command of a block with its answer.
pub(super) async fn command(
    client: &impl GenericClient,
    by: &Actor,
    id: &CommandId,
) -> Result<Option<StoredCommand>, StoreError> {
    let query = format!("{BLOCK} WHERE id IN (SELECT block FROM block_commands WHERE key = $1)");
    let blocks = read_blocks(client, &query, &[&command_key(by, id)]).await?;
    Ok(blocks.into_iter().find_map(|(_, block)| block.command(by, id)))
}

/// Adds rows of blocks to a page of the journal. `query` returns the id and the first and last transfer of blocks, in the order of the
/// page.
pub(super) async fn fill<T, R: IntoIterator<Item = (u64, T)>>(
    client: &impl GenericClient,
    page: &mut JournalPage<T>,
    (query, values): (&str, &[&(dyn ToSql + Sync)]),
    rows_of: impl Fn(Block) -> R,
) -> Result<(), StoreError> {
    let blocks = all(client, query, values, |row| {
        Ok((row.try_get::<_, i64>(0)?, (unsigned(row.try_get(1)?)?, unsigned(row.try_get(2)?)?)))
    });
    let query = format!("{BLOCK} WHERE id = $1");
    for (id, places) in blocks.await? {
        if !page.needs(places) {
            break;
        }
        let blocks = read_blocks(client, &query, &[&id]).await?;
        page.add(blocks.into_iter().flat_map(|(_, block)| rows_of(block)));
    }
    Ok(())
}

/// Opens all blocks of a table, and compares each with its index. Returns the blocks and the differences.
pub(super) async fn check_table(
    client: &impl GenericClient,
    table: &TableId,
) -> Result<(Vec<Block>, Vec<String>), StoreError> {
    let query = format!("{BLOCK} WHERE table_id = $1 AND archive IS NULL ORDER BY last_seq");
    let blocks = read_blocks(client, &query, &[&table.as_str()]).await?;
    let mut stored = indexes(client, table).await?;
    let (mut found, mut differences) = (Vec::new(), Vec::new());
    for (id, block) in blocks {
        if stored.remove(&id).unwrap_or_default() != block.index() {
            differences.push(format!("the index of block {id} of table {table} differs from its rows"));
        }
        found.push(block);
    }
    Ok((found, differences))
}

/// Returns the stored indexes of all blocks of a table, by the id of the block.
pub(super) async fn indexes(
    client: &impl GenericClient,
    table: &TableId,
) -> Result<HashMap<i64, BlockIndex>, StoreError> {
    let of_table = "JOIN blocks ON blocks.id = block WHERE table_id = $1";
    let mut stored: HashMap<i64, BlockIndex> = HashMap::new();
    let keys = format!("SELECT block, key FROM block_commands {of_table}");
    for (block, key) in
        all(client, &keys, &[&table.as_str()], |row| Ok((row.try_get::<_, i64>(0)?, row.try_get(1)?))).await?
    {
        stored.entry(block).or_default().commands.insert(key);
    }
    let sums = format!(
        "SELECT block, owner, currency, a.first_place, a.last_place, debit_cents, credit_cents \
         FROM block_accounts a {of_table}"
    );
    for (block, account, sums) in all(client, &sums, &[&table.as_str()], to_sums).await? {
        stored.entry(block).or_default().accounts.insert(account, sums);
    }
    Ok(stored)
}

fn to_sums(row: &Row) -> Result<(i64, Account, BlockAccount), StoreError> {
    let sums = BlockAccount {
        first_place: unsigned(row.try_get(3)?)?,
        last_place: unsigned(row.try_get(4)?)?,
        debit_cents: unsigned(row.try_get(5)?)?,
        credit_cents: unsigned(row.try_get(6)?)?,
    };
    Ok((row.try_get(0)?, decode_account(row.try_get(1)?, row.try_get(2)?)?, sums))
}

impl Postgres {
    /// Seals the oldest rounds of a table that the rule allows, at most one block.
    ///
    /// # Errors
    /// The store failed, or rows do not verify. Nothing has changed.
    pub async fn seal_next(&self, table: &TableId, rule: SealRule) -> Result<SealOutcome, StoreError> {
        let mut client = self.pool.get().await?;
        // One snapshot, because another process may seal the same rows.
        let snapshot =
            client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
        let prepared = prepare(&snapshot.start().await?, table, rule).await?;
        let Some((block, rounds)) = prepared else { return Ok(SealOutcome::Nothing) };
        // Compression takes milliseconds, during which the runtime must not wait.
        let sealing = tokio::task::spawn_blocking(move || block.seal().map(|sealed| (block, sealed)));
        let (block, sealed) = sealing.await.map_err(|_| StoreError::Stopped)??;
        let transaction = client.build_transaction().isolation_level(IsolationLevel::ReadCommitted);
        let transaction = transaction.start().await?;
        match seal(&transaction, &block, &sealed).await {
            Ok(true) => transaction.commit().await?,
            Ok(false) => return Ok(SealOutcome::Nothing),
            // Another process sealed the rows.
            Err(error) if is_retryable(&error) => return Ok(SealOutcome::Nothing),
            Err(error) => return Err(error),
        }
        Ok(SealOutcome::Sealed { events: block.events.len() as u64, rounds })
    }
}

/// Reads the rows of the next block, with its number of rounds.
async fn prepare(
    client: &impl GenericClient,
    table: &TableId,
    rule: SealRule,
) -> Result<Option<(Block, u64)>, StoreError> {
    let query = "SELECT last_seq, hash FROM blocks WHERE table_id = $1 ORDER BY last_seq DESC LIMIT 1";
    let to_tip = |row: &Row| Ok(Tip { seq: unsigned(row.try_get(0)?)?, hash: decode_hash(row.try_get(1)?)? });
    let before =
        all(client, query, &[&table.as_str()], to_tip).await?.pop().unwrap_or(Tip { seq: 0, hash: GENESIS });
    let query = "SELECT seq, round, at, json = $4, (actor, command) IS DISTINCT FROM (lag(actor) OVER events_before, lag(command) OVER events_before) \
         FROM events WHERE table_id = $1 AND seq > $2 WINDOW events_before AS (ORDER BY seq) ORDER BY seq LIMIT $3";
    let values: [&(dyn ToSql + Sync); 4] =
        [&table.as_str(), &signed(before.seq), &i64::from(WINDOW), &CLOSED];
    let rows = all(client, query, &values, |row| {
        let (seq, round) = (unsigned(row.try_get(0)?)?, unsigned(row.try_get(1)?)?);
        Ok(((seq, round, decode_time(row.try_get(2)?)?, row.try_get(4)?), row.try_get::<_, bool>(3)?))
    });
    let (positions, closes): (Vec<EventPosition>, Vec<bool>) = rows.await?.into_iter().unzip();
    let is_closed = closes.last().is_some_and(|closes| *closes);
    let Some((last_seq, rounds)) = rule.end(&positions, is_closed) else { return Ok(None) };
    let events = read::event_rows(client, table, before.seq, last_seq).await?;
    Ok(Some((read_block(client, table, before, events).await?, rounds)))
}

/// Reads the commands and the transfers of events.
async fn read_block(
    client: &impl GenericClient,
    table: &TableId,
    before: Tip,
    events: Vec<EventRow>,
) -> Result<Block, StoreError> {
    let mut order: BTreeMap<(String, CommandId), usize> = BTreeMap::new();
    for event in &events {
        let next = order.len();
        order.entry((encode_actor(&event.by), event.command.clone())).or_insert(next);
    }
    let (actors, ids): (Vec<&str>, Vec<&str>) =
        order.keys().map(|(actor, id)| (actor.as_str(), id.as_str())).unzip();
    let query = "SELECT actor, id, at, table_id, body, answer, digest FROM commands \
        WHERE (actor, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))";
    let position = |by: &Actor, id: &CommandId| order.get(&(encode_actor(by), id.clone())).copied();
    let mut commands: Vec<CommandRow> = all(client, query, &[&actors, &ids], read::to_command).await?;
    commands.sort_by_key(|row| position(&row.by, &row.id));
    let rounds = events.first().map_or(0, |event| event.round)..=events.last().map_or(0, |event| event.round);
    let mut journal: Vec<JournalRow> = Vec::new();
    for round in rounds {
        journal.extend(read::round_rows(client, table, round).await?);
    }
    journal.retain(|row| position(&row.by, &row.command).is_some());
    journal.sort_by_key(|row| (position(&row.by, &row.command), row.number));
    Ok(Block { table: table.clone(), before, events, commands, journal })
}

/// Writes a block and deletes its rows. Returns `false` if they may not be deleted.
async fn seal(client: &impl GenericClient, block: &Block, sealed: &SealedBlock) -> Result<bool, StoreError> {
    let head = &sealed.head;
    let (table, last_seq, last_place) = (head.table.as_str(), signed(head.last_seq), signed(head.last_place));
    // The last event of a table and the newest transfer stay rows: they are the tip and the end of the journal.
    let ends = client
        .query_one(
            "SELECT coalesce((SELECT max(seq) FROM events WHERE table_id = $1), 0) > $2::bigint \
             AND ($3::bigint = 0 OR coalesce((SELECT max(place) FROM journal), 0) > $3::bigint)",
            &[&table, &last_seq, &last_place],
        )
        .await?;
    if !ends.try_get::<_, bool>(0)? {
        return Ok(false);
    }
    if !delete_rows(client, block, head).await? {
        return Ok(false);
    }
    let insert = "INSERT INTO blocks (table_id, first_seq, last_seq, first_round, last_round, first_place, last_place, \
        last_at, before, hash, digest, content) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id";
    let values: [&(dyn ToSql + Sync); 12] = [
        &table,
        &signed(head.first_seq),
        &last_seq,
        &signed(head.first_round),
        &signed(head.last_round),
        &signed(head.first_place),
        &last_place,
        &signed(head.last_at.0),
        &&head.before[..],
        &&head.hash[..],
        &&sealed.digest[..],
        &sealed.content,
    ];
    let id: i64 = client.query_one(insert, &values).await?.try_get(0)?;
    write_index(client, id, &block.index()).await?;
    Ok(true)
}

async fn write_index(client: &impl GenericClient, id: i64, index: &BlockIndex) -> Result<(), StoreError> {
    let keys: Vec<i64> = index.commands.iter().copied().collect();
    let insert =
        "INSERT INTO block_commands (key, block) SELECT key, $2 FROM unnest($1::bigint[]) AS keys (key)";
    client.execute(insert, &[&keys, &id]).await?;
    let owners: Vec<String> = index.accounts.keys().map(|account| account.owner.to_string()).collect();
    let currencies: Vec<&str> = index.accounts.keys().map(|account| account.currency.as_str()).collect();
    let column = |value: fn(&BlockAccount) -> u64| -> Vec<i64> {
        index.accounts.values().map(|sums| signed(value(sums))).collect()
    };
    let insert = "INSERT INTO block_accounts (block, owner, currency, first_place, last_place, debit_cents, credit_cents) \
        SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])";
    let values: [&(dyn ToSql + Sync); 7] = [
        &id,
        &owners,
        &currencies,
        &column(|sums| sums.first_place),
        &column(|sums| sums.last_place),
        &column(|sums| sums.debit_cents),
        &column(|sums| sums.credit_cents),
    ];
    client.execute(insert, &values).await?;
    Ok(())
}

/// Deletes the rows of a block. Returns whether exactly these rows existed. If another process seals them, its rows are gone
/// when this statement gets their locks.
async fn delete_rows(
    client: &impl GenericClient,
    block: &Block,
    head: &BlockHead,
) -> Result<bool, StoreError> {
    let table = head.table.as_str();
    // The hash of the last event covers all rows of the block, except those of the journal that are not hashed.
    let last = "DELETE FROM events WHERE table_id = $1 AND seq = $2 AND hash = $3";
    let last = client.execute(last, &[&table, &signed(head.last_seq), &&head.hash[..]]).await?;
    let range = "DELETE FROM events WHERE table_id = $1 AND seq BETWEEN $2 AND $3";
    let mut deleted =
        last + client.execute(range, &[&table, &signed(head.first_seq), &signed(head.last_seq)]).await?;
    let actors: Vec<String> = block.commands.iter().map(|row| encode_actor(&row.by)).collect();
    let ids: Vec<&str> = block.commands.iter().map(|row| row.id.as_str()).collect();
    let commands = "DELETE FROM commands WHERE (actor, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))";
    deleted += client.execute(commands, &[&actors, &ids]).await?;
    let places: Vec<i64> = block.journal.iter().map(|row| signed(row.seq)).collect();
    deleted += client.execute("DELETE FROM journal WHERE place = ANY($1)", &[&places]).await?;
    let holds = block.journal.iter().filter(|row| row.transfer.kind == TransferKind::Hold);
    let holds: Vec<&str> = holds.map(|row| row.transfer.id.as_str()).collect();
    client.execute("DELETE FROM holds WHERE id = ANY($1) AND cents_left = 0", &[&holds]).await?;
    let expected = block.events.len() + block.commands.len() + block.journal.len();
    Ok(last == 1 && deleted == expected as u64)
}
