//! Levels that do not exist, do not fit or do not do.

use crate::common::{Desk, MARKS, TOWN_ROLES};

fn line(flags: &str) -> String {
    format!("anonymize towns.csv -o release.csv --type age=integer {TOWN_ROLES} {flags}")
}

fn refused(flags: &str) -> String {
    Desk::with_towns().refused(&line(flags))
}

#[test]
fn levels_and_columns_that_do_not_exist() {
    insta::assert_snapshot!(refused("-k 2 --levels location=4"), @"");
    insta::assert_snapshot!(refused("-k 2 --levels age=2"), @"");
    insta::assert_snapshot!(refused("-k 2 --levels locaton=1"), @"");
    insta::assert_snapshot!(refused("-k 2 --levels illness=1"), @"");
    insta::assert_snapshot!(refused("-k 2 --levels location=one"), @"");
    insta::assert_snapshot!(refused("-k 2 --levels location=-1"), @"");
    insta::assert_snapshot!(refused("-k 2 --levels location"), @"");
    insta::assert_snapshot!(refused("-k 2 --levels location=1,location=2"), @"");
    insta::assert_snapshot!(refused(&format!("-k 2 --levels location=2 {MARKS}")), @"");
}

#[test]
fn only_incognito_chooses_levels() {
    insta::assert_snapshot!(refused("-k 2 --levels location=1 --algorithm mondrian"), @"");
    insta::assert_snapshot!(refused("-k 2 --solutions all.csv --algorithm kaca"), @"");
    insta::assert_snapshot!(refused("-k 2 --levels location=1 --notion kk"), @"");
}

#[test]
fn places_of_the_list() {
    insta::assert_snapshot!(refused("-k 2 --solutions all.xlsx"), @"");
    insta::assert_snapshot!(refused("-k 2 --solutions -"), @"");
    insta::assert_snapshot!(refused("-k 2 --solutions release.csv"), @"");
    insta::assert_snapshot!(refused("-k 2 --solutions towns.csv"), @"");
    insta::assert_snapshot!(refused("-k 2 --solutions trees/location.csv"), @"");
    insta::assert_snapshot!(refused("-k 2 --solutions nowhere/all.csv"), @"");
}

/// Goes every way that the message offers.
fn follow(flags: &str) -> String {
    let desk = Desk::with_towns();
    let message = desk.refused(&line(flags));
    assert!(message.starts_with("exit code 3\n"), "{message}");
    let (_, ways) = message.trim_end().split_once("way out: ").unwrap();
    for way in ways.split("; ") {
        let word = |start: &str| way.strip_prefix(start).map(|rest| rest.split(' ').next().unwrap());
        let changed = if let Some(raised) = word("--levels ") {
            let name = raised.split('=').next().unwrap();
            let levels = flags.split("--levels ").nth(1).unwrap().split(' ').next().unwrap();
            let other = levels.split(',').filter(|l| l.split('=').next() != Some(name));
            let all: Vec<&str> = other.chain([raised]).collect();
            flags.replace(levels, &all.join(","))
        } else if let Some(share) = word("--suppress ") {
            match flags.split_once("--suppress ") {
                Some((before, rest)) => {
                    format!("{before}--suppress {share}{}", &rest[rest.find(' ').unwrap_or(rest.len())..])
                }
                None => format!("{flags} --suppress {share}"),
            }
        } else if way.starts_with("without the boundary on 'location'") {
            flags.replace(MARKS, "")
        } else if way.starts_with("no single level is enough: without --levels") {
            let levels = flags.split("--levels ").nth(1).unwrap().split(' ').next().unwrap();
            flags.replace(&format!("--levels {levels}"), "--algorithm incognito")
        } else {
            panic!("a way nobody knows: {way}")
        };
        desk.done(&format!("{} --quiet", line(&changed)));
        for file in ["release.csv", "release.csv.certificate.json"] {
            std::fs::remove_file(desk.path(file)).unwrap();
        }
    }
    message
}

#[test]
fn fixed_levels_that_do_not_do() {
    insta::assert_snapshot!(follow("-k 4 --levels location=1"), @"");
    insta::assert_snapshot!(follow("-k 4 --levels location=1 --suppress 10%"), @"");
    insta::assert_snapshot!(follow("-k 3 --levels age=0,location=0"), @"");
    insta::assert_snapshot!(follow("-k 2 --levels age=0,location=2"), @"");
}

#[test]
fn boundaries_that_leave_no_levels() {
    insta::assert_snapshot!(follow(&format!("-k 3 --algorithm incognito {MARKS}")), @"");
    insta::assert_snapshot!(follow(&format!("-k 12 --algorithm incognito {MARKS}")), @"");
}

#[test]
fn too_many_combinations() {
    let names: Vec<String> = (0..30).map(|c| format!("c{c}")).collect();
    let table = format!("{}\n{}\n{}\n", names.join(","), ["1"; 30].join(","), ["2"; 30].join(","));
    let desk = Desk::new().with("t.csv", table);
    let message = desk
        .refused(&format!("anonymize t.csv -o r.csv --qi {} -k 2 --algorithm incognito", names.join(",")));
    assert!(
        message.starts_with("exit code 2\nerror: incognito would have to search 1073741824 combinations"),
        "{message}"
    );
    let fixed: Vec<String> = names.iter().take(20).map(|n| format!("{n}=1")).collect();
    desk.done(&format!(
        "anonymize t.csv -o r.csv --qi {} -k 2 --levels {} --quiet",
        names.join(","),
        fixed.join(",")
    ));
}
