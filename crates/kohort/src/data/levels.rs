//! Levels of a column: so many steps up from the values, for algorithms that generalize whole columns at once.
//!
//! In an unbalanced tree a shallow value reaches the root before others do and stays there. So every cell of a level is
//! decided by the cell of the level below, and classes of equal cells only ever merge on the way up.

use super::{Attribute, Boundary, Cell, Domain, Numbers};

impl Attribute {
    /// The highest level: the height of the tree. An interval column has two levels, the value and the whole range.
    pub fn height(&self) -> u32 {
        match &self.domain {
            Domain::Tree(h) => h.height(),
            Domain::Interval(_) => 1,
        }
    }

    /// What a value becomes at a level.
    pub fn raised(&self, code: u32, level: u32) -> Cell {
        match &self.domain {
            Domain::Tree(h) => self.leaf((0..level).fold(code, |node, _| h.parent(node).unwrap_or(h.root()))),
            Domain::Interval(_) if level > 0 => self.top(),
            Domain::Interval(_) => self.leaf(code),
        }
    }

    /// The highest level at which none of the values goes beyond its boundary. The values themselves are always allowed.
    pub fn highest_allowed(&self, codes: impl IntoIterator<Item = u32>) -> u32 {
        if self.boundary.is_none() {
            return self.height();
        }
        let ceilings = self.ceilings();
        let highest = |code: u32| match &self.domain {
            Domain::Tree(h) => {
                let ceiling = ceilings.as_ref().map_or(h.root(), |c| c[code as usize]);
                // At the root a value stays where it is.
                if ceiling == h.root() { h.height() } else { h.depth(code) - h.depth(ceiling) }
            }
            // Of a missing value nothing can be lost.
            Domain::Interval(n) => u32::from(code >= n.len() || self.allows_range(n)),
        };
        codes.into_iter().map(highest).min().unwrap_or_else(|| self.height())
    }

    /// Whether the whole range stays within the limits of intervals.
    fn allows_range(&self, n: &Numbers) -> bool {
        let Some(Boundary::Line { cuts, .. }) = &self.boundary else { return true };
        if n.has_missing() || n.is_empty() {
            return false;
        }
        let top = self.top();
        let ((lo, hi), last) = (n.bounds(top), n.position(top.hi));
        let across = |&cut: &f64| lo < cut && (cut < hi || last >= cut);
        self.within_width(top) && !cuts.iter().any(across)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Hierarchy, Kind};
    use super::*;

    fn places(marked: &[&str]) -> Attribute {
        let paths = [vec!["a", "A", "AA", "*"], vec!["b", "A", "AA", "*"], vec!["c", "*"]];
        let h = Hierarchy::from_paths("place", paths).unwrap();
        let nodes = marked.iter().map(|m| h.node(m).unwrap()).collect();
        Attribute {
            boundary: Some(Boundary::Nodes(nodes)),
            ..Attribute::new("place", Domain::Tree(h), vec![1; 3])
        }
    }

    #[test]
    fn shallow_values_wait_at_the_root() {
        let place = places(&[]);
        let Domain::Tree(h) = &place.domain else { unreachable!() };
        let labels = |level| ["a", "c"].map(|v| h.label(place.raised(h.leaf(v).unwrap(), level).lo));
        assert_eq!((labels(0), labels(1), labels(2)), (["a", "c"], ["A", "*"], ["AA", "*"]));
        assert_eq!((labels(3), place.height()), (["*", "*"], 3));
    }

    #[test]
    fn the_lowest_ceiling_counts_among_the_values_that_occur() {
        let place = places(&["A", "c"]);
        let Domain::Tree(h) = &place.domain else { unreachable!() };
        let [a, c] = ["a", "c"].map(|v| h.leaf(v).unwrap());
        assert_eq!(place.highest_allowed([a]), 1);
        assert_eq!(place.highest_allowed([a, c]), 0);
        assert_eq!(places(&[]).highest_allowed([a, c]), 3);
    }

    #[test]
    fn the_whole_range_must_fit() {
        let texts = ["10", "17", "18"].map(str::to_owned);
        let (numbers, _) = Numbers::order(Kind::Integer, &texts, None).unwrap();
        let within = |cuts: &[f64], width| {
            let boundary = Some(Boundary::Line { cuts: cuts.to_vec(), width });
            let age = Attribute {
                boundary,
                ..Attribute::new("age", Domain::Interval(numbers.clone()), vec![1; 3])
            };
            age.highest_allowed(0..3) == 1
        };
        assert!(within(&[], Some(8.0)) && within(&[10.0, 19.0], None));
        assert!(!within(&[], Some(7.0)) && !within(&[18.0], None));
    }
}
