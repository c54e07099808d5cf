//! Tables that nobody expects: a job that runs, or a message that says why there is none.

use std::fmt::Write as _;

use crate::common::Desk;

/// The job of a table runs as it is, and its release holds.
fn runs(desk: &Desk) -> String {
    desk.done("init table.csv");
    let job = desk.read("job.toml");
    desk.done("anonymize --job job.toml -o release.csv --quiet --refine off --bound off");
    desk.done("verify release.csv");
    job
}

fn table(text: &str) -> Desk {
    Desk::new().with("table.csv", text)
}

/// A table of so many rows.
fn rows(header: &str, n: usize, row: impl Fn(usize) -> String) -> Desk {
    let mut text = format!("{header}\n");
    for i in 0..n {
        let _ = writeln!(text, "{}", row(i));
    }
    table(&text)
}

#[test]
fn tables_in_which_nobody_can_hide_are_refused_and_nothing_is_written() {
    for text in ["a,b\n", "a,b\n1,2\n"] {
        let message = table(text).refused("init table.csv");
        assert!(message.contains("exit code 2") && message.contains("nobody can hide"), "{message}");
    }
    for text in
        ["name\nAnn\nBen\nCat\n", "a,b\n,\n,\n", "id,code\n1,x9\n2,y8\n3,z7\n", "a\nsame\nsame\nsame\n"]
    {
        let message = table(text).refused("init table.csv");
        assert!(message.contains("exit code 2") && message.contains("way out"), "{message}");
    }
}

#[test]
fn a_record_is_not_taken_for_a_header() {
    let message =
        table("Ann,34,1990-05-01\nBen,36,1988-01-02\nCat,31,1993-07-09\n").refused("init table.csv");
    assert!(message.contains("does not look like a header") && !message.contains("Ann"), "{message}");
}

#[test]
fn two_rows_and_one_column_are_enough() {
    runs(&table("age\n30\n31\n"));
    runs(&table("age,sex\n30,f\n31,m\n"));
    runs(&rows("town", 40, |i| format!("town {}", i % 3)));
}

#[test]
fn columns_of_nothing_are_dropped() {
    let job = runs(&rows("age,empty,same", 50, |i| format!("{},,x", 20 + i % 30)));
    assert!(
        job.contains("empty = { role = \"drop\" }") && job.contains("same = { role = \"drop\" }"),
        "{job}"
    );
}

#[test]
fn two_hundred_columns_are_looked_at() {
    let header: Vec<String> = (0..200).map(|c| format!("v{c}")).collect();
    let row = |i: usize| {
        (0..200).map(|c| ((i * (c + 3) + c) % (c % 17 + 2)).to_string()).collect::<Vec<_>>().join(",")
    };
    let desk = rows(&format!("age,sex,{}", header.join(",")), 120, |i| {
        format!("{},{},{}", 20 + i % 40, ["f", "m"][i % 2], row(i))
    });
    runs(&desk);
}

#[test]
fn names_of_columns_may_be_anything() {
    let names = [
        "\"a \"\"b\"\"\"",
        "\"x\ny\"",
        "straße",
        "[columns]",
        "#",
        "a=b",
        "a.b",
        "'",
        "\\",
        "\u{1F600}",
        "\t",
        "k",
        "input",
        "\"role = \"\"keep\"\"\"",
        "日本",
        "__",
        "{ }",
    ];
    let desk = rows(&format!("age,{}", names.join(",")), 60, |i| {
        let values: Vec<String> = (0..names.len()).map(|c| format!("w{}", (i + c) % (c % 4 + 2))).collect();
        format!("{},{}", 20 + i % 40, values.join(","))
    });
    let job = runs(&desk);
    assert!(job.parse::<toml::Table>().unwrap()["columns"].as_table().unwrap().len() == names.len() + 1);
}

#[test]
fn columns_that_nobody_can_tell_apart_get_different_files() {
    let town = |i: usize| (i * 7 % 30, i * 7 % 30 % 5);
    let desk = rows("age,a b,A_B,a/b,region", 300, |i| {
        let (town, county) = town(i);
        format!("{},t{town},u{town},w{town},county {county}", 20 + i % 40)
    });
    runs(&desk);
}

#[test]
fn codes_of_digits_and_missing_values_in_all_spellings() {
    let desk = rows("age,zip,region,income", 300, |i| {
        let age = if i % 9 == 0 { "NA".to_owned() } else { (20 + i % 40).to_string() };
        let income = if i % 11 == 0 { "unknown".to_owned() } else { (1000 + i * 13 % 700).to_string() };
        format!(
            "{age},{:05},{},{income}",
            1000 + i % 60,
            if i % 5 == 0 { "?".into() } else { (i % 4).to_string() }
        )
    });
    let job = runs(&desk);
    assert!(
        job.contains("na = [\"NA\"]") && job.contains("na = [\"unknown\"]") && job.contains("na = [\"?\"]"),
        "{job}"
    );
    assert!(job.contains("mask = \"right\""), "{job}");
}

#[test]
fn when_every_column_is_different_in_every_row() {
    let desk = rows("birth_date,salary,weight", 200, |i| {
        format!(
            "19{:02}-{:02}-{:02},{},{}.{}",
            40 + i % 50,
            i % 12 + 1,
            i % 28 + 1,
            20_000 + i * 37,
            50 + i,
            i % 10
        )
    });
    runs(&desk);
}

/// What people are called is nowhere in what is written or said.
#[test]
fn no_value_of_an_identifier_or_sensitive_column_is_said() {
    let desk = rows("patient_id,name,age,diagnosis,remark", 200, |i| {
        format!(
            "Q{:05},Zebulon Quux{i},{},Quuxitis{},Seen by doctor Zebulon on floor {}",
            i * 7,
            20 + i % 50,
            i % 6,
            i % 9
        )
    });
    let ran = desk.done("init table.csv");
    let printed = desk.done("init table.csv --json");
    for text in [desk.read("job.toml"), ran.text(), ran.err, printed.text(), printed.err] {
        for secret in ["Zebulon", "Quux", "Quuxitis", "Q00007", "floor"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
}

/// What init proposes is not refused by the careful: what its own run warns of is mended, and named.
#[test]
fn a_kept_column_that_another_one_tells_is_not_kept() {
    let desk = rows("age,reason,observed", 400, |i| {
        let reason = ["retired", "resigned", "died", "still there"][i * 7 % 4];
        format!("{},{reason},{}", 20 + i % 50, if i * 7 % 4 == 3 { "False" } else { "True" })
    });
    let said = desk.done("init table.csv").text();
    let job = desk.read("job.toml");
    assert!(
        !job.contains("observed = { role = \"keep\"") && job.contains("a quick run found that it"),
        "{job}"
    );
    assert!(said.contains("observed"), "{said}");
    desk.done("anonymize --job job.toml -o release.csv --quiet --refuse-risky --refine off --bound off");
}

#[test]
fn logins_under_a_strange_name_pass_no_careful_run() {
    let desk = rows("age,income", 300, |i| format!("{},konto{}", 20 + i % 50, i * 7919 % 100_003));
    desk.done("init table.csv");
    desk.done("anonymize --job job.toml -o release.csv --quiet --refuse-risky --refine off --bound off");
}

#[test]
fn times_that_become_intervals_are_said_to() {
    let desk = rows("age,seen", 600, |i| {
        format!("{},2024-{:02}-{:02} {:02}:{:02}", 20 + i % 50, i % 12 + 1, i % 28 + 1, i % 24, i * 7 % 60)
    });
    let said = desk.done("init table.csv").text();
    let job = desk.read("job.toml");
    let line = said.lines().find(|line| line.contains("seen")).unwrap().to_owned();
    let is_interval = job.contains("Smallest intervals of times");
    assert!(is_interval == line.contains("intervals") && !line.contains("kept or *"), "{line}\n{job}");
    assert!(is_interval, "{job}");
}

/// Dates that no job can say how to read are words, and somebody must look at them.
#[test]
fn dates_that_contradict_each_other_are_words() {
    let days = |i: usize| {
        let (day, month) = (i % 28 + 1, i % 12 + 1);
        if i.is_multiple_of(2) {
            format!("{day:02}/{month:02}/1999")
        } else {
            format!("{month:02}/{day:02}/1999")
        }
    };
    let instants = |i: usize| {
        let zone = if i.is_multiple_of(2) { "Z" } else { "" };
        format!("2024-05-{:02}T{:02}:00:00{zone}", i % 9 + 1, i % 5 + 8)
    };
    let cells: [&dyn Fn(usize) -> String; 2] = [&days, &instants];
    for cell in cells {
        for name in ["geboren am", "diagnosis"] {
            let job = runs(&rows(&format!("{name},age"), 200, |i| format!("{},{}", cell(i), 20 + i % 30)));
            let entry = job.lines().find(|line| line.contains("am\" = {") || line.starts_with("diagnosis"));
            assert!(entry.is_some_and(|entry| entry.contains("type = \"category\"")), "{job}");
            assert!(job.contains("LOOK AT THIS ONE"), "{job}");
        }
    }
}

/// Numbers that are names have no decimals.
#[test]
fn names_with_commas_stay_as_they_stand() {
    let job = runs(&rows("region,age", 200, |i| format!("\"{},100\",{}", i % 5 + 1, 20 + i % 30)));
    let region = job.lines().find(|line| line.starts_with("region")).unwrap_or_default();
    assert!(region.contains("type = \"category\"") && !region.contains("decimal"), "{job}");
}
