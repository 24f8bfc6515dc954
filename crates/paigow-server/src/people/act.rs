//! What operators did: a log that is only added to, each entry with a hash that covers the one before.

use paigow_table::{PlayerId, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Something an operator did, to be logged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewAct {
    operator: PlayerId,
    what: String,
    detail: String,
}

/// Why something cannot be logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActFault {
    /// What was done is not said in a word.
    #[error(
        "what was done is a word of 1 to {} letters, digits and - _ . : /, such as table.close",
        NewAct::WHAT_MAX
    )]
    What,
    /// The detail is too long.
    #[error("the detail may have {} bytes, and has {found}", NewAct::DETAIL_BYTES_MAX)]
    Detail {
        /// How many it has.
        found: usize,
    },
}

impl NewAct {
    /// The most characters in the word for what was done.
    pub const WHAT_MAX: usize = 64;
    /// The most bytes of detail.
    pub const DETAIL_BYTES_MAX: usize = 4096;

    /// What an operator did, in a word and in detail.
    ///
    /// # Errors
    /// Everything that is against it.
    pub fn new(operator: PlayerId, what: &str, detail: &Value) -> Result<NewAct, Vec<ActFault>> {
        let mut faults = Vec::new();
        let fits = |c: u8| c.is_ascii_alphanumeric() || b"-_.:/".contains(&c);
        if !(1..=NewAct::WHAT_MAX).contains(&what.len()) || !what.bytes().all(fits) {
            faults.push(ActFault::What);
        }
        let detail = detail.to_string();
        if detail.len() > NewAct::DETAIL_BYTES_MAX {
            faults.push(ActFault::Detail { found: detail.len() });
        }
        if faults.is_empty() { Ok(NewAct { operator, what: what.to_owned(), detail }) } else { Err(faults) }
    }

    /// The same as an entry of the log, after the last one's place and hash.
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
    /// Its place, counted from 1.
    pub place: u64,
    /// When.
    pub at: Time,
    /// Who.
    pub operator: PlayerId,
    /// What was done, in a word.
    pub what: String,
    /// More about it, as JSON.
    pub detail: String,
    /// Covers all of this and the hash before.
    #[serde(skip)]
    pub hash: [u8; 32],
}
