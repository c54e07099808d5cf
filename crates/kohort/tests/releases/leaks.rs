//! What must not get out beside the published cells: the order of rows, values of suppressed people, values in messages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Array, DictionaryArray, Int64Array, RecordBatch, StringViewArray};
use arrow::datatypes::Int32Type;
use kohort::algorithm::Quiet;
use kohort::data::{Intervals, Missing, Rest, Suppressed};
use kohort::error::Said;
use kohort::input::JobSpec;
use kohort::job::files::{FileJob, FileVerifyJob};
use tempfile::TempDir;

fn job(folder: &TempDir, input: &str, output: &str, qi: &[&str], k: u32) -> JobSpec {
    JobSpec {
        input: Some(folder.path().join(input)),
        output: Some(folder.path().join(output)),
        qi: qi.iter().map(|&n| n.to_owned()).collect(),
        rest: Some(Rest::Keep),
        k: Some(k),
        ..JobSpec::default()
    }
}

fn write_arrow(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true))).unwrap();
    let mut writer =
        arrow::ipc::writer::FileWriter::try_new(std::fs::File::create(path).unwrap(), &batch.schema())
            .unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
}

/// Somebody who knows everybody's quasi-identifiers, in the order of the original, and the seed, anonymizes what they know:
/// rows must not come out in the order of the true release.
#[test]
fn knowing_all_quasi_identifiers_does_not_undo_the_shuffle() {
    let folder = tempfile::tempdir().unwrap();
    let people = |secret: &dyn Fn(u32) -> u32| {
        (0..200).fold("age,salary\n".to_owned(), |text, i| text + &format!("{},{}\n", 20 + i % 50, secret(i)))
    };
    std::fs::write(folder.path().join("true.csv"), people(&|i| 1000 + i)).unwrap();
    std::fs::write(folder.path().join("known.csv"), people(&|i| i)).unwrap();
    let places = |name: &str, minus: u32| -> Vec<u32> {
        let mut job = job(&folder, name, "out.csv", &["age"], 4);
        job.sensitive = vec!["salary".into()];
        FileJob::new(job).unwrap().run(&Quiet).unwrap();
        let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
        text.lines().skip(1).map(|l| l.rsplit(',').next().unwrap().parse::<u32>().unwrap() - minus).collect()
    };
    let (real, guess) = (places("true.csv", 1000), places("known.csv", 0));
    let same = real.iter().zip(&guess).filter(|(a, b)| a == b).count();
    assert!(same < 20, "{same} of 200 rows stand where the guess puts them");
    assert_eq!(real, places("true.csv", 1000), "the same file gives the same order");
}

/// Dictionaries and views store values apart from the rows; those of suppressed people must not stay behind.
#[test]
fn values_of_suppressed_people_are_not_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let ages: ArrayRef = Arc::new(Int64Array::from(vec![Some(30), Some(30), None, Some(30)]));
    let words = ["flu", "gout", "SECRET-OF-A-SUPPRESSED-PERSON", "flu"];
    let dictionary: DictionaryArray<Int32Type> = words.into_iter().collect();
    let views = StringViewArray::from(words.to_vec());
    let columns: Vec<(&str, ArrayRef)> =
        vec![("age", ages), ("diag", Arc::new(dictionary)), ("note", Arc::new(views))];
    write_arrow(&folder.path().join("t.arrow"), columns);
    for suppressed in [Suppressed::Drop, Suppressed::Star] {
        for keep_order in [true, false] {
            for output in ["r.arrow", "r.parquet", "r.csv"] {
                let file = JobSpec {
                    sensitive: vec!["diag".into()],
                    missing: Some(Missing::Suppress),
                    suppressed: Some(suppressed),
                    keep_order: Some(keep_order),
                    ..job(&folder, "t.arrow", output, &["age"], 2)
                };
                FileJob::new(file).unwrap().run(&Quiet).unwrap();
                let bytes = std::fs::read(folder.path().join(output)).unwrap();
                let found = bytes.windows(6).any(|w| w == b"SECRET");
                assert!(!found, "{output}, {suppressed:?}, keep order {keep_order}");
            }
        }
    }
}

/// A value that cannot be shown as text is not quoted in the message about it.
#[test]
fn messages_do_not_quote_sensitive_values() {
    let folder = tempfile::tempdir().unwrap();
    let ages: ArrayRef = Arc::new(Int64Array::from(vec![30, 30]));
    let days: ArrayRef = Arc::new(Date32Array::from(vec![2_147_480_001, 2_147_480_001]));
    write_arrow(&folder.path().join("t.arrow"), vec![("age", ages), ("day", days)]);
    let mut file = job(&folder, "t.arrow", "r.csv", &["age"], 2);
    file.sensitive = vec!["day".into()];
    let message = FileJob::new(file).unwrap().run(&Quiet).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("column 'day'") && !message.contains("214748"), "{message}");
}

fn verify(text: &str, qi: &[&str], sensitive: &[&str], suppressed: Option<Suppressed>) -> (u64, Vec<Said>) {
    let folder = tempfile::tempdir().unwrap();
    let release: PathBuf = folder.path().join("r.csv");
    std::fs::write(&release, text).unwrap();
    let names = |list: &[&str]| list.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
    let file =
        JobSpec { qi: names(qi), sensitive: names(sensitive), k: Some(2), suppressed, ..JobSpec::default() };
    let verdict = FileVerifyJob::new(&file, release, None).and_then(|job| job.run(&Quiet)).unwrap();
    (verdict.summary.achieved.k, verdict.shortfalls)
}

/// Only a row that shows nothing in *any* column is a suppressed row.
#[test]
fn a_row_with_a_name_is_not_suppressed() {
    let text = "age,s,c1,c2,c3,c4,name\n30,flu,q,q,q,q,Bob\n30,gout,q,q,q,q,Ann\n*,,,,,,Zed\n";
    assert_eq!(verify(text, &["age"], &["s"], None).0, 1);
    let blank = text.replace("Zed", "");
    assert_eq!(verify(&blank, &["age"], &["s"], None).0, 2);
    assert_eq!(verify(&blank, &["age"], &["s"], Some(Suppressed::Drop)).0, 1);
}

#[test]
fn a_row_with_missing_values_is_not_suppressed() {
    assert_eq!(verify("a,b,s\n30,1,flu\n30,1,gout\n,,\n", &["a", "b"], &["s"], None).0, 1);
}

#[test]
fn a_release_without_any_class_meets_nothing() {
    let (_, shortfalls) = verify("a,s\n*,\n*,\n*,\n", &["a"], &["s"], None);
    assert!(!shortfalls.is_empty());
}

/// Stars beside a class of stars, stars with nothing else, and every way to write intervals.
#[test]
fn starred_rows_are_recognized_by_those_who_wrote_them() {
    for text in ["a,s\nx,\ny,\nz,u\n,v\n", "a\nx\ny\nz\n\"\"\n", "a,s\n1,\n2,\n3,u\n,v\n"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("t.csv"), text).unwrap();
        for intervals in [Intervals::Text, Intervals::Bounds, Intervals::Midpoint] {
            let file = JobSpec {
                sensitive: if text.contains(",s") { vec!["s".into()] } else { Vec::new() },
                missing: Some(Missing::Suppress),
                suppressed: Some(Suppressed::Star),
                intervals: Some(intervals),
                ..job(&folder, "t.csv", "r.csv", &["a"], 3)
            };
            let summary = FileJob::new(file).unwrap().run(&Quiet).unwrap().summary;
            assert_eq!((summary.achieved.k, summary.suppressed), (3, 1), "{text:?} {intervals:?}");
        }
    }
}

/// Bounds under the name of another column could not be told apart from it.
#[test]
fn bounds_do_not_take_the_name_of_a_column() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), "a,a_min\n1,5\n2,6\n3,7\n").unwrap();
    let mut file = job(&folder, "t.csv", "r.csv", &["a", "a_min"], 3);
    file.intervals = Some(Intervals::Bounds);
    assert!(matches!(FileJob::new(file).unwrap().run(&Quiet), Err(kohort::Error::Job(_))));
}

#[test]
fn a_device_or_pipe_is_not_replaced_by_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), "a\n1\n1\n").unwrap();
    let mut file = job(&folder, "t.csv", "r.csv", &["a"], 2);
    file.output = Some("/dev/null".into());
    file.certificate = Some(folder.path().join("c.json"));
    assert!(matches!(FileJob::new(file).unwrap().run(&Quiet), Err(kohort::Error::Input(_))));
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
}
