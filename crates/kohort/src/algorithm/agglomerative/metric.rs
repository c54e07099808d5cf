//! The four distances of Gionis et al. 2008 between clusters.

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
#[derive(Debug, Clone)]
pub(super) struct Metric {
    distance: Distance,
    epsilon: f64,
    /// Logarithms of numbers of rows.
    logs: Vec<f64>,
}

/// Numbers of rows whose logarithms are kept.
const LOGS: u32 = 1 << 12;

/// By how much the quick look may err, far more than rounding does.
const SLACK: f64 = 1e-9;

/// No distance at all, before anybody was found.
pub(super) const FARTHEST: i64 = i64::MAX;

impl Metric {
    /// `epsilon` is given for costs that are means over attributes and run to 1; in ours a row that lost everything costs `all`.
    pub(super) fn new(distance: Distance, epsilon: f64, all: u64) -> Self {
        let kept = if distance == Distance::CostByLog { LOGS } else { 0 };
        let logs = (0..kept).map(|rows| f64::from(rows).ln()).collect();
        Self { distance, epsilon: epsilon * all as f64, logs }
    }

    fn log(&self, rows: u32) -> f64 {
        self.logs.get(rows as usize).copied().unwrap_or_else(|| f64::from(rows).ln())
    }

    /// What the union of two clusters can cost at most if they are as close as that. A quick look: one that costs more is
    /// certainly farther, one that does not may be.
    #[inline]
    pub(super) fn most(&self, a: (u32, u64), b: (u32, u64), distance: i64) -> f64 {
        if distance == FARTHEST {
            return f64::INFINITY;
        }
        let costs = a.1 + b.1;
        let most = match self.distance {
            Distance::Total => {
                let weigh = |(size, cost): (u32, u64)| f64::from(size) * cost as f64;
                (distance as f64 + weigh(a) + weigh(b)) / f64::from(a.0 + b.0)
            }
            Distance::Cost => distance as f64 + costs as f64,
            Distance::CostByLog => unsorted(distance) * self.log(a.0 + b.0) + costs as f64,
            Distance::Factor => unsorted(distance) * (costs as f64 + self.epsilon),
        };
        most + most.abs() * SLACK + SLACK
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
            Distance::CostByLog => sorted((union - costs) as f64 / self.log(a.0 + b.0)),
            Distance::Factor => sorted(union as f64 / (costs as f64 + self.epsilon)),
        }
    }
}

/// A whole number that sorts like the fraction ([`f64::total_cmp`]).
fn sorted(x: f64) -> i64 {
    let bits = x.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// The fraction that a number stands for.
fn unsorted(number: i64) -> f64 {
    f64::from_bits((number ^ ((number >> 63).cast_unsigned() >> 1).cast_signed()).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_sort_by_their_bits() {
        let ascending = [-1e9, -2.5, -1e-300, 0.0, 1e-300, 0.1, 2.5, 1e300];
        assert!(ascending.windows(2).all(|pair| sorted(pair[0]) < sorted(pair[1])));
        assert!(ascending.iter().all(|&x| unsorted(sorted(x)).total_cmp(&x).is_eq()));
    }

    #[test]
    fn the_quick_look_never_overlooks() {
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let distances = [Distance::Total, Distance::Cost, Distance::CostByLog, Distance::Factor];
        for distance in distances {
            let metric = Metric::new(distance, 0.1, 4 << 24);
            for _ in 0..20_000 {
                let mut cluster = || (1 + next(6000) as u32, next(1 << 24));
                let (a, b) = (cluster(), cluster());
                let joined = next(1 << 26);
                let exact = metric.of(a, b, joined);
                let can_be = |theirs, distance| joined as f64 <= metric.most(a, theirs, distance);
                assert!(can_be(b, exact) && can_be(b, FARTHEST), "{distance:?}");
                let other = metric.of(a, b, next(1 << 26));
                assert!(exact > other || can_be(b, other), "{distance:?}");
                // As pages have it: of several sizes the fewest or the most rows, at the highest cost.
                let (fewest, most) = (b.0.min(3), b.0 + next(50) as u32);
                let costliest = b.1 + next(1 << 20);
                assert!(
                    can_be((fewest, costliest), exact) || can_be((most, costliest), exact),
                    "{distance:?}"
                );
            }
        }
    }
}
