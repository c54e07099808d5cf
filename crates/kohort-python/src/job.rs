//! Jobs: the arguments of a call as the library's own data.

use std::collections::HashMap;
use std::path::PathBuf;

use kohort::Error;
use kohort::data::Hierarchy;
use kohort::input::JobSpec;
use kohort::job::CheckedJob;
use kohort::job::files::names_columns;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::error::{OrRaise, json, raised};
use crate::hierarchy::Tree;

/// What is asked, as data. Made from arguments or from a job file.
#[pyclass(frozen, module = "kohort", name = "Job", from_py_object)]
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) spec: JobSpec,
}

#[pymethods]
impl Job {
    /// From a JSON object whose keys are those of a job file.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        let given: Map<String, Value> =
            serde_json::from_str(text).map_err(|e| raised(py, &Error::internal(e.to_string())))?;
        spec(given).or_raise(py).map(|spec| Self { spec })
    }

    /// A job file. Paths in it are relative to its folder.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value)] // what Python hands over
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        JobSpec::read(&path).or_raise(py).map(|spec| Self { spec })
    }

    /// The text of a job file, with paths as they stand there.
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str) -> PyResult<Self> {
        JobSpec::from_toml(text).or_raise(py).map(|spec| Self { spec })
    }

    /// The same job for whatever table it is given.
    fn without_input(&self) -> Self {
        let spec = JobSpec { input: None, output: None, hierarchies: None, ..self.spec.clone() };
        Self { spec }
    }

    /// The same job with a place for its release.
    #[allow(clippy::needless_pass_by_value)] // what Python hands over
    fn with_output(&self, output: PathBuf) -> Self {
        Self { spec: JobSpec { output: Some(output), ..self.spec.clone() } }
    }

    /// The same job with paths that mean the same in any folder.
    #[allow(clippy::needless_pass_by_value)] // what Python hands over
    fn anchored(&self, base: PathBuf) -> Self {
        Self { spec: self.spec.clone().anchored(&base) }
    }

    /// The table that the job names.
    #[getter]
    fn input(&self) -> Option<PathBuf> {
        self.spec.input.clone()
    }

    /// Whether it says what any column is for.
    fn names_columns(&self) -> bool {
        names_columns(&self.spec)
    }

    /// The same job with everything that `over` says put over it.
    fn overridden_by(&self, over: &Self) -> Self {
        Self { spec: self.spec.clone().overridden_by(over.spec.clone()) }
    }

    /// The job as a JSON object.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        json(py, &self.spec)
    }

    /// The job as a job file.
    fn to_toml(&self, py: Python<'_>) -> PyResult<String> {
        self.spec.to_toml().or_raise(py)
    }
}

/// Reads the object key by key, so that the message can say which argument is wrong.
fn spec(given: Map<String, Value>) -> kohort::Result<JobSpec> {
    let order =
        given.get("columns").and_then(Value::as_object).map(|columns| columns.keys().cloned().collect());
    if let Some(columns) = given.get("columns").and_then(Value::as_object) {
        for (column, entry) in columns {
            let keys = entry.as_object().into_iter().flatten();
            for (key, value) in keys {
                let alone = serde_json::json!({ "columns": { column: { key: value } } });
                serde_json::from_value::<JobSpec>(alone)
                    .map_err(|e| said(&e).in_column(column).key(key.replace('-', "_")))?;
            }
        }
    }
    for (key, value) in &given {
        let alone = Value::Object(Map::from_iter([(key.clone(), value.clone())]));
        serde_json::from_value::<JobSpec>(alone).map_err(|e| wrong_value(key, &e))?;
    }
    let mut spec: JobSpec = serde_json::from_value(Value::Object(given)).map_err(|e| said(&e))?;
    spec.column_order = order.unwrap_or_default();
    Ok(spec)
}

const EXPECTED: &str = "see help(kohort.anonymize) for what every argument may be";

fn wrong_value(key: &str, e: &serde_json::Error) -> Error {
    said(e).option(key)
}

/// What is wrong, and the way out: that of the value itself where it has one.
fn said(e: &serde_json::Error) -> Error {
    let text = in_words(e);
    let (what, help) = text.split_once("\n  way out: ").unwrap_or((&text, EXPECTED));
    let what = what.split("\n  where: ").next().unwrap_or_default();
    let help = help.split("\n  where: ").next().unwrap_or_default();
    Error::job(what).help(help)
}

/// The words of the reader without the place in a text that nobody wrote, and with the types as Python calls them.
fn in_words(e: &serde_json::Error) -> String {
    let text = e.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    let types = [
        ("floating point", "number"),
        ("a sequence", "a list"),
        ("sequence", "a list"),
        ("map", "a dictionary"),
        ("u32", "a whole number from 0 to 4294967295"),
        ("u64", "a whole number of at least 0"),
        ("usize", "a whole number of at least 0"),
        ("boolean `true`", "True"),
        ("boolean `false`", "False"),
        ("a boolean", "True or False"),
        ("f64", "a number"),
        ("null", "None"),
    ];
    types.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Trees that were made in Python, for the library.
pub(crate) fn cloned(trees: HashMap<String, Py<Tree>>) -> Vec<(String, Hierarchy)> {
    trees.into_iter().map(|(column, tree)| (column, tree.get().tree().clone())).collect()
}

/// The checked job, with hierarchies that were made in Python.
pub(crate) fn checked(
    py: Python<'_>,
    job: &Job,
    trees: HashMap<String, Py<Tree>>,
    is_for_verification: bool,
) -> PyResult<CheckedJob> {
    let spec = &job.spec;
    let checked =
        if is_for_verification { spec.check_for_verification() } else { spec.check() }.or_raise(py)?;
    Ok(cloned(trees).into_iter().fold(checked, |job, (column, tree)| job.with_hierarchy(column, tree)))
}
