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
                let too_wide = width.is_some_and(|largest| !is_within(hi - lo, largest));
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
