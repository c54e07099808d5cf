//! What columns that are released as they are give away: looked at while they pass by on their way into the release, so that
//! no table is read once more for it.
//!
//! Three things are looked for: columns that are nearly unique; columns that determine a quasi-identifier, identifier or
//! sensitive column, or are determined by one; and pairs and triples of kept columns and quasi-identifiers that single people
//! out. Values are compared by fixed hashes. Where there are many rows, *values* are sampled and not rows ([`sample`]):
//! whoever shares a value that is in the sample with others does so there, too, so that who is alone there is alone in the table.
//!
//! Near-uniqueness is measured among the rows that have a value, and of sensitive columns of texts and codes, too ([`secrets`]).
//!
//! *Complexity* O(n · c) for c columns and sets of columns, of which there are at most about a thousand in a table of up to
//! 2¹⁵ rows and about a hundred in larger ones; memory for 2¹⁵ rows of each.

mod collect;
mod depends;
mod sample;
mod secrets;
mod sets;
mod told;

pub(super) use collect::KeptColumns;
pub(super) use secrets::nearly_unique as nearly_unique_secrets;
pub(super) use told::{Finding, Remedy};
