//! Of all assignments of original rows to a shuffled release, one in which classes have as many people as can be.
//!
//! That every cell fits says little about whose rows a class has: rows that look alike can change places. A release is taken to be
//! one of the original's if any assignment fits; in the same way people are counted in the assignment that speaks best for
//! it. It is looked for by exchanging rows: somebody who is in a short class twice takes the place of a row elsewhere, that one
//! the place of a third, and so on, until a row of somebody who is not in the short class takes the place that became free;
//! every row fits where it goes, and no class becomes short. Rows that were left out take part, as one more class that may have
//! anybody. The shortest such chain is taken. That this finds an assignment where there is one is likely and not certain.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// Exchanges that are looked at before whatever was found is taken.
const WORK: usize = 20_000_000;

/// Rows of the original in slots of the release; slots of one class hold rows with different values. Rows that were left out have
/// a slot and a class of their own, behind all others.
pub(super) struct Seats<'a> {
    /// The slot and the person of every row.
    pub(super) slot_of: Vec<u32>,
    pub(super) person_of: Vec<u32>,
    /// The kind of every row, and the slots of classes that each kind fits.
    pub(super) kind_of: Vec<u32>,
    pub(super) fits: &'a [Vec<u32>],
    /// The class of every slot.
    pub(super) class_of: &'a [u32],
    pub(super) classes: usize,
}

impl Seats<'_> {
    /// Exchanges rows until every class has rows of `k` people, or no exchange helps.
    pub(super) fn exchange(&mut self, k: usize) {
        let mut people: Vec<FxHashMap<u32, u32>> = vec![FxHashMap::default(); self.classes + 1];
        let mut in_slot: Vec<Vec<usize>> = vec![Vec::new(); self.class_of.len() + 1];
        for seat in 0..self.slot_of.len() {
            in_slot[self.slot_of[seat] as usize].push(seat);
            *people[self.class(seat)].entry(self.person_of[seat]).or_default() += 1;
        }
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.classes];
        for (slot, &class) in (0..).zip(self.class_of) {
            members[class as usize].push(slot);
        }
        let mut work = 0;
        for class in 0..self.classes {
            while people[class].len() < k && work < WORK {
                let twice = members[class].iter().flat_map(|&slot| &in_slot[slot as usize]).copied();
                let twice: Vec<usize> =
                    twice.filter(|&seat| people[class][&self.person_of[seat]] > 1).collect();
                let found =
                    twice.into_iter().find_map(|seat| self.chain(seat, &people, &in_slot, k, &mut work));
                let Some(chain) = found else { break };
                // Two by two, so that each has the place of the next in the end, and the last that of the first.
                for pair in chain.windows(2) {
                    self.swap(pair[0], pair[1], &mut people, &mut in_slot);
                }
            }
        }
    }

    /// The slot of rows that were left out.
    fn outside(&self) -> u32 {
        self.class_of.len() as u32
    }

    fn class(&self, seat: usize) -> usize {
        self.class_of.get(self.slot_of[seat] as usize).map_or(self.classes, |&class| class as usize)
    }

    /// The slots that a row fits; anybody can be left out.
    fn slots(&self, row: usize) -> impl Iterator<Item = u32> {
        self.fits[self.kind_of[row] as usize].iter().copied().chain([self.outside()])
    }

    /// Rows of which each can take the place of the next, and the last that of the first: `seat`, whose class gains somebody.
    /// No two are in the same class.
    fn chain(
        &self,
        seat: usize,
        people: &[FxHashMap<u32, u32>],
        in_slot: &[Vec<usize>],
        k: usize,
        work: &mut usize,
    ) -> Option<Vec<usize>> {
        let mut before: FxHashMap<usize, usize> = FxHashMap::default();
        let mut open = VecDeque::from([seat]);
        while let Some(mover) = open.pop_front() {
            let so_far = way(seat, mover, &before);
            for &other in self.slots(mover).flat_map(|slot| &in_slot[slot as usize]) {
                *work += 1;
                if *work > WORK {
                    return None;
                }
                let is_new = other != seat && !before.contains_key(&other);
                if !is_new
                    || so_far.iter().any(|&on| self.class(on) == self.class(other))
                    || !self.can_spare(other, mover, people, k)
                {
                    continue;
                }
                before.insert(other, mover);
                let is_somebody_else = !people[self.class(seat)].contains_key(&self.person_of[other]);
                if is_somebody_else && self.fits[self.kind_of[other] as usize].contains(&self.slot_of[seat]) {
                    return Some(way(seat, other, &before));
                }
                open.push_back(other);
            }
        }
        None
    }

    /// Whether the class of a row has k people still when another row takes its place.
    fn can_spare(&self, row: usize, mover: usize, people: &[FxHashMap<u32, u32>], k: usize) -> bool {
        if self.class(row) == self.classes {
            return true;
        }
        let there = &people[self.class(row)];
        let loses = there[&self.person_of[row]] == 1 && there.contains_key(&self.person_of[mover]);
        !loses || there.len() > k
    }

    fn swap(&mut self, a: usize, b: usize, people: &mut [FxHashMap<u32, u32>], in_slot: &mut [Vec<usize>]) {
        for (seat, other) in [(a, b), (b, a)] {
            let (from, to) = (self.class(seat), self.class(other));
            let person = self.person_of[seat];
            if let Some(times) = people[from].get_mut(&person) {
                *times -= 1;
                if *times == 0 {
                    people[from].remove(&person);
                }
            }
            *people[to].entry(person).or_default() += 1;
            in_slot[self.slot_of[seat] as usize].retain(|&one| one != seat);
        }
        self.slot_of.swap(a, b);
        in_slot[self.slot_of[a] as usize].push(a);
        in_slot[self.slot_of[b] as usize].push(b);
    }
}

/// The chain that led to a row.
fn way(from: usize, to: usize, before: &FxHashMap<usize, usize>) -> Vec<usize> {
    let mut way = vec![to];
    while let Some(&last) = way.last()
        && last != from
    {
        way.push(before[&last]);
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two classes of one slot each; rows of one kind fit both.
    fn seats(slot_of: &[u32], person_of: &[u32], kind_of: &[u32], fits: &[Vec<u32>], k: usize) -> Vec<u32> {
        let mut seats = Seats {
            slot_of: slot_of.to_vec(),
            person_of: person_of.to_vec(),
            kind_of: kind_of.to_vec(),
            fits,
            class_of: &[0, 1],
            classes: 2,
        };
        seats.exchange(k);
        seats.slot_of
    }

    #[test]
    fn whoever_is_there_twice_changes_places() {
        let both = [vec![0, 1]];
        // Person 7 is twice in the first class, person 8 twice in the second.
        let found = seats(&[0, 0, 1, 1], &[7, 7, 8, 8], &[0; 4], &both, 2);
        assert_eq!(found.iter().sum::<u32>(), 2);
        assert!(found[0] != found[1] && found[2] != found[3]);
    }

    /// Person 7 is twice in the first class. What is there fits the second, what is in the second fits the third, and what is
    /// in the third fits the first.
    #[test]
    fn three_rows_change_places() {
        let fits = [vec![0, 1], vec![1, 2], vec![2, 0]];
        let mut seats = Seats {
            slot_of: vec![0, 0, 1, 1, 2, 2],
            person_of: vec![7, 7, 1, 2, 3, 4],
            kind_of: vec![0, 0, 1, 1, 2, 2],
            fits: &fits,
            class_of: &[0, 1, 2],
            classes: 3,
        };
        seats.exchange(2);
        assert_eq!(seats.slot_of, [1, 0, 2, 1, 0, 2]);
    }

    /// Person 7 is twice in the first class; person 9 was left out and fits it.
    #[test]
    fn somebody_who_was_left_out_takes_the_place() {
        let both = [vec![0, 1]];
        let found = seats(&[0, 0, 1, 1, 2], &[7, 7, 7, 8, 9], &[0; 5], &both, 2);
        assert_eq!(found, [2, 0, 1, 1, 0]);
    }

    #[test]
    fn nobody_moves_where_they_do_not_fit() {
        let own = [vec![0], vec![1]];
        assert_eq!(seats(&[0, 0, 1, 1], &[7, 7, 8, 8], &[0, 0, 1, 1], &own, 2), [0, 0, 1, 1]);
        // The other class would become short.
        let both = [vec![0, 1]];
        assert_eq!(seats(&[0, 0, 1, 1], &[7, 7, 7, 8], &[0; 4], &both, 2), [0, 0, 1, 1]);
    }
}
