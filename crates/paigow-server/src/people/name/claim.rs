//! Names that claim to be a bot or the house, however they are written.
//!
//! Bots are called "Ada (bot)". A name is taken apart into words of letters and digits; accents, case, the kind of brackets and letters that
//! look like others (`b\u{43e}t` with a Cyrillic letter, "b0t", "\u{24b7}\u{24de}\u{24e3}") make no difference, and letters written apart are put together.

use super::PersonNameFault;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

/// The word that bots have after their names.
const BOT: &str = "bot";
/// Words that the house is called by.
const HOUSE: [&str; 4] = ["house", "dealer", "operator", "bank"];
/// Words that make no name of one of these.
const FILLERS: [&str; 4] = ["the", "a", "of", "your"];

/// What a name claims that it may not.
pub(super) fn claim(name: &str) -> Option<PersonNameFault> {
    let words = words(name);
    if words.iter().any(|word| *word == looks(BOT)) {
        return Some(PersonNameFault::ClaimsBot);
    }
    let is_house = |word: &String| HOUSE.iter().any(|house| *word == looks(house));
    let is_filler = |word: &String| {
        FILLERS.iter().any(|filler| *word == looks(filler)) || word.chars().all(char::is_numeric)
    };
    // "Ann House" is a name; "The House", "Dealer 2" and "Ann (dealer)" are claims.
    let says_nothing_else =
        words.iter().any(is_house) && words.iter().all(|word| is_house(word) || is_filler(word));
    let in_brackets = bracketed(name).is_some_and(|inside| words_of(&inside).iter().any(is_house));
    (says_nothing_else || in_brackets).then_some(PersonNameFault::ClaimsHouse)
}

fn words(name: &str) -> Vec<String> {
    words_of(&plain(name))
}

/// The words of a plain text as they look.
fn words_of(plain: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut letters = String::new();
    let mut put = |letters: &mut String| {
        if !letters.is_empty() {
            words.push(if letters.chars().all(char::is_numeric) { letters.clone() } else { looks(letters) });
            letters.clear();
        }
    };
    for word in plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        // Letters that stand apart are one word.
        if word.chars().count() == 1 {
            letters.push_str(word);
        } else {
            put(&mut letters);
            put(&mut word.to_owned());
        }
    }
    put(&mut letters);
    words
}

/// A text in small letters without marks, its letters and brackets those that it is composed of.
fn plain(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// What a word looks like: the same for words that a reader could take for each other.
fn looks(word: &str) -> String {
    // Small letters first: a capital I looks like an l, and a small i does not.
    plain(&skeleton(&plain(word)).collect::<String>())
}

/// What stands between brackets of any kind, in a plain text.
fn bracketed(name: &str) -> Option<String> {
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
    let of = |wanted| move |c: char| c.general_category() == wanted || (c.is_ascii() && "<>|".contains(c));
    let plain = plain(name);
    let from = plain.find(of(GeneralCategory::OpenPunctuation))?;
    let to =
        plain.rfind(of(GeneralCategory::ClosePunctuation)).filter(|to| *to > from).unwrap_or(plain.len());
    plain.get(from..to).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_are_told_however_they_are_written() {
        for name in [
            "Ada (bot)",
            "ada(BOT)",
            "Ada ( Bot )",
            "Ada [bot]",
            "Ada {bot}",
            "Ada <bot>",
            "Ada\u{ff08}bot\u{ff09}",
            "Ada \u{27e8}bot\u{27e9}",
            "Ada bot",
            "bot",
            "BOT Ada",
            "Ada-bot",
            "Ada (b o t)",
            "Ada (b.o.t)",
            "Ada (b0t)",
            "Ada (b\u{43e}t)",
            "Ada (\u{ff42}\u{ff4f}\u{ff54})",
            "Ada (\u{24b7}\u{24de}\u{24e3})",
            "Ada (b\u{f6}t)",
            "Ada \u{1d41b}\u{1d428}\u{1d42d}",
            "Ada \u{249d}\u{24aa}\u{24af}",
        ] {
            assert_eq!(claim(name), Some(PersonNameFault::ClaimsBot), "{name}");
        }
    }

    #[test]
    fn the_house_is_told_however_it_is_written() {
        for name in [
            "house",
            "The House",
            "HOUSE",
            "dealer",
            "Dealer 2",
            "dea1er",
            "Operator",
            "bank",
            "The Bank",
            "House Dealer",
            "h o u s e",
            "h\u{43e}use",
            "\u{ff48}ouse",
            "Ann (dealer)",
            "Ann [House]",
            "the-house",
            "B\u{e0}nk",
        ] {
            assert_eq!(claim(name), Some(PersonNameFault::ClaimsHouse), "{name}");
        }
    }

    #[test]
    fn names_of_people_are_none_of_these() {
        for name in [
            "Ann",
            "Abbot",
            "Talbot",
            "Robot",
            "Botticelli",
            "Ann House",
            "Gregory House",
            "Banks",
            "Burbank",
            "Dealerson",
            "Lena O",
            "J R R",
            "\u{738b}",
            "Bo T",
            "Guest 0B07",
            "paigow-browser",
            "\u{1f004}",
        ] {
            assert_eq!(claim(name), None, "{name}");
        }
    }
}
