//! Time and random bytes: the two inputs a host takes from the operating system.

mod checked;

use paigow_table::Time;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) use checked::JumpCounts;
pub use checked::{CheckedEnvironment, SystemClocks, TimeSource};

/// Source of time and random bytes.
pub trait Environment: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Time;

    /// Returns 32 random bytes.
    ///
    /// # Errors
    /// The operating system provides no random bytes.
    fn entropy(&self) -> Result<[u8; 32], getrandom::Error>;
}

/// Clock and random number generator of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct SystemEnvironment;

impl Environment for SystemEnvironment {
    fn now(&self) -> Time {
        // A clock before 1970 is wrong. It reads as 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }
}
