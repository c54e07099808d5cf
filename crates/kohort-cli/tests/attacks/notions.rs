//! Promises of the weaker notions that a release does not keep.

use serde_json::Value;

use crate::common::Desk;

/// Whoever lacks `q` is suppressed. In the first table everybody who knows the quasi-identifiers can tell whose one row is;
/// in the second a suppressed row fits fewer rows than others must.
const TABLES: [&str; 2] = ["4,a 3,b 5,b 3,b 2,e ,b", "4,a 2,a 2,e 3,e 5,e 4,a ,a ,x ,y"];

const AUDIT: &str = "r.csv.audit.json";
const ROLES: &str = "--rest keep --qi q,c --type q=category -k 2";

/// A row of two cells.
type Row = [String; 2];

fn row(text: &str) -> Row {
    let (q, c) = text.split_once(',').unwrap();
    [q.to_owned(), c.to_owned()]
}

/// One of the tables above, or one that is drawn.
fn table(seed: usize) -> Vec<Row> {
    if let Some(rows) = TABLES.get(seed) {
        return rows.split(' ').map(row).collect();
    }
    let mut state = seed as u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let people = 4 + next(3);
    let full =
        (0..people).map(|_| [(2 + next(4)).to_string(), ["a", "b", "d", "e"][next(4) as usize].to_owned()]);
    let mut rows: Vec<Row> = full.collect();
    rows.extend((0..=next(3)).map(|_| [String::new(), ["a", "b", "x", "y"][next(4) as usize].to_owned()]));
    rows
}

fn desk(rows: &[Row]) -> Desk {
    let lines: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    Desk::new()
        .with("t.csv", format!("q,c\n{}\n", lines.join("\n")))
        .with("job.toml", "missing = \"suppress\"\n")
}

/// The fewest published rows that could be some person's: every assignment of the people who are not suppressed to the
/// published rows is tried. Whoever knows `q` of everybody knows who they are.
fn fewest_matches(people: &[&Row], tuples: &[Row]) -> usize {
    let fits = |person: usize, tuple: usize| {
        tuples[tuple].iter().zip(people[person]).all(|(cell, value)| cell == "*" || cell == value)
    };
    let mut could = vec![vec![false; tuples.len()]; people.len()];
    assign(&fits, people.len(), &mut Vec::new(), &mut could);
    could.iter().map(|c| c.iter().filter(|&&c| c).count()).min().unwrap()
}

fn assign(
    fits: &dyn Fn(usize, usize) -> bool,
    people: usize,
    taken: &mut Vec<usize>,
    could: &mut [Vec<bool>],
) {
    if taken.len() == people {
        taken.iter().enumerate().for_each(|(person, &tuple)| could[person][tuple] = true);
        return;
    }
    for tuple in 0..people {
        if !taken.contains(&tuple) && fits(taken.len(), tuple) {
            taken.push(tuple);
            assign(fits, people, taken, could);
            taken.pop();
        }
    }
}

/// What the certificate says about the outsider who knows the whole table is what trying every assignment finds.
#[test]
fn a_certificate_that_promises_global_anonymity() {
    let mut promised = 0;
    for seed in 0..60 {
        let rows = table(seed);
        let desk = desk(&rows);
        let flags = format!("{ROLES} --job job.toml");
        desk.done(&format!("anonymize t.csv -o r.csv {flags} --notion kk --quiet"));
        let people: Vec<&Row> = rows.iter().filter(|[q, _]| !q.is_empty()).collect();
        let release: Vec<Row> = desk.read("r.csv").lines().skip(1).map(row).collect();
        let least = fewest_matches(&people, &release);
        let said = |name: &str| desk.read(name).contains("also global (1,k)-anonymous");
        let says = said("r.csv.certificate.json") || (desk.path(AUDIT).exists() && said(AUDIT));
        assert!(!says || least >= 2, "table {seed}: the record promises, somebody has {least} row");
        promised += u32::from(says);
        for told in [ROLES, flags.as_str()] {
            let ran = desk.run(&format!("verify r.csv --original t.csv {told} --notion global-1k"));
            assert!(ran.code != Some(0) || least >= 2, "table {seed}, {told}: met, somebody has {least} row");
        }
    }
    assert!(promised > 0, "the sentence is still said where it is true");
}

/// The other way round: what was released with suppressed rows is not refused.
#[test]
fn releases_with_suppressed_rows_are_recognized() {
    for seed in 0..60 {
        let desk = desk(&table(seed));
        let flags = format!("{ROLES} --job job.toml --notion kk");
        desk.done(&format!("anonymize t.csv -o r.csv {flags} --quiet"));
        let ran = desk.run(&format!("verify r.csv --original t.csv {flags}"));
        assert_eq!(ran.code, Some(0), "table {seed}: {}", ran.err);
    }
}

/// Without the original nobody can tell; that is said, and it is no success.
#[test]
fn a_notion_that_cannot_be_checked_is_not_met() {
    let desk = Desk::new().with("r.csv", "q,c\n1,a\n1,b\n");
    let ran = desk.run("verify r.csv --qi q --sensitive c -k 2 --notion kk --json");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let summary: Value = serde_json::from_str(&ran.text()).unwrap();
    assert_eq!(summary["met"], false);
    let unchecked = summary["not_checked"].to_string();
    assert!(unchecked.contains("the notion 'kk': that takes `original`"), "{unchecked}");
}
