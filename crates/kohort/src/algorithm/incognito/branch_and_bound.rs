//! The best node, without looking at all of them: branch and bound.
//!
//! Columns are fixed one after the other, as in `search.rs`; a branch is what can be made of the levels fixed so far. It is
//! left out where these levels alone, with the other columns left out, let too many rows go (the a-priori pruning of
//! LeFevre et al. 2005: its extensions do, too), and where everything in it costs more than the best node known. What it
//! costs at least: rows that are gone in full, all others the cells fixed so far and the cheapest there is in every
//! other column. Branches of equal cost are looked at, so the choice is that of `choose.rs`, ties included. The branch that
//! promises most comes first, so a good node is known early.
//!
//! Where only nodes without a better one below come into question, a branch that lies above a node known to be as good is
//! left out: columns that cost nothing would multiply it otherwise.
//!
//! *Budget*: a search may be told to end after so much work; deterministic, since work is counted in entries of frequency
//! sets, not in seconds. It then knows the best node it has met, and from the branches it left out what no node goes
//! below. A second, smaller budget raises that bound by rounds: each looks at all branches that promise less than a ceiling
//! between bound and best node, and where it ends, the bound is above the ceiling (iterative deepening, Korf 1985).
//!
//! *Memory*: one frequency set per column (one per level of each column, where demands look at sensitive values), of at most
//! 8 bytes per different row and 16 per class, and about 20 bytes per column and different row for what is left of it.
//! It does not depend on how many nodes there are.

use super::choose::Rank;
use super::class_test::ClassTest;
use super::classes::{Classes, Roller};
use super::lattice::Lattice;
use super::lookahead::{Branch, Lookahead};
use super::plan::Plan;
use super::view::View;
use crate::algorithm::Run;
use crate::error::Result;

/// What every look costs, whatever it looks at.
const LOOK: u64 = 64;

/// Which part of the budget may be spent on the bound afterwards.
const FOR_BOUND: u64 = 4;

/// By which part of the gap a round tries to raise the bound.
const ROUND: u64 = 8;

/// What a search came to.
pub(super) struct Found {
    /// The best node met.
    pub(super) best: Option<Rank>,
    /// Whether it is the best of all.
    pub(super) complete: bool,
    /// What no node goes below.
    pub(super) at_least: u64,
}

/// Looks for the best node, as far as time and budget allow.
pub(super) fn branch_and_bound(lattice: &Lattice<'_>, budget: Option<u64>, run: &Run<'_>) -> Result<Found> {
    // One look at the top, whatever the clock says.
    let top = View::new(lattice, lattice.top());
    let best = (top.suppressed() <= lattice.quota).then(|| Rank::of(lattice, &top));
    if lattice.order.is_empty() || (best.is_none() && lattice.passes_success_on()) {
        let at_least = best.as_ref().map_or(0, |best| best.cost);
        return Ok(Found { best, complete: true, at_least });
    }
    let plan = Plan::new(lattice);
    let test = ClassTest::new(lattice, &plan.rests);
    let mut search = BranchAndBound::new(&plan, test, run, best);
    search.budget = budget.unwrap_or(u64::MAX);
    let at_least = search.round(u64::MAX)?;
    if !search.over {
        return Ok(Found { best: search.best, complete: true, at_least });
    }
    search.budget = budget.map_or(u64::MAX, |budget| search.work.saturating_add(budget / FOR_BOUND));
    search.prove(at_least)
}

struct BranchAndBound<'a> {
    plan: &'a Plan<'a>,
    test: ClassTest<'a>,
    run: &'a Run<'a>,
    lookahead: Lookahead,
    roller: Roller,
    /// The levels fixed so far.
    path: Vec<u32>,
    best: Option<Rank>,
    /// Nodes as cheap as the best, in the order of the columns; where they decide for what is above them.
    equals: Vec<Vec<u32>>,
    /// What is dearer is not looked at in this round, even if it were the best.
    ceiling: u64,
    /// What the cheapest branch that was left out costs at least.
    left_out: u64,
    work: u64,
    budget: u64,
    /// Whether time or budget are used up.
    over: bool,
}

impl<'a> BranchAndBound<'a> {
    fn new(plan: &'a Plan<'a>, test: ClassTest<'a>, run: &'a Run<'a>, best: Option<Rank>) -> Self {
        Self {
            plan,
            test,
            run,
            lookahead: Lookahead::default(),
            roller: Roller::default(),
            path: Vec::new(),
            best,
            equals: Vec::new(),
            ceiling: u64::MAX,
            left_out: u64::MAX,
            work: 0,
            budget: u64::MAX,
            over: false,
        }
    }

    /// Looks at all that costs no more than the ceiling and the best node; says what no node goes below.
    fn round(&mut self, ceiling: u64) -> Result<u64> {
        (self.ceiling, self.left_out, self.over) = (ceiling, u64::MAX, false);
        self.descend(&Classes::start(self.plan), 0.0, 1.0)?;
        Ok(self.best.as_ref().map_or(u64::MAX, |best| best.cost).min(self.left_out))
    }

    /// Raises the bound round by round. That may show the best node to be the best of all, or find a better one.
    fn prove(mut self, mut at_least: u64) -> Result<Found> {
        let mut complete = false;
        while let Some(best) = self.best.as_ref().map(|best| best.cost).filter(|&best| at_least < best) {
            let ceiling = at_least + (best - at_least) / ROUND;
            at_least = at_least.max(self.round(ceiling)?);
            if self.over {
                break;
            }
            // All that costs no more than the ceiling was looked at, ties included.
            complete = self.best.as_ref().is_some_and(|best| best.cost <= ceiling);
        }
        Ok(Found { best: self.best, complete, at_least })
    }

    /// What costs more is not looked at.
    fn limit(&self) -> u64 {
        self.best.as_ref().map_or(u64::MAX, |best| best.cost).min(self.ceiling)
    }

    fn is_over(&mut self) -> Result<bool> {
        self.over = self.over || self.work > self.budget || self.run.time_is_up()?;
        Ok(self.over)
    }

    /// Goes through the branches of the next column. `from` and `share` say which part of the whole that is.
    fn descend(&mut self, classes: &Classes, from: f64, share: f64) -> Result<()> {
        let branches = self.branches(classes);
        let share = share / branches.len().max(1) as f64;
        for (at, branch) in branches.into_iter().enumerate() {
            let from = from + share * at as f64;
            if branch.bound > self.limit() || self.is_over()? {
                self.left_out = self.left_out.min(branch.bound);
                continue;
            }
            let step = &self.plan.steps[classes.depth][branch.step];
            self.path.push(step.level);
            if !self.is_above_an_equal(branch.bound) {
                let known = branch.classes;
                let next = known.unwrap_or_else(|| self.roller.roll(self.plan, classes, step));
                if next.depth == self.plan.columns() {
                    self.arrive(next);
                } else {
                    self.descend(&next, from, share)?;
                }
            }
            self.path.pop();
            self.progress(from + share);
        }
        Ok(())
    }

    /// The levels of the next column that can do, the most promising first.
    fn branches(&mut self, classes: &Classes) -> Vec<Branch> {
        self.work += LOOK + classes.len() as u64;
        let mut branches = self.lookahead.look(self.plan, classes);
        let lattice = self.plan.lattice;
        if lattice.demands.need_sensitive() && lattice.passes_success_on() {
            branches = self.judged(classes, branches);
        }
        branches.sort_by_key(|branch| (branch.bound, branch.step));
        branches
    }

    /// The branches whose classes satisfy the demands. What fails at a level fails at all below it.
    fn judged(&mut self, classes: &Classes, branches: Vec<Branch>) -> Vec<Branch> {
        let mut kept = Vec::new();
        for mut branch in branches.into_iter().rev() {
            if branch.bound <= self.limit() {
                let step = &self.plan.steps[classes.depth][branch.step];
                let mut next = self.roller.roll(self.plan, classes, step);
                self.work += next.len() as u64;
                next.thin(self.plan, &self.test);
                if next.gone > self.plan.lattice.quota {
                    break;
                }
                branch.bound = next.bound(self.plan);
                branch.classes = Some(next);
            }
            kept.push(branch);
        }
        kept
    }

    /// Whether every node of the branch on the path lies above one that is as cheap and was looked at.
    fn is_above_an_equal(&self, bound: u64) -> bool {
        let known = self.best.as_ref().is_some_and(|best| best.cost == bound);
        let (fixed, left) = (&self.path, &self.plan.steps[self.path.len()..]);
        let lowest =
            || fixed.iter().copied().chain(left.iter().map(|steps| steps.first().map_or(0, |s| s.level)));
        known && self.equals.iter().any(|node| node.iter().zip(lowest()).all(|(&at, low)| at <= low))
    }

    /// All columns are fixed.
    fn arrive(&mut self, mut classes: Classes) {
        let lattice = self.plan.lattice;
        if lattice.demands.need_sensitive() && !lattice.passes_success_on() {
            classes.thin(self.plan, &self.test);
        }
        if classes.gone > lattice.quota {
            return;
        }
        let (cost, dm) = classes.cost_and_dm(self.plan);
        let mut levels = vec![0; self.path.len()];
        lattice.order.iter().zip(&self.path).for_each(|(&dim, &level)| levels[dim] = level);
        let rank = Rank::new(lattice, cost, classes.gone, dm, levels);
        if lattice.is_best_at_the_bottom() {
            match self.best.as_ref().map(|best| cost.cmp(&best.cost)) {
                Some(std::cmp::Ordering::Greater) => {}
                Some(std::cmp::Ordering::Equal) => self.equals.push(self.path.clone()),
                _ => self.equals = vec![self.path.clone()],
            }
        }
        if self.best.as_ref().is_none_or(|best| rank < *best) {
            self.best = Some(rank);
        }
    }

    /// Tells how much of the whole is decided.
    fn progress(&self, share: f64) {
        const UNIT: f64 = 1e6;
        self.run.watch.progress((share * UNIT) as u64, UNIT as u64);
    }
}
