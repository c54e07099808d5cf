//! A release as a file, with certificate and audit record beside it: all appear together, or none.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use arrow::datatypes::{Schema, SchemaRef};

use super::cannot_hold::cannot_hold;
use super::destinations;
use super::others_certificate::refuse_others;
use crate::error::{Error, Result, Said};
use crate::input::{FileTable, Format, JobSpec, TableSource};
use crate::ledger::{Ledger, LedgerFile, ReleaseRecord};
use crate::output::{Documents, OutBatch, Staged, TableSink, TableWriter, publish_together_if, write_error};
use crate::report::{Solutions, json_text};

/// The files of a job.
pub struct FileSink {
    output: PathBuf,
    format: Format,
    certificate: Option<PathBuf>,
    audit: Option<PathBuf>,
    solutions: Option<PathBuf>,
    /// Whether the certificate was given a place of its own.
    named: bool,
    /// Whether the release goes to a file without a name, which is gone with the run.
    is_scratch: bool,
    begun: Option<Begun>,
    writer: Option<TableWriter>,
}

/// Files that are not in their places yet.
struct Begun {
    release: Staged,
    certificate: Option<Staged>,
    audit: Option<Staged>,
    solutions: Option<Staged>,
}

impl FileSink {
    /// Where the job says. CSV keeps the separator of the input, but for tabs, which have an ending of their own.
    pub fn new(spec: &JobSpec, output: &Path, input: Format) -> Self {
        let format = match (Format::of(output), input) {
            (Format::Csv { separator: b',' }, Format::Csv { separator: b';' | b'|' }) => input,
            (asked, _) => asked,
        };
        Self {
            output: output.to_owned(),
            format,
            certificate: destinations::certificate(spec, output),
            audit: destinations::audit(spec, output),
            solutions: spec.solutions.clone(),
            named: spec.certificate.is_some(),
            is_scratch: false,
            begun: None,
            writer: None,
        }
    }

    /// What of the table the format of the release cannot hold. It is said before the work begins.
    pub(super) fn cannot_hold(&self, schema: &Schema) -> Option<Said> {
        cannot_hold(self.format, schema, &self.output)
    }

    /// Refuses to take the certificate of another release away.
    fn refuse_others(&self) -> Result<()> {
        let place = self.certificate.as_deref().filter(|_| self.named);
        place.map_or(Ok(()), |place| refuse_others(place, &self.output))
    }

    fn begun(&self) -> Result<&Begun> {
        self.begun.as_ref().ok_or_else(|| Error::internal("a file was written that was not begun"))
    }
}

impl TableSink for FileSink {
    fn name(&self) -> String {
        self.output.display().to_string()
    }

    fn is_text_only(&self) -> bool {
        self.format.is_text_only()
    }

    fn open(&mut self) -> Result<()> {
        self.refuse_others()?;
        let begun = |place: &Option<PathBuf>| place.as_deref().map(Staged::new).transpose();
        self.begun = Some(Begun {
            release: Staged::new(if self.is_scratch { Path::new("-") } else { &self.output })?,
            certificate: begun(&self.certificate)?,
            audit: self.audit.as_deref().map(Staged::private).transpose()?,
            solutions: self.solutions.as_deref().map(Staged::private).transpose()?,
        });
        Ok(())
    }

    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        // Of a single column no reader could find out what else separates.
        if schema.fields().len() == 1 {
            self.format = Format::of(&self.output);
        }
        let staged = &self.begun()?.release;
        self.writer = Some(TableWriter::new(staged, &self.output, self.format, schema.clone())?);
        Ok(())
    }

    fn write(&mut self, rows: &OutBatch<'_>) -> Result<()> {
        let writer = self.writer.as_mut();
        writer.ok_or_else(|| Error::internal("rows were written to a table that was not begun"))?.write(rows)
    }

    fn finish(&mut self) -> Result<Box<dyn TableSource>> {
        if let Some(writer) = self.writer.take() {
            writer.finish()?;
        }
        let staged = &self.begun()?.release;
        Ok(Box::new(FileTable::open_as(staged.path(), self.format, &self.name())?))
    }

    fn twin(&self) -> Box<dyn TableSink> {
        Box::new(Self {
            output: self.output.clone(),
            format: self.format,
            certificate: None,
            audit: None,
            solutions: None,
            named: false,
            is_scratch: true,
            begun: None,
            writer: None,
        })
    }

    fn certificate_place(&self) -> Option<String> {
        self.certificate.as_ref().map(|place| place.display().to_string())
    }

    fn publish(&mut self, documents: &Documents<'_>) -> Result<()> {
        let (release, companions) = self.filled(documents)?;
        // Once more: another run may have been faster.
        publish_together_if(release, companions, || self.refuse_others())
    }
}

impl FileSink {
    /// Hands the release of a growing table over together with its ledger: both change, or neither.
    pub(super) fn commit(
        &mut self,
        documents: &Documents<'_>,
        file: LedgerFile,
        ledger: &mut Ledger,
    ) -> Result<()> {
        let (release, companions) = self.filled(documents)?;
        self.refuse_others()?;
        if let Some(record) = ledger.releases.last_mut() {
            let now = ReleaseRecord::of(record.number, &release, record.rows, record.first_new_atom)?;
            *record = ReleaseRecord { batch: record.batch.take(), ..now };
        }
        file.commit(ledger, release, companions)
    }

    /// The release and what belongs to it, complete and not in their places yet.
    fn filled(&mut self, documents: &Documents<'_>) -> Result<(Staged, Vec<Staged>)> {
        let begun = self.begun.take();
        let Begun { release, certificate, audit, solutions } =
            begun.ok_or_else(|| Error::internal("there is no release to be published"))?;
        if let (Some(staged), Some(place)) = (&certificate, &self.certificate) {
            fill(staged, place, &json_text(documents.certificate)?)?;
        }
        if let (Some(staged), Some(place)) = (&audit, &self.audit) {
            fill(staged, place, &json_text(documents.audit)?)?;
        }
        if let (Some(staged), Some(place)) = (&solutions, &self.solutions) {
            list(documents.solutions, staged, place)?;
        }
        Ok((release, audit.into_iter().chain(certificate).chain(solutions).collect()))
    }
}

/// Fills a file that was begun.
fn fill(staged: &Staged, place: &Path, text: &str) -> Result<()> {
    staged.writer()?.write_all(text.as_bytes()).map_err(|e| write_error(&e, place))
}

/// Writes the list of solutions in the format its name asks for.
fn list(solutions: &Solutions, staged: &Staged, place: &Path) -> Result<()> {
    let to = BufWriter::new(staged.writer()?);
    let written = if destinations::is_json(place) { solutions.json(to) } else { solutions.csv(to) };
    written.map_err(|e| e.in_file(place.display().to_string()))
}
