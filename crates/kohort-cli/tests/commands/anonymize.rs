//! `kohort anonymize`.

use crate::common::{Desk, ROLES};

#[test]
fn the_summary_the_note_and_the_release() {
    let desk = Desk::with_people();
    let ran = desk.done(&format!("anonymize people.csv -o release.csv {ROLES}"));
    insta::assert_snapshot!("summary", ran.text());
    insta::assert_snapshot!("note", ran.err);
    insta::assert_snapshot!("release", desk.read("release.csv"));
}

/// Times and memory differ from run to run; all else is the same for ever.
#[test]
fn the_json_object() {
    let desk = Desk::with_people();
    let ran = desk.done(&format!("anonymize people.csv -o release.csv {ROLES} -p 2 --seed 5 --json"));
    insta::with_settings!({filters => vec![
        (r#""(read|solve|refine|recode|verify|write|bound)": [0-9.e-]+"#, r#""$1": [seconds]"#),
        (r#""peak_rss_mb": \d+"#, r#""peak_rss_mb": [mb]"#),
    ]}, {
        insta::assert_snapshot!(ran.text());
    });
}

#[test]
fn the_certificate() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o release.csv {ROLES} --quiet"));
    insta::assert_snapshot!(desk.read("release.csv.certificate.json"));
}

/// With everything that changes its words: demands on sensitive values, grids, order, suppressed rows.
#[test]
fn the_certificate_of_another_job() {
    let desk = Desk::with_people();
    let flags = "-p 2 --snap age=10 --keep-order --missing suppress --suppressed star --intervals bounds";
    desk.done(&format!("anonymize people.csv -o release.csv {ROLES} {flags} --algorithm mondrian --set cut=relaxed --certificate c.json --quiet"));
    insta::assert_snapshot!(desk.read("c.json"));
    assert!(!desk.path("release.csv.certificate.json").exists());
}

/// The seed would undo the shuffle, and names and illnesses are not for the certificate.
#[test]
fn the_certificate_holds_no_seed_and_no_cells() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o release.csv {ROLES} --seed 987654321 --quiet"));
    let certificate = desk.read("release.csv.certificate.json");
    for secret in ["987654321", "Ada", "Lea", "gout", "asthma"] {
        assert!(!certificate.contains(secret), "{secret}");
    }
}

#[test]
fn the_digests_are_those_of_the_files() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv -o release.csv {ROLES} --quiet"));
    let read = |name: &str| serde_json::from_str::<serde_json::Value>(&desk.read(name)).unwrap();
    let digest = |name: &str| kohort::input::sha256_of_file(&desk.path(name)).unwrap();
    let (certificate, audit) = (read("release.csv.certificate.json"), read("release.csv.audit.json"));
    assert_eq!(certificate["release"]["sha256"], digest("release.csv"));
    let files = [
        ("people.csv", "input_sha256"),
        ("release.csv", "release_sha256"),
        ("release.csv.certificate.json", "certificate_sha256"),
    ];
    for (file, key) in files {
        assert_eq!(audit["files"][key], digest(file), "{file}");
    }
}

#[test]
fn a_job_file_does_the_same_as_flags() {
    let job = r#"
        input = "people.csv"
        output = "from-job.csv"
        k = 3
        seed = 4
        [columns]
        name = { role = "identifier" }
        age = { role = "quasi-identifier", type = "integer" }
        sex = { role = "quasi-identifier" }
        zip = { role = "quasi-identifier" }
        illness = { role = "sensitive" }
        note = { role = "keep" }
    "#;
    let desk = Desk::with_people().with("job.toml", job);
    desk.done("anonymize --job job.toml --quiet");
    desk.done(&format!("anonymize people.csv -o from-flags.csv {ROLES} --seed 4 --quiet"));
    assert_eq!(desk.read("from-job.csv"), desk.read("from-flags.csv"));
    desk.done("anonymize --job job.toml -o stricter.csv -k 6 --quiet");
    desk.done("verify stricter.csv --qi age,sex,zip -k 6");
}

#[test]
fn hierarchies_of_a_folder_and_of_a_job_file() {
    let desk = Desk::with_people().with("trees/zip.csv", "41075;410**;41***;*\n41076;410**;41***;*\n41099;410**;41***;*\n48201;482**;48***;*\n48202;482**;48***;*\n");
    desk.done(&format!(
        "anonymize people.csv -o folder.csv {ROLES} --hierarchies trees --keep-order --quiet"
    ));
    insta::assert_snapshot!("with_a_hierarchy", desk.read("folder.csv"));
    let job = "k = 3\nidentifier = [\"name\"]\nqi = [\"age\", \"sex\"]\nsensitive = [\"illness\"]\nkeep = [\"note\"]\n[columns]\nzip = { role = \"quasi-identifier\", hierarchy = \"trees/zip.csv\" }\n";
    let desk = desk.with("job.toml", job);
    desk.done("anonymize people.csv -o job.csv --job job.toml --keep-order --quiet");
    assert_eq!(desk.read("job.csv"), desk.read("folder.csv"));
}

#[test]
fn a_generated_table_with_its_hierarchies() {
    let desk = Desk::new();
    desk.done("generate hospital --rows 200 -o t.csv --hierarchies trees");
    let line = "anonymize t.csv -o r.csv --identifier patient_id,name --rest keep --qi birth_date,sex,postcode --sensitive diagnosis -k 5 --hierarchies trees --type birth_date=date";
    insta::assert_snapshot!(desk.done(line).text());
}

/// What a job file says about single columns counts as much as what it says about all.
#[test]
fn the_certificate_knows_what_was_said_about_columns() {
    let job = "k = 3\nrest = \"drop\"\nqi = [\"sex\", \"zip\"]\n[columns]\nage = { role = \"quasi-identifier\", snap = 10.0, missing = \"suppress\" }\n";
    let desk = Desk::with_people().with("job.toml", job);
    desk.done("anonymize people.csv -o r.csv --job job.toml --quiet");
    let certificate: serde_json::Value = serde_json::from_str(&desk.read("r.csv.certificate.json")).unwrap();
    assert_eq!(certificate["asked"]["snap"]["age"], 10.0);
    assert_eq!(certificate["release"]["rows"], 11);
    let words = certificate.to_string();
    assert!(words.contains("But rows with a missing 'age' are suppressed."), "{words}");
    assert!(words.contains("true values of some person in the class: zip."), "{words}");
}

/// What nobody thought of is not published: a column without a role stops the job, and the way out can be copied.
#[test]
fn columns_without_a_role_are_kept_or_dropped_as_is_said() {
    let desk = Desk::new().with("t.csv", "age,ward,cost,name\n20,a,1,x\n21,b,2,y\n20,a,3,z\n21,b,4,w\n");
    let job = "anonymize t.csv --identifier name --qi age -k 2 -o r.csv";
    let header = || desk.read("r.csv").lines().next().unwrap_or_default().to_owned();
    insta::assert_snapshot!(desk.refused(job), @r"
    exit code 2
    error: 2 columns have no role: ward, cost
      where: --keep, --drop
      way out: --keep ward,cost releases them as they are, --drop ward,cost leaves them out; --rest keep or --rest drop says it of all columns without a role
    ");
    let rest = desk.done(&format!("{job} --rest keep"));
    let warning = "released unchanged and protected by nothing, as the rest (--rest keep): ward, cost";
    assert!(rest.err.contains(warning), "{}", rest.err);
    assert_eq!(header(), "age,ward,cost");
    let ran = desk.done(&format!("{job} --rest keep --json"));
    let json: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
    assert!(json["warnings"].to_string().contains(warning));
    assert!(desk.read("r.csv.audit.json").contains("ward, cost"));
    let kept = desk.run(&format!("{job} --keep ward --rest drop"));
    assert!(!kept.err.contains("warning"), "{}", kept.err);
    assert_eq!(header(), "age,ward");
    desk.done(&format!("{job} --keep ward --drop cost"));
    let certificate: serde_json::Value = serde_json::from_str(&desk.read("r.csv.certificate.json")).unwrap();
    let columns = &certificate["columns"];
    assert_eq!((&columns["dropped"][0], &columns["passed_through"][0]), (&"cost".into(), &"ward".into()));
    let with_cost = Desk::new().with("r.csv", "age,cost\n20,1\n20,2\n");
    let found = with_cost.run("verify r.csv --qi age --drop cost -k 2");
    assert!(found.err.contains("the dropped column 'cost' is in the release"), "{}", found.err);
}
