//! Algorithm 5: further generalizes tuples until every row lies in at least k of them.
//!
//! *Reading*: rows one after the other; a row that lies in ℓ < k tuples makes the k − ℓ others grow that this costs least,
//! chosen at once. NearPairs: lower row. Rows equal to one that is done need nothing.

use super::Tuples;
use super::boxes::Boxes;
use crate::algorithm::{Problem, Run};
use crate::error::Result;

/// The grown tuples; none when time is up.
pub(super) fn one_k(problem: Problem<'_>, run: &Run<'_>, tuples: Tuples) -> Result<Option<Tuples>> {
    let space = problem.space;
    let k = problem.demands.k() as usize;
    let mut boxes = Boxes::new(space, tuples);
    let groups = space.groups();
    for group in 0..groups.len() {
        if run.time_is_up()? {
            return Ok(None);
        }
        let leaf = space.tuple(group);
        let seen = boxes
            .scan
            .pick(&leaf, |s| Some((s.inside, s.joined.cast_signed() - s.cost.cast_signed(), s.key)));
        let lies_in: usize = seen.iter().filter(|s| s.0).map(|s| boxes.owners[s.2 as usize].len()).sum();
        if lies_in < k {
            for row in cheapest(&boxes, seen, k - lies_in) {
                let mut tuple = boxes.tuples[boxes.of_row[row as usize] as usize].clone();
                space.absorb(&mut tuple, group);
                boxes.give(row, tuple);
            }
        }
        run.watch.progress(group as u64, groups.len() as u64);
    }
    Ok(Some(boxes.into_tuples()))
}

/// The owners of the tuples outside that cost least to grow; of equal costs the lowest rows.
fn cheapest(boxes: &Boxes<'_>, seen: Vec<(bool, i64, u32)>, count: usize) -> Vec<u32> {
    let mut outside: Vec<(i64, u32)> = seen.into_iter().filter(|s| !s.0).map(|s| (s.1, s.2)).collect();
    outside.sort_unstable();
    let mut rows = Vec::new();
    for same_cost in outside.chunk_by(|a, b| a.0 == b.0) {
        let mut owners: Vec<u32> =
            same_cost.iter().flat_map(|(_, number)| boxes.owners[*number as usize].iter().copied()).collect();
        owners.sort_unstable();
        owners.truncate(count - rows.len());
        rows.extend(owners);
        if rows.len() == count {
            break;
        }
    }
    rows
}
