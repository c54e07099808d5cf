//! What several releases give away: all that is certain is found, and nothing that is not; what is built of whole groups
//! gives nothing away; single rows that join classes do at once.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../common/mod.rs"]
mod common;

mod brute_force;
mod series;
mod single_rows;

use std::collections::BTreeSet;

use kohort::input::Column;
use kohort::risk::{Labels, RiskFound, SeenRelease, Wanted, attack};
use kohort::verify::Released;

/// A row of a release as texts: quasi-identifiers, then one sensitive value.
pub(crate) type Row = (Vec<String>, String);

fn column(name: String, texts: &[&str]) -> Column {
    let mut different: Vec<&str> = texts.to_vec();
    different.sort_unstable();
    different.dedup();
    let code = |text: &&str| different.binary_search(text).unwrap() as u32;
    Column {
        name,
        texts: different.iter().map(|&text| text.to_owned()).collect(),
        counts: different.iter().map(|d| texts.iter().filter(|t| t == &d).count() as u32).collect(),
        codes: texts.iter().map(code).collect(),
        ..Column::default()
    }
}

pub(crate) fn seen(name: &str, rows: &[Row]) -> SeenRelease {
    let dims = rows.first().map_or(0, |row| row.0.len());
    let texts = |dim: usize| rows.iter().map(|row| row.0[dim].as_str()).collect::<Vec<_>>();
    let qi = (0..dims).map(|dim| vec![column(format!("q{dim}"), &texts(dim))]).collect();
    let secrets: Vec<&str> = rows.iter().map(|row| row.1.as_str()).collect();
    let released = Released {
        rows: rows.len(),
        qi,
        sensitive: vec![column("s".into(), &secrets)],
        hidden: Vec::new(),
        verbatim: Vec::new(),
        people: None,
    };
    SeenRelease { name: name.to_owned(), released, others: Vec::new() }
}

pub(crate) fn found(releases: &[Vec<Row>], wanted: &Wanted) -> RiskFound {
    let dims = releases[0][0].0.len();
    let labels = vec![Labels::Words { covering: BTreeSet::new(), guessed: false }; dims];
    let seen: Vec<SeenRelease> =
        releases.iter().enumerate().map(|(at, rows)| seen(&format!("release {}", at + 1), rows)).collect();
    attack(&seen, &labels, wanted)
}

pub(crate) fn asked(k: u32, p: u32) -> Wanted {
    Wanted { k: Some(k), p: vec![p], ..Wanted::default() }
}

/// An interval as it is published.
pub(crate) fn interval(lo: u32, hi: u32) -> String {
    if lo == hi { lo.to_string() } else { format!("[{lo}, {hi}]") }
}
