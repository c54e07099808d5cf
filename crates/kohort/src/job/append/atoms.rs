//! New rows become atoms, each of which meets every demand by itself; rows that cannot, wait.
//!
//! Which rows wait is decided by the search that leaves rows out of a release (`algorithm/suppress.rs`, `model/regions.rs`): nothing
//! but what the rows hold and the seed. As few wait as it can find, and none to save detail unless the job allows rows to be
//! suppressed for that: a row that waits helps nobody.

use std::collections::BTreeMap;

use super::fate::Fate;
use crate::algorithm::SuppressionCounts;
use crate::data::{Cell, Codes, People, Sensitive, Table};
use crate::demand::Model;
use crate::error::{Error, Result};
use crate::job::CheckedJob;
use crate::job::observed::WithDeadline;
use crate::job::solve::Solved;
use crate::model::Tally;
use crate::recode::recode;
use crate::report::Solutions;
use crate::solution::{SUPPRESSED, Solution, VERBATIM, is_class};

/// New atoms, and how they were found.
pub(super) struct Formed {
    /// The atom of every row of the batch, numbered from 0; or that it waits or is published as it is.
    pub(super) atom_of: Vec<u32>,
    pub(super) solved: Solved,
}

impl CheckedJob {
    /// Groups the new rows.
    pub(super) fn form(&self, table: &Table, fates: &[Fate], watch: &WithDeadline<'_>) -> Result<Formed> {
        let strange = self.strange(table);
        let rows: Vec<u32> = at(fates, Fate::New)
            .into_iter()
            .filter(|&row| strange.get(row as usize) != Some(&true))
            .collect();
        let part = with_dense_people(table.select(&rows));
        let mut solved = self.group(&part, watch)?;
        let mut atom_of = vec![SUPPRESSED; table.rows];
        if let Solution::Clusters(of) = solved.take_solution() {
            for (&row, atom) in rows.iter().zip(of) {
                atom_of[row as usize] = atom;
            }
        }
        for row in at(fates, Fate::Open) {
            atom_of[row as usize] = VERBATIM;
        }
        united(table, &mut atom_of);
        self.take_along(table, &mut atom_of, &at(fates, Fate::Returning))?;
        united(table, &mut atom_of);
        Ok(Formed { atom_of, solved })
    }

    /// The ordinary search. Where no grouping of all rows meets the demands, as few rows wait as that takes.
    fn group(&self, part: &Table, watch: &WithDeadline<'_>) -> Result<Solved> {
        let people = part.people.as_ref().map_or(part.rows, |people| people.count as usize);
        if people < self.demands.k() as usize {
            return Ok(self.nothing(part.rows));
        }
        let rows: Vec<u32> = (0..part.rows as u32).collect();
        let refused = match self.solve(part, &rows, watch) {
            Ok(solved) => return Ok(solved),
            Err(Error::Unsolvable(refused)) => Error::Unsolvable(refused),
            Err(other) => return Err(other),
        };
        let share = refused.numbers().get("suppress_at_least").copied().unwrap_or(1.0);
        let generous = Self { suppress: Some(share.min(1.0)), ..self.clone() };
        match generous.solve(part, &rows, watch) {
            Err(Error::Unsolvable(_)) => Ok(self.nothing(part.rows)),
            other => other,
        }
    }

    /// Rows with a sensitive value that the first release did not have, where a demand forbids values that are more frequent in a
    /// class than there by any factor: no class can ever hold them.
    fn strange(&self, table: &Table) -> Vec<bool> {
        let is_ratio =
            |model: &Model| matches!(model, Model::BetaLikeness { .. } | Model::DeltaDisclosure { .. });
        let asked =
            |column: &&Sensitive| !column.frozen.is_empty() && self.demands.of(&column.name).any(is_ratio);
        let columns: Vec<&Sensitive> = table.sensitive.iter().filter(asked).collect();
        let is_strange =
            |row: usize| columns.iter().any(|column| column.frozen[column.codes.get(row) as usize] == 0);
        if columns.is_empty() { Vec::new() } else { (0..table.rows).map(is_strange).collect() }
    }

    /// Nothing was searched: everybody waits.
    pub(super) fn nothing(&self, rows: usize) -> Solved {
        Solved {
            solution: Solution::Clusters(vec![SUPPRESSED; rows]),
            algorithm: self.search.choice.name().to_owned(),
            account: SuppressionCounts::default(),
            blocks: None,
            refined: None,
            prices: None,
            hurried: None,
            minimal: false,
            trimmed: false,
            vanished: None,
            solutions: Solutions::default(),
            search: None,
        }
    }

    /// Rows of people who are in earlier releases go into the new atom where they lose least, if that still meets the demands
    /// with them; it does without them. Boundaries are those of single values, so where there are any these rows wait.
    fn take_along(&self, table: &Table, atom_of: &mut [u32], returning: &[u32]) -> Result<()> {
        let bounded = table.qi.iter().any(|q| q.attribute.boundary.is_some());
        let release = recode(table, &Solution::Clusters(atom_of.to_vec()));
        if returning.is_empty() || bounded || release.classes() == 0 {
            return Ok(());
        }
        let asked = |name: &str| self.demands.of(name).next().is_some();
        let by_person = table.by_person(asked);
        let counted = by_person.as_ref().unwrap_or(table);
        let models = self.demands.bind(counted)?;
        let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); release.classes()];
        for (row, &atom) in (0..).zip(atom_of.iter()).filter(|(_, atom)| is_class(**atom)) {
            rows_of[atom as usize].push(row);
        }
        let mut tuples: Vec<Vec<Cell>> = (0..release.classes())
            .map(|atom| {
                (0..table.qi.len())
                    .map(|dim| release.cells[dim][release.tuples[dim][atom] as usize])
                    .collect()
            })
            .collect();
        let gauges = self.gauges(table);
        let cost =
            |tuple: &[Cell]| tuple.iter().zip(&gauges).map(|(&cell, gauge)| gauge.cell(cell)).sum::<f64>();
        let columns: Vec<&Codes> =
            models.columns().iter().map(|column| &counted.sensitive[column.at].codes).collect();
        for &row in returning {
            let joined = |tuple: &[Cell]| -> Vec<Cell> {
                let cells = tuple.iter().zip(&table.qi);
                cells
                    .map(|(&cell, q)| q.attribute.join(cell, q.attribute.leaf(q.codes.get(row as usize))))
                    .collect()
            };
            let price = |(atom, tuple): (usize, &Vec<Cell>)| {
                let (wide, rows) = (cost(&joined(tuple)), rows_of[atom].len() as f64);
                (rows.mul_add(wide - cost(tuple), wide), atom)
            };
            let best =
                tuples.iter().enumerate().map(price).min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((_, atom)) = best else { continue };
            let with: Vec<(u32, u32)> = rows_of[atom].iter().chain([&row]).map(|&row| (row, 1)).collect();
            let tally = Tally::gather(columns.len(), &with, |column, row| columns[column].get(row as usize));
            if models.hold(&tally) {
                atom_of[row as usize] = atom as u32;
                rows_of[atom].push(row);
                tuples[atom] = joined(&tuples[atom]);
            }
        }
        Ok(())
    }
}

/// The rows of one fate.
fn at(fates: &[Fate], wanted: Fate) -> Vec<u32> {
    (0..).zip(fates).filter(|(_, fate)| **fate == wanted).map(|(row, _)| row).collect()
}

/// The table with its people numbered without gaps, so that their number is that of people in it.
fn with_dense_people(table: Table) -> Table {
    let people = table.people.as_ref().map(|people| {
        let mut number: BTreeMap<u32, u32> = BTreeMap::new();
        let codes: Codes = people
            .codes
            .iter()
            .map(|person| {
                let next = number.len() as u32;
                *number.entry(person).or_insert(next)
            })
            .collect();
        People { codes, count: number.len() as u32 }
    });
    Table { people, ..table }
}

/// Numbers atoms without gaps, by their first row. Atoms that are published alike are one: nobody could tell them apart.
fn united(table: &Table, atom_of: &mut [u32]) {
    let release = recode(table, &Solution::Clusters(atom_of.to_vec()));
    let mut number: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for atom in atom_of.iter_mut().filter(|atom| is_class(**atom)) {
        let tuple = release.tuples.iter().map(|of_class| of_class[*atom as usize]).collect();
        let next = number.len() as u32;
        *atom = *number.entry(tuple).or_insert(next);
    }
}
