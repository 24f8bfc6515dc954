//! Ids of tables, players, commands and transfers, and names of currencies.
//!
//! They are short and have few kinds of characters, so they can be used in logs, keys and addresses without escaping.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// Reason that a string is not a valid name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameFault {
    /// The string is empty or too long.
    #[error("a name has 1 to {max} characters")]
    Length {
        /// Maximum number of characters.
        max: usize,
    },
    /// The string has characters that names may not have.
    #[error("a name is made of letters, digits and - _ . : /")]
    Characters,
}

fn check(text: &str, max: usize) -> Result<(), NameFault> {
    if text.is_empty() || text.len() > max {
        return Err(NameFault::Length { max });
    }
    let fits = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.' | b':' | b'/');
    if text.bytes().all(fits) { Ok(()) } else { Err(NameFault::Characters) }
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident, $max:tt;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(value_type = String, min_length = 1, max_length = $max)]
        pub struct $name(String);

        impl $name {
            /// Maximum number of characters.
            pub const LENGTH_MAX: usize = $max;

            /// Returns the name as a string.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameFault;

            fn from_str(text: &str) -> Result<$name, NameFault> {
                check(text, $max).map(|()| $name(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameFault;

            fn try_from(text: String) -> Result<$name, NameFault> {
                check(&text, $max).map(|()| $name(text))
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

names! {
    /// Id of a table.
    TableId, 40;
    /// Id of a player: a person or a bot.
    PlayerId, 64;
    /// Id that a client gives to a command. The table applies a command at most once, even if the client retries it.
    CommandId, 64;
    /// A currency. Practice chips are a separate currency.
    Currency, 16;
    /// Id of a transfer of money.
    TransferId, 96;
}

impl TableId {
    /// Returns whether the id can be a segment of a URL path without escaping. New tables must have such ids. Stores
    /// may have tables with other ids, which earlier releases opened.
    pub fn fits_in_path(&self) -> bool {
        let first = self.0.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
        first && !self.0.contains(['/', ':'])
    }
}

/// Time in milliseconds since 1970-01-01 00:00 UTC.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// Returns the time this many milliseconds later.
    #[must_use]
    pub const fn plus(self, milliseconds: u64) -> Time {
        Time(self.0.saturating_add(milliseconds))
    }

    /// Returns the time this many milliseconds earlier.
    #[must_use]
    pub const fn minus(self, milliseconds: u64) -> Time {
        Time(self.0.saturating_sub(milliseconds))
    }
}
