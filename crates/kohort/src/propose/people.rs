//! Whether rows are people: a number that repeats says whose row it is, and where nothing does, that is said, too.

use rustc_hash::FxHashSet;

use super::demands::grouped;
use super::judge::{Judged, Numbers};
use super::look::Looked;
use super::persons;
use crate::data::Role;

/// From this share of different values on, what repeats are namesakes and misprints.
const NAMESAKES: f64 = 0.98;

/// Whose rows they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Whose {
    /// How many people there are.
    pub(super) people: u64,
    /// Whether a column says whose row it is.
    pub(super) by_column: bool,
    /// Whether it must be said that rows are people, because no identifier shows it.
    pub(super) rows_are_people: bool,
    pub(super) because: String,
}

/// Whether a column has a value in every row.
fn is_complete(column: &Looked) -> bool {
    column.facts.missing == 0
}

/// An identifier that shows that every row is another person's, or at least another record.
fn unique(columns: &[Looked], judged: &[Judged]) -> Option<usize> {
    let shows = |at: &usize| {
        judged[*at].role == Role::Identifier && columns[*at].is_unique() && is_complete(&columns[*at])
    };
    (0..columns.len()).find(shows)
}

/// Gives the role of a person to the column that tells people apart, where they have several rows.
pub(super) fn promote(columns: &[Looked], judged: &mut [Judged], rows: u64) {
    let repeats = |column: &Looked| column.uniqueness() < NAMESAKES && column.distinct > 1;
    let could = |at: &usize| {
        let (column, what) = (&columns[*at], &judged[*at]);
        what.role == Role::Identifier
            && what.numbers_people.is_some()
            && repeats(column)
            && is_complete(column)
    };
    let mut people: Vec<usize> = (0..columns.len()).filter(could).collect();
    // That values hardly repeat is no proof: what is measured does so, too.
    people.retain(|&at| !judged[at].by_values_alone || !persons::is_measured(&columns[at]));
    // Households are people only where nothing tells their members apart, and so is what nothing but its values speaks for.
    if unique(columns, judged).is_some() {
        let is_known = |what: &Judged| what.numbers_people != Some(Numbers::Groups) && !what.by_values_alone;
        people.retain(|&at| is_known(&judged[at]));
    }
    // A number of people before what leads to them, such as a phone, which families may share.
    let key = |&at: &usize| {
        let what = &judged[at];
        (!what.by_values_alone, what.numbers_people, what.meaning == "record-id", columns[at].distinct)
    };
    people.sort_by_key(key);
    if let Some(&at) = people.last() {
        judged[at].role = Role::Person;
        judged[at].is_guess |= judged[at].by_values_alone;
        judged[at].reasons.push(format!(
            "it repeats: {} rows are of {} people, who are counted instead of rows",
            grouped(rows),
            grouped(columns[at].distinct)
        ));
    }
}

/// How many different people columns tell apart together, as a job counts them.
fn together(columns: &[&Looked]) -> u64 {
    if let [one] = columns {
        return one.distinct;
    }
    let rows = columns.first().map_or(0, |column| column.column.codes.len());
    let row = |row: usize| columns.iter().map(|column| column.column.codes.get(row)).collect::<Vec<u32>>();
    (0..rows).map(row).collect::<FxHashSet<_>>().len() as u64
}

/// Whose rows they are, as roles say it.
pub(super) fn whose(columns: &[Looked], judged: &[Judged], rows: u64) -> Whose {
    let of_role = |role: Role| (0..columns.len()).filter(move |&at| judged[at].role == role);
    let persons: Vec<usize> = of_role(Role::Person).collect();
    if !persons.is_empty() {
        let names: Vec<String> = persons.iter().map(|&at| format!("'{}'", columns[at].name())).collect();
        let says = if names.len() == 1 { "says" } else { "together say" };
        let because = format!("{} {says} whose row it is", names.join(" and "));
        let people = together(&persons.iter().map(|&at| &columns[at]).collect::<Vec<_>>());
        return Whose { people, by_column: true, rows_are_people: false, because };
    }
    let has_identifiers = of_role(Role::Identifier).next().is_some();
    let (rows_are_people, because) = match unique(columns, judged) {
        Some(at) => (false, format!("'{}' is different in every row", columns[at].name())),
        None if !has_identifiers => {
            (false, "no column says it, so every row is taken for another person. Is it so?".into())
        }
        None => {
            let because = "identifiers repeat or are missing, and none numbers people, so every row is taken for another person. Is it so?";
            (true, because.into())
        }
    };
    Whose { people: rows, by_column: false, rows_are_people, because }
}
