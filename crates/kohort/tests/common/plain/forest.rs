//! The forest algorithm (Aggarwal et al. 2005; `algorithms.md` §6): rows point to near rows until no tree is too small,
//! then trees are split as long as both parts keep k rows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Plain;
use super::repair::repair;

/// The neighbours of every vertex. Vertices below the number of rows are rows; all others are Steiner vertices, which
/// hold a part together without being one of its rows.
type Tree = BTreeMap<u32, BTreeSet<u32>>;

/// What hangs on a vertex by one edge.
struct Branch {
    /// The vertex at the other end of the edge.
    root: u32,
    vertices: BTreeSet<u32>,
    /// How many of them are rows.
    rows: usize,
}

/// The clusters by their lowest row.
pub(crate) fn forest(plain: &Plain<'_>) -> Vec<Vec<u32>> {
    repair(plain, decompose(plain.table.rows as u32, plain.k, &arrows(plain)))
}

/// The edges of the forest, each from the row that asked for it: every row has at most one, so the one row of a tree
/// without any is unique.
pub(crate) fn arrows(plain: &Plain<'_>) -> Vec<(u32, u32)> {
    let all = 0..plain.table.rows as u32;
    let mut parts: Vec<Vec<u32>> = all.clone().map(|row| vec![row]).collect();
    let mut arrows: Vec<(u32, u32)> = Vec::new();
    let mut asked = vec![false; plain.table.rows];
    while parts.len() > 1
        && let Some(small) = smallest(plain, &parts)
    {
        let mut part = parts.remove(small);
        let from = *part.iter().find(|&&row| !asked[row as usize]).unwrap();
        let tuple = plain.leaf(from);
        let outside = all.clone().filter(|row| !part.contains(row));
        let to = outside.min_by_key(|&row| (plain.joined_cost(&tuple, row), row)).unwrap();
        arrows.push((from, to));
        asked[from as usize] = true;
        let reached = parts.iter().position(|other| other.contains(&to)).unwrap();
        part.extend(parts.remove(reached));
        parts.push(part);
    }
    arrows
}

/// The part with the fewest rows, then with the lowest row, if it is too small.
fn smallest(plain: &Plain<'_>, parts: &[Vec<u32>]) -> Option<usize> {
    let small = (0..parts.len()).filter(|&part| parts[part].len() < plain.k);
    small.min_by_key(|&part| (parts[part].len(), parts[part].iter().min()))
}

/// The parts of a forest after all splits, as rows in ascending order, by their lowest row.
pub(crate) fn decompose(rows: u32, k: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut steiner = rows;
    let mut trees = trees(rows, edges);
    let mut parts = Vec::new();
    while let Some(tree) = trees.pop() {
        if let Some(two) = split(rows, k, &tree, steiner) {
            trees.extend(two);
            // Used or not: their order would count only among those of one tree, and no tree ever has two. All branches
            // of a Steiner vertex are below k rows, so its tree is split around itself or not at all.
            steiner += 1;
        } else {
            parts.push(tree.into_keys().filter(|&vertex| vertex < rows).collect::<Vec<u32>>());
        }
    }
    parts.sort_by_key(|part| part[0]);
    parts
}

fn trees(rows: u32, edges: &[(u32, u32)]) -> Vec<Tree> {
    let mut all: Tree = (0..rows).map(|row| (row, BTreeSet::new())).collect();
    for &(a, b) in edges {
        all.get_mut(&a).unwrap().insert(b);
        all.get_mut(&b).unwrap().insert(a);
    }
    let mut trees: Vec<Tree> = Vec::new();
    for row in 0..rows {
        if !trees.iter().any(|tree| tree.contains_key(&row)) {
            trees.push(restricted(&all, &reachable(&all, row, None)));
        }
    }
    trees
}

/// All vertices on the way from one of them, where one may not be entered.
fn reachable(tree: &Tree, from: u32, closed: Option<u32>) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(vertex) = open.pop() {
        for &next in tree[&vertex].iter().filter(|&&next| Some(next) != closed) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

/// Some of the vertices, with the edges between them.
fn restricted(tree: &Tree, vertices: &BTreeSet<u32>) -> Tree {
    vertices.iter().map(|v| (*v, tree[v].intersection(vertices).copied().collect())).collect()
}

/// The weight-aware DECOMPOSE: only rows count, so that no part relies on a Steiner vertex to have k.
fn split(rows: u32, k: usize, tree: &Tree, steiner: u32) -> Option<[Tree; 2]> {
    let count = |vertices: &BTreeSet<u32>| vertices.iter().filter(|&&vertex| vertex < rows).count();
    let all: BTreeSet<u32> = tree.keys().copied().collect();
    let size = count(&all);
    if size < 2 * k {
        return None;
    }
    let mut at = *all.first()?;
    loop {
        let branch = |&root: &u32| {
            let vertices = reachable(tree, root, Some(at));
            Branch { root, rows: count(&vertices), vertices }
        };
        let branches: Vec<Branch> = tree[&at].iter().map(branch).collect();
        if let Some(cut) = branches.iter().find(|b| b.rows >= k && size - b.rows >= k) {
            let rest = all.difference(&cut.vertices).copied().collect();
            return Some([restricted(tree, &cut.vertices), restricted(tree, &rest)]);
        }
        match branches.iter().find(|b| b.rows >= k) {
            Some(large) => at = large.root,
            None => return split_at(tree, k, (at, at < rows), branches, steiner),
        }
    }
}

/// Deals the branches of a vertex, each below k rows, to two parts; the vertex stays with the one of fewer rows, and a
/// Steiner vertex holds the other together.
fn split_at(
    tree: &Tree,
    k: usize,
    (at, is_row): (u32, bool),
    branches: Vec<Branch>,
    steiner: u32,
) -> Option<[Tree; 2]> {
    let own = usize::from(is_row);
    let (first, second) = deal(branches, k - own);
    let sum = |branches: &[Branch]| branches.iter().map(|b| b.rows).sum::<usize>();
    let (fewer, more) = if sum(&second) < sum(&first) { (second, first) } else { (first, second) };
    if sum(&fewer) + own < k || sum(&more) < k {
        return None;
    }
    let part = |branches: &[Branch]| {
        let dealt = branches.iter().flat_map(|b| b.vertices.iter().copied());
        restricted(tree, &dealt.chain([at]).collect())
    };
    Some([part(&fewer), renamed(part(&more), at, steiner)])
}

/// The first branch of just the needed size against all others; or the largest, then first, until they suffice.
///
/// A branch of just the needed size is a largest one, so the second rule alone would do.
fn deal(mut branches: Vec<Branch>, need: usize) -> (Vec<Branch>, Vec<Branch>) {
    if let Some(exact) = branches.iter().position(|b| b.rows == need) {
        return (vec![branches.remove(exact)], branches);
    }
    branches.sort_by_key(|b| (Reverse(b.rows), b.root));
    let mut first = Vec::new();
    let mut sum = 0;
    while sum < need && !branches.is_empty() {
        sum += branches[0].rows;
        first.push(branches.remove(0));
    }
    (first, branches)
}

fn renamed(tree: Tree, from: u32, to: u32) -> Tree {
    let name = |vertex: u32| if vertex == from { to } else { vertex };
    tree.into_iter().map(|(v, near)| (name(v), near.into_iter().map(name).collect())).collect()
}
