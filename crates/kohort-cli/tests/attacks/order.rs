//! The order of rows.
