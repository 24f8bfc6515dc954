//! Time and chance: all that a host takes from outside.

mod checked;

use paigow_table::Time;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) use checked::JumpCounts;
pub use checked::{CheckedEnvironment, SystemClocks, TimeSource};

/// Where time and secrets come from.
pub trait Environment: Send + Sync {
    /// What time it is.
    fn now(&self) -> Time;

    /// 32 bytes nobody knows.
    ///
    /// # Errors
    /// There are none to be had.
    fn entropy(&self) -> Result<[u8; 32], getrandom::Error>;
}

/// The clock and the random numbers of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct SystemEnvironment;

impl Environment for SystemEnvironment {
    fn now(&self) -> Time {
        // A clock before 1970 is set wrongly; deadlines then count from there.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }
}
