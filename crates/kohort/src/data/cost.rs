//! What generalizing costs in the search: fixed-point integers, so that sums do not depend on their order and ties are ties.

use super::Cell;

/// The fixed-point cost of one fully lost cell under a measure that runs from 0 to 1.
pub const ONE: u32 = 1 << 24;

/// What generalizing one attribute costs, already weighted. Filled by a measure.
pub enum AxisCost {
    /// Per hierarchy node.
    Nodes(Vec<u32>),
    /// Per interval of codes, in rows of one entry per upper end.
    Pairs(Vec<u32>, usize),
    /// Per interval of codes, of which there are too many to list.
    Range(Box<dyn Fn(Cell) -> u32 + Send + Sync>),
}

/// Codes up to which intervals are listed: a quarter of a megabyte.
const LISTED: u32 = 256;

impl AxisCost {
    /// The costs of all intervals of so many codes.
    pub fn of_intervals(codes: u32, cost: impl Fn(Cell) -> u32 + Send + Sync + 'static) -> Self {
        if codes > LISTED {
            return Self::Range(Box::new(cost));
        }
        let row = |lo: u32| (0..codes).map(move |hi| Cell { lo, hi });
        let of = |cell: Cell| if cell.lo <= cell.hi { cost(cell) } else { 0 };
        Self::Pairs((0..codes).flat_map(row).map(of).collect(), codes as usize)
    }
}

/// What generalizing the quasi-identifiers of a table costs; filled by a measure.
pub struct SearchCosts {
    /// One per quasi-identifier.
    pub axes: Vec<AxisCost>,
    /// Whether a larger cell is never cheaper.
    pub monotone: bool,
}
