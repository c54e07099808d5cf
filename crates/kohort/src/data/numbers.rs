//! Values with an order and a distance: whole numbers, decimals, calendar days, instants.
//!
//! Codes are ranks among the distinct values of the table. A missing value has the code after the last rank, so that
//! `min`/`max` of codes still join cells; a cell that mixes missing and present values means "anything".

use serde::{Deserialize, Serialize};

use super::calendar::{self, DAY, Instant};
use super::grid::without_noise;
use super::stored::StoredNumbers;
use super::{Cell, Kind, Step};

/// The distinct values of a hierarchy-free column in ascending order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "StoredNumbers", try_from = "StoredNumbers")]
pub struct Numbers {
    kind: Kind,
    positions: Vec<f64>,
    labels: Vec<String>,
    missing: bool,
    snap: Option<Box<Snap>>,
    /// Whether the kind was said, not found out.
    declared: bool,
    /// Whether instants are those of UTC.
    zoned: bool,
}

/// A grid for interval ends, the lines around every value, and the values nearest to these inside.
#[derive(Debug, Clone, PartialEq)]
struct Snap {
    step: Step,
    below: Vec<f64>,
    above: Vec<f64>,
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Snap {
    fn new(step: Step, kind: Kind, positions: &[f64]) -> Self {
        let line = |line: Option<f64>| line.unwrap_or(f64::NAN);
        let around = positions.iter().map(|&x| step.around(kind, x));
        let (below, above): (Vec<f64>, Vec<f64>) = around.map(|(lo, hi)| (line(lo), line(hi))).unzip();
        // Where lines cannot be told apart, every value is on its own.
        let first = |(code, line): (usize, &f64)| positions.partition_point(|p| p < line).min(code) as u32;
        let last =
            |(code, line): (usize, &f64)| positions.partition_point(|p| p <= line).max(code + 1) as u32 - 1;
        let first = below.iter().enumerate().map(first).collect();
        let last = above.iter().enumerate().map(last).collect();
        Self { step, below, above, first, last }
    }
}

/// Whole numbers below this are told apart by their place on the line. Longer ones are codes, not quantities.
const EXACT: u64 = 1 << 53;

/// Decimals from here on are no values: sums and differences must stay finite.
const LARGEST: f64 = 1e300;

/// Lines of a grid are told apart up to this many steps from zero.
const MOST_STEPS: f64 = 1e15;

/// Below this a float tells millionths apart, and what it cuts off is finer than anything that is measured.
const FINE: u64 = 1 << 33;

/// So many digits of any number a float keeps.
const KEPT: usize = 15;

/// Refuses what is not finite, and whole numbers that floats do not tell apart.
fn is_in_reach(text: &str, x: f64) -> bool {
    let whole = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+'));
    x.abs() < LARGEST && (!whole || x.abs() < EXACT as f64)
}

/// Refuses what would be rounded to somebody else's number: `12345678901234567.25` is a code, as it is without decimals.
fn is_exact(text: &str) -> bool {
    if text.len() <= KEPT {
        return true;
    }
    let Ok(x) = text.parse::<f64>() else { return false };
    let written = significant(text);
    // All digits, or those that programs write which do not look for the fewest.
    let has = |digits: String| significant(&digits) == written;
    x.abs() < FINE as f64 || written.len() <= KEPT || has(format!("{x:e}")) || has(format!("{x:.16e}"))
}

/// The digits of a number without the zeros around them.
fn significant(text: &str) -> String {
    let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

/// A value on the line, exact for the kinds we know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Point {
    /// A whole number, a day counted from 1970-01-01, or an instant in microseconds from the midnight before it.
    Whole(i64),
    /// A decimal number.
    Real(f64),
}

impl Point {
    /// Reads a value of the given kind; `None` when the text is not one.
    pub fn parse(kind: Kind, text: &str) -> Option<Self> {
        let text = text.trim();
        match kind {
            Kind::Integer => text.parse().ok().filter(|i: &i64| i.unsigned_abs() < EXACT).map(Self::Whole),
            Kind::Decimal => Self::rounded(text).filter(|_| is_exact(text)),
            Kind::Date => calendar::day(text).map(Self::Whole),
            // Microseconds between 1684 and 2255, whole seconds always.
            Kind::Timestamp => Instant::parse(text)
                .map(|instant| instant.micros)
                .filter(|&micros| (micros as f64) as i64 == micros)
                .map(Self::Whole),
            Kind::Category => None,
        }
    }

    /// The decimal number nearest to what a text says, however many digits it has: two spellings of one number are one.
    pub fn rounded(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.parse().ok().filter(|x: &f64| is_in_reach(text, *x))?;
        // Short texts have no noise to lose.
        Some(Self::Real(if text.len() > KEPT { without_noise(number) } else { number }))
    }

    /// Where the value lies on the line.
    pub fn position(self) -> f64 {
        match self {
            Self::Whole(i) => i as f64,
            Self::Real(x) => x + 0.0, // -0 and 0 are one value
        }
    }

    fn order(self, other: Self) -> std::cmp::Ordering {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a.cmp(&b),
            _ => self.position().total_cmp(&other.position()),
        }
    }
}

impl Numbers {
    /// As they are stored.
    pub(super) fn stored(self) -> StoredNumbers {
        let Self { kind, positions, labels, missing, snap, declared, zoned } = self;
        StoredNumbers { kind, positions, labels, missing, step: snap.map(|snap| snap.step), declared, zoned }
    }

    /// From what was stored; what is wrong with it otherwise.
    pub(super) fn from_stored(stored: StoredNumbers) -> std::result::Result<Self, String> {
        let StoredNumbers { kind, positions, labels, missing, step, declared, zoned } = stored;
        let ascending = positions.is_sorted_by(|a, b| a < b) && positions.iter().all(|x| x.is_finite());
        if positions.len() != labels.len() || !ascending {
            return Err("values that are not in order, or without labels".into());
        }
        let snap = step.map(|step| Box::new(Snap::new(step, kind, &positions)));
        Ok(Self { kind, positions, labels, missing, snap, declared, zoned })
    }

    /// Orders the given texts of one kind; returns the domain and, per text, its code. Texts of equal value share a
    /// code: `7` and `07` in one class must not look different. Indices of texts that are no value come back instead.
    ///
    /// Instants with an offset from UTC cannot be ordered among others: the fewer of them come back, then.
    pub fn order(kind: Kind, texts: &[String], snap: Option<Step>) -> Result<(Self, Vec<u32>), Vec<usize>> {
        let mut points = Vec::with_capacity(texts.len());
        let mut wrong = Vec::new();
        for (i, text) in texts.iter().enumerate().filter(|(_, t)| !t.is_empty()) {
            match Point::parse(kind, text) {
                Some(p) => points.push((p, i)),
                None => wrong.push(i),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let zoned = zoned(kind, texts)?;
        points.sort_by(|(p, i), (q, j)| p.order(*q).then_with(|| texts[*i].cmp(&texts[*j])));
        let missing = texts.iter().any(String::is_empty);
        let (positions, labels) = (Vec::new(), Vec::new());
        let mut numbers = Self { kind, positions, labels, missing, snap: None, declared: false, zoned };
        let mut codes = vec![0; texts.len()];
        let mut last = None;
        for (point, i) in points {
            if last.is_none_or(|l: Point| l.order(point).is_ne()) {
                numbers.positions.push(point.position());
                numbers.labels.push(canonical(point, kind, zoned));
                last = Some(point);
            }
            codes[i] = numbers.len() - 1;
        }
        for (code, _) in codes.iter_mut().zip(texts).filter(|(_, t)| t.is_empty()) {
            *code = numbers.len();
        }
        numbers.snap = snap.map(|step| Box::new(Snap::new(step, kind, &numbers.positions)));
        Ok((numbers, codes))
    }

    /// The same values, of a kind that was said and not found out.
    #[must_use]
    pub fn of_declared_kind(self) -> Self {
        Self { declared: true, ..self }
    }

    /// The kind in which these places are published: what was said or, where nothing was, the narrowest that holds them. The
    /// values of people who are left out must not decide it.
    pub fn published_kind(&self, mut places: impl Iterator<Item = f64>) -> Kind {
        let whole = |x: f64| x.fract() == 0.0 && x.abs() < EXACT as f64;
        let midnight = |x: f64| (x as i64).rem_euclid(DAY) == 0;
        match self.kind {
            Kind::Decimal if !self.declared && places.all(whole) => Kind::Integer,
            Kind::Timestamp if !self.declared && !self.zoned && places.all(midnight) => Kind::Date,
            kind => kind,
        }
    }

    /// A place of an instant as one of its day.
    pub fn day_of(place: f64) -> f64 {
        (place as i64).div_euclid(DAY) as f64
    }

    /// The middle of an interval, with no more digits than its ends need.
    pub fn middle(&self, lo: f64, hi: f64) -> f64 {
        match self.kind {
            Kind::Decimal | Kind::Integer | Kind::Category => super::middle(lo, hi),
            Kind::Date => f64::midpoint(lo, hi).floor(),
            Kind::Timestamp => {
                let (lo, hi) = (lo as i64, hi as i64);
                let units = [calendar::SECOND, 1000];
                let unit = units.into_iter().find(|unit| lo % unit == 0 && hi % unit == 0).unwrap_or(1);
                ((lo + (hi - lo) / 2).div_euclid(unit) * unit) as f64
            }
        }
    }

    /// Whether instants are those of UTC.
    pub fn is_zoned(&self) -> bool {
        self.zoned
    }

    /// What one unit of a width is that people give: days of dates, seconds of timestamps.
    pub fn unit(&self) -> f64 {
        if self.kind == Kind::Timestamp { calendar::SECOND as f64 } else { 1.0 }
    }

    /// Number of distinct present values.
    pub fn len(&self) -> u32 {
        self.positions.len() as u32
    }

    /// Whether no value is present at all.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// How the values compare.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether some rows have no value; their code is `len()`.
    pub fn has_missing(&self) -> bool {
        self.missing
    }

    /// Number of codes: the distinct values, and one for missing when it occurs.
    pub fn code_count(&self) -> u32 {
        self.len() + u32::from(self.missing)
    }

    /// Where a present value lies.
    pub fn position(&self, code: u32) -> f64 {
        self.positions[code as usize]
    }

    /// Largest minus smallest value of the whole table.
    pub fn range(&self) -> f64 {
        match (self.positions.first(), self.positions.last()) {
            (Some(lo), Some(hi)) => hi - lo,
            _ => 0.0,
        }
    }

    /// Whether the cell mixes missing and present values, or is the whole of both.
    #[inline]
    pub fn is_any(&self, cell: Cell) -> bool {
        cell.hi == self.len() && cell.lo < self.len()
    }

    /// Whether the cell holds missing values only.
    pub fn is_missing(&self, cell: Cell) -> bool {
        cell.lo == self.len()
    }

    /// The interval to publish for a cell of present values: its ends, moved outward to the grid if there is one. An end
    /// that lies on the grid stays where it is.
    pub fn bounds(&self, cell: Cell) -> (f64, f64) {
        match &self.snap {
            Some(snap) => (snap.below[cell.lo as usize], snap.above[cell.hi as usize]),
            None => (self.position(cell.lo), self.position(cell.hi)),
        }
    }

    /// The values of the table between the ends that are published for a cell of present values.
    pub fn inside(&self, cell: Cell) -> Cell {
        match &self.snap {
            Some(snap) => Cell { lo: snap.first[cell.lo as usize], hi: snap.last[cell.hi as usize] },
            None => cell,
        }
    }

    /// The value itself, the way it is written.
    pub fn label(&self, code: u32) -> &str {
        self.labels.get(code as usize).map_or("", String::as_str)
    }

    /// Whether interval ends are moved to a grid.
    ///
    /// That does not mean that no end is somebody's value. An end at 30 on a grid of 5 comes from a value above 25 and up to
    /// 30 (for an upper end), which may be 30 itself; a class of people who all are 30 is published as `30`; and on a grid
    /// of 1 all ends of whole numbers are values, as without a grid.
    pub fn is_snapped(&self) -> bool {
        self.snap.is_some()
    }

    /// Whether the lines of the grid around all values can be told apart, written and read back. True without a grid.
    pub fn suits_grid(&self) -> bool {
        let (Some(snap), false) = (&self.snap, self.is_empty()) else { return true };
        let (lo, hi) = self.bounds(Cell { lo: 0, hi: self.len() - 1 });
        let reach = lo.abs().max(hi.abs());
        let apart = match self.kind {
            Kind::Integer => reach < EXACT as f64,
            _ => match snap.step {
                Step::Number(step) => reach < LARGEST && reach / step <= MOST_STEPS,
                Step::Calendar(_) => true,
            },
        };
        apart && !lo.is_nan() && !hi.is_nan()
    }

    /// The published text of a cell of present values.
    pub fn text(&self, cell: Cell) -> String {
        if self.snap.is_some() {
            let (lo, hi) = self.bounds(cell);
            return interval(&self.point_text(lo), &self.point_text(hi));
        }
        interval(&self.labels[cell.lo as usize], &self.labels[cell.hi as usize])
    }

    /// A place on the line, the way values are written.
    pub fn point_text(&self, position: f64) -> String {
        match self.kind {
            Kind::Date => calendar::day_text(position as i64),
            Kind::Timestamp => calendar::instant_text(position as i64, self.zoned),
            Kind::Integer | Kind::Decimal | Kind::Category => number_text(position),
        }
    }

    /// The codes of the values between two positions, none when there are none.
    pub fn between(&self, lo: f64, hi: f64) -> Option<Cell> {
        let start = self.positions.partition_point(|&p| p < lo) as u32;
        let end = self.positions.partition_point(|&p| p <= hi) as u32;
        (start < end).then(|| Cell { lo: start, hi: end - 1 })
    }
}

/// A number the way it can be read back. Whole numbers that floats do not tell apart would be taken for codes, and
/// nobody counts three hundred zeros.
pub(super) fn number_text(x: f64) -> String {
    let size = x.abs();
    let plain = size == 0.0 || (1e-9..EXACT as f64).contains(&size);
    if plain { format!("{}", x + 0.0) } else { format!("{x:e}") }
}

/// Whether instants are written with an offset from UTC; those that are not like most where some are and others are not.
fn zoned(kind: Kind, texts: &[String]) -> Result<bool, Vec<usize>> {
    if kind != Kind::Timestamp {
        return Ok(false);
    }
    let is_zoned = |text: &String| Instant::parse(text).map(|instant| instant.zoned);
    let read = |(at, text): (usize, &String)| is_zoned(text).map(|zoned| (at, zoned));
    let (with, without): (Vec<_>, Vec<_>) =
        texts.iter().enumerate().filter_map(read).partition(|read| read.1);
    if with.is_empty() || without.is_empty() {
        return Ok(!with.is_empty());
    }
    let fewer = if with.len() < without.len() { with } else { without };
    Err(fewer.into_iter().map(|(at, _)| at).collect())
}

fn canonical(point: Point, kind: Kind, zoned: bool) -> String {
    match point {
        Point::Whole(day) if kind == Kind::Date => calendar::day_text(day),
        Point::Whole(micros) if kind == Kind::Timestamp => calendar::instant_text(micros, zoned),
        Point::Whole(i) => i.to_string(),
        Point::Real(x) => number_text(x),
    }
}

fn interval(lo: &str, hi: &str) -> String {
    if lo == hi { lo.to_owned() } else { format!("[{lo}, {hi}]") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(values: &[&str]) -> Vec<String> {
        values.iter().map(|&v| v.to_owned()).collect()
    }

    #[test]
    fn equal_values_share_a_code_and_a_label() {
        let (numbers, codes) = Numbers::order(Kind::Integer, &texts(&["10", "9", "09", ""]), None).unwrap();
        assert_eq!(codes, [1, 0, 0, 2]);
        assert_eq!(numbers.text(Cell { lo: 0, hi: 0 }), "9");
        assert_eq!(numbers.text(Cell { lo: 0, hi: 1 }), "[9, 10]");
        assert!(numbers.is_missing(Cell { lo: 2, hi: 2 }) && numbers.is_any(Cell { lo: 0, hi: 2 }));
    }

    #[test]
    fn dates_are_days_on_a_line() {
        let (dates, codes) = Numbers::order(Kind::Date, &texts(&["2020-03-01", "2020-02-28"]), None).unwrap();
        assert_eq!((codes, dates.range()), (vec![1, 0], 2.0));
        assert_eq!(dates.text(Cell { lo: 0, hi: 1 }), "[2020-02-28, 2020-03-01]");
    }

    #[test]
    fn snapping_moves_ends_outward() {
        let (n, _) =
            Numbers::order(Kind::Integer, &texts(&["17", "23", "-3"]), Some(Step::Number(5.0))).unwrap();
        assert_eq!(n.text(Cell { lo: 1, hi: 2 }), "[15, 25]");
        assert_eq!(n.text(Cell { lo: 0, hi: 0 }), "[-5, 0]");
        assert_eq!(n.inside(Cell { lo: 1, hi: 1 }), Cell { lo: 1, hi: 1 });
        let (n, _) =
            Numbers::order(Kind::Integer, &texts(&["15", "17", "19", "20", "23"]), Some(Step::Number(5.0)))
                .unwrap();
        assert_eq!(n.inside(Cell { lo: 1, hi: 1 }), Cell { lo: 0, hi: 3 });
        assert_eq!(n.inside(Cell { lo: 3, hi: 3 }), Cell { lo: 3, hi: 3 });
    }

    #[test]
    fn long_numbers_snap_to_true_lines() {
        let long = texts(&["1000000000000001", "1000000000000002", "3000000000000007"]);
        let (n, _) = Numbers::order(Kind::Integer, &long, Some(Step::Number(3.0))).unwrap();
        assert_eq!(n.text(Cell { lo: 0, hi: 1 }), "[999999999999999, 1000000000000002]");
        assert_eq!(n.text(Cell { lo: 2, hi: 2 }), "[3000000000000006, 3000000000000009]");
        assert!(n.suits_grid());
        let beyond =
            |step| Numbers::order(Kind::Integer, &long, Some(Step::Number(step))).unwrap().0.suits_grid();
        assert!(beyond(1e15) && !beyond(1e16) && !beyond(1e300));
    }

    #[test]
    fn every_text_reads_back_as_the_number() {
        let odd = [
            "1e16",
            "3e299",
            "-1e16",
            "1e-320",
            "-0",
            "0.1",
            "9007199254740992.0",
            "9007199254740991",
            "1e-9",
        ];
        let (n, codes) = Numbers::order(Kind::Decimal, &texts(&odd), None).unwrap();
        for (text, code) in odd.iter().zip(codes) {
            let read =
                Point::parse(Kind::Decimal, n.label(code)).unwrap_or_else(|| panic!("{}", n.label(code)));
            assert_eq!(read.position().to_bits(), (text.parse::<f64>().unwrap() + 0.0).to_bits(), "{text}");
        }
    }

    #[test]
    fn instants_are_microseconds_on_a_line() {
        let given = texts(&["2024-05-01 13:07", "2024-05-01T13:07:00.000001", "2024-05-01", ""]);
        let (times, codes) = Numbers::order(Kind::Timestamp, &given, None).unwrap();
        assert_eq!((codes, times.range()), (vec![1, 2, 0, 3], 47_220_000_001.0));
        assert_eq!(times.text(Cell { lo: 0, hi: 1 }), "[2024-05-01T00:00:00, 2024-05-01T13:07:00]");
        assert_eq!(times.label(2), "2024-05-01T13:07:00.000001");
        let mixed = texts(&["2024-05-01T10:00Z", "2024-05-01T10:00", "2024-05-01"]);
        assert_eq!(Numbers::order(Kind::Timestamp, &mixed, None).unwrap_err(), [0]);
        let (zoned, _) = Numbers::order(Kind::Timestamp, &texts(&["2024-05-01T10:00+02:00"]), None).unwrap();
        assert_eq!(zoned.label(0), "2024-05-01T08:00:00Z");
        let late = texts(&["9999-12-31T23:59:59", "9999-12-31T23:59:59.999999"]);
        assert_eq!(Numbers::order(Kind::Timestamp, &late, None).unwrap_err(), [1], "too far for its digits");
    }

    #[test]
    fn months_are_published_whole() {
        let step = Some("3 months".parse().unwrap());
        let days = texts(&["1999-02-03", "1999-03-31", "1999-04-01"]);
        let (n, _) = Numbers::order(Kind::Date, &days, step).unwrap();
        assert_eq!(n.text(Cell { lo: 0, hi: 0 }), "[1999-01-01, 1999-03-31]");
        assert_eq!(n.text(Cell { lo: 1, hi: 2 }), "[1999-01-01, 1999-06-30]");
        assert_eq!(n.inside(Cell { lo: 0, hi: 0 }), Cell { lo: 0, hi: 1 });
        assert!(n.suits_grid());
    }

    #[test]
    fn what_the_released_values_need_decides() {
        let given = texts(&["2024-05-01", "2024-05-02T00:00", "2024-05-03T10:00"]);
        let (times, _) = Numbers::order(Kind::Timestamp, &given, None).unwrap();
        let kind = |codes: &[u32]| times.published_kind(codes.iter().map(|&code| times.position(code)));
        assert_eq!((kind(&[0, 1]), kind(&[0, 2])), (Kind::Date, Kind::Timestamp));
        assert_eq!(times.clone().of_declared_kind().published_kind(std::iter::empty()), Kind::Timestamp);
        let (noisy, codes) =
            Numbers::order(Kind::Decimal, &texts(&["-0.7000000000000001", "-0.7"]), None).unwrap();
        assert_eq!((codes, noisy.label(0)), (vec![0, 0], "-0.7"));
    }

    #[test]
    fn what_is_no_number_comes_back() {
        assert_eq!(Numbers::order(Kind::Integer, &texts(&["1", "x", "1.5"]), None).unwrap_err(), [1, 2]);
        assert_eq!(Numbers::order(Kind::Decimal, &texts(&["NaN", "inf", "2e3"]), None).unwrap_err(), [0, 1]);
    }

    #[test]
    fn numbers_that_would_be_rounded_are_none() {
        let long = texts(&["9007199254740993", "9007199254740992"]);
        assert_eq!(Numbers::order(Kind::Integer, &long, None).unwrap_err(), [0, 1]);
        assert_eq!(Numbers::order(Kind::Decimal, &long, None).unwrap_err(), [0, 1]);
        for text in [
            "9007199254740993.0",
            "+9007199254740993.00",
            "12345678901234567.25",
            "1234567890123456.31",
            "-123456789012345678.12",
            "4503599627370496.5",
            "9.007199254740993e15",
            "9007199254740993e0",
            "10000000000.0000005",
        ] {
            assert_eq!(Point::parse(Kind::Decimal, text), None, "{text}");
            assert!(Point::rounded(text).is_some(), "{text}");
        }
        // All digits of a float, in the two ways in which programs write them, and what is finer than a millionth.
        for (text, number) in [
            ("2251799813685248.5", 2_251_799_813_685_248.5),
            ("1.7976931348623156e299", 1.797_693_134_862_315_6e299),
            ("12345678901.123455", 12_345_678_901.123_455),
            ("36.6666666666666667", 36.666_666_666_666_664),
            ("0.33333333333333331", 1.0 / 3.0),
            ("8589934591.00000000000001", 8_589_934_591.0),
        ] {
            assert_eq!(Point::parse(Kind::Decimal, text), Some(Point::Real(number)), "{text}");
        }
    }
}
