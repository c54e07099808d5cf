//! A growing table in files: its ledger, its last release, a batch, and the next release.

use std::path::{Path, PathBuf};

use super::{FileSink, destinations, told};
use crate::algorithm::{InsertionRule, Observer, Stage};
use crate::error::{Error, Result, Said};
use crate::input::{FileTable, Format, JobSpec, ReadOptions, TableSource};
use crate::job::append::{Appended, Earlier, append, begin};
use crate::ledger::{Ledger, LedgerFile, Settled};

/// What is said about an append beside the job.
#[derive(Debug, Clone, Default)]
pub struct AppendPlaces {
    /// The ledger; made with the first release.
    pub ledger: PathBuf,
    /// Where the last release is, if it was moved.
    pub previous: Option<PathBuf>,
    /// A list of those whose rows are to be taken out.
    pub withdraw: Option<PathBuf>,
    /// Whether rows of others may go with them.
    pub withhold: bool,
    /// How new rows join classes one by one, where nobody has seen an earlier release.
    pub rule: Option<InsertionRule>,
    /// Whether nobody is going to see the release that this call makes.
    pub unpublished: bool,
    /// Whether an earlier release that was not to be seen was published after all.
    pub published: bool,
}

/// The next release of a growing table, from files to files.
pub struct FileAppendJob {
    spec: JobSpec,
    places: AppendPlaces,
    output: PathBuf,
}

impl FileAppendJob {
    /// Checks what can be checked before any data is read. What is asked is said with the first release alone.
    pub fn new(spec: JobSpec, places: AppendPlaces) -> Result<Self> {
        let output = spec.output.clone().ok_or_else(|| {
            Error::job("no place for the release was given")
                .option("output")
                .help("say where to write it, such as ‹output=release.csv›")
        })?;
        if output == Path::new("-") {
            return Err(Error::job(
                "the next release of a growing table goes to a file, not to standard output",
            )
            .option_with("output", "-")
            .help("name a file: the release after it is made from it"));
        }
        let read = [spec.input.as_ref(), places.withdraw.as_ref(), Some(&places.ledger)];
        for input in read.into_iter().flatten() {
            destinations::check(&spec, input, &output)?;
        }
        Ok(Self { spec, places, output })
    }

    /// Makes the release, and changes the ledger with it.
    pub fn run(&self, observer: &dyn Observer) -> Result<Appended> {
        observer.enter(Stage::Read, 0);
        // Before the batch, which may take long to be read: who waits for the ledger should know at once.
        let opened = LedgerFile::open_or_new(&self.places.ledger)?;
        // Rows that come later may have texts where these have numbers.
        let reading = ReadOptions { as_text: true, ..self.spec.reading() };
        let open = |batch| FileTable::open_with(batch, &reading);
        let batch = self.spec.input.as_deref().map(open).transpose()?;
        if let Some(batch) = &batch {
            told(batch, observer);
        }
        let format = batch.as_ref().map_or_else(|| Format::of(&self.output), FileTable::format);
        let notes = batch.iter().flat_map(|batch| batch.notes().to_vec()).collect();
        let source = batch.as_ref().map(|batch| batch as &dyn TableSource);
        self.run_with(opened, source, (format, notes), observer)
    }

    /// The same with a batch that is open already. Its columns must have the types that the first one had.
    pub fn run_on(&self, batch: Option<&dyn TableSource>, observer: &dyn Observer) -> Result<Appended> {
        observer.enter(Stage::Read, 0);
        let opened = LedgerFile::open_or_new(&self.places.ledger)?;
        self.run_with(opened, batch, (Format::of(&self.output), Vec::new()), observer)
    }

    fn run_with(
        &self,
        (file, ledger): (LedgerFile, Option<Ledger>),
        batch: Option<&dyn TableSource>,
        (format, notes): (Format, Vec<Said>),
        observer: &dyn Observer,
    ) -> Result<Appended> {
        let settled = file.settled();
        let mut sink = FileSink::new(&self.spec, &self.output, format);
        let cannot_hold = batch.map(|batch| sink.cannot_hold(batch.schema())).unwrap_or_default();
        if let Some(note) = &cannot_hold {
            observer.hear(note);
        }
        let mut appended = match ledger {
            None => self.first(batch, &mut sink, observer)?,
            Some(mut ledger) => {
                ledger.published |= self.places.published;
                self.later(ledger, batch, &mut sink, observer)?
            }
        };
        appended.outcome.notes.extend(notes.into_iter().chain(cannot_hold));
        appended.outcome.notes.extend(settled.map(|settled| {
            match settled {
                Settled::Finished(number) => {
                    format!("an earlier run was interrupted: release {number} was put in its place first")
                }
                Settled::Undone => {
                    "an earlier run was interrupted before its release was recorded: what it left was removed"
                        .to_owned()
                }
            }
            .into()
        }));
        sink.commit(&appended.outcome.documents(), file, &mut appended.ledger)?;
        Ok(appended)
    }

    fn first(
        &self,
        batch: Option<&dyn TableSource>,
        sink: &mut FileSink,
        observer: &dyn Observer,
    ) -> Result<Appended> {
        let none = || {
            Error::job("there is no ledger yet: the first call makes it, with the first release")
                .in_file(self.places.ledger.display().to_string())
        };
        let AppendPlaces { previous, withdraw, rule, published, .. } = &self.places;
        if previous.is_some() || withdraw.is_some() || rule.is_some() || *published {
            return Err(none().help(
                "check the name of the ledger; ‹previous›, ‹withdraw›, ‹rule› and ‹published› speak of earlier releases",
            ));
        }
        let batch = batch
            .ok_or_else(|| none().option("input").help("name a table, or check the name of the ledger"))?;
        if self.spec.k.is_none() && self.spec.path.is_none() {
            return Err(none().option("k").help(
                "check the name of the ledger; a new one is only for people who were never released, and its first call says what is asked, such as ‹k=10›",
            ));
        }
        let mut begun = begin(&self.spec, batch, sink, observer)?;
        begun.ledger.published = !self.places.unpublished;
        begun.outcome.notes.push(
            format!(
                "a new ledger was begun, {}: nobody in this table may be in a release that was made without it",
                self.places.ledger.display()
            )
            .into(),
        );
        Ok(begun)
    }

    fn later(
        &self,
        ledger: Ledger,
        batch: Option<&dyn TableSource>,
        sink: &mut FileSink,
        observer: &dyn Observer,
    ) -> Result<Appended> {
        if ledger.published && self.places.unpublished {
            return Err(Error::job(
                "an earlier release of this table was published, and nobody can take that back",
            )
            .in_file(self.places.ledger.display().to_string())
            .option("unpublished")
            .help("omit ‹unpublished›: a release that nobody gets to see is as safe as any other"));
        }
        let recorded = ledger.releases.last().map(|release| release.place.clone());
        let place = self.places.previous.clone().or(recorded).unwrap_or_default();
        if !place.is_file() {
            return Err(Error::input("the last release is not there, and the next one is made from it")
                .in_file(place.display().to_string())
                .option("previous")
                .help("bring it back, or say where it is now with ‹previous=FILE›"));
        }
        let last = FileTable::open_release(&place)?;
        let beside = ReadOptions { as_text: true, ..self.spec.reading().beside() };
        let open = |list| FileTable::open_with(list, &beside);
        let withdrawn = self.places.withdraw.as_deref().map(open).transpose()?;
        let replaced = self.replaced(&ledger);
        let earlier = Earlier {
            ledger,
            last: &last,
            withdrawn: withdrawn.as_ref().map(|list| list as &dyn TableSource),
            withhold: self.places.withhold,
            rule: self.places.rule,
        };
        let mut appended = append(&self.spec, &earlier, batch, sink, observer)?;
        appended.ledger.published = !self.places.unpublished;
        appended.outcome.notes.extend(replaced);
        if !earlier.ledger.published && appended.ledger.published {
            appended.outcome.notes.push(
                "this release counts as published, so no more rows join its groups one by one; ‹unpublished› would have said that nobody sees it"
                    .to_owned()
                    .into(),
            );
        }
        Ok(appended)
    }

    /// That the place of the release is that of an earlier one.
    fn replaced(&self, ledger: &Ledger) -> Option<Said> {
        let place = std::path::absolute(&self.output).ok()?;
        let earlier = ledger.releases.iter().rev().find(|release| release.place == place)?;
        Some(
            format!(
                "{} held release {}, which was replaced with its certificate and audit record: keep a copy of what you publish",
                self.output.display(),
                earlier.number
            )
            .into(),
        )
    }

    /// Where the certificate goes.
    pub fn certificate_place(&self) -> Option<PathBuf> {
        destinations::certificate(&self.spec, &self.output)
    }

    /// Where the private audit record goes.
    pub fn audit_place(&self) -> Option<PathBuf> {
        destinations::audit(&self.spec, &self.output)
    }

    /// Where the ledger is.
    pub fn ledger_place(&self) -> &Path {
        &self.places.ledger
    }
}

/// Records that the releases of a ledger were published after all, without making another one. Says whether that is news.
pub fn mark_published(ledger: &Path) -> Result<bool> {
    let (file, mut ledger) = LedgerFile::open(ledger)?;
    let is_news = !ledger.published;
    ledger.published = true;
    if is_news {
        file.replace(&ledger)?;
    }
    Ok(is_news)
}
