//! All classes of a table as lists of groups, and the regions that are made of them.
//!
//! Groups have places: their order by codes. Whatever is drawn depends on places, never on the order of rows.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::axis::Axis;
use super::combine::cheaper_of;
use super::dice::Dice;
use super::draft::Share;
use super::frame::Frame;
use super::guided::Guided;
use super::holds::Holds;
use super::index::BoxIndex;
use super::region::Region;
use super::split::{BoxedClass, split};
use crate::algorithm::Problem;
use crate::bound::Guide;
use crate::data::Cell;
use crate::solution::SUPPRESSED;
use crate::space::Space;

/// A region, and which groups of the table its groups are.
pub(super) struct RegionOfTable<'a> {
    pub(super) region: Region<'a>,
    places: Vec<u32>,
}

/// Classes by part of the table; no class reaches across parts. Shares name groups by place.
#[derive(Clone)]
pub(super) struct ClassLists {
    parts: Vec<Vec<Vec<Share>>>,
    /// How many of the regions of the last round belong to each part.
    regions: Vec<usize>,
    /// The codes of every place, one per axis.
    codes: std::sync::Arc<Vec<u32>>,
    /// The group of the space at every place.
    groups: std::sync::Arc<Vec<u32>>,
}

impl ClassLists {
    /// The classes of rows that are not suppressed.
    pub(super) fn new(problem: Problem<'_>, class_of: &[u32], parts: &[Vec<u32>]) -> Self {
        let space = problem.space;
        let groups = ordered(space);
        let mut place_of = vec![0u32; groups.len()];
        (0..).zip(&groups).for_each(|(place, &group)| place_of[group as usize] = place);
        let group_of = space.groups().of_rows();
        let of_part = |rows: &Vec<u32>| {
            let classed = rows.iter().filter(|&&row| class_of[row as usize] != SUPPRESSED);
            let place = |&row: &u32| (class_of[row as usize], place_of[group_of[row as usize] as usize]);
            listed(classed.map(place).collect())
        };
        let codes = groups
            .iter()
            .flat_map(|&group| (0..space.dims()).map(move |dim| space.codes(dim)[group as usize]));
        Self {
            parts: parts.iter().map(of_part).collect(),
            regions: Vec::new(),
            codes: codes.collect::<Vec<u32>>().into(),
            groups: groups.into(),
        }
    }

    fn codes(&self, place: u32, dims: usize) -> &[u32] {
        &self.codes[place as usize * dims..][..dims]
    }

    fn tuple(&self, axes: &[Axis<'_>], class: &[Share]) -> Vec<Cell> {
        let leaf = |code: &u32| Cell { lo: *code, hi: *code };
        let mut tuple: Vec<Cell> = self.codes(class[0].group, axes.len()).iter().map(leaf).collect();
        for share in &class[1..] {
            let codes = self.codes(share.group, axes.len());
            for ((axis, cell), code) in axes.iter().zip(&mut tuple).zip(codes) {
                *cell = axis.join(*cell, leaf(code));
            }
        }
        tuple
    }

    fn loss(&self, axes: &[Axis<'_>], class: &[Share]) -> u64 {
        let tuple = self.tuple(axes, class);
        let cost: u64 = axes.iter().zip(tuple).map(|(axis, cell)| axis.cost(cell)).sum();
        class.iter().map(|share| u64::from(share.rows)).sum::<u64>() * cost
    }

    /// What all rows cost together.
    pub(super) fn cost(&self, axes: &[Axis<'_>]) -> u64 {
        self.parts.iter().flatten().map(|class| self.loss(axes, class)).sum()
    }

    /// What a class costs on average beyond what its rows cost by themselves, those that cost no more left out.
    pub(super) fn mean_loss(&self, axes: &[Axis<'_>]) -> f64 {
        let beyond = |class: &Vec<Share>| {
            let own: u64 = class.iter().map(|share| self.loss(axes, std::slice::from_ref(share))).sum();
            self.loss(axes, class).saturating_sub(own)
        };
        let losses = self.parts.iter().flatten().map(beyond).filter(|loss| *loss > 0);
        let (count, sum) = losses.fold((0u64, 0u64), |(count, sum), loss| (count + 1, sum + loss));
        sum as f64 / count.max(1) as f64
    }

    /// Regions of at most about so many groups, for this round.
    pub(super) fn split(
        &mut self,
        axes: &[Axis<'_>],
        groups: usize,
        dice: &mut Dice,
    ) -> Vec<Vec<Vec<Share>>> {
        let mut regions = Vec::new();
        let parts = std::mem::take(&mut self.parts);
        self.regions.clear();
        for part in parts {
            let boxed =
                part.into_iter().map(|class| BoxedClass { tuple: self.tuple(axes, &class), class }).collect();
            let of_part = split(axes, boxed, groups, dice);
            self.regions.push(of_part.len());
            regions.extend(of_part);
        }
        regions
    }

    /// The classes of all regions of the round.
    pub(super) fn replace(&mut self, regions: impl Iterator<Item = Vec<Vec<Share>>>) {
        let mut regions = regions;
        let of_part = |&count: &usize| {
            let mut classes: Vec<Vec<Share>> = regions.by_ref().take(count).flatten().collect();
            classes.sort_unstable();
            classes
        };
        self.parts = self.regions.iter().map(of_part).collect();
    }

    /// Takes what another clustering of the same rows does better, wherever it does.
    pub(super) fn take_cheaper(&mut self, other: &Self, axes: &[Axis<'_>]) {
        let cheaper = |(own, others): (&Vec<Vec<Share>>, &Vec<Vec<Share>>)| {
            cheaper_of(others, own, self.groups.len(), |class| self.loss(axes, class))
        };
        self.parts = self.parts.iter().zip(&other.parts).map(cheaper).collect();
    }

    /// A row of the table for each of some places, ascending: for a place that is listed several times, as many.
    pub(super) fn rows(&self, space: &Space<'_>, places: &[u32]) -> Vec<u32> {
        let rows = |places: &[u32]| {
            let group = self.groups[places[0] as usize] as usize;
            space.groups().rows(group)[..places.len()].to_vec()
        };
        places.chunk_by(|a, b| a == b).flat_map(rows).collect()
    }

    /// The region of some classes.
    pub(super) fn region<'a>(
        &self,
        problem: Problem<'a>,
        axes: &'a [Axis<'a>],
        classes: &[Vec<Share>],
        guide: Option<&'a Guide>,
        dice: Dice,
    ) -> RegionOfTable<'a> {
        let dims = axes.len();
        let mut rows: FxHashMap<u32, u32> = FxHashMap::default();
        classes.iter().flatten().for_each(|share| *rows.entry(share.group).or_default() += share.rows);
        let mut places: Vec<u32> = rows.keys().copied().collect();
        places.sort_unstable();
        let first = most_telling(dims, |dim| places.iter().map(move |&place| self.codes(place, dims)[dim]));
        places.sort_by_key(|&place| (self.codes(place, dims)[first], place));
        let local: FxHashMap<u32, u32> = places.iter().copied().zip(0..).collect();
        let codes = places.iter().flat_map(|&place| self.codes(place, dims)).copied().collect();
        let counts = places.iter().map(|place| rows[place]).collect();
        let secret = |column: &Vec<u32>| {
            places.iter().map(|&place| column[self.groups[place as usize] as usize]).collect()
        };
        let holds = Holds::new(problem.demands, problem.space.sensitive().iter().map(secret).collect());
        let renamed = |class: &Vec<Share>| {
            let renamed = class.iter().map(|share| Share { group: local[&share.group], ..*share });
            let mut renamed: Vec<Share> = renamed.collect();
            renamed.sort_unstable();
            renamed
        };
        let mut classes: Vec<Vec<Share>> = classes.iter().map(renamed).collect();
        // Whoever lists them, here or in another process, lists them in this order.
        classes.sort_unstable();
        let frame = Frame::new(axes, codes, counts);
        let row = |&place: &u32| problem.space.groups().rows(self.groups[place as usize] as usize)[0];
        let guided = guide.map(|guide| Guided::new(guide, places.iter().map(row).collect()));
        let index = BoxIndex::new(&frame, first);
        let region = Region::new(frame, index, (holds, guided), &classes, problem.space.full_cost(), dice);
        RegionOfTable { region, places }
    }

    /// The classes of a region, by place.
    pub(super) fn of_table(region: RegionOfTable<'_>) -> Vec<Vec<Share>> {
        let RegionOfTable { region, places } = region;
        let mut classes = region.into_lists();
        for class in &mut classes {
            for share in class.iter_mut() {
                share.group = places[share.group as usize];
            }
            class.sort_unstable();
        }
        classes
    }

    /// The class of every row that had one before. Rows of a group are dealt to its classes in order.
    pub(super) fn class_of(&self, space: &Space<'_>, before: &[u32]) -> Vec<u32> {
        let groups = space.groups();
        let mut class_of = vec![SUPPRESSED; before.len()];
        let mut next = vec![0usize; groups.len()];
        for (class, shares) in (0..).zip(self.parts.iter().flatten()) {
            for share in shares {
                let group = self.groups[share.group as usize] as usize;
                let mut left = share.rows;
                while left > 0 {
                    let row = groups.rows(group)[next[group]] as usize;
                    next[group] += 1;
                    if before[row] != SUPPRESSED {
                        class_of[row] = class;
                        left -= 1;
                    }
                }
            }
        }
        class_of
    }
}

/// The groups of a space by the codes of their quasi-identifiers, and else as they are numbered: sensitive codes are numbered as they
/// appear, and say nothing.
fn ordered(space: &Space<'_>) -> Vec<u32> {
    let mut groups: Vec<u32> = (0..space.groups().len() as u32).collect();
    let known = |group: u32| (0..space.dims()).map(move |dim| space.codes(dim)[group as usize]);
    groups.par_sort_by(|&a, &b| known(a).cmp(known(b)));
    groups
}

/// Classes as lists of shares, in order, from pairs of class and place, one per row.
pub(super) fn listed(mut pairs: Vec<(u32, u32)>) -> Vec<Vec<Share>> {
    pairs.par_sort_unstable();
    let share = |rows: &[(u32, u32)]| Share { group: rows[0].1, rows: rows.len() as u32 };
    let of_class = |pairs: &[(u32, u32)]| pairs.chunk_by(|a, b| a.1 == b.1).map(share).collect();
    let mut classes: Vec<Vec<Share>> = pairs.chunk_by(|a, b| a.0 == b.0).map(of_class).collect();
    classes.sort_unstable();
    classes
}

/// The axis by whose codes fewest pairs of groups are alike.
fn most_telling<I: Iterator<Item = u32>>(dims: usize, codes: impl Fn(usize) -> I) -> usize {
    let alike = |dim: &usize| {
        let mut count: FxHashMap<u32, u64> = FxHashMap::default();
        codes(*dim).for_each(|code| *count.entry(code).or_default() += 1);
        count.values().map(|n| n * n).sum::<u64>()
    };
    (0..dims).min_by_key(alike).unwrap_or(0)
}
