//! What became of a batch of a growing table. Private: waiting rows and withdrawals are nobody's business but the steward's.

use serde::Serialize;

use crate::verify::Loss;

/// The figures of one release of a growing table.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Growth {
    /// Which release it is, from 1.
    pub release: u32,
    /// Rows of the batch.
    pub batch: u64,
    /// Rows that had waited before.
    pub had_waited: u64,
    /// Rows of both that are released for the first time, in classes.
    pub appended: u64,
    /// Rows of both that are published as they are, at their people's wish.
    pub opened: u64,
    /// Rows of people who are in an earlier release, among those appended. They count for no demand.
    pub returning: u64,
    /// Rows that wait now.
    pub waiting: u64,
    /// How many of them lack a quasi-identifier; for the others too few rows are like them to form a group of their own.
    pub waiting_lacking: u64,
    /// Groups of rows that are never split, in this release.
    pub atoms: u64,
    /// How many of them are new.
    pub new_atoms: u64,
    /// How many new ones share a class with earlier ones.
    pub joined: u64,
    /// How many earlier classes became wider by that.
    pub widened: u64,
    /// Rows that joined an earlier class one by one, where nobody had seen it.
    pub inserted: u64,
    /// How many of them it covered before.
    pub covered: u64,
    /// Rows that were taken out because they were withdrawn, waiting ones included.
    pub withdrawn: u64,
    /// Rows of others that went with them, because a group is never split.
    pub withheld: u64,
    /// Withdrawn keys whose rows were taken out before.
    pub already_gone: u64,
    /// What the appended rows lost, compared with what they were.
    pub loss: Option<Loss>,
}
