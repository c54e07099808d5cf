//! # Kohort
pub mod data;
pub mod error;
pub mod generate;
pub use error::{Error, Result};
