//! Strongly connected components (Tarjan 1972), without recursion.

/// The component of every node, given whom each node points to. O(nodes + arcs). Numbers have no meaning beyond equality.
pub fn components(out: &[Vec<u32>]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let nodes = out.len();
    let (mut number, mut low) = (vec![UNSEEN; nodes], vec![0u32; nodes]);
    let (mut component, mut found) = (vec![UNSEEN; nodes], 0);
    let (mut stack, mut path): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    let mut next = 0;
    for root in 0..nodes as u32 {
        if number[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((node, arc)) = path.pop() {
            let at = node as usize;
            if arc == 0 {
                (number[at], low[at]) = (next, next);
                next += 1;
                stack.push(node);
            } else {
                // Back from the last arc's end.
                let child = out[at][arc - 1] as usize;
                low[at] = low[at].min(low[child]);
            }
            match next_child(&out[at], arc, &number, &component, &mut low[at]) {
                Some(arc) => {
                    path.push((node, arc + 1));
                    path.push((out[at][arc], 0));
                }
                None if low[at] == number[at] => {
                    while let Some(member) = stack.pop() {
                        component[member as usize] = found;
                        if member == node {
                            break;
                        }
                    }
                    found += 1;
                }
                None => {}
            }
        }
    }
    component
}

/// The first arc from `from` on that leads to an unseen node; lowers `low` for those that lead back.
fn next_child(arcs: &[u32], from: usize, number: &[u32], component: &[u32], low: &mut u32) -> Option<usize> {
    for (arc, &to) in arcs.iter().enumerate().skip(from) {
        if number[to as usize] == u32::MAX {
            return Some(arc);
        }
        if component[to as usize] == u32::MAX {
            *low = (*low).min(number[to as usize]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_reach_each_other_share_a_component() {
        let mut state = 9u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for _ in 0..300 {
            let nodes = 1 + next(9);
            let out: Vec<Vec<u32>> =
                (0..nodes).map(|_| (0..next(4)).map(|_| next(nodes)).collect()).collect();
            let reach = |from: u32| {
                let (mut seen, mut open) = (vec![false; nodes as usize], vec![from]);
                while let Some(node) = open.pop() {
                    if !std::mem::replace(&mut seen[node as usize], true) {
                        open.extend(&out[node as usize]);
                    }
                }
                seen
            };
            let found = components(&out);
            for a in 0..nodes {
                for b in 0..nodes {
                    let both = reach(a)[b as usize] && reach(b)[a as usize];
                    assert_eq!(found[a as usize] == found[b as usize], both, "{out:?}");
                }
            }
        }
    }
}
