//! Demands that no table of these rows can meet are refused at once, with the reason.

use super::column_model::Unmet;
use super::{BoundDemands, Tally};
use crate::data::Table;
use crate::demand::Demand;
use crate::error::{Error, Result, counted};

/// Why a demand cannot be met: in which column, and what that has.
struct Reason<'a> {
    demand: &'a Demand,
    column: &'a str,
    unmet: Unmet,
}

impl Reason<'_> {
    fn what(&self) -> String {
        format!("{}, but sensitive column '{}' {}", self.demand.model, self.column, self.unmet.has)
    }

    /// Adds what was asked and what can be had.
    fn with_numbers(&self, e: Error) -> Error {
        let (name, asked) = self.demand.model.number();
        let e = e.number(name, asked);
        match self.unmet.reachable {
            None => e,
            Some(reachable) => e.number(format!("{name}_reachable"), reachable),
        }
    }
}

impl BoundDemands {
    /// Refuses demands that not even the whole table as a single class meets: all models here are closed under merging
    /// classes, so nothing else could (`algorithms.md` §8). Where rows may be suppressed, models that do not survive
    /// adding rows may still be met by what is left; and where people have several rows they are not closed, so that
    /// classes may meet what the whole does not.
    pub fn check_solvable(&self, table: &Table, may_suppress: bool) -> Result<()> {
        let (k, rows) = (self.k() as usize, table.rows);
        if rows < k {
            let way_out = if rows < 2 {
                "nobody can hide alone: at least two rows must be neither opted out nor suppressed".into()
            } else {
                format!("ask for k ≤ {rows}, or add rows")
            };
            return Err(Error::unsolvable(format!(
                "k = {k}, but the table has only {} to release",
                counted(rows as u64, "row")
            ))
            .option("k")
            .number("k", k as f64)
            .number("rows", rows as f64)
            .help(way_out));
        }
        let root = self.whole(table);
        self.check_people(&root, rows)?;
        let may_hold = may_suppress || self.people().is_some();
        let hopeless = |d: &Demand| !may_hold || d.model.entry().survives_adding_rows;
        self.refuse(table, &root, hopeless, "")
    }

    /// Why no release was found under demands of which it cannot be told beforehand whether there is one.
    pub fn check_whole(&self, table: &Table) -> Result<()> {
        self.refuse(
            table,
            &self.whole(table),
            |_| true,
            "no release was found, and the table as a whole is none: ",
        )
    }

    /// Nobody can hide among more people than there are.
    fn check_people(&self, root: &Tally, rows: usize) -> Result<()> {
        let Some(people) = self.people().map(|at| root.columns()[at].distinct()) else { return Ok(()) };
        if people >= self.k() as usize {
            return Ok(());
        }
        let way_out = match people {
            0 | 1 => {
                "nobody can hide alone: rows of at least two people must be neither opted out nor suppressed"
                    .into()
            }
            _ => format!("ask for k ≤ {people}, or add rows of other people"),
        };
        let rows = counted(rows as u64, "row");
        Err(Error::unsolvable(format!(
            "k = {}, but the {rows} to release are those of only {people} {}",
            self.k(),
            if people == 1 { "person" } else { "people" }
        ))
        .option("k")
        .number("k", f64::from(self.k()))
        .number("people", people as f64)
        .help(way_out))
    }

    /// Refuses those demands that the whole table does not meet.
    fn refuse(
        &self,
        table: &Table,
        root: &Tally,
        concerns: impl Fn(&Demand) -> bool,
        found: &str,
    ) -> Result<()> {
        let demands = self.demands().iter().enumerate().filter(|(_, d)| concerns(d));
        let failing: Vec<Reason<'_>> =
            demands.filter_map(|(place, demand)| self.reason(place, demand, root, table)).collect();
        let Some(first) = failing.first() else { return Ok(()) };
        let join =
            |part: &dyn Fn(&Reason<'_>) -> String| failing.iter().map(part).collect::<Vec<_>>().join("; ");
        let e = Error::unsolvable(format!("{found}{}", join(&|reason| reason.what())))
            .option(first.demand.option())
            .help(join(&|reason| reason.unmet.help.clone()));
        Err(failing.iter().rev().fold(e, |e, reason| reason.with_numbers(e)))
    }

    /// All rows as one class.
    fn whole(&self, table: &Table) -> Tally {
        let mut root = self.empty_class();
        let sensitive = || self.columns().iter().map(|c| &table.sensitive[c.at]);
        let mut counts: Vec<Vec<u32>> = sensitive().map(|s| vec![0; s.distinct as usize]).collect();
        for (counts, s) in counts.iter_mut().zip(sensitive()) {
            s.codes.iter().for_each(|code| counts[code as usize] += 1);
        }
        root.fill(table.rows as u64, counts);
        root
    }

    /// Why no class can satisfy the demand at this place: in the column that is farthest from it.
    fn reason<'a>(
        &self,
        place: usize,
        demand: &'a Demand,
        root: &Tally,
        table: &'a Table,
    ) -> Option<Reason<'a>> {
        let columns = self.columns().iter().zip(root.columns());
        let asked = columns.filter_map(|(column, counts)| Some((column.at, column.model_at(place)?, counts)));
        let (at, model, counts) = asked
            .max_by_key(|(_, model, counts)| model.lack(counts))
            .filter(|(_, model, counts)| !model.holds(counts))?;
        let column = &table.sensitive[at].name;
        Some(Reason { demand, column, unmet: model.reason(counts, column) })
    }
}
