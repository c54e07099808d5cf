//! What could be asked instead, without promising less: other trees, a level more, a few rows less. And what only tells what
//! something costs.

use super::trees;
use crate::data::recipes::{DateLevel, MaskSide, Recipe};
use crate::data::{Attribute, Domain, Hierarchy, Kind, Missing, Role};
use crate::demand::{Demands, Notion};
use crate::error::{Said, marked};
use crate::input::{BoundarySpec, infer};
use crate::job::CheckedJob;
use crate::job::checked::{CheckedColumn, HierarchyFrom};

/// What a change costs besides what it loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Price {
    /// The same promise about the same columns.
    None,
    /// Another promise, or another table: it only tells what something costs.
    AnotherRelease,
}

/// A job that differs in one thing.
pub(super) struct Change {
    pub(super) what: Said,
    pub(super) column: Option<String>,
    /// How to say it.
    pub(super) how: Option<Said>,
    pub(super) price: Price,
    pub(super) job: CheckedJob,
}

/// The share of rows that may go in addition.
const FEW: f64 = 0.01;

/// How much heavier a column may weigh.
const HEAVIER: f64 = 3.0;

/// Few values need no ranges, and codes are hidden from three characters on.
const MANY: usize = 12;
const CODE: usize = 3;

/// A change of what is said about one column.
struct OfColumn<'a> {
    job: &'a CheckedJob,
    attribute: &'a Attribute,
}

impl OfColumn<'_> {
    fn change(&self, what: String, how: String, edit: impl FnOnce(&mut CheckedColumn)) -> Change {
        let name = &self.attribute.name;
        let mut job = self.job.clone();
        edit(job.columns.entry(name.clone()).or_default());
        Change {
            what: what.into(),
            column: Some(name.clone()),
            how: Some(how.into()),
            price: Price::None,
            job,
        }
    }

    /// Another tree.
    fn planted(&self, what: String, how: String, tree: HierarchyFrom) -> Change {
        self.change(what, how, |entry| {
            entry.hierarchy = Some(tree);
            entry.snap = None;
        })
    }

    fn built(&self, what: &str, toml: &str, recipe: Recipe) -> Change {
        let name = &self.attribute.name;
        let how = in_job_file(name, &format!("hierarchy = {toml}"));
        let mut change = self.planted(format!("'{name}': {what}"), how, HierarchyFrom::Built(recipe));
        change.job.snap.remove(name);
        change
    }

    /// Whether its boundary or its weights name nodes, widths or levels, which another domain does not have.
    fn is_tied(&self) -> bool {
        let entry = self.job.columns.get(&self.attribute.name);
        let is_fixed = self.job.search.levels.contains_key(&self.attribute.name);
        is_fixed || entry.is_some_and(|e| !e.boundary.is_empty() || !e.level_weights.0.is_empty())
    }

    fn all(&self) -> Vec<Change> {
        let name = &self.attribute.name;
        let mut all = Vec::new();
        if !self.is_tied() {
            match &self.attribute.domain {
                Domain::Interval(numbers) => all.extend(self.tree_of_ranges(numbers.kind(), numbers.range())),
                Domain::Tree(tree) => all.extend(self.other_trees(tree)),
            }
        }
        let entry = self.job.columns.get(name);
        if entry.is_some_and(|e| !e.boundary.is_empty()) {
            let what = format!("'{name}': without its boundary");
            let how = "omit ‹max-generalization›, ‹max-width› or ‹cuts› for it".to_owned();
            all.push(self.change(what, how, |entry| entry.boundary = BoundarySpec::default()));
        }
        let policy = entry.and_then(|e| e.missing).unwrap_or(self.job.missing);
        if policy == Missing::Value && self.missing_rows() > 0 {
            let what = format!("'{name}': rows that lack it are suppressed ({})", self.missing_rows());
            let how = in_job_file(name, "missing = \"suppress\"");
            all.push(self.change(what, how, |entry| entry.missing = Some(Missing::Suppress)));
        }
        all
    }

    /// Its loss counts for more in the search, at the others' expense.
    fn heavier(&self) -> Change {
        let name = &self.attribute.name;
        let weight = HEAVIER * self.attribute.weight;
        let what = format!("'{name}': weighs {HEAVIER} times as much in the search");
        let how = in_job_file(name, &format!("weight = {weight}"));
        self.change(what, how, |entry| entry.weight = Some(weight))
    }

    fn missing_rows(&self) -> u32 {
        let counts = self.attribute.counts.iter().enumerate();
        counts.filter(|(code, _)| self.attribute.value(*code as u32).is_empty()).map(|(_, rows)| *rows).sum()
    }

    /// A tree instead of smallest intervals.
    fn tree_of_ranges(&self, kind: Kind, range: f64) -> Option<Change> {
        let many = self.attribute.present() >= MANY;
        match kind {
            Kind::Date if many => {
                let levels = "month/year/decade";
                let recipe = Recipe::Dates(DateLevel::parse_list(levels).ok()?);
                Some(self.built(
                    &format!("a tree of dates ({levels}) instead of intervals"),
                    &format!("\"{levels}\""),
                    recipe,
                ))
            }
            Kind::Integer | Kind::Decimal if many => {
                let widths = trees::widths(range, kind)?;
                let list: Vec<String> = widths.iter().map(ToString::to_string).collect();
                let toml = format!("{{ ranges = [{}] }}, type = \"{kind}\"", list.join(", "));
                let what = format!("a tree of ranges ({}) instead of intervals", list.join(", "));
                let mut change = self.built(&what, &toml, Recipe::Ranges { widths, origin: 0.0 });
                // Ranges of decimals are written otherwise than those of whole numbers.
                change.job.columns.entry(self.attribute.name.clone()).or_default().kind = Some(kind);
                Some(change)
            }
            _ => None,
        }
    }

    /// Intervals instead of a tree of numbers; a mask where there is no tree; a level more.
    fn other_trees(&self, tree: &Hierarchy) -> Vec<Change> {
        let name = &self.attribute.name;
        let present = |leaf: &u32| self.attribute.counts[*leaf as usize] > 0 && !tree.label(*leaf).is_empty();
        let values: Vec<String> =
            (0..tree.leaf_count()).filter(present).map(|leaf| tree.label(leaf).to_owned()).collect();
        let mut all = Vec::new();
        let kind = infer(&values);
        if kind != Kind::Category {
            let what = format!("'{name}': smallest intervals instead of a tree");
            let how = marked("type", format!("{name}={kind}"));
            all.push(self.change(what, how, |entry| {
                entry.kind = Some(kind);
                entry.hierarchy = None;
            }));
        }
        let built = self.job.columns.get(name).and_then(|entry| match &entry.hierarchy {
            Some(HierarchyFrom::Built(recipe)) => Some(recipe),
            _ => None,
        });
        let length = values.first().map_or(0, |value| value.chars().count());
        let are_codes = values.len() >= MANY && length >= CODE && values.iter().all(|v| is_code(v, length));
        match built {
            Some(Recipe::Mask { side, levels }) if (*levels as usize) < length => {
                all.push(self.mask("a mask of all its characters", *side, length));
            }
            _ if tree.height() <= 1 && are_codes => {
                all.push(self.mask("a mask instead of '*' alone", MaskSide::Right, length));
            }
            _ if kind == Kind::Category => all.extend(self.one_level_more(tree)),
            _ => {}
        }
        all
    }

    fn mask(&self, what: &str, side: MaskSide, length: usize) -> Change {
        let end = if side == MaskSide::Right { "right" } else { "left" };
        let toml = format!("{{ mask = \"{end}\", levels = {length} }}");
        self.built(what, &toml, Recipe::Mask { side, levels: length as u32 })
    }

    /// A level between the root and what lies below it. Which of these belong together, somebody who knows them must say.
    fn one_level_more(&self, tree: &Hierarchy) -> Option<Change> {
        let (more, below, groups) = trees::one_level_more(tree)?;
        let name = &self.attribute.name;
        let what = format!(
            "'{name}': one level more below '{}': {groups} groups of the {below} there, as they follow one another",
            tree.label(tree.root())
        );
        let how =
            "write that level into its hierarchy: you know better which of them belong together".to_owned();
        Some(self.planted(what, how, HierarchyFrom::Given(more.into())))
    }
}

/// What is to be written into the line that the column has, or may have, in a job file: a second line of its name would be
/// refused, and one in its place would take its role away.
fn in_job_file(name: &str, what: &str) -> String {
    format!("in the job file, add {what} to the line of '{name}', in place of what it may say of it now")
}

fn is_code(value: &str, length: usize) -> bool {
    value.chars().count() == length && value.chars().all(|c| c.is_ascii_alphanumeric())
}

/// What could be said instead about these columns.
pub(super) fn of_columns(job: &CheckedJob, columns: &[&Attribute]) -> Vec<Change> {
    let mut all: Vec<Change> =
        columns.iter().flat_map(|attribute| OfColumn { job, attribute }.all()).collect();
    let first = columns.first().filter(|_| job.qi_weighs());
    all.extend(first.map(|attribute| OfColumn { job, attribute }.heavier()));
    all
}

/// A tree that stands in other columns of the table.
pub(super) fn from_columns(
    job: &CheckedJob,
    attribute: &Attribute,
    chain: &[String],
    tree: Hierarchy,
) -> Change {
    let name = &attribute.name;
    let what = format!("'{name}': the tree that stands in the table itself: {}", chain.join(" → "));
    let how = format!("`hierarchy build` makes it from the columns {}", chain.join(","));
    OfColumn { job, attribute }.planted(what, how, HierarchyFrom::Given(tree.into()))
}

/// A few rows less, of a table where these are any.
pub(super) fn fewer_rows(job: &CheckedJob, rows: usize) -> Option<Change> {
    let share = job.suppress.unwrap_or(0.0) + FEW;
    if job.notion != Notion::K || share > 1.0 || (rows as f64) * FEW < 1.0 {
        return None;
    }
    let percent = (share * 1e6).round() / 1e4;
    let more = if job.suppress.is_some() { "1 % of the rows more" } else { "1 % of the rows" };
    let what = format!("{more} may be suppressed, where that loses less");
    let how = marked("suppress", format!("{percent}%"));
    let job = CheckedJob { suppress: Some(share), ..job.clone() };
    Some(Change { what: what.into(), column: None, how: Some(how.into()), price: Price::None, job })
}

/// Without these columns, one by one: what they cost the others.
pub(super) fn without(job: &CheckedJob, columns: &[&Attribute], all: usize) -> Vec<Change> {
    let change = |attribute: &&Attribute| {
        let name = attribute.name.clone();
        let mut job = job.clone();
        job.qi.retain(|other| *other != name);
        job.snap.remove(&name);
        job.search.levels.remove(&name);
        let entry = CheckedColumn { role: Some(Role::Drop), ..CheckedColumn::default() };
        job.columns.insert(name.clone(), entry);
        let what = format!("without '{name}': what the other columns lose then");
        Change { what: what.into(), column: Some(name), how: None, price: Price::AnotherRelease, job }
    };
    if all < 2 { Vec::new() } else { columns.iter().map(change).collect() }
}

/// With k alone: what the other demands cost.
pub(super) fn k_alone(job: &CheckedJob) -> Option<Change> {
    let demands = Demands::new(job.demands.k(), None).ok()?;
    let is_more = job.notion == Notion::K && job.demands.iter().count() > demands.iter().count();
    let what = "with k alone: what the demands on sensitive columns cost";
    let price = Price::AnotherRelease;
    is_more.then(|| Change {
        what: what.into(),
        column: None,
        how: None,
        price,
        job: CheckedJob { demands, ..job.clone() },
    })
}

impl CheckedJob {
    /// Whether weights of columns steer the search: where whole columns have levels, too, but not where there is one column.
    fn qi_weighs(&self) -> bool {
        let named = self.columns.values().filter(|entry| entry.role == Some(Role::QuasiIdentifier)).count();
        self.qi.len() + named > 1
    }
}
