//! Problems in documents, and their locations.

use crate::{Refusal, RefusalCode};
use std::fmt;
use std::sync::Arc;

/// A text with its name, which is a path or describes how the text was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Name shown in messages.
    pub name: Arc<str>,
    /// The complete text.
    pub text: Arc<str>,
    /// Origin of the text.
    pub origin: TextOrigin,
}

/// The origin of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextOrigin {
    /// A whole text: a file, a built-in text, or a text sent with a request.
    Text(Edition),
    /// An override of one value, `KEY=VALUE`, over another text.
    Change {
        /// Path of the value in the text.
        key: Arc<str>,
    },
}

/// Whether new tables use a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edition {
    /// New tables use the text.
    Current,
    /// The text is of an earlier release and is kept for its tables. It may use words that current texts may not.
    Earlier,
}

impl Source {
    /// Creates a source from a whole text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into(), origin: TextOrigin::Text(Edition::Current) }
    }

    /// Creates an override of the value at a path, as given by `--set KEY=VALUE`.
    pub fn change(key: &str, value: &str) -> Source {
        let text = format!("{key}={value}").into();
        Source { name: "--set".into(), text, origin: TextOrigin::Change { key: key.into() } }
    }

    /// Returns the path of the value that an override changes, or `None` for a whole text.
    pub fn changed_key(&self) -> Option<&str> {
        match &self.origin {
            TextOrigin::Text(_) => None,
            TextOrigin::Change { key } => Some(key),
        }
    }
}

/// A range of bytes in a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The source.
    pub source: Source,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the line and column of the start, both counted from 1. Columns count characters.
    pub fn line_and_column(&self) -> (usize, usize) {
        let before = self.source.text.get(..self.start).unwrap_or(&self.source.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// Returns a part of the span, given by byte offsets from its start.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> Span {
        let end = self.end.min(self.start + to);
        Span { source: self.source.clone(), start: end.min(self.start + from), end }
    }
}

/// A problem in a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Location of the problem.
    pub span: Span,
    /// Kind of the problem, for programs.
    pub code: ProblemCode,
    /// Description of the problem.
    pub message: String,
    /// How to correct the problem, or the allowed values.
    pub help: Option<String>,
}

/// The kind of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProblemCode {
    /// The text is not a valid document of its type.
    BadText,
    /// The text is valid, but the rules refuse its content.
    Refused(RefusalCode),
}

impl ProblemCode {
    /// Returns the code as text. Codes are stable across releases.
    pub const fn name(self) -> &'static str {
        match self {
            ProblemCode::BadText => "bad_text",
            ProblemCode::Refused(code) => code.name(),
        }
    }
}

impl Problem {
    /// Creates a [`ProblemCode::BadText`] problem at a location.
    pub fn new(span: &Span, message: impl Into<String>) -> Problem {
        let (span, message) = (span.clone(), shortened(message.into()));
        Problem { span, code: ProblemCode::BadText, message, help: None }
    }

    /// Creates a problem from a refusal of the content at a location.
    pub fn refused(span: &Span, refusal: &Refusal) -> Problem {
        Problem { code: ProblemCode::Refused(refusal.kind()), ..Problem::new(span, refusal.to_string()) }
    }

    /// Returns the problem with a help text.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(shortened(help.into())), ..self }
    }
}

/// Maximum length of a message. Messages can repeat words of the document, which may be long.
const MESSAGE_CHARS_MAX: usize = 600;

fn shortened(message: String) -> String {
    match message.char_indices().nth(MESSAGE_CHARS_MAX) {
        None => message,
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}

/// Maximum number of problems reported for a text. The rest are counted. A longer list indicates garbage rather than
/// mistakes.
const PROBLEMS_MAX: usize = 40;

/// Returns the problems sorted by location, without duplicates, and limited to [`PROBLEMS_MAX`].
pub(crate) fn sorted_problems(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|one, other| {
        let location = |problem: &Problem| (problem.span.source.name.clone(), problem.span.start);
        location(one).cmp(&location(other))
    });
    problems.dedup();
    let more = problems.len().saturating_sub(PROBLEMS_MAX);
    problems.truncate(PROBLEMS_MAX);
    if let (Some(last), 1..) = (problems.last(), more) {
        let last = Problem::new(&last.span, format!("and {more} more problems"));
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
