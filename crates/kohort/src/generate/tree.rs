//! Hierarchies as they are written down in this room: each value once, inside its groups.

use crate::data::{Hierarchy, HierarchyBuilder, ROOT_LABEL};
use crate::error::Result;

/// A branch of a hierarchy. The order of leaves is the order of the columns of every table of weights.
#[derive(Debug)]
pub(super) enum Tree {
    /// A value.
    Leaf(&'static str),
    /// A group of values.
    Of(&'static str, &'static [&'static str]),
    /// A group of branches.
    Over(&'static str, &'static [Tree]),
}

/// The values, in the order they are written.
pub(super) fn leaves(trees: &'static [Tree]) -> Vec<&'static str> {
    let mut found = Vec::new();
    for tree in trees {
        match tree {
            Tree::Leaf(label) => found.push(*label),
            Tree::Of(_, labels) => found.extend_from_slice(labels),
            Tree::Over(_, inner) => found.append(&mut leaves(inner)),
        }
    }
    found
}

/// The branches below one root, as the hierarchy of a column.
pub(super) fn hierarchy(column: &str, trees: &[Tree]) -> Result<Hierarchy> {
    let mut builder = HierarchyBuilder::new(column);
    let mut line = 0;
    climb(trees, &[ROOT_LABEL], &mut |path| {
        line += 1;
        builder.path(line, path);
    });
    builder.finish()
}

/// Calls `visit` with the path of every leaf; `above` is what stands above these trees, the nearest first.
fn climb(trees: &[Tree], above: &[&'static str], visit: &mut impl FnMut(Vec<String>)) {
    let below = |label| std::iter::once(label).chain(above.iter().copied()).collect::<Vec<_>>();
    for tree in trees {
        match tree {
            Tree::Leaf(label) => visit(below(label).into_iter().map(str::to_owned).collect()),
            Tree::Of(group, labels) => {
                let above = below(group);
                for label in *labels {
                    visit(std::iter::once(label).chain(&above).map(|&l| l.to_owned()).collect());
                }
            }
            Tree::Over(group, inner) => climb(inner, &below(group), &mut *visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TREES: &[Tree] =
        &[Tree::Leaf("x"), Tree::Over("g", &[Tree::Of("h", &["a", "b"]), Tree::Leaf("c")])];

    #[test]
    fn what_is_written_is_what_is_built() {
        assert_eq!(leaves(TREES), ["x", "a", "b", "c"]);
        let h = hierarchy("letter", TREES).unwrap();
        assert_eq!(h.path(h.leaf("a").unwrap()), ["a", "h", "g", "*"]);
        assert_eq!(h.path(h.leaf("c").unwrap()), ["c", "g", "*"]);
        assert_eq!(h.path(h.leaf("x").unwrap()), ["x", "*"]);
        assert_eq!((h.leaf_count(), h.name()), (4, "letter"));
    }
}
