//! Faults as Python exceptions with the same codes.

use paigow_answers::{Fault, Faults};
use pyo3::prelude::*;
use pyo3::types::PyAnyMethods;

/// Converts faults to the exception `paigow.PaigowError`.
pub(crate) fn raise(py: Python<'_>, faults: &Faults) -> PyErr {
    let error = || -> PyResult<PyErr> {
        let json = serde_json::to_string(&faults.faults).unwrap_or_default();
        let class = py.import("paigow._errors")?.getattr("PaigowError")?;
        Ok(PyErr::from_value(class.call_method1("_from_json", (faults.to_string(), json))?))
    };
    error().unwrap_or_else(|error| error)
}

/// Converts one fault to an exception. `at` is the name of the argument.
pub(crate) fn refuse(py: Python<'_>, code: &'static str, at: &str, message: impl Into<String>) -> PyErr {
    raise(py, &Fault::new(code, at, message).into())
}
