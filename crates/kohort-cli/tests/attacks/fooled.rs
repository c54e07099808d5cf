//! Tables that look better to the verifier than they are.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, ListBuilder, RecordBatch, StringArray, StringBuilder};
use arrow::ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use serde_json::Value;

use crate::common::Desk;

/// Writes columns as the file ending says.
fn write(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = File::create(path).unwrap();
    if path.extension().unwrap() == "parquet" {
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    } else {
        let mut writer = FileWriter::try_new(file, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    }
}

fn texts(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn lists(values: &[&[&str]]) -> ArrayRef {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for list in values {
        list.iter().for_each(|value| builder.values().append_value(value));
        builder.append(true);
    }
    Arc::new(builder.finish())
}

fn summary(desk: &Desk, line: &str) -> Value {
    let ran = desk.run(&format!("{line} --json"));
    serde_json::from_str(&ran.text()).unwrap_or_else(|e| panic!("{line}: {e}\n{}", ran.err))
}

/// Two people who differ are no class of two.
#[test]
fn different_values_with_the_same_text() {
    for ending in ["parquet", "arrow"] {
        let desk = Desk::new();
        let illness = || texts(&[Some("flu"), Some("gout")]);
        let empty = texts(&[None, Some("")]);
        write(&desk.path(&format!("empty.{ending}")), vec![("q", empty), ("s", illness())]);
        let alike = lists(&[&["a, b"], &["a", "b"]]);
        write(&desk.path(&format!("lists.{ending}")), vec![("q", alike), ("s", illness())]);
        for name in ["empty", "lists"] {
            let line = format!("verify {name}.{ending} --qi q --sensitive s -k 2");
            assert_eq!(desk.run(&line).code, Some(1), "{line}");
            assert_eq!(summary(&desk, &line)["achieved"]["k"], 1, "{line}");
        }
    }
}

/// The same table is still two people who are alike where they are.
#[test]
fn equal_values_are_still_equal() {
    let desk = Desk::new();
    let illness = || texts(&[Some("flu"), Some("gout")]);
    write(&desk.path("e.parquet"), vec![("q", texts(&[None, None])), ("s", illness())]);
    write(&desk.path("l.parquet"), vec![("q", lists(&[&["a", "b"], &["a", "b"]])), ("s", illness())]);
    for name in ["e", "l"] {
        desk.done(&format!("verify {name}.parquet --qi q --sensitive s -k 2"));
    }
}

/// 70,000 different sensitive values, of which some are made up.
#[test]
fn many_sensitive_values_of_which_some_are_made_up() {
    let row = |i: u32, s: String| format!("{},{s}\n", i / 10);
    let table: String = (0..70_000).map(|i| row(i, format!("v{i}"))).collect();
    let desk = Desk::new().with("t.csv", format!("q,s\n{table}"));
    let roles = "--rest keep --qi q --sensitive s -k 10";
    let verify = |file: &str| format!("verify {file} --original t.csv {roles}");
    desk.done(&verify("t.csv"));
    let forged: String =
        (0..70_000).map(|i| row(i, if i == 7 { "made up".into() } else { format!("v{i}") })).collect();
    let swapped: String =
        (0..70_000).map(|i| row(i, format!("v{}", if i < 20 { 19 - i } else { i }))).collect();
    let desk =
        desk.with("forged.csv", format!("q,s\n{forged}")).with("swapped.csv", format!("q,s\n{swapped}"));
    for file in ["forged.csv", "swapped.csv"] {
        let ran = desk.run(&verify(file));
        assert_eq!(ran.code, Some(1), "{file}: {}{}", ran.text(), ran.err);
    }
}

/// Columns that should be as they were, and are not.
#[test]
fn untouched_columns_that_were_touched() {
    let table = "q,s,note,more\n1,x,a,1\n1,y,b,2\n2,x,c,3\n2,y,d,4\n";
    let roles = "--rest keep --qi q --sensitive s -k 2";
    for (forged, what) in [
        (table.replace(",b,", ",forged,"), "a value nobody had"),
        (
            table.replace(",x,a,1", ",x,c,3").replace(",x,c,3\n2,y", ",x,a,1\n2,y"),
            "two people changed places",
        ),
        (table.replace(",a,1", ",a,2").replace(",b,2", ",b,1"), "one column was shuffled by itself"),
    ] {
        assert_ne!(forged, table, "{what}");
        let desk = Desk::new().with("t.csv", table).with("r.csv", &forged);
        let ran = desk.run(&format!("verify r.csv --original t.csv {roles}"));
        assert_eq!(ran.code, Some(1), "{what}: {}{}", ran.text(), ran.err);
    }
    let desk = Desk::new().with("t.csv", table);
    for ending in ["csv", "parquet", "arrow"] {
        desk.done(&format!("anonymize t.csv -o r.{ending} {roles} --quiet"));
        let line = format!("verify r.{ending} --original t.csv {roles}");
        assert_eq!(desk.run(&line).code, Some(0), "{}", desk.run(&line).err);
        assert!(desk.done(&line).text().contains("note, more"));
    }
}

/// Releases of nothing but quasi-identifiers, and of middles, with starred rows, are read back in every format.
#[test]
fn starred_rows_in_every_format() {
    let decimal = "d\n1.5\n2.5\n9.25\n8.25\n77.5\n";
    let both = "d,c\n1.5,a\n2.5,a\n9.25,b\n8.25,b\n77.5,c\n";
    let more = "d,c,s,note\n1.5,a,x,1\n2.5,a,y,2\n9.25,b,x,3\n8.25,b,y,4\n77.5,c,z,5\n";
    for (table, roles) in [
        (decimal, "--rest keep --qi d"),
        (decimal, "--rest keep --qi d --type d=category"),
        (both, "--rest keep --qi d,c"),
        (both, "--rest keep --qi d,c --type d=category"),
        (more, "--rest keep --qi d,c --sensitive s"),
        (more, "--rest keep --qi d,c --sensitive s --type d=category"),
    ] {
        for intervals in ["text", "bounds", "midpoint"] {
            for ending in ["csv", "parquet", "arrow"] {
                let desk = Desk::new().with("t.csv", table);
                let flags = format!("{roles} -k 2 --intervals {intervals} --suppressed star");
                desk.done(&format!("anonymize t.csv -o r.{ending} {flags} --suppress 30% --quiet"));
                for original in ["", " --original t.csv"] {
                    desk.done(&format!("verify r.{ending} {flags}{original}"));
                }
            }
        }
    }
}

/// What nobody looked at is listed.
#[test]
fn silence_is_no_consent() {
    let table = "q,s,note\n1,x,a\n1,y,b\n2,x,c\n2,y,d\n";
    let desk = Desk::new().with("t.csv", table).with("more.csv", table.replace("note", "remark"));
    let roles = "--rest keep --qi q --sensitive s -k 2";
    let listed = |line: &str| summary(&desk, line)["not_checked"].to_string();
    let alone = listed(&format!("verify t.csv {roles} --t-closeness 0.5"));
    for part in ["generalization of a value", "untouched columns", "t against the original", "note"] {
        assert!(alone.contains(part), "{part}: {alone}");
    }
    let beside = listed(&format!("verify more.csv --original t.csv {roles}"));
    assert!(beside.contains("columns that the original does not have: remark"), "{beside}");
    let middles = listed(&format!("verify t.csv --original t.csv {roles} --intervals midpoint"));
    assert!(middles.contains("middles do not tell"), "{middles}");
    let all = listed(&format!("verify t.csv --original t.csv {roles}"));
    assert!(!all.contains("--original"), "{all}");
}

/// A value of a binary file was exchanged for another one that reads alike.
#[test]
fn values_that_read_alike_were_exchanged() {
    let q: ArrayRef = Arc::new(arrow::array::Int64Array::from(vec![1, 1, 2, 2]));
    let pairs: [(ArrayRef, ArrayRef); 3] = [
        (texts(&[Some("a"), None, Some("b"), Some("")]), texts(&[Some("a"), Some(""), Some("b"), Some("")])),
        (texts(&[Some("a"), Some(""), None, Some("c")]), texts(&[Some("a"), None, None, Some("c")])),
        (lists(&[&["a"], &["b"], &["a", "b"], &["c"]]), lists(&[&["a"], &["b"], &["a, b"], &["c"]])),
    ];
    for ending in ["parquet", "arrow"] {
        for (original, forged) in &pairs {
            for role in ["", "--sensitive x"] {
                let desk = Desk::new();
                let (t, r) = (format!("t.{ending}"), format!("r.{ending}"));
                write(&desk.path(&t), vec![("q", q.clone()), ("x", original.clone())]);
                write(&desk.path(&r), vec![("q", q.clone()), ("x", forged.clone())]);
                let line = |release: &str| format!("verify {release} --original {t} --qi q {role} -k 2");
                assert_eq!(desk.run(&line(&r)).code, Some(1), "{ending} {role} {original:?}");
                assert_eq!(desk.run(&line(&t)).code, Some(0), "{ending} {role} {original:?}");
            }
        }
    }
}

/// Columns that cannot be written as text are compared all the same.
#[test]
fn times_with_zones_are_verified() {
    let q: ArrayRef = Arc::new(arrow::array::Int64Array::from(vec![1, 1, 2, 2]));
    let times = arrow::array::TimestampMicrosecondArray::from(vec![1, 2, 3, 4]).with_timezone("UTC");
    let desk = Desk::new();
    write(&desk.path("t.parquet"), vec![("q", q), ("at", Arc::new(times))]);
    desk.done("anonymize t.parquet -o r.parquet --rest keep --qi q -k 2 --quiet");
    desk.done("verify r.parquet --original t.parquet --qi q -k 2");
}
