//! Classes in the making: what a step would change, before it is decided whether it does.

use super::frame::Frame;
use crate::data::{Cell, mixed};

/// Some rows of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Share {
    pub(super) group: u32,
    pub(super) rows: u32,
}

/// A class that may come to be.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    /// Its rows; no group twice.
    pub(super) shares: Vec<Share>,
    /// The smallest tuple that covers them.
    pub(super) tuple: Vec<Cell>,
    /// How many rows there are.
    pub(super) size: u32,
    /// What a row costs.
    pub(super) cost: u64,
    /// The class that it is to replace.
    pub(super) replaces: Option<u32>,
    /// The tuple without each of the shares, and its cost.
    pub(super) without: Vec<Cell>,
    pub(super) cost_without: Vec<u64>,
    /// Whether those are still true.
    pub(super) is_listed: bool,
}

impl Draft {
    /// What all its rows cost.
    #[inline]
    pub(super) fn loss(&self) -> u64 {
        u64::from(self.size) * self.cost
    }

    /// By how much its loss grows with so many rows of a group, for a cost per row with them.
    #[inline]
    pub(super) fn growth(&self, cost_with: u64, rows: u32) -> i64 {
        (u64::from(self.size + rows) * cost_with).cast_signed() - self.loss().cast_signed()
    }

    /// Forgets everything but its memory.
    pub(super) fn clear(&mut self) {
        self.empty();
        self.replaces = None;
    }

    /// Has no rows any more.
    pub(super) fn empty(&mut self) {
        self.shares.clear();
        self.tuple.clear();
        self.size = 0;
        self.cost = 0;
        self.is_listed = false;
    }

    /// Adds rows and grows.
    pub(super) fn add(&mut self, frame: &Frame<'_>, share: Share) {
        if self.size == 0 {
            frame.tuple(share.group, &mut self.tuple);
        } else {
            frame.absorb(&mut self.tuple, share.group);
        }
        self.cost = frame.cost(&self.tuple);
        self.hold(share);
    }

    /// Adds rows; the tuple is made later, by [`Self::close`].
    pub(super) fn hold(&mut self, share: Share) {
        self.size += share.rows;
        self.is_listed = false;
        match self.shares.iter_mut().find(|own| own.group == share.group) {
            Some(own) => own.rows += share.rows,
            None => self.shares.push(share),
        }
    }

    /// Gives rows away; the tuple is made later, by [`Self::close`].
    pub(super) fn give(&mut self, share: Share) {
        let Some(at) = self.shares.iter().position(|own| own.group == share.group) else { return };
        self.size -= share.rows;
        self.is_listed = false;
        if self.shares[at].rows == share.rows {
            self.shares.swap_remove(at);
        } else {
            self.shares[at].rows -= share.rows;
        }
    }

    /// Makes the tuple of its rows.
    pub(super) fn close(&mut self, frame: &Frame<'_>) {
        let Some((first, others)) = self.shares.split_first() else { return self.empty() };
        frame.tuple(first.group, &mut self.tuple);
        for share in others {
            frame.absorb(&mut self.tuple, share.group);
        }
        self.cost = frame.cost(&self.tuple);
        self.is_listed = false;
    }

    /// Lists the tuple without each of the shares: what comes before it joined with what comes after.
    pub(super) fn list_without(&mut self, frame: &Frame<'_>, joined: &mut Vec<Cell>) {
        if self.is_listed {
            return;
        }
        self.is_listed = true;
        let (count, dims) = (self.shares.len(), frame.axes().len());
        self.cost_without.clear();
        self.without.clear();
        self.without.resize(count * dims, Cell { lo: 0, hi: 0 });
        if count < 2 {
            return self.cost_without.resize(count, 0);
        }
        frame.tuple(self.shares[count - 1].group, joined);
        for at in (0..count - 1).rev() {
            self.without[at * dims..][..dims].copy_from_slice(joined);
            frame.absorb(joined, self.shares[at].group);
        }
        frame.tuple(self.shares[0].group, joined);
        for at in 1..count {
            let rest = &mut self.without[at * dims..][..dims];
            if at + 1 < count {
                frame.unite(rest, joined);
            } else {
                rest.copy_from_slice(joined);
            }
            frame.absorb(joined, self.shares[at].group);
        }
        self.cost_without.extend(self.without.chunks_exact(dims).map(|tuple| frame.cost(tuple)));
    }
}

/// The classes that a step would change. Drafts are used again by the next one.
#[derive(Default)]
pub(super) struct Trial {
    drafts: Vec<Draft>,
    used: usize,
    /// Per class: the trial in which it was last checked out, and the draft that replaces it.
    seen: Vec<(u32, u32)>,
    number: u32,
}

impl Trial {
    /// Begins anew; classes have numbers below this.
    pub(super) fn begin(&mut self, classes: usize) {
        self.number += 1;
        self.used = 0;
        if self.seen.len() < classes {
            self.seen.resize(classes, (0, 0));
        }
    }

    /// The drafts there are.
    #[inline]
    pub(super) fn drafts(&self) -> &[Draft] {
        &self.drafts[..self.used]
    }

    /// The drafts there are, to be changed.
    #[inline]
    pub(super) fn drafts_mut(&mut self) -> &mut [Draft] {
        &mut self.drafts[..self.used]
    }

    /// An empty draft: its place.
    pub(super) fn fresh(&mut self) -> usize {
        if self.used == self.drafts.len() {
            self.drafts.push(Draft::default());
        }
        self.drafts[self.used].clear();
        self.used += 1;
        self.used - 1
    }

    /// Whether a class is to be replaced.
    #[inline]
    pub(super) fn has(&self, class: u32) -> bool {
        self.seen[class as usize].0 == self.number
    }

    /// The draft that replaces a class: at first, the class as it is.
    pub(super) fn check_out(&mut self, classes: &super::classes::Classes, class: u32) -> usize {
        if self.has(class) {
            return self.seen[class as usize].1 as usize;
        }
        let place = self.fresh();
        self.seen[class as usize] = (self.number, place as u32);
        let draft = &mut self.drafts[place];
        draft.shares.extend_from_slice(classes.shares(class));
        draft.tuple.extend_from_slice(classes.tuple(class));
        draft.size = classes.size(class);
        draft.cost = classes.cost(class);
        draft.replaces = Some(class);
        place
    }

    /// By how much all rows together would lose more.
    pub(super) fn difference(&self, classes: &super::classes::Classes) -> i64 {
        let lost = |draft: &Draft| {
            draft.loss().cast_signed() - draft.replaces.map_or(0, |class| classes.loss(class).cast_signed())
        };
        self.drafts().iter().map(lost).sum()
    }

    /// Whether the drafts are the classes that they would replace.
    pub(super) fn changes_nothing(&self, classes: &super::classes::Classes) -> bool {
        self.difference(classes) == 0
            && digest(self.drafts().iter().map(|draft| &draft.shares[..]))
                == digest(
                    self.drafts()
                        .iter()
                        .filter_map(|draft| draft.replaces)
                        .map(|class| classes.shares(class)),
                )
    }

    /// Replaces the classes.
    pub(super) fn commit(&self, classes: &mut super::classes::Classes) {
        self.drafts().iter().filter_map(|draft| draft.replaces).for_each(|class| classes.remove(class));
        self.drafts().iter().filter(|draft| draft.size > 0).for_each(|draft| classes.put(draft));
    }
}

/// A digest of some classes, whatever their order and that of their shares; those without rows do not count.
fn digest<'a>(classes: impl Iterator<Item = &'a [Share]>) -> u64 {
    let of_share = |share: &Share| mixed((u64::from(share.group) << 32) | u64::from(share.rows));
    let of_class = |shares: &[Share]| mixed(shares.iter().map(of_share).fold(0, u64::wrapping_add));
    classes.filter(|shares| !shares.is_empty()).map(of_class).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(group: u32, rows: u32) -> Share {
        Share { group, rows }
    }

    #[test]
    fn digests_know_classes_but_no_order() {
        let (a, b) = ([share(1, 2), share(2, 1)], [share(3, 4)]);
        let turned = [share(2, 1), share(1, 2)];
        let of = |classes: &[&[Share]]| digest(classes.iter().copied());
        assert_eq!(of(&[&a, &b]), of(&[&b, &[], &turned]));
        assert_ne!(of(&[&a, &b]), of(&[&a]));
        assert_ne!(of(&[&[share(1, 2)], &[share(2, 1)]]), of(&[&a]));
        assert_ne!(of(&[&[share(1, 1), share(2, 2)]]), of(&[&a]));
    }
}
