//! New atoms join classes of the last release where all of them together lose less than apart.
//!
//! Under a monotone measure that is never so: the joined tuple covers both, and loses no less for the rows of either. Only where
//! both are published alike anyway they are one class, without any step. The entropy of a wider cell can be less, so under that
//! measure every new atom is tried with every class (`algorithms.md` §9.5).

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use rayon::prelude::*;

use crate::data::{Attribute, Cell, Domain, Point, ROOT_LABEL, Table, bound_names};
use crate::error::{Error, Result};
use crate::input::{Column, texts};
use crate::job::CheckedJob;
use crate::measure::Gauge;
use crate::recode::Release;
use crate::solution::is_class;
use crate::verify::Released;

/// A class of the last release, as far as new atoms can join it.
pub(super) struct Class {
    pub(super) number: u32,
    pub(super) rows: f64,
    pub(super) tuple: Vec<Cell>,
    /// The new atoms that have joined it.
    atoms: Vec<usize>,
}

/// Classes of the last release that are published wider than before.
#[derive(Debug, Default)]
pub(super) struct Widened {
    /// By class: its new texts, by released column.
    texts: BTreeMap<u32, BTreeMap<String, String>>,
    /// How many new atoms joined a class.
    pub(super) atoms: u64,
}

impl Widened {
    /// Publishes a class wider from now on.
    pub(super) fn widen(&mut self, class: u32, texts: BTreeMap<String, String>) {
        self.texts.insert(class, texts);
    }

    /// How many classes.
    pub(super) fn classes(&self) -> u64 {
        self.texts.len() as u64
    }
}

impl CheckedJob {
    /// What one cell of every quasi-identifier costs.
    pub(super) fn gauges(&self, table: &Table) -> Vec<Gauge> {
        table.qi.iter().map(|q| Gauge::new(self.search.measure, &q.attribute)).collect()
    }

    /// Lets new atoms join where that loses least; `release` is that of the new rows, and `class_of` says in which class every row
    /// of `last` is.
    pub(super) fn join(
        &self,
        table: &Table,
        release: &mut Release,
        last: &Released,
        class_of: &[Option<u32>],
    ) -> Widened {
        let bounded = table.qi.iter().any(|q| q.attribute.boundary.is_some());
        if self.search.measure.is_monotone() || bounded || release.classes() == 0 {
            return Widened::default();
        }
        let gauges = self.gauges(table);
        let cost =
            |tuple: &[Cell]| tuple.iter().zip(&gauges).map(|(&cell, gauge)| gauge.cell(cell)).sum::<f64>();
        let mut classes = classes(table, last, class_of);
        let mut sizes = vec![0u32; release.classes()];
        for &atom in release.class_of.iter().filter(|&&atom| is_class(atom)) {
            sizes[atom as usize] += 1;
        }
        let mut found = Widened::default();
        for (atom, &size) in sizes.iter().enumerate() {
            let own: Vec<Cell> = (0..table.qi.len())
                .map(|dim| release.cells[dim][release.tuples[dim][atom] as usize])
                .collect();
            let size = f64::from(size);
            let gain = |(at, class): (usize, &Class)| {
                let both = joined(table, &own, &class.tuple);
                let apart = class.rows.mul_add(cost(&class.tuple), size * cost(&own));
                (cost(&both).mul_add(class.rows + size, -apart), at)
            };
            let best = classes
                .par_iter()
                .enumerate()
                .map(gain)
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            // Rounding alone is no gain.
            let Some((_, at)) = best.filter(|(more, _)| *more < -1e-9 * size) else { continue };
            let class = &mut classes[at];
            let both = joined(table, &own, &class.tuple);
            if both != class.tuple {
                class.tuple.clone_from(&both);
                found.texts.insert(class.number, labels(self, table, &both));
            }
            class.rows += size;
            found.atoms += 1;
            class.atoms.push(atom);
            // Those that joined before become wider with it.
            class.atoms.iter().for_each(|&atom| publish_as(release, atom, &both));
        }
        found
    }
}

fn joined(table: &Table, a: &[Cell], b: &[Cell]) -> Vec<Cell> {
    let cells = a.iter().zip(b).zip(&table.qi);
    cells.map(|((&a, &b), q)| q.attribute.join(a, b)).collect()
}

/// Gives an atom another tuple.
pub(super) fn publish_as(release: &mut Release, atom: usize, tuple: &[Cell]) {
    for ((cells, tuples), cell) in release.cells.iter_mut().zip(&mut release.tuples).zip(tuple) {
        let number = cells.iter().position(|other| other == cell).unwrap_or_else(|| {
            cells.push(*cell);
            cells.len() - 1
        });
        tuples[atom] = number as u32;
    }
}

/// The classes whose texts can be read as cells of this table.
pub(super) fn classes(table: &Table, last: &Released, class_of: &[Option<u32>]) -> Vec<Class> {
    let mut found: BTreeMap<u32, (usize, u32)> = BTreeMap::new();
    for (row, class) in class_of.iter().enumerate() {
        if let Some(class) = class {
            found.entry(*class).or_insert((row, 0)).1 += 1;
        }
    }
    let tuple = |row: usize| -> Option<Vec<Cell>> {
        table.qi.iter().zip(&last.qi).map(|(q, columns)| read(&q.attribute, columns, row)).collect()
    };
    let class = |(number, (row, rows))| {
        Some(Class { number, rows: f64::from(rows), tuple: tuple(row)?, atoms: Vec::new() })
    };
    found.into_iter().filter_map(class).collect()
}

/// The cell that a published text stands for; none where this table has no such cell, exactly.
fn read(attribute: &Attribute, columns: &[Column], row: usize) -> Option<Cell> {
    let text = |column: &Column| column.texts[column.codes.get(row) as usize].clone();
    let cell = match (&attribute.domain, columns) {
        (Domain::Tree(tree), [column]) => attribute.leaf(tree.node(&text(column))?),
        (Domain::Interval(_), [column]) if text(column) == ROOT_LABEL => attribute.top(),
        (Domain::Interval(numbers), [column]) if text(column).is_empty() => {
            numbers.has_missing().then(|| attribute.leaf(numbers.len()))?
        }
        (Domain::Interval(numbers), [column]) => {
            let text = text(column);
            let inside = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(&text);
            let (lo, hi) = inside.split_once(", ").unwrap_or((inside, inside));
            let place = |text| Point::parse(numbers.kind(), text).map(Point::position);
            numbers.between(place(lo)?, place(hi)?)?
        }
        (Domain::Interval(numbers), [lo, hi]) => {
            let place = |column| Point::parse(numbers.kind(), &text(column)).map(Point::position);
            numbers.between(place(lo)?, place(hi)?)?
        }
        _ => return None,
    };
    let shown = match columns {
        [column] => attribute.text(cell) == text(column),
        _ => true,
    };
    shown.then_some(cell)
}

/// The texts of a tuple, by released column.
pub(super) fn labels(job: &CheckedJob, table: &Table, tuple: &[Cell]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (q, &cell) in table.qi.iter().zip(tuple) {
        match &q.attribute.domain {
            Domain::Interval(numbers) if job.intervals == crate::data::Intervals::Bounds => {
                let told = !numbers.is_any(cell) && !numbers.is_missing(cell);
                let ends = told.then(|| numbers.bounds(cell)).map(|(lo, hi)| [lo, hi]);
                for (at, name) in bound_names(&q.attribute.name).into_iter().enumerate() {
                    found.insert(name, ends.map_or_else(String::new, |ends| numbers.point_text(ends[at])));
                }
            }
            _ => {
                found.insert(q.attribute.name.clone(), q.attribute.text(cell));
            }
        }
    }
    found
}

impl Widened {
    /// Some rows of the last release as they are published now; `class_of` is theirs.
    pub(super) fn apply(&self, batch: RecordBatch, class_of: &[Option<u32>]) -> Result<RecordBatch> {
        let is_wider = |class: &Option<u32>| class.is_some_and(|class| self.texts.contains_key(&class));
        if self.texts.is_empty() || !class_of.iter().any(is_wider) {
            return Ok(batch);
        }
        let broken = |e: arrow::error::ArrowError| Error::internal(e.to_string());
        let schema = batch.schema();
        let column = |(field, array): (&Arc<arrow::datatypes::Field>, &ArrayRef)| -> Result<ArrayRef> {
            let new = |class: &Option<u32>| self.texts.get(&(*class)?)?.get(field.name());
            if !class_of.iter().any(|class| new(class).is_some()) {
                return Ok(array.clone());
            }
            let old = texts(array)?;
            let shown = |(row, class): (usize, &Option<u32>)| match new(class) {
                Some(text) => Some(text.as_str()).filter(|text| !text.is_empty()),
                None => old.is_valid(row).then(|| old.value(row)),
            };
            let shown: ArrayRef = Arc::new(class_of.iter().enumerate().map(shown).collect::<StringArray>());
            match array.data_type() {
                DataType::Utf8 => Ok(shown),
                data => cast(&shown, data).map_err(broken),
            }
        };
        let columns = schema.fields().iter().zip(batch.columns()).map(column).collect::<Result<_>>()?;
        RecordBatch::try_new(schema.clone(), columns).map_err(broken)
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;

    use super::*;

    #[test]
    fn only_rows_of_wider_classes_change() {
        let ages: ArrayRef = Arc::new(StringArray::from(vec![Some("[1, 2]"), Some("[1, 2]"), None]));
        let batch = RecordBatch::try_from_iter([("age", ages)]).unwrap();
        let texts = [(4, [("age".to_owned(), "[1, 9]".to_owned())].into())].into();
        let wider = Widened { texts, atoms: 1 };
        let shown = wider.apply(batch.clone(), &[Some(4), Some(5), None]).unwrap();
        let shown: Vec<_> = shown.column(0).as_string::<i32>().iter().collect();
        assert_eq!(shown, [Some("[1, 9]"), Some("[1, 2]"), None]);
        assert_eq!(wider.apply(batch.clone(), &[Some(5), Some(5), None]).unwrap(), batch);
    }
}
