//! UCI Adult, which is not part of the project, and its trees, which are.

use std::path::Path;

use kohort::data::{Hierarchy, ROOT_LABEL};
use kohort::input::Column;
use kohort::{Error, Result};

use super::{Design, Set, draw, known, read_columns};

/// The trees of `data/adult`. They have the heights that Li et al. 2006 prints; of the other papers' trees only single groups are known.
const TREES: [(&str, &str); 9] = [
    ("age", include_str!("../../../../data/adult/age.csv")),
    ("workclass", include_str!("../../../../data/adult/workclass.csv")),
    ("education", include_str!("../../../../data/adult/education.csv")),
    ("marital-status", include_str!("../../../../data/adult/marital-status.csv")),
    ("occupation", include_str!("../../../../data/adult/occupation.csv")),
    ("race", include_str!("../../../../data/adult/race.csv")),
    ("sex", include_str!("../../../../data/adult/sex.csv")),
    ("native-country", include_str!("../../../../data/adult/native-country.csv")),
    ("salary-class", include_str!("../../../../data/adult/salary-class.csv")),
];

/// The one attribute of the experiments that has no tree there; no paper prints one.
const RELATIONSHIP: [[&str; 3]; 6] = [
    ["Husband", "Spouse", ROOT_LABEL],
    ["Wife", "Spouse", ROOT_LABEL],
    ["Own-child", "Relative", ROOT_LABEL],
    ["Other-relative", "Relative", ROOT_LABEL],
    ["Not-in-family", "Without spouse", ROOT_LABEL],
    ["Unmarried", "Without spouse", ROOT_LABEL],
];

/// All columns that some experiment uses.
const COLUMNS: [&str; 11] = [
    "age",
    "workclass",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
    "salary-class",
];

/// The table, without the rows in which something is missing.
pub(crate) struct Adult {
    columns: Vec<Column>,
    /// The rows that are complete.
    complete: Vec<usize>,
}

impl Adult {
    /// Reads it.
    pub(crate) fn open(file: &Path) -> Result<Self> {
        let file = known(file, "https://archive.ics.uci.edu/dataset/2/adult")?;
        let columns = read_columns(file, &COLUMNS).map_err(|e| {
            e.help("use UCI Adult with a header that names its columns as they are in https://archive.ics.uci.edu/dataset/2/adult (age,workclass,education,education-num,marital-status,occupation,relationship,race,sex,native-country,salary-class)")
        })?;
        let is_missing = |text: &String| matches!(text.trim(), "" | "?");
        let missing: Vec<Vec<bool>> =
            columns.iter().map(|column| column.texts.iter().map(is_missing).collect()).collect();
        let rows = columns.first().map_or(0, |column| column.codes.len());
        let is_complete = |row: &usize| {
            columns.iter().zip(&missing).all(|(column, missing)| !missing[column.codes.get(*row) as usize])
        };
        let complete: Vec<usize> = (0..rows).filter(is_complete).collect();
        if complete.len() < 10_000 {
            return Err(Error::input(format!(
                "{} complete rows, expected those of UCI Adult",
                complete.len()
            ))
            .in_file(file.display().to_string())
            .help("use the whole table: 45,222 of its 48,842 rows are complete"));
        }
        Ok(Self { columns, complete })
    }

    /// How many rows are complete.
    pub(crate) fn rows(&self) -> usize {
        self.complete.len()
    }

    /// A sample.
    pub(crate) fn sample(&self, rows: usize, seed: u64, design: Design<'_>) -> Result<Set> {
        let drawn = draw(self.rows(), rows, seed)?;
        let rows: Vec<usize> = drawn.into_iter().map(|at| self.complete[at]).collect();
        self.set("Adult", &rows, design)
    }

    /// All rows.
    pub(crate) fn whole(&self, design: Design<'_>) -> Result<Set> {
        self.set("Adult", &self.complete, design)
    }

    fn set(&self, name: &str, rows: &[usize], design: Design<'_>) -> Result<Set> {
        let is_used = |column: &&Column| {
            design.qi.contains(&column.name.as_str()) || design.sensitive.contains(&column.name.as_str())
        };
        let columns: Vec<Column> = self.columns.iter().filter(is_used).cloned().collect();
        Set::of(name, &columns, rows, design)
    }
}

/// "Education-level was divided into three groups: high-school, college, and advanced-degrees" (Gionis et al. 2008). Which
/// grades belong to which is not printed.
pub(crate) fn education_in_three() -> Result<Hierarchy> {
    let tree = adult_tree("education")?;
    let paths = (0..tree.leaf_count()).map(|leaf| {
        let path = tree.path(leaf);
        let group = match (path[1], path[path.len() - 2]) {
            ("Postgraduate degree", _) => "advanced degrees",
            (_, "Beyond school") => "college",
            _ => "high school",
        };
        [path[0].to_owned(), group.to_owned(), ROOT_LABEL.to_owned()]
    });
    Hierarchy::from_paths(tree.name(), paths)
}

/// A tree of `data/adult`, or that of relationship.
pub(crate) fn adult_tree(column: &str) -> Result<Hierarchy> {
    if column == "relationship" {
        return Hierarchy::from_paths(column, RELATIONSHIP);
    }
    let file = TREES.iter().find(|(name, _)| *name == column).map_or("", |(_, text)| text);
    let lines = file.lines().filter(|line| !line.is_empty());
    Hierarchy::from_paths(column, lines.map(|line| line.split(';').map(str::to_owned).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heights of Table 2 of Li et al. 2006.
    #[test]
    fn trees_have_the_heights_that_are_printed() {
        let heights = [4, 3, 4, 3, 2, 2, 1, 3, 1];
        for ((name, _), height) in TREES.into_iter().zip(heights) {
            assert_eq!(adult_tree(name).map(|tree| tree.height()).ok(), Some(height), "{name}");
        }
        assert_eq!(adult_tree("relationship").map(|tree| tree.height()).ok(), Some(2));
    }

    #[test]
    fn education_has_the_three_groups_that_are_printed() {
        let tree = education_in_three().ok().filter(|tree| tree.height() == 2 && tree.leaf_count() == 16);
        let group =
            |leaf: &str| tree.as_ref().and_then(|tree| Some(tree.path(tree.leaf(leaf)?)[1].to_owned()));
        for (leaf, expected) in
            [("HS-grad", "high school"), ("Bachelors", "college"), ("Masters", "advanced degrees")]
        {
            assert_eq!(group(leaf).as_deref(), Some(expected), "{leaf}");
        }
    }
}
