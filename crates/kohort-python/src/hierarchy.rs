//! Hierarchies as trees of labels.

use std::path::PathBuf;

use kohort::Error;
use kohort::data::Hierarchy;
use kohort::data::recipes::{HierarchySpec, RangeOf, nested};
use kohort::input::{ReadOptions, combinations_in, read_hierarchy};
use kohort::output::{HierarchyFormat, save_hierarchy};
use pyo3::prelude::*;

use crate::error::{OrRaise, raised};
use crate::table::Given;

/// A tree of labels: what the values of a column generalize to.
#[pyclass(frozen, module = "kohort")]
pub(crate) struct Tree(Hierarchy);

impl Tree {
    pub(crate) fn tree(&self) -> &Hierarchy {
        &self.0
    }

    pub(crate) fn of(tree: Hierarchy) -> Self {
        Self(tree)
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // what Python hands over
impl Tree {
    /// From one path per value, leaf first, root last.
    #[staticmethod]
    fn from_paths(py: Python<'_>, name: &str, paths: Vec<Vec<String>>) -> PyResult<Self> {
        Hierarchy::from_paths(name, paths).or_raise(py).map(Self)
    }

    /// From a file in any of the formats that jobs read.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, name: &str) -> PyResult<Self> {
        read_hierarchy(&path, name).or_raise(py).map(Self)
    }

    /// Built by a recipe (as job files write it, as JSON) from values with row counts.
    #[staticmethod]
    fn build(py: Python<'_>, recipe: &str, name: &str, counts: Vec<(String, u64)>) -> PyResult<Self> {
        let spec: HierarchySpec =
            serde_json::from_str(recipe).map_err(|e| raised(py, &Error::job(e.to_string())))?;
        match spec {
            HierarchySpec::File(path) => Self::read(py, path, name),
            HierarchySpec::Built(recipe) => {
                let values: Vec<String> = counts.iter().map(|(value, _)| value.clone()).collect();
                recipe.build(name, &counts, RangeOf::values(&values)).or_raise(py).map(Self)
            }
        }
    }

    /// Built by a recipe from the cells of a column, as a job reads them.
    #[staticmethod]
    fn build_of(
        py: Python<'_>,
        recipe: &str,
        name: &str,
        data: &Bound<'_, PyAny>,
        column: String,
    ) -> PyResult<Self> {
        let given = Given::new(data, "values", &ReadOptions::default())?;
        let rows = py.detach(|| combinations_in(given.source(), &[column])).or_raise(py)?;
        let counts = rows.into_iter().filter_map(|(mut cells, n)| Some((cells.pop()?, n))).collect();
        Self::build(py, recipe, name, counts)
    }

    /// The tree that stands in a table: the column first, then those that lie above it.
    #[staticmethod]
    fn from_columns(py: Python<'_>, data: &Bound<'_, PyAny>, columns: Vec<String>) -> PyResult<Self> {
        let given = Given::new(data, "data", &ReadOptions::default())?;
        let built = py.detach(|| nested(&columns, &combinations_in(given.source(), &columns)?));
        built.or_raise(py).map(|built| Self(built.hierarchy))
    }

    /// One path per value, leaf first.
    fn paths(&self) -> Vec<Vec<String>> {
        let path = |leaf| self.0.path(leaf).into_iter().map(str::to_owned).collect();
        (0..self.0.leaf_count()).map(path).collect()
    }

    /// Writes the tree; the ending tells the format.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let format = HierarchyFormat::of(&path).unwrap_or(HierarchyFormat::Arx);
        save_hierarchy(&self.0, format, &path).or_raise(py)
    }

    /// How many values it has.
    #[getter]
    fn leaf_count(&self) -> u32 {
        self.0.leaf_count()
    }

    /// How many steps it is from the lowest value to the root.
    #[getter]
    fn height(&self) -> u32 {
        self.0.height()
    }
}
