//! Kohort and the five papers: for every experiment the best algorithm of the paper, what `auto` makes of it, and what no release can lose less than.

use kohort::Result;
use kohort::input::JobSpec;
use kohort::measure::Measure;

use crate::lab::{Lab, Ran, each};
use crate::report::{Cell, Part, Table};
use crate::sets::{Set, as_interval};
use crate::{gionis_2008, kabir_2011, li_2006, miller_2008, truta_2008};

/// An experiment at one of its settings.
struct Experiment {
    name: String,
    set: Set,
    measure: Measure,
    k: u32,
    p: Option<u32>,
    /// A number that is published as an interval.
    interval: Option<&'static str>,
    /// The algorithms of the paper, each with its settings: `agglomerative distance=1`.
    algorithms: &'static [&'static str],
    /// Puts the boundaries into a job, where there are some.
    within: Option<Box<dyn Fn(JobSpec) -> JobSpec + Send + Sync>>,
}

/// As printed: Algorithms 1 and 2 with every distance, rows one by one.
const GIONIS: [&str; 9] = [
    "agglomerative distance=1 equal-rows=literal",
    "agglomerative distance=2 equal-rows=literal",
    "agglomerative distance=3 equal-rows=literal",
    "agglomerative distance=4 equal-rows=literal",
    "agglomerative-modified distance=1 equal-rows=literal",
    "agglomerative-modified distance=2 equal-rows=literal",
    "agglomerative-modified distance=3 equal-rows=literal",
    "agglomerative-modified distance=4 equal-rows=literal",
    "forest",
];

/// The same for the notion (k,k): Algorithm 3 or 4, then 5.
const GIONIS_KK: [&str; 2] = ["kk-nearest", "kk-expansion"];

pub(crate) fn run(lab: &Lab<'_>) -> Result<Part> {
    let mut table = Table::new([
        "experiment",
        "measure",
        "best of the paper",
        "its loss",
        "`auto`",
        "no release loses less than",
        "best of the paper over `auto`",
    ]);
    let experiments = experiments(lab)?;
    let rows = each(&experiments, |experiment| {
        (lab.tell)(&format!("overall: {}", experiment.name));
        experiment.row(lab)
    })?;
    for row in rows {
        table.push(row);
    }
    let note = "The notion and the demands are those of the experiment: k-anonymity, p-sensitive for 001, (k,k) where that is said. The algorithms of the papers run as their authors have them: `agglomerative` with equal rows taken one by one, `enhanced-pk` without local search. The bound holds for every release of the table that is k-anonymous, or (k,k) there, whatever makes it; all that proves it was checked.";
    Ok(Part::new("overall", "Kohort and the five papers", note, table))
}

fn experiments(lab: &Lab<'_>) -> Result<Vec<Experiment>> {
    let mut all = Vec::new();
    let kinds: [(Measure, &str, &'static [&'static str]); 3] =
        [(Measure::Entropy, "", &GIONIS), (Measure::Lm, "", &GIONIS), (Measure::Lm, " (k,k),", &GIONIS_KK)];
    for (measure, notion, algorithms) in kinds {
        for (name, sets) in gionis_2008::sets(lab)? {
            let Some(set) = sets.into_iter().next() else { continue };
            all.push(Experiment::new(format!("000: {name},{notion} k = 10"), set, (measure, 10), algorithms));
        }
    }
    let rows = lab.pick(10_000, 2000);
    let mut of_truta: Vec<(String, Set, &'static str)> = Vec::new();
    if let Some(set) = truta_2008::adult(lab, rows, 1)? {
        of_truta.push(("Adult".into(), set, "age"));
    }
    for name in truta_2008::MADE {
        of_truta.push((name.to_uppercase(), truta_2008::synthetic(name, rows, 1)?, "QI_N"));
    }
    for (name, set, number) in of_truta {
        let algorithms = &["greedy-pk", "enhanced-pk local-search=off", "incognito"];
        let name = format!("001: {name}, k = 20, p = 6");
        let experiment = Experiment::new(name, set, (Measure::Il, 20), algorithms);
        all.push(Experiment { p: Some(6), interval: Some(number), ..experiment });
    }
    let name = "002: age, sex, education, k = 10".to_owned();
    let experiment =
        Experiment::new(name, kabir_2011::set(lab)?, (Measure::Il, 10), &["systematic", "k-member"]);
    all.push(Experiment { interval: Some("age"), ..experiment });
    let whd = Measure::Whd { beta: 0.0 };
    for k in [2, 10] {
        let name = format!("003: nine attributes, k = {k}");
        all.push(Experiment::new(name, li_2006::set(lab)?, (whd, k), &["kaca", "incognito"]));
    }
    if let Some(adult) = &lab.adult {
        let set = || miller_2008::sample(adult, 1);
        all.push(Experiment::new("004: without boundaries, k = 10".into(), set()?, (whd, 10), &["k-member"]));
        let (set, name) = (set()?, "004: within two boundaries, k = 10".to_owned());
        let within = miller_2008::best_boundaries(lab, &set)?;
        let experiment = Experiment::new(name, set, (whd, 10), &["greedy-cka"]);
        all.push(Experiment { within: Some(Box::new(within)), ..experiment });
    }
    Ok(all)
}

impl Experiment {
    fn new(
        name: String,
        set: Set,
        (measure, k): (Measure, u32),
        algorithms: &'static [&'static str],
    ) -> Self {
        Self { name, set, measure, k, p: None, interval: None, algorithms, within: None }
    }

    fn row(&self, lab: &Lab<'_>) -> Result<Vec<Cell>> {
        let mut best: Option<(f64, &str)> = None;
        for &algorithm in self.algorithms {
            if let Some(ran) = lab.run_if_possible(self.job(algorithm))? {
                let loss = self.loss(&ran);
                if best.is_none_or(|(least, _)| loss < least) {
                    best = Some((loss, algorithm));
                }
            }
        }
        let auto = lab.run(self.asked(self.set.job_of_auto()))?;
        let (ours, (theirs, name)) = (self.loss(&auto), best.unwrap_or((f64::NAN, "")));
        let bound = auto.summary.lower_bound.bound;
        Ok(vec![
            Cell::text(&self.name),
            Cell::text(self.measure.name()),
            Cell::text(format!("`{}`", short(name))),
            Cell::number(theirs, 4),
            Cell::number(ours, 4),
            bound.map_or_else(|| Cell::text("none"), |bound| Cell::number(bound, 4)),
            Cell::number(theirs / ours, 2),
        ])
    }

    /// A job of one of the paper's algorithms.
    fn job(&self, algorithm: &str) -> JobSpec {
        let mut words = algorithm.split(' ');
        let name = words.next().unwrap_or_default();
        let settings = words.filter_map(|word| word.split_once('='));
        let job = JobSpec {
            algorithm: Some(name.into()),
            settings: settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            ..self.set.job()
        };
        if name == "incognito" { self.demanded(job) } else { self.asked(job) }
    }

    /// With the demands, and numbers as intervals.
    fn asked(&self, job: JobSpec) -> JobSpec {
        let job = self.demanded(job);
        self.interval.map_or(job.clone(), |number| as_interval(job, number))
    }

    fn demanded(&self, job: JobSpec) -> JobSpec {
        let job = JobSpec {
            k: Some(self.k),
            p: self.p,
            notion: self.is_kk().then(|| "kk".into()),
            measure: Some(self.measure.name().into()),
            ..job
        };
        self.within.as_ref().map_or(job.clone(), |within| within(job))
    }

    fn is_kk(&self) -> bool {
        self.algorithms == GIONIS_KK
    }

    fn loss(&self, ran: &Ran) -> f64 {
        match self.measure {
            Measure::Lm => ran.loss.lm,
            Measure::Entropy => ran.loss.entropy,
            Measure::Whd { .. } => ran.loss.distortion_ratio,
            _ => ran.loss.il,
        }
    }
}

/// An algorithm as the table names it: without what all have, which the note says.
fn short(algorithm: &str) -> String {
    algorithm.replace(" equal-rows=literal", "").replace(" local-search=off", "").replace(" distance=", " ")
}
