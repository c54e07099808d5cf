//! `kohort ledger show`: what the ledger knows, in numbers.

use std::fmt::Write;
use std::path::PathBuf;

use comfy_table::{CellAlignment, Table, presets};
use kohort::ledger::{LedgerSummary, look};
use kohort::{Error, Result};
use serde_json::{Value, json};

use super::{count, counted, told};
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::{say, tell};

/// So many sizes of atoms are listed before the rest is counted together.
const SIZES: usize = 12;

/// Arguments of `kohort ledger show`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The ledger
    ledger: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints what the ledger knows, and no value of the table.
pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let looked = look(&args.ledger)?;
    if let Some(settled) = looked.settled {
        tell(&format!("note: {}\n", told(settled)));
    }
    if looked.is_in_use {
        tell("note: another run works with this ledger; this is what was known before it\n");
    }
    let summary = looked.ledger.summary();
    say(&if args.json { as_json(&summary)? } else { shown(&args.ledger.display().to_string(), &summary) })?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(summary: &LedgerSummary) -> Result<String> {
    let wrong = |e: serde_json::Error| Error::internal(format!("the ledger cannot be shown as JSON: {e}"));
    let mut object = serde_json::to_value(summary).map_err(wrong)?;
    let spoken = summary.demands.iter().map(|demand| demand.spoken_by(&CommandLine));
    object["demands"] = spoken.map(Value::from).collect();
    let columns = summary.columns.iter().map(|(name, kind)| json!({"name": name, "type": kind}));
    object["columns"] = columns.collect();
    Ok(format!("{object:#}\n"))
}

fn shown(name: &str, summary: &LedgerSummary) -> String {
    let demands: Vec<String> = summary.demands.iter().map(|d| d.spoken_by(&CommandLine)).collect();
    let mut text = format!("{name}: {}", counted(summary.releases.len() as u64, "release"));
    text += if summary.published { "\n\n" } else { ", not published yet\n\n" };
    text += &releases(summary);
    text += "\n";
    let mut line = |what: &str, said: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, " {what:<22} {said}");
    };
    line("rows of the last one", rows(summary));
    line("rows that wait", count(summary.waiting_rows));
    line("rows withdrawn", withdrawn(summary));
    line("atoms", count(summary.atoms));
    for (size, atoms) in sizes(summary) {
        line("", format!("{atoms} of {size}"));
    }
    line("demands", demands.join(" "));
    line("quasi-identifiers", summary.qi.join(", "));
    for (what, columns) in [("sensitive", &summary.sensitive), ("person", &summary.person)] {
        if !columns.is_empty() {
            line(what, columns.join(", "));
        }
    }
    for (column, values) in &summary.frozen_values {
        line("measured against", format!("{} of {column} in the first release", counted(*values, "value")));
    }
    for (column, digest) in &summary.hierarchies {
        line("hierarchy", format!("{column}, SHA-256 {digest}"));
    }
    text
}

fn releases(summary: &LedgerSummary) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["release", "rows", "new atoms", "SHA-256", "place"]);
    for number in 0..3 {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for release in &summary.releases {
        table.add_row([
            release.number.to_string(),
            count(release.rows),
            count(release.new_atoms),
            // Enough to tell releases apart; the JSON object has all of it.
            format!("{}…", &release.sha256[..12]),
            release.place.display().to_string(),
        ]);
    }
    format!("{}\n", table.trim_fmt())
}

fn rows(summary: &LedgerSummary) -> String {
    let rows = count(summary.rows);
    match summary.opted_out_rows {
        0 => rows,
        n => format!("{rows}, {} of them of people who do not mind", count(n)),
    }
}

fn withdrawn(summary: &LedgerSummary) -> String {
    match (summary.withdrawn_rows, summary.withdrawn_atoms) {
        (0, _) => "0".to_owned(),
        (rows, atoms) => format!("{}, in {}", count(rows), counted(atoms, "atom")),
    }
}

/// Sizes and how many atoms have them; the largest ones together where there are many.
fn sizes(summary: &LedgerSummary) -> Vec<(String, String)> {
    let all = &summary.atom_sizes;
    let (first, rest) = all.split_at(if all.len() > SIZES + 1 { SIZES } else { all.len() });
    let line = |rows: String, atoms: u64| (rows, counted(atoms, "atom"));
    let mut lines: Vec<_> = first.iter().map(|s| line(counted(s.rows.into(), "row"), s.atoms)).collect();
    if let (Some(from), Some(to)) = (rest.first(), rest.last()) {
        let atoms = rest.iter().map(|size| size.atoms).sum();
        lines.push(line(format!("{} to {} rows", from.rows, to.rows), atoms));
    }
    lines
}
