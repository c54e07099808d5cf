//! Frequency sets: what becomes of the rows while levels are fixed one column after the other.
//!
//! A frame knows the levels of the first columns; the others are still as fine as they are. Raising the next column turns it
//! into a smaller frame, by adding up: the rollup of LeFevre et al. 2005. Nothing is ever counted from the rows again.

use rustc_hash::FxHashMap;

use super::lattice::Lattice;

/// Up to how many possible keys numbers are kept in a table instead of a map: 16 MiB.
const DENSE: u64 = 1 << 22;

/// Rows that agree in the classes fixed so far and in all that is not fixed yet.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The class, as far as it is fixed.
    pub(super) class: u32,
    /// The number of everything that is not fixed yet.
    pub(super) rest: u32,
    /// How many rows.
    pub(super) rows: u32,
}

/// The rows at the levels fixed so far.
pub(super) struct Frame {
    /// How many columns are fixed.
    pub(super) depth: usize,
    /// How many classes there are, as if all other columns were at the root.
    pub(super) classes: u32,
    pub(super) entries: Vec<Entry>,
}

impl Frame {
    /// The rows before any level is fixed. Groups are distinct, so each is a rest of its own.
    pub(super) fn start(lattice: &Lattice<'_>) -> Self {
        let groups = lattice.space.groups();
        let entry = |g: usize| Entry { class: 0, rest: g as u32, rows: groups.rows(g).len() as u32 };
        Self { depth: 0, classes: 1, entries: (0..groups.len()).map(entry).collect() }
    }
}

/// What rests consist of at one depth.
struct Depth {
    /// Per rest: the value of the column that is fixed next.
    head: Vec<u32>,
    /// Per rest: what is left after that, at the next depth.
    tail: Vec<u32>,
    /// Per rest: its combination of sensitive values.
    secret: Vec<u32>,
}

/// All rests, by the number of columns that are fixed.
pub(super) struct Rests(Vec<Depth>);

impl Rests {
    /// Numbers for everything that can be left, from the last column to the first. Equal combinations of sensitive values
    /// are what is left in the end.
    pub(super) fn new(lattice: &Lattice<'_>) -> Self {
        let space = lattice.space;
        let mut rest = secrets(lattice);
        let count = rest.iter().max().map_or(0, |&r| r + 1);
        let mut secret: Vec<u32> = (0..count).collect();
        let mut depths = vec![Depth { head: Vec::new(), tail: Vec::new(), secret: secret.clone() }];
        for &dim in lattice.order.iter().rev() {
            let (mut head, mut tail, mut of_rest) = (Vec::new(), Vec::new(), Vec::new());
            let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            for (rest, &code) in rest.iter_mut().zip(space.codes(dim)) {
                let was = *rest;
                *rest = *numbers.entry((code, was)).or_insert_with(|| {
                    head.push(code);
                    tail.push(was);
                    of_rest.push(secret[was as usize]);
                    head.len() as u32 - 1
                });
            }
            secret.clone_from(&of_rest);
            depths.push(Depth { head, tail, secret: of_rest });
        }
        depths.reverse();
        Self(depths)
    }

    /// How many rests there are at a depth.
    pub(super) fn count(&self, depth: usize) -> usize {
        self.0[depth].secret.len()
    }

    /// Per rest of a depth: the value of the next column, and what is left after that.
    pub(super) fn split(&self, depth: usize) -> (&[u32], &[u32]) {
        (&self.0[depth].head, &self.0[depth].tail)
    }

    /// Per rest of a depth: its combination of sensitive values.
    pub(super) fn secrets(&self, depth: usize) -> &[u32] {
        &self.0[depth].secret
    }

    /// Fixes the level of the next column.
    pub(super) fn roll(&self, lattice: &Lattice<'_>, frame: &Frame, level: u32, desk: &mut Desk) -> Frame {
        let now = &self.0[frame.depth];
        let tails = self.0[frame.depth + 1].secret.len() as u64;
        let (rung, width) = lattice.ladders[lattice.order[frame.depth]].rung(level);
        let raised = |e: &Entry| rung[now.head[e.rest as usize] as usize];
        desk.classes.begin(u64::from(frame.classes) * u64::from(width));
        let classes = (u64::from(frame.classes) * u64::from(width)).min(frame.entries.len() as u64);
        desk.merged.begin(classes * tails);
        let mut entries: Vec<Entry> = Vec::with_capacity(frame.entries.len() / 2);
        for entry in &frame.entries {
            let class =
                desk.classes.number(u64::from(entry.class) * u64::from(width) + u64::from(raised(entry)));
            let rest = now.tail[entry.rest as usize];
            // With nothing left to tell rows apart the class is the entry.
            let at = if tails == 1 {
                class
            } else {
                desk.merged.number(u64::from(class) * tails + u64::from(rest))
            };
            match entries.get_mut(at as usize) {
                Some(known) => known.rows += entry.rows,
                None => entries.push(Entry { class, rest, rows: entry.rows }),
            }
        }
        Frame { depth: frame.depth + 1, classes: desk.classes.count(), entries }
    }
}

/// The combination of sensitive values of every group, numbered; all the same where no model asks.
fn secrets(lattice: &Lattice<'_>) -> Vec<u32> {
    let groups = lattice.space.groups().len();
    let mut secret = vec![0; groups];
    for column in lattice.space.sensitive() {
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (secret, &code) in secret.iter_mut().zip(column) {
            let next = numbers.len() as u32;
            *secret = *numbers.entry((*secret, code)).or_insert(next);
        }
    }
    secret
}

/// Room to work in, used again and again.
#[derive(Default)]
pub(super) struct Desk {
    classes: Numbering,
    merged: Numbering,
}

/// Numbers keys in order of first appearance.
#[derive(Default)]
struct Numbering {
    dense: Vec<u32>,
    touched: Vec<u32>,
    hashed: FxHashMap<u64, u32>,
    is_dense: bool,
    next: u32,
}

impl Numbering {
    /// Starts anew with keys below `keys`.
    fn begin(&mut self, keys: u64) {
        self.touched.drain(..).for_each(|key| self.dense[key as usize] = u32::MAX);
        self.hashed.clear();
        self.next = 0;
        self.is_dense = keys <= DENSE;
        if self.is_dense && self.dense.len() < keys as usize {
            self.dense.resize(keys as usize, u32::MAX);
        }
    }

    fn number(&mut self, key: u64) -> u32 {
        let slot = if self.is_dense {
            &mut self.dense[key as usize]
        } else {
            self.hashed.entry(key).or_insert(u32::MAX)
        };
        if *slot == u32::MAX {
            *slot = self.next;
            self.next += 1;
            if self.is_dense {
                self.touched.push(key as u32);
            }
        }
        *slot
    }

    fn count(&self) -> u32 {
        self.next
    }
}
