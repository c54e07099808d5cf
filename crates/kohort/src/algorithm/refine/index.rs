//! Which groups lie in a box: an AND of bitsets.
//!
//! The codes below a node of a tree are consecutive, as those of an interval are, so every cell is a span of codes. Per axis
//! there is one bitset for each of its codes that occur: the groups with a smaller one. Two of them give the groups of a span.
//! Groups are numbered by the codes of the first axis of the index; a box is looked for only among those of its span there.

use super::frame::Frame;
use crate::data::Cell;

/// Bitsets per axis at most. Axes with more codes have one for several codes, and what is found is looked at once more.
const MOST: usize = 256;

/// Finds the groups of boxes.
pub(super) struct BoxIndex {
    /// The axis by whose codes groups are numbered, and the first group of each of its codes.
    first: usize,
    starts: Vec<u32>,
    axes: Vec<Prefixes>,
    /// 64-bit words in a bitset.
    words: usize,
}

/// The bitsets of one axis.
struct Prefixes {
    /// Per code, and one after the last: how many steps lie below it.
    step_of: Vec<u32>,
    /// Per step: the groups whose codes belong to a step below it.
    below: Vec<u64>,
    steps: u32,
    /// Whether every step is a single code.
    exact: bool,
}

impl BoxIndex {
    /// The index of groups that are numbered by their codes on the axis `first`.
    pub(super) fn new(frame: &Frame<'_>, first: usize) -> Self {
        let words = frame.groups().div_ceil(64);
        let axes = (0..frame.axes().len()).map(|axis| Prefixes::new(frame, axis, words)).collect();
        let mut starts = vec![0u32; frame.axes()[first].codes() as usize + 1];
        for group in 0..frame.groups() as u32 {
            starts[frame.codes(group)[first] as usize + 1] += 1;
        }
        (1..starts.len()).for_each(|code| starts[code] += starts[code - 1]);
        Self { first, starts, axes, words }
    }

    /// The groups that lie in a box, ascending. `bits` is only there to be used again.
    pub(super) fn groups_in(
        &self,
        frame: &Frame<'_>,
        tuple: &[Cell],
        bits: &mut Vec<u64>,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        let (lo, hi) = frame.axes()[self.first].span(tuple[self.first]);
        let (start, end) = (self.starts[lo as usize] as usize, self.starts[hi as usize] as usize);
        if start == end {
            return;
        }
        let words = start / 64..end.div_ceil(64);
        bits.clear();
        bits.resize(words.len(), !0);
        bits[0] &= !0 << (start % 64);
        if !end.is_multiple_of(64) {
            bits[words.len() - 1] &= !0 >> (64 - end % 64);
        }
        let mut exact = true;
        for (at, (prefixes, &cell)) in self.axes.iter().zip(tuple).enumerate() {
            if at != self.first {
                exact &= prefixes.keep(frame.axes()[at].span(cell), self.words, words.start, bits);
            }
        }
        for (word, &bits) in words.zip(bits.iter()) {
            let mut left = bits;
            while left != 0 {
                found.push(word as u32 * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        if !exact {
            found.retain(|&group| lies_in(frame, tuple, group));
        }
    }
}

fn lies_in(frame: &Frame<'_>, tuple: &[Cell], group: u32) -> bool {
    let cells = frame.axes().iter().zip(tuple).zip(frame.codes(group));
    cells.map(|((axis, &cell), code)| (axis.span(cell), code)).all(|((lo, hi), code)| (lo..hi).contains(code))
}

impl Prefixes {
    fn new(frame: &Frame<'_>, axis: usize, words: usize) -> Self {
        let codes = frame.axes()[axis].codes() as usize;
        let mut count = vec![0usize; codes];
        (0..frame.groups() as u32).for_each(|group| count[frame.codes(group)[axis] as usize] += 1);
        let present = count.iter().filter(|&&n| n > 0).count();
        let exact = present <= MOST;
        let per_step = if exact { 1 } else { frame.groups().div_ceil(MOST) };
        let (mut step_of, mut step, mut held) = (Vec::with_capacity(codes + 1), 0, 0);
        for &n in &count {
            step_of.push(step);
            held += n;
            if held >= per_step {
                (step, held) = (step + 1, 0);
            }
        }
        step_of.push(step + u32::from(held > 0));
        let steps = step_of[codes];
        let mut below = vec![0u64; (steps as usize + 1) * words];
        for group in 0..frame.groups() {
            let own = step_of[frame.codes(group as u32)[axis] as usize] as usize;
            below[(own + 1) * words + group / 64] |= 1 << (group % 64);
        }
        for at in words..below.len() {
            below[at] |= below[at - words];
        }
        Self { step_of, below, steps, exact }
    }

    /// Keeps the bits of groups whose code lies in the span; says whether no others were kept.
    fn keep(&self, (lo, hi): (u32, u32), words: usize, from: usize, bits: &mut [u64]) -> bool {
        let first = self.step_of[lo as usize];
        // The first step all of whose codes are beyond the span.
        let last = self.step_of[hi as usize - 1] + 1;
        let last = if self.exact { self.step_of[hi as usize] } else { last.min(self.steps) };
        if first == 0 && last == self.steps {
            return self.exact;
        }
        let len = bits.len();
        let below = |step: u32| &self.below[step as usize * words + from..][..len];
        let (low, high) = (below(first), below(last));
        for ((bits, low), high) in bits.iter_mut().zip(low).zip(high) {
            *bits &= !low & high;
        }
        self.exact
    }
}
