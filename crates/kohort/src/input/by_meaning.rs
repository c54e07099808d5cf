//! Values of a table that a hierarchy has in another spelling.

use rustc_hash::{FxHashMap, FxHashSet};

use super::infer;
use super::spelling::is_code;
use crate::data::{Hierarchy, Spelling, plain_number};

/// The leaves of a hierarchy by what their labels mean: who wrote it may write dates and numbers in another way than the table.
/// Only where there is one way to read either.
pub struct ByMeaning {
    of_texts: Spelling,
    leaves: FxHashMap<String, u32>,
}

impl ByMeaning {
    /// For a column of these values.
    pub fn new(hierarchy: &Hierarchy, texts: &[String]) -> Self {
        let labels: Vec<String> =
            (0..hierarchy.leaf_count()).map(|leaf| hierarchy.label(leaf).to_owned()).collect();
        let spelling =
            |texts: &[String]| if infer(texts).is_line() { Ok(Spelling::Plain) } else { Spelling::of(texts) };
        let (Ok(of_texts), Ok(of_labels)) = (spelling(texts), spelling(&labels)) else {
            return Self { of_texts: Spelling::Plain, leaves: FxHashMap::default() };
        };
        let mut leaves = FxHashMap::default();
        let mut twice = FxHashSet::default();
        for (leaf, label) in (0..).zip(&labels).filter(|(_, label)| !label.is_empty()) {
            let meaning = meaning(&of_labels, label);
            if leaves.insert(meaning.clone(), leaf).is_some() {
                twice.insert(meaning);
            }
        }
        // Of two leaves that mean the same only the table itself says which.
        leaves.retain(|meaning, _| !twice.contains(meaning));
        Self { of_texts, leaves }
    }

    /// The leaf that means the same as a value of the column.
    pub fn leaf(&self, text: &str) -> Option<u32> {
        self.leaves.get(&meaning(&self.of_texts, text)).copied()
    }
}

/// What a text means, in one spelling for all: 17 and 17.0 are one number, and 017 is a code.
fn meaning(spelling: &Spelling, text: &str) -> String {
    let text = spelling.meaning(text).unwrap_or_else(|| text.to_owned());
    match plain_number(&text) {
        Some(number) if !is_code(&text) && number.abs() < EXACT => number.to_string(),
        _ => text,
    }
}

/// Up to here every whole number is one of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_another_spelling_and_codes_are_not() {
        let path = |leaf: &str| vec![leaf.to_owned(), "*".to_owned()];
        let tree = Hierarchy::from_paths("age", ["17", "18.5", "-3", "042"].map(path).to_vec()).unwrap();
        let texts = ["17.0", "18.50", "-3.0", "42", "17.5"].map(str::to_owned);
        let by_meaning = ByMeaning::new(&tree, &texts);
        let found =
            texts.each_ref().map(|text| by_meaning.leaf(text).map(|leaf| tree.label(leaf).to_owned()));
        assert_eq!(
            found.each_ref().map(Option::as_deref),
            [Some("17"), Some("18.5"), Some("-3"), None, None]
        );
    }
}
