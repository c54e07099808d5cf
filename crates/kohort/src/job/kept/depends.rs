//! Kept columns that tell another column, or are told by it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::collect::{KeptColumns, Seen, of_code};
use super::sample::ValueSample;
use super::told::Finding;
use crate::data::{Domain, Kind, Point, Role};

/// The share of rows that must agree.
const AGREE: f64 = 0.98;

/// How many rows must share a value with another person, and how many of them would have to disagree by chance.
const SHARED: f64 = 20.0;
const BY_CHANCE: f64 = 10.0;

/// The rank correlation from which on a column of numbers nearly tells another.
const PARALLEL: f64 = 0.95;

/// Every pair of a kept column that is not nearly unique and a column with another role.
pub(super) fn dependent(of: &KeptColumns<'_>, seen: &Seen, unique: &[String]) -> Vec<Finding> {
    let known = of.known();
    let kept: Vec<&String> = of.kept().collect();
    let identifiers: Vec<&String> = of.identifiers().collect();
    let columns = kept.len();
    let mut found = Vec::new();
    for (c, name) in kept.iter().enumerate().filter(|(_, name)| !unique.contains(name)) {
        for (o, other) in known.iter().enumerate() {
            let (here, there) = (&seen.kept[c], &seen.others[o]);
            let tells = agreement(here, |at| of_code(other.codes, here.row(at)), |at| here.beside(at));
            let told = agreement(there, |at| there.beside(at)[c], |at| &there.beside(at)[columns..]);
            if tells.is_some() || told.is_some() {
                let (kept, other, role) = ((*name).clone(), other.name.to_owned(), other.role);
                found.push(Finding::Dependent { kept, other, role, tells, told });
            } else if let Some(correlation) = parallel(of, seen, c, o) {
                let (kept, other, role) = ((*name).clone(), other.name.to_owned(), other.role);
                found.push(Finding::Parallel { kept, other, role, correlation });
            }
        }
        for (i, who) in identifiers.iter().enumerate() {
            let (here, there) = (&seen.kept[c], &seen.others[known.len() + i]);
            let tells = agreement(here, |at| here.beside(at)[i], |_| &[]);
            let told = agreement(there, |at| there.beside(at)[c], |_| &[]);
            if tells.is_some() || told.is_some() {
                let (kept, other) = ((*name).clone(), (*who).clone());
                found.push(Finding::Dependent { kept, other, role: Role::Identifier, tells, told });
            }
        }
    }
    found
}

/// Of the rows that share a sampled value, which share agrees in another column, where that is nearly all of them and more
/// than chance would make agree. Of every person one row counts.
fn agreement<'a>(
    sample: &'a ValueSample,
    other: impl Fn(usize) -> u64,
    person: impl Fn(usize) -> &'a [u64],
) -> Option<f64> {
    let mut everywhere: FxHashMap<u64, u64> = FxHashMap::default();
    let (mut shared, mut agree, mut rows, mut values) = (0u64, 0u64, 0u64, 0u64);
    for group in sample.groups() {
        let mut known: FxHashSet<(usize, u64)> = FxHashSet::default();
        let mut times: FxHashMap<u64, u64> = FxHashMap::default();
        values += 1;
        for at in group {
            let is_new =
                person(at).iter().enumerate().fold(true, |new, (i, &who)| known.insert((i, who)) && new);
            if is_new {
                let value = other(at);
                *times.entry(value).or_default() += 1;
                *everywhere.entry(value).or_default() += 1;
                rows += 1;
            }
        }
        shared += times.values().sum::<u64>().saturating_sub(1);
        agree += times.values().max().copied().unwrap_or(0).saturating_sub(1);
    }
    let share = agree as f64 / shared as f64;
    // How many would agree if the columns had nothing to do with each other.
    let chance = everywhere.values().map(|&n| (n as f64 / rows as f64).powi(2)).sum::<f64>();
    let surprising = shared as f64 * (1.0 - chance) >= BY_CHANCE;
    (values > 1 && shared as f64 >= SHARED && share >= AGREE && surprising).then_some(share)
}

/// How much two columns of numbers or dates rise and fall together, where that is nearly always.
fn parallel(of: &KeptColumns<'_>, seen: &Seen, kept: usize, other: usize) -> Option<f64> {
    let attribute = &of.table().qi.get(other)?.attribute;
    let Domain::Interval(numbers) = &attribute.domain else { return None };
    let codes = &of.table().qi[other].codes;
    let kinds = [Kind::Decimal, Kind::Date, Kind::Timestamp];
    let place = |text: &str| kinds.iter().find_map(|&kind| Point::parse(kind, text)).map(Point::position);
    let pair = |(row, texts): &(u32, Vec<String>)| {
        let code = codes.get(*row as usize);
        (code < numbers.len()).then(|| Some((place(&texts[kept])?, numbers.position(code))))?
    };
    let pairs: Vec<(f64, f64)> = seen.texts.iter().filter_map(pair).collect();
    if (pairs.len() as f64) < SHARED || pairs.len() * 2 < seen.texts.len() {
        return None;
    }
    let (a, b) = (ranks(pairs.iter().map(|p| p.0)), ranks(pairs.iter().map(|p| p.1)));
    let correlation = correlation(&a, &b)?;
    (correlation.abs() >= PARALLEL).then_some(correlation)
}

/// Ranks from 0; equal values share the middle of theirs.
fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut at = 0;
    for same in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        let middle = at as f64 + (same.len() as f64 - 1.0) / 2.0;
        for &i in same {
            ranks[i] = middle;
        }
        at += same.len();
    }
    ranks
}

/// Pearson's correlation; none where a column is constant.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let n = a.len() as f64;
    let (ma, mb) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(&x, &y)| f(x - ma, y - mb)).sum::<f64>();
    let (va, vb) = (sum(&|x, _| x * x), sum(&|_, y| y * y));
    (va > 0.0 && vb > 0.0).then(|| sum(&|x, y| x * y) / (va * vb).sqrt())
}
