//! Table I, variant by variant.

use kohort::Result;
use kohort::input::JobSpec;
use kohort::measure::Measure;

use super::published::{KS, Published, Row};
use super::{MEASURES, forest, published, sets};
use crate::lab::Lab;
use crate::report::{Cell, Figure, Part, Series, Table};
use crate::sets::Set;

/// One algorithm on one table: by sample, its losses at the four k.
pub(super) struct Line {
    pub(super) label: String,
    pub(super) samples: Vec<Row>,
}

/// One table and measure.
pub(super) struct Case {
    /// Such as `ADT LM`.
    pub(super) name: String,
    /// By distance, Algorithm 1 and 2.
    pub(super) agglomerative: [[Line; 2]; 4],
    pub(super) forest: Line,
    /// Trees of up to 3k − 3 rows are left whole.
    pub(super) whole_trees: Line,
    pub(super) nearest: Line,
    pub(super) expansion: Line,
    pub(super) published: Published,
}

impl Line {
    /// The mean at every k.
    pub(super) fn means(&self) -> Row {
        std::array::from_fn(|at| {
            self.samples.iter().map(|row| row[at]).sum::<f64>() / self.samples.len() as f64
        })
    }

    pub(super) fn sum(&self) -> f64 {
        self.means().iter().sum()
    }

    fn cells(&self, published: Option<&Row>) -> impl Iterator<Item = Cell> {
        (0..KS.len()).map(move |at| {
            let values: Vec<f64> = self.samples.iter().map(|row| row[at]).collect();
            let cell = Cell::spread(&values, 3);
            published.map_or(cell.clone(), |row| cell.beside(row[at]))
        })
    }
}

impl Case {
    pub(super) fn new(
        lab: &Lab<'_>,
        name: &str,
        sets: &[Set],
        measure: Measure,
        published: Published,
    ) -> Result<Self> {
        let line = |algorithm: &str, distance: Option<&str>| line(lab, sets, measure, algorithm, distance);
        let both = |distance| {
            Ok([line("agglomerative", Some(distance))?, line("agglomerative-modified", Some(distance))?])
        };
        let whole = |set: &Set| -> Result<Row> {
            let mut row = [0.0; 4];
            for (loss, k) in row.iter_mut().zip(KS) {
                *loss = forest::loss(set, measure, k)?;
            }
            Ok(row)
        };
        Ok(Self {
            name: format!("{name} {}", short(measure)),
            agglomerative: [both("1")?, both("2")?, both("3")?, both("4")?],
            forest: line("forest", None)?,
            whole_trees: Line {
                label: "forest, whole trees".into(),
                samples: sets.iter().map(whole).collect::<Result<_>>()?,
            },
            nearest: line("kk-nearest", None)?,
            expansion: line("kk-expansion", None)?,
            published,
        })
    }

    /// The agglomerative variant with the smallest sum.
    pub(super) fn best(&self) -> &Line {
        let all = self.agglomerative.as_flattened().iter();
        all.min_by(|a, b| a.sum().total_cmp(&b.sum())).unwrap_or(&self.agglomerative[0][0])
    }

    pub(super) fn better_kk(&self) -> &Line {
        if self.nearest.sum() < self.expansion.sum() { &self.nearest } else { &self.expansion }
    }
}

pub(super) fn short(measure: Measure) -> &'static str {
    if measure == Measure::Entropy { "EM" } else { "LM" }
}

pub(super) fn cases(lab: &Lab<'_>) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (name, sets) in sets(lab)? {
        for (measure, published) in MEASURES.into_iter().zip(published::of(name)) {
            (lab.tell)(&format!("000: Table I, {name} {}", short(measure)));
            cases.push(Case::new(lab, name, &sets, measure, published)?);
        }
    }
    Ok(cases)
}

/// Runs one algorithm at the four k on every sample.
fn line(
    lab: &Lab<'_>,
    sets: &[Set],
    measure: Measure,
    algorithm: &str,
    distance: Option<&str>,
) -> Result<Line> {
    let settings = distance.map(|d| [("distance", d), ("equal-rows", "literal")]);
    let loss = |set: &Set, k: u32| {
        let job = JobSpec {
            k: Some(k),
            notion: algorithm.starts_with("kk").then(|| "kk".into()),
            algorithm: Some(algorithm.into()),
            settings: settings.iter().flatten().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
            measure: Some(measure.name().into()),
            ..set.job()
        };
        let found = lab.run(job)?.loss;
        Ok(if measure == Measure::Entropy { found.entropy } else { found.lm })
    };
    let row = |set: &Set| -> Result<Row> {
        let mut row = [0.0; 4];
        for (place, k) in row.iter_mut().zip(KS) {
            *place = loss(set, k)?;
        }
        Ok(row)
    };
    Ok(Line {
        label: distance.map_or_else(|| algorithm.to_owned(), |d| format!("{algorithm} {d}")),
        samples: sets.iter().map(row).collect::<Result<_>>()?,
    })
}

pub(super) fn parts(cases: &[Case]) -> Vec<Part> {
    let figures = cases.iter().filter(|case| case.name.starts_with("ADT")).map(figure);
    let note = "The best of the eight agglomerative variants is the one with the smallest sum over the four k, as in the paper. Figures 2 and 3 are the ADT lines.";
    vec![
        Part::new("000-table-1", "Table I", note, table(cases)).with(figures),
        Part::new(
            "000-variants",
            "All agglomerative variants",
            "Sums over the four k, means of the samples; in the paper's text, not its tables. (The variant that loses least is the line *best* of Table I.)",
            variants(cases),
        ),
    ]
}

fn table(cases: &[Case]) -> Table {
    let mut table = Table::new(["", "k = 5", "10", "15", "20"]);
    for case in cases {
        let [best, forest, kk] = &case.published;
        let lines = [
            (format!("{}: best ({})", case.name, case.best().label), case.best(), Some(best)),
            ("forest, whole trees".into(), &case.whole_trees, Some(forest)),
            ("`forest`".into(), &case.forest, None),
            (format!("(k,k) ({})", case.better_kk().label), case.better_kk(), Some(kk)),
        ];
        for (name, line, published) in lines {
            table.push(std::iter::once(Cell::text(name)).chain(line.cells(published)));
        }
    }
    table
}

fn variants(cases: &[Case]) -> Table {
    let mut table = Table::new(["", "distance 1", "2", "3", "4", "modified 1", "2", "3", "4"]);
    for case in cases {
        let sums = |modified: usize| {
            case.agglomerative.iter().map(move |pair| Cell::number(pair[modified].sum(), 3))
        };
        table.push(std::iter::once(Cell::text(&case.name)).chain(sums(0)).chain(sums(1)));
    }
    table
}

fn figure(case: &Case) -> Figure {
    let points = |row: Row| KS.iter().map(|&k| f64::from(k)).zip(row).collect::<Vec<_>>();
    let [best, forest, kk] = case.published;
    let series = vec![
        Series::ours("best k-anonymous", points(case.best().means())),
        Series::theirs("published", points(best)),
        Series::ours("forest, whole trees", points(case.whole_trees.means())),
        Series::theirs("published", points(forest)),
        Series::ours("(k,k)", points(case.better_kk().means())),
        Series::theirs("published", points(kk)),
    ];
    let (id, title, y) = if case.name.ends_with("EM") {
        ("000-figure-2", "Figure 2: Adult, entropy measure", "bits per cell")
    } else {
        ("000-figure-3", "Figure 3: Adult, LM measure", "LM")
    };
    Figure::new(id, title, ("k", y), series)
}
