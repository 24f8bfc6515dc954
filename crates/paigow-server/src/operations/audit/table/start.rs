//! State from which an audit of a table starts: no event, or a checkpoint.

use super::{Finding, other_rules};
use crate::host::replay::{self, ReplayError};
use crate::{RulesCache, Tip};
use paigow_table::{RulesMatch, Table, TableId};

/// State of a table before the first event of an audit.
#[derive(Clone)]
pub(in crate::operations) struct AuditStart {
    /// Last event before.
    pub(in crate::operations) tip: Tip,
    /// State after that event, or `None` before the first event of the table.
    pub(super) table: Option<Table>,
    /// Result of comparing the rules with those that the table was opened with.
    pub(super) rules: RulesMatch,
}

impl AuditStart {
    /// Start of a table without events.
    pub(in crate::operations) const fn first() -> AuditStart {
        AuditStart { tip: Tip::START, table: None, rules: RulesMatch::Same }
    }

    /// Start of a table at a checkpoint after the event `tip`. `opened` is the JSON of its first event.
    pub(in crate::operations) fn restored(
        id: &TableId,
        tip: Tip,
        (opened, checkpoint): (&str, &str),
        rules_cache: &RulesCache,
    ) -> Result<AuditStart, Finding> {
        let location = format!("checkpoint of table {id} at event {}", tip.seq);
        let invalid = |why: String| Finding::new("checkpoint_invalid", location.clone(), why);
        let first = replay::parse_event(id, 1, opened).map_err(|error| invalid(error.to_string()))?;
        let restored = replay::restored(id, tip.seq, &first, checkpoint, rules_cache);
        let table = restored.map_err(|error| match error {
            ReplayError::Rules { .. } => Finding::new("rules_differ", location.clone(), error.to_string()),
            other => invalid(other.to_string()),
        })?;
        let rules = table.rules_match();
        if rules == RulesMatch::Different {
            return Err(Finding::new("rules_differ", location, other_rules(&table.config().book)));
        }
        Ok(AuditStart { tip, table: Some(table.assume_rules_match()), rules })
    }

    /// State of the table, or `None` before its first event.
    pub(in crate::operations) fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }
}
