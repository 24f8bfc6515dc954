//! Names: of tables, players, commands, currencies and transfers. Short, of few kinds of characters, so that they can stand in a
//! log, a key or an address as they are.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// Why a text is no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameFault {
    /// Too short or too long.
    #[error("a name has 1 to {most} characters")]
    Length {
        /// The most there may be.
        most: usize,
    },
    /// Other characters than names have.
    #[error("a name is made of letters, digits and - _ . : /")]
    Characters,
}

fn check(text: &str, most: usize) -> Result<(), NameFault> {
    if text.is_empty() || text.len() > most {
        return Err(NameFault::Length { most });
    }
    let fits = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.' | b':' | b'/');
    if text.bytes().all(fits) { Ok(()) } else { Err(NameFault::Characters) }
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident, $most:tt;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(value_type = String, min_length = 1, max_length = $most)]
        pub struct $name(String);

        impl $name {
            /// The most characters it may have.
            pub const LENGTH_MAX: usize = $most;

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameFault;

            fn from_str(text: &str) -> Result<$name, NameFault> {
                check(text, $most).map(|()| $name(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameFault;

            fn try_from(text: String) -> Result<$name, NameFault> {
                check(&text, $most).map(|()| $name(text))
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
    /// A table.
    TableId, 40;
    /// A person, or a bot.
    PlayerId, 64;
    /// What a client calls a command, so that it is done once however often it arrives.
    CommandId, 64;
    /// What money is counted in. Practice chips are a currency of their own.
    Currency, 16;
    /// A movement of money.
    TransferId, 96;
}

impl TableId {
    /// Whether the name can stand in a path of a URL as it is: tables opened from now on have such names. Stores may have tables of other
    /// names, which earlier versions opened.
    pub fn fits_in_path(&self) -> bool {
        let first = self.0.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
        first && !self.0.contains(['/', ':'])
    }
}

/// A moment, in milliseconds since 1970.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// So many milliseconds later.
    #[must_use]
    pub const fn plus(self, milliseconds: u64) -> Time {
        Time(self.0.saturating_add(milliseconds))
    }

    /// So many milliseconds earlier.
    #[must_use]
    pub const fn minus(self, milliseconds: u64) -> Time {
        Time(self.0.saturating_sub(milliseconds))
    }
}
