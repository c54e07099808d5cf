//! What travels with a release must not speak about the original.
