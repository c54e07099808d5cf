//! Was a refusal right? Tries everything there is, where that is little enough.

use std::collections::BTreeMap;

use super::Original;
use super::domain::Domain;
use super::values::Demands;
use crate::case::{Column, Missing, Role};

/// Rows up to which all partitions are tried.
const FEW: usize = 10;

/// Whether some release exists in which all classes meet the demands within the limits; none where that was not found out.
pub fn possible(original: &Original<'_>) -> Option<bool> {
    let case = original.case;
    let rows: Vec<usize> =
        original.open.iter().copied().filter(|row| !original.lacking.contains(row)).collect();
    let refuses = |(c, (at, _)): (&Column, &(usize, Domain))| {
        case.missing_in(c) == Missing::Refuse
            && original.open.iter().any(|&row| original.sheet.text(*at, row).is_empty())
    };
    if case.of(Role::Quasi).zip(&original.quasi).any(refuses) {
        return Some(false);
    }
    let bounded = case.of(Role::Quasi).any(Column::is_bounded);
    // Without a limit, only boundaries let rows go.
    let most = match case.quota(original.open.len()) {
        Some(quota) => match quota.checked_sub(original.lacking.len()) {
            Some(most) => most,
            None => return Some(false),
        },
        None if bounded && case.asked.algorithm != "incognito" => rows.len(),
        None => 0,
    };
    let demands = Demands::new(original);
    if case.asked.algorithm == "incognito" || !case.asked.levels.is_empty() {
        return full_domain(original, &demands, &rows, most);
    }
    if rows.is_empty() {
        return Some(false);
    }
    if is_class(original, &demands, &rows) {
        return Some(true);
    }
    if most == 0 && !bounded {
        return Some(false);
    }
    // Of people with several rows, classes that read alike can meet the demands and not do so as one.
    let known = rows.len() <= FEW && !(original.people.is_some() && case.asks_for_shares());
    known.then(|| partition(original, &demands, &rows, most))
}

/// The rows of a set of bits.
fn chosen(rows: &[usize], set: usize) -> Vec<usize> {
    (0..rows.len()).filter(|at| set >> at & 1 == 1).map(|at| rows[at]).collect()
}

/// The most rows of every set that valid classes can hold, by dynamic programming over sets.
fn partition(original: &Original<'_>, demands: &Demands<'_>, rows: &[usize], most: usize) -> bool {
    let sets = 1_usize << rows.len();
    let valid: Vec<bool> =
        (0..sets).map(|set| set > 0 && is_class(original, demands, &chosen(rows, set))).collect();
    let mut held = vec![0_u32; sets];
    for set in 1..sets {
        let lowest = set & set.wrapping_neg();
        // The lowest row is left out, or it is in a class.
        held[set] = held[set ^ lowest];
        let rest = set ^ lowest;
        let mut others = rest;
        loop {
            let class = others | lowest;
            if valid[class] {
                held[set] = held[set].max(class.count_ones() + held[set ^ class]);
            }
            if others == 0 {
                break;
            }
            others = (others - 1) & rest;
        }
    }
    let held = held[sets - 1] as usize;
    held > 0 && rows.len() - held <= most
}

/// Whether some rows can be one class: the smallest tuple above them stays within the limits, and the demands are met.
fn is_class(original: &Original<'_>, demands: &Demands<'_>, rows: &[usize]) -> bool {
    let columns = original.case.of(Role::Quasi).zip(&original.quasi);
    demands.short(&original.class(rows)).is_none()
        && columns.into_iter().all(|(column, (at, domain))| {
            let values: Vec<&str> = rows.iter().map(|&row| original.sheet.text(*at, row)).collect();
            within(column, domain, &values)
        })
}

/// Whether values may meet in a cell.
fn within(column: &Column, domain: &Domain, values: &[&str]) -> bool {
    if !column.is_bounded() {
        return true;
    }
    match domain {
        Domain::Tree(tree) => {
            let shared = tree.shared(values);
            values.iter().all(|value| tree.within(shared, value, &column.max_generalization))
        }
        Domain::Line(_) if values.iter().all(|v| v.is_empty()) => true,
        Domain::Line(_) if values.iter().any(|v| v.is_empty()) => false,
        Domain::Line(line) => {
            let places: Vec<f64> = values.iter().filter_map(|v| super::domain::place(line.kind, v)).collect();
            let low = places.iter().copied().fold(f64::INFINITY, f64::min);
            let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let (from, to) = line.ends(column, low, high);
            line.within(column, from, to, high)
        }
    }
}

/// All combinations of levels of whole columns.
fn full_domain(original: &Original<'_>, demands: &Demands<'_>, rows: &[usize], most: usize) -> Option<bool> {
    let columns: Vec<(&Column, &(usize, Domain))> =
        original.case.of(Role::Quasi).zip(&original.quasi).collect();
    let levels: Vec<Vec<usize>> = columns.iter().map(|(c, q)| allowed(original, c, q, rows)).collect();
    let all: usize = levels.iter().map(Vec::len).product();
    if all > 3000 || rows.is_empty() {
        return (all == 0 || rows.is_empty()).then_some(false);
    }
    let works = |number: usize| {
        let mut rest = number;
        let mut chosen = Vec::new();
        for levels in &levels {
            chosen.push(levels[rest % levels.len()]);
            rest /= levels.len();
        }
        let mut classes: BTreeMap<Vec<Vec<String>>, Vec<usize>> = BTreeMap::new();
        for &row in rows {
            let raised = |((_, (at, domain)), &level): (&(&Column, &(usize, Domain)), &usize)| {
                raised(domain, original.sheet.text(*at, row), level)
            };
            classes.entry(columns.iter().zip(&chosen).map(raised).collect()).or_default().push(row);
        }
        let short = |rows: &&Vec<usize>| demands.short(&original.class(rows)).is_some();
        let gone: usize = classes.values().filter(short).map(Vec::len).sum();
        gone <= most && gone < rows.len()
    };
    Some((0..all).any(works))
}

/// What a value becomes at a level; values of a line stay, or say nothing.
fn raised(domain: &Domain, value: &str, level: usize) -> Vec<String> {
    match domain {
        Domain::Line(line) if level == 0 => {
            vec![super::domain::place(line.kind, value).map_or(String::new(), |x| x.to_string())]
        }
        Domain::Line(_) => Vec::new(),
        Domain::Tree(tree) => {
            let path = &tree.paths[value];
            path[level.min(path.len() - 1)..].to_vec()
        }
    }
}

/// The levels a column may have.
fn allowed(
    original: &Original<'_>,
    column: &Column,
    (at, domain): &(usize, Domain),
    rows: &[usize],
) -> Vec<usize> {
    let fixed = original.case.asked.levels.iter().find(|(name, _)| *name == column.name);
    let height = match domain {
        Domain::Tree(tree) => {
            let real = tree.paths.iter().filter(|(v, _)| !v.is_empty() || tree.paths.len() == 1);
            real.map(|(_, path)| path.len() - 1).max().unwrap_or(1)
        }
        Domain::Line(_) => 1,
    };
    let fits = |level: &usize| {
        let value = |&row: &usize| original.sheet.text(*at, row);
        match domain {
            _ if !column.is_bounded() => true,
            Domain::Tree(tree) => rows.iter().map(value).all(|v| {
                let shared = tree.paths[v].len().saturating_sub(*level).max(1);
                tree.within(shared, v, &column.max_generalization)
            }),
            Domain::Line(_) if *level == 0 => true,
            Domain::Line(line) if rows.iter().map(value).all(str::is_empty) => line.values.is_empty(),
            Domain::Line(line) if line.lacks => false,
            Domain::Line(line) => match (line.values.first(), line.values.last()) {
                (Some(&low), Some(&high)) => {
                    let (from, to) = line.ends(column, low, high);
                    line.within(column, from, to, high)
                }
                _ => false,
            },
        }
    };
    (0..=height).filter(|level| fixed.is_none_or(|f| f.1 as usize == *level)).filter(fits).collect()
}
