//! How diverse the sensitive values of every class are, by every model of the field.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Released;
use super::classes::Classes;
use super::values::meaning;
use crate::data::Sensitive;
use crate::input::Column;
use crate::model::{Model, Models, ValueCounts, entropy_l, entropy_reaches, largest_share, recursive_ratio};

/// The worst class, by sensitive column.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Diversity {
    /// Least different values, or protected kinds of values.
    pub p: BTreeMap<String, u64>,
    /// Least different values.
    pub distinct: BTreeMap<String, u64>,
    /// Least entropy l-diversity.
    pub entropy: BTreeMap<String, f64>,
    /// Largest share of a value.
    pub alpha: BTreeMap<String, f64>,
    /// Largest distance from the whole table; columns of which the table's values are not at hand are left out.
    pub t: BTreeMap<String, f64>,
    /// Recursive diversity, where it was asked for: the c that the worst class needs to stay below.
    pub recursive: BTreeMap<String, f64>,
    /// Columns of which some values count as one for p.
    pub protected: Vec<String>,
    /// Whether anything was asked.
    pub demanded: bool,
    /// What falls short of the models beyond k and p, in words.
    pub short: Vec<String>,
}

/// The sensitive columns in the codes that the models know, so that classes can be compared with the whole; values it does
/// not have get codes of their own. And whether that was possible, by column.
pub(super) fn recoded(released: &Released, known: &[Sensitive]) -> (Vec<Column>, Vec<bool>) {
    let recode = |(column, original): (&Column, &Sensitive)| match meaning(original, column) {
        None => (column.clone(), false),
        Some(codes) => {
            let map: Vec<u32> =
                (original.distinct..).zip(codes).map(|(own, code)| code.unwrap_or(own)).collect();
            // Who counts classes looks at names and codes.
            let codes = column.codes.clone().remap(&map);
            (Column { name: column.name.clone(), codes, ..Column::default() }, true)
        }
    };
    released.sensitive.iter().zip(known).map(recode).unzip()
}

/// Looks at every class. `known` says of which columns the codes are those of the table that `models` know.
/// `what` is what classes are compared with.
pub(super) fn diversity(
    classes: &Classes<'_>,
    names: &[&str],
    known: &[bool],
    models: &Models,
    what: &str,
) -> Diversity {
    let mut found = Diversity { demanded: models.iter().next().is_some(), ..Diversity::default() };
    for (column, &name) in names.iter().enumerate() {
        let each = || classes.found.par_iter().map(|(_, tally)| &tally.columns()[column]);
        let least = |of: &(dyn Fn(&ValueCounts) -> usize + Sync)| each().map(of).min().unwrap_or(0) as u64;
        let worst = |of: &(dyn Fn(&ValueCounts) -> f64 + Sync)| each().map(of).reduce(|| 0.0, f64::max);
        let name = || name.to_owned();
        found
            .p
            .insert(name(), least(&|c| if known[column] { models.kinds(column, c) } else { c.distinct() }));
        found.distinct.insert(name(), least(&ValueCounts::distinct));
        let entropy = each().map(entropy_l).reduce(|| f64::INFINITY, f64::min);
        found.entropy.insert(name(), if entropy.is_finite() { entropy } else { 0.0 });
        found.alpha.insert(name(), worst(&largest_share));
        if known[column] {
            found.t.insert(name(), worst(&|c| models.distance(column, c)));
        }
        found.protected.extend(models.protects(column).then(name));
        let ratio = |l: u32| worst(&|c| recursive_ratio(c, l));
        let asked =
            models.iter().find_map(|m| if let Model::RecursiveL { l, .. } = m { Some(*l) } else { None });
        found.recursive.extend(asked.map(|l| (name(), ratio(l))));
        let short = models.iter().filter_map(|m| shortfall(m, &found, &name(), ratio, what));
        let short: Vec<String> = short.collect();
        found.short.extend(short);
    }
    found
}

fn shortfall(
    model: &Model,
    found: &Diversity,
    column: &str,
    ratio: impl Fn(u32) -> f64,
    what: &str,
) -> Option<String> {
    let asked = format!("{model} was asked");
    match *model {
        Model::KAnonymity { .. } | Model::PSensitive { .. } => None,
        Model::DistinctL { l } => {
            let has = found.distinct[column];
            (has < u64::from(l))
                .then(|| format!("a class has only {has} different values of '{column}', {asked}"))
        }
        Model::EntropyL { l } => {
            let has = found.entropy[column];
            (!entropy_reaches(has, l))
                .then(|| format!("a class has values of '{column}' as uncertain as only {has:.3}, {asked}"))
        }
        Model::RecursiveL { c, l } => {
            let has = ratio(l);
            (has >= c).then(|| {
                format!("in a class the most frequent value of '{column}' outweighs the rare ones {has:.3} times, {asked}")
            })
        }
        Model::AlphaK { alpha } => {
            let has = found.alpha[column];
            (has > alpha)
                .then(|| format!("a value of '{column}' has a share of {has:.3} of its class, {asked}"))
        }
        Model::TCloseness { t, .. } => match found.t.get(column) {
            Some(&has) => {
                (has > t).then(|| format!("a class is {has:.4} away from {what} in '{column}', {asked}"))
            }
            None => {
                Some(format!("t of '{column}' could not be checked: the original's values are not at hand"))
            }
        },
    }
}
