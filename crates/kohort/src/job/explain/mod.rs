//! Why is this release as coarse as it is, and what would change that?
//!
//! What a column lost, and which groups cost most, is read from the release and its original. What a change would give is
//! *measured*: the job is run as it is and with one thing changed at a time, without refining, on a part of the rows where there are many.
//! Those runs write nothing. Losses are compared by lm, which means the same whatever a column generalizes to. All of it speaks
//! about the original: it is private.

mod changes;
mod quick;
mod row;
mod shown;
mod strays;
mod trees;
mod wide;

use self::changes::{Change, Price};
use self::quick::{Quick, Sample};
use self::row::Asked;
use self::shown::{Kinds, Shown};
use super::observed::{Observed, WithDeadline, with_threads};
use super::roles::Roles;
use super::{CheckedJob, Observer, Stage, ask_verifier, prepare};
use crate::data::{Attribute, Role, Table};
use crate::error::{Error, Result, Said};
use crate::input::{TableSource, check_source};
use crate::report::{EXPLANATION_PRIVATE, Explanation, QuickRuns, Tried};
use crate::verify::Released;

/// How many rows quick runs look at, unless it is said.
const QUICK_ROWS: usize = 10_000;

/// Columns that are looked at where none is named: those that lost most, as long as they lost that share of all.
const COLUMNS: usize = 3;
const MUCH: f64 = 0.05;

/// What is asked about a release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExplainQuestion {
    /// A row of the release, counted from 1 below the header.
    pub row: Option<u64>,
    /// A row of the original, counted in the same way.
    pub original_row: Option<u64>,
    /// A column to look at; otherwise those that lost most.
    pub column: Option<String>,
    /// How many rows quick runs look at; 0 for no quick runs.
    pub quick_rows: Option<usize>,
}

/// A release beside the table it was made from.
struct Compared<'a> {
    job: &'a CheckedJob,
    original: &'a dyn TableSource,
    release: &'a dyn TableSource,
    roles: &'a Roles,
    table: &'a Table,
    released: &'a Released,
    shown: Shown,
    kinds: Kinds,
    /// Rows of the original that are in no group, and not published as they are.
    suppressed: u64,
    watch: &'a WithDeadline<'a>,
}

/// Says where a release lost its detail and why, and what changes of the job would give.
pub fn explain(
    job: &CheckedJob,
    release: &dyn TableSource,
    original: &dyn TableSource,
    question: &ExplainQuestion,
    observer: &dyn Observer,
) -> Result<Explanation> {
    if question.row.is_some() && question.original_row.is_some() {
        return Err(Error::job("a row of the release and one of the original cannot both be explained")
            .help("ask for one of them"));
    }
    let watch = WithDeadline::new(observer, None, None);
    let original = Observed { source: original, observer: &watch };
    let release = Observed { source: release, observer: &watch };
    with_threads(job.threads, || {
        watch.enter(Stage::Read, 0);
        check_source(&release)?;
        let roles = Roles::resolve(job, &original)?;
        let table = prepare::read_table(job, &original, &roles)?.table;
        if !ask_verifier::readable(job.intervals, &table) {
            return Err(Error::job("middles of intervals do not tell what they cover")
                .option("intervals")
                .help("make the release with intervals as text or bounds, and look at that"));
        }
        let named = |role| ask_verifier::names(&original, &roles.of, role);
        let released = job.read_release(&release, &named(Role::QuasiIdentifier), &named(Role::Sensitive))?;
        watch.enter(Stage::Verify, 0);
        let shown = Shown::new(&released, &table);
        let in_groups: u64 = shown.rows.iter().map(|rows| rows.len() as u64).sum();
        let open = table.verbatim_count() as u64;
        let suppressed = (table.rows as u64).checked_sub(in_groups + open).ok_or_else(|| {
            Error::input(format!("the release shows more rows than the table has, {in_groups}"))
                .option("original")
                .help("name the table that the release was made from")
        })?;
        let compared = Compared {
            job,
            original: &original,
            release: &release,
            roles: &roles,
            table: &table,
            released: &released,
            kinds: Kinds::new(&table),
            shown,
            suppressed,
            watch: &watch,
        };
        compared.explain(question)
    })
}

impl Compared<'_> {
    fn explain(&self, question: &ExplainQuestion) -> Result<Explanation> {
        let asked = match (question.row, question.original_row) {
            (Some(row), _) => Some(self.row_of_release(row)?),
            (_, Some(row)) => Some(self.row_of_original(row)?),
            (None, None) => None,
        };
        let costs = self.costs();
        let dims = self.dims(
            question,
            asked.as_ref(),
            &costs.iter().map(|(dim, c)| (*dim, c.share)).collect::<Vec<_>>(),
        )?;
        let widest = if asked.is_some() { Vec::new() } else { self.widest(&dims)? };
        let most = question.quick_rows.unwrap_or(QUICK_ROWS);
        let quick_runs = match most {
            0 => None,
            most => Some(self.quick_runs(most, &dims, asked.as_ref(), question.column.as_deref())?),
        };
        self.watch.check()?;
        let mut notes: Vec<Said> = Vec::new();
        if self.shown.len() == 0 {
            notes.push("no row is released in a group".into());
        }
        Ok(Explanation {
            private: EXPLANATION_PRIVATE,
            rows: self.table.rows as u64,
            released: self.shown.rows.iter().map(|rows| rows.len() as u64).sum(),
            suppressed: self.suppressed,
            classes: self.shown.len() as u64,
            k: self.job.demands.k(),
            columns: costs.into_iter().map(|(_, cost)| cost).collect(),
            widest,
            row: asked.map(|asked| asked.explained),
            quick_runs,
            notes,
        })
    }

    /// The columns to look at: the one that was named, those that a row lost most in, or those that the table did.
    fn dims(
        &self,
        question: &ExplainQuestion,
        asked: Option<&Asked>,
        costs: &[(usize, f64)],
    ) -> Result<Vec<usize>> {
        let place = |name: &str| self.table.qi.iter().position(|q| q.attribute.name == name);
        if let Some(name) = &question.column {
            let names: Vec<&str> = self.table.qi.iter().map(|q| q.attribute.name.as_str()).collect();
            let at = place(name).ok_or_else(|| {
                Error::job(format!("'{name}' is no quasi-identifier"))
                    .in_column(name)
                    .help(format!("only these lose detail: {}", names.join(", ")))
            })?;
            return Ok(vec![at]);
        }
        let mut of_row: Vec<(usize, f64)> = asked
            .iter()
            .flat_map(|asked| &asked.explained.columns)
            .filter_map(|column| Some((place(&column.name)?, column.lm)))
            .filter(|(_, lm)| *lm > 0.0)
            .collect();
        of_row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let table = costs.iter().filter(|(_, share)| *share >= MUCH);
        let dims: Vec<usize> = if of_row.is_empty() {
            table.map(|(dim, _)| *dim).collect()
        } else {
            of_row.into_iter().map(|(dim, _)| dim).collect()
        };
        Ok(dims.into_iter().take(COLUMNS).collect())
    }

    /// Runs the job as it is, and with one thing changed at a time.
    fn quick_runs(
        &self,
        most: usize,
        dims: &[usize],
        asked: Option<&Asked>,
        column: Option<&str>,
    ) -> Result<QuickRuns> {
        let step = self.table.rows.div_ceil(most).max(1);
        let of_interest = asked.map_or(&[][..], |asked| &asked.rows);
        let sample = Sample { step, of_interest };
        let attributes: Vec<&Attribute> = dims.iter().map(|&dim| &self.table.qi[dim].attribute).collect();
        let all = self.changes(&attributes)?;
        let total = all.len() as u64 + 1;
        self.watch.enter(Stage::Solve, total);
        let aim = Aim { column, row: !of_interest.is_empty() };
        let as_asked = quick::run(self.job, self.original, &sample, self.watch)?;
        let before = aim.of(&as_asked);
        self.watch.progress(1, total);
        let mut runs = QuickRuns {
            rows: sample.len(self.table) as u64,
            of_rows: self.table.rows as u64,
            as_asked: tried("the job as it is".into(), (None, None), as_asked, 0.0),
            changes: Vec::new(),
            for_comparison: Vec::new(),
            not_tried: Vec::new(),
        };
        for (done, change) in (2..).zip(all) {
            let Change { what, column, how, price, job } = change;
            match quick::run(&job, self.original, &sample, self.watch) {
                Ok(found) => {
                    let gain = before - aim.of(&found);
                    let list =
                        if price == Price::None { &mut runs.changes } else { &mut runs.for_comparison };
                    list.push(tried(what, (column, how), found, gain));
                }
                Err(stopped @ Error::Stopped(_)) => return Err(stopped),
                Err(e) => runs.not_tried.push(format!("{}: {}", what.marked(), e.what().marked()).into()),
            }
            self.watch.progress(done, total);
        }
        runs.changes.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        Ok(runs)
    }

    fn changes(&self, attributes: &[&Attribute]) -> Result<Vec<Change>> {
        let mut all = changes::of_columns(self.job, attributes);
        for attribute in attributes {
            let is_flat = matches!(&attribute.domain, crate::data::Domain::Tree(tree) if tree.height() <= 1);
            let has_boundary = attribute.boundary.is_some();
            if is_flat && !has_boundary {
                let found = trees::in_the_table(self.original, self.roles, &attribute.name)?;
                all.extend(
                    found.map(|(chain, tree)| changes::from_columns(self.job, attribute, &chain, tree)),
                );
            }
        }
        all.extend(changes::fewer_rows(self.job, self.table.rows));
        all.extend(changes::without(self.job, attributes, self.table.qi.len()));
        all.extend(changes::k_alone(self.job));
        Ok(all)
    }
}

/// What changes are to make better.
struct Aim<'a> {
    column: Option<&'a str>,
    row: bool,
}

impl Aim<'_> {
    fn of(&self, found: &Quick) -> f64 {
        let of_row = found.of_interest.filter(|_| self.row);
        let of_column = self.column.and_then(|name| found.per_column.get(name).copied());
        of_row.or(of_column).unwrap_or(found.lm)
    }
}

fn tried(what: Said, (column, how): (Option<String>, Option<Said>), found: Quick, gain: f64) -> Tried {
    let Quick { lm, per_column, suppressed, of_interest } = found;
    Tried { what, column, how, lm, per_column, suppressed, gain, row_lm: of_interest }
}
