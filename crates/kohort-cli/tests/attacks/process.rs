//! Runs of the program that are watched from outside: signals, system calls, what lies on the disk.

use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::common::Desk;

/// The program under test.
pub(crate) fn program() -> PathBuf {
    std::env::var_os("KOHORT").map_or_else(|| assert_cmd::cargo::cargo_bin("kohort"), PathBuf::from)
}

/// A command at home in the folder of the desk; the program comes after `before`.
pub(crate) fn command(desk: &Desk, before: &[&str], line: &str) -> Command {
    let mut words: Vec<_> = before.iter().map(std::ffi::OsString::from).collect();
    words.push(program().into());
    words.extend(line.split_whitespace().map(std::ffi::OsString::from));
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(desk.path("")).env("TMPDIR", desk.path("tmp"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Whether system calls can be tampered with here.
pub(crate) fn has_strace() -> bool {
    let works = Command::new("strace")
        .args(["-f", "-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    if !works {
        println!("skipped: strace is not here, or may not be used");
    }
    works
}

/// Sends a signal by name.
pub(crate) fn send(signal: &str, child: &Child) {
    // The shell has `kill` built in; not every machine has it as a program. The process may have ended before.
    let line = format!("kill -{signal} {}", child.id());
    let _ = Command::new("sh").arg("-c").arg(line).stderr(Stdio::null()).status();
}

/// Waits for the end; kills what does not end in time.
pub(crate) fn end(child: &mut Child) -> Option<ExitStatus> {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(10) {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Feeds standard input without closing it; returns when nearly all of it was read.
pub(crate) fn feed(child: &mut Child, text: &str) -> std::process::ChildStdin {
    let mut stdin = child.stdin.take().unwrap();
    // More than a pipe holds: some of it has been read when all of it is written.
    for _ in 0..=(1 << 18) / text.len() {
        stdin.write_all(text.as_bytes()).unwrap();
    }
    stdin
}

/// What anybody finds in the folder of the desk that must not be there.
pub(crate) fn traces(desk: &Desk, marks: &[&str], inputs: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for path in desk.files().into_iter().filter(|p| p.is_file()) {
        let name = path.strip_prefix(desk.path("")).unwrap().display().to_string();
        if inputs.contains(&name.as_str()) {
            continue;
        }
        let is_hidden = path.file_name().unwrap().to_string_lossy().starts_with(".kohort-");
        let open = path.metadata().unwrap().permissions().mode() & 0o077 != 0;
        if open && is_hidden {
            found.push(format!("{name} can be read by others"));
        }
        if path.starts_with(desk.path("tmp")) {
            found.push(format!("{name} was left behind"));
        }
        let bytes = std::fs::read(&path).unwrap();
        let holds = |mark: &&&str| bytes.windows(mark.len()).any(|w| w == mark.as_bytes());
        if let Some(mark) = marks.iter().find(holds).filter(|_| open) {
            found.push(format!("{name} shows {mark}"));
        }
    }
    found
}

/// What is wrong with a release and the certificate beside it.
pub(crate) fn mismatch(release: &Path, certificate: &Path) -> Option<String> {
    let bytes = std::fs::read(release).ok()?;
    let Ok(text) = std::fs::read_to_string(certificate) else {
        return Some("a release without its certificate".into());
    };
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let stated = [&json["files"]["release_sha256"], &json["release"]["sha256"]];
    let digest = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let is_own = stated.iter().any(|s| s.as_str() == Some(digest.as_str()));
    (!is_own).then(|| "a release with the certificate of another one".into())
}

/// Replaces a folder by a copy of another one.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
