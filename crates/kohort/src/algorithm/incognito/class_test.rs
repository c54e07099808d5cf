//! Whether the classes of a node satisfy the demands, and how many rows lie in those that do not.

use super::frame::{Frame, Rests};
use super::lattice::Lattice;

/// Rows in classes that fall short. Counting stops once more do than may be suppressed.
#[derive(Clone, Copy)]
pub(super) struct Verdict {
    /// Rows in classes of fewer than k rows.
    pub(super) small: u64,
    /// Rows in classes that do not satisfy the demands, small ones included.
    pub(super) short: u64,
}

/// Knows what the demands see of a class.
pub(super) struct ClassTest<'a> {
    lattice: &'a Lattice<'a>,
    /// Per combination of sensitive values: one code per column. Empty where no model asks.
    values: Vec<Vec<u32>>,
    by_class: Vec<(u32, u32)>,
}

impl<'a> ClassTest<'a> {
    pub(super) fn new(lattice: &'a Lattice<'a>, rests: &Rests) -> Self {
        let columns = lattice.space.sensitive();
        let mut values = Vec::new();
        for (group, &secret) in rests.secrets(0).iter().enumerate() {
            if lattice.demands.need_sensitive() && secret as usize == values.len() {
                values.push(columns.iter().map(|c| c[group]).collect());
            }
        }
        Self { lattice, values, by_class: Vec::new() }
    }

    /// Looks at a frame without the columns that are not fixed: the subsets of LeFevre et al. 2005.
    pub(super) fn examine(&mut self, rests: &Rests, frame: &Frame) -> Verdict {
        let mut sizes = vec![0u64; frame.classes as usize];
        frame.entries.iter().for_each(|e| sizes[e.class as usize] += u64::from(e.rows));
        let k = u64::from(self.lattice.demands.k());
        let small = sizes.iter().filter(|&&size| size < k).sum();
        let mut short = small;
        if self.values.is_empty() || small > self.lattice.quota {
            return Verdict { small, short };
        }
        self.by_class.clear();
        self.by_class.extend(frame.entries.iter().enumerate().map(|(at, e)| (e.class, at as u32)));
        self.by_class.sort_unstable();
        let secrets = rests.secrets(frame.depth);
        for class in self.by_class.chunk_by(|a, b| a.0 == b.0) {
            let size = sizes[class[0].0 as usize];
            if size < k {
                continue;
            }
            let entries = class.iter().map(|&(_, at)| frame.entries[at as usize]);
            if !self.holds(entries.map(|entry| (secrets[entry.rest as usize], entry.rows))) {
                short += size;
                if short > self.lattice.quota {
                    break;
                }
            }
        }
        Verdict { small, short }
    }
    /// Whether a class satisfies the demands, given how many rows have which combination of sensitive values.
    pub(super) fn holds(&self, class: impl Iterator<Item = (u32, u32)>) -> bool {
        let code = |column: usize, secret: u32| self.values[secret as usize][column];
        self.lattice.demands.hold_together(class, code)
    }
}
