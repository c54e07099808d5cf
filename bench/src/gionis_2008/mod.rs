//! Gionis et al. 2008, section VI: Table I, and the conclusions drawn from it.
//!
//! Three tables ([`sets`]), two measures, k = 5 to 20: eight agglomerative variants, the forest algorithm and both (k,k)
//! algorithms, each minimizing the measure it is reported in. The paper gives neither the length of ART nor the groupings
//! of the other two; which length fits is part of the result. [`forest`] is the forest algorithm as the paper seems to
//! have run it. [`large`] compares the same algorithms on 30,162 people.

mod forest;
mod large;
mod sets;

use std::path::Path;

use anyhow::{Context, Result};
use kohort::input::JobSpec;
use kohort::measure::Measure;
use serde_json::{Value, json};

use self::sets::Set;

const KS: [u32; 4] = [5, 10, 15, 20];
const MEASURES: [Measure; 2] = [Measure::Entropy, Measure::Lm];
const ART_ROWS: u64 = 5000;
/// The lengths of ART that are tried.
const LENGTHS: [u64; 6] = [1000, 2000, 4000, ART_ROWS, 6000, 10_000];

type Row = [f64; 4];

/// Table I for one data set and measure: best k-anonymization, forest, better (k,k).
type Published = [Row; 3];

/// By data set, entropy first.
const ART: [Published; 2] = [
    [[0.65, 0.98, 1.13, 1.22], [0.89, 1.25, 1.42, 1.51], [0.53, 0.83, 0.99, 1.08]],
    [[0.12, 0.19, 0.23, 0.25], [0.15, 0.24, 0.28, 0.31], [0.10, 0.16, 0.19, 0.22]],
];
const ADT: [Published; 2] = [
    [[0.66, 0.93, 1.08, 1.18], [1.02, 1.45, 1.63, 1.73], [0.50, 0.75, 0.90, 1.00]],
    [[0.14, 0.20, 0.24, 0.26], [0.22, 0.37, 0.46, 0.53], [0.09, 0.13, 0.16, 0.18]],
];
const CMC: [Published; 2] = [
    [[0.67, 0.95, 1.08, 1.20], [0.99, 1.31, 1.46, 1.53], [0.54, 0.80, 0.98, 1.10]],
    [[0.14, 0.21, 0.25, 0.28], [0.19, 0.31, 0.40, 0.44], [0.11, 0.17, 0.20, 0.23]],
];

pub(crate) fn run(adult: &Path) -> Result<Value> {
    let mut cases = cases(&Set::art(ART_ROWS)?, &ART)?;
    cases.extend(self::cases(&Set::adult(adult)?, &ADT)?);
    let cmc = adult.with_file_name("../cmc/cmc.csv");
    if cmc.is_file() {
        cases.extend(self::cases(&Set::cmc(&cmc)?, &CMC)?);
    } else {
        println!("CMC is left out: there is no {}", cmc.display());
    }
    let claims = claims(&cases);
    let lengths = lengths(&cases[..2])?;
    let large = large::run(adult)?;
    Ok(json!({
        "benchmark": "gionis-2008", "k": KS, "cases": cases.iter().map(Case::json).collect::<Vec<_>>(),
        "claims": claims, "art_lengths": lengths, "adult_30162": large,
    }))
}

/// One algorithm on one data set: its losses at the four k.
struct Line {
    label: String,
    losses: Row,
    seconds: f64,
}

impl Line {
    fn sum(&self) -> f64 {
        self.losses.iter().sum()
    }

    fn json(&self) -> Value {
        json!({ "algorithm": self.label, "losses": self.losses, "seconds": self.seconds })
    }
}

/// One data set and measure.
struct Case {
    name: String,
    /// By distance, plain and modified.
    agglomerative: [[Line; 2]; 4],
    /// Distance 4 with the constant divided by the number of attributes, as if costs were sums and not means; slow, and not
    /// for every length of ART.
    small_epsilon: Option<Line>,
    forest: Line,
    /// Trees of up to 3k − 3 rows are left whole.
    whole_trees: Line,
    nearest: Line,
    expansion: Line,
    published: Published,
}

/// Both measures on one data set.
fn both(set: &Set, published: &[Published; 2]) -> Result<Vec<Case>> {
    let measures = MEASURES.into_iter().zip(published);
    measures.map(|(measure, &published)| Case::new(set, measure, published)).collect()
}

/// The same, printed, with what a smaller ε gives.
fn cases(set: &Set, published: &[Published; 2]) -> Result<Vec<Case>> {
    let mut cases = both(set, published)?;
    let epsilon = format!("{:.4}", 0.1 / set.qi.len() as f64);
    for (case, measure) in cases.iter_mut().zip(MEASURES) {
        let settings = [("distance", "4"), ("epsilon", epsilon.as_str())];
        case.small_epsilon = Some(line(set, measure, "agglomerative", &settings)?);
        case.print();
    }
    Ok(cases)
}

impl Case {
    fn new(set: &Set, measure: Measure, published: Published) -> Result<Self> {
        let line = |algorithm: &str, settings: &[(&str, &str)]| line(set, measure, algorithm, settings);
        let variants = |distance: &str| {
            let settings = [("distance", distance)];
            Ok::<_, anyhow::Error>([
                line("agglomerative", &settings)?,
                line("agglomerative-modified", &settings)?,
            ])
        };
        let start = std::time::Instant::now();
        let losses = forest::losses(set, measure)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Self {
            name: format!("{}, {}", set.name, measure.name()),
            agglomerative: [variants("1")?, variants("2")?, variants("3")?, variants("4")?],
            small_epsilon: None,
            forest: line("forest", &[])?,
            whole_trees: Line { label: "forest, whole up to 3k-3 rows".into(), losses, seconds },
            nearest: line("kk-nearest", &[])?,
            expansion: line("kk-expansion", &[])?,
            published,
        })
    }

    /// The agglomerative variant with the smallest sum.
    fn best(&self) -> &Line {
        let all = self.agglomerative.as_flattened().iter();
        all.min_by(|a, b| a.sum().total_cmp(&b.sum())).unwrap_or(&self.agglomerative[0][0])
    }

    fn better_kk(&self) -> &Line {
        if self.nearest.sum() < self.expansion.sum() { &self.nearest } else { &self.expansion }
    }

    fn print(&self) {
        println!("\n| {} | k = 5 | 10 | 15 | 20 |\n|---|---|---|---|---|", self.name);
        let [k_anonymous, forest, kk] = &self.published;
        let lines = [
            ("best k-anon", self.best(), k_anonymous),
            ("", &self.forest, forest),
            ("", &self.whole_trees, forest),
            ("better (k,k)", self.better_kk(), kk),
        ];
        for (what, line, published) in lines {
            let cells =
                line.losses.iter().zip(published).map(|(own, theirs)| format!("{own:.3} ({theirs:.2})"));
            let what = if what.is_empty() { line.label.clone() } else { format!("{what}: {}", line.label) };
            println!("| {what} | {} |", cells.collect::<Vec<_>>().join(" | "));
        }
    }

    fn json(&self) -> Value {
        let others = [&self.forest, &self.whole_trees, &self.nearest, &self.expansion];
        let lines = self.agglomerative.as_flattened().iter().chain(&self.small_epsilon).chain(others);
        let [k_anonymous, forest, kk] = self.published;
        json!({
            "case": self.name, "best": self.best().label, "lines": lines.map(Line::json).collect::<Vec<_>>(),
            "published": { "best_k_anon": k_anonymous, "forest": forest, "better_kk": kk },
        })
    }

    /// Ours over the published, for the k-anonymous, the forest's and the (k,k) row: the mean over k.
    fn fit(&self) -> [f64; 3] {
        let fit = |line: &Line, published: &Row| {
            line.losses.iter().zip(published).map(|(own, theirs)| own / theirs).sum::<f64>() / 4.0
        };
        let [k_anonymous, forest, kk] = &self.published;
        [fit(self.best(), k_anonymous), fit(&self.whole_trees, forest), fit(self.better_kk(), kk)]
    }
}

/// Runs one algorithm at the four k.
fn line(set: &Set, measure: Measure, algorithm: &str, settings: &[(&str, &str)]) -> Result<Line> {
    let mut line = Line { label: algorithm.to_owned(), losses: [0.0; 4], seconds: 0.0 };
    for (name, value) in settings {
        line.label += if *name == "epsilon" { " ε=" } else { " " };
        line.label += value;
    }
    for (loss, k) in line.losses.iter_mut().zip(KS) {
        let job = JobSpec {
            k: Some(k),
            notion: algorithm.starts_with("kk").then(|| "kk".into()),
            algorithm: Some(algorithm.into()),
            settings: settings.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
            measure: Some(measure.name().into()),
            ..set.job()
        };
        let (summary, seconds) = crate::measure(job)?;
        let found = summary.loss.context("no loss was measured")?;
        *loss = if measure == Measure::Entropy { found.entropy } else { found.lm };
        line.seconds += seconds;
    }
    Ok(line)
}

/// By how many percent one line lies below another at the k where it does so least and most.
fn below(low: &Line, high: &Line) -> [f64; 2] {
    let saved = low.losses.iter().zip(&high.losses).map(|(l, h)| 100.0 * (1.0 - l / h));
    saved.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], x| [least.min(x), most.max(x)])
}

fn wins(low: &Line, high: &Line) -> usize {
    low.losses.iter().zip(&high.losses).filter(|(l, h)| l < h).count()
}

fn claims(cases: &[Case]) -> Vec<Value> {
    println!("\nReductions of the loss in %, least and most over the four k; sums over the four k.\n");
    println!(
        "| | best below forest | all 8 below forest | best below forest with whole trees | all 8 below | (k,k) below best \
         | sums of distances 1, 2, 3, 4; 4 with ε/r | modified changes them by % | expansion below nearest |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    cases.iter().map(claim).collect()
}

fn claim(case: &Case) -> Value {
    let all = case.agglomerative.as_flattened();
    let beats = |forest: &Line| all.iter().map(|line| wins(line, forest)).sum::<usize>();
    let forests = [&case.forest, &case.whole_trees];
    let [reduction, against_whole] = forests.map(|forest| below(case.best(), forest));
    let [wins_all, wins_whole] = forests.map(beats);
    let kk = below(case.better_kk(), case.best());
    let sums = case.agglomerative.each_ref().map(|[plain, _]| plain.sum());
    let changes =
        case.agglomerative.each_ref().map(|[plain, modified]| 100.0 * (modified.sum() / plain.sum() - 1.0));
    let small_epsilon = case.small_epsilon.as_ref().map_or(f64::NAN, Line::sum);
    let expansion = wins(&case.expansion, &case.nearest);
    let span = |[least, most]: [f64; 2]| format!("{least:.0}–{most:.0}");
    println!(
        "| {} | {} | {wins_all} of 32 | {} | {wins_whole} of 32 | {} | {}; {small_epsilon:.3} | {} | {expansion} of 4 |",
        case.name,
        span(reduction),
        span(against_whole),
        span(kk),
        sums.map(|s| format!("{s:.3}")).join(", "),
        changes.map(|c| format!("{c:+.1}")).join(", "),
    );
    json!({
        "case": case.name, "best_below_forest_percent": reduction, "variants_below_forest_of_32": wins_all,
        "best_below_whole_trees_percent": against_whole, "variants_below_whole_trees_of_32": wins_whole,
        "kk_below_best_percent": kk, "sums_by_distance": sums, "sum_of_4_with_small_epsilon": small_epsilon,
        "modified_changes_sums_by_percent": changes, "expansion_below_nearest_of_4": expansion,
    })
}

/// Which length of ART comes closest to the published figures?
fn lengths(first: &[Case]) -> Result<Vec<Value>> {
    println!("\nART of other lengths: ours over the published, mean over k; entropy / lm\n");
    println!("| rows | best k-anon | forest with whole trees | better (k,k) |\n|---|---|---|---|");
    let mut found = Vec::new();
    for rows in LENGTHS {
        let own;
        let cases = if rows == ART_ROWS {
            first
        } else {
            own = both(&Set::art(rows)?, &ART)?;
            &own
        };
        let fits: Vec<[f64; 3]> = cases.iter().map(Case::fit).collect();
        let cell =
            |at: usize| fits.iter().map(|fit| format!("{:.2}", fit[at])).collect::<Vec<_>>().join(" / ");
        println!("| {rows} | {} | {} | {} |", cell(0), cell(1), cell(2));
        found.push(json!({ "rows": rows, "best_k_anon_forest_kk_by_measure": fits }));
    }
    Ok(found)
}
