//! The tuple that each kind of rows would choose if it had to think of nobody else: the cheapest one of k rows.

use rustc_hash::FxHashMap;

use super::places::Places;
use crate::data::Cell;

/// Tuples by kind.
pub(super) struct Wishes {
    of_kind: Vec<u32>,
    /// The different tuples, and the kinds that each covers.
    tuples: Vec<(Vec<Cell>, Vec<u32>)>,
}

impl Wishes {
    /// From one tuple per kind. Each becomes the closure of what it covers: as small as it can be, and within boundaries.
    pub(super) fn new(places: &Places<'_>, of_kinds: Vec<Vec<Cell>>) -> Self {
        let mut numbers: FxHashMap<Vec<Cell>, u32> = FxHashMap::default();
        let mut wishes = Self { of_kind: Vec::with_capacity(of_kinds.len()), tuples: Vec::new() };
        for tuple in of_kinds {
            let next = numbers.len() as u32;
            let number = *numbers.entry(tuple).or_insert_with_key(|tuple| {
                let inside = places.inside(tuple);
                wishes.tuples.push((places.closure(&inside), inside));
                next
            });
            wishes.of_kind.push(number);
        }
        wishes
    }

    /// The tuple of a kind, and the kinds that it covers.
    pub(super) fn of(&self, kind: u32) -> (&[Cell], &[u32]) {
        let (tuple, inside) = &self.tuples[self.of_kind[kind as usize] as usize];
        (tuple, inside)
    }
}
