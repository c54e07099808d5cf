//! `--opt-out`: rows of people who do not mind, published as they are.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Desk, MARKS, TOWN_ROLES, TOWNS};

/// Eve and Hua do not mind; Hua's age and dose are missing.
const CONSENT: &str = "\
name,age,dose,born,sex,consent,illness
Ann,34,0.5,1990-01-02,f,no,flu
Ben,36,1.5,1988-03-04,m,no,gout
Cat,36,1.25,1988-05-06,f,no,flu
Dov,61,2.5,1963-07-08,m,no,asthma
Eve,40,7.25,1984-02-29,f,public,gout
Fay,58,3.5,1966-09-10,f,no,flu
Gil,59,2.25,1965-11-12,m,no,asthma
Hua,,,1999-12-31,m,public,gout
Ian,22,,2002-01-31,m,no,flu
Jan,24,0.5,2000-06-30,m,no,gout
Kim,,1.25,2001-08-09,f,no,flu
";

const ROLES: &str = "--identifier name --rest keep --qi age,dose,born,sex --sensitive illness -k 3";

fn desk() -> Desk {
    Desk::new().with("t.csv", CONSENT)
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The lines of a release that are somebody's who opted out.
fn as_they_are(release: &str) -> BTreeSet<&str> {
    release.lines().filter(|line| line.contains(",public,")).collect()
}

#[test]
fn rows_stand_in_the_release_as_in_the_table() {
    let desk = desk();
    let both = BTreeSet::from(["40,7.25,1984-02-29,f,public,gout", ",,1999-12-31,m,public,gout"]);
    for flags in [
        "",
        "--snap age=10,dose=2",
        "--missing suppress",
        "--missing suppress --suppressed star",
        "--suppress 30%",
        "-p 2",
        "--algorithm mondrian --cuts age=30,60",
    ] {
        desk.done(&format!(
            "anonymize t.csv -o kept.csv {ROLES} --opt-out consent=public {flags} --keep-order --quiet"
        ));
        let kept = desk.read("kept.csv");
        assert_eq!(as_they_are(&kept), both, "{flags}");
        desk.done(&format!(
            "anonymize t.csv -o shuffled.csv {ROLES} --opt-out consent=public {flags} --quiet"
        ));
        assert_eq!(as_they_are(&desk.read("shuffled.csv")), both, "{flags}");
        if kept.lines().count() == CONSENT.lines().count() {
            assert_eq!(kept.lines().nth(5), Some("40,7.25,1984-02-29,f,public,gout"), "{flags}");
        }
        for release in ["kept.csv", "shuffled.csv"] {
            desk.done(&format!("verify {release} --original t.csv {ROLES} --opt-out consent=public"));
        }
    }
}

#[test]
fn as_two_columns_or_as_the_middle() {
    let desk = desk();
    let line = "anonymize t.csv -o r.csv --sensitive illness -k 3 --opt-out consent=public --quiet";
    for snap in ["", "--snap dose=2"] {
        desk.done(&format!(
            "{line} --identifier name --rest keep --qi age,dose,born,sex --intervals bounds {snap}"
        ));
        let bounds = BTreeSet::from([
            "40,40,7.25,7.25,1984-02-29,1984-02-29,f,public,gout",
            ",,,,1999-12-31,1999-12-31,m,public,gout",
        ]);
        assert_eq!(as_they_are(&desk.read("r.csv")), bounds, "{snap}");
        desk.done(&format!("verify r.csv --original t.csv {ROLES} --opt-out consent=public"));
        let roles = "--identifier name,age --rest keep --qi dose,born,sex";
        desk.done(&format!("{line} {roles} --intervals midpoint {snap}"));
        let middles = BTreeSet::from(["7.25,1984-02-29,f,public,gout", ",1999-12-31,m,public,gout"]);
        assert_eq!(as_they_are(&desk.read("r.csv")), middles, "{snap}");
        desk.done(&format!(
            "verify r.csv --original t.csv {roles} --sensitive illness -k 3 --opt-out consent=public --intervals midpoint"
        ));
    }
}

/// The middles of whole numbers are decimals, and so is a whole number among them.
#[test]
fn whole_numbers_among_middles() {
    let desk = desk();
    desk.done(&format!(
        "anonymize t.csv -o r.csv {ROLES} --opt-out consent=public --intervals midpoint --quiet"
    ));
    let both = BTreeSet::from(["40.0,7.25,1984-02-29,f,public,gout", ",,1999-12-31,m,public,gout"]);
    assert_eq!(as_they_are(&desk.read("r.csv")), both);
}

/// Digits after a nought are a code, and stay one.
#[test]
fn a_code_with_a_leading_nought() {
    let table = CONSENT.replace("Eve,40,", "Eve,07,");
    let desk = Desk::new().with("t.csv", table);
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --opt-out consent=public --quiet"));
    assert!(desk.read("r.csv").contains("\n07,7.25,1984-02-29,f,public,gout\n"), "{}", desk.read("r.csv"));
    desk.done(&format!("verify r.csv --original t.csv {ROLES} --opt-out consent=public"));
}

/// Of a column declared to hold numbers, the number is published: 7 and 07 are one value.
#[test]
fn a_number_with_a_leading_nought() {
    let table = CONSENT.replace("Eve,40,", "Eve,07,");
    let desk = Desk::new().with("t.csv", table);
    let line = format!("anonymize t.csv -o r.csv {ROLES} --opt-out consent=public --type age=integer");
    desk.done(&format!("{line} --quiet"));
    assert!(desk.read("r.csv").contains("\n7,7.25,1984-02-29,f,public,gout\n"), "{}", desk.read("r.csv"));
}

#[test]
fn everybody_hears_of_it() {
    let desk = desk();
    let line = format!("anonymize t.csv -o r.csv {ROLES} --opt-out consent=public --algorithm k-member");
    let ran = desk.done(&format!("{line} --keep-order --json"));
    let json = parsed(&ran.text());
    assert_eq!((&json["rows"], &json["released"], &json["opted_out"]), (&11.into(), &9.into(), &2.into()));
    assert_eq!(json["suppressed"], 0);
    insta::assert_snapshot!(ran.err, @r"
    warning: rows keep the order of the table (--keep-order): whoever knows anything about that order may tell whose they are
    warning: 2 rows are published as they stand in the table (--opt-out): these people can be recognized and their sensitive values read; they count for nobody else's k, and whoever knows them can tell that the other rows are not theirs
    ");
    insta::assert_snapshot!("opt_out_certificate", desk.read("r.csv.certificate.json"));
    insta::assert_snapshot!("opt_out_summary", desk.done(&line).text());
    let one = desk.done(
        "anonymize t.csv -o r.csv --identifier name --rest keep --qi age,sex --sensitive illness -k 3 --opt-out born=1984-02-29",
    );
    assert!(one.err.contains("warning: 1 row is published as it stands in the table"), "{}", one.err);
    let nobody = desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --opt-out consent=yes"));
    assert!(nobody.err.contains("note: --opt-out: no row has this value"), "{}", nobody.err);
}

/// Ann and Ben are alike; Cat is like them, but in nobody's class.
#[test]
fn they_count_for_nobody() {
    let table = "name,age,sex,consent,illness\nAnn,30,f,no,flu\nBen,30,f,no,gout\nCat,30,f,public,asthma\nDov,41,m,no,flu\nEli,41,m,public,gout\nFay,41,m,no,flu\nGil,55,m,public,flu\n";
    let desk = Desk::new().with("t.csv", table);
    let roles = "--identifier name --rest keep --qi age,sex --sensitive illness";
    let two = desk.done(&format!("anonymize t.csv -o two.csv {roles} -k 2 --opt-out consent=public --json"));
    let json = parsed(&two.text());
    assert_eq!((&json["achieved"]["k"], &json["achieved"]["largest_class"]), (&2.into(), &2.into()));
    assert_eq!((&json["achieved"]["p"]["illness"], &json["classes"]), (&1.into(), &2.into()));
    assert_eq!(json["loss"]["il"], 0.0);
    let verify = |release: &str, flags: &str| {
        let ran = desk.run(&format!("verify {release} --original t.csv {roles} {flags} --json"));
        (ran.code, parsed(&ran.text())["achieved"]["k"].clone())
    };
    assert_eq!(verify("two.csv", "-k 2 --opt-out consent=public"), (Some(0), 2.into()));
    assert_eq!(verify("two.csv", "-k 3 --opt-out consent=public"), (Some(1), 2.into()));
    assert_eq!(verify("two.csv", "-k 2"), (Some(1), 1.into()));
    // Three people are 30 and female, but only two of them are there to hide among.
    desk.done(&format!("anonymize t.csv -o three.csv {roles} -k 3 --opt-out consent=public --quiet"));
    assert_eq!(verify("three.csv", "-k 3 --opt-out consent=public"), (Some(0), 4.into()));
    let ran = desk.run(&format!("anonymize t.csv -o five.csv {roles} -k 5 --opt-out consent=public"));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.starts_with("error: k = 5, but the table has only 4 rows to release"), "{}", ran.err);
}

/// Whoever checks the release must know the flag; alone and beside the original.
#[test]
fn verify_with_and_without_the_flag() {
    let desk = desk();
    for order in ["", "--keep-order"] {
        desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --opt-out consent=public --quiet {order}"));
        for line in [format!("verify r.csv --original t.csv {ROLES}"), format!("verify r.csv {ROLES}")] {
            let ran = desk.done(&format!("{line} --opt-out consent=public --json"));
            let json = parsed(&ran.text());
            assert_eq!((&json["achieved"]["k"], &json["opted_out"]), (&3.into(), &2.into()));
            let ran = desk.run(&format!("{line} --json"));
            let json = parsed(&ran.text());
            assert_eq!((ran.code, &json["achieved"]["k"]), (Some(1), &1.into()));
            assert_eq!(
                ran.err.lines().last(),
                Some("not met: the smallest class has 1 row, k = 3 was asked")
            );
        }
    }
}

/// A release whose verbatim rows are not those of the table, or not as in the table, does not pass.
#[test]
fn nobody_is_made_to_opt_out() {
    let desk = desk();
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --opt-out consent=public --keep-order --quiet"));
    let release = desk.read("r.csv");
    let eve = "40,7.25,1984-02-29,f,public,gout";
    let ann = release.lines().nth(1).unwrap();
    let forgeries = [
        release.replace(eve, "40,7.5,1984-02-29,f,public,gout"),
        release.replace(eve, "40,7.25,1984-02-29,f,public,flu"),
        release.replace(eve, "40,7.25,1984-02-29,*,public,gout"),
        release.replace(eve, "40,7.25,1984-02-29,f,no,gout"),
        release.replace(&format!("{eve}\n"), ""),
        release.replacen(ann, "34,0.5,1990-01-02,f,public,flu", 1),
        release.replacen(ann, &ann.replace(",no,", ",public,"), 1),
    ];
    for forged in forgeries {
        assert_ne!(forged, release);
        let (header, rows) = forged.split_once('\n').unwrap();
        let backwards: Vec<&str> = rows.lines().rev().collect();
        for text in [forged.clone(), format!("{header}\n{}\n", backwards.join("\n"))] {
            std::fs::write(desk.path("forged.csv"), &text).unwrap();
            let ran =
                desk.run(&format!("verify forged.csv --original t.csv {ROLES} --opt-out consent=public"));
            assert_eq!(ran.code, Some(1), "{text}{}", ran.err);
            let short = [" is not a generalization of any row ", " are not generalizations of any row "];
            assert!(short.iter().any(|words| ran.err.contains(words)), "{}", ran.err);
        }
    }
}

/// Without the column nobody could tell these rows from a class they equal.
#[test]
fn the_column_must_stay() {
    let desk = desk();
    let ran =
        desk.run(&format!("anonymize t.csv -o r.csv {ROLES} --identifier consent --opt-out consent=public"));
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("column 'consent' is dropped"), "{}", ran.err);
}

/// With boundaries, suppression and opt-outs together every row has one fate.
#[test]
fn every_row_has_one_fate() {
    let table = TOWNS.replace(",flu\n", ",flu,public\n").replace(",gout\n", ",gout,no\n");
    let table = table.replace(",asthma\n", ",asthma,no\n").replace("illness\n", "illness,consent\n");
    let desk = Desk::with_towns().with("towns.csv", table);
    for suppress in ["", "--suppress 60%"] {
        let line = format!(
            "anonymize towns.csv -o r.csv {TOWN_ROLES} {MARKS} -k 2 --opt-out consent=public {suppress} --json --quiet"
        );
        let json = parsed(&desk.done(&line).text());
        let count = |key: &str| json[key].as_u64().unwrap();
        assert_eq!(count("released") + count("suppressed") + count("opted_out"), 12, "{json}");
        assert_eq!((count("opted_out"), count("rows")), (5, 12));
        assert_eq!(json["suppressed_because"]["boundaries"], 1, "Eli is alone in the West");
        assert_eq!(desk.read("r.csv").lines().count() as u64, 1 + count("released") + count("opted_out"));
    }
}
