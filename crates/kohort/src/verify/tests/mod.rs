//! The verifier against plain code.

mod brute_force;
mod words;
