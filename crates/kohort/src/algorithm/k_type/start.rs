//! The first tuples: the rows themselves, their nearest rows (Algorithm 3), or rows that expand (Algorithm 4).
//!
//! *Reading*: equal rows get equal tuples. Algorithm 3 takes the k − 1 other rows that cost least together with the row;
//! of equal costs rows equal to it come first, then lower rows. Algorithm 4 adds the row that makes the tuple
//! cheapest; of equal costs rows the tuple covers already come first, then lower rows. Only rows outside change the tuple,
//! so what it covers is counted at once.

use rayon::prelude::*;

use super::Tuples;
use crate::algorithm::free_rows::Tables;
use crate::algorithm::scan::add_up;
use crate::algorithm::{Problem, Run};
use crate::data::Cell;
use crate::error::Result;
use crate::space::Space;

/// How the first tuples are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Every row as it is.
    Rows,
    /// The closure of each row and its k − 1 nearest.
    Nearest,
    /// Each row, expanded by what costs least until k rows are covered.
    Expansion,
    /// The cheapest tuple there is.
    Optimal,
    /// The same where it is soon found, otherwise as by [`Self::Expansion`].
    Cheapest,
}

/// Different rows by codes, with how many rows have them and the lowest.
pub(super) struct Kinds<'a> {
    pub(super) space: &'a Space<'a>,
    pub(super) codes: Vec<Vec<u32>>,
    /// The same as ranks.
    pub(super) ranks: Vec<Vec<u32>>,
    pub(super) count: Vec<u32>,
    lowest: Vec<u32>,
    /// Per row, its kind.
    pub(super) of_row: Vec<u32>,
}

impl<'a> Kinds<'a> {
    /// Kinds are numbered by their lowest row.
    pub(super) fn new(space: &'a Space<'a>) -> Self {
        let groups = space.groups();
        let mut seen: rustc_hash::FxHashMap<Vec<u32>, u32> = rustc_hash::FxHashMap::default();
        let mut kinds = Self {
            space,
            codes: vec![Vec::new(); space.dims()],
            ranks: Vec::new(),
            count: Vec::new(),
            lowest: Vec::new(),
            of_row: vec![0; space.rows()],
        };
        for group in 0..groups.len() {
            let key: Vec<u32> = (0..space.dims()).map(|dim| space.codes(dim)[group]).collect();
            let kind = *seen.entry(key.clone()).or_insert_with(|| {
                kinds.codes.iter_mut().zip(&key).for_each(|(column, &code)| column.push(code));
                kinds.count.push(0);
                kinds.lowest.push(groups.rows(group)[0]);
                kinds.count.len() as u32 - 1
            });
            kinds.count[kind as usize] += groups.rows(group).len() as u32;
            for &row in groups.rows(group) {
                kinds.of_row[row as usize] = kind;
            }
        }
        let ranks = |(dim, codes): (usize, &Vec<u32>)| codes.iter().map(|&c| space.rank(dim, c)).collect();
        kinds.ranks = kinds.codes.iter().enumerate().map(ranks).collect();
        kinds
    }

    /// One tuple per row, given one per kind.
    pub(super) fn per_row(&self, tuples: &[Vec<Cell>]) -> Tuples {
        self.of_row.iter().map(|&kind| tuples[kind as usize].clone()).collect()
    }

    /// The tuple of a kind, not generalized.
    pub(super) fn tuple(&self, kind: usize) -> Vec<Cell> {
        self.codes.iter().map(|column| Cell { lo: column[kind], hi: column[kind] }).collect()
    }

    /// What every kind costs joined to the tuple.
    fn joined(&self, tables: &Tables) -> Vec<u64> {
        let mut sums = vec![0u64; self.count.len()];
        for (codes, table) in self.ranks.iter().zip(tables.columns()) {
            add_up(&mut sums, codes, table);
        }
        sums
    }

    /// Whether a tuple covers a kind.
    pub(super) fn covers(&self, tuple: &[Cell], kind: usize) -> bool {
        let admits =
            |(dim, &cell): (usize, &Cell)| self.space.attribute(dim).contains(cell, self.codes[dim][kind]);
        tuple.iter().enumerate().all(admits)
    }

    /// Grows a tuple until it covers a kind.
    pub(super) fn absorb(&self, tuple: &mut [Cell], kind: usize) {
        for (dim, cell) in tuple.iter_mut().enumerate() {
            let code = self.codes[dim][kind];
            *cell = self.space.join_cell(dim, *cell, Cell { lo: code, hi: code });
        }
    }
}

impl Start {
    /// One tuple per row; none when time is up.
    pub(super) fn tuples(self, problem: Problem<'_>, run: &Run<'_>) -> Result<Option<Tuples>> {
        let kinds = Kinds::new(problem.space);
        let is_quick = || super::optimal::is_quick(problem, &kinds);
        if self == Self::Optimal || self == Self::Cheapest && is_quick() {
            let tuples = super::optimal::of_kinds(problem, &kinds, run)?;
            return Ok(tuples.map(|tuples| kinds.per_row(&tuples)));
        }
        let k = u64::from(problem.demands.k());
        let done = std::sync::atomic::AtomicU64::new(0);
        let of_kind = |kind: usize| {
            if run.time_is_up()? {
                return Ok(None);
            }
            let so_far = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if so_far.is_multiple_of(64) {
                run.watch.progress(so_far, kinds.count.len() as u64);
            }
            Ok(Some(match self {
                Self::Rows | Self::Optimal => kinds.tuple(kind),
                Self::Nearest => nearest(&kinds, kind, k),
                Self::Expansion | Self::Cheapest => expand(&kinds, kind, k),
            }))
        };
        let of_kinds: Option<Vec<Vec<Cell>>> =
            (0..kinds.count.len()).into_par_iter().map(of_kind).collect::<Result<_>>()?;
        Ok(of_kinds.map(|tuples| kinds.per_row(&tuples)))
    }
}

/// Algorithm 3 for one kind of row.
fn nearest(kinds: &Kinds<'_>, kind: usize, k: u64) -> Vec<Cell> {
    let mut tuple = kinds.tuple(kind);
    let mut covered = u64::from(kinds.count[kind]);
    if covered >= k {
        return tuple;
    }
    let costs = kinds.joined(&Tables::new(kinds.space, &tuple));
    let mut order: Vec<usize> = (0..costs.len()).filter(|&other| other != kind).collect();
    // By cost; at the cost where the last rows are taken, single rows count, not kinds.
    order.sort_unstable_by_key(|&other| (costs[other], kinds.lowest[other]));
    for same_cost in order.chunk_by(|&a, &b| costs[a] == costs[b]) {
        let rows: u64 = same_cost.iter().map(|&other| u64::from(kinds.count[other])).sum();
        if covered + rows <= k {
            for &other in same_cost {
                kinds.absorb(&mut tuple, other);
            }
            covered += rows;
        } else {
            for other in lowest_rows(kinds, same_cost, k - covered) {
                kinds.absorb(&mut tuple, other);
            }
            covered = k;
        }
        if covered >= k {
            break;
        }
    }
    tuple
}

/// The kinds of the lowest rows among some kinds.
fn lowest_rows(kinds: &Kinds<'_>, among: &[usize], count: u64) -> Vec<usize> {
    let groups = kinds.space.groups();
    let is_among: rustc_hash::FxHashSet<usize> = among.iter().copied().collect();
    let mut rows: Vec<u32> = (0..groups.len())
        .filter(|&g| is_among.contains(&(kinds.of_row[groups.rows(g)[0] as usize] as usize)))
        .flat_map(|g| groups.rows(g).iter().copied())
        .collect();
    rows.sort_unstable();
    rows.truncate(count as usize);
    let mut found: Vec<usize> = rows.into_iter().map(|row| kinds.of_row[row as usize] as usize).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Algorithm 4 for one kind of row. `size` counts the rows added; `covered` those the tuple covers anyway.
fn expand(kinds: &Kinds<'_>, kind: usize, k: u64) -> Vec<Cell> {
    let mut tuple = kinds.tuple(kind);
    let mut marked = Marked::new(kinds.space, &tuple);
    let mut size = 1u64;
    loop {
        let (covered, best) = marked.look(kinds);
        // Rows inside cost what the tuple costs; only where a larger tuple is cheaper (entropy) others come before them.
        let now = kinds.space.cost(&tuple);
        if best.is_none_or(|(cost, _)| cost >= now) {
            size = covered;
        }
        let Some((_, other)) = best.filter(|_| size < k) else { return tuple };
        let before = tuple.clone();
        kinds.absorb(&mut tuple, other);
        marked.update(kinds.space, &before, &tuple);
        size += 1;
    }
}

/// Per attribute and rank of a code: the cost of joining it to a tuple, with a mark where the tuple does not cover it.
struct Marked(Vec<Vec<u64>>);

/// The mark. Costs of a cell fit into 32 bits, so sums over columns stay below it, and above it they count the marks.
pub(super) const OUTSIDE: u64 = 1 << 48;

impl Marked {
    fn new(space: &Space<'_>, tuple: &[Cell]) -> Self {
        let mut marked = Self(vec![Vec::new(); space.dims()]);
        (0..space.dims()).for_each(|dim| marked.set(space, dim, tuple[dim]));
        marked
    }

    fn set(&mut self, space: &Space<'_>, dim: usize, cell: Cell) {
        let mut costs: Vec<u32> = Vec::new();
        space.join_costs(dim, cell, &mut costs);
        let mark = |code: u32| if space.attribute(dim).contains(cell, code) { 0 } else { OUTSIDE };
        self.0[dim].clear();
        self.0[dim]
            .extend(space.values(dim).iter().zip(costs).map(|(&code, cost)| u64::from(cost) | mark(code)));
    }

    fn update(&mut self, space: &Space<'_>, before: &[Cell], now: &[Cell]) {
        for dim in (0..now.len()).filter(|&dim| before[dim] != now[dim]) {
            self.set(space, dim, now[dim]);
        }
    }

    /// How many rows the tuple covers, and the cheapest kind outside with its cost; of equal ones the lowest row.
    fn look(&self, kinds: &Kinds<'_>) -> (u64, Option<(u64, usize)>) {
        let mut sums = vec![0u64; kinds.count.len()];
        for (codes, table) in kinds.ranks.iter().zip(&self.0) {
            add_up(&mut sums, codes, table);
        }
        let (mut covered, mut best) = (0, (u64::MAX, usize::MAX));
        for (kind, &sum) in sums.iter().enumerate() {
            if sum < OUTSIDE {
                covered += u64::from(kinds.count[kind]);
            } else {
                // Kinds are numbered by their lowest row.
                best = best.min((sum & (OUTSIDE - 1), kind));
            }
        }
        (covered, (best.1 != usize::MAX).then_some(best))
    }
}
