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

/// An algorithm's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Solution {
    /// Local recoding: rows of one cluster are published as their closure. One cluster number per row.
    Clusters(Vec<u32>),
    /// Full-domain recoding: one level per quasi-identifier, counted up from the values.
    Levels(Vec<u32>),
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
