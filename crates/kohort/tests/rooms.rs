//! What the sources keep to and Rust does not enforce. The corridor: a room uses only rooms to its left. Speech: no room
//! spells a flag.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::{Path, PathBuf};

#[path = "rooms/flags.rs"]
mod flags;
#[path = "rooms/literals.rs"]
mod literals;
#[path = "rooms/paths.rs"]
mod paths;

use paths::rooms_used;

/// From left to right.
const CORRIDOR: [&str; 21] = [
    "error",
    "parameter",
    "data",
    "demand",
    "generate",
    "input",
    "propose",
    "model",
    "measure",
    "space",
    "solution",
    "bound",
    "algorithm",
    "catalog",
    "recode",
    "verify",
    "risk",
    "report",
    "output",
    "ledger",
    "job",
];

/// Rooms that a room must not use although they lie to its left: the witness does not ask those it doubts.
const FORBIDDEN: [(&str, &[&str]); 2] = [
    ("verify", &["model", "space", "solution", "bound", "algorithm", "recode"]),
    ("risk", &["model", "space", "solution", "bound", "algorithm", "recode"]),
];

/// What is wrong with the arrows of one file, each with its line.
fn complaints(file: &Path, text: &str) -> Vec<String> {
    let parts: Vec<String> =
        file.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
    let room = parts[0].as_str();
    let place = |name: &str| CORRIDOR.iter().position(|r| *r == name);
    let here = place(room).unwrap_or_else(|| panic!("{} is in no room of the corridor", file.display()));
    // `mod.rs` is the room itself, other files lie one deeper.
    let depth = parts.len() - usize::from(parts.last().is_some_and(|p| p == "mod"));
    let mut found = Vec::new();
    for (line, used) in rooms_used(text, depth) {
        let at = format!("src/{}:{line}", file.display());
        if FORBIDDEN.iter().any(|(who, whom)| *who == room && whom.contains(&used.as_str())) {
            found.push(format!("{at}: {room} must not use {used}"));
        }
        match place(&used) {
            Some(there) if there <= here => {}
            Some(_) => found.push(format!("{at}: {room} uses {used}: the arrow points backwards")),
            None => found.push(format!("{at}: {room} uses {used}, which is no room of the corridor")),
        }
    }
    found
}

/// Every source file below a folder, except those that hold only tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs")
            && path.file_stem().is_some_and(|s| s != "tests")
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn no_arrow_points_backwards() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut arrows = 0;
    for path in sources(&src) {
        let file = path.strip_prefix(&src).unwrap();
        if file != Path::new("lib.rs") {
            let text = fs::read_to_string(&path).unwrap();
            arrows += rooms_used(&text, 9).len();
            found.extend(complaints(file, &text));
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    assert!(arrows > 100, "only {arrows} uses were found: the reader is blind");
}

#[test]
fn every_room_is_in_the_corridor() {
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let mut rooms: Vec<&str> =
        lib.lines().filter_map(|l| l.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let mut corridor = CORRIDOR.to_vec();
    rooms.sort_unstable();
    corridor.sort_unstable();
    assert_eq!(rooms, corridor);
}

#[test]
fn a_backward_arrow_is_caught() {
    let caught = |file: &str, text: &str| complaints(Path::new(file), text);
    let message = "src/verify/mod.rs:2: verify uses output: the arrow points backwards";
    assert_eq!(caught("verify/mod.rs", "\nuse crate::output::Staged;\n"), [message]);
    assert_eq!(caught("verify/mod.rs", "\nfn f() { crate::output::go() }\n"), [message]);
    assert_eq!(caught("verify/mod.rs", "\nuse super::output::Staged;\n"), [message]);
    let nested = "use crate::{\n    data::{Cell, Table},\n    job::{Job, order::{a, b}},\n};\n";
    assert_eq!(caught("recode.rs", nested), ["src/recode.rs:3: recode uses job: the arrow points backwards"]);
    let deep = "use super::super::report::Summary;";
    assert_eq!(
        caught("data/table.rs", deep),
        ["src/data/table.rs:1: data uses report: the arrow points backwards"]
    );
    assert_eq!(caught("data/table.rs", "use crate::cellar::Wine;").len(), 1);
}

#[test]
fn what_is_no_backward_arrow_passes() {
    let fine = "\
use crate::data::Cell;
use crate::{Error, Result};
use super::job::inner;
/// See [`crate::job::Job`].
// crate::output is to the right.
const TEXT: &str = \"crate::job::\";
#[cfg(test)]
mod tests {
    use crate::job::Job;
}
";
    assert_eq!(complaints(Path::new("verify/mod.rs"), &fine.replace("super::job", "self::job")), [""; 0]);
    assert_eq!(
        complaints(Path::new("verify/loss.rs"), fine),
        [""; 0],
        "`super` of a deeper file is its own room"
    );
}
