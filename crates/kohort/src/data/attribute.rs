//! A quasi-identifier: its values, and what they can be generalized to.

use serde::{Deserialize, Serialize};

use super::{Boundary, Hierarchy, Numbers, ROOT_LABEL, Span};

/// A generalized value of one attribute: a hierarchy node (`lo == hi`), or an interval of value codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    /// First code of the interval, or the node.
    pub lo: u32,
    /// Last code of the interval, or the node.
    pub hi: u32,
}

/// What a value of the attribute can become.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Domain {
    /// Ancestors in a tree; codes are its leaves.
    Tree(Hierarchy),
    /// Smallest intervals; codes are ranks.
    Interval(Numbers),
}

/// A quasi-identifier of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attribute {
    /// Column name.
    pub name: String,
    /// What its values can become.
    pub domain: Domain,
    /// How many rows of the table have each code.
    pub counts: Vec<u32>,
    /// How much a loss here matters to the search, relative to the other attributes.
    pub weight: f64,
    /// How far its values may be generalized; `None` where all is allowed.
    #[serde(skip)]
    pub boundary: Option<Boundary>,
    /// What the steps between levels weigh in the distances of Li et al. 2006, where that was said: `(j, w)` is the step
    /// from level `j` up to `j - 1`, and level 1 is the root.
    pub level_weights: Vec<(u32, f64)>,
    /// Whether it was declared a category: then its numbers, if it has any, are names.
    pub is_category: bool,
    /// When it was named among the quasi-identifiers: rows are sorted by the column that was named first.
    pub place: u32,
}

impl Attribute {
    /// An attribute of weight 1 that may be generalized to anything.
    pub fn new(name: &str, domain: Domain, counts: Vec<u32>) -> Self {
        let name = name.to_owned();
        Self {
            name,
            domain,
            counts,
            weight: 1.0,
            boundary: None,
            level_weights: Vec::new(),
            is_category: false,
            place: 0,
        }
    }

    /// Number of codes a row can have.
    pub fn code_count(&self) -> u32 {
        match &self.domain {
            Domain::Tree(h) => h.leaf_count(),
            Domain::Interval(n) => n.code_count(),
        }
    }

    /// Number of different values that occur in the table.
    pub fn present(&self) -> usize {
        self.counts.iter().filter(|&&c| c > 0).count()
    }

    /// The value itself, not generalized.
    pub fn leaf(&self, code: u32) -> Cell {
        Cell { lo: code, hi: code }
    }

    /// The cell that says nothing.
    pub fn top(&self) -> Cell {
        match &self.domain {
            Domain::Tree(h) => self.leaf(h.root()),
            Domain::Interval(n) => Cell { lo: 0, hi: n.code_count().saturating_sub(1) },
        }
    }

    /// The smallest cell that covers both.
    #[inline]
    pub fn join(&self, a: Cell, b: Cell) -> Cell {
        match &self.domain {
            Domain::Tree(h) => self.leaf(h.lca(a.lo, b.lo)),
            Domain::Interval(n) => {
                let cell = Cell { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) };
                if n.is_any(cell) { self.top() } else { cell }
            }
        }
    }

    /// Whether the value lies in the cell.
    pub fn contains(&self, cell: Cell, code: u32) -> bool {
        match &self.domain {
            Domain::Tree(h) => h.leaves(cell.lo).contains(&code),
            Domain::Interval(_) => cell.lo <= code && code <= cell.hi,
        }
    }

    /// The value of a code as it is; a missing one is empty.
    pub fn value(&self, code: u32) -> &str {
        match &self.domain {
            Domain::Tree(h) => h.label(code),
            Domain::Interval(n) => n.label(code),
        }
    }

    /// Per node the numbers it stands for, where the column is one of numbers with a tree of ranges.
    pub fn spans(&self) -> Option<Vec<Option<Span>>> {
        match &self.domain {
            Domain::Tree(h) if !self.is_category => h.spans(),
            Domain::Tree(_) | Domain::Interval(_) => None,
        }
    }

    /// The text to publish for a cell. Missing stays empty.
    pub fn text(&self, cell: Cell) -> String {
        match &self.domain {
            Domain::Tree(h) => h.label(cell.lo).to_owned(),
            Domain::Interval(n) if n.is_missing(cell) => String::new(),
            Domain::Interval(n) if n.is_any(cell) => ROOT_LABEL.to_owned(),
            Domain::Interval(n) => n.text(cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    #[test]
    fn missing_and_present_join_to_anything() {
        let texts: Vec<String> = ["1", "2", "3", ""].map(str::to_owned).to_vec();
        let (numbers, _) = Numbers::order(Kind::Integer, &texts, None).unwrap();
        let a = Attribute::new("age", Domain::Interval(numbers), vec![1; 4]);
        let mixed = a.join(a.leaf(1), a.leaf(3));
        assert_eq!((mixed, a.text(mixed).as_str()), (a.top(), "*"));
        assert!(a.contains(mixed, 0) && a.contains(mixed, 3));
        assert_eq!(a.text(a.leaf(3)), "");
        assert_eq!(a.text(a.join(a.leaf(0), a.leaf(2))), "[1, 3]");
    }
}
