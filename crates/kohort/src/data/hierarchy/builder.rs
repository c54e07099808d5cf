//! How a hierarchy grows from leaf-to-root paths, and everything that can be wrong with them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Hierarchy, ROOT_LABEL};
use crate::data::stored::by_label;
use crate::error::{Error, Result};

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

    /// All paths given so far, with their lines.
    pub(crate) fn paths(&self) -> &[(usize, Vec<String>)] {
        &self.paths
    }

    /// Takes the path that was given first out again.
    pub(crate) fn forget_first(&mut self) {
        if !self.paths.is_empty() {
            self.paths.remove(0);
        }
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
            .in_hierarchy_of(&self.name));
        }
        if fatal.is_empty() {
            return Ok(seedling.number(self.name));
        }
        let lines: Vec<_> = fatal.iter().map(|f| format!("    line {}: {}", f.line, f.what)).collect();
        Err(Error::input(format!("the hierarchy contradicts itself:\n{}", lines.join("\n")))
            .in_hierarchy_of(&self.name)
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
        let mut told: FxHashSet<&str> = FxHashSet::default();
        for (line, path) in &self.paths {
            let Some(leaf) = path.first() else { continue };
            if let Some((first, earlier)) = first_line.get(leaf.as_str()) {
                let same = *earlier == path.as_slice();
                if !same {
                    told.insert(leaf);
                }
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
                    told.insert(&pair[0]);
                }
            }
            let inner = if rootless { &path[1..] } else { &path[1..path.len().max(2) - 1] };
            tree.plant(leaf, inner);
        }
        self.torn(&mut told, &mut findings);
        self.ambiguous(&told, &mut findings);
        (tree, findings)
    }

    /// The label all paths end with, when there is one and no path consists of it alone.
    fn common_root(&self) -> Option<&str> {
        let root = self.paths.first()?.1.last()?;
        self.paths.iter().all(|(_, p)| p.last() == Some(root) && p.len() > 1).then_some(root.as_str())
    }

    /// A label at two places of the tree, neither above the other: who reads it in a release cannot know which is meant.
    /// Below itself it may stand again, there the wider meaning holds.
    fn torn<'a>(&'a self, told: &mut FxHashSet<&'a str>, findings: &mut Vec<Finding>) {
        let mut place: FxHashMap<&str, (usize, &[String])> = FxHashMap::default();
        for (line, path) in &self.paths {
            for (at, label) in path.iter().enumerate() {
                let above = &path[at + 1..];
                if above.contains(label) {
                    continue;
                }
                let (first, there) = *place.entry(label).or_insert((*line, above));
                if there != above && told.insert(label) {
                    let below =
                        |above: &[String]| above.first().map_or("nothing".into(), |a| format!("'{a}'"));
                    let what = format!(
                        "'{label}' lies below {} here and below {} on line {first}: a release cannot tell them apart",
                        below(above),
                        below(there)
                    );
                    findings.push(Finding { line: *line, what, fatal: true });
                }
            }
        }
    }

    /// A label that names both a value and a group above it is read as the group.
    fn ambiguous(&self, told: &FxHashSet<&str>, findings: &mut Vec<Finding>) {
        let leaves: FxHashMap<&str, usize> =
            self.paths.iter().filter_map(|(line, p)| Some((p.first()?.as_str(), *line))).collect();
        let mut named: FxHashSet<&str> = FxHashSet::default();
        for (line, path) in &self.paths {
            for group in path.iter().skip(1) {
                if *group == path[0]
                    || told.contains(group.as_str())
                    || named.contains(group.as_str())
                    || !leaves.contains_key(group.as_str())
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
        h.by_label = by_label(&h.labels, &h.leaves);
        h
    }
}
