//! Displayed names of people: any script, one line, no invisible characters, and no claim to be a bot or the house.
//!
//! Parsing accepts every name that an earlier version could have stored. [`PersonName::parse_chosen`] checks a new name more
//! strictly.

mod claim;

use claim::claim;
pub(crate) use claim::name_key;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Displayed name of a person, without leading or trailing space.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PersonName(String);

/// Why a text is not a valid name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PersonNameFault {
    /// The text is empty or too long.
    #[error("a name must have 1 to {} characters, found {found}", PersonName::CHARS_MAX)]
    Length {
        /// Number of characters in the text.
        found: usize,
    },
    /// The text contains an invisible character.
    #[error("a name may not have the invisible character U+{:04X}", u32::from(*.0))]
    Invisible(char),
    /// The text consists of spaces and combining marks only.
    #[error("a name needs a visible letter, digit or symbol")]
    Blank,
    /// A letter has so many combining marks that they overlap other lines.
    #[error("a letter of a name may have at most {} combining marks", PersonName::MARKS_MAX)]
    Marks,
    /// The name could be mistaken for that of a bot.
    #[error("a name may not claim to be a bot: only the server's own players may")]
    ClaimsBot,
    /// The name could be mistaken for that of the house.
    #[error("a name may not claim to be the house, the dealer, an operator or the bank")]
    ClaimsHouse,
}

impl PersonNameFault {
    /// Stable code for programs.
    pub fn code(self) -> &'static str {
        match self {
            PersonNameFault::Length { .. } => "name_length",
            PersonNameFault::Invisible(_) => "name_invisible",
            PersonNameFault::Blank => "name_blank",
            PersonNameFault::Marks => "name_marks",
            PersonNameFault::ClaimsBot => "name_claims_bot",
            PersonNameFault::ClaimsHouse => "name_claims_house",
        }
    }
}

impl PersonName {
    /// Maximum number of characters.
    pub const CHARS_MAX: usize = 24;
    /// Maximum number of combining marks, such as accents, on one letter.
    pub const MARKS_MAX: usize = 4;

    /// Checks a name that a person chooses. Each run of spaces of any kind becomes one plain space.
    ///
    /// # Errors
    /// The first fault found.
    pub fn parse_chosen(text: &str) -> Result<PersonName, PersonNameFault> {
        let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
        let name: PersonName = words.join(" ").parse()?;
        let mut marks = 0;
        let mut is_visible = false;
        for c in name.as_str().chars() {
            if is_blank(c) {
                return Err(PersonNameFault::Invisible(c));
            }
            let is_mark = c.general_category_group() == GeneralCategoryGroup::Mark;
            is_visible |= !is_mark && c != ' ';
            marks = if is_mark { marks + 1 } else { 0 };
            if marks > PersonName::MARKS_MAX {
                return Err(PersonNameFault::Marks);
            }
        }
        if !is_visible {
            return Err(PersonNameFault::Blank);
        }
        claim(name.as_str()).map_or(Ok(name), Err)
    }

    /// Returns the default name of a guest with some digits.
    pub(crate) fn of_guest(digits: &str) -> Option<PersonName> {
        format!("Guest {}", digits.to_uppercase()).parse().ok()
    }

    /// Returns the key of the name, which is equal for names that look alike.
    pub(crate) fn key(&self) -> String {
        name_key(&self.0)
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Control characters, and characters that change the writing direction or have no width. With them, two different
/// names can look alike.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn is_space(c: char) -> bool {
    c.general_category() == GeneralCategory::SpaceSeparator
}

/// Characters that display nothing: Unicode's format, private-use and unassigned characters, and letters, marks and
/// symbols drawn as blanks. The emoji variation selector U+FE0F is not among them, because keyboards type it after many
/// emoji.
fn is_blank(c: char) -> bool {
    let by_category = matches!(
        c.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Unassigned
    );
    by_category
        || matches!(
            c,
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        )
        || matches!(c, '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0e}' | '\u{ffa0}' | '\u{1d159}')
        || matches!(c, '\u{e0100}'..='\u{e01ef}')
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<PersonNameFault> {
        PersonName::parse_chosen(text).err()
    }

    #[test]
    fn chosen_names_are_visible() {
        let blanks = [
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{180b}',
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{2066}',
            '\u{2800}',
            '\u{3164}',
            '\u{e000}',
            '\u{fe00}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{1d159}',
            '\u{1d173}',
            '\u{e0041}',
            '\u{e0100}',
        ];
        for blank in blanks {
            assert_eq!(fault(&blank.to_string()), Some(PersonNameFault::Invisible(blank)), "{blank:?}");
            assert_eq!(fault(&format!("a{blank}b")), Some(PersonNameFault::Invisible(blank)), "{blank:?}");
        }
        for text in ["", " ", "\u{a0}\u{3000}", "\u{2003}"] {
            assert_eq!(fault(text), Some(PersonNameFault::Length { found: 0 }), "{text:?}");
        }
        for text in ["\u{301}", "\u{301} \u{308}", "\u{fe0f}"] {
            assert_eq!(fault(text), Some(PersonNameFault::Blank), "{text:?}");
        }
        assert_eq!(fault(&format!("a{}", "\u{301}".repeat(5))), Some(PersonNameFault::Marks));
        for text in [
            "Ann",
            "Änne 🀄 王",
            "e\u{301}",
            "♠\u{fe0f}",
            "ʻOkina",
            "ก็",
            "x",
            "7",
            "山田 太郎",
            "O'Brien-Smith",
        ] {
            assert_eq!(fault(text), None, "{text:?}");
        }
        assert_eq!(
            PersonName::parse_chosen(" 山田\u{3000} 太郎 ").map(String::from),
            Ok("山田 太郎".to_owned())
        );
    }

    #[test]
    fn stored_names_are_not_checked_again() {
        for text in ["Ada (bot)", "\u{3164}", "house", "\u{301}"] {
            assert!(text.parse::<PersonName>().is_ok(), "{text:?}");
            assert!(fault(text).is_some(), "{text:?}");
        }
    }
}
