//! t-closeness (Li, Li and Venkatasubramanian 2007; `algorithms.md` §8): the earth mover's distance between the values of a
//! class and those of the whole table.
//!
//! All sums are whole numbers over a common denominator, so the distance is the same to the last bit however it is added
//! up, and a class that meets t exactly does meet it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::column_model::{ColumnModel, Unmet, share};
use super::{Distribution, ValueCounts};
use crate::data::{Ground, Sensitive};
use crate::error::{Error, Result};

/// The values of the whole table and how they lie to each other.
#[derive(Debug)]
pub struct Closeness {
    table: Arc<Distribution>,
    shape: Shape,
}

/// A class is at most so far from the table.
#[derive(Debug)]
pub(super) struct TCloseness {
    pub(super) t: f64,
    pub(super) to: Closeness,
}

impl ColumnModel for TCloseness {
    fn holds(&self, class: &ValueCounts) -> bool {
        self.to.distance(class) <= self.t
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        share(self.to.distance(class) - self.t)
    }

    fn reason(&self, whole: &ValueCounts, _: &str) -> Unmet {
        let t = (self.to.distance(whole) * 1000.0).ceil() / 1000.0;
        let has = format!("without the rows that are left out is {t} away from the whole table");
        Unmet::new(has, format!("ask for t ≥ {t}, or leave fewer rows out")).reaching(t)
    }
}

#[derive(Debug)]
enum Shape {
    Equal,
    /// The codes by rank; values that compare equal share one. Values of nobody but rows that are published as they are
    /// have none: they would only make all others look closer to each other.
    Ordered(Vec<Vec<u32>>),
    Tree(Tree),
}

/// A tree laid out so that children come before their parents.
#[derive(Debug)]
struct Tree {
    leaf_of: Vec<u32>,
    /// Inner nodes from the leaves up: the node, its height, its children.
    inner: Vec<(u32, u32, Vec<u32>)>,
    nodes: usize,
    height: u32,
}

impl Closeness {
    /// How far classes are from the values of a column, given how often they occur in the table.
    pub fn new(column: &Sensitive, table: Arc<Distribution>, ground: Ground) -> Result<Self> {
        let shape = match ground {
            Ground::Equal => Shape::Equal,
            Ground::Ordered => Shape::Ordered(by_rank(column, table.times())?),
            Ground::Hierarchical => Shape::Tree(Tree::new(column)?),
        };
        Ok(Self { table, shape })
    }

    /// The earth mover's distance between a class and the table, between 0 and 1.
    pub fn distance(&self, class: &ValueCounts) -> f64 {
        let (n, all) = (i128::from(class.rows()), i128::from(self.table.rows()));
        if n == 0 || all == 0 {
            return 0.0;
        }
        if matches!(self.shape, Shape::Equal) {
            // What both have, times n · N; the rest must be moved.
            let of_table = |code: u32| i128::from(self.table.count(code));
            let shared = |(code, times): (u32, u32)| (i128::from(times) * all).min(of_table(code) * n);
            return (n * all - class.iter().map(shared).sum::<i128>()) as f64 / (n * all) as f64;
        }
        // What a code has too much or too little of, times n · N.
        let mut extra: Vec<i128> = self.table.times().iter().map(|&q| -i128::from(q) * n).collect();
        for (code, times) in class.iter() {
            if extra.len() <= code as usize {
                extra.resize(code as usize + 1, 0);
            }
            extra[code as usize] += i128::from(times) * all;
        }
        let stray = self.take_strays(&mut extra);
        let (sum, scale) = match &self.shape {
            Shape::Equal => return 0.0,
            Shape::Ordered(ranks) => (crossings(&extra, ranks), (ranks.len() as i128 - 1).max(1)),
            Shape::Tree(tree) => (tree.moved(&extra), i128::from(tree.height.max(1))),
        };
        let far = (sum + scale * stray) as f64 / (scale * n * all) as f64;
        far.min(1.0)
    }

    /// Takes out what a class has of values the table does not have, times n · N: it travels all the way, wherever a tree or an
    /// order may have a place for it.
    fn take_strays(&self, extra: &mut [i128]) -> i128 {
        let strays = (0..).zip(extra).filter(|(code, _)| self.table.count(*code) == 0);
        strays.map(|(_, x)| std::mem::take(x)).sum()
    }
}

/// What crosses each place between two ranks.
fn crossings(extra: &[i128], ranks: &[Vec<u32>]) -> i128 {
    let mut crossing = 0;
    let cross = |codes: &Vec<u32>| {
        crossing += codes.iter().map(|&code| extra[code as usize]).sum::<i128>();
        i128::abs(crossing)
    };
    ranks.iter().map(cross).sum()
}

/// The codes of a column that the table has, by rank.
fn by_rank(column: &Sensitive, counts: &[u64]) -> Result<Vec<Vec<u32>>> {
    if column.ranks.is_empty() {
        return Err(Error::job(format!("the values of '{}' have no order", column.name))
            .option("t-closeness")
            .help("ordered distances need numbers, dates, or a hierarchy whose leaves stand in order; use equal or hierarchical, or say with ‹date-format› or ‹decimal› how values are written that can be read in two ways"));
    }
    let rank = |code: u32| column.ranks[code as usize];
    let mut codes: Vec<u32> =
        (0..column.ranks.len() as u32).filter(|&code| counts[code as usize] > 0).collect();
    codes.sort_by_key(|&code| (rank(code), code));
    Ok(codes.chunk_by(|&a, &b| rank(a) == rank(b)).map(<[u32]>::to_vec).collect())
}

impl Tree {
    fn new(column: &Sensitive) -> Result<Self> {
        let Some(h) = &column.tree else {
            return Err(Error::job(format!("'{}' has no hierarchy", column.name))
                .option("t-closeness")
                .help("hierarchical distances need one: give it in the job file or the folder of ‹hierarchies›, or use equal"));
        };
        // Only what lies above values of the table can hold anything: of a large tree that is little.
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        for &leaf in &column.leaf_of {
            let up = std::iter::successors(Some(leaf), |&node| h.parent(node));
            for node in up {
                let next = number.len() as u32;
                number.entry(node).or_insert(next);
            }
        }
        let children = h.children_lists();
        let mut inner: Vec<u32> = number.keys().copied().filter(|&node| !h.is_leaf(node)).collect();
        inner.sort_by_key(|&node| (h.height_of(node), node));
        let below =
            |node: u32| children[node as usize].iter().filter_map(|c| number.get(c).copied()).collect();
        Ok(Self {
            leaf_of: column.leaf_of.iter().map(|leaf| number[leaf]).collect(),
            inner: inner.into_iter().map(|node| (number[&node], h.height_of(node), below(node))).collect(),
            nodes: number.len(),
            height: h.height(),
        })
    }

    /// What meets at each node, times the node's height: children with too much give to those with too little.
    fn moved(&self, extra: &[i128]) -> i128 {
        let mut at: Vec<i128> = vec![0; self.nodes];
        for (&leaf, &x) in self.leaf_of.iter().zip(extra) {
            at[leaf as usize] += x;
        }
        let mut sum = 0;
        for (node, height, children) in &self.inner {
            let of = |sign: i128| children.iter().map(|&c| (sign * at[c as usize]).max(0)).sum::<i128>();
            let (much, little) = (of(1), of(-1));
            sum += i128::from(*height) * much.min(little);
            at[*node as usize] = much - little;
        }
        sum
    }
}
