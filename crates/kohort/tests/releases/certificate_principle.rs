//! The certificate is a function of the release, the demands and public facts about columns: two originals with the same
//! release and the same demands have the same certificate, to the byte.
//!
//! Random tables are changed in ways that often leave the release as it is: rows change places, people are added that are
//! left out again, dropped columns and values inside of classes change, the search takes another way.

use std::path::Path;

use kohort::algorithm::Quiet;
use kohort::data::{Intervals, Missing, Rest, Suppressed};
use kohort::input::{ColumnSpec, JobSpec, Scalar};
use kohort::job::files::FileJob;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// name (dropped), age, town (with a hierarchy), diagnosis, note (kept).
type Row = [String; 5];

const TOWNS: &str = "a;N;*\nb;N;*\nc;S;*\nd;S;*\n";

fn row(rng: &mut impl Rng) -> Row {
    let age = if rng.random_range(0..12) == 0 { String::new() } else { rng.random_range(30..38).to_string() };
    let town = ["a", "b", "c", "d"].choose(rng).unwrap();
    let diagnosis = ["flu", "gout", "hiv", ""].choose(rng).unwrap();
    let note = ["", "x"].choose(rng).unwrap();
    [format!("p{}", rng.random_range(0..99)), age, (*town).into(), (*diagnosis).into(), (*note).into()]
}

fn write(path: &Path, rows: &[Row]) {
    let lines: String = rows.iter().map(|r| r.join(",") + "\n").collect();
    std::fs::write(path, format!("name,age,town,diag,note\n{lines}")).unwrap();
}

/// Demands, and how to publish: what is public about a job.
fn demands(rng: &mut impl Rng, folder: &Path) -> JobSpec {
    let mut age = ColumnSpec::default();
    match rng.random_range(0..5) {
        0 => age.max_width = Some(4.0),
        1 => age.cuts = Some(vec![Scalar::Number(33.0)]),
        2 => age.snap = Some((*[1.0, 5.0].choose(rng).unwrap()).into()),
        _ => {}
    }
    let sensitive = rng.random_range(0..4) > 0;
    let compared = if sensitive { rng.random_range(0..10) } else { 9 };
    let asked =
        |number: u32, scalar: f64| Vec::from_iter((compared == number).then_some(Scalar::Number(scalar)));
    let weaker = rng.random_range(0..8);
    JobSpec {
        identifier: vec!["name".into()],
        rows_are_people: Some(true),
        qi: vec!["age".into(), "town".into()],
        sensitive: if sensitive { vec!["diag".into()] } else { Vec::new() },
        rest: Some(Rest::Keep),
        hierarchies: Some(folder.join("trees")),
        k: Some(rng.random_range(2..4)),
        p: (sensitive && compared > 2 && rng.random_range(0..3) == 0).then_some(2),
        t_closeness: asked(0, 0.6),
        beta_likeness: asked(1, 1.5),
        delta_disclosure: asked(2, 2.0),
        notion: match weaker {
            0 if !sensitive => Some("kk".into()),
            1 if !sensitive => Some("global-1k".into()),
            _ => None,
        },
        missing: Some(*[Missing::Suppress, Missing::Value].choose(rng).unwrap()),
        suppress: (rng.random_range(0..2) == 0).then(|| Scalar::Text("60%".into())),
        suppressed: Some(*[Suppressed::Drop, Suppressed::Drop, Suppressed::Star].choose(rng).unwrap()),
        intervals: Some(*[Intervals::Text, Intervals::Text, Intervals::Bounds].choose(rng).unwrap()),
        opt_out: (rng.random_range(0..6) == 0).then(|| "note=x".into()),
        columns: [("age".to_owned(), age)].into(),
        ..JobSpec::default()
    }
}

/// Another table that may well have the same release.
fn changed(rng: &mut impl Rng, rows: &[Row]) -> Vec<Row> {
    let mut rows = rows.to_vec();
    rows.shuffle(rng);
    match rng.random_range(0..4) {
        0 => (0..rng.random_range(1..3)).for_each(|_| {
            let mut more = row(rng);
            more[1] = String::new();
            rows.push(more);
        }),
        1 => {
            let mut more = row(rng);
            more[1] = rng.random_range(60..120).to_string();
            rows.push(more);
        }
        2 => {
            let (at, age) = (rng.random_range(0..rows.len()), rng.random_range(30..38));
            rows[at][1] = age.to_string();
        }
        _ => rows.iter_mut().for_each(|row| row[0] = format!("q{}", rng.random_range(0..999))),
    }
    rows
}

/// The release and its certificate, where there is one.
fn run(
    folder: &Path,
    rows: &[Row],
    job: &JobSpec,
    seed: u64,
    algorithm: &str,
) -> Option<(Vec<u8>, Vec<u8>, Vec<u8>)> {
    write(&folder.join("t.csv"), rows);
    let job = JobSpec {
        input: Some(folder.join("t.csv")),
        output: Some(folder.join("r.csv")),
        seed: Some(seed),
        algorithm: Some(algorithm.into()).filter(|_| job.notion.is_none()),
        ..job.clone()
    };
    match FileJob::new(job).unwrap().run(&Quiet) {
        Ok(_) => {}
        Err(kohort::Error::Unsolvable(_)) => return None,
        Err(other) => panic!("{other}"),
    }
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    Some((read("r.csv"), read("r.csv.certificate.json"), read("r.csv.audit.json")))
}

#[test]
fn same_release_and_demands_same_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("trees")).unwrap();
    std::fs::write(folder.join("trees/town.csv"), TOWNS).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let (mut pairs, mut told) = (0, 0);
    while pairs < 2_000 {
        let rows: Vec<Row> = (0..rng.random_range(4..14)).map(|_| row(&mut rng)).collect();
        let job = demands(&mut rng, folder);
        let Some(first) = run(folder, &rows, &job, 0, "auto") else { continue };
        for _ in 0..3 {
            let other = changed(&mut rng, &rows);
            let algorithm = ["auto", "mondrian", "kaca"].choose(&mut rng).unwrap();
            let seed = rng.random_range(0..3);
            let Some(second) = run(folder, &other, &job, seed, algorithm) else { continue };
            if first.0 != second.0 {
                continue;
            }
            pairs += 1;
            told += usize::from(first.2 != second.2);
            let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(
                shown(&first.1),
                shown(&second.1),
                "{job:?}\n{rows:?}\n{other:?}\n{}",
                shown(&first.0)
            );
        }
    }
    assert!(told > 1_000, "only {told} of {pairs} pairs had anything to tell");
}
