//! Who could stand behind which published row: matchings and components of bipartite graphs.

/// A partner for every left node, none where there is no matching of all of them (augmenting paths).
pub fn matching(edges: &[Vec<usize>], right: usize) -> Option<Vec<usize>> {
    let mut owner: Vec<Option<usize>> = vec![None; right];
    for left in 0..edges.len() {
        // First a free partner, then by changing others'.
        if let Some(&free) = edges[left].iter().find(|&&r| owner[r].is_none()) {
            owner[free] = Some(left);
        } else if !augment(edges, left, &mut owner, &mut vec![false; right]) {
            return None;
        }
    }
    let mut partner = vec![usize::MAX; edges.len()];
    for (r, left) in owner.iter().enumerate() {
        if let Some(left) = left {
            partner[*left] = r;
        }
    }
    Some(partner)
}

fn augment(edges: &[Vec<usize>], left: usize, owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &r in &edges[left] {
        if std::mem::replace(&mut seen[r], true) {
            continue;
        }
        if owner[r].is_none_or(|other| augment(edges, other, owner, seen)) {
            owner[r] = Some(left);
            return true;
        }
    }
    false
}

/// The component of every node: two nodes share one where each reaches the other.
pub fn components(out: &[Vec<usize>]) -> Vec<usize> {
    // Kosaraju: by time of leaving, then backwards.
    let n = out.len();
    let mut left = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    for start in 0..n {
        let mut stack = vec![(start, 0)];
        while let Some((node, at)) = stack.pop() {
            if at == 0 && std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if let Some(&next) = out[node].get(at) {
                stack.push((node, at + 1));
                if !seen[next] {
                    stack.push((next, 0));
                }
            } else {
                left.push(node);
            }
        }
    }
    let mut back = vec![Vec::new(); n];
    for (node, next) in out.iter().enumerate() {
        for &to in next {
            back[to].push(node);
        }
    }
    let mut component = vec![usize::MAX; n];
    for &start in left.iter().rev() {
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            if component[node] == usize::MAX {
                component[node] = start;
                stack.extend(&back[node]);
            }
        }
    }
    component
}

/// Per person, the tuples that are hers in some assignment of all people to all tuples, given one such assignment.
pub fn matches(fits: &[Vec<usize>], partner: &[usize]) -> Vec<Vec<usize>> {
    let mut owner = vec![0; partner.len()];
    for (person, &tuple) in partner.iter().enumerate() {
        owner[tuple] = person;
    }
    let out: Vec<Vec<usize>> =
        fits.iter().map(|tuples| tuples.iter().map(|&tuple| owner[tuple]).collect()).collect();
    let component = components(&out);
    let could = |person: usize| {
        let mine = |tuple: &&usize| component[owner[**tuple]] == component[person];
        fits[person].iter().filter(mine).copied().collect()
    };
    (0..fits.len()).map(could).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// All assignments, one by one.
    fn by_hand(fits: &[Vec<usize>], person: usize, taken: &mut Vec<usize>, found: &mut [Vec<bool>]) -> bool {
        if person == fits.len() {
            taken.iter().enumerate().for_each(|(p, &t)| found[p][t] = true);
            return true;
        }
        let mut any = false;
        for &tuple in &fits[person] {
            if !taken.contains(&tuple) {
                taken.push(tuple);
                any |= by_hand(fits, person + 1, taken, found);
                taken.pop();
            }
        }
        any
    }

    #[test]
    fn matches_are_those_of_all_assignments() {
        let mut random = Random::new(7);
        for _ in 0..2000 {
            let n = random.from(1, 6);
            let fits: Vec<Vec<usize>> =
                (0..n).map(|_| (0..n).filter(|_| random.one_in(2)).collect()).collect();
            let mut found = vec![vec![false; n]; n];
            let any = by_hand(&fits, 0, &mut Vec::new(), &mut found);
            let partner = matching(&fits, n);
            assert_eq!(any, partner.is_some(), "{fits:?}");
            if let Some(partner) = partner {
                let expected: Vec<Vec<usize>> =
                    found.iter().map(|f| (0..n).filter(|&t| f[t]).collect()).collect();
                assert_eq!(matches(&fits, &partner), expected, "{fits:?}");
            }
        }
    }
}
