//! What was found, in words.

use std::fmt;

use crate::data::Role;
use crate::error::{Said, marked};

/// How many of the rows in classes are the only ones of their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::job) struct Single {
    pub(super) count: u64,
    pub(super) rows: u64,
    /// Whether that was worked out from a sample.
    pub(super) is_estimate: bool,
}

impl fmt::Display for Single {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, rows, is_estimate } = self;
        if *is_estimate {
            write!(f, "about {:.0} % of {rows}", 100.0 * *count as f64 / *rows as f64)
        } else {
            write!(f, "{count} of {rows}")
        }
    }
}

/// What a proposal may do about a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::job) struct Remedy {
    pub(in crate::job) column: String,
    pub(in crate::job) role: Role,
    pub(in crate::job) why: String,
    /// Whether fewer rows would show it where there is none.
    pub(in crate::job) needs_all_rows: bool,
}

/// Something that a kept column, or a sensitive one, gives away.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::job) enum Finding {
    /// Nearly every row has a value of its own.
    NearlyUnique {
        column: String,
        /// Kept, or sensitive.
        role: Role,
        alone: Single,
    },
    /// Rows are the only ones with their values of these columns together.
    SinglesOut { kept: Vec<String>, known: Vec<String>, alone: Single },
    /// A kept column and another one tell each other, or one of them the other.
    Dependent {
        kept: String,
        other: String,
        role: Role,
        /// Of the rows that share a value of the kept column with others, which share agrees in the other one.
        tells: Option<f64>,
        /// The other way round.
        told: Option<f64>,
    },
    /// Two columns of numbers or dates grow and fall together.
    Parallel { kept: String, other: String, role: Role, correlation: f64 },
}

impl Finding {
    /// The column that is nearly unique, where it is that.
    pub(super) fn column(&self) -> Option<&str> {
        if let Self::NearlyUnique { column, .. } = self { Some(column) } else { None }
    }

    /// The role that the column had better have: a sensitive value that a kept column tells is to be protected there, too, and
    /// whatever else tells rows apart is not released.
    pub(in crate::job) fn remedy(&self) -> Option<Remedy> {
        let (column, role, why, needs_all_rows) = match self {
            Self::NearlyUnique { column, .. } => (column, Role::Drop, "is nearly unique".to_owned(), true),
            Self::SinglesOut { kept, .. } => {
                (kept.first()?, Role::Drop, "singles people out with others".to_owned(), true)
            }
            Self::Dependent { kept, other, role, .. } | Self::Parallel { kept, other, role, .. } => {
                let instead = if *role == Role::Sensitive { Role::Sensitive } else { Role::Drop };
                (kept, instead, format!("tells '{other}', or is told by it"), false)
            }
        };
        Some(Remedy { column: column.clone(), role, why, needs_all_rows })
    }

    /// In words, with the way out.
    pub(in crate::job) fn said(&self) -> Said {
        match self {
            Self::NearlyUnique { column, role: Role::Sensitive, alone } => format!(
                "the sensitive '{column}' is nearly unique: {alone} rows that have a value of it have one that no other row has, and whoever knows it of somebody finds the row; where it names people, {} or {} leaves it out",
                marked("identifier", column), marked("drop", column)
            ),
            Self::NearlyUnique { column, alone, .. } => format!(
                "'{column}' is released as it is and nearly unique: {alone} rows have a value of it that no other row has, and whoever knows it of somebody finds the row; {}",
                way_out(column)
            ),
            Self::SinglesOut { kept, known, alone } => format!(
                "{}, released as {}, single{} people out{}: {alone} rows are the only ones with theirs; {}",
                quoted(kept),
                if kept.len() == 1 { "it is" } else { "they are" },
                if kept.len() == 1 { "s" } else { "" },
                if known.is_empty() { String::new() } else { format!(" together with {}", quoted(known)) },
                way_out(&kept.join(","))
            ),
            Self::Dependent { kept, other, role, tells, told } => {
                let way = match (tells, told) {
                    (Some(_), Some(_)) => "determines and is determined by",
                    (Some(_), None) => "determines",
                    _ => "is determined by",
                };
                let agree = tells.iter().chain(told).fold(1.0, |least: f64, share| least.min(*share));
                format!(
                    "'{kept}', released as it is, {way} the {role} '{other}' (of rows that share a value, {:.1} % agree): {}; {}",
                    100.0 * agree, consequence(*role, tells.is_some()), way_out(kept)
                )
            }
            Self::Parallel { kept, other, role, correlation } => format!(
                "'{kept}', released as it is, nearly determines the {role} '{other}': they rise and fall together (rank correlation {correlation:.3}): {}; {}",
                consequence(*role, true), way_out(kept)
            ),
        }
        .into()
    }
}

fn consequence(role: Role, tells: bool) -> &'static str {
    match (role, tells) {
        (Role::QuasiIdentifier, true) => "what is generalized there can be read here",
        (Role::QuasiIdentifier, false) => "who knows the one knows the other, and it is not generalized",
        (Role::Sensitive, true) => "whoever knows it of somebody learns the sensitive value",
        (Role::Sensitive, false) => "it shows a part of the sensitive value, and no demand protects it",
        (_, true) => "it names people as the identifier does",
        (_, false) => "it belongs to the person, and who knows the person may know it",
    }
}

fn way_out(columns: &str) -> String {
    let them = if columns.contains(',') { "them" } else { "it" };
    format!("{} leaves {them} out, ‹qi› or ‹sensitive› protects {them}", marked("drop", columns))
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
