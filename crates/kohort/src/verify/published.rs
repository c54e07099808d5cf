//! What a published text claims about a value: read from the release alone, by any tool's notation.

use crate::data::{Attribute, Cell, Domain, Kind, Node, Numbers, Point, ROOT_LABEL, RangeLabel};
use crate::measure::Gauge;

/// The meaning of a published cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Published {
    /// A node of the hierarchy.
    Node(Node),
    /// All numbers between two ends, and the codes of the original's values among them.
    Range {
        /// The original's values inside, if any.
        codes: Option<Cell>,
        /// Lower end.
        lo: f64,
        /// Upper end.
        hi: f64,
    },
    /// No value was known.
    Missing,
    /// Says nothing.
    Any,
    /// No generalization of any value of the original.
    Unknown,
}

impl Published {
    /// Reads a published text of the attribute.
    pub fn read(attribute: &Attribute, text: &str) -> Self {
        match &attribute.domain {
            Domain::Tree(h) => match h.node(text) {
                Some(node) => Self::Node(node),
                None if text == ROOT_LABEL => Self::Any,
                None => Self::Unknown,
            },
            Domain::Interval(_) if text.is_empty() => Self::Missing,
            Domain::Interval(_) if text == ROOT_LABEL => Self::Any,
            Domain::Interval(n) => range(n, text),
        }
    }

    /// Reads an interval published as two columns.
    pub fn read_bounds(attribute: &Attribute, lo: &str, hi: &str) -> Self {
        match &attribute.domain {
            Domain::Interval(n) if lo.is_empty() && hi.is_empty() => {
                // Both "missing" and "anything" publish no ends; the wider claim is the safe reading.
                if n.has_missing() { Self::Any } else { Self::Missing }
            }
            Domain::Interval(n) => span(n, lo, hi),
            Domain::Tree(_) => Self::Unknown,
        }
    }

    /// Whether a value of the original may stand behind it.
    pub fn admits(&self, attribute: &Attribute, code: u32) -> bool {
        match (*self, &attribute.domain) {
            (Self::Node(node), Domain::Tree(h)) => h.leaves(node).contains(&code),
            (Self::Range { codes: Some(c), .. }, _) => c.lo <= code && code <= c.hi,
            (Self::Missing, Domain::Interval(n)) => code == n.len(),
            (Self::Any, _) => true,
            _ => false,
        }
    }

    /// Whether it tells less than a single value.
    pub fn is_generalized(&self, attribute: &Attribute) -> bool {
        match (*self, &attribute.domain) {
            (Self::Node(node), Domain::Tree(h)) => !h.is_leaf(node),
            (Self::Range { lo, hi, .. }, _) => lo < hi,
            (Self::Missing, _) => false,
            _ => true,
        }
    }

    /// What it costs under a measure.
    pub fn loss(&self, gauge: &Gauge) -> f64 {
        match *self {
            Self::Node(node) => gauge.node(node),
            Self::Range { codes, lo, hi } => gauge.range(codes, hi - lo),
            Self::Missing => 0.0,
            Self::Any | Self::Unknown => gauge.full(),
        }
    }
}

/// `37`, `[35, 38]`, and for numbers every spelling of [`RangeLabel`]: `[35, 38[`, `35-38`, `65+`.
fn range(n: &Numbers, text: &str) -> Published {
    if let Some(point) = Point::parse(n.kind(), text) {
        return between(n, point.position(), point.position());
    }
    if matches!(n.kind(), Kind::Date | Kind::Timestamp) {
        let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        return inner.and_then(|t| t.split_once(", ")).map_or(Published::Unknown, |(lo, hi)| span(n, lo, hi));
    }
    RangeLabel::parse(text).map_or(Published::Unknown, |label| labelled(n, label))
}

/// A range label. An open end leaves its own number out; one without bound reaches as far as the table does.
fn labelled(n: &Numbers, label: RangeLabel) -> Published {
    let inside = |code: &u32| label.contains(n.position(*code));
    let codes = n.between(label.low, label.high).and_then(|c| {
        let (lo, hi) = ((c.lo..=c.hi).find(inside)?, (c.lo..=c.hi).rev().find(inside)?);
        Some(Cell { lo, hi })
    });
    let end = |bound: f64, code: Option<u32>| {
        if bound.is_finite() { bound } else { code.map_or(0.0, |c| n.position(c)) }
    };
    let (lo, hi) = (end(label.low, codes.map(|c| c.lo)), end(label.high, codes.map(|c| c.hi)));
    Published::Range { codes, lo, hi }
}

fn span(n: &Numbers, lo: &str, hi: &str) -> Published {
    match (Point::parse(n.kind(), lo), Point::parse(n.kind(), hi)) {
        (Some(lo), Some(hi)) => between(n, lo.position(), hi.position()),
        _ => Published::Unknown,
    }
}

fn between(n: &Numbers, lo: f64, hi: f64) -> Published {
    if lo > hi { Published::Unknown } else { Published::Range { codes: n.between(lo, hi), lo, hi } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ages(values: &[&str]) -> Attribute {
        let texts: Vec<String> = values.iter().map(|&v| v.to_owned()).collect();
        let (numbers, _) = Numbers::order(Kind::Integer, &texts, None).unwrap();
        let counts = vec![1; numbers.code_count() as usize];
        Attribute::new("age", Domain::Interval(numbers), counts)
    }

    #[test]
    fn reads_the_notations_of_the_field() {
        let a = ages(&["-5", "20", "25", "30"]);
        let codes = |text| match Published::read(&a, text) {
            Published::Range { codes: Some(c), .. } => (c.lo, c.hi),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(codes("[20, 30]"), (1, 3));
        assert_eq!(codes("[20, 30["), (1, 2));
        assert_eq!(codes("20-30"), (1, 3));
        assert_eq!(codes("-5-25"), (0, 2));
        assert_eq!(codes("[-5, 20]"), (0, 1));
        assert_eq!(codes("25"), (2, 2));
        assert_eq!(codes("25+"), (2, 3));
        assert_eq!(codes("<25"), (0, 1));
        assert_eq!(Published::read(&a, "*"), Published::Any);
        assert_eq!(Published::read(&a, "thirty"), Published::Unknown);
        assert_eq!(Published::read(&a, "[30, 20]"), Published::Unknown);
    }

    #[test]
    fn a_text_admits_what_it_covers() {
        let a = ages(&["20", "25", "30", ""]);
        let p = Published::read(&a, "[20, 25]");
        assert!(p.admits(&a, 0) && p.admits(&a, 1) && !p.admits(&a, 2) && !p.admits(&a, 3));
        assert!(Published::read(&a, "*").admits(&a, 3));
        assert!(Published::read(&a, "").admits(&a, 3) && !Published::read(&a, "").admits(&a, 0));
    }

    #[test]
    fn a_tree_has_labels_and_the_label_that_says_nothing() {
        let tree = crate::data::Hierarchy::from_paths("a", [["a", "x", "all"], ["b", "x", "all"]]).unwrap();
        let place = Attribute::new("a", Domain::Tree(tree), vec![1, 1]);
        assert_eq!(Published::read(&place, "*"), Published::Any);
        assert_eq!(Published::read(&place, "y"), Published::Unknown);
        assert!(matches!(Published::read(&place, "x"), Published::Node(_)));
        assert_eq!(Published::read_bounds(&place, "a", "b"), Published::Unknown);
        let generalized = |text| Published::read(&place, text).is_generalized(&place);
        assert!(!generalized("a") && generalized("x") && generalized("*") && generalized("y"));
    }

    #[test]
    fn bounds_are_read_as_intervals() {
        let (all, some) = (ages(&["20", "25", "30"]), ages(&["20", ""]));
        let codes = |lo, hi| match Published::read_bounds(&all, lo, hi) {
            Published::Range { codes: Some(c), lo, hi } => Some((c.lo, c.hi, lo, hi)),
            _ => None,
        };
        assert_eq!(codes("20", "25"), Some((0, 1, 20.0, 25.0)));
        assert_eq!(codes("20", "20"), Some((0, 0, 20.0, 20.0)));
        for (lo, hi) in [("", "25"), ("20", ""), ("25", "20"), ("20", "many")] {
            assert_eq!(Published::read_bounds(&all, lo, hi), Published::Unknown, "{lo} to {hi}");
        }
        assert_eq!(Published::read_bounds(&all, "", ""), Published::Missing);
        assert_eq!(Published::read_bounds(&some, "", ""), Published::Any, "the wider claim");
    }

    #[test]
    fn a_single_value_is_not_generalized() {
        let age = ages(&["20", "25", ""]);
        let generalized = |text| Published::read(&age, text).is_generalized(&age);
        assert!(!generalized("20") && generalized("[20, 25]") && !generalized("") && generalized("*"));
    }
}
