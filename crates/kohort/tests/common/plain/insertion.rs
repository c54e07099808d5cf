//! New rows join existing classes (Kabir et al. 2011, section 5; `algorithms.md` §9.3), class by class and row by row.

use kohort::algorithm::InsertionRule;

use super::Plain;
use super::repair::repair;

/// The classes afterwards, and how many rows their class covered before they came.
pub(crate) fn insert(
    plain: &Plain<'_>,
    mut classes: Vec<Vec<u32>>,
    new: &[u32],
    rule: InsertionRule,
) -> (Vec<Vec<u32>>, u64) {
    let mut covered = 0;
    for &row in new {
        let rank = |&c: &usize| (value(plain, &classes[c], row, rule), classes[c].len(), c);
        let target = (0..classes.len()).filter(|&c| !classes[c].is_empty()).min_by_key(rank).unwrap();
        let before = plain.closure(&classes[target]);
        covered += u64::from(plain.grown(&before, row) == before);
        classes[target].push(row);
    }
    (repair(plain, classes), covered)
}

/// What the rule compares. The posterior is N f over a sum that is the same for all.
fn value(plain: &Plain<'_>, class: &[u32], row: u32, rule: InsertionRule) -> i128 {
    let loss = |rows: &[u32]| rows.len() as i128 * i128::from(plain.cost(&plain.closure(rows)));
    let with = [class, &[row]].concat();
    match rule {
        InsertionRule::LeastLoss => loss(&with),
        InsertionRule::LeastIncrease => loss(&with) - loss(class),
        InsertionRule::Posterior => class.len() as i128 * loss(class),
    }
}
