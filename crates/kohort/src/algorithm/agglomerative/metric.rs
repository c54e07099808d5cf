//! The four distances of paper 000 between clusters.

use crate::data::ONE;

/// How far apart two clusters are. d is the cost of a cluster's closure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// Equation (8): |A∪B|·d(A∪B) − |A|·d(A) − |B|·d(B), by how much the loss of the table grows.
    Total,
    /// Equation (9): d(A∪B) − d(A) − d(B).
    Cost,
    /// Equation (10): the same over log |A∪B|, which favours adding to large clusters.
    CostByLog,
    /// Equation (11): d(A∪B) / (d(A) + d(B) + ε).
    Factor,
}

/// A distance as a number that sorts like it. Whole numbers stay exact; fractions are ordered by their bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Metric {
    distance: Distance,
    epsilon: f64,
}

impl Metric {
    /// `epsilon` is given for costs that are means over attributes; ours are sums.
    pub(super) fn new(distance: Distance, epsilon: f64, attributes: usize) -> Self {
        Self { distance, epsilon: epsilon * attributes as f64 * f64::from(ONE) }
    }

    /// The distance of two clusters, each by size and cost, whose union costs `joined`.
    pub(super) fn of(&self, a: (u32, u64), b: (u32, u64), joined: u64) -> i64 {
        let (union, costs) = (joined.cast_signed(), a.1.cast_signed() + b.1.cast_signed());
        match self.distance {
            Distance::Total => {
                let weigh = |(size, cost): (u32, u64)| i64::from(size) * cost.cast_signed();
                i64::from(a.0 + b.0) * union - weigh(a) - weigh(b)
            }
            Distance::Cost => union - costs,
            Distance::CostByLog => sorted((union - costs) as f64 / f64::from(a.0 + b.0).ln()),
            Distance::Factor => sorted(union as f64 / (costs as f64 + self.epsilon)),
        }
    }
}

/// A whole number that sorts like the fraction ([`f64::total_cmp`]).
fn sorted(x: f64) -> i64 {
    let bits = x.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_sort_by_their_bits() {
        let ascending = [-1e9, -2.5, -1e-300, 0.0, 1e-300, 0.1, 2.5, 1e300];
        assert!(ascending.windows(2).all(|pair| sorted(pair[0]) < sorted(pair[1])));
    }
}
