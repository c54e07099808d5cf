//! Table I, variant by variant.

use kohort::input::JobSpec;
use kohort::measure::Measure;
use kohort::{Error, Result};

use super::published::{KS, Published, Row};
use super::{MEASURES, forest, published, sets};
use crate::lab::{Lab, each};
use crate::report::{Cell, Figure, Part, Series, Table};
use crate::sets::Set;

/// An algorithm of Table I.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Variant {
    name: &'static str,
    distance: Option<&'static str>,
}

/// The forest algorithm that leaves trees of up to 3k − 3 rows whole, which is code of this crate.
pub(super) const WHOLE_TREES: Variant = Variant { name: "forest, whole trees", distance: None };
const OTHERS: [Variant; 4] = [
    Variant { name: "forest", distance: None },
    WHOLE_TREES,
    Variant { name: "kk-nearest", distance: None },
    Variant { name: "kk-expansion", distance: None },
];

/// Distance by distance Algorithms 1 and 2, then the others.
fn variants() -> impl Iterator<Item = Variant> {
    let both = |distance| {
        ["agglomerative", "agglomerative-modified"].map(|name| Variant { name, distance: Some(distance) })
    };
    ["1", "2", "3", "4"].into_iter().flat_map(both).chain(OTHERS)
}

/// One algorithm on one table: by sample, its losses at the four k.
pub(super) struct Line {
    pub(super) variant: Variant,
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

impl Variant {
    pub(super) fn label(self) -> String {
        self.distance.map_or_else(|| self.name.to_owned(), |distance| format!("{} {distance}", self.name))
    }

    /// The losses of a table at the four k.
    pub(super) fn losses(self, lab: &Lab<'_>, set: &Set, measure: Measure) -> Result<Row> {
        let mut row = [0.0; 4];
        for (place, k) in row.iter_mut().zip(KS) {
            *place = self.loss(lab, set, measure, k)?;
        }
        Ok(row)
    }

    fn loss(self, lab: &Lab<'_>, set: &Set, measure: Measure, k: u32) -> Result<f64> {
        if self == WHOLE_TREES {
            return forest::loss(set, measure, k);
        }
        let settings = self.distance.map(|distance| [("distance", distance), ("equal-rows", "literal")]);
        let found = lab.run(JobSpec {
            k: Some(k),
            notion: self.name.starts_with("kk").then(|| "kk".into()),
            algorithm: Some(self.name.into()),
            settings: settings.iter().flatten().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
            measure: Some(measure.name().into()),
            ..set.job()
        })?;
        Ok(if measure == Measure::Entropy { found.loss.entropy } else { found.loss.lm })
    }
}

impl Case {
    fn new(lab: &Lab<'_>, name: &str, sets: &[Set], measure: Measure, published: Published) -> Result<Self> {
        let tasks: Vec<(Variant, &Set)> =
            variants().flat_map(|variant| sets.iter().map(move |set| (variant, set))).collect();
        let rows = each(&tasks, |(variant, set)| variant.losses(lab, set, measure))?;
        let mut lines = variants()
            .zip(rows.chunks(sets.len()))
            .map(|(variant, samples)| Line { variant, samples: samples.to_vec() });
        let mut line = || lines.next().ok_or_else(|| Error::internal("a variant was left out"));
        let mut both = || Ok::<_, Error>([line()?, line()?]);
        Ok(Self {
            name: format!("{name} {}", short(measure)),
            agglomerative: [both()?, both()?, both()?, both()?],
            forest: line()?,
            whole_trees: line()?,
            nearest: line()?,
            expansion: line()?,
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

pub(super) fn parts(cases: &[Case]) -> Vec<Part> {
    let figures = cases.iter().filter(|case| case.name.starts_with("ADT")).map(figure);
    let note = "The best of the eight agglomerative variants is the one with the smallest sum over the four k, as in the paper. Figures 2 and 3 are the ADT lines.";
    vec![
        Part::new("000-table-1", "Table I", note, table(cases)).with(figures),
        Part::new(
            "000-variants",
            "All agglomerative variants",
            "Sums over the four k, means of the samples; in the paper's text, not its tables. (The variant that loses least is the line *best* of Table I.)",
            sums(cases),
        ),
    ]
}

fn table(cases: &[Case]) -> Table {
    let mut table = Table::new(["", "k = 5", "10", "15", "20"]);
    for case in cases {
        let [best, forest, kk] = &case.published;
        let lines = [
            (format!("{}: best ({})", case.name, case.best().variant.label()), case.best(), Some(best)),
            ("forest, whole trees".into(), &case.whole_trees, Some(forest)),
            ("`forest`".into(), &case.forest, None),
            (format!("(k,k) ({})", case.better_kk().variant.label()), case.better_kk(), Some(kk)),
        ];
        for (name, line, published) in lines {
            table.push(std::iter::once(Cell::text(name)).chain(line.cells(published)));
        }
    }
    table
}

fn sums(cases: &[Case]) -> Table {
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
