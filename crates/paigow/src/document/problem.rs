//! What is wrong with a document, and where.

use std::fmt;
use std::sync::Arc;

/// A text and what it is called: a path, or how it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The name people know it by.
    pub name: Arc<str>,
    /// All of it.
    pub text: Arc<str>,
}

impl Source {
    /// A text with a name.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }
}

/// A stretch of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// Where it stands.
    pub source: Source,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Span {
    /// Line and column of its start, both counted from 1, columns in characters.
    pub fn line_and_column(&self) -> (usize, usize) {
        let before = self.source.text.get(..self.start).unwrap_or(&self.source.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// A part of it, given by bytes from its start.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> Span {
        let end = self.end.min(self.start + to);
        Span { source: self.source.clone(), start: end.min(self.start + from), end }
    }
}

/// One thing wrong with a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What would be right, or what is allowed.
    pub help: Option<String>,
}

impl Problem {
    /// A problem at a place.
    pub fn new(span: &Span, message: impl Into<String>) -> Problem {
        Problem { span: span.clone(), message: shortened(message.into()), help: None }
    }

    /// The same, saying what would be right.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(shortened(help.into())), ..self }
    }
}

/// A message is a sentence or two, whatever long word of the text it repeats.
const MESSAGE_CHARS_MAX: usize = 600;

fn shortened(message: String) -> String {
    match message.char_indices().nth(MESSAGE_CHARS_MAX) {
        None => message,
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}

/// How many problems of a text are told; the rest are counted. So many come of noise, not of mistakes.
const PROBLEMS_MAX: usize = 40;

/// Problems in the order of the text, each once, and no more than anybody reads.
pub(crate) fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|one, other| {
        let place = |problem: &Problem| (problem.span.source.name.clone(), problem.span.start);
        place(one).cmp(&place(other))
    });
    problems.dedup();
    let more = problems.len().saturating_sub(PROBLEMS_MAX);
    problems.truncate(PROBLEMS_MAX);
    if let (Some(last), 1..) = (problems.last(), more) {
        let last = Problem::new(&last.span, format!("and {more} more problems from here on"));
        problems.push(last);
    }
    problems
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.span.line_and_column();
        write!(f, "{}:{line}:{column}: {}", self.span.source.name, self.message)?;
        self.help.iter().try_for_each(|help| write!(f, " ({help})"))
    }
}
