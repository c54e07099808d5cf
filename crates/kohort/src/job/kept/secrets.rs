//! Sensitive columns that tell rows apart: their values are in the release, beside those of nobody else.

use super::sets::is_many;
use super::told::{Finding, Single};
use crate::data::{Role, Sensitive, Table};
use crate::solution::is_class;

/// Fewer rows that have a value alone say nothing about a column.
const FEW: u64 = 20;

/// Sensitive columns of texts and codes in which most rows that have a value have one of their own. Whoever knows it of
/// somebody finds the row: it is rather an identifier. A measured value may well be different in every row.
pub(in crate::job) fn nearly_unique(table: &Table, class_of: &[u32]) -> Vec<Finding> {
    let texts = table.sensitive.iter().filter(|column| !column.is_measured);
    let found = texts.map(|column| (column, alone(column, class_of)));
    let unique = found.filter(|(_, alone)| alone.count >= FEW && is_many(alone.count, alone.rows));
    let finding = |(column, alone): (&Sensitive, Single)| Finding::NearlyUnique {
        column: column.name.clone(),
        role: Role::Sensitive,
        alone,
    };
    unique.map(finding).collect()
}

/// How many rows of classes have a value that no other has, of those that have one. The most frequent value is left out: it is
/// often a word for none, which nobody declared.
fn alone(column: &Sensitive, class_of: &[u32]) -> Single {
    let mut times = vec![0u32; column.distinct as usize];
    for (code, _) in column.codes.iter().zip(class_of).filter(|(_, class)| is_class(**class)) {
        if column.missing != Some(code) {
            times[code as usize] = times[code as usize].saturating_add(1);
        }
    }
    let rows: u64 = times.iter().map(|&n| u64::from(n)).sum();
    let most = times.iter().copied().max().filter(|&n| n > 1).map_or(0, u64::from);
    let count = times.iter().filter(|&&n| n == 1).count() as u64;
    Single { count, rows: rows - most, is_estimate: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(codes: &[u32], missing: Option<u32>) -> Sensitive {
        let distinct = codes.iter().max().map_or(0, |&code| code + 1);
        Sensitive {
            name: "s".into(),
            distinct,
            codes: codes.iter().copied().collect(),
            missing,
            ..Sensitive::default()
        }
    }

    fn found(column: Sensitive, class_of: &[u32]) -> usize {
        let table = Table { rows: class_of.len(), sensitive: vec![column], ..Table::default() };
        nearly_unique(&table, class_of).len()
    }

    #[test]
    fn whoever_has_no_value_and_whoever_is_not_released_does_not_count() {
        let mut codes: Vec<u32> = (0..30).collect();
        codes.extend([30; 70]);
        assert_eq!(found(column(&codes, Some(30)), &[0; 100]), 1, "all that are there are different");
        assert_eq!(found(column(&codes, None), &[0; 100]), 1, "a word for none that nobody declared");
        let kinds: Vec<u32> = (0..100).map(|i| if i < 30 { i } else { 30 + i % 7 }).collect();
        assert_eq!(found(column(&kinds, None), &[0; 100]), 0);
        let measured = Sensitive { is_measured: true, ..column(&codes, Some(30)) };
        assert_eq!(found(measured, &[0; 100]), 0);
        let mut class_of = [crate::solution::SUPPRESSED; 100];
        class_of[..10].fill(0);
        assert_eq!(found(column(&codes, Some(30)), &class_of), 0);
    }
}
