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

/// The role of every column, as somebody answers. The end of the input takes what is proposed for the rest.
pub(super) fn roles(
    columns: &[ProposedColumn],
    input: &mut dyn BufRead,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Role>> {
    let mut roles = Vec::new();
    let mut is_over = false;
    for (at, column) in columns.iter().enumerate() {
        let mut role = column.role;
        while !is_over {
            tell(&question(at, columns.len(), column));
            let mut line = String::new();
            let read = input.read_line(&mut line).map_err(|e| {
                Error::input(format!("cannot read the answer: {e}"))
                    .at("--interactive")
                    .help("answer with one letter")
            })?;
            is_over = read == 0;
            let answer = line.trim().to_lowercase();
            let known = ANSWERS.iter().find(|(letter, ..)| answer == letter.to_string());
            match known {
                Some((_, chosen, _)) => role = *chosen,
                None if answer.is_empty() => {}
                None => {
                    tell("    one of i, p, q, s, k, d, or Enter\n");
                    continue;
                }
            }
            break;
        }
        roles.push(role);
    }
    Ok(roles)
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
        use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
        use std::sync::Arc;
        let ages: Vec<i64> = (0..40).map(|i| 20 + i % 9).collect();
        let names: Vec<String> = (0..40).map(|i| format!("name {i}")).collect();
        let batch = RecordBatch::try_from_iter([
            ("name", Arc::new(StringArray::from(names)) as ArrayRef),
            ("age", Arc::new(Int64Array::from(ages)) as ArrayRef),
        ]);
        let batch = batch.unwrap();
        let table = MemoryTable::new("x", &batch.schema(), vec![batch]).unwrap();
        let columns = kohort::propose::examine(&table).unwrap().columns();
        let mut told = String::new();
        let roles = roles(&columns, &mut with.as_bytes(), &mut |text| told += text).unwrap();
        (roles, told)
    }

    #[test]
    fn enter_takes_the_proposal_and_letters_change_it() {
        assert_eq!(answered("\n\n").0, [Role::Identifier, Role::QuasiIdentifier]);
        assert_eq!(answered("d\ns\n").0, [Role::Drop, Role::Sensitive]);
        assert_eq!(
            answered("").0,
            [Role::Identifier, Role::QuasiIdentifier],
            "the end takes the rest as it is"
        );
    }

    #[test]
    fn other_answers_are_asked_again() {
        let (roles, told) = answered("maybe\nK\n\n");
        assert_eq!(roles, [Role::Keep, Role::QuasiIdentifier]);
        assert!(told.contains("one of i, p, q, s, k, d"), "{told}");
        assert!(!told.contains("name 7"), "no value is shown: {told}");
    }
}
