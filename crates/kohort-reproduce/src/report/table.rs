//! Tables of numbers that remember how they are to be shown.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its lines.
    pub rows: Vec<Vec<Cell>>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number measured once, with a published one beside it where there is one.
    Number {
        /// What was measured here.
        value: f64,
        /// How many digits after the point are shown.
        digits: u8,
        /// What the paper prints.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        published: Option<f64>,
    },
    /// A number measured on several samples or with several seeds.
    Spread {
        /// What each of them gave.
        values: Vec<f64>,
        /// How many digits after the point are shown.
        digits: u8,
        /// What the paper prints.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        published: Option<f64>,
    },
    /// Words.
    Text(String),
}

impl Table {
    /// A table without lines.
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a line.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.rows.push(row.into_iter().collect());
    }
}

impl Cell {
    /// A number.
    pub fn number(value: f64, digits: u8) -> Self {
        Self::Number { value: rounded(value), digits, published: None }
    }

    /// Several numbers, shown by their mean and where they lie.
    pub fn spread(values: &[f64], digits: u8) -> Self {
        Self::Spread { values: values.iter().copied().map(rounded).collect(), digits, published: None }
    }

    /// A count.
    pub fn count(value: u64) -> Self {
        Self::number(value as f64, 0)
    }

    /// Words.
    pub fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// Nothing to say.
    pub fn none() -> Self {
        Self::text("")
    }

    /// The same beside what the paper prints.
    #[must_use]
    pub fn beside(self, theirs: f64) -> Self {
        let published = Some(theirs);
        match self {
            Self::Number { value, digits, .. } => Self::Number { value, digits, published },
            Self::Spread { values, digits, .. } => Self::Spread { values, digits, published },
            Self::Text(words) => Self::Text(words),
        }
    }

    /// As it stands in Markdown: `0.283 (0.28–0.29) [0.25]` is mean, least and most, and what the paper prints.
    pub fn shown(&self) -> String {
        let number = |value: f64, digits: u8| match digits {
            0 => thousands(value),
            digits => format!("{value:.0$}", usize::from(digits)),
        };
        let beside = |published: Option<f64>| published.map_or_else(String::new, |p| format!(" [{p}]"));
        match self {
            Self::Text(words) => words.clone(),
            Self::Number { value, digits, published } => number(*value, *digits) + &beside(*published),
            Self::Spread { values, digits, published } => {
                let (least, most) = ends(values);
                let (mean, least, most) =
                    (number(mean(values), *digits), number(least, *digits), number(most, *digits));
                let range = if least == most { String::new() } else { format!(" ({least}–{most})") };
                mean + &range + &beside(*published)
            }
        }
    }
}

/// The mean of some numbers.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Which of two settings has the larger values, where none of the one lies among those of the other; single values differ
/// from run to run, and prove nothing.
pub(crate) fn apart(one: &[f64], other: &[f64]) -> Option<Ordering> {
    if one.len().min(other.len()) < 2 {
        return None;
    }
    let ((least, most), (other_least, other_most)) = (ends(one), ends(other));
    if most < other_least {
        return Some(Ordering::Less);
    }
    (least > other_most).then_some(Ordering::Greater)
}

/// The least and the greatest.
pub(crate) fn ends(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &v| (least.min(v), most.max(v)))
}

/// Seven digits: more than anybody reads, and the same however sums were rounded on the way.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let scale = 10f64.powi(6 - value.abs().log10().floor() as i32);
    let found = (value * scale).round() / scale;
    if found.is_finite() { found } else { value }
}

pub(crate) fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut shown = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    if value < 0.0 && digits != "0" { format!("−{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_shown_with_spread_and_published_figure() {
        assert_eq!(Cell::number(0.12345, 3).beside(0.12).shown(), "0.123 [0.12]");
        assert_eq!(Cell::spread(&[1.0, 2.0, 3.0], 1).shown(), "2.0 (1.0–3.0)");
        assert_eq!(Cell::spread(&[2.0, 2.0], 1).beside(2.5).shown(), "2.0 [2.5]");
        assert_eq!(Cell::count(1_234_567).shown(), "1,234,567");
        assert_eq!(Cell::number(-1234.0, 0).shown(), "−1,234");
        assert_eq!(Cell::none().shown(), "");
    }

    #[test]
    fn settings_are_apart_where_their_values_do_not_mix() {
        assert_eq!(apart(&[1.0, 2.0], &[3.0, 4.0]), Some(Ordering::Less));
        assert_eq!(apart(&[5.0, 6.0], &[3.0, 4.0]), Some(Ordering::Greater));
        assert_eq!(apart(&[1.0, 3.5], &[3.0, 4.0]), None);
        assert_eq!(apart(&[1.0], &[9.0]), None);
    }

    #[test]
    fn cells_come_back_from_json() {
        for cell in [Cell::number(1.5, 2), Cell::spread(&[1.0, 2.0], 0).beside(3.0), Cell::text("words")] {
            let json = serde_json::to_string(&cell).unwrap_or_default();
            assert_eq!(serde_json::from_str::<Cell>(&json).ok(), Some(cell));
        }
    }
}
