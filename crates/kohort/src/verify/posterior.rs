//! How likely a row's tuple can be guessed when every assignment of rows to tuples is equally likely.
//!
//! Being one of k matches does not mean a probability of 1/k (`algorithms.md` §0.5). Exact probabilities are quotients of
//! permanents; for a handful of rows that hang together they are counted out, by subsets.

use rustc_hash::FxHashMap;

use super::notions::{Graph, Matches};

/// Rows that hang together up to which probabilities are counted out.
const ROWS: u64 = 10;

/// The largest probability found, and how many rows hang together with too many others to tell. None when that is all.
pub(super) fn worst_posterior(graph: &Graph, matches: &Matches) -> Option<(f64, u64)> {
    let mut classes: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for class in 0..graph.demand.len() {
        classes.entry(matches.of_class(class)).or_default().push(class);
    }
    let mut kinds: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for kind in (0..graph.supply.len()).filter(|&kind| graph.supply[kind] > 0) {
        kinds.entry(matches.of_kind(kind)).or_default().push(kind);
    }
    let (mut worst, mut beyond, mut any) = (0.0f64, 0, false);
    for (component, classes) in classes {
        let rows: u64 = classes.iter().map(|&class| graph.demand[class]).sum();
        if let [_] = classes[..] {
            // All rows of one class are alike to the outsider.
            (worst, any) = (worst.max(1.0 / rows.max(1) as f64), true);
        } else if rows <= ROWS {
            let kinds = kinds.get(&component).map_or(&[][..], Vec::as_slice);
            (worst, any) = (worst.max(counted_out(graph, kinds, &classes)), true);
        } else {
            beyond += rows;
        }
    }
    any.then_some((worst, beyond))
}

/// The largest share of assignments that give a certain row a certain tuple.
fn counted_out(graph: &Graph, kinds: &[usize], classes: &[usize]) -> f64 {
    let columns: Vec<usize> =
        classes.iter().flat_map(|&class| vec![class; graph.demand[class] as usize]).collect();
    let fits = |kind: usize| {
        let lies = |(bit, class): (usize, &usize)| {
            if graph.lies_in[kind].contains(&(*class as u32)) { 1usize << bit } else { 0 }
        };
        columns.iter().enumerate().map(lies).sum::<usize>()
    };
    let rows: Vec<usize> =
        kinds.iter().flat_map(|&kind| vec![fits(kind); graph.supply[kind] as usize]).collect();
    if rows.len() != columns.len() {
        return 1.0;
    }
    let before = ways(&rows, columns.len());
    let all = before[rows.len()][(1 << columns.len()) - 1];
    let mut turned = rows.clone();
    turned.reverse();
    let after = ways(&turned, columns.len());
    let full = (1usize << columns.len()) - 1;
    let mut worst = 0.0f64;
    for (row, &fits) in rows.iter().enumerate() {
        for bit in (0..columns.len()).filter(|bit| fits >> bit & 1 == 1) {
            let rest = |taken: usize| full & !taken & !(1 << bit);
            let with: f64 = (0..=full)
                .filter(|taken| taken >> bit & 1 == 0 && taken.count_ones() as usize == row)
                .map(|taken| before[row][taken] * after[rows.len() - row - 1][rest(taken)])
                .sum();
            worst = worst.max(with / all);
        }
    }
    worst
}

/// In how many ways the first rows can take a set of columns, for every number of rows and every set.
fn ways(rows: &[usize], columns: usize) -> Vec<Vec<f64>> {
    let mut ways = vec![vec![0.0; 1 << columns]; rows.len() + 1];
    ways[0][0] = 1.0;
    for (row, &fits) in rows.iter().enumerate() {
        for taken in 0..1usize << columns {
            let so_far = ways[row][taken];
            if so_far > 0.0 {
                for bit in (0..columns).filter(|bit| (fits & !taken) >> bit & 1 == 1) {
                    ways[row + 1][taken | 1 << bit] += so_far;
                }
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proposition 4.5's (2,2) table: row 1 owns tuple 1 in two of three assignments (`algorithms.md` §14.1).
    #[test]
    fn matches_are_not_equally_likely() {
        let graph = Graph {
            supply: vec![1, 1, 1],
            demand: vec![1, 1, 1],
            lies_in: vec![vec![0, 1], vec![0, 1, 2], vec![1, 2]],
        };
        assert!((counted_out(&graph, &[0, 1, 2], &[0, 1, 2]) - 2.0 / 3.0).abs() < 1e-12);
    }

    /// Every assignment of four rows to four tuples, one by one.
    fn by_hand(lies_in: &[Vec<u32>]) -> f64 {
        let mut found = [[0u32; 4]; 4];
        let mut all = 0;
        for number in 0..4_u32.pow(4) {
            let tuple = |row: u32| number / 4_u32.pow(row) % 4;
            let one_each = (0..4).all(|t| (0..4).any(|row| tuple(row) == t));
            if one_each && (0..4).all(|row| lies_in[row as usize].contains(&tuple(row))) {
                all += 1;
                (0..4).for_each(|row| found[row as usize][tuple(row) as usize] += 1);
            }
        }
        let most = found.iter().flatten().max().copied().unwrap_or(0);
        if all == 0 { f64::NAN } else { f64::from(most) / f64::from(all) }
    }

    #[test]
    fn probabilities_are_those_of_all_assignments() {
        let tuples = |set: u32| (0..4).filter(move |t| set >> t & 1 == 1).collect::<Vec<u32>>();
        let mut tried = 0;
        for sets in (0..16_u32.pow(4)).step_by(7) {
            let lies_in: Vec<Vec<u32>> = (0..4).map(|row| tuples(sets / 16_u32.pow(row) % 16)).collect();
            let expected = by_hand(&lies_in);
            if expected.is_nan() {
                continue;
            }
            tried += 1;
            let graph = Graph { supply: vec![1; 4], demand: vec![1; 4], lies_in };
            let found = counted_out(&graph, &[0, 1, 2, 3], &[0, 1, 2, 3]);
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}: {:?}", graph.lies_in);
        }
        assert!(tried > 1000);
    }

    /// One class of three, two classes of one row each whose rows are alike, and eleven rows that hang together.
    #[test]
    fn components_are_looked_at_one_by_one() {
        let graph =
            |supply: Vec<u64>, demand: Vec<u64>, lies_in: Vec<Vec<u32>>| Graph { supply, demand, lies_in };
        let matches = |component: &[u32], kinds| Matches::of(component.to_vec(), kinds);
        let single = graph(vec![3, 0], vec![3], vec![vec![0], vec![0]]);
        assert_eq!(worst_posterior(&single, &matches(&[0, 0, 0], 2)), Some((1.0 / 3.0, 0)));
        let pair = graph(vec![1, 1, 0], vec![1, 1], vec![vec![0, 1]; 3]);
        assert_eq!(worst_posterior(&pair, &matches(&[0; 5], 3)), Some((0.5, 0)));
        let many = graph(vec![11], vec![5, 6], vec![vec![0, 1]]);
        assert_eq!(worst_posterior(&many, &matches(&[0; 3], 1)), None);
        let ten = graph(vec![10], vec![5, 5], vec![vec![0, 1]]);
        assert_eq!(worst_posterior(&ten, &matches(&[0; 3], 1)), Some((0.1, 0)));
        let both = graph(vec![11, 2], vec![5, 6, 2], vec![vec![0, 1], vec![2]]);
        assert_eq!(worst_posterior(&both, &matches(&[0, 1, 0, 0, 1], 2)), Some((0.5, 11)));
    }
}
