//! What was proposed, and what it would cost, for a person.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, Table, presets};
use kohort::data::Kind;
use kohort::data::recipes::{HierarchySpec, Recipe};
use kohort::job::Trial;
use kohort::job::files::Proposed;
use kohort::propose::ProposedColumn;

use super::ask::clean;
use crate::speech::CommandLine;

/// Longer reasons are in the job file.
const REASON: usize = 60;

/// The end of `init`.
pub(super) fn proposed(proposed: &Proposed, output: &Path, written: &[PathBuf]) -> String {
    let proposal = &proposed.proposal;
    let mut text = format!("{}\n\n", columns(&proposal.columns, &proposed.trial));
    let _ = writeln!(text, "k = {}: {}.", proposal.k, proposal.k_because);
    let _ = writeln!(text, "Whose rows: {}", clean(&proposal.people_because));
    text += &tried(&proposed.trial);
    for note in &proposal.notes {
        let _ = writeln!(text, "note: {}.", clean(note));
    }
    if output == Path::new("-") {
        return text;
    }
    let _ = writeln!(text, "\nJob, private: {}", output.display());
    for place in written {
        let _ = writeln!(text, "Hierarchy made from the table, private: {}", place.display());
    }
    let _ = write!(
        text,
        "Read it, change what you know better, then:\n  kohort anonymize --job {} -o release.csv\n  kohort verify release.csv\n",
        output.display()
    );
    text
}

fn columns(all: &[ProposedColumn], trial: &Trial) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["column", "role", "because", "climbs", "loses"]);
    for column in all {
        let loss = trial.loss.as_ref().and_then(|loss| loss.per_column.get(&column.name));
        table.add_row([
            clean(&column.name),
            column.role.to_string(),
            format!("{}{}", if column.is_guess { "? " } else { "" }, short(column)),
            climbs(column),
            loss.map_or_else(String::new, |loss| format!("{:.0}%", loss * 100.0)),
        ]);
    }
    if let Some(last) = table.column_mut(4) {
        last.set_cell_alignment(CellAlignment::Right);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n").trim_end().to_owned()
}

fn short(column: &ProposedColumn) -> String {
    let last = column.because.last().map(|reason| clean(reason)).unwrap_or_default();
    if last.chars().count() <= REASON { last } else { last.chars().take(REASON - 1).chain(['…']).collect() }
}

fn climbs(column: &ProposedColumn) -> String {
    if column.made.is_some() {
        return "a tree of its own".into();
    }
    match &column.hierarchy {
        Some(HierarchySpec::Built(Recipe::Dates(levels))) => {
            levels.iter().map(|level| level.name()).collect::<Vec<_>>().join("/")
        }
        Some(HierarchySpec::Built(Recipe::Mask { .. })) => "a mask".into(),
        Some(HierarchySpec::Built(Recipe::Public(tree))) => format!("public: {}", tree.name()),
        Some(_) => "a tree".into(),
        None if column.hierarchy_because.is_empty() => String::new(),
        None if column.kind.is_some_and(Kind::is_line) => "intervals".into(),
        None => "kept or *".into(),
    }
}

/// What the quick run found.
fn tried(trial: &Trial) -> String {
    if let Some(problem) = &trial.problem {
        return format!("A quick run found no release: {}.\n", problem.spoken_by(&CommandLine));
    }
    let rows = if trial.rows < trial.of {
        format!("of {} of {} rows: all of them lose less", trial.rows, trial.of)
    } else {
        "of all rows".to_owned()
    };
    let suppressed =
        if trial.suppressed > 0 { format!(", {} rows left out", trial.suppressed) } else { String::new() };
    let loss = trial.loss.as_ref().map_or(0.0, |loss| loss.il * 100.0);
    format!(
        "A quick run ({rows}; without refinement, which loses less again) loses {loss:.0}% of the detail of quasi-identifiers{suppressed}.\n"
    )
}
