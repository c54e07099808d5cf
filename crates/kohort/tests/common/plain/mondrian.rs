//! Mondrian (`algorithms.md` §5.3), as read in the docs of the shipped one.

use kohort::algorithm::Cut;
use kohort::data::{Domain, Hierarchy};

use super::{Plain, common_ancestor};

/// The parts, left before right.
pub(crate) fn mondrian(plain: &Plain<'_>, cut: Cut) -> Vec<Vec<u32>> {
    split(plain, cut, (0..plain.table.rows as u32).collect())
}

fn split(plain: &Plain<'_>, cut: Cut, part: Vec<u32>) -> Vec<Vec<u32>> {
    for dim in widest_first(plain, &part) {
        for pieces in candidates(plain, cut, &part, dim) {
            if pieces.len() > 1 && pieces.iter().all(|piece| plain.holds(piece)) {
                return pieces.into_iter().flat_map(|piece| split(plain, cut, piece)).collect();
            }
        }
    }
    vec![part]
}

/// The attributes in which the part has more than one value: widest, then most values, then first.
fn widest_first(plain: &Plain<'_>, part: &[u32]) -> Vec<usize> {
    let mut ranked: Vec<(f64, usize, usize)> = Vec::new();
    for dim in 0..plain.dims() {
        let codes = sorted(plain, part, dim);
        let mut different = codes.clone();
        different.dedup();
        if different.len() > 1 {
            ranked.push((width(plain, dim, &different), different.len(), dim));
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    ranked.into_iter().map(|(_, _, dim)| dim).collect()
}

fn width(plain: &Plain<'_>, dim: usize, codes: &[u32]) -> f64 {
    let attribute = &plain.table.qi[dim].attribute;
    let share = match &attribute.domain {
        Domain::Tree(h) => {
            let below = below(h, ancestor(h, codes));
            below as f64 / f64::from(h.leaf_count())
        }
        Domain::Interval(n) if codes.contains(&n.len()) => 1.0,
        Domain::Interval(n) => (n.position(codes[codes.len() - 1]) - n.position(codes[0])) / n.range(),
    };
    share * attribute.weight
}

/// How many leaves have the node above them.
fn below(h: &Hierarchy, node: u32) -> usize {
    let under = |leaf: u32| std::iter::successors(Some(leaf), |&n| h.parent(n)).any(|n| n == node);
    (0..h.leaf_count()).filter(|&leaf| under(leaf)).count()
}

fn ancestor(h: &Hierarchy, codes: &[u32]) -> u32 {
    codes.iter().copied().reduce(|a, b| common_ancestor(h, a, b)).unwrap()
}

fn sorted(plain: &Plain<'_>, part: &[u32], dim: usize) -> Vec<u32> {
    let mut codes: Vec<u32> = part.iter().map(|&r| plain.code(dim, r)).collect();
    codes.sort_unstable();
    codes
}

fn candidates(plain: &Plain<'_>, cut: Cut, part: &[u32], dim: usize) -> Vec<Vec<Vec<u32>>> {
    let codes = sorted(plain, part, dim);
    let n = match &plain.table.qi[dim].attribute.domain {
        Domain::Tree(h) => return vec![children(plain, h, part, dim)],
        Domain::Interval(n) => n,
    };
    let two = |left: &dyn Fn(u32) -> bool| {
        let (l, r): (Vec<u32>, Vec<u32>) = part.iter().partition(|&&row| left(plain.code(dim, row)));
        [l, r].into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>()
    };
    let median = codes[(codes.len() - 1) / 2];
    let mut cuts = Vec::new();
    if codes.contains(&n.len()) {
        cuts.push(two(&|code| code != n.len()));
    }
    match cut {
        Cut::Strict => {
            cuts.push(two(&|code| code <= median));
            cuts.push(two(&|code| code < median));
        }
        Cut::Relaxed => cuts.push(dealt(plain, part, dim, median)),
    }
    cuts
}

/// Lower rows left, higher rows right; rows at the median go left, in order, until half of all rows are there.
fn dealt(plain: &Plain<'_>, part: &[u32], dim: usize, median: u32) -> Vec<Vec<u32>> {
    let (mut left, mut right, mut middle) = (Vec::new(), Vec::new(), Vec::new());
    for &row in part {
        match plain.code(dim, row).cmp(&median) {
            std::cmp::Ordering::Less => left.push(row),
            std::cmp::Ordering::Equal => middle.push(row),
            std::cmp::Ordering::Greater => right.push(row),
        }
    }
    for row in middle {
        if left.len() < part.len() / 2 { left.push(row) } else { right.push(row) }
    }
    left.sort_unstable();
    right.sort_unstable();
    [left, right].into_iter().filter(|piece| !piece.is_empty()).collect()
}

/// One piece per child of the common ancestor, in the order of the tree.
fn children(plain: &Plain<'_>, h: &Hierarchy, part: &[u32], dim: usize) -> Vec<Vec<u32>> {
    let top = ancestor(h, &sorted(plain, part, dim));
    let child = |code: u32| {
        std::iter::successors(Some(code), |&n| h.parent(n)).find(|&n| h.parent(n) == Some(top)).unwrap()
    };
    let mut pieces: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut rows = part.to_vec();
    // The order of leaves is the order of the tree.
    rows.sort_by_key(|&row| plain.code(dim, row));
    for row in rows {
        let node = child(plain.code(dim, row));
        match pieces.last_mut() {
            Some((last, piece)) if *last == node => piece.push(row),
            _ => pieces.push((node, vec![row])),
        }
    }
    for (_, piece) in &mut pieces {
        piece.sort_unstable();
    }
    pieces.into_iter().map(|(_, piece)| piece).collect()
}
