//! Promises of the weaker notions that a release does not keep.
