//! Whole proposals.
