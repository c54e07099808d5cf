//! # Kohort
pub mod data;
pub mod error;
pub use error::{Error, Result};
