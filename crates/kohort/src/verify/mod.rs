//! The witness: recomputes what a release achieves from its published texts, and from the original when given.
//!
//! It sees neither the algorithm nor its counters: it reads the published file back, forms classes from what stands there,
//! counts them, holds them against the models by definitions of its own (`definitions.rs`), finds out who lies in what
//! (`lies_in.rs`) and traces cells to the original, all by code that the search does not use. What it shares with it is what
//! a table means: the readers of tables and hierarchies (`input`, `data`), what was asked (`demand`), and what a measure
//! charges for a cell (`measure`). The tests compare those with plain code written for the purpose (`tests/common/plain`,
//! `tests/common/witness.rs`), and a test forbids this room to use `model` or `algorithm`.

mod assignment;
mod atoms;
mod boundaries;
mod classes;
mod counts;
mod definitions;
mod diversity;
mod exchange;
mod grouping;
mod lies_in;
mod loss;
mod notions;
mod people;
mod posterior;
mod prices;
mod published;
mod released_loss;
mod shuffled;
#[cfg(test)]
mod tests;
mod trace;
mod values;
mod verbatim;

use serde::Serialize;

pub use atoms::{Atoms, NO_ATOM, narrowed};
pub use definitions::entropy_reaches;
pub use diversity::Diversity;
pub use grouping::Grouping;
pub use loss::Loss;
pub use notions::Notions;
pub use people::PeopleFound;
pub use prices::{Bounded, Certified, Patience, PriceLayer, certified};
pub use published::Published;
pub use released_loss::{PublishedLabels, ReleasedLoss, is_interval, is_place, released_loss};
pub use values::Prints;

use crate::data::{People, Sensitive, Table};
use crate::demand::{Demands, Model, Notion};
use crate::error::{Error, Result, Said};
use crate::input::Column;
use classes::Classes;
use definitions::Whole;
use people::{ByPeople, by_people};
use values::Compared;

/// A release as read back: text columns and what they are for.
pub struct Released {
    /// Number of rows in the file.
    pub rows: usize,
    /// Per quasi-identifier, the column that publishes it, or two when it is published as bounds.
    pub qi: Vec<Vec<Column>>,
    /// The sensitive columns.
    pub sensitive: Vec<Column>,
    /// Which rows are suppressed rows: nothing but `*` and emptiness. Empty when none is.
    pub hidden: Vec<bool>,
    /// Which rows are published as they are, at their people's wish. Empty when none is.
    pub verbatim: Vec<bool>,
    /// Whose rows they are, where the file itself says it.
    pub people: Option<People>,
}

/// Which row of the original each released row comes from.
pub enum Alignment<'a> {
    /// Known, because we wrote it.
    Known(&'a [u32]),
    /// To be found out.
    Unknown,
}

/// The original a release is compared with.
pub struct Reference<'a> {
    /// The encoded original; quasi-identifiers in the order of [`Released::qi`].
    pub table: &'a Table,
    /// How rows correspond.
    pub alignment: Alignment<'a>,
    /// Weight exponent of the distortion.
    pub beta: f64,
    /// Whether published texts can be read as generalized values; midpoints cannot.
    pub readable: bool,
    /// What hiding among k means.
    pub notion: Notion,
    /// How many people every class must have, where that was asked.
    pub k: Option<u32>,
    /// The sensitive columns whose values are not in `table`, because there are too many.
    pub secrets: Option<&'a Prints>,
    /// The columns that are neither quasi-identifiers nor sensitive, as far as both tables have them.
    pub untouched: Option<&'a Prints>,
}

impl Reference<'_> {
    /// Whether a row may be in a class: it is not published as it is, nor known to be suppressed.
    fn is_open(&self, row: u32) -> bool {
        !self.table.is_verbatim(row as usize) && !self.table.is_lacking(row as usize)
    }

    fn order(&self) -> Option<&[u32]> {
        match self.alignment {
            Alignment::Known(order) => Some(order),
            Alignment::Unknown => None,
        }
    }
}

/// How the link between released and original rows was established.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceCheck {
    /// Every released cell covers the value of its own original row.
    RowByRow,
    /// An assignment of original rows to released rows exists that fits every cell.
    Matched,
    /// Too large to match, or published in a form that cannot be read back.
    NotChecked,
}

/// What a release achieves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// Rows of the original, or of the release when there is no original.
    pub rows: u64,
    /// Rows that are published in a class.
    pub released: u64,
    /// Rows that are starred or missing from the release.
    pub suppressed: u64,
    /// Rows published as they are; in no class and no figure about classes.
    pub opted_out: u64,
    /// Whether the table has no rows: whatever is asked of everybody is met.
    #[serde(skip)]
    pub is_empty: bool,
    /// Number of classes.
    pub classes: u64,
    /// How many rows the smallest class has or, where people are counted, how many people the class of fewest has; 0 when
    /// nothing is released.
    pub k: u64,
    /// Whose rows there are, where people are counted.
    pub people: Option<PeopleFound>,
    /// Whether people were to be counted, and nobody could tell whose rows these are.
    #[serde(skip)]
    pub people_unknown: bool,
    /// Size of the largest class.
    pub largest_class: u64,
    /// How diverse the sensitive values of the worst class are.
    pub diversity: Diversity,
    /// Cells that cover no value they could stand for; `None` where that was not checked.
    pub illegal_cells: Option<u64>,
    /// Per quasi-identifier with texts that mean nothing: its name, how many cells, and one of the texts.
    pub unreadable: Vec<(String, u64, String)>,
    /// Cells generalized beyond what the original's boundaries allow; `None` where that was not checked.
    pub boundary_violations: Option<u64>,
    /// Sensitive values that are not the original's; `None` where that was not checked.
    pub foreign_values: Option<u64>,
    /// Rows whose untouched columns are not the original's; `None` where that was not checked.
    pub changed_rows: Option<u64>,
    /// What is achieved beyond classes; `None` where that was not worked out.
    pub notions: Option<Notions>,
    /// How that was checked; `None` without an original.
    pub source: Option<SourceCheck>,
    /// Lost detail; `None` without an original, or when the texts cannot be read as generalized values.
    pub loss: Option<Loss>,
}

/// Recomputes everything. `k` is the class size AVG is normalized by, when one was asked for. `whole` is the table whose
/// sensitive values classes are compared with: the original or, where there is none, the release.
pub fn verify(
    released: &Released,
    reference: Option<&Reference<'_>>,
    k: Option<u32>,
    demands: &Demands,
    whole: &Table,
) -> Result<Findings> {
    verify_grouped(released, &Grouping::of(released), reference, k, demands, whole)
}

/// The same for a release that is grouped already. `grouping` must be that of `released`.
pub fn verify_grouped(
    released: &Released,
    grouping: &Grouping,
    reference: Option<&Reference<'_>>,
    k: Option<u32>,
    demands: &Demands,
    whole: &Table,
) -> Result<Findings> {
    let qi: Vec<&Column> = released.qi.iter().flatten().collect();
    let recoded = diversity::recoded(released, &whole.sensitive);
    let known: Vec<bool> = recoded.iter().map(|r| r.is_known).collect();
    let asked = |s: &Sensitive| demands.ground(&s.name);
    let compared =
        whole.sensitive.iter().map(|s| Whole::new(whole, s, asked(s))).collect::<Result<Vec<_>>>()?;
    let sensitive: Vec<&Column> = recoded.iter().map(|r| &r.column).collect();
    let missing = recoded.iter().map(|r| r.missing.clone()).collect();
    let mut classes = Classes::new(grouping, &qi, &sensitive, missing);
    let shown: u64 = classes.found.iter().map(|class| class.rows).sum();
    let rows = reference.map_or(released.rows as u64, |r| r.table.rows as u64);
    let opted_out = classes.of_row.iter().filter(|&&c| c == grouping::AS_IT_IS).count() as u64;
    if rows < shown + opted_out {
        return Err(Error::violation(format!(
            "the release shows {} rows, the original only has {rows}",
            shown + opted_out
        ))
        .help("is this the original the release was made from?"));
    }
    let what = match reference {
        Some(_) => "the original",
        None => {
            "the whole of this table (suppressed rows are unknown; ‹original› compares with the original)"
        }
    };
    let counts_people = released.people.is_some() || reference.is_some_and(|r| r.table.people.is_some());
    let columns = reference.map(|reference| trace::read(released, reference, &classes));
    let traced = match (reference, &columns) {
        (Some(reference), Some(columns)) => {
            let worthwhile = counts_people || notions::is_wanted(reference, classes.found.len());
            Some(trace::check(released, reference, &classes, columns, worthwhile)?)
        }
        _ => None,
    };
    let owners = traced.as_ref().and_then(|traced| traced.owners.as_ref());
    let by_people = by_people(released, grouping, reference, owners, &recoded).filter(|_| counts_people);
    let people = by_people.as_ref().map(|by_people| PeopleFound {
        in_table: reference.and_then(|r| Some(u64::from(r.table.people.as_ref()?.count))),
        released: by_people.released(),
        smallest_class_rows: classes.found.iter().map(|class| class.rows).min().unwrap_or(0),
        is_certain: by_people.is_certain,
    });
    let least_people = by_people.as_ref().map(ByPeople::least);
    if let Some(by_people) = by_people {
        classes.count_people(by_people);
    }
    let names: Vec<&str> = sensitive.iter().map(|s| s.name.as_str()).collect();
    let sizes = classes.found.iter().map(|class| class.rows);
    let suppressed = rows - shown - opted_out;
    let mut findings = Findings {
        rows,
        released: shown,
        suppressed,
        opted_out,
        is_empty: released.rows == 0,
        classes: classes.found.len() as u64,
        k: least_people.or(sizes.clone().min()).unwrap_or(0),
        people,
        people_unknown: counts_people && people.is_none(),
        largest_class: sizes.clone().max().unwrap_or(0),
        diversity: diversity::diversity(&classes, &names, &known, demands, &compared, what),
        illegal_cells: None,
        unreadable: Vec::new(),
        boundary_violations: None,
        foreign_values: None,
        changed_rows: None,
        notions: None,
        source: None,
        loss: None,
    };
    if let (Some(reference), Some(columns), Some(traced)) = (reference, columns, traced) {
        let rest = (suppressed, opted_out);
        let loss = || Loss::of(&columns, rest, reference.beta).with_classes(sizes, suppressed, k);
        findings.loss = reference.readable.then(loss);
        findings.source = Some(traced.check);
        // Rows published as they are can be compared in any case.
        let misfits = verbatim::misfits(released, reference, &classes);
        let checked = traced.check != SourceCheck::NotChecked || misfits > 0;
        findings.illegal_cells = checked.then_some(traced.illegal + misfits);
        findings.boundary_violations = traced.violations;
        if notions::is_wanted(reference, classes.found.len()) {
            let owners = traced.owners.as_ref();
            findings.notions = notions::notions(released, reference, &classes, &columns, owners);
        }
        if reference.readable {
            findings.unreadable = trace::unreadable(released, &classes, &columns);
        }
        let foreign = |compared: Compared<'_>| compared.foreign(classes.of_row, reference.order());
        findings.foreign_values =
            Compared::sensitive(released, reference).into_iter().map(foreign).reduce(|a, b| a + b);
        findings.changed_rows = reference.untouched.map(|prints| foreign(Compared::prints(prints)));
    }
    Ok(findings)
}

/// What falls short of anything that is demanded of classes.
const NO_CLASS: &str = "no row is released in a class";

impl Findings {
    /// What falls short of a notion other than k-anonymity.
    fn notion_shortfalls(&self, demands: &Demands, notion: Notion) -> Vec<String> {
        let k = demands.k();
        let Some(found) = &self.notions else {
            let why = match self.source {
                None => "that takes ‹original›",
                Some(_) => {
                    "its cells cannot be read as what they cover, or too many people fit too many rows"
                }
            };
            return vec![format!("the notion '{}' could not be checked: {why}", notion.name())];
        };
        let open = if found.at_least {
            " (the release does not tell which rows are suppressed: more is not certain; ‹missing=suppress›, or ‹keep-order› with ‹suppressed=star›, tells more)"
        } else {
            ""
        };
        let rows =
            |n: u64, what: &str| format!("{}, k = {k} was asked{open}", what.replace('#', &n.to_string()));
        let parts = [
            (Notion::OneK, Some(found.one_k), "a person fits only # published rows"),
            (Notion::K1, Some(found.k1), "a published row fits only # people"),
            (Notion::Global, found.global_1k, "only # published rows could be some person's"),
        ];
        let mut out = Vec::new();
        for (part, achieved, what) in parts.into_iter().filter(|(part, ..)| notion.implies(*part)) {
            match achieved {
                Some(n) if n >= u64::from(k) => {}
                Some(n) => out.push(rows(n, what)),
                None => out.push(format!("the notion '{}' could not be checked", part.name())),
            }
        }
        for (column, &least) in found.global_p.iter().filter(|_| notion == Notion::Global) {
            if let Some(p) = demands.asked_p(column).filter(|&p| least < u64::from(p)) {
                out.push(format!("the published rows that could be some person's have only {least} different values of '{column}', p = {p} was asked{open}"));
            }
        }
        out
    }

    /// What falls short of k and the demands that count, in words; empty when all is met.
    pub fn shortfalls(
        &self,
        demands: &Demands,
        notion: Notion,
        counts: impl Fn(&Model) -> bool,
    ) -> Vec<Said> {
        let mut out: Vec<String> = Vec::new();
        if self.released == 0 && !self.is_empty && !demands.is_empty() {
            out.push(NO_CLASS.into());
        }
        if self.people_unknown && !self.is_empty {
            out.push("people could not be counted: it could not be found out whose rows these are".into());
        }
        if notion == Notion::K {
            out.extend(self.short_classes(demands, counts));
        } else if demands.k() > 1 && !self.is_empty {
            out.extend(self.notion_shortfalls(demands, notion));
        }
        if let Some(n) = self.illegal_cells.filter(|&n| n > 0) {
            out.push(match n {
                1 => "1 row or cell is not a generalization of any row it could come from".into(),
                n => format!("{n} rows or cells are not generalizations of any row they could come from"),
            });
        }
        if let Some(n) = self.boundary_violations.filter(|&n| n > 0) {
            let verb = if n == 1 { "cell is" } else { "cells are" };
            out.push(format!("{n} {verb} generalized beyond the boundaries"));
        }
        for (column, cells, text) in &self.unreadable {
            out.push(format!("column '{column}' has {cells} cells that mean nothing without its hierarchy, such as '{text}': ‹job› names the job that made the release, or ‹hierarchies› the folder"));
        }
        if let Some(n) = self.foreign_values.filter(|&n| n > 0) {
            let verb = if n == 1 { "value is" } else { "values are" };
            out.push(format!("{n} sensitive {verb} not the original's"));
        }
        if let Some(n) = self.changed_rows.filter(|&n| n > 0) {
            let verb = if n == 1 { "row is" } else { "rows are" };
            out.push(format!("{n} {verb} not the original's in the columns that are not generalized"));
        }
        out.into_iter().map(Said::from).collect()
    }

    /// Which demands some class falls short of, of k and the models that count.
    pub fn shortfalls_of_classes(&self, demands: &Demands, counts: impl Fn(&Model) -> bool) -> Vec<Said> {
        self.short_classes(demands, counts).into_iter().map(Said::from).collect()
    }

    fn short_classes(&self, demands: &Demands, counts: impl Fn(&Model) -> bool) -> Vec<String> {
        if self.released == 0 {
            return Vec::new();
        }
        let (has, k) = (self.k, demands.k());
        let rows = (has < u64::from(k)).then(|| match self.people {
            None => {
                format!(
                    "the smallest class has {has} row{}, k = {k} was asked",
                    if has == 1 { "" } else { "s" }
                )
            }
            Some(found) => format!(
                "a class has rows of only {}, k = {k} was asked{}",
                if has == 1 { "one person".to_owned() } else { format!("{has} people") },
                if found.is_certain { "" } else { " (as rows that look alike were assigned to people)" },
            ),
        });
        let short = self.diversity.short.iter().filter(|short| counts(&short.model));
        rows.into_iter().chain(short.map(|short| short.what.marked().to_owned())).collect()
    }

    /// Whether all demands hold, by the given notion, and every cell is legal. Who makes a release means somebody to be in it.
    pub fn meet(&self, demands: &Demands, notion: Notion) -> std::result::Result<(), Vec<Said>> {
        let mut shortfalls = self.shortfalls(demands, notion, |_| true);
        if self.is_empty && !demands.is_empty() {
            shortfalls.push(NO_CLASS.into());
        }
        if shortfalls.is_empty() { Ok(()) } else { Err(shortfalls) }
    }
}
