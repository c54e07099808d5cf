//! Sentences of a certificate that are not true.

use crate::common::Desk;

/// One income in two spellings is one income, also where the column has a hierarchy.
#[test]
fn an_income_in_two_spellings_does_not_make_two() {
    let rows = "age,inc\n20,7\n20,7.0\n30,5\n30, 5.00\n";
    for hierarchy in ["ranges = [5]", "mask = 'right', levels = 2", "balanced = 2"] {
        let job = format!(
            "k = 2\np = 2\n[columns]\nage = {{ role = 'quasi-identifier' }}\ninc = {{ role = 'sensitive', hierarchy = {{ {hierarchy} }} }}\n"
        );
        let desk = Desk::new().with("t.csv", rows).with("job.toml", job);
        desk.done("anonymize t.csv -o r.csv --job job.toml --quiet");
        let release = desk.read("r.csv");
        let ages: Vec<&str> = release.lines().skip(1).map(|row| row.rsplit_once(',').unwrap().0).collect();
        assert!(ages.iter().all(|age| *age == "\"[20, 30]\""), "{hierarchy}: {release}");
        desk.done("verify r.csv --qi age --sensitive inc -k 2 -p 2");
    }
}

/// Nor do spaces around a word, or zeros behind a long number.
#[test]
fn spaces_and_zeros_make_no_diversity() {
    for pair in [("flu", "flu "), ("9007199254740993", "+9007199254740993.0")] {
        let rows = format!("age,dx\n20,{0}\n20,{1}\n30,{1}\n30,{0}\n", pair.0, pair.1);
        let desk = Desk::new().with("t.csv", rows);
        let said = desk.refused("anonymize t.csv -o r.csv --rest keep --qi age --sensitive dx -k 2 -p 2");
        assert!(said.contains("a single value"), "{said}");
    }
}

/// What is said about missing values of a column that is not generalized was never looked at.
#[test]
fn missing_values_are_vouched_for_where_they_were_looked_at() {
    let rows = "age,dx,ward\n20,flu,A\n20,,A\n30,gout,\n30,flu,B\n";
    for (column, role) in [("dx", "sensitive"), ("ward", "other"), ("ward", "identifier")] {
        for missing in ["refuse", "suppress"] {
            let job = format!(
                "k = 2\nqi = ['age']\n[columns]\n{column} = {{ role = '{role}', missing = '{missing}' }}\n"
            );
            let desk = Desk::new().with("t.csv", rows).with("job.toml", job);
            let said = desk.refused("anonymize t.csv -o r.csv --job job.toml");
            assert!(said.contains(column) && said.contains("missing"), "{said}");
        }
    }
}

/// A flag says more than the file: the certificate must not say both.
#[test]
fn what_flags_say_of_missing_values_wins() {
    let job = "k = 2\n[columns]\nage = { role = 'quasi-identifier', missing = 'value' }\n";
    let desk = Desk::new().with("t.csv", "age,dx\n20,a\n20,b\n,a\n,b\n").with("job.toml", job);
    desk.refused("anonymize t.csv -o r.csv --job job.toml --sensitive dx --missing refuse");
}

/// Rows that are published as they are may lack a value; then nobody may say that nothing is missing.
#[test]
fn opted_out_rows_may_lack_values_and_the_certificate_says_so() {
    let rows = "age,dx,open\n20,a,n\n20,b,n\n,a,y\n";
    let desk = Desk::new().with("t.csv", rows);
    desk.done(
        "anonymize t.csv -o r.csv --rest keep --qi age --sensitive dx -k 2 --opt-out open=y --missing refuse --quiet",
    );
    let certificate = desk.read("r.csv.certificate.json");
    assert!(certificate.contains("may lack what they like"), "{certificate}");
}

/// The private record must not end up under the public name of another release's certificate.
#[test]
fn documents_do_not_take_each_others_places() {
    let desk = Desk::with_people();
    let line = "--identifier name --rest keep --qi age,sex --sensitive illness -k 3 --quiet";
    desk.done(&format!("anonymize people.csv -o a.csv {line}"));
    for place in [
        "--audit a.csv.certificate.json",
        "--certificate a.csv.audit.json",
        "--certificate a.csv",
        "--audit a.csv",
    ] {
        let before = (desk.read("a.csv"), desk.read("a.csv.certificate.json"), desk.read("a.csv.audit.json"));
        let said = desk.refused(&format!("anonymize people.csv -o b.csv {line} {place}"));
        assert!(said.contains("would be lost") || said.contains("certificate of another"), "{said}");
        let after = (desk.read("a.csv"), desk.read("a.csv.certificate.json"), desk.read("a.csv.audit.json"));
        assert!(before == after, "{place}");
    }
    desk.done(&format!("anonymize people.csv -o a.csv {line} --certificate c.json --audit d.json"));
    desk.done(&format!("anonymize people.csv -o a.csv {line} --certificate c.json --audit d.json"));
}

/// Later releases of a growing table are measured against the first original, and rows of theirs may wait.
#[test]
fn a_growing_table_does_not_claim_what_holds_of_the_first_release() {
    let batch = |first: usize, values: &[(&str, usize)]| {
        let values = values.iter().flat_map(|(value, times)| std::iter::repeat_n(value, *times));
        let row = |(at, value): (usize, &&str)| {
            format!("{},{},{},{value}\n", first + at, 20 + at * 7 % 40, ["f", "m"][at % 2])
        };
        "id,age,sex,dx\n".to_owned() + &values.enumerate().map(row).collect::<String>()
    };
    for demand in ["--beta-likeness 1", "--t-closeness 0.25", "--delta-disclosure 1.2"] {
        let desk = Desk::new()
            .with("a.csv", batch(0, &[("hiv", 11), ("flu", 9), ("none", 9)]))
            .with("b.csv", batch(100, &[("hiv", 6), ("flu", 30), ("none", 30)]))
            .with("c.csv", batch(200, &[("hiv", 8), ("flu", 40), ("none", 40)]));
        desk.done(&format!(
            "append --ledger l a.csv -o r1.csv --identifier id --qi age,sex --sensitive dx -k 5 {demand}"
        ));
        desk.done("append --ledger l b.csv -o r2.csv");
        desk.done("append --ledger l c.csv -o r3.csv");
        for release in ["r1.csv", "r2.csv", "r3.csv"] {
            let said = desk.read(&format!("{release}.certificate.json"));
            assert!(!said.contains("No row of the original was left out"), "{release}: {said}");
            assert!(said.contains("Rows may wait for a later release"), "{release}: {said}");
            assert_eq!(
                said.contains("whole original table"),
                release == "r1.csv",
                "{demand}, {release}: {said}"
            );
            desk.done(&format!("verify {release}"));
        }
    }
}
