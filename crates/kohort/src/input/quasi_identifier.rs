//! From text columns to the encoded table: every quasi-identifier gets a domain, every problem is named.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::data::{Attribute, Codes, Domain, Hierarchy, Kind, Numbers, Point, QuasiIdentifier, Step};
use crate::error::{Error, Place, Result, marked};

use super::Column;
use super::boundary::{BoundarySpec, LevelWeights};
use super::by_meaning::ByMeaning;
use super::spelling::is_code;

/// How many texts that are no numbers a message lists; values missing from a hierarchy are all listed.
const LISTED: usize = 20;

/// What was said about a quasi-identifier.
#[derive(Default)]
pub struct QiSpec {
    /// How its values compare, when declared.
    pub kind: Option<Kind>,
    /// The same, when nobody declared it and it was found out already.
    pub found: Option<Kind>,
    /// Its hierarchy, when given.
    pub hierarchy: Option<Hierarchy>,
    /// Where the hierarchy comes from, for messages.
    pub hierarchy_place: Option<String>,
    /// How much a loss here matters to the search; 1 when not said.
    pub weight: Option<f64>,
    /// A public grid for interval ends.
    pub snap: Option<Step>,
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
    if texts.iter().any(|text| is_code(text)) {
        return Kind::Category;
    }
    let all = |kind| texts.iter().filter(|t| !t.is_empty()).all(|t| Point::parse(kind, t).is_some());
    let any = texts.iter().any(|t| !t.is_empty());
    Kind::LINES.into_iter().find(|&kind| any && all(kind)).unwrap_or(Kind::Category)
}

/// Gives a quasi-identifier its domain and recodes it. `shown` names the table in messages.
pub fn quasi_identifier(column: Column, spec: QiSpec, shown: &str) -> Result<QuasiIdentifier> {
    let Column { name, texts, counts, codes, .. } = column;
    let weight = spec.weight.unwrap_or(1.0);
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(Error::job(format!("weight {weight}, expected a number of at least 0")).in_column(name));
    }
    let declared = spec.kind.is_some();
    let found = || spec.found.unwrap_or_else(|| infer(&texts));
    let kind = spec.kind.unwrap_or_else(|| if spec.hierarchy.is_some() { Kind::Category } else { found() });
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
    let leaves: FxHashMap<&str, u32> = (0..hierarchy.leaf_count()).map(|l| (hierarchy.label(l), l)).collect();
    let mut missing = Vec::new();
    let mut by_meaning: Option<ByMeaning> = None;
    let map = texts
        .iter()
        .zip(counts)
        .map(|(text, &count)| {
            let leaf = leaves.get(text.as_str()).copied();
            let other = || by_meaning.get_or_insert_with(|| ByMeaning::new(&hierarchy, texts)).leaf(text);
            leaf.or_else(other).unwrap_or_else(|| {
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
    snap: Option<Step>,
    shown: &str,
) -> Result<(Domain, Vec<u32>)> {
    if let Some(step) = snap
        && !step.suits(kind)
    {
        let help = match kind {
            Kind::Date => "give a step of the calendar, such as 1 month, 7 days or 5 years",
            Kind::Timestamp => "give a step of the calendar, such as 15 minutes, 6 hours or 1 month",
            _ => "give a number above 0",
        };
        return Err(Error::job(format!("cannot snap {kind} values to a step of {step}"))
            .option_with("snap", format!("{name}={step}"))
            .help(help));
    }
    if let Some(Step::Number(step)) = snap
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
        Kind::Date if spellings.iter().any(|text| has_time(text)) => {
            "; the type timestamp is that of days with a time of day"
        }
        Kind::Date | Kind::Timestamp if spellings.iter().all(|text| is_instant(text)) => APART,
        Kind::Date | Kind::Timestamp => "; ‹date-format› says how dates are written",
        _ if spellings.iter().any(|text| is_long(text)) => TOO_LONG,
        Kind::Decimal if spellings.iter().any(|text| Point::rounded(text).is_some()) => TOO_FINE,
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

/// What is an instant and still not one of its column.
const APART: &str = "; a column has instants of UTC or what clocks showed, not both, and after 2255 they must be whole seconds";

fn is_instant(text: &str) -> bool {
    crate::data::Instant::parse(text).is_some()
}

fn has_time(text: &str) -> bool {
    is_instant(text) && Point::parse(Kind::Date, text).is_none()
}

const TOO_LONG: &str =
    "; whole numbers of 2^53 (9007199254740992) and more cannot be told apart as quantities";

const TOO_FINE: &str =
    "; numbers have 15 to 17 digits, and with more of them they would become others: round them";

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
        assert_eq!(kind(&["2020-01-05", "2020-01-05 10:00"]), Kind::Timestamp);
        assert_eq!(kind(&["01234", "99999"]), Kind::Category);
        assert_eq!(kind(&["", ""]), Kind::Category);
    }

    #[test]
    fn a_hierarchy_may_write_dates_in_another_way() {
        let tree = |first: &str, second: &str| {
            let paths = [[first, "1999", "*"], [second, "2000", "*"]];
            Hierarchy::from_paths("d", paths).unwrap()
        };
        let texts = |all: &[&str]| all.iter().map(|&t| t.to_owned()).collect::<Vec<_>>();
        let placed = |hierarchy, all: &[&str]| {
            super::tree(hierarchy, &texts(all), &vec![1; all.len()]).map(|(_, codes)| codes).ok()
        };
        let iso = || tree("1999-12-31", "2000-04-03");
        assert_eq!(placed(iso(), &["31.12.1999", "03.04.2000"]), Some(vec![0, 1]));
        assert_eq!(placed(iso(), &["31.12.1999", "2000-04-03"]), Some(vec![0, 1]));
        assert_eq!(placed(tree("31.12.1999", "03.04.2000"), &["1999-12-31"]), Some(vec![0]));
        assert_eq!(placed(iso(), &["31/12/1999", "03/04/2000"]), Some(vec![0, 1]), "the other one tells");
        assert_eq!(placed(iso(), &["03/04/2000"]), None, "nobody can tell");
        assert_eq!(placed(tree("0.5", "1.5"), &["0,5"]), Some(vec![0]));
    }
}
