//! People with several rows: `--person` counts them, and without it nobody's rows are taken for a crowd by accident.

use std::fmt::Write as _;

use super::common::Desk;

/// Visits of twelve people, who come one to four times.
fn visits() -> String {
    let mut table = String::from("visit,patient,age,sex,result\n");
    let mut visit = 0;
    for patient in 0..12u32 {
        for time in 0..=patient % 4 {
            visit += 1;
            let result = ["flu", "cold", "asthma"][((patient + time) % 3) as usize];
            let _ = writeln!(
                table,
                "{visit},p{patient},{},{},{result}",
                20 + patient * 3,
                if patient % 2 == 0 { "f" } else { "m" }
            );
        }
    }
    table
}

fn desk() -> Desk {
    Desk::new().with("visits.csv", visits())
}

const COLUMNS: &str = "--qi age,sex --sensitive result";

#[test]
fn identifiers_that_all_repeat_stop_the_job() {
    let ran = desk()
        .refused(&format!("anonymize visits.csv -o r.csv --identifier patient --drop visit {COLUMNS} -k 4"));
    insta::assert_snapshot!(ran, @"
    exit code 2
    error: people seem to have several rows: no identifier is different in every row ('patient' has 12 different values in 30 rows)
      where: --identifier
      way out: --person patient, or another column that tells people apart, counts people instead of rows, so that nobody hides among their own rows; --rows-are-people says that every row is another person
    ");
    desk().done(&format!(
        "anonymize visits.csv -o r.csv --identifier patient --drop visit {COLUMNS} -k 4 --rows-are-people"
    ));
}

#[test]
fn one_that_repeats_beside_one_that_does_not_is_a_warning() {
    let ran =
        desk().done(&format!("anonymize visits.csv -o r.csv --identifier visit,patient {COLUMNS} -k 4"));
    let said = &ran.err;
    assert!(
        said.contains("warning: rows are counted, not people, and 'patient' has 12 different values in 30 rows: if that names a person, --person patient counts people"),
        "{said}"
    );
    let ran = desk().done(&format!(
        "anonymize visits.csv -o r.csv --identifier visit,patient {COLUMNS} -k 4 --rows-are-people"
    ));
    assert!(!ran.err.contains("not people"), "{}", ran.err);
}

/// Every class of a release that counted rows could be one person's; every class of one that counted people has four.
#[test]
fn classes_have_k_people() {
    let desk = desk();
    let job = format!("--person patient --drop visit {COLUMNS} -k 4 -p 2");
    let ran = desk.done(&format!("anonymize visits.csv -o r.csv {job} --json"));
    let object: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
    assert_eq!((&object["people"]["in_table"], &object["people"]["released"]), (&12.into(), &12.into()));
    assert!(object["achieved"]["k"].as_u64().unwrap() >= 4);
    assert!(!desk.read("r.csv").contains("p11") && desk.read("r.csv").starts_with("age,sex,result\n"));
    let certificate: serde_json::Value = serde_json::from_str(&desk.read("r.csv.certificate.json")).unwrap();
    assert_eq!(certificate["asked"]["people"], serde_json::json!(["patient"]));
    assert_eq!(certificate["columns"]["person_dropped"], serde_json::json!(["patient"]));
    let promise = certificate["guarantee"][0].as_str().unwrap();
    assert!(promise.contains("rows of at least 4 different people (k = 4 was asked)"), "{promise}");
    assert!(certificate.get("people").is_none(), "how many people there are is not for everybody");

    let beside = desk.done(&format!("verify r.csv --original visits.csv {job}"));
    assert!(beside.text().contains("k, fewest people in a class"), "{}", beside.text());
    // What the certificate claims of people is not checked; what is asked and cannot be checked is not met.
    let claimed = desk.done("verify r.csv");
    assert!(
        claimed.err.contains("not checked: how many people classes have: rows were counted"),
        "{}",
        claimed.err
    );
    let asked = desk.run(&format!("verify r.csv {job} --alpha 0.9"));
    assert_eq!(asked.code, Some(1));
    assert!(
        asked.err.contains(
            "not met: how many people classes have, and alpha = 0.9 could not be checked: rows were counted"
        ),
        "{}",
        asked.err
    );
}

/// Where nobody said that rows may go, none goes: the demands are met or refused.
#[test]
fn no_row_goes_unasked() {
    let rows = "pid,q,s\na,1,v\nb,1,u\na,2,u\nb,2,v\n";
    let job = "--person pid --qi q --sensitive s -k 2 --alpha 0.5";
    let desk = Desk::new().with("t.csv", rows);
    desk.done(&format!("anonymize t.csv -o r.csv {job}"));
    assert_eq!(desk.read("r.csv").lines().count(), 5);
    let skewed = "pid,q,s\na,1,u\nb,2,u\nc,3,u\nd,4,v\na,5,u\n";
    let ran = Desk::new().with("t.csv", skewed).refused(&format!("anonymize t.csv -o r.csv {job}"));
    assert!(ran.starts_with("exit code 3"), "{ran}");
}

/// However a missing part is spelled, it does not make another person; nor do spaces.
#[test]
fn spellings_do_not_make_people() {
    let desk = Desk::new().with("t.csv", "a,b,q\nx,NA,1\nx,,1\nx,na,2\ny,1,2\n");
    let ran = desk.done("anonymize t.csv -o r.csv --person a,b --na NA,na --qi q -k 2 --json");
    let object: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
    assert_eq!(object["people"]["in_table"], 2);
    let spaced = Desk::new().with("t.csv", "id,q\nx,1\nx ,1\ny,2\n y,2\n");
    let ran = spaced.refused("anonymize t.csv -o r.csv --identifier id --qi q -k 2");
    assert!(ran.contains("'id' has 2 different values in 4 rows"), "{ran}");
}

#[test]
fn a_table_that_still_says_whose_rows_it_has_is_counted_by_people() {
    let desk = desk();
    let ran = desk.run(&format!("verify visits.csv --person patient {COLUMNS} --keep visit -k 2"));
    assert!(ran.err.contains("not met: a class has rows of only one person, k = 2 was asked"), "{}", ran.err);
    let rows = "place,who,ill\na,1,x\na,1,y\na,2,x\n";
    let desk = Desk::new().with("t.csv", rows);
    desk.done("verify t.csv --person who --qi place --sensitive ill -k 2 -p 2");
    let ran = desk.run("verify t.csv --person who --qi place --sensitive ill -k 2 --l-diversity distinct:3");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let refused = |table: &str, arguments: &str| {
        Desk::new().with("t.csv", table).refused(&format!("anonymize t.csv -o r.csv {arguments}"))
    };
    insta::assert_snapshot!(refused("who,age\n1,2\n,3\n2,2\n , 4\n", "--person who --qi age -k 2"), @"
    exit code 2
    error: 2 rows are nobody's: 'who' is empty there
      where: t.csv, first in row 2 below the header, --person who
      way out: how many people a class has could not be told: fill the column in, or take these rows out of the table
    ");
    insta::assert_snapshot!(refused("who,age,open\n1,2,yes\n1,3,no\n2,2,no\n3,4,no\n", "--person who --qi age --opt-out open=yes -k 2"), @"
    exit code 2
    error: 1 person has opted out with some of their rows and not with others
      where: --opt-out, --person
      way out: somebody is published as they are with all rows or with none: make the column say the same in all rows of a person
    ");
    insta::assert_snapshot!(refused("who,age\n1,2\n1,3\n2,2\n", "--person who --qi age -k 3"), @"
    exit code 3
    error: k = 3, but the 3 rows to release are those of only 2 people
      where: -k
      way out: ask for k ≤ 2, or add rows of other people
    ");
    insta::assert_snapshot!(refused("who,age\n1,2\n1,3\n2,2\n", "--person who --qi age -k 2 --notion kk"), @"
    exit code 2
    error: people cannot be counted with the notion 'kk': what it means for somebody with several rows is not defined
      where: --person, --notion
      way out: use --notion k, or release one row per person
    ");
    insta::assert_snapshot!(refused("who,age\n1,2\n1,3\n2,2\n", "--person who --qi age -k 2 --rows-are-people"), @"
    exit code 2
    error: every row is another person, and a column says whose row it is
      where: --person, --rows-are-people
      way out: omit one of the two
    ");
}

/// Where nobody has two rows, saying so changes nothing.
#[test]
fn a_person_column_without_repeats_gives_the_same_release() {
    let desk = Desk::new();
    desk.done("generate hospital --rows 400 --seed 2 -o t.csv --hierarchies trees");
    let job = "--rest drop --qi birth_date,sex,postcode --sensitive diagnosis --hierarchies trees -k 5 -p 2 --seed 4";
    desk.done(&format!("anonymize t.csv -o a.csv --identifier patient_id {job}"));
    desk.done(&format!("anonymize t.csv -o b.csv --person patient_id {job}"));
    assert_eq!(desk.read("a.csv"), desk.read("b.csv"));
}

/// Where rows that look alike can change places, it is open which share of people has a value: that is not called met.
#[test]
fn shares_in_one_of_several_assignments_are_not_met() {
    let visits = "patient,age,illness\na,30,flu\na,31,gout\nb,32,flu\nc,32,flu\nd,33,gout\nd,34,flu\ne,30,gout\nf,34,gout\n";
    let class = |ages: &str| format!("{ages},flu\n{ages},gout\n").repeat(2);
    let overlapping = format!("age,illness\n{}{}", class("[30-33]"), class("[31-34]"));
    let desk = Desk::new().with("visits.csv", visits).with("overlapping.csv", overlapping);
    let job = "--person patient --qi age --sensitive illness -k 3 --alpha 0.9";
    desk.done(&format!("anonymize visits.csv -o in-order.csv {job} --keep-order"));
    let met = |release: &str| {
        let ran = desk.done(&format!("verify {release} --original visits.csv {job}"));
        let out = ran.text();
        let line = out.lines().find(|line| line.starts_with("Met:")).unwrap_or_default().to_owned();
        (line, ran.err.contains("whose rows these are"))
    };
    assert_eq!(met("in-order.csv"), ("Met: k = 3, alpha = 0.9".to_owned(), false));
    assert_eq!(met("overlapping.csv"), ("Met: k = 3".to_owned(), true));
}
