//! Where a table is cut into blocks: where fewest rows lose their like.
//!
//! A part with too many different rows is cut in two, again and again. What a cut loses is asked of some rows: each is tied
//! to the few that would cost least together with it ([`super::ties`]), in a sample and in all of the part, and of all cuts
//! that leave enough on both sides the one that severs fewest ties is made, per bit of information that it gives (a lopsided
//! cut brings us less far). Cuts
//! follow the hierarchies: the children of one node are dealt to both sides, never split. Intervals are cut between
//! values. Equal rows stay together. Each side must satisfy the demands as a whole, so that it can be solved by itself.
//!
//! *Complexity* O(n log n). Deterministic.

use super::near_pairs::{NearPairs, evenly};
use crate::algorithm::{Problem, Run};
use crate::data::{Domain, Hierarchy};
use crate::error::Result;
use crate::space::{Space, Tuples};

/// One in so many rows of a part stands for it, at least and at most so many of them.
const ONE_IN: usize = 8;
const SAMPLE: std::ops::Range<usize> = 64..256;

/// To how many others of the sample each of its rows is tied.
const FAR: usize = 3;

/// Rows of a part that are tied to their nearest in all of it. Members of one household, say, hardly ever meet in a sample.
const SEEDS: usize = 48;

/// To how many at most; to k − 1, if those are fewer: that many share a class with it.
const NEAR: usize = 10;

/// What the share of severed near ties counts next to that of far ones. Far ties tell in which attributes likeness is spread
/// out, near ones whether a cut parts those who belong together.
const NEARER: f64 = 4.0;

/// The share of a part that the smaller side should have at least.
const LEAST: f64 = 0.1;

/// A side is lopsided with less than one in so many.
const LOPSIDED: usize = 20;

/// With less than one in so many a cut leads nowhere.
const CHAIN: usize = 64;

/// Places at which intervals are tried, evenly spaced by rank.
const PLACES: usize = 16;

/// Below this many different rows a part is not worth a task.
const PARALLEL: usize = 2048;

/// A table cut in two, again and again.
pub(super) enum Tree {
    /// The rows of a block, ascending, and how many different ones there are.
    Block(Vec<u32>, usize),
    /// Both sides of a cut, and the share of near ties it severs.
    Cut { left: Box<Tree>, right: Box<Tree>, severed: f64 },
}

impl Tree {
    /// Whether there is more than one block.
    pub(super) fn is_cut(&self) -> bool {
        matches!(self, Self::Cut { .. })
    }

    /// The blocks, from left to right.
    pub(super) fn blocks(&self) -> Vec<&[u32]> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    /// How many different rows the largest block has.
    pub(super) fn largest(&self) -> usize {
        match self {
            Self::Block(_, different) => *different,
            Self::Cut { left, right, .. } => left.largest().max(right.largest()),
        }
    }

    /// The share of near ties that are severed by any of the cuts.
    pub(super) fn severed(&self) -> f64 {
        self.kept().0
    }

    /// The share of severed ties, and the number of rows.
    fn kept(&self) -> (f64, f64) {
        match self {
            Self::Block(rows, _) => (0.0, rows.len() as f64),
            Self::Cut { left, right, severed } => {
                let ((a, m), (b, n)) = (left.kept(), right.kept());
                let below = (a * m + b * n) / (m + n).max(1.0);
                (severed + (1.0 - severed) * below, m + n)
            }
        }
    }

    fn collect<'t>(&'t self, found: &mut Vec<&'t [u32]>) {
        match self {
            Self::Block(rows, _) => found.push(rows),
            Self::Cut { left, right, .. } => {
                left.collect(found);
                right.collect(found);
            }
        }
    }
}

/// Both sides of a cut.
struct Sides {
    left: Vec<u32>,
    right: Vec<u32>,
    severed: f64,
}

impl Sides {
    fn smaller(&self) -> usize {
        self.left.len().min(self.right.len())
    }
}

/// A cut: which codes of an attribute go left.
struct Cut {
    dim: usize,
    left: Left,
}

/// Which codes go left.
enum Left {
    /// All up to this one, of an interval.
    UpTo(u32),
    /// Those that are marked.
    Marked(Vec<bool>),
}

impl Cut {
    fn is_left(&self, code: u32) -> bool {
        match &self.left {
            Left::UpTo(last) => code <= *last,
            Left::Marked(left) => left[code as usize],
        }
    }
}

/// Cuts a table into blocks.
pub(super) struct Cutter<'a> {
    problem: Problem<'a>,
    /// Per attribute and node: its children.
    children: Vec<Vec<Vec<u32>>>,
    /// Where rows count as different by their tuples alone: a part has one group of every tuple, which stands for all of them.
    tuples: Option<&'a Tuples>,
}

impl<'a> Cutter<'a> {
    /// What makes rows different: their tuple alone, or all that tells groups apart. Rows with the same tuple stay together
    /// either way.
    pub(super) fn new(problem: Problem<'a>, by_tuple: bool) -> Self {
        let children = |dim: usize| match &problem.space.attribute(dim).domain {
            Domain::Tree(h) => h.children_lists(),
            Domain::Interval(_) => Vec::new(),
        };
        Self {
            problem,
            children: (0..problem.space.dims()).map(children).collect(),
            tuples: by_tuple.then(|| problem.space.tuples()),
        }
    }

    /// How many different rows the table has.
    pub(super) fn different(&self) -> usize {
        self.tuples.map_or(self.problem.space.groups().len(), Tuples::len)
    }

    /// Cuts until no block has more than `most` different rows or can be cut, or time is up.
    pub(super) fn tree(&self, most: usize, run: &Run<'_>) -> Result<Tree> {
        let all = match self.tuples {
            Some(tuples) => tuples.firsts().collect(),
            None => (0..self.problem.space.groups().len() as u32).collect(),
        };
        self.cut(all, most, run)
    }

    fn cut(&self, part: Vec<u32>, most: usize, run: &Run<'_>) -> Result<Tree> {
        let large = part.len() > PARALLEL;
        let sides = if part.len() <= most || run.time_is_up()? { None } else { self.split(&part) };
        let Some(Sides { left, right, severed }) = sides else {
            return Ok(Tree::Block(self.rows(&part), part.len()));
        };
        drop(part);
        let (left, right) = if large {
            rayon::join(|| self.cut(left, most, run), || self.cut(right, most, run))
        } else {
            (self.cut(left, most, run), self.cut(right, most, run))
        };
        Ok(Tree::Cut { left: Box::new(left?), right: Box::new(right?), severed })
    }

    fn rows(&self, part: &[u32]) -> Vec<u32> {
        let groups = self.problem.space.groups();
        let mut rows: Vec<u32> =
            self.groups(part).flat_map(|group| groups.rows(group as usize)).copied().collect();
        rows.sort_unstable();
        rows
    }

    /// All groups of a part.
    fn groups<'p>(&'p self, part: &'p [u32]) -> impl Iterator<Item = u32> + 'p {
        let all = |group: &'p u32| match self.tuples {
            Some(tuples) => tuples.like(group),
            None => std::slice::from_ref(group),
        };
        part.iter().flat_map(all).copied()
    }

    /// Both sides of the best cut whose sides satisfy the demands. What looked balanced in the sample may not be: then the
    /// part is halved in the order of its codes, and only where that will not do either, a lopsided cut is made.
    fn split(&self, part: &[u32]) -> Option<Sides> {
        let sample = Sample::new(self.problem, &self.children, part);
        let mut lopsided: Option<Sides> = None;
        for (cut, severed) in sample.cuts() {
            let codes = self.problem.space.codes(cut.dim);
            let (left, right): (Vec<u32>, Vec<u32>) =
                part.iter().partition(|&&g| cut.is_left(codes[g as usize]));
            let sides = Sides { left, right, severed };
            if sides.smaller() * LOPSIDED < part.len() {
                let rival = lopsided.as_ref().map_or(part.len() / CHAIN, Sides::smaller);
                if sides.smaller() > rival && self.both(&sides) {
                    lopsided = Some(sides);
                }
            } else if self.both(&sides) {
                return Some(sides);
            }
        }
        Some(self.halves(part)).filter(|sides| self.both(sides)).or(lopsided)
    }

    fn halves(&self, part: &[u32]) -> Sides {
        let space = self.problem.space;
        let key = |g: u32| (0..space.dims()).map(move |dim| space.codes(dim)[g as usize]);
        let mut sorted = part.to_vec();
        sorted.sort_by(|&a, &b| key(a).cmp(key(b)).then(a.cmp(&b)));
        let right = sorted.split_off(part.len() / 2);
        Sides { left: sorted, right, severed: 1.0 }
    }

    fn both(&self, sides: &Sides) -> bool {
        self.admissible(&sides.left) && self.admissible(&sides.right)
    }

    fn admissible(&self, side: &[u32]) -> bool {
        let (groups, columns) = (self.problem.space.groups(), self.problem.space.sensitive());
        let items = self.groups(side).map(|group| (group, groups.rows(group as usize).len() as u32));
        self.problem.demands.hold_together(items, |column, group: u32| columns[column][group as usize])
    }
}

/// How good a cut is.
struct Score {
    lopsided: bool,
    /// Severed ties per bit of information.
    lost_per_bit: f64,
    /// The share of near ties that it severs.
    near: f64,
}

/// Some rows of a part, and who is tied to whom, by group.
struct Sample<'a> {
    space: &'a Space<'a>,
    children: &'a [Vec<Vec<u32>>],
    groups: Vec<u32>,
    far: Vec<(u32, u32)>,
    near: Vec<(u32, u32)>,
}

impl<'a> Sample<'a> {
    fn new(problem: Problem<'a>, children: &'a [Vec<Vec<u32>>], part: &[u32]) -> Self {
        let (space, k) = (problem.space, problem.demands.k() as usize);
        let count = (part.len() / ONE_IN).clamp(SAMPLE.start, SAMPLE.end);
        let groups: Vec<u32> = evenly(part.len(), count).map(|at| part[at]).collect();
        let far = NearPairs::new(space, &groups).all(count, FAR);
        let near = NearPairs::new(space, part).all(SEEDS, (k - 1).clamp(1, NEAR));
        Self { space, children, groups, far, near }
    }

    fn code(&self, dim: usize, at: usize) -> u32 {
        self.space.codes(dim)[self.groups[at] as usize]
    }

    /// All cuts, best first, with the share of near ties they sever; lopsided ones are the last resort.
    fn cuts(&self) -> Vec<(Cut, f64)> {
        let mut ranked: Vec<(Score, Cut)> = Vec::new();
        for dim in 0..self.space.dims() {
            let cuts = self.candidates(dim).into_iter().map(|left| Cut { dim, left });
            ranked.extend(cuts.filter_map(|cut| Some((self.score(&cut)?, cut))));
        }
        // Stable: of equally good cuts the first.
        ranked.sort_by(|(a, _), (b, _)| {
            a.lopsided.cmp(&b.lopsided).then(a.lost_per_bit.total_cmp(&b.lost_per_bit))
        });
        ranked.into_iter().map(|(score, cut)| (cut, score.near)).collect()
    }

    /// What a cut loses; none where all lie on one side.
    fn score(&self, cut: &Cut) -> Option<Score> {
        let codes = self.space.codes(cut.dim);
        let is_left = |group: u32| cut.is_left(codes[group as usize]);
        let severed = |ties: &[(u32, u32)]| {
            let count = ties.iter().filter(|(a, b)| is_left(*a) != is_left(*b)).count();
            count as f64 / ties.len().max(1) as f64
        };
        let left = self.groups.iter().filter(|&&group| is_left(group)).count();
        let share = left as f64 / self.groups.len() as f64;
        let smaller = share.min(1.0 - share);
        if smaller <= 0.0 {
            return None;
        }
        let bits = -share * share.log2() - (1.0 - share) * (1.0 - share).log2();
        let (far, near) = (severed(&self.far), severed(&self.near));
        // Of cuts that sever nothing the more balanced one.
        let lost_per_bit = (far + NEARER * near + 1.0 / self.far.len().max(1) as f64) / bits;
        Some(Score { lopsided: smaller < LEAST, lost_per_bit, near })
    }

    /// Which codes may go left, attribute by attribute.
    fn candidates(&self, dim: usize) -> Vec<Left> {
        let attribute = self.space.attribute(dim);
        let codes = (0..self.groups.len()).map(|at| self.code(dim, at));
        match &attribute.domain {
            Domain::Tree(h) => {
                let mut count = vec![0usize; attribute.code_count() as usize];
                codes.for_each(|code| count[code as usize] += 1);
                children(h, &self.children[dim], &count).into_iter().map(Left::Marked).collect()
            }
            Domain::Interval(_) => places(codes.collect()),
        }
    }
}

/// The children of a node dealt to both sides as evenly as they can be, for every node on the way down to where most are.
fn children(h: &Hierarchy, below: &[Vec<u32>], count: &[usize]) -> Vec<Vec<bool>> {
    let weight = |node: u32| -> usize {
        let leaves = h.leaves(node);
        count[leaves.start as usize..leaves.end as usize].iter().sum()
    };
    let mut found = Vec::new();
    let mut node = h.root();
    loop {
        let mut ranked: Vec<(usize, u32)> =
            below[node as usize].iter().map(|&child| (weight(child), child)).collect();
        ranked.sort_by_key(|&(weight, child)| (std::cmp::Reverse(weight), child));
        let Some(&(heaviest, next)) = ranked.first() else { return found };
        if heaviest == 0 {
            return found;
        }
        if heaviest < weight(node) {
            found.push(dealt(h, &ranked, count));
        }
        node = next;
    }
}

/// Children by weight, each to the lighter side; what lies outside the node counts as one of them. A sample does not see all
/// values, so each counts a little.
fn dealt(h: &Hierarchy, ranked: &[(usize, u32)], count: &[usize]) -> Vec<bool> {
    let all: usize = count.iter().sum();
    let inside: usize = ranked.iter().map(|(weight, _)| weight).sum();
    let mut left = vec![false; count.len()];
    let unseen = count.len();
    let (mut on_left, mut on_right) = (0, (all - inside) * unseen);
    for &(weight, child) in ranked {
        let leaves = h.leaves(child);
        let weight = weight * unseen + leaves.len();
        if on_left <= on_right {
            on_left += weight;
            left[leaves.start as usize..leaves.end as usize].fill(true);
        } else {
            on_right += weight;
        }
    }
    left
}

/// Between values, at evenly spaced ranks.
fn places(mut codes: Vec<u32>) -> Vec<Left> {
    codes.sort_unstable();
    let all = codes.len();
    let mut found = Vec::new();
    let (mut seen, mut next) = (0, 1);
    for equal in codes.chunk_by(|a, b| a == b) {
        seen += equal.len();
        if seen < all && seen * PLACES >= next * all {
            found.push(Left::UpTo(equal[0]));
            next = seen * PLACES / all + 1;
        }
    }
    found
}
