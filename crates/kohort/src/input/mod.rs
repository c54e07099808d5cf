//! What comes from outside: tables, hierarchy files, job files. Knows file formats, nothing of privacy.

mod csv_trouble;
mod digest;
mod encode;
mod source;
mod table;

pub use digest::sha256;
pub use encode::{Column, column_counts, encode, pipelined};
pub use source::{Batches, Format, Source};
pub use table::{QiSpec, infer, quasi_identifier, sensitive};
