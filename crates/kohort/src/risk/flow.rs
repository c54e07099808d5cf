//! How many people can have gone from each class to each other one, when only counts are known: the least and the greatest value of
//! every edge of a transportation problem, in which all that is supplied goes where it is demanded.
//!
//! Few edges: exact, by rerouting. Start with any way to send everything; what can be added to an edge u → v is what can be
//! sent back from v to u by other edges, and what can be taken from it is what can be sent from u to v by others. Many edges: bounds that
//! are true but need not be reached, by looking at the rows and columns of the problem one after the other
//! until nothing changes.

use std::collections::VecDeque;

/// The most edges for which the exact values are found.
const EXACT: usize = 256;

/// How often all rows and columns are looked at.
const SWEEPS: usize = 32;

/// A transportation problem. Supplies and demands have the same sum.
pub(super) struct Transport {
    pub(super) supply: Vec<u32>,
    pub(super) demand: Vec<u32>,
    pub(super) edges: Vec<(u32, u32)>,
}

/// What an edge can carry.
pub(super) type Bounds = (u32, u32);

impl Transport {
    /// The bounds of every edge, and whether they are reached; none where not everything can be sent.
    pub(super) fn bounds(&self) -> Option<(Vec<Bounds>, bool)> {
        if self.edges.len() <= EXACT {
            return Some((Sent::all(self)?.bounds(), true));
        }
        Some((self.swept()?, false))
    }

    /// Bounds from rows and columns alone.
    fn swept(&self) -> Option<Vec<Bounds>> {
        let most = |&(from, to): &(u32, u32)| self.supply[from as usize].min(self.demand[to as usize]);
        let mut bounds: Vec<Bounds> = self.edges.iter().map(|edge| (0, most(edge))).collect();
        for _ in 0..SWEEPS {
            let rows = tighten(&mut bounds, &self.supply, |edge| self.edges[edge].0)?;
            let columns = tighten(&mut bounds, &self.demand, |edge| self.edges[edge].1)?;
            if !rows && !columns {
                break;
            }
        }
        Some(bounds)
    }
}

/// Looks at all nodes of one side: what the other edges of a node cannot carry, this one must. Says whether anything changed; none
/// where the edges of a node cannot carry what they have to.
fn tighten(bounds: &mut [Bounds], needed: &[u32], node: impl Fn(usize) -> u32) -> Option<bool> {
    let mut sums = vec![(0u64, 0u64); needed.len()];
    for (edge, &(lo, hi)) in bounds.iter().enumerate() {
        let sum = &mut sums[node(edge) as usize];
        *sum = (sum.0 + u64::from(lo), sum.1 + u64::from(hi));
    }
    let fits = |(sum, &needed): (&(u64, u64), &u32)| (sum.0..=sum.1).contains(&u64::from(needed));
    if !sums.iter().zip(needed).all(fits) {
        return None;
    }
    let mut changed = false;
    for (edge, bound) in bounds.iter_mut().enumerate() {
        let at = node(edge) as usize;
        let (needed, (lows, highs)) = (u64::from(needed[at]), sums[at]);
        let (lo, hi) = *bound;
        let least = needed.saturating_sub(highs - u64::from(hi)).max(u64::from(lo)) as u32;
        let most = needed.saturating_sub(lows - u64::from(lo)).min(u64::from(hi)) as u32;
        changed |= (least, most) != (lo, hi);
        *bound = (least, most);
    }
    Some(changed)
}

/// One way to send everything. Suppliers are nodes, and so are those who demand, behind them.
struct Sent<'a> {
    problem: &'a Transport,
    /// Per edge.
    carried: Vec<u32>,
    /// The edges of every node.
    at: Vec<Vec<usize>>,
}

impl<'a> Sent<'a> {
    /// Sends all that is supplied; none where that cannot be done.
    fn all(problem: &'a Transport) -> Option<Self> {
        let suppliers = problem.supply.len();
        let mut at = vec![Vec::new(); suppliers + problem.demand.len()];
        for (edge, &(from, to)) in problem.edges.iter().enumerate() {
            at[from as usize].push(edge);
            at[suppliers + to as usize].push(edge);
        }
        let mut sent = Self { problem, carried: vec![0; problem.edges.len()], at };
        let mut lacking = problem.demand.clone();
        for (from, &supply) in problem.supply.iter().enumerate() {
            let mut left = supply;
            while left > 0 {
                let lacks = |node: usize| node >= suppliers && lacking[node - suppliers] > 0;
                let (way, end) = sent.way(from, lacks, None)?;
                let amount = sent.narrowest(&way).min(left).min(lacking[end - suppliers]);
                sent.shift(&way, amount);
                left -= amount;
                lacking[end - suppliers] -= amount;
            }
        }
        Some(sent)
    }

    /// The least and the most that every edge can carry.
    fn bounds(mut self) -> Vec<Bounds> {
        (0..self.problem.edges.len()).map(|edge| (self.least(edge), self.most(edge))).collect()
    }

    fn ends(&self, edge: usize) -> (usize, usize) {
        let (from, to) = self.problem.edges[edge];
        (from as usize, self.problem.supply.len() + to as usize)
    }

    /// Sends what an edge carries by others, as far as that is possible.
    fn least(&mut self, edge: usize) -> u32 {
        let (from, to) = self.ends(edge);
        while self.carried[edge] > 0
            && let Some((way, _)) = self.way(from, |node| node == to, Some(edge))
        {
            let amount = self.narrowest(&way).min(self.carried[edge]);
            self.shift(&way, amount);
            self.carried[edge] -= amount;
        }
        self.carried[edge]
    }

    /// Sends by an edge what others carry, as far as that is possible.
    fn most(&mut self, edge: usize) -> u32 {
        let (from, to) = self.ends(edge);
        while let Some((way, _)) = self.way(to, |node| node == from, Some(edge)) {
            let amount = self.narrowest(&way);
            self.shift(&way, amount);
            self.carried[edge] += amount;
        }
        self.carried[edge]
    }

    /// A shortest way from a node to an end: forward on any edge, and back on those that carry something, without one edge.
    fn way(
        &self,
        start: usize,
        is_end: impl Fn(usize) -> bool,
        without: Option<usize>,
    ) -> Option<(Vec<Step>, usize)> {
        let suppliers = self.problem.supply.len();
        let mut came: Vec<Option<(Step, usize)>> = vec![None; self.at.len()];
        let mut next = VecDeque::from([start]);
        while let Some(node) = next.pop_front() {
            let forward = node < suppliers;
            let open = |edge: &&usize| Some(**edge) != without && (forward || self.carried[**edge] > 0);
            for &edge in self.at[node].iter().filter(open) {
                let (from, to) = self.ends(edge);
                let (step, other) = if forward { (Step::More(edge), to) } else { (Step::Less(edge), from) };
                if other == start || came[other].is_some() {
                    continue;
                }
                came[other] = Some((step, node));
                if is_end(other) {
                    return Some((retraced(&came, other), other));
                }
                next.push_back(other);
            }
        }
        None
    }

    /// What can be shifted along a way.
    fn narrowest(&self, way: &[Step]) -> u32 {
        let carried = way.iter().filter_map(|step| match step {
            Step::Less(edge) => Some(self.carried[*edge]),
            Step::More(_) => None,
        });
        carried.min().unwrap_or(u32::MAX)
    }

    fn shift(&mut self, way: &[Step], amount: u32) {
        for step in way {
            match step {
                Step::More(edge) => self.carried[*edge] += amount,
                Step::Less(edge) => self.carried[*edge] -= amount,
            }
        }
    }
}

/// The steps that led to a node.
fn retraced(came: &[Option<(Step, usize)>], end: usize) -> Vec<Step> {
    let mut way = Vec::new();
    let mut at = end;
    while let Some((step, before)) = came[at] {
        way.push(step);
        at = before;
    }
    way
}

/// More or less by an edge.
#[derive(Debug, Clone, Copy)]
enum Step {
    More(usize),
    Less(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways to send everything, one by one.
    fn tried(problem: &Transport) -> Option<Vec<Bounds>> {
        fn go(
            problem: &Transport,
            left: &mut (Vec<u32>, Vec<u32>),
            sent: &mut Vec<u32>,
            all: &mut Vec<Vec<u32>>,
        ) {
            let Some(&(from, to)) = problem.edges.get(sent.len()) else {
                if left.0.iter().chain(&left.1).all(|&n| n == 0) {
                    all.push(sent.clone());
                }
                return;
            };
            for amount in 0..=left.0[from as usize].min(left.1[to as usize]) {
                left.0[from as usize] -= amount;
                left.1[to as usize] -= amount;
                sent.push(amount);
                go(problem, left, sent, all);
                sent.pop();
                left.0[from as usize] += amount;
                left.1[to as usize] += amount;
            }
        }
        let mut all = Vec::new();
        go(problem, &mut (problem.supply.clone(), problem.demand.clone()), &mut Vec::new(), &mut all);
        let of = |edge: usize| all.iter().map(move |sent| sent[edge]);
        let bounds = |edge| Some((of(edge).min()?, of(edge).max()?));
        if all.is_empty() { None } else { (0..problem.edges.len()).map(bounds).collect() }
    }

    /// Numbers that look random, the same every time.
    fn numbers() -> impl FnMut(u32) -> u32 {
        let mut state = 7u64;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        }
    }

    #[test]
    fn bounds_are_those_of_all_ways() {
        let mut draw = numbers();
        let (mut feasible, mut certain) = (0, 0);
        for _ in 0..3000 {
            let (suppliers, demanders) = (1 + draw(4), 1 + draw(4));
            let pairs = (0..suppliers).flat_map(|from| (0..demanders).map(move |to| (from, to)));
            let edges: Vec<(u32, u32)> = pairs.filter(|_| draw(3) > 0).collect();
            let (mut supply, mut demand) = (vec![0; suppliers as usize], vec![0; demanders as usize]);
            for _ in 0..draw(7) {
                // Mostly so that it can be sent.
                let &(from, to) = edges.get(draw(9) as usize).unwrap_or(&(draw(suppliers), draw(demanders)));
                supply[from as usize] += 1;
                demand[to as usize] += 1;
            }
            let problem = Transport { supply, demand, edges };
            let (expected, found) = (tried(&problem), problem.bounds());
            assert_eq!(found.map(|(bounds, _)| bounds), expected, "{:?}", problem.edges);
            let Some(expected) = expected else { continue };
            feasible += 1;
            certain += expected.iter().filter(|(lo, _)| *lo > 0).count();
            let swept = problem.swept().unwrap();
            let within = |(bound, exact): (&Bounds, &Bounds)| bound.0 <= exact.0 && bound.1 >= exact.1;
            assert!(swept.iter().zip(&expected).all(within), "{swept:?} {expected:?}");
        }
        assert!(feasible > 1000 && certain > 500, "{feasible} {certain}");
    }
}
