//! The algorithms that are tried on a table, in blocks or on the whole of it, and whose answer is taken.
//!
//! One that was asked for by name is tried alone. `auto` tries what is likely to lose least and then what might lose less; of
//! all answers the one that costs least is taken, the first of equals, and refined ([`super::refine`]). Of a tiny table it tries
//! all classes there are ([`super::exact`]).

use super::exact::{Cheapest, MayGo, cheapest_classes};
use super::finish_with_mondrian::IgnoreDeadline;
use super::refine::{Effort, Refined, refine};
use super::regions::settle_regions;
use super::settle::all_hold;
use super::{
    AlgorithmEntry, Answer, BlockCounts, Blocks, Choice, Problem, Run, Settings, Stage, SuppressionCounts,
    boxes, enhanced_pk, k_member, kaca, mondrian, solve_regions,
};
use crate::bound::Guide;
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
    /// How much is done to refine the answer.
    pub effort: Effort,
    /// Finds out where good classes are; asked once, before the answer is refined.
    pub guide: &'a dyn Fn() -> Option<Guide>,
    /// The table.
    pub space: &'a Space<'a>,
    /// What every class must satisfy.
    pub demands: &'a BoundDemands,
}

/// The answer that was taken.
pub struct Taken {
    /// The classes or tuples, and what was done for them.
    pub answer: Answer,
    /// By which algorithm: its name.
    pub by: &'static str,
    /// Why rows were suppressed.
    pub account: SuppressionCounts,
    /// Which of the cuts along boundaries it keeps to: its place in the list.
    pub region_set: usize,
    /// What refining came to, where it was done.
    pub refined: Option<Refined>,
    /// The classes before rows were suppressed that cost more than that, where some may be.
    before_suppression: Option<Vec<u32>>,
}

/// What is said to have made classes that were found by trying everything.
const EXACT: &str = "exact";

/// The best answer so far.
struct Best {
    taken: Taken,
    cost: u64,
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
        let first = self.attempt(Attempt { entry, sees, region_set: 0, as_set: true }, region_sets, run)?;
        let others = self.others(&first, region_sets.len());
        let mut best = Best { cost: self.cost(&first), taken: first };
        if others.is_empty() && self.effort == Effort::None {
            return Ok(best.taken);
        }
        run.watch.enter(Stage::Refine, self.space.rows() as u64);
        let no_deadline = IgnoreDeadline(run.watch);
        for other in others {
            // Nothing costs less than nothing.
            if best.cost == 0 || (run.time_is_up()? && !other.is_quick()) {
                continue;
            }
            let run = if other.is_quick() { Run::new(run.seed, &no_deadline) } else { *run };
            self.challenge(&mut best, self.attempt(other, region_sets, &run)?);
        }
        if self.effort != Effort::None && best.cost > 0 && !run.time_is_up()? {
            self.refine(&mut best, region_sets, run)?;
        }
        Ok(best.taken)
    }

    /// Takes another answer if it costs less.
    fn challenge(&self, best: &mut Best, found: Taken) {
        let cost = self.cost(&found);
        if cost < best.cost {
            *best = Best { cost, taken: found };
        }
    }

    /// The cheapest answer there is, where the table is so small that everything can be tried. Where it is `bounded` and nothing was
    /// said about suppression, as few rows go as must.
    pub fn exactly(&self, bounded: bool) -> Option<(Taken, Regions)> {
        if !matches!(self.choice, Choice::Auto) || self.notion != Notion::K {
            return None;
        }
        let problem = Problem { space: self.space, demands: self.demands, quota: 0 };
        let may_go = match self.allowance {
            None if bounded => MayGo::AsMust,
            allowance => MayGo::AtMost(allowance.unwrap_or(0)),
        };
        let Cheapest { class_of, must_go } = cheapest_classes(problem, may_go)?;
        let (out, kept): (Vec<u32>, Vec<u32>) =
            (0..class_of.len() as u32).partition(|&row| class_of[row as usize] == SUPPRESSED);
        let (gone, must_go) = (out.len() as u64, must_go as u64);
        let because = SuppressionCounts { costly: gone - must_go, ..SuppressionCounts::default() };
        let account = if bounded {
            SuppressionCounts { boundaries: must_go, ..because }
        } else {
            SuppressionCounts { skewed: must_go, ..because }
        };
        let regions = Regions { parts: vec![kept], out, bounded, ..Regions::whole(self.space.rows()) };
        let taken = Taken {
            answer: Answer { solution: Solution::Clusters(class_of), blocks: BlockCounts::default() },
            by: EXACT,
            account,
            region_set: 0,
            refined: None,
            before_suppression: None,
        };
        Some((taken, regions))
    }

    /// Refines the classes of the best answer.
    fn refine(&self, best: &mut Best, region_sets: &[Regions], run: &Run<'_>) -> Result<()> {
        let regions = &region_sets[best.taken.region_set];
        let Solution::Clusters(classes) = &best.taken.answer.solution else { return Ok(()) };
        let class_of = best.taken.before_suppression.as_ref().unwrap_or(classes);
        let problem = Problem { space: self.space, demands: self.demands, quota: 0 };
        let guide = (self.guide)();
        let (class_of, refined) =
            refine(problem, class_of, &regions.parts, (self.effort, guide.as_ref()), run)?;
        let (class_of, account) = settle_regions(problem, regions, self.allowance, class_of, run)?;
        let answer = Answer { solution: Solution::Clusters(class_of), blocks: best.taken.answer.blocks };
        let (by, region_set) = (best.taken.by, best.taken.region_set);
        best.taken.refined = Some(refined.clone());
        let found =
            Taken { answer, by, account, region_set, refined: Some(refined), before_suppression: None };
        self.challenge(best, found);
        Ok(())
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
        let mut solver = (entry.make)(if as_set { self.settings } else { &defaults })?;
        solver.set_refined(self.effort != Effort::None);
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
        let regions = &region_sets[at];
        let answer = solve_regions(&solver, self.space, self.demands, regions, self.allowance, run)?;
        let taken = |answer, account, before_suppression| Taken {
            answer,
            by: entry.name,
            account,
            region_set: at,
            refined: None,
            before_suppression,
        };
        let Answer { solution: Solution::Clusters(class_of), blocks } = answer else {
            return Ok(taken(answer, SuppressionCounts::of(regions), None));
        };
        let before = self.allowance.filter(|_| self.effort != Effort::None).map(|_| class_of.clone());
        let problem = Problem { space: self.space, demands: self.demands, quota: 0 };
        let (class_of, account) = settle_regions(problem, regions, self.allowance, class_of, run)?;
        Ok(taken(Answer { solution: Solution::Clusters(class_of), blocks }, account, before))
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

    /// How many people all classes have together, and how many classes there are. Whoever is in two counts twice. Classes of rows
    /// that are alike are as large as the table makes them: only those count whose rows are not.
    fn people_in_classes(&self, class_of: &[u32]) -> (usize, usize) {
        let group_of = self.space.groups().of_rows();
        let code = |(dim, row): (usize, usize)| self.space.codes(dim)[group_of[row] as usize];
        let codes = |row: usize| (0..self.space.dims()).map(move |dim| (dim, row)).map(code);
        let released = || class_of.iter().enumerate().filter(|(_, class)| **class != SUPPRESSED);
        let mut first: Vec<Option<(usize, bool)>> = Vec::new();
        for (row, &class) in released() {
            if first.len() <= class as usize {
                first.resize(class as usize + 1, None);
            }
            let (like, is_mixed) = first[class as usize].get_or_insert((row, false));
            *is_mixed = *is_mixed || !codes(row).eq(codes(*like));
        }
        let is_mixed = |class: u32| first[class as usize].is_some_and(|(_, is_mixed)| is_mixed);
        let mixed = released().filter(|(_, class)| is_mixed(**class));
        let Some(column) = self.demands.people() else {
            return (mixed.count(), first.iter().flatten().filter(|(_, is_mixed)| *is_mixed).count());
        };
        let person = |row: usize| self.space.sensitive()[column][group_of[row] as usize];
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
        let start = Attempt { sees: Sees::AsUsual, ..by_name(&boxes::ENTRY) };
        let demands = self.demands;
        let (people, classes) = self.people_in_classes(class_of);
        if !demands.need_sensitive() || people <= HARD * demands.k() as usize * classes {
            let alike = self.repeats().then_some(by_name(&kaca::ENTRY));
            return [start].into_iter().chain(alike).chain([quick]).collect();
        }
        let deals = (demands.p() > 1).then_some(by_name(&enhanced_pk::ENTRY));
        let whole = Attempt { as_set: true, ..by_name(self.choice.first(self.notion)) };
        let whole = (found.answer.blocks.cut > 0).then_some(whole);
        let mended = Attempt { sees: Sees::Blocks(MENDED), ..quick };
        [start, mended, by_name(&k_member::ENTRY)]
            .into_iter()
            .chain(deals)
            .chain(whole)
            .chain([quick])
            .collect()
    }
}
