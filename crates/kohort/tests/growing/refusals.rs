//! What is refused, with the reason and a way out; nothing changes then.

use std::fs;
use std::path::{Path, PathBuf};

use kohort::Quiet;
use kohort::input::JobSpec;
use kohort::job::append::Appended;
use kohort::job::files::{AppendPlaces, FileAppendJob};
use kohort::ledger::LedgerFile;

use super::series::{COLUMNS, Dice, Row, people, spec};

/// A folder with a ledger and its first release.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new(spec: &JobSpec) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        write(&desk.at("first.csv"), &COLUMNS, &people(&mut Dice::new(1), 0, 40));
        write(&desk.at("next.csv"), &COLUMNS, &people(&mut Dice::new(2), 100, 20));
        fs::create_dir(desk.at("trees")).unwrap();
        fs::write(desk.at("trees/sex.csv"), "f;*\nm;*\n").unwrap();
        let spec = JobSpec { hierarchies: Some(desk.at("trees")), ..spec.clone() };
        desk.append(&desk.from("first.csv", "r1.csv", spec), AppendPlaces::default()).unwrap();
        desk
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A job from file to file.
    fn from(&self, input: &str, output: &str, spec: JobSpec) -> JobSpec {
        JobSpec { input: Some(self.at(input)), output: Some(self.at(output)), ..spec }
    }

    fn append(&self, spec: &JobSpec, places: AppendPlaces) -> kohort::Result<Appended> {
        let places = AppendPlaces { ledger: self.at("table.ledger"), ..places };
        FileAppendJob::new(spec.clone(), places)?.run(&Quiet)
    }

    /// Refuses, and leaves ledger and releases as they were.
    fn refused(&self, given: JobSpec, places: AppendPlaces) -> String {
        let ledger = fs::read(self.at("table.ledger")).unwrap();
        let e = self.append(&self.from("next.csv", "r2.csv", given), places).unwrap_err().to_string();
        assert!(e.contains("way out"), "{e}");
        assert!(!self.at("r2.csv").exists());
        assert_eq!(fs::read(self.at("table.ledger")).unwrap(), ledger);
        e
    }

    fn next(&self) -> kohort::Result<Appended> {
        self.append(&self.from("next.csv", "r2.csv", JobSpec::default()), AppendPlaces::default())
    }
}

fn write(path: &Path, columns: &[&str], rows: &[Row]) {
    let mut text = columns.join(",") + "\n";
    for row in rows {
        text += &(columns.iter().map(|name| row[*name].clone()).collect::<Vec<_>>().join(",") + "\n");
    }
    fs::write(path, text).unwrap();
}

#[test]
fn files_grow_and_say_what_became_of_the_batch() {
    let desk = Desk::new(&spec());
    let appended = desk.next().unwrap();
    assert_eq!((appended.growth.release, appended.growth.batch), (2, 20));
    let certificate = fs::read_to_string(desk.at("r2.csv.certificate.json")).unwrap();
    assert!(
        certificate.contains("\"release_of_series\": 2") && !certificate.contains("waiting"),
        "{certificate}"
    );
    let audit = fs::read_to_string(desk.at("r2.csv.audit.json")).unwrap();
    assert!(audit.contains("\"growth\"") && audit.contains("\"waiting\""), "{audit}");
    // Where the last release went.
    fs::rename(desk.at("r2.csv"), desk.at("moved.csv")).unwrap();
    let again = desk.from("first.csv", "r3.csv", JobSpec::default());
    let lost = desk.append(&again, AppendPlaces::default()).unwrap_err().to_string();
    assert!(lost.contains("previous"), "{lost}");
    let places = || AppendPlaces { previous: Some(desk.at("moved.csv")), ..AppendPlaces::default() };
    // The same file is told by its digest, another file with the same people by their keys.
    let twice = desk.append(&again, places()).unwrap_err().to_string();
    assert!(twice.contains("this batch was given before"), "{twice}");
    let first = fs::read_to_string(desk.at("first.csv")).unwrap();
    fs::write(desk.at("same.csv"), first.replace('\n', "\r\n")).unwrap();
    let same = desk.from("same.csv", "r3.csv", JobSpec::default());
    let twice = desk.append(&same, places()).unwrap_err().to_string();
    assert!(twice.contains("same identifiers as rows that were given before"), "{twice}");
    write(&desk.at("third.csv"), &COLUMNS, &people(&mut Dice::new(3), 200, 20));
    desk.append(&desk.from("third.csv", "r3.csv", JobSpec::default()), places()).unwrap();
}

#[test]
fn other_demands_columns_and_hierarchies() {
    let desk = Desk::new(&spec());
    let none = AppendPlaces::default;
    assert!(desk.refused(JobSpec { k: Some(2), ..JobSpec::default() }, none()).contains("k is different"));
    let qi = vec!["age".to_owned()];
    assert!(desk.refused(JobSpec { qi, ..JobSpec::default() }, none()).contains("qi is different"));
    fs::write(desk.at("trees/sex.csv"), "f;person;*\nm;person;*\n").unwrap();
    assert!(desk.refused(JobSpec::default(), none()).contains("the hierarchy of sex"));
    fs::write(desk.at("trees/sex.csv"), "f;*\nm;*\n").unwrap();
    let rows = people(&mut Dice::new(2), 100, 20);
    write(&desk.at("next.csv"), &COLUMNS[..6], &rows);
    assert!(desk.refused(JobSpec::default(), none()).contains("it lacks note"));
    write(&desk.at("next.csv"), &COLUMNS, &rows);
    desk.next().unwrap();
}

#[test]
fn another_release_an_edited_ledger_and_two_runs_at_once() {
    let desk = Desk::new(&spec());
    let none = AppendPlaces::default;
    let release = fs::read(desk.at("r1.csv")).unwrap();
    fs::write(desk.at("r1.csv"), [release.as_slice(), b"x"].concat()).unwrap();
    assert!(
        desk.refused(JobSpec::default(), none()).contains("not the release that the ledger recorded last")
    );
    fs::write(desk.at("r1.csv"), &release).unwrap();
    let held = LedgerFile::open(&desk.at("table.ledger")).unwrap();
    desk.refused(JobSpec::default(), none());
    drop(held);
    let ledger = fs::read(desk.at("table.ledger")).unwrap();
    let mut edited = ledger.clone();
    edited[100] ^= 1;
    fs::write(desk.at("table.ledger"), &edited).unwrap();
    assert!(desk.refused(JobSpec::default(), none()).contains("damaged"));
    fs::write(desk.at("table.ledger"), &ledger).unwrap();
    desk.next().unwrap();
}

#[test]
fn what_cannot_grow_is_refused_at_once() {
    use kohort::data::{Intervals, Suppressed};
    let desk = Desk(tempfile::tempdir().unwrap());
    write(&desk.at("first.csv"), &COLUMNS, &people(&mut Dice::new(1), 0, 40));
    let people_and_shares =
        JobSpec { identifier: Vec::new(), person: vec!["who".into()], alpha: vec![0.8.into()], ..spec() };
    let wrong = [
        (JobSpec { notion: Some("kk".into()), opt_out: None, ..spec() }, "notion"),
        (JobSpec { algorithm: Some("incognito".into()), refine: None, ..spec() }, "algorithm"),
        (JobSpec { keep_order: Some(true), ..spec() }, "keep-order"),
        (JobSpec { suppressed: Some(Suppressed::Star), ..spec() }, "suppressed"),
        (JobSpec { publish_counts: Some(true), ..spec() }, "publish-counts"),
        (JobSpec { intervals: Some(Intervals::Midpoint), ..spec() }, "intervals"),
        (people_and_shares, "person"),
    ];
    for (spec, option) in wrong {
        let e = desk.append(&desk.from("first.csv", "r1.csv", spec), AppendPlaces::default()).unwrap_err();
        assert!(e.to_string().contains(&format!("`{option}")), "{option}: {e}");
        assert!(!desk.at("r1.csv").exists() && !desk.at("table.ledger").exists());
    }
}

/// One person of a class cannot leave alone.
#[test]
fn withdrawals_take_whole_atoms_or_say_what_that_means() {
    let desk = Desk::new(&spec());
    let rows = people(&mut Dice::new(1), 0, 40);
    let hidden: Vec<Row> = rows.into_iter().filter(|row| row["consent"] == "no").collect();
    write(&desk.at("gone.csv"), &["who"], &hidden[..1]);
    let places =
        |withhold| AppendPlaces { withdraw: Some(desk.at("gone.csv")), withhold, ..AppendPlaces::default() };
    let told = desk.refused(JobSpec::default(), places(false));
    assert!(told.contains("1 row to be withdrawn") && told.contains("`withhold`"), "{told}");
    assert!(!told.contains(&hidden[0]["who"]), "{told}");
    let growth =
        desk.append(&desk.from("next.csv", "r2.csv", JobSpec::default()), places(true)).unwrap().growth;
    assert_eq!(growth.withdrawn, 1);
    assert!(growth.withheld >= 2, "{growth:?}");
    let release = fs::read_to_string(desk.at("r2.csv")).unwrap();
    assert!(!release.contains(&format!(",{}\n", hidden[0]["note"])));
}
