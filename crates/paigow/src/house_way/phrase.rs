//! Splits clause texts at commas into phrases. Each phrase has its span, so problems point at the exact words.

use crate::Rank;
use crate::document::{Problem, Span};

/// One phrase of a clause.
pub(crate) struct Phrase<'a> {
    /// Text of the phrase, without surrounding whitespace.
    pub(crate) text: &'a str,
    pub(crate) span: Span,
}

/// Splits a text into phrases. `span` is the quoted text in the source.
pub(crate) fn phrases<'a>(text: &'a str, span: &Span) -> Vec<Phrase<'a>> {
    let mut from = 0;
    // Offsets match the source only if the text is in single-character quotation marks and has no escapes.
    let plain = span.end - span.start == text.len() + 2;
    let pieces = text.split(',').map(|piece| {
        let blanks = piece.len() - piece.trim_start().len();
        let trimmed = piece.trim();
        let start = from + blanks + 1; // skip the quotation mark
        from += piece.len() + 1;
        let span = if plain { span.part(start, start + trimmed.len()) } else { span.clone() };
        Phrase { text: trimmed, span }
    });
    pieces.collect()
}

impl Phrase<'_> {
    pub(crate) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::new(&self.span, message)
    }

    /// Parses ranks such as `K or A` or `2-6` into a mask.
    pub(crate) fn ranks(&self, text: &str) -> Result<u16, Problem> {
        let parse_rank = |text: &str| {
            let mut letters = text.trim().chars();
            let rank = letters.next().and_then(Rank::from_letter)?;
            letters.next().is_none().then_some(rank)
        };
        let mut mask = 0;
        for part in text.split(" or ") {
            let range = match part.split_once('-') {
                None => parse_rank(part).map(|rank| (rank, rank)),
                Some((from, to)) => parse_rank(from).zip(parse_rank(to)),
            };
            match range {
                Some((from, to)) if from <= to => {
                    mask |=
                        Rank::ALL.into_iter().filter(|r| (from..=to).contains(r)).fold(0, |m, r| m | r.bit());
                }
                _ => {
                    let message = format!("`{part}` is not a rank or range of ranks");
                    return Err(self.problem(message).help("ranks are written `A`, `2-6`, `T-K`, `K or A`"));
                }
            }
        }
        Ok(mask)
    }
}
