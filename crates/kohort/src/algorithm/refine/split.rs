//! Cutting a table into regions that are refined by themselves: every round cuts elsewhere, so that no two classes are kept
//! apart for long.

use super::axis::Axis;
use super::dice::Dice;
use super::draft::Share;
use crate::data::Cell;

/// How many axes are drawn, of which the table is cut along the one where fewest classes lie on both sides of the cut. With one,
/// borders run through everything; with all of them, they are always the same. Adult, lm, k = 10, 12 steps a row, eight seeds:
/// 0.07522, as without any cut, where cuts by distance from a class give 0.07535.
const AXES: usize = 3;

/// The smaller side of a cut along an axis has at least this share.
const LEAST: f64 = 0.4;

/// A class and its tuple.
pub(super) struct BoxedClass {
    pub(super) tuple: Vec<Cell>,
    pub(super) class: Vec<Share>,
}

/// Cuts some classes in two until none of the parts has more than about so many groups.
pub(super) fn split(
    axes: &[Axis<'_>],
    classes: Vec<BoxedClass>,
    groups: usize,
    dice: &mut Dice,
) -> Vec<Vec<Vec<Share>>> {
    let shares: usize = classes.iter().map(|boxed| boxed.class.len()).sum();
    if shares <= groups || classes.len() < 2 {
        return vec![classes.into_iter().map(|boxed| boxed.class).collect()];
    }
    let (one, other) = match axis_cut(axes, &classes, shares, dice) {
        Some(cut) => cut.sides(axes, classes),
        None => halves(axes, classes, shares, dice),
    };
    let mut regions = split(axes, one, groups, dice);
    regions.extend(split(axes, other, groups, dice));
    regions
}

/// A cut below a code of an axis.
struct Cut {
    at: usize,
    code: u32,
}

impl Cut {
    /// The classes on either side; those on both are where most of their codes are.
    fn sides(&self, axes: &[Axis<'_>], classes: Vec<BoxedClass>) -> (Vec<BoxedClass>, Vec<BoxedClass>) {
        classes.into_iter().partition(|boxed| {
            let (lo, hi) = axes[self.at].span(boxed.tuple[self.at]);
            lo + hi <= 2 * self.code
        })
    }
}

/// The cut along one of some axes drawn at random that crosses the fewest classes; none where no side would be large enough.
fn axis_cut(axes: &[Axis<'_>], classes: &[BoxedClass], shares: usize, dice: &mut Dice) -> Option<Cut> {
    let mut best: Option<(usize, Cut)> = None;
    for _ in 0..AXES {
        let at = dice.below(axes.len());
        let codes = axes[at].codes() as usize;
        // How much begins at a code, and how much ends before it.
        let (mut begins, mut ends) = (vec![0; codes + 1], vec![0; codes + 1]);
        for boxed in classes {
            let (lo, hi) = axes[at].span(boxed.tuple[at]);
            begins[lo as usize] += boxed.class.len();
            ends[hi as usize] += boxed.class.len();
        }
        let (mut below, mut above) = (0, shares);
        for code in 1..codes {
            below += ends[code];
            above -= begins[code - 1];
            let crossed = shares - below - above;
            let is_even = below.min(above) as f64 >= LEAST * shares as f64;
            if is_even && best.as_ref().is_none_or(|(least, _)| crossed < *least) {
                best = Some((crossed, Cut { at, code: code as u32 }));
            }
        }
    }
    best.map(|(_, cut)| cut)
}

/// The classes near one drawn at random, and the others.
fn halves(
    axes: &[Axis<'_>],
    classes: Vec<BoxedClass>,
    shares: usize,
    dice: &mut Dice,
) -> (Vec<BoxedClass>, Vec<BoxedClass>) {
    let middle = classes[dice.below(classes.len())].tuple.clone();
    let distance = |boxed: &BoxedClass| -> u64 {
        let cells = axes.iter().zip(&middle).zip(&boxed.tuple);
        cells.map(|((axis, &a), &b)| axis.cost_of_join(a, b)).sum()
    };
    let mut ranked: Vec<(u64, BoxedClass)> =
        classes.into_iter().map(|boxed| (distance(&boxed), boxed)).collect();
    // Stable: classes that are equally far stay in their order.
    ranked.sort_by_key(|(distance, _)| *distance);
    let mut near = 0;
    let cut = ranked.iter().take_while(|(_, boxed)| {
        near += boxed.class.len();
        near * 2 <= shares
    });
    let cut = cut.count().clamp(1, ranked.len() - 1);
    let far = ranked.split_off(cut);
    let boxed = |half: Vec<(u64, BoxedClass)>| half.into_iter().map(|(_, boxed)| boxed).collect();
    (boxed(ranked), boxed(far))
}
