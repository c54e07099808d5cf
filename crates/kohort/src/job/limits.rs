//! How many rows may be suppressed, and what to say when the demands leave no release.

use super::CheckedJob;
use crate::data::Table;
use crate::error::{Error, Place, Result, counted};
use crate::model::{BoundDemands, Regions};
use crate::verify::Findings;

/// How many smaller k are tried for the way out.
const TRIES: usize = 24;

/// The number of rows a share of the table stands for; opted-out rows are nobody's to suppress. Fractions of a row are
/// not suppressed, and `0.29` of 100 rows is 29, however it is stored.
pub(super) fn rows(share: f64, table: &Table) -> usize {
    let all = (table.rows - table.verbatim_count()) as f64;
    (share * all + 1e-9).floor() as usize
}

/// How many rows may be suppressed.
pub(super) struct Limit {
    /// Rows that may go in addition to those that lack a value; `None` when no limit was given.
    pub(super) allowance: Option<usize>,
    /// Rows that go because they lack a value.
    pub(super) missing: usize,
    /// Rows that the share is a share of.
    pub(super) all: usize,
}

impl Limit {
    /// The limit of a job on a table, `missing` rows of which lack a value and go.
    pub(super) fn new(share: Option<f64>, table: &Table, missing: usize) -> Result<Self> {
        let all = table.rows - table.verbatim_count();
        let Some(most) = share.map(|share| rows(share, table)) else {
            return Ok(Self { allowance: None, missing, all });
        };
        if missing > most {
            // Boundaries may leave out more, and keep rows that lack a value apart from all others.
            let bounded = table.qi.iter().any(|q| q.attribute.boundary.is_some());
            let at_least = if bounded { "at least " } else { "" };
            let lack = if missing == 1 { "row lacks" } else { "rows lack" };
            return Err(Error::unsolvable(format!(
                "{missing} {lack} a quasi-identifier and would be suppressed, but only {most} may be"
            ))
            .option("suppress")
            .number("suppressed", missing as f64)
            .number("allowed", most as f64)
            .number("suppress_at_least", share_of(missing, all))
            .help(format!(
                "allow {at_least}‹suppress={}›, or count missing as a value (missing = \"value\")",
                percent(missing, all)
            )));
        }
        Ok(Self { allowance: Some(most - missing), missing, all })
    }

    /// Whether a cut leaves a release, with no more rows suppressed than allowed.
    pub(super) fn allows(&self, regions: &Regions) -> bool {
        !regions.parts.is_empty() && self.allowance.is_none_or(|most| regions.out.len() <= most)
    }
}

/// Refuses boundaries that leave nothing, or that need more rows suppressed than allowed.
pub(super) fn check(table: &Table, models: &BoundDemands, regions: &Regions, limit: &Limit) -> Result<()> {
    let gone = regions.out.len();
    if limit.allows(regions) {
        return Ok(());
    }
    let most = limit.allowance.filter(|_| !regions.parts.is_empty());
    if table.qi.iter().all(|q| q.attribute.boundary.is_none()) {
        return Err(skewed(table, models, regions, limit));
    }
    let found = if regions.minimal { "" } else { "no release was found: " };
    let what = format!(
        "{found}within the boundaries {gone} of {} rows {}: {} of {} groups {} not meet {}{}; the largest has {}{}",
        table.rows,
        if gone == 1 { "falls short" } else { "fall short" },
        regions.short.len(),
        regions.groups,
        if regions.short.len() == 1 { "does" } else { "do" },
        demands(models),
        uniform(models, regions),
        counted(regions.short.first().copied().unwrap_or(0), "row"),
        most.map(|n| format!(", and at most {n} may be suppressed")).unwrap_or_default(),
    );
    let e = Error::unsolvable(what).at(Place::from("boundaries").option("k").option("suppress"));
    let e = e.help(way_out(table, models, regions, limit));
    Err(with_numbers(e, table, regions, limit))
}

/// Without boundaries rows fall short only where the sensitive values of the whole table are too much alike.
fn skewed(table: &Table, models: &BoundDemands, regions: &Regions, limit: &Limit) -> Error {
    let (gone, all, most) = (regions.out.len(), table.rows, limit.allowance.unwrap_or(0));
    let found = if regions.minimal { "" } else { "no release was found: " };
    let demands = demands(models);
    let what = if gone == all {
        let hopeless = if regions.minimal {
            "however many rows are left out, the rest does not meet"
        } else {
            "leaving out rows of frequent sensitive values did not lead to one that meets"
        };
        format!("{found}{hopeless} {demands}")
    } else {
        let helps = if regions.minimal {
            format!("at least {gone} of {all} rows would have to be left out, but only {most} may be")
        } else {
            format!("leaving out {gone} of {all} rows helps, but only {most} may be left out")
        };
        format!("{found}the sensitive values of the table are {} for {demands}; {helps}", alike(models))
    };
    let help = if gone == all {
        "ask for less".to_owned()
    } else {
        format!("‹suppress={}› lets them go, or ask for less", percent(gone + limit.missing, limit.all))
    };
    with_numbers(Error::unsolvable(what).option("suppress").help(help), table, regions, limit)
}

/// How many rows fall short, how many may, and the share that would let them go where any are left then.
fn with_numbers(e: Error, table: &Table, regions: &Regions, limit: &Limit) -> Error {
    let gone = regions.out.len();
    let e = e.number("rows", table.rows as f64).number("suppressed", gone as f64);
    match limit.allowance {
        None => e,
        Some(most) if gone == table.rows => e.number("allowed", most as f64),
        Some(most) => e
            .number("allowed", most as f64)
            .number("suppress_at_least", share_of(gone + limit.missing, limit.all)),
    }
}

/// How many of the groups have enough rows, but too few values.
fn uniform(models: &BoundDemands, regions: &Regions) -> String {
    match regions.short.iter().filter(|&&size| size >= u64::from(models.k())).count() {
        0 => String::new(),
        1 => format!(" (one of them has enough rows, but its sensitive values are {})", alike(models)),
        n => format!(" ({n} of them have enough rows, but their sensitive values are {})", alike(models)),
    }
}

/// What is wrong with sensitive values that fall short.
fn alike(models: &BoundDemands) -> &'static str {
    match models.demands().compared_with_table().next() {
        None => "too much alike",
        Some(_) => "too much alike, or too unlike those of the whole table",
    }
}

fn demands(models: &BoundDemands) -> String {
    models.demands().iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}

/// What would help, each as small a step as possible: without one boundary, with a smaller k, with more suppression.
fn way_out(table: &Table, models: &BoundDemands, regions: &Regions, limit: &Limit) -> String {
    let enough = |p: &Regions| limit.allows(p);
    let bounded = (0..table.qi.len()).filter(|&i| table.qi[i].attribute.boundary.is_some());
    let without = bounded.map(|i| (i, Regions::ignoring(table, models, Some(i))));
    let without = without.filter(|(_, p)| enough(p)).min_by_key(|(_, p)| p.out.len());
    let mut sizes: Vec<u64> = regions.short.iter().copied().filter(|&s| s >= 2).collect();
    sizes.dedup();
    let ks = sizes.into_iter().filter(|&s| s < u64::from(models.k())).take(TRIES);
    let lower = ks.map(|k| models.with_k(k as u32));
    let lower = lower.map(|m| (Regions::new(table, &m), m)).find(|(p, _)| enough(p));
    let mut ways = Vec::new();
    if let Some((i, p)) = without {
        let name = &table.qi[i].attribute.name;
        ways.push(format!("without the boundary on '{name}' {}", fall_short(&p)));
    }
    if let Some((regions, lower)) = lower {
        let less = lower.demands().iter().zip(models.demands().iter()).filter(|(now, before)| now != before);
        let less: Vec<String> = less.map(|(now, _)| now.to_string()).collect();
        ways.push(format!("with {}, {}", less.join(" and "), fall_short(&regions)));
    }
    if limit.allowance.is_some() && !regions.parts.is_empty() {
        ways.push(format!(
            "‹suppress={}› lets them go",
            percent(regions.out.len() + limit.missing, limit.all)
        ));
    }
    if ways.is_empty() {
        let lower = if models.need_sensitive() { "k or ask for less diversity" } else { "k" };
        return format!("widen several boundaries at once, or lower {lower} as well");
    }
    ways.join("; ")
}

fn fall_short(regions: &Regions) -> String {
    let verb = if regions.out.len() == 1 { "falls" } else { "fall" };
    format!("{} {verb} short", counted(regions.out.len() as u64, "row"))
}

/// The smallest percentage with one decimal that covers so many rows.
pub(super) fn percent(part: usize, all: usize) -> String {
    format!("{}%", per_mille(part, all) / 10.0)
}

/// The same as a share.
pub(super) fn share_of(part: usize, all: usize) -> f64 {
    per_mille(part, all) / 1000.0
}

fn per_mille(part: usize, all: usize) -> f64 {
    (1000.0 * part as f64 / all.max(1) as f64 - 1e-9).ceil()
}

impl CheckedJob {
    /// No release suppresses more than was allowed.
    pub(super) fn check_limit(&self, table: &Table, findings: &Findings) -> Result<()> {
        match self.suppress.map(|share| rows(share, table) as u64) {
            Some(most) if findings.suppressed > most => Err(Error::internal(format!(
                "verification failed: {} rows are suppressed, {most} were allowed",
                findings.suppressed
            ))),
            _ => Ok(()),
        }
    }
}
