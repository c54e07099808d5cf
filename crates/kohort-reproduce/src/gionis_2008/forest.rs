//! The forest algorithm with whole trees of up to 3k − 3 rows. 3k − 3 is the approximation ratio that Gionis et al. 2008 names, read
//! here as the largest tree.
//!
//! `forest` of the library cuts wherever both parts keep k rows, and grows the smallest tree first. Here the trees grow in the
//! order of the rows, and only those above the bound are cut, by the same rule.

use kohort::Result;
use kohort::data::{Attribute, Domain, Hierarchy};
use kohort::measure::{Gauge, Measure};
use rustc_hash::FxHashMap;

use crate::sets::Set;

/// The loss at one k.
pub(super) fn loss(set: &Set, measure: Measure, k: u32) -> Result<f64> {
    let ruler = Ruler::new(set, measure)?;
    let mut forest = Forest::grown(&ruler, k as usize);
    let roots = forest.roots();
    let parts: Vec<Vec<usize>> = roots.into_iter().flat_map(|root| forest.parts(root, k as usize)).collect();
    Ok(ruler.loss(&parts))
}

/// What a fully lost cell costs.
const ONE: u32 = 1 << 24;

/// What cells cost, as whole numbers so that ties are ties.
struct Ruler<'a> {
    trees: &'a [Hierarchy],
    leaves: Vec<Vec<u32>>,
    costs: Vec<Vec<u64>>,
}

impl<'a> Ruler<'a> {
    fn new(set: &'a Set, measure: Measure) -> Result<Self> {
        let leaves: Vec<Vec<u32>> = set.leaves()?.iter().map(|codes| codes.iter().collect()).collect();
        let costs = set.trees.iter().zip(&leaves).map(|(tree, leaves)| {
            let mut counts = vec![0; tree.leaf_count() as usize];
            for &leaf in leaves {
                counts[leaf as usize] += 1;
            }
            let attribute = Attribute::new(tree.name(), Domain::Tree(tree.clone()), counts);
            let gauge = Gauge::new(measure, &attribute);
            (0..tree.len() as u32).map(|node| (gauge.node(node) * f64::from(ONE)).round() as u64).collect()
        });
        Ok(Self { trees: &set.trees, costs: costs.collect(), leaves })
    }

    fn rows(&self) -> usize {
        self.leaves[0].len()
    }

    /// The row that costs least together with the given one, among those that are allowed.
    fn nearest(&self, row: usize, allowed: impl Fn(usize) -> bool) -> Option<usize> {
        let mut sums = vec![0; self.rows()];
        for ((tree, leaves), costs) in self.trees.iter().zip(&self.leaves).zip(&self.costs) {
            let joined = |leaf| costs[tree.lca(leaves[row], leaf) as usize];
            let table: Vec<u64> = (0..tree.leaf_count()).map(joined).collect();
            sums.iter_mut().zip(leaves).for_each(|(sum, &leaf)| *sum += table[leaf as usize]);
        }
        (0..self.rows()).filter(|&other| allowed(other)).min_by_key(|&other| sums[other])
    }

    /// Loss per cell when each part is published as its closure.
    fn loss(&self, parts: &[Vec<usize>]) -> f64 {
        let of_part = |part: &Vec<usize>| {
            let cells = self.trees.iter().zip(&self.leaves).zip(&self.costs);
            let cost = cells.map(|((tree, leaves), costs)| {
                let node = part.iter().map(|&row| leaves[row]).reduce(|a, b| tree.lca(a, b));
                node.map_or(0, |node| costs[node as usize])
            });
            part.len() as u64 * cost.sum::<u64>()
        };
        let total: u64 = parts.iter().map(of_part).sum();
        total as f64 / f64::from(ONE) / (self.rows() * self.trees.len()) as f64
    }
}

/// Trees as lists of neighbours. Vertices after the rows are Steiner vertices: they hold a part together and count nothing.
struct Forest {
    rows: usize,
    neighbours: Vec<Vec<usize>>,
}

impl Forest {
    /// Row after row: while its tree has fewer than k rows, the one vertex without an outgoing edge gets one.
    fn grown(ruler: &Ruler<'_>, k: usize) -> Self {
        let rows = ruler.rows();
        let mut neighbours = vec![Vec::new(); rows];
        let mut tree_of: Vec<usize> = (0..rows).collect();
        let mut members: Vec<Vec<usize>> = (0..rows).map(|row| vec![row]).collect();
        for row in 0..rows {
            while members[tree_of[row]].len() < k {
                // A tree is called like its vertex without an outgoing edge.
                let from = tree_of[row];
                let Some(to) = ruler.nearest(from, |other| tree_of[other] != from) else { break };
                neighbours[from].push(to);
                neighbours[to].push(from);
                let moved = std::mem::take(&mut members[from]);
                for &member in &moved {
                    tree_of[member] = tree_of[to];
                }
                members[tree_of[to]].extend(moved);
            }
        }
        Self { rows, neighbours }
    }

    /// The lowest row of every tree.
    fn roots(&self) -> Vec<usize> {
        let mut seen = vec![false; self.rows];
        let mut roots = Vec::new();
        for row in 0..self.rows {
            if !seen[row] {
                roots.push(row);
                self.hang(row).0.into_iter().for_each(|vertex| seen[vertex] = true);
            }
        }
        roots
    }

    /// The rows of the parts into which a tree is cut.
    fn parts(&mut self, root: usize, k: usize) -> Vec<Vec<usize>> {
        let (mut parts, mut open) = (Vec::new(), vec![root]);
        while let Some(vertex) = open.pop() {
            match self.cut(vertex, k) {
                Some(pair) => open.extend(pair),
                None => parts.push(self.hang(vertex).0.into_iter().filter(|&v| v < self.rows).collect()),
            }
        }
        parts
    }

    /// Vertices from one of them outward, and the parent of each.
    fn hang(&self, from: usize) -> (Vec<usize>, FxHashMap<usize, usize>) {
        let (mut order, mut parent) = (vec![from], FxHashMap::default());
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            for &other in &self.neighbours[vertex] {
                if parent.get(&vertex) != Some(&other) {
                    parent.insert(other, vertex);
                    order.push(other);
                }
            }
            next += 1;
        }
        (order, parent)
    }

    /// Cuts a tree of more than 3k − 3 rows in two with at least k each, where that is possible; a vertex of each.
    fn cut(&mut self, root: usize, k: usize) -> Option<[usize; 2]> {
        let (order, parent) = self.hang(root);
        let mut below: FxHashMap<usize, usize> =
            order.iter().map(|&v| (v, usize::from(v < self.rows))).collect();
        for vertex in order[1..].iter().rev() {
            let mine = below[vertex];
            *below.entry(parent[vertex]).or_default() += mine;
        }
        let total = below[&root];
        if total <= (2 * k - 1).max(3 * k - 3) {
            return None;
        }
        let mut at = root;
        let mut around = loop {
            let size = |&v: &usize| {
                if parent.get(&at) == Some(&v) { (total - below[&at], v) } else { (below[&v], v) }
            };
            let around: Vec<(usize, usize)> = self.neighbours[at].iter().map(size).collect();
            if let Some(&(_, other)) = around.iter().find(|(w, _)| *w >= k && total - w >= k) {
                self.neighbours[at].retain(|&v| v != other);
                self.neighbours[other].retain(|&v| v != at);
                return Some([at, other]);
            }
            match around.iter().find(|(w, _)| *w >= k) {
                Some(&(_, other)) => at = other,
                None => break around,
            }
        };
        // All subtrees have fewer than k rows: they are dealt to two sides, large ones first.
        let own = usize::from(at < self.rows);
        around.sort_unstable_by_key(|&(w, v)| (w != k - own, std::cmp::Reverse(w), v));
        let mut first = 0;
        let mut one = 0;
        while one < k - own && first < around.len() {
            one += around[first].0;
            first += 1;
        }
        let two = total - own - one;
        if one.min(two) + own < k || one.max(two) < k {
            return None;
        }
        let moved: Vec<usize> =
            if one <= two { &around[first..] } else { &around[..first] }.iter().map(|&(_, v)| v).collect();
        let steiner = self.neighbours.len();
        self.neighbours[at].retain(|v| !moved.contains(v));
        for &v in &moved {
            self.neighbours[v].iter_mut().filter(|n| **n == at).for_each(|n| *n = steiner);
        }
        self.neighbours.push(moved);
        Some([at, steiner])
    }
}
