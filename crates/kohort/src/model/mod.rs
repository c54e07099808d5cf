//! Whether a class satisfies what was asked ([`crate::demand`]), for the inner loop of the search. Knows nothing of files,
//! papers' steps or costs. The verifier has definitions of its own.
//!
//! [`Demands::bind`](crate::demand::Demands::bind) makes [`BoundDemands`] of demands and a table, and only those can say that
//! a class holds. Every model says whether it survives *adding rows* to a class or only *merging* classes that satisfy it
//! (`algorithms.md` §8). Algorithms ask instead of assuming.

mod alpha_k;
mod assignable;
mod beta_likeness;
mod bound;
mod by_person;
mod column_model;
mod delta_disclosure;
mod distinct_l;
mod distribution;
mod entropy_l;
mod gains;
mod max_clusters;
mod p_sensitive;
mod present;
mod recursive_l;
mod regions;
mod solvable;
mod t_closeness;
mod tally;
#[cfg(test)]
mod tests;
mod trim_people;

pub use alpha_k::largest_share;
pub use bound::{BoundColumn, BoundDemands};
pub use distribution::Distribution;
pub use entropy_l::entropy_l;
pub use gains::Gains;
pub use max_clusters::{i_value, max_clusters};
pub use recursive_l::recursive_ratio;
pub use regions::Regions;
pub use t_closeness::Closeness;
pub use tally::{NO_VALUE, Tally, ValueCounts};
