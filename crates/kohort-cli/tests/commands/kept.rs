//! What columns that are released as they are give away.

use std::fmt::Write as _;

use serde_json::Value;

use crate::common::Desk;

const ROWS: u64 = 3000;

/// A number below `span` that looks drawn, for this row and column.
fn drawn(row: u64, column: u64, span: u64) -> u64 {
    let mut x = (row << 8 | column).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) % span
}

/// People with columns that give them away in every way, and some that do not.
fn people() -> String {
    let mut text =
        String::from("id,born,zip,sex,dx,icd,region,age,house,few,some,bed,room,ticket,constant,scale\n");
    for row in 0..ROWS {
        let of = |column, span| drawn(row, column, span);
        let (year, zip, dx) = (1940 + of(0, 60), 10_000 + 7 * of(1, 60), of(2, 5));
        let (month, day) = (1 + of(3, 12), 1 + of(4, 28));
        let sex = ["f", "m"][of(5, 2) as usize];
        let (age, region, house) = (2024 - year, zip / 100, zip * 3);
        let (few, some, bed, room, ticket) = (of(6, 5), of(7, 9), of(8, 90), of(9, 90), of(10, 1 << 40));
        let scale = (year - 1900) * 12 + month;
        writeln!(
            text,
            "p{row},{year}-{month:02}-{day:02},{zip},{sex},d{dx},I{},{region},{age},{house},{few},{some},{bed},{room},{ticket},x,{scale}",
            dx * 7
        )
        .unwrap();
    }
    text
}

fn desk() -> Desk {
    Desk::new().with("t.csv", people())
}

fn warnings(desk: &Desk, kept: &str, more: &str) -> Vec<String> {
    let roles = "--identifier id --qi born,zip,sex --sensitive dx --algorithm mondrian --rest drop --quiet";
    let ran = desk.done(&format!("anonymize t.csv -o r.csv {roles} --keep {kept} {more}"));
    ran.err.lines().map(str::to_owned).collect()
}

#[test]
fn planted_columns_are_found_and_said_to_the_quiet() {
    let desk = desk();
    for (kept, expected) in [
        ("icd", "'icd', released as it is, determines and is determined by the sensitive 'dx'"),
        ("region", "'region', released as it is, is determined by the quasi-identifier 'zip'"),
        ("house", "'house', released as it is, determines and is determined by the quasi-identifier 'zip'"),
        ("age", "'age', released as it is, is determined by the quasi-identifier 'born'"),
        ("scale", "'scale', released as it is, is determined by the quasi-identifier 'born'"),
        ("ticket", "'ticket' is released as it is and nearly unique: 3000 of 3000 rows"),
    ] {
        let found = warnings(&desk, kept, "-k 5");
        let fits = |line: &&String| line.starts_with(&format!("warning: {expected}"));
        assert!(found.iter().any(|line| fits(&line)), "{kept}: {found:#?}");
        assert!(found.iter().all(|line| line.contains(&format!("'{kept}'"))), "{kept}: {found:#?}");
    }
    let pair = warnings(&desk, "bed,room", "-k 5");
    let alone = "'bed' and 'room', released as they are, single people out: ";
    assert!(pair.iter().any(|line| line.contains(alone)), "{pair:#?}");
}

/// The numbers are those of a plain count.
#[test]
fn the_numbers_are_right() {
    let desk = desk();
    let mut times = std::collections::BTreeMap::new();
    for row in 0..ROWS {
        *times.entry((drawn(row, 8, 90), drawn(row, 9, 90))).or_insert(0) += 1;
    }
    let alone = times.values().filter(|&&n| n == 1).count();
    let found = warnings(&desk, "bed,room", "-k 5");
    let expected = format!("single people out: {alone} of {ROWS} rows are the only ones with theirs");
    assert!(found.iter().any(|line| line.contains(&expected)), "{expected}\n{found:#?}");
}

/// In a table that is too large to hold, two values that all rows share are looked at all the same.
#[test]
fn a_code_of_two_values_is_found_among_many_rows() {
    let mut text = String::from("age,sex,code,gaps,few\n");
    for row in 0..40_000 {
        let (sex, gaps) = (drawn(row, 0, 2), drawn(row, 1, 2));
        let (age, sign) = (18 + drawn(row, 2, 60), ["f", "m"][sex as usize]);
        writeln!(text, "{age},{sign},{},{},{}", sex + 1, if gaps == 0 { "" } else { sign }, drawn(row, 3, 5))
            .unwrap();
    }
    let desk = Desk::new().with("t.csv", text);
    let line = "anonymize t.csv -o r.csv --qi age,sex -k 5 --algorithm mondrian --rest drop --quiet --keep";
    let code = desk.done(&format!("{line} code")).err;
    assert!(
        code.contains(
            "'code', released as it is, determines and is determined by the quasi-identifier 'sex'"
        ),
        "{code}"
    );
    assert_eq!(desk.done(&format!("{line} few,gaps")).err, "");
}

#[test]
fn noise_and_constants_are_no_finding() {
    let desk = desk();
    for kept in ["few", "some", "few,some,constant", "few,constant"] {
        assert_eq!(warnings(&desk, kept, "-k 5"), Vec::<String>::new(), "{kept}");
        assert_eq!(warnings(&desk, kept, "-k 3 --refuse-risky"), Vec::<String>::new(), "{kept}");
    }
}

#[test]
fn scripts_and_auditors_read_it_and_it_can_be_refused() {
    let desk = desk();
    let line = "anonymize t.csv -o r.csv --identifier id --qi born,zip,sex --sensitive dx --keep icd --rest drop -k 5 --algorithm mondrian";
    let json: Value = serde_json::from_str(&desk.done(&format!("{line} --json")).text()).unwrap();
    assert!(json["warnings"][0].as_str().unwrap().contains("'icd'"), "{json:#}");
    assert!(desk.read("r.csv.audit.json").contains("'icd', released as it is"));
    assert!(!desk.read("r.csv.certificate.json").contains("released as it is"), "that is not for everybody");
    let refused = Desk::new().with("t.csv", people()).refused(&format!("{line} --refuse-risky"));
    assert!(
        refused
            .starts_with("exit code 3\nerror: columns that are released as they are give people away: 'icd'"),
        "{refused}"
    );
}

/// Two rows of one person share everything; that says nothing about the columns.
#[test]
fn rows_of_one_person_are_no_evidence() {
    let mut text = String::from("id,born,zip,blood\n");
    for row in 0..ROWS {
        let person = row / 3;
        let of = |column, span| drawn(person, column, span);
        writeln!(text, "p{person},{},{},b{}", 1940 + 3 * of(0, 20_000), of(1, 40), of(2, 4)).unwrap();
    }
    let desk = Desk::new().with("t.csv", text);
    let line = "anonymize t.csv -o r.csv --identifier id --qi born,zip --keep blood -k 5 --algorithm mondrian --quiet --rows-are-people";
    let ran = desk.run(&line.replace(" --rows-are-people", ""));
    assert!(!ran.err.contains("'born'"), "{}", ran.err);
}

/// People of whom few have an e-mail address, each another one, and all a login and an income of their own.
fn reachable() -> Desk {
    let mut text = String::from("age,zip,contact,login,income,phone\n");
    for row in 0..600 {
        let contact = if row % 5 < 3 { String::new() } else { format!("p{row}@example.org") };
        let phone = if row % 5 < 3 { "NA".to_owned() } else { format!("06 12 34 {row:03}") };
        let (age, zip, income) = (18 + drawn(row, 0, 60), 10_000 + drawn(row, 1, 9), 20_000 + row * 37);
        writeln!(text, "{age},{zip},{contact},user{row},{income},{phone}").unwrap();
    }
    Desk::new().with("t.csv", text)
}

const REACHABLE: &str = "anonymize t.csv -o r.csv --qi age,zip -k 5 --algorithm mondrian --rest drop --quiet";

#[test]
fn whoever_has_no_value_does_not_hide_that_the_others_have_one_of_their_own() {
    for (kept, among) in [("contact", "240 of 240"), ("phone", "240 of 240")] {
        let said = reachable().done(&format!("{REACHABLE} --keep {kept}")).err;
        assert!(
            said.contains(&format!("'{kept}' is released as it is and nearly unique: {among}")),
            "{said}"
        );
        let refused = reachable().refused(&format!("{REACHABLE} --keep {kept} --refuse-risky"));
        assert!(refused.starts_with("exit code 3"), "{refused}");
    }
}

#[test]
fn sensitive_codes_that_name_somebody_are_said_and_refused_and_amounts_are_not() {
    for secret in ["login", "contact"] {
        let said = reachable().done(&format!("{REACHABLE} --sensitive {secret}")).err;
        assert!(said.contains(&format!("the sensitive '{secret}' is nearly unique")), "{said}");
        assert!(!said.contains("user7") && !said.contains("@example.org"), "no value is shown: {said}");
        let refused = reachable().refused(&format!("{REACHABLE} --sensitive {secret} --refuse-risky"));
        assert!(refused.starts_with("exit code 3"), "{refused}");
    }
    assert_eq!(reachable().done(&format!("{REACHABLE} --sensitive income --refuse-risky")).err, "");
    let desk = reachable();
    desk.done(&format!("{REACHABLE} --sensitive login"));
    assert!(!desk.read("r.csv.certificate.json").contains("nearly unique"), "that is not for everybody");
}
