//! What a column looks like: how many different values, how they are written, what they could be read as.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use rayon::prelude::*;
use serde::Serialize;

use super::shape::{Shape, shapes};
use crate::data::{DateFormat, Decimal, Kind, Point, is_missing};
use crate::error::Result;
use crate::input::{Batches, Column, Declared, TableSource, encode, infer, respelled};

/// How many cells are looked at: all of a million rows with sixty columns; of larger tables the first rows.
const CELLS: u64 = 1 << 26;

/// How many different values are looked at for what they are; whether they are different is counted for all.
pub(super) const SAMPLE: usize = 4096;

/// Words that mean a missing value wherever they stand.
const MISSING: [&str; 12] =
    ["NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "?", ".", "--"];

/// So many other words among numbers or dates are taken for ways to write a missing value, where they are this rare.
const WORDS: usize = 2;
const RARE: usize = 20;

/// Where nobody can tell whether days or months come first, days do, as in most of the world.
const DAYS_FIRST: [&str; 3] = ["%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y"];

/// What is said of dates that no format fits, such as days first in some rows and months first in others.
const CONTRADICTORY: &str = "its dates contradict each other: days first here and months first there, or times with and without an offset from UTC. They are taken for words until all are written in one way";

/// Times of day that may follow.
const TIMES: [&str; 3] = ["", " %H:%M", " %H:%M:%S"];

/// A column as it was read, with what was counted.
pub(super) struct Looked {
    /// Its dates and numbers as Kohort writes them.
    pub(super) column: Column,
    /// How they are written, where the values alone leave it open: a guess.
    pub(super) written: Declared,
    /// Why its dates cannot be read, where no job could say how: it is a column of words then.
    pub(super) unreadable: Option<&'static str>,
    /// How its values can be read, all of them.
    pub(super) kind: Kind,
    /// Rows with a value.
    pub(super) present: u64,
    /// Spellings of missing values besides blank ones.
    pub(super) na: Vec<String>,
    /// Codes of values that are none.
    pub(super) missing: Vec<bool>,
    /// Different values.
    pub(super) distinct: u64,
    pub(super) facts: Facts,
}

/// Figures of a column. They speak of nobody.
#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// Rows with a value.
    pub present: u64,
    /// Rows without.
    pub missing: u64,
    /// Different values.
    pub distinct: u64,
    /// How likely two rows differ in it.
    pub separation: f64,
    /// The share of the most frequent value.
    pub largest: f64,
    /// How values are written: the most frequent patterns that several rows share.
    pub shapes: Vec<Shape>,
}

/// Reads the table, and looks at every column; with how many rows were read, and whether there are more.
pub(super) fn look(source: &dyn TableSource) -> Result<(Vec<Looked>, u64, bool)> {
    let wide = source.schema().fields().len();
    let all: Vec<usize> = (0..wide).collect();
    let watched =
        FirstRows { source, most: (CELLS / wide.max(1) as u64).max(1000), cut: AtomicBool::new(false) };
    let columns = encode(&watched, &all)?;
    let rows = columns.first().map_or(0, |column| column.codes.len() as u64);
    Ok((columns.into_par_iter().map(Looked::new).collect(), rows, watched.cut.load(Ordering::Relaxed)))
}

impl Looked {
    fn new(column: Column) -> Self {
        let na = missing_words(&column.texts);
        let is_there = |text: &str| !is_missing(text, &na);
        let counted = column.texts.iter().map(String::as_str).zip(column.counts.iter().copied());
        let shapes = shapes(counted.filter(|(text, _)| is_there(text)));
        let (column, written, unreadable) = in_one_spelling(column.read_with(&na));
        let kind = if unreadable.is_some() { Kind::Category } else { infer(&column.texts) };
        let missing: Vec<bool> = column.texts.iter().map(String::is_empty).collect();
        let there = || (0..column.texts.len()).filter(|&code| !missing[code]);
        let rows = column.codes.len() as u64;
        let counts = there().map(|code| u64::from(column.counts[code]));
        let present: u64 = counts.clone().sum();
        let distinct = counts.clone().filter(|&n| n > 0).count() as u64;
        let share = |n: u64| n as f64 / present.max(1) as f64;
        let facts = Facts {
            present,
            missing: rows - present,
            distinct,
            separation: 1.0 - counts.clone().map(|n| share(n) * share(n)).sum::<f64>().min(1.0),
            largest: share(counts.clone().max().unwrap_or(0)),
            shapes,
        };
        let facts = if present == 0 { Facts { separation: 0.0, ..facts } } else { facts };
        Self { column, written, unreadable, kind, present, na, missing, distinct, facts }
    }

    pub(super) fn name(&self) -> &str {
        &self.column.name
    }

    /// The different values, of very many only some at even distances.
    pub(super) fn sample(&self) -> Vec<&str> {
        let there: Vec<&str> = self.values().collect();
        let step = there.len().div_ceil(SAMPLE).max(1);
        there.into_iter().step_by(step).collect()
    }

    /// All different values.
    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        let texts = self.column.texts.iter().zip(&self.missing);
        texts.filter(|(_, missing)| !**missing).map(|(text, _)| text.as_str())
    }

    /// All different values and how many rows have each.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&str, u32)> {
        let texts = self.column.texts.iter().zip(&self.column.counts).zip(&self.missing);
        texts.filter(|(_, missing)| !**missing).map(|((text, count), _)| (text.as_str(), *count))
    }

    /// How many different values there are for every row.
    pub(super) fn uniqueness(&self) -> f64 {
        self.distinct as f64 / self.present.max(1) as f64
    }

    /// Whether no two rows have the same value.
    pub(super) fn is_unique(&self) -> bool {
        self.distinct == self.present && self.present > 1
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Integer | Kind::Decimal)
    }

    /// Its numbers, each as often as it occurs, in order.
    pub(super) fn numbers(&self) -> Vec<(f64, u32)> {
        let number = |(text, n): (&str, u32)| Some((text.trim().parse::<f64>().ok()?, n));
        let mut numbers: Vec<(f64, u32)> = self.counted().filter_map(number).collect();
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
        numbers
    }
}

/// Dates and numbers as Kohort writes them, how they are taken to be written where their values do not tell, and why not
/// even that helps.
fn in_one_spelling(column: Column) -> (Column, Declared, Option<&'static str>) {
    let read = |declared: &Declared| respelled(column.clone(), declared, "").ok().map(|read| read.column);
    if let Some(read) = read(&Declared::default()) {
        return (read, Declared::default(), None);
    }
    let forms = TIMES.iter().flat_map(|time| DAYS_FIRST.map(|day| format!("{day}{time}")));
    let formats = forms.filter_map(|form| DateFormat::try_from(form).ok());
    let dates = formats.map(|format| Declared { formats: vec![format], ..Declared::default() });
    let thousands = Declared { decimal: Some(Decimal::Point), ..Declared::default() };
    let found = dates.chain([thousands]).find_map(|declared| Some((read(&declared)?, declared)));
    match found {
        Some((read, declared)) => (read, declared, None),
        None => (column, Declared::default(), Some(CONTRADICTORY)),
    }
}

/// Spellings of missing values: the usual ones, and a few words among numbers or dates.
fn missing_words(texts: &[String]) -> Vec<String> {
    let there = || texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
    // Among codes of two capitals, NA is one of them: Namibia, Naples, North America.
    let others = || there().filter(|text| *text != "NA");
    let capitals = |text: &str| text.len() <= 2 && text.bytes().all(|b| b.is_ascii_uppercase());
    let codes = others().nth(WORDS).is_some() && others().all(capitals);
    let mut na: BTreeSet<&str> =
        there().filter(|text| MISSING.contains(text) && !(codes && *text == "NA")).collect();
    let rest = || there().filter(|text| !na.contains(text));
    let is_quantity =
        |text: &str| [Kind::Decimal, Kind::Date].iter().any(|&kind| Point::parse(kind, text).is_some());
    let words: Vec<&str> = rest().filter(|text| !is_quantity(text)).take(WORDS + 1).collect();
    let is_word = |text: &&str| text.chars().all(|c| c.is_alphabetic() || c.is_whitespace());
    let among_many = rest().nth(RARE * words.len()).is_some();
    if (1..=WORDS).contains(&words.len()) && among_many && words.iter().all(is_word) {
        na.extend(words);
    }
    na.into_iter().map(str::to_owned).collect()
}

/// The first rows of a table.
struct FirstRows<'a> {
    source: &'a dyn TableSource,
    most: u64,
    cut: AtomicBool,
}

impl TableSource for FirstRows<'_> {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn schema(&self) -> &SchemaRef {
        self.source.schema()
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>> {
        let (mut read, mut over) = (0, false);
        let batches = self.source.batches(columns)?.map_while(move |batch: Result<RecordBatch>| {
            if over {
                self.cut.store(true, Ordering::Relaxed);
                return None;
            }
            read += batch.as_ref().map_or(0, |batch| batch.num_rows() as u64);
            over = read >= self.most;
            Some(batch)
        });
        Ok(Box::new(batches))
    }

    fn digest(&self) -> Result<String> {
        self.source.digest()
    }

    fn is_text_only(&self) -> bool {
        self.source.is_text_only()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::Codes;

    /// A column of these rows.
    pub(in crate::propose) fn looked(name: &str, rows: &[String]) -> Looked {
        let mut column = Column { name: name.into(), ..Column::default() };
        let mut codes = Codes::default();
        for row in rows {
            let code = column.texts.iter().position(|text| text == row).unwrap_or_else(|| {
                column.texts.push(row.clone());
                column.counts.push(0);
                column.texts.len() - 1
            });
            column.counts[code] += 1;
            codes.push(code as u32);
        }
        Looked::new(Column { codes, ..column })
    }

    fn words(texts: &[&str]) -> Vec<String> {
        missing_words(&texts.iter().map(|&t| t.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn spellings_of_nothing_are_found() {
        assert_eq!(words(&["1", "2", "NA", ""]), ["NA"]);
        assert_eq!(words(&["yes", "no", "?"]), ["?"]);
        let mut numbers: Vec<String> = (0..50).map(|i| i.to_string()).collect();
        numbers.push("unknown".into());
        assert_eq!(missing_words(&numbers), ["unknown"]);
        assert_eq!(words(&["1", "2", "unknown"]), [""; 0], "one of three is no rare word");
        assert_eq!(words(&["DE", "FR", "NA", "US"]), [""; 0], "a country");
        assert_eq!(words(&["N", "S", "M"]), [""; 0]);
    }

    fn of_texts(texts: &[&str]) -> Looked {
        looked("x", &texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_dates_and_codes() {
        let of = |texts: &[&str]| of_texts(texts).kind;
        assert_eq!(of(&["1", "-20"]), Kind::Integer);
        assert_eq!(of(&["1", "2.5"]), Kind::Decimal);
        assert_eq!(of(&["2020-01-05"]), Kind::Date);
        assert_eq!(of(&["01234", "99999"]), Kind::Category);
        assert_eq!(of(&[]), Kind::Category);
    }

    #[test]
    fn what_is_written_otherwise_is_read_and_open_spellings_are_guessed() {
        let german = of_texts(&["31.12.1999", "01.02.2003", "NA"]);
        assert_eq!((german.kind, german.written.is_said()), (Kind::Date, false));
        assert_eq!(german.values().collect::<Vec<_>>(), ["1999-12-31", "2003-02-01"]);
        let open = of_texts(&["01/02/2003", "03/04/2005"]);
        assert_eq!((open.kind, open.written.formats[0].to_string().as_str()), (Kind::Date, "%d/%m/%Y"));
        let commas = of_texts(&["3,5", "1.234,25"]);
        assert_eq!((commas.kind, commas.written.is_said()), (Kind::Decimal, false));
        let open = of_texts(&["1,234", "5,678"]);
        assert_eq!((open.kind, open.written.decimal), (Kind::Integer, Some(Decimal::Point)));
        assert_eq!(of_texts(&["2024-05-01 13:07", "2024-05-02 09:00"]).kind, Kind::Timestamp);
    }

    #[test]
    fn dates_that_contradict_each_other_are_words() {
        for texts in [
            &["31/12/1999", "12/31/1999"][..],
            &["2024-05-01T10:00Z", "2024-05-01T10:00"],
            &["03/04/1999", "05-06-2001"],
        ] {
            let looked = of_texts(texts);
            assert_eq!((looked.kind, looked.written.is_said()), (Kind::Category, false), "{texts:?}");
            assert!(looked.unreadable.is_some(), "{texts:?}");
            assert_eq!(looked.values().collect::<Vec<_>>(), texts, "as they stand");
        }
        assert!(of_texts(&["01/02/2003", "x"]).unreadable.is_none());
    }
}
