//! Same table, same seed, same bytes: with one thread and with two.

use kohort::algorithm::Quiet;
use kohort::data::Kind;
use kohort::input::JobSpec;
use kohort::job::files::FileJob;

use super::common::draw::{Drawn, Shape, Sheet};
use super::common::files::Folder;

/// Enough different rows that every scan is handed to several tasks.
const ROWS: u32 = 6000;

fn sheet() -> Sheet {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    let mut column = |name: &str, shape, of: &dyn Fn(u32) -> String| Drawn {
        name: name.to_owned(),
        shape,
        texts: (0..ROWS).map(|_| of(next())).collect(),
        weight: 1.0,
        snap: None,
    };
    let codes =
        (0..200).map(|v| vec![format!("v{v}"), format!("t{}", v / 10), format!("h{}", v / 50), "*".into()]);
    let qi = vec![
        column("q0", Shape::Number(Kind::Integer), &|v| (v % 90).to_string()),
        column("q1", Shape::Tree(codes.collect()), &|v| format!("v{}", v % 200)),
        column("q2", Shape::Flat, &|v| format!("c{}", v % 3)),
        column("q3", Shape::Number(Kind::Decimal), &|v| format!("{:.1}", f64::from(v % 500) / 10.0)),
    ];
    let secret = column("", Shape::Flat, &|v| format!("s{}", v % 7)).texts;
    Sheet { rows: ROWS as usize, qi, sensitive: vec![secret] }
}

fn bytes(folder: &Folder, file: &JobSpec, threads: usize) -> Vec<u8> {
    let output = folder.path(&format!("release{threads}.csv"));
    let file = JobSpec { output: Some(output.clone()), ..file.clone() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| FileJob::new(file).unwrap().run(&Quiet).unwrap());
    std::fs::read(output).unwrap()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let sheet = sheet();
    let folder = Folder::of(&sheet);
    let cases = [
        ("k-member", 25, None),
        ("k-member", 25, Some(3)),
        ("greedy-pk", 25, Some(3)),
        ("enhanced-pk", 25, Some(3)),
        ("mondrian", 10, Some(3)),
        ("kaca", 2, None),
        ("oka", 2, Some(2)),
        ("agglomerative", 5, None),
        ("forest", 5, Some(2)),
        ("incognito", 10, None),
        ("incognito", 10, Some(3)),
        ("systematic", 2, None),
        ("systematic-plus", 2, Some(2)),
    ];
    let whole = cases.map(|case| (case, None));
    let blocks = [
        (("agglomerative", 5, None), Some(300)),
        (("k-member", 5, Some(3)), Some(500)),
        (("kaca", 2, None), Some(1000)),
        (("auto", 4, Some(2)), None),
    ];
    for ((algorithm, k, p), block_rows) in whole.into_iter().chain(blocks) {
        let algorithm = Some(algorithm.to_owned());
        let mut file = JobSpec { k: Some(k), p, algorithm, block_rows, seed: Some(11), ..folder.job(&sheet) };
        if p.is_none() {
            // Regions are solved side by side, and what is suppressed is chosen among all of them.
            file.suppress = Some(kohort::input::Scalar::Text("3%".into()));
            file.columns.entry("q2".into()).or_default().max_generalization =
                Some(vec!["c0".into(), "c1".into()]);
        }
        let (one, two) = (bytes(&folder, &file, 1), bytes(&folder, &file, 2));
        assert!(one == two, "{:?} with k = {k}, p = {p:?} depends on the threads", file.algorithm);
    }
}
