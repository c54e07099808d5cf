//! From text to small integers: one dictionary per column, one code per row.

use std::sync::mpsc::sync_channel;

use arrow::array::{Array, AsArray, RecordBatch, StringArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Date64Type};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Batches, FileTable, ReadOptions, TableSource};
use crate::data::{Codes, Groups, is_missing};
use crate::error::{Error, Place, Result};

/// A column as text values and one code per row. Missing is the empty text.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The different texts, by code.
    pub texts: Vec<String>,
    /// The same as they are written, where missing values are spelled in other ways than the empty text; empty otherwise.
    pub spelled: Vec<String>,
    /// How many rows have each code.
    pub counts: Vec<u32>,
    /// One code per row.
    pub codes: Codes,
}

impl Column {
    /// The column with the empty text for every way in which a missing value is written: blank, or one of `na`. Codes stay.
    #[must_use]
    pub fn read_with(mut self, na: &[String]) -> Self {
        if self.texts.iter().any(|text| !text.is_empty() && is_missing(text, na)) {
            self.spelled = self.texts.clone();
            self.texts.iter_mut().filter(|text| is_missing(text, na)).for_each(String::clear);
        }
        self
    }

    /// The same where rows with equal texts have the same code.
    #[must_use]
    pub fn with_one_missing(self, na: &[String]) -> Self {
        let column = self.read_with(na);
        if column.spelled.is_empty() {
            return column;
        }
        let mut merged = Self { name: column.name, ..Self::default() };
        let mut code_of = Vec::with_capacity(column.texts.len());
        let mut missing = None;
        for (text, count) in column.texts.into_iter().zip(column.counts) {
            let known = missing.filter(|_| text.is_empty());
            let code = known.unwrap_or(merged.texts.len() as u32);
            if known.is_some() {
                merged.counts[code as usize] += count;
            } else {
                missing = missing.or(text.is_empty().then_some(code));
                merged.texts.push(text);
                merged.counts.push(count);
            }
            code_of.push(code);
        }
        merged.codes = column.codes.remap(&code_of);
        merged
    }

    /// The texts as they are written, by code.
    pub fn written(&self) -> &[String] {
        if self.spelled.is_empty() { &self.texts } else { &self.spelled }
    }

    /// Which rows have this text; empty when none has.
    pub fn rows_with(&self, text: &str) -> Vec<bool> {
        match self.texts.iter().position(|t| t == text) {
            Some(code) => self.codes.iter().map(|c| c as usize == code).collect(),
            None => Vec::new(),
        }
    }

    /// The column with codes in the order of its texts, so that they say nothing of the order of rows. What only some rows `aside`
    /// have comes last: their values stay, but must not decide a tie between others.
    #[must_use]
    pub fn numbered_by_text(self, aside: &[bool]) -> Self {
        let mut others = vec![false; self.texts.len()];
        let is_aside = aside.iter().copied().chain(std::iter::repeat(false));
        for (code, _) in self.codes.iter().zip(is_aside).filter(|(_, aside)| !aside) {
            others[code as usize] = true;
        }
        let mut order: Vec<usize> = (0..others.len()).collect();
        order.par_sort_unstable_by_key(|&code| (!others[code], &self.texts[code], self.spelled.get(code)));
        let mut number = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &code)| number[code] = place);
        let in_order = |mut texts: Vec<String>| {
            let taken = |&code: &usize| texts.get_mut(code).map(std::mem::take);
            order.iter().filter_map(taken).collect()
        };
        Self {
            counts: order.iter().map(|&code| self.counts[code]).collect(),
            texts: in_order(self.texts),
            spelled: in_order(self.spelled),
            codes: self.codes.remap(&number),
            name: self.name,
        }
    }

    /// The column without what these rows say: values that only they have are gone, and frequencies do not count them. They
    /// keep a code, because rows are numbered, but it means nothing.
    #[must_use]
    pub fn without(self, rows: &[bool]) -> Self {
        if !rows.contains(&true) {
            return self;
        }
        let mut counts = vec![0u32; self.texts.len()];
        for (code, _) in self.codes.iter().zip(rows).filter(|(_, gone)| !**gone) {
            counts[code as usize] += 1;
        }
        let mut left = Self { name: self.name, ..Self::default() };
        let mut code_of = vec![0; counts.len()];
        for ((text, count), code) in
            self.texts.into_iter().zip(counts).zip(&mut code_of).filter(|((_, count), _)| *count > 0)
        {
            *code = left.texts.len() as u32;
            left.texts.push(text);
            left.counts.push(count);
        }
        if left.texts.is_empty() {
            left.texts.push(String::new());
            left.counts.push(0);
        }
        left.codes = self.codes.remap(&code_of);
        left
    }
}

/// A column while it is read.
#[derive(Default)]
struct Interner {
    index: FxHashMap<Box<str>, u32>,
    counts: Vec<u32>,
    codes: Codes,
}

impl Interner {
    fn push(&mut self, text: &str) {
        let code = if let Some(&code) = self.index.get(text) {
            code
        } else {
            let code = self.counts.len() as u32;
            self.index.insert(text.into(), code);
            self.counts.push(0);
            code
        };
        self.counts[code as usize] += 1;
        self.codes.push(code);
    }

    fn push_array(&mut self, array: &dyn Array) -> Result<()> {
        let strings = texts(array)?;
        for text in &strings {
            self.push(text.unwrap_or_default());
        }
        Ok(())
    }

    fn finish(self, name: String) -> Column {
        let mut texts = vec![String::new(); self.counts.len()];
        for (text, code) in self.index {
            texts[code as usize] = text.into();
        }
        Column { name, texts, counts: self.counts, codes: self.codes, ..Column::default() }
    }
}

const MILLIS_OF_A_DAY: i64 = 86_400_000;

/// Any array as text; null stays null.
pub fn texts(array: &dyn Array) -> Result<StringArray> {
    if let Some(strings) = array.as_string_opt::<i32>() {
        return Ok(strings.clone());
    }
    if let DataType::FixedSizeList(inside, _) = array.data_type() {
        // The library takes the value out of a list of one, also where the list is null.
        let list = DataType::List(inside.clone());
        let list = arrow::compute::cast(array, &list).map_err(|e| Error::internal(e.to_string()))?;
        return texts(&list);
    }
    if let Some(days) = array.as_primitive_opt::<Date64Type>()
        && days.iter().flatten().all(|millis| millis % MILLIS_OF_A_DAY == 0)
    {
        // Days that are stored as milliseconds are days.
        let days =
            arrow::compute::cast(array, &DataType::Date32).map_err(|e| Error::internal(e.to_string()))?;
        return texts(&days);
    }
    // Fails rather than making a value missing; and what fails may quote the value, so it is not passed on.
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let as_text = cast_with_options(array, &DataType::Utf8, &options).map_err(|_| {
        Error::input(format!("values of type {} cannot be read as text", array.data_type()))
            .help("convert the column to text, numbers or dates before")
    })?;
    Ok(as_text.as_string::<i32>().clone())
}

/// Reads the chosen columns of a table.
pub fn encode(source: &dyn TableSource, columns: &[usize]) -> Result<Vec<Column>> {
    let mut interners: Vec<Interner> = columns.iter().map(|_| Interner::default()).collect();
    let mut read = 0u64;
    pipelined(source.batches(columns)?, |batch| {
        read += batch.num_rows() as u64;
        check_rows(source, read)?;
        let named = |i: usize| {
            Place::default().in_file(source.name()).in_column(source.schema().field(columns[i]).name())
        };
        interners
            .par_iter_mut()
            .zip(batch.columns())
            .enumerate()
            .try_for_each(|(i, (interner, array))| interner.push_array(array).map_err(|e| e.at(named(i))))?;
        Ok(())
    })?;
    let name = |c: usize| source.schema().field(c).name().clone();
    Ok(interners.into_iter().zip(columns).map(|(i, &c)| i.finish(name(c))).collect())
}

/// Refuses a table with more rows than can be numbered.
pub(super) fn check_rows(source: &dyn TableSource, read: u64) -> Result<()> {
    if read >= u64::from(u32::MAX) {
        return Err(
            Error::input(format!("the table has more than {} rows", u32::MAX - 1)).in_file(source.name())
        );
    }
    Ok(())
}

/// Reads ahead on a thread of its own while the batches are used, unless the run is single-threaded.
pub fn pipelined(batches: Batches<'_>, mut each: impl FnMut(RecordBatch) -> Result<()>) -> Result<()> {
    if rayon::current_num_threads() < 2 {
        return batches.into_iter().try_for_each(|batch| each(batch?));
    }
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(2);
        scope.spawn(move || {
            for batch in batches {
                let failed = batch.is_err();
                if send.send(batch).is_err() || failed {
                    break;
                }
            }
        });
        receive.into_iter().try_for_each(|batch| each(batch?))
    })
}

/// Takes the mark from every row that has a value in one of the columns.
pub fn keep_empty(source: &dyn TableSource, columns: &[usize], marks: &mut [bool]) -> Result<()> {
    let mut at = 0;
    pipelined(source.batches(columns)?, |batch| {
        let rows = &mut marks[at..at + batch.num_rows()];
        at += batch.num_rows();
        for array in batch.columns() {
            // A column of nothing but nulls has no list of them.
            let (texts, nulls) = (array.as_string_opt::<i32>(), array.logical_nulls());
            let is_there = |i: usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(i));
            let shows = |i: usize| is_there(i) && texts.is_none_or(|t| !t.value(i).is_empty());
            rows.iter_mut().enumerate().for_each(|(i, mark)| *mark &= !shows(i));
        }
        Ok(())
    })
}

/// The different values of one column with their frequencies; missing is the empty text.
pub fn column_counts(
    path: &std::path::Path,
    options: &ReadOptions,
    column: &str,
) -> Result<Vec<(String, u64)>> {
    let source = FileTable::open_with(path, options)?;
    let number = source.column(column)?;
    let column = encode(&source, &[number])?.pop().unwrap_or_default();
    Ok(column.texts.into_iter().zip(column.counts.into_iter().map(u64::from)).collect())
}

/// The different rows of some columns of a table with their frequencies; missing is the empty text.
pub fn column_combinations(
    path: &std::path::Path,
    options: &ReadOptions,
    columns: &[String],
) -> Result<Vec<(Vec<String>, u64)>> {
    combinations_in(&FileTable::open_with(path, options)?, columns)
}

/// The same of a table that is open.
pub fn combinations_in(source: &dyn TableSource, columns: &[String]) -> Result<Vec<(Vec<String>, u64)>> {
    let numbers = columns.iter().map(|name| source.column(name)).collect::<Result<Vec<_>>>()?;
    if let Some((_, name)) = columns.iter().enumerate().find(|(at, name)| columns[..*at].contains(name)) {
        return Err(Error::job(format!("column '{name}' is named twice")).help("name every column once"));
    }
    Ok(combinations(&encode(source, &numbers)?))
}

/// The same of columns that were read.
pub fn combinations(columns: &[Column]) -> Vec<(Vec<String>, u64)> {
    let rows = columns.first().map_or(0, |column| column.codes.len());
    let codes: Vec<_> = columns.iter().map(|c| (&c.codes, c.texts.len() as u32)).collect();
    let groups = Groups::by(rows, &codes);
    let combination = |group: usize| {
        let rows = groups.rows(group);
        let text = |c: &Column| c.texts[c.codes.get(rows[0] as usize) as usize].clone();
        (columns.iter().map(text).collect(), rows.len() as u64)
    };
    (0..groups.len()).map(combination).collect()
}
