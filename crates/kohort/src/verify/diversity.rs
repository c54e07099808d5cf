//! How diverse the sensitive values of every class are, by every model of the field.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Released;
use super::classes::Classes;
use super::counts::Counts;
use super::definitions::{Whole, entropy_l, entropy_reaches, largest_share, recursive_ratio};
use super::values::meaning;
use crate::data::{Sensitive, is_missing};
use crate::demand::{Demands, Model};
use crate::error::{Said, counted};
use crate::input::Column;

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
    /// Largest relative gain in frequency over the whole table.
    pub beta: BTreeMap<String, f64>,
    /// Largest logarithm of the change in frequency; infinite where a class lacks a value of the table.
    pub delta: BTreeMap<String, f64>,
    /// Recursive diversity, where it was asked for: the c that the worst class needs to stay below.
    pub recursive: BTreeMap<String, f64>,
    /// Columns of which some values count as one for p.
    pub protected: Vec<String>,
    /// What falls short of the models beyond k.
    pub short: Vec<Shortfall>,
}

/// A demand that a class does not meet.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Shortfall {
    /// What was asked.
    #[serde(flatten)]
    pub model: Model,
    /// In words.
    pub what: Said,
}

/// The sensitive columns in the codes of the table that classes are compared with, so that classes can be compared with the whole; values it does
/// not have get codes of their own.
pub(super) fn recoded(released: &Released, known: &[Sensitive]) -> Vec<Recoded> {
    let recode = |(column, original): (&Column, &Sensitive)| match meaning(original, column) {
        None => {
            let missing = missing(column, original, |own| own);
            Recoded { column: column.clone(), is_known: false, missing }
        }
        Some(codes) => {
            let map: Vec<u32> =
                (original.distinct..).zip(codes).map(|(own, code)| code.unwrap_or(own)).collect();
            // Who counts classes looks at names and codes.
            let codes = column.codes.clone().remap(&map);
            let missing = missing(column, original, |own| map[own as usize]);
            let column = Column { name: column.name.clone(), codes, ..Column::default() };
            Recoded { column, is_known: true, missing }
        }
    };
    released.sensitive.iter().zip(known).map(recode).collect()
}

/// A sensitive column in the codes of the table that classes are compared with.
pub(super) struct Recoded {
    pub(super) column: Column,
    /// Whether that table's values were at hand; the codes are the release's own otherwise.
    pub(super) is_known: bool,
    /// The codes of missing values, where those count for nothing.
    pub(super) missing: Vec<u32>,
}

/// The codes of published texts that say that a value is missing, where such values count for nothing.
fn missing(column: &Column, original: &Sensitive, recode: impl Fn(u32) -> u32) -> Vec<u32> {
    let Some(na) = &original.na else { return Vec::new() };
    let texts = (0..).zip(&column.texts).filter(|(_, text)| is_missing(text, na));
    let mut codes: Vec<u32> = texts.map(|(own, _)| recode(own)).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Looks at every class. `known` says of which columns the codes are those of `whole`, the table classes are compared with;
/// `what` is what to call it.
pub(super) fn diversity(
    classes: &Classes<'_>,
    names: &[&str],
    known: &[bool],
    demands: &Demands,
    whole: &[Whole<'_>],
    what: &str,
) -> Diversity {
    let mut found = Diversity::default();
    for (column, &name) in names.iter().enumerate() {
        let each = || classes.found.par_iter().map(|class| &class.values[column]);
        let present = || classes.found.par_iter().map(|class| classes.present(class, column));
        let least =
            |of: &(dyn Fn(&Counts) -> usize + Sync)| present().map(|c| of(&c)).min().unwrap_or(0) as u64;
        let worst_present =
            |of: &(dyn Fn(&Counts) -> f64 + Sync)| present().map(|c| of(&c)).reduce(|| 0.0, f64::max);
        let worst = |of: &(dyn Fn(&Counts) -> f64 + Sync)| each().map(of).reduce(|| 0.0, f64::max);
        let whole = whole.get(column).filter(|_| known[column]);
        let name = || name.to_owned();
        let kind = |code: u32| whole.map_or(Err(code), |whole| whole.kind(code));
        let (p, distinct) = match &classes.people {
            None => (
                least(&|c| whole.map_or_else(|| c.distinct(), |whole| whole.kinds(c))),
                least(&Counts::distinct),
            ),
            Some(people) => {
                let numbers = || (0..classes.found.len()).into_par_iter();
                let kinds = numbers().map(|class| people.assignable(class, column, kind)).min();
                let values = || numbers().map(|class| people.assignable(class, column, |code| code)).min();
                let values = if whole.is_some_and(Whole::protects) { values() } else { kinds };
                (kinds.unwrap_or(0) as u64, values.unwrap_or(0) as u64)
            }
        };
        found.p.insert(name(), p);
        found.distinct.insert(name(), distinct);
        let entropy = present().map(|c| entropy_l(&c)).reduce(|| f64::INFINITY, f64::min);
        found.entropy.insert(name(), if entropy.is_finite() { entropy } else { 0.0 });
        found.alpha.insert(
            name(),
            match &classes.people {
                None => worst_present(&largest_share),
                Some(people) => {
                    let each = (0..classes.found.len()).into_par_iter();
                    each.map(|class| people.largest_share(class, column)).reduce(|| 0.0, f64::max)
                }
            },
        );
        found.t.extend(whole.map(|whole| (name(), worst(&|c| whole.distance(c)))));
        found.beta.extend(whole.map(|whole| (name(), worst(&|c| whole.largest_gain(c)))));
        found.delta.extend(whole.map(|whole| (name(), worst(&|c| whole.farthest_logarithm(c)))));
        found.protected.extend(whole.filter(|whole| whole.protects()).map(|_| name()));
        let ratio = |l: u32| worst_present(&|c| recursive_ratio(c, l));
        let asked = demands
            .of(&name())
            .find_map(|m| if let Model::RecursiveL { l, .. } = m { Some(*l) } else { None });
        found.recursive.extend(asked.map(|l| (name(), ratio(l))));
        let own = name();
        let short = demands.of(&own).filter_map(|&model| {
            Some(Shortfall { model, what: shortfall(&model, &found, &own, ratio, what)?.into() })
        });
        let short: Vec<Shortfall> = short.collect();
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
        Model::KAnonymity { .. } => None,
        Model::PSensitive { p } => {
            let least = found.p[column];
            let kinds = if found.protected.iter().any(|c| c == column) { " kinds of" } else { "" };
            let s = if least == 1 && kinds.is_empty() { "" } else { "s" };
            (p > 1 && least < u64::from(p)).then(|| format!("a class has only {least} different{kinds} value{s} of '{column}', {asked}"))
        }
        Model::DistinctL { l } => {
            let has = found.distinct[column];
            (l > 1 && has < u64::from(l))
                .then(|| format!("a class has only {} of '{column}', {asked}", counted(has, "different value")))
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
            None => Some(not_at_hand("t", column)),
        },
        Model::BetaLikeness { beta } => match found.beta.get(column) {
            Some(has) if has.is_infinite() => {
                Some(format!("a class has a value of '{column}' that {what} lacks, {asked}"))
            }
            Some(&has) => (has > beta).then(|| {
                format!("in a class a value of '{column}' is more frequent than in {what} by {has:.4} times its frequency there, {asked}")
            }),
            None => Some(not_at_hand("beta", column)),
        },
        Model::DeltaDisclosure { delta } => match found.delta.get(column) {
            Some(has) if has.is_infinite() => {
                Some(format!("a class lacks a value of '{column}' that {what} has, or has one that it lacks, {asked}"))
            }
            Some(&has) => (has >= delta).then(|| {
                format!("in a class the frequency of a value of '{column}' is {has:.4} from that in {what} by its logarithm, {asked}")
            }),
            None => Some(not_at_hand("delta", column)),
        },
    }
}

fn not_at_hand(figure: &str, column: &str) -> String {
    format!("{figure} of '{column}' could not be checked: the original's values are not at hand")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(model: Model, found: &Diversity) -> String {
        shortfall(&model, found, "d", |_| 1.5, "the original").unwrap_or_default()
    }

    fn of<T>(x: T) -> BTreeMap<String, T> {
        BTreeMap::from([("d".to_owned(), x)])
    }

    #[test]
    fn one_value_is_told_from_many_and_from_kinds() {
        let p = Model::PSensitive { p: 3 };
        let values = |n| Diversity { p: of(n), ..Diversity::default() };
        assert_eq!(told(p, &values(1)), "a class has only 1 different value of 'd', p = 3 was asked");
        assert_eq!(told(p, &values(2)), "a class has only 2 different values of 'd', p = 3 was asked");
        assert_eq!(told(p, &values(3)), "");
        let kinds = |n| Diversity { protected: vec!["d".into()], ..values(n) };
        assert_eq!(
            told(p, &kinds(1)),
            "a class has only 1 different kinds of values of 'd', p = 3 was asked"
        );
        let other = Diversity { protected: vec!["e".into()], ..values(2) };
        assert_eq!(told(p, &other), told(p, &values(2)));
    }

    #[test]
    fn what_was_not_compared_is_not_met() {
        let none = Diversity::default();
        for (model, figure) in [
            (Model::TCloseness { t: 0.5, ground: crate::data::Ground::Equal }, "t"),
            (Model::BetaLikeness { beta: 1.0 }, "beta"),
            (Model::DeltaDisclosure { delta: 1.0 }, "delta"),
        ] {
            let expected =
                format!("{figure} of 'd' could not be checked: the original's values are not at hand");
            assert_eq!(told(model, &none), expected);
        }
    }

    #[test]
    fn limits_are_met_or_not() {
        let beta = |has| {
            told(Model::BetaLikeness { beta: 1.0 }, &Diversity { beta: of(has), ..Diversity::default() })
        };
        assert_eq!(beta(1.0), "");
        assert!(beta(1.25).contains("by 1.2500 times its frequency"));
        assert!(beta(f64::INFINITY).starts_with("a class has a value of 'd' that the original lacks"));
        let delta = |has| {
            told(Model::DeltaDisclosure { delta: 1.0 }, &Diversity { delta: of(has), ..Diversity::default() })
        };
        assert_eq!(delta(0.99), "");
        assert!(delta(1.0).contains("is 1.0000 from that in the original"), "strict");
        assert!(delta(f64::INFINITY).starts_with("a class lacks a value of 'd'"));
        let recursive = |c| told(Model::RecursiveL { c, l: 2 }, &Diversity::default());
        assert!(recursive(1.6).is_empty() && recursive(1.5).contains("1.500 times"), "strict");
        let alpha =
            |has| told(Model::AlphaK { alpha: 0.5 }, &Diversity { alpha: of(has), ..Diversity::default() });
        assert!(alpha(0.5).is_empty() && alpha(0.6).contains("a share of 0.600"));
    }
}
