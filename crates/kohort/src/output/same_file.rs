//! Whether two names stand for one file: by another path, through a link, or as standard input or output.

use std::fs::Metadata;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Refuses to overwrite a file that is being read.
pub fn refuse_same_file(input: &Path, output: &Path) -> Result<()> {
    if replaces(input, output) {
        return Err(Error::job("the output is the input itself")
            .in_file(output.display().to_string())
            .help("write the release to another file"));
    }
    Ok(())
}

/// Whether writing `output` would replace the file that `input` is read from.
pub fn replaces(input: &Path, output: &Path) -> bool {
    is_one(&File::of(input, of(&std::io::stdin())), &File::of(output, of(&std::io::stdout())))
}

/// Whether two outputs are one file, also one that is not there yet.
pub fn same_file(a: &Path, b: &Path) -> bool {
    let stdout = of(&std::io::stdout());
    // Both to standard output is another matter.
    (a != b || a != Path::new("-")) && is_one(&File::of(a, stdout), &File::of(b, stdout))
}

/// A file by its full name and by its place on the disk, as far as they are known.
struct File {
    name: Option<PathBuf>,
    place: Option<(u64, u64)>,
}

impl File {
    fn of(path: &Path, stream: Option<(u64, u64)>) -> Self {
        if path == Path::new("-") {
            return Self { name: None, place: stream };
        }
        let folder = || path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
        let to_be = || Some(folder()?.canonicalize().ok()?.join(path.file_name()?));
        Self {
            name: path.canonicalize().ok().or_else(to_be),
            place: path.metadata().ok().and_then(|m| place(&m)),
        }
    }
}

fn is_one(a: &File, b: &File) -> bool {
    (a.name.is_some() && a.name == b.name) || (a.place.is_some() && a.place == b.place)
}

/// What standard input or output was redirected to.
fn of(stream: &impl AsFd) -> Option<(u64, u64)> {
    let file = std::fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
    file.metadata().ok().and_then(|m| place(&m))
}

/// Hard links have different names, but one place. Devices and pipes can be read and written at once.
fn place(of: &Metadata) -> Option<(u64, u64)> {
    of.is_file().then(|| (of.dev(), of.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.csv"), "x").unwrap();
        std::fs::write(at("b.csv"), "x").unwrap();
        std::fs::hard_link(at("a.csv"), at("hard.csv")).unwrap();
        std::os::unix::fs::symlink("a.csv", at("soft.csv")).unwrap();
        std::fs::create_dir(at("in")).unwrap();
        for other in ["a.csv", "hard.csv", "soft.csv", "in/../a.csv"] {
            assert!(same_file(&at("a.csv"), &at(other)), "{other}");
            assert!(replaces(&at(other), &at("a.csv")), "{other}");
        }
        assert!(!same_file(&at("a.csv"), &at("b.csv")));
        assert!(same_file(&at("new.csv"), &at("in/../new.csv")));
        assert!(!same_file(&at("new.csv"), &at("in/new.csv")));
    }
}
