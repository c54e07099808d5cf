//! Of all assignments of original rows to a shuffled release, one in which classes have as many people as can be.
//!
//! That every cell fits says little about whose rows a class has: rows that look alike can change places. A release is taken to be
//! one of the original's if any assignment fits; in the same way people are counted in the assignment that speaks best for
//! it. It is looked for by exchanging rows: somebody who is in a short class twice changes places with somebody who is not
//! in it, if each fits where the other was and the other class does not become short.

use rustc_hash::FxHashMap;

/// Exchanges that are looked at before whatever was found is taken.
const WORK: usize = 20_000_000;

/// Rows of the original in slots of the release; slots of one class hold rows with different values.
pub(super) struct Seats<'a> {
    /// The slot and the person of every row that is seated.
    pub(super) slot_of: Vec<u32>,
    pub(super) person_of: Vec<u32>,
    /// The kind of every seated row, and the slots that each kind fits.
    pub(super) kind_of: Vec<u32>,
    pub(super) fits: &'a [Vec<u32>],
    /// The class of every slot.
    pub(super) class_of: &'a [u32],
    pub(super) classes: usize,
}

impl Seats<'_> {
    /// Exchanges rows until every class has rows of `k` people, or no exchange helps.
    pub(super) fn exchange(&mut self, k: usize) {
        let mut people: Vec<FxHashMap<u32, u32>> = vec![FxHashMap::default(); self.classes];
        let mut in_slot: Vec<Vec<usize>> = vec![Vec::new(); self.class_of.len()];
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
                let found = twice.into_iter().find_map(|seat| {
                    let other = self.partner(seat, &people, &in_slot, k, &mut work)?;
                    Some((seat, other))
                });
                let Some((seat, other)) = found else { break };
                self.swap(seat, other, &mut people, &mut in_slot);
            }
        }
    }

    fn class(&self, seat: usize) -> usize {
        self.class_of[self.slot_of[seat] as usize] as usize
    }

    /// A row that can change places with this one.
    fn partner(
        &self,
        seat: usize,
        people: &[FxHashMap<u32, u32>],
        in_slot: &[Vec<usize>],
        k: usize,
        work: &mut usize,
    ) -> Option<usize> {
        let (here, me) = (self.class(seat), self.person_of[seat]);
        let others = self.fits[self.kind_of[seat] as usize].iter();
        let others = others.filter(|&&slot| self.class_of[slot as usize] as usize != here);
        others.flat_map(|&slot| &in_slot[slot as usize]).copied().find(|&other| {
            *work += 1;
            let (there, them) = (&people[self.class(other)], self.person_of[other]);
            let loses = there[&them] == 1 && there.contains_key(&me);
            !people[here].contains_key(&them)
                && (!loses || there.len() > k)
                && self.fits[self.kind_of[other] as usize].contains(&self.slot_of[seat])
        })
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

    #[test]
    fn nobody_moves_where_they_do_not_fit() {
        let own = [vec![0], vec![1]];
        assert_eq!(seats(&[0, 0, 1, 1], &[7, 7, 8, 8], &[0, 0, 1, 1], &own, 2), [0, 0, 1, 1]);
        // The other class would become short.
        let both = [vec![0, 1]];
        assert_eq!(seats(&[0, 0, 1, 1], &[7, 7, 7, 8], &[0; 4], &both, 2), [0, 0, 1, 1]);
    }
}
