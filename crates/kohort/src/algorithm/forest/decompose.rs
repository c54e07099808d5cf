//! Cutting a tree into parts of at least k rows, weight-aware (`algorithms.md` §6).
//!
//! A tree has rows, and Steiner vertices that hold a part together where a row went to the other side; only rows count. As
//! long as some cut leaves k rows on both sides it is made, so that parts end with at most max(2k − 1, 3k − 3) rows.

/// Cuts the tree that contains `root` as far as it goes; vertices below `rows` are rows. Returns the rows of the parts,
/// each ascending.
pub(super) fn decompose(neighbours: &mut Vec<Vec<u32>>, rows: usize, root: u32, k: usize) -> Vec<Vec<u32>> {
    let mut parts = Vec::new();
    let mut open = vec![root];
    while let Some(vertex) = open.pop() {
        let tree = Tree::new(neighbours, rows, vertex);
        match tree.split(neighbours, k) {
            Some(pair) => open.extend(pair),
            None => parts.push(tree.rows()),
        }
    }
    parts
}

/// One tree, hung up at its lowest vertex.
struct Tree {
    /// Number of vertices that are rows in the whole table; Steiner vertices come after them.
    rows: usize,
    /// Vertices, each after its parent.
    order: Vec<u32>,
    parent: rustc_hash::FxHashMap<u32, u32>,
    /// Rows below each vertex, itself included.
    below: rustc_hash::FxHashMap<u32, usize>,
    total: usize,
}

impl Tree {
    fn new(neighbours: &[Vec<u32>], rows: usize, vertex: u32) -> Self {
        let lowest = hang(neighbours, vertex).0.into_iter().min().unwrap_or(vertex);
        let (order, parent) = hang(neighbours, lowest);
        let mut below: rustc_hash::FxHashMap<u32, usize> =
            order.iter().map(|&v| (v, usize::from((v as usize) < rows))).collect();
        for v in order.iter().skip(1).rev() {
            let mine = below[v];
            *below.entry(parent[v]).or_default() += mine;
        }
        let total = below[&lowest];
        Self { rows, order, parent, below, total }
    }

    fn rows(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.order.iter().copied().filter(|&v| (v as usize) < self.rows).collect();
        rows.sort_unstable();
        rows
    }

    /// The subtrees around a vertex with their rows, by vertex number.
    fn around(&self, neighbours: &[Vec<u32>], vertex: u32) -> Vec<(u32, usize)> {
        let size = |&other: &u32| {
            let is_parent = self.parent.get(&vertex) == Some(&other);
            (other, if is_parent { self.total - self.below[&vertex] } else { self.below[&other] })
        };
        let mut subtrees: Vec<_> = neighbours[vertex as usize].iter().map(size).collect();
        subtrees.sort_unstable();
        subtrees
    }

    /// Cuts the tree in two, if both sides can have k rows; returns a vertex of each.
    fn split(&self, neighbours: &mut Vec<Vec<u32>>, k: usize) -> Option<[u32; 2]> {
        if self.total < 2 * k {
            return None;
        }
        let mut at = self.order[0];
        loop {
            let subtrees = self.around(neighbours, at);
            if let Some(&(other, _)) = subtrees.iter().find(|(_, w)| *w >= k && self.total - w >= k) {
                neighbours[at as usize].retain(|&v| v != other);
                neighbours[other as usize].retain(|&v| v != at);
                return Some([at, other]);
            }
            match subtrees.iter().find(|(_, w)| *w >= k) {
                Some(&(other, _)) => at = other,
                None => return self.split_at(neighbours, at, subtrees, k),
            }
        }
    }

    /// All subtrees around the vertex have fewer than k rows: deals them to two sides. The vertex stays with one, a Steiner
    /// vertex takes its place on the other.
    fn split_at(
        &self,
        neighbours: &mut Vec<Vec<u32>>,
        at: u32,
        mut subtrees: Vec<(u32, usize)>,
        k: usize,
    ) -> Option<[u32; 2]> {
        let own = usize::from((at as usize) < self.rows);
        let need = k - own;
        let mut first = 0;
        if let Some(exact) = subtrees.iter().position(|(_, w)| *w == need) {
            subtrees.swap(0, exact);
            first = 1;
        } else {
            subtrees.sort_by_key(|&(v, w)| (std::cmp::Reverse(w), v));
            let mut sum = 0;
            while sum < need && first < subtrees.len() {
                sum += subtrees[first].1;
                first += 1;
            }
        }
        let (one, two) = subtrees.split_at(first);
        let sum = |side: &[(u32, usize)]| side.iter().map(|(_, w)| w).sum::<usize>();
        let (g1, g2) = (sum(one), sum(two));
        if g1.min(g2) + own < k || g1.max(g2) < k {
            return None;
        }
        let other = if g1 <= g2 { two } else { one };
        let steiner = neighbours.len() as u32;
        let moved: Vec<u32> = other.iter().map(|(v, _)| *v).collect();
        neighbours[at as usize].retain(|v| !moved.contains(v));
        for &v in &moved {
            for n in neighbours[v as usize].iter_mut().filter(|n| **n == at) {
                *n = steiner;
            }
        }
        neighbours.push(moved);
        Some([at, steiner])
    }
}

/// The vertices of a tree from one of them outward, and the parent of each.
fn hang(neighbours: &[Vec<u32>], from: u32) -> (Vec<u32>, rustc_hash::FxHashMap<u32, u32>) {
    let mut order = vec![from];
    let mut parent = rustc_hash::FxHashMap::default();
    let mut next = 0;
    while next < order.len() {
        let vertex = order[next];
        next += 1;
        for &other in &neighbours[vertex as usize] {
            if parent.get(&vertex) != Some(&other) {
                parent.insert(other, vertex);
                order.push(other);
            }
        }
    }
    (order, parent)
}
