//! What can be set, and what it may be: the settings of algorithms, the numbers of demands, the exponent of a measure. Each
//! has one entry, from which it is checked, listed and described.

use std::fmt;

use serde::Serialize;

/// A thing that can be set.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    #[serde(flatten)]
    pub accepts: Accepts,
    /// What it changes.
    pub about: &'static str,
}

/// What a parameter may be. Displayed as what is expected: `a number above 0`.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Accepts {
    /// One of these words.
    Choice {
        /// The words.
        values: &'static [&'static str],
        /// The one that is taken where nothing is said.
        default: &'static str,
    },
    /// A whole number.
    Integer {
        /// The smallest.
        minimum: u32,
    },
    /// A number.
    Number {
        /// Which ones.
        #[serde(flatten)]
        range: Range,
        /// The one that is taken where nothing is said; none where that means something else than any number.
        #[serde(skip_serializing_if = "Option::is_none")]
        default: Option<f64>,
    },
}

/// The numbers between two ends, named as JSON Schema names them.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Range {
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exclusive_minimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exclusive_maximum: Option<f64>,
}

impl Range {
    const ANY: Self = Self { minimum: None, exclusive_minimum: None, maximum: None, exclusive_maximum: None };

    /// Numbers of at least this.
    pub const fn at_least(minimum: f64) -> Self {
        Self { minimum: Some(minimum), ..Self::ANY }
    }

    /// Numbers above this.
    pub const fn above(end: f64) -> Self {
        Self { exclusive_minimum: Some(end), ..Self::ANY }
    }

    /// Those of them up to this.
    #[must_use]
    pub const fn up_to(self, maximum: f64) -> Self {
        Self { maximum: Some(maximum), ..self }
    }

    /// Those of them below this.
    #[must_use]
    pub const fn below(self, end: f64) -> Self {
        Self { exclusive_maximum: Some(end), ..self }
    }

    /// Whether a number is one of them; infinity never is.
    pub fn contains(&self, x: f64) -> bool {
        x.is_finite()
            && self.minimum.is_none_or(|end| x >= end)
            && self.exclusive_minimum.is_none_or(|end| x > end)
            && self.maximum.is_none_or(|end| x <= end)
            && self.exclusive_maximum.is_none_or(|end| x < end)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = [
            ("of at least", self.minimum),
            ("above", self.exclusive_minimum),
            ("up to", self.maximum),
            ("below", self.exclusive_maximum),
        ];
        let ends: Vec<_> =
            ends.iter().filter_map(|(word, end)| end.map(|end| format!("{word} {end}"))).collect();
        write!(f, "a number {}", ends.join(" and "))
    }
}

impl Accepts {
    /// A number of this range.
    pub const fn number(range: Range) -> Self {
        Self::Number { range, default: None }
    }

    /// Whether this can be given, as it is written.
    pub fn admits(&self, text: &str) -> bool {
        match self {
            Self::Choice { values, .. } => values.contains(&text),
            Self::Integer { minimum } => text.parse().is_ok_and(|n: u32| n >= *minimum),
            Self::Number { range, .. } => text.parse().is_ok_and(|x| range.contains(x)),
        }
    }

    /// What can be written, for help texts.
    pub fn shown(&self) -> String {
        match self {
            Self::Choice { values, .. } => values.join("|"),
            Self::Integer { .. } => "N".to_owned(),
            Self::Number { .. } => "NUMBER".to_owned(),
        }
    }

    /// What is taken where nothing is said.
    pub fn default(&self) -> Option<String> {
        match self {
            Self::Choice { default, .. } => Some((*default).to_owned()),
            Self::Integer { .. } => None,
            Self::Number { default, .. } => default.map(|x| x.to_string()),
        }
    }
}

impl fmt::Display for Accepts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice { values, .. } => write!(f, "one of: {}", values.join(", ")),
            Self::Integer { minimum } => write!(f, "a whole number of at least {minimum}"),
            Self::Number { range, .. } => write!(f, "{range}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_a_range_belong_to_it_or_not() {
        let share = Range::above(0.0).below(1.0);
        assert!(share.contains(0.5) && !share.contains(0.0) && !share.contains(1.0));
        let some = Range::at_least(0.0).up_to(2.0);
        assert!(some.contains(0.0) && some.contains(2.0) && !some.contains(-0.1) && !some.contains(2.1));
        assert!(!Range::at_least(0.0).contains(f64::INFINITY) && !Range::at_least(0.0).contains(f64::NAN));
        assert_eq!(share.to_string(), "a number above 0 and below 1");
    }

    #[test]
    fn what_is_admitted_is_what_is_listed() {
        let cut = Accepts::Choice { values: &["strict", "relaxed"], default: "strict" };
        assert!(cut.admits("relaxed") && !cut.admits("loose"));
        let count = Accepts::Integer { minimum: 2 };
        assert!(count.admits("2") && !count.admits("1") && !count.admits("2.5"));
        let listed = serde_json::to_value(Parameter { name: "cut", accepts: cut, about: "" }).unwrap();
        assert_eq!((&listed["type"], &listed["default"]), (&"choice".into(), &"strict".into()));
        let listed = serde_json::to_value(Accepts::number(Range::above(0.0).up_to(1e6))).unwrap();
        assert_eq!(listed, serde_json::json!({"type": "number", "exclusive_minimum": 0.0, "maximum": 1e6}));
    }
}
