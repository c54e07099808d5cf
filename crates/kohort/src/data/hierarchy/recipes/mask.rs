//! Codes whose prefix (or suffix) says where they belong: 41075, 4107*, 410**, …, `*`.

use std::cmp::Reverse;

use crate::data::{Hierarchy, ROOT_LABEL};
use crate::error::{Error, Result};

/// The end of a code that is hidden first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MaskSide {
    /// Postal codes, dates, diagnosis codes: the end is the detail.
    Right,
    /// Numbers whose end is the group, such as a check of the last digits.
    Left,
}

/// Hides one more character per level, at most `levels`, with `mark` in its place.
///
/// A code with no character left to show is the root, so short codes have short paths.
///
/// ```
/// use kohort::data::recipes::{MaskSide, mask};
/// let h = mask("zip", &["41075".into(), "41076".into()], MaskSide::Right, 5, '*')?;
/// assert_eq!(h.path(0), ["41075", "4107*", "410**", "41***", "4****", "*"]);
/// # Ok::<(), kohort::Error>(())
/// ```
pub fn mask(name: &str, values: &[String], side: MaskSide, levels: u32, mark: char) -> Result<Hierarchy> {
    if levels == 0 {
        return Err(Error::job("a mask needs at least one level, 0 given")
            .in_hierarchy_of(name)
            .help("levels is the number of characters that may be hidden, 5 for a five-digit code"));
    }
    let mut sorted: Vec<&String> = values.iter().collect();
    sorted.sort_by_key(|v| (Reverse(v.chars().count()), *v));
    Hierarchy::from_paths(name, sorted.into_iter().map(|v| path(v, side, levels as usize, mark)))
}

fn path(value: &str, side: MaskSide, levels: usize, mark: char) -> Vec<String> {
    let letters: Vec<char> = value.chars().collect();
    let steps = levels.min(letters.len().saturating_sub(1));
    let groups = (1..=steps).map(|hidden| masked(&letters, side, hidden, mark));
    std::iter::once(value.to_owned()).chain(groups).chain([ROOT_LABEL.to_owned()]).collect()
}

fn masked(letters: &[char], side: MaskSide, hidden: usize, mark: char) -> String {
    let hides = |i: usize| match side {
        MaskSide::Right => i + hidden >= letters.len(),
        MaskSide::Left => i < hidden,
    };
    letters.iter().enumerate().map(|(i, &c)| if hides(i) { mark } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::contract::{holds, path, strings};
    use super::*;

    #[test]
    fn both_sides_and_few_levels() {
        let values = strings(["41075", "41076", "48201"]);
        let h = mask("zip", &values, MaskSide::Right, 2, '*').unwrap();
        holds(&h, &values);
        assert_eq!(path(&h, "41076"), ["41076", "4107*", "410**", "*"]);
        let h = mask("zip", &values, MaskSide::Left, 3, 'X').unwrap();
        holds(&h, &values);
        assert_eq!(path(&h, "41076"), ["41076", "X1076", "XX076", "XXX76", "*"]);
    }

    #[test]
    fn ragged_codes_end_early_and_letters_count_not_bytes() {
        let values = strings(["41075", "410", "ÄÖ", "7", "", "*", "4107*"]);
        let h = mask("code", &values, MaskSide::Right, 9, '*').unwrap();
        holds(&h, &values);
        assert_eq!(path(&h, "410"), ["410", "41*", "4**", "*"]);
        assert_eq!(path(&h, "ÄÖ"), ["ÄÖ", "Ä*", "*"]);
        assert_eq!(path(&h, "7"), ["7", "*"]);
        assert_eq!(path(&h, ""), ["", "*"]);
    }

    #[test]
    fn fifty_thousand_codes_are_no_trouble() {
        let values = strings((0..50_000).map(|i| format!("{i:05}")));
        holds(&mask("zip", &values, MaskSide::Right, 5, '*').unwrap(), &values);
    }

    #[test]
    fn no_levels_are_refused() {
        assert!(matches!(mask("zip", &strings(["1"]), MaskSide::Right, 0, '*'), Err(Error::Job(_))));
    }
}
