//! Which classes of two releases meet: a tree of boxes around boxes, asked once per class.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

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

/// Some classes, to be found by where they are.
pub(super) struct Tree<'a> {
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

impl Node {
    fn is_apart(&self, class: &Class) -> bool {
        let mut sides = self.around.iter().zip(&class.cells);
        sides.any(|(around, cell)| cell.lo > around.1 || cell.hi < around.0)
    }
}

impl<'a> Tree<'a> {
    fn new(classes: &'a [Class]) -> Self {
        Self::of(classes, (0..classes.len() as u32).collect())
    }

    /// Some of the classes, by number.
    pub(super) fn of(classes: &'a [Class], some: Vec<u32>) -> Self {
        Self { classes, root: (!some.is_empty()).then(|| node(classes, some)) }
    }

    fn met_by(&self, class: &Class) -> Vec<u32> {
        let mut met = Vec::new();
        self.each_met(class, &mut |other| {
            met.push(other);
            true
        });
        met.sort_unstable();
        met
    }

    /// Visits classes that meet this one, until the visitor has seen enough; says whether it has seen all.
    pub(super) fn each_met(&self, class: &Class, visit: &mut dyn FnMut(u32) -> bool) -> bool {
        let mut open = Vec::from_iter(&self.root);
        while let Some(node) = open.pop() {
            match &node.below {
                _ if node.is_apart(class) => {}
                Below::Nodes(both) => open.extend(both.iter()),
                Below::Classes(some) => {
                    let mut met = some.iter().filter(|&&other| self.classes[other as usize].meets(class));
                    if !met.all(|&other| visit(other)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Visits classes that may be around this one, and some others, until the visitor has seen enough; says whether it has seen all.
    pub(super) fn each_around(&self, class: &Class, visit: &mut dyn FnMut(u32) -> bool) -> bool {
        let mut open = Vec::from_iter(&self.root);
        while let Some(node) = open.pop() {
            let mut sides = node.around.iter().zip(&class.cells);
            match &node.below {
                // What is vague may be covered by anything that it meets.
                _ if sides.any(|(around, cell)| {
                    cell.hi < around.0
                        || cell.lo > around.1
                        || !cell.is_vague() && (cell.lo < around.0 || cell.hi > around.1)
                }) => {}
                Below::Nodes(both) => open.extend(both.iter()),
                Below::Classes(some) => {
                    if !some.iter().all(|&other| visit(other)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Takes the classes that meet this one, and were not taken before.
    pub(super) fn take_met(&self, class: &Class, taken: &mut Taken) -> Vec<u32> {
        let mut found = Vec::new();
        if let Some(root) = &self.root {
            self.take_below(root, 1, class, taken, &mut found);
        }
        found
    }

    /// Says whether nothing is left below a node. Nodes are numbered as in a heap: those below n are 2n and 2n + 1.
    fn take_below(
        &self,
        node: &Node,
        at: u64,
        class: &Class,
        taken: &mut Taken,
        found: &mut Vec<u32>,
    ) -> bool {
        if taken.nodes.contains(&at) {
            return true;
        }
        if node.is_apart(class) {
            return false;
        }
        let is_empty = match &node.below {
            Below::Nodes(both) => {
                let low = self.take_below(&both[0], 2 * at, class, taken, found);
                let high = self.take_below(&both[1], 2 * at + 1, class, taken, found);
                low && high
            }
            Below::Classes(some) => {
                for &other in some {
                    if self.classes[other as usize].meets(class) && taken.classes.insert(other) {
                        found.push(other);
                    }
                }
                some.iter().all(|other| taken.classes.contains(other))
            }
        };
        if is_empty {
            taken.nodes.insert(at);
        }
        is_empty
    }
}

/// Classes of a tree that were taken, and nodes with no others below.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) classes: FxHashSet<u32>,
    nodes: FxHashSet<u64>,
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
