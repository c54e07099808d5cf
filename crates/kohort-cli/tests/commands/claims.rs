//! `kohort verify RELEASE` alone: the certificate beside the release says what is claimed of it.

use kohort::input::sha256_of;
use serde_json::{Value, json};

use crate::common::{Desk, PEOPLE, ROLES, Ran, TOWN_ROLES};

const CERTIFICATE: &str = "r.csv.certificate.json";

/// The towns and the people, with a hierarchy for illnesses beside that of the towns.
fn desk() -> Desk {
    let illnesses = "flu;lung;*\nasthma;lung;*\ngout;joint;*\n";
    Desk::with_towns().with("people.csv", PEOPLE).with("illnesses/illness.csv", illnesses)
}

fn released(job: &str) -> Desk {
    let desk = desk();
    desk.done(&format!("anonymize {job} -o r.csv --quiet"));
    desk
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The same desk with another release, and a certificate that has its digest.
fn forged(desk: Desk, release: &str) -> Desk {
    let digest = sha256_of(release);
    edited(desk.with("r.csv", release), |certificate| certificate["release"]["sha256"] = digest.into())
}

fn edited(desk: Desk, edit: impl FnOnce(&mut Value)) -> Desk {
    let mut certificate = parsed(&desk.read(CERTIFICATE));
    edit(&mut certificate);
    desk.with(CERTIFICATE, certificate.to_string())
}

/// What is not met.
fn unmet(desk: &Desk, line: &str) -> Vec<String> {
    let ran = desk.run(line);
    assert_eq!(ran.code, Some(1), "{}{}", ran.text(), ran.err);
    let lines = ran.err.lines().filter_map(|line| line.strip_prefix("not met: "));
    lines.map(str::to_owned).collect()
}

fn not_checked(ran: &Ran) -> Vec<&str> {
    ran.err.lines().filter_map(|line| line.strip_prefix("not checked: ")).collect()
}

#[test]
fn a_fresh_release_is_confirmed() {
    let ran = released(&format!("people.csv {ROLES} -p 2")).done("verify r.csv");
    insta::assert_snapshot!(format!("{}{}", ran.text(), ran.err));
}

#[test]
fn whatever_was_asked_of_it() {
    let jobs = [
        (format!("people.csv {ROLES}"), "k = 3"),
        (format!("people.csv {ROLES} --publish-counts"), "k = 3"),
        (
            format!("people.csv {ROLES} --l-diversity distinct:2,entropy:1.5,recursive:3,2"),
            "k = 3, distinct 2-diversity, entropy 1.5-diversity, recursive (3,2)-diversity",
        ),
        (format!("people.csv {ROLES} --alpha 0.7@illness -p 2"), "k = 3, p = 2, alpha = 0.7 of 'illness'"),
        (
            format!("people.csv {ROLES} --t-closeness 0.6 --beta-likeness 2 --delta-disclosure 3"),
            "k = 3, t = 0.6 (equal), beta-likeness 2, delta-disclosure 3",
        ),
        (format!("people.csv {ROLES} --intervals bounds --snap age=5"), "k = 3"),
        (format!("people.csv {ROLES} --intervals midpoint"), "k = 3"),
        (format!("people.csv {ROLES} --opt-out note=plain --missing suppress"), "k = 3"),
        (format!("people.csv {ROLES} --missing suppress --publish-counts"), "k = 3"),
        (format!("people.csv {ROLES} --missing suppress --suppressed star --publish-counts"), "k = 3"),
        (format!("people.csv {ROLES} --suppress 40% --suppressed star --intervals midpoint"), "k = 3"),
        (format!("people.csv {ROLES} --na gout --missing-sensitive count -p 2"), "k = 3, p = 2"),
        (format!("people.csv {ROLES} --na illness=gout -p 2 --suppress 90%"), "k = 3, p = 2"),
        (format!("people.csv {ROLES} --type illness=category --keep-order"), "k = 3"),
        (format!("towns.csv {TOWN_ROLES} -k 2 --cuts age=30 --suppress 50%"), "k = 2"),
        (
            "people.csv --identifier name,note --qi age,sex --sensitive zip,illness -k 3 -p 2 --t-closeness 0.9:ordered@zip".into(),
            "k = 3, p = 2, t = 0.9 (ordered) of 'zip'",
        ),
    ];
    for (job, met) in jobs {
        for release in ["r.csv", "r.parquet"] {
            let desk = desk();
            desk.done(&format!("anonymize {job} -o {release} --quiet"));
            let ran = desk.run(&format!("verify {release}"));
            let text = ran.text();
            assert_eq!(ran.code, Some(0), "{job}\n{text}{}", ran.err);
            assert!(text.ends_with(&format!("\nMet: {met}\n")), "{job}\n{text}");
            let agrees =
                format!("Certificate {release}.certificate.json: digest, columns and figures as it says");
            assert!(text.contains(&agrees), "{job}\n{text}");
        }
    }
}

/// Where rows may have been left out, nobody can tell from the release what classes were compared with.
#[test]
fn what_takes_the_original_is_listed_and_no_failure() {
    let job = format!("people.csv {ROLES} --t-closeness 0.3 --suppress 90%");
    let desk = released(&job);
    let ran = desk.done("verify r.csv");
    assert!(ran.text().ends_with("\nMet: k = 3\n"), "{}", ran.text());
    assert!(not_checked(&ran).iter().any(|said| said.starts_with("t against the original")), "{}", ran.err);
    let ran = desk.done("verify r.csv --original people.csv");
    assert!(ran.text().ends_with("\nMet: k = 3, t = 0.3 (equal)\n"), "{}", ran.text());
    for notion in ["1k", "k1", "kk", "global-1k"] {
        let desk = released(&format!("people.csv {ROLES} --notion {notion}"));
        let ran = desk.done("verify r.csv");
        assert!(!ran.text().contains("Met:"), "{}", ran.text());
        let expected = format!("the notion '{notion}': that takes --original");
        assert!(not_checked(&ran).contains(&expected.as_str()), "{}", ran.err);
        let ran = desk.done("verify r.csv --original people.csv");
        assert!(ran.text().contains(&format!("Met: k = 3, notion {notion}")), "{}", ran.text());
    }
    let desk = released(&format!(
        "towns.csv {TOWN_ROLES} -k 2 --max-generalization location=Midwest --suppress 90%"
    ));
    let ran = desk.done("verify r.csv");
    assert!(not_checked(&ran).iter().any(|said| said.contains("within the boundaries")), "{}", ran.err);
}

/// Leading zeros make words of numbers, unless somebody declares otherwise.
#[test]
fn declared_types_of_sensitive_columns_are_told() {
    let desk = Desk::new().with("t.csv", "age,score\n30,0005\n31,-011\n40,0005\n41,-011\n");
    let roles = "--qi age --sensitive score --type score=integer --rows-are-people";
    desk.done(&format!("anonymize t.csv {roles} -k 2 --t-closeness 0.3:ordered -o r.csv --quiet"));
    desk.done("verify r.csv");
    assert_eq!(parsed(&desk.read(CERTIFICATE))["asked"]["sensitive_types"], json!({ "score": "integer" }));
}

#[test]
fn hierarchies_of_sensitive_columns_are_asked_for() {
    let jobs = [
        ("-p 2 --protected illness=lung", "p of 'illness'", "Met: k = 3, distinct 2-diversity of 'illness'"),
        ("--t-closeness 0.9:hierarchical", "t of 'illness'", "Met: k = 3"),
        ("--t-closeness 0.9:ordered", "t of 'illness'", "Met: k = 3"),
    ];
    for (flags, unchecked, met) in jobs {
        let desk = released(&format!("people.csv {ROLES} --hierarchies illnesses {flags}"));
        let ran = desk.done("verify r.csv");
        assert!(not_checked(&ran).iter().any(|said| said.starts_with(unchecked)), "{flags}\n{}", ran.err);
        assert!(ran.text().ends_with(&format!("\n{met}\n")), "{flags}\n{}", ran.text());
        let ran = desk.done("verify r.csv --hierarchies illnesses");
        assert!(!not_checked(&ran).iter().any(|said| said.starts_with(unchecked)), "{flags}\n{}", ran.err);
        assert!(ran.text().contains("Met: k = 3, "), "{flags}\n{}", ran.text());
    }
}

/// Which value it is that says so is a sensitive matter.
#[test]
fn an_opt_out_that_is_not_told() {
    let desk = released(&format!("people.csv {ROLES} --opt-out illness=asthma"));
    let ran = desk.done("verify r.csv");
    assert!(!ran.text().contains("Met:") && ran.text().contains("figures not compared"), "{}", ran.text());
    assert!(not_checked(&ran).iter().any(|said| said.ends_with("that takes --opt-out")), "{}", ran.err);
    let ran = desk.done("verify r.csv --opt-out illness=asthma");
    assert!(ran.text().ends_with("\nMet: k = 3\n"), "{}", ran.text());
}

#[test]
fn a_changed_byte() {
    let desk = released(&format!("people.csv {ROLES}"));
    let changed = desk.read("r.csv").replace("plain", "Plain");
    let desk = desk.with("r.csv", changed);
    let ran = desk.run("verify r.csv");
    assert_eq!(ran.code, Some(1));
    assert!(ran.text().contains("columns and figures as it says; digest not as it says"), "{}", ran.text());
    assert!(!ran.text().contains("Met:"), "{}", ran.text());
    insta::assert_snapshot!(unmet(&desk, "verify r.csv").join("\n"));
}

#[test]
fn a_broken_class() {
    let desk = released(&format!("people.csv {ROLES}"));
    let release = desk.read("r.csv");
    let cell = release.lines().nth(1).unwrap().split("\",").next().unwrap();
    let desk = forged(desk, &release.replacen(cell, "\"[1, 99]", 1));
    let unmet = unmet(&desk, "verify r.csv");
    assert!(unmet.iter().any(|said| said.contains("k = 3 was asked")), "{unmet:?}");
    assert!(unmet.iter().any(|said| said.starts_with("recomputed.k is")), "{unmet:?}");
    assert!(!unmet.iter().any(|said| said.contains("SHA-256")), "{unmet:?}");
}

#[test]
fn claims_that_were_edited() {
    let fresh = || released(&format!("people.csv {ROLES} -p 2 --publish-counts"));
    let unmet = |edit: fn(&mut Value)| unmet(&edited(fresh(), edit), "verify r.csv");
    insta::assert_snapshot!(unmet(|c| c["asked"]["models"][0]["k"] = 9.into()).join("\n"));
    insta::assert_snapshot!(unmet(|c| c["asked"]["models"][1]["p"] = 3.into()).join("\n"));
    insta::assert_snapshot!(
        unmet(|c| {
            c["release"]["rows"] = 13.into();
            c["original"]["suppressed"] = 1.into();
            c["recomputed"]["classes"] = 2.into();
            c["recomputed"]["largest_class"] = 8.into();
            c["recomputed"]["p"]["illness"] = 3.into();
            c["recomputed"]["alpha"]["illness"] = json!(0.25);
            c["recomputed"]["loss_against_release"]["mean"] = json!(0.5);
        })
        .join("\n")
    );
}

#[test]
fn columns_that_came_or_went() {
    let desk = released(&format!("people.csv {ROLES}"));
    let release = desk.read("r.csv");
    let with = |title: &str, cell: &str| {
        let (header, rows) = release
            .replace("two\nlines", "two lines")
            .split_once('\n')
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap();
        let rows: Vec<String> = rows.lines().map(|row| format!("{cell},{row}\n")).collect();
        format!("{title},{header}\n{}", rows.concat())
    };
    let desk = forged(desk, &with("ward", "7"));
    assert_eq!(
        unmet(&desk, "verify r.csv"),
        ["column 'ward' is in the release, and by its certificate should not be"]
    );
    // An identifier may not be there, whether it shows anything or not.
    for cell in ["Ada", ""] {
        let desk = forged(released(&format!("people.csv {ROLES}")), &with("name", cell));
        assert_eq!(unmet(&desk, "verify r.csv"), ["the identifier 'name' is in the release"]);
    }
    for (name, other) in [("illness", "condition"), ("age", "years"), ("note", "remark")] {
        let desk = forged(released(&format!("people.csv {ROLES}")), &release.replacen(name, other, 1));
        let expected = [
            format!("the certificate names column '{name}', which is not in the release"),
            format!("column '{other}' is in the release, and by its certificate should not be"),
        ];
        assert_eq!(unmet(&desk, "verify r.csv"), expected);
    }
    let job = format!("people.csv {ROLES} --opt-out note=plain");
    let untold = released(&job).read("r.csv").replacen("note", "remark", 1);
    let unmet = unmet(&forged(released(&job), &untold), "verify r.csv");
    assert!(unmet[0].contains("names column 'note'"), "{unmet:?}");
    let desk = forged(desk, "a,b\n1,2\n");
    let ran = desk.run("verify r.csv");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("none of the quasi-identifiers its certificate names"), "{}", ran.err);
}

#[test]
fn what_is_no_certificate() {
    let desk = released(&format!("people.csv {ROLES}"));
    let later = desk.read(CERTIFICATE).replace("\"schema_version\": 1", "\"schema_version\": 2");
    let damaged = desk.read(CERTIFICATE).replace("\"sha256\"", "\"sha1\"");
    let unknown = desk.read(CERTIFICATE).replace("\"k-anonymity\"", "\"m-invariance\"");
    let senseless = desk.read(CERTIFICATE).replace("\"k\": 3", "\"k\": 0");
    let desk = desk
        .with("later.json", later)
        .with("damaged.json", damaged)
        .with("unknown.json", unknown)
        .with("senseless.json", senseless)
        .with("cut.json", "{\"document\": \"kohort cert")
        .with("foreign.json", "{\"rows\": [\"Ada\"]}");
    let refused = |file: &str| desk.refused(&format!("verify r.csv --certificate {file}"));
    let files = ["later.json", "damaged.json", "unknown.json", "senseless.json", "cut.json", "foreign.json"];
    let said: Vec<String> =
        files.into_iter().chain(["r.csv.audit.json", "nowhere.json", "r.csv"]).map(refused).collect();
    insta::assert_snapshot!(said.join("\n"));
    // One that lies beside the release and cannot be read is not passed over.
    let desk = desk.with(CERTIFICATE, "{");
    assert!(desk.refused("verify r.csv").starts_with("exit code 2\nerror: this is no certificate"));
}

#[test]
fn no_certificate_at_all() {
    let desk = desk();
    insta::assert_snapshot!(desk.refused("verify people.csv --original people.csv"), @r"
    exit code 2
    error: no quasi-identifier was named
      where: --qi
      way out: name the columns an outsider could know; there is no certificate beside the release (people.csv.certificate.json) that would name them, --certificate FILE says where it lies
    ");
    insta::assert_snapshot!(desk.refused_with("verify -", PEOPLE.as_bytes()), @r"
    exit code 2
    error: no quasi-identifier was named
      where: --qi
      way out: name the columns an outsider could know; standard input has no certificate beside it that would name them, --certificate FILE says where it lies
    ");
}

/// Rows that show nothing, of which some are suppressed and one is in the class of all others.
#[test]
fn a_release_that_does_not_tell_its_classes() {
    let desk = Desk::new().with("t.csv", "city,illness\na,flu\nb,gout\nc,\n,flu\n");
    let roles = "--qi city --sensitive illness -k 3 --missing suppress --suppressed star";
    desk.done(&format!("anonymize t.csv -o r.csv {roles} --quiet"));
    let ran = desk.done("verify r.csv");
    assert!(ran.text().ends_with("digest and columns as it says; figures not compared\n"), "{}", ran.text());
    insta::assert_snapshot!(not_checked(&ran)[3..].join("\n"), @"
    which of the rows that show nothing are suppressed and which are in a class: the release does not tell, and what is claimed of its classes holds in one reading alone
    figures of the certificate: it has none, because the release does not tell its classes
    ");
    // Of more than all rows nobody can be sure in any reading.
    let desk = edited(desk, |c| c["asked"]["models"][0]["k"] = 5.into());
    assert!(unmet(&desk, "verify r.csv")[0].contains("k = 5 was asked"));
}

#[test]
fn a_certificate_elsewhere() {
    let desk = released(&format!("people.csv {ROLES} --certificate c.json"));
    assert!(desk.refused("verify r.csv").contains("no quasi-identifier was named"));
    let text = desk.done("verify r.csv --certificate c.json").text();
    assert!(text.contains("Certificate c.json: digest, columns and figures as it says"), "{text}");
    let piped = desk.run_with("verify - --certificate c.json", &desk.bytes("r.csv"));
    assert_eq!((piped.code, piped.text()), (Some(0), text), "{}", piped.err);
}

/// Whoever says what to look for is not told by the certificate; whoever names it is told whether it fits.
#[test]
fn flags_go_before_claims() {
    let desk = released(&format!("people.csv {ROLES}")).with("j.toml", "qi = [\"sex\"]\nk = 3\n");
    let desk = edited(desk, |c| c["release"]["sha256"] = "0".repeat(64).into());
    for line in ["--qi age,sex,zip -k 3", "--job j.toml"] {
        let text = desk.done(&format!("verify r.csv {line}")).text();
        assert!(!text.contains("Certificate"), "{text}");
        let unmet = unmet(&desk, &format!("verify r.csv {line} --certificate {CERTIFICATE}"));
        assert!(unmet.len() == 1 && unmet[0].contains("SHA-256"), "{unmet:?}");
    }
    let desk = released(&format!("people.csv {ROLES}"));
    let ran = desk.run("verify r.csv -k 5");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("not met: the smallest class has 3 rows, k = 5 was asked"), "{}", ran.err);
    // What is demanded and cannot be checked is not met, whatever of it is claimed.
    let weak = released(&format!("people.csv {ROLES} --notion kk"));
    for line in ["-k 3", "--notion global-1k"] {
        let unmet = unmet(&weak, &format!("verify r.csv {line}"));
        assert!(unmet.len() == 1 && unmet[0].contains("could not be checked"), "{unmet:?}");
    }
    let close = released(&format!("people.csv {ROLES} --t-closeness 0.3 --suppress 90%"));
    let short = unmet(&close, "verify r.csv --t-closeness 0");
    assert!(short[0].contains("t = 0 (equal) was asked"), "{short:?}");
    // Fewer columns make other classes; that is no fault of the certificate.
    let ran = desk.done(&format!("verify r.csv --qi sex --certificate {CERTIFICATE}"));
    assert!(ran.text().contains("digest and columns as it says; figures not compared"), "{}", ran.text());
    let ran = desk.done(&format!("verify r.csv --sensitive note --certificate {CERTIFICATE}"));
    assert!(ran.text().contains("figures not compared"), "{}", ran.text());
}

#[test]
fn for_programs() {
    let desk = released(&format!("people.csv {ROLES} --notion kk"));
    let object = parsed(&desk.done("verify r.csv --json").text());
    let expected = json!({
        "file": CERTIFICATE,
        "sha256": "same",
        "columns": "same",
        "figures": "same",
        "claims": ["k = 3", "notion kk"],
    });
    assert_eq!((&object["certificate"], &object["met"]), (&expected, &json!(true)));
    let desk = edited(desk, |c| c["recomputed"] = Value::Null);
    let changed = desk.read("r.csv").replace("plain", "Plain");
    let ran = desk.with("r.csv", changed).run("verify r.csv --json");
    let object = parsed(&ran.text());
    assert_eq!(ran.code, Some(1));
    assert_eq!(object["certificate"]["sha256"], "differs");
    assert_eq!(object["certificate"]["figures"], "not-checked");
    assert_eq!((&object["met"], object["shortfalls"].as_array().unwrap().len()), (&json!(false), 1));
    let alone = Desk::with_people().done("verify people.csv --qi sex --json");
    assert!(parsed(&alone.text()).get("certificate").is_none());
}

#[test]
fn nothing_is_said_to_the_quiet() {
    let desk = released(&format!("people.csv {ROLES}"));
    let ran = desk.done("verify r.csv --quiet");
    assert_eq!((ran.text().as_str(), ran.err.as_str()), ("", ""));
}
