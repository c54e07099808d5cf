//! Numbers for people and scripts: the JSON object of the commands and the certificate beside a release.

mod certificate;
mod solutions;
mod summary;

pub use certificate::{Asked, Certificate, Files, Suppression};
pub use solutions::{SolutionFigures, Solutions};
pub use summary::{Achieved, InBlocks, LowerBound, Search, Summary};
