//! Cutting a table into regions: classes near a row drawn at random are kept together, and the others.

use super::axis::Axis;
use super::dice::Dice;
use super::draft::Share;
use crate::data::Cell;

/// A class and its tuple.
pub(super) struct BoxedClass {
    pub(super) tuple: Vec<Cell>,
    pub(super) class: Vec<Share>,
}

/// Halves some classes until none of the parts has more than about so many groups. Each half lies on its own side of a distance
/// from some class, and every call draws others, so that no two classes are kept apart for long.
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
    let mut regions = split(axes, boxed(ranked), groups, dice);
    regions.extend(split(axes, boxed(far), groups, dice));
    regions
}
