//! Kohort and the five papers: for every experiment the best algorithm of the paper, what `auto` makes of it, and what no release can lose less than.

use kohort::Result;
use kohort::input::JobSpec;
use kohort::measure::Measure;

use crate::lab::{Lab, Ran};
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
    /// The algorithms of the paper; the first word is the name, the second a distance.
    algorithms: &'static [&'static str],
}

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
    for experiment in experiments(lab)? {
        (lab.tell)(&format!("overall: {}", experiment.name));
        table.push(experiment.row(lab)?);
    }
    let note = "k-anonymity as each experiment asks it (p-sensitive for 001). The bound holds for every k-anonymous release of the table, whatever makes it; it is proved by prices of rows, all of which were checked. (k,k) tables may lose less, as they promise less.";
    Ok(Part::new("overall", "Kohort and the five papers", note, table))
}

fn experiments(lab: &Lab<'_>) -> Result<Vec<Experiment>> {
    let mut all = Vec::new();
    for (name, sets) in gionis_2008::sets(lab)? {
        let Some(set) = sets.into_iter().next() else { continue };
        let algorithms =
            &["agglomerative 1", "agglomerative 2", "agglomerative 3", "agglomerative 4", "forest"];
        let (measure, k, p, interval) = (Measure::Lm, 10, None, None);
        all.push(Experiment {
            name: format!("000: {name}, k = {k}"),
            set,
            measure,
            k,
            p,
            interval,
            algorithms,
        });
    }
    let rows = lab.pick(10_000, 2000);
    let mut of_truta: Vec<(String, Set, &'static str)> = Vec::new();
    if let Some(set) = truta_2008::adult(lab, rows, 1)? {
        of_truta.push(("Adult".into(), set, "age"));
    }
    for name in ["uu", "nn"] {
        of_truta.push((name.to_uppercase(), truta_2008::synthetic(name, rows, 1)?, "QI_N"));
    }
    for (name, set, number) in of_truta {
        let (k, p) = (20, 6);
        all.push(Experiment {
            name: format!("001: {name}, k = {k}, p = {p}"),
            set,
            measure: Measure::Il,
            k,
            p: Some(p),
            interval: Some(number),
            algorithms: &["greedy-pk", "enhanced-pk", "incognito"],
        });
    }
    all.push(Experiment {
        name: "002: age, sex, education, k = 10".into(),
        set: kabir_2011::set(lab)?,
        measure: Measure::Il,
        k: 10,
        p: None,
        interval: Some("age"),
        algorithms: &["systematic", "k-member"],
    });
    if let Some(adult) = &lab.adult {
        all.push(Experiment {
            name: "003: nine attributes, k = 10".into(),
            set: li_2006::set(lab, adult)?,
            measure: Measure::Whd { beta: 0.0 },
            k: 10,
            p: None,
            interval: None,
            algorithms: &["kaca", "incognito"],
        });
        all.push(Experiment {
            name: "004: without boundaries, k = 10".into(),
            set: miller_2008::sample(adult, 1)?,
            measure: Measure::Il,
            k: 10,
            p: None,
            interval: None,
            algorithms: &["k-member"],
        });
    }
    Ok(all)
}

impl Experiment {
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
            Cell::text(format!("`{name}`")),
            Cell::number(theirs, 4),
            Cell::number(ours, 4),
            bound.map_or_else(|| Cell::text("none"), |bound| Cell::number(bound, 4)),
            Cell::number(theirs / ours, 2),
        ])
    }

    /// A job of one of the paper's algorithms.
    fn job(&self, algorithm: &str) -> JobSpec {
        let (name, distance) = algorithm.split_once(' ').unwrap_or((algorithm, ""));
        let mut job = JobSpec { algorithm: Some(name.into()), ..self.set.job() };
        if !distance.is_empty() {
            job.settings.insert("distance".into(), distance.into());
        }
        if name == "incognito" { self.demanded(job) } else { self.asked(job) }
    }

    /// With the demands, and numbers as intervals.
    fn asked(&self, job: JobSpec) -> JobSpec {
        let job = self.demanded(job);
        self.interval.map_or(job.clone(), |number| as_interval(job, number))
    }

    fn demanded(&self, job: JobSpec) -> JobSpec {
        JobSpec { k: Some(self.k), p: self.p, measure: Some(self.measure.name().into()), ..job }
    }

    fn loss(&self, ran: &Ran) -> f64 {
        match self.measure {
            Measure::Lm => ran.loss.lm,
            Measure::Whd { .. } => ran.loss.distortion_ratio,
            _ => ran.loss.il,
        }
    }
}
