//! EnhancedPKClustering (Truta, Campan and Meyer 2007; Truta et al. 2008 §4.3): as many clusters as the sensitive values allow.
//!
//! How often the values of a sensitive column occur bounds the number of p-sensitive clusters (`max_clusters`). All
//! clusters are begun at once, as many as the most restrictive column allows, and its values are dealt out among them: the
//! rare ones first, because they are what is short ([`deal`]). Then every cluster gets what it lacks in the other columns,
//! from free rows or in exchange with other clusters ([`swap`]), then rows up to k; rows left over join the cluster whose
//! loss grows least.
//!
//! *Reading* (`algorithms.md` §3.1 to §3.4). There are v = min(maxClusters, ⌊n/k⌋) clusters. A cluster takes i values of the
//! column outside its p − i most frequent ones (i: `i_value`), and one row of each of those. Then clusters are filled up to k
//! one after the other: the paper leaves the order open, and a row per cluster and round loses far more. A cluster that
//! cannot be made p-sensitive keeps its rows until all others are full; then it is dissolved, and so is one that found fewer
//! than k rows. At the end rows move between clusters as long as less is lost ([`improve`]; not with `local-search=off`); the number of clusters stays.
//! Where p counts protected parts of a hierarchy, "values" are those parts (§3.5). Where `--l-diversity distinct` asks for
//! more values than there are parts, p alone is dealt out. Models beyond k and p are repaired by merging ([`repair`]).
//!
//! *Complexity* O(n · d) for d different rows: one scan of the free rows per row taken, O(n · v) for dealing, for rows
//! left over and for each round of moves; a swap looks once at the rows of all clusters. *Guarantee*: every cluster satisfies k and p. With one sensitive
//! column there are exactly v clusters, which no algorithm can exceed: each of the p − i most frequent values occurs at
//! least maxClusters + 2 times, so it serves every cluster; the other values x have Σ min(f(x), v) ≥ i·v rows to deal, and
//! dealing to the least loaded clusters keeps loads within 1 of each other, so every load reaches i. No cluster is dealt more
//! than p + 1 rows: either k > p, and the v clusters need v·k ≤ n rows, or k = p, and none is short. With several columns
//! v is only a bound. None on the loss.
//!
//! NearPairs: lower row number; among clusters the lower number, for rows left over first the smaller cluster.

mod deal;
mod improve;
mod swap;

use rustc_hash::FxHashMap;

use super::cluster_scan::ClusterScan;
use super::finish_with_mondrian::finish_with_mondrian;
use super::free_rows::{FreeRows, Tables};
use super::repair::repair;
use super::{Algorithm, AlgorithmEntry, Problem, Run, Settings};
use crate::data::Cell;
use crate::demand::Notion;
use crate::error::{Error, Result};
use crate::model::{NO_VALUE, Tally, i_value, max_clusters};
use crate::parameter::{Accepts, Parameter};
use crate::solution::Solution;
use crate::space::Space;

const LOCAL_SEARCH: Parameter = Parameter {
    name: "local-search",
    accepts: Accepts::Choice { values: &["on", "off"], default: "on" },
    about: "whether rows move between finished clusters in the end, as long as less is lost; off: as the paper has it",
};

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "enhanced-pk",
    about: "deals sensitive values out among as many clusters as they allow; made for p that is hard to meet",
    source: "Truta et al. 2007",
    complexity: "O(nd), d different rows",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[LOCAL_SEARCH],
    make: |settings| Ok(Box::new(EnhancedPk::new(settings)?)),
};

/// EnhancedPKClustering.
pub struct EnhancedPk {
    /// Whether rows move between finished clusters in the end, which the paper's algorithm does not have.
    pub local_search: bool,
}

impl EnhancedPk {
    /// Checks the settings.
    pub fn new(settings: &Settings) -> Result<Self> {
        settings.check(ENTRY.name, ENTRY.settings)?;
        Ok(Self { local_search: settings.get(&LOCAL_SEARCH) != "off" })
    }
}

impl Algorithm for EnhancedPk {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        if problem.demands.p() < 2 || problem.space.sensitive().is_empty() {
            return Err(Error::job("enhanced-pk deals out different sensitive values, but p is not above 1")
                .option("p")
                .help("ask for ‹p=2› or more, or choose another algorithm"));
        }
        let (mut work, plan) = Work::new(problem, run);
        if !(work.deal(&plan)? && work.complete()? && work.fill()?) {
            let done = work.clusters.into_iter().map(|c| c.rows).collect();
            return finish_with_mondrian(problem, run, done, &work.pool.rest());
        }
        let rest = work.disperse()?;
        if rest.is_empty() && self.local_search {
            work.improve()?;
        }
        let lists = work.clusters.into_iter().map(|c| c.rows).collect();
        if !rest.is_empty() {
            return finish_with_mondrian(problem, run, lists, &rest);
        }
        Ok(Solution::from_clusters(problem.space.rows(), &repair(problem, run, lists)?))
    }
}

/// Clusters while they grow, and the free rows.
struct Work<'a> {
    problem: Problem<'a>,
    run: &'a Run<'a>,
    group_of: Vec<u32>,
    /// Per sensitive column.
    columns: Vec<Column>,
    pool: FreeRows<'a>,
    clusters: Vec<Cluster>,
}

/// A sensitive column: the kind of value of every group, kinds numbered through in their order.
struct Column {
    of_group: Vec<u32>,
    /// How many rows are of each kind.
    frequencies: Vec<u64>,
    /// How many of them every cluster must have.
    p: u32,
}

impl Column {
    fn lack(&self, kinds: usize) -> usize {
        (self.p as usize).saturating_sub(kinds)
    }
}

/// What is dealt out: groups of free rows, one list per value of the most restrictive column.
struct Plan {
    /// How many of the rare values a cluster must get.
    i: usize,
    /// Those to choose from, most frequent first.
    low: Vec<Vec<u32>>,
    /// Those that every cluster gets.
    high: Vec<Vec<u32>>,
}

/// A cluster; it has no tuple while it is empty.
#[derive(Clone)]
struct Cluster {
    rows: Vec<u32>,
    tuple: Vec<Cell>,
    /// How often every kind occurs.
    kinds: Tally,
    failed: bool,
}

impl Column {
    fn new(problem: Problem<'_>, column: usize) -> Self {
        let kind = |&code: &u32| problem.demands.columns()[column].kind(code);
        let kinds: Vec<u32> = problem.space.sensitive()[column].iter().map(kind).collect();
        let mut different: Vec<u32> = kinds.iter().copied().filter(|&kind| kind != NO_VALUE).collect();
        different.sort_unstable();
        different.dedup();
        let number: FxHashMap<u32, u32> = different.iter().copied().zip(0..).collect();
        let of_group: Vec<u32> =
            kinds.iter().map(|kind| number.get(kind).copied().unwrap_or(NO_VALUE)).collect();
        let mut frequencies = vec![0; different.len()];
        for (group, &kind) in of_group.iter().enumerate().filter(|(_, kind)| **kind != NO_VALUE) {
            frequencies[kind as usize] += problem.space.groups().rows(group).len() as u64;
        }
        Self { of_group, frequencies, p: 1 }
    }
}

impl Plan {
    fn new(column: &Column) -> Self {
        let p = column.p;
        let mut values = vec![Vec::new(); column.frequencies.len()];
        for (group, &kind) in (0..).zip(&column.of_group).filter(|(_, kind)| **kind != NO_VALUE) {
            values[kind as usize].push(group);
        }
        let mut order: Vec<_> =
            column.frequencies.iter().map(|f| std::cmp::Reverse(*f)).zip(values).collect();
        // Stable: equally frequent values stay in their order.
        order.sort_by_key(|value| value.0);
        let i = i_value(&column.frequencies, p);
        let mut high: Vec<_> = order.into_iter().map(|(_, groups)| groups).collect();
        let low = high.split_off(high.len().min((p - i) as usize));
        Self { i: i as usize, low, high }
    }
}

impl<'a> Work<'a> {
    /// Empty clusters, and what is dealt out among them.
    fn new(problem: Problem<'a>, run: &'a Run<'a>) -> (Self, Plan) {
        let (space, demands) = (problem.space, problem.demands);
        let mut columns: Vec<_> = (0..space.sensitive().len()).map(|c| Column::new(problem, c)).collect();
        let asked = || columns.iter().zip(demands.columns());
        // Of kinds there may be fewer than other demands ask for values.
        let kinds_alone = asked().any(|(c, asked)| c.frequencies.len() < asked.values() as usize);
        for (column, asked) in columns.iter_mut().zip(demands.columns()) {
            column.p = asked.p().filter(|_| kinds_alone).unwrap_or(asked.values());
        }
        let bound = |c: &Column| max_clusters(&c.frequencies, c.p);
        let hardest = columns.iter().min_by_key(|c| (bound(c), c.frequencies.len()));
        let v = hardest.map_or(0, bound).min((space.rows() / demands.k() as usize) as u64);
        let plan = hardest.map_or(Plan { i: 0, low: Vec::new(), high: Vec::new() }, Plan::new);
        let empty = Cluster::empty(columns.len());
        let work = Self {
            problem,
            run,
            group_of: space.groups().of_rows(),
            columns,
            pool: FreeRows::new(problem),
            clusters: vec![empty; v as usize],
        };
        (work, plan)
    }

    fn space(&self) -> &'a Space<'a> {
        self.problem.space
    }

    fn group(&self, row: u32) -> u32 {
        self.group_of[row as usize]
    }

    /// The group's kind of value, per sensitive column.
    fn kinds(&self, group: u32) -> impl Iterator<Item = u32> {
        self.columns.iter().map(move |column| column.of_group[group as usize])
    }

    /// Moves the group's next free row into a cluster.
    fn take(&mut self, cluster: usize, group: u32) {
        let row = self.pool.take(group);
        let kinds = self.columns.iter().map(|column| column.of_group[group as usize]);
        self.clusters[cluster].add(self.problem.space, row, group, kinds);
        let rows = self.space().rows();
        self.run.watch.progress((rows - self.pool.rows()) as u64, rows as u64);
    }

    /// Rows for clusters that have fewer than k, one cluster after the other. Says whether there was time for it.
    fn fill(&mut self) -> Result<bool> {
        let (space, k) = (self.space(), self.problem.demands.k() as usize);
        let is_short = |c: &Cluster| !c.failed && c.rows.len() < k;
        let short: Vec<usize> = (0..self.clusters.len()).filter(|&c| is_short(&self.clusters[c])).collect();
        for cluster in short {
            let mut tables = Tables::new(space, &self.clusters[cluster].tuple);
            self.pool.look_from(&tables);
            while is_short(&self.clusters[cluster]) {
                if self.run.time_is_up()? {
                    return Ok(false);
                }
                let near = self.pool.nearest(&tables).groups;
                let Some(&group) = near.iter().min_by_key(|&&g| self.pool.next_row(g)) else {
                    return Ok(true);
                };
                let before = self.clusters[cluster].tuple.clone();
                self.take(cluster, group);
                tables.update(space, &before, &self.clusters[cluster].tuple);
            }
        }
        Ok(true)
    }

    /// The free row of largest gain, then lowest cost, then lowest number: that gain, and its group.
    fn best_free(&self, cluster: usize, gain: impl Fn(u32) -> i64 + Sync) -> (i64, Option<u32>) {
        let tables = Tables::new(self.space(), &self.clusters[cluster].tuple);
        let best = self.pool.best(&tables, gain);
        (best.gain, best.groups.into_iter().min_by_key(|&g| self.pool.next_row(g)))
    }

    /// Dissolves clusters that failed and gives every row without a cluster to the one whose loss grows least. Returns the
    /// rows for which there was no time.
    fn disperse(&mut self) -> Result<Vec<u32>> {
        let space = self.space();
        let k = self.problem.demands.k() as usize;
        let stays = |c: &Cluster| !c.failed && c.rows.len() >= k;
        let (kept, dissolved): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.clusters).into_iter().partition(stays);
        let mut rows = self.pool.rest();
        rows.extend(dissolved.into_iter().flat_map(|c| c.rows));
        rows.sort_unstable();
        self.clusters = kept;
        if self.clusters.is_empty() {
            self.clusters.push(Cluster { rows, ..Cluster::empty(self.columns.len()) });
            return Ok(Vec::new());
        }
        let mut growing = ClusterScan::new(space);
        for (key, c) in (0..).zip(&self.clusters) {
            growing.put(key, c.rows.len(), &c.tuple);
        }
        for (at, &row) in rows.iter().enumerate() {
            if self.run.time_is_up()? {
                return Ok(rows[at..].to_vec());
            }
            let group = self.group_of[row as usize];
            let best = growing.best(&space.tuple(group as usize), |s, _| Some((s.increase(), s.size, s.key)));
            let Some(((.., key), _)) = best else { continue };
            let kinds = self.columns.iter().map(|column| column.of_group[group as usize]);
            let cluster = &mut self.clusters[key as usize];
            cluster.add(space, row, group, kinds);
            growing.put(key, cluster.rows.len(), &cluster.tuple);
        }
        Ok(Vec::new())
    }
}

impl Cluster {
    fn empty(columns: usize) -> Self {
        Self { rows: Vec::new(), tuple: Vec::new(), kinds: Tally::new(columns), failed: false }
    }

    fn add(&mut self, space: &Space<'_>, row: u32, group: u32, kinds: impl Iterator<Item = u32>) {
        if self.rows.is_empty() {
            self.tuple = space.tuple(group as usize);
        } else {
            space.absorb(&mut self.tuple, group as usize);
        }
        self.rows.push(row);
        self.kinds.add(kinds, 1);
    }
}
