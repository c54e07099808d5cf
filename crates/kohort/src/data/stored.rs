//! Domains as they travel between processes: only what cannot be derived, checked when it arrives.

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Hierarchy, Kind, Numbers, Step};

/// A hierarchy: the label and the parent of every node, numbered as in [`Hierarchy`].
#[derive(Serialize, Deserialize)]
pub(super) struct StoredHierarchy {
    name: String,
    labels: Vec<String>,
    parents: Vec<u32>,
}

/// Numbers or dates in ascending order.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredNumbers {
    pub(super) kind: Kind,
    pub(super) positions: Vec<f64>,
    pub(super) labels: Vec<String>,
    pub(super) missing: bool,
    /// The step of the grid for interval ends.
    pub(super) step: Option<Step>,
    pub(super) declared: bool,
    /// Whether instants are those of UTC.
    #[serde(default)]
    pub(super) zoned: bool,
}

impl From<Numbers> for StoredNumbers {
    fn from(numbers: Numbers) -> Self {
        numbers.stored()
    }
}

impl TryFrom<StoredNumbers> for Numbers {
    type Error = String;

    fn try_from(stored: StoredNumbers) -> Result<Self, String> {
        Self::from_stored(stored)
    }
}

impl From<Hierarchy> for StoredHierarchy {
    fn from(h: Hierarchy) -> Self {
        Self { name: h.name, labels: h.labels, parents: h.parent }
    }
}

impl TryFrom<StoredHierarchy> for Hierarchy {
    type Error = String;

    fn try_from(stored: StoredHierarchy) -> Result<Self, String> {
        let StoredHierarchy { name, labels, parents: parent } = stored;
        let n = labels.len();
        let wrong = |what: &str| Err(format!("the hierarchy of '{name}' is damaged: {what}"));
        let above = |(node, &parent): (usize, &u32)| {
            (parent as usize) < n && (parent as usize > node || node + 1 == n)
        };
        if n == 0 || parent.len() != n || !parent.iter().enumerate().all(above) {
            return wrong("parents come after their children, the root last");
        }
        let mut height = vec![0; n];
        let mut leaves: Vec<Range<u32>> = vec![0..0; n];
        let mut below = vec![0u32; n];
        for node in 0..n {
            if leaves[node].is_empty() {
                leaves[node] = node as u32..node as u32 + 1;
                below[node] = 1;
            }
            if below[node] as usize != leaves[node].len() {
                return wrong("the leaves below a node are not in one row");
            }
            if node + 1 < n {
                let up = parent[node] as usize;
                let (mine, so_far) = (leaves[node].clone(), leaves[up].clone());
                leaves[up] = if so_far.is_empty() {
                    mine
                } else {
                    so_far.start.min(mine.start)..so_far.end.max(mine.end)
                };
                below[up] += below[node];
                height[up] = height[up].max(height[node] + 1);
            }
        }
        let count = leaves[n - 1].len();
        if (0..n).any(|node| (height[node] == 0) != (node < count)) {
            return wrong("leaves come first");
        }
        let mut depth = vec![0; n];
        for node in (0..n - 1).rev() {
            depth[node] = depth[parent[node] as usize] + 1;
        }
        let by_label = by_label(&labels, &leaves);
        Ok(Self { name, labels, parent, depth, height, leaves, by_label })
    }
}

/// Which node a label means: of several the one with most leaves below.
pub(super) fn by_label(labels: &[String], leaves: &[Range<u32>]) -> FxHashMap<String, u32> {
    let mut by_label = FxHashMap::default();
    for (node, label) in labels.iter().enumerate() {
        // Later nodes have at least as many leaves below any label they share on one path.
        let widest = by_label.entry(label.clone()).or_insert(node as u32);
        if leaves[node].len() > leaves[*widest as usize].len() {
            *widest = node as u32;
        }
    }
    by_label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_arrive_as_they_were() {
        let paths = [
            vec!["a", "ab", "*"],
            vec!["b", "ab", "*"],
            vec!["c", "*"],
            vec!["d", "de", "dx", "*"],
            vec!["e", "de", "dx", "*"],
        ];
        let h = Hierarchy::from_paths("x", paths).unwrap();
        let text = serde_json::to_string(&h).unwrap();
        assert_eq!(serde_json::from_str::<Hierarchy>(&text).unwrap(), h);
        let texts = ["3", "0.1", "", "-7.25", "1e3"].map(String::from);
        for step in [None, Some(Step::Number(0.5))] {
            let (numbers, _) = Numbers::order(Kind::Decimal, &texts, step).unwrap();
            let text = serde_json::to_string(&numbers).unwrap();
            assert_eq!(serde_json::from_str::<Numbers>(&text).unwrap(), numbers);
        }
    }

    #[test]
    fn damage_is_refused() {
        let damaged = [
            r#"{"name":"x","labels":[],"parents":[]}"#,
            r#"{"name":"x","labels":["a","*"],"parents":[1]}"#,
            r#"{"name":"x","labels":["a","*"],"parents":[7,1]}"#,
            r#"{"name":"x","labels":["a","b","*"],"parents":[2,0,2]}"#,
            r#"{"name":"x","labels":["a","b","c","g","*"],"parents":[3,4,3,4,4]}"#,
        ];
        for text in damaged {
            assert!(serde_json::from_str::<Hierarchy>(text).is_err(), "{text}");
        }
        let numbers = r#"{"kind":"integer","positions":[2.0,1.0],"labels":["2","1"],"missing":false,"step":null,"declared":false}"#;
        assert!(serde_json::from_str::<Numbers>(numbers).is_err());
    }
}
