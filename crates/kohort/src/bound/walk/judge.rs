//! How much tuples are at fault in a box, and how much they can be at most in any box inside a part.

use std::ops::Range;

use super::{At, Walk};
use crate::bound::sets::NO_SET;

/// The largest prices of a part, as many as rows share a class.
#[derive(Clone, Copy)]
pub(super) struct Top {
    /// The sum of all but the last of them.
    pub(super) before: i64,
    pub(super) last: i64,
    /// How many entries of the part they are.
    entries: usize,
}

impl Walk<'_> {
    pub(super) fn top(&self, places: &[u32]) -> Top {
        let most = self.from.terrain.crowd.shared_by;
        let (mut rows, mut sum) = (0, 0);
        for (at, &place) in places.iter().enumerate() {
            let price = self.from.price[place as usize];
            let taken = u64::from(self.from.count[place as usize]).min(most - rows);
            rows += taken;
            sum += taken.cast_signed() * price;
            if rows == most {
                return Top { before: sum - price, last: price, entries: at + 1 };
            }
        }
        Top { before: sum, last: 0, entries: places.len() }
    }

    /// Whether some tuple of a part can be more at fault inside than it is known to be.
    pub(super) fn is_worthwhile(&mut self, at: &At) -> bool {
        let places = &self.stack[at.part.clone()];
        let shared_by = self.from.terrain.crowd.shared_by.cast_signed();
        let top = self.top(places);
        let found = places.iter().position(|&place| {
            let place = place as usize;
            let cost = at.cost.max(self.from.least[place]);
            top.before + self.from.price[place].min(top.last) - shared_by * cost > self.fault[place]
        });
        // Reading is a quarter of the work of moving.
        self.work += found.map_or(places.len(), |at| at + 1) as u64 / 4;
        found.is_some()
    }

    /// Tells every tuple of a box, or of a part that is taken as one, how much it is at fault there.
    pub(super) fn offer(&mut self, part: Range<usize>, cost: i64, is_box: bool) {
        let places = &self.stack[part];
        self.work += places.len() as u64;
        let top = self.top(places);
        let base = top.before - self.from.terrain.crowd.shared_by.cast_signed() * cost;
        let mut set = NO_SET;
        for &place in places {
            let fault = base + self.from.price[place as usize].min(top.last);
            if fault > self.fault[place as usize] {
                self.fault[place as usize] = fault;
                if set == NO_SET && is_box {
                    set = self.sets.push(&places[..top.entries], cost);
                }
                self.by[place as usize] = set;
            }
        }
    }
}
