//! Whether a class satisfies what was asked ([`crate::demand`]), for the inner loop of the search. Knows nothing of files,
//! papers' steps or costs. The verifier has definitions of its own.
//!
//! Every model says whether it survives *adding rows* to a class or only *merging* classes that satisfy it
//! (`algorithms.md` §8). Algorithms ask instead of assuming.

mod boundaries;
mod bounds;
mod closeness;
mod diversity;
mod gains;
mod models;
mod solvable;
mod tally;

pub use boundaries::Parts;
pub use bounds::{i_value, max_clusters};
pub use diversity::{entropy_l, largest_share, recursive_ratio};
pub use gains::Gains;
pub use models::Models;
pub use tally::{Tally, ValueCounts};
