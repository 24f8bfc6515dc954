//! Environment with settable time and secrets.

use paigow_server::Environment;
use paigow_table::{TableId, Time};
use sha2::{Digest, Sha256};
use std::sync::{Mutex, PoisonError};

/// Start of the history: 1 January 2027, 00:00 UTC.
const BEGIN: Time = Time(1_798_761_600_000);

/// The time and the secret of the next command.
pub(crate) struct FixedEnvironment {
    moment: Mutex<(Time, [u8; 32])>,
}

impl FixedEnvironment {
    pub(crate) fn new() -> FixedEnvironment {
        FixedEnvironment { moment: Mutex::new((BEGIN, [0; 32])) }
    }

    /// Sets the time and the secret for all later calls.
    pub(crate) fn set(&self, now: Time, secret: [u8; 32]) {
        *self.moment.lock().unwrap_or_else(PoisonError::into_inner) = (now, secret);
    }

    fn moment(&self) -> (Time, [u8; 32]) {
        *self.moment.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Environment for FixedEnvironment {
    fn now(&self) -> Time {
        self.moment().0
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        Ok(self.moment().1)
    }
}

/// Returns a secret of the series of a table's round, by number.
pub(crate) fn secret(table: &TableId, round: u64, number: u32) -> [u8; 32] {
    Sha256::digest(format!("paigow history {table} {round} {number}")).into()
}
