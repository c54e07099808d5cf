//! Names that stand for an open stream or a device rather than for a file.

use std::path::{Path, PathBuf};

/// As many links as the system follows.
const MOST_LINKS: usize = 40;

/// Whether a name lies among the devices, or the open files of a process, or is a link to one that does. `/dev/stdout` may
/// well lead to a file in the end, where the shell sent it; but what is renamed to it, or put beside it, goes astray.
pub(super) fn is_among_devices(path: &Path) -> bool {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Some(folder) = folder(&path) else { return false };
        // The one place below /dev that is made for files.
        let is_memory = folder.starts_with("/dev/shm");
        if !is_memory && (folder.starts_with("/dev") || folder.starts_with("/proc")) {
            return true;
        }
        match path.read_link() {
            Ok(next) => path = folder.join(next),
            Err(_) => return false,
        }
    }
    false
}

fn folder(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_any_name() {
        let desk = tempfile::tempdir().unwrap();
        let link = desk.path().join("link.csv");
        std::os::unix::fs::symlink("/dev/stdout", &link).unwrap();
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/null"] {
            assert!(is_among_devices(Path::new(name)), "{name}");
        }
        assert!(is_among_devices(&link));
        assert!(!is_among_devices(&desk.path().join("r.csv")));
        assert!(!is_among_devices(Path::new("r.csv")));
    }
}
