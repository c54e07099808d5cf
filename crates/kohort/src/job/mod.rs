//! The walk itself: from a file to a verified release.

mod certify;
mod check;
mod demands;
mod destinations;
mod levels;
mod limits;
mod missing;
mod notes;
mod original;
mod others_certificate;
mod prepare;
mod public;
mod read_back;
mod roles;
mod solutions;
mod solve;
mod unchecked;
mod verify_job;
mod whole;

use std::path::PathBuf;

use crate::algorithm::{self, Settings, Watch};
use crate::data::{Intervals, Suppressed, Table};
use crate::demand::{Demands, Notion};
use crate::error::{Error, Result};
use crate::input::{Format, JobFile, Scalar, Source, parse_share, sha256};
use crate::measure::Measure;
use crate::output::{ReleasePlan, Staged, TableWriter, write_release};
use crate::recode::{Release, recode};
use crate::report::{Remarks, Summary};
use crate::solution::{SUPPRESSED, is_class};
use crate::verify::Findings;
use certify::{Digests, Evidence};
use destinations::Places;
use prepare::Prepared;
use public::Shown;
use roles::Roles;
use solve::Solved;
pub use verify_job::{Verdict, VerifyJob};

/// The stations of the walk, for clocks and progress bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Reading and encoding the input.
    Read,
    /// Grouping rows.
    Solve,
    /// Generalizing.
    Recode,
    /// Writing under a temporary name.
    Write,
    /// Reading back and recomputing.
    Verify,
}

/// Looks on during the whole walk.
pub trait Observer: Watch {
    /// A station was entered; `of` is how much work it has, where that is known.
    fn enter(&self, _stage: Stage, _of: u64) {}
}

impl Observer for algorithm::Quiet {}

/// A job whose demands have been checked as far as that is possible without the data.
pub struct Job {
    file: JobFile,
    input: PathBuf,
    output: PathBuf,
    demands: Demands,
    measure: Measure,
    settings: Settings,
    algorithm: String,
    seed: u64,
    notion: Notion,
    /// The share of rows that may be suppressed, where it was said.
    suppress: Option<f64>,
}

/// What a finished job has to tell.
pub struct Outcome {
    /// The JSON object.
    pub summary: Summary,
    /// Columns nobody mentioned; they are in the release as they were.
    pub unmentioned: Vec<String>,
    /// What a person must hear: what the release gives away.
    pub warnings: Vec<String>,
    /// What else a person should hear.
    pub notes: Vec<String>,
    /// Where the certificate is.
    pub certificate: Option<PathBuf>,
    /// Where the private audit record is.
    pub audit: Option<PathBuf>,
}

impl Job {
    /// Checks what can be checked before any data is read.
    pub fn new(file: JobFile) -> Result<Self> {
        let missing = |what: &str, flag: &str| Error::job(format!("no {what} was given")).at(flag.to_owned());
        let input = file.input.clone().ok_or_else(|| {
            missing("input table", "DATA").help("name a .csv, .tsv, .parquet or .arrow file")
        })?;
        let output = file.output.clone().ok_or_else(|| {
            missing("place for the release", "-o").help("say where to write it, such as -o release.csv")
        })?;
        if file.k.is_none() {
            return Err(
                missing("k", "-k").help("say how many people everyone must hide among, for example -k 10")
            );
        }
        destinations::check(&file, &input, &output)?;
        let algorithm = levels::algorithm(&file)?;
        let notion = file.notion.as_deref().map(Notion::parse).transpose()?.unwrap_or_default();
        algorithm::check_name(&algorithm, notion)?;
        notion_allows(notion, &file)?;
        blocks_allowed(&algorithm, &file)?;
        Ok(Self {
            demands: demands::asked(&file, true)?,
            measure: Measure::parse(file.measure.as_deref().unwrap_or("il"), file.beta)?,
            settings: settings(&file)?,
            seed: file.seed.unwrap_or(0),
            notion,
            suppress: file.suppress.as_ref().map(parse_share).transpose()?,
            algorithm,
            input,
            output,
            file,
        })
    }

    /// Reads, groups, generalizes, writes aside, verifies what was written, and only then publishes it.
    pub fn run(&self, watch: &dyn Observer) -> Result<Outcome> {
        watch.enter(Stage::Read, 0);
        let source = Source::open(&self.input)?;
        let roles = Roles::resolve(&self.file, &source)?;
        // Now: that a place cannot be written to should show before the search, not after it.
        let places = Places::open(&self.file, &self.output)?;
        let (table, input) = rayon::join(
            || prepare::read_table(&self.file, &source, &roles, &|rows| watch.progress(rows, 0)),
            || sha256(source.path()),
        );
        let (Prepared { table, missing }, input) = (table?, input?);
        missing.check()?;
        let releasable = table.in_classes();

        watch.enter(Stage::Solve, releasable.len() as u64);
        let mut solved = self.solve(&table, &releasable, watch)?;
        drop(releasable);

        watch.enter(Stage::Recode, 0);
        let release = recode(&table, &solved.take_solution());

        watch.enter(Stage::Write, 0);
        let rows = self.published(&table, &release);
        let made = Made { source: &source, roles: &roles, table: &table, release: &release, rows: &rows };
        let order = self.write(&made, self.intervals(), &places.release)?;

        watch.enter(Stage::Verify, 0);
        let written = &places.release;
        let (seen, digest) = rayon::join(|| self.seen(&made, written, &order), || sha256(written.path()));
        let ((shown, findings), digest) = (seen?, digest?);
        let summary = self.accepted(&made, &solved, &findings)?;
        let warnings = notes::warnings(&self.file, &roles, &source, &summary);
        let time_is_up = watch.signal() == algorithm::Signal::TimeUp;
        let notes = self.notes(&made, &solved, &summary, time_is_up);
        let digests = Digests { input, release: digest };
        let remarks = Remarks { warnings: &warnings, notes: &notes };
        let evidence = Evidence { summary: &summary, shown, digests, remarks };
        self.document(&made, &solved, evidence, &places)?;
        if watch.signal() == algorithm::Signal::Cancelled {
            return Err(Error::stopped(
                "stopped before the release was put in its place; nothing was written",
            ));
        }
        let (certificate, audit) = places.publish()?;
        Ok(Outcome { summary, unmentioned: roles.unmentioned, warnings, notes, certificate, audit })
    }

    /// Reads the written file back, once: what a stranger finds in it, and what comparing it with the original finds. One
    /// after the other, so that what each counts is in memory for itself.
    fn seen(&self, made: &Made<'_>, staged: &Staged, order: &[u32]) -> Result<(Shown, Findings)> {
        let written = self.read_back(made, self.intervals(), staged)?;
        let shown = self.shown(made, &written)?;
        Ok((shown, self.verify(made, written, order)?))
    }

    /// What was found in the written file; an error where that is not what was meant.
    fn accepted(&self, made: &Made<'_>, solved: &Solved, findings: &Findings) -> Result<Summary> {
        let meant = made.release.class_of.iter().filter(|&&c| is_class(c)).count();
        check::same_count("released rows", meant as u64, findings.released)?;
        check::same_count("verbatim rows", made.table.verbatim_count() as u64, findings.opted_out)?;
        self.check_limit(made.table, findings)?;
        Ok(Summary::new(findings, Some(solved.algorithm.clone()), Some(self.seed))
            .with_notion(self.notion)
            .with_demands(&self.demands)
            .with_blocks(solved.blocks)
            .with_search(solved.search.clone())
            .with_reasons(solved.account))
    }

    /// What a person should hear about the run.
    fn notes(&self, made: &Made<'_>, solved: &Solved, summary: &Summary, time_is_up: bool) -> Vec<String> {
        let mut notes = notes::notes(&self.file, made.source, made.table, &solved.account, summary);
        notes.extend(solved.vanished.clone());
        notes.extend(self.file.solutions.as_deref().map(|place| solved.solutions.note(place)));
        notes.extend(solved.hurried.then(notes::time_was_up));
        notes.extend(solved.search.as_ref().map(|search| notes::not_exhaustive(search, time_is_up)));
        notes
    }

    /// The rows that the release shows: suppressed ones only as stars.
    fn published(&self, table: &Table, release: &Release) -> Vec<u32> {
        let star = self.file.suppressed == Some(Suppressed::Star);
        let kept = |&row: &u32| star || release.class_of[row as usize] != SUPPRESSED;
        (0..table.rows as u32).filter(kept).collect()
    }

    /// The format the output's name asks for; CSV keeps the separator of the input.
    fn format(&self, source: &Source) -> Format {
        match (Format::of(&self.output), source.format()) {
            (Format::Csv { separator: b',' }, Format::Csv { separator: b';' }) => source.format(),
            (asked, _) => asked,
        }
    }

    fn intervals(&self) -> Intervals {
        self.file.intervals.unwrap_or_default()
    }

    /// Writes the release; returns which row stands at each place.
    fn write(&self, made: &Made<'_>, intervals: Intervals, staged: &Staged) -> Result<Vec<u32>> {
        let format = self.format(made.source);
        let plan = ReleasePlan {
            source: made.source,
            roles: &made.roles.of,
            table: made.table,
            release: made.release,
            intervals,
            rows: made.rows,
            in_order: self.file.keep_order.unwrap_or(false),
            as_text: matches!(format, Format::Csv { .. }),
        };
        write_release(&plan, |schema| TableWriter::new(staged, &self.output, format, schema))
    }
}

/// Everything a release is written from and checked against.
struct Made<'a> {
    source: &'a Source,
    roles: &'a Roles,
    table: &'a Table,
    release: &'a Release,
    /// The rows that the release shows, ascending.
    rows: &'a [u32],
}

/// Diversity is a matter of classes, or of the tuples that could be a person's; the weaker notions have neither. And what a
/// tuple covers must be readable.
fn notion_allows(notion: Notion, file: &JobFile) -> Result<()> {
    let asks_for_p = file.p.unwrap_or(1) > 1;
    if asks_for_p && !matches!(notion, Notion::K | Notion::Global) {
        return Err(Error::job(format!("p cannot be asked together with the notion '{}'", notion.name()))
            .at("-p")
            .help("it has no groups of rows that must differ in their sensitive values: use --notion k, or --notion global-1k, where p counts the people behind all tuples that could be somebody's"));
    }
    if let Some(model) = demands::diversity(file)?.first().filter(|_| notion != Notion::K) {
        return Err(Error::job(format!(
            "{model} cannot be asked together with the notion '{}'",
            notion.name()
        ))
        .at(model.flag())
        .help("it is about classes of equal rows: use --notion k"));
    }
    let protects = file.columns.values().any(|entry| entry.protected.is_some());
    if protects && asks_for_p && notion != Notion::K {
        return Err(Error::job(format!(
            "protected values cannot be counted with the notion '{}'",
            notion.name()
        ))
        .at("protected")
        .help("use --notion k, or leave `protected` away"));
    }
    if notion != Notion::K && file.intervals == Some(Intervals::Midpoint) {
        return Err(Error::job(format!(
            "middles of intervals do not tell what they cover, so nobody could check the notion '{}'",
            notion.name()
        ))
        .at("--intervals")
        .help("publish intervals as text or bounds, or use --notion k"));
    }
    Ok(())
}

/// Whole columns cannot be recoded block by block.
fn blocks_allowed(algorithm: &str, file: &JobFile) -> Result<()> {
    if file.block_rows.is_some_and(|rows| rows > 0) && algorithm::recodes_columns(algorithm) {
        return Err(Error::job(format!("{algorithm} generalizes whole columns and cannot work in blocks"))
            .at("--block-rows")
            .help("leave it away, or choose another algorithm"));
    }
    Ok(())
}

/// The settings, with the one that has a flag of its own.
fn settings(file: &JobFile) -> Result<Settings> {
    let mut all = file.settings.clone();
    if let Some(distance) = file.distance.as_ref().map(Scalar::text) {
        let before = all.insert("distance".into(), distance.clone());
        if before.is_some_and(|other| other != distance) {
            return Err(Error::job("two different distances were given")
                .at("--distance, --set distance")
                .help("leave one of them away"));
        }
    }
    Ok(Settings::new(all))
}
