//! # Kohort
//!
//! Anonymizes person-level tables: name the columns an outsider could know, pick k, and get the most detailed table
//! in which every person hides among at least k, verified from what was written.
//!
//! ## The walk
//!
//! Data goes through the library in one direction. Each module is a room, and uses only rooms before it:
//!
//! 1. [`error`]: what can go wrong, and whose turn it is.
//! 2. [`parameter`]: what can be set, and what it may be.
//! 3. [`data`]: roles, hierarchies, and the dictionary-encoded table.
//! 4. [`demand`]: what may be asked of a release, as data.
//! 5. [`generate`]: made-up tables to try things on.
//! 6. [`input`]: CSV, Parquet, Arrow, hierarchy files and job files.
//! 7. [`mod@propose`]: from a table to a job that somebody can read and edit.
//! 8. [`model`]: whether a class of rows satisfies the demands, for the search.
//! 9. [`measure`]: what a generalized cell costs.
//! 10. [`space`]: the table as algorithms see it.
//! 11. [`solution`]: what an algorithm returns.
//! 12. [`mod@bound`]: what no grouping can lose less than.
//! 13. [`algorithm`]: how rows are grouped.
//! 14. [`catalog`]: all there is to choose from, for help, pages and other languages.
//! 15. [`recode`]: groups become generalized rows.
//! 16. [`mod@verify`]: the witness; recomputes everything from the published texts, by definitions of its own.
//! 17. [`mod@risk`]: the attacker; what several releases together give away.
//! 18. [`report`]: numbers for people and scripts, the public certificate and the private audit record.
//! 19. [`output`]: files, whole or not at all.
//! 20. [`ledger`]: the private record of a table that grows.
//! 21. [`job`]: the walk itself.
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
//! use kohort::Quiet;
//! use kohort::input::{JobSpec, MemoryTable};
//! use kohort::output::MemorySink;
//!
//! let people = RecordBatch::try_from_iter([
//!     ("age", Arc::new(Int64Array::from(vec![34, 36, 61, 58])) as ArrayRef),
//!     ("zip", Arc::new(StringArray::from(vec!["41075", "41076", "48201", "48202"]))),
//!     ("illness", Arc::new(StringArray::from(vec!["flu", "gout", "gout", "flu"]))),
//! ])?;
//! let people = MemoryTable::new("people", &people.schema(), vec![people])?;
//! let job = JobSpec {
//!     qi: vec!["age".into(), "zip".into()],
//!     sensitive: vec!["illness".into()],
//!     k: Some(2),
//!     p: Some(2),
//!     ..JobSpec::default()
//! };
//! let mut release = MemorySink::new("release");
//! let outcome = kohort::anonymize(&job.check()?, &people, &mut release, &Quiet)?;
//! assert!(outcome.summary.achieved.k >= 2);
//! assert_eq!(release.into_release().map(|table| table.rows()), Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tables in files: [`job::files`]. More in `examples/`.

pub mod algorithm;
pub mod bound;
pub mod catalog;
pub mod data;
pub mod demand;
pub mod error;
pub mod generate;
pub mod input;
pub mod job;
pub mod ledger;
pub mod measure;
pub mod model;
pub mod output;
pub mod parameter;
pub mod propose;
pub mod recode;
pub mod report;
pub mod risk;
pub mod solution;
pub mod space;
pub mod verify;

pub use algorithm::{Observer, Quiet, Signal, Stage};
pub use error::{Error, Result};
pub use job::{anonymize, risk, verify};

/// The parts of Arrow that the library is built with: record batches of this version are those it takes.
pub use arrow;
