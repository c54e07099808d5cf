//! What does this table achieve? Any tool's release, with or without the original.

use std::path::PathBuf;

use super::check;
use super::limits;
use super::original::{Carried, Original};
use super::roles::opt_out_column;
use super::unchecked::Seen;
use super::whole::whole;
use crate::data::{Intervals, Role, Suppressed, bound_names};
use crate::demand::{Demands, Notion};
use crate::error::{Error, Result};
use crate::input::{JobFile, Source, encode, parse_share};
use crate::report::Summary;
use crate::verify::{Alignment, Findings, Reference, Released, verify};

/// A table to be examined.
pub struct VerifyJob {
    /// The table.
    pub release: PathBuf,
    /// What it was made from, for utility and legality.
    pub original: Option<PathBuf>,
    /// Roles, hierarchies and demands.
    pub file: JobFile,
}

/// The result of an examination.
pub struct Verdict {
    /// The JSON object.
    pub summary: Summary,
    /// What falls short of the demands; empty when all is met.
    pub shortfalls: Vec<String>,
    /// Columns nobody said anything about.
    pub unmentioned: Vec<String>,
    /// Columns that are neither quasi-identifiers nor sensitive and were compared with the original.
    pub compared: Vec<String>,
}

impl VerifyJob {
    /// What is asked of every class.
    pub fn demands(&self) -> Result<Demands> {
        super::demands::asked(&self.file, false)
    }

    /// Examines the table.
    pub fn run(&self) -> Result<Verdict> {
        let stdin = std::path::Path::new("-");
        if self.release == stdin && self.original.as_deref() == Some(stdin) {
            return Err(Error::job("the release and the original cannot both come from standard input")
                .at("verify - --original -")
                .help("read one of them from a file"));
        }
        let notion = self.notion()?;
        let source = Source::open(&self.release)?;
        let original = self.original.as_ref().map(|path| Original::read(&self.file, path)).transpose()?;
        let (qi, sensitive) = match &original {
            Some(original) => (original.qi.clone(), original.sensitive.clone()),
            None => self.names_without_original()?,
        };
        if qi.is_empty() {
            return Err(Error::job("no quasi-identifier was named")
                .at("--qi")
                .help("name the columns an outsider could know"));
        }
        let mut released = self.read_release(&source, &qi, &sensitive)?;
        let carried = match &original {
            Some(original) => original.carried(&source, outside(&source, &qi, &sensitive))?,
            None => Carried::default(),
        };
        let reference = original.as_ref().map(|original| Reference {
            table: &original.table,
            alignment: Alignment::Unknown,
            beta: self.file.beta.unwrap_or(0.0),
            readable: check::readable(self.file.intervals.unwrap_or_default(), &original.table),
            notion,
            secrets: carried.secrets.as_ref(),
            untouched: carried.untouched.as_ref(),
        });
        let demands = self.demands()?;
        demands.check_columns(sensitive.len())?;
        let examine = |released: &Released| {
            let shown;
            let table = if let Some(original) = &original {
                &original.table
            } else {
                shown = whole(&self.file, &source, released)?;
                &shown
            };
            verify(released, reference.as_ref(), self.file.k, &demands, table)
        };
        let most = match (&self.file.suppress, &original) {
            (Some(share), Some(original)) => Some(limits::rows(parse_share(share)?, &original.table) as u64),
            _ => None,
        };
        let judge =
            |findings: &Findings| {
                let mut short = findings.shortfalls(self.file.k, self.file.p, notion);
                short.extend(most.filter(|&most| findings.suppressed > most).map(|most| {
                    format!("{} rows are suppressed, at most {most} may be", findings.suppressed)
                }));
                short
            };
        let mut findings = examine(&released)?;
        let mut shortfalls = judge(&findings);
        let unsaid = self.file.suppressed.is_none();
        if unsaid && check::is_ambiguous(&released) {
            released.hidden = Vec::new();
            shortfalls = either(shortfalls, judge(&examine(&released)?));
        } else if findings.released == 0
            && sensitive.is_empty()
            && outside(&source, &qi, &sensitive).next().is_none()
        {
            // Nothing but rows of `*`: suppressed rows or one class, there is no telling and no difference.
            released.hidden = Vec::new();
            let others = examine(&released)?;
            if judge(&others).is_empty() {
                (findings, shortfalls) = (others, Vec::new());
            }
        } else if unsaid && !shortfalls.is_empty() && released.hidden.contains(&true) {
            // A class that shows nothing looks like suppressed rows.
            released.hidden = Vec::new();
            if judge(&examine(&released)?).is_empty() {
                shortfalls = either(shortfalls, Vec::new());
            }
        }
        let identifiers = self.named(&self.file.identifier, Role::Identifier);
        for name in &identifiers {
            if shows(&source, name)? {
                shortfalls.push(format!("the identifier '{name}' is in the release"));
            }
        }
        let other = self.named(&[], Role::Other);
        let flag = opt_out_column(&self.file)?;
        let known = |name: &str| identifiers.iter().chain(&other).chain(&flag).any(|n| n == name);
        let unmentioned: Vec<String> =
            outside(&source, &qi, &sensitive).filter(|n| !known(n)).map(str::to_owned).collect();
        let mut summary = Summary::new(&findings, None, None).with_notion(notion);
        let seen = Seen { findings: &findings, has_original: original.is_some(), notion, file: &self.file };
        match seen.boundaries() {
            None => _ = summary.achieved.boundary_violations.get_or_insert(0),
            // Nobody could, so it is no shortfall of the release; it is listed as not checked.
            Some(_) if seen.has_hidden_boundaries() => {}
            Some(why) => shortfalls
                .push(format!("whether cells stay within the boundaries could not be checked: {why}")),
        }
        summary.not_checked = Some(seen.not_checked(&carried, &unmentioned));
        summary.met = Some(shortfalls.is_empty());
        Ok(Verdict { summary, shortfalls, unmentioned, compared: carried.columns })
    }

    /// Reads the release, and which of its rows are suppressed ones.
    fn read_release(&self, source: &Source, qi: &[String], sensitive: &[String]) -> Result<Released> {
        let mut released = check::read_release(source, qi, sensitive, self.file.opt_out.as_deref())?;
        if released.rows == 0 {
            return Err(Error::input("the table has a header but no rows")
                .at(source.shown())
                .help("check that the export which made it has finished"));
        }
        if self.file.suppressed != Some(Suppressed::Drop) {
            // Cautious: a row that shows nothing never makes a class look larger than it is.
            let numbers = self.file.intervals == Some(Intervals::Midpoint);
            let starred = self.file.suppressed == Some(Suppressed::Star);
            released.hidden = check::blank_rows(source, &released, numbers, starred)?;
        }
        Ok(released)
    }

    /// The notion to be checked; refuses what cannot be.
    fn notion(&self) -> Result<Notion> {
        let notion = self.file.notion.as_deref().map(Notion::parse).transpose()?.unwrap_or_default();
        super::notion_allows(notion, &self.file)?;
        if notion != Notion::K && self.file.k.is_none() {
            return Err(Error::job(format!("the notion '{}' needs a number", notion.name()))
                .at("--notion")
                .help("say among how many everyone must hide, such as -k 10"));
        }
        Ok(notion)
    }

    /// Columns of a role: those of a list, and those whose entry says so.
    fn named(&self, list: &[String], role: Role) -> Vec<String> {
        let entries = self.file.columns.iter().filter(|(_, e)| e.role == Some(role)).map(|(n, _)| n.clone());
        list.iter().cloned().chain(entries).collect()
    }

    fn names_without_original(&self) -> Result<(Vec<String>, Vec<String>)> {
        let qi = self.named(&self.file.qi, Role::QuasiIdentifier);
        let sensitive = self.named(&self.file.sensitive, Role::Sensitive);
        if let Some(flag) = opt_out_column(&self.file)?.filter(|flag| qi.contains(flag)) {
            return Err(Error::job(format!(
                "column '{flag}' is a quasi-identifier: it cannot say who does not mind"
            ))
            .at("--opt-out")
            .help("name a column that is not generalized"));
        }
        let mut seen = std::collections::BTreeSet::new();
        match qi.iter().chain(&sensitive).find(|name| !seen.insert(name.as_str())) {
            None => Ok((qi, sensitive)),
            Some(twice) => Err(Error::job(format!("column '{twice}' is named twice"))
                .at("--qi, --sensitive")
                .help("give every column one role, once")),
        }
    }
}

/// Shortfalls with what they rest on.
fn told(shortfalls: Vec<String>, because: &str) -> Vec<String> {
    shortfalls.into_iter().map(|text| format!("{text} ({because})")).collect()
}

/// What falls short in both readings of the rows that show nothing: as suppressed ones, and as people.
fn either(suppressed: Vec<String>, people: Vec<String>) -> Vec<String> {
    match (suppressed.is_empty(), people.is_empty()) {
        (true, false) => {
            told(people, "if rows that show nothing are people; --suppressed star says they are suppressed")
        }
        (false, true) => told(
            suppressed,
            "rows that show nothing were taken for suppressed ones; --suppressed drop says they are people",
        ),
        _ => suppressed,
    }
}

/// Whether a column is there and shows anything.
fn shows(source: &Source, name: &str) -> Result<bool> {
    let Some(at) = source.names().position(|n| n == name) else { return Ok(false) };
    let columns = encode(source, &[at], &|_| ())?;
    Ok(columns.iter().flat_map(|c| &c.texts).any(|text| !text.is_empty() && text != "*"))
}

/// Columns of the release that are neither quasi-identifiers nor sensitive.
fn outside<'a>(
    source: &'a Source,
    qi: &'a [String],
    sensitive: &'a [String],
) -> impl Iterator<Item = &'a str> {
    // Bounds stand for a quasi-identifier only where it is not there itself.
    let published = |q: &&String| !source.names().any(|n| n == *q);
    let bound = move |name: &str| qi.iter().filter(published).flat_map(|q| bound_names(q)).any(|b| b == name);
    let known = move |name: &str| qi.iter().chain(sensitive).any(|n| n == name) || bound(name);
    source.names().filter(move |n| !known(n))
}
