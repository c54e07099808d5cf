//! The step of a public grid for interval ends: a number, or one of the calendar.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::calendar::Every;
use super::{Grid, Kind};

/// How far the lines of a grid lie apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Given", into = "Given")]
pub enum Step {
    /// Multiples of a number, for numbers.
    Number(f64),
    /// Steps of the calendar, for dates and timestamps.
    Calendar(Every),
}

/// As it stands in files.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a text such as \"1 month\"")]
enum Given {
    Number(f64),
    Text(String),
}

impl From<f64> for Step {
    fn from(step: f64) -> Self {
        Self::Number(step)
    }
}

impl From<Step> for Given {
    fn from(step: Step) -> Self {
        match step {
            Step::Number(number) => Self::Number(number),
            Step::Calendar(every) => Self::Text(every.to_string()),
        }
    }
}

impl TryFrom<Given> for Step {
    type Error = String;

    fn try_from(given: Given) -> Result<Self, String> {
        match given {
            Given::Number(number) => Ok(Self::Number(number)),
            Given::Text(text) => text.parse(),
        }
    }
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = || text.trim().parse().ok().map(Self::Number);
        number()
            .or_else(|| Every::parse(text).map(Self::Calendar))
            .ok_or_else(|| format!("step '{text}' is not a number, nor one of the calendar such as 1 month"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Calendar(every) => write!(f, "{every}"),
        }
    }
}

impl Step {
    /// Whether it is a step that values of this kind can have.
    pub fn suits(self, kind: Kind) -> bool {
        match self {
            Self::Number(step) => {
                let is_number = matches!(kind, Kind::Integer | Kind::Decimal);
                is_number && step.is_finite() && step > 0.0
            }
            Self::Calendar(every) => every.suits(kind),
        }
    }

    /// The widest that an interval must be which is on the grid and not on a line alone.
    pub fn widest(self, kind: Kind) -> f64 {
        match self {
            Self::Number(step) => step,
            Self::Calendar(every) => every.widest(kind),
        }
    }

    /// Where an interval that begins with this value begins, and where one ends that ends with it. None where lines cannot
    /// be told apart, or not be written.
    pub(super) fn around(self, kind: Kind, x: f64) -> (Option<f64>, Option<f64>) {
        match self {
            Self::Number(step) => {
                let grid = Grid::new(step);
                (grid.below(x), grid.above(x))
            }
            Self::Calendar(every) => (every.below(kind, x), every.above(kind, x)),
        }
    }

    /// The line that this place means; none where it lies on no line.
    pub fn line(self, kind: Kind, at: f64) -> Option<f64> {
        match self {
            Self::Number(step) => {
                // Three steps of 0.1 are 0.30000000000000004, which is 0.3.
                let line = super::grid_line((at / step).round(), step);
                ((line - at).abs() <= 1e-9 * step).then_some(line)
            }
            Self::Calendar(every) => every.below(kind, at).filter(|line| line.total_cmp(&at).is_eq()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_numbers_or_texts() {
        let read = |json: &str| serde_json::from_str::<Step>(json).map_err(|e| e.to_string());
        for (json, shown) in [("5.0", "5"), ("0.1", "0.1"), ("\"3 months\"", "3 months")] {
            let step = read(json).unwrap();
            assert_eq!(step.to_string(), shown);
            assert_eq!(serde_json::to_string(&step).unwrap(), json);
        }
        assert_eq!(read("\"5\""), Ok(Step::Number(5.0)));
        assert!(read("\"3 moons\"").is_err_and(|e| e.contains("1 month")));
        assert!(read("[1]").is_err_and(|e| e.contains("expected a number, or a text")));
    }

    #[test]
    fn numbers_have_numbers_and_dates_have_the_calendar() {
        let step = |text: &str| text.parse::<Step>().unwrap();
        for (text, kinds) in [
            ("5", vec![Kind::Integer, Kind::Decimal]),
            ("0", vec![]),
            ("1 month", vec![Kind::Date, Kind::Timestamp]),
            ("6 hours", vec![Kind::Timestamp]),
        ] {
            let all = [Kind::Integer, Kind::Decimal, Kind::Date, Kind::Timestamp, Kind::Category];
            assert_eq!(all.into_iter().filter(|&k| step(text).suits(k)).collect::<Vec<_>>(), kinds, "{text}");
        }
    }
}
