//! `kohort verify`.

use crate::common::{Desk, ROLES};

fn with_release() -> Desk {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o release.csv {ROLES} --quiet"));
    desk
}

const ALONE: &str = "verify release.csv --qi age,sex,zip --sensitive illness";

#[test]
fn the_release_alone() {
    insta::assert_snapshot!("alone", with_release().done(ALONE).text());
    insta::assert_snapshot!("alone_json", with_release().done(&format!("{ALONE} --json")).text());
}

#[test]
fn beside_the_original() {
    let line = format!("verify release.csv --original people.csv {ROLES}");
    insta::assert_snapshot!("original", with_release().done(&line).text());
    insta::assert_snapshot!("original_json", with_release().done(&format!("{line} --json")).text());
}

#[test]
fn what_is_not_met_is_named() {
    let ran = with_release().run(&format!("{ALONE} -k 4 -p 3"));
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.err);
}

#[test]
fn the_raw_table_protects_nobody() {
    let ran = Desk::with_people().run("verify people.csv --qi age,sex,zip --sensitive illness -k 2");
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.err);
}

/// Someone changed a cell after the release was made.
#[test]
fn a_cell_that_has_no_source() {
    let desk = with_release();
    let forged = desk.read("release.csv").replace("[44, 58]", "[70, 80]");
    let desk = desk.with("release.csv", forged);
    let ran = desk.run(&format!("verify release.csv --original people.csv {ROLES}"));
    assert_eq!(ran.code, Some(1), "{}", ran.text());
    insta::assert_snapshot!(format!("{}{}", ran.text(), ran.err));
}

#[test]
fn rows_that_were_added() {
    let desk = with_release();
    let release = desk.read("release.csv");
    let class = release.lines().find(|line| line.ends_with(",plain")).unwrap().to_owned();
    let desk = desk.with("release.csv", format!("{release}{class}\n"));
    let ran = desk.run(&format!("verify release.csv --original people.csv {ROLES}"));
    insta::assert_snapshot!(format!("exit code {:?}\n{}{}", ran.code, ran.text(), ran.err));
}

/// Another tool's release: ranges with dashes, a star.
#[test]
fn another_tools_notation() {
    let theirs = "age,sex,illness\n20-39,*,flu\n20-39,*,gout\n40-69,*,flu\n40-69,*,gout\n";
    let original = "age,sex,illness\n20,f,flu\n39,m,gout\n44,f,flu\n60,m,gout\n";
    let desk = Desk::new().with("theirs.csv", theirs).with("t.csv", original);
    let line = "verify theirs.csv --original t.csv --qi age,sex --sensitive illness -k 2 -p 2";
    insta::assert_snapshot!(desk.done(line).text());
}

/// Silence about a column that is gone would read as consent.
#[test]
fn a_column_that_is_gone() {
    let desk = Desk::new()
        .with("t.csv", "age,illness,note\n1,flu,a\n1,gout,b\n")
        .with("r.csv", "age,illness\n1,flu\n1,gout\n");
    let line = "--original t.csv --rest keep --qi age --sensitive illness -k 2 --json";
    let said = desk.done(&format!("verify r.csv {line}")).text();
    assert!(said.contains("columns of the original that are not here: note"), "{said}");
    let said = desk.done(&format!("verify t.csv {line}")).text();
    assert!(!said.contains("not here"), "{said}");
}

/// A job that planted a public tree, of which nobody who has only the two tables knows.
#[test]
fn cells_of_a_tree_that_is_not_known_name_the_way_out() {
    // Too few of every country, so that they become regions.
    let codes = ["DE", "FR", "AT", "NL", "IT", "ES", "PT", "GR", "PL", "CZ", "HU", "RO"];
    let rows: Vec<String> = (0..36).map(|i| format!("30,{},flu", codes[i % codes.len()])).collect();
    let job = "input = \"t.csv\"\nk = 5\n[columns]\nage = { role = \"quasi-identifier\" }\ncountry = { role = \"quasi-identifier\", hierarchy = { public = \"countries\" } }\nillness = { role = \"sensitive\" }\n";
    let desk =
        Desk::new().with("t.csv", format!("age,country,illness\n{}\n", rows.join("\n"))).with("j.toml", job);
    desk.done("anonymize --job j.toml -o r.csv --quiet");
    desk.done("verify r.csv --original t.csv --job j.toml");
    let ran = desk.run("verify r.csv --original t.csv");
    assert!(
        ran.code == Some(1) && ran.err.contains("--job names the job that made the release"),
        "{}",
        ran.err
    );
}
