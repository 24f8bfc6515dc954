//! The operators' log: nothing missing, and every hash fits.

use super::Finding;
use crate::OperatorAct;
use crate::store::{GENESIS, act_hash};

/// The first thing that is off. What comes after it rests on nothing.
pub(super) fn check(acts: &[OperatorAct]) -> Option<Finding> {
    let mut hash = GENESIS;
    for (place, act) in (1..).zip(acts) {
        let broken = |says: String| {
            let place = format!("entry {place} of the operators' log");
            Some(Finding { code: "operator_log_broken", place, says })
        };
        if act.place != place {
            return broken(format!("is missing; the next is entry {}", act.place));
        }
        if act_hash(&hash, act) != act.hash {
            return broken("is not what was written: its hash does not fit".to_owned());
        }
        hash = act.hash;
    }
    None
}
