//! The columns of a random table.

use super::values::{category, day, decimal, instant, integer, tree};
use crate::case::{Column, Kind, Role, Stored};
use crate::random::Random;

/// All columns, in any order.
pub(super) fn columns(random: &mut Random, rows: usize) -> Vec<Column> {
    let quasi = match random.below(60) {
        0 if rows <= 20 => random.from(20, 40),
        1..=5 => random.from(4, 6),
        _ => random.from(1, 3),
    };
    let style = random.below(8);
    let name = |letter: char, i: usize| match style {
        0 => format!("{letter} {i}"),
        1 => format!("{letter}é{i}"),
        2 => format!("{letter}\"{i}"),
        3 => format!("{letter}.{i}"),
        4 => format!("{letter}@{i}"),
        _ => format!("{letter}{i}"),
    };
    let mut all: Vec<Column> = (0..quasi).map(|i| quasi_identifier(random, &name('q', i), rows)).collect();
    for i in 0..[0, 1, 1, 1, 2][random.below(5)] {
        all.push(sensitive(random, &name('s', i), rows));
    }
    for i in 0..random.below(3).saturating_sub(1) {
        all.push(kept(random, &name('o', i), rows));
    }
    for i in 0..random.below(2) {
        let cells = (0..rows).map(|row| Some(format!("name {row}"))).collect();
        all.push(Column::new(&name('i', i), Role::Identifier, cells));
    }
    if !random.one_in(3) {
        let cells = (0..rows).map(|row| Some(format!("t{row}"))).collect();
        all.push(Column::new("tag", Role::Kept, cells));
    }
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last + 1));
    }
    all
}

/// One draw per row, with holes, duplicates and constants.
fn drawn(
    random: &mut Random,
    rows: usize,
    span: usize,
    of: &mut dyn FnMut(&mut Random, usize) -> String,
) -> Vec<Option<String>> {
    let holes = random.one_in(4);
    let often = random.one_in(4);
    (0..rows)
        .map(|_| {
            let missing = holes && random.one_in(5);
            let value = if often && random.one_in(2) { 0 } else { random.below(span) };
            (!missing).then(|| of(random, value))
        })
        .collect()
}

fn span(random: &mut Random) -> usize {
    match random.below(6) {
        0 => 1,
        1..=2 => random.from(2, 4),
        _ => random.from(3, 14),
    }
}

fn quasi_identifier(random: &mut Random, name: &str, rows: usize) -> Column {
    let span = span(random);
    let texts = [Stored::Text, Stored::Text, Stored::LargeText, Stored::Dictionary];
    let blank = |cells| Column::new(name, Role::Quasi, cells);
    let mut column = match random.below(8) {
        0..=1 => {
            let paths = tree(random, span);
            let labels: Vec<String> = paths.iter().map(|p| p[0].clone()).collect();
            let cells = drawn(random, rows, span, &mut |_, v| labels[v].clone());
            Column { paths: Some(paths), stored: *random.pick(&texts), ..blank(cells) }
        }
        2 => {
            let plain = random.one_in(2);
            let cells = drawn(random, rows, span + 8, &mut |_, v| category(v, plain));
            let kind = random.maybe(2, &[Kind::Category]);
            Column { kind, stored: *random.pick(&texts), ..blank(cells) }
        }
        3..=4 => {
            let spelled = random.one_in(3);
            // Beyond 2⁵³ whole numbers are no numbers to Kohort, so they stay below.
            let far = if random.one_in(30) { 6_000_000 } else { 1 };
            let cells = drawn(random, rows, span, &mut |r, v| integer(r, v * far, spelled));
            let kind = if spelled || random.one_in(2) { Some(Kind::Integer) } else { None };
            Column { kind, stored: *random.pick(&[Stored::Whole, Stored::Text]), ..blank(cells) }
        }
        5 => {
            let cells = drawn(random, rows, span, &mut |r, v| decimal(r, v));
            let kind = random.maybe(2, &[Kind::Decimal]);
            Column { kind, stored: *random.pick(&[Stored::Float, Stored::Text]), ..blank(cells) }
        }
        6 => {
            let cells = drawn(random, rows, span, &mut |r, v| instant(r, v));
            let kind = random.maybe(2, &[Kind::Timestamp]);
            Column { kind, stored: *random.pick(&[Stored::Instant, Stored::Text]), ..blank(cells) }
        }
        _ => {
            let cells = drawn(random, rows, span, &mut |_, v| day(v));
            let kind = random.maybe(2, &[Kind::Date]);
            Column { kind, stored: *random.pick(&[Stored::Day, Stored::Text]), ..blank(cells) }
        }
    };
    // A column without any value is a category unless somebody says otherwise.
    if column.kind.is_none() && column.paths.is_none() && column.cells.iter().all(Option::is_none) {
        column.stored = Stored::Text;
    }
    column.weight = random.maybe(6, &[0.0, 2.5, 0.3]);
    column
}

fn sensitive(random: &mut Random, name: &str, rows: usize) -> Column {
    let span = random.from(1, 6);
    let blank = |cells| Column::new(name, Role::Sensitive, cells);
    match random.below(6) {
        0..=1 => {
            let paths = tree(random, span);
            let labels: Vec<String> = paths.iter().map(|p| p[0].clone()).collect();
            let cells = drawn(random, rows, span, &mut |_, v| labels[v].clone());
            Column { paths: Some(paths), kind: Some(Kind::Category), ..blank(cells) }
        }
        2 => {
            let spelled = random.one_in(3);
            let cells = drawn(random, rows, span, &mut |r, v| integer(r, v, spelled));
            let kind = if spelled || random.one_in(2) { Some(Kind::Integer) } else { None };
            Column { kind, stored: *random.pick(&[Stored::Whole, Stored::Text]), ..blank(cells) }
        }
        3 => {
            let cells = drawn(random, rows, span, &mut |_, v| day(v));
            Column { stored: *random.pick(&[Stored::Day, Stored::Text]), ..blank(cells) }
        }
        _ => {
            let plain = random.one_in(2);
            let cells = drawn(random, rows, span, &mut |_, v| category(v, plain));
            let stored = *random.pick(&[Stored::Text, Stored::LargeText, Stored::Dictionary]);
            Column { stored, ..blank(cells) }
        }
    }
}

fn kept(random: &mut Random, name: &str, rows: usize) -> Column {
    let blank = |cells| Column::new(name, Role::Kept, cells);
    match random.below(4) {
        0 => {
            let cells = drawn(random, rows, 2, &mut |_, v| (v == 0).to_string());
            Column { stored: Stored::Truth, ..blank(cells) }
        }
        1 => {
            let cells = drawn(random, rows, 9, &mut |r, v| decimal(r, v));
            Column { stored: Stored::Float, ..blank(cells) }
        }
        _ => blank(drawn(random, rows, 20, &mut |_, v| category(v, false))),
    }
}

/// Whose row is whose: a few with many rows, or nearly as many people as rows.
pub(super) fn person(random: &mut Random, rows: usize) -> Column {
    let people = random.from(1 + rows / 3, rows.max(1));
    let padded = random.one_in(6);
    let cells = (0..rows).map(|_| {
        let name = format!("person {}", random.below(people));
        // Spaces do not make another person.
        Some(if padded && random.one_in(2) { format!("{name} ") } else { name })
    });
    Column::new("person", Role::Person, cells.collect())
}
