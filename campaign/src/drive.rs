//! The only place that calls the library.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use kohort::Error;
use kohort::algorithm::{Quiet, Signal};
use kohort::input::JobSpec;
use kohort::job::Observer;
use kohort::job::files::{FileJob, FileVerifyJob};

use crate::files::Places;

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// With a release, and a certificate here.
    Released(Option<PathBuf>),
    /// No release exists, or none was found.
    Unsolvable(String),
    /// The job or the table is not usable.
    Refused(String),
    /// It failed by its own fault.
    Failed(String),
}

/// A watch that says that time is up from the beginning.
struct Hurry;

impl Observer for Hurry {
    fn signal(&self) -> Signal {
        Signal::TimeUp
    }
}

/// Runs a job file as `kohort anonymize --job` does.
pub fn anonymize(places: &Places, hurried: bool) -> Ended {
    let run = || {
        let watch: &dyn Observer = if hurried { &Hurry } else { &Quiet };
        let job = FileJob::new(JobSpec::read(&places.job)?)?;
        job.run(watch).map(|_| job.certificate_place())
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(certificate)) => Ended::Released(certificate),
        Ok(Err(e @ Error::Unsolvable(_))) => Ended::Unsolvable(e.to_string()),
        Ok(Err(e @ (Error::Input(_) | Error::Job(_)))) => Ended::Refused(e.to_string()),
        Ok(Err(e)) => Ended::Failed(format!("{e:?}")),
        Err(panic) => Ended::Failed(format!("panic: {}", panic_text(&*panic))),
    }
}

/// What `kohort verify` says about a release: what falls short, or that it could not be read.
pub fn verify(places: &Places, release: &Path) -> Result<Vec<String>, String> {
    let run = || {
        let file = JobSpec::read(&places.job)?;
        FileVerifyJob::new(&file, release.to_owned(), Some(places.input.clone()))
    };
    shortfalls(run)
}

/// What it says about a release of which nothing is known but its certificate.
pub fn confirm(release: &Path, certificate: &Path) -> Result<Vec<String>, String> {
    shortfalls(|| FileVerifyJob::with_certificate(&JobSpec::default(), release.to_owned(), None, certificate))
}

fn shortfalls(job: impl FnOnce() -> kohort::Result<FileVerifyJob>) -> Result<Vec<String>, String> {
    let run = || job()?.run(&Quiet).map(|verdict| verdict.shortfalls);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(said) => {
            said.map(|short| short.iter().map(ToString::to_string).collect()).map_err(|e| e.to_string())
        }
        Err(panic) => Err(format!("panic: {}", panic_text(&*panic))),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("?")
}
