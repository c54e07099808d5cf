//! Values of a table that a hierarchy has in another spelling.

use rustc_hash::{FxHashMap, FxHashSet};

use super::infer;
use crate::data::{Hierarchy, Spelling};

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
            let meaning = of_labels.meaning(label).unwrap_or_else(|| label.clone());
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
        let meaning = self.of_texts.meaning(text);
        self.leaves.get(meaning.as_deref().unwrap_or(text)).copied()
    }
}
