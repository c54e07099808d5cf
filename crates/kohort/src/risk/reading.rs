//! Published texts as spans of whole numbers, the same numbers in all releases: what two cells say can then be compared.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use super::SeenRelease;
use crate::data::{Hierarchy, Kind, Point, ROOT_LABEL, RangeLabel};
use crate::error::Said;
use crate::input::Column;

/// How the texts of a quasi-identifier are to be read.
#[derive(Debug, Clone)]
pub enum Labels {
    /// Labels of a hierarchy.
    Tree(Box<Hierarchy>),
    /// Numbers, dates, ranges of them and words. Words exclude each other, except for those that are known to cover others
    /// (`*` covers everything); what they cover is not known.
    Words {
        /// Those that cover others.
        covering: BTreeSet<String>,
        /// Whether that is a guess, because nobody said what covers what.
        guessed: bool,
    },
    /// Middles of intervals and other texts that do not say what they cover.
    Unreadable,
}

/// What a cell covers, from one number to another. A vague one covers nobody knows what: it could cover anything, and be
/// covered by anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) lo: u32,
    pub(super) hi: u32,
    vague: bool,
}

impl Span {
    const ALL: Self = Self::of(0, u32::MAX);
    const VAGUE: Self = Self { vague: true, ..Self::ALL };

    pub(super) const fn of(lo: u32, hi: u32) -> Self {
        Self { lo, hi, vague: false }
    }

    /// Whether nobody knows what it covers.
    pub(super) fn is_vague(self) -> bool {
        self.vague
    }

    /// Whether somebody may be in both.
    pub(super) fn meets(self, other: Self) -> bool {
        self.lo <= other.hi && other.lo <= self.hi
    }

    /// Whether whoever is in the other may be said to be in this.
    pub(super) fn may_cover(self, other: Self) -> bool {
        self.vague || other.vague || self.lo <= other.lo && other.hi <= self.hi
    }
}

/// All releases, read.
pub(super) struct Read {
    /// Per release and quasi-identifier.
    pub(super) cells: Vec<Vec<Cells>>,
    /// What is known of a person.
    pub(super) known: Option<Vec<Span>>,
    /// What was supposed about texts.
    pub(super) guesses: Vec<Said>,
}

/// One quasi-identifier of one release: a number for every different text (or pair of texts) per row, and what it covers.
pub(super) struct Cells {
    pub(super) of_row: Vec<u32>,
    pub(super) spans: Vec<Span>,
}

/// What a text says.
#[derive(Debug, Clone, PartialEq)]
enum Says {
    Anything,
    Something,
    Between(f64, f64),
    Word(String),
}

/// Reads all quasi-identifiers of all releases.
pub(super) fn read(releases: &[SeenRelease], labels: &[Labels], known: &[Option<String>]) -> Read {
    let mut read =
        Read { cells: releases.iter().map(|_| Vec::new()).collect(), known: None, guesses: Vec::new() };
    let mut point = Vec::new();
    for (dim, labels) in labels.iter().enumerate() {
        let texts: Vec<Texts<'_>> = releases.iter().map(|r| Texts::of(&r.released.qi[dim])).collect();
        let mut said: Vec<Vec<Says>> =
            texts.iter().map(|t| t.different.iter().map(|&text| says(text, labels)).collect()).collect();
        let person =
            known.get(dim).cloned().flatten().map_or(Says::Anything, |text| says([&text, &text], labels));
        said.push(vec![person]);
        let spans = match labels {
            Labels::Tree(tree) => said.iter().map(|said| in_tree(said, tree)).collect(),
            Labels::Words { .. } | Labels::Unreadable => in_order(&said),
        };
        let words = said.iter().flatten().any(|s| matches!(s, Says::Word(word) if !word.is_empty()));
        if matches!(labels, Labels::Words { guessed: true, .. }) && words {
            let name = releases.first().and_then(|r| r.released.qi[dim].first()).map_or("", |c| &c.name);
            read.guesses.push(guess(name));
        }
        let mut spans: Vec<Vec<Span>> = spans;
        point.extend(spans.pop().and_then(|mut one| one.pop()));
        for ((cells, texts), spans) in read.cells.iter_mut().zip(texts).zip(spans) {
            cells.push(Cells { of_row: texts.of_row, spans });
        }
    }
    read.known = known.iter().any(Option::is_some).then_some(point);
    read
}

fn guess(name: &str) -> Said {
    format!("different labels of '{name}' were taken for groups that nobody is in both of; where some cover others, ‹hierarchies› says which").into()
}

/// The different texts of a quasi-identifier in one release.
struct Texts<'a> {
    of_row: Vec<u32>,
    different: Vec<[&'a str; 2]>,
}

impl<'a> Texts<'a> {
    fn of(columns: &'a [Column]) -> Self {
        match columns {
            [one] => Self {
                of_row: one.codes.iter().collect(),
                different: one.texts.iter().map(|text| [text.as_str(), text.as_str()]).collect(),
            },
            [low, high] => {
                let (mut number, mut different) = (FxHashMap::default(), Vec::new());
                let of_row = low.codes.iter().zip(high.codes.iter()).map(|pair| {
                    *number.entry(pair).or_insert_with(|| {
                        different.push([low.texts[pair.0 as usize].as_str(), &high.texts[pair.1 as usize]]);
                        different.len() as u32 - 1
                    })
                });
                Self { of_row: of_row.collect(), different }
            }
            _ => Self { of_row: Vec::new(), different: Vec::new() },
        }
    }
}

fn says([low, high]: [&str; 2], labels: &Labels) -> Says {
    match labels {
        Labels::Unreadable => Says::Something,
        _ if low != high => match (place(low), place(high)) {
            (Some(low), Some(high)) => Says::Between(low, high),
            _ => Says::Something,
        },
        _ if low == ROOT_LABEL => Says::Anything,
        Labels::Tree(_) => Says::Word(low.to_owned()),
        // A year that covers days is no number, and a mask covers what fits it, whatever that is.
        Labels::Words { covering, .. } if covering.contains(low) => Says::Something,
        Labels::Words { .. } => range(low)
            .unwrap_or_else(|| if low.contains('*') { Says::Something } else { Says::Word(low.to_owned()) }),
    }
}

/// A number, a date, or a range of them. Ends that are not part of a range are taken for part of it.
fn range(text: &str) -> Option<Says> {
    if let Some(at) = place(text) {
        return Some(Says::Between(at, at));
    }
    if let Some((low, high)) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')?.split_once(", "))
        && let (Some(low), Some(high)) = (place(low), place(high))
    {
        return Some(Says::Between(low, high));
    }
    RangeLabel::parse(text).map(|label| Says::Between(label.low, label.high))
}

fn place(text: &str) -> Option<f64> {
    Kind::LINES.into_iter().find_map(|kind| Point::parse(kind, text)).map(Point::position)
}

/// Nodes as their leaves, in depth-first order. A missing value comes after them.
fn in_tree(said: &[Says], tree: &Hierarchy) -> Vec<Span> {
    let missing = tree.leaf_count();
    let top = Span::of(0, missing);
    let span = |said: &Says| match said {
        Says::Anything => top,
        Says::Word(label) => match tree.node(label) {
            Some(node) if node == tree.root() => top,
            Some(node) => Span::of(tree.leaves(node).start, tree.leaves(node).end - 1),
            None if label.is_empty() => Span::of(missing, missing),
            None => Span::VAGUE,
        },
        Says::Something | Says::Between(..) => Span::VAGUE,
    };
    said.iter().map(span).collect()
}

/// Ends of ranges by their order, then words.
fn in_order(said: &[Vec<Says>]) -> Vec<Vec<Span>> {
    let mut ends: Vec<f64> = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for said in said.iter().flatten() {
        match said {
            Says::Between(lo, hi) => ends.extend([*lo, *hi]),
            Says::Word(word) => words.push(word),
            Says::Anything | Says::Something => {}
        }
    }
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    words.sort_unstable();
    words.dedup();
    let end = |x: f64| ends.partition_point(|e| e.total_cmp(&x).is_lt()) as u32;
    let word = |text: &str| (ends.len() + words.partition_point(|w| *w < text)) as u32;
    let span = |said: &Says| match said {
        Says::Anything => Span::ALL,
        Says::Something => Span::VAGUE,
        Says::Between(lo, hi) => Span::of(end(*lo), end(*hi)),
        Says::Word(text) => Span::of(word(text), word(text)),
    };
    said.iter().map(|said| said.iter().map(span).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(covering: &[&str]) -> Labels {
        let covering = covering.iter().map(|&label| label.to_owned()).collect();
        Labels::Words { covering, guessed: false }
    }

    fn spans(texts: &[&str], labels: &Labels) -> Vec<Span> {
        let said: Vec<Says> = texts.iter().map(|text| says([text, text], labels)).collect();
        match labels {
            Labels::Tree(tree) => in_tree(&said, tree),
            _ => in_order(&[said]).remove(0),
        }
    }

    #[test]
    fn ranges_meet_and_cover() {
        let read = spans(&["[20, 30]", "25", "30-40", "*", "", "65+", "x"], &words(&[]));
        let [wide, inside, next, all, missing, open, word] = read[..] else { panic!("seven") };
        assert!(wide.meets(inside) && wide.may_cover(inside) && !inside.may_cover(wide));
        assert!(wide.meets(next) && !wide.may_cover(next) && !wide.meets(open));
        assert!(read.iter().all(|&span| all.may_cover(span) && all.meets(span)));
        assert!(!missing.meets(wide) && !missing.meets(open) && !word.meets(missing));
        assert!(!wide.may_cover(all));
    }

    #[test]
    fn labels_of_a_tree_are_their_leaves() {
        let paths =
            [["Wien", "Austria", "Europe"], ["Linz", "Austria", "Europe"], ["Rome", "Italy", "Europe"]];
        let tree = Labels::Tree(Box::new(Hierarchy::from_paths("town", paths).unwrap()));
        let read = spans(&["Wien", "Austria", "Rome", "Europe", "*", "", "Bern"], &tree);
        let [wien, austria, rome, europe, any, missing, bern] = read[..] else { panic!("seven") };
        assert!(austria.may_cover(wien) && !austria.meets(rome) && europe.may_cover(rome));
        assert!(europe.may_cover(any) && any.may_cover(europe) && europe.may_cover(missing));
        assert!(!austria.meets(missing));
        assert!(bern.meets(rome) && bern.may_cover(rome) && rome.may_cover(bern), "nobody knows what it is");
    }

    #[test]
    fn what_covers_others_could_be_anything() {
        let read =
            spans(&["Europe", "Wien", "Rome", "410**", "1990", "1991-05-01"], &words(&["Europe", "1990"]));
        assert!(read[0].meets(read[1]) && read[0].may_cover(read[2]) && !read[1].meets(read[2]));
        assert!(read[3].meets(read[1]) && read[4].meets(read[5]));
    }
}
