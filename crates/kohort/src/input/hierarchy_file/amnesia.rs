//! The text files of Amnesia: a few header lines, then `parent has child child …`, one level per block.
//!
//! ```text
//! range
//! name age
//! type int
//! height 2
//!
//! 0,100 has 0,50 50,100
//! ```
//!
//! Labels are separated by spaces and cannot contain any. The blocks carry no information that the lines do not,
//! so the tree is read from the lines alone, in any order.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Parsed;

const HEADERS: [&str; 3] = ["name", "type", "height"];

/// Whether the first block of lines is the header that Amnesia writes.
pub(super) fn looks_like(text: &str) -> bool {
    let block = || text.lines().skip_while(|l| l.trim().is_empty()).take_while(|l| !l.trim().is_empty());
    let header =
        |line: &str| first_word(line).is_some_and(|w| HEADERS.contains(&w.to_ascii_lowercase().as_str()));
    let kind = |line: &str| ["distinct", "range"].contains(&line.trim().to_ascii_lowercase().as_str());
    block().any(header) && block().all(|l| header(l) || kind(l))
}

/// Reads the lines below the header.
pub(super) fn parse(text: &str, name: &str) -> Parsed {
    let mut parsed = Parsed::new(name);
    let mut tree = Links::default();
    for (number, line) in body(text) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [parent, "has", children @ ..] => tree.link(number, parent, children, &mut parsed),
            _ => parsed.fatal(
                number,
                format!(
                    "'{}' is not of the form 'parent has child child'; labels hold no spaces",
                    line.trim()
                ),
            ),
        }
    }
    tree.paths(&mut parsed);
    parsed
}

fn first_word(line: &str) -> Option<&str> {
    line.split_whitespace().next()
}

/// Numbered lines that are neither blank nor header.
fn body(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(i, l)| (i + 1, l));
    numbered
        .skip_while(|(_, l)| l.trim().is_empty())
        .skip_while(|(_, l)| !l.trim().is_empty())
        .filter(|(_, l)| !l.trim().is_empty())
}

/// Who lies below whom, in order of first mention.
#[derive(Default)]
struct Links<'a> {
    parents: Vec<&'a str>,
    children: FxHashMap<&'a str, Vec<&'a str>>,
    above: FxHashMap<&'a str, (usize, &'a str)>,
}

impl<'a> Links<'a> {
    fn link(&mut self, line: usize, parent: &'a str, children: &[&'a str], parsed: &mut Parsed) {
        if !self.children.contains_key(parent) {
            self.parents.push(parent);
        }
        let list = self.children.entry(parent).or_default();
        for &child in children {
            if let Some((before, other)) = self.above.get(child) {
                parsed.fatal(
                    line,
                    format!("'{child}' lies below '{parent}' here and below '{other}' on line {before}"),
                );
                continue;
            }
            self.above.insert(child, (line, parent));
            list.push(child);
        }
    }

    /// Hands every leaf's path to the builder; what cannot be reached from a root lies on a circle.
    fn paths(&self, parsed: &mut Parsed) {
        let mut reached: FxHashSet<&str> = FxHashSet::default();
        let roots = self.parents.iter().copied().filter(|p| !self.above.contains_key(p));
        let mut stack: Vec<&str> = roots.collect();
        stack.reverse();
        while let Some(node) = stack.pop() {
            reached.insert(node);
            let below = self.children.get(node).map_or(&[][..], Vec::as_slice);
            stack.extend(below.iter().rev());
            if let (true, Some((line, _))) = (below.is_empty(), self.above.get(node)) {
                parsed.builder.path(*line, self.path(node));
            }
        }
        for parent in self.parents.iter().filter(|p| !reached.contains(**p)) {
            let line = self.above.get(parent).map_or(0, |(line, _)| *line);
            parsed.fatal(line, format!("'{parent}' lies below itself"));
        }
    }

    fn path(&self, leaf: &str) -> Vec<String> {
        let up = |node: &&str| self.above.get(node).map(|(_, parent)| *parent);
        std::iter::successors(Some(leaf), up).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Hierarchy;

    const ZIP: &str = "distinct\nname zip\ntype string\nheight 3\n\n410** has 41075 41076 \n482** has 48201 \n\n* has 410** 482** \n\n";

    #[test]
    fn distinct_values_are_read() {
        assert!(looks_like(ZIP));
        let h = parse(ZIP, "zip").builder.finish().unwrap();
        let paths = [["41075", "410**", "*"], ["41076", "410**", "*"], ["48201", "482**", "*"]];
        assert_eq!(h, Hierarchy::from_paths("zip", paths).unwrap());
    }

    #[test]
    fn ranges_keep_their_labels() {
        let text = "range\nname age\ntype int\nheight 3\n\n0,50 has 0,25 25,50 \n50,100 has 50,75 75,100\n\n0,100 has 0,50 50,100 \n";
        let h = parse(text, "age").builder.finish().unwrap();
        assert_eq!((h.leaf_count(), h.height(), h.label(h.root())), (4, 2, "0,100"));
        assert_eq!(h.path(h.leaf("75,100").unwrap()), ["75,100", "50,100", "0,100"]);
    }

    #[test]
    fn contradictions_circles_and_spaces_are_named() {
        let text = "distinct\nname x\n\n* has A B\nA has a b\nB has b\nC has D\nD has C\nNew York has c\n";
        let parsed = parse(text, "x");
        let all: Vec<_> = parsed.all_findings().into_iter().map(|f| (f.line, f.what)).collect();
        assert!(all.contains(&(6, "'b' lies below 'B' here and below 'A' on line 5".into())), "{all:?}");
        assert!(all.contains(&(8, "'C' lies below itself".into())), "{all:?}");
        assert!(all.iter().any(|(line, what)| *line == 9 && what.contains("no spaces")), "{all:?}");
    }

    #[test]
    fn a_table_of_words_is_not_amnesia() {
        assert!(!looks_like("distinct\nrange\n"));
        assert!(!looks_like("name;*\ntype;*\n"));
        assert!(!looks_like(""));
    }
}
