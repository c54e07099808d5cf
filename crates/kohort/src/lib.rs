//! # Kohort
pub mod data;
pub mod error;
pub mod input;
pub mod output;
pub use error::{Error, Result};
