//! Tuples that several rows own, and who owns them.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Tuples;
use crate::algorithm::cluster_scan::ClusterScan;
use crate::data::Cell;
use crate::space::Space;

/// The different tuples of a solution. A tuple without owners is gone; numbers are never used again.
pub(super) struct Boxes<'a> {
    pub(super) scan: ClusterScan<'a>,
    pub(super) tuples: Vec<Vec<Cell>>,
    pub(super) owners: Vec<BTreeSet<u32>>,
    pub(super) of_row: Vec<u32>,
    number: FxHashMap<Vec<Cell>, u32>,
}

impl<'a> Boxes<'a> {
    pub(super) fn new(space: &'a Space<'a>, tuples: Tuples) -> Self {
        let mut boxes = Self {
            scan: ClusterScan::new(space),
            tuples: Vec::new(),
            owners: Vec::new(),
            of_row: vec![u32::MAX; tuples.len()],
            number: FxHashMap::default(),
        };
        for (row, tuple) in tuples.into_iter().enumerate() {
            let number = boxes.number_of(tuple);
            boxes.owners[number as usize].insert(row as u32);
            boxes.of_row[row] = number;
        }
        for number in 0..boxes.tuples.len() {
            boxes.scan.put(number as u32, boxes.owners[number].len(), &boxes.tuples[number]);
        }
        boxes
    }

    fn number_of(&mut self, tuple: Vec<Cell>) -> u32 {
        let next = self.tuples.len() as u32;
        let number = *self.number.entry(tuple.clone()).or_insert(next);
        if number == next {
            self.tuples.push(tuple);
            self.owners.push(BTreeSet::new());
        }
        number
    }

    /// Gives a row another tuple; returns its number.
    pub(super) fn give(&mut self, row: u32, tuple: Vec<Cell>) -> u32 {
        let old = self.of_row[row as usize];
        self.owners[old as usize].remove(&row);
        if self.owners[old as usize].is_empty() {
            self.scan.remove(old);
            self.number.remove(&self.tuples[old as usize]);
        } else {
            self.scan.put(old, self.owners[old as usize].len(), &self.tuples[old as usize]);
        }
        let new = self.number_of(tuple);
        self.owners[new as usize].insert(row);
        self.of_row[row as usize] = new;
        self.scan.put(new, self.owners[new as usize].len(), &self.tuples[new as usize]);
        new
    }

    /// One tuple per row.
    pub(super) fn into_tuples(self) -> Tuples {
        self.of_row.iter().map(|&number| self.tuples[number as usize].clone()).collect()
    }
}
