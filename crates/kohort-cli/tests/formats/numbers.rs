//! Numbers at the edges of what numbers can be: whatever is released reads back as what was meant, and what cannot be is
//! refused before the work.

use std::fmt::Write as _;

use crate::common::Desk;

/// Draws without a library, the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const WHOLE: [&str; 14] = [
    "0",
    "-0",
    "7",
    "-7",
    "07",
    "+5",
    "9007199254740991",
    "9007199254740990",
    "-9007199254740991",
    "3000000000000007",
    "1000000000000001",
    "1000000000000002",
    "-4503599627370497",
    "123456789012345",
];
const DECIMAL: [&str; 20] = [
    "0",
    "-0.0",
    "0.1",
    "0.30000000000000004",
    "0.3",
    "1e16",
    "3e16",
    "-1e16",
    "1e22",
    "1.7976931348623157e299",
    "-9e299",
    "1e-320",
    "5e-324",
    "2.2250738585072014e-308",
    "123456789012345.6",
    "9007199254740993.0",
    "4503599627370496.5",
    "1E5",
    ".5",
    "5.",
];
const BEYOND: [&str; 6] = [
    "9007199254740993",
    "123456789012345678",
    "1e308",
    "-1.7e308",
    "18446744073709551615",
    "9223372036854775807",
];
const DAYS: [&str; 6] = ["0000-01-01", "0001-01-01", "9999-12-31", "1970-01-01", "2000-02-29", "-0044-03-15"];
const STEPS: [&str; 12] =
    ["1", "3", "7", "0.1", "0.3", "10", "1e15", "1e16", "2.5e-7", "1e300", "1e-300", "4503599627370497"];

fn table(draw: &mut Draw) -> String {
    let pool: Vec<&str> = match draw.below(6) {
        0 | 1 => WHOLE.to_vec(),
        2 | 3 => DECIMAL.to_vec(),
        4 => [&WHOLE[..], &DECIMAL, &BEYOND].concat(),
        _ => DAYS.to_vec(),
    };
    let few: Vec<&str> = (0..2 + draw.below(6)).map(|_| draw.of(&pool)).collect();
    let mut text = String::from("q,s\n");
    for row in 0..4 + draw.below(8) {
        let _ = writeln!(text, "{},{}", draw.of(&few), row % 3);
    }
    text
}

/// Formats, intervals, steps and types in every combination that is drawn: done, refused as bad input, or impossible.
/// Never is it our bug, and what is done stands up to `verify --original`.
#[test]
fn nasty_numbers_never_break_a_release() {
    let mut draw = Draw(2024);
    let (mut done, rounds) = (0, 400);
    for round in 0..rounds {
        let desk = Desk::new().with("t.csv", table(&mut draw));
        let ending = draw.of(&["csv", "csv", "parquet", "arrow"]);
        let intervals = draw.of(&["text", "bounds", "midpoint"]);
        let mut flags = format!("--rest keep --qi q --sensitive s -k {}", 2 + draw.below(2));
        if draw.below(2) == 0 {
            let _ = write!(flags, " --snap q={}", draw.of(&STEPS));
        }
        // Most types do not suit most tables, which is refused at once.
        if draw.below(4) == 0 {
            let _ = write!(flags, " --type q={}", draw.of(&["integer", "decimal", "date"]));
        }
        let measure = draw.of(&["il", "lm", "entropy", "ncp"]);
        let algorithm = draw.of(&["auto", "mondrian", "oka", "k-member", "incognito", "kaca"]);
        let line = format!(
            "anonymize t.csv -o r.{ending} {flags} --intervals {intervals} --measure {measure} --algorithm {algorithm} --quiet"
        );
        let ran = desk.run(&line);
        let shown = || format!("round {round}: {line}\n{}\n{}", desk.read("t.csv"), ran.err);
        assert!(matches!(ran.code, Some(0 | 2 | 3)), "exit {:?}\n{}", ran.code, shown());
        if ran.code == Some(0) {
            done += 1;
            // Middles say nothing about the interval, so there is nothing to trace.
            let original = if intervals == "midpoint" { "" } else { "--original t.csv" };
            let verified = desk.run(&format!("verify r.{ending} {original} {flags}"));
            assert_eq!(verified.code, Some(0), "{}\n{}\n{}", shown(), verified.err, verified.text());
        }
    }
    assert!(done > rounds / 3, "only {done} of {rounds} were possible");
}

#[test]
fn what_is_too_long_to_be_a_number_is_refused_before_the_work() {
    let desk = Desk::new().with("t.csv", "q,s\n1000000000000001,a\n3000000000000007,b\n");
    for (step, code) in [("3", 0), ("1e15", 0), ("1e16", 2), ("1e300", 2), ("0.1", 2)] {
        let ran = desk.run(&format!(
            "anonymize t.csv -o r.csv --rest keep --qi q -k 2 --sensitive s --snap q={step} --quiet"
        ));
        assert_eq!(ran.code, Some(code), "{step}: {}", ran.err);
    }
    let ran =
        desk.run("anonymize t.csv -o d.csv --rest keep --qi q -k 2 --sensitive s --snap q=0.1 --type q=decimal --quiet");
    assert!(ran.code == Some(2) && ran.err.contains("a step of 0.1 does not suit"), "{}", ran.err);
}

/// Ends of intervals on a grid are multiples of the step, to the last digit.
#[test]
fn grids_of_long_numbers_are_true() {
    let desk = Desk::new()
        .with("t.csv", "q\n1000000000000001\n1000000000000002\n3000000000000003\n3000000000000007\n");
    for step in [3u64, 7, 11, 64, 999_983] {
        desk.done(&format!("anonymize t.csv -o r.csv --rest keep --qi q -k 2 --snap q={step} --quiet"));
        let release = desk.read("r.csv");
        for n in release.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u64>().ok()) {
            assert_eq!(n % step, 0, "{step}: {release}");
        }
    }
}

/// What a float would round is a code, with decimals as without: nobody gets another number, and no two become one.
#[test]
fn long_decimals_stay_as_they_are() {
    let pairs = [
        ("9007199254740993.0", "9007199254740992.0"),
        ("12345678901234567.25", "12345678901234567.50"),
        ("1234567890123456.31", "1234567890123456.30"),
    ];
    for (one, other) in pairs {
        let desk = Desk::new().with("t.csv", format!("q,s\n{one},a\n{one},b\n{other},a\n{other},b\n"));
        let roles = "--qi q --sensitive s -k 2 --quiet";
        desk.done(&format!("anonymize t.csv -o r.csv {roles}"));
        let release = desk.read("r.csv");
        assert_eq!((release.matches(one).count(), release.matches(other).count()), (2, 2), "{release}");
        desk.done(&format!("verify r.csv --original t.csv {roles}"));
        let said = desk.refused(&format!("anonymize t.csv -o d.csv {roles} --type q=decimal"));
        assert!(said.contains("not of type decimal") && said.contains("round them"), "{said}");
    }
    // Two spellings of one long number are one sensitive value, and protect nobody.
    for other in ["12345678901234567.250", "12.345.678.901.234.567,25"] {
        let rows = format!("q,s\n1,12345678901234567.25\n1,\"{other}\"\n");
        let desk = Desk::new().with("t.csv", rows);
        let said = desk.refused("anonymize t.csv -o r.csv --qi q --sensitive s -k 2 -p 2");
        assert!(said.contains("a single value"), "{said}");
    }
}
