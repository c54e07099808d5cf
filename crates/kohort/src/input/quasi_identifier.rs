//! From text columns to the encoded table: every quasi-identifier gets a domain, every problem is named.

use std::fmt::Write as _;

use crate::data::{Attribute, Codes, Domain, Hierarchy, Kind, Numbers, QuasiIdentifier};
use crate::error::{Error, Place, Result, marked};

use super::Column;
use super::boundary::{BoundarySpec, LevelWeights};

/// How many texts that are no numbers a message lists; values missing from a hierarchy are all listed.
const LISTED: usize = 20;

/// What was said about a quasi-identifier.
#[derive(Default)]
pub struct QiSpec {
    /// How its values compare, when declared.
    pub kind: Option<Kind>,
    /// Its hierarchy, when given.
    pub hierarchy: Option<Hierarchy>,
    /// Where the hierarchy comes from, for messages.
    pub hierarchy_place: Option<String>,
    /// How much a loss here matters to the search; 1 when not said.
    pub weight: Option<f64>,
    /// A public grid for interval ends.
    pub snap: Option<f64>,
    /// How far its values may be generalized.
    pub boundary: BoundarySpec,
    /// Weights of the steps between its levels.
    pub level_weights: LevelWeights,
    /// When it was named among the quasi-identifiers.
    pub place: u32,
}

/// The kind a column seems to have: the narrowest that all its values fit. Digits after a leading zero are a code, such as
/// the postcode 01234, which as a number would lose its zero.
pub fn infer(texts: &[String]) -> Kind {
    let code = |t: &String| t.len() > 1 && t.starts_with('0') && t.bytes().all(|b| b.is_ascii_digit());
    if texts.iter().any(code) {
        return Kind::Category;
    }
    let all =
        |kind| texts.iter().filter(|t| !t.is_empty()).all(|t| crate::data::Point::parse(kind, t).is_some());
    let any = texts.iter().any(|t| !t.is_empty());
    [Kind::Integer, Kind::Decimal, Kind::Date].into_iter().find(|&k| any && all(k)).unwrap_or(Kind::Category)
}

/// Gives a quasi-identifier its domain and recodes it. `shown` names the table in messages.
pub fn quasi_identifier(column: Column, spec: QiSpec, shown: &str) -> Result<QuasiIdentifier> {
    let Column { name, texts, counts, codes, .. } = column;
    let weight = spec.weight.unwrap_or(1.0);
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(Error::job(format!("weight {weight}, expected a number of at least 0")).in_column(name));
    }
    let declared = spec.kind.is_some();
    let kind =
        spec.kind.unwrap_or_else(|| if spec.hierarchy.is_some() { Kind::Category } else { infer(&texts) });
    let has_hierarchy = spec.hierarchy.is_some();
    let (domain, map) = match spec.hierarchy {
        Some(hierarchy) => tree(hierarchy, &texts, &counts)
            .map_err(|e| e.at(place(shown, &name, spec.hierarchy_place.as_deref())))?,
        None if kind == Kind::Category => {
            let mut values = texts.clone();
            values.sort_unstable();
            tree(Hierarchy::flat(&name, values)?, &texts, &counts)?
        }
        None => interval(kind, &name, &texts, &counts, &codes, spec.snap, shown)?,
    };
    let domain = match domain {
        Domain::Interval(numbers) if declared => Domain::Interval(numbers.of_declared_kind()),
        other => other,
    };
    if spec.snap.is_some() && !matches!(domain, Domain::Interval(_)) {
        return Err(no_intervals(has_hierarchy, spec.kind.is_some()).option_with("snap", format!("{name}=…")));
    }
    let is_category = spec.kind == Some(Kind::Category);
    let place = spec.place;
    let mut attribute = Attribute { weight, is_category, place, ..Attribute::new(&name, domain, Vec::new()) };
    attribute.counts = vec![0; attribute.code_count() as usize];
    for (code, count) in map.iter().zip(counts) {
        attribute.counts[*code as usize] += count;
    }
    attribute.boundary = spec.boundary.resolve(&attribute, spec.snap)?;
    attribute.level_weights = spec.level_weights.resolve(&attribute)?;
    Ok(QuasiIdentifier { attribute, codes: codes.remap(&map) })
}

/// Why there is nothing to snap.
fn no_intervals(has_hierarchy: bool, is_declared: bool) -> Error {
    let because = match (has_hierarchy, is_declared) {
        (true, _) => "has a hierarchy",
        (_, true) => "is declared a category",
        _ => "is taken for a category: not all of its values are numbers between -2^53 and 2^53",
    };
    let help = if has_hierarchy || is_declared {
        "omit this ‹snap›, or declare the column as integer or decimal"
    } else {
        "declare its type, such as ‹type=COLUMN=integer›, to see which values do not fit, or omit this ‹snap›"
    };
    Error::job(format!("only intervals can be snapped to a grid, but this column {because}")).help(help)
}

fn place(shown: &str, column: &str, hierarchy: Option<&str>) -> Place {
    let place = Place::default().in_file(shown).in_column(column);
    match hierarchy {
        None => place,
        Some(file) => place.and(format!("hierarchy {file}")),
    }
}

fn tree(hierarchy: Hierarchy, texts: &[String], counts: &[u32]) -> Result<(Domain, Vec<u32>)> {
    let hierarchy = if texts.iter().any(String::is_empty) { hierarchy.with_leaf("")? } else { hierarchy };
    let leaves: rustc_hash::FxHashMap<&str, u32> =
        (0..hierarchy.leaf_count()).map(|l| (hierarchy.label(l), l)).collect();
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
    Err(Error::input(format!(
        "{} not in the hierarchy:{}",
        values(missing.len()),
        listing(&missing, usize::MAX)
    ))
    .help(format!(
        "add a line for each value to the hierarchy{}",
        meant(missing[0].0, leaves.keys().copied())
    )))
}

/// A likely typing error; numbers are always near some other number, which says nothing.
fn meant<'a>(value: &str, leaves: impl Iterator<Item = &'a str>) -> String {
    if crate::data::plain_number(value).is_some() {
        return String::new();
    }
    let sorted: std::collections::BTreeSet<_> = leaves.collect();
    crate::error::nearest(value, sorted)
        .map(|n| format!("; perhaps '{value}' is meant to be '{n}'"))
        .unwrap_or_default()
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
            .option_with("snap", format!("{name}={step}"))
            .help("give a number above 0, for an integer or decimal column"));
    }
    if let Some(step) = snap
        && kind == Kind::Integer
        && step.fract() != 0.0
    {
        // The ends would be no whole numbers, and nobody could read them back as values of the column.
        return Err(Error::job(format!("cannot snap integer values to a step of {step}"))
            .option_with("snap", format!("{name}={step}"))
            .help("give a whole number, or declare the column as decimal"));
    }
    let ordered = Numbers::order(kind, texts, snap);
    if let (Some(step), Ok((n, _))) = (snap, &ordered)
        && !n.suits_grid()
    {
        return Err(Error::job(format!("a step of {step} does not suit the values of this column"))
            .option_with("snap", format!("{name}={step}"))
            .help("give a step between the smallest difference and the range of the values"));
    }
    ordered.map(|(n, map)| (Domain::Interval(n), map)).map_err(|wrong| {
        let first = codes.iter().position(|c| wrong.contains(&(c as usize))).unwrap_or(0);
        let wrong: Vec<_> = wrong.into_iter().map(|i| (&texts[i], counts[i])).collect();
        Error::input(format!("{} not of type {kind}:{}", values(wrong.len()), listing(&wrong, LISTED)))
            .at(place(shown, name, None).and(format!("first in row {} below the header", first + 1)))
            .help(way_out(kind, &wrong))
    })
}

/// What to do about values of another type.
fn way_out(kind: Kind, wrong: &[(&String, u32)]) -> String {
    // A comma would make two of it.
    let is_word = |(text, _): &(&String, u32)| !text.bytes().any(|b| b.is_ascii_digit() || b == b',');
    let spellings: Vec<&str> = wrong.iter().map(|(text, _)| text.trim()).collect();
    let missing = if wrong.len() <= SPELLINGS && wrong.iter().all(is_word) {
        format!("say that they mean a missing value ({}), ", marked("na", spellings.join(",")))
    } else {
        String::new()
    };
    let why = match kind {
        Kind::Date => "; dates are written YYYY-MM-DD",
        _ if spellings.iter().any(|text| is_long(text)) => TOO_LONG,
        _ => "",
    };
    format!(
        "correct them, leave them empty, {missing}or declare the column as a category with a hierarchy{why}"
    )
}

/// Up to so many words among numbers or dates are taken for ways to write a missing value.
const SPELLINGS: usize = 3;

/// Numbers that are refused for their size alone.
fn is_long(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['-', '+']);
    digits.len() > 15 && digits.bytes().all(|b| b.is_ascii_digit())
}

const TOO_LONG: &str =
    "; whole numbers of 2^53 (9007199254740992) and more cannot be told apart as quantities";

fn values(n: usize) -> String {
    if n == 1 { "1 value is".into() } else { format!("{n} values are") }
}

fn listing(found: &[(&String, u32)], most: usize) -> String {
    let mut out = String::new();
    for (text, count) in found.iter().take(most) {
        let _ = write!(out, "\n    '{text}' ({count} row{})", if *count == 1 { "" } else { "s" });
    }
    if found.len() > most {
        let _ = write!(out, "\n    … and {} more", found.len() - most);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_make_codes_not_numbers() {
        let kind = |texts: &[&str]| infer(&texts.iter().map(|&t| t.to_owned()).collect::<Vec<_>>());
        assert_eq!(kind(&["1", "0", "-20", ""]), Kind::Integer);
        assert_eq!(kind(&["0.5", "1", "0"]), Kind::Decimal);
        assert_eq!(kind(&["2020-01-05"]), Kind::Date);
        assert_eq!(kind(&["01234", "99999"]), Kind::Category);
        assert_eq!(kind(&["", ""]), Kind::Category);
    }
}
