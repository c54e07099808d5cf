//! Merging equal rows before anything else.
//!
//! As long as all clusters cost nothing, no distance is below 0, and it is 0 for equal rows. So the main loop would begin with
//! them as well, by the ties' rule smallest union first, then lowest row; only where different rows are 0 apart, too (an
//! attribute of weight 0, say, or values so close that their interval rounds to nothing), it is a choice to take equal rows
//! first. The rows of different groups do not meet, but ripe clusters are listed in the order in which they ripen, so the
//! groups take turns by the same rule. Afterwards every group has one cluster at most, however many rows there are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::Cluster;
use crate::data::Space;

/// The clusters of one group of equal rows: sizes, and in each size the clusters by their lowest row.
#[derive(Default)]
struct Equal {
    by_size: BTreeMap<usize, BTreeSet<u32>>,
    rows: BTreeMap<u32, Vec<u32>>,
}

impl Equal {
    fn insert(&mut self, mut rows: Vec<u32>) {
        rows.sort_unstable();
        self.by_size.entry(rows.len()).or_default().insert(rows[0]);
        self.rows.insert(rows[0], rows);
    }

    fn remove(&mut self, key: u32) -> Vec<u32> {
        let rows = self.rows.remove(&key).unwrap_or_default();
        if let Some(keys) = self.by_size.get_mut(&rows.len()) {
            keys.remove(&key);
            if keys.is_empty() {
                self.by_size.remove(&rows.len());
            }
        }
        rows
    }

    /// The pair with the smallest union, then the lowest rows.
    fn next(&self) -> Option<(usize, u32, u32)> {
        let mut sizes = self.by_size.iter();
        let (&size, keys) = sizes.next()?;
        let mut keys = keys.iter();
        let first = *keys.next()?;
        if let Some(&second) = keys.next() {
            return Some((2 * size, first, second));
        }
        let (&other, keys) = sizes.next()?;
        let second = *keys.iter().next()?;
        Some((size + other, first.min(second), first.max(second)))
    }
}

/// Ripe clusters of equal rows, in the order in which they ripen, and the clusters to start with, by lowest row.
pub(super) fn merge_equal_rows(space: &Space<'_>, k: usize, modified: bool) -> (Vec<Vec<u32>>, Vec<Cluster>) {
    let groups = space.groups();
    let mut ripe = Vec::new();
    let mut alone: Vec<u32> = Vec::new();
    let mut equal: Vec<Equal> = Vec::new();
    for members in tuples(space) {
        let rows = || members.iter().flat_map(|&g| groups.rows(g)).copied();
        if rows().nth(1).is_some() {
            let mut group = Equal::default();
            rows().for_each(|row| group.insert(vec![row]));
            equal.push(group);
        } else {
            alone.extend(rows());
        }
    }
    let turn = |g: usize, e: &Equal| e.next().map(|pair| Reverse((pair, g)));
    let mut heap: BinaryHeap<_> = equal.iter().enumerate().filter_map(|(g, e)| turn(g, e)).collect();
    while let Some(Reverse(((size, a, b), g))) = heap.pop() {
        let mut union = equal[g].remove(a);
        union.extend(equal[g].remove(b));
        if size < k {
            equal[g].insert(union);
        } else {
            union.sort_unstable();
            // Without whichever row, equal rows cost nothing: the lowest ones go.
            let removed = if modified { union.drain(..size - k).collect() } else { Vec::new() };
            ripe.push(union);
            for row in removed {
                equal[g].insert(vec![row]);
            }
        }
        heap.extend(turn(g, &equal[g]));
    }
    let group_of = groups.of_rows();
    let merged = equal.into_iter().flat_map(|e| e.rows.into_values());
    let lists = alone.into_iter().map(|row| vec![row]).chain(merged);
    let cluster = |rows: Vec<u32>| {
        let tuple = space.tuple(group_of[rows[0] as usize] as usize);
        Cluster { rows, tuple }
    };
    let mut start: Vec<Cluster> = lists.map(cluster).collect();
    start.sort_by_key(|c| c.rows[0]);
    (ripe, start)
}

/// Groups by tuple: a space that is split by sensitive values has several with the same one.
fn tuples(space: &Space<'_>) -> Vec<Vec<usize>> {
    let groups = 0..space.groups().len();
    if space.sensitive().is_empty() {
        return groups.map(|group| vec![group]).collect();
    }
    let mut found: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    for group in groups {
        let key = (0..space.dims()).map(|dim| space.codes(dim)[group]).collect();
        found.entry(key).or_default().push(group);
    }
    found.into_values().collect()
}
