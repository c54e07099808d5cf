//! From a table to a job: what every column is, what it should climb, how many should hide together, each with the reason.
//!
//! [`propose`] looks at a table and decides nothing for good: a steward reads the job and edits it. It prefers to be wrong on
//! the safe side. What names people is never kept; what nothing is known of is no quasi-identifier only where it looks like a
//! measurement, and that is said.
//!
//! Nothing in a proposal shows a value of a column that names people or is sensitive: only how values are written, and how
//! often. Hierarchies made from columns do hold values, of quasi-identifiers; they are private, as the job is.

use rayon::prelude::*;
use serde::Serialize;

use crate::data::recipes::HierarchySpec;
use crate::data::{DateFormat, Decimal, Hierarchy, Kind, Point, Role, Step};
use crate::error::{Error, Result};
use crate::input::{ColumnSpec, JobSpec, TableSource, check_source};

mod dates;
mod demands;
mod judge;
mod lexicon;
mod look;
mod notes;
mod patterns;
mod people;
mod persons;
mod relations;
mod render;
mod shape;
mod trees;

use judge::Judged;
pub use look::Facts;
use look::Looked;
use relations::Dependency;
pub use render::Header;
pub use shape::Shape;
use trees::{Climb, Tree};

/// A job for a table, with the reasons.
#[derive(Debug, Clone, Serialize)]
pub struct Proposal {
    /// How many rows were looked at.
    pub rows: u64,
    /// Whether the table has more.
    pub is_cut: bool,
    /// How many people they are of.
    pub people: u64,
    /// Why.
    pub people_because: String,
    /// Whether the job must say that every row is another person.
    pub rows_are_people: bool,
    /// The smallest crowd.
    pub k: u32,
    /// Why.
    pub k_because: String,
    /// The columns, in the order of the table.
    pub columns: Vec<ProposedColumn>,
    /// What a steward should look at first.
    pub notes: Vec<String>,
}

/// What is proposed for a column.
#[derive(Debug, Clone, Serialize)]
pub struct ProposedColumn {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// What it means; `unknown` where nothing told.
    pub meaning: String,
    /// Whether nothing was recognized.
    pub is_guess: bool,
    /// Why it has this role.
    pub because: Vec<String>,
    /// What its values are, as far as they are looked at.
    pub understood: String,
    /// Figures.
    pub facts: Facts,
    /// Columns that it determines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub determines: Vec<String>,
    /// How its values compare, where the job says it.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// What its values climb.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<HierarchySpec>,
    /// A tree that was made from columns, to be written to a file.
    #[serde(skip)]
    pub made: Option<Hierarchy>,
    /// Why.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hierarchy_because: String,
    /// A grid for the ends of intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snap: Option<f64>,
    /// How its dates are written, where its values leave it open and its role lets a job say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub date_format: Vec<DateFormat>,
    /// How its dates are taken to be written, where its values leave it open, whatever its role.
    #[serde(skip)]
    pub dates_taken_as: Vec<DateFormat>,
    /// What stands before its decimals, where its values leave it open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<Decimal>,
    /// Spellings of missing values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub na: Vec<String>,
    /// How many different values every class should have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<u32>,
    /// Why.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub p_because: String,
}

/// A table that was looked at. Roles may still be changed by somebody who knows better.
pub struct Examined {
    name: String,
    columns: Vec<Looked>,
    judged: Vec<Judged>,
    dependencies: Vec<Dependency>,
    rows: u64,
    is_cut: bool,
}

/// Looks at a table.
pub fn examine(source: &dyn TableSource) -> Result<Examined> {
    check_source(source)?;
    check_header(source)?;
    let (columns, rows, is_cut) = look::look(source)?;
    if rows < 2 {
        let has = if rows == 1 { "1 row" } else { "no rows" };
        return Err(Error::input(format!("the table has {has}: nobody can hide in it"))
            .in_file(source.name())
            .help("give a table of at least two people"));
    }
    let facts = judge::all_facts();
    let mut judged: Vec<Judged> = columns.par_iter().map(|column| judge::judge(column, &facts)).collect();
    let dependencies = relations::dependencies(&columns);
    follow(&columns, &mut judged, &dependencies);
    somebody_is_known(&mut judged);
    people::promote(&columns, &mut judged, rows);
    Ok(Examined { name: source.name().to_owned(), columns, judged, dependencies, rows, is_cut })
}

/// Refuses a table whose first line is somebody's record: it would be taken for names of columns, and shown.
fn check_header(source: &dyn TableSource) -> Result<()> {
    let quantity =
        |name: &&str| [Kind::Decimal, Kind::Date].iter().any(|&kind| Point::parse(kind, name).is_some());
    let (all, values) = (source.names().count(), source.names().filter(quantity).count());
    if !source.starts_with_data() || values * 3 < all {
        return Ok(());
    }
    Err(Error::input("the first line does not look like a header: it has numbers or dates")
        .in_file(source.name())
        .line(1)
        .help("put a line with the names of the columns before the first row"))
}

/// Looks at a table and proposes a job for it.
///
/// `may_make` says whether hierarchies may be made that the job cannot name and that must be written to files.
pub fn propose(source: &dyn TableSource, may_make: bool) -> Result<Proposal> {
    examine(source)?.proposal(may_make)
}

impl Examined {
    /// The columns as they are proposed so far.
    pub fn columns(&self) -> Vec<ProposedColumn> {
        let none = Climb::default();
        (0..self.columns.len()).map(|at| self.proposed(at, &self.judged[at], &none, None)).collect()
    }

    /// Gives a column another role, as somebody says.
    pub fn set_role(&mut self, at: usize, role: Role) {
        let judged = &mut self.judged[at];
        if judged.role != role {
            judged.role = role;
            judged.is_guess = false;
            judged.above_all = role == Role::Sensitive;
            judged.reasons.push("its role was chosen by hand".into());
        }
    }

    /// Takes days or months to come first in dates that leave it open, as somebody says. Days and months that may change places
    /// are all at most 12, so that nothing but how they are read depends on it.
    pub fn set_order_of_dates(&mut self, at: usize, months_first: bool) {
        let formats = &mut self.columns[at].written.formats;
        if months_first {
            *formats = formats.iter().filter_map(DateFormat::with_months_first).collect();
        }
        let first = if months_first { "months" } else { "days" };
        let judged = &mut self.judged[at];
        judged.reasons.push(format!("that {first} come first was said by hand"));
        judged.is_guess = false;
    }

    /// The job. `may_make` says whether hierarchies may be made that must be written to files.
    pub fn proposal(&self, may_make: bool) -> Result<Proposal> {
        let mut judged = self.judged.clone();
        if !judged.iter().any(|j| j.role == Role::QuasiIdentifier) {
            return Err(self.nothing_to_generalize());
        }
        let whose = people::whose(&self.columns, &judged, self.rows);
        let (k, k_because) = demands::crowd(whose.people, whose.by_column);
        let climbs = self.climbs(&mut judged, may_make);
        let mut different = demands::different(&self.columns, &judged, k);
        let column = |at: usize| self.proposed(at, &judged[at], &climbs[at], different[at].take());
        let mut proposal = Proposal {
            rows: self.rows,
            is_cut: self.is_cut,
            people: whose.people,
            people_because: whose.because,
            rows_are_people: whose.rows_are_people,
            k,
            k_because,
            columns: (0..self.columns.len()).map(column).collect(),
            notes: Vec::new(),
        };
        proposal.notes = proposal.to_look_at();
        Ok(proposal)
    }

    fn nothing_to_generalize(&self) -> Error {
        let secret = self.judged.iter().any(|j| matches!(j.role, Role::Sensitive | Role::Keep));
        let (what, help) = if secret {
            (
                "no column seems to be one that others could know: there is nothing to generalize",
                "write a job yourself that names such columns with ‹qi›",
            )
        } else {
            (
                "every column names people, or is empty or the same in all rows: nothing would be left to release",
                "write a job yourself that names what others could know with ‹qi›, or give a table with something to release",
            )
        };
        Error::input(what).in_file(&self.name).help(help)
    }

    /// What quasi-identifiers climb; columns that others climb are contained in them and dropped.
    fn climbs(&self, judged: &mut [Judged], may_make: bool) -> Vec<Climb> {
        let mut order: Vec<usize> =
            (0..judged.len()).filter(|&at| judged[at].role == Role::QuasiIdentifier).collect();
        // The finest first: the tree of a commune has its county, and the county needs none.
        order.sort_by_key(|&at| std::cmp::Reverse(self.columns[at].distinct));
        let mut climbs = vec![Climb::default(); judged.len()];
        for at in order {
            if judged[at].role != Role::QuasiIdentifier {
                continue;
            }
            climbs[at] = trees::climb(at, &self.columns, judged, &self.dependencies, may_make);
            judged[at].is_guess |= trees::are_numbers_of_names(&self.columns[at], &judged[at]);
            let name = self.columns[at].name();
            for &on in &climbs[at].above {
                judged[on].role = Role::Drop;
                let reason =
                    format!("it is a level of the hierarchy of '{name}', which shows it wherever it can");
                judged[on].reasons.push(reason);
            }
        }
        climbs
    }

    fn proposed(
        &self,
        at: usize,
        judged: &Judged,
        climb: &Climb,
        different: Option<(u32, String)>,
    ) -> ProposedColumn {
        let column = &self.columns[at];
        let (hierarchy, made) = match &climb.tree {
            Some(Tree::Recipe(spec)) => (Some(spec.clone()), None),
            Some(Tree::Made(tree)) => (None, Some(tree.clone())),
            None => (None, None),
        };
        let reads_missing = matches!(judged.role, Role::QuasiIdentifier | Role::Sensitive | Role::Person);
        // Of other columns a job says nothing about how they are written: nobody reads their values.
        let is_read = matches!(judged.role, Role::QuasiIdentifier | Role::Sensitive);
        let dates_taken_as = column.written.formats.clone();
        let (p, p_because) = different.map_or((None, String::new()), |(p, why)| (Some(p), why));
        let determined = self.dependencies.iter().filter(|d| d.of == at);
        ProposedColumn {
            name: column.name().to_owned(),
            role: judged.role,
            meaning: judged.meaning.to_owned(),
            is_guess: judged.is_guess,
            because: judged.reasons.clone(),
            understood: understood(column),
            facts: column.facts.clone(),
            determines: determined.map(|d| self.columns[d.on].name().to_owned()).collect(),
            kind: climb.kind,
            hierarchy,
            made,
            hierarchy_because: climb.because.clone(),
            snap: climb.snap,
            date_format: if is_read { dates_taken_as.clone() } else { Vec::new() },
            dates_taken_as,
            // Numbers that are names stay as they stand.
            decimal: column.written.decimal.filter(|_| is_read && climb.kind != Some(Kind::Category)),
            na: if reads_missing { column.na.clone() } else { Vec::new() },
            p,
            p_because,
        }
    }
}

/// What follows from what determines what: two names of one thing are one too many, and what a known column determines is known.
fn follow(columns: &[Looked], judged: &mut [Judged], dependencies: &[Dependency]) {
    for d in dependencies {
        let (of, on) = (&judged[d.of], &judged[d.on]);
        if of.role != Role::QuasiIdentifier || of.is_guess {
            continue;
        }
        let name = columns[d.of].name();
        let twin = d.both_ways
            && on.role == Role::QuasiIdentifier
            && columns[d.on].is_number()
            && !columns[d.of].is_number();
        let is_open =
            on.is_guess && matches!(on.role, Role::Sensitive | Role::Keep) && columns[d.on].distinct > 2;
        if twin {
            judged[d.on].role = Role::Drop;
            judged[d.on].reasons.push(format!("it says the same as '{name}' in numbers"));
        } else if is_open {
            judged[d.on].role = Role::QuasiIdentifier;
            judged[d.on].reasons.push(format!("'{name}' determines it: whoever knows that knows this"));
        }
    }
}

/// Where nothing is known, what is not recognized is taken for known: somebody must be able to hide in something.
fn somebody_is_known(judged: &mut [Judged]) {
    if judged.iter().any(|j| j.role == Role::QuasiIdentifier) {
        return;
    }
    for judged in judged.iter_mut().filter(|j| j.is_guess && j.role == Role::Sensitive) {
        judged.role = Role::QuasiIdentifier;
        judged.reasons.push("no column is one that others know for sure: so this may be".into());
    }
}

/// The type as it is understood, for readers.
fn understood(column: &Looked) -> String {
    let kind = match column.kind {
        Kind::Integer => "whole numbers",
        Kind::Decimal => "decimals",
        Kind::Date => "days",
        Kind::Timestamp => "times",
        Kind::Category => "texts",
    };
    let formats: Vec<String> = column.written.formats.iter().map(ToString::to_string).collect();
    if formats.is_empty() { kind.into() } else { format!("{kind} written {}", formats.join(" or ")) }
}

impl Proposal {
    /// The job, without what needs a file: those hierarchies are with their columns.
    pub fn spec(&self) -> JobSpec {
        let entry = |column: &ProposedColumn| ColumnSpec {
            role: Some(column.role),
            kind: column.kind,
            hierarchy: column.hierarchy.clone(),
            snap: column.snap.map(Step::Number),
            date_format: column.date_format.clone(),
            decimal: column.decimal,
            na: column.na.clone(),
            p: column.p,
            ..ColumnSpec::default()
        };
        JobSpec {
            k: Some(self.k),
            rows_are_people: self.rows_are_people.then_some(true),
            columns: self.columns.iter().map(|c| (c.name.clone(), entry(c))).collect(),
            column_order: self.columns.iter().map(|c| c.name.clone()).collect(),
            ..JobSpec::default()
        }
    }

    /// Days and times that climb the calendar, where the job could as well ask for smallest intervals.
    pub fn on_the_calendar(&self) -> Vec<usize> {
        let dated = |c: &ProposedColumn| matches!(c.kind, Some(Kind::Date | Kind::Timestamp));
        let climbs = |c: &ProposedColumn| dated(c) && c.hierarchy.is_some();
        (0..self.columns.len()).filter(|&at| climbs(&self.columns[at])).collect()
    }

    /// Makes smallest intervals of a column instead of what it climbs; says why.
    pub fn use_intervals(&mut self, at: usize, why: &str) {
        let column = &mut self.columns[at];
        let instead = column.hierarchy.take().map(|spec| render::hierarchy(&spec)).unwrap_or_default();
        let of = if column.kind == Some(Kind::Timestamp) { "times" } else { "days" };
        column.hierarchy_because =
            format!("smallest intervals of {of}: {why}; the calendar instead: hierarchy = {instead}");
    }

    /// Gives a column that is released as it is a role that gives less away, as a quick run found that it must have; whether
    /// that is another one.
    pub fn release_less(&mut self, name: &str, role: Role, why: &str) -> bool {
        let Some(column) = self.columns.iter_mut().find(|column| column.name == name) else { return false };
        if !matches!(column.role, Role::Keep | Role::Sensitive) || column.role == role {
            return false;
        }
        column.role = role;
        column.is_guess = true;
        column.because.push(format!("a quick run found that it {why}"));
        if role == Role::Drop {
            column.p = None;
            column.p_because = String::new();
            column.decimal = None;
            column.date_format.clear();
            column.na.clear();
        }
        true
    }

    /// Whether most of the values of a column are different, as far as all rows were looked at.
    pub fn is_nearly_unique(&self, name: &str) -> bool {
        let facts = self.columns.iter().find(|column| column.name == name).map(|column| &column.facts);
        facts.is_some_and(|facts| facts.distinct * 2 >= facts.present)
    }

    /// Says anew what a steward should look at first, after something was changed.
    pub fn look_again(&mut self) {
        self.notes = self.to_look_at();
    }

    /// Takes the demands on sensitive columns back; says why.
    pub fn without_demands(&mut self, why: &str) {
        for column in self.columns.iter_mut().filter(|column| column.p.is_some()) {
            column.p = None;
            column.p_because = format!("no demand: {why}");
        }
    }
}

#[cfg(test)]
mod tests;
