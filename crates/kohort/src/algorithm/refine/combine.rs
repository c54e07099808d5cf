//! The better of two ways to put the same rows into classes, set of groups by set of groups.
//!
//! Two clusterings of which one was made from the other by small changes differ in many places that have nothing to do with each
//! other. Instead of one of the two, the cheaper one is taken in every such place: partition crossover (Whitley, Hains and Howe
//! 2009, there for tours). What a round of refinement made worse in one corner of the table does not undo what it made better
//! in another. *Complexity* one pass over both lists. *Guarantee*: the classes lose no more than either list.

use std::cmp::Ordering;

use super::draft::Share;

/// Classes of the same rows as both lists, which are in order. Where the lists differ, groups that share a class in either belong
/// together; of each such set of groups the cheaper classes are taken, those of `one` where both cost the same.
pub(super) fn cheaper_of(
    one: &[Vec<Share>],
    other: &[Vec<Share>],
    groups: usize,
    loss: impl Fn(&[Share]) -> u64,
) -> Vec<Vec<Share>> {
    let Differences { mut same, ones, others } = Differences::between(one, other);
    let mut sets = Sets::of_single_groups(groups);
    for class in ones.iter().chain(&others) {
        class.iter().for_each(|share| sets.unite(class[0].group, share.group));
    }
    // Per set of groups: by how much the classes of `one` lose more.
    let mut more = vec![0i64; groups];
    let mut sign = |classes: &[&Vec<Share>], sign: i64| {
        for class in classes {
            more[sets.of(class[0].group)] += sign * loss(class).cast_signed();
        }
    };
    sign(&ones, 1);
    sign(&others, -1);
    same.extend(ones.into_iter().filter(|class| more[sets.of(class[0].group)] <= 0).cloned());
    same.extend(others.into_iter().filter(|class| more[sets.of(class[0].group)] > 0).cloned());
    same.sort_unstable();
    same
}

/// Which classes two lists share, and which are in one of them alone.
struct Differences<'a> {
    same: Vec<Vec<Share>>,
    ones: Vec<&'a Vec<Share>>,
    others: Vec<&'a Vec<Share>>,
}

impl<'a> Differences<'a> {
    fn between(one: &'a [Vec<Share>], other: &'a [Vec<Share>]) -> Self {
        let mut found = Self { same: Vec::new(), ones: Vec::new(), others: Vec::new() };
        let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
        loop {
            let order = match (one.peek(), other.peek()) {
                (Some(a), Some(b)) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return found,
            };
            match order {
                Ordering::Less => found.ones.extend(one.next()),
                Ordering::Greater => found.others.extend(other.next()),
                Ordering::Equal => {
                    found.same.extend(one.next().cloned());
                    other.next();
                }
            }
        }
    }
}

/// Disjoint sets of groups.
struct Sets {
    /// A group of the same set with a smaller number; the group itself, where it is the first.
    before: Vec<u32>,
}

impl Sets {
    fn of_single_groups(groups: usize) -> Self {
        Self { before: (0..groups as u32).collect() }
    }

    /// The first group of the set that a group is in.
    fn of(&mut self, group: u32) -> usize {
        let mut at = group as usize;
        while self.before[at] as usize != at {
            let before = self.before[at] as usize;
            self.before[at] = self.before[before];
            at = before;
        }
        at
    }

    fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.of(one), self.of(other));
        self.before[one.max(other)] = one.min(other) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(groups: &[u32]) -> Vec<Share> {
        groups.iter().map(|&group| Share { group, rows: 1 }).collect()
    }

    /// Groups that are far apart cost much together.
    fn loss(class: &[Share]) -> u64 {
        u64::from(class[class.len() - 1].group - class[0].group)
    }

    #[test]
    fn each_corner_is_taken_from_where_it_is_cheaper() {
        let one = [class(&[0, 1]), class(&[2, 3]), class(&[4, 6]), class(&[5, 7]), class(&[8, 9])];
        let other = [class(&[0, 2]), class(&[1, 3]), class(&[4, 5]), class(&[6, 7]), class(&[8, 9])];
        let best = [class(&[0, 1]), class(&[2, 3]), class(&[4, 5]), class(&[6, 7]), class(&[8, 9])];
        assert_eq!(cheaper_of(&one, &other, 10, loss), best);
        assert_eq!(cheaper_of(&other, &one, 10, loss), best);
    }

    #[test]
    fn what_hangs_together_is_taken_together() {
        let one = [class(&[0, 1]), class(&[2, 5]), class(&[3, 4])];
        let other = [class(&[0, 4]), class(&[1, 2]), class(&[3, 5])];
        assert_eq!(cheaper_of(&one, &other, 6, loss), one, "5 against 7");
        assert_eq!(cheaper_of(&other, &one, 6, loss), one);
    }

    #[test]
    fn of_equals_the_first_is_taken() {
        let (one, other) = ([class(&[0, 2]), class(&[1, 3])], [class(&[0, 1]), class(&[2, 3])]);
        let flat = |_: &[Share]| 1;
        assert_eq!(cheaper_of(&one, &other, 4, flat), one);
        assert_eq!(cheaper_of(&other, &one, 4, flat), other);
    }
}
