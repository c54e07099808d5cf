//! What becomes of some classes at every level of the next column, without building any of them.

use super::classes::Classes;
use super::plan::Plan;
use super::steps::Step;

/// A level of the next column at which not too many rows are gone.
pub(super) struct Branch {
    /// Its place among the column's steps.
    pub(super) step: usize,
    /// What all nodes of the branch cost at least.
    pub(super) bound: u64,
    /// The classes, where they had to be looked at already.
    pub(super) classes: Option<Classes>,
}

/// Room to work in, used again and again.
#[derive(Default)]
pub(super) struct Lookahead {
    /// Per value of the column: rows of the current class, and what the columns left cost them at least.
    values: Vec<Heap>,
    touched: Vec<u32>,
    /// The same per cell of a level.
    cells: Vec<Heap>,
    /// The cells that have rows, and one of the values in each.
    filled: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Default)]
struct Heap {
    rows: u64,
    low: u64,
}

impl Heap {
    /// Adds rows; says whether they are the first.
    fn add(&mut self, other: Self) -> bool {
        let first = self.rows == 0;
        self.rows += other.rows;
        self.low += other.low;
        first
    }
}

/// What a level comes to.
#[derive(Clone, Copy)]
struct Sum {
    gone: u64,
    cost: u64,
}

impl Lookahead {
    /// The levels that can do, ascending. Whoever fails at a level fails at all below it, so that a level is left out as soon
    /// as the classes seen so far are enough for that.
    pub(super) fn look(&mut self, plan: &Plan<'_>, classes: &Classes) -> Vec<Branch> {
        let steps = &plan.steps[classes.depth];
        let mut sums = vec![Sum { gone: classes.gone, cost: 0 }; steps.len()];
        let mut lowest = 0;
        self.prepare(steps);
        for (class, price) in classes.iter().filter(|_| !steps.is_empty()) {
            self.count(plan, classes.depth, class);
            for at in (lowest..steps.len()).rev() {
                self.raise(&steps[at], price.floor, plan.k, &mut sums[at]);
                if sums[at].gone > plan.lattice.quota {
                    lowest = at + 1;
                    break;
                }
            }
            self.touched.drain(..).for_each(|code| self.values[code as usize] = Heap::default());
            if lowest == steps.len() {
                break;
            }
        }
        let branch = |step: usize| {
            let bound = sums[step].cost + sums[step].gone * plan.full;
            Branch { step, bound, classes: None }
        };
        (lowest..steps.len()).map(branch).collect()
    }

    fn prepare(&mut self, steps: &[Step<'_>]) {
        let values = steps.iter().map(|step| step.cells.len()).max().unwrap_or(0);
        if self.values.len() < values {
            self.values.resize(values, Heap::default());
            self.cells.resize(values, Heap::default());
        }
    }

    /// How many rows of a class have which value.
    fn count(&mut self, plan: &Plan<'_>, depth: usize, class: &[(u32, u32)]) {
        let (heads, tails) = plan.rests.split(depth);
        let lows = plan.lows(depth + 1);
        for &(rest, rows) in class {
            let (code, rows) = (heads[rest as usize], u64::from(rows));
            let low = rows * lows[tails[rest as usize] as usize];
            if self.values[code as usize].add(Heap { rows, low }) {
                self.touched.push(code);
            }
        }
    }

    /// What the values counted come to at a level.
    fn raise(&mut self, step: &Step<'_>, floor: u64, k: u64, sum: &mut Sum) {
        for &code in &self.touched {
            let cell = step.cells[code as usize];
            if self.cells[cell as usize].add(self.values[code as usize]) {
                self.filled.push((cell, code));
            }
        }
        for (cell, code) in self.filled.drain(..) {
            let Heap { rows, low } = std::mem::take(&mut self.cells[cell as usize]);
            if rows < k {
                sum.gone += rows;
            } else {
                sum.cost += rows * (floor + step.price(code).floor) + low;
            }
        }
    }
}
