//! What generalizing costs in the search: integers, so that sums do not depend on their order and ties are ties.
//!
//! A fully lost cell costs as much as the *scale* of the table says, about 2²⁴ and always below 2³². Where it can, the scale is a
//! number that the denominators of all columns divide, so that thirds and sevenths are exact. Nothing overflows: a cell fits into
//! 32 bits, 10 million rows of 40 columns cost less than 2²³·³ · 2⁵·³ · 2³² < 2⁶¹, and there is room for the sign of a difference.
//! Entropies are bits, not shares; their scale is 2²⁴, so that those of 2³² rows fit into the 32 bits of a cell.

use super::Cell;

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
    /// What a suppressed cell of each costs: in full, also where the column weighs nothing.
    pub suppressed: Vec<u32>,
    /// Whether a larger cell is never cheaper.
    pub monotone: bool,
    /// What a fully lost cell costs under a measure that runs from 0 to 1.
    pub scale: u32,
}
