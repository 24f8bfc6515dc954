//! What keeps a question from being answered.

use paigow::document::Problem;
use paigow::rulebook::LoadError;
use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;

/// One thing wrong with a question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Fault {
    /// What kind of fault it is, for programs. It does not change.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: String,
    /// What would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The part of the question it is about: keys and places with dots between them, such as `seats.0.cards`; or a text and its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The line of a text that was sent, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column of that line, in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The problem of a text, for whoever can show it.
    #[serde(skip)]
    #[schema(ignore)]
    pub problem: Option<Problem>,
}

/// Everything wrong with a question.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct Faults {
    /// All of them.
    pub faults: Vec<Fault>,
}

impl Fault {
    /// A fault of a part of the question.
    pub fn new(code: &'static str, at: &str, message: impl Into<String>) -> Fault {
        Fault {
            code,
            message: message.into(),
            help: None,
            at: Some(at.to_owned()),
            line: None,
            column: None,
            problem: None,
        }
    }

    /// A problem of a text: of a part of the question, of one of its changes, or of a text that the question names.
    pub(crate) fn of_problem(problem: Problem, at: Option<String>) -> Fault {
        let source = &problem.span.source;
        let at = at.or_else(|| Some(format!("changes.{}", source.changed_key()?))).unwrap_or_else(|| {
            let (line, column) = problem.span.line_and_column();
            format!("{}:{line}:{column}", source.name)
        });
        Fault {
            help: problem.help.clone(),
            problem: Some(problem.clone()),
            ..Fault::new(problem.code.name(), &at, problem.message)
        }
    }
}

impl Faults {
    /// Adds one.
    pub fn push(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// A value, if there is one and nothing is wrong.
    ///
    /// # Errors
    /// What is wrong.
    pub fn or<T>(self, value: Option<T>) -> Result<T, Faults> {
        match value {
            Some(value) if self.faults.is_empty() => Ok(value),
            _ => Err(self),
        }
    }

    /// Adds why a text that a part of the question names cannot be had.
    pub(crate) fn not_loaded(&mut self, error: LoadError, at: &str) {
        match error {
            LoadError::NotFound { .. } => self.push(Fault::new("not_found", at, error.to_string())),
            LoadError::Unreadable { .. } => self.push(Fault::new("unreadable", at, error.to_string())),
            LoadError::Problems(problems) => {
                self.faults.extend(problems.into_iter().map(|problem| Fault::of_problem(problem, None)));
            }
        }
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults { faults: vec![fault] }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Some(problem) => write!(f, "{problem}"),
            None => f.write_str(&self.message),
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<String> = self.faults.iter().map(ToString::to_string).collect();
        f.write_str(&faults.join("; "))
    }
}

impl std::error::Error for Faults {}
