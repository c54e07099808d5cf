//! A second witness: examines a release with nothing but texts and maps, sharing no code with the library.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, NaiveDateTime};

use super::draw::{Drawn, Shape, Sheet};
use super::files::Row;
use kohort::data::Kind;

/// What a release shows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    pub(crate) k: u64,
    pub(crate) classes: u64,
    pub(crate) p: BTreeMap<String, u64>,
    pub(crate) starred: usize,
    /// Released rows that do not cover the row their note names.
    pub(crate) misfits: usize,
    pub(crate) il_total: f64,
}

/// Looks at a release of the sheet. Rows without a note are starred ones; ranges are those of the rows that count.
pub(crate) fn examine(sheet: &Sheet, released: &[Row], count: &[usize]) -> Seen {
    let shown: Vec<&Row> = released.iter().filter(|row| !row["note"].is_empty()).collect();
    let mut classes: BTreeMap<Vec<String>, Vec<&Row>> = BTreeMap::new();
    for row in &shown {
        classes.entry(published(sheet, row)).or_default().push(row);
    }
    let distinct =
        |name: &str, rows: &[&Row]| rows.iter().map(|r| &r[name]).collect::<BTreeSet<_>>().len() as u64;
    let least = |name: &str| classes.values().map(|rows| distinct(name, rows)).min().unwrap_or(0);
    let source = |row: &Row| row["note"].parse::<usize>().unwrap();
    // Rows of a class read the same, so they lose the same.
    let lost =
        |rows: &Vec<&Row>| rows.len() as f64 * sheet.qi.iter().map(|c| loss(c, rows[0], count)).sum::<f64>();
    let lost: f64 = classes.values().map(lost).sum();
    Seen {
        k: classes.values().map(|rows| rows.len() as u64).min().unwrap_or(0),
        classes: classes.len() as u64,
        p: (0..sheet.sensitive.len())
            .map(|i| format!("s{i}"))
            .map(|name| (name.clone(), least(&name)))
            .collect(),
        starred: released.len() - shown.len(),
        misfits: shown.iter().filter(|row| !covers(sheet, row, source(row))).count(),
        il_total: lost + ((sheet.rows - shown.len()) * sheet.qi.len()) as f64,
    }
}

/// The texts an outsider can compare: one per column, two where bounds are published.
pub(crate) fn published(sheet: &Sheet, row: &Row) -> Vec<String> {
    let texts = |c: &Drawn| {
        let (lo, hi) = (format!("{}_min", c.name), format!("{}_max", c.name));
        row.get(&c.name).map_or_else(|| vec![row[&lo].clone(), row[&hi].clone()], |text| vec![text.clone()])
    };
    sheet.qi.iter().flat_map(texts).collect()
}

/// Whether starred rows stand beside a class that is all `*`: nobody can tell from the texts alone what is what.
pub(crate) fn ambiguous(sheet: &Sheet, released: &[Row]) -> bool {
    let blank = |row: &&Row| published(sheet, row).iter().all(|text| text == "*" || text.is_empty());
    let (starred, shown): (Vec<&Row>, Vec<&Row>) =
        released.iter().filter(blank).partition(|row| row["note"].is_empty());
    !starred.is_empty() && !shown.is_empty()
}

/// Whether the released row can stand for row `source` of the sheet.
pub(crate) fn covers(sheet: &Sheet, row: &Row, source: usize) -> bool {
    sheet.qi.iter().all(|c| said(c, row).covers(c, &c.texts[source]))
}

/// How many released rows find an original row of their own (augmenting paths, one at a time).
pub(crate) fn matched(sheet: &Sheet, released: &[Row]) -> usize {
    let fits: Vec<Vec<usize>> = released
        .iter()
        .filter(|row| !row["note"].is_empty())
        .map(|row| {
            (0..sheet.rows).filter(|&source| covers(sheet, row, source) && same(sheet, row, source)).collect()
        })
        .collect();
    let mut taken_by: Vec<Option<usize>> = vec![None; sheet.rows];
    (0..fits.len()).filter(|&row| settle(&fits, row, &mut taken_by, &mut vec![false; sheet.rows])).count()
}

/// Whether the sensitive values, and the note nobody touched, are those of the original row.
fn same(sheet: &Sheet, row: &Row, source: usize) -> bool {
    row["note"] == source.to_string()
        && sheet.sensitive.iter().enumerate().all(|(i, texts)| row[&format!("s{i}")] == texts[source])
}

fn settle(fits: &[Vec<usize>], row: usize, taken_by: &mut [Option<usize>], tried: &mut [bool]) -> bool {
    for &source in &fits[row] {
        if tried[source] {
            continue;
        }
        tried[source] = true;
        if taken_by[source].is_none_or(|other| settle(fits, other, taken_by, tried)) {
            taken_by[source] = Some(row);
            return true;
        }
    }
    false
}

/// What a published cell claims.
enum Said {
    All,
    Missing,
    Between(f64, f64),
    Label(String),
}

fn said(c: &Drawn, row: &Row) -> Said {
    let Some(text) = row.get(&c.name) else {
        let (lo, hi) = (&row[&format!("{}_min", c.name)], &row[&format!("{}_max", c.name)]);
        return match (lo.as_str(), hi.as_str()) {
            // Bounds cannot tell "anything" from "missing".
            ("", "") => Said::All,
            (lo, hi) => Said::Between(number(c, lo), number(c, hi)),
        };
    };
    match (&c.shape, text.as_str()) {
        (_, "*") => Said::All,
        (_, "") => Said::Missing,
        (Shape::Number(_), text) => {
            let inner = text.trim_start_matches('[').trim_end_matches(']');
            let (lo, hi) = inner.split_once(", ").unwrap_or((inner, inner));
            Said::Between(number(c, lo), number(c, hi))
        }
        (_, label) => Said::Label(label.to_owned()),
    }
}

impl Said {
    fn covers(&self, c: &Drawn, value: &str) -> bool {
        match self {
            Self::All => true,
            Self::Missing => value.is_empty(),
            Self::Between(lo, hi) => !value.is_empty() && (*lo..=*hi).contains(&number(c, value)),
            Self::Label(label) => match &c.shape {
                Shape::Tree(paths) => paths.iter().any(|path| path[0] == value && path.contains(label)),
                _ => label == value,
            },
        }
    }
}

/// IL of one cell (`algorithms.md` §1): height over height, width over range.
fn loss(c: &Drawn, row: &Row, count: &[usize]) -> f64 {
    match said(c, row) {
        Said::All => 1.0,
        Said::Missing => 0.0,
        Said::Between(lo, hi) => {
            let texts = count.iter().map(|&row| &c.texts[row]);
            let values = texts.filter(|t| !t.is_empty()).map(|t| number(c, t));
            let (min, max) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
            if max > min { ((hi - lo) / (max - min)).min(1.0) } else { 0.0 }
        }
        Said::Label(label) => match &c.shape {
            Shape::Tree(paths) => {
                let tallest = paths.iter().map(|p| p.len() - 1).max().unwrap();
                height(paths, &label) as f64 / tallest as f64
            }
            _ => 0.0,
        },
    }
}

/// The height of the node a label names; where a value and a group share it, of the one with more values.
fn height(paths: &[Vec<String>], label: &str) -> usize {
    let groups: Vec<usize> =
        paths.iter().filter_map(|p| p.iter().rposition(|l| l == label)).filter(|&at| at > 0).collect();
    let value = paths.iter().any(|p| p[0] == label);
    if value && groups.len() <= 1 { 0 } else { groups.into_iter().max().unwrap_or(0) }
}

fn number(c: &Drawn, text: &str) -> f64 {
    if c.shape == Shape::Number(Kind::Date) {
        let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").unwrap();
        return day.signed_duration_since(NaiveDate::default()).num_days() as f64;
    }
    if c.shape == Shape::Number(Kind::Timestamp) {
        // Without seconds, with a space or with a T: the same instant.
        let text = text.replace(' ', "T");
        let text = if text.len() == 16 { format!("{text}:00") } else { text };
        let instant = NaiveDateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%.f").unwrap();
        return instant.and_utc().timestamp_micros() as f64;
    }
    text.parse().unwrap()
}
