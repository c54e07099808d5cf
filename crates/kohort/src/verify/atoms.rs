//! Whether a growing table keeps its word: every atom meets every demand by itself, every class is made of whole atoms, and
//! what was published stays what it was or becomes wider.
//!
//! An atom is a set of rows that no release ever splits. That each of them holds what was asked is what comparing releases rests
//! on (`algorithms.md` §9): whatever classes of whichever releases are united, intersected or taken from each other, what is left
//! is a union of atoms.

use rayon::prelude::*;

use super::grouping::{AS_IT_IS, Grouping};
use super::{Published, Released, verify_grouped};
use crate::data::{Attribute, People, ROOT_LABEL, Table};
use crate::demand::{Demands, Notion};
use crate::error::{Result, Said};
use crate::input::Column;

/// What the ledger says of the rows of a release.
pub struct Atoms<'a> {
    /// The atom of every row; of rows that are published as they are, [`NO_ATOM`].
    pub of_row: &'a [u32],
    /// Whose every row is, where people are counted.
    pub people: Option<People>,
    /// Which rows count for no demand, because the person is in an earlier atom; empty where all count.
    pub uncounted: &'a [bool],
}

/// The atom of a row that is published as it is.
pub const NO_ATOM: u32 = u32::MAX;

impl Atoms<'_> {
    /// What falls short, in words; empty where all is as it should be. `whole` is what classes are compared with.
    pub fn shortfalls(
        &self,
        released: &Released,
        grouping: &Grouping,
        demands: &Demands,
        whole: &Table,
    ) -> Result<Vec<Said>> {
        let mut short = self.torn(grouping);
        short.extend(self.each(released, demands, whole, &[])?);
        if self.uncounted.contains(&true) {
            // Without the rows of people who were there before, too.
            short.extend(self.each(released, demands, whole, self.uncounted)?);
        }
        Ok(short)
    }

    /// Every atom as a class of its own, without the rows `aside`.
    fn each(
        &self,
        released: &Released,
        demands: &Demands,
        whole: &Table,
        aside: &[bool],
    ) -> Result<Vec<Said>> {
        let marked = |(row, &atom): (usize, &u32)| {
            if aside.get(row) == Some(&true) || atom == NO_ATOM { AS_IT_IS } else { atom }
        };
        let marks: Vec<u32> = self.of_row.iter().enumerate().map(marked).collect();
        if marks.iter().all(|&mark| mark == AS_IT_IS) {
            return Ok(Vec::new());
        }
        let grouping = Grouping::of_marks(&marks);
        let by_atom = Released {
            rows: released.rows,
            qi: released.qi.clone(),
            sensitive: released.sensitive.clone(),
            hidden: Vec::new(),
            verbatim: marks.iter().map(|&mark| mark == AS_IT_IS).collect(),
            people: self.people.clone(),
        };
        let found = verify_grouped(&by_atom, &grouping, None, Some(demands.k()), demands, whole)?;
        let short = found.shortfalls(demands, Notion::K, |_| true);
        Ok(short.iter().map(|said| format!("of the atoms: {}", said.marked()).into()).collect())
    }

    /// Atoms whose rows do not all read the same, and rows that are in a class and no atom, or the other way round.
    fn torn(&self, grouping: &Grouping) -> Vec<Said> {
        let mut class_of: Vec<Option<u32>> = Vec::new();
        let (mut torn, mut stray) = (0u64, 0u64);
        for (&atom, &class) in self.of_row.iter().zip(&grouping.of_row) {
            if (atom == NO_ATOM) != (class >= AS_IT_IS) {
                stray += 1;
            } else if atom != NO_ATOM {
                if class_of.len() <= atom as usize {
                    class_of.resize(atom as usize + 1, None);
                }
                torn += u64::from(*class_of[atom as usize].get_or_insert(class) != class);
            }
        }
        let mut out = Vec::new();
        if self.of_row.len() != grouping.of_row.len() {
            out.push(
                format!(
                    "{} rows are in atoms, and the release has {}",
                    self.of_row.len(),
                    grouping.of_row.len()
                )
                .into(),
            );
        }
        if torn > 0 {
            out.push(format!("{torn} rows stand in another class than the rest of their atom").into());
        }
        if stray > 0 {
            out.push(
                format!("{stray} rows are in a class and in no atom, or in an atom and in no class").into(),
            );
        }
        out
    }
}

/// The quasi-identifiers of rows in two releases that follow one another: how many cells of rows that were published before are
/// neither what they were nor wider. `was` says for every row of the later one where it stood in the earlier one.
pub fn narrowed(
    attributes: &[&Attribute],
    earlier: &[Vec<Column>],
    later: &[Vec<Column>],
    was: &[Option<u32>],
) -> u64 {
    let columns = attributes.iter().zip(earlier).zip(later);
    columns.map(|((attribute, before), after)| narrowed_in(attribute, before, after, was)).sum()
}

fn narrowed_in(attribute: &Attribute, before: &[Column], after: &[Column], was: &[Option<u32>]) -> u64 {
    let text = |columns: &[Column], at: usize, row: usize| -> String {
        let column = &columns[at];
        column.texts[column.codes.get(row) as usize].clone()
    };
    let is_wrong = |(row, was): (usize, &Option<u32>)| {
        let Some(was) = *was else { return false };
        let same = (0..before.len()).all(|at| {
            let (a, b) = (&before[at], &after[at]);
            a.texts[a.codes.get(was as usize) as usize] == b.texts[b.codes.get(row) as usize]
        });
        if same {
            return false;
        }
        let read = |columns: &[Column], row: usize| match columns {
            [_] => Published::read(attribute, &text(columns, 0, row)),
            _ => Published::read_bounds(attribute, &text(columns, 0, row), &text(columns, 1, row)),
        };
        let shows_nothing = |columns: &[Column], row: usize| {
            (0..columns.len()).all(|at| {
                let text = text(columns, at, row);
                text == ROOT_LABEL || (columns.len() == 2 && text.is_empty())
            })
        };
        !shows_nothing(after, row) && !covers(attribute, read(after, row), read(before, was as usize))
    };
    (0..was.len()).into_par_iter().filter(|&row| is_wrong((row, &was[row]))).count() as u64
}

/// Whether everything that one published cell may be, the other may be, too.
fn covers(attribute: &Attribute, wide: Published, narrow: Published) -> bool {
    match (wide, narrow) {
        (Published::Any, _) | (Published::Missing, Published::Missing) => true,
        (Published::Node(wide), Published::Node(narrow)) => match &attribute.domain {
            crate::data::Domain::Tree(tree) => {
                let (wide, narrow) = (tree.leaves(wide), tree.leaves(narrow));
                wide.start <= narrow.start && narrow.end <= wide.end
            }
            crate::data::Domain::Interval(_) => false,
        },
        (Published::Range { lo, hi, .. }, Published::Range { lo: from, hi: to, .. }) => {
            lo <= from && to <= hi
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Domain, Kind, Numbers};

    fn column(texts: &[&str]) -> Column {
        Column {
            texts: texts.iter().map(|&t| t.to_owned()).collect(),
            counts: vec![1; texts.len()],
            codes: (0..texts.len() as u32).collect(),
            ..Column::default()
        }
    }

    fn released(ages: &[&str]) -> Released {
        let mut texts: Vec<String> = ages.iter().map(|&a| a.to_owned()).collect();
        texts.sort();
        texts.dedup();
        let codes = ages.iter().map(|age| texts.iter().position(|t| t == age).unwrap_or(0) as u32).collect();
        let qi =
            Column { name: "age".into(), counts: vec![1; texts.len()], texts, codes, ..Column::default() };
        Released {
            rows: ages.len(),
            qi: vec![vec![qi]],
            sensitive: Vec::new(),
            hidden: Vec::new(),
            verbatim: Vec::new(),
            people: None,
        }
    }

    fn short(ages: &[&str], of_row: &[u32]) -> usize {
        let released = released(ages);
        let atoms = Atoms { of_row, people: None, uncounted: &[] };
        let demands = Demands::new(2, None).unwrap();
        atoms.shortfalls(&released, &Grouping::of(&released), &demands, &Table::default()).unwrap().len()
    }

    #[test]
    fn an_atom_that_is_too_small_or_torn_is_found() {
        assert_eq!(short(&["a", "a", "a", "a"], &[0, 1, 0, 1]), 0);
        assert_eq!(short(&["a", "a", "a"], &[0, 0, 1]), 1, "one row by itself");
        assert_eq!(short(&["a", "a", "b", "b"], &[0, 1, 0, 1]), 1, "atoms across classes");
        assert_eq!(short(&["a", "a"], &[0, NO_ATOM]), 2, "a row without atom, and one left alone");
    }

    #[test]
    fn people_who_were_there_before_do_not_count() {
        let released = released(&["a", "a", "a"]);
        let demands = Demands::new(3, None).unwrap();
        let grouping = Grouping::of(&released);
        let short = |uncounted: &[bool]| {
            let atoms = Atoms { of_row: &[0, 0, 0], people: None, uncounted };
            atoms.shortfalls(&released, &grouping, &demands, &Table::default()).unwrap().len()
        };
        assert_eq!((short(&[]), short(&[false, true, false])), (0, 1));
    }

    #[test]
    fn published_cells_only_become_wider() {
        let texts: Vec<String> = ["1", "2", "3", "9"].map(str::to_owned).to_vec();
        let (numbers, _) = Numbers::order(Kind::Integer, &texts, None).unwrap();
        let age = Attribute::new("age", Domain::Interval(numbers), vec![1; 4]);
        let before = [vec![column(&["[1, 3]", "2", "*"])]];
        let was = [Some(0), Some(1), Some(2), None];
        let wrong = |after: &[&str]| narrowed(&[&age], &before, &[vec![column(after)]], &was);
        assert_eq!(wrong(&["[1, 3]", "2", "*", "9"]), 0);
        assert_eq!(wrong(&["[1, 9]", "[2, 3]", "*", "9"]), 0);
        assert_eq!(wrong(&["[1, 2]", "3", "[1, 9]", "9"]), 3);
    }
}
