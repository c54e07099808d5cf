//! One node in full: its classes, which of them fall short, and what all this costs.

use super::lattice::Lattice;
use crate::data::{Cell, numbered};

/// The classes of a node.
pub(super) struct View {
    pub(super) levels: Vec<u32>,
    /// Per group of equal rows: its class.
    class_of: Vec<u32>,
    /// Per class: how many rows it has.
    sizes: Vec<u64>,
    /// Per class: whether it falls short.
    short: Vec<bool>,
}

impl View {
    /// Puts every group of equal rows into its class.
    pub(super) fn new(lattice: &Lattice<'_>, levels: Vec<u32>) -> Self {
        let space = lattice.space;
        let column = |(dim, &level): (usize, &u32)| {
            let ((rung, width), codes) = (lattice.ladders[dim].rung(level), space.codes(dim));
            (width, move |group: usize| rung[codes[group] as usize])
        };
        let (keys, classes) = numbered(space.groups().len(), levels.iter().enumerate().map(column));
        let class_of: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
        let mut sizes = vec![0; classes];
        for (group, &class) in class_of.iter().enumerate() {
            sizes[class as usize] += space.groups().rows(group).len() as u64;
        }
        let short = short(lattice, &class_of, &sizes);
        Self { levels, class_of, sizes, short }
    }

    /// Rows in classes that fall short.
    pub(super) fn suppressed(&self) -> u64 {
        self.sizes.iter().zip(&self.short).filter(|(_, short)| **short).map(|(size, _)| size).sum()
    }

    /// The groups in classes that fall short.
    pub(super) fn suppressed_groups(&self) -> impl Iterator<Item = usize> + '_ {
        let of_group = self.class_of.iter().enumerate();
        of_group.filter(|(_, class)| self.short[**class as usize]).map(|(group, _)| group)
    }

    /// Number of classes that are published.
    pub(super) fn classes(&self) -> u64 {
        self.short.iter().filter(|short| !**short).count() as u64
    }

    /// Sum of squared sizes of the classes that are published.
    pub(super) fn squares(&self) -> u128 {
        let kept = self.sizes.iter().zip(&self.short).filter(|(_, short)| !**short);
        kept.map(|(&size, _)| u128::from(size).pow(2)).sum()
    }

    /// The discernability metric; a suppressed row counts as many as there are rows.
    pub(super) fn dm(&self) -> u128 {
        self.squares() + u128::from(self.suppressed()) * u128::from(self.sizes.iter().sum::<u64>())
    }

    /// What the release costs: cells as published, suppressed rows in full.
    pub(super) fn cost(&self, lattice: &Lattice<'_>, unsuppressed: u64) -> u64 {
        let space = lattice.space;
        let cells = |group: usize| -> u64 {
            let of = |(dim, &level): (usize, &u32)| {
                u64::from(lattice.ladders[dim].cost(level, space.codes(dim)[group]))
            };
            self.levels.iter().enumerate().map(of).sum()
        };
        let rows = |group: usize| space.groups().rows(group).len() as u64;
        let spared: u64 = self.suppressed_groups().map(|group| rows(group) * cells(group)).sum();
        unsuppressed - spared + self.suppressed() * space.full_cost()
    }

    /// Per column: its published cells and how many rows have each.
    pub(super) fn cells(&self, lattice: &Lattice<'_>) -> Vec<Vec<(Cell, u64)>> {
        let space = lattice.space;
        let column = |(dim, &level)| {
            let attribute = space.attribute(dim);
            let mut rows = vec![0; attribute.code_count() as usize];
            for (group, &code) in space.codes(dim).iter().enumerate() {
                if !self.short[self.class_of[group] as usize] {
                    rows[code as usize] += space.groups().rows(group).len() as u64;
                }
            }
            let occurring = rows.into_iter().enumerate().filter(|(_, rows)| *rows > 0);
            occurring.map(|(code, rows)| (attribute.raised(code as u32, level), rows)).collect()
        };
        self.levels.iter().enumerate().map(column).collect()
    }
}

/// Which classes do not satisfy the demands.
fn short(lattice: &Lattice<'_>, class_of: &[u32], sizes: &[u64]) -> Vec<bool> {
    let k = u64::from(lattice.demands.k());
    if !lattice.demands.need_sensitive() {
        return sizes.iter().map(|&size| size < k).collect();
    }
    let columns = lattice.space.sensitive();
    let mut members: Vec<Vec<(usize, u32)>> = vec![Vec::new(); sizes.len()];
    for (group, &class) in class_of.iter().enumerate() {
        members[class as usize].push((group, lattice.space.groups().rows(group).len() as u32));
    }
    let holds = |members: &[(usize, u32)]| {
        lattice.demands.hold_together(members.iter().copied(), |column, group| columns[column][group])
    };
    members.iter().zip(sizes).map(|(members, &size)| size < k || !holds(members)).collect()
}
