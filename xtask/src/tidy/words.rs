//! Finding words in a text, and the line a place is on.

/// The places where `word` stands as a word: no letter or digit touches an end of it that is one.
///
/// An underscore ends a word, so that `1.0_f64` holds `f64`; signs at the ends of `word` need nothing.
pub(crate) fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = [text[..at].chars().next_back(), word.chars().next()];
        let after = [word.chars().next_back(), text[at + word.len()..].chars().next()];
        ![before, after].iter().any(|pair| pair.iter().all(|c| c.is_some_and(char::is_alphanumeric)))
    })
}

/// The line, counted from 1, of a place in the text.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_found() {
        assert_eq!(places("f64 xf64 f64x 1_f64 «f64»", "f64").collect::<Vec<_>>(), [0, 16, 22]);
        assert_eq!(places("rand::x, brand::x", "rand::").collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!((line_of("a\nb\nc", 0), line_of("a\nb\nc", 1), line_of("a\nb\nc", 4)), (1, 1, 3));
    }
}
