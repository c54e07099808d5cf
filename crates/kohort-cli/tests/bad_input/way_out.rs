//! Boundaries and limits that leave no release: the message counts what falls short, and every way out that it offers works.

use crate::common::{Desk, MARKS, PEOPLE, TOWN_ROLES, TOWNS};

/// A job on one of the tables, in parts that a way out can change.
#[derive(Clone)]
struct Asked<'a> {
    /// The table, its roles and whatever else stays.
    line: String,
    /// Boundaries by column.
    boundaries: Vec<(&'a str, &'a str)>,
    k: u32,
    p: Option<u32>,
    suppress: Option<String>,
}

impl Asked<'_> {
    fn line(&self) -> String {
        let boundaries: Vec<&str> = self.boundaries.iter().map(|(_, flags)| *flags).collect();
        let suppress = self.suppress.as_ref().map(|share| format!("--suppress {share}")).unwrap_or_default();
        let p = self.p.map(|p| format!("-p {p}")).unwrap_or_default();
        format!(
            "anonymize {} -o release.csv -k {} {p} {} {suppress}",
            self.line,
            self.k,
            boundaries.join(" ")
        )
    }
}

fn asked<'a>(boundaries: &[(&'a str, &'a str)], k: u32, suppress: Option<&str>) -> Asked<'a> {
    Asked {
        line: format!("towns.csv {TOWN_ROLES}"),
        boundaries: boundaries.to_vec(),
        k,
        p: None,
        suppress: suppress.map(str::to_owned),
    }
}

/// Goes every way that the message offers. Where it says how many rows will fall short, so many must be suppressed.
fn follow(desk: &Desk, asked: &Asked<'_>) -> String {
    let message = desk.refused(&asked.line());
    assert!(message.starts_with("exit code 3\n"), "{message}");
    let (_, ways) = message.trim_end().split_once("way out: ").unwrap();
    for way in ways.split("; ") {
        let mut changed = asked.clone();
        if let Some(rest) = way.strip_prefix("without the boundary on '") {
            let (column, _) = rest.split_once('\'').unwrap();
            changed.boundaries.retain(|(c, _)| *c != column);
            assert_eq!(changed.boundaries.len() + 1, asked.boundaries.len(), "{way}");
        } else if let Some(rest) = way.strip_prefix("with k = ") {
            let (demands, _) = rest.split_once(',').unwrap();
            let (k, p) = demands.split_once(" and p = ").unwrap_or((demands, ""));
            changed.k = k.parse().unwrap();
            changed.p = p.parse().ok().or(asked.p);
            assert!(changed.k < asked.k, "{way}");
        } else {
            let rest = way.strip_prefix("--suppress ").unwrap_or_else(|| panic!("a way nobody knows: {way}"));
            changed.suppress = Some(rest.split_once(' ').unwrap().0.to_owned());
        }
        let ran = desk.done(&format!("{} --json", changed.line()));
        let json: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
        if let Some((_, said)) = way.split_once("' ").or_else(|| way.split_once(", ")) {
            let fell_short: u64 = said.split_once(' ').unwrap().0.parse().unwrap();
            assert_eq!(json["suppressed_because"]["boundaries"], fell_short, "{way}");
        }
        for file in ["release.csv", "release.csv.certificate.json", "release.csv.audit.json"] {
            std::fs::remove_file(desk.path(file)).unwrap();
        }
    }
    message
}

#[test]
fn k_is_larger_than_every_group() {
    insta::assert_snapshot!(follow(&Desk::with_towns(), &asked(&[("location", MARKS)], 5, None)), @r"
    exit code 3
    error: within the boundaries 12 of 12 rows fall short: 4 of 4 groups do not meet k = 5; the largest has 4 rows
      where: boundaries, -k, --suppress
      way out: without the boundary on 'location' 0 rows fall short; with k = 4, 4 rows fall short
    ");
}

#[test]
fn more_must_go_than_may() {
    let desk = Desk::with_towns();
    insta::assert_snapshot!(follow(&desk, &asked(&[("location", MARKS)], 4, Some("10%"))), @r"
    exit code 3
    error: within the boundaries 4 of 12 rows fall short: 2 of 4 groups do not meet k = 4; the largest has 2 rows, and at most 1 may be suppressed
      where: boundaries, -k, --suppress
      way out: without the boundary on 'location' 0 rows fall short; with k = 2, 0 rows fall short; --suppress 33.4% lets them go
    ");
    // One row more, and it would have been enough.
    insta::assert_snapshot!(follow(&desk, &asked(&[("location", MARKS)], 3, Some("33.3%"))), @r"
    exit code 3
    error: within the boundaries 4 of 12 rows fall short: 2 of 4 groups do not meet k = 3; the largest has 2 rows, and at most 3 may be suppressed
      where: boundaries, -k, --suppress
      way out: without the boundary on 'location' 0 rows fall short; with k = 2, 0 rows fall short; --suppress 33.4% lets them go
    ");
    desk.done(&asked(&[("location", MARKS)], 3, Some("33.4%")).line());
}

/// The message names the boundary whose absence helps most.
#[test]
fn one_of_two_boundaries_is_too_much() {
    let both = [("location", MARKS), ("age", "--cuts age=30,50")];
    insta::assert_snapshot!(follow(&Desk::with_towns(), &asked(&both, 4, None)), @r"
    exit code 3
    error: within the boundaries 12 of 12 rows fall short: 7 of 7 groups do not meet k = 4; the largest has 2 rows
      where: boundaries, -k, --suppress
      way out: without the boundary on 'location' 3 rows fall short; with k = 2, 2 rows fall short
    ");
    insta::assert_snapshot!(follow(&Desk::with_towns(), &asked(&both, 2, Some("0%"))), @r"
    exit code 3
    error: within the boundaries 2 of 12 rows fall short: 2 of 7 groups do not meet k = 2; the largest has 1 row, and at most 0 may be suppressed
      where: boundaries, -k, --suppress
      way out: without the boundary on 'age' 0 rows fall short; --suppress 16.7% lets them go
    ");
}

#[test]
fn intervals_too_narrow() {
    let desk = Desk::with_towns();
    insta::assert_snapshot!(follow(&desk, &asked(&[("age", "--max-width age=0")], 2, None)), @r"
    exit code 3
    error: within the boundaries 12 of 12 rows fall short: 12 of 12 groups do not meet k = 2; the largest has 1 row
      where: boundaries, -k, --suppress
      way out: without the boundary on 'age' 0 rows fall short
    ");
    insta::assert_snapshot!(follow(&desk, &asked(&[("age", "--max-width age=2")], 2, Some("0%"))), @r"
    exit code 3
    error: within the boundaries 5 of 12 rows fall short: 5 of 8 groups do not meet k = 2; the largest has 1 row, and at most 0 may be suppressed
      where: boundaries, -k, --suppress
      way out: without the boundary on 'age' 0 rows fall short; --suppress 41.7% lets them go
    ");
}

#[test]
fn too_few_different_sensitive_values() {
    let desk = Desk::with_towns();
    let diverse = |k, suppress| Asked { p: Some(3), ..asked(&[("location", MARKS)], k, suppress) };
    insta::assert_snapshot!(follow(&desk, &diverse(3, Some("0%"))), @r"
    exit code 3
    error: within the boundaries 4 of 12 rows fall short: 2 of 4 groups do not meet k = 3 and p = 3; the largest has 2 rows, and at most 0 may be suppressed
      where: boundaries, -k, --suppress
      way out: without the boundary on 'location' 0 rows fall short; with k = 2 and p = 2, 0 rows fall short; --suppress 33.4% lets them go
    ");
    insta::assert_snapshot!(follow(&desk, &diverse(5, None)), @r"
    exit code 3
    error: within the boundaries 12 of 12 rows fall short: 4 of 4 groups do not meet k = 5 and p = 3; the largest has 4 rows
      where: boundaries, -k, --suppress
      way out: without the boundary on 'location' 0 rows fall short; with k = 4, 4 rows fall short
    ");
}

/// No single step helps; both boundaries must give way.
#[test]
fn several_boundaries_are_too_much() {
    let desk = Desk::with_towns().with("towns.csv", TOWNS.replace("Ann,25", "Ann,24"));
    let towns = "--max-generalization location=Seattle --max-generalization location=Wichita --max-generalization location=Lincoln --max-generalization location=California";
    let line = |width: &str, towns: &str| {
        format!("anonymize towns.csv -o release.csv {TOWN_ROLES} -k 5 --max-width age={width} {towns}")
    };
    insta::assert_snapshot!(desk.refused(&line("0", towns)), @r"
    exit code 3
    error: within the boundaries 12 of 12 rows fall short: 12 of 12 groups do not meet k = 5; the largest has 1 row
      where: boundaries, -k, --suppress
      way out: widen several boundaries at once, or lower k as well
    ");
    desk.done(&line("20", "--max-generalization location=California"));
    insta::assert_snapshot!(desk.refused(&format!("{} -p 2", line("0", towns))), @r"
    exit code 3
    error: no release was found: within the boundaries 12 of 12 rows fall short: 12 of 12 groups do not meet k = 5 and p = 2; the largest has 1 row
      where: boundaries, -k, --suppress
      way out: widen several boundaries at once, or lower k or ask for less diversity as well
    ");
}

/// Who opted out cannot be suppressed, and is not among the rows that the share is a share of.
#[test]
fn beside_rows_that_are_published_as_they_are() {
    let mut table = TOWNS.replace('\n', ",no\n").replacen(",no", ",consent", 1);
    for name in ["Ann", "Fay", "Gil"] {
        let row = table.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        table = table.replace(&row, &row.replace(",no", ",public"));
    }
    let desk = Desk::with_towns().with("towns.csv", table);
    let job = Asked {
        line: format!("towns.csv {TOWN_ROLES} --opt-out consent=public"),
        ..asked(&[("location", MARKS)], 3, Some("10%"))
    };
    insta::assert_snapshot!(follow(&desk, &job), @r"
    exit code 3
    error: within the boundaries 3 of 9 rows fall short: 2 of 4 groups do not meet k = 3; the largest has 2 rows, and at most 0 may be suppressed
      where: boundaries, -k, --suppress
      way out: without the boundary on 'location' 0 rows fall short; --suppress 33.4% lets them go
    ");
}

#[test]
fn more_rows_lack_a_value_than_may_go() {
    let desk = Desk::new().with("people.csv", PEOPLE.replace("Kim,45", "Kim,"));
    let line = "anonymize people.csv -o release.csv --identifier name --rest keep --qi age,sex,zip --sensitive illness -k 3";
    for (suppress, most) in [("0%", 0), ("8.4%", 1)] {
        let message = desk.refused(&format!("{line} --missing suppress --suppress {suppress}"));
        let said = format!("2 rows lack a quasi-identifier and would be suppressed, but only {most} may be");
        assert!(message.contains(&said), "{message}");
    }
    insta::assert_snapshot!(desk.refused(&format!("{line} --missing suppress --suppress 10%")), @r#"
    exit code 3
    error: 2 rows lack a quasi-identifier and would be suppressed, but only 1 may be
      where: --suppress
      way out: allow --suppress 16.7%, or count missing as a value (missing = "value")
    "#);
    desk.done(&format!("{line} --missing suppress --suppress 16.7%"));
    desk.done(&format!("{line} --missing value --suppress 10%"));
    let one = Desk::with_people();
    insta::assert_snapshot!(one.refused(&format!("{line} --missing suppress --suppress 0%")), @r#"
    exit code 3
    error: 1 row lacks a quasi-identifier and would be suppressed, but only 0 may be
      where: --suppress
      way out: allow --suppress 8.4%, or count missing as a value (missing = "value")
    "#);
    one.done(&format!("{line} --missing suppress --suppress 8.4%"));
}

/// Rows that lack a value and rows that fall short of the boundaries share one limit.
#[test]
fn rows_that_lack_a_value_and_boundaries() {
    let desk = Desk::new().with("people.csv", PEOPLE.replace("Kim,45", "Kim,"));
    let job = |suppress| Asked {
        line:
            "people.csv --identifier name --rest keep --qi age,sex,zip --sensitive illness --missing suppress"
                .into(),
        ..asked(&[("age", "--cuts age=30")], 3, Some(suppress))
    };
    insta::assert_snapshot!(desk.refused(&job("10%").line()), @r#"
    exit code 3
    error: 2 rows lack a quasi-identifier and would be suppressed, but only 1 may be
      where: --suppress
      way out: allow at least --suppress 16.7%, or count missing as a value (missing = "value")
    "#);
    insta::assert_snapshot!(follow(&desk, &job("16.7%")), @r"
    exit code 3
    error: within the boundaries 2 of 10 rows fall short: 1 of 2 groups does not meet k = 3; the largest has 2 rows, and at most 0 may be suppressed
      where: boundaries, -k, --suppress
      way out: without the boundary on 'age' 0 rows fall short; with k = 2, 0 rows fall short; --suppress 33.4% lets them go
    ");
}
