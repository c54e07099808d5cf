//! How far the values of one column may be generalized.

use kohort::data::{Codes, Groups, Hierarchy, Node};
use kohort::input::{Column, JobSpec};
use kohort::{Error, Result};

use crate::sets::{Set, leaves, read_columns};

/// Boundaries of native-country that are tried: the United States may stand alone, and each continent is kept whole or in regions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Countries {
    alone: bool,
    /// America, Europe, Asia: whether their regions are the boundary.
    regions: [bool; 3],
}

impl Countries {
    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..16).map(|bits| Self { alone: bits & 8 > 0, regions: [bits & 4 > 0, bits & 2 > 0, bits & 1 > 0] })
    }

    /// In words.
    pub(super) fn name(self) -> String {
        let continent = |(name, regions): (&str, bool)| {
            if regions { format!("regions of {name}") } else { name.to_owned() }
        };
        let continents = ["America", "Europe", "Asia"].into_iter().zip(self.regions).map(continent);
        let alone = self.alone.then(|| "United-States".to_owned());
        alone.into_iter().chain(continents).collect::<Vec<_>>().join(", ")
    }

    /// The labels of the boundary in the tree.
    fn labels(self, tree: &Hierarchy) -> Vec<String> {
        let mut labels = Vec::new();
        for (continent, regions) in ["America", "Europe", "Asia"].into_iter().zip(self.regions) {
            let Some(node) = tree.node(continent) else { continue };
            if regions {
                let children = tree.children_lists().swap_remove(node as usize);
                labels.extend(children.into_iter().map(|child| tree.label(child).to_owned()));
            } else {
                labels.push(continent.to_owned());
            }
        }
        labels.extend(self.alone.then(|| "United-States".to_owned()));
        labels
    }
}

/// Steps from an age up to its highest allowed range, by name.
pub(super) const AGES: [(&str, u32); 3] = [("5 years", 1), ("10 years", 2), ("20 years", 3)];

/// A boundary in one column of a sample.
pub(super) struct Limit {
    pub(super) column: &'static str,
    tree: Hierarchy,
    /// The highest allowed node, by row.
    highest: Codes,
}

impl Limit {
    /// The boundary of native-country.
    pub(super) fn of_countries(set: &Set, countries: Countries) -> Result<Self> {
        let tree = tree_of(set, "native-country")?;
        let marked: Vec<Node> = countries.labels(&tree).iter().filter_map(|label| tree.node(label)).collect();
        Self::new(set, "native-country", tree, |node, _| marked.contains(&node))
    }

    /// The nodes so many steps above the values.
    pub(super) fn of_steps(set: &Set, column: &'static str, steps: u32) -> Result<Self> {
        Self::new(set, column, tree_of(set, column)?, |node, tree| tree.height_of(node) == steps)
    }

    /// `marked` says which nodes are boundaries; the first one on the way up counts, and the root where there is none.
    fn new(
        set: &Set,
        column: &'static str,
        tree: Hierarchy,
        marked: impl Fn(Node, &Hierarchy) -> bool,
    ) -> Result<Self> {
        let up = |leaf| std::iter::successors(Some(leaf), |&node| tree.parent(node));
        let highest = |leaf| up(leaf).find(|&node| marked(node, &tree)).unwrap_or(tree.root());
        let columns = read_columns(&set.table_file(), &[column])?;
        let leaves = leaves(&columns[0], &tree)?;
        let of_row: Codes = (0..leaves.len()).map(|row| highest(leaves.get(row))).collect();
        Ok(Self { column, highest: of_row, tree })
    }

    /// Cells of a release, in the order of the sample, that lie above what is allowed.
    pub(super) fn violations(&self, released: &[Column]) -> Result<u64> {
        let column = released.iter().find(|column| column.name == self.column);
        let column = column.ok_or_else(|| Error::internal("a column of the release is missing"))?;
        let node = |text: &String| {
            self.tree.node(text).ok_or_else(|| Error::internal(format!("'{text}' is in no tree")))
        };
        let nodes: Vec<Node> = column.texts.iter().map(node).collect::<Result<_>>()?;
        let above = |&row: &usize| {
            let (cell, highest) = (nodes[column.codes.get(row) as usize], self.highest.get(row));
            cell != highest && self.tree.contains(cell, highest)
        };
        Ok((0..column.codes.len()).filter(above).count() as u64)
    }

    /// Puts the boundary into a job.
    pub(super) fn bind(&self, mut job: JobSpec) -> JobSpec {
        let mut nodes: Vec<Node> = self.highest.iter().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let labels = nodes.into_iter().map(|node| self.tree.label(node).to_owned()).collect();
        job.columns.entry(self.column.to_owned()).or_default().max_generalization = Some(labels);
        job
    }
}

fn tree_of(set: &Set, column: &str) -> Result<Hierarchy> {
    let tree = set.trees.iter().find(|tree| tree.name() == column);
    tree.cloned().ok_or_else(|| Error::internal("a boundary needs a tree"))
}

/// Rows that no release within the boundaries can keep: fewer than k share their highest allowed values.
pub(super) fn beyond_help(limits: &[&Limit], k: u32) -> u64 {
    let columns: Vec<_> = limits.iter().map(|limit| (&limit.highest, limit.tree.len() as u32)).collect();
    let groups = Groups::by(limits[0].highest.len(), &columns);
    let sizes = (0..groups.len()).map(|group| groups.rows(group).len() as u64);
    sizes.filter(|&size| size < u64::from(k)).sum()
}
