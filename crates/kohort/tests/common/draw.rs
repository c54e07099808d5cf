//! Random tables: unbalanced trees, flat categories, whole numbers, decimals, days and instants; with holes, duplicates,
//! constants and weights of 0.

use chrono::{Days, NaiveDate};
use kohort::data::{Hierarchy, Kind, Step, Table};
use kohort::input::{Column, QiSpec, SensitiveSpec, quasi_identifier, sensitive};
use proptest::collection::vec;
use proptest::prelude::*;

/// A table as texts.
#[derive(Debug, Clone)]
pub(crate) struct Sheet {
    pub(crate) rows: usize,
    pub(crate) qi: Vec<Drawn>,
    pub(crate) sensitive: Vec<Vec<String>>,
}

/// A quasi-identifier: what it is, and one text per row.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) texts: Vec<String>,
    pub(crate) weight: f64,
    /// The grid of its interval ends.
    pub(crate) snap: Option<Step>,
}

/// How the values of a column generalize.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// Leaf-to-root paths.
    Tree(Vec<Vec<String>>),
    Flat,
    Number(Kind),
}

/// Sheets with so many rows, quasi-identifiers and sensitive columns.
pub(crate) fn sheets(
    rows: impl Strategy<Value = usize>,
    qi: std::ops::RangeInclusive<usize>,
    sensitive: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Sheet> {
    (rows, qi, sensitive).prop_flat_map(|(rows, qi, sensitive)| {
        let secrets = vec((1..6u32, vec(0..60u32, rows)), sensitive);
        (vec(column(rows), qi), secrets).prop_map(move |(columns, secrets)| Sheet {
            rows,
            qi: columns.into_iter().enumerate().map(|(i, c)| Drawn { name: format!("q{i}"), ..c }).collect(),
            sensitive: secrets
                .into_iter()
                .map(|(span, values)| values.into_iter().map(|v| format!("s{}", v % span)).collect())
                .collect(),
        })
    })
}

/// Mostly small tables, now and then a larger one.
pub(crate) fn mostly_small() -> impl Strategy<Value = usize> {
    prop_oneof![8 => 1..=40usize, 1 => 41..=200usize]
}

fn column(rows: usize) -> impl Strategy<Value = Drawn> {
    let weight = prop_oneof![4 => Just(1.0), 1 => Just(0.0), 1 => Just(2.5), 1 => Just(0.3)];
    (0..7u8, 1..14u32, 0..5u32, vec(0..840u32, rows), vec(any::<u8>(), 24), weight).prop_map(
        |(kind, span, holes, values, choices, weight)| {
            let texts = |of: &dyn Fn(u32) -> String| -> Vec<String> {
                // One column in five has holes; which rows, the value decides.
                let missing = |v: u32| holes == 0 && (v / span).is_multiple_of(4);
                values.iter().map(|&v| if missing(v) { String::new() } else { of(v) }).collect()
            };
            let (shape, texts) = match kind {
                0 | 1 => (Shape::Tree(tree(span, &choices)), texts(&|v| value(v % span, &choices))),
                2 => (Shape::Flat, texts(&|v| category(v % span))),
                3 => (Shape::Number(Kind::Integer), texts(&|v| integer(v, span))),
                4 => (Shape::Number(Kind::Decimal), texts(&|v| decimal(v, span))),
                5 => (Shape::Number(Kind::Date), texts(&|v| day(v % span))),
                _ => (Shape::Number(Kind::Timestamp), texts(&|v| instant(v, span))),
            };
            let snap = grid(&shape, choices[0]);
            Drawn { name: String::new(), shape, texts, weight, snap }
        },
    )
}

/// One column of numbers in three has its interval ends on a grid, which may be finer than the values or wider than all of them.
fn grid(shape: &Shape, choice: u8) -> Option<Step> {
    let steps = match shape {
        Shape::Number(Kind::Integer) => ["1", "10", "7", "400"],
        Shape::Number(Kind::Decimal) => ["0.1", "0.5", "1", "30"],
        Shape::Number(Kind::Date) => ["1 day", "2 weeks", "1 month", "5 years"],
        Shape::Number(Kind::Timestamp) => ["15 minutes", "7 hours", "1 day", "1 month"],
        _ => return None,
    };
    choice.is_multiple_of(3).then(|| steps[usize::from(choice) / 3 % steps.len()].parse().unwrap())
}

/// One value in several spellings: all of them are the same number.
fn integer(v: u32, span: u32) -> String {
    let x = i64::from(v % span) * i64::from(v % span) - 20;
    if v.is_multiple_of(5) { format!("{x:03}") } else { x.to_string() }
}

fn decimal(v: u32, span: u32) -> String {
    let x = f64::from(v % span) * 0.35 - 1.05;
    if v.is_multiple_of(3) { format!("{x:.4}") } else { format!("{x:.2}") }
}

/// Names with all that makes CSV difficult.
fn category(v: u32) -> String {
    let frills = ["", ", too", " \"so to say\"", " ", ";x", "\nsecond line", "é", "'"];
    format!("c{v}{}", frills[v as usize % frills.len()])
}

fn day(v: u32) -> String {
    let start = NaiveDate::from_ymd_opt(2019, 12, 25).unwrap();
    (start + Days::new(u64::from(v) * 11)).format("%Y-%m-%d").to_string()
}

/// One instant in several spellings.
fn instant(v: u32, span: u32) -> String {
    let (n, sep) = (v % span, if v.is_multiple_of(3) { ' ' } else { 'T' });
    let seconds = n * 7919 % 86_400;
    let seconds_of_minute = if seconds.is_multiple_of(60) && v.is_multiple_of(5) {
        String::new()
    } else {
        format!(":{:02}", seconds % 60)
    };
    format!("{}{sep}{:02}:{:02}{seconds_of_minute}", day(n / 2), seconds / 3600, seconds / 60 % 60)
}

/// The name of a value; in one tree of six the first value is called like a group above it, as people do with "Other".
pub(crate) fn value(value: u32, choices: &[u8]) -> String {
    match groups_above(value, choices).last() {
        Some(group) if value == 0 && choices[23].is_multiple_of(6) => group.clone(),
        _ => format!("v{value}"),
    }
}

/// The groups above a value, lowest first: every group hangs below an earlier one, every value below any group.
fn groups_above(value: u32, choices: &[u8]) -> Vec<String> {
    let groups = usize::from(choices[0]) % 8;
    let above = |&g: &usize| Some(usize::from(choices[g]) % g).filter(|&g| g > 0);
    let first = usize::from(choices[9 + value as usize % 14]) % (groups + 1);
    std::iter::successors(Some(first).filter(|&g| g > 0), above).map(|g| format!("g{g}")).collect()
}

/// A tree of any shape.
pub(crate) fn tree(values: u32, choices: &[u8]) -> Vec<Vec<String>> {
    let path = |v: u32| {
        let top = std::iter::once("*".to_owned());
        std::iter::once(value(v, choices)).chain(groups_above(v, choices)).chain(top).collect()
    };
    (0..values).map(path).collect()
}

impl Sheet {
    /// The same with interval ends that are values.
    pub(crate) fn without_grids(mut self) -> Self {
        self.qi.iter_mut().for_each(|column| column.snap = None);
        self
    }

    /// The sheet as the library encodes it.
    pub(crate) fn table(&self) -> Table {
        let qi = self.qi.iter().map(|c| {
            let hierarchy = match &c.shape {
                Shape::Tree(paths) => Some(Hierarchy::from_paths(&c.name, paths.clone()).unwrap()),
                _ => None,
            };
            let kind = match c.shape {
                Shape::Number(kind) => Some(kind),
                Shape::Flat => Some(Kind::Category),
                Shape::Tree(_) => None,
            };
            let spec = QiSpec { kind, hierarchy, weight: Some(c.weight), snap: c.snap, ..QiSpec::default() };
            quasi_identifier(column_of(&c.name, &c.texts), spec, "sheet").unwrap()
        });
        let secrets = self.sensitive.iter().enumerate();
        Table {
            rows: self.rows,
            qi: qi.collect(),
            sensitive: secrets
                .map(|(i, texts)| {
                    let spec = SensitiveSpec { is_text: true, ..SensitiveSpec::default() };
                    sensitive(column_of(&format!("s{i}"), texts), spec, "table").unwrap()
                })
                .collect(),
            verbatim: Vec::new(),
            lacking: Vec::new(),
            people: None,
        }
    }
}

/// A text column the way the reader hands it over.
pub(crate) fn column_of(name: &str, texts: &[String]) -> Column {
    let mut column = Column { name: name.to_owned(), ..Column::default() };
    for text in texts {
        let code = column.texts.iter().position(|t| t == text).unwrap_or_else(|| {
            column.texts.push(text.clone());
            column.counts.push(0);
            column.texts.len() - 1
        });
        column.counts[code] += 1;
        column.codes.push(code as u32);
    }
    column
}
