//! `kohort reproduce`: the published experiments, run again.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use kohort::output::write_error;
use kohort::{Error, Result};
use kohort_reproduce::{Options, PAPERS, Report, markdown, reproduce};

use crate::exit::ExitCode;
use crate::terminal::{Spectator, say, tell};

/// What `kohort reproduce` can be asked.
#[derive(Debug, clap::Args)]
#[command(after_help = papers())]
pub(crate) struct Args {
    /// Which paper (listed below), or all
    paper: String,
    /// UCI Adult; without it what needs it is left out, or run on made-up people
    #[arg(long, value_name = "FILE")]
    adult: Option<PathBuf>,
    /// UCI Contraceptive Method Choice; without it what needs it is left out
    #[arg(long, value_name = "FILE")]
    cmc: Option<PathBuf>,
    /// Fewer rows, samples, seeds and settings: a minute or two
    #[arg(long)]
    quick: bool,
    /// Also write reproduction.md, reproduction.json and the figures here
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Do not say what is being run
    #[arg(long)]
    quiet: bool,
}

/// The list for the end of the help text, from the one list there is.
fn papers() -> String {
    PAPERS.iter().fold("Papers:\n".to_owned(), |mut text, (number, about)| {
        let _ = writeln!(text, "  {number}  {about}");
        text
    })
}

/// Runs the experiments, prints them, and ends with one line per claim.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder.join("reproduction")).map_err(|e| write_error(&e, folder))?;
    }
    let options = Options {
        paper: (args.paper != "all").then(|| args.paper.clone()),
        adult: args.adult.clone(),
        cmc: args.cmc.clone(),
        quick: args.quick,
    };
    let heard = |what: &str| {
        if !args.quiet {
            tell(&format!("{what}\n"));
        }
    };
    let report = reproduce(&options, &Spectator::new(true), &heard)?;
    if let Some(folder) = &args.output {
        keep(&report, folder)?;
    }
    let shown = if args.json {
        as_json(&report)?
    } else {
        format!("{}\n{}", markdown(&report, "reproduction"), report.verdicts())
    };
    say(&shown)?;
    Ok(ExitCode::SUCCESS)
}

fn keep(report: &Report, folder: &Path) -> Result<()> {
    let write = |name: &str, text: &str| {
        let place = folder.join(name);
        fs::write(&place, text).map_err(|e| write_error(&e, &place))
    };
    write("reproduction.md", &markdown(report, "reproduction"))?;
    write("reproduction.json", &as_json(report)?)?;
    report.figures().try_for_each(|figure| write(&format!("reproduction/{}.svg", figure.id), &figure.svg()))
}

fn as_json(report: &Report) -> Result<String> {
    let text = serde_json::to_string_pretty(report);
    text.map(|text| text + "\n")
        .map_err(|e| Error::internal(format!("the report cannot be written as JSON: {e}")))
}
