//! How many people are in one class of the earlier release and in one of the later, or came, or left: what is certain of it.
//!
//! Within a region, people who show the same (a *key*) are dealt with by themselves: they can go from any class that has the key to
//! any that meets it and has the key, too. Where the later release has more rows of a key, that many people came, into any
//! of its classes; where it has fewer, that many left. Where rows of some keys became more and of others fewer, people came and left,
//! or values changed, and nothing is certain.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::flow::{Bounds, Transport};
use super::regions::{Region, regions};

/// The keys of a class, ascending, with how many rows have each.
pub(super) type Counts = Vec<(u32, u32)>;

/// Whom the people of a cell are among.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Cell {
    /// A class of each release.
    Both(u32, u32),
    /// A class of the later one, and none of the earlier.
    Came(u32),
    /// A class of the earlier one, and none of the later.
    Left(u32),
}

/// What is certain of a cell.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Certain {
    pub(super) at_least: u64,
    pub(super) at_most: u64,
    /// The keys that somebody in it may have.
    pub(super) keys: Vec<u32>,
}

/// What is certain of a region.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RegionFound {
    pub(super) cells: BTreeMap<Cell, Certain>,
    /// Per key, how many came, or left; empty where nobody did.
    pub(super) changed: Counts,
    pub(super) grows: bool,
    /// Whether no bound could be better.
    pub(super) is_exact: bool,
    /// How many sets were looked at and are not among the cells, because nothing is certain of them.
    pub(super) others: u64,
}

/// Works out a region; none where people came and left.
pub(super) fn cells(region: &Region, earlier: &[Counts], later: &[Counts]) -> Option<RegionFound> {
    let keyed = by_key(region, earlier, later);
    let growth = |side: &KeyedSide| {
        let sum = |nodes: &[(u32, u32)]| nodes.iter().map(|&(_, n)| i64::from(n)).sum::<i64>();
        sum(&side.later) - sum(&side.earlier)
    };
    let parts: Vec<(u32, KeyedSide, i64)> = keyed
        .into_iter()
        .flat_map(|(key, side)| side.parts().into_iter().map(move |part| (key, part)))
        .map(|(key, part)| (key, growth(&part), part))
        .map(|(key, growth, part)| (key, part, growth))
        .collect();
    let grows = parts.iter().any(|(.., growth)| *growth > 0);
    if grows && parts.iter().any(|(.., growth)| *growth < 0) {
        return None;
    }
    let mut found = RegionFound { grows, is_exact: true, ..RegionFound::default() };
    for (key, part, growth) in parts {
        found.is_exact &= add(&mut found.cells, key, &part, growth)?;
        if growth != 0 {
            found.changed.push((key, growth.unsigned_abs() as u32));
        }
    }
    Some(found)
}

/// All rows of a region that have a key, by class.
#[derive(Debug, Default)]
struct KeyedSide {
    earlier: Vec<(u32, u32)>,
    later: Vec<(u32, u32)>,
    /// Places in both lists.
    pairs: Vec<(u32, u32)>,
}

impl KeyedSide {
    /// Those between which nobody can have moved, apart.
    fn parts(self) -> Vec<Self> {
        let pick = |all: &[(u32, u32)], some: &[u32]| some.iter().map(|&at| all[at as usize]).collect();
        let at = |some: &[u32], node: u32| some.partition_point(|&other| other < node) as u32;
        let part = |region: Region| Self {
            earlier: pick(&self.earlier, &region.earlier),
            later: pick(&self.later, &region.later),
            pairs: region
                .pairs
                .iter()
                .map(|&(a, b)| (at(&region.earlier, a), at(&region.later, b)))
                .collect(),
        };
        regions(self.earlier.len(), self.later.len(), &self.pairs).into_iter().map(part).collect()
    }
}

fn by_key(region: &Region, earlier: &[Counts], later: &[Counts]) -> BTreeMap<u32, KeyedSide> {
    let mut keyed: BTreeMap<u32, KeyedSide> = BTreeMap::new();
    let mut place: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for &class in &region.earlier {
        for &(key, count) in &earlier[class as usize] {
            let side = &mut keyed.entry(key).or_default().earlier;
            place.insert((key, class), side.len() as u32);
            side.push((class, count));
        }
    }
    let mut later_place: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for &class in &region.later {
        for &(key, count) in &later[class as usize] {
            let side = &mut keyed.entry(key).or_default().later;
            later_place.insert((key, class), side.len() as u32);
            side.push((class, count));
        }
    }
    for &(a, b) in &region.pairs {
        for key in common(&earlier[a as usize], &later[b as usize]) {
            if let Some(side) = keyed.get_mut(&key) {
                side.pairs.push((place[&(key, a)], later_place[&(key, b)]));
            }
        }
    }
    keyed
}

/// The keys that both have.
pub(super) fn common(a: &Counts, b: &Counts) -> Vec<u32> {
    let (mut common, mut others) = (Vec::new(), b.iter().peekable());
    for &(key, _) in a {
        while others.next_if(|(other, _)| *other < key).is_some() {}
        common.extend(others.peek().filter(|(other, _)| *other == key).map(|_| key));
    }
    common
}

/// Adds what is certain of one key to the cells; says whether it is exact. None where the rows cannot be those of the same people.
fn add(cells: &mut BTreeMap<Cell, Certain>, key: u32, part: &KeyedSide, growth: i64) -> Option<bool> {
    let (problem, named) = part.problem(growth);
    let (bounds, is_exact) = problem.bounds()?;
    for (cell, (least, most)) in
        named.into_iter().zip::<Vec<Bounds>>(bounds).filter(|(_, (_, most))| *most > 0)
    {
        let certain = cells.entry(cell).or_default();
        certain.at_least += u64::from(least);
        certain.at_most += u64::from(most);
        if certain.keys.last() != Some(&key) {
            certain.keys.push(key);
        }
    }
    Some(is_exact)
}

impl KeyedSide {
    /// Who can have gone where, and which cell every edge is.
    fn problem(&self, growth: i64) -> (Transport, Vec<Cell>) {
        let counts = |side: &[(u32, u32)]| side.iter().map(|&(_, n)| n).collect::<Vec<u32>>();
        let (mut supply, mut demand) = (counts(&self.earlier), counts(&self.later));
        let mut edges = self.pairs.clone();
        let class = |side: &[(u32, u32)], at: u32| side[at as usize].0;
        let both = |&(a, b): &(u32, u32)| Cell::Both(class(&self.earlier, a), class(&self.later, b));
        let mut named: Vec<Cell> = edges.iter().map(both).collect();
        if growth > 0 {
            // Those who came, as one class more of the earlier release, which meets all.
            edges.extend((0..demand.len() as u32).map(|to| (supply.len() as u32, to)));
            supply.push(growth as u32);
            named.extend(self.later.iter().map(|&(class, _)| Cell::Came(class)));
        } else if growth < 0 {
            edges.extend((0..supply.len() as u32).map(|from| (from, demand.len() as u32)));
            demand.push(growth.unsigned_abs() as u32);
            named.extend(self.earlier.iter().map(|&(class, _)| Cell::Left(class)));
        }
        (Transport { supply, demand, edges }, named)
    }
}
