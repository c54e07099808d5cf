//! Whether two names stand for one file: by another path, through a link, or as standard input or output.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::input::platform;

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
    is_one(&File::of(input, platform::standard_input()), &File::of(output, platform::standard_output()))
}

/// Whether two outputs are one file, also one that is not there yet.
pub fn same_file(a: &Path, b: &Path) -> bool {
    let stdout = platform::standard_output();
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
            place: path.metadata().ok().filter(Metadata::is_file).and_then(|m| platform::place(&m)),
        }
    }
}

fn is_one(a: &File, b: &File) -> bool {
    (a.name.is_some() && a.name == b.name) || (a.place.is_some() && a.place == b.place)
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
