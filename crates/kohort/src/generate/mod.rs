//! Tables made up on the spot: those of the papers' experiments, and two that look like what people share.
//!
//! A row depends on the table's name, the seed and its own number alone. Chunks of [`CHUNK_ROWS`] rows each have
//! their own random stream, so they can be made in any order, on any thread, and a longer table begins with the
//! shorter one; ten million rows never sit in memory.

mod art;
mod census;
mod hospital;
mod places;
mod random;
mod rows;
mod sheet;
mod synthetic;
mod tree;

pub use rows::{CHUNK_ROWS, Rows};

use serde::Serialize;

use crate::data::{Hierarchy, Role};
use crate::error::{Error, Result, nearest};

use rows::Sampler;

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One of a known set of values with a hierarchy above it (Arrow `Utf8`).
    Category,
    /// Free text (Arrow `Utf8`).
    Text,
    /// A whole number (Arrow `Int64`).
    Integer,
    /// A day (Arrow `Date32`, ISO in CSV).
    Date,
}

/// One column of a generated table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ColumnInfo {
    /// Its name in the header.
    pub name: &'static str,
    /// What it would be in a job.
    pub role: Role,
    /// What its cells are.
    pub kind: Kind,
}

impl ColumnInfo {
    const fn new(name: &'static str, role: Role, kind: Kind) -> Self {
        Self { name, role, kind }
    }

    const fn id(name: &'static str, kind: Kind) -> Self {
        Self::new(name, Role::Identifier, kind)
    }

    const fn qi(name: &'static str, kind: Kind) -> Self {
        Self::new(name, Role::QuasiIdentifier, kind)
    }

    const fn sensitive(name: &'static str, kind: Kind) -> Self {
        Self::new(name, Role::Sensitive, kind)
    }

    const fn kept(name: &'static str, kind: Kind) -> Self {
        Self::new(name, Role::Keep, kind)
    }
}

/// A table that can be made in any length.
///
/// ```
/// let rows = kohort::generate::find("census")?.rows(100_000, 1);
/// let mut total = 0;
/// for batch in rows {
///     total += batch?.num_rows();
/// }
/// assert_eq!(total, 100_000);
/// # Ok::<(), kohort::Error>(())
/// ```
#[derive(Debug, Serialize)]
pub struct Generator {
    /// What the user types.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    columns: &'static [ColumnInfo],
    #[serde(skip)]
    hierarchies: fn() -> Result<Vec<Hierarchy>>,
    #[serde(skip)]
    sampler: fn() -> Box<dyn Sampler>,
}

/// Every table there is; help, completion and `find` read this list.
pub static GENERATORS: &[Generator] = &[
    Generator {
        name: "art",
        about: "six independent categories, probabilities and subsets as in ART of the k-type paper",
        columns: art::COLUMNS,
        hierarchies: art::hierarchies,
        sampler: || Box::new(art::Art::new()),
    },
    Generator {
        name: "uu",
        about: "an age and five eight-valued categories; quasi-identifiers and sensitive columns uniform",
        columns: synthetic::COLUMNS,
        hierarchies: synthetic::hierarchies,
        sampler: || Box::new(synthetic::Synthetic::new(synthetic::Shape::Uniform, synthetic::Shape::Uniform)),
    },
    Generator {
        name: "un",
        about: "as uu; quasi-identifiers uniform, sensitive columns normal",
        columns: synthetic::COLUMNS,
        hierarchies: synthetic::hierarchies,
        sampler: || Box::new(synthetic::Synthetic::new(synthetic::Shape::Uniform, synthetic::Shape::Normal)),
    },
    Generator {
        name: "nu",
        about: "as uu; quasi-identifiers normal, sensitive columns uniform",
        columns: synthetic::COLUMNS,
        hierarchies: synthetic::hierarchies,
        sampler: || Box::new(synthetic::Synthetic::new(synthetic::Shape::Normal, synthetic::Shape::Uniform)),
    },
    Generator {
        name: "nn",
        about: "as uu; quasi-identifiers normal, sensitive columns normal",
        columns: synthetic::COLUMNS,
        hierarchies: synthetic::hierarchies,
        sampler: || Box::new(synthetic::Synthetic::new(synthetic::Shape::Normal, synthetic::Shape::Normal)),
    },
    Generator {
        name: "census",
        about: "people of an invented country: family, schooling, work, income, health that fit together",
        columns: census::COLUMNS,
        hierarchies: census::hierarchies,
        sampler: || Box::new(census::Census::new()),
    },
    Generator {
        name: "hospital",
        about: "admissions to an invented hospital: names, dates, diagnoses; 1 % of postcodes missing",
        columns: hospital::COLUMNS,
        hierarchies: hospital::hierarchies,
        sampler: || Box::new(hospital::Hospital::new()),
    },
];

/// The table of this name.
pub fn find(name: &str) -> Result<&'static Generator> {
    GENERATORS.iter().find(|g| g.name == name).ok_or_else(|| {
        let names: Vec<_> = GENERATORS.iter().map(|g| g.name).collect();
        let near = nearest(name, names.iter().copied()).map(|n| format!("did you mean '{n}'? "));
        Error::job(format!("no generated table is called '{name}'")).help(format!(
            "{}there are {}",
            near.unwrap_or_default(),
            names.join(", ")
        ))
    })
}

impl Generator {
    /// The columns in order.
    pub fn columns(&self) -> &'static [ColumnInfo] {
        self.columns
    }

    /// One hierarchy per category column, named like the column.
    pub fn hierarchies(&self) -> Result<Vec<Hierarchy>> {
        (self.hierarchies)()
    }

    /// The table, chunk by chunk.
    pub fn rows(&self, rows: u64, seed: u64) -> Rows {
        Rows::new((self.sampler)(), self.columns, rows, seed)
    }
}

#[cfg(test)]
mod tests;
