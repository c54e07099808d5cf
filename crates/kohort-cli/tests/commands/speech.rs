//! Options are spelled as they are typed where a person reads, and named plainly in documents.

use crate::common::{Desk, ROLES};

/// That no mark reaches anybody is looked at after every run of any test (`common/mod.rs`).
#[test]
fn people_read_flags_and_documents_have_names() {
    let desk = Desk::with_people();
    let ran =
        desk.done(&format!("anonymize people.csv {ROLES} --keep-order --notion kk --suppress 10% -o r.csv"));
    for spelled in ["(--keep-order)", "note: --suppress is a limit here", "can prevent it (-p)"] {
        assert!(ran.err.contains(spelled), "{spelled}\n{}", ran.err);
    }
    let audit = desk.read("r.csv.audit.json");
    for named in ["(`keep-order`)", "`suppress` is a limit here", "can prevent it (`p`)"] {
        assert!(audit.contains(named), "{named}\n{audit}");
    }
    let ran = desk.run("verify r.csv --qi age,sex,zip --sensitive illness -k 2");
    assert!(ran.err.contains("that takes --original"), "{}", ran.err);
    let json = desk.run("verify r.csv --qi age,sex,zip --sensitive illness -k 2 --json").text();
    assert!(json.contains("that takes `original`"), "{json}");
}

#[test]
fn somebodys_marks_are_left_alone() {
    let desk = Desk::new().with("t.csv", "‹name›,age\na,1\nb,2\n");
    let output = desk.command("anonymize t.csv --rest keep --qi age,nam -k 2 -o r.csv").output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("the columns are: ‹name›, age") || err.contains("did you mean '‹name›'?"), "{err}");
}
