//! Last sequence numbers of the append-only lists of a store.

/// Last sequence numbers of the append-only lists. If one is smaller than before, the store went back to an earlier
/// state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StoreEnds {
    /// Last sequence number of the journal.
    pub journal: u64,
    /// Last sequence number of the operators' log.
    pub acts: u64,
}

impl StoreEnds {
    /// Whether a list is shorter than before.
    pub(crate) fn are_behind(&self, before: &StoreEnds) -> bool {
        self.journal < before.journal || self.acts < before.acts
    }
}

/// Query for the ends, valid in both databases.
pub(super) const ENDS: &str = "SELECT coalesce((SELECT max(place) FROM journal), 0), \
    coalesce((SELECT max(place) FROM operator_log), 0)";

/// Query for the time of the newest event or transfer, valid in both databases.
pub(super) const NEWEST: &str = "SELECT max(newest.at) FROM (\
    SELECT (SELECT at FROM events WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1) AS at FROM tables \
    UNION ALL SELECT (SELECT at FROM journal ORDER BY place DESC LIMIT 1)) AS newest";
