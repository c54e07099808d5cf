//! Texts that look as if a value were missing and were not declared to mean it. As values they protect: a class of one
//! diagnosis and four `NA` has two values.

use super::CheckedJob;
use crate::data::{Kind, Point, Role, is_missing};
use crate::error::{Said, counted, marked};
use crate::input::Column;

/// What people and programs write for "not known", in small letters.
const WORDS: &[&str] = &[
    "#n/a",
    "(blank)",
    "(missing)",
    "(null)",
    "-",
    "--",
    ".",
    "..",
    "...",
    "?",
    "??",
    "<na>",
    "\\n",
    "k.a.",
    "missing",
    "n.a.",
    "n/a",
    "na",
    "nan",
    "nil",
    "no data",
    "not available",
    "null",
    "unbekannt",
    "unknown",
    "unspecified",
];

/// Numbers that mean it in a column of other numbers, if nothing else there is like them.
const NUMBERS: &[&str] = &["-1", "-9", "-99", "-999", "-9999", "99999", "999999"];

/// What looks missing in some column.
pub(super) struct Undeclared {
    role: Role,
    column: String,
    /// As it is written in the table, so that it can be declared: one of the lists above, perhaps in capital letters.
    text: String,
    rows: u64,
}

/// Looks at the different texts of a column of this role.
pub(super) fn undeclared(job: &CheckedJob, column: &Column, role: Role) -> Vec<Undeclared> {
    let na = job.na(&column.name);
    let odd = odd_number(&column.texts);
    let mut found: Vec<Undeclared> = Vec::new();
    for (text, &rows) in column.texts.iter().zip(&column.counts) {
        let small = text.trim().to_lowercase();
        let looks_missing = WORDS.contains(&small.as_str()) || odd.is_some_and(|number| *number == text);
        if looks_missing && !is_missing(text, &na) {
            let (column, text) = (column.name.clone(), text.trim().to_owned());
            found.push(Undeclared { role, column, text, rows: u64::from(rows) });
        }
    }
    found
}

/// The one number of a column that stands far outside all others and is known to mean "missing".
fn odd_number(texts: &[String]) -> Option<&'static &'static str> {
    let place = |text: &str| Point::parse(Kind::Decimal, text).map(Point::position);
    let numbers: Vec<f64> = texts.iter().filter_map(|t| place(t)).collect();
    let alone = |known: &&&str| {
        let Some(at) = place(known) else { return false };
        let (same, others): (Vec<f64>, Vec<f64>) = numbers.iter().partition(|n| n.total_cmp(&at).is_eq());
        // Below zero where all others are not, or ten times as large as any of them.
        let is_far = |n: &f64| if at < 0.0 { *n >= 0.0 } else { *n * 10.0 < at };
        !same.is_empty() && !others.is_empty() && others.iter().all(is_far)
    };
    NUMBERS.iter().find(alone)
}

impl Undeclared {
    /// Whether a demand counts it, as a value or as a person.
    pub(super) fn protects(&self) -> bool {
        matches!(self.role, Role::Sensitive | Role::Person)
    }

    /// What to say about it.
    pub(super) fn said(&self) -> Said {
        let Self { column, text, rows, .. } = self;
        let declare = marked("na", text);
        let counts = match self.role {
            Role::Sensitive => "it counts as a value of its own and so protects others",
            Role::Person => "it counts as a person and so protects others",
            _ => "it is a value of its own",
        };
        format!("'{text}' in column '{column}' ({}) looks like a missing value, and {counts}; {declare} says that it is missing", counted(*rows, "row")).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn a_number_looks_missing_where_no_other_is_like_it() {
        let odd = |all: &[&str]| odd_number(&texts(all)).copied();
        assert_eq!(odd(&["31", "-99", "40"]), Some("-99"));
        assert_eq!(odd(&["31", "-99.0", "x"]), Some("-99"));
        assert_eq!(odd(&["31", "99999"]), Some("99999"));
        for usual in [&["-99", "-5", "3"][..], &["-1"], &["99999", "50000"], &["a", "b"], &["1", "9"]] {
            assert_eq!(odd(usual), None, "{usual:?}");
        }
    }
}
