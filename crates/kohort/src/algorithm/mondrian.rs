//! Mondrian multidimensional partitioning (LeFevre et al. 2006) with hierarchies.
//!
//! Starting from the whole table, cut the widest attribute as long as every part satisfies the demands.
//!
//! *Reading* (`algorithms.md` §5.3): intervals are cut at the median; `strict` keeps equal values together (trying ≤|> and
//! then <|≥), `relaxed` deals the rows that equal the median so that the parts balance. Hierarchical attributes are cut
//! into the children of the part's lowest common ancestor, all of them or none. Widths: interval width over range; leaves
//! of the common ancestor over all leaves; times the attribute's weight. NearPairs: more different values, then lower index. A
//! part that mixes missing and present numbers is first cut between them, because their common cell says nothing.
//!
//! *Complexity* O(r · d log d) for d different tuples (rows, when relaxed) and r attributes. *Guarantee*: every class
//! satisfies the demands, whatever they are: a cut is made only after all its parts were tested. Deterministic.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Algorithm, AlgorithmEntry, Problem, Run, Settings};
use crate::data::Domain;
use crate::demand::Notion;
use crate::error::Result;
use crate::parameter::{Accepts, Parameter};
use crate::solution::Solution;
use crate::space::Tuples;

const CUT: Parameter = Parameter {
    name: "cut",
    accepts: Accepts::Choice { values: &["strict", "relaxed"], default: "strict" },
    about: "strict keeps rows with equal values together; relaxed may separate them and balances better",
};

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "mondrian",
    about: "cuts the table like a kd-tree; coarser than clustering, but near-linear in the rows",
    source: "LeFevre et al. 2006",
    complexity: "O(d log d), d different rows",
    is_linear: true,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[CUT],
    make: |settings| Ok(Box::new(Mondrian::new(settings)?)),
};

/// What happens to rows that equal the median.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// They stay together.
    Strict,
    /// They are dealt to both sides.
    Relaxed,
}

/// Mondrian partitioning.
pub struct Mondrian {
    /// What happens to rows that equal the median.
    pub cut: Cut,
}

impl Mondrian {
    /// Checks the settings.
    pub fn new(settings: &Settings) -> Result<Self> {
        settings.check(ENTRY.name, ENTRY.settings)?;
        let cut = if settings.get(&CUT) == "relaxed" { Cut::Relaxed } else { Cut::Strict };
        Ok(Self { cut })
    }
}

impl Algorithm for Mondrian {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let space = problem.space;
        let parts = match self.cut {
            Cut::Relaxed => cut_rows(problem, run, &(0..space.rows() as u32).collect::<Vec<_>>())?,
            Cut::Strict => {
                let (groups, tuples) = (space.groups(), space.tuples());
                let rows = |group: u32| groups.rows(group as usize);
                let first: Vec<u32> = tuples.firsts().collect();
                let weight = |first| tuples.like(first).iter().map(|&group| rows(group).len() as u32).sum();
                let weight = first.iter().map(weight).collect();
                let cutter =
                    Cutter { problem, run, cut: Cut::Strict, group: first, weight, tuples: Some(tuples) };
                let parts = cutter.cut((0..tuples.len() as u32).collect())?;
                let like = |item: u32| tuples.like(&cutter.group[item as usize]);
                let all = |part: Vec<u32>| {
                    part.into_iter().flat_map(like).flat_map(|&group| rows(group)).copied().collect()
                };
                parts.into_iter().map(all).collect()
            }
        };
        Ok(Solution::from_clusters(space.rows(), &parts))
    }
}

/// Cuts some of the rows, one item per row.
pub(super) fn cut_rows(problem: Problem<'_>, run: &Run<'_>, rows: &[u32]) -> Result<Vec<Vec<u32>>> {
    let group_of = problem.space.groups().of_rows();
    let cutter = Cutter {
        problem,
        run,
        cut: Cut::Relaxed,
        group: rows.iter().map(|&r| group_of[r as usize]).collect(),
        weight: vec![1; rows.len()],
        tuples: None,
    };
    let parts = cutter.cut((0..rows.len() as u32).collect())?;
    Ok(parts.into_iter().map(|part| part.into_iter().map(|i| rows[i as usize]).collect()).collect())
}

/// Items (tuples, or single rows) with their weight in rows.
struct Cutter<'a> {
    problem: Problem<'a>,
    run: &'a Run<'a>,
    cut: Cut,
    /// A group that has the tuple of the item.
    group: Vec<u32>,
    weight: Vec<u32>,
    /// All groups of items, where those are tuples.
    tuples: Option<&'a Tuples>,
}

/// One attribute of a part: its smallest and largest code and how wide that is.
struct Extent {
    dim: usize,
    lo: u32,
    hi: u32,
    width: f64,
}

/// Below this many items a task is not worth handing over.
const PARALLEL: usize = 4096;

impl Cutter<'_> {
    /// Cuts a part as far as it goes; parts come back in a fixed order.
    fn cut(&self, part: Vec<u32>) -> Result<Vec<Vec<u32>>> {
        if self.run.time_is_up()? {
            return Ok(vec![part]);
        }
        let large = part.len() > PARALLEL;
        let Some(pieces) = self.split(&part) else { return Ok(vec![part]) };
        drop(part);
        let cut: Vec<_> = if large {
            pieces.into_par_iter().map(|piece| self.cut(piece)).collect::<Result<_>>()?
        } else {
            pieces.into_iter().map(|piece| self.cut(piece)).collect::<Result<_>>()?
        };
        Ok(cut.into_iter().flatten().collect())
    }

    /// The first admissible cut, by width.
    fn split(&self, part: &[u32]) -> Option<Vec<Vec<u32>>> {
        let k = u64::from(self.problem.demands.k());
        if part.iter().map(|&i| u64::from(self.weight[i as usize])).sum::<u64>() < 2 * k {
            return None;
        }
        self.widest_first(part).into_iter().find_map(|extent| {
            self.candidates(part, &extent).find(|pieces| pieces.iter().all(|piece| self.admissible(piece)))
        })
    }

    fn code(&self, dim: usize, item: u32) -> u32 {
        self.problem.space.codes(dim)[self.group[item as usize] as usize]
    }

    fn widest_first(&self, part: &[u32]) -> Vec<Extent> {
        let dims = 0..self.problem.space.dims();
        let mut extents: Vec<Extent> =
            dims.map(|dim| self.extent(part, dim)).filter(|e| e.lo < e.hi).collect();
        let distinct: Vec<usize> = (0..self.problem.space.dims())
            .map(|dim| {
                let rival = |e: &Extent| {
                    e.dim == dim && extents.iter().any(|f| f.dim != dim && same(f.width, e.width))
                };
                if extents.iter().any(rival) { self.distinct(part, dim) } else { 0 }
            })
            .collect();
        extents.sort_by(|a, b| {
            b.width.total_cmp(&a.width).then(distinct[b.dim].cmp(&distinct[a.dim])).then(a.dim.cmp(&b.dim))
        });
        extents
    }

    fn extent(&self, part: &[u32], dim: usize) -> Extent {
        let codes = part.iter().map(|&i| self.code(dim, i));
        let (lo, hi) = codes.fold((u32::MAX, 0), |(lo, hi), c| (lo.min(c), hi.max(c)));
        let attribute = self.problem.space.attribute(dim);
        let share = match &attribute.domain {
            _ if lo == hi => 0.0,
            Domain::Tree(h) => h.leaves(h.lca(lo, hi)).len() as f64 / f64::from(h.leaf_count()),
            Domain::Interval(n) if hi == n.len() => 1.0,
            Domain::Interval(n) => (n.position(hi) - n.position(lo)) / n.range(),
        };
        Extent { dim, lo, hi, width: share * attribute.weight }
    }

    fn distinct(&self, part: &[u32], dim: usize) -> usize {
        part.iter().map(|&i| self.code(dim, i)).collect::<FxHashSet<_>>().len()
    }

    /// The cuts to try on one attribute, best first.
    fn candidates<'b>(&'b self, part: &'b [u32], e: &Extent) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + 'b> {
        let (dim, lo, hi) = (e.dim, e.lo, e.hi);
        let at_most = move |bound: u32| two(part, move |&&i| self.code(dim, i) <= bound);
        match &self.problem.space.attribute(dim).domain {
            Domain::Tree(h) => Box::new(std::iter::once(self.children(part, dim, h.lca(lo, hi)))),
            Domain::Interval(n) if hi == n.len() => {
                let missing = n.len();
                Box::new(std::iter::once_with(move || at_most(missing - 1)).chain(self.halves(part, dim)))
            }
            Domain::Interval(_) => Box::new(self.halves(part, dim)),
        }
    }

    /// The cuts at the median.
    fn halves<'b>(&'b self, part: &'b [u32], dim: usize) -> impl Iterator<Item = Vec<Vec<u32>>> + 'b {
        let median = self.median(part, dim);
        let at_most = move |bound: u32| two(part, move |&&i| self.code(dim, i) <= bound);
        let below = move || two(part, move |&&i| self.code(dim, i) < median);
        let relaxed = (self.cut == Cut::Relaxed).then(|| self.deal(part, dim, median));
        let strict = (self.cut == Cut::Strict)
            .then(|| std::iter::once_with(move || at_most(median)).chain(std::iter::once_with(below)));
        relaxed.into_iter().chain(strict.into_iter().flatten()).filter(|pieces| pieces.len() > 1)
    }

    /// The code of the middle row (the lower one of two).
    fn median(&self, part: &[u32], dim: usize) -> u32 {
        let mut codes: Vec<(u32, u32)> =
            part.iter().map(|&i| (self.code(dim, i), self.weight[i as usize])).collect();
        codes.sort_unstable();
        let total: u64 = codes.iter().map(|c| u64::from(c.1)).sum();
        let mut seen = 0;
        let middle = codes.iter().find(|c| {
            seen += u64::from(c.1);
            2 * seen >= total
        });
        middle.map_or(0, |c| c.0)
    }

    /// Rows below the median left, above it right, equal ones dealt in order until the left side has half.
    fn deal(&self, part: &[u32], dim: usize, median: u32) -> Vec<Vec<u32>> {
        let below = part.iter().filter(|&&i| self.code(dim, i) < median).count();
        let mut room = (part.len() / 2).saturating_sub(below);
        two(part, |&&i| {
            let code = self.code(dim, i);
            let dealt = code == median && room > 0;
            room -= usize::from(dealt);
            code < median || dealt
        })
    }

    /// One piece per child of the common ancestor that has rows.
    fn children(&self, part: &[u32], dim: usize, ancestor: u32) -> Vec<Vec<u32>> {
        let Domain::Tree(h) = &self.problem.space.attribute(dim).domain else { return Vec::new() };
        let depth = h.depth(ancestor) + 1;
        let child = |leaf: u32| {
            let mut node = leaf;
            while h.depth(node) > depth {
                node = h.parent(node).unwrap_or(node);
            }
            h.leaves(node).start
        };
        let mut keyed: Vec<(u32, u32)> = part.iter().map(|&i| (child(self.code(dim, i)), i)).collect();
        keyed.sort_by_key(|&(c, _)| c);
        keyed.chunk_by(|a, b| a.0 == b.0).map(|chunk| chunk.iter().map(|&(_, i)| i).collect()).collect()
    }

    fn admissible(&self, piece: &[u32]) -> bool {
        let rows: u64 = piece.iter().map(|&i| u64::from(self.weight[i as usize])).sum();
        if rows < u64::from(self.problem.demands.k()) {
            return false;
        }
        let columns = self.problem.space.sensitive();
        if columns.is_empty() {
            return true;
        }
        let code = |column: usize, group: u32| columns[column][group as usize];
        self.problem.demands.hold_together(piece.iter().flat_map(|&item| self.contents(item)), code)
    }

    /// The groups of an item, each with its rows.
    fn contents(&self, item: u32) -> impl Iterator<Item = (u32, u32)> {
        let groups = self.problem.space.groups();
        let of = move |&group: &u32| (group, groups.rows(group as usize).len() as u32);
        let all = self.tuples.map(|tuples| tuples.like(&self.group[item as usize]).iter().map(of));
        let row = self.tuples.is_none().then(|| (self.group[item as usize], 1));
        all.into_iter().flatten().chain(row)
    }
}

/// The items on either side of a cut, empty sides left out.
fn two(part: &[u32], left: impl FnMut(&&u32) -> bool) -> Vec<Vec<u32>> {
    let (l, r): (Vec<u32>, Vec<u32>) = part.iter().partition(left);
    [l, r].into_iter().filter(|piece| !piece.is_empty()).collect()
}

fn same(a: f64, b: f64) -> bool {
    a.total_cmp(&b).is_eq()
}
