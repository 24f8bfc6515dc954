//! Replacement of the term `banker` by the term of a book.

use super::Rulebook;

/// Default term, for which a book may have its own.
const BANKER: &str = "banker";

impl Rulebook {
    /// Replaces the word `banker` in a sentence by the term of the book.
    pub fn with_book_terms(&self, sentence: &str) -> String {
        with_term(sentence, &self.terms.banker)
    }
}

fn with_term(sentence: &str, term: &str) -> String {
    // A part of a longer word or a key in backticks stays unchanged.
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '`');
    let mut replaced = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once(BANKER) {
        let whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        replaced.push_str(before);
        replaced.push_str(if whole { term } else { BANKER });
        rest = after;
    }
    replaced + rest
}

#[cfg(test)]
mod tests {
    use super::with_term;

    #[test]
    fn term_replaces_whole_words_only() {
        let cases = [
            ("A copy goes to the banker.", "A copy goes to the player/dealer."),
            ("banker", "player/dealer"),
            ("The banker's wager, not a banker", "The player/dealer's wager, not a player/dealer"),
            ("`banker` is a key, banker_foul is one", "`banker` is a key, banker_foul is one"),
            ("the bankers", "the bankers"),
            ("no term", "no term"),
        ];
        for (sentence, expected) in cases {
            assert_eq!(with_term(sentence, "player/dealer"), expected);
            assert_eq!(with_term(sentence, "banker"), sentence);
        }
    }
}
