//! Hierarchies made from the data.
