//! Constraint violations (Miller et al. 2008, Definition 5), counted per cell: a value that is published as something its owner did
//! not allow it to become.
//!
//! What is allowed is worked out here from the definition, by walking up from the value; the cut that guides the search
//! does it another way.

use rayon::prelude::*;

use super::Published;
use super::classes::Classes;
use super::grouping::AS_IT_IS;
use super::loss::PublishedColumn;
use crate::data::{Attribute, Boundary, Cell, Domain, Hierarchy, Node, Numbers, Table, is_within};

/// Whether any column has a boundary.
pub(super) fn exist(table: &Table) -> bool {
    table.qi.iter().any(|q| q.attribute.boundary.is_some())
}

/// Violations when released row `i` comes from original row `order[i]`.
pub(super) fn by_row(
    table: &Table,
    classes: &Classes<'_>,
    columns: &[PublishedColumn<'_>],
    order: &[u32],
) -> u64 {
    if !exist(table) {
        return 0;
    }
    let rows = classes.of_row.par_iter().zip(order).filter(|(class, _)| **class < AS_IT_IS);
    rows.map(|(&class, &row)| beyond(table, columns, class as usize, row as usize)).sum()
}

/// How many cells of a class violate the boundary of this original row.
pub(super) fn beyond(table: &Table, columns: &[PublishedColumn<'_>], class: usize, row: usize) -> u64 {
    let pairs = columns.iter().zip(&table.qi).filter(|(_, q)| q.attribute.boundary.is_some());
    let violates = pairs.filter(|(c, q)| is_beyond(&q.attribute, c.cells[class].0, q.codes.get(row)));
    violates.count() as u64
}

fn is_beyond(attribute: &Attribute, published: Published, code: u32) -> bool {
    match (&attribute.boundary, &attribute.domain) {
        (Some(Boundary::Nodes(marked)), Domain::Tree(h)) => above(h, marked, published, code),
        (Some(Boundary::Line { cuts, width }), Domain::Interval(n)) => match published {
            Published::Range { codes, lo, hi } => {
                let too_wide = width.is_some_and(|largest| !is_within((lo, hi), largest));
                too_wide || across(n, cuts, (lo, hi), codes, code)
            }
            // Of a value that is missing nothing can be lost.
            other => other == Published::Any && code < n.len(),
        },
        _ => false,
    }
}

/// Whether no node from the value up to its nearest marked ancestor reads like what is published.
fn above(h: &Hierarchy, marked: &[Node], published: Published, code: u32) -> bool {
    let text = match published {
        Published::Node(node) => h.label(node),
        Published::Any => h.label(h.root()),
        _ => return false,
    };
    let mut node = code;
    loop {
        if h.label(node) == text {
            return false;
        }
        match h.parent(node) {
            Some(parent) if !marked.contains(&node) => node = parent,
            _ => return true,
        }
    }
}

/// Whether an interval reaches into another stretch than its value's. It may end at the cut itself as long as no value of the
/// table lies there: on a grid, or where the end is left out (`[20, 30[`).
fn across(n: &Numbers, cuts: &[f64], (lo, hi): (f64, f64), codes: Option<Cell>, code: u32) -> bool {
    if code >= n.len() {
        return false;
    }
    let at = n.position(code);
    let below = cuts.iter().rev().find(|&&cut| cut <= at);
    let above = cuts.iter().find(|&&cut| cut > at);
    let holds = |cut: f64| codes.is_some_and(|c| c.hi < n.len() && n.position(c.hi) >= cut);
    let touches = |cut: f64| hi > cut || (!n.is_snapped() && holds(cut));
    below.is_some_and(|&cut| lo < cut) || above.is_some_and(|&cut| touches(cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Kind;

    fn attribute(domain: Domain, boundary: Boundary) -> Attribute {
        Attribute { boundary: Some(boundary), ..Attribute::new("a", domain, Vec::new()) }
    }

    /// Figure 2 of Miller et al. 2008, in part.
    #[test]
    fn a_node_above_the_marked_one_is_beyond() {
        let paths = [
            ["San Diego", "California", "West Coast", "USA"],
            ["Wichita", "Kansas", "Midwest", "USA"],
            ["Lincoln", "Nebraska", "Midwest", "USA"],
        ];
        let h = Hierarchy::from_paths("place", paths).unwrap();
        let node = |label: &str| h.node(label).unwrap();
        let marked = vec![node("California"), node("Kansas"), node("Midwest")];
        let place = attribute(Domain::Tree(h.clone()), Boundary::Nodes(marked));
        let beyond = |published: &str, city: &str| {
            is_beyond(&place, Published::Node(node(published)), h.leaf(city).unwrap())
        };
        assert!(!beyond("San Diego", "San Diego") && !beyond("California", "San Diego"));
        assert!(beyond("West Coast", "San Diego") && beyond("USA", "San Diego"));
        // The nearest marked node counts: Kansas for Wichita, the Midwest for Lincoln.
        assert!(
            beyond("Midwest", "Wichita") && !beyond("Midwest", "Lincoln") && !beyond("Nebraska", "Lincoln")
        );
        assert!(is_beyond(&place, Published::Any, h.leaf("Lincoln").unwrap()));
        assert!(
            !is_beyond(&place, Published::Unknown, h.leaf("Lincoln").unwrap()),
            "that is no generalization"
        );
    }

    fn ages(snap: Option<f64>) -> Numbers {
        let texts = ["20", "25", "30", "40", ""].map(str::to_owned);
        Numbers::order(Kind::Integer, &texts, snap.map(Into::into)).unwrap().0
    }

    fn shown(n: &Numbers, lo: f64, hi: f64) -> Published {
        Published::Range { codes: n.between(lo, hi), lo, hi }
    }

    #[test]
    fn an_interval_is_beyond_if_it_is_too_wide() {
        let n = ages(None);
        let age = attribute(Domain::Interval(n.clone()), Boundary::Line { cuts: vec![], width: Some(10.0) });
        assert!(!is_beyond(&age, shown(&n, 20.0, 30.0), 1) && is_beyond(&age, shown(&n, 20.0, 31.0), 1));
        assert!(is_beyond(&age, Published::Any, 0) && is_beyond(&age, Published::Any, 3));
        assert!(!is_beyond(&age, Published::Any, 4), "of a missing value nothing can be lost");
        assert!(!is_beyond(&age, Published::Missing, 4) && !is_beyond(&age, Published::Missing, 0));
    }

    #[test]
    fn an_interval_is_beyond_if_it_reaches_across_a_cut() {
        let n = ages(None);
        let cuts = Boundary::Line { cuts: vec![25.0, 35.0], width: None };
        let age = attribute(Domain::Interval(n.clone()), cuts.clone());
        let beyond = |lo, hi, code| is_beyond(&age, shown(&n, lo, hi), code);
        // 20 | 25 30 | 40: a cut belongs to what is above it.
        assert!(!beyond(20.0, 24.0, 0) && beyond(20.0, 25.0, 0) && beyond(20.0, 30.0, 0));
        assert!(!beyond(25.0, 30.0, 1) && !beyond(25.0, 34.0, 2) && !beyond(25.0, 35.0, 2));
        assert!(beyond(24.0, 30.0, 1) && beyond(25.0, 36.0, 1) && beyond(20.0, 30.0, 2));
        assert!(!beyond(35.0, 40.0, 3) && !beyond(40.0, 90.0, 3) && beyond(30.0, 40.0, 3));
        assert!(!beyond(20.0, 40.0, 4), "a missing value is on neither side");
        // On a grid, an end that was moved to the cut is not a value.
        let n = ages(Some(5.0));
        let age = attribute(Domain::Interval(n.clone()), cuts);
        assert!(!is_beyond(&age, shown(&n, 20.0, 25.0), 0) && is_beyond(&age, shown(&n, 20.0, 30.0), 0));
    }
}
