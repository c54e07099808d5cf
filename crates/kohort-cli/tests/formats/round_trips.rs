//! The same table in every format gives the same release in every format.

use crate::common::{Desk, PEOPLE, ROLES};
use crate::rows::{cells, cells_by, columns, sorted};

const ENDINGS: [&str; 5] = ["csv", "tsv", "parquet", "arrow", "feather"];

/// A whole generated table in every format: the generator writes all of them itself.
fn hospital() -> Desk {
    let desk = Desk::new();
    for ending in ENDINGS {
        desk.done(&format!("generate hospital --rows 120 -o t.{ending}"));
    }
    desk
}

const HOSPITAL: &str =
    "--identifier patient_id,name --rest keep --qi birth_date,sex,postcode -k 4 --quiet --keep-order";

#[test]
fn every_format_gives_the_same_release() {
    let desk = hospital();
    for ending in ENDINGS {
        desk.done(&format!("anonymize t.{ending} -o from-{ending}.csv {HOSPITAL}"));
        assert_eq!(desk.read(&format!("from-{ending}.csv")), desk.read("from-csv.csv"), "{ending}");
    }
}

#[test]
fn every_format_can_be_written_and_verified() {
    let desk = hospital();
    for ending in ENDINGS {
        desk.done(&format!("anonymize t.csv -o r.{ending} {HOSPITAL}"));
        let verdict = format!("verify r.{ending} --qi birth_date,sex,postcode -k 4 --json");
        let (alone, first) = (desk.done(&verdict), desk.done(&verdict.replace(ending, "csv")));
        assert_eq!(alone.text(), first.text(), "{ending}");
        desk.done(&format!("{verdict} --original t.{ending} --identifier patient_id,name"));
    }
}

/// What was written in one format and is written again as CSV is what CSV would have been at once.
#[test]
fn a_release_in_any_format_reads_back_as_it_was() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --quiet --keep-order"));
    for ending in ["tsv", "parquet", "arrow"] {
        desk.done(&format!("anonymize people.csv -o r.{ending} {ROLES} --quiet --keep-order"));
        // Every class of r has three rows, all alike: k = 3 changes nothing.
        desk.done(&format!("anonymize r.{ending} -o again.csv --rest keep --qi age,sex,zip -k 3 --keep-order --quiet --type age=category,zip=category"));
        assert_eq!(desk.read("again.csv"), desk.read("r.csv"), "{ending}");
    }
}

#[test]
fn tab_and_semicolon_need_no_quotes_for_commas() {
    let desk = Desk::new().with("t.tsv", "age\tnote\n1\ta,b\n1\tc\"d\n");
    desk.done("anonymize t.tsv -o r.tsv --rest keep --qi age -k 2 --keep-order --quiet");
    assert_eq!(desk.read("r.tsv"), "age\tnote\n1\ta,b\n1\t\"c\"\"d\"\n");
    let desk = Desk::new().with("t.csv", "age;note\n1;a,b\n1;\"x;y\"\n");
    desk.done("anonymize t.csv -o r.csv --rest keep --qi age -k 2 --keep-order --quiet");
    assert_eq!(desk.read("r.csv"), "age;note\n1;a,b\n1;\"x;y\"\n");
    desk.done("verify r.csv --qi age -k 2");
}

#[test]
fn standard_input_and_output() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --quiet"));
    let piped = desk.run_with(&format!("anonymize - -o - --no-audit {ROLES} --quiet"), PEOPLE.as_bytes());
    assert_eq!((piped.code, piped.text()), (Some(0), desk.read("r.csv")));
    let verdict = desk.run_with("verify - --qi age,sex,zip -k 3", &piped.out);
    assert_eq!(verdict.code, Some(0), "{}", verdict.err);
    let names: Vec<_> = desk.files().into_iter().map(|f| f.file_name().unwrap().to_owned()).collect();
    assert_eq!(
        names,
        ["people.csv", "r.csv", "r.csv.audit.json", "r.csv.certificate.json", "tmp"],
        "nothing is left of the pipes"
    );
}

#[test]
fn parquet_and_arrow_come_through_standard_input_too() {
    let desk = hospital();
    desk.done(&format!("anonymize t.csv -o r.csv {HOSPITAL}"));
    for ending in ["parquet", "arrow"] {
        let ran = desk.run_with(
            &format!("anonymize - -o - --no-audit {HOSPITAL}"),
            &desk.bytes(&format!("t.{ending}")),
        );
        assert_eq!((ran.code, ran.text()), (Some(0), desk.read("r.csv")), "{ending}");
    }
}

#[test]
fn untouched_columns_keep_their_bytes() {
    let desk = Desk::with_people();
    let before = sorted(columns(&cells(PEOPLE), &["illness", "note"]));
    for (ending, separator) in [("csv", b','), ("tsv", b'\t')] {
        desk.done(&format!("anonymize people.csv -o r.{ending} {ROLES} --quiet"));
        let after = cells_by(&desk.read(&format!("r.{ending}")), separator);
        assert_eq!(sorted(columns(&after, &["illness", "note"])), before, "{ending}");
        assert_eq!(after[0], ["age", "sex", "zip", "illness", "note"]);
    }
}

/// Typed columns that nobody touches keep their type and their texts.
#[test]
fn untouched_columns_keep_their_types() {
    let desk = hospital();
    desk.done(&format!("anonymize t.parquet -o r.parquet {HOSPITAL}"));
    desk.done(&format!("anonymize t.parquet -o r.csv {HOSPITAL}"));
    let (before, after) = (cells(&desk.read("t.csv")), cells(&desk.read("r.csv")));
    let rest: Vec<&str> = after[0]
        .iter()
        .map(String::as_str)
        .filter(|n| !["birth_date", "sex", "postcode"].contains(n))
        .collect();
    assert_eq!(sorted(columns(&after, &rest)), sorted(columns(&before, &rest)));
}

/// `kohort anonymize <(command)`, or a pipe with a name.
#[test]
fn a_named_pipe_is_read_like_standard_input() {
    let desk = Desk::with_people();
    desk.done("generate hospital --rows 50 -o t.parquet");
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --quiet"));
    desk.done(&format!("anonymize t.parquet -o r.parquet {HOSPITAL}"));
    let through = |table: &str, pipe: &str, line: &str| {
        let made = std::process::Command::new("mkfifo").arg(desk.path(pipe)).status().unwrap();
        assert!(made.success());
        let (from, to) = (desk.bytes(table), desk.path(pipe));
        let writer = std::thread::spawn(move || std::fs::write(to, from));
        desk.done(line);
        writer.join().unwrap().unwrap();
    };
    through("people.csv", "pipe.csv", &format!("anonymize pipe.csv -o p.csv {ROLES} --quiet"));
    assert_eq!(desk.read("p.csv"), desk.read("r.csv"));
    // Without an ending the first bytes tell the format.
    through("t.parquet", "pipe", &format!("anonymize pipe -o p.parquet {HOSPITAL}"));
    assert_eq!(desk.bytes("p.parquet"), desk.bytes("r.parquet"));
    through("people.csv", "again", &format!("verify r.csv --original again {ROLES}"));
}
