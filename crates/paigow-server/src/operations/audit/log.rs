//! Checks the hash chain of the operators' log.

use super::Finding;
use crate::OperatorAct;
use crate::store::{GENESIS, act_hash};

/// Returns the first fault. The chain after it cannot be verified.
pub(super) fn check(acts: &[OperatorAct]) -> Option<Finding> {
    let mut hash = GENESIS;
    for (seq, act) in (1..).zip(acts) {
        let broken = |message: String| {
            Some(Finding::new("operator_log_broken", format!("entry {seq} of the operators' log"), message))
        };
        if act.place != seq {
            return broken(format!("is missing; the next is entry {}", act.place));
        }
        if act_hash(&hash, act) != act.hash {
            return broken("was changed: its hash does not match".to_owned());
        }
        hash = act.hash;
    }
    None
}
