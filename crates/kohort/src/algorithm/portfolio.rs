//! The algorithms that are tried on a table, in blocks or on the whole of it, and whose answer is taken.
//!
//! One that was asked for by name is tried alone. `auto` tries what is likely to lose least and then what might lose less; of
//! all answers the one that costs least is taken, the first of equals.

use rustc_hash::FxHashMap;

use super::finish_with_mondrian::IgnoreDeadline;
use super::settle::all_hold;
use super::{
    AlgorithmEntry, Answer, Blocks, Choice, Problem, Run, Settings, Stage, SuppressionCounts, enhanced_pk,
    k_member, kaca, mondrian, solve_regions,
};
use crate::demand::Notion;
use crate::error::{Error, Result};
use crate::model::{BoundDemands, Regions};
use crate::solution::{SUPPRESSED, Solution};
use crate::space::Space;

/// How many times k people a class has on average where sensitive values, not quasi-identifiers, decide what it holds.
const HARD: usize = 3;

/// Different rows of the blocks in which Mondrian is mended: many cuts, each mended in no time (20,000 patients, t = 0.3 by
/// hierarchy: il 0.48, with 8,000 rows 0.51).
const MENDED: usize = 2_000;

/// What is to be tried on which table.
pub struct Portfolio<'a> {
    /// What was asked for.
    pub choice: Choice,
    /// Settings of the first algorithm; the others have their own defaults.
    pub settings: &'a Settings,
    /// What hiding among k means.
    pub notion: Notion,
    /// How many different rows are looked at together, where the job says so; 0 for all of them.
    pub block_rows: Option<usize>,
    /// How many rows may be suppressed, where the job says so.
    pub allowance: Option<usize>,
    /// The table.
    pub space: &'a Space<'a>,
    /// What every class must satisfy.
    pub demands: &'a BoundDemands,
}

/// The answer that was taken.
pub struct Taken {
    /// The classes or tuples, and what was done for them.
    pub answer: Answer,
    /// By which algorithm.
    pub by: &'static AlgorithmEntry,
    /// Why rows were suppressed.
    pub account: SuppressionCounts,
    /// Which of the cuts along boundaries it keeps to: its place in the list.
    pub region_set: usize,
}

/// An algorithm that is tried.
#[derive(Clone, Copy)]
struct Attempt {
    entry: &'static AlgorithmEntry,
    sees: Sees,
    /// Within which regions: their place in the list.
    region_set: usize,
    /// Whether it has the settings of the job; others have their defaults.
    as_set: bool,
}

/// How much of a table an algorithm sees at once, where the job does not say.
#[derive(Clone, Copy)]
enum Sees {
    /// As much as it usually does.
    AsUsual,
    /// As much as if it had been asked for by name.
    AsByName,
    /// So many different rows.
    Blocks(usize),
}

impl Attempt {
    /// Whether it is done before anybody could wait for it.
    fn is_quick(&self) -> bool {
        self.entry.is_linear && matches!(self.sees, Sees::AsByName)
    }
}

impl Portfolio<'_> {
    /// Tries what there is to try within the first of the given sets of regions. Where rows had to go for the table to be diverse enough
    /// at all, the second leaves out more of them, which leaves more room; what was tried is tried there, too.
    pub fn search(&self, region_sets: &[Regions], run: &Run<'_>) -> Result<Taken> {
        let entry = self.choice.first(self.notion);
        let sees = if matches!(self.choice, Choice::Named(_)) { Sees::AsByName } else { Sees::AsUsual };
        let mut best =
            self.attempt(Attempt { entry, sees, region_set: 0, as_set: true }, region_sets, run)?;
        let others = self.others(&best, region_sets.len());
        if others.is_empty() {
            return Ok(best);
        }
        run.watch.enter(Stage::Refine, self.space.rows() as u64);
        let no_deadline = IgnoreDeadline(run.watch);
        let mut least = self.cost(&best);
        for other in others {
            // Nothing costs less than nothing.
            if least == 0 || (run.time_is_up()? && !other.is_quick()) {
                continue;
            }
            let run = if other.is_quick() { Run::new(run.seed, &no_deadline) } else { *run };
            let found = self.attempt(other, region_sets, &run)?;
            let cost = self.cost(&found);
            if cost < least {
                (best, least) = (found, cost);
            }
        }
        Ok(best)
    }

    /// What an answer costs: more than any other where it is none.
    fn cost(&self, taken: &Taken) -> u64 {
        if !self.holds(taken) {
            return u64::MAX;
        }
        taken.answer.cost(self.space).unwrap_or(u64::MAX)
    }

    /// Whether the answer satisfies the demands, as it does unless they are of a kind that does not survive merging and not
    /// even the whole table satisfies them.
    pub fn holds(&self, taken: &Taken) -> bool {
        let Solution::Clusters(class_of) = &taken.answer.solution else { return true };
        let problem = Problem { space: self.space, demands: self.demands, quota: 0 };
        self.demands.survive_merging() || all_hold(problem, class_of)
    }

    fn attempt(&self, attempt: Attempt, region_sets: &[Regions], run: &Run<'_>) -> Result<Taken> {
        let Attempt { entry, sees, region_set: at, as_set } = attempt;
        let defaults = Settings::default();
        let solver = (entry.make)(if as_set { self.settings } else { &defaults })?;
        if solver.may_suppress() && self.allowance.is_none() {
            return Err(Error::job(format!("{} suppresses rows beyond its threshold", entry.name))
                .option_with("set", "threshold")
                .help("say how many rows may go at most, such as ‹suppress=2%›"));
        }
        let solver = match (self.block_rows, sees) {
            (Some(rows), _) | (None, Sees::Blocks(rows)) => Blocks::of(solver, rows),
            (None, Sees::AsByName) => Blocks::by_default(solver, entry, true, self.demands.demands()),
            (None, Sees::AsUsual) => Blocks::by_default(solver, entry, false, self.demands.demands()),
        };
        let (answer, account) =
            solve_regions(&solver, self.space, self.demands, &region_sets[at], self.allowance, run)?;
        Ok(Taken { answer, by: entry, account, region_set: at })
    }

    /// What is tried besides. Algorithms that group rows by their quasi-identifiers and merge what lacks diversity lose much
    /// where it is hard to meet: few large classes tell. Dealing values out first (Truta et al. 2008: on their table UN,
    /// k = 20, p = 8, il 0.50 instead of 0.75), chasing them, or cutting only where both sides satisfy the demands may then
    /// lose less; or looking at more of the table at once (Adult, t = 0.3: il 0.30 instead of 0.36), or mending what Mondrian
    /// cut. Mondrian itself takes next to no time and comes last, always: what took more may be worse, finished or not.
    fn others(&self, found: &Taken, all_parts: usize) -> Vec<Attempt> {
        let within = |region_set: usize| move |attempt: Attempt| Attempt { region_set, ..attempt };
        let mut others: Vec<Attempt> = self.rivals(found);
        for generous in 1..all_parts {
            let again = others.iter().copied().map(within(generous));
            others = again.chain(others.clone()).collect();
            let entry = self.choice.first(self.notion);
            others.push(Attempt { entry, sees: Sees::AsByName, region_set: generous, as_set: true });
        }
        others
    }

    /// How many people all classes have together, and how many classes there are. Whoever is in two counts twice. Where people
    /// have several rows, so do classes of rows that are alike by nature: only those count whose rows are not.
    fn people_in_classes(&self, class_of: &[u32]) -> (usize, usize) {
        let released = (0..).zip(class_of).filter(|(_, c)| **c != SUPPRESSED);
        let Some(column) = self.demands.people() else {
            let classes = released.clone().map(|(_, &c)| c as usize + 1).max().unwrap_or(0);
            return (released.count(), classes);
        };
        let group_of = self.space.groups().of_rows();
        let codes = |row: usize| (0..self.space.dims()).map(move |dim| (dim, row));
        let code = |(dim, row): (usize, usize)| self.space.codes(dim)[group_of[row] as usize];
        let mut first: FxHashMap<u32, (usize, bool)> = FxHashMap::default();
        for (row, &class) in released.clone() {
            let (like, is_mixed) = first.entry(class).or_insert((row, false));
            *is_mixed |= !codes(row).map(code).eq(codes(*like).map(code));
        }
        let person = |row: usize| self.space.sensitive()[column][group_of[row] as usize];
        let mixed = released.filter(|(_, class)| first[*class].1);
        let mut members: Vec<(u32, u32)> = mixed.map(|(row, &class)| (class, person(row))).collect();
        members.sort_unstable();
        members.dedup();
        (members.len(), members.chunk_by(|a, b| a.0 == b.0).count())
    }

    /// Whether most rows have their like. There `kaca`, whose classes of any kind give rows away, may lose less (5,000 rows of
    /// Adult by age and sex, k = 5: il 0.00235 instead of 0.00270), and has few different rows to look at.
    fn repeats(&self) -> bool {
        2 * self.space.tuples().len() <= self.space.rows()
    }

    fn rivals(&self, found: &Taken) -> Vec<Attempt> {
        let Solution::Clusters(class_of) = &found.answer.solution else { return Vec::new() };
        if !matches!(self.choice, Choice::Auto) || self.notion != Notion::K {
            return Vec::new();
        }
        let by_name = |entry| Attempt { entry, sees: Sees::AsByName, region_set: 0, as_set: false };
        let quick = by_name(&mondrian::ENTRY);
        let demands = self.demands;
        let (people, classes) = self.people_in_classes(class_of);
        if !demands.need_sensitive() || people <= HARD * demands.k() as usize * classes {
            return self.repeats().then_some(by_name(&kaca::ENTRY)).into_iter().chain([quick]).collect();
        }
        let deals = (demands.p() > 1).then_some(by_name(&enhanced_pk::ENTRY));
        let whole = Attempt { as_set: true, ..by_name(self.choice.first(self.notion)) };
        let whole = (found.answer.blocks.cut > 0).then_some(whole);
        let mended = Attempt { sees: Sees::Blocks(MENDED), ..quick };
        [mended, by_name(&k_member::ENTRY)].into_iter().chain(deals).chain(whole).chain([quick]).collect()
    }
}
