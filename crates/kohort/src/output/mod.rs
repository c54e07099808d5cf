//! From what the library knows to files.
