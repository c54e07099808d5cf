//! Files appear whole or not at all: written beside their final place under a temporary name, then renamed.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::{Error, Result};

/// A file that is not there yet. Dropping it removes every trace.
pub struct Staged {
    file: NamedTempFile,
    target: PathBuf,
}

impl Staged {
    /// Starts a file whose final place is `target`; `-` is standard output.
    pub fn new(target: &Path) -> Result<Self> {
        let target = &real_place(target)?;
        let file = if target == Path::new("-") {
            Builder::new().prefix(".kohort-").tempfile()
        } else {
            let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            // Like any file a person creates: the umask decides who else may read it.
            Builder::new().prefix(".kohort-").permissions(Permissions::from_mode(0o666)).tempfile_in(folder)
        };
        let file = file.map_err(|e| write_error(&e, target))?;
        Ok(Self { file, target: target.to_owned() })
    }

    /// Where the bytes are until [`Staged::publish`].
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Something to write to.
    pub fn writer(&self) -> Result<std::fs::File> {
        self.file.reopen().map_err(|e| write_error(&e, &self.target))
    }

    /// Puts the finished file in its place.
    pub fn publish(self) -> Result<()> {
        let target = self.target;
        if target == Path::new("-") {
            let mut file = self.file.reopen().map_err(|e| write_error(&e, &target))?;
            let mut out = io::stdout().lock();
            return match io::copy(&mut file, &mut out).and_then(|_| out.flush()) {
                // `kohort … -o - | head` is no error.
                Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                done => done.map_err(|e| write_error(&e, &target)),
            };
        }
        self.file.as_file().sync_all().map_err(|e| write_error(&e, &target))?;
        self.file.persist(&target).map(|_| ()).map_err(|e| write_error(&e.error, &target))
    }
}

/// Follows a link to the file it names; refuses what a rename would replace by a file: folders, devices, pipes.
fn real_place(target: &Path) -> Result<PathBuf> {
    let is_link = target.symlink_metadata().is_ok_and(|m| m.is_symlink());
    let place =
        if is_link { target.canonicalize().unwrap_or_else(|_| target.to_owned()) } else { target.to_owned() };
    let shown = target.display().to_string();
    match place.metadata() {
        Ok(m) if m.is_dir() => Err(Error::input("this is a folder, expected a file name")
            .at(shown)
            .help("add a file name to it")),
        Ok(m) if !m.is_file() && target != Path::new("-") => {
            Err(Error::input("this is a device or pipe, expected a file")
                .at(shown)
                .help("use -o - to write to a pipe"))
        }
        _ => Ok(place),
    }
}

/// What to say when writing fails.
pub fn write_error(e: &io::Error, target: &Path) -> Error {
    let help = match e.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or choose another place; nothing was written"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a folder you may write to; nothing was written"
        }
        io::ErrorKind::NotADirectory => {
            "a part of this path is a file, expected a folder; nothing was written"
        }
        io::ErrorKind::NotFound => "create the folder first; nothing was written",
        _ => "nothing was written",
    };
    let place =
        if target == Path::new("-") { "standard output".into() } else { target.display().to_string() };
    // The name of the temporary file says nothing to anybody.
    let said = e.to_string();
    let what = said.split_once(" at path ").map_or(said.as_str(), |(what, _)| what);
    Error::input(format!("cannot write: {what}")).at(place).help(help)
}

/// Endings that promise a format nobody would find inside.
const FOREIGN: [&str; 14] =
    ["xlsx", "xls", "ods", "json", "jsonl", "html", "gz", "zip", "zst", "bz2", "xz", "sav", "dta", "rds"];

/// Refuses a table under the name of something else.
pub fn refuse_foreign_ending(output: &Path) -> Result<()> {
    let ending = output.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    if FOREIGN.contains(&ending.as_str()) {
        return Err(Error::job(format!("kohort writes no .{ending} files"))
            .at(output.display().to_string())
            .help("end the name in .csv, .tsv, .parquet or .arrow"));
    }
    Ok(())
}

/// Refuses to overwrite a file that is being read.
pub fn refuse_same_file(input: &Path, output: &Path) -> Result<()> {
    if same_file(input, output) {
        return Err(Error::job("the output is the input itself")
            .at(output.display().to_string())
            .help("write the release to another file"));
    }
    Ok(())
}

/// Whether two names stand for one file, also for one that is not there yet.
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (real(a), real(b)) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

fn real(path: &Path) -> Option<PathBuf> {
    if path == Path::new("-") {
        return None;
    }
    let folder = || path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    path.canonicalize().ok().or_else(|| Some(folder()?.canonicalize().ok()?.join(path.file_name()?)))
}
