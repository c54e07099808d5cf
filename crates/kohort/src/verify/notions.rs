//! The k-type notions of paper 000: how many tuples a row could be behind, and how many rows a tuple could stand for.
//!
//! Rows of the original and published tuples form a bipartite graph: who lies in what. Its degrees are (1,k) and (k,1).
//! A tuple is a *match* of a row if some assignment of rows to tuples that fills every tuple gives it to the row; with one
//! such assignment at hand the matches are the pairs in one strongly connected component (`algorithms.md` §7.3).
//! Suppressed rows stand behind a tuple that shows nothing and is nobody's match.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use super::classes::Classes;
use super::loss::PublishedColumn;
use super::posterior::worst_posterior;
use super::{Published, Released};
use crate::data::{Attribute, Consistency, Domain, Groups, Table, components};
use crate::model::{Notion, Tally};

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
}

/// Which rows of the original own which classes: row, class, and how many rows like it.
pub(super) type Owners = Vec<(u32, u32, u64)>;

/// Whether it is worth looking at the rows. There are hardly fewer different rows than classes: with that many classes
/// nobody need count them to know that the graph is too large.
pub(super) fn worthwhile(classes: &Classes, asked: Notion) -> bool {
    asked != Notion::K || classes.found.len().saturating_pow(2) <= UNASKED
}

/// Works the notions out; none when the graph is too large. More is spent on it when one of them is asked for.
pub(super) fn notions(
    released: &Released,
    table: &Table,
    classes: &Classes,
    columns: &[PublishedColumn<'_>],
    owners: Option<&Owners>,
    asked: Notion,
) -> Option<Notions> {
    let codes: Vec<_> = table.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
    let kinds = Groups::by(table.rows, &codes);
    if asked == Notion::K && kinds.len().saturating_mul(classes.found.len()) > UNASKED {
        return None;
    }
    let mut graph = Graph::new(table, &kinds, classes, columns)?;
    if let Some(owners) = owners {
        graph.shown = shown(&kinds, owners);
    }
    let matches = owners.map(|owners| graph.components(&kinds, owners));
    let posterior = matches.as_ref().and_then(|m| worst_posterior(&graph, m));
    // Looking at all values behind all matches takes long, and is asked of global (1,k) alone.
    let diverse = matches.as_ref().filter(|_| asked == Notion::Global);
    Some(Notions {
        k1: graph.rows_per_class().into_iter().min().unwrap_or(0),
        one_k: graph.least(|kind, _| graph.shown[kind]),
        global_1k: matches
            .as_ref()
            .map(|m| graph.least(|kind, class| graph.shown[kind] && m.is_match(kind, class))),
        global_p: diverse.map(|m| graph.diversity(released, classes, m)).unwrap_or_default(),
        worst_posterior: posterior.map(|p| p.0),
        rows_without_posterior: posterior.map_or_else(|| graph.supply.iter().sum(), |p| p.1),
    })
}

/// Kinds of rows, classes, and who lies in what.
pub(super) struct Graph {
    /// How many rows of each kind may be in a class.
    pub(super) supply: Vec<u64>,
    /// Which kinds have a row in a class: nobody is tied to anything by a row that is suppressed.
    pub(super) shown: Vec<bool>,
    /// How many rows each class has.
    pub(super) demand: Vec<u64>,
    /// Per kind, the classes it lies in.
    pub(super) lies_in: Vec<Vec<u32>>,
}

/// Components of kinds, then classes, then what is suppressed.
pub(super) struct Matches {
    component: Vec<u32>,
    kinds: usize,
    /// The component of the suppressed rows, where there are any.
    hidden: Option<u32>,
}

impl Matches {
    pub(super) fn is_match(&self, kind: usize, class: u32) -> bool {
        self.component[kind] == self.component[self.kinds + class as usize]
    }

    pub(super) fn of_kind(&self, kind: usize) -> u32 {
        self.component[kind]
    }

    pub(super) fn of_class(&self, class: usize) -> u32 {
        self.component[self.kinds + class]
    }

    pub(super) fn is_hidden(&self, component: u32) -> bool {
        self.hidden == Some(component)
    }
}

impl Graph {
    fn new(
        table: &Table,
        kinds: &Groups,
        classes: &Classes,
        columns: &[PublishedColumn<'_>],
    ) -> Option<Self> {
        let first = |kind: usize| kinds.rows(kind)[0] as usize;
        let codes: Vec<Vec<u32>> =
            table.qi.iter().map(|q| (0..kinds.len()).map(|k| q.codes.get(first(k))).collect()).collect();
        let ranges =
            |c: &PublishedColumn<'_>| c.cells.iter().map(|(cell, _)| admitted(*cell, c.attribute)).collect();
        let consistency = Consistency {
            codes: table.qi.iter().map(|q| q.attribute.code_count()).collect(),
            rows: codes.iter().map(Vec::as_slice).collect(),
            tuples: columns.iter().map(ranges).collect(),
        };
        let open = |kind: usize| {
            kinds.rows(kind).iter().filter(|&&row| !table.is_verbatim(row as usize)).count() as u64
        };
        let supply: Vec<u64> = (0..kinds.len()).map(open).collect();
        Some(Self {
            shown: supply.iter().map(|&rows| rows > 0).collect(),
            supply,
            demand: classes.found.iter().map(|(_, tally)| tally.rows()).collect(),
            lies_in: consistency.neighbours(PAIRS)?,
        })
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

    /// The fewest tuples that count for a row; rows without any are suppressed ones.
    fn least(&self, counts: impl Fn(usize, u32) -> bool) -> u64 {
        let tuples = |(kind, classes): (usize, &Vec<u32>)| {
            classes.iter().filter(|&&c| counts(kind, c)).map(|&c| self.demand[c as usize]).sum()
        };
        self.lies_in.iter().enumerate().map(tuples).filter(|&n: &u64| n > 0).min().unwrap_or(0)
    }

    /// What can be exchanged with what, given who owns what.
    fn components(&self, kinds: &Groups, owners: &Owners) -> Matches {
        let kind_of = kinds.of_rows();
        let (n, m) = (self.lies_in.len(), self.demand.len());
        let mut left = self.supply.clone();
        let mut out: Vec<Vec<u32>> = vec![Vec::new(); n + m];
        for (kind, classes) in self.lies_in.iter().enumerate() {
            out[kind] = classes.iter().map(|&class| n as u32 + class).collect();
        }
        for &(row, class, rows) in owners {
            let kind = kind_of[row as usize];
            left[kind as usize] = left[kind as usize].saturating_sub(rows);
            out[n + class as usize].push(kind);
        }
        let hidden = left.iter().any(|&rows| rows > 0);
        if hidden {
            // Whoever is suppressed could change places with whoever is not.
            let node = out.len() as u32;
            for kind in (0..n).filter(|&kind| self.supply[kind] > 0) {
                out[kind].push(node);
            }
            out.push((0..n as u32).filter(|&kind| left[kind as usize] > 0).collect());
        }
        for arcs in &mut out[n..] {
            arcs.sort_unstable();
            arcs.dedup();
        }
        let component = components(&out);
        Matches { hidden: hidden.then(|| component[n + m]), component, kinds: n }
    }

    /// Per sensitive column, the fewest different values behind a row's matches.
    fn diversity(&self, released: &Released, classes: &Classes, matches: &Matches) -> BTreeMap<String, u64> {
        let columns = released.sensitive.len();
        let mut least = vec![u64::MAX; columns];
        for (kind, near) in self.lies_in.iter().enumerate().filter(|(kind, _)| self.shown[*kind]) {
            let mut union = Tally::new(columns);
            let found = near.iter().filter(|&&class| matches.is_match(kind, class));
            found.for_each(|&class| union.merge(&classes.found[class as usize].1));
            if union.rows() > 0 {
                for (least, counts) in least.iter_mut().zip(union.columns()) {
                    *least = (*least).min(counts.distinct() as u64);
                }
            }
        }
        let names = released.sensitive.iter().map(|c| c.name.clone());
        names.zip(least).map(|(name, n)| (name, if n == u64::MAX { 0 } else { n })).collect()
    }
}

/// The kinds that own something.
fn shown(kinds: &Groups, owners: &Owners) -> Vec<bool> {
    let kind_of = kinds.of_rows();
    let mut shown = vec![false; kinds.len()];
    for &(row, ..) in owners {
        shown[kind_of[row as usize] as usize] = true;
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
