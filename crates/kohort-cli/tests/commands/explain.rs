//! `kohort explain`.

use serde_json::Value;

use crate::common::Desk;

/// Thirty people of about the same age and one old man, in row 17; ages in steps, two towns, an illness that must not show.
fn people() -> String {
    let row = |row: u32| {
        let age = if row == 16 { 93 } else { 20 + row % 10 };
        let zip = 41_070 + (row * 7) % 12;
        let town = if zip < 41_076 { "Hill" } else { "Bay" };
        let illness = ["zebrapox", "gout", "asthma"][row as usize % 3];
        format!("Person{row},{age},{zip},{town},{illness}")
    };
    let rows: Vec<String> = (0..31).map(row).collect();
    format!("name,age,zip,town,illness\n{}\n", rows.join("\n"))
}

const ROLES: &str = "--identifier name --qi age,zip --sensitive illness --keep town -k 3";

/// A release of [`people`] with everything that belongs to it.
fn desk() -> Desk {
    let desk = Desk::new().with("people.csv", people());
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --type zip=category --quiet"));
    desk
}

fn json(desk: &Desk, line: &str) -> Value {
    serde_json::from_str(&desk.done(&format!("{line} --json")).text()).unwrap()
}

/// Where in a list of tried changes one speaks of something.
fn about<'a>(found: &'a Value, list: &str, words: &str) -> &'a Value {
    let all = found["quick_runs"][list].as_array().unwrap();
    let said = |tried: &&Value| tried["what"].as_str().unwrap().contains(words);
    all.iter().find(said).unwrap_or_else(|| panic!("nothing about {words}: {all:#?}"))
}

#[test]
fn a_release() {
    let desk = desk();
    let before = desk.files();
    let ran = desk.done("explain r.csv");
    assert_eq!((desk.files(), ran.err.as_str()), (before, ""), "nothing is written");
    insta::assert_snapshot!(ran.text());
}

#[test]
fn a_row_of_the_release() {
    insta::assert_snapshot!(desk().done("explain r.csv --row 1").text());
}

#[test]
fn a_row_of_the_original() {
    insta::assert_snapshot!(desk().done("explain r.csv --original-row 17").text());
}

/// What no explanation may echo, in words or as JSON.
#[test]
fn secrets_stay_secret() {
    let desk = desk();
    for line in ["", "--row 3", "--original-row 17", "--column zip"] {
        for format in ["", "--json"] {
            let text = desk.done(&format!("explain r.csv {line} {format}")).text();
            assert!(text.contains("PRIVATE"), "{text}");
            for secret in ["zebrapox", "gout", "asthma", "Person"] {
                assert!(!text.contains(secret), "{secret} in {text}");
            }
        }
    }
}

/// The losses are those that other commands report.
#[test]
fn figures_are_those_of_others() {
    let desk = desk();
    let found = json(&desk, "explain r.csv");
    let verified: Value = serde_json::from_str(
        &desk.done("verify r.csv --original people.csv --json --type zip=category").text(),
    )
    .unwrap();
    let columns = found["columns"].as_array().unwrap();
    let mean =
        |key: &str| columns.iter().map(|c| c[key].as_f64().unwrap()).sum::<f64>() / columns.len() as f64;
    assert!((mean("lm") - verified["loss"]["lm"].as_f64().unwrap()).abs() < 1e-9, "{found:#}");
    assert!((mean("il") - verified["loss"]["il"].as_f64().unwrap()).abs() < 1e-9, "{found:#}");
    let run = desk.done(&format!(
        "anonymize people.csv -o q.csv {ROLES} --type zip=category --refine off --json --bound off"
    ));
    let run: Value = serde_json::from_str(&run.text()).unwrap();
    let quick = found["quick_runs"]["as_asked"]["lm"].as_f64().unwrap();
    assert!((quick - run["loss"]["lm"].as_f64().unwrap()).abs() < 1e-9, "{quick} {run:#}");
}

/// What a change is said to give is what it gives.
#[test]
fn gains_are_measured() {
    let desk = desk();
    let found = json(&desk, "explain r.csv --column zip");
    let change = about(&found, "changes", "'zip': a mask");
    let how = change["how"].as_str().unwrap();
    assert!(how.contains("add hierarchy = { mask = \"right\", levels = 5 } to the line of 'zip'"), "{how}");
    let job = "[columns]\nzip = { hierarchy = { mask = \"right\", levels = 5 } }\n";
    let desk = desk.with("job.toml", job);
    let flags = format!("--job job.toml {ROLES} --refine off --json --bound off");
    let run: Value =
        serde_json::from_str(&desk.done(&format!("anonymize people.csv -o m.csv {flags}")).text()).unwrap();
    let (said, is) = (change["lm"].as_f64().unwrap(), run["loss"]["lm"].as_f64().unwrap());
    assert!((said - is).abs() < 1e-9, "{said} {is}");
    let before = found["quick_runs"]["as_asked"]["per_column"]["zip"].as_f64().unwrap();
    let gain = before - change["per_column"]["zip"].as_f64().unwrap();
    assert!((gain - change["gain"].as_f64().unwrap()).abs() < 1e-12, "{change:#}");
    let tree = about(&found, "changes", "stands in the table itself");
    assert!(tree["what"].as_str().unwrap().contains("zip → town"), "{tree:#}");
}

/// The old man makes a group wide, and is named by his row.
#[test]
fn few_rows_are_named_that_make_a_group_wide() {
    let desk = desk();
    let found = json(&desk, "explain r.csv --column age --quick-rows 0");
    let groups = found["widest"][0]["groups"].as_array().unwrap();
    let strays: Vec<&Value> = groups.iter().map(|group| &group["strays"]).filter(|s| !s.is_null()).collect();
    assert!(strays.iter().any(|s| s["rows"] == serde_json::json!([17])), "{groups:#?}");
    assert!(found["quick_runs"].is_null());
}

#[test]
fn a_suppressed_row() {
    let desk = Desk::new().with("people.csv", people());
    desk.done(&format!(
        "anonymize people.csv -o r.csv {ROLES} --type zip=category --max-width age=15 --quiet"
    ));
    let found = json(&desk, "explain r.csv --original-row 17");
    assert_eq!(found["row"]["standing"], "suppressed", "{found:#}");
    let because = found["row"]["because"].to_string();
    assert!(because.contains("it was suppressed"), "{because}");
    assert!(
        because.contains("within the boundaries only 1 row could be in a group with it, itself included"),
        "{because}"
    );
    let free = about(&found, "changes", "'age': without its boundary");
    assert!(free["row_lm"].as_f64().unwrap() < 1.0, "{free:#}");
    assert!(found["row"]["columns"].as_array().unwrap().iter().all(|c| c["shows"].is_null()));
}

#[test]
fn a_row_that_lacks_a_value() {
    let lacking = people().replace("Person3,23,", "Person3,,");
    let desk = Desk::new().with("people.csv", lacking);
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --type zip=category --missing suppress --suppressed star --quiet"));
    let found = json(&desk, "explain r.csv --original-row 4");
    assert!(found["row"]["because"].to_string().contains("lacks a quasi-identifier"), "{found:#}");
    let rows = desk.read("r.csv");
    let starred = rows.lines().skip(1).position(|row| row.starts_with("*,")).unwrap() + 1;
    let found = json(&desk, &format!("explain r.csv --row {starred}"));
    assert_eq!(
        (&found["row"]["standing"], &found["quick_runs"]["as_asked"]["row_lm"]),
        (&"suppressed".into(), &Value::Null)
    );
}

/// Any tool's release: somebody says what the job was.
#[test]
fn without_an_audit_record() {
    let desk = desk();
    std::fs::remove_file(desk.path("r.csv.audit.json")).unwrap();
    insta::assert_snapshot!("no_audit", desk.refused("explain r.csv"));
    let by_flags = format!("explain r.csv --original people.csv {ROLES} --type zip=category --quick-rows 0");
    let found = json(&desk, &by_flags);
    assert_eq!(found["released"], 31);
    let no_table = desk.refused(&format!("explain r.csv {ROLES}"));
    assert!(no_table.contains("exit code 2") && no_table.contains("--original patients.csv"), "{no_table}");
}

#[test]
fn what_is_refused() {
    let desk = desk().with("others.csv", people().replace(",41077,", ",48201,"));
    let refused = |line: &str, words: &str| {
        let message = desk.refused(&format!("explain {line}"));
        assert!(message.starts_with("exit code 2") && message.contains(words), "{line}: {message}");
    };
    refused("r.csv --row 32", "rows are counted from 1 below the header; the table has 31 rows");
    refused("r.csv --row 0", "there is no row 0");
    refused("r.csv --original-row 99", "there is no row 99");
    refused("r.csv --row 1 --original-row 1", "cannot be used with");
    refused("r.csv --column illness", "only these lose detail: age, zip");
    refused("r.csv --original others.csv", "not the one that the release was made from");
    refused("r.csv --original -", "several times");
    refused("people.csv --audit r.csv.audit.json", "not the one that the audit record was written for");
    refused("r.csv --audit r.csv.certificate.json", "it is a certificate");
    refused("r.csv --audit people.csv", "it is not JSON");
    refused("nowhere.csv", "nothing says which job");
    let by_flags = format!("r.csv --original others.csv {ROLES} --type zip=category");
    refused(&by_flags, "the release is not one of this table");
    refused(&format!("{by_flags} --intervals midpoint"), "middles of intervals");
    let moved = desk.with("people.csv.old", "");
    std::fs::rename(moved.path("people.csv"), moved.path("elsewhere.csv")).unwrap();
    let gone = moved.refused("explain r.csv");
    assert!(gone.contains("not where the record says"), "{gone}");
    moved.done("explain r.csv --original elsewhere.csv --quick-rows 0");
}

/// A record of an earlier version does not hold the job.
#[test]
fn an_older_record() {
    let desk = desk();
    let mut record: Value = serde_json::from_str(&desk.read("r.csv.audit.json")).unwrap();
    assert!(record.as_object_mut().unwrap().remove("job").is_some());
    let desk = desk.with("r.csv.audit.json", record.to_string());
    let message = desk.refused("explain r.csv");
    assert!(message.contains("does not hold the job"), "{message}");
    desk.done(&format!("explain r.csv --original people.csv {ROLES} --type zip=category --quick-rows 0"));
}

#[test]
fn a_later_release_of_a_growing_table() {
    let desk =
        Desk::new().with("people.csv", people()).with("more.csv", people().replace("Person", "Another"));
    desk.done(&format!("append people.csv --ledger l -o r1.csv {ROLES} --type zip=category --quiet"));
    desk.done("append more.csv --ledger l -o r2.csv --quiet");
    desk.done("explain r1.csv --quick-rows 0");
    let message = desk.refused("explain r2.csv");
    assert!(message.contains("release 2 of a growing table"), "{message}");
}

/// Quick runs look at a part of the rows where there are many, and say so.
#[test]
fn a_percent_of_few_rows_is_not_tried() {
    let desk = desk();
    let ran = desk.done("explain r.csv").text();
    assert!(ran.contains("all 31 rows: compare them with each other alone"), "{ran}");
    assert!(!ran.contains("may be suppressed"), "of 31 rows one percent is none: {ran}");
}

#[test]
fn what_is_advised_goes_into_the_line_that_is_there() {
    let found = json(&desk(), "explain r.csv");
    let how = about(&found, "changes", "weighs 3 times as much")["how"].as_str().unwrap().to_owned();
    assert!(how.starts_with("in the job file, add weight = 3 to the line of '"), "{how}");
}

#[test]
fn a_sample() {
    let ran = desk().done("explain r.csv --quick-rows 16").text();
    assert!(ran.contains("16 of 31 rows: compare them with each other alone"), "{ran}");
}

/// Other notions, whole columns, bounds of intervals, people: nothing of it makes it fail.
#[test]
fn every_kind_of_release() {
    let desk = Desk::new().with("people.csv", people());
    for (name, flags) in [
        ("kk", "--notion kk"),
        ("global", "--notion global-1k"),
        ("levels", "--algorithm incognito"),
        ("bounds", "--intervals bounds"),
        ("snapped", "--snap age=5"),
        ("limited", "--max-width age=5 --suppress 20%"),
        ("diverse", "-p 2"),
        ("weighed", "--measure entropy"),
        ("open", "--opt-out town=Hill"),
    ] {
        desk.done(&format!("anonymize people.csv -o {name}.csv {ROLES} --type zip=category {flags} --quiet"));
        for asked in ["", "--row 2", "--original-row 17"] {
            let text = desk.done(&format!("explain {name}.csv {asked}")).text();
            assert!(text.contains("Where the detail went"), "{name} {asked}: {text}");
        }
    }
}

/// With rows in their order it is known which rows a group was made of: what is said of rows that lie apart is true of them.
#[test]
fn without_the_named_rows_a_group_is_as_narrow_as_said() {
    let desk = Desk::new().with("people.csv", people());
    desk.done(&format!("anonymize people.csv -o r.csv {ROLES} --type zip=category --keep-order --quiet"));
    let age = |row: usize| -> i64 {
        people().lines().nth(row).unwrap().split(',').nth(1).unwrap().parse().unwrap()
    };
    // Without town and illness: what a group shows.
    let shown =
        |row: usize| desk.read("r.csv").lines().nth(row).unwrap().rsplitn(3, ',').nth(2).unwrap().to_owned();
    let groups: Vec<String> = (1..=31).map(shown).collect();
    let mut seen = 0;
    for row in 1..=31 {
        let found = json(&desk, &format!("explain r.csv --row {row} --quick-rows 0"));
        let could_be = found["row"]["could_be"].as_array().unwrap();
        assert!(could_be.contains(&(row as u64).into()), "row {row}: {found:#}");
        let strays = &found["row"]["columns"][0]["strays"];
        if strays.is_null() {
            continue;
        }
        seen += 1;
        let apart = strays["rows"].as_array().unwrap();
        assert_eq!(apart.len() as u64, strays["count"].as_u64().unwrap());
        let becomes = strays["becomes"].as_str().unwrap().trim_matches(['[', ']']);
        let ends: Vec<i64> = becomes.split(", ").map(|end| end.parse().unwrap()).collect();
        let members = (1..=31).filter(|&other| groups[other - 1] == groups[row - 1]);
        for member in members.filter(|&member| !apart.contains(&(member as u64).into())) {
            let age = age(member);
            assert!(ends[0] <= age && age <= *ends.last().unwrap(), "{age} in row {member}: {strays:#}");
        }
    }
    assert!(seen > 0, "no group is wide for few rows");
}
