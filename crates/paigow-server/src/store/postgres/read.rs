//! Queries of the PostgreSQL store.

use super::super::encoding::{
    CLOSED, decode_account, decode_actor, decode_hash, decode_kind, decode_owner, decode_purpose,
    decode_time, encode_actor, parse, signed, unsigned,
};
use super::super::merge::{JournalPage, Order, numbered, sealed_until};
use super::super::rows::transfer_ids_of_round;
use super::super::{
    AccountRow, BalanceMismatch, Block, CommandRow, EventRow, GENESIS, HoldRow, JournalRow, LogRow,
    PlayerRound, StoreError, StoreVisitor, StoredCommand, TableHead, TableRows, Tip,
};
use super::{archives, blocks, house, people};
use deadpool_postgres::GenericClient;
use paigow_table::{Account, Actor, CommandId, Hold, PlayerId, TableId, Transfer};
use std::collections::BTreeMap;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// Runs a cached query and reads every row.
pub(super) async fn all<T>(
    client: &impl GenericClient,
    query: &str,
    values: &[&(dyn ToSql + Sync)],
    read: impl Fn(&Row) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let select = client.prepare_cached(query).await?;
    client.query(&select, values).await?.iter().map(read).collect()
}

pub(super) async fn stored_command(
    client: &impl GenericClient,
    by: &Actor,
    id: &CommandId,
) -> Result<Option<StoredCommand>, StoreError> {
    let query = "SELECT table_id, body, answer FROM commands WHERE actor = $1 AND id = $2";
    let found =
        all(client, query, &[&encode_actor(by), &id.as_str()], |row| to_stored_command(row, 0)).await?;
    match found.into_iter().next() {
        Some(found) => Ok(Some(found)),
        None => blocks::command(client, by, id).await,
    }
}

const EVENT: &str = "SELECT seq, round, json, at, actor, command, hash FROM events";

pub(super) async fn events(
    client: &impl GenericClient,
    table: &TableId,
    after: u64,
) -> Result<Vec<EventRow>, StoreError> {
    let rows = event_rows(client, table, after, u64::MAX).await?;
    let Some(until) = sealed_until(after, rows.first().map(|row| row.seq)) else { return Ok(rows) };
    let mut events = Vec::new();
    let mut last = after;
    while let Some(block) = blocks::next_of_table(client, table, (last, until)).await? {
        last = block.events.last().map_or(until, |row| row.seq);
        events.extend(block.events.into_iter().filter(|row| row.seq > after));
    }
    events.extend(rows);
    Ok(events)
}

/// Returns the events after a sequence number up to another one that are not in blocks.
pub(super) async fn event_rows(
    client: &impl GenericClient,
    table: &TableId,
    after: u64,
    last: u64,
) -> Result<Vec<EventRow>, StoreError> {
    let query = format!("{EVENT} WHERE table_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq");
    all(client, &query, &[&table.as_str(), &signed(after), &signed(last)], to_event).await
}

pub(super) async fn log(
    client: &impl GenericClient,
    table: &TableId,
    after: u64,
    limit: u32,
) -> Result<Vec<LogRow>, StoreError> {
    let query = "SELECT events.seq, events.at, events.json, events.hash, commands.digest FROM events \
        LEFT JOIN commands ON commands.actor = events.actor AND commands.id = events.command \
        WHERE events.table_id = $1 AND events.seq > $2 ORDER BY events.seq LIMIT $3";
    let rows =
        all(client, query, &[&table.as_str(), &signed(after), &i64::from(limit)], |row| to_log(row, 0))
            .await?;
    with_sealed_log(client, table, after, limit, rows).await
}

/// Adds the events of blocks to the rows of a log.
async fn with_sealed_log(
    client: &impl GenericClient,
    table: &TableId,
    after: u64,
    limit: u32,
    rows: Vec<LogRow>,
) -> Result<Vec<LogRow>, StoreError> {
    let Some(until) = sealed_until(after, rows.first().map(|row| row.seq)) else { return Ok(rows) };
    let (mut log, mut last) = (Vec::new(), after);
    while log.len() < limit as usize
        && let Some(block) = blocks::next_of_table(client, table, (last, until)).await?
    {
        last = block.events.last().map_or(until, |row| row.seq);
        log.extend(block.log().filter(|row| row.seq > after));
    }
    log.extend(rows);
    log.truncate(limit as usize);
    Ok(log)
}

/// A lateral join, so that PostgreSQL reads each table by its index. For a list of tables it may choose to scan all
/// events.
const LOGS: &str = "SELECT asked.id, new.seq, new.at, new.json, new.hash, commands.digest \
    FROM unnest($1::text[], $2::bigint[]) AS asked (id, after) \
    CROSS JOIN LATERAL (SELECT seq, at, json, hash, actor, command FROM events \
    WHERE table_id = asked.id AND seq > asked.after ORDER BY seq LIMIT $3) AS new \
    LEFT JOIN commands ON commands.actor = new.actor AND commands.id = new.command \
    ORDER BY asked.id, new.seq";

pub(super) async fn logs(
    client: &impl GenericClient,
    tables: &[(TableId, u64)],
    limit: u32,
) -> Result<BTreeMap<TableId, Vec<LogRow>>, StoreError> {
    let (ids, after): (Vec<&str>, Vec<i64>) =
        tables.iter().map(|(table, after)| (table.as_str(), signed(*after))).unzip();
    let read = |row: &Row| Ok((parse("a table", row.try_get(0)?)?, to_log(row, 1)?));
    let mut logs: BTreeMap<TableId, Vec<LogRow>> = BTreeMap::new();
    for (table, row) in all(client, LOGS, &[&ids, &after, &i64::from(limit)], read).await? {
        logs.entry(table).or_default().push(row);
    }
    for (table, after) in tables {
        if let Some(rows) = logs.get_mut(table) {
            *rows = with_sealed_log(client, table, *after, limit, std::mem::take(rows)).await?;
        }
    }
    Ok(logs)
}

fn to_log(row: &Row, first: usize) -> Result<LogRow, StoreError> {
    let (seq, at) = (unsigned(row.try_get(first)?)?, decode_time(row.try_get(first + 1)?)?);
    let command: Option<&[u8]> = row.try_get(first + 4)?;
    Ok(LogRow {
        seq,
        at,
        json: row.try_get(first + 2)?,
        command: command.map(decode_hash).transpose()?.unwrap_or_default(),
        hash: decode_hash(row.try_get(first + 3)?)?,
    })
}

pub(super) async fn tables(client: &impl GenericClient) -> Result<Vec<TableHead>, StoreError> {
    let query = "SELECT tables.id, coalesce(last.seq, 0), coalesce(last.json = $1, false), last.hash FROM tables \
        LEFT JOIN LATERAL (SELECT seq, json, hash FROM events WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1) AS last \
        ON true ORDER BY tables.id";
    all(client, query, &[&CLOSED], |row| {
        let (table, seq) = (parse("a table", row.try_get(0)?)?, unsigned(row.try_get(1)?)?);
        let hash: Option<&[u8]> = row.try_get(3)?;
        let tip = Tip { seq, hash: hash.map_or(Ok(GENESIS), decode_hash)? };
        Ok(TableHead { table, tip, closed: row.try_get(2)? })
    })
    .await
}

pub(super) async fn balances(
    client: &impl GenericClient,
    accounts: &[Account],
) -> Result<BTreeMap<Account, i64>, StoreError> {
    let owners: Vec<String> = accounts.iter().map(|account| account.owner.to_string()).collect();
    let currencies: Vec<&str> = accounts.iter().map(|account| account.currency.as_str()).collect();
    let query = "SELECT owner, currency, sum(cents)::bigint FROM accounts \
        WHERE (owner, currency) IN (SELECT * FROM unnest($1::text[], $2::text[])) GROUP BY owner, currency";
    let found = all(client, query, &[&owners, &currencies], to_balance).await?;
    let mut balances: BTreeMap<Account, i64> = accounts.iter().map(|account| (account.clone(), 0)).collect();
    balances.extend(found);
    Ok(balances)
}

/// One statement, so that both sums come from one snapshot.
pub(super) async fn mismatched_balances(
    client: &impl GenericClient,
    accounts: &[Account],
) -> Result<Vec<BalanceMismatch>, StoreError> {
    let owners: Vec<String> = accounts.iter().map(|account| account.owner.to_string()).collect();
    let currencies: Vec<&str> = accounts.iter().map(|account| account.currency.as_str()).collect();
    let query = "SELECT owner, currency, stored, journal FROM (SELECT asked.owner, asked.currency, \
        coalesce((SELECT sum(cents) FROM accounts WHERE accounts.owner = asked.owner AND accounts.currency = asked.currency), 0)::bigint AS stored, \
        (coalesce((SELECT sum(credit_cents - debit_cents) FROM block_accounts WHERE block_accounts.owner = asked.owner AND block_accounts.currency = asked.currency), 0) \
        + coalesce((SELECT sum(cents) FROM journal WHERE credit = asked.owner AND journal.currency = asked.currency), 0) \
        - coalesce((SELECT sum(cents) FROM journal WHERE debit = asked.owner AND journal.currency = asked.currency), 0))::bigint AS journal \
        FROM unnest($1::text[], $2::text[]) AS asked (owner, currency)) AS both_sums WHERE stored <> journal";
    all(client, query, &[&owners, &currencies], |row| {
        let (account, stored) = to_balance(row)?;
        Ok(BalanceMismatch { account, stored, journal: row.try_get(3)? })
    })
    .await
}

pub(super) async fn trial_balance(client: &impl GenericClient) -> Result<BTreeMap<Account, i64>, StoreError> {
    let query = "SELECT owner, currency, sum(cents)::bigint FROM accounts GROUP BY owner, currency";
    Ok(all(client, query, &[], to_balance).await?.into_iter().collect())
}

pub(super) const JOURNAL: &str = "SELECT id, kind, hold, debit, credit, currency, cents, purpose, \
    place, at, actor, command, number, table_id, round FROM journal";

pub(super) async fn journal(
    client: &impl GenericClient,
    account: Option<&Account>,
    after: u64,
    limit: u32,
) -> Result<Vec<JournalRow>, StoreError> {
    let page = |rows| JournalPage::new(Order::OldestFirst, limit, numbered(rows));
    let transfers =
        |block: Block| block.transfers(account).filter(|(place, _)| *place > after).collect::<Vec<_>>();
    let (after, limit) = (signed(after), i64::from(limit));
    match account {
        None => {
            let query = format!("{JOURNAL} WHERE place > $1 ORDER BY place LIMIT $2");
            let mut page = page(all(client, &query, &[&after, &limit], to_journal).await?);
            let sealed = "SELECT id, first_place, last_place FROM blocks \
                WHERE last_place > $1 AND archive IS NULL ORDER BY first_place";
            blocks::fill(client, &mut page, (sealed, &[&after]), transfers).await?;
            Ok(page.finish())
        }
        Some(Account { owner, currency }) => {
            let query = format!(
                "{JOURNAL} WHERE (debit = $1 OR credit = $1) AND currency = $2 AND place > $3 ORDER BY place LIMIT $4"
            );
            let (owner, currency) = (owner.to_string(), currency.as_str());
            let values: [&(dyn ToSql + Sync); 4] = [&owner, &currency, &after, &limit];
            let mut page = page(all(client, &query, &values, to_journal).await?);
            let sealed = "SELECT block, a.first_place, a.last_place FROM block_accounts a JOIN blocks ON blocks.id = block \
                WHERE owner = $1 AND currency = $2 AND a.last_place > $3 AND archive IS NULL ORDER BY a.first_place";
            blocks::fill(client, &mut page, (sealed, &values[..3]), transfers).await?;
            Ok(page.finish())
        }
    }
}

/// Returns the latest transfers of a player's account, the latest first.
pub(super) async fn latest_transfers(
    client: &impl GenericClient,
    account: &Account,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<JournalRow>, StoreError> {
    let Account { owner, currency } = account;
    let query = format!(
        "{JOURNAL} WHERE (debit = $1 OR credit = $1) AND currency = $2 AND place < $3 ORDER BY place DESC LIMIT $4"
    );
    let (owner, currency, end) = (owner.to_string(), currency.as_str(), before.map_or(i64::MAX, signed));
    let rows_max = i64::from(limit);
    let values: [&(dyn ToSql + Sync); 4] = [&owner, &currency, &end, &rows_max];
    let rows = all(client, &query, &values, to_journal).await?;
    let mut page = JournalPage::new(Order::NewestFirst, limit, numbered(rows));
    let sealed = "SELECT block, a.first_place, a.last_place FROM block_accounts a JOIN blocks ON blocks.id = block \
        WHERE owner = $1 AND currency = $2 AND a.first_place < $3 AND archive IS NULL ORDER BY a.last_place DESC";
    let is_before = |(place, _): &(u64, JournalRow)| before.is_none_or(|before| *place < before);
    let transfers = |block: Block| block.transfers(Some(account)).filter(is_before).collect::<Vec<_>>();
    blocks::fill(client, &mut page, (sealed, &values[..3]), transfers).await?;
    Ok(page.finish())
}

/// Finds the transfers by the index on ids, because the id of a round's transfer starts with the table and the round.
pub(super) async fn round_journal(
    client: &impl GenericClient,
    table: &TableId,
    round: u64,
) -> Result<Vec<JournalRow>, StoreError> {
    let rows = round_rows(client, table, round).await?;
    if !rows.is_empty() {
        return Ok(rows);
    }
    // A round is in one block, or in none.
    let block = blocks::of_round(client, table, round).await?;
    let mut rows = block.map(|block| block.journal).unwrap_or_default();
    rows.retain(|row| row.round == round);
    Ok(rows)
}

/// Returns the transfers of a round that are not in a block.
pub(super) async fn round_rows(
    client: &impl GenericClient,
    table: &TableId,
    round: u64,
) -> Result<Vec<JournalRow>, StoreError> {
    let query = format!("{JOURNAL} WHERE id > $1 AND id < $2 AND table_id = $3 ORDER BY place");
    let (first, last) = transfer_ids_of_round(table, round);
    all(client, &query, &[&first, &last, &table.as_str()], to_journal).await
}

pub(super) async fn rounds_of(
    client: &impl GenericClient,
    player: &PlayerId,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<PlayerRound>, StoreError> {
    let query = "SELECT table_id, round, max(place) FROM journal \
        WHERE debit = $1 AND kind = 'hold' AND table_id IS NOT NULL \
        GROUP BY table_id, round HAVING max(place) < $2 ORDER BY max(place) DESC LIMIT $3";
    let (owner, end) = (format!("player:{player}"), before.map_or(i64::MAX, signed));
    let rows = all(client, query, &[&owner, &end, &i64::from(limit)], |row| {
        let (round, seq) = (unsigned(row.try_get(1)?)?, unsigned(row.try_get(2)?)?);
        Ok((seq, PlayerRound { table: parse("a table", row.try_get(0)?)?, round, seq }))
    })
    .await?;
    let mut page = JournalPage::new(Order::NewestFirst, limit, rows);
    let sealed = "SELECT block, a.first_place, a.last_place FROM block_accounts a JOIN blocks ON blocks.id = block \
        WHERE owner = $1 AND a.first_place < $2 AND archive IS NULL ORDER BY a.last_place DESC";
    let is_before = |(seq, _): &(u64, PlayerRound)| before.is_none_or(|before| *seq < before);
    let rounds = |block: Block| block.rounds_of(player).filter(is_before).collect::<Vec<_>>();
    blocks::fill(client, &mut page, (sealed, &[&owner, &end]), rounds).await?;
    Ok(page.finish())
}

/// Passes the whole store to a visitor. The client must be a transaction with one snapshot.
pub(super) async fn walk<V: StoreVisitor>(
    client: &impl GenericClient,
    mut visit: V,
) -> Result<V, StoreError> {
    let mut tables: Vec<Option<TableId>> =
        tables(client).await?.into_iter().map(|head| Some(head.table)).collect();
    tables.push(None);
    // Two conditions, because PostgreSQL does not use an index for `IS NOT DISTINCT FROM`.
    let of_table = "WHERE table_id = $1 OR ($1::text IS NULL AND table_id IS NULL)";
    let commands = format!("SELECT actor, id, at, table_id, body, answer, digest FROM commands {of_table}");
    let journal = format!("{JOURNAL} {of_table} ORDER BY place");
    for table in tables {
        let located = |error: StoreError| error.within(table.as_ref());
        let name = table.as_ref().map(TableId::as_str);
        let mut rows = TableRows::default();
        if let Some(table) = &table {
            archives::walk_table(client, table, &mut visit).await.map_err(located)?;
            let (blocks, differences) = blocks::check_table(client, table).await.map_err(located)?;
            rows.add_blocks(blocks);
            rows.events.extend(event_rows(client, table, 0, u64::MAX).await.map_err(located)?);
            for difference in differences {
                visit.damage(difference);
            }
        }
        rows.commands.extend(all(client, &commands, &[&name], to_command).await.map_err(located)?);
        rows.journal.extend(all(client, &journal, &[&name], to_journal).await.map_err(located)?);
        visit.table(table.as_ref(), rows);
    }
    let accounts = all(client, "SELECT owner, currency, cents, shard FROM accounts", &[], |row| {
        let (account, cents) = to_balance(row)?;
        Ok(AccountRow { account, shard: row.try_get(3)?, cents })
    });
    let holds = "SELECT id, holder, escrow, currency, cents_left FROM holds ORDER BY id";
    visit.money(accounts.await?, all(client, holds, &[], to_hold).await?);
    visit.acts(people::acts(client, 0, u32::MAX).await?);
    visit.archives(archives::archives(client).await?);
    house::walk(client, &mut visit).await?;
    Ok(visit)
}

fn to_balance(row: &Row) -> Result<(Account, i64), StoreError> {
    Ok((decode_account(row.try_get(0)?, row.try_get(1)?)?, row.try_get(2)?))
}

pub(super) fn to_stored_command(row: &Row, from: usize) -> Result<StoredCommand, StoreError> {
    let table: Option<&str> = row.try_get(from)?;
    let table = table.map(|table| parse("a table", table)).transpose()?;
    Ok(StoredCommand { table, body: row.try_get(from + 1)?, answer: row.try_get(from + 2)? })
}

fn to_event(row: &Row) -> Result<EventRow, StoreError> {
    Ok(EventRow {
        seq: unsigned(row.try_get(0)?)?,
        round: unsigned(row.try_get(1)?)?,
        json: row.try_get(2)?,
        at: decode_time(row.try_get(3)?)?,
        by: decode_actor(row.try_get(4)?)?,
        command: parse("a command", row.try_get(5)?)?,
        hash: decode_hash(row.try_get(6)?)?,
    })
}

pub(super) fn to_command(row: &Row) -> Result<CommandRow, StoreError> {
    Ok(CommandRow {
        by: decode_actor(row.try_get(0)?)?,
        id: parse("a command", row.try_get(1)?)?,
        at: decode_time(row.try_get(2)?)?,
        stored: to_stored_command(row, 3)?,
        digest: decode_hash(row.try_get(6)?)?,
    })
}

pub(super) fn to_transfer(row: &Row) -> Result<Transfer, StoreError> {
    let currency = row.try_get(5)?;
    Ok(Transfer {
        id: parse("a transfer", row.try_get(0)?)?,
        kind: decode_kind(row.try_get(1)?, row.try_get(2)?)?,
        debit: decode_account(row.try_get(3)?, currency)?,
        credit: decode_account(row.try_get(4)?, currency)?,
        cents: unsigned(row.try_get(6)?)?,
        purpose: decode_purpose(row.try_get(7)?)?,
    })
}

fn to_journal(row: &Row) -> Result<JournalRow, StoreError> {
    let table: Option<&str> = row.try_get(13)?;
    Ok(JournalRow {
        transfer: to_transfer(row)?,
        seq: unsigned(row.try_get(8)?)?,
        at: decode_time(row.try_get(9)?)?,
        by: decode_actor(row.try_get(10)?)?,
        command: parse("a command", row.try_get(11)?)?,
        number: unsigned(row.try_get(12)?)?,
        table: table.map(|table| parse("a table", table)).transpose()?,
        round: unsigned(row.try_get(14)?)?,
    })
}

pub(super) fn to_hold(row: &Row) -> Result<HoldRow, StoreError> {
    let holder = decode_account(row.try_get(1)?, row.try_get(3)?)?;
    let escrow = Account { owner: decode_owner(row.try_get(2)?)?, currency: holder.currency.clone() };
    Ok(HoldRow {
        id: parse("a transfer", row.try_get(0)?)?,
        hold: Hold { holder, escrow, left: unsigned(row.try_get(4)?)? },
    })
}
