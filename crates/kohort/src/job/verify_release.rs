//! What does this table achieve? Any tool's release, with or without the original.

use super::ask_verifier;
use super::checked::{CheckedJob, RowsAre};
use super::claimed::open_shares;
use super::limits;
use super::not_checked::Seen;
use super::observed::{Observed, WithDeadline, with_threads};
use super::original::{Carried, Original};
use super::whole::whole;
use super::{Observer, Stage, people};
use crate::data::{Domain, Intervals, People, Role, Suppressed, bound_names};
use crate::demand::Demands;
use crate::error::{Error, Result, Said};
use crate::input::{Column, TableSource, check_source, encode};
use crate::report::Summary;
use crate::verify::{
    Alignment, Findings, Reference, Released, ReleasedLoss, is_interval, released_loss, verify as examine,
};

/// The result of an examination.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The JSON object.
    pub summary: Summary,
    /// What falls short of the demands; empty when all is met.
    pub shortfalls: Vec<Said>,
    /// Columns nobody said anything about.
    pub unmentioned: Vec<String>,
    /// Columns that were compared with the original row by row as they stand: those that are neither quasi-identifiers nor
    /// sensitive, and sensitive ones whose values are not held as texts.
    pub compared: Vec<String>,
    /// The demands that it was held against; those that only an original could tell are not among them where a certificate
    /// claims them and there is no original.
    pub judged: Demands,
    /// Rows of the table itself, whatever the original has.
    pub table_rows: u64,
    /// How coarse the table is by itself, where a certificate says how its labels cover each other.
    pub loss_by_itself: Option<ReleasedLoss>,
}

/// Examines a table: what it achieves, whether it meets what the job demands and, where there is an original, whether it is a
/// release of that and what was lost.
pub fn verify(
    job: &CheckedJob,
    release: &dyn TableSource,
    original: Option<&dyn TableSource>,
    observer: &dyn Observer,
) -> Result<Verdict> {
    // The limit is for the search; there is none here.
    let watch = WithDeadline::new(observer, None, None);
    let under_watch = |source| Observed { source, observer: &watch };
    let (release, original) = (under_watch(release), original.map(under_watch));
    let by_rows = job.by_rows(&release, original.is_some());
    let original = original.as_ref().map(|original| original as &dyn TableSource);
    let mut verdict =
        with_threads(job.threads, || by_rows.as_ref().unwrap_or(job).examine(&release, original, &watch))?;
    if by_rows.is_some() && verdict.table_rows > 0 {
        // A demand that cannot be checked is not met.
        let (what, why) = people::unseen(job.demands());
        verdict.shortfalls.push(format!("{what} could not be checked: {why}").into());
        verdict.summary.met = Some(false);
    }
    Ok(verdict)
}

impl CheckedJob {
    fn examine(
        &self,
        source: &dyn TableSource,
        original: Option<&dyn TableSource>,
        watch: &WithDeadline<'_>,
    ) -> Result<Verdict> {
        watch.enter(Stage::Read, 0);
        check_source(source)?;
        let notion = self.notion;
        let original = original.map(|original| Original::read(self, original)).transpose()?;
        let (qi, sensitive) = match &original {
            Some(original) => (original.qi.clone(), original.sensitive.clone()),
            None => self.names_without_original()?,
        };
        if qi.is_empty() {
            return Err(Error::job("no quasi-identifier was named")
                .option("qi")
                .help("name the columns an outsider could know"));
        }
        let mut released = self.read_somebody(source, &qi, &sensitive, original.is_some())?;
        released.people = self.people_of(source, &released)?;
        let carried = match &original {
            Some(original) => original.carried(source, outside(source, &qi, &sensitive))?,
            None => Carried::default(),
        };
        let reference = original.as_ref().map(|original| Reference {
            table: &original.table,
            alignment: Alignment::Unknown,
            beta: self.beta.unwrap_or(0.0),
            readable: ask_verifier::readable(self.intervals, &original.table),
            notion,
            k: Some(self.demands.k()),
            secrets: carried.secrets.as_ref(),
            untouched: carried.untouched.as_ref(),
        });
        let demands = &self.demands;
        demands.check_columns(sensitive.iter().map(String::as_str))?;
        watch.enter(Stage::Verify, 0);
        let k = Some(demands.k()).filter(|&k| k > 1);
        let look = |released: &Released| {
            watch.check()?;
            let shown;
            let table = if let Some(original) = &original {
                &original.table
            } else {
                shown = whole(self, source, released)?;
                &shown
            };
            examine(released, reference.as_ref(), k, demands, table)
        };
        let has_original = original.is_some();
        let most = self.suppress.zip(original.as_ref());
        let most = most.map(|(share, original)| limits::rows(share, &original.table) as u64);
        let judge = |findings: &Findings| {
            let mut short = self.shortfalls(findings, has_original);
            short.extend(most.filter(|&most| findings.suppressed > most).map(|most| {
                format!("{} rows are suppressed, at most {most} may be", findings.suppressed).into()
            }));
            short
        };
        let mut findings = look(&released)?;
        let mut shortfalls = judge(&findings);
        let loss_by_itself = self.loss_by_itself(&released, &qi);
        let mut untold = None;
        let unsaid = self.suppressed.is_none();
        if (unsaid || self.only_claims()) && ask_verifier::is_ambiguous(&released) {
            released.hidden = Vec::new();
            let people = judge(&look(&released)?);
            // The certificate of such a release says itself that nobody can tell its classes.
            if self.only_claims() && shortfalls.is_empty() != people.is_empty() {
                (shortfalls, untold) = (Vec::new(), Some(UNTOLD.into()));
            } else {
                shortfalls = either(shortfalls, &people);
            }
        } else if findings.released == 0
            && sensitive.is_empty()
            && outside(source, &qi, &sensitive).next().is_none()
        {
            // Nothing but rows of `*`: suppressed rows or one class, there is no telling and no difference.
            released.hidden = Vec::new();
            let others = look(&released)?;
            if judge(&others).is_empty() {
                (findings, shortfalls) = (others, Vec::new());
            }
        } else if unsaid && !shortfalls.is_empty() && released.hidden.contains(&true) {
            // A class that shows nothing looks like suppressed rows.
            released.hidden = Vec::new();
            if judge(&look(&released)?).is_empty() {
                shortfalls = either(shortfalls, &[]);
            }
        }
        shortfalls.extend(self.perhaps_middles(&findings, &released, reference.as_ref()));
        for (said, name) in self.should_be_gone() {
            if shows(source, &name)? {
                shortfalls.push(said);
            }
        }
        let unmentioned = self.unmentioned(outside(source, &qi, &sensitive));
        let mut summary = Summary::new(&findings, None, None).with_notion(notion);
        let seen = Seen { findings: &findings, has_original, notion, job: self };
        shortfalls.extend(unchecked_boundaries(&seen, &mut summary));
        let judged = if untold.is_none() { self.judged(&findings, has_original) } else { Demands::default() };
        let not_checked = seen.not_checked(&carried, &unmentioned).into_iter().chain(untold);
        let not_checked = not_checked.chain(open_shares(&findings));
        summary.not_checked = Some(not_checked.collect());
        summary.met = Some(shortfalls.is_empty());
        let table_rows = released.rows as u64;
        let compared = carried.columns;
        Ok(Verdict { summary, shortfalls, unmentioned, compared, judged, table_rows, loss_by_itself })
    }

    /// The loss that a certificate states, where there is one that helps to read labels; middles tell nothing of it.
    fn loss_by_itself(&self, released: &Released, qi: &[String]) -> Option<ReleasedLoss> {
        let claimed = self.claimed.as_ref().filter(|_| self.intervals != Intervals::Midpoint)?;
        Some(released_loss(released, qi, &claimed.labels))
    }

    /// Columns that may not be in a release, each with what to say if one is.
    pub(super) fn should_be_gone(&self) -> Vec<(Said, String)> {
        let identifiers = self.named(&self.identifier, Role::Identifier);
        let dropped = self.named(&self.drop, Role::Drop);
        let named = identifiers.into_iter().map(|name| ("identifier", name));
        let named = named.chain(dropped.into_iter().map(|name| ("dropped column", name)));
        named.map(|(what, name)| (format!("the {what} '{name}' is in the release").into(), name)).collect()
    }

    /// Columns that nobody said anything about.
    fn unmentioned<'a>(&self, outside: impl Iterator<Item = &'a str>) -> Vec<String> {
        let gone = self.should_be_gone().into_iter().map(|(_, name)| name);
        let flag = self.opt_out.as_ref().map(|opt_out| opt_out.column.clone());
        let persons = self.named(&self.person, Role::Person);
        let known: Vec<String> =
            gone.chain(persons).chain(self.named(&self.keep, Role::Keep)).chain(flag).collect();
        outside.filter(|name| known.iter().all(|n| n != name)).map(str::to_owned).collect()
    }

    /// Whose rows a table has that says so itself; the original tells otherwise.
    fn people_of(&self, source: &dyn TableSource, released: &Released) -> Result<Option<People>> {
        let named = self.named(&self.person, Role::Person);
        let there: Vec<usize> =
            named.iter().filter_map(|name| source.names().position(|n| n == name)).collect();
        if there.len() < named.len() {
            return Ok(None);
        }
        people::people(self, &encode(source, &there)?, &released.hidden, source)
    }

    /// The same job for rows, where people were to be counted and nothing tells whose rows these are. Rows of k people are k rows at
    /// least, and values of different people are different; what is about shares cannot be told.
    fn by_rows(&self, source: &dyn TableSource, has_original: bool) -> Option<Self> {
        let named = self.named(&self.person, Role::Person);
        let is_there = |name: &String| source.names().any(|n| n == name);
        if has_original || named.iter().all(is_there) {
            return None;
        }
        let mut job = Self { person: Vec::new(), rows_are: RowsAre::OfUnseenPeople, ..self.clone() };
        job.columns
            .values_mut()
            .filter(|entry| entry.role == Some(Role::Person))
            .for_each(|entry| entry.role = None);
        Some(job)
    }

    /// Reads the release, and which of its rows are suppressed ones.
    pub(super) fn read_release(
        &self,
        source: &dyn TableSource,
        qi: &[String],
        sensitive: &[String],
    ) -> Result<Released> {
        let mut released = ask_verifier::read_release(source, qi, sensitive, self.opt_out.as_ref())?;
        if self.suppressed != Some(Suppressed::Drop) {
            // Cautious: a row that shows nothing never makes a class look larger than it is.
            let numbers = self.intervals == Intervals::Midpoint;
            let starred = self.suppressed == Some(Suppressed::Star);
            released.hidden = ask_verifier::blank_rows(source, &released, numbers, starred)?;
        }
        Ok(released)
    }

    /// The same; refuses a table without rows of which nobody says that it is meant to be so, neither its certificate nor its
    /// original.
    pub(super) fn read_somebody(
        &self,
        source: &dyn TableSource,
        qi: &[String],
        sensitive: &[String],
        has_original: bool,
    ) -> Result<Released> {
        let released = self.read_release(source, qi, sensitive)?;
        if released.rows > 0 || has_original || self.claimed.is_some() {
            return Ok(released);
        }
        Err(Error::input("the table has a header but no rows").in_file(source.name()).help(
            "check that the export which made it has finished; a release of nobody is known by its certificate or its original",
        ))
    }

    /// A way out where nothing fits the original and no number is an interval: the release may show middles.
    fn perhaps_middles(
        &self,
        findings: &Findings,
        released: &Released,
        reference: Option<&Reference<'_>>,
    ) -> Option<Said> {
        let numbers = reference?.table.qi.iter().zip(&released.qi);
        let mut numbers =
            numbers.filter(|(q, _)| matches!(q.attribute.domain, Domain::Interval(_))).peekable();
        let unfit = self.intervals == Intervals::Text && findings.illegal_cells.is_some_and(|n| n > 0);
        let shows = |column: &Column| column.texts.iter().any(|text| is_interval(text));
        let single = |columns: &[Column]| columns.len() == 1 && !columns.iter().any(shows);
        let all = unfit && numbers.peek().is_some() && numbers.all(|(_, columns)| single(columns));
        all.then(|| "no number or date of the release is an interval: if they are middles of intervals, ‹intervals=midpoint› says so".into())
    }

    /// Columns of a role: those of a list, and those whose entry says so.
    fn named(&self, list: &[String], role: Role) -> Vec<String> {
        let entries = self.columns.iter().filter(|(_, e)| e.role == Some(role)).map(|(n, _)| n.clone());
        list.iter().cloned().chain(entries).collect()
    }

    pub(super) fn names_without_original(&self) -> Result<(Vec<String>, Vec<String>)> {
        let qi = self.named(&self.qi, Role::QuasiIdentifier);
        let sensitive = self.named(&self.sensitive, Role::Sensitive);
        if let Some(flag) =
            self.opt_out.as_ref().map(|opt_out| &opt_out.column).filter(|flag| qi.contains(flag))
        {
            return Err(Error::job(format!(
                "column '{flag}' is a quasi-identifier: it cannot say who does not mind"
            ))
            .option("opt-out")
            .help("name a column that is not generalized"));
        }
        let mut seen = std::collections::BTreeSet::new();
        match qi.iter().chain(&sensitive).find(|name| !seen.insert(name.as_str())) {
            None => Ok((qi, sensitive)),
            Some(twice) => Err(Error::job(format!("column '{twice}' is named twice"))
                .option("qi")
                .option("sensitive")
                .help("give every column one role, once")),
        }
    }
}

/// What to say where boundaries were asked for and could not be checked; where they were, none were violated unless somebody
/// counted.
fn unchecked_boundaries(seen: &Seen<'_>, summary: &mut Summary) -> Option<Said> {
    match seen.boundaries() {
        None => {
            summary.achieved.boundary_violations.get_or_insert(0);
            None
        }
        // Nobody could, so it is no shortfall of the release; it is listed as not checked.
        Some(_) if seen.has_hidden_boundaries() => None,
        Some(why) => {
            Some(format!("whether cells stay within the boundaries could not be checked: {why}").into())
        }
    }
}

/// Where a claim holds in one reading of the rows that show nothing.
const UNTOLD: &str = "which of the rows that show nothing are suppressed and which are in a class: the release does not tell, and what is claimed of its classes holds in one reading alone";

/// Shortfalls with what they rest on.
fn told(shortfalls: &[Said], because: &str) -> Vec<Said> {
    shortfalls.iter().map(|said| format!("{} ({because})", said.marked()).into()).collect()
}

/// What falls short in both readings of the rows that show nothing: as suppressed ones, and as people.
fn either(suppressed: Vec<Said>, people: &[Said]) -> Vec<Said> {
    match (suppressed.is_empty(), people.is_empty()) {
        (true, false) => {
            told(people, "if rows that show nothing are people; ‹suppressed=star› says they are suppressed")
        }
        // What falls short as suppressed ones and not as people.
        _ if people.iter().all(|said| suppressed.contains(said)) => {
            let (anyway, otherwise): (Vec<Said>, Vec<Said>) =
                suppressed.into_iter().partition(|said| people.contains(said));
            let because = "rows that show nothing were taken for suppressed ones; ‹suppressed=drop› says they are people";
            anyway.into_iter().chain(told(&otherwise, because)).collect()
        }
        _ => suppressed,
    }
}

/// Whether a column is there and shows anything.
fn shows(source: &dyn TableSource, name: &str) -> Result<bool> {
    let Some(at) = source.names().position(|n| n == name) else { return Ok(false) };
    let columns = encode(source, &[at])?;
    Ok(columns.iter().flat_map(|c| &c.texts).any(|text| !text.is_empty() && text != "*"))
}

/// Columns of the release that are neither quasi-identifiers nor sensitive.
pub(super) fn outside<'a>(
    source: &'a dyn TableSource,
    qi: &'a [String],
    sensitive: &'a [String],
) -> impl Iterator<Item = &'a str> {
    // Bounds stand for a quasi-identifier only where it is not there itself.
    let published = |q: &&String| !source.names().any(|n| n == *q);
    let bound = move |name: &str| qi.iter().filter(published).flat_map(|q| bound_names(q)).any(|b| b == name);
    let known = move |name: &str| qi.iter().chain(sensitive).any(|n| n == name) || bound(name);
    source.names().filter(move |n| !known(n))
}
