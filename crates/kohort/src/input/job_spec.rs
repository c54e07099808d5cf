//! Jobs as data: everything a run needs, under the names the options have; job files hold it in TOML.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::ReadOptions;
use super::boundary::{BoundarySpec, LevelWeights, Scalar};
use crate::data::recipes::HierarchySpec;
use crate::data::{
    DateFormat, Decimal, Ground, Intervals, Kind, Missing, MissingSensitive, Rest, Role, Step, Suppressed,
};
use crate::error::{Error, Result, marked, nearest};

/// What a job may say, as data: what flags, job files and programs produce. Flags are merged in as a second one of these.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JobSpec {
    /// Where the job file itself lies, if there is one.
    #[serde(skip)]
    pub path: Option<PathBuf>,
    /// The table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<PathBuf>,
    /// The release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// The encoding of text that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// What begins a line of CSV that is nobody's record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The sheet of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// What is asked of a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Columns to drop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifier: Vec<String>,
    /// Columns that say whose row it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub person: Vec<String>,
    /// Whether every row is another person, whatever identifiers say.
    #[serde(alias = "rows_are_people", skip_serializing_if = "Option::is_none")]
    pub rows_are_people: Option<bool>,
    /// Columns an outsider could know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qi: Vec<String>,
    /// Columns nobody may learn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<String>,
    /// Columns to release as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// Columns to leave out, although they name nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<String>,
    /// What becomes of all columns that have no role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Rest>,
    /// A folder with one hierarchy file per column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchies: Option<PathBuf>,
    /// Smallest class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    /// Different sensitive values per class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<u32>,
    /// `distinct:3`, `entropy:2.5`, `recursive:2,3`; one or several.
    #[serde(
        default,
        alias = "l_diversity",
        deserialize_with = "one_or_more",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub l_diversity: Vec<Scalar>,
    /// `0.2`, `0.2:ordered`, `0.2:hierarchical`; one or several.
    #[serde(
        default,
        alias = "t_closeness",
        deserialize_with = "one_or_more",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub t_closeness: Vec<Scalar>,
    /// Largest share of a sensitive value in its class.
    #[serde(default, deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub alpha: Vec<Scalar>,
    /// How much more frequent a sensitive value may be in a class than in the table, relative to its frequency there.
    #[serde(
        default,
        alias = "beta_likeness",
        deserialize_with = "one_or_more",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub beta_likeness: Vec<Scalar>,
    /// How far the logarithm of a sensitive value's frequency in a class over that in the table may be from 0.
    #[serde(
        default,
        alias = "delta_disclosure",
        deserialize_with = "one_or_more",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub delta_disclosure: Vec<Scalar>,
    /// What hiding among k means: `k`, `1k`, `k1`, `kk` or `global-1k`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notion: Option<String>,
    /// Which algorithm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// Settings of the algorithm.
    #[serde(default, deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// The distance between clusters: another place for the setting of that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<Scalar>,
    /// How many different rows are looked at together; 0 for all of them.
    #[serde(alias = "block_rows", skip_serializing_if = "Option::is_none")]
    pub block_rows: Option<usize>,
    /// How long the answer is refined: `on`, `off`, or a time such as `30s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refine: Option<String>,
    /// How many steps per row refine the answer.
    #[serde(alias = "refine_steps", skip_serializing_if = "Option::is_none")]
    pub refine_steps: Option<u32>,
    /// Which measure to minimize.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// Exponent of the weights of `whd`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<f64>,
    /// Source of randomness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// How long the search may take, such as `60s` or `5m`.
    #[serde(alias = "time_limit", skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<String>,
    /// How much is spent on the lower bound: `on`, `off`, or a time such as `20s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// Whether rows keep their order.
    #[serde(alias = "keep_order", skip_serializing_if = "Option::is_none")]
    pub keep_order: Option<bool>,
    /// What becomes of suppressed rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<Suppressed>,
    /// How intervals are published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Intervals>,
    /// Public grids for interval ends, by column.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub snap: BTreeMap<String, Step>,
    /// What to do with missing quasi-identifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// What a missing sensitive value counts.
    #[serde(alias = "missing_sensitive", skip_serializing_if = "Option::is_none")]
    pub missing_sensitive: Option<MissingSensitive>,
    /// Texts that mean a missing value of a quasi-identifier or sensitive column, besides blank ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub na: Vec<String>,
    /// Share of the rows that may be suppressed, such as `5%` or `0.05`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppress: Option<Scalar>,
    /// `COLUMN=VALUE`: rows whose people do not mind; they are published as they are.
    #[serde(alias = "opt_out", skip_serializing_if = "Option::is_none")]
    pub opt_out: Option<String>,
    /// Levels of full-domain generalization that are fixed beforehand, by column.
    #[serde(default, deserialize_with = "levels", skip_serializing_if = "BTreeMap::is_empty")]
    pub levels: BTreeMap<String, u32>,
    /// Where the list of all minimal full-domain solutions goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<PathBuf>,
    /// Where the certificate goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<PathBuf>,
    /// Where the private audit record goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<PathBuf>,
    /// Whether there is to be no audit record.
    #[serde(alias = "no_audit", skip_serializing_if = "Option::is_none")]
    pub no_audit: Option<bool>,
    /// Whether the certificate may tell how many rows the original has and how many were suppressed.
    #[serde(alias = "publish_counts", skip_serializing_if = "Option::is_none")]
    pub publish_counts: Option<bool>,
    /// Whether nothing is to be released when columns that are released as they are give people away.
    #[serde(alias = "refuse_risky", skip_serializing_if = "Option::is_none")]
    pub refuse_risky: Option<bool>,
    /// What is known about single columns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, ColumnSpec>,
    /// The keys of `columns` as they follow one another in the job file: the order in which columns were named.
    #[serde(skip)]
    pub column_order: Vec<String>,
}

/// What a job may say about a column.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnSpec {
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// How its values compare. A number or date without hierarchy becomes smallest intervals.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// How its dates are written, such as `%d.%m.%Y`; one or several.
    #[serde(
        default,
        alias = "date-format",
        deserialize_with = "formats",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub date_format: Vec<DateFormat>,
    /// What stands before the decimals of its numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<Decimal>,
    /// What its values generalize to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<HierarchySpec>,
    /// How much a loss here matters, relative to the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// A public grid for interval ends: a number, or a step of the calendar such as `1 month`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snap: Option<Step>,
    /// What to do where the value is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// Texts that mean a missing value in this column, besides those of all columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub na: Vec<String>,
    /// The highest nodes its values may become.
    #[serde(alias = "max-generalization", skip_serializing_if = "Option::is_none")]
    pub max_generalization: Option<Vec<String>>,
    /// The largest width of its intervals: in days of dates, in seconds of timestamps.
    #[serde(alias = "max-width", skip_serializing_if = "Option::is_none")]
    pub max_width: Option<f64>,
    /// Values its intervals may not reach across.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuts: Option<Vec<Scalar>>,
    /// What the steps between its levels weigh.
    #[serde(default, alias = "level-weights", skip_serializing_if = "LevelWeights::is_empty")]
    pub level_weights: LevelWeights,
    /// Of a sensitive column: nodes of its hierarchy below which all values count as one for p.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protected: Option<Vec<String>>,
    /// Of a sensitive column: how far its values are apart for t-closeness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closeness: Option<Ground>,
    /// Of a sensitive column: as many different values every class must have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<u32>,
    /// Of a sensitive column: `distinct:3`, `entropy:2.5`, `recursive:2,3`; one or several.
    #[serde(
        default,
        alias = "l-diversity",
        deserialize_with = "one_or_more",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub l_diversity: Vec<Scalar>,
    /// Of a sensitive column: `0.2`, `0.2:ordered`, `0.2:hierarchical`.
    #[serde(
        default,
        alias = "t-closeness",
        deserialize_with = "one_or_more",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub t_closeness: Vec<Scalar>,
    /// Of a sensitive column: the largest share of a value in its class.
    #[serde(default, deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub alpha: Vec<Scalar>,
    /// Of a sensitive column: basic beta-likeness.
    #[serde(
        default,
        alias = "beta-likeness",
        deserialize_with = "one_or_more",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub beta_likeness: Vec<Scalar>,
    /// Of a sensitive column: delta-disclosure privacy.
    #[serde(
        default,
        alias = "delta-disclosure",
        deserialize_with = "one_or_more",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub delta_disclosure: Vec<Scalar>,
}

impl ColumnSpec {
    /// How far the column may be generalized.
    pub fn boundary(&self) -> BoundarySpec {
        BoundarySpec {
            max_generalization: self.max_generalization.clone(),
            max_width: self.max_width,
            cuts: self.cuts.clone(),
        }
    }

    /// The same entry with everything `over` says put over it.
    fn overridden_by(self, over: &Self) -> Self {
        Self {
            role: over.role.or(self.role),
            kind: over.kind.or(self.kind),
            date_format: list(self.date_format, over.date_format.clone()),
            decimal: over.decimal.or(self.decimal),
            max_generalization: over.max_generalization.clone().or(self.max_generalization),
            max_width: over.max_width.or(self.max_width),
            cuts: over.cuts.clone().or(self.cuts),
            protected: over.protected.clone().or(self.protected),
            hierarchy: over.hierarchy.clone().or(self.hierarchy),
            weight: over.weight.or(self.weight),
            snap: over.snap.or(self.snap),
            missing: over.missing.or(self.missing),
            na: list(self.na, over.na.clone()),
            level_weights: if over.level_weights.0.is_empty() {
                self.level_weights
            } else {
                over.level_weights.clone()
            },
            closeness: over.closeness.or(self.closeness),
            p: over.p.or(self.p),
            l_diversity: list(self.l_diversity, over.l_diversity.clone()),
            t_closeness: list(self.t_closeness, over.t_closeness.clone()),
            alpha: list(self.alpha, over.alpha.clone()),
            beta_likeness: list(self.beta_likeness, over.beta_likeness.clone()),
            delta_disclosure: list(self.delta_disclosure, over.delta_disclosure.clone()),
        }
    }
}

impl JobSpec {
    /// Reads a job file. Paths in it are relative to the folder it lies in.
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| {
            Error::input(format!("cannot read the job file: {e}"))
                .in_file(&shown)
                .help("name a TOML file, UTF-8 text")
        })?;
        let mut job = Self::from_toml(&text).map_err(|e| e.in_file(shown))?;
        let base = path.parent().unwrap_or(Path::new(""));
        job.anchor(base);
        job.path = Some(path.to_owned());
        Ok(job)
    }

    /// The job that the text of a job file says, with paths as they stand there.
    pub fn from_toml(text: &str) -> Result<Self> {
        let mut job: Self = toml::from_str(text).map_err(|e| {
            let (what, help) = plain(&e.to_string());
            Error::job(format!("the job file cannot be understood: {what}")).help(help)
        })?;
        job.column_order = column_order(text);
        Ok(job)
    }

    /// The job as a job file, with the columns in the order in which they were named.
    pub fn to_toml(&self) -> Result<String> {
        let broken = |e: toml::ser::Error| Error::internal(format!("the job cannot be written as TOML: {e}"));
        let order = |name: &String| self.column_order.iter().position(|known| known == name);
        let mut names: Vec<&String> = self.columns.keys().collect();
        names.sort_by_key(|name| order(name).unwrap_or(usize::MAX));
        let mut text = toml::to_string(&Self { columns: BTreeMap::new(), ..self.clone() }).map_err(broken)?;
        for name in names {
            let one = BTreeMap::from([("columns", BTreeMap::from([(name, &self.columns[name])]))]);
            text += "\n";
            text += &toml::to_string(&one).map_err(broken)?;
        }
        Ok(text)
    }

    /// The same job with paths that mean the same in any folder.
    #[must_use]
    pub fn anchored(mut self, base: &Path) -> Self {
        self.anchor(base);
        self
    }

    fn anchor(&mut self, base: &Path) {
        let at = |p: &mut PathBuf| {
            if p.as_path() != Path::new("-") {
                *p = base.join(&p);
            }
        };
        let paths = [
            &mut self.input,
            &mut self.output,
            &mut self.hierarchies,
            &mut self.solutions,
            &mut self.certificate,
            &mut self.audit,
        ];
        paths.into_iter().flatten().for_each(at);
        for column in self.columns.values_mut() {
            if let Some(HierarchySpec::File(file)) = &mut column.hierarchy {
                at(file);
            }
        }
    }

    /// How the table is to be read.
    pub fn reading(&self) -> ReadOptions {
        ReadOptions {
            encoding: self.encoding.clone(),
            comment: self.comment.clone(),
            sheet: self.sheet.clone(),
            query: self.query.clone(),
            as_text: false,
        }
    }

    /// The same job with everything `flags` says put over it.
    #[must_use]
    pub fn overridden_by(self, flags: Self) -> Self {
        let mut columns = self.columns;
        if flags.missing.is_some() {
            // Said of all columns, after what the file says of some.
            for entry in columns.values_mut() {
                entry.missing = None;
            }
        }
        for (name, entry) in flags.columns {
            let mine: &mut ColumnSpec = columns.entry(name).or_default();
            *mine = std::mem::take(mine).overridden_by(&entry);
        }
        let mut snap = self.snap;
        snap.extend(flags.snap);
        let mut levels = self.levels;
        levels.extend(flags.levels);
        let mut settings = self.settings;
        settings.extend(flags.settings);
        let names_audit = flags.audit.is_some();
        Self {
            path: flags.path.or(self.path),
            input: flags.input.or(self.input),
            output: flags.output.or(self.output),
            encoding: flags.encoding.or(self.encoding),
            comment: flags.comment.or(self.comment),
            sheet: flags.sheet.or(self.sheet),
            query: flags.query.or(self.query),
            identifier: list(self.identifier, flags.identifier),
            person: list(self.person, flags.person),
            rows_are_people: flags.rows_are_people.or(self.rows_are_people),
            qi: list(self.qi, flags.qi),
            sensitive: list(self.sensitive, flags.sensitive),
            keep: list(self.keep, flags.keep),
            drop: list(self.drop, flags.drop),
            rest: flags.rest.or(self.rest),
            hierarchies: flags.hierarchies.or(self.hierarchies),
            k: flags.k.or(self.k),
            p: flags.p.or(self.p),
            l_diversity: list(self.l_diversity, flags.l_diversity),
            t_closeness: list(self.t_closeness, flags.t_closeness),
            alpha: list(self.alpha, flags.alpha),
            beta_likeness: list(self.beta_likeness, flags.beta_likeness),
            delta_disclosure: list(self.delta_disclosure, flags.delta_disclosure),
            notion: flags.notion.or(self.notion),
            algorithm: flags.algorithm.or(self.algorithm),
            settings,
            distance: flags.distance.or(self.distance),
            block_rows: flags.block_rows.or(self.block_rows),
            refine: flags.refine.clone().or(self.refine.filter(|_| flags.refine_steps.is_none())),
            refine_steps: flags.refine_steps.or(self.refine_steps.filter(|_| flags.refine.is_none())),
            measure: flags.measure.or(self.measure),
            beta: flags.beta.or(self.beta),
            seed: flags.seed.or(self.seed),
            threads: flags.threads.or(self.threads),
            time_limit: flags.time_limit.or(self.time_limit),
            bound: flags.bound.or(self.bound),
            keep_order: flags.keep_order.or(self.keep_order),
            suppressed: flags.suppressed.or(self.suppressed),
            intervals: flags.intervals.or(self.intervals),
            snap,
            missing: flags.missing.or(self.missing),
            missing_sensitive: flags.missing_sensitive.or(self.missing_sensitive),
            na: list(self.na, flags.na),
            suppress: flags.suppress.or(self.suppress),
            opt_out: flags.opt_out.or(self.opt_out),
            levels,
            solutions: flags.solutions.or(self.solutions),
            certificate: flags.certificate.or(self.certificate),
            audit: flags.audit.or(self.audit),
            // Naming a place on the command line is wanting the record.
            no_audit: if names_audit { Some(false) } else { flags.no_audit.or(self.no_audit) },
            publish_counts: flags.publish_counts.or(self.publish_counts),
            refuse_risky: flags.refuse_risky.or(self.refuse_risky),
            columns,
            column_order: list(self.column_order, flags.column_order),
        }
    }
}

/// The columns of a job file in the order in which it has them, which a map forgets.
fn column_order(text: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Keys {
        #[serde(default)]
        columns: BTreeMap<toml::Spanned<String>, toml::Value>,
    }
    let keys = toml::from_str(text).map_or_else(|_| BTreeMap::new(), |keys: Keys| keys.columns);
    let mut keys: Vec<_> = keys.into_keys().collect();
    keys.sort_by_key(|key| key.span().start);
    keys.into_iter().map(toml::Spanned::into_inner).collect()
}

/// A list of flags over that of a file.
fn list<T>(mine: Vec<T>, theirs: Vec<T>) -> Vec<T> {
    if theirs.is_empty() { mine } else { theirs }
}

/// A number or text, or several in [ ].
fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Vec<Scalar>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a number or a text in quotes, or several in [ ]")]
    enum Given {
        One(Scalar),
        More(Vec<Scalar>),
    }
    Ok(match Given::deserialize(from)? {
        Given::One(text) => vec![text],
        Given::More(texts) => texts,
    })
}

/// A date format, or several in [ ].
fn formats<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Vec<DateFormat>, D::Error> {
    let texts = one_or_more(from)?.into_iter().map(|given| given.text());
    texts.map(|text| DateFormat::try_from(text).map_err(D::Error::custom)).collect()
}

/// Pairs in { }, or the text that `--levels` takes and `--solutions` lists.
fn levels<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<BTreeMap<String, u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected pairs in { }, or a text such as \"age=2,zip=1\"")]
    enum Given {
        Pairs(BTreeMap<String, u32>),
        Text(String),
    }
    let text = match Given::deserialize(from)? {
        Given::Pairs(pairs) => return Ok(pairs),
        Given::Text(text) => text,
    };
    let pair = |part: &str| {
        let (name, level) = part.rsplit_once('=')?;
        Some((name.trim().to_owned(), level.trim().parse().ok()?))
    };
    let wrong = |part: &str| D::Error::custom(format!("'{part}' in levels, expected COLUMN=LEVEL"));
    text.split(',').map(|part| pair(part).ok_or_else(|| wrong(part))).collect()
}

/// Settings may be numbers or texts.
fn texts<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<BTreeMap<String, String>, D::Error> {
    let given: BTreeMap<String, Scalar> = BTreeMap::deserialize(from)?;
    Ok(given.into_iter().map(|(name, value)| (name, value.text())).collect())
}

/// The parser's words without the names of types, which mean nothing to most people, and a way out.
fn plain(complaint: &str) -> (String, String) {
    let usual = "correct this line; keys have the names of the options".to_owned();
    let complaint = without_types(complaint);
    for (words, what) in [("unknown field `", "key"), ("unknown variant `", "value")] {
        let Some((before, (given, rest))) =
            complaint.split_once(words).and_then(|(a, b)| Some((a, b.split_once('`')?)))
        else {
            continue;
        };
        let all: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
        // Some have two spellings, of which one is enough to read.
        let first_spelling =
            |name: &&&str| !name.contains('_') || !all.contains(&name.replace('_', "-").as_str());
        let names: Vec<&str> = all.iter().filter(first_spelling).copied().collect();
        let what = format!("{before}unknown {what} '{given}'");
        return match nearest(given, names.iter().copied()) {
            Some(near) => (what, format!("did you mean '{near}'?")),
            None => (format!("{what}, expected one of {}", names.join(", ")), "correct this line".into()),
        };
    }
    (complaint, usual)
}

fn without_types(complaint: &str) -> String {
    let types = [
        ("u32", "a whole number"),
        ("u64", "a whole number"),
        ("usize", "a whole number"),
        ("f64", "a number"),
        ("a sequence", "a list in [ ]"),
        ("a map", "pairs in { }"),
    ];
    let plainer = |text: String, (name, words): (&str, &str)| {
        text.replace(&format!("expected {name}"), &format!("expected {words}"))
    };
    types.into_iter().fold(complaint.trim_end().to_owned(), plainer)
}

/// Reads a share of rows: `5%` and `0.05` mean the same; a bare `5` could mean either and is refused.
pub fn parse_share(given: &Scalar) -> Result<f64> {
    let (text, share) = match given {
        Scalar::Number(x) => (x.to_string(), Some(*x).filter(|x| *x < 1.0)),
        Scalar::Text(t) => (t.clone(), from_text(t.trim())),
    };
    share.filter(|s| (0.0..=1.0).contains(s)).ok_or_else(|| {
        Error::job(format!("'{text}' is not a share of the rows"))
            .option("suppress")
            .help("write a percentage such as 5%, or a fraction between 0 and 1 such as 0.05")
    })
}

fn from_text(text: &str) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percent) => percent.trim_end().parse::<f64>().ok().map(|p| p / 100.0),
        // `1` would be all rows or one in a hundred.
        None => text.parse().ok().filter(|s: &f64| *s < 1.0 || text.contains('.')),
    }
}

/// Splits `COLUMN=VALUE` of an opt-out at the first `=`: values such as `<=50K` contain one.
pub fn parse_opt_out(text: &str) -> Result<(String, String)> {
    let wrong = || {
        Error::job(format!("'{text}', expected COLUMN=VALUE"))
            .option("opt-out")
            .help("name the column and the value that says a person does not mind, such as consent=public")
    };
    let (column, value) = text.split_once('=').ok_or_else(wrong)?;
    if column.is_empty() || value.is_empty() {
        Err(wrong())
    } else {
        Ok((column.to_owned(), value.to_owned()))
    }
}

/// What a number without a unit is likely to mean as a length of time: `20` means `20s`.
pub fn with_seconds(text: &str) -> Option<String> {
    let number = text.trim();
    let is_plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    number.parse::<f64>().ok().filter(|_| is_plain).map(|_| format!("{number}s"))
}

/// Reads `500ms`, `90s`, `5m`, `2h` or `1.5h`.
pub fn parse_duration(text: &str) -> Result<Duration> {
    let wrong = || {
        let units = "write a number with a unit: 500ms, 90s, 5m or 2h";
        let meant = with_seconds(text).map(|meant| marked("time-limit", meant));
        let help = meant.map_or_else(|| units.to_owned(), |meant| format!("{meant} means seconds; {units}"));
        Error::job(format!("'{text}' is not a length of time")).option("time-limit").help(help)
    };
    let at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let unit = match &text[at..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = text[..at].trim().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_job_file_of_the_manual() {
        let text = r#"
            input = "patients.csv"
            k = 10
            p = 3
            algorithm = "auto"
            [columns]
            name      = { role = "identifier" }
            age       = { role = "quasi-identifier", type = "integer" }
            birth     = { role = "quasi-identifier", type = "date", hierarchy = "day/month/year/decade" }
            zip       = { role = "quasi-identifier", hierarchy = { mask = "right", levels = 5 } }
            location  = { role = "quasi-identifier", hierarchy = "location.csv" }
            diagnosis = { role = "sensitive" }
        "#;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job.toml");
        std::fs::write(&path, text).unwrap();
        let job = JobSpec::read(&path).unwrap();
        assert_eq!(job.input.unwrap(), folder.path().join("patients.csv"));
        assert_eq!(job.columns["name"].role, Some(Role::Identifier));
        assert_eq!(job.column_order, ["name", "age", "birth", "zip", "location", "diagnosis"]);
        assert_eq!(
            job.columns["location"].hierarchy,
            Some(HierarchySpec::File(folder.path().join("location.csv")))
        );
    }

    #[test]
    fn unknown_keys_are_refused_with_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job.toml");
        std::fs::write(&path, "k = 3\nqii = [\"age\"]\n").unwrap();
        let message = JobSpec::read(&path).unwrap_err().to_string();
        assert!(message.contains("line 2") && message.contains("qii"), "{message}");
    }

    #[test]
    fn shares_are_percentages_or_fractions() {
        let share = |text: &str| parse_share(&Scalar::Text(text.into())).ok();
        assert_eq!(
            (share("5%"), share("0.05"), share("0"), share("100 %")),
            (Some(0.05), Some(0.05), Some(0.0), Some(1.0))
        );
        for wrong in ["5", "1", "-1%", "101%", "1.5", "five", "%", "NaN"] {
            assert_eq!(share(wrong), None, "{wrong}");
        }
        assert!(parse_share(&Scalar::Number(5.0)).is_err());
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(parse_duration("1.5m").unwrap(), Duration::from_secs(90));
        for wrong in ["60", "s", "-3s", "5 days", ""] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
