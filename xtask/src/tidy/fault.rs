//! A fault: a location in the repository and a message.

use std::fmt;

/// One broken rule. Faults are ordered by path and line, as they are printed.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    path: String,
    line: usize,
    message: String,
}

impl Fault {
    /// Creates a fault. Lines are counted from 1.
    pub(crate) fn new(path: &str, line: usize, message: impl Into<String>) -> Fault {
        Fault { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Asserts that the sorted faults are as many as `expected` and that each starts with its expected text.
#[cfg(test)]
#[track_caller]
pub(crate) fn assert_faults(mut found: Vec<Fault>, expected: &[&str]) {
    found.sort();
    let found: Vec<String> = found.iter().map(Fault::to_string).collect();
    let agree = found.iter().zip(expected).all(|(found, start)| found.starts_with(start));
    assert!(agree && found.len() == expected.len(), "found {found:#?}, expected {expected:#?}");
}
