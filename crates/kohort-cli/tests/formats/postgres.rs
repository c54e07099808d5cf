//! The one-liner of the guide, against a real PostgreSQL. Where none can be started the test says so and passes.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Desk, PEOPLE, ROLES};

/// A server of its own in a folder of its own, that nobody else can reach: it listens on a socket there.
struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    /// Another user, where this one is root, which PostgreSQL does not run as.
    user: Option<&'static str>,
}

/// Where Debian's packages put the programs.
fn programs() -> Option<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .filter(|folder| folder.join("initdb").is_file())
        .collect();
    all.sort();
    all.pop()
}

fn output(command: &mut Command) -> Option<String> {
    let ran = command.output().ok()?;
    Some(String::from_utf8_lossy(&ran.stdout).into_owned()).filter(|_| ran.status.success())
}

impl Server {
    fn start() -> Option<Self> {
        let programs = programs()?;
        let folder = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").ok()?;
        let is_root = output(Command::new("id").arg("-u"))?.trim() == "0";
        let user = is_root.then_some("postgres");
        if let Some(user) = user {
            output(Command::new("chown").arg(user).arg(folder.path()))?;
        }
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).ok()?;
        let server = Self { folder, programs, user };
        let data = server.path().join("data");
        output(
            server
                .command("initdb")
                .args(["-A", "trust", "-U", "kohort", "-E", "UTF8", "-N", "-D"])
                .arg(&data),
        )?;
        let options = format!("-k {} -c listen_addresses='' -c fsync=off", server.path().display());
        // Its output must not be waited for: the server keeps it open.
        let mut start = server.command("pg_ctl");
        start
            .args(["-w", "-t", "60", "-o", &options, "-l"])
            .arg(server.path().join("log"))
            .arg("-D")
            .arg(&data)
            .arg("start");
        start.stdout(Stdio::null()).stderr(Stdio::null());
        start.status().ok().filter(std::process::ExitStatus::success)?;
        Some(server)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = match self.user {
            None => Command::new(program),
            Some(user) => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid", user, "--regid", user, "--clear-groups", "--"]).arg(program);
                command
            }
        };
        command.current_dir(self.path());
        command
    }

    /// What the guide begins the one-liner with.
    fn psql(&self) -> Command {
        let mut command = self.command("psql");
        command.args(["-X", "-q", "-U", "kohort", "-d", "postgres", "-h"]).arg(self.path());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.path().join("data");
        let _ = self.command("pg_ctl").args(["-m", "immediate", "stop", "-D"]).arg(data).output();
    }
}

#[test]
fn the_one_liner_of_the_guide_works_with_a_real_postgresql() {
    let guide = include_str!("../../../../docs/guide/files.md");
    let copy = "copy (select * from people) to stdout csv header";
    assert!(guide.contains(copy), "the guide says something else");
    let Some(server) = Server::start() else {
        eprintln!("skipped: no PostgreSQL could be started here (scripts/prepare installs one)");
        return;
    };
    let made = "create table people (name text, age integer, sex text, zip integer, illness text, note text)";
    assert!(server.psql().args(["-c", made]).status().unwrap().success());
    let desk = Desk::with_people();
    let mut fill = server.psql();
    fill.args(["-c", "copy people from stdin csv header"]).stdin(Stdio::piped());
    let mut fill = fill.spawn().unwrap();
    std::io::Write::write_all(&mut fill.stdin.take().unwrap(), PEOPLE.as_bytes()).unwrap();
    assert!(fill.wait().unwrap().success());
    let piped = server.psql().args(["-c", copy]).output().unwrap();
    assert!(piped.status.success(), "{}", String::from_utf8_lossy(&piped.stderr));
    desk.done(&format!("anonymize people.csv -o expected.csv {ROLES} --seed 1 --quiet"));
    let ran = desk.run_with(&format!("anonymize - -o r.csv {ROLES} --seed 1 --quiet"), &piped.stdout);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(desk.read("r.csv"), desk.read("expected.csv"));
    let verified = desk.run_with(&format!("verify r.csv --original - {ROLES}"), &piped.stdout);
    assert_eq!(verified.code, Some(0), "{}", verified.err);
}
