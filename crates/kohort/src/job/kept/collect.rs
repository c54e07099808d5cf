//! Looks at the rows of a release while they are written.

use std::sync::Mutex;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::sample::{ValueSample, spread};
use super::sets::Sets;
use super::told::Finding;
use crate::data::{Codes, Role, Table};
use crate::error::Result;
use crate::input::{hashes, texts};
use crate::output::Onlooker;
use crate::solution::is_class;

/// Up to so many rows everything is counted, and values are sampled beyond.
pub(super) const EXACT: usize = 1 << 15;

/// How many hashes are held of all columns beside others.
const BESIDE: usize = 1 << 17;

/// With up to so many columns, as many rows are held of each as are counted exactly.
const FEW: usize = 16;

/// How many rows of a value are enough to see whether they agree in another column.
const EACH: u32 = 64;

/// How many cells are looked at together.
const CELLS: usize = 1 << 17;

/// How many texts are held, to see which columns grow together; and how many rows at most.
const TEXTS: usize = 1 << 15;
const ROWS: usize = 1 << 10;

/// A column of the table that is in memory.
pub(super) struct Known<'a> {
    pub(super) name: &'a str,
    pub(super) role: Role,
    pub(super) codes: &'a Codes,
}

/// The kept columns of a release, as far as they were seen.
pub(in crate::job) struct KeptColumns<'a> {
    /// The table's columns that are kept, and those that name people; by number in the source, and name.
    kept: Vec<(usize, String)>,
    identifiers: Vec<(usize, String)>,
    table: &'a Table,
    class_of: &'a [u32],
    /// How many rows a class has at least.
    k: u32,
    seen: Mutex<Seen>,
}

/// What was seen so far.
#[derive(Default)]
pub(super) struct Seen {
    /// Rows in classes.
    pub(super) rows: u64,
    /// Per kept column, how many rows have a value.
    pub(super) present: Vec<u64>,
    /// Per kept column, its values, with the hashes of the identifiers beside them.
    pub(super) kept: Vec<ValueSample>,
    /// Per quasi-identifier, sensitive column and identifier, its values, with the hashes of the kept columns and identifiers.
    pub(super) others: Vec<ValueSample>,
    pub(super) sets: Option<Sets>,
    /// The texts of some rows: their number in the table, and one text per kept column.
    pub(super) texts: Vec<(u32, Vec<String>)>,
    /// How many of those there are at most, and how many rows are between two of them.
    texts_most: usize,
    step: u64,
}

impl<'a> KeptColumns<'a> {
    /// Nothing was seen yet; none where no column is kept.
    pub(in crate::job) fn new(
        columns: impl Iterator<Item = (String, Role)>,
        table: &'a Table,
        class_of: &'a [u32],
        k: u32,
    ) -> Option<Self> {
        let (mut kept, mut identifiers) = (Vec::new(), Vec::new());
        for (at, (name, role)) in columns.enumerate() {
            match role {
                Role::Keep => kept.push((at, name)),
                Role::Identifier | Role::Person => identifiers.push((at, name)),
                _ => {}
            }
        }
        (!kept.is_empty()).then(|| Self { kept, identifiers, table, class_of, k, seen: Mutex::default() })
    }

    /// Columns of the table that are in memory, in the order in which they are sampled.
    pub(super) fn known(&self) -> Vec<Known<'_>> {
        let qi = self.table.qi.iter().map(|q| Known {
            name: &q.attribute.name,
            role: Role::QuasiIdentifier,
            codes: &q.codes,
        });
        let sensitive = self.table.sensitive.iter().map(|s| Known {
            name: &s.name,
            role: Role::Sensitive,
            codes: &s.codes,
        });
        qi.chain(sensitive).collect()
    }

    pub(super) fn kept(&self) -> impl Iterator<Item = &String> {
        self.kept.iter().map(|(_, name)| name)
    }

    pub(super) fn identifiers(&self) -> impl Iterator<Item = &String> {
        self.identifiers.iter().map(|(_, name)| name)
    }

    pub(super) fn table(&self) -> &Table {
        self.table
    }

    pub(super) fn k(&self) -> u32 {
        self.k
    }

    /// Everything that was found: nearly unique columns, then dependencies, then sets.
    pub(in crate::job) fn findings(self) -> Vec<Finding> {
        let seen = std::mem::take(&mut *self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        let mut found = super::sets::nearly_unique(&self, &seen);
        let unique: Vec<String> = found.iter().filter_map(Finding::column).map(str::to_owned).collect();
        found.extend(super::depends::dependent(&self, &seen, &unique));
        found.extend(super::sets::single_out(&self, &seen, &unique));
        found
    }
}

impl Onlooker for KeptColumns<'_> {
    fn beside(&self) -> Vec<usize> {
        self.identifiers.iter().map(|(at, _)| *at).collect()
    }

    fn see(&self, rows: &[u32], batch: &RecordBatch, columns: &[usize]) -> Result<()> {
        // Wide tables in smaller portions: a hash of every cell is held meanwhile.
        let most = (CELLS / columns.len().max(1)).max(512);
        for start in (0..rows.len()).step_by(most) {
            let count = most.min(rows.len() - start);
            self.look_at(&rows[start..start + count], &batch.slice(start, count), columns)?;
        }
        Ok(())
    }
}

impl KeptColumns<'_> {
    fn look_at(&self, rows: &[u32], batch: &RecordBatch, columns: &[usize]) -> Result<()> {
        let places: Vec<usize> =
            (0..rows.len()).filter(|&at| is_class(self.class_of[rows[at] as usize])).collect();
        if places.is_empty() {
            return Ok(());
        }
        let at = |source: usize| columns.iter().position(|&c| c == source).unwrap_or(0);
        let hashed = |(source, _): &(usize, String)| hashed(batch.column(at(*source)), &places);
        let kept: Vec<Vec<u64>> = self.kept.par_iter().map(hashed).collect();
        let named: Vec<Vec<u64>> = self.identifiers.par_iter().map(hashed).collect();
        let there: Vec<u64> =
            self.kept.iter().map(|(source, _)| present(batch.column(at(*source)), &places)).collect();
        let rows: Vec<u32> = places.iter().map(|&at| rows[at]).collect();
        let coded = |known: &Known<'_>| rows.iter().map(|&row| of_code(known.codes, row)).collect();
        let known: Vec<Vec<u64>> = self.known().par_iter().map(coded).collect();
        let page = Page { rows: &rows, kept: &kept, there: &there, named: &named, known: &known };
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.begin(self, &page);
        seen.add(&page);
        seen.keep_texts(self, &page, batch, &places, &at)
    }
}

/// Some rows, by column.
pub(super) struct Page<'a> {
    pub(super) rows: &'a [u32],
    /// Per kept column, one hash per row; and per identifier.
    pub(super) kept: &'a [Vec<u64>],
    /// Per kept column, how many of the rows have a value.
    there: &'a [u64],
    named: &'a [Vec<u64>],
    /// The same of the columns that are in memory.
    pub(super) known: &'a [Vec<u64>],
}

impl Seen {
    /// Decides with the first rows which columns and sets are looked at.
    fn begin(&mut self, of: &KeptColumns<'_>, page: &Page<'_>) {
        if !self.kept.is_empty() {
            return;
        }
        let (kept, named, others) = (page.kept.len(), page.named.len(), page.known.len() + page.named.len());
        let cells = (kept * named + others * (kept + named)).max(1);
        let most = (BESIDE / cells).clamp(512, EXACT);
        let wide = kept * (named + 1);
        let many = if wide <= FEW { EXACT } else { (BESIDE / wide).clamp(512, EXACT) };
        self.kept = (0..kept).map(|_| ValueSample::new(many, named).of_each(EACH)).collect();
        self.others = (0..others).map(|_| ValueSample::new(most, kept + named).of_each(EACH)).collect();
        self.present = vec![0; kept];
        self.sets = Some(Sets::choose(page, of));
        self.texts_most = (TEXTS / kept).clamp(64, ROWS);
        self.step = of.table.rows.div_ceil(self.texts_most).max(1) as u64;
    }

    fn add(&mut self, page: &Page<'_>) {
        self.rows += page.rows.len() as u64;
        self.present.iter_mut().zip(page.there).for_each(|(all, there)| *all += there);
        let named = |at: usize| page.named.iter().map(move |hashes| hashes[at]);
        let all = |at: usize| page.kept.iter().chain(page.named).map(move |hashes| hashes[at]);
        self.kept.par_iter_mut().zip(page.kept).for_each(|(sample, hashes)| {
            for (at, (&row, &hash)) in page.rows.iter().zip(hashes).enumerate() {
                sample.add(hash, row, named(at));
            }
        });
        self.others.par_iter_mut().enumerate().for_each(|(column, sample)| {
            let hashes = page.known.iter().chain(page.named).nth(column).map_or(&[][..], Vec::as_slice);
            for (at, (&row, &hash)) in page.rows.iter().zip(hashes).enumerate() {
                sample.add(hash, row, all(at));
            }
        });
        if let Some(sets) = &mut self.sets {
            sets.add(page);
        }
    }

    /// Keeps the texts of rows at even distances.
    fn keep_texts(
        &mut self,
        of: &KeptColumns<'_>,
        page: &Page<'_>,
        batch: &RecordBatch,
        places: &[usize],
        column: &dyn Fn(usize) -> usize,
    ) -> Result<()> {
        let chosen: Vec<usize> = (0..page.rows.len())
            .filter(|&at| {
                u64::from(page.rows[at]).is_multiple_of(self.step) && self.texts.len() < self.texts_most
            })
            .collect();
        if chosen.is_empty() {
            return Ok(());
        }
        let indices = chosen.iter().map(|&at| Some(places[at] as u32)).collect::<arrow::array::UInt32Array>();
        let mut held: Vec<Vec<String>> = vec![Vec::new(); chosen.len()];
        for (source, _) in &of.kept {
            let some = arrow::compute::take(batch.column(column(*source)), &indices, None)
                .map_err(|e| crate::error::Error::internal(e.to_string()))?;
            // Only numbers and dates are looked at, and those can be read as text.
            let texts = texts(&some).unwrap_or_else(|_| vec![None::<&str>; chosen.len()].into());
            held.iter_mut().zip(&texts).for_each(|(row, text)| row.push(text.unwrap_or_default().to_owned()));
        }
        self.texts.extend(chosen.iter().map(|&at| page.rows[at]).zip(held));
        Ok(())
    }
}

/// The hash of a coded value.
pub(super) fn of_code(codes: &Codes, row: u32) -> u64 {
    spread(u64::from(codes.get(row as usize)) + 1)
}

/// One hash per chosen row; all the same where values cannot be compared.
fn hashed(array: &ArrayRef, places: &[usize]) -> Vec<u64> {
    let Some(mut all) = hashes(array) else { return vec![0; places.len()] };
    if places.len() < all.len() {
        all = places.iter().map(|&at| all[at]).collect();
    }
    for hash in &mut all {
        *hash = spread(*hash);
    }
    all
}

/// Words for no value, as programs write them: nobody can declare them of kept columns.
const NONE: [&str; 9] = ["NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?", "-"];

/// How many of the chosen rows have a value: a blank text is none.
fn present(array: &ArrayRef, places: &[usize]) -> u64 {
    let texts = array.as_string_opt::<i32>();
    let is_there = |&&at: &&usize| {
        let text = texts.map(|texts| texts.value(at).trim());
        !array.is_null(at) && text.is_none_or(|text| !text.is_empty() && !NONE.contains(&text))
    };
    places.iter().filter(is_there).count() as u64
}

/// How many equally frequent values would be as uncertain as these.
pub(super) fn effective(hashes: impl Iterator<Item = u64>) -> f64 {
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    let mut rows = 0.0;
    for hash in hashes {
        *counts.entry(hash).or_default() += 1;
        rows += 1.0;
    }
    let mut times: Vec<u32> = counts.into_values().collect();
    times.sort_unstable();
    let share = |n: u32| f64::from(n) / rows;
    times.into_iter().map(|n| -share(n) * share(n).ln()).sum::<f64>().exp()
}
