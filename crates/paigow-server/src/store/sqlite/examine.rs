//! Examination of an SQLite file without a write.

use super::super::StoreError;
use super::super::encoding::{decode_hash, decode_time, unsigned};
use super::super::ends::NEWEST;
use super::super::facts::{DOCUMENTS_SINCE, NEWEST_SIGNED, NEWEST_START, ROUNDS, StoreFacts, key_of_start};
use super::super::house::HouseLogEntry;
use super::read::{all, bytes, text};
use super::{HEADER_BYTES, files, schema};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Characters of a path that stay as they are in a URI.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// Position of the read version in the header of a file: 1 with a rollback journal, 2 in WAL mode.
const READ_VERSION: usize = 19;

/// Maximum number of faults that the quick check reports.
const DAMAGE_MAX: u32 = 5;

/// Facts about an SQLite file.
pub(crate) struct SqliteFacts {
    pub(crate) store: StoreFacts,
    /// Whether the file is in WAL mode.
    pub(crate) is_wal: bool,
    /// Damage that the quick check of SQLite found.
    pub(crate) damage: Vec<String>,
    /// Whether the file has a write-ahead log that was not read, because no process has the store open.
    pub(crate) log_unread: bool,
}

/// Reads the facts about an existing file.
pub(crate) fn examine(path: &Path) -> Result<SqliteFacts, StoreError> {
    let length = std::fs::metadata(path)?.len();
    if (1..HEADER_BYTES).contains(&length) {
        return Err(StoreError::Foreign);
    }
    // SQLite opens a file in WAL mode only with its log and index, and would create them. Without them nothing can write
    // to the file, so it is read as immutable.
    let with_log = files::companions(path).all(|file| file.exists());
    let log_unread =
        !with_log && files::companions(path).any(|file| file.metadata().is_ok_and(|file| file.len() > 0));
    let mode = if with_log { "mode=ro" } else { "mode=ro&immutable=1" };
    let path = std::path::absolute(path)?;
    let uri = format!("file:{}?{mode}", utf8_percent_encode(&path.to_string_lossy(), IN_PATH));
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(uri, flags)?;
    connection.busy_timeout(super::BUSY_TIMEOUT)?;
    let known = schema::known();
    let version = schema::check(&connection, known)?;
    let check = format!("PRAGMA quick_check({DAMAGE_MAX})");
    let mut damage = all(&mut connection.prepare_cached(&check)?, (), |row| Ok(text(row, 0)?.to_owned()))?;
    damage.retain(|message| message != "ok");
    let mut store = StoreFacts { version, known, bytes: length, ..StoreFacts::default() };
    if version > 0 && damage.is_empty() {
        read_rows(&connection, &mut store)?;
    }
    Ok(SqliteFacts { store, is_wal: is_wal(&path)?, damage, log_unread })
}

/// Returns whether the header of a file says WAL mode. SQLite itself reports another mode for an immutable file.
fn is_wal(path: &Path) -> Result<bool, StoreError> {
    let mut header = Vec::new();
    File::open(path)?.take(HEADER_BYTES).read_to_end(&mut header)?;
    Ok(header.get(READ_VERSION) == Some(&2))
}

fn read_rows(connection: &Connection, facts: &mut StoreFacts) -> Result<(), StoreError> {
    facts.rounds = unsigned(connection.query_row(ROUNDS, [], |row| row.get(0))?)?;
    let newest: Option<i64> = connection.query_row(NEWEST, [], |row| row.get(0))?;
    facts.newest = newest.map(decode_time).transpose()?;
    if facts.version >= schema::HOUSE_LOG_SINCE {
        let entries = all(&mut connection.prepare_cached(NEWEST_SIGNED)?, (), |row| {
            Ok(HouseLogEntry {
                seq: unsigned(row.get(0)?)?,
                at: decode_time(row.get(1)?)?,
                json: text(row, 2)?.to_owned(),
                hash: decode_hash(bytes(row, 3)?)?,
                signature: bytes(row, 4)?.try_into().ok(),
            })
        })?;
        facts.signed = entries.into_iter().next();
        let started: Option<String> = connection.query_row(NEWEST_START, [], |row| row.get(0)).optional()?;
        facts.started_with = started.as_deref().and_then(key_of_start);
    }
    if facts.version >= DOCUMENTS_SINCE {
        let used = "SELECT EXISTS (SELECT 1 FROM documents JOIN operator_secret \
            ON documents.id = lower(hex(operator_secret.digest)) WHERE documents.kind = 'secret_use')";
        facts.secret_is_used = connection.query_row(used, [], |row| row.get(0))?;
    }
    Ok(())
}
