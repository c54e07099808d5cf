//! An attacker who keeps every release, in plain code.

use std::collections::BTreeMap;

use super::series::Row;

/// Rows that the attacker can tell from all others, with the sensitive values they have.
pub(crate) type Isolated = Vec<String>;

/// What generalized columns of a row read.
fn tuple(row: &Row, qi: &[&str]) -> Vec<String> {
    qi.iter().map(|name| row[*name].clone()).collect()
}

/// Follows everybody through all releases, which is more than anybody can: rows that were in the same classes all the time are
/// a group, and whatever classes are united, intersected or taken from each other, the result is made of such groups.
pub(crate) fn traced(releases: &[Vec<Row>], qi: &[&str]) -> Vec<Vec<Row>> {
    let mut path: BTreeMap<String, Vec<Option<Vec<String>>>> = BTreeMap::new();
    let mut last: BTreeMap<String, Row> = BTreeMap::new();
    for (number, release) in releases.iter().enumerate() {
        for row in release {
            let steps = path.entry(row["note"].clone()).or_default();
            steps.resize(number, None);
            steps.push(Some(tuple(row, qi)));
            last.insert(row["note"].clone(), row.clone());
        }
    }
    let mut groups: BTreeMap<Vec<Option<Vec<String>>>, Vec<Row>> = BTreeMap::new();
    for (note, mut steps) in path {
        steps.resize(releases.len(), None);
        groups.entry(steps).or_default().push(last[&note].clone());
    }
    groups.into_values().collect()
}

/// Subtracts what boxes of two releases show that read the same: the values that came, and those that went.
pub(crate) fn subtracted(before: &[Row], after: &[Row], qi: &[&str]) -> Vec<Isolated> {
    let mut boxes: BTreeMap<Vec<String>, BTreeMap<String, i64>> = BTreeMap::new();
    for (rows, sign) in [(before, -1), (after, 1)] {
        for row in rows {
            *boxes.entry(tuple(row, qi)).or_default().entry(row["illness"].clone()).or_default() += sign;
        }
    }
    let mut found = Vec::new();
    for values in boxes.into_values() {
        for sign in [-1, 1] {
            let some: Isolated = values
                .iter()
                .filter(|(_, times)| **times * sign > 0)
                .flat_map(|(value, times)| std::iter::repeat_n(value.clone(), times.unsigned_abs() as usize))
                .collect();
            found.extend((!some.is_empty()).then_some(some));
        }
    }
    found
}
