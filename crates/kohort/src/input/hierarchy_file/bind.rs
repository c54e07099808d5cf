//! Where the values of a table stand in a hierarchy that ends in ranges.
//!
//! Many files stop at `[20, 30[` and leave the 37 to the reader. Binding attaches every number of the table below
//! the range that contains it, and returns what has no place so that the caller can say how many rows that is.

use crate::data::{Hierarchy, HierarchyBuilder, Node, RangeLabel, plain_number};
use crate::error::Result;

/// A hierarchy that knows the values of a table, as far as they have a place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The tree with numbers attached below their ranges.
    pub hierarchy: Hierarchy,
    /// Values without a place, in the order given.
    pub homeless: Vec<String>,
}

/// Attaches numbers that are not leaves themselves below the leaf range containing them.
///
/// Where ranges share a bound (`0,25` and `25,50`) the number goes to the range it starts, as in Amnesia. Ranges
/// without any value stay leaves. The missing value "" is treated like any other: give it a leaf or a place first.
pub fn bind(hierarchy: Hierarchy, values: &[String]) -> Result<Bound> {
    let ranges = Ranges::of(&hierarchy);
    let mut below: Vec<Vec<(f64, &str)>> = vec![Vec::new(); hierarchy.leaf_count() as usize];
    let mut homeless = Vec::new();
    let mut attached = false;
    for value in values.iter().filter(|v| hierarchy.leaf(v).is_none()) {
        match plain_number(value).and_then(|x| Some((x, ranges.leaf(x)?))) {
            Some((x, leaf)) => {
                below[leaf as usize].push((x, value));
                attached = true;
            }
            None => homeless.push(value.clone()),
        }
    }
    let hierarchy = if attached { grown(&hierarchy, values, below)? } else { hierarchy };
    Ok(Bound { hierarchy, homeless })
}

fn grown(hierarchy: &Hierarchy, values: &[String], below: Vec<Vec<(f64, &str)>>) -> Result<Hierarchy> {
    let in_table: rustc_hash::FxHashSet<&str> = values.iter().map(String::as_str).collect();
    let mut builder = HierarchyBuilder::new(hierarchy.name());
    for (leaf, mut numbers) in below.into_iter().enumerate() {
        let path = hierarchy.path(leaf as Node);
        let own =
            |label: &str| std::iter::once(label).chain(path.iter().copied()).map(str::to_owned).collect();
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
        if numbers.is_empty() {
            builder.path(leaf + 1, path.iter().map(|&l| l.to_owned()).collect());
        } else if in_table.contains(path[0]) {
            // The table holds both the range and numbers inside it: the range is a value, too.
            builder.path(leaf + 1, own(path[0]));
        }
        numbers.dedup_by_key(|(_, value)| *value);
        for (_, value) in numbers {
            builder.path(leaf + 1, own(value));
        }
    }
    builder.finish()
}

/// Leaf ranges by lower bound, the narrowest last among equals.
struct Ranges {
    sorted: Vec<(RangeLabel, Node)>,
    /// The greatest upper bound so far, which tells when to stop looking.
    reach: Vec<f64>,
}

impl Ranges {
    fn of(hierarchy: &Hierarchy) -> Self {
        let range = |leaf| Some((RangeLabel::parse(hierarchy.label(leaf))?, leaf));
        let mut sorted: Vec<_> = (0..hierarchy.leaf_count()).filter_map(range).collect();
        sorted.sort_by(|(a, _), (b, _)| a.low.total_cmp(&b.low).then(b.high.total_cmp(&a.high)));
        let further = |reach: &mut f64, (range, _): &(RangeLabel, Node)| {
            *reach = reach.max(range.high);
            Some(*reach)
        };
        let reach = sorted.iter().scan(f64::NEG_INFINITY, further).collect();
        Self { sorted, reach }
    }

    fn leaf(&self, x: f64) -> Option<Node> {
        let end = self.sorted.partition_point(|(range, _)| range.low <= x);
        let near = (0..end).rev().take_while(|&i| self.reach[i] >= x);
        near.map(|i| self.sorted[i]).find(|(range, _)| range.contains(x)).map(|(_, leaf)| leaf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(values: &[&str]) -> Vec<String> {
        values.iter().map(|&v| v.to_owned()).collect()
    }

    fn ages() -> Hierarchy {
        let paths =
            [["0,25", "0,50", "*"], ["25,50", "0,50", "*"], ["[50, 100[", "old", "*"], ["unknown", "?", "*"]];
        Hierarchy::from_paths("age", paths).unwrap()
    }

    #[test]
    fn numbers_find_their_range() {
        let bound = bind(ages(), &strings(&["37", "24.5", "25", "50", "unknown", "9", "9"])).unwrap();
        let h = &bound.hierarchy;
        assert_eq!(h.path(h.leaf("37").unwrap()), ["37", "25,50", "0,50", "*"]);
        assert_eq!(h.path(h.leaf("24.5").unwrap()), ["24.5", "0,25", "0,50", "*"]);
        assert_eq!(h.path(h.leaf("25").unwrap())[1], "25,50");
        assert_eq!(h.path(h.leaf("50").unwrap())[1], "[50, 100[");
        assert_eq!(h.path(h.leaf("unknown").unwrap()), ["unknown", "?", "*"]);
        assert_eq!((bound.homeless, h.leaf_count()), (vec![], 6));
    }

    #[test]
    fn all_values_without_a_place_are_returned() {
        let bound = bind(ages(), &strings(&["100", "x", "37", "", "-1", "0,50"])).unwrap();
        assert_eq!(bound.homeless, ["100", "x", "", "-1", "0,50"]);
    }

    #[test]
    fn a_hierarchy_that_has_all_values_is_left_alone() {
        let bound = bind(ages(), &strings(&["0,25", "unknown"])).unwrap();
        assert_eq!((bound.hierarchy, bound.homeless), (ages(), vec![]));
    }

    #[test]
    fn a_range_may_be_a_value_beside_its_numbers() {
        let bound = bind(ages(), &strings(&["0,25", "3"])).unwrap();
        let h = bound.hierarchy;
        assert!(h.leaf("0,25").is_some() && h.leaf("3").is_some());
        assert_eq!(h.lca(h.leaf("0,25").unwrap(), h.leaf("3").unwrap()), h.node("0,25").unwrap());
    }

    #[test]
    fn gaps_in_many_ranges_are_found_quickly() {
        let ranges = (0..20_000).map(|i| [format!("{}-{}", i * 10, i * 10 + 8), "*".to_owned()]);
        let h = Hierarchy::from_paths("n", ranges).unwrap();
        let values: Vec<String> = (0..20_000).map(|i| (i * 10 + 9).to_string()).collect();
        assert_eq!(bind(h, &values).unwrap().homeless.len(), 20_000);
    }
}
