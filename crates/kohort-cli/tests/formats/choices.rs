//! How a release may look: intervals, grids, missing values, suppressed rows.

use crate::common::{Desk, ROLES};

/// The release in the order of the input, short enough to read.
fn release(flags: &str) -> String {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --quiet --keep-order {flags}"));
    // The columns nobody touched are looked at elsewhere.
    let rows = crate::rows::cells(&desk.read("r.csv"));
    let kept = rows[0].len() - 1;
    rows.iter().map(|row| row[..kept].join(" | ") + "\n").collect()
}

#[test]
fn intervals_as_text() {
    assert_eq!(release("--intervals text"), release(""));
    insta::assert_snapshot!(release("--intervals text"), @r"
    age | sex | zip | illness
    * | f | [41075, 41076] | flu
    [22, 36] | m | [41076, 41099] | flu
    * | f | [41075, 41076] | gout
    [47, 61] | m | [48201, 48202] | gout
    [44, 58] | f | [48201, 48202] | flu
    [47, 61] | m | [48201, 48202] | asthma
    [22, 36] | m | [41076, 41099] | asthma
    [22, 36] | m | [41076, 41099] | flu
    * | f | [41075, 41076] | gout
    [47, 61] | m | [48201, 48202] | flu
    [44, 58] | f | [48201, 48202] | asthma
    [44, 58] | f | [48201, 48202] | gout
    ");
}

#[test]
fn intervals_as_two_columns() {
    insta::assert_snapshot!(release("--intervals bounds"), @r"
    age_min | age_max | sex | zip_min | zip_max | illness
     |  | f | 41075 | 41076 | flu
    22 | 36 | m | 41076 | 41099 | flu
     |  | f | 41075 | 41076 | gout
    47 | 61 | m | 48201 | 48202 | gout
    44 | 58 | f | 48201 | 48202 | flu
    47 | 61 | m | 48201 | 48202 | asthma
    22 | 36 | m | 41076 | 41099 | asthma
    22 | 36 | m | 41076 | 41099 | flu
     |  | f | 41075 | 41076 | gout
    47 | 61 | m | 48201 | 48202 | flu
    44 | 58 | f | 48201 | 48202 | asthma
    44 | 58 | f | 48201 | 48202 | gout
    ");
}

#[test]
fn intervals_as_their_middle() {
    insta::assert_snapshot!(release("--intervals midpoint"), @r"
    age | sex | zip | illness
     | f | 41075.5 | flu
    29.0 | m | 41087.5 | flu
     | f | 41075.5 | gout
    54.0 | m | 48201.5 | gout
    51.0 | f | 48201.5 | flu
    54.0 | m | 48201.5 | asthma
    29.0 | m | 41087.5 | asthma
    29.0 | m | 41087.5 | flu
     | f | 41075.5 | gout
    54.0 | m | 48201.5 | flu
    51.0 | f | 48201.5 | asthma
    51.0 | f | 48201.5 | gout
    ");
}

#[test]
fn interval_ends_on_a_grid() {
    insta::assert_snapshot!(release("--snap age=10,zip=100"), @r"
    age | sex | zip | illness
    * | f | [41000, 41100] | flu
    [20, 40] | m | [41000, 41100] | flu
    * | f | [41000, 41100] | gout
    [40, 70] | m | [48200, 48300] | gout
    [40, 60] | f | [48200, 48300] | flu
    [40, 70] | m | [48200, 48300] | asthma
    [20, 40] | m | [41000, 41100] | asthma
    [20, 40] | m | [41000, 41100] | flu
    * | f | [41000, 41100] | gout
    [40, 70] | m | [48200, 48300] | flu
    [40, 60] | f | [48200, 48300] | asthma
    [40, 60] | f | [48200, 48300] | gout
    ");
    insta::assert_snapshot!(release("--snap age=10 --intervals bounds"), @r"
    age_min | age_max | sex | zip_min | zip_max | illness
     |  | f | 41075 | 41076 | flu
    20 | 40 | m | 41076 | 41099 | flu
     |  | f | 41075 | 41076 | gout
    40 | 70 | m | 48201 | 48202 | gout
    40 | 60 | f | 48201 | 48202 | flu
    40 | 70 | m | 48201 | 48202 | asthma
    20 | 40 | m | 41076 | 41099 | asthma
    20 | 40 | m | 41076 | 41099 | flu
     |  | f | 41075 | 41076 | gout
    40 | 70 | m | 48201 | 48202 | flu
    40 | 60 | f | 48201 | 48202 | asthma
    40 | 60 | f | 48201 | 48202 | gout
    ");
}

#[test]
fn missing_is_a_value() {
    assert_eq!(release("--missing value"), release(""));
}

#[test]
fn rows_with_a_missing_value_are_dropped_or_starred() {
    insta::assert_snapshot!(release("--algorithm k-member --missing suppress"), @r"
    age | sex | zip | illness
    [34, 36] | * | [41075, 41076] | flu
    [34, 36] | * | [41075, 41076] | flu
    [34, 36] | * | [41075, 41076] | gout
    [47, 61] | m | [48201, 48202] | gout
    [22, 58] | * | [41099, 48202] | flu
    [47, 61] | m | [48201, 48202] | asthma
    [22, 58] | * | [41099, 48202] | asthma
    [22, 58] | * | [41099, 48202] | flu
    [47, 61] | m | [48201, 48202] | flu
    [22, 58] | * | [41099, 48202] | asthma
    [22, 58] | * | [41099, 48202] | gout
    ");
    assert_eq!(
        release("--algorithm k-member --missing suppress --suppressed drop"),
        release("--algorithm k-member --missing suppress")
    );
    insta::assert_snapshot!(release("--algorithm k-member --missing suppress --suppressed star"), @r"
    age | sex | zip | illness
    [34, 36] | * | [41075, 41076] | flu
    [34, 36] | * | [41075, 41076] | flu
    [34, 36] | * | [41075, 41076] | gout
    [47, 61] | m | [48201, 48202] | gout
    [22, 58] | * | [41099, 48202] | flu
    [47, 61] | m | [48201, 48202] | asthma
    [22, 58] | * | [41099, 48202] | asthma
    [22, 58] | * | [41099, 48202] | flu
    * | * | * | 
    [47, 61] | m | [48201, 48202] | flu
    [22, 58] | * | [41099, 48202] | asthma
    [22, 58] | * | [41099, 48202] | gout
    ");
    insta::assert_snapshot!(release("--algorithm k-member --missing suppress --suppressed star --intervals bounds"), @r"
    age_min | age_max | sex | zip_min | zip_max | illness
    34 | 36 | * | 41075 | 41076 | flu
    34 | 36 | * | 41075 | 41076 | flu
    34 | 36 | * | 41075 | 41076 | gout
    47 | 61 | m | 48201 | 48202 | gout
    22 | 58 | * | 41099 | 48202 | flu
    47 | 61 | m | 48201 | 48202 | asthma
    22 | 58 | * | 41099 | 48202 | asthma
    22 | 58 | * | 41099 | 48202 | flu
     |  | * |  |  | 
    47 | 61 | m | 48201 | 48202 | flu
    22 | 58 | * | 41099 | 48202 | asthma
    22 | 58 | * | 41099 | 48202 | gout
    ");
}

/// A starred row must show nothing of the person, in no column and in no format.
#[test]
fn a_starred_row_shows_nothing() {
    let desk = Desk::with_people();
    for ending in ["csv", "parquet", "arrow"] {
        desk.done(&format!(
            "anonymize people.csv -o r.{ending} {ROLES} --quiet --missing suppress --suppressed star --keep-order"
        ));
        desk.done(&format!(
            "anonymize r.{ending} -o again.csv --rest keep --qi sex -k 2 --type sex=category --keep-order --quiet"
        ));
        let row = desk.read("again.csv").lines().find(|l| l.starts_with('*')).map(str::to_owned);
        assert_eq!(row.as_deref(), Some("*,*,*,,"), "{ending}");
    }
}

/// Time is up before the search began: what there is, is still verified.
#[test]
fn a_time_limit_that_is_over_at_once() {
    let desk = Desk::with_people();
    for algorithm in ["k-member", "mondrian"] {
        desk.done(&format!(
            "anonymize people.csv -o r.csv {ROLES} -p 2 --algorithm {algorithm} --time-limit 0s --quiet"
        ));
        desk.done("verify r.csv --qi age,sex,zip --sensitive illness -k 3 -p 2");
    }
}

#[test]
fn verify_sees_starred_rows_as_suppressed() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --quiet --missing suppress --suppressed star"));
    let ran = desk.done(&format!("verify r.csv --original people.csv {ROLES} --json"));
    let found: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
    assert_eq!(
        (&found["rows"], &found["released"], &found["suppressed"]),
        (&12.into(), &11.into(), &1.into())
    );
}

/// Postcodes with leading zeros are no numbers.
#[test]
fn codes_keep_their_zeros() {
    let table = "zip\n01234\n01234\n1234\n1234\n";
    let desk = Desk::new().with("t.csv", table);
    desk.done("anonymize t.csv -o r.csv --rest keep --qi zip -k 2 --keep-order --quiet");
    assert_eq!(desk.read("r.csv"), table);
}

/// A middle is no value of the table and no interval around one: once announced, it is not taken for a forged value.
#[test]
fn verify_reads_middles() {
    let desk = Desk::with_people();
    let own = desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --json --intervals midpoint"));
    let other = desk.done(&format!("verify r.csv --original people.csv {ROLES} --intervals midpoint --json"));
    let object = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
    let (own, other) = (object(own.text()), object(other.text()));
    assert_eq!(own["achieved"]["k"], other["achieved"]["k"]);
    assert_eq!(
        (&other["loss"], &other["achieved"]["source_check"]),
        (&serde_json::Value::Null, &"not-checked".into())
    );
    // The run itself knows the classes behind the middles.
    let text = desk.done(&format!("anonymize people.csv -o t.csv {ROLES} --json"));
    assert_eq!(object(text.text())["loss"]["il"], own["loss"]["il"]);
    assert_eq!(own["achieved"]["source_check"], "row-by-row");
}

/// Every way to write intervals but the middle keeps what `verify` needs to trace every cell.
#[test]
fn verify_reads_every_way_to_write_intervals() {
    let desk = Desk::with_people();
    for flags in
        ["--intervals text", "--intervals bounds", "--snap age=10", "--snap age=10 --intervals bounds"]
    {
        let own = desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --json {flags}"));
        let other = desk.done(&format!("verify r.csv --original people.csv {ROLES} --json"));
        let object = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
        let (own, other) = (object(own.text()), object(other.text()));
        assert_eq!(own["achieved"]["k"], other["achieved"]["k"], "{flags}");
        assert_eq!(own["loss"], other["loss"], "{flags}");
        assert_eq!(other["achieved"]["illegal_cells"], 0, "{flags}");
    }
}

/// Who forgets to say that a release shows middles is told what may be wrong.
#[test]
fn middles_that_were_not_announced_are_guessed() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --quiet --intervals midpoint"));
    let line = format!("verify r.csv --original people.csv {ROLES}");
    let unsaid = desk.run(&line);
    assert!(unsaid.code == Some(1) && unsaid.err.contains("--intervals midpoint says so"), "{}", unsaid.err);
    desk.done(&format!("{line} --intervals midpoint"));
    let wrong = Desk::with_people().with("r.csv", "age,sex,zip,illness,note\n\"[1, 2]\",m,41075,flu,x\n");
    assert!(!wrong.run(&line).err.contains("--intervals midpoint"), "an interval is no middle");
}
