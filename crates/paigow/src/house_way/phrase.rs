//! Reading phrases: text cut at commas, each piece with its place, so that a problem points at the words it is about.

use crate::Rank;
use crate::document::{Problem, Span};

/// One phrase of a clause.
pub(crate) struct Phrase<'a> {
    /// The words, without the blanks around them.
    pub(crate) text: &'a str,
    pub(crate) span: Span,
}

/// The phrases of a text that stands, in quotation marks, at a place.
pub(crate) fn phrases<'a>(text: &'a str, span: &Span) -> Vec<Phrase<'a>> {
    let mut from = 0;
    // Only a text between simple quotation marks, without escapes, stands letter by letter as it reads.
    let plain = span.end - span.start == text.len() + 2;
    let pieces = text.split(',').map(|piece| {
        let blanks = piece.len() - piece.trim_start().len();
        let trimmed = piece.trim();
        let start = from + blanks + 1; // past the quotation mark
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

    /// The ranks a phrase ends with, such as `K or A`, `2-6`, as a mask.
    pub(crate) fn ranks(&self, text: &str) -> Result<u16, Problem> {
        let one = |text: &str| {
            let mut letters = text.trim().chars();
            let rank = letters.next().and_then(Rank::from_letter)?;
            letters.next().is_none().then_some(rank)
        };
        let mut mask = 0;
        for part in text.split(" or ") {
            let range = match part.split_once('-') {
                None => one(part).map(|rank| (rank, rank)),
                Some((from, to)) => one(from).zip(one(to)),
            };
            match range {
                Some((from, to)) if from <= to => {
                    mask |=
                        Rank::ALL.into_iter().filter(|r| (from..=to).contains(r)).fold(0, |m, r| m | r.bit());
                }
                _ => {
                    let message = format!("`{part}` is no rank or range of ranks");
                    return Err(self.problem(message).help("ranks are written `A`, `2-6`, `T-K`, `K or A`"));
                }
            }
        }
        Ok(mask)
    }
}
