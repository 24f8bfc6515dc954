//! What others see of a person: any script, one line, nothing that cannot be seen.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A name for people to read, without space at its ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PersonName(String);

/// Why a text is no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PersonNameFault {
    /// Nothing to see, or too much.
    #[error("a name has 1 to {} characters, and this has {found}", PersonName::CHARS_MAX)]
    Length {
        /// How many it has.
        found: usize,
    },
    /// A character that cannot be seen.
    #[error("a name may not have the invisible character U+{:04X}", u32::from(*.0))]
    Invisible(char),
}

impl PersonName {
    /// The most characters it may have.
    pub const CHARS_MAX: usize = 24;

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Controls, and marks that turn the writing round or take no room: with them one name could pass for another.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

impl FromStr for PersonName {
    type Err = PersonNameFault;

    fn from_str(text: &str) -> Result<PersonName, PersonNameFault> {
        let text = text.trim();
        if let Some(c) = text.chars().find(|&c| is_invisible(c)) {
            return Err(PersonNameFault::Invisible(c));
        }
        let found = text.chars().count();
        if !(1..=PersonName::CHARS_MAX).contains(&found) {
            return Err(PersonNameFault::Length { found });
        }
        Ok(PersonName(text.to_owned()))
    }
}

impl TryFrom<String> for PersonName {
    type Error = PersonNameFault;

    fn try_from(text: String) -> Result<PersonName, PersonNameFault> {
        text.parse()
    }
}

impl From<PersonName> for String {
    fn from(name: PersonName) -> String {
        name.0
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
