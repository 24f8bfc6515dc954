//! Faults of questions.

use paigow::document::Problem;
use paigow::rulebook::LoadError;
use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;

/// One fault of a question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Fault {
    /// Code of the fault, for programs. Codes are stable.
    pub code: &'static str,
    /// Description of the fault.
    pub message: String,
    /// Suggested correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Location of the fault: a path of keys and list indices in the question, such as `seats.0.cards`, or the name of
    /// a text with line and column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Line in the text that was sent, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column within the line, in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Problem of a text with its span, for callers that print the source line.
    #[serde(skip)]
    #[schema(ignore)]
    pub problem: Option<Problem>,
}

/// All faults of a question.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct Faults {
    /// The faults, in the order they were found.
    pub faults: Vec<Fault>,
}

impl Fault {
    /// Creates a fault at a path of the question.
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

    /// Converts a problem of a text to a fault.
    ///
    /// Its location is `at` if given, else the change that contains it, else the name of the text with line and column.
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

    /// Converts a problem of a text that was sent, with its line and column.
    pub(crate) fn of_written_problem(problem: Problem) -> Fault {
        let (line, column) = problem.span.line_and_column();
        Fault { line: Some(line), column: Some(column), ..Fault::of_problem(problem, None) }
    }
}

impl Faults {
    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Returns the value if there is one and no fault has been found.
    ///
    /// # Errors
    /// The faults.
    pub fn into_result<T>(self, value: Option<T>) -> Result<T, Faults> {
        match value {
            Some(value) if self.faults.is_empty() => Ok(value),
            _ => Err(self),
        }
    }

    /// Adds the faults of a text that could not be loaded. `at` is the key of the question that names it.
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
