//! Which classes of two releases meet: a tree of boxes around boxes, asked once per class.

use rayon::prelude::*;

use super::classes::Class;

/// Classes that are looked at one by one.
const LEAF: usize = 8;

/// All pairs of classes that somebody may be in both of, ascending; none where there are more than so many.
pub(super) fn pairs(earlier: &[Class], later: &[Class], most: usize) -> Option<Vec<(u32, u32)>> {
    let tree = Tree::new(later);
    let mut all = Vec::new();
    // In stretches, so that it shows early that there are too many.
    for (stretch, part) in (0..).map(|at| at * STRETCH).zip(earlier.chunks(STRETCH)) {
        let met: Vec<Vec<u32>> = part.par_iter().map(|class| tree.met_by(class)).collect();
        for (this, met) in (stretch as u32..).zip(met) {
            all.extend(met.into_iter().map(|that| (this, that)));
        }
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

const STRETCH: usize = 1024;

struct Tree<'a> {
    classes: &'a [Class],
    root: Option<Node>,
}

/// The boxes below, and the smallest box around them.
struct Node {
    around: Vec<(u32, u32)>,
    below: Below,
}

enum Below {
    Nodes(Box<[Node; 2]>),
    Classes(Vec<u32>),
}

impl<'a> Tree<'a> {
    fn new(classes: &'a [Class]) -> Self {
        let all: Vec<u32> = (0..classes.len() as u32).collect();
        Self { classes, root: (!classes.is_empty()).then(|| node(classes, all)) }
    }

    fn met_by(&self, class: &Class) -> Vec<u32> {
        let (mut met, mut open) = (Vec::new(), Vec::from_iter(&self.root));
        while let Some(node) = open.pop() {
            let apart = node
                .around
                .iter()
                .zip(&class.cells)
                .any(|(around, cell)| cell.lo > around.1 || cell.hi < around.0);
            match &node.below {
                _ if apart => {}
                Below::Nodes(both) => open.extend(both.iter()),
                Below::Classes(some) => {
                    met.extend(some.iter().filter(|&&other| self.classes[other as usize].meets(class)));
                }
            }
        }
        met.sort_unstable();
        met
    }
}

/// Halves the classes where their middles are farthest apart, counted in different ones.
fn node(classes: &[Class], mut some: Vec<u32>) -> Node {
    let cells = |class: u32, dim: usize| classes[class as usize].cells[dim];
    let dims = classes[0].cells.len();
    let around = |dim: usize| {
        let ends = some.iter().map(|&class| cells(class, dim));
        ends.fold((u32::MAX, 0), |(lo, hi), cell| (lo.min(cell.lo), hi.max(cell.hi)))
    };
    let around: Vec<(u32, u32)> = (0..dims).map(around).collect();
    let middle = |class: u32, dim: usize| u64::from(cells(class, dim).lo) + u64::from(cells(class, dim).hi);
    let spread = |&dim: &usize| {
        let mut middles: Vec<u64> = some.iter().map(|&class| middle(class, dim)).collect();
        middles.sort_unstable();
        middles.dedup();
        (middles.len(), std::cmp::Reverse(dim))
    };
    let widest = (0..dims).max_by_key(spread);
    let Some(dim) = widest.filter(|_| some.len() > LEAF) else {
        return Node { around, below: Below::Classes(some) };
    };
    some.sort_by_key(|&class| (middle(class, dim), class));
    let upper = some.split_off(some.len() / 2);
    let both = rayon::join(|| node(classes, some), || node(classes, upper));
    Node { around, below: Below::Nodes(Box::new([both.0, both.1])) }
}
