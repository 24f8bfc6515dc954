//! Sentences in the words of a book.

use super::Rulebook;

/// The word that sentences are written with, and that a book may have another for.
const BANKER: &str = "banker";

impl Rulebook {
    /// A sentence that says `banker`, with the book's own word in its place.
    pub fn in_its_terms(&self, sentence: &str) -> String {
        with_term(sentence, &self.terms.banker)
    }
}

fn with_term(sentence: &str, term: &str) -> String {
    // Part of a longer word, or a key in quotation marks.
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '`');
    let mut said = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once(BANKER) {
        let whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        said.push_str(before);
        said.push_str(if whole { term } else { BANKER });
        rest = after;
    }
    said + rest
}

#[cfg(test)]
mod tests {
    use super::with_term;

    #[test]
    fn a_sentence_says_the_word_of_the_book() {
        let cases = [
            ("A copy goes to the banker.", "A copy goes to the player/dealer."),
            ("banker", "player/dealer"),
            ("The banker's wager, not a banker", "The player/dealer's wager, not a player/dealer"),
            ("`banker` is a key, banker_foul is one", "`banker` is a key, banker_foul is one"),
            ("the bankers", "the bankers"),
            ("nothing of the kind", "nothing of the kind"),
        ];
        for (sentence, expected) in cases {
            assert_eq!(with_term(sentence, "player/dealer"), expected);
            assert_eq!(with_term(sentence, "banker"), sentence);
        }
    }
}
