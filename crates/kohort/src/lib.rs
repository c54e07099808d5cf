//! # Kohort
pub mod algorithm;
pub mod data;
pub mod error;
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
