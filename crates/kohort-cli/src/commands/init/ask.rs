//! Asking for the role of every column.

use std::io::BufRead;

use kohort::data::Role;
use kohort::propose::ProposedColumn;
use kohort::{Error, Result};

/// How roles are answered.
const ANSWERS: [(char, Role, &str); 6] = [
    ('i', Role::Identifier, "identifier: names a person; dropped"),
    ('p', Role::Person, "person: says whose row it is; people are counted, the column is dropped"),
    ('q', Role::QuasiIdentifier, "quasi-identifier: others could know it; generalized"),
    ('s', Role::Sensitive, "sensitive: nobody may learn it; released as it is, protected by demands"),
    ('k', Role::Keep, "keep: released as it is, protected by nothing"),
    ('d', Role::Drop, "drop: not released"),
];

/// What is asked, before it is.
pub(super) fn introduction(columns: usize) -> String {
    let answers: Vec<String> =
        ANSWERS.iter().map(|(letter, _, words)| format!("  {letter}  {words}")).collect();
    let answers = answers.join("\n");
    format!("{columns} columns. Enter takes what is proposed; or type a letter:\n{answers}\n\n")
}

/// What somebody answered about a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) role: Role,
    /// Whether months come first in its dates, where these leave it open.
    pub(super) months_first: bool,
}

/// What every column is, as somebody answers. The end of the input takes what is proposed for the rest.
pub(super) fn columns(
    columns: &[ProposedColumn],
    input: &mut dyn BufRead,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Answer>> {
    let letters: Vec<char> = ANSWERS.iter().map(|(letter, ..)| *letter).collect();
    let mut answers = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let answer = letter(&question(at, columns.len(), column), &letters, input, tell)?;
        let chosen = ANSWERS.iter().find(|(letter, ..)| Some(*letter) == answer);
        let role = chosen.map_or(column.role, |(_, role, _)| *role);
        let is_open = role == Role::QuasiIdentifier && !column.date_format.is_empty();
        let months_first = is_open && letter(&order_of_dates(column), &['d', 'm'], input, tell)? == Some('m');
        answers.push(Answer { role, months_first });
    }
    Ok(answers)
}

/// One of these letters, as somebody answers; none for Enter, and at the end of the input.
fn letter(
    question: &str,
    known: &[char],
    input: &mut dyn BufRead,
    tell: &mut dyn FnMut(&str),
) -> Result<Option<char>> {
    loop {
        tell(question);
        let mut line = String::new();
        input.read_line(&mut line).map_err(|e| {
            Error::input(format!("cannot read the answer: {e}"))
                .at("--interactive")
                .help("answer with one letter")
        })?;
        let answer = line.trim().to_lowercase();
        if answer.is_empty() {
            return Ok(None);
        }
        if let Some(letter) = known.iter().find(|letter| answer == letter.to_string()) {
            return Ok(Some(*letter));
        }
        let known: Vec<String> = known.iter().map(char::to_string).collect();
        tell(&format!("    one of {}, or Enter\n", known.join(", ")));
    }
}

fn order_of_dates(column: &ProposedColumn) -> String {
    let formats: Vec<String> = column.date_format.iter().map(ToString::to_string).collect();
    format!(
        "    its dates can be read in two ways: d  days come first ({}), m  months do\n    [d] ",
        formats.join(", ")
    )
}

fn question(at: usize, of: usize, column: &ProposedColumn) -> String {
    let shapes: Vec<&str> = column.facts.shapes.iter().map(|shape| shape.pattern.as_str()).collect();
    let shapes = if shapes.is_empty() { String::new() } else { format!(" such as {}", shapes.join("  ")) };
    let letter = ANSWERS.iter().find(|(_, role, _)| *role == column.role).map_or('?', |(letter, ..)| *letter);
    format!(
        "[{}/{of}] {}: {} different {}{shapes}\n    {}: {}\n    [{letter}] ",
        at + 1,
        clean(&column.name),
        column.facts.distinct,
        column.understood,
        column.role,
        column.because.join("; "),
    )
}

/// Names may hold what a terminal obeys.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kohort::input::MemoryTable;

    fn answered(with: &str) -> (Vec<Role>, String) {
        let (answers, told) = answered_in_full(with);
        (answers.into_iter().map(|answer| answer.role).collect(), told)
    }

    fn answered_in_full(with: &str) -> (Vec<Answer>, String) {
        use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
        use std::sync::Arc;
        let ages: Vec<i64> = (0..40).map(|i| 20 + i % 9).collect();
        let names: Vec<String> = (0..40).map(|i| format!("name {i}")).collect();
        let born: Vec<String> =
            (0..40).map(|i| format!("{:02}/{:02}/19{}", 1 + i % 5, 1 + i % 7, 60 + i % 9)).collect();
        let batch = RecordBatch::try_from_iter([
            ("name", Arc::new(StringArray::from(names)) as ArrayRef),
            ("age", Arc::new(Int64Array::from(ages)) as ArrayRef),
            ("born", Arc::new(StringArray::from(born)) as ArrayRef),
        ]);
        let batch = batch.unwrap();
        let table = MemoryTable::new("x", &batch.schema(), vec![batch]).unwrap();
        let columns = kohort::propose::examine(&table).unwrap().columns();
        let mut told = String::new();
        let answers = super::columns(&columns, &mut with.as_bytes(), &mut |text| told += text).unwrap();
        (answers, told)
    }

    #[test]
    fn enter_takes_the_proposal_and_letters_change_it() {
        let proposed = [Role::Identifier, Role::QuasiIdentifier, Role::QuasiIdentifier];
        assert_eq!(answered("\n\n\n").0, proposed);
        assert_eq!(answered("d\ns\ni\n").0, [Role::Drop, Role::Sensitive, Role::Identifier]);
        assert_eq!(answered("").0, proposed, "the end takes the rest as it is");
    }

    #[test]
    fn dates_that_can_be_read_in_two_ways_are_asked_for() {
        let months_first = |with| answered_in_full(with).0[2].months_first;
        assert!(months_first("\n\n\nM\n"));
        assert!(!months_first("\n\n\n\n") && !months_first("\n\n\nd\n"));
        assert!(!answered("\n\ns\n").1.contains("two ways"), "how others are read changes nothing");
        assert!(answered("\n\n\nx\nm\n").1.contains("one of d, m, or Enter"));
    }

    #[test]
    fn other_answers_are_asked_again() {
        let (roles, told) = answered("maybe\nK\n\n\n");
        assert_eq!(roles, [Role::Keep, Role::QuasiIdentifier, Role::QuasiIdentifier]);
        assert!(told.contains("one of i, p, q, s, k, d"), "{told}");
        assert!(!told.contains("name 7"), "no value is shown: {told}");
    }
}
