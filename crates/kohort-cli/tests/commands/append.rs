//! The next release of a growing table.

use crate::common::{Desk, PEOPLE, ROLES};

/// Four more people.
const MORE: &str = "\
name,age,sex,zip,illness,note
Max,33,m,41075,flu,new
Nia,35,f,41076,gout,new
Ole,36,m,41076,flu,new
Pia,61,f,48201,asthma,new
";

/// Two, too few for a group of their own.
const FEW: &str = "name,age,sex,zip,illness,note\nQuin,30,m,41075,flu,few\nRia,31,f,41076,gout,few\n";

fn desk() -> Desk {
    let desk = Desk::with_people().with("more.csv", MORE).with("few.csv", FEW);
    desk.done(&format!("append --ledger t.ledger people.csv {ROLES} -o r1.csv"));
    desk
}

#[test]
fn batches_are_released_or_wait() {
    let desk = desk();
    let few = desk.done("append --ledger t.ledger few.csv -o r2.csv");
    assert!(few.err.contains("2 rows wait in the ledger"), "{}", few.err);
    assert!(few.text().contains("waiting for the next batch, in no release"), "{}", few.text());
    assert_eq!(desk.read("r1.csv"), desk.read("r2.csv"));
    let more = desk.done("append --ledger t.ledger more.csv -o r3.csv --json").text();
    let said: serde_json::Value = serde_json::from_str(&more).unwrap();
    let growth = &said["growth"];
    assert_eq!(
        (&growth["batch"], &growth["had_waited"], &growth["release"]),
        (&4.into(), &2.into(), &3.into())
    );
    assert_eq!(growth["appended"].as_u64().unwrap() + growth["waiting"].as_u64().unwrap(), 6);
    let release = desk.read("r3.csv");
    assert_eq!(release.lines().filter(|line| line.ends_with(",new") || line.ends_with(",few")).count(), 6);
    assert!(!release.contains("Quin"));
    desk.done("verify r3.csv");
}

#[test]
fn what_was_asked_stays() {
    let desk = desk();
    let refused = desk.refused("append --ledger t.ledger more.csv -k 2 -o r2.csv");
    assert!(refused.contains("k is different") && refused.contains("where: -k"), "{refused}");
    // Other line ends make another file, but no new people.
    let desk = desk.with("again.csv", PEOPLE.replace('\n', "\r\n"));
    let twice = desk.refused("append --ledger t.ledger again.csv -o r2.csv");
    assert!(twice.contains("12 rows have the same identifiers"), "{twice}");
    let piped = desk.refused("append --ledger t.ledger more.csv -o -");
    assert!(piped.contains("goes to a file"), "{piped}");
}

const ONE: &str = "name,age,sex,zip,illness,note\nSam,33,m,41075,flu,one\n";

/// A desk with a table that nobody has seen yet.
fn unseen() -> Desk {
    let desk = Desk::with_people().with("more.csv", MORE).with("one.csv", ONE);
    desk.done(&format!("append --ledger t.ledger people.csv {ROLES} -o r1.csv --unpublished"));
    desk
}

#[test]
fn rows_join_one_by_one_until_a_release_is_published() {
    let desk = unseen();
    assert!(desk.done("ledger show t.ledger").text().contains("not published yet"));
    let draft =
        desk.done("append --ledger t.ledger one.csv --rule least-increase --unpublished -o r2.csv --json");
    let said: serde_json::Value = serde_json::from_str(&draft.text()).unwrap();
    assert_eq!((&said["growth"]["inserted"], &said["growth"]["waiting"]), (&1.into(), &0.into()));
    let last = desk.done("append --ledger t.ledger more.csv --rule posterior -o r3.csv");
    assert!(last.err.contains("4 rows joined groups one by one"), "{}", last.err);
    assert!(last.text().contains("joined an earlier group one by one"), "{}", last.text());
    // The header, everybody, and a note of two lines.
    assert_eq!(desk.read("r3.csv").lines().count(), 1 + 12 + 1 + 4 + 1);
    desk.done("verify r3.csv");
    assert!(!desk.done("ledger show t.ledger").text().contains("not published"));
    std::fs::write(desk.path("one.csv"), ONE.replace("Sam", "Tea")).unwrap();
    let refused = desk.refused("append --ledger t.ledger one.csv --rule least-loss -o r4.csv");
    insta::assert_snapshot!(refused);
    let late = desk.refused("append --ledger t.ledger one.csv --unpublished -o r4.csv");
    assert!(late.contains("nobody can take that back") && late.contains("omit --unpublished"), "{late}");
}

#[test]
fn a_release_that_was_published_after_all() {
    let desk = unseen();
    let ledger = desk.bytes("t.ledger");
    let told = desk.done("append --ledger t.ledger --published").text();
    assert!(told.contains("recorded as published now"), "{told}");
    assert!(ledger != desk.bytes("t.ledger") && desk.bytes("t.ledger") == desk.bytes("t.ledger.mirror"));
    let twice = desk.done("append --ledger t.ledger --published").text();
    assert!(twice.contains("recorded as published before"), "{twice}");
    let refused = desk.refused("append --ledger t.ledger one.csv --rule least-loss -o r2.csv");
    assert!(refused.contains("an earlier release was published"), "{refused}");
    // With a batch, it is recorded with the release.
    let desk = unseen();
    let refused = desk.refused("append --ledger t.ledger one.csv --published --rule least-loss -o r2.csv");
    assert!(refused.contains("an earlier release was published"), "{refused}");
    desk.done("append --ledger t.ledger more.csv --published -o r2.csv");
    desk.done("append --ledger t.ledger one.csv -o r3.csv");
}

#[test]
fn rules_that_cannot_be_followed() {
    let desk = unseen();
    let wrong = |line: &str| desk.refused(&format!("append --ledger t.ledger {line} -o r2.csv"));
    insta::assert_snapshot!(wrong("one.csv --rule least-los"));
    let both = wrong("one.csv --published --unpublished");
    assert!(both.starts_with("exit code 2") && both.contains("cannot be used with"), "{both}");
    let gone = Desk::with_people();
    let first =
        gone.refused(&format!("append --ledger t.ledger people.csv {ROLES} --rule posterior -o r1.csv"));
    assert!(first.contains("there is no ledger yet") && first.contains("--rule"), "{first}");
    let none = gone.refused("append --ledger t.ledger --published");
    assert!(none.contains("there is no ledger"), "{none}");
    let desk = Desk::with_people().with("one.csv", ONE);
    desk.done(&format!(
        "append --ledger t.ledger people.csv {ROLES} --t-closeness 0.6 -o r1.csv --unpublished"
    ));
    let shares = desk.refused("append --ledger t.ledger one.csv --rule least-loss -o r2.csv");
    assert!(shares.contains("one row more can break them") && shares.contains("where: --rule"), "{shares}");
}

/// Four people under two roofs, one of whom leaves and takes her neighbour along.
fn left() -> Desk {
    let desk = Desk::new()
        .with("a.csv", "pid,age,open,d\np1,20,no,a\np2,20,no,b\np3,60,no,a\np4,60,no,b\n")
        .with("b.csv", "pid,age,open,d\np1,20,yes,a\nq1,30,no,a\nq2,30,no,b\n")
        .with("gone.csv", "pid\np1\n");
    let roles = "--person pid --qi age --type age=integer --sensitive d --keep open --opt-out open=yes -k 2";
    desk.done(&format!("append --ledger l a.csv -o r1.csv {roles}"));
    desk.done("append --ledger l --withdraw gone.csv --withhold -o r2.csv");
    desk
}

#[test]
fn who_was_hidden_and_left_does_not_come_back_as_she_is() {
    let desk = left();
    let refused = desk.refused("append --ledger l b.csv -o r3.csv");
    assert!(refused.contains("hidden in others, counting earlier releases"), "{refused}");
}

#[test]
fn nothing_is_put_where_the_lock_lies() {
    let desk = left();
    for companion in ["--certificate", "--audit"] {
        let refused = desk.refused(&format!("append --ledger l -o r3.csv {companion} l.lock"));
        assert!(refused.contains("would replace the ledger"), "{refused}");
    }
}

/// The first release has neither colds nor broken bones: to search and check alike, they come from the far end of the tree.
#[test]
fn values_unknown_to_the_first_release_are_as_far_as_can_be() {
    let tree = "flu;lung;*\ncold;lung;*\ngout;joint;*\nbone;joint;*\n";
    let desk = Desk::new()
        .with("trees/d.csv", tree)
        .with("a.csv", "id,age,d\n1,20,flu\n2,20,gout\n3,30,flu\n4,30,gout\n")
        .with("b.csv", "id,age,d\n5,40,cold\n6,40,bone\n7,50,cold\n8,50,bone\n");
    let roles = "--identifier id --qi age --type age=integer --sensitive d --hierarchies trees -k 2";
    desk.done(&format!("append --ledger l a.csv -o r1.csv {roles} --t-closeness 0.5:hierarchical"));
    let waits = desk.done("append --ledger l b.csv -o r2.csv");
    assert!(waits.err.contains("4 rows wait"), "{}", waits.err);
}

#[test]
fn whoever_waits_is_not_given_again() {
    let desk = desk();
    desk.done("append --ledger t.ledger few.csv -o r2.csv");
    let again = FEW.to_owned() + "Tom,30,m,41075,flu,few\n";
    let desk = desk.with("again.csv", again);
    let refused = desk.refused("append --ledger t.ledger again.csv -o r3.csv");
    assert!(refused.contains("2 rows have the same identifiers as rows that were given before"), "{refused}");
}

#[test]
fn a_batch_is_not_given_twice() {
    let desk = Desk::with_people().with("more.csv", MORE);
    let begun = desk.done(
        "append --ledger l people.csv --drop name --qi age,sex,zip --sensitive illness --keep note -k 3 -o r1.csv",
    );
    assert!(begun.err.contains("nothing tells rows apart"), "{}", begun.err);
    let first = desk.refused("append --ledger l people.csv -o r2.csv");
    assert!(first.contains("this batch was given before: release 1"), "{first}");
    desk.done("append --ledger l more.csv -o r2.csv");
    let second = desk.refused("append --ledger l more.csv -o r3.csv");
    assert!(second.contains("this batch was given before: release 2"), "{second}");
}

#[test]
fn whoever_is_to_leave_was_given_once() {
    let desk = left().with("wrong.csv", "pid\np1\np33\n");
    let refused = desk.refused("append --ledger l --withdraw wrong.csv -o r3.csv");
    assert!(
        refused.contains("1 row of the list of withdrawals names nobody") && refused.contains("row 2,"),
        "{refused}"
    );
    assert!(!refused.contains("p33"), "{refused}");
    let again = desk.done("append --ledger l --withdraw gone.csv -o r3.csv");
    assert!(again.err.contains("1 person of the list of withdrawals had left before"), "{}", again.err);
    assert!(again.err.contains("nothing changed"), "{}", again.err);
}

#[test]
fn a_release_that_is_replaced_is_missed() {
    let desk = desk();
    let replaced = desk.done("append --ledger t.ledger more.csv -o r1.csv");
    assert!(replaced.err.contains("r1.csv held release 1, which was replaced"), "{}", replaced.err);
}

#[test]
fn a_misspelled_ledger_is_no_new_one() {
    let refused = desk().refused("append --ledger typo.ledger more.csv -o r2.csv");
    assert!(refused.contains("there is no ledger yet") && refused.contains("check the name"), "{refused}");
}

/// When everybody withdraws, a release of nobody is left: it verifies, and what that means is said.
#[test]
fn a_release_of_nobody() {
    let desk = desk();
    let names = "name Ada Bob Cleo Dan Eve Finn Gus Hal Ivy Jon Kim Lea".replace(' ', "\n");
    let desk = desk.with("gone.csv", names + "\n");
    desk.done("append --ledger t.ledger --withdraw gone.csv -o r2.csv");
    assert_eq!(desk.read("r2.csv").lines().count(), 1, "{}", desk.read("r2.csv"));
    let ran = desk.done("verify r2.csv");
    assert!(ran.err.contains("not checked: whether this is all of it"), "{}", ran.err);
    let both = desk.run("risk --releases r1.csv r2.csv --may-leave");
    assert_eq!(both.code, Some(0), "{}", both.err);
    assert!(both.err.contains("releases without rows"), "{}", both.err);
}

#[test]
fn why_rows_wait_is_said() {
    let lacking = format!("{FEW}Sue,,f,41076,gout,few\n");
    let desk = Desk::with_people().with("few.csv", lacking);
    desk.done(&format!("append --ledger t.ledger people.csv {ROLES} --missing suppress -o r1.csv"));
    let ran = desk.done("append --ledger t.ledger few.csv -o r2.csv");
    // Ivy of the first table lacks her age, too.
    assert!(ran.err.contains("2 lack a quasi-identifier"), "{}", ran.err);
    assert!(ran.err.contains("too few like them"), "{}", ran.err);
    let text = ran.text();
    assert!(text.contains("too few are like them to form a group"), "{text}");
    assert!(text.contains("originals of earlier rows are not kept"), "{text}");
}

/// Without a batch no table is read, and there are no columns to tell of.
#[test]
fn no_columns_without_a_batch() {
    let desk = desk();
    let with = desk.done("append --ledger t.ledger few.csv -o r2.csv").text();
    let without = desk.done("append --ledger t.ledger -o r3.csv").text();
    assert!(with.starts_with("Columns") && without.starts_with("Verified"), "{without}");
}

#[test]
fn hierarchies_that_were_moved() {
    let desk = Desk::with_towns();
    desk.done(&format!("append --ledger t.ledger towns.csv {} -k 2 -o r1.csv", crate::common::TOWN_ROLES));
    std::fs::rename(desk.path("trees"), desk.path("forest")).unwrap();
    let message = desk.refused("append --ledger t.ledger -o r2.csv");
    assert!(message.contains("not where the ledger recorded it") && message.contains("trees"), "{message}");
    assert!(message.contains("--hierarchies DIR"), "{message}");
    desk.done("append --ledger t.ledger --hierarchies forest -o r2.csv");
}
