//! The classes of a release: rows whose published quasi-identifiers read the same.

use std::hash::Hash;
use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::input::Column;
use crate::model::Tally;

/// The class number of a suppressed row.
pub(super) const HIDDEN: u32 = u32::MAX;

/// The class number of a row that is published as it is; it takes part in no class.
pub(super) const AS_IT_IS: u32 = u32::MAX - 1;

/// Classes by published text, each with what the models ask of it.
pub(super) struct Classes {
    /// Per class: its texts (as codes, one per column) and its content.
    pub(super) found: Vec<(Box<[u32]>, Tally)>,
    /// Per row, its class, or [`HIDDEN`] or [`AS_IT_IS`].
    pub(super) of_row: Vec<u32>,
}

/// Groups rows by the texts of `qi`; rows that `hidden` or `verbatim` marks are in no class.
pub(super) fn classes(
    rows: usize,
    qi: &[&Column],
    sensitive: &[&Column],
    hidden: &[bool],
    verbatim: &[bool],
) -> Classes {
    let apart = |row: usize| match (hidden.get(row), verbatim.get(row)) {
        (Some(true), _) => Some(HIDDEN),
        (_, Some(true)) => Some(AS_IT_IS),
        _ => None,
    };
    // One stretch per thread: shuffled rows meet nearly all classes in every stretch. However many stretches there are,
    // classes end up numbered by first appearance.
    let stretch = rows.div_ceil(rayon::current_num_threads()).max(1);
    let starts: Vec<usize> = (0..rows).step_by(stretch).collect();
    let stretches = starts.into_iter().map(|start| start..rows.min(start + stretch)).collect();
    let of_row = match radix(qi) {
        Some(radix) => number(stretches, apart, |row| {
            qi.iter().zip(&radix).map(|(column, &r)| u128::from(column.codes.get(row)) * r).sum::<u128>()
        }),
        None => number(stretches, apart, |row| qi.iter().map(|c| c.codes.get(row)).collect::<Box<[u32]>>()),
    };
    Classes { found: tallies(&of_row, qi, sensitive), of_row }
}

/// Place values that pack the text codes of a row into one number, when they fit.
fn radix(qi: &[&Column]) -> Option<Vec<u128>> {
    let mut place = 1u128;
    qi.iter()
        .map(|column| {
            let mine = place;
            place = place.checked_mul(column.texts.len() as u128)?;
            Some(mine)
        })
        .collect()
}

/// Classes of some rows: a number per row, and the key of each class.
struct Stretch<K> {
    keys: Vec<K>,
    of_row: Vec<u32>,
}

/// Numbers the rows of every stretch by the key of their texts, then makes equal keys one class.
fn number<K: Eq + Hash + Clone + Send>(
    stretches: Vec<Range<usize>>,
    apart: impl Fn(usize) -> Option<u32> + Sync,
    key: impl Fn(usize) -> K + Sync,
) -> Vec<u32> {
    let of_stretch = |rows: Range<usize>| {
        let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
        let mut stretch = Stretch { keys: Vec::new(), of_row: Vec::with_capacity(rows.len()) };
        for row in rows {
            let class = apart(row).unwrap_or_else(|| {
                *numbers.entry(key(row)).or_insert_with_key(|key| {
                    stretch.keys.push(key.clone());
                    stretch.keys.len() as u32 - 1
                })
            });
            stretch.of_row.push(class);
        }
        stretch
    };
    let parts: Vec<Stretch<K>> = stretches.into_par_iter().map(of_stretch).collect();
    let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
    let mut of_row = Vec::with_capacity(parts.iter().map(|p| p.of_row.len()).sum());
    for part in parts {
        let renumbered: Vec<u32> = part
            .keys
            .into_iter()
            .map(|key| {
                let next = numbers.len() as u32;
                *numbers.entry(key).or_insert(next)
            })
            .collect();
        of_row.extend(part.of_row.iter().map(|&c| if c < AS_IT_IS { renumbered[c as usize] } else { c }));
    }
    of_row
}

/// Counts what each class contains. Rows are first brought together by class: jumping between classes row by row would
/// miss the cache at every step.
fn tallies(of_row: &[u32], qi: &[&Column], sensitive: &[&Column]) -> Vec<(Box<[u32]>, Tally)> {
    let classes = of_row.iter().filter(|&&c| c < AS_IT_IS).max().map_or(0, |&c| c as usize + 1);
    let mut start = vec![0u32; classes + 1];
    for &class in of_row.iter().filter(|&&c| c < AS_IT_IS) {
        start[class as usize + 1] += 1;
    }
    for class in 0..classes {
        start[class + 1] += start[class];
    }
    let (mut next, mut rows) = (start.clone(), vec![0u32; start[classes] as usize]);
    for (row, &class) in of_row.iter().enumerate().filter(|(_, c)| **c < AS_IT_IS) {
        rows[next[class as usize] as usize] = row as u32;
        next[class as usize] += 1;
    }
    let count = |class: usize| {
        let members = &rows[start[class] as usize..start[class + 1] as usize];
        let mut tally = Tally::new(sensitive.len());
        for &row in members {
            tally.add(sensitive.iter().map(|s| s.codes.get(row as usize)), 1);
        }
        (qi.iter().map(|column| column.codes.get(members[0] as usize)).collect(), tally)
    };
    (0..classes).into_par_iter().map(count).collect()
}
