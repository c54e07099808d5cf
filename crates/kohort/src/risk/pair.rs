//! Two releases together.
//!
//! First everything that stays with a person is followed: sensitive columns and the others that both releases have. Where that
//! does not add up in some region (values changed, or people came and left), only sensitive columns are followed, and then
//! nothing but the boxes: less is supposed then, and less is certain.

use rayon::prelude::*;

use super::cells::{Cell, Certain, Counts, RegionFound, cells, common};
use super::classes::{Class, Grouped, Keys};
use super::dense::{self, Sides};
use super::isolated::{Attack, Finds, Isolated, RowsOf};
use super::kept_classes;
use super::overlap::pairs;
use super::regions::{Region, regions};
use super::{Aims, SeenRelease};
use crate::input::Column;

/// Pairs of classes per class that are looked at.
const MOST_PAIRS: usize = 64;

/// The two releases, the earlier one first.
pub(super) struct Pair<'a> {
    pub(super) at: [usize; 2],
    pub(super) classes: [&'a [Class]; 2],
    pub(super) keys: Keys,
    /// Per release and class.
    pub(super) counts: [Vec<Counts>; 2],
    /// Which classes somebody may be in both of; none where there are too many of them.
    pub(super) pairs: Option<Vec<(u32, u32)>>,
}

/// Attacks two releases, the earlier one first.
pub(super) fn attack(
    releases: &[SeenRelease],
    grouped: &[Grouped],
    at: [usize; 2],
    aims: Aims<'_>,
    finds: &mut Finds,
) {
    let classes = at.map(|release| grouped[release].classes.as_slice());
    let most = MOST_PAIRS * (classes[0].len() + classes[1].len()).max(1 << 14);
    let pairs = pairs(classes[0], classes[1], most);
    let seen = at.map(|release| &releases[release]);
    let sensitive = seen[0].released.sensitive.len();
    let mut unclear = true;
    for columns in followed(seen) {
        let sensitive = sensitive.min(columns[0].len());
        let keys = Keys::of(&columns, &seen.map(|s| s.released.rows), sensitive);
        let count = |side: usize| classes[side].iter().map(|class| keys.count(side, class)).collect();
        let pair = Pair { at, classes, counts: [count(0), count(1)], keys, pairs: pairs.clone() };
        kept_classes::attack(&pair, aims, finds);
        unclear = pair.attack(aims, finds);
        if !unclear {
            break;
        }
    }
    if unclear {
        finds.leave_out(format!(
            "who is who in parts of {} and {} where people came and left, or boxes changed",
            releases[at[0]].name, releases[at[1]].name
        ));
    }
}

/// The first columns of a release that stay with a person: sensitive ones, then the others.
fn first_columns(seen: &SeenRelease, size: usize) -> Vec<&Column> {
    seen.released.sensitive.iter().chain(&seen.others).take(size).collect()
}

/// The columns by which rows are followed, of both releases: all of them, then fewer.
fn followed(seen: [&SeenRelease; 2]) -> Vec<Vec<Vec<&Column>>> {
    let sensitive = seen[0].released.sensitive.len();
    let mut sizes = vec![sensitive + seen[0].others.len(), sensitive, 0];
    sizes.dedup();
    let of_both = |size: usize| seen.map(|s| first_columns(s, size)).to_vec();
    sizes.into_iter().map(of_both).collect()
}

impl Pair<'_> {
    /// Looks at all regions; says whether some of them could not be worked out.
    fn attack(&self, aims: Aims<'_>, finds: &mut Finds) -> bool {
        let all = match &self.pairs {
            Some(pairs) => self.regions_of(pairs),
            None => dense::regions_found(self.sides()),
        };
        let mut unclear = false;
        for (region, found) in &all {
            let Some(found) = found else {
                unclear = true;
                continue;
            };
            if !found.is_exact {
                finds.leave_out("whether sets are smaller still in the largest regions: there, bounds are not worked out exactly");
            }
            finds.tried(Attack::Intersection, found.others);
            self.judge_region(region, found, aims, finds);
            for (&cell, certain) in &found.cells {
                self.judge(cell, certain, region, aims, finds);
            }
        }
        unclear
    }

    /// Regions and what is certain of them, from all pairs of classes that meet.
    fn regions_of(&self, pairs: &[(u32, u32)]) -> Vec<(Region, Option<RegionFound>)> {
        let share_a_key = |&&(a, b): &&(u32, u32)| {
            !common(&self.counts[0][a as usize], &self.counts[1][b as usize]).is_empty()
        };
        let pairs: Vec<(u32, u32)> = pairs.iter().filter(share_a_key).copied().collect();
        let all = regions(self.classes[0].len(), self.classes[1].len(), &pairs);
        let found = |region: Region| {
            let found = cells(&region, &self.counts[0], &self.counts[1]);
            (region, found)
        };
        all.into_par_iter().map(found).collect()
    }

    /// Both sides as they are looked at where there are too many pairs.
    pub(super) fn sides(&self) -> Sides<'_> {
        Sides { classes: self.classes, counts: [&self.counts[0], &self.counts[1]] }
    }

    /// All those who came to a region, or left it.
    fn judge_region(&self, region: &Region, found: &RegionFound, aims: Aims<'_>, finds: &mut Finds) {
        let people: u64 = found.changed.iter().map(|&(_, n)| u64::from(n)).sum();
        if people == 0 {
            return;
        }
        finds.tried(Attack::Difference, 1);
        let shortage = self.keys.shortage(&found.changed.iter().map(|&(key, _)| key), aims.p);
        if people >= aims.k && shortage.is_none() {
            return;
        }
        let (more, less) = if found.grows { (1, 0) } else { (0, 1) };
        let keys: Vec<u32> = found.changed.iter().map(|&(key, _)| key).collect();
        let of = |side: usize| if side == 0 { &region.earlier } else { &region.later };
        finds.add(Attack::Difference, people, || Isolated {
            attack: Attack::Difference,
            people,
            at_least: people,
            shortage,
            taken_away: Some(self.rows(less, of(less), None)).filter(|rows| rows.count > 0),
            among: vec![self.rows(more, of(more), Some(&keys))],
        });
    }

    fn judge(&self, cell: Cell, certain: &Certain, region: &Region, aims: Aims<'_>, finds: &mut Finds) {
        let attack = if matches!(cell, Cell::Both(..)) { Attack::Intersection } else { Attack::Difference };
        finds.tried(attack, 1);
        if certain.at_least == 0 {
            return;
        }
        let shortage = self.keys.shortage(&certain.keys.iter().copied(), aims.p);
        if certain.at_most >= aims.k && shortage.is_none() {
            return;
        }
        let partners = |side: usize, class: u32| -> Vec<u32> {
            let of = |&(a, b): &(u32, u32)| {
                if side == 0 { (b == class).then_some(a) } else { (a == class).then_some(b) }
            };
            region.pairs.iter().filter_map(of).collect()
        };
        let keys = Some(certain.keys.as_slice());
        finds.add(attack, certain.at_most, || {
            let (taken_away, among) = match cell {
                Cell::Both(a, b) => (None, vec![self.rows(0, &[a], keys), self.rows(1, &[b], keys)]),
                Cell::Came(b) => (Some(self.rows(0, &partners(0, b), None)), vec![self.rows(1, &[b], keys)]),
                Cell::Left(a) => (Some(self.rows(1, &partners(1, a), None)), vec![self.rows(0, &[a], keys)]),
            };
            Isolated {
                attack,
                people: certain.at_most,
                at_least: certain.at_least,
                shortage,
                taken_away: taken_away.filter(|rows| rows.count > 0),
                among,
            }
        });
    }

    /// The rows of some classes of the earlier or later release; of those, only the ones with these keys.
    pub(super) fn rows(&self, side: usize, classes: &[u32], keys: Option<&[u32]>) -> RowsOf {
        let rows = classes.iter().flat_map(|&class| &self.classes[side][class as usize].rows).copied();
        let shown = |row: &u32| keys.is_none_or(|keys| keys.contains(&self.keys.at(side, *row)));
        RowsOf::new(self.at[side], rows.filter(shown))
    }
}
