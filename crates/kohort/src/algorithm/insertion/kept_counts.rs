//! The posterior of Kabir et al. 2011, section 5, from the numbers the paper keeps of every class: its rows `N_i` and its loss
//! `f_i`, and of all classes `n` and `f`.
//!
//! The paper prints P(f|i) = f_i / n; its own (5.6) has f_i / f, and only that makes (5.6) a mean of shares. In (5.7) the factor
//! cancels, so the misprint changes no choice.

use std::collections::BTreeSet;

/// Rows and losses of all classes. A class without rows is none.
///
/// ```
/// use kohort::algorithm::KeptCounts;
/// // Two classes of three rows, with losses as in the paper's Table 1 (in sixteenths).
/// let counts = KeptCounts::new([(3, 78), (3, 111)]);
/// assert!((counts.total() - 0.5).abs() < 1e-12);
/// assert!((counts.posterior(0) - 78.0 / 189.0).abs() < 1e-12);
/// assert_eq!(counts.least(), Some(0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptCounts {
    /// Per class, N_i and f_i.
    classes: Vec<(u64, u64)>,
    /// n and f.
    all: (u64, u64),
    /// The sum of N_i f_i.
    products: u128,
    /// The classes by N_i f_i, then by N_i, then by number.
    order: BTreeSet<(u128, u64, u32)>,
}

impl KeptCounts {
    /// Rows and loss of every class.
    pub fn new(classes: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut counts = Self { classes: Vec::new(), all: (0, 0), products: 0, order: BTreeSet::new() };
        for (class, (rows, loss)) in (0..).zip(classes) {
            counts.classes.push((0, 0));
            counts.set(class, rows, loss);
        }
        counts
    }

    /// Says how a class has changed.
    pub fn set(&mut self, class: u32, rows: u64, loss: u64) {
        let (old_rows, old_loss) = std::mem::replace(&mut self.classes[class as usize], (rows, loss));
        self.order.remove(&(product(old_rows, old_loss), old_rows, class));
        self.products = self.products - product(old_rows, old_loss) + product(rows, loss);
        self.all = (self.all.0 - old_rows + rows, self.all.1 - old_loss + loss);
        if rows > 0 {
            self.order.insert((product(rows, loss), rows, class));
        }
    }

    /// P(i) = N_i / n: how likely a new row is to come into the class.
    pub fn chance(&self, class: u32) -> f64 {
        ratio(self.classes[class as usize].0 as f64, self.all.0 as f64)
    }

    /// P(f|i) = f_i / f: the share that the class has of the loss.
    pub fn share_of_loss(&self, class: u32) -> f64 {
        ratio(self.classes[class as usize].1 as f64, self.all.1 as f64)
    }

    /// P(f), the sum of P(i) P(f|i) over all classes: (5.6).
    pub fn total(&self) -> f64 {
        (0..self.classes.len() as u32).map(|class| self.chance(class) * self.share_of_loss(class)).sum()
    }

    /// P(i|f) = N_i f_i / Σ N_j f_j: (5.7). Where nothing is lost at all, it is 0 for every class.
    pub fn posterior(&self, class: u32) -> f64 {
        let (rows, loss) = self.classes[class as usize];
        ratio(product(rows, loss) as f64, self.products as f64)
    }

    /// The class of the least posterior; compared in whole numbers, since (5.7) has the same denominator for all.
    pub fn least(&self) -> Option<u32> {
        self.order.first().map(|&(.., class)| class)
    }
}

fn product(rows: u64, loss: u64) -> u128 {
    u128::from(rows) * u128::from(loss)
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posteriors_are_shares() {
        let mut counts = KeptCounts::new([(3, 10), (0, 0), (4, 0), (5, 2)]);
        let sum = |counts: &KeptCounts| (0..4).map(|class| counts.posterior(class)).sum::<f64>();
        assert!((sum(&counts) - 1.0).abs() < 1e-12);
        assert_eq!(counts.least(), Some(2));
        counts.set(2, 5, 100);
        assert!((sum(&counts) - 1.0).abs() < 1e-12);
        assert_eq!(counts.least(), Some(3), "10 of 540; the class without rows is none");
        assert!((counts.total() - (3.0 * 10.0 + 500.0 + 10.0) / (13.0 * 112.0)).abs() < 1e-12);
    }

    #[test]
    fn ties_go_to_the_smaller_then_the_earlier_class() {
        assert_eq!(KeptCounts::new([(4, 0), (3, 0), (3, 0)]).least(), Some(1));
        assert_eq!(KeptCounts::new([]).least(), None);
        assert!((KeptCounts::new([(4, 0)]).posterior(0)).abs() < 1e-12);
    }
}
