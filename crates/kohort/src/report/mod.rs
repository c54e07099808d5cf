//! Numbers for people and scripts: the JSON object of the commands and the certificate beside a release.

mod certificate;
mod summary;

pub use certificate::{Asked, Certificate, Files, Suppression};
pub use summary::{Achieved, LowerBound, Summary};
