//! Whether the sensitive values of a release are those of the original.

use rustc_hash::FxHashMap;

use super::classes::HIDDEN;
use crate::data::Sensitive;
use crate::input::Column;

/// The original's code of every released text, none for a text the original does not have; `None` when the original's
/// values are not at hand.
pub(super) fn meaning(original: &Sensitive, released: &Column) -> Option<Vec<Option<u32>>> {
    if original.texts.is_empty() && original.spellings.is_empty() {
        return None;
    }
    let spelled = original.spellings.iter().map(|(text, code)| (text.as_str(), *code));
    let code_of: FxHashMap<&str, u32> =
        original.texts.iter().map(String::as_str).zip(0..).chain(spelled).collect();
    Some(released.texts.iter().map(|t| code_of.get(t.as_str()).copied()).collect())
}

/// Released rows whose value is not the original's. With a known order rows are compared one by one, otherwise as
/// multisets: how many values are released more often than they occur. `None` when the original's values are not at hand.
pub(super) fn foreign(
    original: &Sensitive,
    released: &Column,
    class_of: &[u32],
    order: Option<&[u32]>,
) -> Option<u64> {
    let meaning = meaning(original, released)?;
    let shown = released.codes.iter().enumerate().filter(|(row, _)| class_of[*row] != HIDDEN);
    let shown = shown.map(|(row, code)| (row, meaning[code as usize]));
    if let Some(order) = order {
        let differs =
            |&(row, value): &(usize, Option<u32>)| value != Some(original.codes.get(order[row] as usize));
        return Some(shown.filter(differs).count() as u64);
    }
    let mut left = vec![0u64; original.distinct as usize];
    for code in original.codes.iter() {
        left[code as usize] += 1;
    }
    let mut foreign = 0;
    for (_, value) in shown {
        match value.and_then(|v| left.get_mut(v as usize)).filter(|n| **n > 0) {
            Some(n) => *n -= 1,
            None => foreign += 1,
        }
    }
    Some(foreign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[&str]) -> Column {
        let mut column = Column::default();
        for value in values {
            let code = column.texts.iter().position(|t| t == value).unwrap_or_else(|| {
                column.texts.push((*value).to_owned());
                column.texts.len() - 1
            });
            column.codes.push(code as u32);
        }
        column
    }

    #[test]
    fn changed_and_invented_values_are_counted() {
        let Column { name, texts, codes, .. } = column(&["flu", "flu", "gout"]);
        let original = Sensitive { name, distinct: 2, texts, codes, is_text: true, ..Sensitive::default() };
        let count = |values: &[&str], order| foreign(&original, &column(values), &[0; 3], order);
        assert_eq!(count(&["gout", "flu", "flu"], None), Some(0));
        assert_eq!(count(&["gout", "flu", "flu"], Some(&[2, 0, 1])), Some(0));
        assert_eq!(count(&["gout", "flu", "flu"], Some(&[0, 1, 2])), Some(2));
        assert_eq!(count(&["gout", "gout", "plague"], None), Some(2));
    }
}
