//! One row: what became of it, and why.

use super::Compared;
use super::strays::{Gauges, strays};
use crate::data::Role;
use crate::error::{Error, Result, Said, counted};
use crate::input::{Column, encode};
use crate::job::ask_verifier;
use crate::measure::{Gauge, Measure};
use crate::report::{RowColumn, RowExplained, RowOf, Standing};

/// Rows that are listed before the rest is counted.
const LISTED: usize = 10;

/// A row that was asked for, and which rows of the original it is or could be.
pub(super) struct Asked {
    pub(super) explained: RowExplained,
    /// Ascending, numbered from 0.
    pub(super) rows: Vec<u32>,
}

/// Columns that are in the release as they were, of both tables: by them rows of one are recognized in the other.
struct Untouched {
    of_original: Vec<Column>,
    of_release: Vec<Column>,
}

impl Untouched {
    /// Whether a row of the original shows what a row of the release shows. A value that the original does not have was written
    /// in another way, and tells nothing.
    fn agree(&self, original: u32, release: u32) -> bool {
        self.of_original.iter().zip(&self.of_release).all(|(here, there)| {
            let shown = &there.texts[there.codes.get(release as usize) as usize];
            let is = &here.texts[here.codes.get(original as usize) as usize];
            is == shown || !here.texts.contains(shown)
        })
    }
}

/// The number that a person counts, as a place in a table of so many rows.
fn place(row: u64, rows: usize, table: &str) -> Result<u32> {
    match u32::try_from(row).ok().filter(|&row| row >= 1 && row as usize <= rows) {
        Some(row) => Ok(row - 1),
        None => Err(Error::job(format!("there is no row {row}"))
            .in_file(table)
            .number("rows", rows as f64)
            .help(format!(
                "rows are counted from 1 below the header; the table has {}",
                counted(rows as u64, "row")
            ))),
    }
}

impl Compared<'_> {
    fn untouched(&self) -> Result<Untouched> {
        let secret = ask_verifier::names(self.original, &self.roles.of, Role::Sensitive);
        let kept = ask_verifier::names(self.original, &self.roles.of, Role::Keep);
        let there = |name: &String| self.release.names().any(|other| other == name);
        let names: Vec<String> = secret.into_iter().chain(kept).filter(there).collect();
        let read = |source: &dyn crate::input::TableSource| {
            let columns = names.iter().map(|name| source.column(name)).collect::<Result<Vec<_>>>()?;
            encode(source, &columns)
        };
        Ok(Untouched { of_original: read(self.original)?, of_release: read(self.release)? })
    }

    /// A row of the release.
    pub(super) fn row_of_release(&self, number: u64) -> Result<Asked> {
        let row = place(number, self.released.rows, self.release.name())?;
        let standing = match self.shown.group_of[row as usize] {
            Some(_) => Standing::InGroup,
            None if self.released.verbatim.get(row as usize) == Some(&true) => Standing::AsItIs,
            None => Standing::Suppressed,
        };
        let mut explained = blank(number, RowOf::Release, standing);
        let Some(group) = self.shown.group_of[row as usize].map(|group| group as usize) else {
            explained.because.push(match standing {
                Standing::AsItIs => "it is published as it is: ‹opt-out›".into(),
                _ => "it shows nothing: it was suppressed. Whose row it is, the release does not tell; ask for the row of the original".into(),
            });
            return Ok(Asked { explained, rows: Vec::new() });
        };
        let fitting = self.fitting(group)?;
        let untouched = self.untouched()?;
        let all = || fitting.iter().flat_map(|&kind| self.kinds.rows(kind));
        let mut rows: Vec<u32> = all().filter(|&original| untouched.agree(original, row)).collect();
        if rows.is_empty() {
            rows = all().collect();
        }
        rows.sort_unstable();
        explained.could_be_rows = rows.len() as u64;
        explained.could_be = rows.iter().take(LISTED).map(|&row| u64::from(row) + 1).collect();
        let known = if let [one] = rows[..] { Some(one) } else { None };
        self.in_group(&mut explained, group, &fitting, known);
        Ok(Asked { explained, rows })
    }

    /// A row of the original.
    pub(super) fn row_of_original(&self, number: u64) -> Result<Asked> {
        let row = place(number, self.table.rows, self.original.name())?;
        let asked = |explained| Ok(Asked { explained, rows: vec![row] });
        if self.table.is_verbatim(row as usize) {
            let mut explained = blank(number, RowOf::Original, Standing::AsItIs);
            explained.because.push("it is published as it is: ‹opt-out›".into());
            return asked(explained);
        }
        if self.table.is_lacking(row as usize) {
            let mut explained = blank(number, RowOf::Original, Standing::Suppressed);
            explained
                .because
                .push("it lacks a quasi-identifier, and such rows are suppressed: ‹missing=suppress›".into());
            return asked(explained);
        }
        let untouched = self.untouched()?;
        let shows_it = |group: &usize| {
            let mut members = self.shown.rows[*group].iter();
            self.shown.admits(*group, self.table, row as usize)
                && members.any(|&there| untouched.agree(row, there))
        };
        let groups: Vec<usize> = (0..self.shown.len()).filter(shows_it).collect();
        let loss = |group: usize| -> f64 {
            let columns = self.table.qi.iter().enumerate();
            columns
                .map(|(dim, q)| self.shown.cells[dim][group].loss(&Gauge::new(Measure::Lm, &q.attribute)))
                .sum()
        };
        let narrowest = groups.iter().map(|&group| (group, loss(group))).min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((group, _)) = narrowest else {
            let mut explained = blank(number, RowOf::Original, Standing::Suppressed);
            explained.columns = self.columns_of(row, None, &[]);
            explained.alike = Some(self.neighbours(row).alike);
            explained.because = self.why_suppressed(row);
            return asked(explained);
        };
        let mut explained = blank(number, RowOf::Original, Standing::InGroup);
        explained.could_be_in = Some(groups.len() as u64);
        let fitting = self.fitting(group)?;
        self.in_group(&mut explained, group, &fitting, Some(row));
        if groups.len() > 1 {
            explained.because.push(
                format!(
                    "{} groups fit it, and the release does not tell which is its own: this is the narrowest",
                    groups.len()
                )
                .into(),
            );
        }
        if self.suppressed > 0 {
            let gone = counted(self.suppressed, "row");
            explained
                .because
                .push(format!("{gone} of the table are not in the release; this can be one of them").into());
        }
        asked(explained)
    }

    /// What there is to say about a row of a group.
    fn in_group(&self, explained: &mut RowExplained, group: usize, fitting: &[u32], known: Option<u32>) {
        explained.group_rows = self.shown.rows[group].len() as u64;
        explained.columns = match known {
            Some(row) => self.columns_of(row, Some(group), fitting),
            None => self.columns_of_group(group, fitting),
        };
        explained.alike = known.map(|row| self.neighbours(row).alike);
        let k = self.job.demands.k();
        let (rows, fit) = (explained.group_rows, self.kinds.count(fitting));
        explained.because.push(
            format!(
                "its group has {}, k = {k} was asked; {fit} rows of the table fit what it shows",
                counted(rows, "row")
            )
            .into(),
        );
        let lost: f64 = explained.columns.iter().map(|column| column.lm).sum();
        let most = explained
            .columns
            .iter()
            .max_by(|a, b| a.lm.total_cmp(&b.lm))
            .filter(|c| 2.0 * c.lm >= lost && c.lm > 0.0);
        explained.because.extend(most.map(|column| {
            Said::from(format!("{:.0} % of what it lost is in '{}'", 100.0 * column.lm / lost, column.name))
        }));
        if let Some(alike) = explained.alike.filter(|&alike| alike < u64::from(k)) {
            explained.because.push(match alike {
                1 => "nobody else has its quasi-identifiers".into(),
                n => format!("{n} rows have its quasi-identifiers, itself included").into(),
            });
        }
    }

    fn columns_of_group(&self, group: usize, fitting: &[u32]) -> Vec<RowColumn> {
        let column = |(dim, q): (usize, &crate::data::QuasiIdentifier)| {
            let gauges = Gauges::new(&q.attribute);
            RowColumn {
                name: q.attribute.name.clone(),
                shows: Some(self.shown.texts[dim][group].clone()),
                lm: self.shown.cells[dim][group].loss(&gauges.loss),
                same_value: None,
                only_this_differs: None,
                strays: strays((&self.shown, group), (self.table, dim), (&self.kinds, fitting), &gauges),
            }
        };
        self.table.qi.iter().enumerate().map(column).collect()
    }

    /// The same for a row that is known, in a group or in none.
    fn columns_of(&self, row: u32, group: Option<usize>, fitting: &[u32]) -> Vec<RowColumn> {
        let suppressed = |q: &crate::data::QuasiIdentifier| RowColumn {
            name: q.attribute.name.clone(),
            shows: None,
            lm: Gauge::new(Measure::Lm, &q.attribute).full(),
            same_value: None,
            only_this_differs: None,
            strays: None,
        };
        let columns = match group {
            Some(group) => self.columns_of_group(group, fitting),
            None => self.table.qi.iter().map(suppressed).collect(),
        };
        let near = self.neighbours(row);
        let known = |(column, (same, only)): (RowColumn, (u64, u64))| RowColumn {
            same_value: Some(same),
            only_this_differs: Some(only),
            ..column
        };
        columns.into_iter().zip(near.same_value.into_iter().zip(near.only_this_differs)).map(known).collect()
    }

    /// How a row lies among the others.
    fn neighbours(&self, row: u32) -> Neighbours {
        let qi = &self.table.qi;
        let code = |dim: usize, row: u32| qi[dim].codes.get(row as usize);
        let mut found =
            Neighbours { alike: 0, same_value: vec![0; qi.len()], only_this_differs: vec![0; qi.len()] };
        for other in self.table.in_classes() {
            let (mut differ, mut last) = (0, 0);
            for dim in 0..qi.len() {
                if code(dim, other) == code(dim, row) {
                    found.same_value[dim] += 1;
                } else {
                    (differ, last) = (differ + 1, dim);
                }
            }
            match differ {
                0 => found.alike += 1,
                1 => found.only_this_differs[last] += 1,
                _ => {}
            }
        }
        found
    }

    /// Why a row is in no group.
    fn why_suppressed(&self, row: u32) -> Vec<Said> {
        let k = self.job.demands.k();
        let mut because: Vec<Said> =
            vec!["no group of the release fits it: it was suppressed".to_owned().into()];
        let ceilings: Vec<Option<Vec<u32>>> = self.table.qi.iter().map(|q| q.attribute.ceilings()).collect();
        let within = |other: &u32| {
            self.table.qi.iter().zip(&ceilings).all(|(q, ceilings)| {
                let code = |row: u32| q.codes.get(row as usize);
                let of = |row: u32| ceilings.as_ref().map(|c| c[code(row) as usize]);
                let attribute = &q.attribute;
                let both = attribute.join(attribute.leaf(code(*other)), attribute.leaf(code(row)));
                of(*other) == of(row) && attribute.within_width(both)
            })
        };
        if ceilings.iter().any(Option::is_some) {
            let others = self.table.in_classes().iter().filter(|&other| within(other)).count() as u64;
            because.push(if others < u64::from(k) {
                format!("within the boundaries only {} could be in a group with it, itself included; k = {k} was asked", counted(others, "row")).into()
            } else {
                format!("within the boundaries {} could be in a group with it, itself included", counted(others, "row")).into()
            });
        }
        if self.job.suppress.is_some() {
            because.push("‹suppress› lets rows go whose groups would cost more than that, or could not meet the demands".into());
        }
        because
    }
}

/// How many rows are like another one.
struct Neighbours {
    /// In all quasi-identifiers, itself included.
    alike: u64,
    /// In one, by column, itself included.
    same_value: Vec<u64>,
    /// In all but one.
    only_this_differs: Vec<u64>,
}

fn blank(row: u64, of: RowOf, standing: Standing) -> RowExplained {
    RowExplained {
        row,
        of,
        standing,
        could_be_in: None,
        could_be: Vec::new(),
        could_be_rows: 0,
        group_rows: 0,
        alike: None,
        columns: Vec::new(),
        because: Vec::new(),
    }
}
