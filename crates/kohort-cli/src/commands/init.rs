//! `kohort init`: from a table to a job that can be read, edited and run.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use kohort::job::files::{FileInit, Proposed};
use kohort::propose::Examined;
use kohort::{Error, Result};
use serde_json::json;

use super::job_flags::ReadFlags;
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::{Spectator, say, tell};

mod ask;
mod shown;

/// What `kohort init` can be asked.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub(crate) struct Args {
    /// The table: .csv, .tsv, .jsonl, .xlsx, .parquet, .arrow, SQLite and others, .gz and .zst; - is standard input
    #[arg(value_name = "DATA")]
    data: PathBuf,
    #[command(flatten)]
    read: ReadFlags,
    /// The job file to write; - is standard output [default: job.toml, with --json none]
    #[arg(short, long, value_name = "JOB.toml")]
    output: Option<PathBuf>,
    /// Folder for hierarchies that are made from other columns [default: JOB.hierarchies beside the job file]
    #[arg(long, value_name = "DIR")]
    hierarchies: Option<PathBuf>,
    /// Replace a job file and hierarchies that are there already
    #[arg(long)]
    force: bool,
    /// Ask for every column on the terminal
    #[arg(long)]
    interactive: bool,
    /// Print the proposal as one JSON object; a job file is written only where -o names one
    #[arg(long, conflicts_with = "interactive")]
    json: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// Looks, asks, tries, writes, says.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let output = args.output.clone().unwrap_or_else(|| "job.toml".into());
    let is_stream = output == Path::new("-");
    let writes = args.output.is_some() || !args.json;
    if args.json && is_stream {
        return Err(Error::job("the job and the JSON object cannot both go to standard output")
            .at("‹output=-› --json")
            .help("write the job to a file, or omit --json"));
    }
    if args.interactive {
        check_terminal(args)?;
    }
    let (reading, folder) = (args.read.options(), args.hierarchies.as_deref());
    let init = FileInit::new(&args.data, &reading, &output, folder, args.force || !writes)?;
    let spectator = Spectator::new(args.quiet);
    let mut examined = init.examine(&spectator)?;
    if args.interactive {
        spectator.finish();
        ask_for_columns(&mut examined)?;
    }
    let proposed = init.propose(&examined, about(&args.data, &output), &spectator);
    spectator.finish();
    let proposed = proposed?;
    let written = if writes { init.write(&proposed)? } else { Vec::new() };
    if args.json {
        say(&format!("{}\n", to_json(&proposed)?))?;
    } else if !args.quiet {
        let text = shown::proposed(&proposed, &output, &written);
        if is_stream { tell(&text) } else { say(&text)? }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the job file says of itself.
fn about(data: &Path, output: &Path) -> Vec<String> {
    let name = data.file_name().map_or_else(|| "a table".into(), |name| name.to_string_lossy());
    let name = if data == Path::new("-") { "standard input".into() } else { name };
    let job = if output == Path::new("-") { Path::new("job.toml") } else { output };
    vec![
        format!(
            "A job for {name}, proposed by `kohort init` from what is in the table. It runs as it is; but only you know what others can know. Read every line and change what you know better."
        ),
        format!("Run it:  kohort anonymize --job {} -o release.csv", job.display()),
        "In what follows, A and a stand for letters of values and 9 for digits. LOOK AT THIS ONE marks guesses.".into(),
        "Private: this file and the hierarchies beside it tell about the table. Keep them with it.".into(),
    ]
}

fn check_terminal(args: &Args) -> Result<()> {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if is_terminal && args.data != Path::new("-") {
        return Ok(());
    }
    Err(Error::job("there is no terminal to ask on").at("--interactive").help(
        "omit it: the job is written as proposed, and can be edited; or run the command in a terminal, with the table in a file",
    ))
}

fn ask_for_columns(examined: &mut Examined) -> Result<()> {
    let columns = examined.columns();
    tell(&ask::introduction(columns.len()));
    let answers = ask::columns(&columns, &mut std::io::stdin().lock(), &mut |text| tell(text))?;
    for (at, answer) in answers.into_iter().enumerate() {
        examined.set_role(at, answer.role);
        if let Some(months_first) = answer.months_first {
            examined.set_order_of_dates(at, months_first);
        }
    }
    Ok(())
}

fn to_json(proposed: &Proposed) -> Result<String> {
    let broken = |e: serde_json::Error| Error::internal(e.to_string());
    let mut object = serde_json::to_value(&proposed.proposal).map_err(broken)?;
    let mut trial = serde_json::to_value(&proposed.trial).map_err(broken)?;
    let problem = proposed.trial.problem.as_ref().map(|problem| problem.spoken_by(&CommandLine));
    trial["problem"] = json!(problem);
    object["quick_run"] = trial;
    serde_json::to_string_pretty(&object).map_err(broken)
}
