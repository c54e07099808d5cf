//! A tree that stands in the table itself: every precinct lies in one district, every district in one city.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::{Hierarchy, ROOT_LABEL};
use crate::error::{Error, Result, Said, counted};

/// How many values with several values above them a message shows before it only counts.
const SHOWN: usize = 5;

/// Different rows of some columns, with how often they occur. A missing value is the empty text.
pub type Combinations = [(Vec<String>, u64)];

/// A tree from columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// The tree: the values of the first column are its leaves.
    pub hierarchy: Hierarchy,
    /// What is odd about it, in words.
    pub notes: Vec<Said>,
}

/// The tree of some columns, the finest first: what stands beside a value stands above it. Refused where a value has two values
/// above it. A missing value in an upper column says nothing: the other rows tell or, where none does, the level is left out.
///
/// ```
/// use kohort::data::recipes::nested;
/// let names = ["precinct", "district"].map(str::to_owned);
/// let rows = [["p1", "North"], ["p2", "North"], ["p3", "South"], ["p1", ""]];
/// let rows: Vec<_> = rows.iter().map(|row| (row.map(str::to_owned).to_vec(), 1)).collect();
/// let tree = nested(&names, &rows)?.hierarchy;
/// assert_eq!(tree.path(tree.leaf("p2").unwrap()), ["p2", "North", "*"]);
/// # Ok::<(), kohort::Error>(())
/// ```
pub fn nested(names: &[String], rows: &Combinations) -> Result<Nested> {
    let Some(name) = names.first().filter(|_| names.len() > 1) else {
        return Err(Error::job(format!("a tree takes at least two columns, {} given", names.len())).help(
            "name the column itself first, and then what lies above it, such as precinct,district,city",
        ));
    };
    let mut paths = Paths::new(rows);
    if paths.leaves.is_empty() {
        return Err(Error::input("the column has no values").in_hierarchy_of(name));
    }
    for level in 1..names.len() {
        paths.grow(level, rows).map_err(|torn| torn.error(names, level, rows).in_hierarchy_of(name))?;
    }
    let notes = paths.notes(names);
    let paths = paths.labelled(names).into_iter();
    Ok(Nested { hierarchy: Hierarchy::from_paths(name, paths)?, notes })
}

/// What stands above every value, level by level, as far as that is known.
struct Paths<'a> {
    leaves: Vec<&'a str>,
    /// Which leaf every row has; none for a row without a value.
    leaf_of: Vec<Option<usize>>,
    /// Per leaf what stands above it, the leaf itself first; empty where nothing tells.
    above: Vec<Vec<&'a str>>,
}

/// Values of a lower column with more than one value above them.
struct Torn<'a> {
    lower: usize,
    /// Of so many values of the lower column.
    all: usize,
    values: Vec<(&'a str, Vec<(&'a str, u64)>)>,
}

/// How many rows have which value of an upper column.
type Votes<'a> = FxHashMap<&'a str, u64>;

/// What says nothing about where a value belongs.
fn is_silent(text: &str) -> bool {
    text.is_empty() || text == ROOT_LABEL
}

impl<'a> Paths<'a> {
    fn new(rows: &'a Combinations) -> Self {
        let mut leaves: Vec<&str> =
            rows.iter().map(|(row, _)| row[0].as_str()).filter(|v| !v.is_empty()).collect();
        leaves.sort_unstable();
        leaves.dedup();
        let place: FxHashMap<&str, usize> = leaves.iter().copied().zip(0..).collect();
        let leaf_of = rows.iter().map(|(row, _)| place.get(row[0].as_str()).copied()).collect();
        let above = leaves.iter().map(|leaf| vec![*leaf]).collect();
        Self { leaves, leaf_of, above }
    }

    /// Finds out what stands above every leaf at one more level.
    fn grow(&mut self, level: usize, rows: &'a Combinations) -> std::result::Result<(), Torn<'a>> {
        let mut votes: Vec<Votes<'a>> = vec![Votes::default(); self.leaves.len()];
        for ((row, times), leaf) in rows.iter().zip(&self.leaf_of) {
            if let (Some(leaf), false) = (leaf, is_silent(&row[level])) {
                *votes[*leaf].entry(row[level].as_str()).or_default() += times;
            }
        }
        let by_leaf = self.leaves.iter().copied().zip(votes.iter().cloned());
        refuse_torn(0, by_leaf.collect())?;
        // Whatever lies in the same group lies below the same things.
        let groups: Vec<(usize, &str)> = self.above.iter().map(|path| nearest(path)).collect();
        let mut of_group: FxHashMap<(usize, &str), Votes<'a>> = FxHashMap::default();
        for (group, votes) in groups.iter().zip(&votes) {
            let all = of_group.entry(*group).or_default();
            for (value, times) in votes {
                *all.entry(value).or_default() += times;
            }
        }
        for lower in 1..level {
            let of_level = of_group.iter().filter(|((at, _), _)| *at == lower);
            let mut named: Vec<_> = of_level.map(|((_, value), votes)| (*value, votes.clone())).collect();
            named.sort_unstable_by_key(|(value, _)| *value);
            refuse_torn(lower, named)?;
        }
        for (path, group) in self.above.iter_mut().zip(&groups) {
            path.push(of_group[group].keys().next().copied().unwrap_or_default());
        }
        Ok(())
    }

    /// Levels that hide nothing.
    fn notes(&self, names: &[String]) -> Vec<Said> {
        let different = |level: usize| {
            let values: FxHashSet<&str> = self.above.iter().map(|path| path[level]).collect();
            values.iter().filter(|value| !value.is_empty()).count()
        };
        let note = |level: usize| {
            let (here, below, name) = (different(level), different(level - 1), &names[level]);
            let silent = self.above.iter().filter(|path| path[level].is_empty()).count();
            let untold = (silent > 0).then(|| {
                format!(
                    "nothing says in which '{name}' {} of '{}' lie",
                    counted(silent as u64, "value"),
                    names[0]
                )
            });
            let idle = match here {
                0 => Some(format!("'{name}' has no values and makes no level")),
                1 => Some(format!("'{name}' has one value: its level says no more than '{ROOT_LABEL}'")),
                _ if here == below && silent == 0 => Some(format!(
                    "'{name}' has as many values as '{}': its level hides nothing",
                    names[level - 1]
                )),
                _ => None,
            };
            idle.or(untold)
        };
        (1..names.len()).filter_map(note).map(Said::from).collect()
    }

    /// The paths with labels that a release can tell apart: where a value of an upper column is a value of another column, too, and
    /// does not lie above it, that upper column's labels begin with its name.
    fn labelled(&self, names: &[String]) -> Vec<Vec<String>> {
        let clashes: Vec<bool> = (0..names.len()).map(|level| level > 0 && self.clashes(level)).collect();
        let label = |level: usize, value: &str| {
            if clashes[level] { format!("{} {value}", names[level]) } else { value.to_owned() }
        };
        let path = |path: &Vec<&str>| {
            let known = path.iter().enumerate().filter(|(_, value)| !value.is_empty());
            known.map(|(level, value)| label(level, value)).chain([ROOT_LABEL.to_owned()]).collect()
        };
        self.above.iter().map(path).collect()
    }

    fn clashes(&self, level: usize) -> bool {
        let labels: FxHashSet<&str> =
            self.above.iter().map(|path| path[level]).filter(|v| !v.is_empty()).collect();
        let stands_elsewhere = |path: &Vec<&str>| {
            let mut others = path.iter().enumerate().filter(|(at, _)| *at != level);
            others.any(|(_, value)| labels.contains(value) && path[level] != *value)
        };
        self.above.iter().any(stands_elsewhere)
    }
}

/// Refuses values of a lower column that have several values above them.
fn refuse_torn<'a>(lower: usize, named: Vec<(&'a str, Votes<'a>)>) -> std::result::Result<(), Torn<'a>> {
    let all = named.len();
    let torn = named.into_iter().filter(|(_, votes)| votes.len() > 1);
    let values: Vec<_> = torn.map(|(value, votes)| (value, most_first(votes))).collect();
    if values.is_empty() { Ok(()) } else { Err(Torn { lower, all, values }) }
}

/// The highest level of a path that says something, and what it says.
fn nearest<'a>(path: &[&'a str]) -> (usize, &'a str) {
    let told = path.iter().enumerate().rev().find(|(_, value)| !value.is_empty());
    told.map_or((0, ""), |(level, value)| (level, *value))
}

fn most_first(votes: Votes<'_>) -> Vec<(&str, u64)> {
    let mut votes: Vec<_> = votes.into_iter().collect();
    votes.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    votes
}

impl Torn<'_> {
    /// Which values have several values above them, and what to do.
    fn error(&self, names: &[String], level: usize, rows: &Combinations) -> Error {
        let (lower, upper) = (&names[self.lower], &names[level]);
        let several = |(value, above): &(&str, Vec<(&str, u64)>)| {
            let shown: Vec<String> = above
                .iter()
                .take(SHOWN)
                .map(|(text, n)| format!("'{text}' ({})", counted(*n, "row")))
                .collect();
            let more = if above.len() > SHOWN {
                format!(" and {} more", above.len() - SHOWN)
            } else {
                String::new()
            };
            format!("    '{value}' has {}{more}", shown.join(", "))
        };
        let mut lines: Vec<String> = self.values.iter().take(SHOWN).map(several).collect();
        if self.values.len() > SHOWN {
            lines.push(format!("    … and {} more", self.values.len() - SHOWN));
        }
        let strays: u64 = self.values.iter().flat_map(|(_, above)| &above[1..]).map(|(_, n)| n).sum();
        let help = if determines(rows, level, self.lower) {
            format!("every '{upper}' has one '{lower}': name '{upper}' before '{lower}'")
        } else {
            format!(
                "correct the {} from the most frequent value, or leave '{upper}' out; the finest column comes first",
                if strays == 1 { "row that differs".into() } else { format!("{strays} rows that differ") }
            )
        };
        Error::input(format!(
            "'{upper}' does not lie above '{lower}': {} of {} have several:\n{}",
            self.values.len(),
            counted(self.all as u64, "value"),
            lines.join("\n")
        ))
        .number("rows", strays as f64)
        .help(help)
    }
}

/// Whether every value of one column has one value of another.
fn determines(rows: &Combinations, from: usize, to: usize) -> bool {
    let mut seen: FxHashMap<&str, &str> = FxHashMap::default();
    let told = rows.iter().filter(|(row, _)| !is_silent(&row[from]) && !is_silent(&row[to]));
    let mut pairs = told.map(|(row, _)| (row[from].as_str(), row[to].as_str()));
    pairs.all(|(from, to)| *seen.entry(from).or_insert(to) == to)
}

#[cfg(test)]
mod tests {
    use super::super::contract::{holds, path, strings};
    use super::*;

    fn tree<const N: usize>(names: [&str; N], rows: &[([&str; N], u64)]) -> Result<Nested> {
        let rows: Vec<_> = rows.iter().map(|(row, n)| (row.map(str::to_owned).to_vec(), *n)).collect();
        nested(&strings(names), &rows)
    }

    #[test]
    fn what_stands_beside_a_value_stands_above_it() {
        let rows = [
            (["p1", "North", "Bay"], 3),
            (["p2", "North", "Bay"], 1),
            (["p3", "South", "Bay"], 1),
            (["p4", "Hill", "Millvale"], 2),
        ];
        let found = tree(["precinct", "district", "city"], &rows).unwrap();
        holds(&found.hierarchy, &strings(["p1", "p2", "p3", "p4"]));
        assert_eq!(path(&found.hierarchy, "p3"), ["p3", "South", "Bay", "*"]);
        assert!(found.notes.is_empty(), "{:?}", found.notes);
    }

    #[test]
    fn two_values_above_one_are_named_with_their_rows() {
        let rows = [(["a", "x"], 40), (["a", "y"], 2), (["b", "x"], 1), (["c", "y"], 1), (["c", "z"], 1)];
        let e = tree(["low", "high"], &rows).unwrap_err().to_string();
        assert!(e.contains("'high' does not lie above 'low': 2 of 3 values have several"), "{e}");
        assert!(
            e.contains("'a' has 'x' (40 rows), 'y' (2 rows)") && e.contains("correct the 3 rows that differ"),
            "{e}"
        );
    }

    #[test]
    fn columns_in_the_wrong_order_are_told_the_right_one() {
        let e = tree(["city", "street"], &[(["Bay", "s1"], 1), (["Bay", "s2"], 1)]).unwrap_err().to_string();
        assert!(e.contains("name 'street' before 'city'"), "{e}");
    }

    #[test]
    fn a_missing_value_says_nothing() {
        let rows = [
            (["a", "x", "X"], 1),
            (["a", "", ""], 1),
            (["b", "", "X"], 1),
            (["c", "", ""], 1),
            (["", "x", "Y"], 1),
            (["d", "x", ""], 1),
        ];
        let found = tree(["low", "mid", "high"], &rows).unwrap();
        let of = |leaf| path(&found.hierarchy, leaf);
        assert_eq!(of("a"), ["a", "x", "X", "*"]);
        assert_eq!(of("b"), ["b", "X", "*"]);
        assert_eq!(of("c"), ["c", "*"]);
        assert_eq!(of("d"), ["d", "x", "X", "*"], "others of its group tell");
        assert_eq!(found.hierarchy.leaf_count(), 4, "a row without a value has no place");
    }

    /// No row has both 'x' and 'Y': only what is known of 'a' from another row tells.
    #[test]
    fn contradictions_across_rows_are_found() {
        let rows = [(["a", "x", ""], 1), (["a", "", "Y"], 1), (["b", "x", "X"], 1)];
        let e = tree(["low", "mid", "high"], &rows).unwrap_err().to_string();
        assert!(e.contains("'high' does not lie above 'mid'") && e.contains("'x' has 'X'"), "{e}");
    }

    #[test]
    fn equal_texts_of_two_columns_are_told_apart() {
        let rows = [(["1", "2"], 1), (["2", "1"], 1), (["3", "1"], 1)];
        let found = tree(["precinct", "district"], &rows).unwrap().hierarchy;
        assert_eq!(path(&found, "1"), ["1", "district 2", "*"]);
        let same = tree(["job", "kind"], &[(["Other", "Other"], 1), (["Nurse", "Health"], 1)]).unwrap();
        assert_eq!(path(&same.hierarchy, "Other"), ["Other", "Other", "*"], "the wider meaning holds");
    }

    #[test]
    fn levels_that_hide_nothing_are_noted() {
        let rows = [(["a", "A", "all"], 1), (["b", "B", "all"], 1)];
        let notes = tree(["code", "name", "world"], &rows).unwrap().notes;
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].to_string().contains("hides nothing"), "{notes:?}");
        assert!(notes[1].to_string().contains("one value"), "{notes:?}");
    }

    #[test]
    fn too_little_is_refused() {
        assert!(tree(["a"], &[(["x"], 1)]).is_err());
        assert!(tree(["a", "b"], &[(["", "x"], 1)]).is_err());
    }

    proptest::proptest! {
        /// Whatever the rows: either every value has one path that agrees with every row, or some pair of rows contradicts.
        #[test]
        fn a_tree_agrees_with_every_row(rows in proptest::collection::vec(("[a-e]?", "[x-z]?", "[XY]?"), 1..12)) {
            let rows: Vec<_> = rows.into_iter().map(|(a, b, c)| (vec![a, b, c], 1)).collect();
            let names = strings(["a", "b", "c"]);
            match nested(&names, &rows) {
                Ok(found) => for (row, _) in rows.iter().filter(|(row, _)| !row[0].is_empty()) {
                    let path = found.hierarchy.path(found.hierarchy.leaf(&row[0]).unwrap());
                    for value in row[1..].iter().filter(|value| !value.is_empty()) {
                        proptest::prop_assert!(path.contains(&value.as_str()), "{row:?} {path:?}");
                    }
                },
                Err(e) => proptest::prop_assert!(
                    rows.iter().all(|(row, _)| row[0].is_empty()) || e.to_string().contains("does not lie above"), "{e}"
                ),
            }
        }
    }
}
