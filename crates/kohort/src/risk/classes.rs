//! The rows of a release by what they show: classes, what they cover, and what their rows show besides.

use rustc_hash::FxHashMap;

use super::isolated::{Attack, Finds, Isolated, RowsOf, Shortage};
use super::reading::{Cells, Span};
use super::{Aims, SeenRelease};
use crate::input::Column;

/// A release in classes. Suppressed rows and those that are published as they are, at their people's wish, are in none.
pub(super) struct Grouped {
    pub(super) classes: Vec<Class>,
}

/// Rows whose quasi-identifiers read the same.
pub(super) struct Class {
    /// What they cover, by quasi-identifier.
    pub(super) cells: Vec<Span>,
    /// Which rows they are, ascending.
    pub(super) rows: Vec<u32>,
}

impl Class {
    /// Whether somebody may be in both classes.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.cells.iter().zip(&other.cells).all(|(a, b)| a.meets(*b))
    }

    /// Whether this class may have taken in the other.
    pub(super) fn may_cover(&self, other: &Self) -> bool {
        self.cells.iter().zip(&other.cells).all(|(a, b)| a.may_cover(*b))
    }
}

impl Grouped {
    pub(super) fn new((release, cells): (&SeenRelease, &Vec<Cells>)) -> Self {
        let released = &release.released;
        let aside =
            |row: usize| [&released.hidden, &released.verbatim].iter().any(|m| m.get(row) == Some(&true));
        let mut number: FxHashMap<Box<[u32]>, usize> = FxHashMap::default();
        let mut classes: Vec<Class> = Vec::new();
        for row in (0..released.rows).filter(|&row| !aside(row)) {
            let texts: Box<[u32]> = cells.iter().map(|c| c.of_row[row]).collect();
            let class = *number.entry(texts).or_insert_with_key(|texts| {
                let cells = cells.iter().zip(texts).map(|(c, &text)| c.spans[text as usize]).collect();
                classes.push(Class { cells, rows: Vec::new() });
                classes.len() - 1
            });
            classes[class].rows.push(row as u32);
        }
        Self { classes }
    }

    /// How many rows the smallest class has.
    pub(super) fn smallest(&self) -> Option<u64> {
        self.classes.iter().map(|class| class.rows.len() as u64).min()
    }
}

/// What rows show that stays with a person, as one number; the same numbers in all releases that are compared.
pub(super) struct Keys {
    /// Per release and row.
    of_row: Vec<Vec<u32>>,
    /// Per key and sensitive column: the value, 0 where it is missing. Columns that were not looked at have none.
    values: Vec<Box<[u32]>>,
}

impl Keys {
    /// The keys of some releases by some of their columns; the first `sensitive` ones of them are sensitive.
    pub(super) fn of(columns: &[Vec<&Column>], rows: &[usize], sensitive: usize) -> Self {
        let mut text_numbers: Vec<FxHashMap<&str, u32>> =
            vec![FxHashMap::default(); columns.first().map_or(0, Vec::len)];
        for numbers in &mut text_numbers {
            numbers.insert("", 0);
        }
        let mut number: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut values: Vec<Box<[u32]>> = Vec::new();
        let mut of_row = Vec::new();
        for (columns, &rows) in columns.iter().zip(rows) {
            let of_text: Vec<Vec<u32>> = columns
                .iter()
                .zip(&mut text_numbers)
                .map(|(column, numbers)| {
                    let mut number = |text| {
                        let next = numbers.len() as u32;
                        *numbers.entry(text).or_insert(next)
                    };
                    column.texts.iter().map(|text| number(text.as_str())).collect()
                })
                .collect();
            let key = |row: usize| {
                let texts = columns.iter().zip(&of_text).map(|(c, of)| of[c.codes.get(row) as usize]);
                let texts: Box<[u32]> = texts.collect();
                *number.entry(texts).or_insert_with_key(|texts| {
                    values.push(texts[..sensitive].into());
                    values.len() as u32 - 1
                })
            };
            of_row.push((0..rows).map(key).collect());
        }
        Self { of_row, values }
    }

    /// The keys of a class of one of the releases, ascending, each with how many rows have it.
    pub(super) fn count(&self, release: usize, class: &Class) -> Vec<(u32, u32)> {
        let mut keys: Vec<u32> = class.rows.iter().map(|&row| self.of_row[release][row as usize]).collect();
        keys.sort_unstable();
        keys.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
    }

    /// The key of a row.
    pub(super) fn at(&self, release: usize, row: u32) -> u32 {
        self.of_row[release][row as usize]
    }

    /// The sensitive column in which these keys have the fewest values for what is wanted, where that is too few. Missing values are none.
    pub(super) fn shortage(&self, keys: &(impl Iterator<Item = u32> + Clone), p: &[u32]) -> Option<Shortage> {
        let columns = self.values.first().map_or(0, |values| values.len());
        let short = |column: usize| {
            let wanted = *p.get(column).filter(|&&p| p > 1)?;
            let mut seen: Vec<u32> = keys
                .clone()
                .map(|key| self.values[key as usize][column])
                .filter(|&value| value > 0)
                .collect();
            seen.sort_unstable();
            seen.dedup();
            let values = seen.len() as u32;
            (values < wanted).then_some(Shortage { column, values, wanted })
        };
        (0..columns).filter_map(short).min_by_key(|short| short.values)
    }
}

/// Classes of one release that are too small, or have too few values.
pub(super) fn by_itself(
    release: &Grouped,
    at: usize,
    releases: &[SeenRelease],
    aims: Aims<'_>,
    finds: &mut Finds,
) {
    let shown = &releases[at].released;
    let keys = Keys::of(&[shown.sensitive.iter().collect()], &[shown.rows], shown.sensitive.len());
    for class in &release.classes {
        let people = class.rows.len() as u64;
        let shortage = keys.shortage(&class.rows.iter().map(|&row| keys.at(0, row)), aims.p);
        if people < aims.k || shortage.is_some() {
            finds.add(Attack::OneRelease, people, || Isolated {
                attack: Attack::OneRelease,
                people,
                at_least: people,
                shortage,
                taken_away: None,
                among: vec![RowsOf::new(at, class.rows.iter().copied())],
            });
        }
        finds.tried(Attack::OneRelease, 1);
    }
}
