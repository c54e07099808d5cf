//! The order of rows. Somebody holds two releases about the same people, or the source and a guess of the input.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Desk;

/// Lines of a release without its header.
fn lines(desk: &Desk, name: &str) -> Vec<String> {
    desk.read(name).lines().skip(1).map(str::to_owned).collect()
}

/// One release tells birth date and sex, another postcode and admission. Pasted side by side, line by line, they must not
/// fit together: the diagnosis, which both show, says whether they do.
#[test]
fn two_releases_cannot_be_pasted_together() {
    let desk = Desk::new();
    desk.done("generate hospital --rows 2000 --seed 5 -o all.csv --hierarchies trees");
    let roles = "--sensitive diagnosis --hierarchies trees -k 10 -p 3";
    let rest = "--identifier name,patient_id,ward,length_of_stay,procedure,cost";
    let (one, two) = ("birth_date,sex", "postcode,admission_date");
    desk.done(&format!("anonymize all.csv -o one.csv {roles} --rest keep --qi {one} {rest},{two}"));
    desk.done(&format!("anonymize all.csv -o two.csv {roles} --rest keep --qi {two} {rest},{one}"));
    let diagnoses = |name: &str| {
        let text = desk.read(name);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let at = reader.headers().unwrap().iter().position(|h| h == "diagnosis").unwrap();
        reader.records().map(|r| r.unwrap()[at].to_owned()).collect::<Vec<_>>()
    };
    let (one, two) = (diagnoses("one.csv"), diagnoses("two.csv"));
    assert_eq!(one.len(), two.len(), "the attack needs equally many rows");
    let same = one.iter().zip(&two).filter(|(a, b)| a == b).count();
    // What chance alone gives: the sum of squared shares.
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for diagnosis in &one {
        *counts.entry(diagnosis).or_default() += 1.0;
    }
    let chance = counts.values().map(|n| n * n).sum::<f64>() / one.len() as f64;
    assert!((same as f64) < chance + 6.0 * chance.sqrt() + 1.0, "{same} lines fit, {chance:.0} by chance");
}

/// What the order is a function of: the same released rows stand in the same order, wherever they stood before, whatever
/// else the table held, the seed, and the number of threads.
#[test]
fn the_order_depends_on_the_released_rows_alone() {
    let people: Vec<String> =
        (0..240).map(|i| format!("{},{},d{}", 20 + i / 10, ["f", "m"][i / 5 % 2], i % 7)).collect();
    let table = |order: &[usize], names: &str| {
        order
            .iter()
            .fold("name,age,sex,diag\n".to_owned(), |text, &i| text + &format!("{names}{i},{}\n", people[i]))
    };
    let forwards: Vec<usize> = (0..people.len()).collect();
    let backwards: Vec<usize> = forwards.iter().rev().copied().collect();
    let stirred: Vec<usize> = forwards.iter().map(|i| i * 77 % people.len()).collect();
    let desk = Desk::new()
        .with("a.csv", table(&forwards, "A"))
        .with("b.csv", table(&backwards, "B"))
        .with("c.csv", table(&stirred, "C"));
    let roles = "--identifier name --rest keep --qi age,sex --sensitive diag -k 5";
    let mut releases = BTreeSet::new();
    for (input, more) in
        [("a", "--seed 1"), ("b", "--seed 2"), ("c", "--threads 1"), ("a", "--algorithm mondrian")]
    {
        desk.done(&format!("anonymize {input}.csv -o out.csv {roles} {more}"));
        releases.insert(lines(&desk, "out.csv"));
    }
    // The table is k-anonymous as it is, so every job releases the same rows.
    assert_eq!(releases.len(), 1, "equal rows stand in different orders");
    let shown = releases.pop_first().unwrap();
    let mut sorted = shown.clone();
    sorted.sort();
    assert_ne!(shown, sorted, "the attack needs an order of its own");
}

/// Rows that were taken out, and columns that are not held in memory, leave no trace in the order.
#[test]
fn untouched_columns_and_suppressed_rows_do_not_move_others() {
    let people = |odd: &str| {
        let usual = (0..60).map(|i| format!("{},n{},{}\n", 30 + i / 12, i % 5, "x".repeat(i % 3)));
        let rows: Vec<String> = usual.collect();
        format!("age,note,mark\n{}{odd}{}", rows[..31].concat(), rows[31..].concat())
    };
    let desk = Desk::new().with("plain.csv", people("")).with("more.csv", people(",zz,q\n,yy,q\n"));
    for input in ["plain", "more"] {
        let line =
            format!("anonymize {input}.csv -o {input}-out.csv --rest keep --qi age --missing suppress -k 12");
        desk.done(&line);
    }
    assert_eq!(desk.read("plain-out.csv"), desk.read("more-out.csv"));
}
