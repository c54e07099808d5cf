//! What an algorithm returns. Three shapes, because the field has three: clustering gives clusters, lattice search gives
//! levels, the k-type notions give every record a tuple of its own. After `recode` nothing knows which it was.

use crate::data::Cell;

/// The number a suppressed row has instead of a cluster.
pub const SUPPRESSED: u32 = u32::MAX;

/// The number a row has that is published as it is, because its person does not mind.
pub const VERBATIM: u32 = u32::MAX - 1;

/// Whether a number is that of a class, and neither [`SUPPRESSED`] nor [`VERBATIM`].
pub fn is_class(number: u32) -> bool {
    number < VERBATIM
}

/// A choice of levels, and what else could have been chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Levels {
    /// One level per quasi-identifier, counted up from the values.
    pub chosen: Vec<u32>,
    /// Rows whose class falls short at these levels; ascending.
    pub suppressed: Vec<u32>,
    /// All that would do and of which nothing less general would do either; in ascending order. Empty where they were not
    /// asked for.
    pub minimal: Vec<Vec<u32>>,
    /// Whether the search came to its end. If not, better levels may exist, and `minimal` is what was found by then.
    pub complete: bool,
    /// What these levels cost, suppressed rows in full, in the units of `Space::cost`.
    pub cost: u64,
    /// What no levels that do go below, where that is known.
    pub at_least: Option<u64>,
}

/// An algorithm's answer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Solution {
    /// Local recoding: rows of one cluster are published as their closure. One cluster number per row.
    Clusters(Vec<u32>),
    /// Full-domain recoding: every value of a column goes up by the same number of steps.
    Levels(Levels),
    /// Every row has a tuple of its own; an empty one stands for a row in no class.
    PerRecord(Vec<Vec<Cell>>),
}

impl Solution {
    /// Builds the cluster form from lists of rows; rows in no list are suppressed.
    pub fn from_clusters(rows: usize, clusters: &[Vec<u32>]) -> Self {
        let mut of_row = vec![SUPPRESSED; rows];
        for (number, cluster) in clusters.iter().enumerate() {
            for &row in cluster {
                of_row[row as usize] = number as u32;
            }
        }
        Self::Clusters(of_row)
    }
}
