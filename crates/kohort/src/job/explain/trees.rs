//! Trees that a column could have instead of its own.

use crate::data::recipes::nested;
use crate::data::{Hierarchy, Kind, Node, Role};
use crate::error::Result;
use crate::input::{TableSource, combinations, encode};
use crate::job::roles::Roles;

/// About so many of the finest ranges make the whole range.
const RANGES: f64 = 20.0;

/// From so many nodes below the root on, a level between may help.
const FEW: usize = 4;

/// So many other columns are looked at.
const COLUMNS: usize = 40;

/// Widths of nested ranges that people like: 5, 10, 20 or 1, 2, 4, and these times powers of ten.
pub(super) fn widths(range: f64, kind: Kind) -> Option<Vec<f64>> {
    if !(range.is_finite() && range > 0.0) {
        return None;
    }
    let ideal = range / RANGES;
    let power = 10f64.powi(ideal.log10().floor() as i32);
    let finest = [1.0, 5.0, 10.0].map(|times| times * power).into_iter().min_by(|a, b| {
        let far = |width: f64| (width / ideal).ln().abs();
        far(*a).total_cmp(&far(*b))
    })?;
    // A range of one whole number is that number.
    let finest = if kind == Kind::Integer { finest.max(2.0) } else { finest };
    let widths = [1.0, 2.0, 4.0].map(|times| one_digit(times * finest)).into_iter();
    let widths: Vec<f64> = widths.filter(|width| *width < range).collect();
    (!widths.is_empty()).then_some(widths)
}

/// The number of one digit that this is but for rounding.
fn one_digit(x: f64) -> f64 {
    format!("{x:.0e}").parse().unwrap_or(x)
}

/// The tree with a level more below its root: nodes that follow one another in groups of about equally many. With how many nodes
/// and groups there are.
pub(super) fn one_level_more(tree: &Hierarchy) -> Option<(Hierarchy, usize, usize)> {
    let below: Vec<Node> = tree.children_lists().swap_remove(tree.root() as usize);
    let below: Vec<Node> = below.into_iter().filter(|&node| !tree.label(node).is_empty()).collect();
    if below.len() < FEW {
        return None;
    }
    let groups = (below.len() as f64).sqrt().round() as usize;
    let size = below.len().div_ceil(groups.max(2));
    let group_of = |leaf: Node| below.iter().position(|&node| tree.contains(node, leaf)).map(|at| at / size);
    let path = |leaf: Node| {
        let mut path: Vec<String> = tree.path(leaf).into_iter().map(str::to_owned).collect();
        if let (Some(group), Some(root)) = (group_of(leaf), path.pop()) {
            path.push(format!("{root} / {}", group + 1));
            path.push(root);
        } else {
            path.push(tree.label(tree.root()).to_owned());
        }
        path
    };
    let more = Hierarchy::from_paths(tree.name(), (0..tree.leaf_count()).map(path)).ok()?;
    Some((more, below.len(), below.len().div_ceil(size)))
}

/// The columns that lie above a column in the table itself, with the tree of them; none where there are none. Columns that
/// nobody may learn, or that name people, are not looked at.
pub(super) fn in_the_table(
    source: &dyn TableSource,
    roles: &Roles,
    name: &str,
) -> Result<Option<(Vec<String>, Hierarchy)>> {
    let open = [Role::QuasiIdentifier, Role::Keep, Role::Drop];
    let at = source.column(name)?;
    let others = (0..roles.of.len()).filter(|&column| column != at && open.contains(&roles.of[column]));
    let numbers: Vec<usize> = std::iter::once(at).chain(others.take(COLUMNS)).collect();
    let mut columns = encode(source, &numbers)?;
    let own = columns.remove(0);
    let values = own.texts.len();
    let groups = |column: &crate::input::Column| column.texts.iter().filter(|text| !text.is_empty()).count();
    columns.retain(|column| groups(column) > 1 && 2 * groups(column) <= values);
    columns.sort_by_key(|column| std::cmp::Reverse(groups(column)));
    let (mut chain, mut found) = (vec![own], None);
    for column in columns {
        chain.push(column);
        let names: Vec<String> = chain.iter().map(|column| column.name.clone()).collect();
        match nested(&names, &combinations(&chain)) {
            Ok(tree) if tree.notes.is_empty() => found = Some((names, tree.hierarchy)),
            _ => {
                chain.pop();
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_round() {
        let of = |range, kind| widths(range, kind).unwrap();
        assert_eq!(of(90.0, Kind::Integer), [5.0, 10.0, 20.0]);
        assert_eq!(of(19.0, Kind::Integer), [2.0, 4.0, 8.0]);
        assert_eq!(of(3.0, Kind::Integer), [2.0]);
        assert_eq!(of(0.001, Kind::Decimal), [0.00005, 0.0001, 0.0002]);
        assert_eq!(of(1.0, Kind::Decimal).len(), 3);
        for range in [0.001, 0.7, 12.0, 99_999.0, 1e12] {
            let widths = of(range, Kind::Decimal);
            let tree = crate::data::recipes::ranges(
                "x",
                &["0".into()],
                &widths,
                0.0,
                crate::data::recipes::RangeOf::Decimal,
            );
            assert!(tree.is_ok(), "{range}: {widths:?}");
        }
        assert!(widths(0.0, Kind::Integer).is_none() && widths(1.0, Kind::Integer).is_none());
    }

    #[test]
    fn a_level_more_keeps_every_leaf() {
        let tree = Hierarchy::flat("x", ["a", "b", "c", "d", "e", "f", "g", "h", "i", ""]).unwrap();
        let (more, below, groups) = one_level_more(&tree).unwrap();
        assert_eq!((below, groups, more.leaf_count(), more.height()), (9, 3, 10, 2));
        assert_eq!(more.path(more.leaf("d").unwrap()), ["d", "* / 2", "*"]);
        assert_eq!(more.path(more.leaf("").unwrap()), ["", "*"]);
        assert!(one_level_more(&Hierarchy::flat("x", ["a", "b", "c"]).unwrap()).is_none());
    }
}
