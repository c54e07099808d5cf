//! The walk itself: from a table to a verified release, wherever they lie.
//!
//! [`JobSpec::check`](crate::input::JobSpec::check) makes a [`CheckedJob`] of what was asked; [`anonymize`] and [`verify`] take
//! it through the rooms. [`files`] is the same for tables in files.

pub mod append;
mod ask_verifier;
mod bound;
mod certify;
mod checked;
mod claimed;
mod columns_read;
mod demands;
mod explain;
pub mod files;
mod kept;
mod levels;
mod limits;
mod missing;
mod not_checked;
mod notes;
mod observed;
mod original;
mod people;
mod prepare;
mod public;
mod read_back;
mod refining;
mod risk;
mod roles;
mod row_order;
mod solutions;
mod solve;
mod trial;
mod undeclared;
mod verify_release;
mod whole;

pub use crate::algorithm::{Observer, Stage};
use crate::data::{Intervals, Role, Suppressed, Table};
use crate::error::{Error, Result, Said};
use crate::input::TableSource;
use crate::output::{Documents, Onlooker, ReleasePlan, TableSink, write_release};
use crate::recode::{Release, recode};
use crate::report::{Audit, Certificate, LowerBound, Remarks, Solutions, Summary};
use crate::solution::{SUPPRESSED, is_class};
use crate::verify::{Findings, PriceLayer};
use bound::BoundEffort;
pub use bound::{TableBound, bound};
use certify::{Digests, Evidence};
pub use checked::CheckedJob;
pub use columns_read::ColumnRead;
pub use explain::{ExplainQuestion, explain};
use kept::{Finding, KeptColumns, Remedy, nearly_unique_secrets};
use observed::{Ended, Observed, ObservedSink, WithDeadline, with_threads};
use people::Identifiers;
use prepare::Prepared;
use public::Shown;
pub use risk::{RiskQuestion, risk};
use roles::Roles;
use solve::Solved;
pub use trial::{Trial, try_proposal};
use undeclared::Undeclared;
pub use verify_release::{Verdict, verify};

/// What a finished job has to tell.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The JSON object.
    pub summary: Summary,
    /// Columns nobody named: they are in the release as they were, or not at all, as was said of the rest.
    pub unmentioned: Vec<String>,
    /// How every column was read, in the order of the table.
    pub columns: Vec<ColumnRead>,
    /// What columns that are released as they are give away: the first of the warnings, to be shown whatever is not.
    pub risks: Vec<Said>,
    /// What could be done about them.
    pub(in crate::job) remedies: Vec<Remedy>,
    /// What a person must hear: what the release gives away.
    pub warnings: Vec<Said>,
    /// What else a person should hear.
    pub notes: Vec<Said>,
    /// For everybody who gets the release.
    pub certificate: Certificate,
    /// For the steward alone.
    pub audit: Audit,
    /// All minimal choices of levels, where they were asked for.
    pub solutions: Solutions,
}

/// Reads, groups, generalizes, writes, verifies what was written, and only then hands it over.
pub fn anonymize(
    job: &CheckedJob,
    source: &dyn TableSource,
    sink: &mut dyn TableSink,
    observer: &dyn Observer,
) -> Result<Outcome> {
    let watch = WithDeadline::new(observer, job.time_limit, job.search.refining.time());
    let source = Observed { source, observer: &watch };
    with_threads(job.threads, || {
        let outcome = job.walk(&source, sink, &watch, &mut |_, _, _| Ok(()))?;
        sink.publish(&outcome.documents())?;
        Ok(outcome)
    })
}

impl Outcome {
    /// What belongs to the release.
    pub fn documents(&self) -> Documents<'_> {
        Documents { certificate: &self.certificate, audit: &self.audit, solutions: &self.solutions }
    }
}

/// Looks at a release that was written and verified, before it is handed over: what it was made from, which row stands at each
/// place, and what was written.
type Witness<'a> = dyn FnMut(&Made<'_>, &[u32], &dyn TableSource) -> Result<()> + Send + 'a;

impl CheckedJob {
    /// Everything but handing the release over.
    fn walk(
        &self,
        source: &dyn TableSource,
        sink: &mut dyn TableSink,
        watch: &WithDeadline<'_>,
        witness: &mut Witness<'_>,
    ) -> Result<Outcome> {
        watch.enter(Stage::Read, 0);
        let roles = Roles::resolve(self, source)?;
        roles.check_rest(self)?;
        let sensitive = ask_verifier::names(source, &roles.of, Role::Sensitive);
        self.demands.check_columns(sensitive.iter().map(String::as_str))?;
        // Now: that a place cannot be written to should show before the search, not after it.
        sink.open()?;
        let read = || prepare::read_table(self, source, &roles);
        let look = || (source.digest(), Identifiers::look(self, source, &roles));
        let (table, (input, identifiers)) = rayon::join(read, look);
        let (read, input, identifiers) = (table?, input?, identifiers?);
        let Prepared { table, missing, undeclared, spelled } = read;
        identifiers.check()?;
        missing.check()?;
        let releasable = table.in_classes();

        watch.enter(Stage::Solve, releasable.len() as u64);
        let mut solved = self.solve(&table, &releasable, watch)?;
        drop(releasable);

        watch.enter(Stage::Recode, 0);
        let release = recode(&table, &solved.take_solution());
        watch.check()?;

        watch.enter(Stage::Write, 0);
        let rows = self.published(&table, &release);
        let made = Made { source, roles: &roles, table: &table, release: &release, rows: &rows };
        let kept = made.kept_columns(self.demands.k());
        let mut watched = ObservedSink { sink, observer: watch };
        let order = self.write(&made, self.intervals, kept.as_ref(), &mut watched)?;
        let found = self.risks(&made, kept)?;
        let (risks, remedies) = (said(&found), found.iter().filter_map(Finding::remedy).collect());
        let written = sink.finish()?;

        watch.enter(Stage::Verify, 0);
        let written = Observed { source: written.as_ref(), observer: watch };
        // Middles of intervals do not tell what they cover: the same release as text does.
        let twin = if ask_verifier::readable(self.intervals, &table) { None } else { Some(sink.twin()) };
        let (seen, release) = rayon::join(|| self.seen(&made, &written, &order, twin), || written.digest());
        let ((shown, findings), release) = (seen?, release?);
        watch.check()?;
        let mut summary = self.accepted(&made, &solved, &findings)?;
        witness(&made, &order, &written)?;
        summary.lower_bound = self.gap(&table, &findings, solved.prices.take(), watch)?;
        let ended = watch.ended();
        let mut remarks = Remarks {
            warnings: risks.iter().cloned().chain(notes::warnings(self, &roles, source, &summary)).collect(),
            notes: self.notes(&made, &solved, &summary, ended),
        };
        remarks.notes.extend(spelled);
        remarks.warnings.extend(identifiers.warning());
        let (secret, known): (Vec<_>, Vec<_>) = undeclared.iter().partition(|found| found.protects());
        remarks.warnings.extend(secret.into_iter().map(Undeclared::said));
        remarks.notes.extend(known.into_iter().map(Undeclared::said));
        let digests = Digests { input, release };
        let names = (sink.name(), sink.certificate_place());
        let (certificate, audit) = self.document(
            &made,
            &solved,
            Evidence { summary: &summary, shown, digests, remarks: remarks.clone(), growth: None },
            names,
        )?;
        let solutions = std::mem::take(&mut solved.solutions);
        let columns = made.columns_read();
        watch.check_before_publishing()?;
        let Remarks { warnings, notes } = remarks;
        Ok(Outcome {
            summary,
            columns,
            unmentioned: roles.unmentioned,
            risks,
            remedies,
            warnings,
            notes,
            certificate,
            audit,
            solutions,
        })
    }

    /// Reads what was written back, once: what a stranger finds in it, and what comparing it with the original finds. One
    /// after the other, so that what each counts is in memory for itself.
    fn seen(
        &self,
        made: &Made<'_>,
        written: &dyn TableSource,
        order: &[u32],
        twin: Option<Box<dyn TableSink>>,
    ) -> Result<(Shown, Findings)> {
        let written = self.read_back(made, self.intervals, written)?;
        let shown = self.shown(made, &written)?;
        Ok((shown, self.verify(made, written, order, twin)?))
    }

    /// What was found in what was written; an error where that is not what was meant.
    fn accepted(&self, made: &Made<'_>, solved: &Solved, findings: &Findings) -> Result<Summary> {
        let meant = made.release.class_of.iter().filter(|&&c| is_class(c)).count();
        ask_verifier::same_count("released rows", meant as u64, findings.released)?;
        ask_verifier::same_count("verbatim rows", made.table.verbatim_count() as u64, findings.opted_out)?;
        self.check_limit(made.table, findings)?;
        Ok(Summary::new(findings, Some(solved.algorithm.clone()), Some(self.search.seed))
            .with_notion(self.notion)
            .with_demands(&self.demands)
            .with_blocks(solved.blocks)
            .with_search(solved.search.clone())
            .with_steps(solved.refined.as_ref().map(|refined| refined.steps))
            .with_reasons(solved.account))
    }

    /// What no release loses less than, and how far this one is from it.
    fn gap(
        &self,
        table: &Table,
        findings: &Findings,
        prices: Option<Vec<PriceLayer>>,
        watch: &WithDeadline<'_>,
    ) -> Result<LowerBound> {
        let found = self.lower_bound(table, self.bound, prices, watch)?;
        let loss = findings.loss.as_ref().map(|loss| bound::reported(loss, self.search.measure));
        Ok(loss.map_or_else(|| found.clone(), |loss| found.clone().with_loss(loss)))
    }

    /// What a person should hear about the run.
    fn notes(&self, made: &Made<'_>, solved: &Solved, summary: &Summary, ended: Option<Ended>) -> Vec<Said> {
        let mut notes = notes::notes(self, made.source, made.table, &solved.account, summary);
        notes.extend(solved.vanished.clone());
        let has_bound = summary.lower_bound.bound.is_some();
        let stopped = |why| {
            let knows = has_bound || self.bound == BoundEffort::Off;
            notes::ended_early(why, solved.refined.is_some(), knows)
        };
        notes.extend(solved.hurried.map(stopped));
        notes.extend(solved.search.as_ref().map(|search| notes::not_exhaustive(search, ended)));
        notes
    }

    /// The rows that the release shows: suppressed ones only as stars.
    fn published(&self, table: &Table, release: &Release) -> Vec<u32> {
        let star = self.suppressed == Some(Suppressed::Star);
        let kept = |&row: &u32| star || release.class_of[row as usize] != SUPPRESSED;
        (0..table.rows as u32).filter(kept).collect()
    }

    /// What columns give away that are released as they are, kept or sensitive; an error where that is not to be.
    fn risks(&self, made: &Made<'_>, kept: Option<KeptColumns<'_>>) -> Result<Vec<Finding>> {
        let mut found = kept.map_or_else(Vec::new, KeptColumns::findings);
        found.extend(nearly_unique_secrets(made.table, &made.release.class_of));
        if !self.refuse_risky || found.is_empty() {
            return Ok(found);
        }
        let risks = said(&found);
        let all: Vec<&str> = risks.iter().map(Said::marked).collect();
        Err(Error::unsolvable(format!(
            "columns that are released as they are give people away: {}",
            all.join(". ")
        ))
        .option("refuse-risky")
        .number("findings", all.len() as f64)
        .help("give these columns another role, or omit ‹refuse-risky› to release them all the same"))
    }

    /// Writes the release; returns which row stands at each place.
    fn write(
        &self,
        made: &Made<'_>,
        intervals: Intervals,
        kept: Option<&KeptColumns<'_>>,
        sink: &mut dyn TableSink,
    ) -> Result<Vec<u32>> {
        let plan = ReleasePlan {
            source: made.source,
            roles: &made.roles.of,
            table: made.table,
            release: made.release,
            intervals,
            rows: made.rows,
            in_order: self.keep_order,
            as_text: sink.is_text_only(),
            onlooker: kept.map(|kept| kept as &dyn Onlooker),
        };
        write_release(&plan, sink)
    }
}

/// Findings in words.
fn said(found: &[Finding]) -> Vec<Said> {
    found.iter().map(Finding::said).collect()
}

/// Everything a release is written from and checked against.
struct Made<'a> {
    source: &'a dyn TableSource,
    roles: &'a Roles,
    table: &'a Table,
    release: &'a Release,
    /// The rows that the release shows, ascending.
    rows: &'a [u32],
}

impl<'a> Made<'a> {
    /// Who looks at the columns that are kept, where there are any.
    fn kept_columns(&self, k: u32) -> Option<KeptColumns<'a>> {
        let columns = self.source.names().map(str::to_owned).zip(self.roles.of.iter().copied());
        KeptColumns::new(columns, self.table, &self.release.class_of, k)
    }
}
