//! The dearest rows of boxes, list after list.

/// The number of no set.
pub(super) const NO_SET: u32 = u32::MAX;

/// Lists of tuples, or of places, each with the cost of its box.
#[derive(Default)]
pub(super) struct Sets {
    ends: Vec<usize>,
    members: Vec<u32>,
    costs: Vec<i64>,
}

impl Sets {
    /// Adds a set; returns its number.
    pub(super) fn push(&mut self, members: &[u32], cost: i64) -> u32 {
        self.members.extend_from_slice(members);
        self.ends.push(self.members.len());
        self.costs.push(cost);
        self.costs.len() as u32 - 1
    }

    pub(super) fn len(&self) -> usize {
        self.costs.len()
    }

    /// The members of a set, and the cost of its box.
    pub(super) fn get(&self, set: u32) -> (&[u32], i64) {
        let set = set as usize;
        let start = if set == 0 { 0 } else { self.ends[set - 1] };
        (&self.members[start..self.ends[set]], self.costs[set])
    }

    /// How many members all sets have.
    pub(super) fn size(&self) -> usize {
        self.members.len()
    }

    /// Forgets all sets but those that are referred to, and renumbers these.
    pub(super) fn keep(&mut self, referred: &mut [u32]) {
        let mut kept = Self::default();
        let mut number = vec![NO_SET; self.len()];
        for set in referred.iter_mut().filter(|set| **set != NO_SET) {
            let slot = &mut number[*set as usize];
            if *slot == NO_SET {
                let (members, cost) = self.get(*set);
                *slot = kept.push(members, cost);
            }
            *set = *slot;
        }
        *self = kept;
    }
}
