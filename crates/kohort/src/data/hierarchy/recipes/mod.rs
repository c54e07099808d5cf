//! Hierarchies made from the values of a column, for those who have no file.
//!
//! Every builder is a pure function from distinct values to a tree that ends in the single root `*`: each value
//! is a leaf exactly once, and every step up covers at least what the step below covered. The missing value ""
//! belongs to no range, date or prefix and stands directly below the root.
//!
//! A label of a mask, a range or a date is made from the value it stands for and from what was asked, and from nobody
//! else's value; how ranges are written follows from the type of the column, as it is said ([`RangeOf`]). Only a balanced tree
//! looks at the other people in the table ([`Recipe::is_made_from_data`]). A public tree has its groups from public facts that
//! come with the library.

use crate::data::ROOT_LABEL;
use crate::error::Error;

mod balanced;
mod columns;
mod dates;
mod mask;
mod public;
mod ranges;
mod round;
mod spec;

pub use balanced::{balanced, groups_of_words};
pub use columns::{Combinations, Nested, nested};
pub use dates::{DateLevel, dates};
pub use mask::{MaskSide, mask};
pub use public::{PublicFacts, PublicTree, public};
pub use ranges::{RangeOf, ranges};
pub use spec::{HierarchySpec, Recipe};

/// How many offending values a message shows before it only counts.
const SHOWN: usize = 5;

/// The path of a value that no group below the root can hold.
fn below_root(value: &str) -> Vec<String> {
    vec![value.to_owned(), ROOT_LABEL.to_owned()]
}

/// An error that shows a few of the values that do not fit and counts all.
fn misfits(name: &str, values: &[&str], expected: &str) -> Error {
    let shown: Vec<_> = values.iter().take(SHOWN).map(|v| format!("'{v}'")).collect();
    let more = if values.len() > SHOWN { ", …" } else { "" };
    let noun = if values.len() == 1 { "value is" } else { "values are" };
    Error::input(format!("{} {noun} not {expected}: {}{more}", values.len(), shown.join(", ")))
        .in_hierarchy_of(name)
}

#[cfg(test)]
mod contract {
    //! What every builder promises, checked in each builder's tests.

    use crate::data::{Hierarchy, ROOT_LABEL};

    pub(super) fn strings<S: ToString>(values: impl IntoIterator<Item = S>) -> Vec<String> {
        values.into_iter().map(|v| v.to_string()).collect()
    }

    pub(super) fn path(h: &Hierarchy, leaf: &str) -> Vec<String> {
        strings(h.path(h.leaf(leaf).unwrap()))
    }

    /// Every value is a leaf, every leaf a value, exactly once; each step up covers more or the same; one root `*`.
    pub(super) fn holds(h: &Hierarchy, values: &[String]) {
        let mut leaves: Vec<_> = (0..h.leaf_count()).map(|l| h.label(l).to_owned()).collect();
        let mut values = values.to_vec();
        leaves.sort();
        values.sort();
        assert_eq!(leaves, values);
        assert_eq!(h.label(h.root()), ROOT_LABEL);
        for node in 0..h.root() {
            let (below, above) = (h.leaves(node), h.leaves(h.parent(node).unwrap()));
            assert!(above.start <= below.start && below.end <= above.end);
            assert_eq!(h.depth(node), h.depth(h.parent(node).unwrap()) + 1);
        }
    }
}
