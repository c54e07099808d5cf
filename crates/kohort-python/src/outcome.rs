//! What a call that makes a release gives back.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kohort::error::Said;
use kohort::input::{JobSpec, MemoryTable, TableSource};
use kohort::job::Outcome;
use kohort::job::files::save_release;
use kohort::report::json_text;
use pyo3::prelude::*;

use crate::error::{OrRaise, json};
use crate::speech::Python as Speech;
use crate::table::Table;

/// A verified release with everything that belongs to it. Documents are JSON texts, for the Python side to read.
#[pyclass(frozen, module = "kohort")]
pub(crate) struct Made {
    pub(crate) release: MemoryTable,
    pub(crate) outcome: Outcome,
    pub(crate) seconds: BTreeMap<&'static str, f64>,
    pub(crate) interrupted: bool,
    /// What a growing table tells besides.
    pub(crate) growth: Option<String>,
}

fn spoken(all: &[Said]) -> Vec<String> {
    all.iter().map(|said| said.spoken_by(&Speech)).collect()
}

#[pymethods]
impl Made {
    fn table(&self) -> Table {
        Table::of(&self.release)
    }

    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        json(py, &self.outcome.summary)
    }

    /// To the byte what a file of it holds.
    fn certificate(&self, py: Python<'_>) -> PyResult<String> {
        json_text(&self.outcome.certificate).or_raise(py)
    }

    fn audit(&self, py: Python<'_>) -> PyResult<String> {
        json_text(&self.outcome.audit).or_raise(py)
    }

    fn columns(&self, py: Python<'_>) -> PyResult<String> {
        json(py, &self.outcome.columns)
    }

    /// All minimal choices of levels, where they were asked for.
    fn solutions(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = Vec::new();
        self.outcome.solutions.json(&mut text).or_raise(py)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        spoken(&self.outcome.warnings)
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        spoken(&self.outcome.notes)
    }

    #[getter]
    fn seconds(&self) -> BTreeMap<&'static str, f64> {
        self.seconds.clone()
    }

    #[getter]
    fn interrupted(&self) -> bool {
        self.interrupted
    }

    #[getter]
    fn growth(&self) -> Option<String> {
        self.growth.clone()
    }

    /// Names and types of the released columns, to be compared with those of the frame.
    fn types(&self) -> Vec<(String, String)> {
        let fields = self.release.schema().fields().iter();
        fields.map(|field| (field.name().clone(), field.data_type().to_string())).collect()
    }

    /// Writes the release with its documents, all or nothing.
    #[pyo3(signature = (output, certificate=None, audit=None, no_audit=false, solutions=None))]
    fn save(
        &self,
        py: Python<'_>,
        output: PathBuf,
        certificate: Option<PathBuf>,
        audit: Option<PathBuf>,
        no_audit: bool,
        solutions: Option<PathBuf>,
    ) -> PyResult<()> {
        let places = JobSpec {
            output: Some(output),
            certificate,
            audit,
            no_audit: no_audit.then_some(true),
            solutions,
            ..JobSpec::default()
        };
        py.detach(|| save_release(&self.release, &self.outcome, &places)).or_raise(py)
    }
}
