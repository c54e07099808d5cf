//! # Kohort
//!
//! Anonymizes person-level tables: names the columns an outsider could know, picks k, and returns the most detailed table
//! in which every person hides among at least k, verified from the written file.
//!
//! ## The walk
//!
//! Data goes through the library in one direction. Each module is a room, and uses only rooms before it:
//!
//! 1. [`error`]: what can go wrong, and whose turn it is.
//! 2. [`data`]: roles, hierarchies, the dictionary-encoded table, and the [`data::Space`] of generalized values.
//! 3. [`demand`]: what may be asked of a release, as data.
//! 4. [`generate`]: made-up tables to try things on.
//! 5. [`input`]: CSV, Parquet, Arrow, hierarchy files and job files.
//! 6. [`model`]: whether a class of rows satisfies the demands, for the search.
//! 7. [`measure`]: what a generalized cell costs.
//! 8. [`solution`]: what an algorithm returns.
//! 9. [`algorithm`]: how rows are grouped.
//! 10. [`recode`]: groups become generalized rows.
//! 11. [`verify`]: the witness; recomputes everything from the published texts, by definitions of its own.
//! 12. [`report`]: numbers for people and scripts, the public certificate and the private audit record.
//! 13. [`output`]: files, whole or not at all.
//! 14. [`job`]: the walk itself.
//!
//! ```
//! use kohort::algorithm::Quiet;
//! use kohort::input::JobFile;
//! use kohort::job::Job;
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("people.csv"), "age,zip,illness\n34,41075,flu\n36,41076,flu\n61,48201,gout\n58,48202,flu\n")?;
//! let job = JobFile {
//!     input: Some(folder.path().join("people.csv")),
//!     output: Some(folder.path().join("release.csv")),
//!     qi: vec!["age".into(), "zip".into()],
//!     sensitive: vec!["illness".into()],
//!     k: Some(2),
//!     keep_order: Some(true),
//!     ..JobFile::default()
//! };
//! let outcome = Job::new(job)?.run(&Quiet)?;
//! assert!(outcome.summary.achieved.k >= 2);
//! let release = std::fs::read_to_string(folder.path().join("release.csv"))?;
//! assert!(release.contains("\"[34, 36]\",\"[41075, 41076]\",flu"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod algorithm;
pub mod data;
pub mod demand;
pub mod error;
pub mod generate;
pub mod input;
pub mod job;
pub mod measure;
pub mod model;
pub mod output;
pub mod recode;
pub mod report;
pub mod solution;
pub mod verify;

pub use error::{Error, Result};
