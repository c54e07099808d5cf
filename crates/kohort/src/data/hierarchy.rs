//! Value generalization hierarchies: any tree, unbalanced allowed, tens of thousands of leaves allowed.
//!
//! Nodes are numbered so that the numbers themselves answer questions: leaves are `0..leaf_count()` in
//! depth-first order, every inner node comes after all nodes below it, and the root is last. The leaves below
//! a node are therefore one contiguous range, and "is `a` below `b`" needs no table.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{Error, Result};

/// A node of a [`Hierarchy`]; leaves come first.
pub type Node = u32;

/// The label of the root that is added where a hierarchy file has none of its own.
pub const ROOT_LABEL: &str = "*";

/// A tree of values: leaves are the values of the table, inner nodes what they generalize to.
///
/// ```
/// use kohort::data::Hierarchy;
/// let h = Hierarchy::from_paths("zip", [["41075", "410**", "*"], ["41076", "410**", "*"], ["48201", "482**", "*"]])?;
/// let (a, b, c) = (h.leaf("41075").unwrap(), h.leaf("41076").unwrap(), h.leaf("48201").unwrap());
/// assert_eq!(h.label(h.lca(a, b)), "410**");
/// assert_eq!(h.label(h.lca(a, c)), "*");
/// # Ok::<(), kohort::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    name: String,
    labels: Vec<String>,
    parent: Vec<Node>,
    depth: Vec<u32>,
    height: Vec<u32>,
    leaves: Vec<Range<u32>>,
    by_label: FxHashMap<String, Node>,
}

impl Hierarchy {
    /// Builds a hierarchy from leaf-to-root paths, the form of the CSV files of ARX and anjana.
    pub fn from_paths<P, S>(name: &str, paths: impl IntoIterator<Item = P>) -> Result<Self>
    where
        P: IntoIterator<Item = S>,
        S: Into<String>,
    {
        let mut builder = HierarchyBuilder::new(name);
        for (i, path) in paths.into_iter().enumerate() {
            builder.path(i + 1, path.into_iter().map(Into::into).collect());
        }
        builder.finish()
    }

    /// The hierarchy of a category nobody wrote one for: every value generalizes to `*` at once.
    pub fn flat<S: Into<String>>(name: &str, values: impl IntoIterator<Item = S>) -> Result<Self> {
        Self::from_paths(name, values.into_iter().map(|v| [v.into(), ROOT_LABEL.to_owned()]))
    }

    /// The column or file this hierarchy was made for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// A hierarchy always has a root, so this is always false; it keeps `len` company.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Number of leaves; leaves are the nodes `0..leaf_count()`.
    pub fn leaf_count(&self) -> u32 {
        self.leaves[self.root() as usize].end
    }

    /// The node above all others.
    pub fn root(&self) -> Node {
        self.labels.len() as Node - 1
    }

    /// Whether the node is a value of the table.
    pub fn is_leaf(&self, node: Node) -> bool {
        node < self.leaf_count()
    }

    /// What is published for the node.
    pub fn label(&self, node: Node) -> &str {
        &self.labels[node as usize]
    }

    /// The node directly above, none for the root.
    pub fn parent(&self, node: Node) -> Option<Node> {
        (node != self.root()).then(|| self.parent[node as usize])
    }

    /// Edges between the root and the node.
    pub fn depth(&self, node: Node) -> u32 {
        self.depth[node as usize]
    }

    /// Edges on the longest path below the node: `height(sub(w))` of paper 001; 0 for every leaf.
    pub fn height_of(&self, node: Node) -> u32 {
        self.height[node as usize]
    }

    /// Edges between the root and the deepest leaf.
    pub fn height(&self) -> u32 {
        self.height_of(self.root())
    }

    /// The leaves below the node (itself, for a leaf).
    pub fn leaves(&self, node: Node) -> Range<u32> {
        self.leaves[node as usize].clone()
    }

    /// Whether `below` is `above` or lies under it.
    pub fn contains(&self, above: Node, below: Node) -> bool {
        self.depth(above) <= self.depth(below) && self.ancestor_at(below, self.depth(above)) == above
    }

    /// The lowest common ancestor. O(depth).
    pub fn lca(&self, a: Node, b: Node) -> Node {
        let depth = self.depth(a).min(self.depth(b));
        let (mut a, mut b) = (self.ancestor_at(a, depth), self.ancestor_at(b, depth));
        while a != b {
            (a, b) = (self.parent[a as usize], self.parent[b as usize]);
        }
        a
    }

    fn ancestor_at(&self, mut node: Node, depth: u32) -> Node {
        while self.depth(node) > depth {
            node = self.parent[node as usize];
        }
        node
    }

    /// The leaf with this label.
    pub fn leaf(&self, label: &str) -> Option<Node> {
        let node = self.node(label)?;
        if self.is_leaf(node) {
            return Some(node);
        }
        // A label may name a leaf and a group; the map holds the group.
        self.leaves(self.root()).find(|&leaf| self.label(leaf) == label)
    }

    /// The node a published label stands for. Where a label names several nodes, the one with most leaves: a reader
    /// of the release cannot exclude it.
    pub fn node(&self, label: &str) -> Option<Node> {
        self.by_label.get(label).copied()
    }

    /// Whether a leaf may be published under the label of `node`: it lies below the node, or a label that names several
    /// nodes names one above the leaf, or the leaf itself.
    pub fn reads_as(&self, leaf: Node, node: Node) -> bool {
        let shared = || self.by_label.len() < self.labels.len();
        let mut above = std::iter::successors(Some(leaf), |&n| self.parent(n));
        self.leaves(node).contains(&leaf) || (shared() && above.any(|n| self.label(n) == self.label(node)))
    }

    /// The nodes directly below, in order.
    pub fn children(&self, node: Node) -> Vec<Node> {
        (0..self.root()).filter(|&n| self.parent[n as usize] == node).collect()
    }

    /// The nodes directly below every node, in order: one pass for those who visit the whole tree.
    pub fn children_lists(&self) -> Vec<Vec<Node>> {
        let mut lists = vec![Vec::new(); self.len()];
        for node in 0..self.root() {
            lists[self.parent[node as usize] as usize].push(node);
        }
        // Leaves and groups are numbered apart; what lies below a node is contiguous, so its start gives the order.
        for list in &mut lists {
            list.sort_unstable_by_key(|&n| self.leaves[n as usize].start);
        }
        lists
    }

    /// The labels from a leaf up to the root.
    pub fn path(&self, leaf: Node) -> Vec<&str> {
        std::iter::successors(Some(leaf), |&n| self.parent(n)).map(|n| self.label(n)).collect()
    }

    /// The same tree with one more leaf directly below the root, unless a leaf of that label exists.
    pub fn with_leaf(self, label: &str) -> Result<Self> {
        if self.leaf(label).is_some() {
            return Ok(self);
        }
        let mut builder = HierarchyBuilder::new(&self.name);
        for leaf in 0..self.leaf_count() {
            builder.path(leaf as usize + 1, self.path(leaf).into_iter().map(str::to_owned).collect());
        }
        let root = self.label(self.root()).to_owned();
        builder.path(self.leaf_count() as usize + 1, vec![label.to_owned(), root]);
        builder.finish()
    }
}

/// Collects leaf-to-root paths and every contradiction among them, so that all can be named at once.
#[derive(Debug)]
pub struct HierarchyBuilder {
    name: String,
    paths: Vec<(usize, Vec<String>)>,
}

/// One thing wrong (or merely odd) with a hierarchy file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// 1-based line in the file.
    pub line: usize,
    /// What is wrong, with the labels concerned.
    pub what: String,
    /// Whether the hierarchy cannot be used because of it.
    pub fatal: bool,
}

impl HierarchyBuilder {
    /// An empty tree for the named column or file.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), paths: Vec::new() }
    }

    /// Adds one leaf with all that stands above it; `line` is where a person can find it.
    pub fn path(&mut self, line: usize, labels: Vec<String>) {
        self.paths.push((line, labels));
    }

    /// All that is wrong with the paths given so far.
    pub fn findings(&self) -> Vec<Finding> {
        self.grow().1
    }

    /// The tree by first mention, contradictions or not: good for telling which values a broken file has, never
    /// for a release. None without any value.
    pub fn draft(&self) -> Option<Hierarchy> {
        let seedling = self.grow().0;
        (seedling.leaves > 0).then(|| seedling.number(self.name.clone()))
    }

    /// The tree, or an error that names every contradiction with its line.
    pub fn finish(self) -> Result<Hierarchy> {
        let (seedling, findings) = self.grow();
        let fatal: Vec<_> = findings.iter().filter(|f| f.fatal).collect();
        if seedling.leaves == 0 {
            return Err(Error::input(
                "the hierarchy has no values, expected one line per value of the column",
            )
            .at(format!("hierarchy of '{}'", self.name)));
        }
        if fatal.is_empty() {
            return Ok(seedling.number(self.name));
        }
        let lines: Vec<_> = fatal.iter().map(|f| format!("    line {}: {}", f.line, f.what)).collect();
        Err(Error::input(format!("the hierarchy contradicts itself:\n{}", lines.join("\n")))
            .at(format!("hierarchy of '{}'", self.name))
            .help("give every value exactly one line, and every group exactly one parent"))
    }

    /// Builds the tree top-down. Two paths share a node when they share the label at the same distance from the
    /// leaf *and* the file is consistent, that is, agrees on everything above it.
    fn grow(&self) -> (Seedling, Vec<Finding>) {
        let mut findings = Vec::new();
        let rootless = self.common_root().is_none();
        let mut tree = Seedling::new(self.common_root().unwrap_or(ROOT_LABEL).to_owned());
        let mut parent_of: FxHashMap<(usize, &str), (usize, &str)> = FxHashMap::default();
        let mut first_line: FxHashMap<&str, (usize, &[String])> = FxHashMap::default();
        for (line, path) in &self.paths {
            let Some(leaf) = path.first() else { continue };
            if let Some((first, earlier)) = first_line.get(leaf.as_str()) {
                let same = *earlier == path.as_slice();
                let what = if same {
                    format!("'{leaf}' repeats line {first}")
                } else {
                    format!("'{leaf}' has another path on line {first}: a value must have one parent")
                };
                findings.push(Finding { line: *line, what, fatal: !same });
                continue;
            }
            first_line.insert(leaf, (*line, path));
            for (level, pair) in path.windows(2).enumerate().skip(1) {
                let (before, above) = parent_of.entry((level, &pair[0])).or_insert((*line, &pair[1]));
                if *above != pair[1] {
                    let what = format!(
                        "group '{}' lies below '{}' here and below '{above}' on line {before}",
                        pair[0], pair[1]
                    );
                    findings.push(Finding { line: *line, what, fatal: true });
                }
            }
            let inner = if rootless { &path[1..] } else { &path[1..path.len().max(2) - 1] };
            tree.plant(leaf, inner);
        }
        self.ambiguous(&mut findings);
        (tree, findings)
    }

    /// The label all paths end with, when there is one and no path consists of it alone.
    fn common_root(&self) -> Option<&str> {
        let root = self.paths.first()?.1.last()?;
        self.paths.iter().all(|(_, p)| p.last() == Some(root) && p.len() > 1).then_some(root.as_str())
    }

    /// A label that names both a value and a group cannot be told apart in a release.
    fn ambiguous(&self, findings: &mut Vec<Finding>) {
        let leaves: FxHashMap<&str, usize> =
            self.paths.iter().filter_map(|(line, p)| Some((p.first()?.as_str(), *line))).collect();
        let mut named: FxHashSet<&str> = FxHashSet::default();
        for (line, path) in &self.paths {
            for group in path.iter().skip(1) {
                if *group == path[0] || named.contains(group.as_str()) || !leaves.contains_key(group.as_str())
                {
                    continue;
                }
                named.insert(group);
                let what = format!(
                    "'{group}' is a group here and a value on line {}: a release cannot tell them apart",
                    leaves[group.as_str()]
                );
                findings.push(Finding { line: *line, what, fatal: false });
            }
        }
    }
}

/// A tree while it grows: node 0 is the root, children in order of first mention.
struct Seedling {
    nodes: Vec<Sprout>,
    child: FxHashMap<(usize, String), usize>,
    leaves: usize,
}

struct Sprout {
    label: String,
    children: Vec<usize>,
    leaf: bool,
}

impl Seedling {
    fn new(root: String) -> Self {
        let nodes = vec![Sprout { label: root, children: Vec::new(), leaf: false }];
        Self { nodes, child: FxHashMap::default(), leaves: 0 }
    }

    /// Adds a leaf below the groups `inner` (lowest first).
    fn plant(&mut self, leaf: &str, inner: &[String]) {
        let mut at = 0;
        for group in inner.iter().rev() {
            at = self.child_of(at, group);
        }
        let node = self.push(at, leaf);
        self.nodes[node].leaf = true;
        self.leaves += 1;
    }

    fn child_of(&mut self, at: usize, label: &str) -> usize {
        if let Some(&node) = self.child.get(&(at, label.to_owned())) {
            return node;
        }
        let node = self.push(at, label);
        self.child.insert((at, label.to_owned()), node);
        node
    }

    fn push(&mut self, at: usize, label: &str) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Sprout { label: label.to_owned(), children: Vec::new(), leaf: false });
        self.nodes[at].children.push(node);
        node
    }

    /// Numbers leaves in depth-first order, then inner nodes in post-order, and derives the rest.
    fn number(self, name: String) -> Hierarchy {
        let (mut leaves, mut inner) = (Vec::new(), Vec::new());
        let mut stack = vec![(0, false)];
        while let Some((node, done)) = stack.pop() {
            if self.nodes[node].leaf {
                leaves.push(node);
            } else if done {
                inner.push(node);
            } else {
                stack.push((node, true));
                stack.extend(self.nodes[node].children.iter().rev().map(|&c| (c, false)));
            }
        }
        let order: Vec<usize> = leaves.into_iter().chain(inner).collect();
        self.derive(name, &order)
    }

    fn derive(mut self, name: String, order: &[usize]) -> Hierarchy {
        let n = order.len();
        let mut number = vec![0u32; n];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new as u32;
        }
        let mut h = Hierarchy {
            name,
            labels: order.iter().map(|&old| std::mem::take(&mut self.nodes[old].label)).collect(),
            parent: vec![n as u32 - 1; n],
            depth: vec![0; n],
            height: vec![0; n],
            leaves: vec![0..0; n],
            by_label: FxHashMap::default(),
        };
        for (new, &old) in order.iter().enumerate() {
            if self.nodes[old].leaf {
                h.leaves[new] = new as u32..new as u32 + 1;
            }
            for &child in &self.nodes[old].children {
                let c = number[child] as usize;
                h.parent[c] = new as u32;
                h.height[new] = h.height[new].max(h.height[c] + 1);
                let below = h.leaves[c].clone();
                let so_far = &mut h.leaves[new];
                *so_far = if so_far.start == so_far.end { below } else { so_far.start..below.end };
            }
        }
        for node in (0..n.saturating_sub(1)).rev() {
            h.depth[node] = h.depth[h.parent[node] as usize] + 1;
        }
        for node in 0..n {
            // Later nodes have at least as many leaves below any label they share on one path.
            let widest = h.by_label.entry(h.labels[node].clone()).or_insert(node as u32);
            if h.leaves[node].len() > h.leaves[*widest as usize].len() {
                *widest = node as u32;
            }
        }
        h
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zip() -> Hierarchy {
        let paths = [
            ["41075", "410**", "*"],
            ["41076", "410**", "*"],
            ["41099", "410**", "*"],
            ["48201", "482**", "*"],
        ];
        Hierarchy::from_paths("zip", paths).unwrap()
    }

    #[test]
    fn numbers_leaves_first_and_the_root_last() {
        let h = zip();
        assert_eq!((h.len(), h.leaf_count(), h.height()), (7, 4, 2));
        assert_eq!(h.label(h.root()), "*");
        assert_eq!(h.leaves(h.node("410**").unwrap()), 0..3);
        assert_eq!(h.height_of(h.node("410**").unwrap()), 1);
    }

    #[test]
    fn lowest_common_ancestors_and_containment_agree() {
        let h = zip();
        for a in 0..h.len() as Node {
            for b in 0..h.len() as Node {
                let up = h.lca(a, b);
                assert!(h.contains(up, a) && h.contains(up, b));
                let lower = (0..h.len() as Node).filter(|&n| h.contains(n, a) && h.contains(n, b));
                assert_eq!(Some(up), lower.min_by_key(|&n| h.leaves(n).len()));
            }
        }
    }

    #[test]
    fn unbalanced_trees_keep_leaves_at_height_zero() {
        let h = Hierarchy::from_paths("place", [vec!["a", "A", "AA", "*"], vec!["b", "*"]]).unwrap();
        assert_eq!(h.height(), 3);
        let b = h.leaf("b").unwrap();
        assert_eq!((h.height_of(b), h.depth(b)), (0, 1));
    }

    #[test]
    fn children_are_listed_in_the_order_of_their_leaves() {
        let h = Hierarchy::from_paths("place", [vec!["a", "A", "*"], vec!["b", "*"], vec!["c", "C", "*"]])
            .unwrap();
        let lists = h.children_lists();
        let labels: Vec<_> = lists[h.root() as usize].iter().map(|&n| h.label(n)).collect();
        assert_eq!(labels, ["A", "b", "C"]);
        assert!(lists[h.leaf("b").unwrap() as usize].is_empty());
    }

    #[test]
    fn a_missing_root_is_added() {
        let h = Hierarchy::from_paths("sex", [["f"], ["m"]]).unwrap();
        assert_eq!((h.label(h.root()), h.leaf_count()), ("*", 2));
        let h = Hierarchy::from_paths("zip", [["1", "west"], ["2", "east"]]).unwrap();
        assert_eq!((h.label(h.root()), h.height()), ("*", 2));
    }

    #[test]
    fn every_contradiction_is_named_with_its_line() {
        let paths = [["a", "A", "*"], ["b", "B", "*"], ["a", "B", "*"], ["b", "B", "*"]];
        let message = Hierarchy::from_paths("x", paths).unwrap_err().to_string();
        assert!(message.contains("line 3: 'a' has another path on line 1"), "{message}");
        assert!(!message.contains("line 4"), "a repeated line is no contradiction: {message}");
        let paths = [["a", "G", "x", "*"], ["b", "G", "y", "*"]];
        let message = Hierarchy::from_paths("x", paths).unwrap_err().to_string();
        assert!(message.contains("group 'G' lies below 'y' here and below 'x' on line 1"), "{message}");
    }

    #[test]
    fn a_leaf_can_be_added_below_the_root() {
        let h = zip().with_leaf("").unwrap();
        assert_eq!(h.leaf_count(), 5);
        assert_eq!(h.lca(h.leaf("").unwrap(), 0), h.root());
        assert_eq!(h.clone().with_leaf("").unwrap(), h);
    }

    #[test]
    fn fifty_thousand_leaves_are_no_trouble() {
        let paths = (0..50_000).map(|i| {
            vec![format!("{i:05}"), format!("{:03}**", i / 100), format!("{}", i / 5000), "*".into()]
        });
        let h = Hierarchy::from_paths("code", paths).unwrap();
        assert_eq!(h.leaf_count(), 50_000);
        assert_eq!(h.label(h.lca(h.leaf("12345").unwrap(), h.leaf("12399").unwrap())), "123**");
    }
}
