//! Promises of the weaker notions that a release does not keep.

use serde_json::Value;

use crate::common::Desk;

/// Five people with a value of `q`, three without, who are suppressed.
const TABLE: &str = "q,c\n4,a\n2,b\n3,d\n4,e\n5,a\n,x\n,y\n,z\n";

const ROLES: &str = "--qi q --sensitive c --type q=category -k 2";

/// Whoever knows `q` of everybody knows who is suppressed. The release shows `4` twice and `*` three times: with five rows
/// for five people, those two are the ones with `4`, and the other three own the rest. So all have two rows at least that
/// could be theirs; the attack is on tables where that fails, found by trying every assignment.
fn fewest_matches(people: &[&str], tuples: &[String]) -> usize {
    let fits = |person: usize, tuple: usize| tuples[tuple] == "*" || tuples[tuple] == people[person];
    let mut could = vec![vec![false; tuples.len()]; people.len()];
    let mut taken = Vec::new();
    assign(&fits, people.len(), &mut taken, &mut could);
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

fn published(release: &str) -> Vec<String> {
    release.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
}

/// What the certificate says about the outsider who knows the whole table is what trying every assignment of the people who
/// are not suppressed finds.
#[test]
fn a_certificate_that_promises_global_anonymity() {
    let mut promised = 0;
    for seed in 0..60u32 {
        let (table, people) =
            if seed == 0 { (TABLE.to_owned(), vec!["4", "2", "3", "4", "5"]) } else { drawn(seed) };
        let desk = Desk::new().with("t.csv", table);
        desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --missing suppress --notion kk --quiet"));
        let certificate = desk.read("r.csv.certificate.json");
        let least = fewest_matches(&people, &published(&desk.read("r.csv")));
        let says = certificate.contains("also global (1,k)-anonymous");
        assert!(
            !says || least >= 2,
            "seed {seed}: somebody has {least} row that could be theirs\n{}",
            desk.read("r.csv")
        );
        promised += u32::from(says);
        let verify = format!("verify r.csv --original t.csv {ROLES} --notion global-1k");
        let job = Desk::with(desk, "job.toml", "missing = \"suppress\"\n");
        for more in ["", " --job job.toml"] {
            let met = job.run(&format!("{verify}{more}")).code == Some(0);
            assert!(!met || least >= 2, "seed {seed}{more}: `verify` says met, somebody has {least}");
        }
    }
    assert!(promised > 0, "the sentence is still said where it is true");
}

/// Five people with values, three without.
fn drawn(seed: u32) -> (String, Vec<&'static str>) {
    let mut state = seed;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let people: Vec<&'static str> = (0..5).map(|_| ["2", "3", "4", "5"][next(4) as usize]).collect();
    let rows = people.iter().map(|q| format!("{q},{}\n", ["a", "b", "c"][next(3) as usize]));
    (format!("q,c\n{},x\n,y\n,z\n", rows.collect::<String>()), people)
}

/// The other way round: what was released with suppressed rows is not refused.
#[test]
fn releases_with_suppressed_rows_are_recognized() {
    for seed in 0..40 {
        let table = if seed == 0 { TABLE.to_owned() } else { drawn(seed).0 };
        let desk = Desk::new().with("t.csv", table).with("job.toml", "missing = \"suppress\"\n");
        let flags = format!("{ROLES} --job job.toml --notion kk");
        desk.done(&format!("anonymize t.csv -o r.csv {flags} --quiet"));
        let ran = desk.run(&format!("verify r.csv --original t.csv {flags}"));
        assert_eq!(ran.code, Some(0), "seed {seed}: {}", ran.err);
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
    assert!(unchecked.contains("the notion 'kk': that takes --original"), "{unchecked}");
}
