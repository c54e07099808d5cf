//! Greedy k-member clustering (Byun et al. 2007, as described in Kabir et al. 2011, §2.2).
//!
//! Clusters are built one after the other. Each starts at the row farthest from the previous cluster's first row and takes
//! the row that costs least until it satisfies the demands. Rows left over join the cluster whose loss grows least.
//!
//! *Reading* (`algorithms.md` §5.1): "farthest from r" means from the previous *seed*; the first random row is itself the
//! first seed (`first-seed = row`) or only the place to look from (`first-seed = farthest`). With p-sensitivity, diversity
//! comes first and cost second while a class lacks values (§8, build by score); when the rows left cannot complete a
//! class, they all join existing ones, which is safe because both demands survive adding rows. Under demands that do not,
//! a class that no row helps any more stays as it is, rows left over go where they break nothing, and what still fails is
//! merged ([`repair`]). Equal rows are interchangeable: a drawn row stands for the lowest one equal to it.
//!
//! `greedy-pk` is GreedyPKClustering (Campan et al. 2007, Truta et al. 2008 §4.2; `algorithms.md` §2): the same growth, diversity
//! first, but a cluster starts at the row whose sensitive values differ in most columns from the previous seed's, and
//! among those at the farthest.
//!
//! *Complexity* O(n²) in the number of different rows; one scan per cluster, from its seed, and then a look at
//! the rows that can still be nearest ([`super::free_rows`]); rows inside the tuple cost nothing more and are taken in row order. *Guarantee*: every cluster satisfies the demands; none on the loss.
//!
//! NearPairs: lower row number; for leftovers smaller increase, then smaller cluster, then earlier cluster.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::RngExt;

use super::finish_with_mondrian::finish_with_mondrian;
use super::free_rows::{FreeRows, Tables};
use super::repair::repair;
use super::{Algorithm, AlgorithmEntry, Problem, Run, Settings, signed};
use crate::data::Cell;
use crate::demand::Notion;
use crate::error::Result;
use crate::model::{Gains, Tally};
use crate::parameter::{Accepts, Parameter};
use crate::solution::Solution;

const FIRST_SEED: Parameter = Parameter {
    name: "first-seed",
    accepts: Accepts::Choice { values: &["row", "farthest"], default: "row" },
    about: "whether the first row drawn is the first seed itself, or the first seed is the row farthest from it",
};

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "k-member",
    about: "greedy clusters around far-apart seeds; good detail, quadratic time",
    source: "Byun et al. 2007",
    complexity: "O(d²), d different rows",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[FIRST_SEED],
    make: |settings| Ok(Box::new(KMember::new(settings)?)),
};

/// Miller et al. 2008's name for k-member within boundaries. Every algorithm is run within the parts that boundaries leave, so
/// this is k-member itself.
pub(super) const GREEDY_CKA: AlgorithmEntry = AlgorithmEntry {
    name: "greedy-cka",
    about: "k-member, under the name it has when generalization has boundaries",
    source: "Miller et al. 2008",
    ..ENTRY
};

/// `GreedyPKClustering`.
pub(super) const GREEDY_PK: AlgorithmEntry = AlgorithmEntry {
    name: "greedy-pk",
    about: "greedy clusters around seeds that differ in sensitive values; made for p",
    source: "Campan et al. 2007",
    settings: &[],
    make: |settings| {
        settings.check(GREEDY_PK.name, GREEDY_PK.settings)?;
        Ok(Box::new(KMember { first_seed: FirstSeed::Row, seeds: Seeds::Diverse }))
    },
    ..ENTRY
};

/// Where the next cluster starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seeds {
    /// At the row farthest from the last seed.
    Farthest,
    /// At the row that differs from the last seed in most sensitive columns, then at the farthest.
    Diverse,
}

/// How to read "randomly selecting a record r as the seed".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstSeed {
    /// r is the first seed.
    Row,
    /// The first seed is the row farthest from r.
    Farthest,
}

/// Greedy k-member clustering.
pub struct KMember {
    /// How the first seed is found.
    pub first_seed: FirstSeed,
    /// How the others are.
    pub seeds: Seeds,
}

/// A cluster while it grows.
struct Cluster {
    rows: Vec<u32>,
    tuple: Vec<Cell>,
    tally: Tally,
}

impl KMember {
    /// Checks the settings.
    pub fn new(settings: &Settings) -> Result<Self> {
        settings.check(ENTRY.name, ENTRY.settings)?;
        let first_seed =
            if settings.get(&FIRST_SEED) == "farthest" { FirstSeed::Farthest } else { FirstSeed::Row };
        Ok(Self { first_seed, seeds: Seeds::Farthest })
    }

    fn first(&self, pool: &mut FreeRows<'_>, problem: Problem<'_>, run: &Run<'_>) -> u32 {
        let rows = problem.space.rows() as u32;
        let row = run.rng(1).map_or(0, |mut rng| rng.random_range(0..rows));
        let drawn = problem.space.groups().of_rows()[row as usize];
        match self.first_seed {
            FirstSeed::Row => drawn,
            FirstSeed::Farthest => {
                let tuple = problem.space.tuple(drawn as usize);
                pool.look_from(&Tables::new(problem.space, &tuple));
                pool.farthest_from_seed(|_| 0).unwrap_or(drawn)
            }
        }
    }

    fn next(&self, pool: &FreeRows<'_>, problem: Problem<'_>, last: u32) -> Option<u32> {
        let kinds = |group: u32| {
            let codes = sensitive(problem, group).enumerate();
            codes.map(|(column, code)| problem.demands.columns()[column].kind(code))
        };
        let differs = |group: u32| kinds(group).zip(kinds(last)).filter(|(a, b)| a != b).count();
        match self.seeds {
            Seeds::Farthest => pool.farthest_from_seed(|_| 0),
            Seeds::Diverse => pool.farthest_from_seed(|g| signed(differs(g))),
        }
    }
}

impl Algorithm for KMember {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let rows = problem.space.rows();
        let mut pool = FreeRows::new(problem);
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut left_over = Vec::new();
        let mut seed = self.first(&mut pool, problem, run);
        while pool.rows() >= problem.demands.k() as usize {
            if run.time_is_up()? {
                let done = clusters.into_iter().map(|c| c.rows).collect();
                return finish_with_mondrian(problem, run, done, &pool.rest());
            }
            let cluster = grow(problem, &mut pool, seed);
            // What no row can help any more may still be merged, where adding rows is no help by itself.
            let enough = problem.demands.hold(&cluster.tally)
                || !problem.demands.survive_adding_rows()
                    && cluster.rows.len() >= problem.demands.k() as usize;
            if !enough {
                left_over.extend(cluster.rows);
                break;
            }
            clusters.push(cluster);
            run.watch.progress((rows - pool.rows()) as u64, rows as u64);
            match self.next(&pool, problem, seed) {
                Some(next) => seed = next,
                None => break,
            }
        }
        left_over.extend(pool.rest());
        left_over.sort_unstable();
        disperse(problem, &mut clusters, left_over);
        let lists = clusters.into_iter().map(|c| c.rows).collect();
        Ok(Solution::from_clusters(rows, &repair(problem, run, lists)?))
    }
}

/// Sensitive codes of a group, one per column.
fn sensitive(problem: Problem<'_>, group: u32) -> impl Iterator<Item = u32> {
    problem.space.sensitive().iter().map(move |column| column[group as usize])
}

/// One cluster from its seed until the demands hold or no row can help.
fn grow(problem: Problem<'_>, pool: &mut FreeRows<'_>, seed: u32) -> Cluster {
    let space = problem.space;
    let mut cluster = Cluster {
        rows: Vec::new(),
        tuple: space.tuple(seed as usize),
        tally: Tally::new(space.sensitive().len()),
    };
    let mut tables = Tables::new(space, &cluster.tuple);
    pool.look_from(&tables);
    cluster.add(problem, pool, seed);
    let adding_is_safe = problem.demands.survive_adding_rows();
    while !problem.demands.hold(&cluster.tally) && pool.rows() > 0 {
        let chasing = problem.demands.diversity_deficit(&cluster.tally) > 0;
        let mut best = if chasing {
            let gains = Gains::new(problem.demands, &cluster.tally);
            pool.best(&tables, |g| gains.of(sensitive(problem, g)))
        } else {
            pool.nearest(&tables)
        };
        if chasing && best.gain <= 0 {
            if adding_is_safe || cluster.rows.len() >= problem.demands.k() as usize {
                break;
            }
            best = pool.nearest(&tables);
        }
        let before = cluster.tuple.clone();
        let free =
            !chasing && adding_is_safe && space.is_monotone() && best.cost == space.cost(&cluster.tuple);
        if free {
            cluster.add_free(problem, pool, &best.groups);
        } else if let Some(&group) = best.groups.iter().min_by_key(|&&g| pool.next_row(g)) {
            cluster.add(problem, pool, group);
        }
        tables.update(space, &before, &cluster.tuple);
    }
    cluster
}

impl Cluster {
    /// Moves the group's next row here; says whether the tuple had to grow.
    fn add(&mut self, problem: Problem<'_>, pool: &mut FreeRows<'_>, group: u32) -> bool {
        let grew = problem.space.absorb(&mut self.tuple, group as usize);
        self.tally.add(sensitive(problem, group), 1);
        self.rows.push(pool.take(group));
        grew
    }

    /// Takes rows that cost nothing more, in row order, until the demands hold. No scan is needed in between as long as the
    /// tuple stays as it is; a row can widen it at no cost (an attribute of weight 0), and then the costs must be redone.
    fn add_free(&mut self, problem: Problem<'_>, pool: &mut FreeRows<'_>, groups: &[u32]) {
        let left = |pool: &FreeRows<'_>, g: u32| Reverse((pool.next_row(g), g));
        let mut heap: BinaryHeap<_> = groups.iter().map(|&g| left(pool, g)).collect();
        while !problem.demands.hold(&self.tally) {
            let Some(Reverse((row, group))) = heap.pop() else { break };
            if self.add(problem, pool, group) {
                break;
            }
            let rows = problem.space.groups().rows(group as usize);
            if rows.last() != Some(&row) {
                heap.push(left(pool, group));
            }
        }
    }
}

/// Gives each row to the cluster whose loss grows least; a single cluster of all rows when there is none.
fn disperse(problem: Problem<'_>, clusters: &mut Vec<Cluster>, rows: Vec<u32>) {
    let space = problem.space;
    if rows.is_empty() {
        return;
    }
    if clusters.is_empty() {
        clusters.push(Cluster { rows, tuple: Vec::new(), tally: Tally::new(0) });
        return;
    }
    let group_of = space.groups().of_rows();
    for row in rows {
        let group = group_of[row as usize] as usize;
        let increase = |cluster: &Cluster| {
            let mut tuple = cluster.tuple.clone();
            space.absorb(&mut tuple, group);
            let size = cluster.rows.len() as i128;
            (size + 1) * i128::from(space.cost(&tuple)) - size * i128::from(space.cost(&cluster.tuple))
        };
        let breaks = |cluster: &Cluster| {
            let mut tally = cluster.tally.clone();
            tally.add(sensitive(problem, group as u32), 1);
            problem.demands.hold(&cluster.tally) && !problem.demands.hold(&tally)
        };
        let careful = !problem.demands.survive_adding_rows();
        let target = clusters.iter_mut().min_by_key(|c| (careful && breaks(c), increase(c), c.rows.len()));
        if let Some(cluster) = target {
            space.absorb(&mut cluster.tuple, group);
            cluster.tally.add(sensitive(problem, group as u32), 1);
            cluster.rows.push(row);
        }
    }
}
