//! House log in SQLite.

use super::super::encoding::{decode_actor, decode_hash, decode_time, parse, signed, unsigned};
use super::super::house::{
    HOUSE_START, HouseLogEntry, HouseRecord, HouseTip, SharedSigner, UNCOVERED_COMMANDS, UncoveredRows,
    entries_after,
};
use super::super::{HouseLogPart, StoreError, StoreVisitor};
use super::read::{all, bytes, text};
use super::{documents, people};
use crate::{Environment, SystemEnvironment};
use paigow_table::Time;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// Number of rows read at once, because the log may not fit in memory.
const PAGE: u32 = 10_000;

/// Appends records to the log, in the transaction of the rows they cover.
pub(super) fn append(
    connection: &Connection,
    signer: &SharedSigner,
    at: Time,
    records: &[HouseRecord],
) -> Result<(), StoreError> {
    if records.is_empty() {
        return Ok(());
    }
    let tip = tip(connection)?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO house_log (seq, at, json, hash, signature) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for entry in entries_after(tip, records.iter().map(|record| (at, record)), signer) {
        let HouseLogEntry { seq, at, json, hash, signature } = entry;
        insert.execute(params![signed(seq), signed(at.0), json, hash, signature])?;
    }
    Ok(())
}

/// Appends records to the log with the current time of the system clock.
pub(super) fn append_now(
    connection: &Connection,
    signer: &SharedSigner,
    records: &[HouseRecord],
) -> Result<(), StoreError> {
    append(connection, signer, SystemEnvironment.now(), records)
}

fn tip(connection: &Connection) -> Result<HouseTip, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT seq, hash FROM house_log ORDER BY seq DESC LIMIT 1")?;
    let last = select.query_row((), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    last.map_or(Ok(HOUSE_START), |(seq, hash)| Ok((unsigned(seq)?, hash)))
}

/// Writes entries for the rows outside tables of a store without a house log.
pub(super) fn cover(connection: &Connection, from_version: i64) -> Result<(), StoreError> {
    let mut commands = connection.prepare_cached(UNCOVERED_COMMANDS)?;
    let commands = all(&mut commands, (), |row| {
        let id = parse("a command", text(row, 1)?)?;
        Ok((decode_actor(text(row, 0)?)?, id, decode_hash(bytes(row, 2)?)?))
    })?;
    let uncovered = UncoveredRows {
        commands,
        people: people::people_after(connection, "", u32::MAX)?,
        sessions: people::operators_sessions(connection)?,
        secret: people::secret(connection)?,
        acts: people::acts(connection, 0, u32::MAX)?,
    };
    append_now(connection, &SharedSigner::default(), &uncovered.records(unsigned(from_version)?))
}

/// Passes the log to a visitor, then the rows it covers.
pub(super) fn walk<V: StoreVisitor>(connection: &Connection, visit: &mut V) -> Result<(), StoreError> {
    let select = "SELECT seq, at, json, hash, signature FROM house_log WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    let mut select = connection.prepare_cached(select)?;
    let mut after = 0;
    loop {
        let page = all(&mut select, (signed(after), PAGE), to_entry)?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        visit.house(HouseLogPart::Log(page));
    }
    let mut after = String::new();
    loop {
        let page = people::people_after(connection, &after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.id.to_string();
        visit.house(HouseLogPart::People(page));
    }
    let mut after = (String::new(), String::new());
    loop {
        let page = documents::documents_after(connection, &after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = (last.key.kind.name().to_owned(), last.key.id.clone());
        visit.house(HouseLogPart::Documents(page));
    }
    let (sessions, secret) = (people::operators_sessions(connection)?, people::secret(connection)?);
    visit.house(HouseLogPart::Operators { sessions, secret });
    Ok(())
}

fn to_entry(row: &Row<'_>) -> Result<HouseLogEntry, StoreError> {
    Ok(HouseLogEntry {
        seq: unsigned(row.get(0)?)?,
        at: decode_time(row.get(1)?)?,
        json: text(row, 2)?.to_owned(),
        hash: decode_hash(bytes(row, 3)?)?,
        signature: row.get(4)?,
    })
}
