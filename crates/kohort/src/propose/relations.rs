//! What determines what: the commune its county, the year of birth the age group, the code its name.
//!
//! That no value of one column occurs with two of another is chance where values are rare. So a dependency counts only where
//! many values would show two if the columns had nothing to do with each other.

use rayon::prelude::*;
use serde::Serialize;

use super::look::Looked;

/// So many values must agree that would not by chance.
const SURPRISES: f64 = 10.0;

/// Columns with more different values than this share of the rows tell rows apart, and so determine everything.
const TOO_FINE: f64 = 0.5;

/// No value was seen yet.
const UNSEEN: u32 = u32::MAX;

/// A column that determines another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Dependency {
    /// Whose value is enough, by number.
    pub(super) of: usize,
    /// What it determines.
    pub(super) on: usize,
    /// Whether the other way round as well: two names of the same.
    pub(super) both_ways: bool,
}

/// All dependencies between columns with several values.
pub(super) fn dependencies(columns: &[Looked]) -> Vec<Dependency> {
    let usable = |at: &usize| columns[*at].distinct >= 2 && columns[*at].uniqueness() <= TOO_FINE;
    let usable: Vec<usize> = (0..columns.len()).filter(usable).collect();
    let determined = |&of: &usize| {
        let on = usable.iter().copied().filter(move |&on| on != of && determines(&columns[of], &columns[on]));
        on.map(|on| (of, on)).collect::<Vec<_>>()
    };
    let found: Vec<(usize, usize)> = usable.par_iter().flat_map_iter(determined).collect();
    let both = |&(of, on): &(usize, usize)| found.contains(&(on, of));
    found.iter().map(|pair| Dependency { of: pair.0, on: pair.1, both_ways: both(pair) }).collect()
}

/// Whether rows with the same value of one column have the same value of the other, beyond chance.
fn determines(one: &Looked, other: &Looked) -> bool {
    if other.distinct > one.distinct {
        return false;
    }
    let mut image = vec![UNSEEN; one.column.texts.len()];
    for (from, to) in one.column.codes.iter().zip(other.column.codes.iter()) {
        if one.missing[from as usize] {
            continue;
        }
        let seen = &mut image[from as usize];
        if *seen == UNSEEN {
            *seen = to;
        } else if *seen != to {
            return false;
        }
    }
    // That n rows agree by chance has about the probability with which all of them have the most frequent value.
    let agree = 1.0 - other.facts.separation;
    let surprise =
        |&count: &u32| 1.0 - agree.powi(i32::try_from(count).unwrap_or(i32::MAX).saturating_sub(1));
    let counted = one.column.counts.iter().zip(&one.missing).filter(|(_, missing)| !**missing);
    counted.map(|(count, _)| surprise(count)).sum::<f64>() >= SURPRISES.min(one.distinct as f64 * 0.5)
        && other.present > 0
        && repeats_enough(one)
}

/// Whether its values have several rows each: at least ten rows must be no first ones.
fn repeats_enough(column: &Looked) -> bool {
    column.present - column.distinct >= SURPRISES as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propose::look::tests::looked;

    fn found(columns: &[Vec<String>]) -> Vec<(usize, usize, bool)> {
        let columns: Vec<Looked> =
            columns.iter().enumerate().map(|(i, c)| looked(&i.to_string(), c)).collect();
        dependencies(&columns).into_iter().map(|d| (d.of, d.on, d.both_ways)).collect()
    }

    fn column(of: impl Fn(u32) -> String) -> Vec<String> {
        (0..200).map(of).collect()
    }

    #[test]
    fn towns_determine_counties_and_not_the_other_way_round() {
        let town = column(|i| format!("town {}", i * 7 % 20));
        let county = column(|i| format!("county {}", i * 7 % 20 % 4));
        let name = column(|i| format!("T{}", i * 7 % 20));
        let chance = column(|i| (i * i % 13).to_string());
        assert_eq!(found(&[town.clone(), county.clone(), chance]), [(0, 1, false)]);
        let both = found(&[town, name, county]);
        assert!(both.contains(&(0, 1, true)) && both.contains(&(1, 0, true)), "{both:?}");
        assert!(both.contains(&(0, 2, false)) && !both.contains(&(2, 0, false)), "{both:?}");
    }

    #[test]
    fn nearly_unique_values_and_constants_determine_nothing() {
        let number = column(|i| i.to_string());
        let pair = column(|i| (i / 2).to_string());
        let sex = column(|i| if i % 4 < 2 { "f" } else { "m" }.into());
        let same = column(|_| "x".into());
        assert_eq!(found(&[number, sex.clone(), same]), []);
        assert_eq!(
            found(&[pair, sex]),
            [(0, 1, false)],
            "two rows of each of a hundred people agree: no chance"
        );
    }
}
