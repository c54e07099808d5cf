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
    insta::assert_snapshot!(refused("-k 2 --levels location=4"), @r"
    exit code 2
    error: column 'location' has no level 4, expected 0 to 3
      where: --levels location=4
      way out: 0 is the value itself, each step goes up in the hierarchy, 3 says least
    ");
    insta::assert_snapshot!(refused("-k 2 --levels age=2"), @r"
    exit code 2
    error: column 'age' has no level 2, expected 0 to 1
      where: --levels age=2
      way out: 0 is the value itself, each step goes up in the hierarchy, 1 says least
    ");
    insta::assert_snapshot!(refused("-k 2 --levels locaton=1"), @r"
    exit code 2
    error: 'locaton' is not a quasi-identifier
      where: --levels locaton=1
      way out: did you mean 'location'?
    ");
    insta::assert_snapshot!(refused("-k 2 --levels illness=1"), @r"
    exit code 2
    error: 'illness' is not a quasi-identifier
      where: --levels illness=1
      way out: one of age, location
    ");
    insta::assert_snapshot!(refused("-k 2 --levels location=one"), @r"
    exit code 2
    error: level 'one' is not a whole number
      where: --levels location=one
      way out: say how many steps up, such as --levels location=1; 0 is the value itself
    ");
    insta::assert_snapshot!(refused("-k 2 --levels location=-1"), @r"
    exit code 2
    error: level '-1' is not a whole number
      where: --levels location=-1
      way out: say how many steps up, such as --levels location=1; 0 is the value itself
    ");
    insta::assert_snapshot!(refused("-k 2 --levels location"), @r"
    exit code 2
    error: 'location', expected NAME=VALUE
      where: --levels
      way out: write --levels location=…, without spaces
    ");
    insta::assert_snapshot!(refused("-k 2 --levels location=1,location=2"), @r"
    exit code 2
    error: column 'location' is named twice
      where: --levels
      way out: give it one level
    ");
    insta::assert_snapshot!(refused(&format!("-k 2 --levels location=2 {MARKS}")), @r"
    exit code 2
    error: level 2 of column 'location' goes beyond its boundary, expected 0 to 1
      where: --levels location=2
      way out: take a lower level, or widen the boundary
    ");
}

#[test]
fn only_incognito_chooses_levels() {
    insta::assert_snapshot!(refused("-k 2 --levels location=1 --algorithm mondrian"), @r"
    exit code 2
    error: --levels is about levels of whole columns, which mondrian does not choose
      where: --levels
      way out: say --algorithm incognito, or omit --levels
    ");
    insta::assert_snapshot!(refused("-k 2 --solutions all.csv --algorithm kaca"), @r"
    exit code 2
    error: --solutions is about levels of whole columns, which kaca does not choose
      where: --solutions
      way out: say --algorithm incognito, or omit --solutions
    ");
}

#[test]
fn places_of_the_list() {
    insta::assert_snapshot!(refused("-k 2 --solutions all.xlsx"), @r"
    exit code 2
    error: the list of solutions is written as .csv or .json
      where: --solutions all.xlsx
      way out: end the name of the file in one of them
    ");
    insta::assert_snapshot!(refused("-k 2 --solutions -"), @r"
    exit code 2
    error: the list of solutions is written as .csv or .json
      where: --solutions -
      way out: end the name of the file in one of them
    ");
    insta::assert_snapshot!(refused("-k 2 --solutions release.csv"), @r"
    exit code 2
    error: the list of solutions would replace the release
      where: release.csv
      way out: give it another name
    ");
    insta::assert_snapshot!(refused("-k 2 --solutions towns.csv"), @r"
    exit code 2
    error: the list of solutions would replace the input
      where: towns.csv
      way out: give it another name
    ");
    insta::assert_snapshot!(refused("-k 2 --solutions trees/location.csv"), @r"
    exit code 2
    error: the list of solutions would replace a hierarchy
      where: trees/location.csv
      way out: give it another name
    ");
    insta::assert_snapshot!(refused("-k 2 --solutions nowhere/all.csv"), @r"
    exit code 2
    error: cannot write: No such file or directory (os error 2)
      where: nowhere/all.csv
      way out: create the folder first; nothing was written
    ");
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
        } else if way.starts_with("--algorithm auto") {
            flags.replace("--algorithm incognito", "--algorithm auto")
        } else {
            panic!("a way nobody knows: {way}")
        };
        desk.done(&format!("{} --quiet", line(&changed)));
        for file in ["release.csv", "release.csv.certificate.json", "release.csv.audit.json"] {
            std::fs::remove_file(desk.path(file)).unwrap();
        }
    }
    message
}

#[test]
fn fixed_levels_that_do_not_do() {
    insta::assert_snapshot!(follow("-k 4 --levels location=1"), @r"
    exit code 3
    error: no levels satisfy the demands: at the most general ones allowed 4 of 12 rows lie in classes that fall short, and none may be suppressed
      where: -k, --levels
      way out: --levels location=2 would do with the other levels as they are; --suppress 33.4% lets 4 rows go
    ");
    insta::assert_snapshot!(follow("-k 4 --levels location=1 --suppress 10%"), @r"
    exit code 3
    error: no levels satisfy the demands: at the most general ones allowed 4 of 12 rows lie in classes that fall short, and at most 1 may be suppressed
      where: -k, --suppress, --levels
      way out: --levels location=2 would do with the other levels as they are; --suppress 33.4% lets 4 rows go
    ");
    insta::assert_snapshot!(follow("-k 3 --levels age=0,location=0"), @r"
    exit code 3
    error: no levels satisfy the demands: at the most general ones allowed 12 of 12 rows lie in classes that fall short, and none may be suppressed
      where: -k, --levels
      way out: no single level is enough: without --levels there is a solution
    ");
    insta::assert_snapshot!(follow("-k 2 --levels age=0,location=2"), @r"
    exit code 3
    error: no levels satisfy the demands: at the most general ones allowed 12 of 12 rows lie in classes that fall short, and none may be suppressed
      where: -k, --levels
      way out: --levels age=1 would do with the other levels as they are
    ");
}

#[test]
fn boundaries_that_leave_no_levels() {
    insta::assert_snapshot!(follow(&format!("-k 3 --algorithm incognito {MARKS}")), @r"
    exit code 3
    error: no levels satisfy the demands: at the most general ones allowed 4 of 12 rows lie in classes that fall short, and none may be suppressed
      where: -k, boundaries
      way out: without the boundary on 'location' there is a solution; --suppress 33.4% lets 4 rows go; --algorithm auto, which generalizes groups of rows one by one, would do
    ");
    insta::assert_snapshot!(follow(&format!("-k 12 --algorithm incognito {MARKS}")), @r"
    exit code 3
    error: no levels satisfy the demands: at the most general ones allowed 12 of 12 rows lie in classes that fall short, and none may be suppressed
      where: -k, boundaries
      way out: without the boundary on 'location' there is a solution
    ");
}

/// More combinations than can be listed; the best one is found without the list.
#[test]
fn too_many_combinations() {
    let names: Vec<String> = (0..30).map(|c| format!("c{c}")).collect();
    let table = format!("{}\n{}\n{}\n", names.join(","), ["1"; 30].join(","), ["2"; 30].join(","));
    let desk = Desk::new().with("t.csv", table);
    let line = format!("anonymize t.csv -o r.csv --rest keep --qi {} -k 2", names.join(","));
    let message = desk.refused(&format!("{line} --solutions all.csv"));
    assert!(
        message.starts_with(
            "exit code 2\nerror: to list all minimal solutions, 1073741824 combinations of levels"
        ),
        "{message}"
    );
    desk.done(&format!("{line} --algorithm incognito --quiet"));
    let fixed: Vec<String> = names.iter().take(20).map(|n| format!("{n}=1")).collect();
    desk.done(&format!("{line} --levels {} --solutions all.csv --quiet", fixed.join(",")));
}
