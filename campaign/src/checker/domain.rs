//! What a published cell says, whom it covers, and whether it may say so little.

use std::collections::BTreeMap;

use crate::case::{Column, Intervals, Kind, Snap};

/// What the values of a column can become.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// Labels above them.
    Tree(Tree),
    /// Intervals of a line.
    Line(Line),
}

/// Paths from every value to the root, the root included.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// By value.
    pub paths: BTreeMap<String, Vec<String>>,
    /// The values as they stand in the tree, depth first.
    pub leaves: Vec<String>,
    /// The label of the root.
    pub root: String,
}

/// The values of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// How they are written.
    pub kind: Kind,
    /// All different ones of the table, ascending.
    pub values: Vec<f64>,
    /// Whether some are missing.
    pub lacks: bool,
}

/// What a published cell claims.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// Nothing.
    Anything,
    /// That there is no value.
    Missing,
    /// Nothing, or that there is no value: ends cannot tell.
    Silent,
    /// That the value lies here.
    Between(f64, f64),
    /// That this is the middle of where it lies.
    Middle(f64),
    /// That it lies below this label.
    Label(String),
    /// What cannot be read.
    Nonsense,
}

/// The day of a date, counted from 1970-01-01.
pub fn day(text: &str) -> Option<f64> {
    let mut parts = text.splitn(3, '-');
    let (y, m, d) = (parts.next()?, parts.next()?, parts.next()?);
    if y.len() != 4 || m.len() != 2 || d.len() != 2 {
        return None;
    }
    let (y, m, d): (i64, i64, i64) = (y.parse().ok()?, m.parse().ok()?, d.parse().ok()?);
    let leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if !(1..=12).contains(&m) || d < 1 || d > lengths[m as usize - 1] {
        return None;
    }
    // Howard Hinnant's days from civil.
    let y = if m <= 2 { y - 1 } else { y };
    let era = y.div_euclid(400);
    let of_era = y - era * 400;
    let of_year = (153 * (if m > 2 { m - 3 } else { m + 9 }) + 2) / 5 + d - 1;
    Some((era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468) as f64)
}

/// Microseconds from 1970 of a time without a zone; of a day alone those of its midnight.
pub fn instant(text: &str) -> Option<f64> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let parts: Vec<&str> = time.split(':').collect();
    let number = |at: usize, most: f64| {
        let part = parts.get(at).copied().unwrap_or("00");
        let digits = part.split('.').next().is_some_and(|whole| whole.len() == 2);
        part.parse::<f64>().ok().filter(|x| digits && (0.0..most).contains(x))
    };
    let (hours, minutes, seconds) = (number(0, 24.0)?, number(1, 60.0)?, number(2, 60.0)?);
    let fits = (2..=3).contains(&parts.len());
    fits.then_some(day(date)?)
        .map(|day| ((day * 86_400.0 + hours * 3600.0 + minutes * 60.0 + seconds) * 1e6).round())
}

/// The first day of a step of so many months, and the last one.
fn months(n: i64, at: f64) -> (f64, f64) {
    // The month of a day from 1970 on by trying: no month has more than 31 days.
    let first = |month: i64| day(&format!("{:04}-{:02}-01", month.div_euclid(12), month.rem_euclid(12) + 1));
    let mut month = ((at / 31.0).floor() as i64) + 1970 * 12;
    while first(month + 1).is_some_and(|next| next <= at) {
        month += 1;
    }
    let begin = month.div_euclid(n) * n;
    (first(begin).unwrap_or(f64::NAN), first(begin + n).unwrap_or(f64::NAN) - 1.0)
}

/// Microseconds.
const DAY: f64 = 86_400e6;

/// What somebody meant who computed with floats: of fifteen digits at most twelve that count. -0.7000000000000001 is -0.7.
fn meant(x: f64) -> f64 {
    let fifteen = format!("{x:.14e}");
    let digits = fifteen.split('e').next().unwrap_or_default();
    if digits.ends_with("000") { fifteen.parse().unwrap_or(x) } else { x }
}

/// Where a text lies on the line, if it is of this kind.
pub fn place(kind: Kind, text: &str) -> Option<f64> {
    let text = text.trim();
    match kind {
        Kind::Integer => text.parse::<i64>().ok().map(|i| i as f64),
        Kind::Decimal => text.parse::<f64>().ok().filter(|x| x.is_finite()).map(|x| meant(x) + 0.0),
        Kind::Date => day(text),
        Kind::Timestamp => instant(text),
        Kind::Category => None,
    }
}

/// The narrowest kind all texts fit; digits after a leading zero are a code.
pub fn kind_of<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Kind {
    let code = |t: &str| t.len() > 1 && t.starts_with('0') && t.bytes().all(|b| b.is_ascii_digit());
    let mut present = texts.filter(|t| !t.is_empty());
    if present.clone().any(code) || present.clone().next().is_none() {
        return Kind::Category;
    }
    let fits = |kind: Kind| present.clone().all(|t| place(kind, t).is_some());
    let kinds = [Kind::Integer, Kind::Decimal, Kind::Date, Kind::Timestamp];
    let found = kinds.into_iter().find(|&k| fits(k));
    let _ = present.next();
    found.unwrap_or(Kind::Category)
}

impl Tree {
    /// From the lines of a hierarchy file; the root is named `*` where the lines do not end alike. Missing values lie right
    /// below it.
    pub fn new(paths: &[Vec<String>]) -> Self {
        let last = paths.first().and_then(|p| p.last()).cloned().unwrap_or_default();
        let common = paths.iter().all(|p| p.len() > 1 && p.last() == Some(&last));
        let root = if common { last } else { "*".to_owned() };
        let whole = |p: &Vec<String>| {
            let mut p = p.clone();
            if !common {
                p.push(root.clone());
            }
            p
        };
        let mut by_value: BTreeMap<String, Vec<String>> =
            paths.iter().map(|p| (p[0].clone(), whole(p))).collect();
        by_value.entry(String::new()).or_insert_with(|| vec![String::new(), root.clone()]);
        let down: Vec<Vec<String>> = paths.iter().map(|p| whole(p).into_iter().rev().collect()).collect();
        let mut leaves = Vec::new();
        depth_first(&down.iter().collect::<Vec<_>>(), 1, &mut leaves);
        leaves.push(String::new());
        Self { paths: by_value, leaves, root }
    }

    /// Steps from a value to the root.
    fn depth(&self, value: &str) -> usize {
        self.paths[value].len() - 1
    }

    /// Steps from the root to the deepest value in the file.
    pub fn height(&self) -> usize {
        self.paths.keys().map(|v| self.depth(v)).max().unwrap_or(0)
    }

    /// The lowest node above some values: how many labels, counted from the root, they share.
    pub fn shared(&self, values: &[&str]) -> usize {
        let down = |value: &&str| self.paths[*value].iter().rev();
        let Some(first) = values.first() else { return 0 };
        if values.iter().all(|v| v == first) {
            return self.paths[*first].len();
        }
        // A leaf is never above another value, however they are called.
        let inner = values.iter().map(|v| self.depth(v)).min().unwrap_or(0);
        let alike = |at: usize| values.iter().all(|v| down(v).nth(at) == down(first).nth(at));
        (0..inner).take_while(|&at| alike(at)).count()
    }

    /// The position, from the value up, beyond which it may not be generalized.
    fn limit(&self, value: &str, marked: &[String]) -> usize {
        let path = &self.paths[value];
        let at = |label: &String| path.iter().rposition(|l| l == label);
        marked.iter().filter_map(at).min().unwrap_or(path.len() - 1)
    }

    /// Whether a node, by the number of labels it shares with the root, lies within the limit of a value.
    pub fn within(&self, shared: usize, value: &str, marked: &[String]) -> bool {
        self.paths[value].len() - shared <= self.limit(value, marked)
    }
}

fn depth_first(paths: &[&Vec<String>], at: usize, leaves: &mut Vec<String>) {
    let mut done: Vec<&String> = Vec::new();
    for path in paths {
        if path.len() == at + 1 {
            leaves.push(path[at].clone());
        } else if path.len() > at + 1 && !done.contains(&&path[at]) {
            done.push(&path[at]);
            let below: Vec<&Vec<String>> =
                paths.iter().copied().filter(|p| p.len() > at + 1 && p[at] == path[at]).collect();
            depth_first(&below, at + 1, leaves);
        }
    }
}

impl Domain {
    /// The domain of a column with these texts.
    pub fn new<'a>(column: &Column, texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        if let Some(paths) = &column.paths {
            return Self::Tree(Tree::new(paths));
        }
        match column.kind.unwrap_or_else(|| kind_of(texts.clone())) {
            Kind::Category => {
                let mut values: Vec<&str> = texts.filter(|t| !t.is_empty()).collect();
                values.sort_unstable();
                values.dedup();
                let path = |v: &str| vec![v.to_owned(), "*".to_owned()];
                let mut tree = Tree::new(&values.into_iter().map(path).collect::<Vec<_>>());
                "*".clone_into(&mut tree.root);
                tree.paths.insert(String::new(), path(""));
                Self::Tree(tree)
            }
            kind => {
                let lacks = texts.clone().any(str::is_empty);
                let mut values: Vec<f64> = texts.filter_map(|t| place(kind, t)).collect();
                values.sort_unstable_by(f64::total_cmp);
                values.dedup();
                Self::Line(Line { kind, values, lacks })
            }
        }
    }

    /// How many columns it becomes.
    pub fn width(&self, intervals: Intervals) -> usize {
        1 + usize::from(matches!(self, Self::Line(_)) && intervals == Intervals::Bounds)
    }

    /// What a published cell says.
    pub fn read(&self, texts: &[&str], intervals: Intervals) -> Meaning {
        let line = match self {
            Self::Tree(_) if texts[0].is_empty() => return Meaning::Missing,
            Self::Tree(_) => return Meaning::Label(texts[0].to_owned()),
            Self::Line(line) => line,
        };
        match (texts, intervals) {
            (["", ""], _) | ([""], Intervals::Midpoint) => Meaning::Silent,
            ([low, high], _) => between(line.kind, low, high),
            ([middle], Intervals::Midpoint) => {
                let is_calendar = matches!(line.kind, Kind::Date | Kind::Timestamp);
                let kind = if is_calendar { line.kind } else { Kind::Decimal };
                place(kind, middle).map_or(Meaning::Nonsense, Meaning::Middle)
            }
            ([""], _) => Meaning::Missing,
            (["*"], _) => Meaning::Anything,
            ([text], _) => {
                let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
                match inner {
                    None => between(line.kind, text, text),
                    Some(inner) => match inner.split_once(", ") {
                        Some((low, high)) => between(line.kind, low, high),
                        None => Meaning::Nonsense,
                    },
                }
            }
            _ => Meaning::Nonsense,
        }
    }

    /// Whether what is said can be true of a value.
    pub fn covers(&self, said: &Meaning, value: &str) -> bool {
        match (self, said) {
            (_, Meaning::Missing) => value.is_empty(),
            (Self::Tree(tree), Meaning::Label(label)) => {
                tree.paths.get(value).is_some_and(|path| path.contains(label))
            }
            (Self::Line(_), Meaning::Anything | Meaning::Silent) => true,
            (Self::Line(line), Meaning::Between(low, high)) => {
                place(line.kind, value).is_some_and(|x| *low <= x && x <= *high)
            }
            (Self::Line(_), Meaning::Middle(_)) => !value.is_empty(),
            _ => false,
        }
    }

    /// Whether a cell that says this of a value keeps to the limits and the grid of its column.
    pub fn allows(&self, column: &Column, said: &Meaning, value: &str) -> bool {
        match (self, said) {
            (Self::Tree(tree), Meaning::Label(label)) if !column.max_generalization.is_empty() => {
                let at = tree.paths[value].iter().position(|l| l == label);
                at.is_some_and(|at| at <= tree.limit(value, &column.max_generalization))
            }
            (Self::Line(line), Meaning::Between(low, high)) => {
                is_on_grid(column.snap, *low, *high) && {
                    let x = place(line.kind, value).unwrap_or(f64::NAN);
                    line.within(column, *low, *high, x)
                }
            }
            (Self::Line(line), Meaning::Middle(middle)) => line.has_middle(column, *middle, value),
            (Self::Line(_), Meaning::Anything | Meaning::Silent) => value.is_empty() || !column.is_bounded(),
            _ => true,
        }
    }
}

impl Line {
    /// Whether an interval that holds `x` keeps to cuts and width.
    pub fn within(&self, column: &Column, low: f64, high: f64, x: f64) -> bool {
        let cut = |text: &String| place(self.kind, text).or_else(|| text.parse().ok()).unwrap_or(f64::NAN);
        let across =
            |cut: f64| low < cut && (cut < high || (cut <= high && (column.snap.is_none() || x >= cut)));
        let unit = if self.kind == Kind::Timestamp { 1e6 } else { 1.0 };
        let width = column.max_width.is_none_or(|w| (high - low) / unit <= w + 1e-9 * w.abs());
        width && !column.cuts.iter().map(cut).any(across)
    }

    /// The ends of the smallest interval to publish for these.
    pub fn ends(&self, column: &Column, low: f64, high: f64) -> (f64, f64) {
        let step = match column.snap {
            None => return (low, high),
            Some(Snap::Number(step)) => step,
            Some(Snap::Months(n)) => return (months(n, low).0, months(n, high).1),
            Some(Snap::Minutes(n)) => {
                let step = n as f64 * 60e6;
                return ((low / step).floor() * step, (high / step).ceil() * step);
            }
        };
        let (mut down, mut up) = ((low / step).floor() * step, (high / step).ceil() * step);
        // A value on a line of the grid stays there, whatever rounding says.
        let near = |x: f64| ((x / step).round() * step - x).abs() < 1e-9 * step.max(1.0);
        // Three steps of 0.1 are called 0.3.
        let line = |x: f64| ((x / step).round() * step * 1e10).round() / 1e10;
        if near(low) {
            down = if line(low) <= low { line(low) } else { line(low) - step };
        }
        if near(high) {
            up = if line(high) >= high { line(high) } else { line(high) + step };
        }
        (down, up)
    }

    /// Whether this is the middle of an allowed interval around the value.
    fn has_middle(&self, column: &Column, middle: f64, value: &str) -> bool {
        let Some(x) = place(self.kind, value) else { return false };
        let below = self.values.iter().filter(|v| **v <= x);
        below.flat_map(|low| self.values.iter().filter(|v| **v >= x).map(move |high| (*low, *high))).any(
            |(low, high)| {
                let (low, high) = self.ends(column, low, high);
                let exact = low.midpoint(high);
                let down = |unit: f64| (exact / unit).floor() * unit;
                // Where all ends are midnights, days are published.
                let days = [low, high].iter().all(|end| end.rem_euclid(DAY) == 0.0);
                let middles = match self.kind {
                    Kind::Date => vec![exact.floor()],
                    Kind::Timestamp if days => vec![down(1e6), down(DAY)],
                    Kind::Timestamp => vec![down(1e6)],
                    _ => vec![exact],
                };
                let is_middle = |exact: &f64| (exact - middle).abs() <= 1e-9 * exact.abs().max(1.0);
                middles.iter().any(is_middle) && self.within(column, low, high, x)
            },
        )
    }
}

fn between(kind: Kind, low: &str, high: &str) -> Meaning {
    match (place(kind, low), place(kind, high)) {
        (Some(low), Some(high)) if low <= high => Meaning::Between(low, high),
        _ => Meaning::Nonsense,
    }
}

/// Whether both ends lie where the grid has lines: first and last days of months.
fn is_on_grid(snap: Option<Snap>, low: f64, high: f64) -> bool {
    let multiple = |x: f64, step: f64| ((x / step).round() * step - x).abs() <= 1e-9 * x.abs().max(step);
    match snap {
        None => true,
        Some(Snap::Number(step)) => multiple(low, step) && multiple(high, step),
        Some(Snap::Months(n)) => {
            let (begins, ends) = (months(n, low).0, months(n, high).1);
            begins.total_cmp(&low).is_eq() && ends.total_cmp(&high).is_eq()
        }
        Some(Snap::Minutes(n)) => [low, high].iter().all(|x| x.rem_euclid(n as f64 * 60e6).abs() < 0.5),
    }
}
