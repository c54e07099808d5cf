//! Classes that take rows one by one: their sizes and tuples, and what the next class is found by.

use super::{InsertionRule, KeptCounts};
use crate::algorithm::cluster_scan::ClusterScan;
use crate::algorithm::systematic::Rule;
use crate::data::Cell;
use crate::error::{Error, Result};
use crate::space::Space;

/// Classes that take rows one by one.
pub(super) struct Growing<'a> {
    space: &'a Space<'a>,
    sizes: Vec<u64>,
    /// What every class covers now.
    pub(super) tuples: Vec<Vec<Cell>>,
    /// How many rows their class covered before they came.
    pub(super) covered: u64,
    chooser: Chooser<'a>,
}

/// What the next class is found by.
enum Chooser<'a> {
    Loss(Rule, ClusterScan<'a>),
    Posterior(KeptCounts),
}

impl<'a> Growing<'a> {
    /// Classes with their rows and tuples. One without rows is none, and nobody joins it.
    pub(super) fn new(
        space: &'a Space<'a>,
        classes: Vec<(u64, Vec<Cell>)>,
        rule: InsertionRule,
    ) -> Result<Self> {
        let (sizes, tuples): (Vec<u64>, Vec<Vec<Cell>>) = classes.into_iter().unzip();
        if sizes.iter().all(|&rows| rows == 0) {
            return Err(Error::job("there is no class that rows could join")
                .help("make a release of the whole table instead"));
        }
        let classes = || (0..).zip(sizes.iter().zip(&tuples));
        let by_loss = |rule| {
            let mut scan = ClusterScan::new(space);
            for (class, (&rows, tuple)) in classes().filter(|(_, (rows, _))| **rows > 0) {
                scan.put(class, rows as usize, tuple);
            }
            Chooser::Loss(rule, scan)
        };
        let chooser = match rule {
            InsertionRule::LeastLoss => by_loss(Rule::Loss),
            InsertionRule::LeastIncrease => by_loss(Rule::Increase),
            InsertionRule::Posterior => Chooser::Posterior(KeptCounts::new(
                classes().map(|(_, (&rows, tuple))| (rows, rows * space.cost(tuple))),
            )),
        };
        Ok(Self { space, sizes, tuples, covered: 0, chooser })
    }

    /// Gives a row of a group to a class; says which.
    pub(super) fn take(&mut self, group: usize) -> u32 {
        let class = self.chosen(group);
        let (rows, tuple) = (&mut self.sizes[class as usize], &mut self.tuples[class as usize]);
        *rows += 1;
        let grew = self.space.absorb(tuple, group);
        self.covered += u64::from(!grew);
        match &mut self.chooser {
            Chooser::Loss(_, scan) => scan.put(class, *rows as usize, tuple),
            Chooser::Posterior(counts) => counts.set(class, *rows, *rows * self.space.cost(tuple)),
        }
        class
    }

    /// The class that the rule names. There is one: `new` has seen to it, and no class loses a row.
    fn chosen(&mut self, group: usize) -> u32 {
        let found = match &mut self.chooser {
            Chooser::Loss(rule, scan) => {
                let leaf = self.space.tuple(group);
                let best = scan.best(&leaf, |slot, _| Some((rule.value(&slot), slot.size, slot.key)));
                best.map(|((.., class), _)| class)
            }
            Chooser::Posterior(counts) => counts.least(),
        };
        found.unwrap_or_default()
    }
}
