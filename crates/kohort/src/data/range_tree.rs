//! Trees of ranges: numbers as values, ranges of numbers above them, such as `37`, `35-39`, `30-39`, `*`.
//!
//! What such a node no longer tells is a matter of its width, as with intervals that nobody wrote a hierarchy for
//! (`algorithms.md` §1). Codes that look like numbers are told apart by their labels: above `41075` stands `410**`.

use super::{Hierarchy, Node, RangeLabel, plain_number};

/// The numbers between which a node's values lie; infinite where its label has no bound.
pub type Span = (f64, f64);

impl Hierarchy {
    /// Per node the numbers it stands for, where this is a tree of ranges: every value is a number, some label below the root
    /// is a range, and every range holds what lies below it. A node of another label reaches as far as what lies below it.
    /// Values that are no numbers have a place below the root, each by itself, and no span: `?`, or nothing at all.
    pub fn spans(&self) -> Option<Vec<Option<Span>>> {
        let mut spans: Vec<Option<Span>> = vec![None; self.len()];
        let mut has_range = false;
        for node in 0..self.root() {
            let at = node as usize;
            if self.is_leaf(node) {
                spans[at] = number(self.label(node)).map(|x| (x, x));
                if spans[at].is_none() && !self.stands_alone(node) {
                    return None;
                }
            } else if let Some(range) = RangeLabel::parse(self.label(node)) {
                let label = (range.low, range.high);
                let holds = |leaf: Node| spans[leaf as usize].is_some_and(|(x, _)| range.contains(x));
                if hull(spans[at], label) != label || !self.leaves(node).all(holds) {
                    return None;
                }
                (spans[at], has_range) = (Some(label), true);
            }
            if let Some(span) = spans[at] {
                let above = &mut spans[self.parent(node)? as usize];
                *above = Some(hull(*above, span));
            }
        }
        has_range.then_some(spans)
    }

    /// Whether nothing below the root covers the value and another one.
    fn stands_alone(&self, leaf: Node) -> bool {
        let above = std::iter::successors(self.parent(leaf), |&node| self.parent(node));
        above.into_iter().all(|node| node == self.root() || self.leaves(node).len() == 1)
    }
}

/// Whether labels are those of a tree of ranges, as far as they can tell: numbers and ranges of numbers, and some range.
pub fn are_ranges<'a>(labels: impl Iterator<Item = &'a str>) -> bool {
    let mut has_range = false;
    for label in labels {
        let has_code = label.split(|c: char| !c.is_ascii_digit() && c != '.').any(is_code);
        let is_range = RangeLabel::parse(label).is_some();
        if has_code || !is_range && plain_number(label).is_none() {
            return false;
        }
        has_range |= is_range;
    }
    has_range
}

fn hull(some: Option<Span>, more: Span) -> Span {
    some.map_or(more, |(low, high)| (low.min(more.0), high.max(more.1)))
}

/// A number that is no code: digits after a leading zero, such as those of the postcode 01234, are a name.
fn number(label: &str) -> Option<f64> {
    if is_code(label) { None } else { plain_number(label) }
}

fn is_code(label: &str) -> bool {
    label.len() > 1 && label.starts_with('0') && label.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(paths: &[&[&str]]) -> Option<Vec<(String, Option<Span>)>> {
        let h = Hierarchy::from_paths("x", paths.iter().map(|path| path.iter().copied())).unwrap();
        let of = |(node, span): (usize, Option<Span>)| (h.label(node as Node).to_owned(), span);
        h.spans().map(|spans| spans.into_iter().enumerate().map(of).collect())
    }

    fn span(paths: &[&[&str]], label: &str) -> Option<Span> {
        let found = spans(paths).unwrap_or_default();
        found.into_iter().rev().find(|(l, _)| l == label).and_then(|(_, span)| span)
    }

    #[test]
    fn labels_say_how_far_a_node_reaches() {
        let ages: &[&[&str]] = &[&["21", "20-24", "[20, 40[", "*"], &["37", "35-39", "[20, 40[", "*"]];
        assert_eq!(span(ages, "20-24"), Some((20.0, 24.0)));
        assert_eq!(span(ages, "[20, 40["), Some((20.0, 40.0)));
        assert_eq!(span(ages, "37"), Some((37.0, 37.0)));
        let open: &[&[&str]] = &[&["17", "<18", "*"], &["65", "65+", "*"], &["90", "65+", "*"]];
        assert_eq!(span(open, "65+"), Some((65.0, f64::INFINITY)));
    }

    #[test]
    fn words_reach_as_far_as_what_lies_below() {
        let ages: &[&[&str]] = &[&["2", "0-4", "young", "*"], &["11", "10-14", "young", "*"], &["40", "*"]];
        assert_eq!(span(ages, "young"), Some((0.0, 14.0)));
    }

    #[test]
    fn what_is_no_number_stands_alone() {
        let some: &[&[&str]] = &[&["2", "0-4", "*"], &["?", "?", "*"], &["", "*"]];
        assert_eq!(spans(some).map(|s| s.iter().filter(|(_, span)| span.is_none()).count()), Some(3));
        assert!(spans(&[&["2", "0-4", "*"], &["x", "y", "*"], &["z", "y", "*"]]).is_none());
    }

    #[test]
    fn codes_are_not_numbers() {
        assert!(spans(&[&["41075", "410**", "*"], &["41076", "410**", "*"]]).is_none());
        assert!(spans(&[&["01234", "01000-01999", "*"], &["01235", "01000-01999", "*"]]).is_none());
        assert!(spans(&[&["37", "young", "*"], &["70", "old", "*"]]).is_none());
        assert!(spans(&[&["20-24", "20-29", "*"], &["25-29", "20-29", "*"]]).is_none());
    }

    #[test]
    fn ranges_that_hold_not_all_below_them_are_words() {
        assert!(spans(&[&["37", "20-29", "*"], &["21", "20-29", "*"]]).is_none());
        assert!(spans(&[&["30", "[20, 30[", "*"], &["21", "[20, 30[", "*"]]).is_none());
        assert!(spans(&[&["21", "20-29", "20-25", "*"], &["22", "20-29", "20-25", "*"]]).is_none());
    }

    #[test]
    fn published_labels_tell_whether_they_are_ranges() {
        let are = |labels: &[&str]| are_ranges(labels.iter().copied());
        assert!(are(&["[20, 39]", "37"]) && are(&["20-29", "30-39"]) && are(&["[0.5, 1.5["]));
        assert!(
            !are(&["37", "38"]) && !are(&[]) && !are(&["20-29", "old"]) && !are(&["410**", "41000-41999"])
        );
        assert!(!are(&["01000-01999"]) && !are(&["01234", "1000-1999"]), "codes");
        assert!(!are(&["2022-01", "2022"]) && !are(&["2022-01-01"]), "dates");
    }
}
