//! Full-domain generalization (`algorithms.md` §4) by looking at every vector of levels, row by row.

use std::collections::BTreeMap;

use kohort::algorithm::Fixed;
use kohort::data::{Boundary, Cell, Domain};
use kohort::model::{BoundDemands, Tally};

use super::{Plain, leaf};

/// What the whole lattice says.
pub(crate) struct Answer {
    /// Vectors of levels that do while nothing less general does, ascending.
    pub(crate) minimal: Vec<Vec<u32>>,
    /// All that do.
    pub(crate) accepted: Vec<Vec<u32>>,
    /// The one to take, and the rows that go with it; `None` where nothing does.
    pub(crate) chosen: Option<(Vec<u32>, Vec<u32>)>,
    /// What it costs.
    pub(crate) cost: u64,
}

/// A vector of levels that does, the classes it publishes and the rows it does not.
type Does = (Vec<u32>, Vec<Vec<u32>>, Vec<u32>);

/// Looks at everything.
pub(crate) fn incognito(plain: &Plain<'_>, quota: usize, fixed: &Fixed, demands: &BoundDemands) -> Answer {
    let rows = plain.table.rows;
    let quota = quota.min(rows - 1);
    let mut accepted: Vec<Does> = Vec::new();
    for levels in vectors(plain, fixed) {
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for class in classes(plain, &levels) {
            if demands.hold(&tally(plain, demands, &class)) { kept.push(class) } else { gone.extend(class) }
        }
        if gone.len() <= quota {
            gone.sort_unstable();
            accepted.push((levels, kept, gone));
        }
    }
    let below = |a: &[u32], b: &[u32]| a != b && a.iter().zip(b).all(|(a, b)| a <= b);
    let is_minimal = |levels: &[u32]| !accepted.iter().any(|(other, ..)| below(other, levels));
    let minimal = accepted.iter().map(|(levels, ..)| levels.clone()).filter(|l| is_minimal(l)).collect();
    let ranked: Vec<_> = accepted.iter().map(|does| rank(plain, does)).collect();
    let mut best: Option<usize> = None;
    for at in 0..accepted.len() {
        if best.is_none_or(|best| better(&ranked[at], &ranked[best])) {
            best = Some(at);
        }
    }
    let chosen = best.map(|at| (accepted[at].0.clone(), accepted[at].2.clone()));
    let cost = best.map_or(0, |at| cost(plain, &accepted[at]));
    Answer { minimal, accepted: accepted.into_iter().map(|(levels, ..)| levels).collect(), chosen, cost }
}

/// What a vector of levels costs, suppressed rows in full.
fn cost(plain: &Plain<'_>, (levels, kept, gone): &Does) -> u64 {
    // Rows of a class are published alike.
    let class = |class: &Vec<u32>| class.len() as u64 * plain.cost(&tuple(plain, levels, class[0]));
    kept.iter().map(class).sum::<u64>() + gone.len() as u64 * full(plain)
}

/// Cost, rows that go and discernibility; then how far the levels are up in all.
type Rank = ((u64, usize, usize), f64);

fn rank(plain: &Plain<'_>, does: &Does) -> Rank {
    let (levels, kept, gone) = does;
    let squares: usize = kept.iter().map(|class| class.len() * class.len()).sum();
    let dm = squares + gone.len() * plain.table.rows;
    let share = |(dim, &level): (usize, &u32)| f64::from(level) / f64::from(height(plain, dim).max(1));
    ((cost(plain, does), gone.len(), dm), levels.iter().enumerate().map(share).sum())
}

/// Whether the first is to be taken rather than the second. Vectors come in ascending order, so a tie is for the second.
fn better(a: &Rank, b: &Rank) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1 - 1e-9)
}

/// What a suppressed row costs.
fn full(plain: &Plain<'_>) -> u64 {
    (0..plain.dims()).map(|dim| plain.full_cell_cost(dim)).sum()
}

/// All vectors of levels that stay within the boundaries, ascending; a fixed level is lowered until it does.
fn vectors(plain: &Plain<'_>, fixed: &Fixed) -> Vec<Vec<u32>> {
    let mut vectors = vec![Vec::new()];
    for dim in 0..plain.dims() {
        let fits = |level: &u32| {
            (0..plain.table.rows as u32).all(|row| allowed(plain, dim, plain.code(dim, row), *level))
        };
        let mut levels: Vec<u32> = (0..=height(plain, dim)).filter(|&l| l == 0 || fits(&l)).collect();
        if let Some(&level) = fixed.get(&plain.table.qi[dim].attribute.name) {
            levels = vec![level.min(levels[levels.len() - 1])];
        }
        let longer = |v: &Vec<u32>| levels.iter().map(|&l| [&v[..], &[l]].concat()).collect::<Vec<_>>();
        vectors = vectors.iter().flat_map(longer).collect();
    }
    vectors
}

fn height(plain: &Plain<'_>, dim: usize) -> u32 {
    match &plain.table.qi[dim].attribute.domain {
        Domain::Tree(h) => {
            let steps = |leaf| std::iter::successors(Some(leaf), |&n| h.parent(n)).count() as u32 - 1;
            (0..h.leaf_count()).map(steps).max().unwrap_or(0)
        }
        Domain::Interval(_) => 1,
    }
}

/// Goes up so many steps.
fn raised(plain: &Plain<'_>, dim: usize, code: u32, level: u32) -> Cell {
    match &plain.table.qi[dim].attribute.domain {
        Domain::Tree(h) => {
            let mut node = code;
            for _ in 0..level {
                node = h.parent(node).unwrap_or(node);
            }
            leaf(node)
        }
        Domain::Interval(n) if level == 1 => Cell { lo: 0, hi: n.code_count() - 1 },
        Domain::Interval(_) => leaf(code),
    }
}

/// Whether the value may become that.
fn allowed(plain: &Plain<'_>, dim: usize, code: u32, level: u32) -> bool {
    let attribute = &plain.table.qi[dim].attribute;
    match (&attribute.boundary, &attribute.domain) {
        (Some(Boundary::Nodes(marked)), Domain::Tree(h)) => {
            let published = raised(plain, dim, code, level).lo;
            let mut node = code;
            loop {
                if node == published {
                    return true;
                }
                if marked.contains(&node) {
                    return false;
                }
                let Some(parent) = h.parent(node) else { return false };
                node = parent;
            }
        }
        (Some(Boundary::Line { cuts, width }), Domain::Interval(n)) => {
            if code == n.len() {
                return true;
            }
            if n.has_missing() {
                return false;
            }
            let (lo, hi) = (n.position(0), n.position(n.len() - 1));
            // As it is published: ends lie on the grid, if there is one.
            let (least, most) = n.bounds(Cell { lo: 0, hi: n.len() - 1 });
            let narrow = width.is_none_or(|w| most - least <= w * (1.0 + 1e-9));
            narrow && !cuts.iter().any(|&cut| lo < cut && cut <= hi)
        }
        _ => true,
    }
}

fn tuple(plain: &Plain<'_>, levels: &[u32], row: u32) -> Vec<Cell> {
    (0..plain.dims()).map(|dim| raised(plain, dim, plain.code(dim, row), levels[dim])).collect()
}

fn classes(plain: &Plain<'_>, levels: &[u32]) -> Vec<Vec<u32>> {
    let mut classes: BTreeMap<Vec<Cell>, Vec<u32>> = BTreeMap::new();
    for row in 0..plain.table.rows as u32 {
        classes.entry(tuple(plain, levels, row)).or_default().push(row);
    }
    classes.into_values().collect()
}

fn tally(plain: &Plain<'_>, demands: &BoundDemands, rows: &[u32]) -> Tally {
    let mut tally = demands.empty_class();
    for &row in rows {
        let code = |at: usize| plain.table.sensitive[at].codes.get(row as usize);
        tally.add(demands.columns().iter().map(|c| code(c.at)), 1);
    }
    tally
}
