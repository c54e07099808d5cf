//! From a table in a file to a job file, and to the files of hierarchies that no job can name.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::super::Observer;
use super::super::observed::Observed;
use super::super::trial::{Trial, try_proposal};
use super::told;
use crate::algorithm::Stage;
use crate::data::Hierarchy;
use crate::error::{Error, Result};
use crate::input::{FileTable, ReadOptions};
use crate::output::{
    HierarchyFormat, Staged, publish_together, real_place, replaces, same_file, write_error, write_hierarchy,
};
use crate::propose::{Examined, Header, Proposal, examine};

/// Where a table is, and where a job for it goes.
pub struct FileInit {
    input: PathBuf,
    /// `-` is standard output.
    output: PathBuf,
    /// The folder of hierarchies; none where none may be written.
    folder: Option<PathBuf>,
    force: bool,
    table: FileTable,
    /// How it was read.
    reading: ReadOptions,
}

/// A job that is ready to be written.
pub struct Proposed {
    /// What is proposed.
    pub proposal: Proposal,
    /// What it would cost.
    pub trial: Trial,
    /// The text of the job file.
    pub text: String,
    files: BTreeMap<String, (PathBuf, Hierarchy)>,
}

impl FileInit {
    /// Opens the table, and checks that nothing would be lost. Hierarchies go to `folder`, or to one beside the job file.
    pub fn new(
        input: &Path,
        reading: &ReadOptions,
        output: &Path,
        folder: Option<&Path>,
        force: bool,
    ) -> Result<Self> {
        let is_stream = output == Path::new("-");
        if replaces(input, output) {
            return Err(Error::job("the job file is the table")
                .in_file(output.display().to_string())
                .help("give ‹output› another name; the input is never overwritten"));
        }
        if !is_stream && !force {
            refuse_existing(output)?;
        }
        let beside = || (!is_stream).then(|| output.with_extension("hierarchies"));
        Ok(Self {
            input: input.to_owned(),
            output: output.to_owned(),
            folder: folder.map(Path::to_owned).or_else(beside),
            force,
            table: FileTable::open_with(input, reading)?,
            reading: reading.clone(),
        })
    }

    /// Looks at the table.
    pub fn examine(&self, observer: &dyn Observer) -> Result<Examined> {
        observer.enter(Stage::Read, 0);
        told(&self.table, observer);
        examine(&Observed { source: &self.table, observer })
    }

    /// Proposes a job, and tries it. `about` is what the job file says of itself.
    pub fn propose(
        &self,
        examined: &Examined,
        about: Vec<String>,
        observer: &dyn Observer,
    ) -> Result<Proposed> {
        let mut proposal = examined.proposal(self.folder.is_some())?;
        let trial = try_proposal(&mut proposal, &self.table, observer)?;
        let files = self.places(&proposal)?;
        let base = folder_of(&self.output);
        let seen = |place: &Path| seen_from(place, base).to_string_lossy().into_owned();
        let header = Header {
            about,
            input: if self.input == Path::new("-") { "-".into() } else { seen(&self.input) },
            reading: self.reading.clone(),
            hierarchies: files.iter().map(|(name, (place, _))| (name.clone(), seen(place))).collect(),
        };
        let text = proposal.to_toml(&header);
        Ok(Proposed { proposal, trial, text, files })
    }

    /// Where hierarchies go that were made from columns.
    fn places(&self, proposal: &Proposal) -> Result<BTreeMap<String, (PathBuf, Hierarchy)>> {
        let Some(folder) = &self.folder else { return Ok(BTreeMap::new()) };
        let mut files: BTreeMap<String, (PathBuf, Hierarchy)> = BTreeMap::new();
        let mut taken: Vec<String> = Vec::new();
        for column in &proposal.columns {
            let Some(tree) = &column.made else { continue };
            let stem = file_stem(&column.name);
            let mut name = stem.clone();
            // Columns of almost the same name, or of names without a letter. Some systems see no capitals.
            for number in 2.. {
                if !taken.contains(&name.to_lowercase()) {
                    break;
                }
                name = format!("{stem}-{number}");
            }
            taken.push(name.to_lowercase());
            let place = folder.join(format!("{name}.csv"));
            if !self.force {
                refuse_existing(&place)?;
            }
            if same_file(&place, &self.output) || replaces(&self.input, &place) {
                return Err(Error::job("a hierarchy would replace the table or the job file")
                    .in_file(place.display().to_string())
                    .help("name another folder with ‹hierarchies›"));
            }
            files.insert(column.name.clone(), (place, tree.clone()));
        }
        Ok(files)
    }

    /// Writes the job and its hierarchies, all or none. Only their owner may read them. Returns where hierarchies are.
    pub fn write(&self, proposed: &Proposed) -> Result<Vec<PathBuf>> {
        let fresh = self.folder.as_deref().filter(|folder| !proposed.files.is_empty() && !folder.exists());
        if let Some(folder) = fresh {
            std::fs::create_dir_all(folder).map_err(|e| write_error(&e, folder))?;
        }
        self.write_all(proposed).inspect_err(|_| {
            // Only where it is empty, so nothing of anybody goes.
            fresh.map(std::fs::remove_dir);
        })
    }

    fn write_all(&self, proposed: &Proposed) -> Result<Vec<PathBuf>> {
        let staged = |place: &Path, text: &str| {
            let staged = Staged::private(place)?;
            staged.writer()?.write_all(text.as_bytes()).map_err(|e| write_error(&e, place))?;
            Ok(staged)
        };
        let mut beside = Vec::new();
        for (place, tree) in proposed.files.values() {
            beside.push(staged(place, &write_hierarchy(tree, HierarchyFormat::Arx)?)?);
        }
        publish_together(staged(&self.output, &proposed.text)?, beside)?;
        Ok(proposed.files.values().map(|(place, _)| place.clone()).collect())
    }
}

fn refuse_existing(place: &Path) -> Result<()> {
    if real_place(place)?.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Error::job("there is a file of this name already")
        .in_file(place.display().to_string())
        .help("give another name, or say that it may be replaced (‹force›)"))
}

fn folder_of(file: &Path) -> &Path {
    if file == Path::new("-") { Path::new("") } else { file.parent().unwrap_or(Path::new("")) }
}

/// A place as a file in `base` names it: paths in job files start at their folder.
fn seen_from(place: &Path, base: &Path) -> PathBuf {
    if base == Path::new("") || place.is_absolute() {
        return place.to_owned();
    }
    if let Ok(rest) = place.strip_prefix(base) {
        return rest.to_owned();
    }
    std::path::absolute(place).unwrap_or_else(|_| place.to_owned())
}

/// A name for a file that every system takes.
fn file_stem(column: &str) -> String {
    let fine = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let name: String = column.chars().take(60).map(fine).collect();
    if name.is_empty() { "column".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_as_the_job_file_sees_them() {
        let seen =
            |place: &str, base: &str| seen_from(Path::new(place), Path::new(base)).display().to_string();
        assert_eq!(seen("x.csv", ""), "x.csv");
        assert_eq!(seen("jobs/x.csv", "jobs"), "x.csv");
        assert_eq!(seen("/data/x.csv", "jobs"), "/data/x.csv");
        assert!(seen("x.csv", "jobs").ends_with("/x.csv") && seen("x.csv", "jobs").starts_with('/'));
    }

    #[test]
    fn names_of_files_are_harmless() {
        for (column, expected) in [("a/../b", "a____b"), ("Größe", "Größe"), ("", "column"), ("x\n", "x_")]
        {
            assert_eq!(file_stem(column), expected);
        }
    }
}
