//! Files appear whole or not at all: written beside their final place under a hidden name, then renamed.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::devices::is_among_devices;
use super::hidden::{Hidden, sweep, usual_mode};
use super::publish::publish_together;
use crate::error::{Error, Result};
use crate::input::{Scratch, no_scratch, platform};

/// A file that is not there yet. Dropping it removes every trace.
pub struct Staged {
    kind: Kind,
    target: PathBuf,
}

enum Kind {
    /// For standard output; it never has a name.
    Stream(Scratch),
    /// Beside its final place, and the mode it will have there.
    Beside(Hidden, u32),
}

/// What is meant for its owner alone.
const PRIVATE: u32 = 0o600;

impl Staged {
    /// Starts a file whose final place is `target`; `-` is standard output. Until it is published only its owner may read
    /// it, then whoever may read the file it replaces, or any new file.
    pub fn new(target: &Path) -> Result<Self> {
        Self::with(target, |place, folder| match place.metadata() {
            Ok(there) => Ok(platform::mode(&there).unwrap_or(0o666) & 0o777),
            Err(_) => usual_mode(folder),
        })
    }

    /// Starts a file that only its owner may read, now and later, whoever might read the one it replaces.
    pub fn private(target: &Path) -> Result<Self> {
        Self::with(target, |_, _| Ok(PRIVATE))
    }

    fn with(target: &Path, mode: impl Fn(&Path, &Path) -> io::Result<u32>) -> Result<Self> {
        let target = real_place(target)?;
        if target == Path::new("-") {
            return Ok(Self { kind: Kind::Stream(Scratch::new()?), target });
        }
        let folder = folder_of(&target);
        sweep(folder);
        let beside = mode(&target, folder).and_then(|mode| Ok((Hidden::new_in(folder)?, mode)));
        let (hidden, mode) = beside.map_err(|e| write_error(&e, &target))?;
        Ok(Self { kind: Kind::Beside(hidden, mode), target })
    }

    /// Where the bytes are until they are published.
    pub fn path(&self) -> &Path {
        match &self.kind {
            Kind::Stream(scratch) => scratch.path(),
            Kind::Beside(hidden, _) => hidden.path(),
        }
    }

    /// Something to write to.
    pub fn writer(&self) -> Result<File> {
        let writer = match &self.kind {
            Kind::Stream(scratch) => scratch.writer(),
            Kind::Beside(hidden, _) => File::options().read(true).write(true).open(hidden.path()),
        };
        writer.map_err(|e| write_error(&e, &self.target))
    }

    /// Puts the finished file in its place.
    pub fn publish(self) -> Result<()> {
        publish_together(self, Vec::new())
    }

    /// Where the file will be.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    pub(super) fn is_stream(&self) -> bool {
        matches!(self.kind, Kind::Stream(_))
    }

    /// Who may read the file in its place; none for standard output.
    pub(super) fn mode(&self) -> Option<u32> {
        if let Kind::Beside(_, mode) = &self.kind { Some(*mode) } else { None }
    }

    /// Waits until the bytes are on the disk.
    pub(crate) fn sync(&self) -> Result<()> {
        match &self.kind {
            Kind::Stream(_) => Ok(()),
            Kind::Beside(hidden, _) => hidden.file().sync_all().map_err(|e| write_error(&e, &self.target)),
        }
    }

    /// Renames the file to its final name. Only then others may read it: a hidden file never shows anything, even when the
    /// process is killed just now.
    pub(crate) fn put_in_place(self) -> Result<Hidden> {
        let Kind::Beside(mut file, mode) = self.kind else {
            return Err(Error::internal("standard output is not a place for a file"));
        };
        file.become_file(&self.target).map_err(|e| write_error(&e, &self.target))?;
        if mode != PRIVATE {
            // Some file systems have no modes.
            platform::set_mode_of(file.file(), mode);
        }
        Ok(file)
    }

    /// Gives the file a name under which it waits, still for its owner alone. It stays there until it is removed.
    pub(super) fn become_pending(self, name: &Path) -> Result<Hidden> {
        let Kind::Beside(mut file, _) = self.kind else {
            return Err(Error::internal("standard output is not a place for a file"));
        };
        file.become_file(name).map_err(|e| write_error(&e, &self.target))?;
        Ok(file)
    }

    /// Copies the bytes to standard output.
    pub(super) fn stream(self) -> Result<()> {
        let mut file = File::open(self.path()).map_err(|e| no_scratch(&e))?;
        let mut out = io::stdout().lock();
        STREAMING.store(true, Ordering::Relaxed);
        let copied = io::copy(&mut file, &mut out).and_then(|_| out.flush());
        STREAMING.store(false, Ordering::Relaxed);
        match copied {
            // `kohort … -o - | head` is no error.
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done.map_err(|e| cannot_write(&e).at("standard output")),
        }
    }
}

static STREAMING: AtomicBool = AtomicBool::new(false);

/// Whether bytes are going to standard output, which may take as long as its reader likes.
pub fn is_streaming() -> bool {
    STREAMING.load(Ordering::Relaxed)
}

/// The folder a file lies in.
pub(super) fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Follows a link to the file it names; refuses what a rename would replace by a file: folders, devices, pipes.
pub(crate) fn real_place(target: &Path) -> Result<PathBuf> {
    let is_link = target.symlink_metadata().is_ok_and(|m| m.is_symlink());
    let place =
        if is_link { target.canonicalize().unwrap_or_else(|_| target.to_owned()) } else { target.to_owned() };
    let shown = target.display().to_string();
    if target != Path::new("-") && is_among_devices(target) {
        return Err(Error::input("this stands for a device or an open stream, expected a file")
            .in_file(shown)
            .help("write - for standard output: ‹output=-›"));
    }
    match place.metadata() {
        Ok(m) if m.is_dir() => Err(Error::input("this is a folder, expected a file name")
            .in_file(shown)
            .help("add a file name to it")),
        Ok(m) if !m.is_file() && target != Path::new("-") => {
            Err(Error::input("this is a device or pipe, expected a file")
                .in_file(shown)
                .help("write - for standard output, and send that to the pipe: ‹output=-› > pipe"))
        }
        _ => Ok(place),
    }
}

/// What to say when writing fails. What is meant for standard output is written to a temporary file first.
pub fn write_error(e: &io::Error, target: &Path) -> Error {
    if target == Path::new("-") {
        return no_scratch(e);
    }
    cannot_write(e).in_file(target.display().to_string())
}

fn cannot_write(e: &io::Error) -> Error {
    let help = match e.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or choose another place; nothing was written"
        }
        io::ErrorKind::FileTooLarge => {
            "files may not grow that large here (ulimit -f); choose another place; nothing was written"
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
    // The name of the temporary file says nothing to anybody.
    let said = e.to_string();
    let what = said.split_once(" at path ").map_or(said.as_str(), |(what, _)| what);
    Error::input(format!("cannot write: {what}")).help(help)
}
