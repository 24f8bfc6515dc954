//! What is wrong with a document, and where.

use crate::{Refusal, RefusalCode};
use std::fmt;
use std::sync::Arc;

/// A text and what it is called: a path, or how it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The name people know it by.
    pub name: Arc<str>,
    /// All of it.
    pub text: Arc<str>,
    /// Where it comes from.
    pub origin: TextOrigin,
}

/// Where a text comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextOrigin {
    /// A whole text: a file, a built-in text, or a text sent with a question.
    Text(Edition),
    /// The change of one value, `KEY=VALUE`, laid over a text.
    Change {
        /// The path of the value in the text.
        key: Arc<str>,
    },
}

/// Whether a text is in use for new tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edition {
    /// Used for new tables.
    Current,
    /// Text of an earlier release, kept for its tables. It may use words that no other text may.
    Earlier,
}

impl Source {
    /// A whole text with a name.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into(), origin: TextOrigin::Text(Edition::Current) }
    }

    /// The change of the value at a path, as `--set KEY=VALUE` gives it.
    pub fn change(key: &str, value: &str) -> Source {
        let text = format!("{key}={value}").into();
        Source { name: "--set".into(), text, origin: TextOrigin::Change { key: key.into() } }
    }

    /// The path of the value that it changes; `None` for a whole text.
    pub fn changed_key(&self) -> Option<&str> {
        match &self.origin {
            TextOrigin::Text(_) => None,
            TextOrigin::Change { key } => Some(key),
        }
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
    /// What kind of problem it is, for programs.
    pub code: ProblemCode,
    /// What is wrong, for people.
    pub message: String,
    /// What would be right, or what is allowed.
    pub help: Option<String>,
}

/// The kind of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProblemCode {
    /// The text is not what a text of its kind may be.
    BadText,
    /// The text can be read, and the rules refuse what it describes.
    Refused(RefusalCode),
}

impl ProblemCode {
    /// The code as text. It does not change.
    pub const fn name(self) -> &'static str {
        match self {
            ProblemCode::BadText => "bad_text",
            ProblemCode::Refused(code) => code.name(),
        }
    }
}

impl Problem {
    /// A problem of the text at a place.
    pub fn new(span: &Span, message: impl Into<String>) -> Problem {
        let (span, message) = (span.clone(), shortened(message.into()));
        Problem { span, code: ProblemCode::BadText, message, help: None }
    }

    /// A refusal of what the text describes at a place.
    pub fn refused(span: &Span, refusal: &Refusal) -> Problem {
        Problem { code: ProblemCode::Refused(refusal.kind()), ..Problem::new(span, refusal.to_string()) }
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
