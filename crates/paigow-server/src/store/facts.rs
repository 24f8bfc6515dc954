//! Facts about a store that is read without opening it for use. Nothing is created, migrated or written.

use super::HouseLogEntry;
use paigow_table::{KeyId, Time};

/// Facts about a store of any version.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct StoreFacts {
    /// Version of the store. 0: it is empty.
    pub(crate) version: i64,
    /// Newest version that this program supports.
    pub(crate) known: i64,
    /// Size of the data and its indexes in bytes.
    pub(crate) bytes: u64,
    /// Number of rounds of all tables.
    pub(crate) rounds: u64,
    /// Time of the newest event or transfer.
    pub(crate) newest: Option<Time>,
    /// Newest signed entry of the house log.
    pub(crate) signed: Option<HouseLogEntry>,
    /// Master key of the newest start that the house log records.
    pub(crate) started_with: Option<KeyId>,
    /// Whether the operator secret has enrolled an admin.
    pub(crate) secret_is_used: bool,
}

/// Query for the number of rounds, valid in both databases. The last event of a table has the number of its last round.
pub(super) const ROUNDS: &str = "SELECT CAST(coalesce(sum(last.round), 0) AS BIGINT) FROM (\
    SELECT (SELECT round FROM events WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1) AS round FROM tables) AS last";

/// Query for the newest signed entry of the house log, valid in both databases.
pub(super) const NEWEST_SIGNED: &str = "SELECT seq, at, json, hash, signature FROM house_log \
    WHERE signature IS NOT NULL ORDER BY seq DESC LIMIT 1";

/// Query for the newest record of a start, valid in both databases.
pub(super) const NEWEST_START: &str =
    "SELECT json FROM house_log WHERE json LIKE '{\"entry\":\"started\"%' ORDER BY seq DESC LIMIT 1";

/// First version with documents.
pub(super) const DOCUMENTS_SINCE: i64 = 6;

/// Returns the key of a stored record of a start.
pub(super) fn key_of_start(json: &str) -> Option<KeyId> {
    match serde_json::from_str(json) {
        Ok(super::HouseRecord::Started { key }) => Some(key),
        _ => None,
    }
}
