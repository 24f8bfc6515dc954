//! The operators' log: append-only, with a hash chain over its entries.

use paigow_table::{PlayerId, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Action of an operator that is not logged yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewAct {
    operator: PlayerId,
    what: String,
    detail: String,
}

/// Why an action cannot be logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActFault {
    /// The name of the action is empty, too long, or contains a character that is not allowed.
    #[error(
        "the name of an action must have 1 to {} letters, digits and - _ . : /, such as table.close",
        NewAct::WHAT_MAX
    )]
    What,
    /// The detail is too long.
    #[error("the detail has {found} bytes; at most {} are allowed", NewAct::DETAIL_BYTES_MAX)]
    Detail {
        /// Its length in bytes.
        found: usize,
    },
}

impl NewAct {
    /// Maximum length of the name of an action.
    pub const WHAT_MAX: usize = 64;
    /// Maximum length of the detail in bytes.
    pub const DETAIL_BYTES_MAX: usize = 4096;

    /// Creates an action from its name and its detail.
    ///
    /// # Errors
    /// All faults of the name and the detail.
    pub fn new(operator: PlayerId, what: &str, detail: &Value) -> Result<NewAct, Vec<ActFault>> {
        let mut faults = Vec::new();
        let is_allowed = |c: u8| c.is_ascii_alphanumeric() || b"-_.:/".contains(&c);
        if !(1..=NewAct::WHAT_MAX).contains(&what.len()) || !what.bytes().all(is_allowed) {
            faults.push(ActFault::What);
        }
        let detail = detail.to_string();
        if detail.len() > NewAct::DETAIL_BYTES_MAX {
            faults.push(ActFault::Detail { found: detail.len() });
        }
        if faults.is_empty() { Ok(NewAct { operator, what: what.to_owned(), detail }) } else { Err(faults) }
    }

    /// Makes the next entry of the log, given the sequence number and hash of the last one.
    pub(crate) fn after(self, (last, hash): (u64, &[u8; 32]), at: Time) -> OperatorAct {
        let NewAct { operator, what, detail } = self;
        let mut act = OperatorAct { place: last + 1, at, operator, what, detail, hash: [0; 32] };
        act.hash = crate::store::act_hash(hash, &act);
        act
    }
}

/// An entry of the operators' log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct OperatorAct {
    /// Sequence number, counted from 1.
    pub place: u64,
    /// Time of the action.
    pub at: Time,
    /// Name of the operator.
    pub operator: PlayerId,
    /// Name of the action, such as `table.close`.
    pub what: String,
    /// Details as JSON.
    pub detail: String,
    /// Hash of this entry and of the hash before it.
    #[serde(skip)]
    pub hash: [u8; 32],
}
