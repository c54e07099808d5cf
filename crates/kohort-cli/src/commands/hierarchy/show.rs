//! `kohort hierarchy show`: the tree for human eyes, as much of it as eyes can take.

use std::fmt::Write;
use std::path::PathBuf;

use kohort::Error;
use kohort::data::{Hierarchy, Node};

use super::{count, stem, summary};
use crate::exit::ExitCode;
use crate::terminal::say;

/// Without `--depth`, whole levels are shown up to this many lines.
const LINES: usize = 120;
/// Children listed per group before the rest is only counted.
const CHILDREN: usize = 100;

/// Arguments of `kohort hierarchy show`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The hierarchy: ARX/anjana CSV, Amnesia text or mosaicrown JSON
    file: PathBuf,
    /// Levels below the root to print; as many as fit on a few screens otherwise
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
}

/// Prints the tree.
pub(super) fn run(args: &Args) -> Result<ExitCode, Error> {
    let hierarchy = kohort::input::read_hierarchy(&args.file, &stem(&args.file))?;
    say(&format!("{}: {}\n{}", args.file.display(), summary(&hierarchy), drawn(&hierarchy, args.depth)))?;
    Ok(ExitCode::SUCCESS)
}

fn drawn(h: &Hierarchy, depth: Option<u32>) -> String {
    let depth = depth.unwrap_or_else(|| fitting_depth(h));
    let children = h.children_lists();
    let mut text = String::new();
    let mut stack = vec![Line::Node(h.root())];
    while let Some(line) = stack.pop() {
        // Writing to a string cannot fail.
        let _ = match line {
            Line::Node(node) => writeln!(text, "{}{}", indent(h.depth(node)), title(h, node)),
            Line::Rest { depth, nodes, leaves } => {
                writeln!(text, "{}… {nodes} more ({})", indent(depth), count(leaves, "value"))
            }
        };
        if let Line::Node(node) = line
            && h.depth(node) < depth
        {
            push_children(h, &children[node as usize], &mut stack);
        }
    }
    if depth < h.height() {
        let _ =
            writeln!(text, "{depth} of {} shown; --depth N shows more", count(h.height().into(), "level"));
    }
    text
}

enum Line {
    Node(Node),
    Rest { depth: u32, nodes: usize, leaves: u64 },
}

/// Puts the children on the stack, first on top, and what is too much as one line below them.
fn push_children(h: &Hierarchy, children: &[Node], stack: &mut Vec<Line>) {
    let shown = if children.len() > CHILDREN + 1 { CHILDREN } else { children.len() };
    let (first, rest) = children.split_at(shown);
    if let Some(&next) = rest.first() {
        let leaves = rest.iter().map(|&c| h.leaves(c).len() as u64).sum();
        stack.push(Line::Rest { depth: h.depth(next), nodes: rest.len(), leaves });
    }
    stack.extend(first.iter().rev().map(|&c| Line::Node(c)));
}

/// The deepest level whose nodes fit, but at least one below the root.
fn fitting_depth(h: &Hierarchy) -> u32 {
    let mut per_level = vec![0usize; h.height() as usize + 1];
    (0..=h.root()).for_each(|n| per_level[h.depth(n) as usize] += 1);
    let sums = per_level.iter().scan(0, |sum, n| {
        *sum += n;
        Some(*sum)
    });
    (sums.take_while(|&sum| sum <= LINES).count() as u32).saturating_sub(1).max(1)
}

fn indent(depth: u32) -> String {
    "  ".repeat(depth as usize)
}

fn title(h: &Hierarchy, node: Node) -> String {
    let label = if h.label(node).is_empty() { "(missing)" } else { h.label(node) };
    if h.is_leaf(node) {
        label.to_owned()
    } else {
        format!("{label} ({})", count(h.leaves(node).len() as u64, "value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_trees_are_shown_whole() {
        let h =
            Hierarchy::from_paths("x", [vec!["a", "A", "*"], vec!["b", "A", "*"], vec!["", "*"]]).unwrap();
        assert_eq!(drawn(&h, None), "* (3 values)\n  A (2 values)\n    a\n    b\n  (missing)\n");
        assert_eq!(
            drawn(&h, Some(1)),
            "* (3 values)\n  A (2 values)\n  (missing)\n1 of 2 levels shown; --depth N shows more\n"
        );
    }

    #[test]
    fn huge_trees_are_cut_politely() {
        let paths = (0..50_000).map(|i| [format!("{i:05}"), format!("{:02}", i / 1000), "*".into()]);
        let text = drawn(&Hierarchy::from_paths("x", paths).unwrap(), None);
        assert_eq!(text.lines().count(), 52);
        let text = drawn(&Hierarchy::flat("x", (0..5000).map(|i| i.to_string())).unwrap(), None);
        assert!(text.ends_with("  … 4900 more (4900 values)\n"), "{text}");
    }
}
