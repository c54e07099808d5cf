//! What somebody learns who keeps several releases of the same people.
//!
//! An attacker who has nothing but releases, made by any tool, knows two things: every row lies in the box that it shows, and what
//! is released as it is (sensitive and kept columns) stays with the person. So each person of an earlier release is a row of the
//! later one whose box meets the earlier box and who shows the same values. How many people can be in class E1 of one release
//! and in class E2 of another follows from counts alone: it is a flow (`flow`), and its least and greatest values are what the
//! attacker is certain of. A *set* is isolated where at least one person is certain to be in it, and at most so many.
//!
//! - **One release**: a class by itself.
//! - **Difference**: those of a class, or of a whole region of boxes that meet, who were not there before, or who left.
//! - **Intersection**: those of class E1 who are in class E2. Values that only a few have trace them from one to the other.
//! - **Kept classes**: where a tool keeps its classes and lets them grow, a class of fewer than 2k rows goes whole into one class
//!   of the later release. Take away what went there; what is left is a set.
//! - **A known person**: the rows that could be hers, in all releases at once.
//!
//! The first four are sound where nobody left between two releases (or nobody came, where a region only shrinks): what they find is
//! then there. Classes are kept only if the tool keeps them; [`Attack::supposes`] says so. A series in which
//! every class of every release is a union of the same atoms, each of at least k rows, is safe from all of them: whatever flows
//! from one class into another is a union of atoms, none of which is smaller than k, so nothing certain can be; and a class of
//! fewer than 2k rows is a single atom, so that what is left beside it is a union of atoms, too.
//!
//! *Complexity* near-linear in the rows: up to 64 pairs of classes whose boxes meet are looked at per class. Where there are more, only
//! those are that can make anything certain (`dense`), and [`RiskFound::not_tried`] says that less is looked for.

mod cells;
mod classes;
mod dense;
mod flow;
mod isolated;
mod kept_classes;
mod known;
mod overlap;
mod pair;
mod reading;
mod regions;

use rayon::prelude::*;

use classes::Grouped;
use isolated::Finds;
pub use isolated::{Attack, Counted, Isolated, ReleaseSeen, RiskFound, RowsOf, Shortage};
pub use reading::Labels;

use crate::input::Column;
use crate::verify::Released;

/// A release as an attacker has it.
pub struct SeenRelease {
    /// What to call it.
    pub name: String,
    /// Its quasi-identifiers and sensitive columns, the same ones in every release.
    pub released: Released,
    /// The other columns that every release has, in the same order.
    pub others: Vec<Column>,
}

/// What is asked of sets of people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The fewest people a set may have; where none is given, as many as the smallest class of a release by itself.
    pub k: Option<u32>,
    /// Per sensitive column, the fewest different values a set may have; 1 asks for none.
    pub p: Vec<u32>,
    /// Whether somebody may have left between two releases: then nothing that supposes the contrary is certain.
    pub may_leave: bool,
    /// Per quasi-identifier, what is known of a person who is in all releases; none where it is not known. Empty where
    /// nobody is.
    pub known: Vec<Option<String>>,
}

/// Attacks every release by itself and every two of them together.
pub fn attack(releases: &[SeenRelease], labels: &[Labels], wanted: &Wanted) -> RiskFound {
    let read = reading::read(releases, labels, &wanted.known);
    let grouped: Vec<Grouped> = releases.par_iter().zip(&read.cells).map(Grouped::new).collect();
    let smallest = grouped.iter().filter_map(Grouped::smallest).min().unwrap_or(1);
    let k = wanted.k.map_or(smallest, u64::from).max(1);
    let aims = Aims { k, p: &wanted.p };
    let mut finds = Finds::default();
    for (at, release) in grouped.iter().enumerate() {
        classes::by_itself(release, at, releases, aims, &mut finds);
    }
    for later in 1..grouped.len() {
        for earlier in 0..later {
            pair::attack(releases, &grouped, [earlier, later], aims, &mut finds);
        }
    }
    if let Some(point) = &read.known {
        known::attack(releases, &grouped, point, aims, &mut finds);
    }
    let seen = |(release, grouped): (&SeenRelease, &Grouped)| ReleaseSeen {
        name: release.name.clone(),
        rows: release.released.rows as u64,
        classes: grouped.classes.len() as u64,
        smallest_class: grouped.smallest().unwrap_or(0),
    };
    let seen = releases.iter().zip(&grouped).map(seen).collect();
    let columns = releases.first().map_or(&[][..], |release| &release.released.sensitive);
    let sensitive = columns.iter().map(|column| column.name.clone()).collect();
    RiskFound { sensitive, ..finds.found(seen, k, wanted, read.guesses) }
}

/// What a set must have.
#[derive(Debug, Clone, Copy)]
struct Aims<'a> {
    k: u64,
    p: &'a [u32],
}
