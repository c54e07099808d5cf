//! The tuple each kind would have if it had to think of nobody else.

use std::collections::BTreeMap;

use super::places::Places;
use crate::data::Cell;

/// Tuples by kind.
pub(super) struct Wishes {
    of_kind: Vec<u32>,
    tuples: Vec<(Vec<Cell>, Vec<u32>)>,
}

impl Wishes {
    /// From one tuple per kind.
    pub(super) fn new(places: &Places<'_>, of_kinds: Vec<Vec<Cell>>) -> Self {
        let mut numbers: BTreeMap<Vec<Cell>, u32> = BTreeMap::new();
        let mut wishes = Self { of_kind: Vec::with_capacity(of_kinds.len()), tuples: Vec::new() };
        for tuple in of_kinds {
            let next = numbers.len() as u32;
            let number = *numbers.entry(tuple.clone()).or_insert(next);
            if number == next {
                let inside = places.inside(&tuple);
                wishes.tuples.push((tuple, inside));
            }
            wishes.of_kind.push(number);
        }
        wishes
    }

    /// The tuple a kind wishes for, and the kinds that it covers.
    pub(super) fn of(&self, kind: u32) -> (&[Cell], &[u32]) {
        let (tuple, inside) = &self.tuples[self.of_kind[kind as usize] as usize];
        (tuple, inside)
    }
}
