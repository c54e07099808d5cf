//! How far the values of a quasi-identifier may be generalized: the boundaries of Miller et al. 2008, for hierarchies and for
//! intervals.

use super::{Attribute, Cell, Domain, Hierarchy, Node, Numbers};

/// What the owner of a table allows a column to become at most.
#[derive(Debug, Clone, PartialEq)]
pub enum Boundary {
    /// Maximum allowed generalization values: a value may become its nearest marked ancestor (or itself, if marked), and
    /// nothing above it. Where no node on the way up is marked, the root is allowed (Miller et al. 2008, Definition 3).
    Nodes(Vec<Node>),
    /// Limits of intervals.
    Line {
        /// Ascending places on the line that no interval may reach across; a place belongs to what lies above it.
        cuts: Vec<f64>,
        /// The largest width of an interval.
        width: Option<f64>,
    },
}

/// Whether an interval is at most so wide: from 0.1 to 0.4 it is 0.3, however these are stored. What storing may add or take is
/// known from the ends. For whole numbers it is nothing, and a width of zero holds one number only, not two neighbours.
pub fn is_within((lo, hi): (f64, f64), largest: f64) -> bool {
    let is_exact = largest == 0.0 || (lo.fract() == 0.0 && hi.fract() == 0.0);
    let rounding = if is_exact { 0.0 } else { 2.0 * f64::EPSILON * lo.abs().max(hi.abs()).max(largest) };
    hi - lo <= largest + rounding
}

impl Attribute {
    /// One number per code, equal for the values that may meet in a cell as far as this boundary can tell: their MAGVal,
    /// or the stretch between two cuts. A missing number may meet nothing but its like, because the common cell would
    /// say nothing. `None` without a boundary.
    pub fn ceilings(&self) -> Option<Vec<u32>> {
        match (self.boundary.as_ref()?, &self.domain) {
            (Boundary::Nodes(marked), Domain::Tree(h)) => Some(magvals(h, marked)),
            (Boundary::Line { cuts, .. }, Domain::Interval(n)) => {
                let stretch = |code| cuts.partition_point(|&cut| cut <= n.position(code)) as u32;
                Some(with_missing(n, stretch, cuts.len() as u32 + 1))
            }
            _ => None,
        }
    }

    /// Whether an interval of these codes stays within the allowed width. True without such a boundary, and for missing
    /// values alone.
    pub fn within_width(&self, cell: Cell) -> bool {
        match (&self.boundary, &self.domain) {
            (Some(Boundary::Line { width: Some(_), .. }), Domain::Interval(n)) if cell.hi == n.len() => {
                n.is_missing(cell)
            }
            (Some(Boundary::Line { width: Some(width), .. }), Domain::Interval(n)) => {
                is_within(n.bounds(cell), *width)
            }
            _ => true,
        }
    }

    /// Whether intervals have a largest width.
    pub fn has_width(&self) -> bool {
        matches!(self.boundary, Some(Boundary::Line { width: Some(_), .. }))
    }

    /// The labels of the maximum allowed generalization values that the leaves have: `MAGSet` of Miller et al. 2008.
    pub fn magset(&self) -> Vec<&str> {
        let Domain::Tree(h) = &self.domain else { return Vec::new() };
        let mut nodes = self.ceilings().unwrap_or_default();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.into_iter().map(|node| h.label(node)).collect()
    }
}

fn with_missing(n: &Numbers, stretch: impl Fn(u32) -> u32, missing: u32) -> Vec<u32> {
    (0..n.code_count()).map(|code| if code == n.len() { missing } else { stretch(code) }).collect()
}

/// The MAGVal of every leaf. Nodes below a marked one come before it, so going down from the root means going backwards.
fn magvals(h: &Hierarchy, marked: &[Node]) -> Vec<u32> {
    let mut allowed: Vec<Node> = vec![h.root(); h.len()];
    let mut is_marked = vec![false; h.len()];
    for &node in marked {
        is_marked[node as usize] = true;
    }
    for node in (0..h.root()).rev() {
        let above = h.parent(node).map_or(h.root(), |p| allowed[p as usize]);
        allowed[node as usize] = if is_marked[node as usize] { node } else { above };
    }
    allowed.truncate(h.leaf_count() as usize);
    allowed
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn location(marked: &[&str]) -> Attribute {
        let paths = [
            ["San Diego", "California", "West Coast", "US"],
            ["Los Angeles", "California", "West Coast", "US"],
            ["Seattle", "Washington", "West Coast", "US"],
            ["Wichita", "Kansas", "Midwest", "US"],
            ["Kansas City", "Kansas", "Midwest", "US"],
            ["Lincoln", "Nebraska", "Midwest", "US"],
        ];
        let h = Hierarchy::from_paths("location", paths).unwrap();
        let nodes = marked.iter().map(|m| h.node(m).unwrap()).collect();
        let boundary = Some(Boundary::Nodes(nodes));
        Attribute { boundary, ..Attribute::new("location", Domain::Tree(h), vec![1; 6]) }
    }

    #[test]
    fn widths_are_as_exact_as_the_numbers() {
        assert!(is_within((0.1, 0.4), 0.3) && !is_within((0.1, 0.4), 0.299_999_999_9));
        assert!(is_within((4e9, 6e9), 2e9) && !is_within((4e9, 6e9), 1_999_999_999.0));
        assert!(is_within((1e9 + 0.1, 1e9 + 0.3), 0.2) && !is_within((1e9 + 0.1, 1e9 + 0.3), 0.199_999));
        assert!(is_within((-0.7, -0.7), 0.0) && !is_within((-0.700_000_000_000_000_1, -0.7), 0.0));
    }

    #[test]
    fn the_nearest_marked_ancestor_wins() {
        let a = location(&["Midwest", "Kansas", "California"]);
        let Domain::Tree(h) = &a.domain else { unreachable!() };
        let allowed: Vec<&str> = a.ceilings().unwrap().into_iter().map(|node| h.label(node)).collect();
        assert_eq!(allowed, ["California", "California", "US", "Kansas", "Kansas", "Midwest"]);
        assert_eq!(location(&["Lincoln"]).magset(), ["Lincoln", "US"]);
    }

    fn ages(boundary: Boundary) -> Attribute {
        let texts = ["10", "17", "18", "40", ""].map(str::to_owned);
        let (numbers, _) = Numbers::order(Kind::Integer, &texts, None).unwrap();
        Attribute { boundary: Some(boundary), ..Attribute::new("age", Domain::Interval(numbers), vec![1; 5]) }
    }

    #[test]
    fn cuts_belong_to_what_lies_above_and_missing_stays_apart() {
        let cuts = Boundary::Line { cuts: vec![18.0, 65.0], width: None };
        assert_eq!(ages(cuts).ceilings().unwrap(), [0, 0, 1, 1, 3]);
        let width = Boundary::Line { cuts: Vec::new(), width: Some(7.0) };
        assert_eq!(ages(width).ceilings().unwrap(), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn width_counts_what_is_published() {
        let a = ages(Boundary::Line { cuts: Vec::new(), width: Some(7.0) });
        assert!(a.within_width(Cell { lo: 0, hi: 1 }) && !a.within_width(Cell { lo: 0, hi: 2 }));
    }
}
