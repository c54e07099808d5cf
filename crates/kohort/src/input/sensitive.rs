//! From a text column to an encoded sensitive one, with what models must know about its values. Their texts are never
//! shown in a message.

use super::measured::are_measured;
use super::{Column, infer};
use crate::data::{
    Alone, Ground, Hierarchy, Instant, Kind, MIDNIGHT, MissingSensitive, Numbers, Point, Sensitive, Spelling,
};
use crate::error::{Error, Place, Result, counted, nearest};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::hash::Hash;

/// Up to how many different values of a sensitive column are kept without need.
const FEW: usize = 1 << 16;

/// What was said about a sensitive column.
#[derive(Default)]
pub struct SensitiveSpec {
    /// Whether the column is text in its file.
    pub is_text: bool,
    /// How its values compare, when declared.
    pub kind: Option<Kind>,
    /// How its values are written, when declared. It is never found out from what other people have: a text says by itself
    /// which day it is, or it has no place among others.
    pub spelling: Option<Spelling>,
    /// Its hierarchy, where a model needs one.
    pub hierarchy: Option<Hierarchy>,
    /// Nodes of the hierarchy below which all values count as one.
    pub protected: Vec<String>,
    /// How t-closeness measures this column.
    pub ground: Option<Ground>,
    /// Whether every text must be kept, to find it again in a release.
    pub keep_texts: bool,
    /// Texts that mean a missing value, besides blank ones.
    pub na: Vec<String>,
    /// Whether a missing value counts like any other.
    pub missing: MissingSensitive,
}

/// Encodes a sensitive column: see [`Column::read_with`] for missing values, which are one value however they are spelled.
/// `shown` names the table in messages.
pub fn sensitive(column: Column, mut spec: SensitiveSpec, shown: &str) -> Result<Sensitive> {
    let ignored = spec.missing == MissingSensitive::Ignore;
    let missing = column.texts.iter().position(String::is_empty).filter(|_| ignored);
    let is_measured = are_measured(&column.texts, spec.kind);
    let na = ignored.then(|| std::mem::take(&mut spec.na));
    let encoded = encoded(column, spec, shown)?;
    let code = |at: usize| encoded.spellings.get(at).map_or(at as u32, |(_, code)| *code);
    Ok(Sensitive { missing: missing.map(code), na, is_measured, ..encoded })
}

fn encoded(column: Column, spec: SensitiveSpec, shown: &str) -> Result<Sensitive> {
    let place = Place::default().in_file(shown).in_column(&column.name);
    let meanings = meanings(&column.texts, spec.kind, spec.spelling.as_ref());
    let (tree, leaf_of) = match spec.hierarchy {
        Some(hierarchy) => {
            let (tree, leaves) = placed(hierarchy, &column, &meanings).map_err(|e| e.at(place.clone()))?;
            (Some(tree), leaves)
        }
        None => (None, Vec::new()),
    };
    let kinds = kinds(tree.as_ref(), &leaf_of, &spec.protected).map_err(|e| e.at(place.clone()))?;
    let ranks = ranks(&meanings, spec.kind, tree.as_ref(), &leaf_of);
    let merged = match (&tree, spec.kind) {
        (_, Some(Kind::Category)) => spelled_alike(&column, &texts_alike(&column.texts)).map(unordered),
        (Some(_), _) => spelled_alike(&column, &numbers_alike(&meanings)).map(unordered),
        _ if ranks.is_empty() => spelled_alike(&column, &numbers_alike(&meanings)).map(unordered),
        _ => spelled_alike(&column, &ranks),
    };
    drop(meanings);
    if let Some(mut merged) = merged {
        if let Some(tree) = tree {
            let first = first_spellings(&merged.spellings, merged.distinct);
            let of = |list: &[u32]| first.iter().filter_map(|&at| list.get(at).copied()).collect();
            merged = Sensitive {
                kinds: of(&kinds),
                ranks: of(&ranks),
                leaf_of: of(&leaf_of),
                tree: Some(tree),
                ..merged
            };
        }
        return Ok(Sensitive { is_text: spec.is_text, ground: spec.ground, ..merged });
    }
    let keep = spec.keep_texts || column.texts.len() <= FEW;
    let written = if column.spelled.is_empty() { column.texts } else { column.spelled };
    Ok(Sensitive {
        distinct: written.len() as u32,
        texts: if keep { written } else { Vec::new() },
        spellings: Vec::new(),
        name: column.name,
        codes: column.codes,
        is_text: spec.is_text,
        kinds,
        ranks,
        tree,
        leaf_of,
        ground: spec.ground,
        ..Sensitive::default()
    })
}

/// Per code, the place of the first of its spellings in the order of the alphabet: that one's place in a hierarchy is the value's.
fn first_spellings(spellings: &[(String, u32)], codes: u32) -> Vec<usize> {
    let mut first: Vec<Option<usize>> = vec![None; codes as usize];
    for (at, (text, code)) in spellings.iter().enumerate() {
        let first = &mut first[*code as usize];
        if first.is_none_or(|other| text < &spellings[other].0) {
            *first = Some(at);
        }
    }
    first.into_iter().map(|at| at.unwrap_or(0)).collect()
}

/// The texts as they are to be compared and ordered: those of dates and numbers in one form, where all of them are some or
/// somebody said how they are written.
pub fn meanings<'a>(
    texts: &'a [String],
    kind: Option<Kind>,
    declared: Option<&Spelling>,
) -> Cow<'a, [String]> {
    let as_said = |text: &String, meaning: Option<String>| meaning.unwrap_or_else(|| text.clone());
    if let Some(spelling) = declared {
        return texts.iter().map(|text| as_said(text, spelling.meaning(text))).collect();
    }
    if kind == Some(Kind::Category) || infer(texts).is_line() {
        return Cow::Borrowed(texts);
    }
    let alone = |text: &String| match Alone::read(text) {
        Some(Alone::Meaning(meaning)) => Some(meaning),
        Some(Alone::Either(..)) | None => None,
    };
    let is_plain =
        |text: &String| text.is_empty() || Kind::LINES.iter().any(|&kind| Point::parse(kind, text).is_some());
    // Some that say nothing by themselves keep all from having an order.
    let read: Option<Vec<String>> =
        texts.iter().map(|text| if is_plain(text) { Some(text.clone()) } else { alone(text) }).collect();
    read.map_or(Cow::Borrowed(texts), Cow::Owned)
}

/// What a text says whatever its spelling: which number or day, or which word without the spaces around it.
#[derive(PartialEq, Eq, Hash)]
enum Said<'a> {
    Number(u64),
    Day(u64),
    Instant(Instant),
    /// A date that nobody can tell from another one; written in the same order it is the same.
    Either(String, String),
    Digits(i128),
    Word(&'a str),
}

impl<'a> Said<'a> {
    fn by(text: &'a str) -> Self {
        let place = |kind| Point::parse(kind, text).map(|p| p.position().to_bits());
        // A whole number, perhaps with nothing but zeros behind the point. Long ones are not told apart as floats.
        let whole = || {
            let (digits, rest) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
            digits.parse::<i128>().ok().filter(|_| rest.bytes().all(|b| b == b'0'))
        };
        let exact = |n: i128| match u64::try_from(n.unsigned_abs()) {
            Ok(small) if small < 1 << 53 => Self::Number((n as f64).to_bits()),
            _ => Self::Digits(n),
        };
        // Rounded: what is taken for one value although it is two makes no class look more diverse than it is.
        let number = || Point::rounded(text).map(|p| Self::Number(p.position().to_bits()));
        let day = || place(Kind::Date).map(Self::Day);
        let instant = || Instant::parse(text).map(Self::at);
        let plain = whole().map(exact).or_else(number).or_else(day).or_else(instant);
        plain.or_else(|| Self::spelled(text)).unwrap_or(Self::Word(text.trim()))
    }

    /// What it says in a spelling that is not Kohort's own.
    fn spelled(text: &str) -> Option<Self> {
        match Alone::read(text)? {
            Alone::Either(days, months) if Instant::parse(&days).is_some() => {
                Some(Self::Either(days, months))
            }
            // Of numbers that could have decimals it is enough that they are written alike, as decimals are.
            Alone::Either(meaning, _) | Alone::Meaning(meaning) => {
                let place = |kind| Point::parse(kind, &meaning).map(|p| p.position().to_bits());
                let number = Point::rounded(&meaning).map(|p| Self::Number(p.position().to_bits()));
                let day = || place(Kind::Date).map(Self::Day);
                number.or_else(day).or_else(|| Instant::parse(&meaning).map(Self::at))
            }
        }
    }

    /// A midnight says as much as its day.
    fn at(instant: Instant) -> Self {
        let text = instant.text();
        let day = text.strip_suffix(MIDNIGHT).and_then(|day| Point::parse(Kind::Date, day));
        day.map_or(Self::Instant(instant), |day| Self::Day(day.position().to_bits()))
    }
}

/// One code for all texts that are the same number or day, whatever else the column holds: `7` and `7.0` must not count as two
/// values because somebody, perhaps somebody who is left out, has a value that is none.
fn numbers_alike(texts: &[String]) -> Vec<u32> {
    alike(texts, |text| Said::by(text))
}

/// One code for all texts that are equal: missing values may be written in several ways.
fn texts_alike(texts: &[String]) -> Vec<u32> {
    alike(texts, String::as_str)
}

/// One code for all texts with the same key, in order of first appearance.
fn alike<'a, K: Eq + Hash>(texts: &'a [String], key: impl Fn(&'a String) -> K) -> Vec<u32> {
    let mut codes: FxHashMap<K, u32> = FxHashMap::default();
    let mut found = Vec::with_capacity(texts.len());
    for text in texts {
        let next = codes.len() as u32;
        found.push(*codes.entry(key(text)).or_insert(next));
    }
    found
}

/// Values that are not all numbers have no order.
fn unordered(column: Sensitive) -> Sensitive {
    Sensitive { ranks: Vec::new(), ..column }
}

/// A number that is written in several ways is one value: the column by rank, where that makes a difference and no
/// hierarchy says otherwise.
fn spelled_alike(column: &Column, ranks: &[u32]) -> Option<Sensitive> {
    let distinct = ranks.iter().max().map_or(0, |&r| r + 1);
    let mut seen = vec![false; distinct as usize];
    let twice = ranks.iter().any(|&r| std::mem::replace(&mut seen[r as usize], true));
    twice.then(|| Sensitive {
        name: column.name.clone(),
        codes: column.codes.clone().remap(ranks),
        distinct,
        spellings: column.written().iter().cloned().zip(ranks.iter().copied()).collect(),
        ranks: (0..distinct).collect(),
        ..Sensitive::default()
    })
}

/// The leaf of every value, by its text or what that means. Missing is a value of its own, right below the root.
fn placed(hierarchy: Hierarchy, column: &Column, meanings: &[String]) -> Result<(Hierarchy, Vec<u32>)> {
    let lacks = column.texts.iter().any(String::is_empty);
    let hierarchy = if lacks { hierarchy.with_leaf("")? } else { hierarchy };
    let leaves: rustc_hash::FxHashMap<&str, u32> =
        (0..hierarchy.leaf_count()).map(|leaf| (hierarchy.label(leaf), leaf)).collect();
    let leaf = |text: &String| leaves.get(text.as_str()).copied();
    let found: Vec<Option<u32>> = column
        .texts
        .iter()
        .zip(meanings)
        .map(|(text, meaning)| leaf(text).or_else(|| leaf(meaning)))
        .collect();
    let homeless: Vec<u32> =
        found.iter().zip(&column.counts).filter(|(leaf, _)| leaf.is_none()).map(|(_, &rows)| rows).collect();
    if homeless.is_empty() {
        return Ok((hierarchy.clone(), found.into_iter().flatten().collect()));
    }
    let (values, rows) = (homeless.len(), homeless.iter().map(|&n| u64::from(n)).sum::<u64>());
    let verb = if values == 1 { "value is" } else { "values are" };
    Err(Error::input(format!("{values} {verb} not in the hierarchy ({})", counted(rows, "row")))
        .help("add a line for each; `hierarchy check` lists them, given the table and the column"))
}

/// The protected part every code belongs to; empty when nothing is protected.
fn kinds(tree: Option<&Hierarchy>, leaf_of: &[u32], protected: &[String]) -> Result<Vec<u32>> {
    if protected.is_empty() {
        return Ok(Vec::new());
    }
    let Some(tree) = tree else {
        return Err(Error::job("values can only be protected together by nodes of a hierarchy")
            .help("give the column a hierarchy, or omit `protected`"));
    };
    let named = |label: &String| {
        let nodes: Vec<u32> = (0..tree.len() as u32).filter(|&n| tree.label(n) == label).collect();
        if !nodes.is_empty() {
            return Ok(nodes);
        }
        let inner = (0..tree.len() as u32).filter(|&n| !tree.is_leaf(n)).map(|n| tree.label(n));
        let hint = nearest(label, inner)
            .map_or_else(|| "name nodes of its hierarchy".into(), |n| format!("did you mean '{n}'?"));
        Err(Error::job(format!("protected: there is no node '{label}' in the hierarchy")).help(hint))
    };
    let nodes: Vec<u32> = protected.iter().map(named).collect::<Result<Vec<_>>>()?.concat();
    // A value may be called like the group that is protected, as people do with "other".
    let kind = |&leaf: &u32| {
        let top = tree.topmost(leaf, &nodes);
        nodes.iter().copied().find(|&node| tree.label(node) == tree.label(top)).unwrap_or(top)
    };
    Ok(leaf_of.iter().map(kind).collect())
}

/// Numbers and dates by size, missing last; other values as the leaves of their hierarchy stand; otherwise there is no
/// order.
fn ranks(texts: &[String], kind: Option<Kind>, tree: Option<&Hierarchy>, leaf_of: &[u32]) -> Vec<u32> {
    match kind.unwrap_or_else(|| infer(texts)) {
        Kind::Category => tree.map_or_else(Vec::new, |_| leaf_of.to_vec()),
        kind => Numbers::order(kind, texts, None).map(|(_, ranks)| ranks).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str]) -> Column {
        Column {
            name: "s".into(),
            texts: texts.iter().map(|&t| t.to_owned()).collect(),
            counts: vec![1; texts.len()],
            codes: (0..texts.len() as u32).collect(),
            ..Column::default()
        }
    }

    fn tree() -> Hierarchy {
        let paths =
            [["flu", "lung", "*"], ["cold", "lung", "*"], ["hiv", "grave", "*"], ["aids", "grave", "*"]];
        Hierarchy::from_paths("s", paths).unwrap()
    }

    #[test]
    fn protected_values_count_as_one() {
        let spec = |protected: &[&str]| SensitiveSpec {
            hierarchy: Some(tree()),
            protected: protected.iter().map(|&p| p.to_owned()).collect(),
            ..SensitiveSpec::default()
        };
        let s = sensitive(column(&["aids", "flu", "hiv", "cold"]), spec(&["grave"]), "t").unwrap();
        assert_eq!(s.kinds[0], s.kinds[2]);
        assert!(s.kinds[1] != s.kinds[3] && s.kinds[1] != s.kinds[0]);
        let wrong = sensitive(column(&["flu"]), spec(&["gravy"]), "t").unwrap_err().to_string();
        assert!(wrong.contains("grave"), "{wrong}");
    }

    /// `cancer` is a value, and the group of another one.
    #[test]
    fn a_value_called_like_its_group_is_protected_with_it() {
        let paths = [vec!["cancer", "*"], vec!["lung cancer", "cancer", "*"], vec!["flu", "*"]];
        let tree = Hierarchy::from_paths("s", paths);
        let spec = SensitiveSpec {
            hierarchy: Some(tree.unwrap()),
            protected: vec!["cancer".into()],
            ..SensitiveSpec::default()
        };
        let s = sensitive(column(&["cancer", "lung cancer", "flu"]), spec, "t").unwrap();
        assert!(s.kinds[0] == s.kinds[1] && s.kinds[0] != s.kinds[2]);
    }

    #[test]
    fn values_without_a_place_are_counted_and_not_shown() {
        let spec = SensitiveSpec { hierarchy: Some(tree()), ..SensitiveSpec::default() };
        let message = sensitive(column(&["flu", "plague"]), spec, "t").unwrap_err().to_string();
        assert!(message.contains("1 value is not") && !message.contains("plague"), "{message}");
    }

    /// One name among the numbers does not make two values of one.
    #[test]
    fn equal_numbers_are_one_value_beside_names() {
        let distinct =
            |texts: &[&str]| sensitive(column(texts), SensitiveSpec::default(), "t").unwrap().distinct;
        assert_eq!(distinct(&["7", "7.0", "5"]), 2);
        assert_eq!(distinct(&["7", "7.0", "5", "x"]), 3);
        assert_eq!(distinct(&["7", "007", "x", "2020-01-01"]), 3);
        let names = SensitiveSpec { kind: Some(Kind::Category), ..SensitiveSpec::default() };
        assert_eq!(sensitive(column(&["7", "7.0"]), names, "t").unwrap().distinct, 2);
    }

    /// However it is written, the same day is one value; what could be two days is one only if it is written alike.
    #[test]
    fn dates_in_several_spellings_are_one_value() {
        let distinct =
            |texts: &[&str]| sensitive(column(texts), SensitiveSpec::default(), "t").unwrap().distinct;
        assert_eq!(distinct(&["31.12.1999", "1999-12-31", "Dec 31, 1999", "31/12/1999"]), 1);
        assert_eq!(distinct(&["31.12.1999", "1999-12-31 00:00", "x"]), 2);
        assert_eq!(distinct(&["3/4/1999", "03/04/1999", "04/03/1999"]), 2);
        assert_eq!(distinct(&["2024-05-01T10:00Z", "2024-05-01 12:00+02:00", "2024-05-01 10:00"]), 2);
        assert_eq!(distinct(&["3,5", "3,50", "3.5", "x"]), 2);
    }

    #[test]
    fn dates_have_an_order_where_each_says_which_day_it_is() {
        let ranks = |texts: &[&str], spelling| {
            let spec = SensitiveSpec { spelling, ..SensitiveSpec::default() };
            sensitive(column(texts), spec, "t").unwrap().ranks
        };
        assert_eq!(ranks(&["31.12.1999", "1.1.1999", ""], None), [1, 0, 2]);
        assert!(ranks(&["31/12/1999", "03/04/1999"], None).is_empty(), "not from what others have");
        assert!(ranks(&["1,234", "5,678"], None).is_empty());
        let format = "%d/%m/%Y".to_owned().try_into().unwrap();
        assert_eq!(ranks(&["31/12/1999", "03/04/1999"], Some(Spelling::Formats(vec![format]))), [1, 0]);
    }

    #[test]
    fn numbers_have_an_order_and_names_have_none() {
        let ranks = |texts: &[&str]| sensitive(column(texts), SensitiveSpec::default(), "t").unwrap().ranks;
        assert_eq!(ranks(&["300", "", "20"]), [1, 2, 0]);
        assert!(ranks(&["a", "b"]).is_empty());
    }
}
