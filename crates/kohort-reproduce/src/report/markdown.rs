//! The report as a page.

use std::fmt::Write as _;

use super::{Cell, Paper, Part, Report, Table};

const READING: &str = "Beside each figure stands, in square brackets, what the paper prints, where it prints a number. Several samples or seeds are \
shown by their mean and, in round brackets, the least and the most. Seconds are those that a search on one thread was on a processor of this machine, and differ from run to run; everything else is \
the same wherever it is run with the same tables. ";

/// The page; figures are linked below the folder `figures`.
pub fn markdown(report: &Report, figures: &str) -> String {
    let mut text = String::from("# The five papers, run again\n\n");
    let quick = if report.quick { " --quick" } else { "" };
    let _ = writeln!(
        text,
        "Written by `kohort reproduce {}{quick}` on {} in {:.0} s{} ({}). {READING}Where the papers err: [errata.md](errata.md).\n",
        report.paper.as_deref().unwrap_or("all"),
        report.date,
        report.seconds,
        report.processor_seconds.map_or_else(String::new, |s| format!(", with {s:.0} s of processor time")),
        report.machine
    );
    for line in &report.tables {
        let _ = writeln!(text, "- {line}");
    }
    text += "\n## Verdicts\n\n";
    text += &verdicts(&report.papers);
    for paper in &report.papers {
        text += &of_paper(paper, figures);
    }
    if let Some(part) = &report.overall {
        let _ = writeln!(text, "## {}\n", part.title);
        text += &of_part(part, figures, false);
    }
    text.trim_end().to_owned() + "\n"
}

fn verdicts(papers: &[Paper]) -> String {
    let mut table = Table::new(["paper", "it says", "", "found"]);
    for paper in papers {
        for claim in &paper.claims {
            table.push([&paper.number, &claim.says, claim.verdict.words(), &claim.found].map(Cell::text));
        }
    }
    of_table(&table)
}

fn of_paper(paper: &Paper, figures: &str) -> String {
    let mut text = format!("## {}: {}\n\n", paper.number, paper.name);
    for line in &paper.settings {
        let _ = writeln!(text, "- {line}");
    }
    let _ = writeln!(text, "- {}", took(paper));
    text += "\n";
    for part in &paper.parts {
        text += &of_part(part, figures, true);
    }
    text
}

/// How long the paper took, on what state of the machine.
fn took(paper: &Paper) -> String {
    let others = |share: f64| format!("; other programs had {share:.0} % of the machine meanwhile");
    format!(
        "All of it, reading, writing and checking included, took {:.0} s{}.",
        paper.seconds,
        paper.others.map_or_else(String::new, others)
    )
}

fn of_part(part: &Part, figures: &str, titled: bool) -> String {
    let mut text = String::new();
    if titled {
        let _ = writeln!(text, "### {}\n", part.title);
    }
    if !part.note.is_empty() {
        let _ = writeln!(text, "{}\n", part.note);
    }
    text += &of_table(&part.table);
    for figure in &part.figures {
        let _ = writeln!(text, "![{}]({figures}/{}.svg)\n", figure.title, figure.id);
    }
    text
}

fn of_table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let escaped = |text: &str| text.replace('|', "\\|");
    let mut text = line(table.head.iter().map(|name| escaped(name)).collect());
    text += &("|---".repeat(table.head.len()) + "|\n");
    for row in &table.rows {
        text += &line(row.iter().map(|cell| escaped(&cell.shown())).collect());
    }
    text + "\n"
}
