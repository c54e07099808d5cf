//! Two releases whose classes overlap too much for all pairs of them to be listed: what is certain is found from those classes
//! that few others can exchange people with.
//!
//! Rows that show the same (a *key*) are dealt with by themselves, as in `cells`. If a class has n of them, and the classes that it meets
//! have room for 2n of them or more, none of these is certain to hold anybody: without it, n can still go elsewhere. So a class
//! needs to be asked for its neighbours only until room for 2n is found, which are at most 2n of them. Only classes with less room
//! make anything certain.
//!
//! What is found is true; what would follow from several such steps is not looked for, as in `flow` where there are many edges.
//!
//! *Complexity* O(n log² n) for n rows: a tree of boxes per key, whose classes together have n rows at most; a constant number of visits
//! per row, each O(log n) where boxes are small beside the whole.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::cells::{Cell, Certain, Counts, RegionFound, common};
use super::classes::Class;
use super::overlap::{Taken, Tree};
use super::regions::{Region, regions};

/// The classes of both releases with the keys that they have.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) classes: [&'a [Class]; 2],
    pub(super) counts: [&'a [Counts]; 2],
}

/// All regions, with what is certain of each; none where people came and left.
pub(super) fn regions_found(sides: Sides<'_>) -> Vec<(Region, Option<RegionFound>)> {
    let keys = by_key(sides);
    let found: Vec<(u32, Vec<Part>)> =
        keys.par_iter().map(|(&key, of)| (key, parts(sides, key, of))).collect();
    let joined: Vec<(u32, u32)> = found.iter().flat_map(|(_, parts)| parts).flat_map(Part::star).collect();
    let mut all = regions(sides.classes[0].len(), sides.classes[1].len(), &joined);
    let region_of = Places::of(&all, sides);
    let mut parts_of: Vec<Vec<(u32, Part)>> = all.iter().map(|_| Vec::new()).collect();
    for (key, parts) in found {
        for part in parts {
            parts_of[region_of.region(&part)].push((key, part));
        }
    }
    let trees = [0, 1].map(|side| Tree::of(sides.classes[side], numbers(sides.classes[side])));
    all.par_iter_mut().for_each(|region| region.pairs.clear());
    let judged: Vec<Option<RegionFound>> = parts_of.par_iter().map(|parts| together(sides, parts)).collect();
    for (region, found) in all.iter_mut().zip(&judged) {
        region.pairs = found.iter().flat_map(|found| partners(sides, &trees, found)).collect();
    }
    all.into_iter().zip(judged).collect()
}

fn numbers(classes: &[Class]) -> Vec<u32> {
    (0..classes.len() as u32).collect()
}

/// The classes that have a key, by side.
fn by_key(sides: Sides<'_>) -> BTreeMap<u32, [Vec<u32>; 2]> {
    let mut found: BTreeMap<u32, [Vec<u32>; 2]> = BTreeMap::new();
    for side in [0, 1] {
        for (class, counts) in (0..).zip(sides.counts[side]) {
            for &(key, _) in counts {
                found.entry(key).or_default()[side].push(class);
            }
        }
    }
    found
}

/// Classes between which people of one key can have moved, and to no others.
struct Part {
    of: [Vec<u32>; 2],
    /// How many more the later release has.
    growth: i64,
    /// What is certain, and how many at least; none where the rows cannot be those of the same people.
    certain: Option<BTreeMap<Cell, u32>>,
}

impl Part {
    /// Pairs that hold its classes together.
    fn star(&self) -> Vec<(u32, u32)> {
        let (Some(&a), Some(&b)) = (self.of[0].first(), self.of[1].first()) else { return Vec::new() };
        let others = self.of[0].iter().skip(1).map(|&other| (other, b));
        self.of[1].iter().map(|&other| (a, other)).chain(others).collect()
    }
}

/// Which region every class is in.
struct Places([Vec<u32>; 2]);

impl Places {
    fn of(all: &[Region], sides: Sides<'_>) -> Self {
        let mut places = sides.classes.map(|classes| vec![0; classes.len()]);
        for (at, region) in (0..).zip(all) {
            region.earlier.iter().for_each(|&class| places[0][class as usize] = at);
            region.later.iter().for_each(|&class| places[1][class as usize] = at);
        }
        Self(places)
    }

    fn region(&self, part: &Part) -> usize {
        let first = |side: usize| part.of[side].first().map(|&class| self.0[side][class as usize] as usize);
        first(0).or_else(|| first(1)).unwrap_or_default()
    }
}

/// How many rows of a class have a key.
fn count(sides: Sides<'_>, side: usize, class: u32, key: u32) -> u32 {
    let counts = &sides.counts[side][class as usize];
    counts.binary_search_by_key(&key, |&(key, _)| key).map_or(0, |at| counts[at].1)
}

/// Takes the classes of a key apart where nobody can have moved.
fn parts(sides: Sides<'_>, key: u32, of: &[Vec<u32>; 2]) -> Vec<Part> {
    let trees = [0, 1].map(|side| Tree::of(sides.classes[side], of[side].clone()));
    let mut taken = [Taken::default(), Taken::default()];
    let mut found = Vec::new();
    for side in [0, 1] {
        for &class in &of[side] {
            if taken[side].classes.insert(class) {
                let mut together = reached(sides, &trees, side, class, &mut taken);
                for classes in &mut together {
                    classes.sort_unstable();
                }
                found.push(part(sides, key, &trees, together));
            }
        }
    }
    found
}

/// All classes that are held together with one of them.
fn reached(
    sides: Sides<'_>,
    trees: &[Tree<'_>; 2],
    side: usize,
    class: u32,
    taken: &mut [Taken; 2],
) -> [Vec<u32>; 2] {
    let mut all = [Vec::new(), Vec::new()];
    let mut open = vec![(side, class)];
    while let Some((side, class)) = open.pop() {
        all[side].push(class);
        let other = 1 - side;
        let met = trees[other].take_met(&sides.classes[side][class as usize], &mut taken[other]);
        open.extend(met.into_iter().map(|class| (other, class)));
    }
    all
}

/// What is certain of a part.
fn part(sides: Sides<'_>, key: u32, trees: &[Tree<'_>; 2], of: [Vec<u32>; 2]) -> Part {
    let sum = |side: usize| of[side].iter().map(|&c| i64::from(count(sides, side, c, key))).sum::<i64>();
    let growth = sum(1) - sum(0);
    let changed = growth.unsigned_abs() as u32;
    let mut certain: Option<BTreeMap<Cell, u32>> = Some(BTreeMap::new());
    for side in [0, 1] {
        // Those who left are somewhere else than in the later release, those who came somewhere else than in the earlier one.
        let elsewhere = if (side == 0) == (growth < 0) { changed } else { 0 };
        for &class in &of[side] {
            let rows = count(sides, side, class, key);
            let mut room = rows.min(elsewhere);
            let mut met: Vec<(u32, u32)> = Vec::new();
            let all = trees[1 - side].each_met(&sides.classes[side][class as usize], &mut |other| {
                let fits = rows.min(count(sides, 1 - side, other, key));
                met.push((other, fits));
                room = room.saturating_add(fits);
                room < 2 * rows
            });
            if !all || room >= 2 * rows {
                continue;
            }
            if room < rows {
                return Part { of, growth, certain: None };
            }
            let cells = met.into_iter().map(|(other, fits)| {
                (if side == 0 { Cell::Both(class, other) } else { Cell::Both(other, class) }, fits)
            });
            let changed = if side == 0 { Cell::Left(class) } else { Cell::Came(class) };
            for (cell, fits) in cells.chain([(changed, rows.min(elsewhere))]) {
                let least = rows.saturating_sub(room - fits);
                if let Some(certain) = certain.as_mut().filter(|_| least > 0) {
                    let known = certain.entry(cell).or_default();
                    *known = least.max(*known);
                }
            }
        }
    }
    Part { of, growth, certain }
}

/// What is certain of the parts of a region.
fn together(sides: Sides<'_>, parts: &[(u32, Part)]) -> Option<RegionFound> {
    let grows = parts.iter().any(|(_, part)| part.growth > 0);
    if grows && parts.iter().any(|(_, part)| part.growth < 0) {
        return None;
    }
    let others = parts.iter().flat_map(|(_, part)| &part.of).map(|classes| classes.len() as u64).sum();
    let mut found = RegionFound { grows, others, ..RegionFound::default() };
    let mut least: BTreeMap<Cell, u64> = BTreeMap::new();
    for (key, part) in parts {
        for (&cell, &rows) in part.certain.as_ref()? {
            *least.entry(cell).or_default() += u64::from(rows);
        }
        if part.growth != 0 {
            found.changed.push((*key, part.growth.unsigned_abs() as u32));
        }
    }
    let came = Moved::of(parts, &least);
    for (cell, at_least) in least {
        let (at_most, keys) = match cell {
            Cell::Both(a, b) => {
                let keys = common(&sides.counts[0][a as usize], &sides.counts[1][b as usize]);
                let fits = |&key: &u32| u64::from(count(sides, 0, a, key).min(count(sides, 1, b, key)));
                (keys.iter().map(fits).sum(), keys)
            }
            Cell::Came(class) => came.at_most(cell, |key| count(sides, 1, class, key)),
            Cell::Left(class) => came.at_most(cell, |key| count(sides, 0, class, key)),
        };
        found.cells.insert(cell, Certain { at_least, at_most, keys });
    }
    Some(found)
}

/// How many of every key came or left where some are certain to have.
struct Moved(FxHashMap<Cell, Vec<(u32, u32)>>);

impl Moved {
    fn of(parts: &[(u32, Part)], least: &BTreeMap<Cell, u64>) -> Self {
        let mut found: FxHashMap<Cell, Vec<(u32, u32)>> = FxHashMap::default();
        for (key, part) in parts.iter().filter(|(_, part)| part.growth != 0) {
            let (side, cell): (usize, fn(u32) -> Cell) =
                if part.growth > 0 { (1, Cell::Came) } else { (0, Cell::Left) };
            for cell in part.of[side].iter().map(|&class| cell(class)).filter(|cell| least.contains_key(cell))
            {
                found.entry(cell).or_default().push((*key, part.growth.unsigned_abs() as u32));
            }
        }
        Self(found)
    }

    fn at_most(&self, cell: Cell, has: impl Fn(u32) -> u32) -> (u64, Vec<u32>) {
        let mut keys = Vec::new();
        let mut most = 0;
        for &(key, moved) in self.0.get(&cell).into_iter().flatten() {
            most += u64::from(moved.min(has(key)));
            keys.push(key);
        }
        (most, keys)
    }
}

/// The classes of the other release that the class of somebody who came or left meets.
fn partners(sides: Sides<'_>, trees: &[Tree<'_>; 2], found: &RegionFound) -> Vec<(u32, u32)> {
    let moved: BTreeSet<(usize, u32)> = found
        .cells
        .keys()
        .filter_map(|cell| match cell {
            Cell::Came(class) => Some((1, *class)),
            Cell::Left(class) => Some((0, *class)),
            Cell::Both(..) => None,
        })
        // One example is shown.
        .take(MOST_EXAMPLES)
        .collect();
    let mut all = Vec::new();
    for (side, class) in moved {
        trees[1 - side].each_met(&sides.classes[side][class as usize], &mut |other| {
            let (a, b) = if side == 0 { (class, other) } else { (other, class) };
            if !common(&sides.counts[0][a as usize], &sides.counts[1][b as usize]).is_empty() {
                all.push((a, b));
            }
            true
        });
    }
    all
}

/// Classes of which it is worked out what they are taken away from.
const MOST_EXAMPLES: usize = 1000;

#[cfg(test)]
mod tests {
    use super::super::cells::cells;
    use super::super::overlap::pairs;
    use super::super::reading::Span;
    use super::*;

    struct Dice(u64);

    impl Dice {
        fn below(&mut self, most: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32 % most
        }
    }

    /// Classes over two small axes, each with rows of up to three keys.
    fn drawn(dice: &mut Dice, classes: u32) -> (Vec<Class>, Vec<Counts>) {
        let mut one = || {
            let mut cell = || {
                let lo = dice.below(6);
                Span::of(lo, lo + dice.below(3))
            };
            let cells = vec![cell(), cell()];
            let has = |key: u32, n: u32| (n > 0).then_some((key, n));
            let counts: Counts = (0..3).filter_map(|key| has(key, dice.below(4))).collect();
            (Class { cells, rows: Vec::new() }, if counts.is_empty() { vec![(0, 1)] } else { counts })
        };
        (0..classes).map(|_| one()).unzip()
    }

    /// Mostly the classes of before, and some that are wider or have more rows.
    fn grown(dice: &mut Dice, (classes, counts): &(Vec<Class>, Vec<Counts>)) -> (Vec<Class>, Vec<Counts>) {
        let (mut later, mut more) = drawn(dice, 2);
        for (class, counts) in classes.iter().zip(counts) {
            let wider = |span: &Span| Span::of(span.lo, span.hi + u32::from(dice.below(5) == 0));
            later.push(Class { cells: class.cells.iter().map(wider).collect(), rows: Vec::new() });
            more.push(counts.clone());
        }
        (later, more)
    }

    /// What is certain is true, although less is known to be certain than by looking at all pairs.
    #[test]
    fn what_is_found_is_so() {
        let (mut certain, mut missed) = (0, 0);
        for seed in 1..=600 {
            let dice = &mut Dice(seed);
            let size = 3 + dice.below(9);
            let before = drawn(dice, size);
            let after = if seed % 3 == 0 { drawn(dice, size + 1) } else { grown(dice, &before) };
            let sides = Sides { classes: [&before.0, &after.0], counts: [&before.1, &after.1] };
            let met = pairs(&before.0, &after.0, usize::MAX).unwrap();
            let share =
                |&(a, b): &(u32, u32)| !common(&before.1[a as usize], &after.1[b as usize]).is_empty();
            let met: Vec<(u32, u32)> = met.into_iter().filter(share).collect();
            let exact = regions(before.0.len(), after.0.len(), &met);
            let found = regions_found(sides);
            assert_eq!(exact.len(), found.len());
            for (exact, (region, found)) in exact.iter().zip(found) {
                assert_eq!((&exact.earlier, &exact.later), (&region.earlier, &region.later));
                let Some(exact) = cells(exact, &before.1, &after.1) else { continue };
                let found = found.unwrap();
                assert_eq!((&exact.changed, exact.grows), (&found.changed, found.grows));
                for (cell, known) in &found.cells {
                    let true_ones = &exact.cells[cell];
                    assert!((1..=true_ones.at_least).contains(&known.at_least), "{cell:?}, seed {seed}");
                    assert!(known.at_most >= true_ones.at_most, "{cell:?}, seed {seed}");
                    assert!(
                        true_ones.keys.iter().all(|key| known.keys.contains(key)),
                        "{cell:?}, seed {seed}"
                    );
                }
                let all = exact.cells.iter().filter(|(_, known)| known.at_least > 0);
                certain += found.cells.len();
                missed += all.filter(|(cell, _)| !found.cells.contains_key(cell)).count();
            }
        }
        assert!(missed < certain, "{certain} found, {missed} missed");
    }
}
