//! Miller et al. 2008, section 5: how often does plain k-member generalize further than the data's owner can use, and how many rows
//! have to go where that is forbidden?
//!
//! 10,000 rows of UCI Adult, 8 quasi-identifiers, k = 2 to 10, boundaries on native-country alone and on native-country and
//! age. Figures 6 and 7, which show the boundaries, are lost to us. The ones here were chosen, of 48 tried, by what they lead
//! to: with 10-year ranges of age, and the United States, the rest of America and the regions of the other continents, both
//! the violations of Table 1 and the suppressed rows of Table 2 come out about as large as published.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use kohort::algorithm::Quiet;
use kohort::data::recipes::{HierarchySpec, Recipe};
use kohort::data::{Codes, Groups, Hierarchy, Node, ROOT_LABEL};
use kohort::input::{Column, ColumnSpec, JobSpec};
use kohort::job::files::FileVerifyJob;
use kohort::output::{HierarchyFormat, save_hierarchy};
use serde_json::{Value, json};

const ROWS: usize = 10_000;
const SEED: u64 = 4;
const QI: [&str; 8] =
    ["education-num", "workclass", "marital-status", "occupation", "race", "sex", "age", "native-country"];
const COUNTRIES: [&str; 8] = [
    "United-States",
    "America",
    "Western Europe",
    "Southern Europe",
    "Eastern Europe",
    "Eastern Asia",
    "South-eastern Asia",
    "Southern Asia",
];
/// Steps from an age up to its 10-year range.
const AGE_STEPS: u32 = 2;

/// Tables 1 and 2 of the paper: k, then for one and for two constrained attributes the violations, then the suppressed rows.
const PUBLISHED: [(u32, [u64; 2], [u64; 2]); 9] = [
    (2, [605, 2209], [0, 5]),
    (3, [991, 3824], [0, 15]),
    (4, [1377, 5297], [0, 24]),
    (5, [1657, 6163], [0, 28]),
    (6, [1906, 6964], [0, 48]),
    (7, [2198, 7743], [0, 60]),
    (8, [2354, 8417], [0, 81]),
    (9, [2550, 8931], [0, 97]),
    (10, [2728, 9549], [0, 106]),
];

pub(crate) fn run(table: &Path) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    let experiment = Experiment::new(table, folder.path())?;
    println!(
        "violations by k-member and rows beyond help, for boundaries on native-country / on age as well\n"
    );
    println!("| k | violations | published | OUT | published | il | greedy-cka: suppressed | il |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut points = Vec::new();
    for (k, violations, suppressed) in PUBLISHED {
        let point = experiment.point(k, violations, suppressed)?;
        point.print();
        points.push(point.json());
    }
    Ok(json!({
        "benchmark": "miller-2008", "rows": ROWS, "sample_seed": SEED, "points": points,
        "boundaries": { "native-country": COUNTRIES, "age": "10-year ranges" },
    }))
}

/// A sample of the table on disk, with trees of the heights the paper names.
struct Experiment {
    folder: PathBuf,
    /// Native-country, then age: the first one or both are constrained.
    limits: [Limit; 2],
}

impl Experiment {
    fn new(table: &Path, folder: &Path) -> Result<Self> {
        let columns = crate::read_columns(table, &QI)?;
        let rows = crate::draw(columns[0].codes.len(), ROWS, SEED)?;
        crate::write_rows(&columns, rows, &folder.join("sample.csv"))?;
        let marital = without_top_groups(&crate::tree("marital-status")?)?;
        save_hierarchy(&marital, HierarchyFormat::Arx, &folder.join("marital-status.csv"))?;
        let sample = crate::read_columns(&folder.join("sample.csv"), &["native-country", "age"])?;
        let (country, age) = (crate::tree("native-country")?, crate::tree("age")?);
        let countries = COUNTRIES.map(|label| country.node(label));
        ensure!(countries.iter().all(Option::is_some), "a boundary is not in native-country.csv");
        let is_country = |node: Node| countries.contains(&Some(node));
        let is_range = |node: Node| age.height_of(node) == AGE_STEPS;
        let limits = [Limit::new(&country, &sample[0], is_country)?, Limit::new(&age, &sample[1], is_range)?];
        Ok(Self { folder: folder.to_owned(), limits })
    }

    fn point(&self, k: u32, violations: [u64; 2], suppressed: [u64; 2]) -> Result<Point> {
        let (summary, seconds) = crate::measure(self.job(k, "k-member"))?;
        let released = crate::read_columns(&self.release(), &["native-country", "age"])?;
        let country = self.limits[0].violations(&released[0])?;
        let age = self.limits[1].violations(&released[1])?;
        for (limits, own) in [(1, country), (2, country + age)] {
            let counted = self.counted(limits, k)?;
            ensure!(counted == own, "verify counts {counted} violations, this program {own}");
        }
        Ok(Point {
            k,
            violations: [country, country + age],
            out: [1, 2].map(|limits| self.out(limits, k)),
            il: summary.loss.context("no loss was measured")?.il,
            seconds,
            constrained: [self.constrained(1, k)?, self.constrained(2, k)?],
            published_violations: violations,
            published_suppressed: suppressed,
        })
    }

    /// Rows that no release within the boundaries can keep: fewer than k share their highest allowed values.
    fn out(&self, limits: usize, k: u32) -> u64 {
        let columns: Vec<_> =
            self.limits[..limits].iter().map(|l| (&l.highest, l.tree.len() as u32)).collect();
        let groups = Groups::by(ROWS, &columns);
        let sizes = (0..groups.len()).map(|group| groups.rows(group).len() as u64);
        sizes.filter(|&size| size < u64::from(k)).sum()
    }

    /// What `greedy-cka` gives within the boundaries of the first attributes. It must suppress as many rows as `out` says
    /// and violate nothing.
    fn constrained(&self, limits: usize, k: u32) -> Result<Constrained> {
        let (summary, seconds) = crate::measure(self.bounded(self.job(k, "greedy-cka"), limits))?;
        ensure!(summary.achieved.boundary_violations == Some(0), "a cell lies beyond its boundary");
        ensure!(summary.suppressed == self.out(limits, k), "{} rows were suppressed", summary.suppressed);
        let il = summary.loss.context("no loss was measured")?.il;
        Ok(Constrained { suppressed: summary.suppressed, il, seconds })
    }

    /// What `verify` counts in the release of an unconstrained run; the program counts the same in its own way.
    fn counted(&self, limits: usize, k: u32) -> Result<u64> {
        let file = self.bounded(self.job(k, "k-member"), limits);
        let original = Some(self.folder.join("sample.csv"));
        let verdict = FileVerifyJob::new(&file, self.release(), original).and_then(|job| job.run(&Quiet))?;
        verdict.summary.achieved.boundary_violations.context("violations were not counted")
    }

    /// A job within the boundaries of the first attributes.
    fn bounded(&self, mut job: JobSpec, limits: usize) -> JobSpec {
        for (limit, column) in self.limits[..limits].iter().zip(["native-country", "age"]) {
            let mut nodes: Vec<Node> = limit.highest.iter().collect();
            nodes.sort_unstable();
            nodes.dedup();
            let labels = nodes.into_iter().map(|node| limit.tree.label(node).to_owned()).collect();
            job.columns.entry(column.to_owned()).or_default().max_generalization = Some(labels);
        }
        job
    }

    fn job(&self, k: u32, algorithm: &str) -> JobSpec {
        let entry = |hierarchy| ColumnSpec { hierarchy: Some(hierarchy), ..ColumnSpec::default() };
        let file = |folder: &Path, column: &str| {
            (column.to_owned(), entry(HierarchySpec::File(folder.join(format!("{column}.csv")))))
        };
        let grades = Recipe::Ranges { widths: vec![2.0, 4.0, 8.0], origin: 1.0 };
        JobSpec {
            input: Some(self.folder.join("sample.csv")),
            output: Some(self.release()),
            qi: QI.iter().map(|&name| name.to_owned()).collect(),
            k: Some(k),
            algorithm: Some(algorithm.into()),
            keep_order: Some(true),
            // The others have height 1 in the paper, which is what a column without a tree gets.
            columns: [
                ("education-num".to_owned(), entry(HierarchySpec::Built(grades))),
                file(&self.folder, "marital-status"),
                file(&crate::trees(), "age"),
                file(&crate::trees(), "native-country"),
            ]
            .into(),
            rest: Some(kohort::data::Rest::Keep),
            ..JobSpec::default()
        }
    }

    fn release(&self) -> PathBuf {
        self.folder.join("release.csv")
    }
}

/// Values, their groups, root: the height of 2 that the paper has for marital-status.
fn without_top_groups(tree: &Hierarchy) -> Result<Hierarchy> {
    let paths = (0..tree.leaf_count()).map(|leaf| {
        let path = tree.path(leaf);
        [path[0].to_owned(), path[1].to_owned(), ROOT_LABEL.to_owned()]
    });
    Ok(Hierarchy::from_paths(tree.name(), paths)?)
}

/// How far the values of one column may be generalized.
struct Limit {
    tree: Hierarchy,
    /// The highest allowed node, by row.
    highest: Codes,
}

impl Limit {
    /// `marked` says which nodes are boundaries; the first one on the way up counts, and the root where there is none.
    fn new(tree: &Hierarchy, column: &Column, marked: impl Fn(Node) -> bool) -> Result<Self> {
        let up = |leaf| std::iter::successors(Some(leaf), |&node| tree.parent(node));
        let highest = |leaf| up(leaf).find(|&node| marked(node)).unwrap_or(tree.root());
        let leaves = crate::leaves(column, tree)?;
        let of_row = (0..leaves.len()).map(|row| highest(leaves.get(row)));
        Ok(Self { tree: tree.clone(), highest: of_row.collect() })
    }

    /// Cells of a release, in the order of the sample, that lie above what is allowed.
    fn violations(&self, released: &Column) -> Result<u64> {
        ensure!(released.codes.len() == ROWS, "rows are missing in the release");
        let node = |text: &String| self.tree.node(text).with_context(|| format!("'{text}' is in no tree"));
        let nodes: Vec<Node> = released.texts.iter().map(node).collect::<Result<_>>()?;
        let above = |&row: &usize| {
            let (cell, highest) = (nodes[released.codes.get(row) as usize], self.highest.get(row));
            cell != highest && self.tree.contains(cell, highest)
        };
        Ok((0..ROWS).filter(above).count() as u64)
    }
}

/// One line of the table. Pairs are for one and for two constrained attributes.
struct Point {
    k: u32,
    violations: [u64; 2],
    out: [u64; 2],
    il: f64,
    seconds: f64,
    constrained: [Constrained; 2],
    published_violations: [u64; 2],
    published_suppressed: [u64; 2],
}

/// What a release within the boundaries costs.
struct Constrained {
    suppressed: u64,
    il: f64,
    seconds: f64,
}

impl Point {
    fn print(&self) {
        let pair = |[one, two]: [u64; 2]| format!("{one} / {two}");
        let both = |show: &dyn Fn(&Constrained) -> String| self.constrained.each_ref().map(show).join(" / ");
        println!(
            "| {} | {} | {} | {} | {} | {:.4} | {} | {} |",
            self.k,
            pair(self.violations),
            pair(self.published_violations),
            pair(self.out),
            pair(self.published_suppressed),
            self.il,
            both(&|c| c.suppressed.to_string()),
            both(&|c| format!("{:.4}", c.il)),
        );
    }

    fn json(&self) -> Value {
        let constrained =
            |c: &Constrained| json!({ "suppressed": c.suppressed, "il": c.il, "seconds": c.seconds });
        json!({
            "k": self.k, "violations": self.violations, "out": self.out, "il": self.il, "seconds": self.seconds,
            "constrained": self.constrained.each_ref().map(constrained),
            "published_violations": self.published_violations, "published_suppressed": self.published_suppressed,
        })
    }
}
