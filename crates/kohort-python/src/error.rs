//! The library's errors as Python exceptions: the same words in Python's spelling, with kind, place and numbers as data.

use kohort::Error;
use pyo3::prelude::*;

use crate::speech::Python as Speech;

/// The exception for an error. Its class, and how it shows itself, is written in Python.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let data = serde_json::to_string(error)
            .map_err(|e| pyo3::exceptions::PyRuntimeError::new_err(e.to_string()))?;
        let said = (
            error.kind(),
            error.what().spoken_by(&Speech),
            error.place().spoken_by(&Speech),
            error.way_out().map(|help| help.spoken_by(&Speech)),
            data,
        );
        let exception = py.import("kohort._errors")?.getattr("raised")?.call1(said)?;
        Ok(PyErr::from_value(exception))
    };
    made().unwrap_or_else(|e| e)
}

/// Turns the library's results into Python's.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for kohort::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, &error))
    }
}

/// What cannot be written as JSON is our bug.
pub(crate) fn json(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|e| raised(py, &Error::internal(e.to_string())))
}
