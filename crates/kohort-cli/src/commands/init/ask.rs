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
    format!("{columns} columns. Enter takes what is proposed; or type a letter or a word:\n{}\n", meanings())
}

/// What can be answered, one to a line.
fn meanings() -> String {
    let lines = ANSWERS.iter().map(|(letter, _, words)| format!("  {letter}  {words}\n"));
    lines.chain(["  ?  shows this list again\n".to_owned()]).collect()
}

/// What somebody answered about a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) role: Role,
    /// Whether months come first in its dates, where these leave it open and somebody said it.
    pub(super) months_first: Option<bool>,
}

/// What every column is, as somebody answers. The end of the input takes what is proposed for the rest.
pub(super) fn columns(
    columns: &[ProposedColumn],
    input: &mut dyn BufRead,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let role = role(&question(at, columns.len(), column), column, input, tell)?;
        let is_open = role == Role::QuasiIdentifier && !column.dates_taken_as.is_empty();
        let order = if is_open { answered(&order_of_dates(column), &ORDERS, input, tell)? } else { None };
        answers.push(Answer { role, months_first: order.map(|word| word == ORDERS[1]) });
    }
    Ok(answers)
}

/// How the order of days and months is answered.
const ORDERS: [&str; 2] = ["days", "months"];

/// The role of a column. What names people is released as it is only where that is said twice.
fn role(
    question: &str,
    column: &ProposedColumn,
    input: &mut dyn BufRead,
    tell: &mut dyn FnMut(&str),
) -> Result<Role> {
    let words = ANSWERS.map(|(_, role, _)| word(role));
    let names_people = matches!(column.role, Role::Identifier | Role::Person);
    let mut question = question.to_owned();
    let mut before = None;
    loop {
        let Some(word_said) = answered(&question, &words, input, tell)? else { return Ok(column.role) };
        let role = ANSWERS.iter().map(|(_, role, _)| *role).find(|role| word(*role) == word_said);
        let role = role.unwrap_or(column.role);
        let is_released = matches!(role, Role::Keep | Role::Sensitive);
        if !(names_people && is_released) || before == Some(role) {
            return Ok(role);
        }
        before = Some(role);
        question = format!(
            "    {}: released as it is, it would name people to everybody. {word_said} again if that is meant, Enter for {}\n    [{}] ",
            column.because.join("; "),
            column.role,
            letter(column.role)
        );
    }
}

/// What a role is called in one word.
fn word(role: Role) -> &'static str {
    match role {
        Role::Identifier => "identifier",
        Role::Person => "person",
        Role::QuasiIdentifier => "quasi-identifier",
        Role::Sensitive => "sensitive",
        Role::Keep => "keep",
        Role::Drop => "drop",
    }
}

/// One of these words, as somebody answers with it or with its beginning; none for Enter, and at the end of the input.
fn answered<'a>(
    question: &str,
    known: &[&'a str],
    input: &mut dyn BufRead,
    tell: &mut dyn FnMut(&str),
) -> Result<Option<&'a str>> {
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
        // Words differ in their first letters: every beginning is clear.
        let is_meant =
            |word: &&&str| word.starts_with(&answer) || answer == "qi" && word.starts_with("quasi");
        if let Some(word) = known.iter().find(is_meant) {
            return Ok(Some(word));
        }
        if answer == "?" || "help".starts_with(&answer) {
            tell(&if known == ORDERS { "  d  days come first\n  m  months do\n".into() } else { meanings() });
        } else {
            let letters: Vec<&str> = known.iter().map(|word| &word[..1]).collect();
            tell(&format!("    one of {}, or Enter; ? tells what they mean\n", letters.join(", ")));
        }
    }
}

/// The letter of a role.
fn letter(role: Role) -> char {
    ANSWERS.iter().find(|(_, other, _)| *other == role).map_or('?', |(letter, ..)| *letter)
}

fn order_of_dates(column: &ProposedColumn) -> String {
    let formats: Vec<String> = column.dates_taken_as.iter().map(ToString::to_string).collect();
    format!(
        "    its dates can be read in two ways: d  days come first ({}), m  months do\n    [d] ",
        formats.join(", ")
    )
}

fn question(at: usize, of: usize, column: &ProposedColumn) -> String {
    format!(
        "[{}/{of}] {}: {} different {}{}\n    {}: {}\n    [{}] ",
        at + 1,
        clean(&column.name),
        column.facts.distinct,
        column.understood,
        column.written_like(),
        column.role,
        column.because.join("; "),
        letter(column.role),
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
        assert_eq!(months_first("\n\n\nM\n"), Some(true));
        assert_eq!((months_first("\n\n\n\n"), months_first("\n\n\nd\n")), (None, Some(false)));
        assert!(!answered("\n\ns\n").1.contains("two ways"), "how others are read changes nothing");
        assert!(answered("\n\n\nx\nm\n").1.contains("one of d, m, or Enter"));
    }

    #[test]
    fn words_and_their_beginnings_are_answers_and_help_is_given() {
        let (roles, told) = answered("drop\nquasi\nSensitive\n");
        assert_eq!(roles, [Role::Drop, Role::QuasiIdentifier, Role::Sensitive]);
        assert!(!told.contains("one of"), "{told}");
        for help in ["?", "h", "help"] {
            let (roles, told) = answered(&format!("{help}\ndrop\n\n\n"));
            assert!(roles[0] == Role::Drop && told.contains("not released"), "{help}: {told}");
        }
    }

    #[test]
    fn what_names_people_is_released_only_when_it_is_said_twice() {
        let (roles, told) = answered("k\n\n\n\n");
        assert!(roles[0] == Role::Identifier && told.contains("would name people to everybody"), "{told}");
        let (roles, _) = answered("keep\nk\n\n\n");
        assert_eq!(roles[0], Role::Keep);
        let (roles, _) = answered("s\nk\nd\n\n\n");
        assert_eq!(roles[0], Role::Drop, "each is asked for by itself");
    }

    #[test]
    fn other_answers_are_asked_again() {
        let (roles, told) = answered("maybe\nK\nk\n\n\n");
        assert_eq!(roles, [Role::Keep, Role::QuasiIdentifier, Role::QuasiIdentifier]);
        assert!(told.contains("one of i, p, q, s, k, d, or Enter; ? tells what they mean"), "{told}");
        assert!(!told.contains("name 7"), "no value is shown: {told}");
    }
}
