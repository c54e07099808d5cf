//! A pass over all boxes in parallel: tasks go to bins whose number does not depend on the threads, so neither does any
//! result.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::sets::{NO_SET, Sets};
use super::terrain::Terrain;
use super::walk::{Limits, Ordered, Task, Walk};

/// Into how many bins tasks are dealt at most, and how many tuples all of them may keep in memory.
const BINS: usize = 32;
const KEPT: usize = 1 << 23;

/// How many times the mean a bin may work before it is cut off: tasks are dealt by their size, which tells little.
const UNEVEN: u64 = 6;

/// The first axes along which a pass is cut into tasks.
const CUT_AXES: usize = 2;

/// What a pass found.
pub(super) struct Passed {
    /// By how much every tuple is at fault, times the rows that share a class.
    pub(super) fault: Vec<i64>,
    /// The dearest rows of boxes that say so.
    pub(super) sets: Sets,
    /// Per tuple, the set that says so; none where that was known before.
    pub(super) by: Vec<u32>,
    /// Entries looked at.
    pub(super) work: u64,
    /// Whether parts were taken as boxes for want of time: faults may be too high.
    pub(super) is_cut: bool,
}

/// What is known before a pass.
pub(super) struct Known<'a> {
    /// How much every tuple is at fault at least.
    pub(super) fault: &'a [i64],
    /// What any box with it costs at least.
    pub(super) least: &'a [i64],
}

/// Finds by how much prices are too high; none where the pass was stopped.
pub(super) fn pass(
    terrain: &Terrain<'_>,
    price: &[i64],
    known: &Known<'_>,
    limits: Limits<'_>,
) -> Option<Passed> {
    let from = ordered(terrain, price, known);
    // Whatever is not handed out would be lost: this is not cut short.
    let unlimited = Limits { work: u64::MAX, go_on: &|| true };
    let tasks = Walk::new(&from, unlimited).hand_out(CUT_AXES);
    let bins = (KEPT / terrain.len().max(1)).clamp(4, BINS);
    let limits = Limits { work: limits.work / bins as u64 * UNEVEN, ..limits };
    let walked: Vec<Walk<'_>> = dealt(&tasks, bins)
        .into_par_iter()
        .with_max_len(1)
        .map(|bin| {
            let mut walk = Walk::new(&from, limits);
            for task in bin {
                walk.run(task);
            }
            walk
        })
        .collect();
    let is_stopped = walked.iter().any(|walk| walk.is_stopped);
    (!is_stopped).then(|| gathered(&from, &walked))
}

/// Deals the tasks to bins, the largest first.
fn dealt(tasks: &[Task], bins: usize) -> Vec<Vec<&Task>> {
    let mut dealt: Vec<Vec<&Task>> = vec![Vec::new(); bins];
    let mut tasks: Vec<&Task> = tasks.iter().collect();
    tasks.sort_by_key(|task| Reverse(task.places.len()));
    for (at, task) in tasks.into_iter().enumerate() {
        dealt[at % bins].push(task);
    }
    dealt
}

fn ordered<'a>(terrain: &'a Terrain<'a>, price: &[i64], known: &Known<'_>) -> Ordered<'a> {
    let mut order: Vec<u32> = (0..terrain.len() as u32).collect();
    order.sort_by_key(|&tuple| Reverse(price[tuple as usize]));
    let of = |values: &[i64]| order.iter().map(|&t| values[t as usize]).collect::<Vec<i64>>();
    let pick = |values: &Vec<u32>| order.iter().map(|&t| values[t as usize]).collect::<Vec<u32>>();
    Ordered {
        terrain,
        price: of(price),
        count: pick(&terrain.counts),
        ranks: terrain.ranks.iter().map(pick).collect(),
        least: of(known.least),
        fault: of(known.fault),
        order,
    }
}

/// The largest fault of all bins; of equal ones the first.
fn gathered(from: &Ordered<'_>, walked: &[Walk<'_>]) -> Passed {
    let tuples = from.order.len();
    let mut passed = Passed {
        fault: vec![0; tuples],
        sets: Sets::default(),
        by: vec![NO_SET; tuples],
        work: walked.iter().map(|walk| walk.work).sum(),
        is_cut: walked.iter().any(|walk| walk.is_cut),
    };
    let mut number: Vec<Vec<u32>> = walked.iter().map(|walk| vec![NO_SET; walk.sets.len()]).collect();
    for (place, &tuple) in from.order.iter().enumerate() {
        let mut best = (from.fault[place], NO_SET, 0);
        for (bin, walk) in walked.iter().enumerate() {
            if walk.fault[place] > best.0 {
                best = (walk.fault[place], walk.by[place], bin);
            }
        }
        let (fault, set, bin) = best;
        passed.fault[tuple as usize] = fault;
        if set == NO_SET {
            continue;
        }
        let slot = &mut number[bin][set as usize];
        if *slot == NO_SET {
            let (members, cost) = walked[bin].sets.get(set);
            let tuples: Vec<u32> = members.iter().map(|&p| from.order[p as usize]).collect();
            *slot = passed.sets.push(&tuples, cost);
        }
        passed.by[tuple as usize] = *slot;
    }
    passed
}
