//! Single rows join classes of a table that nobody has seen (Kabir et al. 2011, section 5; `algorithms.md` §9.3).
//!
//! The last release says all that the rules need to know: the rows of every class, what it covers, and what that costs. So old rows come
//! from there, as ever, and the original is not asked for. A class that takes a row covers it from then on, and all its rows are
//! published wider. The atoms stay those of before, with more rows.

use std::collections::BTreeMap;

use super::Earlier;
use super::fate::Fate;
use super::join::{Widened, classes, labels, publish_as};
use crate::algorithm::{InsertionRule, Observer, Run, join_classes};
use crate::data::{Cell, Kind, ROOT_LABEL, Table};
use crate::demand::Demands;
use crate::error::{Error, Result};
use crate::input::Column;
use crate::job::{CheckedJob, prepare};
use crate::recode::Release;
use crate::solution::{SUPPRESSED, VERBATIM};
use crate::space::Space;
use crate::verify::Released;

/// What became of rows that were to join classes.
pub(super) struct Inserted {
    /// The new rows, each in a class that is published as its old class is now.
    pub(super) release: Release,
    /// The class of the last release that each of these is.
    pub(super) number_of: Vec<u32>,
    pub(super) widened: Widened,
    /// Rows that their class covered before they came.
    pub(super) covered: u64,
}

/// Refuses what single rows must not or cannot do.
pub(super) fn check_rule(job: &CheckedJob, earlier: &Earlier<'_>) -> Result<()> {
    if earlier.rule.is_none() {
        return Ok(());
    }
    if earlier.ledger.published {
        return Err(InsertionRule::refused_once_published());
    }
    if !job.demands.survive_adding_rows() {
        return Err(refused("under these demands: one row more can break them in a class that meets them"));
    }
    if earlier.withdrawn.is_some() {
        return Err(refused("while others are taken out")
            .help("take these out first, by a call with ‹withdraw› and without ‹rule›"));
    }
    Ok(())
}

fn refused(why: &str) -> Error {
    Error::job(format!("rows cannot be added to classes one by one {why}")).option("rule").help(
        "omit ‹rule›; or anonymize all rows together and begin a new ledger with that release: nobody has seen this one",
    )
}

impl CheckedJob {
    /// The job with room for the ends of all intervals that the last release shows, so that each of them can be read back as it is.
    pub(super) fn with_room_for(&self, last: &Released, qi: &[String]) -> Self {
        let mut job = self.clone();
        let Some(series) = &mut job.series else { return job };
        for (columns, name) in last.qi.iter().zip(qi) {
            let kind = self.columns.get(name).and_then(|entry| entry.kind);
            if prepare::has_hierarchy(self, name) || kind.is_none_or(|kind| kind == Kind::Category) {
                continue;
            }
            let known = series.earlier.entry(name.clone()).or_default();
            let mut all: BTreeMap<String, u64> = known.drain(..).collect();
            for end in columns.iter().flat_map(ends) {
                all.entry(end).or_insert(1);
            }
            known.extend(all);
        }
        job
    }

    /// Lets new rows join classes of the last release, in the order in which they came. `class_of` says in which class every row of
    /// `last` is.
    pub(super) fn insert(
        &self,
        table: &Table,
        fates: &[Fate],
        rule: InsertionRule,
        (last, class_of): (&Released, &[Option<u32>]),
        watch: &dyn Observer,
    ) -> Result<Inserted> {
        if table.qi.iter().any(|q| q.attribute.boundary.is_some()) {
            return Err(refused("within boundaries: a class would grow beyond them"));
        }
        let mut found = Inserted {
            release: nobody(table, fates),
            number_of: Vec::new(),
            widened: Widened::default(),
            covered: 0,
        };
        let joins = |fate: &Fate| matches!(fate, Fate::New | Fate::Returning);
        let rows: Vec<u32> = (0..).zip(fates).filter(|(_, fate)| joins(fate)).map(|(row, _)| row).collect();
        if rows.is_empty() {
            return Ok(found);
        }
        let part = table.select(&rows);
        let k_alone = Demands::new(self.demands.k(), None)?.bind(&part)?;
        let space = Space::new(&part, self.search.measure.search_costs(&part), &k_alone);
        let old = classes(table, last, class_of);
        let open = old.iter().map(|class| (class.rows as u64, class.tuple.clone())).collect();
        let joined = join_classes(&space, open, rule, &Run::new(self.search.seed, watch))?;
        let mut number: BTreeMap<u32, u32> = BTreeMap::new();
        for (&row, &class) in rows.iter().zip(&joined.class_of) {
            let next = number.len() as u32;
            let here = *number.entry(class).or_insert(next);
            found.release.class_of[row as usize] = here;
            if here == next {
                let (was, now) = (&old[class as usize], &joined.tuples[class as usize]);
                found.open(now);
                found.number_of.push(was.number);
                if *now != was.tuple {
                    found.widened.widen(was.number, labels(self, table, now));
                }
            }
        }
        found.covered = joined.covered;
        Ok(found)
    }
}

impl Inserted {
    /// One class more.
    fn open(&mut self, tuple: &[Cell]) {
        self.release.tuples.iter_mut().for_each(|of_class| of_class.push(0));
        let class = self.number_of.len();
        publish_as(&mut self.release, class, tuple);
    }
}

/// No row in a class yet; people who do not mind are published as they are, which costs nothing.
fn nobody(table: &Table, fates: &[Fate]) -> Release {
    let class = |fate: &Fate| if *fate == Fate::Open { VERBATIM } else { SUPPRESSED };
    let dims = table.qi.len();
    Release {
        class_of: fates.iter().map(class).collect(),
        cells: vec![Vec::new(); dims],
        tuples: vec![Vec::new(); dims],
    }
}

/// The ends of the intervals that a column shows.
fn ends(column: &Column) -> Vec<String> {
    let inside = |text: &str| -> Vec<String> {
        let inside = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
        inside.split(", ").map(ToOwned::to_owned).collect()
    };
    let texts = column.texts.iter().filter(|text| !text.is_empty() && *text != ROOT_LABEL);
    texts.flat_map(|text| inside(text)).collect()
}
