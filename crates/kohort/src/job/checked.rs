//! A job that was checked: everything typed, nothing that would still have to be understood.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::append::listed_form;
use super::bound::BoundEffort;
use super::claimed::Claimed;
use super::demands;
use super::refining::Refining;
use crate::algorithm::{Choice, Effort, Fixed, Incognito, Settings};
use crate::data::recipes::{HierarchySpec, Recipe};
use crate::data::{
    Ground, Hierarchy, Intervals, Kind, Missing, MissingSensitive, Rest, Role, Step, Suppressed,
};
use crate::demand::{Demands, Model, Notion};
use crate::error::{Error, Result, marked};
use crate::input::{
    BoundarySpec, ColumnSpec, Declared, JobSpec, LevelWeights, Scalar, parse_duration, parse_opt_out,
    parse_share, with_seconds,
};
use crate::measure::Measure;

/// A job whose demands have been checked as far as that is possible without the data. It serves any number of tables.
#[derive(Debug, Clone)]
pub struct CheckedJob {
    /// The job as it was said, for the private record: without the places of one run.
    pub(super) said: Arc<JobSpec>,
    /// Columns that name people, columns an outsider could know, columns nobody may learn, and those to release as they are
    /// or to leave out.
    pub(super) identifier: Vec<String>,
    pub(super) person: Vec<String>,
    pub(super) rows_are: RowsAre,
    pub(super) qi: Vec<String>,
    pub(super) sensitive: Vec<String>,
    pub(super) keep: Vec<String>,
    pub(super) drop: Vec<String>,
    /// What becomes of all others, where it was said; nothing is published while some are left.
    pub(super) rest: Option<Rest>,
    /// All columns that were named as quasi-identifiers or said something about, in that order.
    pub(super) named: Vec<String>,
    /// What is known about single columns.
    pub(super) columns: BTreeMap<String, CheckedColumn>,
    /// A folder with one hierarchy file per column.
    pub(super) hierarchies: Option<PathBuf>,
    pub(super) demands: Demands,
    pub(super) notion: Notion,
    pub(super) search: SearchOptions,
    /// Exponent of the weights of the distortion, where it was said.
    pub(super) beta: Option<f64>,
    pub(super) threads: Option<usize>,
    pub(super) time_limit: Option<Duration>,
    /// How much is spent on what no release loses less than.
    pub(super) bound: BoundEffort,
    pub(super) keep_order: bool,
    /// What becomes of suppressed rows; who checks a table may not know.
    pub(super) suppressed: Option<Suppressed>,
    pub(super) intervals: Intervals,
    /// Public grids for interval ends, by column.
    pub(super) snap: BTreeMap<String, Step>,
    pub(super) missing: Missing,
    pub(super) missing_sensitive: MissingSensitive,
    /// Texts that mean a missing value in every column.
    pub(super) na: Vec<String>,
    /// The share of rows that may be suppressed, where it was said.
    pub(super) suppress: Option<f64>,
    pub(super) opt_out: Option<OptOut>,
    pub(super) publish_counts: bool,
    /// Whether nothing is released when kept columns give people away.
    pub(super) refuse_risky: bool,
    /// What a certificate says of the release that is examined, where its claims are.
    pub(super) claimed: Option<Claimed>,
    /// What earlier releases of a growing table leave for this one, where there are any.
    pub(super) series: Option<Series>,
}

/// Where a release stands among those of a growing table, and what it must know of the earlier ones.
#[derive(Debug, Clone)]
pub(super) struct Series {
    /// Which release it is, from 1.
    pub(super) number: u32,
    /// Per column values of earlier rows with how often they occur: what hierarchies and ranges must have room for, and what
    /// classes are compared with.
    pub(super) earlier: BTreeMap<String, Vec<(String, u64)>>,
    /// Whether single rows join its classes, which they do not make by themselves.
    pub(super) inserts: bool,
}

/// How a release is looked for.
#[derive(Debug, Clone)]
pub(super) struct SearchOptions {
    /// The algorithm that was asked for, `auto` included.
    pub(super) asked: String,
    /// The same, unless what else was asked has decided it.
    pub(super) choice: Choice,
    pub(super) settings: Settings,
    pub(super) measure: Measure,
    pub(super) seed: u64,
    /// How many different rows are looked at together, where it was said; 0 for all of them.
    pub(super) block_rows: Option<usize>,
    /// Levels of full-domain generalization that are fixed beforehand, by column.
    pub(super) levels: Fixed,
    /// Whether all minimal full-domain solutions are listed.
    pub(super) every_solution: bool,
    /// How long the answer is refined.
    pub(super) refining: Refining,
}

impl SearchOptions {
    /// How much is done to refine the answer.
    pub(super) fn effort(&self) -> Effort {
        self.refining.effort(self.choice)
    }
}

/// Rows whose people do not mind: they are published as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OptOut {
    pub(super) column: String,
    pub(super) value: String,
}

/// What is known about a column.
#[derive(Debug, Clone, Default)]
pub(super) struct CheckedColumn {
    pub(super) role: Option<Role>,
    pub(super) kind: Option<Kind>,
    /// How its values are written.
    pub(super) written: Declared,
    pub(super) hierarchy: Option<HierarchyFrom>,
    pub(super) weight: Option<f64>,
    pub(super) snap: Option<Step>,
    pub(super) missing: Option<Missing>,
    pub(super) na: Vec<String>,
    pub(super) boundary: BoundarySpec,
    pub(super) level_weights: LevelWeights,
    pub(super) protected: Option<Vec<String>>,
    pub(super) closeness: Option<Ground>,
    /// Whether t-closeness was asked for by a distance of its own, and not by the default.
    pub(super) names_distance: bool,
}

/// Where a column's hierarchy comes from.
#[derive(Debug, Clone)]
pub(super) enum HierarchyFrom {
    File(PathBuf),
    Built(Recipe),
    Given(Arc<Hierarchy>),
}

impl HierarchyFrom {
    /// Whether its labels tell about the table: see [`Recipe::is_made_from_data`].
    pub(super) fn is_made_from_data(&self) -> bool {
        matches!(self, Self::Built(recipe) if recipe.is_made_from_data())
    }
}

impl From<&ColumnSpec> for CheckedColumn {
    fn from(entry: &ColumnSpec) -> Self {
        let hierarchy = entry.hierarchy.clone().map(|hierarchy| match hierarchy {
            HierarchySpec::File(file) => HierarchyFrom::File(file),
            HierarchySpec::Built(recipe) => HierarchyFrom::Built(recipe),
        });
        Self {
            role: entry.role,
            kind: entry.kind,
            written: Declared {
                kind: entry.kind,
                formats: entry.date_format.clone(),
                decimal: entry.decimal,
                times: false,
            },
            hierarchy,
            weight: entry.weight,
            snap: entry.snap,
            missing: entry.missing,
            na: entry.na.clone(),
            boundary: entry.boundary(),
            level_weights: entry.level_weights.clone(),
            protected: entry.protected.clone(),
            closeness: entry.closeness,
            names_distance: false,
        }
    }
}

/// Whether somebody said that every row is another person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowsAre {
    /// Identifiers may tell otherwise.
    Unsaid,
    /// Whatever identifiers tell.
    People,
    /// They are those of people of whom a release does not tell how many they are.
    OfUnseenPeople,
}

impl JobSpec {
    /// Checks a job that makes a release: what contradicts itself or protects nobody is refused.
    pub fn check(&self) -> Result<CheckedJob> {
        if self.k.is_none() {
            return Err(Error::job("no k was given")
                .option("k")
                .help("say how many people everyone must hide among, for example ‹k=10›"));
        }
        self.checked(demands::asked(self, true))
    }

    /// Checks a job that examines a release: nothing need be demanded of it.
    pub fn check_for_verification(&self) -> Result<CheckedJob> {
        // Nothing is minimized here: beta belongs to the distortion that is reported.
        let measure = self.measure.clone().or_else(|| self.beta.map(|_| "whd".to_owned()));
        let job = Self { measure, ..self.clone() }.checked(demands::asked(self, false))?;
        if job.notion != Notion::K && self.k.is_none() {
            return Err(Error::job(format!("the notion '{}' needs a number", job.notion.name()))
                .option("notion")
                .help("say among how many everyone must hide, such as ‹k=10›"));
        }
        Ok(job)
    }

    fn checked(&self, demands: Result<Demands>) -> Result<CheckedJob> {
        self.check_weights()?;
        let notion = self.notion()?;
        let choice = self.choice(notion)?;
        notion_allows(notion, self)?;
        people_allowed(notion, self)?;
        blocks_allowed(choice, self)?;
        let demands = demands?;
        let mut columns: BTreeMap<String, CheckedColumn> =
            self.columns.iter().map(|(name, entry)| (name.clone(), entry.into())).collect();
        for (name, column) in &mut columns {
            column.names_distance = demands::names_distance(self, name);
        }
        let search = SearchOptions {
            asked: self.algorithm.clone().unwrap_or_else(|| "auto".into()),
            choice,
            settings: self.settings()?,
            measure: Measure::parse(self.measure.as_deref().unwrap_or("il"), self.beta)?,
            seed: self.seed.unwrap_or(0),
            block_rows: self.block_rows,
            levels: self.levels.clone(),
            every_solution: self.solutions.is_some(),
            refining: Refining::parse(self.refine.as_deref(), self.refine_steps, choice)?,
        };
        Ok(CheckedJob {
            said: Arc::new(listed_form(self)),
            identifier: self.identifier.clone(),
            person: self.person.clone(),
            rows_are: if self.rows_are_people == Some(true) { RowsAre::People } else { RowsAre::Unsaid },
            qi: self.qi.clone(),
            named: self.qi.iter().chain(&self.column_order).cloned().collect(),
            sensitive: self.sensitive.clone(),
            keep: self.keep.clone(),
            drop: self.drop.clone(),
            rest: self.rest,
            columns,
            hierarchies: self.hierarchies.clone(),
            demands,
            notion,
            search,
            beta: self.beta,
            threads: self.threads()?,
            time_limit: self.time_limit.as_deref().map(parse_duration).transpose()?,
            bound: self.bound_effort()?,
            keep_order: self.keep_order.unwrap_or(false),
            suppressed: self.suppressed,
            intervals: self.intervals.unwrap_or_default(),
            snap: self.snap.clone(),
            missing: self.missing.unwrap_or_default(),
            missing_sensitive: self.missing_sensitive.unwrap_or_default(),
            na: self.na.clone(),
            suppress: self.suppress.as_ref().map(parse_share).transpose()?,
            opt_out: self.opt_out()?,
            publish_counts: self.publish_counts.unwrap_or(false),
            refuse_risky: self.refuse_risky.unwrap_or(false),
            claimed: None,
            series: None,
        })
    }

    fn bound_effort(&self) -> Result<BoundEffort> {
        match self.bound.as_deref() {
            None | Some("on") => Ok(BoundEffort::Usual),
            Some("off") => Ok(BoundEffort::Off),
            Some(time) => parse_duration(time).map(BoundEffort::Time).map_err(|_| {
                let meant = with_seconds(time).map(|meant| format!("{}, ", marked("bound", meant)));
                Error::job(format!("'{time}' is neither on nor off nor a length of time"))
                    .option("bound")
                    .help(format!(
                        "say {}‹bound=off›, or how long to look for it: 500ms, 20s, 5m or 2h",
                        meant.unwrap_or_default()
                    ))
            }),
        }
    }

    fn notion(&self) -> Result<Notion> {
        Ok(self.notion.as_deref().map(Notion::parse).transpose()?.unwrap_or_default())
    }

    fn opt_out(&self) -> Result<Option<OptOut>> {
        let pair = self.opt_out.as_deref().map(parse_opt_out).transpose()?;
        Ok(pair.map(|(column, value)| OptOut { column, value }))
    }

    /// The algorithm of a job: levels and lists of solutions belong to the one that has them.
    fn choice(&self, notion: Notion) -> Result<Choice> {
        let asked = self.algorithm.as_deref().map(|name| Choice::parse(name, notion)).transpose()?;
        let asked = asked.unwrap_or(Choice::Auto);
        let option = match (self.levels.is_empty(), &self.solutions) {
            (true, None) => return Ok(asked),
            (false, _) => "levels",
            (true, Some(_)) => "solutions",
        };
        let of_levels = Incognito::NAME;
        match asked {
            Choice::Auto => Choice::parse(of_levels, notion),
            Choice::Named(_) if asked.recodes_columns() => Ok(asked),
            Choice::Named(_) => {
                let name = asked.name();
                Err(Error::job(format!(
                    "‹{option}› is about levels of whole columns, which {name} does not choose"
                ))
                .option(option)
                .help(format!("say ‹algorithm={of_levels}›, or omit ‹{option}›")))
            }
        }
    }

    /// The settings, with the one that is an option of its own.
    fn settings(&self) -> Result<Settings> {
        let mut all = self.settings.clone();
        if let Some(distance) = self.distance.as_ref().map(Scalar::text) {
            let before = all.insert("distance".into(), distance.clone());
            if before.is_some_and(|other| other != distance) {
                return Err(Error::job("two different distances were given")
                    .option("distance")
                    .option_with("set", "distance")
                    .help("omit one of them"));
            }
        }
        Ok(Settings::new(all))
    }

    fn threads(&self) -> Result<Option<usize>> {
        let wrong = match self.threads {
            Some(0) => "0 threads, expected at least 1".to_owned(),
            Some(n) if n > MOST_THREADS => format!("{n} threads, expected at most {MOST_THREADS}"),
            asked => return Ok(asked),
        };
        Err(Error::job(wrong).option("threads").help("omit ‹threads› to use all cores"))
    }

    fn check_weights(&self) -> Result<()> {
        let weights = self.columns.iter().filter_map(|(name, entry)| Some((name, entry.weight?)));
        match weights.into_iter().find(|(_, weight)| !(weight.is_finite() && *weight >= 0.0)) {
            None => Ok(()),
            Some((name, weight)) => {
                Err(Error::job(format!("weight {weight}, expected a number of at least 0"))
                    .in_column(name)
                    .key("weight")
                    .help("1 is what every column weighs; 0 makes its loss count for nothing"))
            }
        }
    }
}

/// More than the largest machines have cores; each takes memory.
const MOST_THREADS: usize = 1024;

impl CheckedJob {
    /// What is asked of every class.
    pub fn demands(&self) -> &Demands {
        &self.demands
    }

    /// What hiding among k means.
    pub fn notion(&self) -> Notion {
        self.notion
    }

    /// The texts that mean a missing value in a column, besides blank ones.
    pub(super) fn na(&self, column: &str) -> Vec<String> {
        let own = self.columns.get(column).map_or(&[][..], |entry| &entry.na);
        self.na.iter().chain(own).cloned().collect()
    }

    /// Whether any column has a boundary.
    pub fn has_boundaries(&self) -> bool {
        self.columns.values().any(|column| !column.boundary.is_empty())
    }

    /// The same job with a hierarchy for a column, in the place of any that the job names.
    #[must_use]
    pub fn with_hierarchy(mut self, column: impl Into<String>, hierarchy: Hierarchy) -> Self {
        self.columns.entry(column.into()).or_default().hierarchy =
            Some(HierarchyFrom::Given(Arc::new(hierarchy)));
        self
    }
}

/// Diversity is a matter of classes, or of the tuples that could be a person's (`algorithms.md` §8, *Weaker notions*). And what a
/// tuple covers must be readable.
fn notion_allows(notion: Notion, file: &JobSpec) -> Result<()> {
    let asks_for_p = file.p.unwrap_or(1) > 1;
    if asks_for_p && !matches!(notion, Notion::K | Notion::Global) {
        return Err(Error::job(format!("p cannot be asked together with the notion '{}'", notion.name()))
            .option("p")
            .help(format!("{}: use ‹notion=k›, or ‹notion=global-1k›, where p counts the people behind all tuples that could be somebody's", no_values(notion))));
    }
    if let Some(demand) = demands::diversity(file)?.first().filter(|_| notion != Notion::K) {
        let is_distinct = matches!(demand.model, Model::DistinctL { .. });
        let help = match (notion, is_distinct) {
            (Notion::Global, true) => "p counts the same there: ask for ‹p› instead".to_owned(),
            (Notion::Global, false) => "it bounds how likely a value is, and not all tuples that could be somebody's are equally likely: use ‹notion=k›, or ask for ‹p›, which counts values".to_owned(),
            _ => format!("{}: use ‹notion=k›", no_values(notion)),
        };
        return Err(Error::job(format!(
            "{demand} cannot be asked together with the notion '{}'",
            notion.name()
        ))
        .option(demand.option())
        .help(help));
    }
    let protects = file.columns.values().any(|entry| entry.protected.is_some());
    if protects && asks_for_p && notion != Notion::K {
        return Err(Error::job(format!(
            "protected values cannot be counted with the notion '{}'",
            notion.name()
        ))
        .key("protected")
        .help("use ‹notion=k›, or omit `protected`"));
    }
    if notion != Notion::K && file.intervals == Some(Intervals::Midpoint) {
        return Err(Error::job(format!(
            "middles of intervals do not tell what they cover, so nobody could check the notion '{}'",
            notion.name()
        ))
        .option("intervals")
        .help("publish intervals as text or bounds, or use ‹notion=k›"));
    }
    Ok(())
}

/// Why a notion says nothing of sensitive values.
fn no_values(notion: Notion) -> &'static str {
    match notion {
        Notion::Kk => {
            "who knows who is in the table may be left with a single row that could be somebody's, and with its value"
        }
        _ => "it protects nobody by itself, so it protects no value either",
    }
}

/// What counts people has a meaning for classes of equal rows. And where shares are counted by people, classes must not become
/// one by being shown alike, which middles of intervals can do.
fn people_allowed(notion: Notion, file: &JobSpec) -> Result<()> {
    let named = file.columns.values().any(|entry| entry.role == Some(Role::Person));
    if !named && file.person.is_empty() {
        return Ok(());
    }
    if file.rows_are_people == Some(true) {
        return Err(Error::job("every row is another person, and a column says whose row it is")
            .option("person")
            .option("rows-are-people")
            .help("omit one of the two"));
    }
    if notion != Notion::K {
        return Err(Error::job(format!(
            "people cannot be counted with the notion '{}': what it means for somebody with several rows is not defined",
            notion.name()
        ))
        .option("person")
        .option("notion")
        .help("use ‹notion=k›, or release one row per person"));
    }
    let shares = demands::diversity(file)?.into_iter().find(|d| !d.model.entry().survives_adding_rows);
    match shares.filter(|_| file.intervals == Some(Intervals::Midpoint)) {
        None => Ok(()),
        Some(demand) => Err(Error::job(format!(
            "two classes can have the same middles, and where people are counted {demand} need not hold for both together"
        ))
        .option("intervals")
        .option("person")
        .help("publish intervals as text or bounds")),
    }
}

/// Whole columns cannot be recoded block by block.
fn blocks_allowed(choice: Choice, file: &JobSpec) -> Result<()> {
    if file.block_rows.is_some_and(|rows| rows > 0) && choice.recodes_columns() {
        return Err(Error::job(format!(
            "{} generalizes whole columns and cannot work in blocks",
            choice.name()
        ))
        .option("block-rows")
        .help("omit it, or choose another algorithm"));
    }
    Ok(())
}
