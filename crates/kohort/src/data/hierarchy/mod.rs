//! Value generalization hierarchies: any tree, unbalanced allowed, tens of thousands of leaves allowed.
//!
//! Nodes are numbered so that the numbers themselves answer questions: leaves are `0..leaf_count()` in
//! depth-first order, every inner node comes after all nodes below it, and the root is last. The leaves below
//! a node are therefore one contiguous range, and "is `a` below `b`" needs no table.

mod builder;
pub mod recipes;

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub use builder::{Finding, HierarchyBuilder};

use super::stored::StoredHierarchy;
use crate::error::Result;

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredHierarchy", try_from = "StoredHierarchy")]
pub struct Hierarchy {
    pub(in crate::data) name: String,
    pub(in crate::data) labels: Vec<String>,
    pub(in crate::data) parent: Vec<Node>,
    pub(in crate::data) depth: Vec<u32>,
    pub(in crate::data) height: Vec<u32>,
    pub(in crate::data) leaves: Vec<Range<u32>>,
    pub(in crate::data) by_label: FxHashMap<String, Node>,
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
    #[inline]
    pub fn parent(&self, node: Node) -> Option<Node> {
        (node != self.root()).then(|| self.parent[node as usize])
    }

    /// Edges between the root and the node.
    pub fn depth(&self, node: Node) -> u32 {
        self.depth[node as usize]
    }

    /// Edges on the longest path below the node: `height(sub(w))` of Truta et al. 2008; 0 for every leaf.
    pub fn height_of(&self, node: Node) -> u32 {
        self.height[node as usize]
    }

    /// Edges between the root and the deepest leaf.
    pub fn height(&self) -> u32 {
        self.height_of(self.root())
    }

    /// The leaves below the node (itself, for a leaf).
    #[inline]
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

    /// The topmost of some nodes above a leaf, or the leaf itself where none is (the protected part of extended
    /// p-sensitivity, Campan and Truta 2006; `algorithms.md` §3.5).
    pub fn topmost(&self, leaf: Node, among: &[Node]) -> Node {
        let up = std::iter::successors(Some(leaf), |&node| self.parent(node));
        up.filter(|node| among.contains(node)).last().unwrap_or(leaf)
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
    fn a_label_at_two_places_is_refused() {
        let georgia = [["Tbilisi", "Georgia", "*"], ["Atlanta", "Georgia", "*"], ["Georgia", "Asia", "*"]];
        let message = Hierarchy::from_paths("x", georgia).unwrap_err().to_string();
        assert!(
            message.contains("line 3: 'Georgia' lies below 'Asia' here and below '*' on line 1"),
            "{message}"
        );
        let turned = [["a", "A", "B", "*"], ["b", "B", "A", "*"]];
        assert!(Hierarchy::from_paths("x", turned).is_err());
        let chain = [vec!["White", "White", "*"], vec!["Grey", "White", "*"], vec!["x", "y", "White", "*"]];
        assert!(Hierarchy::from_paths("x", chain).is_ok());
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
