//! Classes of two releases whose people can only be in each other: regions, between which nobody can have moved.

use rustc_hash::FxHashMap;

/// The classes of a region by number, ascending, and the pairs of them that somebody may be in both of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) earlier: Vec<u32>,
    pub(super) later: Vec<u32>,
    pub(super) pairs: Vec<(u32, u32)>,
}

/// Takes two sides of so many nodes apart, in the order of their first nodes. A node without any pair is a region of its own.
pub(super) fn regions(earlier: usize, later: usize, pairs: &[(u32, u32)]) -> Vec<Region> {
    let mut leader: Vec<u32> = (0..(earlier + later) as u32).collect();
    let behind = |that: u32| that + earlier as u32;
    for &(this, that) in pairs {
        let (a, b) = (find(&mut leader, this), find(&mut leader, behind(that)));
        leader[a.max(b) as usize] = a.min(b);
    }
    let mut number: FxHashMap<u32, usize> = FxHashMap::default();
    let mut all: Vec<Region> = Vec::new();
    for node in 0..(earlier + later) as u32 {
        let region = *number.entry(find(&mut leader, node)).or_insert_with(|| {
            all.push(Region::default());
            all.len() - 1
        });
        match node.checked_sub(earlier as u32) {
            None => all[region].earlier.push(node),
            Some(that) => all[region].later.push(that),
        }
    }
    for &(this, that) in pairs {
        all[number[&find(&mut leader, this)]].pairs.push((this, that));
    }
    all
}

fn find(leader: &mut [u32], mut node: u32) -> u32 {
    while leader[node as usize] != node {
        let above = leader[leader[node as usize] as usize];
        leader[node as usize] = above;
        node = above;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_by_pairs_is_one_region() {
        let found = regions(3, 3, &[(0, 1), (2, 1)]);
        let region = |earlier: &[u32], later: &[u32], pairs: &[(u32, u32)]| Region {
            earlier: earlier.to_vec(),
            later: later.to_vec(),
            pairs: pairs.to_vec(),
        };
        let expected = [
            region(&[0, 2], &[1], &[(0, 1), (2, 1)]),
            region(&[1], &[], &[]),
            region(&[], &[0], &[]),
            region(&[], &[2], &[]),
        ];
        assert_eq!(found, expected);
    }
}
