//! What was found, as data: kept as JSON, from which the Markdown and the figures are written.

mod figure;
mod markdown;
mod table;
mod verdict;

pub use figure::{Figure, Series};
pub use markdown::markdown;
pub use table::{Cell, Table};
pub(crate) use table::{apart, ends, mean, thousands};
pub use verdict::{Claim, Verdict};

use serde::{Deserialize, Serialize};

/// All that was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What kind of result this is, for whoever reads many of them.
    pub benchmark: String,
    /// The one paper that was asked for; none where all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<String>,
    /// When.
    pub date: String,
    /// Whether fewer samples, seeds and settings were tried.
    pub quick: bool,
    /// Where the tables came from, and what was left out for want of one.
    pub tables: Vec<String>,
    /// The machine that the seconds belong to.
    pub machine: String,
    /// The seconds of everything.
    pub seconds: f64,
    /// Those of them that it was on a processor, all cores together, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<f64>,
    /// Paper by paper, in the order of their numbers.
    pub papers: Vec<Paper>,
    /// Kohort and the five papers; none where a single paper was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overall: Option<Part>,
}

/// The experiments of one paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Paper {
    /// Its number, such as 003.
    pub number: String,
    /// Its authors and year.
    pub name: String,
    /// What it measured, and how that was done here: rows, settings, seeds.
    pub settings: Vec<String>,
    /// What was measured.
    pub parts: Vec<Part>,
    /// What it says, and whether that is so.
    pub claims: Vec<Claim>,
    /// The seconds of all of it.
    pub seconds: f64,
    /// How much of the machine other programs took meanwhile, in percent of all cores, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<f64>,
}

/// One table, and the figure that shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// A short name for links and files.
    pub id: String,
    /// What is measured.
    pub title: String,
    /// What a reader must know to read it.
    pub note: String,
    /// The figures.
    pub table: Table,
    /// The same as pictures, as far as they help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
}

impl Report {
    /// All figures.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.papers.iter().flat_map(|paper| &paper.parts).chain(&self.overall).flat_map(|part| &part.figures)
    }

    /// The lines with which a run ends.
    pub fn verdicts(&self) -> String {
        let line = |paper: &Paper, claim: &Claim| format!("{} {}\n", paper.number, claim.line());
        let lines =
            self.papers.iter().flat_map(|paper| paper.claims.iter().map(move |claim| line(paper, claim)));
        lines.collect()
    }
}

impl Part {
    /// A table without a figure.
    pub fn new(id: &str, title: &str, note: &str, table: Table) -> Self {
        let (id, title, note) = (id.to_owned(), title.to_owned(), note.to_owned());
        Self { id, title, note, table, figures: Vec::new() }
    }

    /// The same with figures.
    #[must_use]
    pub fn with(self, figures: impl IntoIterator<Item = Figure>) -> Self {
        Self { figures: figures.into_iter().collect(), ..self }
    }
}
