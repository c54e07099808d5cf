//! The published experiments of the five papers behind Kohort, run again and put beside the published figures.
//!
//! [`reproduce`] runs one paper or all and returns a [`Report`]: tables, figures, and for every claim a verdict. The report is data; JSON
//! keeps it, [`markdown`] and [`Figure::svg`] show it. Two of the tables, UCI Adult and UCI CMC, are not part of the project; what needs one that
//! is not at hand is left out, and the report says so.
//!
//! Papers by number: 000 Gionis et al. 2008, 001 Truta et al. 2008, 002 Kabir et al. 2011, 003 Li et al. 2006, 004 Miller et al. 2008.

mod gionis_2008;
mod kabir_2011;
mod lab;
mod li_2006;
mod miller_2008;
mod overall;
mod report;
mod sets;
mod truta_2008;

pub use report::{Cell, Claim, Figure, Paper, Part, Report, Series, Table, Verdict, markdown};

use std::path::PathBuf;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use kohort::algorithm::Observer;
use kohort::{Error, Result};

use lab::{Lab, Others};
use sets::{Adult, Cmc};

/// The papers that can be asked for.
pub const PAPERS: [(&str, &str); 5] = [
    ("000", "Gionis, Mazza and Tassa 2008: notions of k-anonymity, agglomerative clustering"),
    ("001", "Truta, Campan, Abrinica and Miller 2008: p-sensitive k-anonymity, local and global recoding"),
    ("002", "Kabir, Wang and Bertino 2011: systematic clustering"),
    ("003", "Li, Wong, Fu and Pei 2006: clustering in attribute hierarchies"),
    ("004", "Miller, Campan and Truta 2008: generalization boundaries"),
];

/// All that is run of a paper.
type Experiments = fn(&Lab<'_>) -> Result<Paper>;

/// One paper after the other: first those whose experiments are timed, while the machine is as it was found.
const IN_TURN: [(&str, Experiments); 5] = [
    ("001", truta_2008::run),
    ("002", kabir_2011::run),
    ("003", li_2006::run),
    ("004", miller_2008::run),
    ("000", gionis_2008::run),
];

/// What is to be run again.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The number of a paper, or none for all.
    pub paper: Option<String>,
    /// Where UCI Adult lies.
    pub adult: Option<PathBuf>,
    /// Where UCI CMC lies.
    pub cmc: Option<PathBuf>,
    /// Fewer rows, samples, seeds and settings.
    pub quick: bool,
}

/// Runs experiments. `observer` may stop them; `tell` hears what is being done.
pub fn reproduce(options: &Options, observer: &dyn Observer, tell: &(dyn Fn(&str) + Sync)) -> Result<Report> {
    let asked = options.paper.as_deref();
    if let Some(number) = asked.filter(|number| !PAPERS.iter().any(|(known, _)| known == number)) {
        let known: Vec<&str> = PAPERS.iter().map(|(number, _)| *number).collect();
        return Err(Error::job(format!("there is no paper '{number}'"))
            .help(format!("one of {}, or all", known.join(", "))));
    }
    let (start, machine_then) = (Instant::now(), Others::since_now());
    let lab = Lab {
        adult: options.adult.as_deref().map(Adult::open).transpose()?,
        cmc: options.cmc.as_deref().map(Cmc::open).transpose()?,
        quick: options.quick,
        observer,
        tell,
    };
    let mut papers = Vec::new();
    for (number, run) in IN_TURN {
        if asked.is_none_or(|asked| asked == number) {
            let (start, others) = (Instant::now(), Others::since_now());
            let paper = run(&lab)?;
            papers.push(Paper { seconds: whole_seconds(start), others: others.percent(), ..paper });
        }
    }
    papers.sort_by(|a, b| a.number.cmp(&b.number));
    let overall = if asked.is_none() { Some(overall::run(&lab)?) } else { None };
    Ok(Report {
        benchmark: "reproduction".into(),
        paper: asked.map(str::to_owned),
        date: today(),
        quick: options.quick,
        tables: tables(&lab),
        machine: machine(),
        seconds: whole_seconds(start),
        processor_seconds: machine_then.own_seconds().map(f64::round),
        papers,
        overall,
    })
}

fn whole_seconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64().round()
}

/// Where the tables came from, and how to get those that were not at hand.
fn tables(lab: &Lab<'_>) -> Vec<String> {
    let adult = lab.adult.as_ref().map_or_else(
        || "UCI Adult is not at hand, and what needs it was left out or run on made-up people: get it from https://archive.ics.uci.edu/dataset/2/adult, put the header age,workclass,education,education-num,marital-status,occupation,relationship,race,sex,native-country,salary-class above these columns, and say where it lies.".to_owned(),
        |adult| format!("UCI Adult, its {} rows without missing values.", adult.rows()),
    );
    let cmc = lab.cmc.as_ref().map_or_else(
        || "UCI Contraceptive Method Choice is not at hand, and what needs it was left out: get it from https://archive.ics.uci.edu/dataset/30/contraceptive+method+choice, put the header WifeAge,WifeEducation,HusbandEducation,NumberChildren,WifeReligion,WifeWorking,HusbandOccupation,SOLindex,MediaExposure,ContraceptiveMethod above it, and say where it lies.".to_owned(),
        |_| "UCI Contraceptive Method Choice, all rows.".to_owned(),
    );
    vec![
        adult,
        cmc,
        "ART, UU, UN, NU and NN: made by `kohort generate`, as the papers describe them.".to_owned(),
    ]
}

fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let now = chrono::DateTime::from_timestamp(seconds.cast_signed(), 0);
    now.map_or_else(String::new, |now| now.date_naive().to_string())
}

/// What the seconds belong to.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        about.lines().find_map(|line| Some(line.strip_prefix("model name")?.split_once(':')?.1.trim()));
    format!("{}, {cores} cores", model.unwrap_or("unknown processor"))
}
