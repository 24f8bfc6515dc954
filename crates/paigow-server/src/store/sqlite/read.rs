//! Queries of the SQLite store.

use super::super::encoding::{
    CLOSED, decode_account, decode_actor, decode_hash, decode_kind, decode_owner, decode_purpose,
    decode_time, encode_actor, parse, signed, unsigned,
};
use super::super::merge::{JournalPage, Order, numbered, sealed_until};
use super::super::rows::transfer_ids_of_round;
use super::super::{
    BalanceMismatch, Block, CommandRow, EventRow, GENESIS, HoldRow, JournalRow, LogRow, PlayerRound,
    StoreError, StoredCommand, TableHead, Tip,
};
use super::blocks;
use paigow_table::{Account, Actor, CommandId, Hold, Owner, PlayerId, TableId, Transfer, TransferId};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Params, Row};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn stored_command(
    connection: &Connection,
    by: &Actor,
    id: &CommandId,
) -> Result<Option<StoredCommand>, StoreError> {
    let mut select = connection
        .prepare_cached("SELECT table_id, body, answer FROM commands WHERE actor = ?1 AND id = ?2")?;
    let found = first(&mut select, (encode_actor(by), id.as_str()), |row| to_stored_command(row, 0))?;
    if found.is_some() { Ok(found) } else { blocks::command(connection, by, id) }
}

const EVENT: &str = "SELECT seq, round, json, at, actor, command, hash FROM events";

pub(super) fn events(
    connection: &Connection,
    table: &TableId,
    after: u64,
) -> Result<Vec<EventRow>, StoreError> {
    let rows = event_rows(connection, table, after, u64::MAX)?;
    let Some(until) = sealed_until(after, rows.first().map(|row| row.seq)) else { return Ok(rows) };
    let mut events = Vec::new();
    blocks::of_table(connection, table, (after, until), |block| {
        events.extend(block.events.into_iter().filter(|row| row.seq > after));
        true
    })?;
    events.extend(rows);
    Ok(events)
}

/// Returns the events after a sequence number up to another one that are not in blocks.
pub(super) fn event_rows(
    connection: &Connection,
    table: &TableId,
    after: u64,
    last: u64,
) -> Result<Vec<EventRow>, StoreError> {
    let text = format!("{EVENT} WHERE table_id = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq");
    all(&mut connection.prepare_cached(&text)?, (table.as_str(), signed(after), signed(last)), to_event)
}

pub(super) fn log(
    connection: &Connection,
    table: &TableId,
    after: u64,
    limit: u32,
) -> Result<Vec<LogRow>, StoreError> {
    let rows = log_rows(connection, table, after, limit)?;
    let Some(until) = sealed_until(after, rows.first().map(|row| row.seq)) else { return Ok(rows) };
    let mut log = Vec::new();
    blocks::of_table(connection, table, (after, until), |block| {
        log.extend(block.log().filter(|row| row.seq > after));
        log.len() < limit as usize
    })?;
    log.extend(rows);
    log.truncate(limit as usize);
    Ok(log)
}

fn log_rows(
    connection: &Connection,
    table: &TableId,
    after: u64,
    limit: u32,
) -> Result<Vec<LogRow>, StoreError> {
    // A left join, because a missing command must break the hash chain instead of hiding the event.
    let text = "SELECT events.seq, events.at, events.json, events.hash, commands.digest FROM events \
        LEFT JOIN commands ON commands.actor = events.actor AND commands.id = events.command \
        WHERE events.table_id = ?1 AND events.seq > ?2 ORDER BY events.seq LIMIT ?3";
    all(&mut connection.prepare_cached(text)?, (table.as_str(), signed(after), limit), |row| {
        Ok(LogRow {
            seq: unsigned(row.get(0)?)?,
            at: decode_time(row.get(1)?)?,
            json: self::text(row, 2)?.to_owned(),
            hash: decode_hash(bytes(row, 3)?)?,
            command: row.get::<_, Option<[u8; 32]>>(4)?.unwrap_or_default(),
        })
    })
}

/// Lists all tables. If events are damaged, reads each table separately, so that intact tables are still listed.
pub(super) fn tables(connection: &Connection) -> Result<Vec<TableHead>, StoreError> {
    match tables_at_once(connection) {
        Err(error) if error.is_damage() => tables_one_by_one(connection),
        other => other,
    }
}

fn tables_one_by_one(connection: &Connection) -> Result<Vec<TableHead>, StoreError> {
    let mut select = connection.prepare_cached("SELECT id FROM tables ORDER BY id")?;
    let tables: Vec<TableId> = all(&mut select, (), |row| parse("a table", text(row, 0)?))?;
    let mut last = connection
        .prepare_cached("SELECT json = ?1 FROM events WHERE table_id = ?2 ORDER BY seq DESC LIMIT 1")?;
    let mut head = |table: TableId| {
        let tip = tip(connection, &table)?.unwrap_or(Tip::START);
        let closed = last.query_row((CLOSED, table.as_str()), |row| row.get(0)).optional()?;
        Ok(TableHead { table, tip, closed: closed.unwrap_or(false) })
    };
    let read = |table: TableId| match head(table.clone()) {
        Err(error) if StoreError::is_damage(&error) => {
            Ok(TableHead { table, tip: Tip::UNREADABLE, closed: false })
        }
        other => other,
    };
    tables.into_iter().map(read).collect()
}

fn tables_at_once(connection: &Connection) -> Result<Vec<TableHead>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT tables.id, coalesce(last.seq, 0), coalesce(last.json = ?1, 0), last.hash FROM tables LEFT JOIN events AS last \
         ON last.table_id = tables.id AND last.seq = (SELECT max(seq) FROM events WHERE table_id = tables.id) \
         ORDER BY tables.id",
    )?;
    all(&mut select, (CLOSED,), |row| {
        let (table, seq) = (parse("a table", text(row, 0)?)?, unsigned(row.get(1)?)?);
        let hash = row.get::<_, Option<[u8; 32]>>(3)?.unwrap_or(GENESIS);
        Ok(TableHead { table, tip: Tip { seq, hash }, closed: row.get(2)? })
    })
}

/// Whether an event closed its table.
pub(super) fn closed_at(connection: &Connection, table: &TableId, seq: u64) -> Result<bool, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT json = ?1 FROM events WHERE table_id = ?2 AND seq = ?3")?;
    let closed = select.query_row((CLOSED, table.as_str(), signed(seq)), |row| row.get(0)).optional()?;
    Ok(closed.unwrap_or(false))
}

/// Returns the tip of a table, or `None` if it has no events.
pub(super) fn tip(connection: &Connection, table: &TableId) -> Result<Option<Tip>, StoreError> {
    let mut select = connection
        .prepare_cached("SELECT seq, hash FROM events WHERE table_id = ?1 ORDER BY seq DESC LIMIT 1")?;
    let last = select.query_row([table.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    last.map(|(seq, hash)| Ok(Tip { seq: unsigned(seq)?, hash })).transpose()
}

pub(super) fn balance(connection: &Connection, account: &Account) -> Result<i64, StoreError> {
    let mut select = connection
        .prepare_cached("SELECT coalesce(sum(cents), 0) FROM accounts WHERE owner = ?1 AND currency = ?2")?;
    Ok(select.query_row((account.owner.to_string(), account.currency.as_str()), |row| row.get(0))?)
}

pub(super) fn balances(
    connection: &Connection,
    accounts: &[Account],
) -> Result<BTreeMap<Account, i64>, StoreError> {
    accounts.iter().map(|account| Ok((account.clone(), balance(connection, account)?))).collect()
}

/// `connection` must be a transaction, so that all reads see one snapshot.
pub(super) fn mismatched_balances(
    connection: &Connection,
    accounts: &[Account],
) -> Result<Vec<BalanceMismatch>, StoreError> {
    let sum = |column: &str, account: &Account| -> Result<i64, StoreError> {
        let players = matches!(account.owner, Owner::Player(_));
        let index = match column {
            _ if !players => "true",
            "debit" => FROM_PLAYERS,
            _ => TO_PLAYERS,
        };
        let text = format!(
            "SELECT coalesce(sum(cents), 0) FROM journal WHERE {column} = ?1 AND {index} AND currency = ?2"
        );
        let mut select = connection.prepare_cached(&text)?;
        Ok(select.query_row((account.owner.to_string(), account.currency.as_str()), |row| row.get(0))?)
    };
    let mut sealed = connection.prepare_cached(
        "SELECT coalesce(sum(credit_cents - debit_cents), 0) FROM block_accounts WHERE owner = ?1 AND currency = ?2",
    )?;
    let mut found = Vec::new();
    for account in accounts {
        let stored = balance(connection, account)?;
        let sealed: i64 =
            sealed.query_row((account.owner.to_string(), account.currency.as_str()), |row| row.get(0))?;
        let journal = sealed + sum("credit", account)? - sum("debit", account)?;
        if stored != journal {
            found.push(BalanceMismatch { account: account.clone(), stored, journal });
        }
    }
    Ok(found)
}

pub(super) fn trial_balance(connection: &Connection) -> Result<BTreeMap<Account, i64>, StoreError> {
    let mut select = connection
        .prepare_cached("SELECT owner, currency, sum(cents) FROM accounts GROUP BY owner, currency")?;
    let rows = all(&mut select, (), |row| Ok((to_account(row)?, row.get(2)?)))?;
    Ok(rows.into_iter().collect())
}

pub(super) const HOLD: &str = "SELECT id, holder, escrow, currency, cents_left FROM holds";

pub(super) fn hold(connection: &Connection, id: &TransferId) -> Result<Option<Hold>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{HOLD} WHERE id = ?1"))?;
    Ok(first(&mut select, [id.as_str()], to_hold)?.map(|row| row.hold))
}

pub(super) const JOURNAL: &str = "SELECT id, kind, hold, debit, credit, currency, cents, purpose, \
    place, at, actor, command, number, table_id, round FROM journal";

pub(super) const COMMAND: &str = "SELECT actor, id, at, table_id, body, answer, digest FROM commands";

pub(super) fn transfer(connection: &Connection, id: &TransferId) -> Result<Option<Transfer>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{JOURNAL} WHERE id = ?1"))?;
    first(&mut select, [id.as_str()], to_transfer)
}

/// Conditions of the partial indexes on players' transfers. SQLite uses these indexes only for queries with the same
/// condition.
const FROM_PLAYERS: &str = "debit >= 'player:' AND debit < 'player;'";
const TO_PLAYERS: &str = "credit >= 'player:' AND credit < 'player;'";

pub(super) fn journal(
    connection: &Connection,
    account: Option<&Account>,
    after: u64,
    limit: u32,
) -> Result<Vec<JournalRow>, StoreError> {
    let from = after;
    let after = signed(after);
    let page = |rows| JournalPage::new(Order::OldestFirst, limit, numbered(rows));
    let transfers =
        |block: Block| block.transfers(account).filter(|(place, _)| *place > from).collect::<Vec<_>>();
    match account {
        None => {
            let text = format!("{JOURNAL} WHERE place > ?1 ORDER BY place LIMIT ?2");
            let mut page = page(all(&mut connection.prepare_cached(&text)?, (after, limit), to_journal)?);
            let sealed = "SELECT id, first_place, last_place FROM blocks \
                WHERE last_place > ?1 AND archive IS NULL ORDER BY first_place";
            blocks::fill(connection, &mut page, (sealed, (after,)), transfers)?;
            Ok(page.finish())
        }
        Some(Account { owner, currency }) => {
            let only = "currency = ?2 AND place > ?3";
            let text = match owner {
                Owner::Player(_) => format!(
                    "{JOURNAL} WHERE debit = ?1 AND {FROM_PLAYERS} AND {only} \
                     UNION ALL {JOURNAL} WHERE credit = ?1 AND {TO_PLAYERS} AND {only} ORDER BY place LIMIT ?4"
                ),
                _ => {
                    format!("{JOURNAL} WHERE (debit = ?1 OR credit = ?1) AND {only} ORDER BY place LIMIT ?4")
                }
            };
            let owner = owner.to_string();
            let values = (&owner, currency.as_str(), after, limit);
            let mut page = page(all(&mut connection.prepare_cached(&text)?, values, to_journal)?);
            let sealed = "SELECT block, a.first_place, a.last_place FROM block_accounts a JOIN blocks ON blocks.id = block \
                WHERE owner = ?1 AND currency = ?2 AND a.last_place > ?3 AND archive IS NULL ORDER BY a.first_place";
            blocks::fill(connection, &mut page, (sealed, (&owner, currency.as_str(), after)), transfers)?;
            Ok(page.finish())
        }
    }
}

/// Returns the latest transfers of a player's account, the latest first.
pub(super) fn latest_transfers(
    connection: &Connection,
    account: &Account,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<JournalRow>, StoreError> {
    let Account { owner, currency } = account;
    let only = "currency = ?2 AND place < ?3";
    let text = format!(
        "{JOURNAL} WHERE debit = ?1 AND {FROM_PLAYERS} AND {only} \
         UNION ALL {JOURNAL} WHERE credit = ?1 AND {TO_PLAYERS} AND {only} ORDER BY place DESC LIMIT ?4"
    );
    let (owner, end) = (owner.to_string(), before.map_or(i64::MAX, signed));
    let values = (&owner, currency.as_str(), end, limit);
    let rows = all(&mut connection.prepare_cached(&text)?, values, to_journal)?;
    let mut page = JournalPage::new(Order::NewestFirst, limit, numbered(rows));
    let sealed = "SELECT block, a.first_place, a.last_place FROM block_accounts a JOIN blocks ON blocks.id = block \
        WHERE owner = ?1 AND currency = ?2 AND a.first_place < ?3 AND archive IS NULL ORDER BY a.last_place DESC";
    let is_before = |(place, _): &(u64, JournalRow)| before.is_none_or(|before| *place < before);
    let transfers = |block: Block| block.transfers(Some(account)).filter(is_before).collect::<Vec<_>>();
    blocks::fill(connection, &mut page, (sealed, (&owner, currency.as_str(), end)), transfers)?;
    Ok(page.finish())
}

/// Returns the sequence number of the last transfer of a player's account that is not archived, or 0. It is the first one of
/// [`latest_transfers`].
pub(super) fn last_transfer(
    connection: &Connection,
    Account { owner, currency }: &Account,
) -> Result<u64, StoreError> {
    let text = format!(
        "SELECT max(coalesce((SELECT max(place) FROM journal WHERE debit = ?1 AND {FROM_PLAYERS} AND currency = ?2), 0), \
         coalesce((SELECT max(place) FROM journal WHERE credit = ?1 AND {TO_PLAYERS} AND currency = ?2), 0), \
         coalesce((SELECT max(a.last_place) FROM block_accounts a JOIN blocks ON blocks.id = block \
         WHERE owner = ?1 AND currency = ?2 AND archive IS NULL), 0))"
    );
    let mut select = connection.prepare_cached(&text)?;
    unsigned(select.query_row((owner.to_string(), currency.as_str()), |row| row.get(0))?)
}

/// Finds the transfers by the index on ids, because the id of a round's transfer starts with the table and the round.
pub(super) fn round_journal(
    connection: &Connection,
    table: &TableId,
    round: u64,
) -> Result<Vec<JournalRow>, StoreError> {
    let rows = round_rows(connection, table, round)?;
    if !rows.is_empty() {
        return Ok(rows);
    }
    // A round is in one block, or in none.
    let block = blocks::of_round(connection, table, round)?;
    let mut rows = block.map(|block| block.journal).unwrap_or_default();
    rows.retain(|row| row.round == round);
    Ok(rows)
}

/// Returns the transfers of a round that are not in a block.
pub(super) fn round_rows(
    connection: &Connection,
    table: &TableId,
    round: u64,
) -> Result<Vec<JournalRow>, StoreError> {
    let text = format!("{JOURNAL} WHERE id > ?1 AND id < ?2 AND table_id = ?3 ORDER BY place");
    let (first, last) = transfer_ids_of_round(table, round);
    all(&mut connection.prepare_cached(&text)?, (first, last, table.as_str()), to_journal)
}

pub(super) fn rounds_of(
    connection: &Connection,
    player: &PlayerId,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<PlayerRound>, StoreError> {
    let mut select = connection.prepare_cached(&format!(
        "SELECT table_id, round, max(place) FROM journal \
         WHERE debit = ?1 AND {FROM_PLAYERS} AND kind = 'hold' AND table_id IS NOT NULL \
         GROUP BY table_id, round HAVING max(place) < ?2 ORDER BY max(place) DESC LIMIT ?3",
    ))?;
    let (owner, end) = (format!("player:{player}"), before.map_or(i64::MAX, signed));
    let rows = all(&mut select, (&owner, end, limit), |row| {
        let (round, seq) = (unsigned(row.get(1)?)?, unsigned(row.get(2)?)?);
        Ok((seq, PlayerRound { table: parse("a table", text(row, 0)?)?, round, seq }))
    })?;
    let mut page = JournalPage::new(Order::NewestFirst, limit, rows);
    let sealed = "SELECT block, a.first_place, a.last_place FROM block_accounts a JOIN blocks ON blocks.id = block \
        WHERE owner = ?1 AND a.first_place < ?2 AND archive IS NULL ORDER BY a.last_place DESC";
    let is_before = |(seq, _): &(u64, PlayerRound)| before.is_none_or(|before| *seq < before);
    let rounds = |block: Block| block.rounds_of(player).filter(is_before).collect::<Vec<_>>();
    blocks::fill(connection, &mut page, (sealed, (&owner, end)), rounds)?;
    Ok(page.finish())
}

pub(super) fn damage(connection: &Connection, path: &Path) -> Result<Vec<String>, StoreError> {
    let mut found = all(&mut connection.prepare_cached("PRAGMA integrity_check")?, (), |row| {
        Ok(text(row, 0)?.to_owned())
    })?;
    found.retain(|message| message != "ok");
    let broken = all(&mut connection.prepare_cached("PRAGMA foreign_key_check")?, (), |row| {
        Ok(format!("a row of {} refers to a missing row", text(row, 0)?))
    })?;
    // SQLite pads a truncated last page and reports nothing if the rest of the page was empty.
    let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let length = std::fs::metadata(path)?.len();
    let truncated = (length % unsigned(page)?.max(1) != 0)
        .then(|| format!("the file size of {length} bytes is not a multiple of the page size"));
    Ok(found.into_iter().chain(broken).chain(truncated).collect())
}

pub(super) fn all<T>(
    select: &mut CachedStatement<'_>,
    values: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut rows = select.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

pub(super) fn first<T>(
    select: &mut CachedStatement<'_>,
    values: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    select.query_row(values, |row| Ok(read(row))).optional()?.transpose()
}

/// Borrows the text of a column.
pub(super) fn text<'r>(row: &'r Row<'_>, column: usize) -> Result<&'r str, StoreError> {
    row.get_ref(column)?.as_str().map_err(|why| wrong_type(column, &why))
}

pub(super) fn bytes<'r>(row: &'r Row<'_>, column: usize) -> Result<&'r [u8], StoreError> {
    row.get_ref(column)?.as_blob().map_err(|why| wrong_type(column, &why))
}

pub(super) fn optional<'r>(row: &'r Row<'_>, column: usize) -> Result<Option<&'r str>, StoreError> {
    row.get_ref(column)?.as_str_or_null().map_err(|why| wrong_type(column, &why))
}

fn wrong_type(column: usize, why: &rusqlite::types::FromSqlError) -> StoreError {
    StoreError::Unreadable { location: format!("column {} of a row", column + 1), why: why.to_string() }
}

fn to_stored_command(row: &Row<'_>, from: usize) -> Result<StoredCommand, StoreError> {
    let table = optional(row, from)?.map(|table| parse("a table", table)).transpose()?;
    Ok(StoredCommand {
        table,
        body: text(row, from + 1)?.to_owned(),
        answer: text(row, from + 2)?.to_owned(),
    })
}

fn to_event(row: &Row<'_>) -> Result<EventRow, StoreError> {
    Ok(EventRow {
        seq: unsigned(row.get(0)?)?,
        round: unsigned(row.get(1)?)?,
        json: text(row, 2)?.to_owned(),
        at: decode_time(row.get(3)?)?,
        by: decode_actor(text(row, 4)?)?,
        command: parse("a command", text(row, 5)?)?,
        hash: decode_hash(bytes(row, 6)?)?,
    })
}

/// Reads the account in the first two columns: owner and currency.
pub(super) fn to_account(row: &Row<'_>) -> Result<Account, StoreError> {
    decode_account(text(row, 0)?, text(row, 1)?)
}

pub(super) fn to_command(row: &Row<'_>) -> Result<CommandRow, StoreError> {
    Ok(CommandRow {
        by: decode_actor(text(row, 0)?)?,
        id: parse("a command", text(row, 1)?)?,
        at: decode_time(row.get(2)?)?,
        stored: to_stored_command(row, 3)?,
        digest: decode_hash(bytes(row, 6)?)?,
    })
}

fn to_transfer(row: &Row<'_>) -> Result<Transfer, StoreError> {
    let currency = text(row, 5)?;
    Ok(Transfer {
        id: parse("a transfer", text(row, 0)?)?,
        kind: decode_kind(text(row, 1)?, optional(row, 2)?)?,
        debit: decode_account(text(row, 3)?, currency)?,
        credit: decode_account(text(row, 4)?, currency)?,
        cents: unsigned(row.get(6)?)?,
        purpose: decode_purpose(text(row, 7)?)?,
    })
}

pub(super) fn to_journal(row: &Row<'_>) -> Result<JournalRow, StoreError> {
    Ok(JournalRow {
        transfer: to_transfer(row)?,
        seq: unsigned(row.get(8)?)?,
        at: decode_time(row.get(9)?)?,
        by: decode_actor(text(row, 10)?)?,
        command: parse("a command", text(row, 11)?)?,
        number: unsigned(row.get(12)?)?,
        table: optional(row, 13)?.map(|table| parse("a table", table)).transpose()?,
        round: unsigned(row.get(14)?)?,
    })
}

pub(super) fn to_hold(row: &Row<'_>) -> Result<HoldRow, StoreError> {
    let currency = text(row, 3)?;
    let holder = decode_account(text(row, 1)?, currency)?;
    let escrow = Account { owner: decode_owner(text(row, 2)?)?, currency: holder.currency.clone() };
    let hold = Hold { holder, escrow, left: unsigned(row.get(4)?)? };
    Ok(HoldRow { id: parse("a transfer", text(row, 0)?)?, hold })
}
