//! Which nodes of the lattice do: all of them, for who wants to see every minimal one.
//!
//! Columns are fixed one after the other, levels from the highest down. So whatever is more general than a node was looked at
//! before it, and a node is counted only where none of its direct generalizations failed (a failing node fails at all its
//! specializations). Before the columns that are left are looked at, they are left out: that is the frequency set of a subset
//! of the columns, and where it fails, all its extensions do (the a-priori pruning of Incognito). Where their highest levels
//! say nothing, it is the node with these levels, too. Along the last column one success decides for all that is more
//! general.
//!
//! Where the demands do not survive adding rows and rows may be suppressed, success and failure are not passed on. What is
//! passed on still is that too many rows lie in classes of fewer than k rows; all other nodes are counted.
//!
//! *Memory*: one byte per node, so at most 100 MB, and one frame per column.

use super::class_test::ClassTest;
use super::frame::{Desk, Frame, Rests};
use super::lattice::Lattice;
use crate::algorithm::Run;
use crate::error::Result;

/// Nothing speaks against the node or what is more general.
const POSSIBLE: u8 = 1;
/// The node does.
const ACCEPTED: u8 = 2;
/// Something less general does.
const UNDER: u8 = 4;

/// What is known of every node.
pub(super) struct Found {
    flags: Vec<u8>,
    /// Whether time sufficed for all of them.
    pub(super) complete: bool,
}

impl Found {
    /// The nodes that do, ascending.
    pub(super) fn accepted(&self) -> impl Iterator<Item = usize> + '_ {
        self.flags.iter().enumerate().filter(|(_, f)| *f & ACCEPTED > 0).map(|(node, _)| node)
    }

    /// The nodes that do while nothing less general does. For demands that survive what generalizing does to classes it
    /// would be enough to look one step down; what lies further below is told from step to step.
    pub(super) fn minimal(&mut self, lattice: &Lattice<'_>) -> Vec<usize> {
        let mut minimal = Vec::new();
        for node in 0..self.flags.len() {
            let under = lattice.below(node).any(|b| self.flags[b] & (ACCEPTED | UNDER) > 0);
            if under {
                self.flags[node] |= UNDER;
            } else if self.flags[node] & ACCEPTED > 0 {
                minimal.push(node);
            }
        }
        minimal
    }
}

/// Looks at the whole lattice, as far as time allows.
pub(super) fn search(lattice: &Lattice<'_>, run: &Run<'_>) -> Result<Found> {
    search_as(lattice, lattice.passes_success_on(), run)
}

fn search_as(lattice: &Lattice<'_>, passed_on: bool, run: &Run<'_>) -> Result<Found> {
    let rests = Rests::new(lattice);
    let mut search = Search {
        test: ClassTest::new(lattice, &rests),
        passed_on,
        found: Found { flags: vec![0; lattice.len()], complete: true },
        desk: Desk::default(),
        rests: &rests,
        lattice,
        run,
    };
    // One look at the top, whatever the clock says.
    let mut frame = Frame::start(lattice);
    for level in lattice.order.iter().map(|&dim| lattice.ladders[dim].range.1) {
        frame = rests.roll(lattice, &frame, level, &mut search.desk);
    }
    if search.look(&frame, lattice.len() - 1) && !lattice.order.is_empty() {
        search.descend(&Frame::start(lattice), 0)?;
    }
    Ok(search.found)
}

struct Search<'a> {
    lattice: &'a Lattice<'a>,
    run: &'a Run<'a>,
    rests: &'a Rests,
    test: ClassTest<'a>,
    desk: Desk,
    /// Whether success is passed on to all that is more general.
    passed_on: bool,
    found: Found,
}

impl Search<'_> {
    /// Goes through the levels of the next column; `node` has the lowest level in it and in all that follow.
    fn descend(&mut self, frame: &Frame, node: usize) -> Result<()> {
        let dim = self.lattice.order[frame.depth];
        let (lowest, highest) = self.lattice.ladders[dim].range;
        let stride = self.lattice.strides[dim];
        if frame.depth + 1 == self.lattice.order.len() {
            self.chain(frame, node);
            return Ok(());
        }
        for level in (lowest..=highest).rev() {
            if self.run.time_is_up()? {
                self.found.complete = false;
                return Ok(());
            }
            let here = node + (level - lowest) as usize * stride;
            let summit = here + stride - 1;
            if !self.may(summit) {
                break;
            }
            let next = self.roll(frame, level);
            if !self.knows(summit) && !self.extends(&next, summit) {
                break;
            }
            self.descend(&next, here)?;
            self.run.watch.progress((self.lattice.len() - here) as u64, self.lattice.len() as u64);
        }
        Ok(())
    }

    /// The levels of the last column.
    fn chain(&mut self, frame: &Frame, node: usize) {
        let (lowest, highest) = self.lattice.ladders[self.lattice.order[frame.depth]].range;
        let levels = (highest - lowest) as usize + 1;
        let beside = |step: &usize| {
            let node = node + step;
            let step_up = if step + 1 < levels { node + 1 } else { usize::MAX };
            self.lattice.above(node).all(|up| up == step_up || self.found.flags[up] & POSSIBLE > 0)
        };
        let Some(first) = (0..levels).rev().take_while(beside).last() else { return };
        if self.passed_on {
            let does = (first..levels).find(|&step| {
                self.knows(node + step) || {
                    let frame = self.roll(frame, lowest + step as u32);
                    self.look(&frame, node + step)
                }
            });
            let above = does.map_or(0..0, |step| node + step..node + levels);
            self.found.flags[above].fill(POSSIBLE | ACCEPTED);
            return;
        }
        for step in (first..levels).rev() {
            if !self.knows(node + step) {
                let next = self.roll(frame, lowest + step as u32);
                if !self.look(&next, node + step) {
                    return;
                }
            }
        }
    }

    fn roll(&mut self, frame: &Frame, level: u32) -> Frame {
        self.rests.roll(self.lattice, frame, level, &mut self.desk)
    }

    fn knows(&self, node: usize) -> bool {
        self.found.flags[node] & POSSIBLE > 0
    }

    /// Whether nothing more general failed.
    fn may(&self, node: usize) -> bool {
        self.lattice.above(node).all(|up| self.knows(up))
    }

    /// Whether the columns fixed so far can be extended to all. `summit` has the others at their highest levels, which is
    /// no less than leaving them out, and the same where those have one cell each.
    fn extends(&mut self, frame: &Frame, summit: usize) -> bool {
        let left = &self.lattice.order[frame.depth..];
        if left.iter().all(|&dim| self.lattice.ladders[dim].says_nothing_at_the_top()) {
            return self.look(frame, summit);
        }
        let verdict = self.test.examine(self.rests, frame);
        (if self.passed_on { verdict.short } else { verdict.small }) <= self.lattice.quota
    }

    /// Counts a node; says whether anything less general can do.
    fn look(&mut self, frame: &Frame, node: usize) -> bool {
        let verdict = self.test.examine(self.rests, frame);
        let accepted = verdict.short <= self.lattice.quota;
        let possible = if self.passed_on { accepted } else { verdict.small <= self.lattice.quota };
        self.found.flags[node] |= u8::from(possible) * POSSIBLE + u8::from(accepted) * ACCEPTED;
        possible
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::{Fixed, Quiet};
    use crate::data::{Attribute, Domain, Hierarchy, QuasiIdentifier, Sensitive, Table};
    use crate::demand::Demands;
    use crate::measure::Measure;
    use crate::space::Space;

    /// Forty rows of three columns with trees of heights 2, 2 and 1.
    fn table() -> Table {
        let mut state = 5_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let mut qi = Vec::new();
        for (name, leaves, per) in [("a", 9, 3), ("b", 6, 2), ("c", 3, 3)] {
            let groups = |v: u32| {
                if per < leaves {
                    vec![format!("{name}{v}"), format!("g{}", v / per)]
                } else {
                    vec![format!("{name}{v}")]
                }
            };
            let paths = (0..leaves).map(|v| [groups(v), vec!["*".into()]].concat());
            let tree = Hierarchy::from_paths(name, paths).unwrap();
            let codes: Vec<u32> = (0..40).map(|_| next(leaves) * next(leaves) / leaves).collect();
            let counts = (0..leaves).map(|v| codes.iter().filter(|&&c| c == v).count() as u32).collect();
            let attribute = Attribute::new(name, Domain::Tree(tree), counts);
            qi.push(QuasiIdentifier { attribute, codes: codes.into_iter().collect() });
        }
        let secret =
            Sensitive { codes: (0..40).map(|_| next(3)).collect(), distinct: 3, ..Sensitive::default() };
        Table { rows: 40, qi, sensitive: vec![secret], verbatim: Vec::new(), ..Table::default() }
    }

    /// For demands of which success is passed on, not relying on it gives the same set.
    #[test]
    fn counting_every_node_finds_the_same() {
        let table = table();
        for (k, p, quota) in [(2, 1, 0), (2, 1, 5), (3, 2, 8), (5, 2, 15), (4, 3, 39)] {
            let demands = Demands::new(k, Some(p)).unwrap().bind(&table).unwrap();
            let space = Space::new(&table, Measure::Il.search_costs(&table), &demands);
            let lattice = Lattice::new(&space, &demands, quota, &Fixed::new());
            let run = Run::new(0, &Quiet);
            let [mut every, mut few] =
                [false, true].map(|passed_on| search_as(&lattice, passed_on, &run).unwrap());
            assert!(every.accepted().eq(few.accepted()), "k = {k}, p = {p}, quota {quota}");
            assert!(few.accepted().count() > 0 && every.minimal(&lattice) == few.minimal(&lattice));
        }
    }
}
