//! `kohort hierarchy build|check|show|convert`.

use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use kohort::Error;
use kohort::data::Hierarchy;
use kohort::output::{HierarchyFormat, replaces, save_hierarchy, write_hierarchy};

use crate::exit::ExitCode;
use crate::terminal::say;

mod build;
mod check;
mod show;

/// Arguments of `kohort hierarchy`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a hierarchy from the values of a column
    Build(build::Args),
    /// Name every duplicate, contradictory or missing value, with line numbers and row counts
    Check(check::Args),
    /// Print the tree
    Show(show::Args),
    /// Write a hierarchy in another tool's format
    Convert(Convert),
}

#[derive(Debug, clap::Args)]
struct Convert {
    /// The hierarchy to read: ARX/anjana CSV, Amnesia text or mosaicrown JSON, told apart by content
    file: PathBuf,
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Its format; by ending otherwise: .csv, .txt, .json (CSV on standard output)
    #[arg(long)]
    to: Option<Format>,
}

/// A format by the name of its tool.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// CSV, one line per value from the value to the root
    Arx,
    /// `parent has child child` text
    Amnesia,
    /// Nested JSON
    Mosaicrown,
}

impl From<Format> for HierarchyFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Arx => Self::Arx,
            Format::Amnesia => Self::Amnesia,
            Format::Mosaicrown => Self::Mosaicrown,
        }
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: Args) -> Result<ExitCode, Error> {
    match args.action {
        Action::Build(args) => build::run(&args),
        Action::Check(args) => check::run(&args),
        Action::Show(args) => show::run(&args),
        Action::Convert(args) => convert(&args),
    }
}

fn convert(args: &Convert) -> Result<ExitCode, Error> {
    let hierarchy = kohort::input::read_hierarchy(&args.file, &stem(&args.file))?;
    save(&hierarchy, args.to, &args.file, &args.output)
}

/// Writes a hierarchy that was made from `source`, which must stay as it is.
fn save(hierarchy: &Hierarchy, to: Option<Format>, source: &Path, output: &Path) -> Result<ExitCode, Error> {
    if output == Path::new("-") {
        let format = to.map_or(HierarchyFormat::Arx, HierarchyFormat::from);
        say(&write_hierarchy(hierarchy, format)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if replaces(source, output) {
        return Err(Error::job("the output is the input")
            .in_file(output.display().to_string())
            .help("give ‹output› another name; the input is never overwritten"));
    }
    let format = to.map(HierarchyFormat::from).or_else(|| HierarchyFormat::of(output)).ok_or_else(|| {
        Error::job("the ending does not say which format to write")
            .in_file(output.display().to_string())
            .help("end the name in .csv, .txt or .json, or add --to arx|amnesia|mosaicrown")
    })?;
    save_hierarchy(hierarchy, format, output)?;
    say(&format!("wrote {}: {}\n", output.display(), summary(hierarchy)))?;
    Ok(ExitCode::SUCCESS)
}

/// What a hierarchy is called when nobody named its column.
fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}

fn summary(h: &Hierarchy) -> String {
    let root = h.label(h.root());
    format!(
        "{}, {} above them, root '{root}'",
        count(h.leaf_count().into(), "value"),
        count(h.height().into(), "level")
    )
}

/// `1 row`, `2 rows`.
fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_is_never_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sex.csv");
        std::fs::write(&path, "f;*\nm;*\n").unwrap();
        let args = Convert { file: path.clone(), output: directory.path().join("./sex.csv"), to: None };
        assert!(convert(&args).unwrap_err().to_string().contains("the output is the input"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "f;*\nm;*\n");
    }

    #[test]
    fn the_ending_or_the_flag_decides() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("sex.csv");
        std::fs::write(&file, "f;*\nm;*\n").unwrap();
        let to = |name: &str, to| {
            let output = directory.path().join(name);
            convert(&Convert { file: file.clone(), output: output.clone(), to })?;
            Ok::<_, Error>(std::fs::read_to_string(output).unwrap())
        };
        assert!(to("x.txt", None).unwrap().starts_with("distinct\nname sex\n"));
        assert!(to("x.json", None).unwrap().starts_with("{\"cat\": \"*\""));
        assert!(to("x.dat", Some(Format::Arx)).unwrap().starts_with("f;*"));
        assert!(to("y.dat", None).unwrap_err().to_string().contains("--to arx"));
    }
}
