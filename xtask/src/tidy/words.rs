//! Word search in a text, and line numbers of offsets.

/// Returns the byte offsets at which `word` occurs as a whole word.
///
/// An occurrence is rejected if a letter or digit at either end of `word` touches another letter or digit. An
/// underscore separates words, so that `1.0_f64` contains `f64`. Any character may follow a sign at the end of `word`.
pub(crate) fn positions<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = [text[..at].chars().next_back(), word.chars().next()];
        let after = [word.chars().next_back(), text[at + word.len()..].chars().next()];
        ![before, after].iter().any(|pair| pair.iter().all(|c| c.is_some_and(char::is_alphanumeric)))
    })
}

/// Returns the line number of an offset in the text, counted from 1.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_found() {
        assert_eq!(positions("f64 xf64 f64x 1_f64 «f64»", "f64").collect::<Vec<_>>(), [0, 16, 22]);
        assert_eq!(positions("rand::x, brand::x", "rand::").collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!((line_of("a\nb\nc", 0), line_of("a\nb\nc", 1), line_of("a\nb\nc", 4)), (1, 1, 3));
    }
}
