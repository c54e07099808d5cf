//! What a quasi-identifier climbs: the calendar, a mask, a public tree, other columns; or intervals, or nothing.

use std::fmt::Write as _;

use super::dates;
use super::judge::Judged;
use super::look::Looked;
use super::relations::Dependency;
use crate::data::recipes::{DateLevel, HierarchySpec, MaskSide, PublicTree, Recipe};
use crate::data::{Hierarchy, Kind, ROOT_LABEL, Role};

/// With more different numbers, interval ends are moved to a grid.
const MANY: u64 = 100;

/// Up to so many different whole numbers of a nominal kind are names of kinds.
const CODED: u64 = 30;

/// Codes whose first digits say something have at least so many.
const CODE: usize = 4;

/// The step of positions that hardly differ, in degrees: about a kilometer.
const NEAR: f64 = 0.01;

/// Positions are worth so many steps of their grid, where most of them lie: a single one is a house.
const STEPS: f64 = 40.0;

/// How the values of a quasi-identifier become coarser.
#[derive(Debug, Clone, Default)]
pub(super) struct Climb {
    pub(super) kind: Option<Kind>,
    pub(super) tree: Option<Tree>,
    pub(super) snap: Option<f64>,
    /// What to tell about it.
    pub(super) because: String,
    /// Columns whose values are groups of the tree.
    pub(super) above: Vec<usize>,
}

/// A tree that a job can name, or one that must be written down.
#[derive(Debug, Clone)]
pub(super) enum Tree {
    Recipe(HierarchySpec),
    Made(Hierarchy),
}

/// What a column climbs.
pub(super) fn climb(
    at: usize,
    columns: &[Looked],
    judged: &[Judged],
    dependencies: &[Dependency],
    may_make: bool,
) -> Climb {
    let found = steps(at, columns, judged, dependencies, may_make);
    // A job that does not call them words would be asked what they mean.
    let kind = if columns[at].unreadable.is_some() { Some(Kind::Category) } else { found.kind };
    Climb { kind, ..found }
}

fn steps(
    at: usize,
    columns: &[Looked],
    judged: &[Judged],
    dependencies: &[Dependency],
    may_make: bool,
) -> Climb {
    let (column, what) = (&columns[at], &judged[at]);
    if let Some(days) = calendar(column) {
        return days;
    }
    if let Some(public) = what.public {
        return by_public_tree(public);
    }
    let is_code = what.meaning == "postcode" || column.kind == Kind::Category && is_code(column);
    if (is_code && column.distinct > 1) || is_code_of_place(column, what) {
        return by_mask(column);
    }
    if column.kind == Kind::Category && may_make {
        let above = chain(at, columns, judged, dependencies);
        if !above.is_empty() {
            return by_columns(at, above, columns);
        }
    }
    if column.is_number() && !is_nominal(column, what) { intervals(column, what) } else { flat(column) }
}

/// Levels of the calendar for days and times.
fn calendar(column: &Looked) -> Option<Climb> {
    if !matches!(column.kind, Kind::Date | Kind::Timestamp) {
        return None;
    }
    let mut levels = dates::levels(dates::years(column.values())?);
    if column.kind == Kind::Timestamp {
        levels.insert(0, DateLevel::Hour);
    }
    let because = format!(
        "{} climb the calendar: {}",
        if column.kind == Kind::Date { "days" } else { "times" },
        level_names(&levels)
    );
    let tree = Some(Tree::Recipe(HierarchySpec::Built(Recipe::Dates(levels))));
    Some(Climb { kind: Some(column.kind), tree, because, ..Climb::default() })
}

fn by_public_tree(public: PublicTree) -> Climb {
    Climb {
        tree: Some(Tree::Recipe(HierarchySpec::Built(Recipe::Public(public)))),
        because: format!("climbs {}", public.steps()),
        ..Climb::default()
    }
}

/// Digits and letters of about one length, most of them digits.
fn is_code(column: &Looked) -> bool {
    let Some(shape) = column.facts.shapes.first() else { return false };
    let digits = shape.pattern.chars().filter(|c| *c == '9').count();
    let signs = shape.pattern.chars().filter(|c| !c.is_whitespace()).count();
    column.distinct > 20
        && shape.share > 0.5
        && signs >= 3
        && digits * 2 >= signs
        && !shape.pattern.contains('…')
}

fn by_mask(column: &Looked) -> Climb {
    let longest = column.values().map(|value| value.chars().count()).max().unwrap_or(1);
    let levels = u32::try_from(longest.saturating_sub(1)).unwrap_or(1).clamp(1, 16);
    Climb {
        tree: Some(Tree::Recipe(HierarchySpec::Built(Recipe::Mask { side: MaskSide::Right, levels }))),
        because: "a code: its last characters are hidden one by one".into(),
        ..Climb::default()
    }
}

/// The columns that a column determines, one above the other.
fn chain(at: usize, columns: &[Looked], judged: &[Judged], dependencies: &[Dependency]) -> Vec<usize> {
    let determines =
        |of: usize, on: usize| dependencies.iter().any(|d| d.of == of && d.on == on && !d.both_ways);
    let mut above: Vec<usize> = (0..columns.len())
        .filter(|&on| {
            let is_group = judged[on].role == Role::QuasiIdentifier && columns[on].kind == Kind::Category;
            // A step to a group of hardly more than one value is none.
            let steps = columns[on].distinct * 3 <= columns[at].distinct * 2;
            is_group && steps && determines(at, on)
        })
        .collect();
    above.sort_by_key(|&on| std::cmp::Reverse(columns[on].distinct));
    let mut chain: Vec<usize> = Vec::new();
    for on in above {
        if chain
            .last()
            .is_none_or(|&below| determines(below, on) && columns[on].distinct < columns[below].distinct)
        {
            chain.push(on);
        }
    }
    chain
}

fn by_columns(at: usize, above: Vec<usize>, columns: &[Looked]) -> Climb {
    let column = &columns[at];
    let mut first_row: Vec<Option<usize>> = vec![None; column.column.texts.len()];
    for (row, code) in column.column.codes.iter().enumerate() {
        first_row[code as usize].get_or_insert(row);
    }
    let mut paths: Vec<Vec<String>> = Vec::new();
    for (code, row) in first_row.iter().enumerate() {
        let Some(row) = *row else { continue };
        if column.missing[code] {
            continue;
        }
        let mut path = vec![column.column.texts[code].clone()];
        for &on in &above {
            let group = columns[on].column.codes.get(row) as usize;
            // Where the group is not known, the root is next. A group may have the name of the value, as that of a city
            // that is a district of its own.
            if columns[on].missing[group] {
                break;
            }
            path.push(columns[on].column.texts[group].trim().to_owned());
        }
        path.push(ROOT_LABEL.to_owned());
        paths.push(path);
    }
    paths.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    let names: Vec<&str> = above.iter().map(|&on| columns[on].name()).collect();
    let because = format!("climbs what its values determine: {}", names.join(", then "));
    let tree = Hierarchy::from_paths(column.name(), paths);
    let is_line = |label: &str| !label.contains(['\n', '\0']);
    // Names that stand at two places make no tree, and those of several lines no file; such a column keeps its values or loses
    // them.
    match tree {
        Ok(tree) if (0..tree.len() as u32).all(|node| is_line(tree.label(node))) => {
            Climb { tree: Some(Tree::Made(tree)), because, above, ..Climb::default() }
        }
        _ => flat(column),
    }
}

/// What whole numbers can only name.
const NAMED: [&str; 10] = [
    "sex",
    "origin",
    "nationality",
    "language",
    "region",
    "place",
    "marital-status",
    "organization",
    "occupation",
    "record-id",
];

/// Numbers that stand for names: the sexes 1 and 2, the regions 1 to 9.
fn is_nominal(column: &Looked, what: &Judged) -> bool {
    column.distinct <= CODED && is_number_of_names(column, what)
}

fn is_number_of_names(column: &Looked, what: &Judged) -> bool {
    column.kind == Kind::Integer && NAMED.contains(&what.meaning)
}

/// Whether many whole numbers are codes of one length, of places, houses or occupations: their first digits say the larger
/// area or group, and how far apart two of them are says nothing.
pub(super) fn is_code_of_place(column: &Looked, what: &Judged) -> bool {
    let mut lengths = column.values().map(|value| value.trim().len());
    let first = lengths.next().unwrap_or(0);
    is_number_of_names(column, what)
        && column.distinct > CODED
        && first >= CODE
        && lengths.all(|l| l == first)
}

/// Whether many whole numbers name something, and have nothing in common but that: their intervals may mean nothing.
pub(super) fn are_numbers_of_names(column: &Looked, what: &Judged) -> bool {
    is_number_of_names(column, what) && column.distinct > CODED && !is_code_of_place(column, what)
}

fn flat(column: &Looked) -> Climb {
    let kind = column.is_number().then_some(Kind::Category);
    let mut because = format!("{} values without a tree: kept, or hidden as *", column.distinct);
    if column.distinct > 2 {
        because += "; a hierarchy file would keep more";
    }
    Climb { kind, because, ..Climb::default() }
}

fn intervals(column: &Looked, what: &Judged) -> Climb {
    let numbers = column.numbers();
    let (low, high) = (quantile(&numbers, 0.05), quantile(&numbers, 0.95));
    let spread = high - low;
    let mut because = if spread > 0.0 {
        let (low, high) = rough_ends(low, high);
        format!("smallest intervals; nine of ten values lie between {low} and {high}")
    } else {
        "smallest intervals; nine of ten values are the same".to_owned()
    };
    let snap = grid(column, what, spread);
    if column.distinct > MANY && spread > 0.0 || snap.is_some() {
        let _ = write!(because, ", with ends on round numbers");
    }
    if let Some(widths) = widths(spread, column.kind) {
        let _ = write!(because, "; nested ranges instead: hierarchy = {{ ranges = [{widths}] }}");
    }
    if are_numbers_of_names(column, what) {
        let _ = write!(because, "; if these numbers are names of something, say type = \"category\"");
    }
    Climb { kind: Some(column.kind), snap, because, ..Climb::default() }
}

/// The grid that ends of intervals are moved to, where there should be one: ends that are somebody's value tell it, and a
/// position tells the house, in however few rows.
fn grid(column: &Looked, what: &Judged, spread: f64) -> Option<f64> {
    let is_position = what.meaning == "position";
    if are_numbers_of_names(column, what) || !(is_position || column.distinct > MANY && spread > 0.0) {
        return None;
    }
    let step = if spread > 0.0 { liked(spread / STEPS) } else { liked(NEAR) };
    let step = if column.kind == Kind::Integer { step.max(1.0) } else { step };
    // A step of one between whole numbers moves nothing.
    (column.kind == Kind::Decimal || step > 1.0).then_some(step)
}

/// Widths of nested ranges that people like: about thirty, fifteen and so on over where most values lie.
fn widths(spread: f64, kind: Kind) -> Option<String> {
    let finest = liked(spread / 20.0);
    let finest = if kind == Kind::Integer { finest.max(2.0) } else { finest };
    let widths: Vec<f64> =
        (0..4).map(|level| finest * f64::from(1 << level)).filter(|w| *w < spread).collect();
    let texts: Vec<String> = widths.iter().map(|w| rough(*w)).collect();
    (widths.len() > 1).then(|| texts.join(", "))
}

/// The largest of 1, 2, 5, 10, 25, 50, 100 … that is no larger, and of their tenths.
fn liked(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(x.log10().floor() as i32);
    let steps = if power >= 10.0 { [1.0, 2.5, 5.0] } else { [1.0, 2.0, 5.0] };
    steps.iter().rev().map(|step| step * power).find(|step| *step <= x * (1.0 + 1e-9)).unwrap_or(power)
}

/// The number below which this share of the rows lies.
fn quantile(numbers: &[(f64, u32)], share: f64) -> f64 {
    let all: u64 = numbers.iter().map(|(_, n)| u64::from(*n)).sum();
    let wanted = (all as f64 * share) as u64;
    let mut seen = 0;
    for (x, n) in numbers {
        seen += u64::from(*n);
        if seen > wanted {
            return *x;
        }
    }
    numbers.last().map_or(0.0, |(x, _)| *x)
}

/// Two figures of a number: where values lie is to be said, no value.
fn rough(x: f64) -> String {
    rounded(x, 2)
}

/// Both ends with as few figures as say where values lie: they stay apart, and move by little of what is between them.
fn rough_ends(low: f64, high: f64) -> (String, String) {
    let most = (high - low) / 10.0;
    let is_near = |x: f64, figures: i32| {
        rounded(x, figures).parse::<f64>().is_ok_and(|rounded| (rounded - x).abs() <= most)
    };
    let figures = (2..=15).find(|&figures| is_near(low, figures) && is_near(high, figures)).unwrap_or(15);
    (rounded(low, figures), rounded(high, figures))
}

/// A number with so many figures.
fn rounded(x: f64, figures: i32) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let step = 10f64.powi(x.abs().log10().floor() as i32 + 1 - figures);
    let rounded = (x / step).round() * step;
    let digits = if step < 1.0 { (-step.log10()).round() as usize } else { 0 };
    let text = format!("{rounded:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The names of calendar levels, as jobs have them.
fn level_names(levels: &[DateLevel]) -> String {
    levels.iter().map(|level| level.name()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_people_like() {
        for (x, expected) in
            [(0.7, 0.5), (1.0, 1.0), (3.0, 2.0), (9.9, 5.0), (30.0, 25.0), (1234.0, 1000.0), (0.03, 0.02)]
        {
            assert!((liked(x) - expected).abs() < 1e-12, "{x}: {}", liked(x));
        }
        assert!((liked(f64::NAN) - 1.0).abs() < 1e-12 && (liked(0.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn figures_are_rough() {
        for (x, expected) in
            [(0.0, "0"), (41_075.0, "41000"), (-7.0, "-7"), (0.123, "0.12"), (5.0, "5"), (99.6, "100")]
        {
            assert_eq!(rough(x), expected);
        }
    }

    #[test]
    fn ends_stay_apart_when_they_are_rounded() {
        for (low, high, expected) in [
            (1981.0, 1989.0, ("1981", "1989")),
            (33.6, 34.4, ("33.6", "34.4")),
            (18.0, 77.0, ("18", "77")),
            (0.0, 41_075.0, ("0", "41000")),
            (-34.91, -34.88, ("-34.91", "-34.88")),
        ] {
            let (from, to) = rough_ends(low, high);
            assert_eq!((from.as_str(), to.as_str()), expected);
        }
    }

    #[test]
    fn quantiles_count_rows() {
        let numbers = [(1.0, 90), (2.0, 9), (1000.0, 1)];
        assert!((quantile(&numbers, 0.05) - 1.0).abs() < 1e-12);
        assert!((quantile(&numbers, 0.95) - 2.0).abs() < 1e-12);
        assert!((quantile(&[], 0.5)).abs() < 1e-12);
    }
}
