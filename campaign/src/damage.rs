//! Releases that somebody meddled with.

use crate::case::{Case, Role};
use crate::checker::Sheet;
use crate::random::Random;

/// A release with one thing changed, none where there is nothing to change.
pub fn damaged(case: &Case, release: &Sheet, random: &mut Random) -> Option<Sheet> {
    let mut sheet = release.clone();
    let rows = sheet.rows();
    if rows == 0 {
        return None;
    }
    let of = |role: Role| -> Vec<usize> {
        let named = |name: &str| case.of(role).any(|c| name == c.name || is_end(name, &c.name));
        (0..sheet.names.len()).filter(|&at| named(&sheet.names[at])).collect()
    };
    let (quasi, secret) = (of(Role::Quasi), of(Role::Sensitive));
    let (row, other) = (random.below(rows), random.below(rows));
    match random.below(7) {
        0..=1 => {
            let column = &mut sheet.columns[*random.pick(&quasi)];
            let cell = column[other].clone();
            column[row] = cell;
        }
        2 => {
            // A whole tuple, so that a class becomes smaller and another larger.
            for at in quasi {
                let cell = sheet.columns[at][other].clone();
                sheet.columns[at][row] = cell;
            }
        }
        3 if !secret.is_empty() => {
            let column = &mut sheet.columns[*random.pick(&secret)];
            let cell = column[other].clone();
            column[row] = cell;
        }
        4 if !secret.is_empty() => sheet.columns[*random.pick(&secret)].swap(row, other),
        5 => sheet.columns.iter_mut().for_each(|column| {
            column.remove(row);
        }),
        6 => sheet.columns.iter_mut().for_each(|column| column.push(column[row].clone())),
        _ => return None,
    }
    // What is written as text is read as text.
    sheet.is_text = true;
    (sheet != *release && sheet.rows() > 0).then_some(sheet)
}

fn is_end(name: &str, column: &str) -> bool {
    name.strip_prefix(column).is_some_and(|end| end == "_min" || end == "_max")
}
