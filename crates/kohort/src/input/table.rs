//! From text columns to the encoded table: every quasi-identifier gets a domain, every problem is named.

use crate::data::{Attribute, Codes, Domain, Hierarchy, Kind, Numbers, QuasiIdentifier, Sensitive};
use crate::error::{Error, Result};

use super::Column;

/// How many offending values a message lists.
const LISTED: usize = 20;

/// What was said about a quasi-identifier.
#[derive(Default)]
pub struct QiSpec {
    /// How its values compare, when declared.
    pub kind: Option<Kind>,
    /// Its hierarchy, when given.
    pub hierarchy: Option<Hierarchy>,
    /// How much a loss here matters to the search; 1 when not said.
    pub weight: Option<f64>,
    /// A public grid for interval ends.
    pub snap: Option<f64>,
}

/// The kind a column seems to have: the narrowest that all its values fit.
pub fn infer(texts: &[String]) -> Kind {
    let all = |kind| texts.iter().filter(|t| !t.is_empty()).all(|t| crate::data::Point::parse(kind, t).is_some());
    let any = texts.iter().any(|t| !t.is_empty());
    [Kind::Integer, Kind::Decimal, Kind::Date].into_iter().find(|&k| any && all(k)).unwrap_or(Kind::Category)
}

/// Gives a quasi-identifier its domain and recodes it. `shown` names the table in messages.
pub fn quasi_identifier(column: Column, spec: QiSpec, shown: &str) -> Result<QuasiIdentifier> {
    let Column { name, texts, counts, codes } = column;
    let weight = spec.weight.unwrap_or(1.0);
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(Error::job(format!("weight {weight}, expected a number of at least 0")).at(format!("column '{name}'")));
    }
    let kind = spec.kind.unwrap_or_else(|| if spec.hierarchy.is_some() { Kind::Category } else { infer(&texts) });
    let (domain, map) = match spec.hierarchy {
        Some(hierarchy) => tree(hierarchy, &name, &texts, &counts)?,
        None if kind == Kind::Category => {
            let mut values = texts.clone();
            values.sort_unstable();
            tree(Hierarchy::flat(&name, values)?, &name, &texts, &counts)?
        }
        None => interval(kind, &name, &texts, &counts, &codes, spec.snap, shown)?,
    };
    if spec.snap.is_some() && !matches!(domain, Domain::Interval(_)) {
        return Err(Error::job("only intervals can be snapped to a grid, but this column has a hierarchy")
            .at(format!("--snap {name}=…")));
    }
    let mut attribute = Attribute { name, domain, counts: Vec::new(), weight };
    attribute.counts = vec![0; attribute.code_count() as usize];
    for (code, count) in map.iter().zip(counts) {
        attribute.counts[*code as usize] += count;
    }
    Ok(QuasiIdentifier { attribute, codes: codes.remap(&map) })
}

/// A sensitive column keeps its codes; its values are not needed again.
pub fn sensitive(column: Column) -> Sensitive {
    Sensitive { name: column.name, distinct: column.texts.len() as u32, codes: column.codes }
}

fn tree(hierarchy: Hierarchy, name: &str, texts: &[String], counts: &[u32]) -> Result<(Domain, Vec<u32>)> {
    let hierarchy = if texts.iter().any(String::is_empty) { hierarchy.with_leaf("")? } else { hierarchy };
    let leaves: rustc_hash::FxHashMap<&str, u32> = (0..hierarchy.leaf_count()).map(|l| (hierarchy.label(l), l)).collect();
    let mut missing = Vec::new();
    let map = texts
        .iter()
        .zip(counts)
        .map(|(text, &count)| {
            leaves.get(text.as_str()).copied().unwrap_or_else(|| {
                missing.push((text, count));
                0
            })
        })
        .collect();
    if missing.is_empty() {
        return Ok((Domain::Tree(hierarchy), map));
    }
    missing.sort_unstable();
    let near = crate::error::nearest(missing[0].0, leaves.keys().copied().collect::<std::collections::BTreeSet<_>>());
    let near = near.map(|n| format!("; '{n}' is there, is it meant?")).unwrap_or_default();
    Err(Error::input(format!("{} not in the hierarchy:{}", values(missing.len()), listing(&missing)))
        .at(format!("column '{name}', hierarchy of '{}'", hierarchy.name()))
        .help(format!("add a line for each value to the hierarchy{near}")))
}

fn interval(
    kind: Kind,
    name: &str,
    texts: &[String],
    counts: &[u32],
    codes: &Codes,
    snap: Option<f64>,
    shown: &str,
) -> Result<(Domain, Vec<u32>)> {
    if let Some(step) = snap
        && (!(step.is_finite() && step > 0.0) || kind == Kind::Date)
    {
        return Err(Error::job(format!("cannot snap {kind} values to a step of {step}"))
            .at(format!("--snap {name}={step}"))
            .help("give a number above 0, for an integer or decimal column"));
    }
    if let Some(step) = snap
        && kind == Kind::Integer
        && step.fract() != 0.0
    {
        // The ends would be no whole numbers, and nobody could read them back as values of the column.
        return Err(Error::job(format!("cannot snap integer values to a step of {step}"))
            .at(format!("--snap {name}={step}"))
            .help("give a whole number, or declare the column as decimal"));
    }
    Numbers::order(kind, texts, snap).map(|(n, map)| (Domain::Interval(n), map)).map_err(|wrong| {
        let first = codes.iter().position(|c| wrong.contains(&(c as usize))).unwrap_or(0);
        let wrong: Vec<_> = wrong.into_iter().map(|i| (&texts[i], counts[i])).collect();
        Error::input(format!("{} not of type {kind}:{}", values(wrong.len()), listing(&wrong)))
            .at(format!("{shown}, column '{name}', first in row {}", first + 1))
            .help("correct them, leave them empty, or declare the column as a category with a hierarchy")
    })
}

fn values(n: usize) -> String {
    if n == 1 { "1 value is".into() } else { format!("{n} values are") }
}

fn listing(found: &[(&String, u32)]) -> String {
    let mut out = String::new();
    for (text, count) in found.iter().take(LISTED) {
        out += &format!("\n    '{text}' ({count} row{})", if *count == 1 { "" } else { "s" });
    }
    if found.len() > LISTED {
        out += &format!("\n    … and {} more", found.len() - LISTED);
    }
    out
}
