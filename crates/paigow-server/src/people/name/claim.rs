//! Detects names that claim to be a bot or the house, in any spelling.
//!
//! Bots have names such as "Ada (bot)". A name is split into words of letters and digits. Accents, case, the kind of
//! brackets and look-alike letters (`b\u{43e}t` with a Cyrillic letter, "b0t", "\u{24b7}\u{24de}\u{24e3}") make no
//! difference, and single letters are joined.

use super::PersonNameFault;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

/// Suffix of bots' names.
const BOT: &str = "bot";
/// Words for the house.
const HOUSE: [&str; 4] = ["house", "dealer", "operator", "bank"];
/// Words that do not turn a word for the house into a person's name.
const FILLERS: [&str; 4] = ["the", "a", "of", "your"];

/// Returns the fault of a name that claims to be a bot or the house.
pub(super) fn claim(name: &str) -> Option<PersonNameFault> {
    let words = words(name);
    if words.iter().any(|word| *word == skeleton_of(BOT)) {
        return Some(PersonNameFault::ClaimsBot);
    }
    let is_house = |word: &String| HOUSE.iter().any(|house| *word == skeleton_of(house));
    let is_filler = |word: &String| {
        FILLERS.iter().any(|filler| *word == skeleton_of(filler)) || word.chars().all(char::is_numeric)
    };
    // "Ann House" is a name; "The House", "Dealer 2" and "Ann (dealer)" are claims.
    let is_nothing_else =
        words.iter().any(is_house) && words.iter().all(|word| is_house(word) || is_filler(word));
    let in_brackets = bracketed(name).is_some_and(|inside| words_of(&inside).iter().any(is_house));
    (is_nothing_else || in_brackets).then_some(PersonNameFault::ClaimsHouse)
}

/// Returns the key of a name, which is equal for names that look alike.
///
/// Case, accents, spaces, punctuation and look-alike letters make no difference. The letters i and l are equal, because a
/// capital I looks like an l. The key of a name of symbols only is the normalized name.
pub(crate) fn name_key(name: &str) -> String {
    let skeleton = skeleton_of(name);
    let letters: String = skeleton.chars().filter(|c| c.is_alphanumeric()).collect();
    let key = if letters.is_empty() { plain(name).split_whitespace().collect() } else { letters };
    key.replace('i', "l")
}

fn words(name: &str) -> Vec<String> {
    words_of(&plain(name))
}

/// Splits a normalized text into the skeletons of its words.
fn words_of(plain: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut letters = String::new();
    let mut flush = |letters: &mut String| {
        if !letters.is_empty() {
            words.push(if letters.chars().all(char::is_numeric) {
                letters.clone()
            } else {
                skeleton_of(letters)
            });
            letters.clear();
        }
    };
    for word in plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        // A run of single letters is one word.
        if word.chars().count() == 1 {
            letters.push_str(word);
        } else {
            flush(&mut letters);
            flush(&mut word.to_owned());
        }
    }
    flush(&mut letters);
    words
}

/// Normalizes a text: compatibility decomposition (NFKD), without combining marks, in lower case.
fn plain(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// Returns the visual skeleton of a word, which is equal for words that look alike.
fn skeleton_of(word: &str) -> String {
    // Lower case first: a capital I looks like an l, a lower-case i does not.
    plain(&skeleton(&plain(word)).collect::<String>())
}

/// Returns the normalized text from the first opening bracket of any kind to the last closing bracket, or to the end
/// without one.
fn bracketed(name: &str) -> Option<String> {
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
    let bracket =
        |category| move |c: char| c.general_category() == category || (c.is_ascii() && "<>|".contains(c));
    let plain = plain(name);
    let from = plain.find(bracket(GeneralCategory::OpenPunctuation))?;
    let to = plain
        .rfind(bracket(GeneralCategory::ClosePunctuation))
        .filter(|to| *to > from)
        .unwrap_or(plain.len());
    plain.get(from..to).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bots_are_detected() {
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
    fn names_of_the_house_are_detected() {
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
    fn names_of_people_are_accepted() {
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

    #[test]
    fn look_alikes_have_the_same_key() {
        for (name, others) in [
            (
                "Marina",
                &[
                    "marina",
                    "MARINA",
                    "m a r i n a",
                    "Marina!",
                    "\u{2605} Marina \u{2605}",
                    "M\u{e1}r\u{ef}na",
                    "M\u{430}rin\u{430}",
                    "\u{ff2d}arina",
                    "rnarina",
                    "Mar1na",
                    "Marlna",
                    "\u{24c2}arina",
                ] as &[&str],
            ),
            ("Iris", &["lris", "1ris", "iris", "\u{406}ris", "|ris"]),
            ("Otto", &["0tt0", "\u{41e}tto", "\u{3bf}tto"]),
            ("\u{2660}", &["\u{2660}\u{fe0f}", "\u{2660} "]),
        ] {
            for other in others {
                assert_eq!(name_key(name), name_key(other), "{name} and {other}");
            }
        }
    }

    #[test]
    fn different_names_have_different_keys() {
        let names = [
            "Ann", "Anna", "Anne", "Hanna", "Bob", "Rob", "\u{738b}", "\u{7389}", "\u{2660}", "\u{2663}",
            "?", "!",
        ];
        let keys: std::collections::BTreeSet<String> = names.iter().map(|name| name_key(name)).collect();
        assert_eq!(keys.len(), names.len(), "{keys:?}");
        assert!(keys.iter().all(|key| !key.is_empty()));
    }
}
