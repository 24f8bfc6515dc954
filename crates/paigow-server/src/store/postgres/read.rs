//! Queries of the PostgreSQL store.

use super::super::encoding::{
    CLOSED, decode_account, decode_actor, decode_hash, decode_kind, decode_owner, decode_purpose,
    decode_time, encode_actor, parse, signed, unsigned,
};
use super::super::rows::transfer_ids_of_round;
use super::super::{
    AccountRow, BalanceMismatch, CommandRow, EventRow, GENESIS, HoldRow, JournalRow, LogRow, PlayerRound,
    StoreError, StoreVisitor, StoredCommand, TableHead, Tip,
};
use super::{house, people};
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
    Ok(found.into_iter().next())
}

const EVENT: &str = "SELECT seq, round, json, at, actor, command, hash FROM events";

pub(super) async fn events(
    client: &impl GenericClient,
    table: &TableId,
    after: u64,
) -> Result<Vec<EventRow>, StoreError> {
    let query = format!("{EVENT} WHERE table_id = $1 AND seq > $2 ORDER BY seq");
    all(client, &query, &[&table.as_str(), &signed(after)], to_event).await
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
    all(client, query, &[&table.as_str(), &signed(after), &i64::from(limit)], |row| to_log(row, 0)).await
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
        (coalesce((SELECT sum(cents) FROM journal WHERE credit = asked.owner AND journal.currency = asked.currency), 0) \
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
    let (after, limit) = (signed(after), i64::from(limit));
    match account {
        None => {
            let query = format!("{JOURNAL} WHERE place > $1 ORDER BY place LIMIT $2");
            all(client, &query, &[&after, &limit], to_journal).await
        }
        Some(Account { owner, currency }) => {
            let query = format!(
                "{JOURNAL} WHERE (debit = $1 OR credit = $1) AND currency = $2 AND place > $3 ORDER BY place LIMIT $4"
            );
            let values: [&(dyn ToSql + Sync); 4] = [&owner.to_string(), &currency.as_str(), &after, &limit];
            all(client, &query, &values, to_journal).await
        }
    }
}

/// Returns the latest transfers of a player's account, the latest first.
pub(super) async fn latest_transfers(
    client: &impl GenericClient,
    Account { owner, currency }: &Account,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<JournalRow>, StoreError> {
    let query = format!(
        "{JOURNAL} WHERE (debit = $1 OR credit = $1) AND currency = $2 AND place < $3 ORDER BY place DESC LIMIT $4"
    );
    let (before, limit) = (before.map_or(i64::MAX, signed), i64::from(limit));
    all(client, &query, &[&owner.to_string(), &currency.as_str(), &before, &limit], to_journal).await
}

/// Finds the transfers by the index on ids, because the id of a round's transfer starts with the table and the round.
pub(super) async fn round_journal(
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
    let before = before.map_or(i64::MAX, signed);
    all(client, query, &[&format!("player:{player}"), &before, &i64::from(limit)], |row| {
        let (round, seq) = (unsigned(row.try_get(1)?)?, unsigned(row.try_get(2)?)?);
        Ok(PlayerRound { table: parse("a table", row.try_get(0)?)?, round, seq })
    })
    .await
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
        let events = match &table {
            Some(table) => events(client, table, 0).await.map_err(located)?,
            None => Vec::new(),
        };
        let commands = all(client, &commands, &[&name], to_command).await.map_err(located)?;
        let journal = all(client, &journal, &[&name], to_journal).await.map_err(located)?;
        visit.table(table.as_ref(), events, commands, journal);
    }
    let accounts = all(client, "SELECT owner, currency, cents, shard FROM accounts", &[], |row| {
        let (account, cents) = to_balance(row)?;
        Ok(AccountRow { account, shard: row.try_get(3)?, cents })
    });
    let holds = "SELECT id, holder, escrow, currency, cents_left FROM holds ORDER BY id";
    visit.money(accounts.await?, all(client, holds, &[], to_hold).await?);
    visit.acts(people::acts(client, 0, u32::MAX).await?);
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

fn to_command(row: &Row) -> Result<CommandRow, StoreError> {
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
