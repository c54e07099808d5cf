//! `kohort generate`: a made-up table, and the hierarchies that go with it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::exit::ExitCode;
use kohort::data::Hierarchy;
use kohort::generate::{GENERATORS, Rows, find};
use kohort::input::Format;
use kohort::output::{
    HierarchyFormat, Staged, TableWriter, refuse_foreign_ending, same_file, save_hierarchy, write_error,
};
use kohort::{Error, Result};

/// What `kohort generate` can be asked.
#[derive(Debug, clap::Args)]
#[command(after_help = tables())]
pub(crate) struct Args {
    /// Which table (listed below)
    #[arg(value_parser = super::offered::tables(), hide_possible_values = true)]
    name: String,
    /// How many rows
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rows: u64,
    /// The same seed gives the same table, and a longer table begins with the shorter one
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where to write; the ending tells the format (.csv, .tsv, .parquet, .arrow); - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Also write one <column>.csv per category column here: value;group;…;root on each line
    #[arg(long, value_name = "DIR")]
    hierarchies: Option<PathBuf>,
}

/// The list for the end of the help text, from the one list there is.
fn tables() -> String {
    GENERATORS.iter().fold("Tables:\n".to_owned(), |mut text, g| {
        let _ = writeln!(text, "  {:<10}{}", g.name, g.about);
        text
    })
}

/// Writes the hierarchies first: they are small, and a wrong directory shows before the long part.
// Takes its arguments whole, as every subcommand does.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let generator = find(&args.name)?;
    refuse_foreign_ending(&args.output)?;
    if let Some(directory) = &args.hierarchies {
        write_hierarchies(directory, &generator.hierarchies()?, &args.output)?;
    }
    write_table(generator.rows(args.rows, args.seed), &args.output)?;
    Ok(ExitCode::SUCCESS)
}

fn write_table(rows: Rows, target: &Path) -> Result<()> {
    let staged = Staged::new(target)?;
    let mut writer = TableWriter::new(&staged, target, Format::of(target), rows.schema())?;
    for batch in rows {
        writer.write_batch(&batch?)?;
    }
    writer.finish()?;
    staged.publish()
}

/// Writes one file per hierarchy; none of them may be the table.
fn write_hierarchies(directory: &Path, hierarchies: &[Hierarchy], table: &Path) -> Result<()> {
    std::fs::create_dir_all(directory).map_err(|e| write_error(&e, directory))?;
    let path = |hierarchy: &Hierarchy| directory.join(format!("{}.csv", hierarchy.name()));
    if hierarchies.iter().any(|hierarchy| same_file(&path(hierarchy), table)) {
        return Err(Error::job("the table would replace one of its hierarchies")
            .in_file(table.display().to_string())
            .help("give it another name, or the hierarchies another folder"));
    }
    hierarchies.iter().try_for_each(|h| save_hierarchy(h, HierarchyFormat::Arx, &path(h)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(name: &str, rows: u64, directory: &Path) -> Args {
        Args {
            name: name.into(),
            rows,
            seed: 1,
            output: directory.join("table.csv"),
            hierarchies: Some(directory.join("trees")),
        }
    }

    #[test]
    fn writes_a_table_and_its_hierarchies() {
        let directory = tempfile::tempdir().unwrap();
        run(args("hospital", 50, directory.path())).unwrap();
        let table = std::fs::read_to_string(directory.path().join("table.csv")).unwrap();
        assert_eq!(table.lines().count(), 51);
        assert!(table.starts_with("patient_id,name,birth_date,sex,postcode,"));
        let trees = std::fs::read_to_string(directory.path().join("trees/postcode.csv")).unwrap();
        assert!(trees.starts_with("10004;100**;Harbour Bay;*\n"));
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2, "nothing is left over");
    }

    #[test]
    fn a_table_without_rows_has_a_header() {
        let directory = tempfile::tempdir().unwrap();
        run(args("art", 0, directory.path())).unwrap();
        let table = std::fs::read_to_string(directory.path().join("table.csv")).unwrap();
        assert_eq!(table, "A1,A2,A3,A4,A5,A6\n");
    }

    #[test]
    fn a_missing_directory_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let mut args = args("art", 1, directory.path());
        args.output = directory.path().join("nowhere/table.csv");
        let message = run(args).unwrap_err().to_string();
        assert!(message.contains("nowhere") && message.contains("way out"), "{message}");
    }
}
