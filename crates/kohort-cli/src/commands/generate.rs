//! `kohort generate`: a made-up table, and the hierarchies that go with it.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arrow::array::RecordBatch;
use kohort::data::Hierarchy;
use kohort::generate::{GENERATORS, Rows, find};
use kohort::{Error, Result};

/// What `kohort generate` can be asked.
#[derive(Debug, clap::Args)]
#[command(after_help = tables())]
pub(crate) struct Args {
    /// Which table (listed below)
    name: String,
    /// How many rows
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rows: u64,
    /// The same seed gives the same table, and a longer table begins with the shorter one
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where to write the CSV; - is standard output
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
    if let Some(directory) = &args.hierarchies {
        write_hierarchies(directory, &generator.hierarchies()?)?;
    }
    let rows = generator.rows(args.rows, args.seed);
    if args.output == Path::new("-") {
        hang_up_quietly(write_table(rows, &mut io::stdout().lock()))?;
    } else {
        whole(&args.output, |file| write_table(rows, file))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Why a table could not be written to the end.
#[derive(Debug)]
enum Failure {
    Table(Error),
    Writing(io::Error),
}

/// The one place that knows the format.
fn write_table(rows: Rows, out: &mut dyn Write) -> std::result::Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 20, out);
    let mut csv = arrow::csv::Writer::new(&mut out);
    let mut write = |batch: &RecordBatch| csv.write(batch).map_err(|e| Failure::Writing(as_io(e)));
    // An empty batch writes the header, also where no rows follow.
    write(&RecordBatch::new_empty(rows.schema()))?;
    for batch in rows {
        write(&batch.map_err(Failure::Table)?)?;
    }
    drop(csv);
    out.flush().map_err(Failure::Writing)
}

fn as_io(error: arrow::error::ArrowError) -> io::Error {
    match error {
        arrow::error::ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

/// `kohort generate … | head` is no error.
fn hang_up_quietly(written: std::result::Result<(), Failure>) -> Result<()> {
    match written {
        Err(Failure::Writing(e)) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|f| at(f, "standard output")),
    }
}

fn write_hierarchies(directory: &Path, hierarchies: &[Hierarchy]) -> Result<()> {
    std::fs::create_dir_all(directory)
        .map_err(|e| at(Failure::Writing(e), &directory.display().to_string()))?;
    for hierarchy in hierarchies {
        let path = directory.join(format!("{}.csv", hierarchy.name()));
        whole(&path, |file| file.write_all(lines(hierarchy).as_bytes()).map_err(Failure::Writing))?;
    }
    Ok(())
}

/// The hierarchy as ARX reads it: the path of one leaf per line.
fn lines(hierarchy: &Hierarchy) -> String {
    let line = |leaf| hierarchy.path(leaf).join(";") + "\n";
    (0..hierarchy.leaf_count()).map(line).collect()
}

/// Writes a file that appears complete or not at all: next to its place first, then renamed.
fn whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> std::result::Result<(), Failure>) -> Result<()> {
    let place = path.display().to_string();
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(|e| at(Failure::Writing(e), &place))?;
    write(&mut file).map_err(|f| at(f, &place))?;
    file.persist(path).map(drop).map_err(|e| at(Failure::Writing(e.error), &place))
}

fn at(failure: Failure, place: &str) -> Error {
    match failure {
        Failure::Table(error) => error,
        Failure::Writing(error) => Error::input(format!("cannot write: {error}"))
            .at(place)
            .help("name a directory that exists and may be written to, on a disk with room"),
    }
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
