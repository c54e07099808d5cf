//! The k-type notions of Gionis et al. 2008: how many tuples a row could be behind, and how many rows a tuple could stand for.
//!
//! Rows of the original and published tuples form a bipartite graph: who lies in what. Its degrees are (1,k) and (k,1).
//! A tuple is a *match* of a row if some assignment of rows to tuples that fills every tuple gives it to the row; with one
//! such assignment at hand the matches are the pairs in one strongly connected component (`algorithms.md` §7.3).
//!
//! Suppressed rows take no part: it may be known who they are (whoever knows the quasi-identifiers sees who lacks one, and
//! can find out who falls short of a boundary), so they could neither own a tuple nor exchange one. Where a shuffled release
//! leaves open which rows are suppressed, only what holds whoever they are is said.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::classes::Classes;
use super::counts::Class;
use super::lies_in::LiesIn;
use super::loss::PublishedColumn;
use super::posterior::worst_posterior;
use super::{Published, Reference, Released};
use crate::data::{Attribute, Domain, Groups, components};
use crate::demand::Notion;

/// Different rows times classes up to which the notions are worked out although nobody asked.
const UNASKED: usize = 1_000_000_000;

/// Pairs of a row and a tuple it lies in, beyond which they are not.
const PAIRS: usize = 200_000_000;

/// What a release achieves beyond classes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notions {
    /// (k,1): the fewest rows a tuple covers.
    pub k1: u64,
    /// (1,k): the fewest tuples a row lies in.
    pub one_k: u64,
    /// Global (1,k): the fewest tuples that could be a row's.
    pub global_1k: Option<u64>,
    /// Per sensitive column, the fewest different values behind the tuples that could be a row's.
    pub global_p: BTreeMap<String, u64>,
    /// The largest probability that a row owns a tuple, all assignments being equally likely, as far as it was worked out.
    pub worst_posterior: Option<f64>,
    /// Rows for which it was not, because too many rows hang together.
    pub rows_without_posterior: u64,
    /// Whether it is open which rows are suppressed: then all this holds at least, whoever they are.
    pub at_least: bool,
}

/// Which rows of the original own which classes.
pub(super) struct Owners {
    /// A row, a class, and how many rows like it.
    pub(super) pairs: Vec<(u32, u32, u64)>,
    /// Whether no other rows than those that own nothing can be the suppressed ones, but for rows that look the same.
    pub(super) settled: bool,
    /// Every row that owns something, and its class.
    pub(super) members: Vec<(u32, u32)>,
    /// Whether no other row could be a member in its place.
    pub(super) certain: bool,
}

/// Whether it is worth looking at the rows. There are hardly fewer different rows than classes: with that many classes
/// nobody need count them to know that the graph is too large.
pub(super) fn worthwhile(classes: usize, asked: Notion) -> bool {
    !is_too_much(classes, classes, asked)
}

/// The same for a release that is compared with its original.
pub(super) fn is_wanted(reference: &Reference<'_>, classes: usize) -> bool {
    reference.readable && worthwhile(classes, reference.notion)
}

/// Whether nobody asked, and it would take long.
fn is_too_much(kinds: usize, classes: usize, asked: Notion) -> bool {
    asked == Notion::K && kinds.saturating_mul(classes) > UNASKED
}

/// Works the notions out; none when the graph is too large. More is spent on it when one of them is asked for.
pub(super) fn notions(
    released: &Released,
    reference: &Reference<'_>,
    classes: &Classes<'_>,
    columns: &[PublishedColumn<'_>],
    owners: Option<&Owners>,
) -> Option<Notions> {
    let (table, asked) = (reference.table, reference.notion);
    let codes: Vec<_> = table.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
    let kinds = Groups::by(table.rows, &codes);
    if is_too_much(kinds.len(), classes.found.len(), asked) {
        return None;
    }
    let mut graph = Graph::new(reference, &kinds, classes, columns)?;
    let Some(owners) = owners.filter(|o| o.settled) else {
        let found = graph.at_least(released, classes, owners.is_some());
        let global_p = if asked == Notion::Global { found.global_p } else { BTreeMap::new() };
        return Some(Notions { global_p, ..found });
    };
    graph.supply = shown(&kinds, owners);
    let matches = graph.components(&kinds, owners);
    let posterior = worst_posterior(&graph, &matches);
    Some(Notions {
        k1: graph.rows_per_class().into_iter().min().unwrap_or(0),
        one_k: graph.tuples_per_kind(|_, _| true).min().unwrap_or(0),
        global_1k: graph.tuples_per_kind(|kind, class| matches.is_match(kind, class)).min(),
        // Looking at all values behind all matches takes long, and is asked of global (1,k) alone.
        global_p: if asked == Notion::Global {
            graph.diversity(released, classes, &matches)
        } else {
            BTreeMap::new()
        },
        worst_posterior: posterior.map(|p| p.0),
        rows_without_posterior: posterior.map_or_else(|| graph.supply.iter().sum(), |p| p.1),
        at_least: false,
    })
}

/// Kinds of rows, classes, and who lies in what.
pub(super) struct Graph {
    /// How many rows of each kind are in a class, or may be where that is open.
    pub(super) supply: Vec<u64>,
    /// How many rows each class has.
    pub(super) demand: Vec<u64>,
    /// Per kind, the classes it lies in.
    pub(super) lies_in: Vec<Vec<u32>>,
}

/// Components of kinds, then classes.
pub(super) struct Matches {
    component: Vec<u32>,
    kinds: usize,
}

impl Matches {
    #[cfg(test)]
    pub(super) fn of(component: Vec<u32>, kinds: usize) -> Self {
        Self { component, kinds }
    }

    pub(super) fn is_match(&self, kind: usize, class: u32) -> bool {
        self.component[kind] == self.component[self.kinds + class as usize]
    }

    pub(super) fn of_kind(&self, kind: usize) -> u32 {
        self.component[kind]
    }

    pub(super) fn of_class(&self, class: usize) -> u32 {
        self.component[self.kinds + class]
    }
}

impl Graph {
    fn new(
        reference: &Reference<'_>,
        kinds: &Groups,
        classes: &Classes<'_>,
        columns: &[PublishedColumn<'_>],
    ) -> Option<Self> {
        let table = reference.table;
        let first = |kind: usize| kinds.rows(kind)[0] as usize;
        let codes: Vec<Vec<u32>> =
            table.qi.iter().map(|q| (0..kinds.len()).map(|k| q.codes.get(first(k))).collect()).collect();
        let ranges =
            |c: &PublishedColumn<'_>| c.cells.iter().map(|(cell, _)| admitted(*cell, c.attribute)).collect();
        let lies_in = LiesIn {
            codes: table.qi.iter().map(|q| q.attribute.code_count()).collect(),
            rows: codes.iter().map(Vec::as_slice).collect(),
            tuples: columns.iter().map(ranges).collect(),
        };
        let open = |kind: usize| kinds.rows(kind).iter().filter(|&&row| reference.is_open(row)).count();
        Some(Self {
            supply: (0..kinds.len()).map(|kind| open(kind) as u64).collect(),
            demand: classes.found.iter().map(|class| class.rows).collect(),
            lies_in: lies_in.pairs(PAIRS)?,
        })
    }

    /// What holds whichever rows are suppressed. A tuple stands for those that own its like, and for whoever else lies in
    /// it and is not suppressed; a row could own all tuples that are like its own. `fits`: whether the rows can own the
    /// tuples at all.
    fn at_least(&self, released: &Released, classes: &Classes<'_>, fits: bool) -> Notions {
        let shown: u64 = self.demand.iter().sum();
        let suppressed = self.supply.iter().sum::<u64>().saturating_sub(shown);
        let covered = self.rows_per_class().into_iter().zip(&self.demand);
        let own = |n: u64| if fits { n } else { 0 };
        let names = released.sensitive.iter().map(|c| c.name.clone()).enumerate();
        let least = |column: usize| {
            let values = classes.found.iter().map(|class| classes.present(class, column).distinct() as u64);
            values.min().unwrap_or(0)
        };
        Notions {
            k1: covered.map(|(n, &rows)| n.saturating_sub(suppressed).max(own(rows))).min().unwrap_or(0),
            // Rows that lie in no tuple are suppressed, whoever else is.
            one_k: self.tuples_per_kind(|_, _| true).filter(|&n| n > 0).min().unwrap_or(0),
            global_1k: self.demand.iter().copied().min().filter(|_| fits),
            global_p: names.map(|(column, name)| (name, own(least(column)))).collect(),
            worst_posterior: None,
            rows_without_posterior: shown,
            at_least: suppressed > 0,
        }
    }

    /// The rows each class could stand for.
    fn rows_per_class(&self) -> Vec<u64> {
        let mut rows = vec![0; self.demand.len()];
        for (kind, classes) in self.lies_in.iter().enumerate() {
            for &class in classes {
                rows[class as usize] += self.supply[kind];
            }
        }
        rows
    }

    /// Per kind with a row that counts, the tuples that count for it.
    fn tuples_per_kind(&self, counts: impl Fn(usize, u32) -> bool) -> impl Iterator<Item = u64> {
        let tuples = move |(kind, classes): (usize, &Vec<u32>)| {
            classes.iter().filter(|&&c| counts(kind, c)).map(|&c| self.demand[c as usize]).sum()
        };
        self.lies_in.iter().enumerate().filter(|(kind, _)| self.supply[*kind] > 0).map(tuples)
    }

    /// What can be exchanged with what, given who owns what.
    fn components(&self, kinds: &Groups, owners: &Owners) -> Matches {
        let kind_of = kinds.of_rows();
        let n = self.lies_in.len();
        let mut out: Vec<Vec<u32>> = vec![Vec::new(); n + self.demand.len()];
        for (kind, classes) in self.lies_in.iter().enumerate() {
            out[kind] = classes.iter().map(|&class| n as u32 + class).collect();
        }
        for &(row, class, _) in &owners.pairs {
            out[n + class as usize].push(kind_of[row as usize]);
        }
        for arcs in &mut out[n..] {
            arcs.sort_unstable();
            arcs.dedup();
        }
        Matches { component: components(&out), kinds: n }
    }

    /// Per sensitive column, the fewest different values behind a row's matches.
    fn diversity(
        &self,
        released: &Released,
        classes: &Classes<'_>,
        matches: &Matches,
    ) -> BTreeMap<String, u64> {
        let columns = released.sensitive.len();
        let mut least = vec![u64::MAX; columns];
        for (kind, near) in self.lies_in.iter().enumerate().filter(|(kind, _)| self.supply[*kind] > 0) {
            let own: Vec<&Class> = near
                .iter()
                .filter(|&&class| matches.is_match(kind, class))
                .map(|&class| &classes.found[class as usize])
                .collect();
            for (column, least) in least.iter_mut().enumerate().filter(|_| !own.is_empty()) {
                let codes = own.iter().flat_map(|class| class.values[column].iter().map(|(code, _)| code));
                let values = codes.filter(|code| !classes.missing[column].contains(code));
                *least = (*least).min(values.collect::<FxHashSet<u32>>().len() as u64);
            }
        }
        let names = released.sensitive.iter().map(|c| c.name.clone());
        names.zip(least).map(|(name, n)| (name, if n == u64::MAX { 0 } else { n })).collect()
    }
}

/// How many rows of each kind own something.
fn shown(kinds: &Groups, owners: &Owners) -> Vec<u64> {
    let kind_of = kinds.of_rows();
    let mut shown = vec![0; kinds.len()];
    for &(row, _, rows) in &owners.pairs {
        shown[kind_of[row as usize] as usize] += rows;
    }
    shown
}

/// The codes a published cell admits.
fn admitted(cell: Published, attribute: &Attribute) -> Range<u32> {
    match (cell, &attribute.domain) {
        (Published::Node(node), Domain::Tree(h)) => h.leaves(node),
        (Published::Range { codes: Some(c), .. }, _) => c.lo..c.hi + 1,
        (Published::Missing, Domain::Interval(n)) if n.has_missing() => n.len()..n.len() + 1,
        (Published::Any, _) => 0..attribute.code_count(),
        _ => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_spent_where_a_notion_is_asked_for() {
        assert!(!is_too_much(31_250, 32_000, Notion::K) && is_too_much(31_250, 32_001, Notion::K));
        assert!(!is_too_much(31_250, 32_001, Notion::Kk) && !is_too_much(usize::MAX, 2, Notion::Global));
        assert!(worthwhile(31_622, Notion::K) && !worthwhile(31_623, Notion::K));
        assert!(worthwhile(31_623, Notion::OneK));
    }
}
