//! Amnesia's text files, which hold no spaces, no empty labels and no label twice.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::data::{Hierarchy, Node, RangeLabel, plain_number};
use crate::error::{Error, Result};

/// Blocks from the lowest level up, as Amnesia writes them.
pub(super) fn text(h: &Hierarchy) -> Result<String> {
    let children = h.children_lists();
    let stands = |n: Node| !repeats(h, &children, n);
    let labels = labels_of(h, &stands)?;
    let bounds =
        |l: &String| l.contains(',') && !l.starts_with(['[', ']', '(']) && RangeLabel::parse(l).is_some();
    let ranges = labels.iter().flatten().all(bounds);
    let mut text = format!(
        "{}\nname {}\ntype {}\nheight {}\n",
        if ranges { "range" } else { "distinct" },
        h.name().split_whitespace().collect::<Vec<_>>().join("_"),
        value_type(h, ranges),
        h.height() + 1
    );
    for depth in (0..h.height()).rev() {
        text.push('\n');
        for node in (h.leaf_count()..=h.root()).filter(|&n| h.depth(n) == depth) {
            let Some(label) = &labels[node as usize] else { continue };
            let below = standing_children(&children, &stands, node);
            let words: Vec<_> = below.iter().filter_map(|&c| labels[c as usize].as_deref()).collect();
            if !words.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{label} has {}", words.join(" "));
            }
        }
    }
    Ok(text)
}

/// An only child with its parent's label: padding of balanced files, which Amnesia would take for a circle.
fn repeats(h: &Hierarchy, children: &[Vec<Node>], node: Node) -> bool {
    h.parent(node).is_some_and(|p| children[p as usize].len() == 1 && h.label(p) == h.label(node))
}

/// The children of a node, seen through those that merely repeat it.
fn standing_children<'a>(
    children: &'a [Vec<Node>],
    stands: &dyn Fn(Node) -> bool,
    mut node: Node,
) -> &'a [Node] {
    while let [only] = children[node as usize].as_slice() {
        if stands(*only) {
            break;
        }
        node = *only;
    }
    &children[node as usize]
}

/// The label of every node that is written; an error names those that Amnesia cannot hold.
fn labels_of(h: &Hierarchy, stands: &dyn Fn(Node) -> bool) -> Result<Vec<Option<String>>> {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let (mut labels, mut odd) = (vec![None; h.len()], Vec::new());
    for node in (0..h.len() as Node).filter(|&n| stands(n)) {
        let mut label = h.label(node).to_owned();
        if RangeLabel::parse(&label).is_some() {
            label.retain(|c| !c.is_whitespace());
        }
        let fits = !label.is_empty() && label != "has" && !label.contains(char::is_whitespace);
        if !fits || !seen.insert(label.clone()) {
            odd.push(format!("'{}'", h.label(node)));
        }
        labels[node as usize] = Some(label);
    }
    if odd.is_empty() {
        return Ok(labels);
    }
    let (shown, more) = (odd[..odd.len().min(5)].join(", "), if odd.len() > 5 { ", …" } else { "" });
    Err(Error::input(format!("{} labels do not fit an Amnesia file: {shown}{more}", odd.len()))
        .help("Amnesia needs labels that are not empty, hold no spaces and name one node; write CSV or JSON instead"))
}

fn value_type(h: &Hierarchy, ranges: bool) -> &'static str {
    let leaves = || (0..h.leaf_count()).map(|l| h.label(l));
    let whole = |l: &str| {
        RangeLabel::parse(l)
            .map_or_else(|| plain_number(l).is_some_and(is_whole), |r| is_whole(r.low) && is_whole(r.high))
    };
    if leaves().all(whole) {
        "int"
    } else if ranges || leaves().all(|l| plain_number(l).is_some()) {
        "decimal"
    } else {
        "string"
    }
}

fn is_whole(x: f64) -> bool {
    x.fract() == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amnesia_text_looks_as_amnesia_writes_it() {
        let h = Hierarchy::from_paths("age", [["0,25", "0,50"], ["25,50", "0,50"]]).unwrap();
        let text = super::text(&h).unwrap();
        assert_eq!(text, "range\nname age\ntype int\nheight 2\n\n0,50 has 0,25 25,50\n");
    }
}
