//! Demands that no table of these rows can meet are refused at once, with the reason.

use super::diversity::{entropy_l, largest_share, recursive_ratio};
use super::{Models, Tally, ValueCounts};
use crate::data::Table;
use crate::demand::Model;
use crate::error::{Error, Result};

impl Models {
    /// Refuses demands that not even the whole table as a single class meets: all models here are closed under merging
    /// classes, so nothing else could (`algorithms.md` §8). Where rows may be suppressed, models that do not survive
    /// adding rows may still be met by what is left.
    pub fn check_solvable(&self, table: &Table, may_suppress: bool) -> Result<()> {
        let (k, rows) = (self.k() as usize, table.rows);
        if rows < k {
            let way_out = if rows < 2 {
                "nobody can hide alone: at least two rows must be neither opted out nor suppressed".into()
            } else {
                format!("ask for k ≤ {rows}, or add rows")
            };
            return Err(Error::unsolvable(format!("k = {k}, but the table has only {rows} rows to release"))
                .at("-k")
                .help(way_out));
        }
        self.demands().check_columns(table.sensitive.len())?;
        let root = self.whole(table);
        let hopeless = |m: &&Model| !may_suppress || m.survives_adding_rows();
        let worst = |model: &Model| {
            let lacks = |column: &usize| self.lacks(model, *column, &root.columns()[*column]);
            let column = (0..root.columns().len()).max_by_key(lacks).filter(|column| lacks(column) > 0)?;
            Some(self.reason(model, column, &root.columns()[column], &table.sensitive[column].name))
        };
        let failing: Vec<(&Model, (String, String))> =
            self.iter().filter(hopeless).filter_map(|m| Some((m, worst(m)?))).collect();
        let Some((first, _)) = failing.first() else { return Ok(()) };
        let join = |part: &dyn Fn(&(String, String)) -> String| {
            failing.iter().map(|(_, reason)| part(reason)).collect::<Vec<_>>().join("; ")
        };
        Err(Error::unsolvable(join(&|r| r.0.clone())).at(first.flag()).help(join(&|r| r.1.clone())))
    }

    /// All rows as one class, as far as the models look at it.
    fn whole(&self, table: &Table) -> Tally {
        let columns = if self.need_sensitive() { &table.sensitive[..] } else { &[] };
        let mut root = Tally::new(columns.len());
        let mut counts: Vec<Vec<u32>> = columns.iter().map(|s| vec![0; s.distinct as usize]).collect();
        for (counts, s) in counts.iter_mut().zip(columns) {
            s.codes.iter().for_each(|code| counts[code as usize] += 1);
        }
        root.fill(table.rows as u64, counts);
        root
    }

    /// Why no class can satisfy a model in this column, and what would help.
    fn reason(&self, model: &Model, column: usize, counts: &ValueCounts, name: &str) -> (String, String) {
        let or = format!("or do not declare '{name}' as sensitive");
        let less = "or allow rows of its frequent values to be left out with --suppress (incognito leaves out whole classes only)";
        let (has, help) = match model {
            Model::EntropyL { .. } | Model::RecursiveL { .. } | Model::AlphaK { .. }
                if counts.distinct() < 2 =>
            {
                (
                    "has a single value".to_owned(),
                    format!("do not declare '{name}' as sensitive: it tells nothing"),
                )
            }
            Model::PSensitive { .. } => {
                let n = self.kinds(column, counts);
                if n == counts.distinct() {
                    (format!("has {}", values(n)), format!("ask for p ≤ {n}, {or}"))
                } else {
                    let has = format!(
                        "has values of only {n} kind{}, protected ones counted as one",
                        if n == 1 { "" } else { "s" }
                    );
                    (has, format!("ask for p ≤ {n}, or protect fewer values together"))
                }
            }
            Model::DistinctL { .. } => {
                let n = counts.distinct();
                (format!("has {}", values(n)), format!("ask for distinct:{n} or less, {or}"))
            }
            Model::EntropyL { .. } => {
                let l = (entropy_l(counts) * 100.0).floor() / 100.0;
                (
                    format!("as a whole is only entropy {l}-diverse"),
                    format!("ask for entropy:{l} or less, {less}"),
                )
            }
            Model::RecursiveL { l, .. } => {
                let ratio = recursive_ratio(counts, *l);
                if ratio.is_finite() {
                    let c = (ratio * 100.0).floor() / 100.0 + 0.01;
                    let has = format!("as a whole is only recursive ({c:.2},{l})-diverse");
                    (has, format!("ask for recursive:{c:.2},{l} or a larger c, {less}"))
                } else {
                    let n = counts.distinct();
                    (format!("has {}", values(n)), format!("ask for a smaller l than {l}, {or}"))
                }
            }
            Model::AlphaK { .. } => {
                let share = (largest_share(counts) * 1000.0).ceil() / 1000.0;
                (format!("has a value with a share of {share}"), format!("ask for alpha ≥ {share}, {less}"))
            }
            Model::TCloseness { .. } | Model::KAnonymity { .. } => {
                let t = (self.distance(column, counts) * 1000.0).ceil() / 1000.0;
                let has = format!("without the rows that are left out is {t} away from the whole table");
                (has, format!("ask for t ≥ {t}, or leave fewer rows out"))
            }
        };
        (format!("{model}, but sensitive column '{name}' {has}"), help)
    }
}

fn values(n: usize) -> String {
    if n == 1 { "a single value".into() } else { format!("only {n} different values") }
}
