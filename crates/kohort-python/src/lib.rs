//! The native half of the Python package: tables, jobs and documents cross here. What people call is in `python/kohort`.

mod attended;
mod calls;
mod error;
mod hierarchy;
mod job;
mod outcome;
mod speech;
mod table;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kohort {
    #[pymodule_export]
    use crate::calls::{anonymize, append, bound, catalog, command, explain, generate, init, risk, verify};
    #[pymodule_export]
    use crate::hierarchy::Tree;
    #[pymodule_export]
    use crate::job::Job;
    #[pymodule_export]
    use crate::outcome::Made;
    #[pymodule_export]
    use crate::table::Table;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn initialize(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
