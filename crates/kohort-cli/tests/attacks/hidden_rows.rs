//! What the files of a release tell about somebody who is in none of its rows: two tables that differ in one row that is left out,
//! and give the same rows, must give the same bytes.

use std::fmt::Write as _;

use crate::common::Desk;

/// Twelve thousand people, one of whom has no postcode and is left out.
fn with_the_hidden_row_at(place: usize) -> String {
    let mut text = "age,postcode,note\n".to_owned();
    for i in 0..12_000 {
        if i == place {
            text += "40,,hidden\n";
        }
        let _ = writeln!(text, "{},z{},n{}", 20 + i / 200, i % 2, i % 7);
    }
    text
}

/// A packer looks at what it is given at once, so the pieces in which rows reach it must not be those of the original.
#[test]
fn packed_text_does_not_tell_where_a_row_is_missing() {
    for ending in ["gz", "zst"] {
        let packed = |place| {
            let desk = Desk::new().with("t.csv", with_the_hidden_row_at(place));
            desk.done(&format!("anonymize t.csv -o r.csv.{ending} --qi age,postcode --type postcode=category --keep note -k 4 --missing suppress --keep-order --no-audit --quiet --algorithm mondrian --seed 1"));
            desk.bytes(&format!("r.csv.{ending}"))
        };
        let first = packed(3);
        assert!([8191, 8192, 9000, 11_999].into_iter().all(|place| packed(place) == first), "{ending}");
    }
}

/// The same for a column that is dropped: how long its texts are decides how much is sorted at once.
#[test]
fn packed_text_does_not_tell_how_long_dropped_texts_are() {
    let packed = |length: usize| {
        let mut text = "age,letter,note\n".to_owned();
        for i in 0..40_000 {
            let _ = writeln!(text, "{},{},n{}", 20 + i % 60, "x".repeat(length), i * 7919 % 100_003);
        }
        let desk = Desk::new().with("t.csv", text);
        desk.done("anonymize t.csv -o r.csv.gz --qi age --keep note --drop letter -k 4 --no-audit --quiet --algorithm mondrian --seed 1");
        desk.bytes("r.csv.gz")
    };
    assert!(packed(10) == packed(1500));
}

/// People of JSON, and one who is left out.
fn records(hidden: &str, illness: impl Fn(usize) -> &'static str) -> String {
    let mut text = format!("{hidden}\n");
    for i in 0..40 {
        let _ = writeln!(text, r#"{{"age":{},"zip":"z{}","illness":{}}}"#, 30 + i / 8, i % 2, illness(i));
    }
    text
}

fn released(text: &str) -> (Vec<u8>, String) {
    let desk = Desk::new().with("t.jsonl", text);
    desk.done("anonymize t.jsonl -o r.parquet --qi age,zip --sensitive illness -k 4 --missing suppress --no-audit --quiet --seed 1");
    (desk.bytes("r.parquet"), desk.read("r.parquet.certificate.json"))
}

/// Whether somebody's illness is nothing or an empty text must not depend on how somebody else's is spelled.
#[test]
fn empty_texts_do_not_tell_how_a_hidden_value_is_spelled() {
    let illness = |i: usize| [r#""flu""#, r#""""#, r#""2""#, r#""7.50""#, "null"][i % 5];
    let of = |hidden: &str| {
        released(&records(&format!(r#"{{"age":31,"zip":null,"illness":"{hidden}"}}"#), illness))
    };
    let first = of("flu");
    for hidden in ["2.0", "7.5", "flu ", ""] {
        assert!(of(hidden) == first, "'{hidden}'");
    }
}

/// Where a file declares no types they follow from all values. That is said, in words that do not follow from them.
#[test]
fn types_that_were_found_from_hidden_values_are_admitted() {
    let asked = |hidden: &str| {
        let (_, certificate) = released(&records(hidden, |i| ["1", "2", "3"][i % 3]));
        let from = certificate.find(r#""asked""#).unwrap();
        certificate[from..].to_owned()
    };
    let whole = asked(r#"{"age":31,"zip":null,"illness":2}"#);
    assert!(whole.contains(r#""typed_by_values": true"#) && whole.contains("declares no types"), "{whole}");
    for hidden in [r#"{"age":31.5,"zip":null,"illness":2}"#, r#"{"age":31,"zip":null,"illness":"none"}"#] {
        assert_eq!(asked(hidden), whole);
    }
}

/// How a value is spelled that is left out must not decide what the labels of the others are.
#[test]
fn labels_are_ranges_whoever_is_left_out() {
    let of = |outlier: &str| {
        let mut text = format!("age,zip,illness\n{outlier},z1,i1\n");
        for i in 0..80 {
            let _ = writeln!(text, "{},z{},i{}", 20 + i * 7 % 40, i % 2, i % 3);
        }
        let job = "[columns]\nage = { hierarchy = { ranges = [10, 20] } }\n";
        let desk = Desk::new().with("t.csv", text).with("job.toml", job);
        desk.done("anonymize t.csv -o r.csv --job job.toml --qi age,zip --type zip=category --sensitive illness -k 4 --suppress 5% --no-audit --quiet --seed 1");
        (desk.read("r.csv"), desk.read("r.csv.certificate.json"))
    };
    let (release, certificate) = of("99");
    assert!(!release.contains("99") && certificate.contains(r#""ranges": true"#), "{certificate}");
    assert_eq!(of("099"), (release, certificate));
}
